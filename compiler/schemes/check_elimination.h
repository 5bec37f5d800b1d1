//===- compiler/schemes/check_elimination.h - one check for several
// accesses ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CuSafe's three ways to check less (section 4.4 of its paper): what was
// checked before on all paths to the access; of neighbors in one block the
// first and the last; in a loop that counts the first iteration and the last.
//
// The paper ends the program when a check fails. Here it goes on, so that what
// needs no check of its own still is not made if the check failed that stands
// for it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SCHEMES_CHECK_ELIMINATION_H
#define WARPSAN_COMPILER_SCHEMES_CHECK_ELIMINATION_H

#include "compiler/checks/accesses.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"

#include <map>
#include <optional>
#include <vector>

namespace warpsan {

class CheckElimination {
public:
  explicit CheckElimination(llvm::Function &Kernel);

  /// To be called once, before anything is asked.
  void begin(const std::vector<Access> &Accesses);

  /// Of accesses to one pointer, at constant offsets, in one block.
  struct Neighbors {
    llvm::Value *Base;
    struct End {
      int64_t Offset;
      uint64_t Bytes;
      llvm::Value *Bad = nullptr; ///< for the scheme to fill in, at the first
      llvm::Value *Tag = nullptr; ///< likewise
    };
    End First, Last;

    int64_t end() const {
      return Last.Offset + static_cast<int64_t>(Last.Bytes);
    }
  };
  /// Those that access \p Number belongs to: two ends at least, and \p Number
  /// is one of them or between. Null: it is alone.
  Neighbors *around(unsigned Number);
  /// The end that access \p Number is; null: it is between.
  Neighbors::End *endOf(unsigned Number);

  /// Where the pointer of an access is in the first and in the last iteration
  /// of the loop around it: bytes behind Base, known before Before.
  struct Iterations {
    llvm::Instruction *Before;
    llvm::Value *Base;
    llvm::Value *First, *Last; ///< the same if it does not move
    llvm::Value *None;         ///< i1: there is no iteration; may be null
  };
  /// If \p A is made in each iteration, and their number is known before them.
  /// Its instructions are made then.
  std::optional<Iterations> iterationsOf(const Access &A);

  /// What \p A was found to be by the same check before, on all paths to it; to
  /// be filled in if null.
  struct Found {
    llvm::Value *Bad = nullptr;
    llvm::Value *Tag = nullptr;
  };
  Found &sameBefore(const Access &A);

private:
  struct Place {
    llvm::Value *Base;
    int64_t Offset;
  };
  Place placeOf(llvm::Value *Pointer) const;
  static bool isPlain(const Access &A);

  llvm::Function &Kernel;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::AssumptionCache Assumed;
  llvm::TargetLibraryInfoImpl NoLibrary;
  llvm::TargetLibraryInfo Library;
  llvm::ScalarEvolution Evolution;
  std::map<std::pair<llvm::BasicBlock *, llvm::Value *>, Neighbors> Groups;
  struct Member {
    Neighbors *Of;
    int64_t Offset;
    uint64_t Bytes;
  };
  std::map<unsigned, Member> Members; ///< by the access's number
  std::map<std::tuple<llvm::Value *, int64_t, uint64_t>,
           std::vector<std::pair<llvm::Instruction *, Found>>>
      Before;
  Found Alone; ///< what has no check before
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_SCHEMES_CHECK_ELIMINATION_H
