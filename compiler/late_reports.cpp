//===- compiler/late_reports.cpp - failed checks, told when a kernel ends -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/late_reports.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

#include <utility>

using namespace llvm;
using namespace warpsan;

/// What an offset is as long as nothing failed. Memory that large there is
/// none, and it is no number that somebody arrives at.
static constexpr uint64_t None = 0x80C7A1D35E6B9F21;

size_t LateReports::remember(Instruction *At, Value *Bad, Value *Number,
                             Describe Tells) {
  BasicBlock &Entry = Kernel.getEntryBlock();
  IRBuilder<> Build(&*Entry.begin());
  Type *I64 = Build.getInt64Ty();
  AllocaInst *Place = Build.CreateAlloca(I64, nullptr, "warpsan.kept");
  Build.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  Build.CreateStore(Build.getInt64(None), Place);
  Build.SetInsertPoint(At);
  Value *Old = Build.CreateLoad(I64, Place);
  Value *First =
      Build.CreateAnd(Bad, Build.CreateICmpEQ(Old, Build.getInt64(None)));
  Build.CreateStore(Build.CreateSelect(First, Number, Old), Place);
  All.push_back({Place, {std::move(Tells)}});
  return All.size() - 1;
}

/// Before \p Where.
void LateReports::tell(Instruction *Where, ArrayRef<Value *> Kept,
                       ArrayRef<Value *> Failed, AllocaInst *Once) {
  for (size_t I = 0; I < All.size(); ++I) {
    IRBuilder<> Build(
        SplitBlockAndInsertIfThen(Failed[I], Where->getIterator(), false));
    for (const Describe &Tells : All[I].Tells)
      Calls.call(Build, Tells(Build, Kept[I]), Once);
  }
}

/// Makes a function of the blocks from \p From on that come before \p Until.
static void moveOut(BasicBlock *From, const BasicBlock *Until,
                    AllocaInst *Own) {
  SmallVector<BasicBlock *, 32> Blocks = {From};
  for (size_t I = 0; I < Blocks.size(); ++I)
    for (BasicBlock *Next : successors(Blocks[I]))
      if (Next != Until && !is_contained(Blocks, Next))
        Blocks.push_back(Next);
  Function &Kernel = *From->getParent();
  CodeExtractorAnalysisCache Cache(Kernel);
  Function *Made =
      CodeExtractor(Blocks, /*DT=*/nullptr, /*AggregateArgs=*/false, nullptr,
                    nullptr, nullptr, /*AllowVarArgs=*/false,
                    /*AllowAlloca=*/true)
          .extractCodeRegion(Cache);
  assert(Made && "a call and what is calculated for it can be moved");
  Made->setName(Kernel.getName() + ".warpsan_tell");
  Made->setCallingConv(CallingConv::SPIR_FUNC);
  Made->addFnAttr(Attribute::NoInline);
  for (User *Call : Made->users())
    cast<CallInst>(Call)->setCallingConv(CallingConv::SPIR_FUNC);
  Own->moveBefore(&*Made->getEntryBlock().begin());
}

/// The end of \p Kernel, which has one.
static ReturnInst *onlyEnd(Function &Kernel) {
  SmallVector<ReturnInst *, 4> Ends;
  for (BasicBlock &Block : Kernel)
    if (auto *End = dyn_cast<ReturnInst>(Block.getTerminator()))
      Ends.push_back(End);
  if (Ends.size() < 2)
    return Ends.empty() ? nullptr : Ends[0];
  auto *Only = BasicBlock::Create(Kernel.getContext(), "", &Kernel);
  for (ReturnInst *End : Ends)
    ReplaceInstWithInst(End, BranchInst::Create(Only));
  return ReturnInst::Create(Kernel.getContext(), Only);
}

void LateReports::finish() {
  ReturnInst *End = All.empty() ? nullptr : onlyEnd(Kernel);
  if (!End) // or it never ends
    return;
  IRBuilder<> Build(End);
  SmallVector<Value *, Most> Kept, Failed;
  for (const Check &Each : All) {
    Kept.push_back(Build.CreateLoad(Build.getInt64Ty(), Each.Place));
    Failed.push_back(Build.CreateICmpNE(Kept.back(), Build.getInt64(None)));
  }
  Instruction *Any = SplitBlockAndInsertIfThen(Build.CreateOr(Failed),
                                               End->getIterator(), false);
  if (!Apart)
    return tell(Any, Kept, Failed, nullptr);
  BasicBlock *First = Any->getParent();
  auto *Once =
      new AllocaInst(Build.getInt32Ty(), 0, "warpsan.once", First->begin());
  tell(Any, Kept, Failed, Once);
  moveOut(First, End->getParent(), Once);
}
