//===- compiler/claims/conditions.cpp - path conditions of blocks ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/expression_builder.h"
#include "compiler/claims/integers.h"
#include "proof/walk.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace warpsan;
using Op = warpsan::Node::Op;

uint32_t ExpressionBuilder::loopIndex(const llvm::Loop &L) {
  auto [It, New] =
      LoopIndices.try_emplace(&L, static_cast<uint32_t>(LoopOrder.size()));
  if (New)
    LoopOrder.push_back(&L);
  return It->second;
}

uint32_t ExpressionBuilder::add(const Condition &New) {
  auto [It, IsNew] = UniqueConditions.try_emplace(
      {static_cast<int>(New.Pred), New.Outer, New.A, New.B, New.InvariantIn},
      static_cast<uint32_t>(Result.Conditions.size()));
  if (IsNew)
    Result.Conditions.push_back(New);
  return It->second;
}

/// The condition of \p From's branch, if it also holds in the native kernel;
/// else null. If one side ends in `unreachable`, the driver's compiler may take
/// the other side unconditionally.
static Value *trustedCondition(BasicBlock *From) {
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  constexpr unsigned MaxBlocks = 8;
  for (const BasicBlock *Side : successors(From))
    for (unsigned I = 0; Side && I < MaxBlocks; ++I) {
      if (isa<UnreachableInst>(Side->getTerminator()))
        return nullptr;
      Side = Side->getSingleSuccessor();
    }
  return Branch->getCondition();
}

uint32_t ExpressionBuilder::condition(BasicBlock *Block) {
  // The dominators of Block, up to a cached one or the entry.
  SmallVector<BasicBlock *, 16> Path;
  uint32_t Cond = 0;
  for (auto *At = Dominators.getNode(Block); At; At = At->getIDom()) {
    if (auto It = ConditionCache.find(At->getBlock());
        It != ConditionCache.end()) {
      Cond = It->second;
      Path.push_back(At->getBlock());
      break;
    }
    Path.push_back(At->getBlock());
  }
  for (size_t I = Path.size(); I-- > 1;) {
    BasicBlock *Up = Path[I], *Below = Path[I - 1];
    if (Value *BranchCond = trustedCondition(Up))
      for (unsigned Way : {0U, 1U})
        if (Dominators.dominates(
                BasicBlockEdge(Up, Up->getTerminator()->getSuccessor(Way)),
                Below))
          Cond = assume(BranchCond, Way == 0, Cond, Up);
    if (Visiting.empty()) // otherwise it may be incomplete
      ConditionCache[Below] = Cond;
  }
  return Cond;
}

/// The condition of the edge from \p From to \p To.
uint32_t ExpressionBuilder::edgeCondition(BasicBlock *From, BasicBlock *To) {
  const uint32_t Cond = condition(From);
  Value *BranchCond = trustedCondition(From);
  return BranchCond
             ? assume(BranchCond, From->getTerminator()->getSuccessor(0) == To,
                      Cond, From)
             : Cond;
}

BarrierBranch ExpressionBuilder::branchConditions(Instruction &Terminator) {
  BasicBlock *From = Terminator.getParent();
  const uint32_t Here = condition(From);
  auto *Branch = dyn_cast<BranchInst>(&Terminator);
  if (!Branch || !Branch->isConditional())
    return {Here, Here};
  const uint32_t IfTrue = assume(Branch->getCondition(), true, Here, From);
  return {IfTrue, assume(Branch->getCondition(), false, Here, From)};
}

/// True if the node may differ between iterations of \p L. \p ButCounters:
/// ignoring the loop's own counters.
bool ExpressionBuilder::variesIn(uint32_t Index, const llvm::Loop &L,
                                 bool ButCounters) {
  return anyBelow(Result, {Index}, [&](uint32_t At, const warpsan::Node &N) {
    if (isRecurrence(N.Opcode)) {
      const llvm::Loop *Counts = LoopOrder[static_cast<size_t>(N.Value)];
      if (L.contains(Counts) &&
          !(ButCounters && Counts == &L && N.Opcode == Op::counter))
        return true;
    }
    if (N.Opcode != Op::opaque && N.Opcode != Op::loaded &&
        N.Opcode != Op::mixed && N.Opcode != Op::poison &&
        N.Opcode != Op::freeze && N.Opcode != Op::phi && N.Opcode != Op::select)
      return false;
    auto It = DefiningBlocks.find(At);
    return It == DefiningBlocks.end() || L.contains(It->second);
  });
}

/// \p Outer and everything that \p Added states. With \p InvariantIn, only what
/// is invariant in that loop.
uint32_t ExpressionBuilder::conjoin(uint32_t Added, uint32_t Outer,
                                    const llvm::Loop *InvariantIn) {
  SmallVector<uint32_t, 8> More, Has;
  for (uint32_t At = Outer; At; At = Result.Conditions[At].Outer)
    Has.push_back(At);
  for (uint32_t At = Added; At && !is_contained(Has, At);
       At = Result.Conditions[At].Outer)
    More.push_back(At);
  for (uint32_t At : reverse(More)) {
    Condition C = Result.Conditions[At];
    if (InvariantIn && (variesIn(C.A, *InvariantIn, false) ||
                        variesIn(C.B, *InvariantIn, false)))
      continue;
    C.Outer = Outer;
    Outer = add(C);
  }
  return Outer;
}

/// \p Phi is a boolean, possibly as an integer. If it can be \p Truth on one
/// incoming edge only, what held there still holds. Nothing is recomputed
/// between there and the branch: \p Phi dominates the branch and would be
/// recomputed too.
uint32_t ExpressionBuilder::assumePhi(PHINode &Phi, bool Truth,
                                      uint32_t Outer) {
  if (isInIrreducibleCycle(Phi.getParent()))
    return Outer;
  int Only = -1;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    auto *Fixed = dyn_cast<ConstantInt>(Phi.getIncomingValue(I));
    if (Fixed && Fixed->isZero() == Truth)
      continue;
    if (Only >= 0)
      return Outer;
    Only = static_cast<int>(I);
  }
  if (Only < 0)
    return Outer;
  BasicBlock *From = Phi.getIncomingBlock(static_cast<unsigned>(Only));
  Value *V = Phi.getIncomingValue(static_cast<unsigned>(Only));
  const llvm::Loop *L = Loops.getLoopFor(Phi.getParent());
  const bool Earlier =
      L && L->getHeader() == Phi.getParent() && L->contains(From);
  constexpr size_t MaxVisiting = 4;
  if (is_contained(Visiting, &Phi) || Visiting.size() == MaxVisiting)
    return Outer;
  Visiting.push_back(&Phi);
  uint32_t There = edgeCondition(From, Phi.getParent());
  if (V->getType()->isIntegerTy(1))
    There = assume(V, Truth, There, From);
  else
    There = assumeZero(V, !Truth, There, From);
  Visiting.pop_back();
  // From an earlier iteration, keep only invariant conditions.
  return conjoin(There, Outer, Earlier ? L : nullptr);
}

/// The boolean that the integer \p V was extended from, or null. \p V is
/// nonzero if it is true. SPIR-V extends booleans by a select.
static Value *boolOf(Value *V) {
  Value *Truth = nullptr;
  const APInt *Yes = nullptr;
  if ((match(V, m_ZExtOrSExt(m_Value(Truth))) ||
       (match(V, m_Select(m_Value(Truth), m_APInt(Yes), m_Zero())) &&
        !Yes->isZero())) &&
      Truth->getType()->isIntegerTy(1))
    return Truth;
  return nullptr;
}

/// True if \p V is an integer that is 0 or 1.
static bool isZeroOrOne(Value *V, unsigned Depth = 0) {
  if (const auto *Number = dyn_cast<ConstantInt>(V))
    return Number->isZero() || Number->isOne();
  if (boolOf(V))
    return !isa<SExtInst>(V) &&
           (!isa<SelectInst>(V) ||
            match(V, m_Select(m_Value(), m_One(), m_Zero())));
  const auto *Phi = dyn_cast<PHINode>(V);
  constexpr unsigned MaxDepth = 3;
  return Phi && Depth < MaxDepth &&
         all_of(
             Phi->incoming_values(),
             [&](const Use &U) {
               return U.get() == Phi || isZeroOrOne(U.get(), Depth + 1);
             });
}

/// \p Outer and that the integer \p V is zero, or nonzero if not \p Truth.
uint32_t ExpressionBuilder::assumeZero(Value *V, bool Truth, uint32_t Outer,
                                       const BasicBlock *At) {
  Value *A = nullptr, *B = nullptr;
  // Booleans that were extended and combined as integers.
  if (Value *Bool = boolOf(V))
    return assume(Bool, !Truth, Outer, At);
  // SPIR-V truncates an integer to a boolean this way.
  if (match(V, m_And(m_Value(A), m_One())) && isZeroOrOne(A))
    return assumeZero(A, Truth, Outer, At);
  if (!Truth && match(V, m_And(m_Value(A), m_Value(B))) && boolOf(A) &&
      boolOf(B))
    return assumeZero(B, false, assumeZero(A, false, Outer, At), At);
  if (Truth && match(V, m_Or(m_Value(A), m_Value(B))))
    return assumeZero(B, true, assumeZero(A, true, Outer, At), At);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return assumePhi(*Phi, !Truth, Outer);
  return Outer;
}

/// \p Outer and that \p V is \p Truth. Parts that cannot be expressed are
/// omitted. \p At: the block of the branch.
uint32_t ExpressionBuilder::assume(Value *V, bool Truth, uint32_t Outer,
                                   const BasicBlock *At) {
  Value *A = nullptr, *B = nullptr;
  if (match(V, m_Not(m_Value(A))))
    return assume(A, !Truth, Outer, At);
  if (auto *Freeze = dyn_cast<FreezeInst>(V))
    return assume(Freeze->getOperand(0), Truth, Outer, At);
  if ((Truth && match(V, m_LogicalAnd(m_Value(A), m_Value(B)))) ||
      (!Truth && match(V, m_LogicalOr(m_Value(A), m_Value(B)))))
    return assume(B, Truth, assume(A, Truth, Outer, At), At);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return assumePhi(*Phi, Truth, Outer);
  if (match(V, m_Trunc(m_Value(A))) && isZeroOrOne(A))
    return assumeZero(A, !Truth, Outer, At);
  auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare || !isInteger(Compare->getOperand(0)))
    return Outer;
  A = Compare->getOperand(0);
  B = Compare->getOperand(1);
  auto IRPred =
      Truth ? Compare->getPredicate() : Compare->getInversePredicate();
  if (match(B, m_Zero()) &&
      (IRPred == ICmpInst::ICMP_EQ || IRPred == ICmpInst::ICMP_NE))
    Outer = assumeZero(A, IRPred == ICmpInst::ICMP_EQ, Outer, At);
  using Predicate = Condition::Predicate;
  Condition C;
  switch (IRPred) {
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_UGT:
  case ICmpInst::ICMP_UGE:
    std::swap(A, B);
    IRPred = ICmpInst::getSwappedPredicate(IRPred);
    break;
  default:
    break;
  }
  switch (IRPred) {
  case ICmpInst::ICMP_EQ:
    C.Pred = Predicate::Equal;
    break;
  case ICmpInst::ICMP_NE:
    C.Pred = Predicate::NotEqual;
    break;
  case ICmpInst::ICMP_SLT:
    C.Pred = Predicate::SLT;
    break;
  case ICmpInst::ICMP_SLE:
    C.Pred = Predicate::SLE;
    break;
  case ICmpInst::ICMP_ULT:
    C.Pred = Predicate::ULT;
    break;
  case ICmpInst::ICMP_ULE:
    C.Pred = Predicate::ULE;
    break;
  default:
    return Outer;
  }
  C.Outer = Outer;
  C.A = node(A);
  C.B = node(B);
  if (const llvm::Loop *L = Loops.getLoopFor(At);
      L && isAffineIn(A, *L) && isAffineIn(B, *L) && !variesIn(C.A, *L, true) &&
      !variesIn(C.B, *L, true))
    C.InvariantIn = 1 + loopIndex(*L);
  return add(C);
}

/// True if assume() expresses all of \p V's being \p Truth.
static bool isExpressible(Value *V, bool Truth) {
  Value *A = nullptr, *B = nullptr;
  if (match(V, m_Not(m_Value(A))))
    return isExpressible(A, !Truth);
  if (auto *Freeze = dyn_cast<FreezeInst>(V))
    return isExpressible(Freeze->getOperand(0), Truth);
  if ((Truth && match(V, m_LogicalAnd(m_Value(A), m_Value(B)))) ||
      (!Truth && match(V, m_LogicalOr(m_Value(A), m_Value(B)))))
    return isExpressible(A, Truth) && isExpressible(B, Truth);
  auto *Compare = dyn_cast<ICmpInst>(V);
  return Compare && isInteger(Compare->getOperand(0));
}

std::optional<uint32_t> ExpressionBuilder::exactly(Value *V, bool Truth,
                                                   uint32_t Outer,
                                                   const BasicBlock *At) {
  if (!isExpressible(V, Truth))
    return std::nullopt;
  return assume(V, Truth, Outer, At);
}

/// The condition under which the latch branches back to the header.
uint32_t ExpressionBuilder::latchCondition(const llvm::Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  return Latch ? edgeCondition(Latch, L.getHeader()) : condition(L.getHeader());
}
