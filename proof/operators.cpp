//===- proof/operators.cpp - evaluates operators --------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"

#include <algorithm>
#include <utility>

using namespace warpsan;
using Op = Node::Op;

/// The quotient, rounded down. \p By must be positive.
Value Prover::divide(const AffineExpr &Dividend, Int By, uint32_t Where) {
  if (Dividend.isConstant())
    return {AffineExpr(floorDivide(Dividend.Constant, By))};
  const Int Min = minOf(Dividend, Where), Max = maxOf(Dividend, Where);
  if (Min <= -Unbounded || Max >= Unbounded)
    return inRange(-Unbounded, Unbounded, false);
  Value V = inRange(floorDivide(Min, By), floorDivide(Max, By), true);
  if (V.Expr.isConstant())
    return V;
  // By * V <= Dividend < By * V + By
  if (auto Rest = combine(1, Dividend, -By, V.Expr)) {
    addDefinition(Rest, Where, V.Expr);
    addDefinition(combine(-1, *Rest, 1, AffineExpr(By - 1)), Where, V.Expr);
  }
  return V;
}

Value Prover::minOrMax(const Value &A, const Value &B, bool Max,
                       uint32_t Where) {
  const bool Exact = A.Exact && B.Exact;
  const Int MinA = minOf(A.Expr, Where), MaxA = maxOf(A.Expr, Where);
  const Int MinB = minOf(B.Expr, Where), MaxB = maxOf(B.Expr, Where);
  if (MaxA <= MinB)
    return {Max ? B.Expr : A.Expr, Exact};
  if (MaxB <= MinA)
    return {Max ? A.Expr : B.Expr, Exact};
  Value V = Max ? inRange(std::max(MinA, MinB), std::max(MaxA, MaxB), Exact)
                : inRange(std::min(MinA, MinB), std::min(MaxA, MaxB), Exact);
  for (const AffineExpr &Each : {A.Expr, B.Expr})
    addDefinition(combine(Max ? 1 : -1, V.Expr, Max ? -1 : 1, Each), Where,
                  V.Expr);
  return V;
}

/// The minimum and maximum of a product. None if unbounded.
std::optional<std::pair<Int, Int>>
Prover::productOf(const AffineExpr &A, const AffineExpr &B, uint32_t Where) {
  Int Min = Unbounded, Max = -Unbounded;
  for (Int X : {minOf(A, Where), maxOf(A, Where)})
    for (Int Y : {minOf(B, Where), maxOf(B, Where)}) {
      Int Product;
      if (__builtin_mul_overflow(X, Y, &Product) || Product >= Unbounded ||
          Product <= -Unbounded)
        return std::nullopt;
      Min = std::min(Min, Product);
      Max = std::max(Max, Product);
    }
  return std::pair(Min, Max);
}

/// Bitwise and, or, exclusive or.
Value Prover::makeBitwise(const Node &N, uint32_t Index, uint32_t Where) {
  if (N.Opcode == Op::bit_and) {
    // A mask of the low bits is a remainder of any congruent number.
    for (auto [Mask, Other] : {std::pair(N.B, N.A), {N.A, N.B}}) {
      Value M = value(Mask, Where);
      if (!M.Expr.isConstant())
        continue;
      const Int All = powerOfTwo(N.Width) - 1, Bits = M.Expr.Constant & All;
      Value V = value(Other, Where);
      // A mask of the high bits rounds down to a multiple.
      if (const Int Low = All - Bits; Bits && Low && !(Low & (Low + 1))) {
        Value Quotient = divide(V.Expr, Low + 1, Where);
        if (auto Expr = combine(Low + 1, Quotient.Expr, 0, AffineExpr());
            Expr && Quotient.Exact)
          return {*Expr, V.Exact};
      }
      if (Bits & (Bits + 1))
        continue;
      if (isInRange(V.Expr, 0, Bits, Where))
        return V;
      Value Quotient = divide(V.Expr, Bits + 1, Where);
      if (auto Rest = combine(1, V.Expr, -(Bits + 1), Quotient.Expr);
          Rest && Quotient.Exact)
        return {*Rest, V.Exact};
      return inRange(0, Bits, false);
    }
  }
  const Value A = resolve(N.A, Where, false), B = resolve(N.B, Where, false);
  const Int MaxA = maxOf(A.Expr, Where), MaxB = maxOf(B.Expr, Where);
  const bool Exact = A.Exact && B.Exact;
  if (MaxA >= Unbounded || MaxB >= Unbounded)
    return unconstrained(Index, false);
  if (A.Expr.isConstant() && B.Expr.isConstant()) {
    const Int X = A.Expr.Constant, Y = B.Expr.Constant;
    return {AffineExpr(N.Opcode == Op::bit_and  ? X & Y
                       : N.Opcode == Op::bit_or ? X | Y
                                                : X ^ Y),
            Exact};
  }
  if (N.Opcode == Op::bit_and)
    return inRange(0, std::min(MaxA, MaxB), Exact);
  Int Max = 1;
  while (Max <= MaxA || Max <= MaxB)
    Max *= 2;
  return inRange(0, Max - 1, Exact);
}

/// True if each of two comparisons holds where the other does not.
static bool areOpposite(const Condition &X, const Condition &Y) {
  using Predicate = Condition::Predicate;
  const bool Same = X.A == Y.A && X.B == Y.B,
             Swapped = X.A == Y.B && X.B == Y.A;
  auto Are = [&](Predicate OfX, Predicate OfY) {
    return X.Pred == OfX && Y.Pred == OfY;
  };
  return (Swapped && (Are(Predicate::SLT, Predicate::SLE) ||
                      Are(Predicate::SLE, Predicate::SLT) ||
                      Are(Predicate::ULT, Predicate::ULE) ||
                      Are(Predicate::ULE, Predicate::ULT))) ||
         ((Same || Swapped) && (Are(Predicate::Equal, Predicate::NotEqual) ||
                                Are(Predicate::NotEqual, Predicate::Equal)));
}

/// True if \p Where states the opposite of the condition \p Choice, by which a
/// select chooses an operand.
bool Prover::isExcluded(uint32_t Choice, uint32_t Where) const {
  for (uint32_t At = Choice ? Where : 0; At; At = Kernel.Conditions[At].Outer)
    if (areOpposite(Kernel.Conditions[Choice], Kernel.Conditions[At]))
      return true;
  return false;
}

Value Prover::makeMerge(const Node &N, uint32_t Index, uint32_t Where) {
  const Value A = value(N.A, Where), B = value(N.B, Where);
  // Each operand of a select has its value under its own condition.
  const bool IsSelect = N.Opcode == Op::select;
  const uint32_t CondA = IsSelect ? N.conditionOfA() : Where;
  const uint32_t CondB = IsSelect ? N.conditionOfB() : Where;
  const Value ThereA = IsSelect ? value(N.A, CondA) : A;
  const Value ThereB = IsSelect ? value(N.B, CondB) : B;
  auto IsNever = [&](const Value &There, uint32_t Choice) {
    return There.Unreachable ||
           (IsSelect && (isUnreachable(Choice) || isExcluded(Choice, Where)));
  };
  const bool UnreachableA = IsNever(ThereA, CondA),
             UnreachableB = IsNever(ThereB, CondB);
  if (UnreachableA && UnreachableB)
    return {AffineExpr(0), true, true};
  if (UnreachableA || UnreachableB)
    return UnreachableA ? B : A;
  const Int Min =
      std::min(minOf(ThereA.Expr, CondA), minOf(ThereB.Expr, CondB));
  const Int Max =
      std::max(maxOf(ThereA.Expr, CondA), maxOf(ThereB.Expr, CondB));
  if (Min <= -Unbounded || Max >= Unbounded)
    return unconstrained(Index, true);
  // Under a stronger condition it may always be the same operand.
  Value V = inRange(Min, Max, A.Exact && B.Exact && !IsSelect);
  const bool SameHere = ThereA.Expr == A.Expr && ThereB.Expr == B.Expr;
  if (V.Expr.isConstant() || !SameHere)
    return V; // V and A, B may differ by multiples of 2^width
  // If one operand is never larger, the result is between the two.
  if (auto Apart = combine(1, B.Expr, -1, A.Expr)) {
    const bool Rises = minOf(*Apart, Where, 0) >= 0;
    if (Rises || maxOf(*Apart, Where, 0) <= 0) {
      addDefinition(combine(1, V.Expr, -1, Rises ? A.Expr : B.Expr), Where,
                    V.Expr);
      addDefinition(combine(1, Rises ? B.Expr : A.Expr, -1, V.Expr), Where,
                    V.Expr);
    }
  }
  return V;
}

/// Exact in a fixed iteration. Otherwise, a quotient is between zero and its
/// start.
Value Prover::makeGeometric(const Node &N, uint32_t Index, uint32_t Where) {
  const auto Iteration = Iterations[static_cast<size_t>(N.Value)];
  const bool Signed = N.Opcode == Op::sdivided;
  const Value By = resolve(N.B, Where, Signed);
  if (!By.Expr.isConstant())
    return unconstrained(Index, true);
  if (N.Opcode == Op::multiplied) {
    if (!Iteration)
      return unconstrained(Index, true);
    uint64_t Factor = 1; // modulo 2^64, so modulo 2^width
    for (uint32_t I = 0; I < *Iteration; ++I)
      Factor *= static_cast<uint64_t>(By.Expr.Constant);
    const Value Start = value(N.A, Where);
    const Int Bits = Int(Factor) & (powerOfTwo(N.Width) - 1);
    if (auto Expr = combine(Bits, Start.Expr, 0, AffineExpr()))
      return {*Expr, Start.Exact && By.Exact};
    return unconstrained(Index, true);
  }
  // Division by zero is undefined, and a negative divisor alternates signs.
  const Value Start = resolve(N.A, Where, Signed);
  if (By.Expr.Constant <= 0 || minOf(Start.Expr, Where, 0) < 0)
    return unconstrained(Index, true);
  if (Iteration) {
    // Beyond the largest value of the width, the quotient stays zero.
    const Int Limit = powerOfTwo(N.Width);
    Int All = 1;
    for (uint32_t I = 0; I < *Iteration && All < Limit; ++I)
      if (__builtin_mul_overflow(All, By.Expr.Constant, &All))
        All = Limit;
    Value V = divide(Start.Expr, All, Where);
    V.Exact &= Start.Exact && By.Exact;
    return V;
  }
  Value V = inRange(0, maxOf(Start.Expr, Where), Start.Exact && By.Exact);
  addDefinition(combine(1, Start.Expr, -1, V.Expr), Where, V.Expr);
  return V;
}

/// Addition and subtraction.
Value Prover::makeSum(const Node &N, uint32_t Index, uint32_t Where) {
  const Value A = value(N.A, Where), B = value(N.B, Where);
  const Int Sign = N.Opcode == Op::sub ? -1 : 1;
  if (auto Expr = combine(1, A.Expr, Sign, B.Expr))
    return {*Expr, A.Exact && B.Exact};
  return unconstrained(Index, true);
}

/// The amount that \p N shifts by. None unless it is a single number below the
/// width.
std::optional<unsigned> Prover::shiftAmount(const Node &N, uint32_t Where) {
  const Value By = resolve(N.B, Where, false);
  if (!By.Expr.isConstant() || By.Expr.Constant >= N.Width)
    return std::nullopt;
  return static_cast<unsigned>(By.Expr.Constant);
}

/// Multiplication and left shift.
Value Prover::makeProduct(const Node &N, uint32_t Index, uint32_t Where) {
  const auto By = N.Opcode == Op::shl ? shiftAmount(N, Where) : std::nullopt;
  if (N.Opcode == Op::shl && !By)
    return unconstrained(Index, true);
  const Value A = value(N.A, Where);
  const Value B = By ? Value{AffineExpr(powerOfTwo(*By))} : value(N.B, Where);
  const bool Exact = A.Exact && B.Exact;
  for (auto [X, Y] : {std::pair(&A, &B), {&B, &A}})
    if (X->Expr.isConstant())
      if (auto Expr = combine(X->Expr.Constant, Y->Expr, 0, AffineExpr()))
        return {*Expr, Exact};
  if (auto Range = productOf(A.Expr, B.Expr, Where))
    return inRange(Range->first, Range->second, Exact);
  return unconstrained(Index, true);
}

/// Division, remainder and right shift.
Value Prover::makeQuotient(const Node &N, uint32_t Index, uint32_t Where) {
  const bool Signed =
      N.Opcode == Op::sdiv || N.Opcode == Op::srem || N.Opcode == Op::ashr;
  const bool Shift = N.Opcode == Op::lshr || N.Opcode == Op::ashr;
  const bool Rest = N.Opcode == Op::urem || N.Opcode == Op::srem;
  Value By;
  if (Shift) {
    const auto Bits = shiftAmount(N, Where);
    if (!Bits)
      return unconstrained(Index, Signed);
    By = {AffineExpr(powerOfTwo(*Bits))};
  } else {
    By = resolve(N.B, Where, Signed);
  }
  const Value Dividend = resolve(N.A, Where, Signed);
  if (Dividend.Expr.isConstant() && By.Expr.isConstant() && !Shift &&
      By.Expr.Constant != 0) {
    const Int X = Dividend.Expr.Constant, Y = By.Expr.Constant;
    return {AffineExpr(Rest ? X % Y : X / Y), Dividend.Exact && By.Exact};
  }
  const Int MinDivisor = minOf(By.Expr, Where),
            MaxDivisor = maxOf(By.Expr, Where);
  if (MinDivisor <= 0)
    return unconstrained(Index, Signed);
  // Signed division rounds toward zero; for numbers that are not negative,
  // that is down.
  if (Signed && !Shift && minOf(Dividend.Expr, Where, 0) < 0)
    return unconstrained(Index, Signed);
  if (!By.Expr.isConstant()) {
    const Int Max = maxOf(Dividend.Expr, Where);
    return inRange(0, Rest ? std::min(Max, MaxDivisor - 1) : Max / MinDivisor,
                   Dividend.Exact && By.Exact);
  }
  Value Quotient = divide(Dividend.Expr, By.Expr.Constant, Where);
  const bool Exact = Dividend.Exact && By.Exact && Quotient.Exact;
  if (!Rest)
    return {Quotient.Expr, Exact};
  if (auto Remainder =
          combine(1, Dividend.Expr, -By.Expr.Constant, Quotient.Expr))
    return {*Remainder, Exact};
  return inRange(0, By.Expr.Constant - 1, false);
}

/// Extension, truncation and freeze.
Value Prover::makeCast(const Node &N, uint32_t Index, uint32_t Where) {
  if (N.Opcode == Op::zext)
    return resolve(N.A, Where, false);
  if (N.Opcode == Op::sext)
    return resolve(N.A, Where, true);
  const Value Operand = value(N.A, Where);
  if (N.Opcode == Op::freeze && Operand.Poison)
    return unconstrained(Index, true);
  return Operand;
}

Value Prover::make(const Node &N, uint32_t Index, uint32_t Where) {
  const unsigned Operands = operandsOf(N.Opcode);
  if (N.Opcode != Op::phi && N.Opcode != Op::select &&
      ((Operands > 0 && value(N.A, Where).Unreachable) ||
       (Operands > 1 && value(N.B, Where).Unreachable)))
    return {AffineExpr(0), true, true};
  switch (N.Opcode) {
  case Op::add:
  case Op::sub:
    return makeSum(N, Index, Where);
  case Op::mul:
  case Op::shl:
    return makeProduct(N, Index, Where);
  case Op::udiv:
  case Op::sdiv:
  case Op::urem:
  case Op::srem:
  case Op::lshr:
  case Op::ashr:
    return makeQuotient(N, Index, Where);
  case Op::bit_and:
  case Op::bit_or:
  case Op::bit_xor:
    return makeBitwise(N, Index, Where);
  case Op::umin:
  case Op::umax:
  case Op::smin:
  case Op::smax: {
    const bool Signed = N.Opcode == Op::smin || N.Opcode == Op::smax;
    return minOrMax(resolve(N.A, Where, Signed), resolve(N.B, Where, Signed),
                    N.Opcode == Op::umax || N.Opcode == Op::smax, Where);
  }
  case Op::zext:
  case Op::sext:
  case Op::trunc:
  case Op::freeze:
    return makeCast(N, Index, Where);
  case Op::phi:
  case Op::select:
    return makeMerge(N, Index, Where);
  case Op::counter:
    return makeCounter(N, Index, Where);
  case Op::multiplied:
  case Op::udivided:
  case Op::sdivided:
    return makeGeometric(N, Index, Where);
  default:
    return makeLeaf(N, Index);
  }
}
