//===- proof/prove.cpp - are all accesses of a launch in bounds? ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"

#include <algorithm>

using namespace warpsan;
using Op = Node::Op;

Value Prover::inRange(Int Min, Int Max, bool Exact) {
  if (Min == Max)
    return {AffineExpr(Min), Exact};
  return {AffineExpr::unknown(System.add(Min, Max)), Exact};
}

/// Any number that fits the node's width; always the same unknown.
Value Prover::unconstrained(uint32_t NodeIndex, bool Signed) {
  auto [It, New] = Unconstrained.try_emplace({NodeIndex, Signed});
  if (New) {
    auto [Min, Max] = rangeOf(Kernel.Nodes[NodeIndex].Width, Signed);
    It->second = System.add(Min, Max);
  }
  return {AffineExpr::unknown(It->second), false};
}

Value Prover::value(uint32_t NodeIndex, uint32_t Where) {
  Place &Here = Places[Where];
  if (Here.Values.empty())
    Here.Values.assign(Kernel.Nodes.size(), -1);
  if (int32_t Index = Here.Values[NodeIndex]; Index >= 0)
    return Found[static_cast<size_t>(Index)];
  if (CurrentAttempt)
    if (auto It = CurrentAttempt->Values.find({NodeIndex, Where});
        It != CurrentAttempt->Values.end())
      return It->second;
  if (--System.Budget < 0 || System.FactBudget <= 0) {
    Value V = unconstrained(NodeIndex, true);
    V.Poison = true;
    return V;
  }
  Value V;
  bool Better = true;
  if (Where) {
    V = value(NodeIndex, Kernel.Conditions[Where].Outer);
    Better = !V.Exact && !V.Unreachable;
  }
  if (Better) {
    asserted(Where);
    const Node &N = Kernel.Nodes[NodeIndex];
    const Value New = limited(make(N, NodeIndex, Where), NodeIndex, Where);
    // A value that is not poison under the outer condition is not poison here.
    const bool Poison = !New.Unreachable && (!Where || V.Poison) &&
                        mayBePoison(N, NodeIndex, Where);
    // Keep the outer value if it is as precise: facts refer to its unknowns.
    if (!Where || New.Exact || New.Unreachable ||
        minOf(New.Expr, Where) > minOf(V.Expr, Where) ||
        maxOf(New.Expr, Where) < maxOf(V.Expr, Where))
      V = New;
    V.Poison = Poison;
    V.Exact &= !Poison; // a stronger condition may exclude poison
  }
  if (CurrentAttempt) {
    CurrentAttempt->Values.insert_or_assign({NodeIndex, Where}, V);
  } else {
    Here.Values[NodeIndex] = static_cast<int32_t>(Found.size());
    Found.push_back(V);
  }
  return V;
}

/// \p V, or the node's unconstrained value if conditions bound that and \p V
/// may have wrapped.
Value Prover::limited(Value V, uint32_t NodeIndex, uint32_t Where) {
  const unsigned Width = Kernel.Nodes[NodeIndex].Width;
  auto Fits = [&](bool Signed) {
    const auto [Min, Max] = rangeOf(Width, Signed);
    return isInRange(V.Expr, Min, Max, Where);
  };
  if (V.Expr.Count < 2 || Fits(true) || Fits(false))
    return V;
  V.Exact = false; // a stronger condition may refine it
  for (bool Signed : {true, false})
    if (Unconstrained.contains({NodeIndex, Signed})) {
      const Value Said = unconstrained(NodeIndex, Signed);
      const auto [Low, High] = rangeOf(Width, Signed);
      if (isInRange(Said.Expr, Low + 1, High, Where) ||
          isInRange(Said.Expr, Low, High - 1, Where))
        return Said;
    }
  return V;
}

/// The node's bits read as a signed or unsigned number.
Value Prover::resolve(uint32_t NodeIndex, uint32_t Where, bool Signed) {
  const Value V = value(NodeIndex, Where);
  if (V.Unreachable)
    return V;
  Value Number = numberOf(V, NodeIndex, Where, Signed);
  Number.Poison = V.Poison;
  return Number;
}

/// The same; \p Found: the node's value there.
Value Prover::numberOf(const Value &Found, uint32_t NodeIndex, uint32_t Where,
                       bool Signed) {
  Value V = Found;
  const unsigned Width = Kernel.Nodes[NodeIndex].Width;
  const auto [Min, Max] = rangeOf(Width, Signed);
  // Constants are converted exactly.
  if (V.Expr.isConstant()) {
    const Int Bits = V.Expr.Constant & (powerOfTwo(Width) - 1);
    return {AffineExpr(Bits > Max ? Bits - powerOfTwo(Width) : Bits), V.Exact};
  }
  // A number known to be small in the other reading is the same in both.
  const Int Small = powerOfTwo(Width - 1) - 1;
  if (Unconstrained.contains({NodeIndex, !Signed}))
    if (Value Other = unconstrained(NodeIndex, !Signed);
        isInRange(Other.Expr, 0, Small, Where))
      return Other;
  if (isInRange(V.Expr, Min, Max, Where)) {
    // A stronger condition may bound the other reading.
    const Op Opcode = Kernel.Nodes[NodeIndex].Opcode;
    V.Exact &=
        Opcode != Op::opaque && Opcode != Op::mixed && Opcode != Op::loaded;
    return V;
  }
  if (isOpen(V.Expr)) {
    CurrentAttempt->Assumed.push_back({V.Expr, Min, Max});
    return {V.Expr, false};
  }
  return unconstrained(NodeIndex, Signed);
}

bool Prover::holds(const Claim &C) {
  if (isUnreachable(C))
    return true;
  Int Size = static_cast<Int>(C.Size);
  if (C.Arg >= 0) {
    if (static_cast<size_t>(C.Arg) >= Launch.Args.size())
      return false;
    const LaunchValues::Arg &A = Launch.Args[static_cast<size_t>(C.Arg)];
    if ((C.Reads && !A.Readable) || (C.Writes && !A.Writable))
      return false;
    Size = static_cast<Int>(A.Size);
  }
  const Value At = value(C.Offset, C.Where);
  if (At.Poison)
    return false;
  const AffineExpr &Offset = At.Expr;
  const Int Align = static_cast<Int>(C.Align);
  if (Offset.Constant % Align ||
      std::ranges::any_of(Offset.terms(), [&](const AffineExpr::Term &T) {
        return T.Coeff % Align != 0;
      }))
    return false;
  return isInRange(Offset, 0, Size - static_cast<Int>(C.Bytes), C.Where);
}

Verdict Prover::judge(const Claim &C) {
  Verdict V;
  V.Holds = holds(C);
  const Value At = value(C.Offset, C.Where);
  V.MayOverflow = At.Poison;
  const AffineExpr &Offset = At.Expr;
  auto Small = [](Int N) -> std::optional<int64_t> {
    if (N < INT64_MIN || N > INT64_MAX)
      return std::nullopt;
    return static_cast<int64_t>(N);
  };
  V.Min = Small(minOf(Offset, C.Where));
  V.Max = Small(maxOf(Offset, C.Where));
  return V;
}

bool Prover::areTwins(uint32_t A, uint32_t B, uint32_t Nodes,
                      uint32_t Loops) const {
  auto Are = [&](std::optional<uint32_t> First,
                 std::optional<uint32_t> Second) {
    return First && Second &&
           ((First == A && Second == B) || (First == B && Second == A));
  };
  for (size_t Which = 0; Which < 3; ++Which)
    for (size_t D = 0; D < 3; ++D)
      if (Ids[0][Which][D] && Ids[1][Which][D] &&
          Are(Ids[0][Which][D] - 1, Ids[1][Which][D] - 1))
        return true;
  for (size_t I = 0; I < Loops; ++I)
    if (Are(TripCounts[I].Unknown, TripCounts[I + Loops].Unknown))
      return true;
  return std::ranges::any_of(Unconstrained, [&](const auto &Each) {
    const auto &[NodeIndex, Signed] = Each.first;
    const auto Other = Unconstrained.find({NodeIndex + Nodes, Signed});
    return Other != Unconstrained.end() && Are(Each.second, Other->second);
  });
}
