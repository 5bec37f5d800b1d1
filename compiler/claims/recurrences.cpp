//===- compiler/claims/recurrences.cpp - phis and recurrences as nodes ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/expression_builder.h"
#include "compiler/claims/integers.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace warpsan;
using Op = warpsan::Node::Op;

/// True if \p V has the same value in all iterations of \p L.
static bool isInvariant(const Value *V, const llvm::Loop &L, const Target &T,
                        unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  if (L.isLoopInvariant(V) || isWorkItemInvariant(V, T))
    return true;
  return (isa<CastInst>(V) || isa<BinaryOperator>(V)) && Depth < MaxDepth &&
         all_of(
             cast<User>(V)->operands(),
             [&](const Use &U) {
               return isInvariant(U.get(), L, T, Depth + 1);
             });
}

namespace {
/// An addend of a counter's step.
struct Addend {
  Value *By;
  bool Minus;
  uint8_t Flags; ///< Node::Flag of the sum
};
} // namespace

/// True if the sum of \p Phi, extended to \p Wide bits, and the addends cannot
/// overflow.
static bool cannotOverflow(ArrayRef<Addend> Added, const PHINode &Phi,
                           unsigned Wide, bool WithSign) {
  return widthOf(&Phi) + 8 <= Wide && all_of(Added, [&](const Addend &Each) {
           const auto *Number = dyn_cast<ConstantInt>(Each.By);
           const bool Wraps = Each.Flags & warpsan::Node::NoUnsignedWrap;
           return Number &&
                  Number->getValue().getSignificantBits() + 4 < Wide &&
                  !(Wraps && (WithSign || Each.Minus || Number->isNegative()));
         });
}

/// Collects the invariant addends by which \p Next differs from \p Phi. False
/// if it is no such sum. A sum that is computed wider and truncated is equal in
/// the remaining bits, unless it overflows.
static bool collectAddends(Value *Next, const PHINode &Phi, const llvm::Loop &L,
                           const Target &T, SmallVectorImpl<Addend> &Added) {
  if (auto *Cut = dyn_cast<TruncInst>(Next); Cut && !flagsOf(*Cut))
    Next = Cut->getOperand(0);
  const unsigned Wide =
      Next->getType()->isIntegerTy() ? widthOf(Next) : widthOf(&Phi);
  auto IsPhi = [&](const Value *V) {
    return V == &Phi || ((isa<SExtInst>(V) || isa<ZExtInst>(V)) &&
                         cast<CastInst>(V)->getOperand(0) == &Phi);
  };
  bool AnyFlags = false;
  while (!IsPhi(Next)) {
    auto *I = dyn_cast<BinaryOperator>(Next);
    if (!I || Added.size() > 4)
      return false;
    Value *A = I->getOperand(0), *B = I->getOperand(1);
    if (I->getOpcode() == Instruction::Add && isInvariant(A, L, T))
      std::swap(A, B);
    if ((I->getOpcode() != Instruction::Add &&
         I->getOpcode() != Instruction::Sub) ||
        !isInvariant(B, L, T) || !isInteger(B))
      return false;
    Added.push_back({B, I->getOpcode() == Instruction::Sub, flagsOf(*I)});
    AnyFlags |= Added.back().Flags != 0;
    Next = A;
  }
  if (Next == &Phi)
    return true;
  if (flagsOf(*cast<Instruction>(Next)))
    return false;
  if (!AnyFlags)
    return true;
  if (!cannotOverflow(Added, Phi, Wide, isa<SExtInst>(Next)))
    return false;
  for (Addend &Each : Added)
    Each.Flags = 0;
  return true;
}

/// The flags of the whole sum. None unless partial sums cannot overflow if the
/// whole does not.
static std::optional<uint8_t> flagsOfSum(ArrayRef<Addend> Added) {
  uint8_t All = 0;
  bool Up = false, Down = false, Fixed = true;
  for (const Addend &Each : Added) {
    All |= Each.Flags;
    const auto *Number = dyn_cast<ConstantInt>(Each.By);
    Fixed &= Number && Number->getValue().getSignificantBits() + 4 <
                           Number->getBitWidth();
    (Number && Number->isNegative() != Each.Minus ? Down : Up) = true;
    if (Each.Flags & warpsan::Node::NoUnsignedWrap && Each.Minus)
      return std::nullopt;
  }
  if (All && Added.size() > 1 && (!Fixed || (Up && Down)))
    return std::nullopt;
  return All;
}

uint32_t ExpressionBuilder::buildHeaderPhi(PHINode &Phi, const llvm::Loop &L) {
  BasicBlock *Before = L.getLoopPredecessor(), *Latch = L.getLoopLatch();
  if (!Before || !Latch || Phi.getNumIncomingValues() != 2)
    return opaque(&Phi);
  const unsigned Width = widthOf(&Phi);
  Value *Next = Phi.getIncomingValueForBlock(Latch);
  Value *First = Phi.getIncomingValueForBlock(Before);
  SmallVector<Addend, 4> Added;
  if (collectAddends(Next, Phi, L, T, Added)) {
    const auto Flags = flagsOfSum(Added);
    if (!Flags)
      return opaque(&Phi);
    uint32_t Step = constant(0, Width);
    for (const Addend &Each : Added) {
      uint32_t More = node(Each.By);
      if (widthOf(Each.By) != Width)
        More = leaf(Op::trunc, Width, More);
      Step = leaf(Each.Minus ? Op::sub : Op::add, Width, Step, More);
    }
    const uint32_t Start = node(First);
    return withFlags(Op::counter, Width, Start, Step, *Flags, loopIndex(L));
  }
  if (auto Stepped = buildGeometric(Phi, L))
    return *Stepped;
  return buildMergedRecurrence(Phi, L);
}

/// A phi that each iteration multiplies or divides by an invariant. A wider
/// computation that is truncated is equal for products, and for quotients by a
/// divisor of few bits.
std::optional<uint32_t> ExpressionBuilder::buildGeometric(PHINode &Phi,
                                                          const llvm::Loop &L) {
  const unsigned Width = widthOf(&Phi);
  Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
  Value *Base = &Phi;
  if (auto *Cut = dyn_cast<TruncInst>(Next)) {
    Next = Cut->getOperand(0);
    auto *Wide = dyn_cast<BinaryOperator>(Next);
    if (!Wide || flagsOf(*Cut))
      return std::nullopt;
    Base =
        Wide->getOperand(isa<ZExtInst, SExtInst>(Wide->getOperand(0)) ? 0 : 1);
    if (!match(Base, m_ZExtOrSExt(m_Specific(&Phi))) ||
        flagsOf(*cast<Instruction>(Base)))
      return std::nullopt;
  }
  auto *I = dyn_cast<BinaryOperator>(Next);
  if (!I || !isInteger(I))
    return std::nullopt;
  uint8_t Flags = flagsOf(*I);
  if (Flags & warpsan::Node::Exact)
    return std::nullopt;
  Value *A = I->getOperand(0), *By = I->getOperand(1);
  if (I->isCommutative() && By == Base)
    std::swap(A, By);
  const bool Twice = I->getOpcode() == Instruction::Add && By == Base;
  if (A != Base || !(Twice || isInvariant(By, L, T)))
    return std::nullopt;
  const unsigned WideBits = widthOf(I);
  auto Narrow = [&](uint32_t Index) {
    return WideBits == Width ? Index : leaf(Op::trunc, Width, Index);
  };
  auto PowerOfTwo = [&] {
    const uint32_t One = constant(1, WideBits);
    return leaf(Op::shl, WideBits, One, node(By));
  };
  auto Make = [&](Op Opcode, uint32_t Amount) {
    const uint32_t Start =
        node(Phi.getIncomingValueForBlock(L.getLoopPredecessor()));
    return withFlags(Opcode, Width, Start, Amount, Flags, loopIndex(L));
  };
  const APInt *Number = nullptr;
  const bool FewBits =
      match(By, m_APInt(Number)) && Number->getActiveBits() < Width;
  if (Flags && WideBits != Width) {
    // The wider computation does not overflow if it has enough bits.
    const uint64_t More = Twice                             ? 1
                          : !Number || Number->isNegative() ? WideBits
                          : I->getOpcode() == Instruction::Shl
                              ? Number->getLimitedValue(WideBits)
                              : Number->getActiveBits();
    if (Width + More >= WideBits ||
        (Flags & warpsan::Node::NoUnsignedWrap && isa<SExtInst>(Base)))
      return std::nullopt;
    Flags = 0;
  }
  // Zero-extended values are divided as unsigned.
  const bool Signed = Base == &Phi ? I->getOpcode() == Instruction::SDiv ||
                                         I->getOpcode() == Instruction::AShr
                                   : isa<SExtInst>(Base);
  const Op Divided = Signed ? Op::sdivided : Op::udivided;
  switch (I->getOpcode()) {
  case Instruction::Add:
    return Twice ? std::optional(Make(Op::multiplied, constant(2, Width)))
                 : std::nullopt;
  case Instruction::Mul:
    return Make(Op::multiplied, Narrow(node(By)));
  case Instruction::Shl:
    return Make(Op::multiplied, Narrow(PowerOfTwo()));
  case Instruction::UDiv:
  case Instruction::LShr:
  case Instruction::SDiv:
  case Instruction::AShr: {
    const bool Shift = I->isShift();
    if (WideBits != Width) {
      const bool OfSigned = I->getOpcode() == Instruction::SDiv ||
                            I->getOpcode() == Instruction::AShr;
      if (!FewBits || (Signed && !OfSigned) ||
          (Shift && Number->uge(Width - 1)))
        return std::nullopt;
    }
    return Make(Divided, Narrow(Shift ? PowerOfTwo() : node(By)));
  }
  default:
    return std::nullopt;
  }
}

/// Matches \p V as \p Held clamped to invariant limits. Returns the clamp with
/// the node \p Any in place of \p Held.
std::optional<uint32_t> ExpressionBuilder::buildClamped(Value *V, uint32_t Any,
                                                        const llvm::Loop &L,
                                                        Value *&Held) {
  const unsigned Width = widthOf(V);
  auto IsInvariant = [&](const Value *Each) { return isInvariant(Each, L, T); };
  Value *A = nullptr, *B = nullptr;
  // Matches Expr as Opcode with an invariant operand, which becomes B.
  auto Matches = [&](Value *Expr, Op Opcode) {
    auto *Call = dyn_cast<CallBase>(Expr);
    const auto Limits = Call ? minMaxOps(*Call) : std::nullopt;
    if (Limits && Limits->size() == 1 && Limits->front() == Opcode) {
      A = Call->getArgOperand(0);
      B = Call->getArgOperand(1);
    } else if (!(Opcode == Op::bit_and
                     ? match(Expr, m_And(m_Value(A), m_Value(B)))
                 : Opcode == Op::umin
                     ? match(Expr, m_UMin(m_Value(A), m_Value(B)))
                 : Opcode == Op::smin
                     ? match(Expr, m_SMin(m_Value(A), m_Value(B)))
                     : match(Expr, m_SMax(m_Value(A), m_Value(B))))) {
      return false;
    }
    if (IsInvariant(A))
      std::swap(A, B);
    Held = A;
    return IsInvariant(B);
  };
  for (Op Opcode : {Op::bit_and, Op::umin})
    if (Matches(V, Opcode)) {
      const uint32_t Limit = node(B);
      return leaf(Opcode, Width, Any, Limit);
    }
  if (match(V, m_URem(m_Value(A), m_Value(B))) && IsInvariant(B)) {
    Held = A;
    const uint32_t By = node(B);
    return leaf(Op::urem, Width, Any, By);
  }
  // Two limits: clamp, a minimum of a maximum, or a maximum of a minimum.
  auto Between = [&](Op First, Value *Limit, Op Second, Value *Other,
                     uint8_t Flags) {
    const uint32_t Inner = node(Limit), Outer = node(Other);
    return withFlags(Second, Width, leaf(First, Width, Any, Inner), Outer,
                     Flags);
  };
  if (auto *Call = dyn_cast<CallBase>(V))
    if (auto Limits = minMaxOps(*Call); Limits && Limits->size() == 2 &&
                                        IsInvariant(Call->getArgOperand(1)) &&
                                        IsInvariant(Call->getArgOperand(2))) {
      Held = Call->getArgOperand(0);
      return Between((*Limits)[0], Call->getArgOperand(1), (*Limits)[1],
                     Call->getArgOperand(2), warpsan::Node::Ordered);
    }
  for (auto [First, Second] :
       {std::pair(Op::smax, Op::smin), {Op::smin, Op::smax}})
    if (Matches(V, Second)) {
      Value *Other = B;
      if (Matches(A, First))
        return Between(First, B, Second, Other, 0);
    }
  return std::nullopt;
}

/// Matches \p V as a signed remainder of \p Held. If \p Next, returns the
/// remainder of the node \p Any. Otherwise, its range if \p Held is not
/// negative.
std::optional<uint32_t>
ExpressionBuilder::buildRemainder(Value *V, uint32_t Any, bool Next,
                                  const llvm::Loop &L, Value *&Held) {
  const unsigned Width = widthOf(V);
  Value *B = nullptr;
  if (!match(V, m_SRem(m_Value(Held), m_Value(B))) || !isInvariant(B, L, T))
    return std::nullopt;
  const uint32_t By = node(B);
  if (Next)
    return leaf(Op::srem, Width, Any, By);
  const uint32_t Last = leaf(Op::sub, Width, By, constant(1, Width));
  return leaf(Op::umin, Width, Any, Last);
}

/// \p V is a clamp or remainder of \p Phi plus invariants. \p Others: all other
/// values of \p Phi. By induction, \p Phi is one of \p Others or within the
/// limits, if the previous value was. The sum may overflow or be negative. If
/// the next value cannot be proven within the limits, it is unconstrained.
std::optional<uint32_t> ExpressionBuilder::buildClampedRecurrence(
    Value *V, uint32_t Others, const PHINode &Phi, const llvm::Loop &L) {
  const unsigned Width = widthOf(V);
  Value *Held = nullptr;
  const uint32_t Any = unique(Op::opaque, Width);
  auto Limited = buildClamped(V, Any, L, Held);
  const bool Remainder = !Limited;
  if (Remainder)
    Limited = buildRemainder(V, Any, /*Next=*/false, L, Held);
  SmallVector<Addend, 4> Added;
  if (!Limited || !collectAddends(Held, Phi, L, T, Added))
    return std::nullopt;
  uint32_t Sum = phi(Width, Others, *Limited);
  for (const Addend &Each : reverse(Added)) {
    uint32_t More = node(Each.By);
    if (widthOf(Each.By) != Width)
      More = leaf(Op::trunc, Width, More);
    Sum =
        withFlags(Each.Minus ? Op::sub : Op::add, Width, Sum, More, Each.Flags);
  }
  return Remainder ? buildRemainder(V, Sum, /*Next=*/true, L, Held)
                   : buildClamped(V, Sum, L, Held);
}

/// True if \p V may be poison although \p Phi is not. Other values of \p Phi
/// are examined separately.
static bool mayOverflow(const Value *V, const PHINode &Phi, const Target &T) {
  constexpr size_t MaxSeen = 64;
  SmallVector<const Value *, 8> Work = {V};
  SmallPtrSet<const Value *, 16> Seen = {&Phi};
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (createsPoison(*I, T) || Seen.size() > MaxSeen)
      return true;
    if (!isa<FreezeInst, LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
      append_range(Work, I->operand_values());
  }
  return false;
}

/// A phi whose values are its start, loaded integers or clamped values of
/// earlier iterations.
uint32_t ExpressionBuilder::buildMergedRecurrence(PHINode &Phi,
                                                  const llvm::Loop &L) {
  SmallVector<Value *, 8> Work = {
      Phi.getIncomingValueForBlock(L.getLoopLatch())};
  SmallPtrSet<Value *, 8> Seen = {&Phi};
  SmallVector<uint32_t, 4> Loaded;
  Value *Next = nullptr;
  const uint32_t Start =
      node(Phi.getIncomingValueForBlock(L.getLoopPredecessor()));
  constexpr size_t MaxValues = 8;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > MaxValues)
      return opaque(&Phi);
    // First: a phi outside of L belongs to an outer loop, and so do its values.
    if (L.isLoopInvariant(V)) {
      Loaded.push_back(node(V));
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Work.append({Select->getTrueValue(), Select->getFalseValue()});
    } else if (auto *Joined = dyn_cast<PHINode>(V)) {
      append_range(Work, Joined->incoming_values());
    } else if (auto Element = buildLoad(V)) {
      Loaded.push_back(*Element);
    } else {
      Value *Held = nullptr;
      const uint32_t Any = unique(Op::opaque, widthOf(V));
      const auto Limited = buildClamped(V, Any, L, Held);
      if (Limited && !mayOverflow(Held, Phi, T))
        Loaded.push_back(*Limited);
      else if (!Next)
        Next = V;
      else
        return opaque(&Phi);
    }
  }
  uint32_t Either = Start;
  for (uint32_t More : Loaded)
    Either = phi(widthOf(&Phi), Either, More);
  if (!Next)
    return Either;
  auto Held = buildClampedRecurrence(Next, Either, Phi, L);
  return Held ? phi(widthOf(&Phi), Either, *Held) : opaque(&Phi);
}

uint32_t ExpressionBuilder::buildPhi(PHINode &Phi) {
  if (isInIrreducibleCycle(Phi.getParent()))
    return opaque(&Phi);
  const llvm::Loop *L = Loops.getLoopFor(Phi.getParent());
  if (L && L->getHeader() == Phi.getParent())
    return buildHeaderPhi(Phi, *L);
  constexpr unsigned MaxIncoming = 4;
  if (Phi.getNumIncomingValues() > MaxIncoming ||
      any_of(Phi.incoming_values(), [&](const Use &U) {
        return isa<UndefValue>(U) ||
               (isa<Instruction>(U) &&
                Dominators.dominates(&Phi, cast<Instruction>(U)));
      }))
    return opaque(&Phi);
  uint32_t Either = node(Phi.getIncomingValue(0));
  if (Phi.getNumIncomingValues() == 2) {
    const uint32_t Other = node(Phi.getIncomingValue(1));
    const uint32_t Where =
        edgeCondition(Phi.getIncomingBlock(0), Phi.getParent());
    return select(widthOf(&Phi), Either, Where, Other,
                  edgeCondition(Phi.getIncomingBlock(1), Phi.getParent()));
  }
  for (unsigned I = 1; I < Phi.getNumIncomingValues(); ++I) {
    const uint32_t More = node(Phi.getIncomingValue(I));
    Either = phi(widthOf(&Phi), Either, More);
  }
  return Either;
}

/// True if only counters of \p L change \p V in it.
bool ExpressionBuilder::isAffineIn(Value *V, const llvm::Loop &L) {
  if (L.isLoopInvariant(V) || isWorkItemInvariant(V, T))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    SmallVector<Addend, 4> Ignored;
    return Phi->getParent() == L.getHeader() && L.getLoopLatch() &&
           Phi->getNumIncomingValues() == 2 &&
           collectAddends(Phi->getIncomingValueForBlock(L.getLoopLatch()), *Phi,
                          L, T, Ignored);
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || (I->getOpcode() != Instruction::Add &&
             I->getOpcode() != Instruction::Sub && !isa<SExtInst>(I) &&
             !isa<ZExtInst>(I) && !isa<TruncInst>(I)))
    return false;
  return all_of(I->operands(), [&](Use &U) { return isAffineIn(U.get(), L); });
}
