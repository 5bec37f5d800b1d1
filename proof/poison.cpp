//===- proof/poison.cpp - which values undefined behavior may make poison -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signed overflow does not wrap: the driver's compiler may compute with more
// bits, or remove a comparison. So a value is used only if nothing it is
// computed from overflows, divides by zero or shifts too far.
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"

#include <algorithm>
#include <utility>

using namespace warpsan;
using Op = Node::Op;

/// True if \p F is in \p Range. Assumed if it depends on a loop whose trip
/// count is being bounded; proven later with that bound.
bool Prover::fits(const AffineExpr &F, std::pair<Int, Int> Range,
                  uint32_t Where) {
  if (isInRange(F, Range.first, Range.second, Where))
    return true;
  if (!isOpen(F))
    return false;
  CurrentAttempt->Assumed.push_back({F, Range.first, Range.second});
  return true;
}

/// True if the exact result of \p N, with operands read as signed or unsigned,
/// may not fit its width.
bool Prover::mayWrap(const Node &N, bool Signed, uint32_t Where) {
  const auto Range = rangeOf(N.Width, Signed);
  const AffineExpr A = resolve(N.A, Where, Signed).Expr;
  if (N.Opcode == Op::trunc)
    return !fits(resolve(N.A, Where, Signed).Expr, Range, Where);
  if (N.Opcode == Op::shl) {
    const AffineExpr By = resolve(N.B, Where, false).Expr;
    if (!By.isConstant() || By.Constant >= N.Width)
      return true;
    auto Product = combine(powerOfTwo(static_cast<unsigned>(By.Constant)), A, 0,
                           AffineExpr());
    return !Product || !fits(*Product, Range, Where);
  }
  const AffineExpr B = resolve(N.B, Where, Signed).Expr;
  if (N.Opcode == Op::mul) {
    for (const auto &[X, Y] : {std::pair(A, B), {B, A}})
      if (X.isConstant()) {
        auto Product = combine(X.Constant, Y, 0, AffineExpr());
        return !Product || !fits(*Product, Range, Where);
      }
    const auto Product = productOf(A, B, Where);
    return !Product || Product->first < Range.first ||
           Product->second > Range.second;
  }
  if (auto Sum = combine(1, A, N.Opcode == Op::sub ? -1 : 1, B))
    return !fits(*Sum, Range, Where);
  const bool Minus = N.Opcode == Op::sub;
  const Int MinB = Minus ? -maxOf(B, Where) : minOf(B, Where);
  const Int MaxB = Minus ? -minOf(B, Where) : maxOf(B, Where);
  return minOf(A, Where) + MinB < Range.first ||
         maxOf(A, Where) + MaxB > Range.second;
}

/// The same for a counter. Values of earlier iterations lie between the start
/// and the current one.
bool Prover::mayCounterWrap(const Node &N, uint32_t Index, bool Signed,
                            uint32_t Where) {
  const auto Range = rangeOf(N.Width, Signed);
  const AffineExpr Start = value(N.A, Where).Expr;
  const AffineExpr Step = value(N.B, Where).Expr;
  std::optional<AffineExpr> Now;
  if (Step.isConstant()) {
    const Int By = signedStep(N, Step);
    // An unsigned counter with a negative step, or a step equal to its
    // negation.
    if ((!Signed && By < 0) || By == -powerOfTwo(N.Width - 1))
      return true;
    const auto LoopIndex = static_cast<uint32_t>(N.Value);
    const auto Fixed = Iterations[LoopIndex];
    Now = combine(1, Start, By,
                  Fixed ? AffineExpr(Int(*Fixed))
                        : AffineExpr::unknown(iterationOf(LoopIndex)));
  } else if (auto It = AdvanceOf.find(Index);
             It != AdvanceOf.end() && It->second) {
    Now = combine(1, Start, 1, AffineExpr::unknown(*It->second));
  }
  return !Now || !fits(Start, Range, Where) || !fits(*Now, Range, Where);
}

/// The same for a value that each iteration multiplies.
bool Prover::mayGeometricWrap(const Node &N, bool Signed, uint32_t Where) {
  const auto Iteration = Iterations[static_cast<size_t>(N.Value)];
  const AffineExpr By = resolve(N.B, Where, Signed).Expr;
  // With a factor that is not negative, it only grows.
  if (!Iteration || !By.isConstant() || By.Constant < 0)
    return true;
  Int Factor = 1;
  for (uint32_t I = 0; I < *Iteration && Factor < Unbounded; ++I)
    if (__builtin_mul_overflow(Factor, By.Constant, &Factor))
      return true;
  auto Now = combine(Factor, resolve(N.A, Where, Signed).Expr, 0, AffineExpr());
  return !Now || !fits(*Now, rangeOf(N.Width, Signed), Where);
}

/// True if the division of \p N may be undefined: by zero, or INT_MIN / -1.
bool Prover::mayDivisionBePoison(const Node &N, bool Signed, uint32_t Where) {
  const AffineExpr By = resolve(N.B, Where, Signed).Expr;
  const Int Min = minOf(By, Where), Max = maxOf(By, Where);
  if (Min <= 0 && Max >= 0)
    return true;
  if (!Signed || Min > -1 || Max < -1)
    return false;
  const Int Lowest = rangeOf(N.Width, true).first;
  return minOf(resolve(N.A, Where, true).Expr, Where) <= Lowest;
}

/// True if a condition that only one of the two includes may compare poison.
bool Prover::mayDecisionBePoison(uint32_t CondA, uint32_t CondB) {
  while (CondA != CondB) {
    uint32_t &Inner = CondA > CondB ? CondA : CondB;
    const Condition &C = Kernel.Conditions[Inner];
    if (value(C.A, C.Outer).Poison || value(C.B, C.Outer).Poison)
      return true;
    Inner = C.Outer;
  }
  return false;
}

bool Prover::mayMergeBePoison(const Node &N, uint32_t Where) {
  if (N.Opcode == Op::phi)
    return value(N.A, Where).Poison || value(N.B, Where).Poison;
  const uint32_t CondA = N.conditionOfA(), CondB = N.conditionOfB();
  auto May = [&](uint32_t Each, uint32_t There) {
    const Value V = value(Each, There);
    // The condition at the use may be stronger than that of the select.
    return V.Poison && !V.Unreachable && !isUnreachable(There) &&
           value(Each, Where).Poison;
  };
  return May(N.A, CondA) || May(N.B, CondB) ||
         mayDecisionBePoison(CondA, CondB);
}

bool Prover::mayBePoison(const Node &N, uint32_t Index, uint32_t Where) {
  switch (N.Opcode) {
  case Op::poison:
    return true;
  case Op::freeze:
    return false;
  case Op::phi:
  case Op::select:
    return mayMergeBePoison(N, Where);
  default:
    break;
  }
  const unsigned Operands = operandsOf(N.Opcode);
  if ((Operands > 0 && value(N.A, Where).Poison) ||
      (Operands > 1 && value(N.B, Where).Poison))
    return true;
  if (N.Flags & Node::Exact)
    return true;
  auto BothFit = [&](bool Signed) {
    for (uint32_t Each : {N.A, N.B})
      if (!fits(resolve(Each, Where, Signed).Expr, rangeOf(24, Signed), Where))
        return false;
    return true;
  };
  if (N.Flags & Node::Of24Bits && !BothFit(N.Flags & Node::NoSignedWrap))
    return true;
  if (N.Flags & Node::Ordered) {
    const bool Signed = N.Opcode == Op::smin;
    auto Apart = combine(1, resolve(N.B, Where, Signed).Expr, -1,
                         resolve(Kernel.Nodes[N.A].B, Where, Signed).Expr);
    if (!Apart || minOf(*Apart, Where, 0) < 0)
      return true;
  }
  for (bool Signed : {true, false}) {
    if (!(N.Flags & (Signed ? Node::NoSignedWrap : Node::NoUnsignedWrap)))
      continue;
    if (N.Opcode == Op::zext) {
      const auto Range = rangeOf(Kernel.Nodes[N.A].Width - 1U, false);
      return !fits(resolve(N.A, Where, true).Expr, Range, Where);
    }
    if (N.Opcode == Op::counter      ? mayCounterWrap(N, Index, Signed, Where)
        : N.Opcode == Op::multiplied ? mayGeometricWrap(N, Signed, Where)
                                     : mayWrap(N, Signed, Where))
      return true;
  }
  switch (N.Opcode) {
  case Op::udiv:
  case Op::urem:
  case Op::udivided:
    return mayDivisionBePoison(N, false, Where);
  case Op::sdiv:
  case Op::srem:
  case Op::sdivided:
    return mayDivisionBePoison(N, true, Where);
  case Op::shl:
  case Op::lshr:
  case Op::ashr:
    return maxOf(resolve(N.B, Where, false).Expr, Where, N.Width - 1) >=
           Int(N.Width);
  default:
    return false;
  }
}
