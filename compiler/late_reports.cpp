//===- compiler/late_reports.cpp - failed checks, told when a kernel ends -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/late_reports.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <utility>

using namespace llvm;
using namespace warpsan;

/// A variable of the work-item's that is zero when it starts.
static AllocaInst *zeroed(Function &Kernel, Type *Of, const char *Name) {
  BasicBlock &Entry = Kernel.getEntryBlock();
  IRBuilder<> Build(&*Entry.begin());
  AllocaInst *Made = Build.CreateAlloca(Of, nullptr, Name);
  Build.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  Build.CreateStore(Constant::getNullValue(Of), Made);
  return Made;
}

size_t LateReports::remember(Instruction *At, Value *Bad, Value *Offset,
                             Describe Tells) {
  IRBuilder<> Build(At);
  if (!Failed)
    Failed = zeroed(Kernel, Build.getInt32Ty(), "warpsan.failed");
  AllocaInst *Place = zeroed(Kernel, Build.getInt64Ty(), "warpsan.offset");
  Value *Bit = Build.getInt32(1U << All.size()), *None = Build.getInt32(0);
  Value *Before = Build.CreateLoad(Build.getInt32Ty(), Failed);
  Value *First = Build.CreateAnd(
      Bad, Build.CreateICmpEQ(Build.CreateAnd(Before, Bit), None));
  Build.CreateStore(Build.CreateOr(Before, Build.CreateSelect(Bad, Bit, None)),
                    Failed);
  Value *Old = Build.CreateLoad(Build.getInt64Ty(), Place);
  Build.CreateStore(Build.CreateSelect(First, Offset, Old), Place);
  All.push_back({Place, {std::move(Tells)}});
  return All.size() - 1;
}

void LateReports::finish() {
  if (!Failed)
    return;
  SmallVector<ReturnInst *, 4> Ends;
  for (BasicBlock &Block : Kernel)
    if (auto *End = dyn_cast<ReturnInst>(Block.getTerminator()))
      Ends.push_back(End);
  for (ReturnInst *End : Ends) {
    IRBuilder<> Build(End);
    Value *Bits = Build.CreateLoad(Build.getInt32Ty(), Failed);
    Instruction *Any = SplitBlockAndInsertIfThen(
        Build.CreateICmpNE(Bits, Build.getInt32(0)), End->getIterator(), false);
    for (size_t I = 0; I < All.size(); ++I) {
      Build.SetInsertPoint(Any);
      Value *Mine = Build.CreateICmpNE(
          Build.CreateAnd(Bits, Build.getInt32(1U << I)), Build.getInt32(0));
      Instruction *Then =
          SplitBlockAndInsertIfThen(Mine, Any->getIterator(), false);
      Build.SetInsertPoint(Then);
      Value *Offset = Build.CreateLoad(Build.getInt64Ty(), All[I].Offset);
      for (const Describe &Tells : All[I].Tells)
        Calls.call(Build, Tells(Build, Offset));
    }
  }
}
