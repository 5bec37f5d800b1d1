//===- compiler/checks/scheme.h - a bounds-checking scheme ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheme defines the pointer metadata
// (compiler/pointers/pointer_metadata) and which conditions of it make an
// access a bad one. Where the checks go, what happens if one fails and how it
// is reported is the same for all (compiler/checks/placement).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_SCHEME_H
#define WARPSAN_COMPILER_CHECKS_SCHEME_H

#include "compiler/checks/accesses.h"
#include "compiler/checks/checked_twin.h"
#include "compiler/checks/report_call.h"
#include "compiler/pointers/roots.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace warpsan {

class ExpressionBuilder;
struct DriverProfile;

/// A condition that must not hold, and what to tell if it does.
struct Check {
  llvm::WeakTrackingVH Bad;
  bool Stops;    ///< the access is not made; unless Tells.Outside is false
  bool Writes;   ///< it is a write that is checked
  Failure Tells; ///< without a root: nothing
  /// i1, cheaper than Bad: if it is false, Bad is false and needs not be asked.
  /// Null: there is none.
  llvm::WeakTrackingVH Suspect = {};
  /// What is needed only if Suspect, to make Bad: instructions before the
  /// access, to be moved.
  std::vector<llvm::Instruction *> Asked = {};
  /// What is needed only if Bad: instructions before the access, to be moved.
  std::vector<llvm::Instruction *> Cold = {};
  /// i64 each: the values to keep if it fails, for a deferred report. None: it
  /// has to be reported at once.
  std::vector<llvm::WeakTrackingVH> Kept = {};
};

/// The kernel that a scheme is for.
struct KernelParts {
  CheckedTwin &Made;
  RootTable &Roots;
  const DeviceRuntime &Runtime;
  const AccessSelection &Only;
  const DriverProfile &Profile;
  const Target &T;
  /// Not null in lean twins: what a launch can decide is not checked.
  ExpressionBuilder *Numbers = nullptr;
  /// With Numbers: what a launch can decide about data races is described.
  bool ClaimsRaces = false;
};

/// For one kernel. Calls come in this order, and for accesses in theirs.
class Scheme {
public:
  virtual ~Scheme() = default;

  virtual void begin(const std::vector<Access> & /*Accesses*/) {}
  /// Something is stored, which may be a pointer.
  virtual void stored(llvm::StoreInst & /*Store*/) {}
  /// Appends what is to be checked before \p A, and says in Made.Sites what
  /// became of it. Instructions go before the access or beside pointers; no
  /// block is cut.
  virtual void plan(const Access &A, unsigned Number,
                    std::vector<Check> &Checks) = 0;
  virtual void finish() {}

  /// The deferred report of a check at kernel exit, from its \p Kept values.
  virtual Failure later(const Check &C, llvm::ArrayRef<llvm::Value *> Kept,
                        llvm::IRBuilderBase &Build) = 0;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_SCHEME_H
