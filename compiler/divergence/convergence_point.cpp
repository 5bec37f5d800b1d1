//===- compiler/divergence/convergence_point.cpp - diverged groups --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/divergence/convergence_point.h"

#include "abi/record.h"
#include "compiler/divergence/reducible.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace warpsan;

std::vector<CallInst *>
ConvergencePoint::collectives(CollectiveScope Scope) const {
  std::vector<CallInst *> Found;
  for (BasicBlock &Block : *With.Made.Kernel)
    if (In.Blocks.contains(&Block))
      for (Instruction &I : Block)
        if (auto *Call = dyn_cast<CallInst>(&I);
            Call && scopeOf(*Call, With.T) == Scope)
          Found.push_back(Call);
  return Found;
}

/// Gives the region a predecessor and an end of its own.
void ConvergencePoint::closeRegion() {
  auto Some = [&](BasicBlock *Block, bool Inside) {
    SetVector<BasicBlock *> Found;
    for (BasicBlock *Each : predecessors(Block))
      if (In.Blocks.contains(Each) == Inside)
        Found.insert(Each);
    return Found.takeVector();
  };
  In.End = SplitBlockPredecessors(In.End, Some(In.End, true), ".end");
  if (Some(In.Entry, true).empty()) {
    Before = In.Entry;
    In.Blocks.remove(Before);
    In.Entry = SplitBlock(Before, Before->getTerminator());
    In.Blocks.insert(In.Entry);
  } else {
    Before = SplitBlockPredecessors(In.Entry, Some(In.Entry, false), ".enter");
  }
  for (BasicBlock *Each :
       ReversePostOrderTraversal<Function *>(With.Made.Kernel))
    if (In.Blocks.contains(Each))
      Ordered.push_back(Each);
}

/// \p From has no terminator.
void ConvergencePoint::suspend(BasicBlock *From, size_t SuspendPoint) {
  IRBuilder<> Build(From);
  With.Slots.store(Build, Build.getInt32(static_cast<uint32_t>(SuspendPoint)),
                   SuspendedAt);
  Build.CreateBr(Converge);
}

/// What a collective call returns to a work-item if others do not reach it: its
/// own value, predicate or event.
static Value *resultAlone(const CallInst &Call, const Target &T) {
  const StringRef Name = T.builtinName(*Call.getCalledFunction());
  // SPIR-V's have a scope before it, and some an operation.
  const unsigned Skipped = !Name.starts_with("Group") ? 0
                           : Name == "GroupAll" || Name == "GroupAny" ||
                                   Name == "GroupBroadcast" ||
                                   Name == "GroupAsyncCopy"
                               ? 1
                               : 2;
  for (Value *Arg : drop_begin(Call.args(), Skipped))
    if (Arg->getType() == Call.getType())
      return Arg;
  return Constant::getNullValue(Call.getType());
}

void ConvergencePoint::suspendAtCalls() {
  FirstCall = With.Made.Divergence.Calls.size();
  for (CallInst *Call : collectives()) {
    With.Made.Divergence.Calls.push_back(
        {Call->getDebugLoc().get(),
         With.T.builtinName(*Call->getCalledFunction()).str(),
         {}});
    BasicBlock *Block = Call->getParent();
    BasicBlock *Next = SplitBlock(Block, Call);
    Ordered.insert(std::next(llvm::find(Ordered, Block)), Next);
    Block->getTerminator()->eraseFromParent();
    SuspendPoint Here;
    Here.Next = Next;
    // One whose fence is computed stays a call: work-items may compute
    // different ones (compare_arguments.h).
    if (!isWorkGroupBarrier(*Call, With.T) || !hasConstantFence(*Call)) {
      Here.Call = Call;
      if (!Call->getType()->isVoidTy()) {
        Here.Result = With.Slots.make(Call->getType(), "result");
        IRBuilder<> Build(Block);
        With.Slots.store(Build, resultAlone(*Call, With.T), Here.Result);
        Build.SetInsertPoint(Call);
        Call->replaceAllUsesWith(
            With.Slots.load(Build, Here.Result, Call->getType()));
      }
      Call->removeFromParent();
    } else {
      Joined = Joined | fenceOf(*Call, With.T);
      Call->eraseFromParent();
    }
    suspend(Block, SuspendPoints.size());
    SuspendPoints.push_back(Here);
  }
  Calls = SuspendPoints.size();
}

void ConvergencePoint::suspendAtHeaders() {
  SmallVector<BasicBlock *, 8> Starts = {In.Entry};
  for (const SuspendPoint &Each : SuspendPoints)
    Starts.push_back(Each.Next);
  for (BasicBlock *Header : blocksToEnterAnew(Ordered, Starts)) {
    With.Slots.keepPhis(Header);
    BasicBlock *Stub = newBlock("warpsan.header");
    for (BasicBlock *Each : Ordered)
      Each->getTerminator()->replaceSuccessorWith(Header, Stub);
    suspend(Stub, SuspendPoints.size());
    SuspendPoint Here;
    Here.Next = Header;
    SuspendPoints.push_back(Here);
  }
}

void ConvergencePoint::suspendAtEnd() {
  BasicBlock *Stub = newBlock("warpsan.end");
  With.Slots.keepPhis(In.End);
  SetVector<BasicBlock *> Last;
  Last.insert(pred_begin(In.End), pred_end(In.End));
  for (BasicBlock *Each : Last)
    Each->getTerminator()->replaceSuccessorWith(In.End, Stub);
  suspend(Stub, SuspendPoints.size());
}

void ConvergencePoint::makeDispatch() {
  With.Slots.keepPhis(In.Entry);
  IRBuilder<> Build(Before->getTerminator());
  With.Slots.store(Build, Build.getInt32(AtEntry), ResumeAt);
  Before->getTerminator()->replaceSuccessorWith(In.Entry, Dispatch);
  Build.SetInsertPoint(Dispatch);
  SwitchInst *Switch =
      Build.CreateSwitch(With.Slots.load(Build, ResumeAt), Converge,
                         static_cast<unsigned>(SuspendPoints.size()) + 1);
  Switch->addCase(Build.getInt32(AtEntry), In.Entry);
  for (size_t I = 0; I < SuspendPoints.size(); ++I)
    Switch->addCase(Build.getInt32(static_cast<uint32_t>(I)),
                    SuspendPoints[I].Next);
}

Value *ConvergencePoint::wordAt(IRBuilder<> &Build, Value *Index) const {
  return Build.CreateGEP(Build.getInt32Ty(), With.Words, Index);
}

Value *ConvergencePoint::wordOf(IRBuilder<> &Build, Value *SuspendPoint,
                                unsigned Which) const {
  return wordAt(
      Build, Build.CreateAdd(Build.CreateShl(SuspendPoint, Build.getInt32(1)),
                             Build.getInt32(FirstWord + Which)));
}

static SyncScope::ID groupScope(const Module &Program) {
  return Program.getContext().getOrInsertSyncScopeID("workgroup");
}

/// Executes the calls that all work-items have reached; these are the ones that
/// return something, or copy.
void ConvergencePoint::callTogether(IRBuilder<> &Build, Value *Codes) {
  for (size_t I = 0; I < Calls; ++I)
    if (CallInst *Call = SuspendPoints[I].Call) {
      BasicBlock *Together = newBlock("warpsan.together"),
                 *Next = newBlock("warpsan.next");
      Build.CreateCondBr(Build.CreateICmpEQ(Codes, Build.getInt32(codeOf(I))),
                         Together, Next);
      Build.SetInsertPoint(Together);
      Build.Insert(Call);
      if (SuspendPoints[I].Result)
        With.Slots.store(Build, Call, SuspendPoints[I].Result);
      Build.CreateBr(Next);
      Build.SetInsertPoint(Next);
    }
}

/// Every work-item of the group counts itself at its suspend point.
void ConvergencePoint::count(IRBuilder<> &Build, Value *Here) {
  auto Join = [&](AtomicRMWInst::BinOp Operation, Value *Word, Value *Operand) {
    Build.CreateAtomicRMW(Operation, Word, Operand, Align(4),
                          AtomicOrdering::Monotonic,
                          groupScope(*With.Made.Kernel->getParent()));
  };
  Value *Self =
      Build.CreateOr(Build.CreateShl(With.Item, Build.getInt32(WS_BRANCH_BITS)),
                     With.Slots.load(Build, With.Via));
  Join(AtomicRMWInst::Add, wordOf(Build, Here, 0), Build.getInt32(1));
  Join(AtomicRMWInst::UMin, wordOf(Build, Here, 1), Self);
}

Value *ConvergencePoint::nextCounted(IRBuilder<> &Build, Value *From) const {
  BasicBlock *Before = Build.GetInsertBlock(), *Look = newBlock("warpsan.look"),
             *Found = newBlock("warpsan.found");
  Build.CreateBr(Look);
  Build.SetInsertPoint(Look);
  PHINode *SuspendPoint = Build.CreatePHI(Build.getInt32Ty(), 2);
  SuspendPoint->addIncoming(From, Before);
  SuspendPoint->addIncoming(Build.CreateAdd(SuspendPoint, Build.getInt32(1)),
                            Look);
  Value *Count =
      Build.CreateLoad(Build.getInt32Ty(), wordOf(Build, SuspendPoint, 0));
  Build.CreateCondBr(Build.CreateICmpEQ(Count, Build.getInt32(0)), Look, Found);
  Build.SetInsertPoint(Found);
  return SuspendPoint;
}

/// Those at the first collective call report, against those at the end or, if
/// nobody is there, at the next call. No work-item is at a header.
void ConvergencePoint::report(IRBuilder<> &Build, Value *Here) {
  auto Word = [&](Value *SuspendPoint, unsigned Which) {
    return Build.CreateLoad(Build.getInt32Ty(),
                            wordOf(Build, SuspendPoint, Which));
  };
  Value *First = nextCounted(Build, Build.getInt32(0));
  BasicBlock *Reports = newBlock("warpsan.report"),
             *Next = newBlock("warpsan.next");
  Build.CreateCondBr(Build.CreateICmpEQ(Here, First), Reports, Next);

  Build.SetInsertPoint(Reports);
  Value *End = Build.getInt32(end());
  Value *NextPoint =
      nextCounted(Build, Build.CreateAdd(First, Build.getInt32(1)));
  Value *Other = Build.CreateSelect(
      Build.CreateICmpNE(Word(End, 0), Build.getInt32(0)), End, NextPoint);
  auto Wide = [&](Value *V) { return Build.CreateZExt(V, Build.getInt64Ty()); };
  auto Pair = [&](Value *Low, Value *High) {
    return Build.CreateOr(Wide(Low),
                          Build.CreateShl(Wide(High), Build.getInt64(32)));
  };
  const uint32_t Base = static_cast<uint32_t>(FirstCall);
  Value *OtherCall = Build.CreateSelect(
      Build.CreateICmpULT(Other, Build.getInt32(static_cast<uint32_t>(Calls))),
      Build.CreateAdd(Other, Build.getInt32(Base)),
      Build.getInt32(WS_NO_COLLECTIVE));
  Failure What;
  What.Root = Build.getInt32(0);
  What.Offset = Pair(Word(First, 1), Word(Other, 1));
  What.Size = Pair(Word(First, 0), Word(Other, 0));
  What.Bytes = Wide(OtherCall);
  What.Address = Build.getInt64(0);
  const auto Sites = static_cast<uint32_t>(With.Made.Sites.size());
  What.AnyCheck =
      Build.CreateMul(Build.CreateAdd(First, Build.getInt32(Sites + Base)),
                      Build.getInt32(WS_TESTS));
  With.Calls.call(Build, What);
  Build.CreateBr(Next);
  Build.SetInsertPoint(Next);
}

void ConvergencePoint::makeConvergence() {
  IRBuilder<> Build(Converge);
  Module &Program = *With.Made.Kernel->getParent();
  Type *I32 = Build.getInt32Ty();
  Value *Turn = With.Slots.load(Build, With.Turn);
  Value *Here = With.Slots.load(Build, SuspendedAt);
  Value *Complement = Build.CreateXor(Here, Build.getInt32(SuspendPointBits));
  Value *Code =
      Build.CreateOr(Here, Build.CreateShl(Complement, Build.getInt32(16)));
  Value *IsHeader = Build.CreateICmpULT(
      Build.CreateSub(Here, Build.getInt32(static_cast<uint32_t>(Calls))),
      Build.getInt32(end() - static_cast<uint32_t>(Calls)));
  Code = Build.CreateSelect(
      IsHeader, Build.CreateOr(Code, Build.getInt32(HeaderBit)), Code);
  Value *Word = wordAt(Build, Turn);
  Build.CreateAtomicRMW(AtomicRMWInst::Or, Word, Code, Align(4),
                        AtomicOrdering::Monotonic, groupScope(Program));
  makeBarrier(Build, Program, Joined);
  LoadInst *Codes = Build.CreateLoad(I32, Word);
  auto After = [&](Value *Number) {
    return Build.CreateSelect(
        Build.CreateICmpEQ(Number, Build.getInt32(Turns - 1)),
        Build.getInt32(0), Build.CreateAdd(Number, Build.getInt32(1)));
  };
  Value *NextTurn = After(Turn);
  // All clear it, so not by plain stores, which would race.
  Build.CreateAtomicRMW(AtomicRMWInst::And, wordAt(Build, After(NextTurn)),
                        Build.getInt32(0), Align(4), AtomicOrdering::Monotonic,
                        groupScope(Program));
  With.Slots.store(Build, NextTurn, With.Turn);
  BasicBlock *Stay = newBlock("warpsan.stay");
  Build.CreateCondBr(Build.CreateICmpEQ(Codes, Build.getInt32(codeOf(end()))),
                     In.End, Stay);

  // Several suspend points, none of them a header: the group has diverged.
  Build.SetInsertPoint(Stay);
  Value *AtHeader = Build.CreateICmpSLT(Codes, Build.getInt32(0));
  Value *Waits = Build.CreateAnd(AtHeader, Build.CreateNot(IsHeader));
  Value *Differ = Build.CreateAnd(
      Build.CreateAnd(Codes, Build.CreateLShr(Codes, Build.getInt32(16))),
      Build.getInt32(SuspendPointBits));
  Value *Diverged = Build.CreateAnd(
      Build.CreateICmpNE(Differ, Build.getInt32(0)), Build.CreateNot(AtHeader));
  With.Slots.store(
      Build, Build.CreateSelect(Waits, Build.getInt32(end()), Here), ResumeAt);
  Value *State = With.Slots.load(Build, ReportState);
  BasicBlock *Diverge = newBlock("warpsan.diverged"),
             *Go = newBlock("warpsan.go"), *Count = newBlock("warpsan.count"),
             *Report = newBlock("warpsan.report");
  Build.CreateCondBr(
      Build.CreateAnd(Diverged, Build.CreateICmpNE(State, Build.getInt32(2))),
      Diverge, Go);
  Build.SetInsertPoint(Diverge);
  With.Slots.store(Build, Build.CreateAdd(State, Build.getInt32(1)),
                   ReportState);
  Build.CreateCondBr(Build.CreateICmpEQ(State, Build.getInt32(0)), Count,
                     Report);

  // All work-items count themselves, then converge once more.
  Build.SetInsertPoint(Count);
  count(Build, Here);
  With.Slots.store(Build, Build.getInt32(end()), ResumeAt);
  Build.CreateBr(Dispatch);

  Build.SetInsertPoint(Report);
  report(Build, Here);
  Build.CreateBr(Go);
  Build.SetInsertPoint(Go);
  callTogether(Build, Codes);
  Build.CreateBr(Dispatch);
}

unsigned ConvergencePoint::build(unsigned First) {
  FirstWord = First;
  Type *I32 = Type::getInt32Ty(With.Made.Kernel->getContext());
  SuspendedAt = With.Slots.make(I32, "at");
  ResumeAt = With.Slots.make(I32, "resume_at");
  ReportState = With.Slots.makeZero(I32, "report_state");
  Dispatch = newBlock("warpsan.dispatch");
  Converge = newBlock("warpsan.converge");
  closeRegion();
  suspendAtCalls();
  suspendAtHeaders();
  suspendAtEnd();
  makeDispatch();
  makeConvergence();
  return 2 * (end() + 1);
}
