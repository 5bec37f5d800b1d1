//===- compiler/claims/group_uniformity.h - what differs in a work-group --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_GROUP_UNIFORMITY_H
#define WARPSAN_COMPILER_CLAIMS_GROUP_UNIFORMITY_H

#include "compiler/target/target.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace warpsan {

/// LLVM's uniformity analysis with a model of work-groups. \p Kernel must not
/// change while it is used.
class GroupUniformity {
public:
  GroupUniformity(llvm::Function &Kernel, const Target &T);

  /// True if work-items of a work-group may leave \p Block on different paths.
  bool isDivergent(const llvm::BasicBlock &Block) const {
    return Result->hasDivergentTerminator(Block);
  }
  bool isDivergent(const llvm::Use &Operand) const {
    return Result->isDivergentUse(Operand);
  }

private:
  void analyze();
  void analyzeWithJoins();

  llvm::Function &Kernel;
  const Target &T;
  llvm::FunctionAnalysisManager Analyses;
  llvm::UniformityInfo *Result = nullptr;
  llvm::SmallPtrSet<const llvm::Value *, 8> Added;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_GROUP_UNIFORMITY_H
