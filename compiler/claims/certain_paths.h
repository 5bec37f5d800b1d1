//===- compiler/claims/certain_paths.h - what a work-item surely executes -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The path condition of a block (ExpressionBuilder::condition) is necessary: it
// holds whenever the block is executed. The one that is built here is
// sufficient: a work-item for which it holds executes the block. No branch that
// it rests on depends on memory, and no loop on the way ends by a value that is
// loaded in it. So no work-item that waits for another command, or tests what
// one has done, is certain to execute what follows.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_CERTAIN_PATHS_H
#define WARPSAN_COMPILER_CLAIMS_CERTAIN_PATHS_H

#include "compiler/claims/expression_builder.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace warpsan {

class CertainPaths {
public:
  /// The blocks of \p Kernel must not change while this lives. \p Numbers gets
  /// the conditions.
  CertainPaths(llvm::Function &Kernel, ExpressionBuilder &Numbers,
               const Target &T);

  /// A condition under which each work-item executes \p Block, in the first
  /// iteration of every loop around it. Values of these loops are meant as of
  /// that iteration, and of no other loop. None if it is not known.
  std::optional<uint32_t> condition(llvm::BasicBlock *Block);
  /// 1 + the index of the innermost loop around \p Block, or 0.
  uint32_t loopAround(const llvm::BasicBlock *Block);

private:
  bool isFinite(const llvm::Loop &L);
  bool surelyReaches(const llvm::BasicBlock *From, const llvm::BasicBlock *To);

  ExpressionBuilder &Numbers;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::TargetLibraryInfoImpl LibraryImpl;
  llvm::TargetLibraryInfo Library;
  llvm::AssumptionCache Assumptions;
  llvm::ScalarEvolution Evolution;
  /// A call may not return, or a cycle is no natural loop.
  bool IsUnknown = false;
  llvm::DenseMap<const llvm::Loop *, bool> FiniteLoops;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_CERTAIN_PATHS_H
