//===- compiler/checks/checked_twin.h - a kernel with its checks ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_CHECKED_TWIN_H
#define WARPSAN_COMPILER_CHECKS_CHECKED_TWIN_H

#include "compiler/checks/accesses.h"
#include "compiler/pointers/hidden_args.h"
#include "compiler/pointers/roots.h"
#include "job/variant.h"
#include "proof/expression.h"
#include "proof/races/race_claims.h"

#include <optional>
#include <string>
#include <vector>

namespace warpsan {

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
  std::string Member;         ///< the member array it is confined to
  uint64_t MemberElement = 0; ///< bytes of an element of that
  bool InStruct = false;      ///< isInStruct() of its pointer
  std::string Why;            ///< no claim was made; empty if none was wanted
  /// Reads that decide about it, by number (compiler/checks/dependences.h).
  std::vector<unsigned> DependsOn;
};

/// Where a kernel may keep a part of a work-group from a barrier. Its number is
/// that of Claims::Branches.
/// Or a call whose arguments may differ in a work-group.
struct DivergenceSite {
  const llvm::DILocation *Branch = nullptr; ///< null: no line information
  const llvm::DILocation *Call = nullptr;   ///< likewise
  std::string Builtin;                      ///< "barrier", that Call calls
  bool Arguments = false; ///< there is no Branch, but arguments of Call
};

/// A call that a whole work-group must reach, which the twin watches.
struct CollectiveSite {
  const llvm::DILocation *At = nullptr; ///< null: no line information
  std::string Builtin;                  ///< "barrier"
  struct Argument {
    std::string Name; ///< "destination"
    bool IsPointer = false;
  };
  std::vector<Argument> Arguments; ///< that are compared
};

/// What a twin knows of work-groups that diverge
/// (compiler/divergence/convergence_point.h).
struct DivergenceChecks {
  std::vector<CollectiveSite> Calls;
  /// Branches that decide who reaches them; null: no line information.
  std::vector<const llvm::DILocation *> Branches;
  std::string WhyNot; ///< the twin does not check; empty: it does, if it can
                      ///< diverge
};

/// A kernel with its checks.
struct CheckedTwin : Twin {
  Claims Claimed; ///< what is not checked, and must hold in a launch
  /// Accesses that may race. None: it is not wanted.
  std::optional<RaceClaims> ClaimedRaces;
  /// By argument: memory that it does not write. Empty: there may be none.
  std::vector<bool> Unchanged;
  std::vector<Root> Roots;
  std::vector<Site> Sites;
  std::vector<DivergenceSite> Divergent;
  DivergenceChecks Divergence;
  bool WatchesRaces = false; ///< it is to
  /// Why its accesses are not watched for data races; empty: they are, if they
  /// are to be.
  std::string RacesUnjudged;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_CHECKED_TWIN_H
