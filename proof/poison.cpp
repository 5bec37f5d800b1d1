//===- proof/poison.cpp - which values undefined behavior may make poison -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signed sum that overflows is not a number that wraps: the driver's compiler
// may calculate it with more bits, or drop a comparison of it. So a value is
// used only where it is shown that nothing it is calculated with overflows, is
// divided by zero or is shifted too far.
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"

#include <algorithm>
#include <utility>

using namespace warpsan;
using Op = Node::Op;

/// Taken to fit if it is about a loop whose rounds are being looked for: with
/// their bound, it is shown.
bool Prover::fits(const Form &F, std::pair<Int, Int> Range, uint32_t Where) {
  if (isBetween(F, Range.first, Range.second, Where))
    return true;
  if (!isOpen(F))
    return false;
  Trying->Assumed.push_back({F, Range.first, Range.second});
  return true;
}

/// Whether the exact result of \p N, of operands that are read with or without
/// sign, may not fit into its bits.
bool Prover::mayWrap(const Node &N, bool Signed, uint32_t Where) {
  const auto Range = rangeOf(N.Width, Signed);
  const Form A = resolve(N.A, Where, Signed).Is;
  if (N.What == Op::trunc)
    return !fits(resolve(N.A, Where, Signed).Is, Range, Where);
  if (N.What == Op::shl) {
    const Form By = resolve(N.B, Where, false).Is;
    if (!By.isConstant() || By.Constant >= N.Width)
      return true;
    auto Product =
        combine(powerOfTwo(static_cast<unsigned>(By.Constant)), A, 0, Form());
    return !Product || !fits(*Product, Range, Where);
  }
  const Form B = resolve(N.B, Where, Signed).Is;
  if (N.What == Op::mul) {
    for (const auto &[X, Y] : {std::pair(A, B), {B, A}})
      if (X.isConstant()) {
        auto Product = combine(X.Constant, Y, 0, Form());
        return !Product || !fits(*Product, Range, Where);
      }
    const auto Product = productOf(A, B, Where);
    return !Product || Product->first < Range.first ||
           Product->second > Range.second;
  }
  if (auto Sum = combine(1, A, N.What == Op::sub ? -1 : 1, B))
    return !fits(*Sum, Range, Where);
  const bool Minus = N.What == Op::sub;
  const Int LeastB = Minus ? -most(B, Where) : least(B, Where);
  const Int MostB = Minus ? -least(B, Where) : most(B, Where);
  return least(A, Where) + LeastB < Range.first ||
         most(A, Where) + MostB > Range.second;
}

/// Of a counter: in this round, and so in those before, all of which lie
/// between it and the start.
bool Prover::mayCounterWrap(const Node &N, uint32_t Index, bool Signed,
                            uint32_t Where) {
  const auto Range = rangeOf(N.Width, Signed);
  const Form Start = value(N.A, Where).Is;
  const Form Step = value(N.B, Where).Is;
  std::optional<Form> Now;
  if (Step.isConstant()) {
    const Int By = signedStep(N, Step);
    // The step itself is a number without sign then, or its own opposite.
    if ((!Signed && By < 0) || By == -powerOfTwo(N.Width - 1))
      return true;
    const auto LoopIndex = static_cast<uint32_t>(N.Value);
    const auto Chosen = In[LoopIndex];
    Now = combine(1, Start, By,
                  Chosen ? Form(Int(*Chosen))
                         : Form::unknown(roundsOf(LoopIndex)));
  } else if (auto It = TravelOf.find(Index);
             It != TravelOf.end() && It->second) {
    Now = combine(1, Start, 1, Form::unknown(*It->second));
  }
  return !Now || !fits(Start, Range, Where) || !fits(*Now, Range, Where);
}

/// Of what is multiplied in each round.
bool Prover::mayPowerWrap(const Node &N, bool Signed, uint32_t Where) {
  const auto Round = In[static_cast<size_t>(N.Value)];
  const Form By = resolve(N.B, Where, Signed).Is;
  // By what is not negative it only grows.
  if (!Round || !By.isConstant() || By.Constant < 0)
    return true;
  Int Factor = 1;
  for (uint32_t I = 0; I < *Round && Factor < Huge; ++I)
    if (__builtin_mul_overflow(Factor, By.Constant, &Factor))
      return true;
  auto Now = combine(Factor, resolve(N.A, Where, Signed).Is, 0, Form());
  return !Now || !fits(*Now, rangeOf(N.Width, Signed), Where);
}

/// Whether division by \p N's second operand may be undefined.
bool Prover::mayDivideBadly(const Node &N, bool Signed, uint32_t Where) {
  const Form By = resolve(N.B, Where, Signed).Is;
  const Int Least = least(By, Where), Most = most(By, Where);
  if (Least <= 0 && Most >= 0)
    return true;
  if (!Signed || Least > -1 || Most < -1)
    return false;
  const Int Lowest = rangeOf(N.Width, true).first;
  return least(resolve(N.A, Where, true).Is, Where) <= Lowest;
}

/// Whether what decides between two may be poison: all that one says and the
/// other does not.
bool Prover::isDoubtful(uint32_t InA, uint32_t InB) {
  while (InA != InB) {
    uint32_t &Inner = InA > InB ? InA : InB;
    const Condition &C = Of.Conditions[Inner];
    if (value(C.A, C.Outer).Poison || value(C.B, C.Outer).Poison)
      return true;
    Inner = C.Outer;
  }
  return false;
}

bool Prover::mayEitherBePoison(const Node &N, uint32_t Where) {
  if (N.What == Op::join)
    return value(N.A, Where).Poison || value(N.B, Where).Poison;
  const uint32_t InA = N.conditionOfA(), InB = N.conditionOfB();
  auto May = [&](uint32_t Each, uint32_t There) {
    const Value V = value(Each, There);
    // What is known where it is used may say more than where it was chosen.
    return V.Poison && !V.Never && !isNever(There) && value(Each, Where).Poison;
  };
  return May(N.A, InA) || May(N.B, InB) || isDoubtful(InA, InB);
}

bool Prover::mayBePoison(const Node &N, uint32_t Index, uint32_t Where) {
  switch (N.What) {
  case Op::poison:
    return true;
  case Op::freeze:
    return false;
  case Op::join:
  case Op::choice:
    return mayEitherBePoison(N, Where);
  default:
    break;
  }
  const unsigned Operands = operandsOf(N.What);
  if ((Operands > 0 && value(N.A, Where).Poison) ||
      (Operands > 1 && value(N.B, Where).Poison))
    return true;
  if (N.Flags & Node::Exact)
    return true;
  auto BothFit = [&](bool Signed) {
    for (uint32_t Each : {N.A, N.B})
      if (!fits(resolve(Each, Where, Signed).Is, rangeOf(24, Signed), Where))
        return false;
    return true;
  };
  if (N.Flags & Node::Of24Bits && !BothFit(N.Flags & Node::NoSignedWrap))
    return true;
  if (N.Flags & Node::Ordered) {
    const bool Signed = N.What == Op::smin;
    auto Apart = combine(1, resolve(N.B, Where, Signed).Is, -1,
                         resolve(Of.Nodes[N.A].B, Where, Signed).Is);
    if (!Apart || least(*Apart, Where, 0) < 0)
      return true;
  }
  for (bool Signed : {true, false}) {
    if (!(N.Flags & (Signed ? Node::NoSignedWrap : Node::NoUnsignedWrap)))
      continue;
    if (N.What == Op::zext) {
      const auto Range = rangeOf(Of.Nodes[N.A].Width - 1U, false);
      return !fits(resolve(N.A, Where, true).Is, Range, Where);
    }
    if (N.What == Op::counter      ? mayCounterWrap(N, Index, Signed, Where)
        : N.What == Op::multiplied ? mayPowerWrap(N, Signed, Where)
                                   : mayWrap(N, Signed, Where))
      return true;
  }
  switch (N.What) {
  case Op::udiv:
  case Op::urem:
  case Op::udivided:
    return mayDivideBadly(N, false, Where);
  case Op::sdiv:
  case Op::srem:
  case Op::sdivided:
    return mayDivideBadly(N, true, Where);
  case Op::shl:
  case Op::lshr:
  case Op::ashr:
    return most(resolve(N.B, Where, false).Is, Where, N.Width - 1) >=
           Int(N.Width);
  default:
    return false;
  }
}
