//===- proof/facts.cpp - facts that hold under a condition ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"

#include <algorithm>
#include <utility>

using namespace warpsan;

/// Appends the facts that \p C states, by the values under its outer condition.
void Prover::addInfo(const Condition &C, std::vector<AffineExpr> &To) {
  using Predicate = Condition::Predicate;
  auto Know = [&](Int X, const AffineExpr &A, Int Y, const AffineExpr &B,
                  Int Plus) {
    if (auto Sum = combine(X, A, Y, B))
      if (auto Fact = combine(1, *Sum, 1, AffineExpr(Plus)))
        To.push_back(tightened(*Fact));
  };
  // Equal bits are equal as signed and as unsigned numbers; state both.
  const bool Either =
      C.Pred == Predicate::Equal || C.Pred == Predicate::NotEqual;
  for (bool Signed : {true, false}) {
    if (!Either &&
        Signed != (C.Pred == Predicate::SLT || C.Pred == Predicate::SLE))
      continue;
    const Value ValueA = resolve(C.A, C.Outer, Signed);
    const Value ValueB = resolve(C.B, C.Outer, Signed);
    if (ValueA.Unreachable ||
        ValueB.Unreachable) { // the comparison is unreachable
      To.push_back(AffineExpr(-1));
      return;
    }
    if (ValueA.Poison || ValueB.Poison) // a comparison of poison states nothing
      return;
    const AffineExpr &A = ValueA.Expr, &B = ValueB.Expr;
    switch (C.Pred) {
    case Predicate::None:
      break;
    case Predicate::Equal:
      Know(1, A, -1, B, 0);
      Know(-1, A, 1, B, 0);
      break;
    case Predicate::NotEqual:
      // Useful only at the end of a range.
      if (minOf(A, C.Outer) >= maxOf(B, C.Outer))
        Know(1, A, -1, B, -1);
      else if (maxOf(A, C.Outer) <= minOf(B, C.Outer))
        Know(-1, A, 1, B, -1);
      break;
    case Predicate::SLT:
    case Predicate::ULT:
      Know(-1, A, 1, B, -1);
      break;
    case Predicate::SLE:
    case Predicate::ULE:
      Know(-1, A, 1, B, 0);
      break;
    }
  }
}

FactSet Prover::assertedBy(const Condition &C) {
  std::vector<AffineExpr> Exprs;
  addInfo(C, Exprs);
  FactSet Asserts;
  for (const AffineExpr &Each : Exprs)
    Asserts.add({Each});
  return Asserts;
}

/// The facts that the condition itself states.
const FactSet &Prover::asserted(uint32_t Where) {
  Place &Here = Places[Where];
  if (Here.AssertsKnown || !Where)
    return Here.Asserts;
  if (CurrentAttempt) {
    auto [It, New] = CurrentAttempt->Asserts.try_emplace(Where);
    if (New) {
      It->second = assertedBy(Kernel.Conditions[Where]);
    }
    return It->second;
  }
  Here.AssertsKnown = true; // empty while it is computed
  auto Asserts = assertedBy(Kernel.Conditions[Where]);
  Here.Asserts = std::move(Asserts);
  return Here.Asserts;
}

/// The facts of \p Where and of all outer conditions.
std::vector<const FactSet *> Prover::facts(uint32_t Where) {
  std::vector<const FactSet *> All;
  auto Add = [&](const FactSet &Some) {
    if (!Some.empty())
      All.push_back(&Some);
  };
  for (uint32_t At = Where;; At = Kernel.Conditions[At].Outer) {
    Add(asserted(At));
    Add(Places[At].Definitions);
    if (CurrentAttempt)
      if (auto It = CurrentAttempt->Definitions.find(At);
          It != CurrentAttempt->Definitions.end())
        Add(It->second);
    if (!At)
      break;
  }
  return All;
}

/// Adds a fact that defines an unknown under \p Where. Elsewhere the unknown's
/// range may differ.
void Prover::addDefinition(const std::optional<AffineExpr> &NotNegative,
                           uint32_t Where, const AffineExpr &Owner) {
  if (NotNegative)
    (CurrentAttempt ? CurrentAttempt->Definitions[Where]
                    : Places[Where].Definitions)
        .add({tightened(*NotNegative),
              Owner.Count ? Owner.Terms[0].Unknown : Fact::NoOwner});
}

bool Prover::isUnreachable(uint32_t Where) {
  return std::ranges::any_of(facts(Where), &FactSet::isImpossible);
}

bool Prover::isImpossible(uint32_t Where) {
  if (isUnreachable(Where))
    return true;
  for (uint32_t At = Where; At; At = Kernel.Conditions[At].Outer)
    for (const Fact &Each : asserted(At).all())
      if (maxOf(Each.Expr, Kernel.Conditions[At].Outer, -1) < 0)
        return true;
  return false;
}
