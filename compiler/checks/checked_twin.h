//===- compiler/checks.h - a check before every access --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access that would leave its memory is not made: a load gives zero, a store
// is dropped, and the device's report function is called.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_H
#define WARPSAN_COMPILER_CHECKS_H

#include "compiler/accesses.h"
#include "compiler/hidden_args.h"
#include "compiler/roots.h"
#include "proof/expression.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace warpsan {

struct DriverRecipe;
class Refusals;

/// One access of a kernel, as the manifest tells of it. Its number is its
/// index.
struct Site {
  /// Claimed: whether it is in bounds is decided at each launch (proof/).
  enum class State { Checked, Proven, Claimed, Untraced };
  State Is = State::Untraced;
  Access::Kind What = Access::Kind::Read;
  const llvm::DILocation *At = nullptr; ///< null: no line information
  std::string Space;   ///< global, constant, local, private, generic, image
  std::string Builtin; ///< "vload4"; empty for instructions
  std::string Type;    ///< of the accessed value; may be empty
  uint64_t Bytes = 0;  ///< 0: known only when it runs
  uint64_t Align = 0;
  int Root = -1;              ///< -1: not always the same one
  std::string Member;         ///< the member array that it is held to
  uint64_t MemberElement = 0; ///< bytes of an element of that
  bool InStruct = false;      ///< isInStruct() of its pointer
  std::string Why;            ///< no claim was made; empty if none was wanted
};

/// Where a kernel may keep a part of a work-group from a barrier. Its number is
/// that of Claims::Branches.
struct DivergenceSite {
  const llvm::DILocation *Branch = nullptr; ///< null: no line information
  const llvm::DILocation *Call = nullptr;   ///< likewise
  std::string Builtin;                      ///< "barrier", that Call calls
};

/// A kernel with its checks.
struct CheckedTwin : Twin {
  Claims Claimed; ///< what is not checked, and must hold in a launch
  /// By argument: memory that it does not write. Empty: there may be none.
  std::vector<bool> Unchanged;
  std::vector<Root> Roots;
  std::vector<Site> Sites;
  std::vector<DivergenceSite> Divergent;
};

/// Which twin is wanted.
enum class Variant {
  Plain,      ///< no checks
  Checked,    ///< pointer arguments are buffers and local memory
  CheckedSvm, ///< shared virtual memory is about
  Lean,       ///< as Checked, for launches in which what is claimed holds
  LeanSvm,    ///< as CheckedSvm, for such launches
  /// As CheckedSvm, and buffers may have objects that accesses are held to.
  CheckedObjects,
};

inline bool isLean(Variant Which) {
  return Which == Variant::Lean || Which == Variant::LeanSvm;
}
inline bool isForSvm(Variant Which) {
  return Which == Variant::CheckedSvm || Which == Variant::LeanSvm ||
         Which == Variant::CheckedObjects;
}

/// A lean twin of one kernel, for launches that prove all but some accesses.
struct Wanted {
  std::string Kernel; ///< empty: all kernels, and what can be claimed is
  std::set<unsigned> Checked; ///< those, by number
};

/// Appends hidden arguments to every kernel of \p Program and, unless \p Which
/// is Plain, puts checks before its accesses, as \p Scheme has them
/// (compiler/schemes). In the order of the module. Kernels that are not \p Only
/// go. Kernels with too many arguments or accesses are refused.
llvm::Expected<std::vector<CheckedTwin>>
instrument(llvm::Module &Program, Variant Which, llvm::StringRef Scheme,
           const Wanted &Only, const DriverRecipe &Recipe, const Target &T,
           Refusals &Refused);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_H
