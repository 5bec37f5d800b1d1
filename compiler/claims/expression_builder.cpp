//===- compiler/claims/expression_builder.cpp - IR integers as nodes ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/expression_builder.h"

#include "compiler/claims/integers.h"

#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace warpsan;
using Op = warpsan::Node::Op;

/// Larger kernels would take too long to prove at launch.
static constexpr size_t MaxNodes = 4000;

ExpressionBuilder::ExpressionBuilder(const Twin &Source, const Target &T)
    : Source(Source), OwnArgs(Source.OwnArgs), T(T), Dominators(*Source.Kernel),
      Loops(Dominators), Sources(T) {
  Cycles.compute(*Source.Kernel);
}

/// True if \p Block is in a cycle that is not a natural loop, for example by
/// goto.
bool ExpressionBuilder::isInIrreducibleCycle(const BasicBlock *Block) const {
  for (const Cycle *Enclosing = Cycles.getCycle(Block); Enclosing;
       Enclosing = Enclosing->getParentCycle())
    if (!Enclosing->isReducible())
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Equal nodes are shared, so that a condition and an index computed alike are
/// related.
uint32_t ExpressionBuilder::add(warpsan::Node New) {
  auto [It, IsNew] =
      UniqueNodes.try_emplace({static_cast<int>(New.Opcode), New.Width, New.A,
                               New.B, New.Value, New.Flags},
                              static_cast<uint32_t>(Result.Nodes.size()));
  if (IsNew)
    Result.Nodes.push_back(New);
  return It->second;
}

uint32_t ExpressionBuilder::leaf(Op Opcode, unsigned Width, uint32_t A,
                                 uint32_t B, int64_t Value) {
  return withFlags(Opcode, Width, A, B, 0, Value);
}

uint32_t ExpressionBuilder::withFlags(Op Opcode, unsigned Width, uint32_t A,
                                      uint32_t B, uint8_t Flags,
                                      int64_t Value) {
  return add({Opcode, static_cast<uint8_t>(Width), A, B, Value, Flags});
}

/// Not shared with equal nodes: the values may differ.
uint32_t ExpressionBuilder::unique(Op Opcode, unsigned Width, uint32_t A,
                                   uint32_t B) {
  return leaf(Opcode, Width, A, B, static_cast<int64_t>(Result.Nodes.size()));
}

uint32_t ExpressionBuilder::constant(int64_t Value, unsigned Width) {
  return leaf(Op::constant, Width, 0, 0, Value);
}

/// Any value; poison if \p V may be.
uint32_t ExpressionBuilder::unknown(const Value *V, unsigned Width) {
  return unique(Sources.reach(V) ? Op::poison : Op::opaque, Width);
}

/// The integers that may make \p Root poison. None if there are too many, or if
/// \p Root creates poison itself or takes it from an earlier iteration.
std::optional<SmallVector<uint32_t, 4>>
ExpressionBuilder::poisonInputs(const Instruction &Root) {
  constexpr size_t MaxSeen = 64, MaxInputs = 4;
  SmallVector<const Instruction *, 8> Work = {&Root};
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<uint32_t, 4> Inputs;
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (isa<PHINode>(I) || createsPoison(*I, T))
      return std::nullopt;
    for (const Use &U : I->operands()) {
      Value *Operand = U.get();
      if (!Sources.reach(Operand) || !Seen.insert(Operand).second)
        continue;
      if (isInteger(Operand))
        Inputs.push_back(node(Operand));
      else
        Work.push_back(cast<Instruction>(Operand));
      if (Seen.size() > MaxSeen || Inputs.size() > MaxInputs)
        return std::nullopt;
    }
  }
  return Inputs;
}

uint32_t ExpressionBuilder::opaque(Value *V) {
  const unsigned Width = widthOf(V);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Sources.reach(V))
    return unique(isa<UndefValue>(V) ? Op::poison : Op::opaque, Width);
  const auto Inputs = poisonInputs(*I);
  if (!Inputs || Inputs->empty())
    return unique(Op::poison, Width);
  uint32_t All = unique(Op::mixed, Width, Inputs->front(), Inputs->back());
  for (uint32_t Each : drop_begin(*Inputs))
    All = unique(Op::mixed, Width, All, Each);
  return All;
}

uint32_t ExpressionBuilder::binary(Op Opcode, unsigned Width, Value *A,
                                   Value *B, uint8_t Flags) {
  const uint32_t First = node(A), Second = node(B);
  return withFlags(Opcode, Width, First, Second, Flags);
}

uint32_t ExpressionBuilder::phi(unsigned Width, uint32_t A, uint32_t B) {
  return A == B ? A : unique(Op::phi, Width, A, B);
}

/// A or B by condition. Not shared with equal nodes: the conditions may be
/// incomplete.
uint32_t ExpressionBuilder::select(unsigned Width, uint32_t A, uint32_t WhereA,
                                   uint32_t B, uint32_t WhereB) {
  if (A == B)
    return A;
  Result.Nodes.push_back({Op::select, static_cast<uint8_t>(Width), A, B,
                          warpsan::Node::conditions(WhereA, WhereB)});
  return static_cast<uint32_t>(Result.Nodes.size() - 1);
}

uint32_t ExpressionBuilder::node(Value *V) {
  if (isa<UndefValue>(V)) // a new value each time
    return opaque(V);
  if (auto It = NodeCache.find(V); It != NodeCache.end())
    return It->second;
  const auto Before = static_cast<uint32_t>(Result.Nodes.size());
  // Limits the recursion depth, and so the stack.
  constexpr unsigned MaxDepth = 400;
  ++Depth;
  const bool Follow = Depth < MaxDepth && Result.Nodes.size() <= MaxNodes;
  const uint32_t Index =
      Follow || isa<ConstantInt>(V) ? buildUncached(V) : unknown(V, widthOf(V));
  --Depth;
  if (auto *I = dyn_cast<Instruction>(V)) // operands have theirs already
    for (uint32_t New = Before; New < Result.Nodes.size(); ++New)
      DefiningBlocks.try_emplace(New, I->getParent());
  NodeCache[V] = Index;
  return Index;
}

uint32_t ExpressionBuilder::buildUncached(Value *V) {
  assert(isInteger(V) && "not a number that proofs know");
  if (auto *Number = dyn_cast<ConstantInt>(V))
    return constant(Number->getSExtValue(), widthOf(V));
  if (auto *Arg = dyn_cast<Argument>(V)) {
    if (Arg->getArgNo() < OwnArgs && T.kindOf(*Arg) == ArgKind::Value &&
        widthOf(V) % 8 == 0)
      return leaf(Op::argument, widthOf(V), Arg->getArgNo());
    if (Arg->getArgNo() >= OwnArgs)
      if (const HiddenArg &Hidden = Source.Hidden[Arg->getArgNo() - OwnArgs];
          Hidden.What == HiddenArg::Kind::Start)
        return leaf(Op::start, widthOf(V), Hidden.Arg);
    return opaque(V);
  }
  if (auto *Phi = dyn_cast<PHINode>(V))
    return buildPhi(*Phi);
  if (auto *Call = dyn_cast<CallBase>(V))
    return buildCall(*Call);
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    if (auto Bytes = buildByvalLoad(*Load))
      return *Bytes;
    if (auto Element = buildLoad(Load))
      return *Element;
  }
  if (auto *I = dyn_cast<Instruction>(V))
    return buildOperator(*I);
  return opaque(V);
}

/// A load of a field of a byval struct that is never written to.
std::optional<uint32_t> ExpressionBuilder::buildByvalLoad(LoadInst &Load) {
  const DataLayout &Layout = Load.getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  auto *Arg = dyn_cast<Argument>(
      Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true));
  if (!Arg || !Arg->hasByValAttr() || Arg->getArgNo() >= OwnArgs ||
      !Load.isSimple() || widthOf(&Load) % 8 || Offset.isNegative() ||
      Offset.ugt(1 << 20))
    return std::nullopt;
  SmallVector<const Value *, 8> Work = {Arg};
  while (!Work.empty()) {
    const Value *Pointer = Work.pop_back_val();
    for (const User *U : Pointer->users()) {
      if (isa<LoadInst>(U))
        continue;
      if (!isa<GEPOperator>(U) && !isa<BitCastOperator>(U))
        return std::nullopt;
      Work.push_back(U);
    }
  }
  return leaf(Op::argument, widthOf(&Load), Arg->getArgNo(),
              static_cast<uint32_t>(Offset.getZExtValue()));
}

void ExpressionBuilder::recordLoad(const LoadInst &Load, const Content &From) {
  LoadContents.try_emplace(&Load, From);
}

/// At most a few fields per argument. Further ones stand for any integer of its
/// memory.
uint32_t ExpressionBuilder::contentIndex(Content Field) {
  constexpr int MaxFields = 4;
  auto Find = [&] { return find(Result.Contents, Field); };
  if (Find() == Result.Contents.end() &&
      count_if(Result.Contents, [&](const Content &Each) {
        return Each.Arg == Field.Arg;
      }) >= MaxFields) {
    Field.First = 0;
    Field.Stride = Field.Bytes = Field.Width / 8;
  }
  auto It = Find();
  if (It == Result.Contents.end())
    It = Result.Contents.insert(It, Field);
  return static_cast<uint32_t>(It - Result.Contents.begin());
}

/// An integer loaded from unmodified memory. Each load is a new value.
std::optional<uint32_t> ExpressionBuilder::buildLoad(const Value *V) {
  auto It = LoadContents.find(dyn_cast<LoadInst>(V));
  if (It == LoadContents.end())
    return std::nullopt;
  return unique(Op::loaded, widthOf(V), contentIndex(It->second));
}

Claims ExpressionBuilder::finish() {
  // Conditions of loops may add recurrences of further loops.
  for (size_t I = 0; I < LoopOrder.size(); ++I) {
    const llvm::Loop &L = *LoopOrder[I];
    warpsan::Loop Out;
    Out.HeaderCond = condition(L.getHeader());
    Out.LatchCond = latchCondition(L);
    Result.Loops.push_back(Out);
  }
  for (size_t I = 0; I < LoopOrder.size(); ++I)
    for (const llvm::Loop *Up = LoopOrder[I]->getParentLoop();
         Up && !Result.Loops[I].Parent; Up = Up->getParentLoop())
      if (auto It = LoopIndices.find(Up); It != LoopIndices.end())
        Result.Loops[I].Parent = 1 + It->second;
  return std::move(Result);
}
