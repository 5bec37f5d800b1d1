//===- compiler/checks/deferred_reports.cpp - reports at kernel exit ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/deferred_reports.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

#include <utility>

using namespace llvm;
using namespace warpsan;

/// What is kept as long as nothing failed: no number that somebody arrives at,
/// and no offset in any memory.
static constexpr uint64_t None = 0x80C7A1D35E6B9F21;

/// A variable of the work-item's.
static AllocaInst *makePlace(Function &Kernel) {
  BasicBlock &Entry = Kernel.getEntryBlock();
  IRBuilder<> Build(&*Entry.begin());
  auto *Place = Build.CreateAlloca(Build.getInt64Ty(), nullptr, "warpsan.kept");
  Build.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  Build.CreateStore(Build.getInt64(None), Place);
  return Place;
}

size_t DeferredReports::remember(Instruction *At, Value *Bad,
                                 ArrayRef<Value *> Numbers, Describe Tells) {
  Check Made;
  Value *First = nullptr;
  for (Value *Number : Numbers) {
    AllocaInst *Place = Made.Places.emplace_back(makePlace(Kernel));
    IRBuilder<> Build(At);
    Value *Old = Build.CreateLoad(Build.getInt64Ty(), Place);
    if (!First)
      First =
          Build.CreateAnd(Bad, Build.CreateICmpEQ(Old, Build.getInt64(None)));
    Build.CreateStore(Build.CreateSelect(First, Number, Old), Place);
  }
  Made.Tells.push_back(std::move(Tells));
  All.push_back(std::move(Made));
  return All.size() - 1;
}

/// Before \p Where.
void DeferredReports::report(Instruction *Where, ArrayRef<Remembered> Each,
                             AllocaInst *Once) {
  for (const auto &[C, Known] : zip(All, Each)) {
    IRBuilder<> Build(
        SplitBlockAndInsertIfThen(Known.Failed, Where->getIterator(), false));
    for (const Describe &Tells : C.Tells)
      Calls.call(Build, Tells(Build, Known.Kept), Once);
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
  Own->moveBefore(&*(Made ? *Made : Kernel).getEntryBlock().begin());
  if (!Made)
    return; // not as fast, and as right
  Made->setName(Kernel.getName() + ".warpsan_tell");
  Made->setCallingConv(CallingConv::SPIR_FUNC);
  Made->addFnAttr(Attribute::NoInline);
  for (User *Call : Made->users())
    cast<CallInst>(Call)->setCallingConv(CallingConv::SPIR_FUNC);
}

/// The end of \p Kernel, which has one. `unreachable` is emitted as a return.
static ReturnInst *onlyEnd(Function &Kernel) {
  SmallVector<Instruction *, 4> Ends;
  for (BasicBlock &Block : Kernel)
    if (Instruction *End = Block.getTerminator();
        isa<ReturnInst, UnreachableInst>(End))
      Ends.push_back(End);
  if (Ends.empty())
    return nullptr;
  if (auto *One = dyn_cast<ReturnInst>(Ends[0]); One && Ends.size() == 1)
    return One;
  auto *Only = BasicBlock::Create(Kernel.getContext(), "", &Kernel);
  for (Instruction *End : Ends)
    ReplaceInstWithInst(End, BranchInst::Create(Only));
  return ReturnInst::Create(Kernel.getContext(), Only);
}

void DeferredReports::finish() {
  ReturnInst *End = All.empty() ? nullptr : onlyEnd(Kernel);
  if (!End) // or it never ends
    return;
  IRBuilder<> Build(End);
  SmallVector<Remembered, MaxChecks> Each;
  Value *Some = Build.getFalse();
  for (const Check &C : All) {
    Remembered &Known = Each.emplace_back();
    for (AllocaInst *Place : C.Places)
      Known.Kept.push_back(Build.CreateLoad(Build.getInt64Ty(), Place));
    Known.Failed = Build.CreateICmpNE(Known.Kept[0], Build.getInt64(None));
    Some = Build.CreateOr(Some, Known.Failed);
  }
  Instruction *Any = SplitBlockAndInsertIfThen(Some, End->getIterator(), false);
  if (!Apart)
    return report(Any, Each, nullptr);
  BasicBlock *First = Any->getParent();
  auto *Once =
      new AllocaInst(Build.getInt32Ty(), 0, "warpsan.once", First->begin());
  report(Any, Each, Once);
  moveOut(First, End->getParent(), Once);
}
