//===- proof/affine.cpp - affine expressions and their bounds -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/affine.h"

#include <algorithm>
#include <utility>

using namespace warpsan;

AffineExpr AffineExpr::unknown(uint32_t Unknown) {
  AffineExpr F;
  F.Terms[0] = {Unknown, 1};
  F.Count = 1;
  return F;
}

Int AffineExpr::coeffOf(uint32_t Unknown) const {
  for (const Term &T : terms())
    if (T.Unknown == Unknown)
      return T.Coeff;
  return 0;
}

static bool isUnbounded(Int N) { return N >= Unbounded || N <= -Unbounded; }

/// Result = A * X + B * Y. False if that is unbounded.
static bool sum(Int A, Int X, Int B, Int Y, Int &Result) {
  Int Left, Right;
  return !__builtin_mul_overflow(A, X, &Left) &&
         !__builtin_mul_overflow(B, Y, &Right) &&
         !__builtin_add_overflow(Left, Right, &Result) && !isUnbounded(Result);
}

std::optional<AffineExpr> warpsan::combine(Int A, const AffineExpr &X, Int B,
                                           const AffineExpr &Y) {
  AffineExpr Sum;
  if (!sum(A, X.Constant, B, Y.Constant, Sum.Constant))
    return std::nullopt;
  size_t I = 0, J = 0;
  while (I < X.Count || J < Y.Count) {
    const uint32_t Left = I < X.Count ? X.Terms[I].Unknown : UINT32_MAX;
    const uint32_t Right = J < Y.Count ? Y.Terms[J].Unknown : UINT32_MAX;
    const uint32_t Unknown = std::min(Left, Right);
    Int Coeff;
    if (!sum(A, Left == Unknown ? X.Terms[I++].Coeff : 0, B,
             Right == Unknown ? Y.Terms[J++].Coeff : 0, Coeff))
      return std::nullopt;
    if (Coeff == 0)
      continue;
    if (Sum.Count == AffineExpr::MaxTerms)
      return std::nullopt;
    Sum.Terms[Sum.Count++] = {Unknown, Coeff};
  }
  return Sum;
}

Int warpsan::floorDivide(Int N, Int By) {
  return N >= 0 ? N / By : -((-N + By - 1) / By);
}

static Int greatestCommonDivisor(Int A, Int B) {
  while (B != 0)
    A = std::exchange(B, A % B);
  return A < 0 ? -A : A;
}

/// The GCD of the coefficients of \p F.
static Int commonFactor(const AffineExpr &F) {
  Int Common = 0;
  for (const AffineExpr::Term &T : F.terms())
    Common = greatestCommonDivisor(Common, T.Coeff);
  return Common;
}

AffineExpr warpsan::tightened(AffineExpr NotNegative) {
  if (const Int Common = commonFactor(NotNegative); Common > 1)
    NotNegative.Constant = floorDivide(NotNegative.Constant, Common) * Common;
  return NotNegative;
}

uint32_t ConstraintSystem::add(Int Min, Int Max) {
  All.push_back({Min, Max});
  return static_cast<uint32_t>(All.size() - 1);
}

/// The maximum of \p F if \p RangeOf returns each unknown's range.
template <typename Lookup>
static Int maxBy(const AffineExpr &F, Lookup RangeOf) {
  Int Max = F.Constant;
  for (const AffineExpr::Term &T : F.terms()) {
    const ConstraintSystem::Range &R = RangeOf(T.Unknown);
    if (!sum(1, Max, T.Coeff, T.Coeff > 0 ? R.Max : R.Min, Max))
      return Unbounded;
  }
  return Max;
}

Int ConstraintSystem::maxNow(const AffineExpr &F) const {
  return maxBy(F,
               [&](uint32_t Unknown) -> const Range & { return now(Unknown); });
}

Int ConstraintSystem::maxByRanges(const AffineExpr &F) const {
  return maxBy(F,
               [&](uint32_t Unknown) -> const Range & { return All[Unknown]; });
}

Int ConstraintSystem::minByRanges(const AffineExpr &F) const {
  const auto Minus = combine(-1, F, 0, AffineExpr());
  return Minus ? -maxByRanges(*Minus) : -Unbounded;
}

namespace {
/// Sum is at least By times the original expression.
struct Multiple {
  AffineExpr Sum;
  Int By;
};
} // namespace

/// Eliminates the unknown of \p T: By * \p F plus a multiple of \p NotNegative,
/// so at least By * \p F. None if the numbers are too large.
static std::optional<Multiple> without(const AffineExpr::Term &T,
                                       const AffineExpr &F,
                                       const AffineExpr &NotNegative) {
  const Int Coeff = NotNegative.coeffOf(T.Unknown);
  const Int By = Coeff > 0 ? Coeff : -Coeff;
  const Int Add = T.Coeff > 0 ? T.Coeff : -T.Coeff;
  if (auto Sum = combine(By, F, Add, NotNegative))
    return Multiple{*Sum, By};
  return std::nullopt;
}

/// True if \p NotNegative, with several unknowns, can eliminate that of \p T.
static bool reduces(const AffineExpr::Term &T, const AffineExpr &NotNegative) {
  const Int Coeff = NotNegative.coeffOf(T.Unknown);
  return Coeff != 0 && (Coeff > 0) != (T.Coeff > 0) && NotNegative.Count != 1;
}

/// Adds multiples of facts to eliminate unknowns, by a search of limited depth.
Int ConstraintSystem::search(const AffineExpr &F, Int Enough, int Depth) {
  Int Best = maxNow(F);
  if (Depth == 0 || Best <= Enough)
    return Best;
  for (const AffineExpr::Term &T : F.terms())
    for (const AffineExpr *C : Useful) {
      if (!reduces(T, *C))
        continue;
      if (--Budget < 0)
        return Best;
      const auto Less = without(T, F, *C);
      if (!Less)
        continue;
      Int Wanted;
      if (__builtin_mul_overflow(Enough, Less->By, &Wanted))
        Wanted = -Unbounded;
      const Int Max = search(Less->Sum, Wanted, Depth - 1);
      if (Max < Unbounded)
        Best = std::min(Best, floorDivide(Max, Less->By));
      if (Best <= Enough)
        return Best;
    }
  return Best;
}

/// The same by greedy descent: fast, and works for expressions with many
/// unknowns.
Int ConstraintSystem::descend(const AffineExpr &F, Int Enough) {
  AffineExpr At = F;
  Int Scale = 1, Best = maxNow(F);
  for (size_t Step = 0; Step < AffineExpr::MaxTerms && Best > Enough; ++Step) {
    std::optional<AffineExpr> Next;
    Int NextScale = 0, NextBest = Best;
    for (const AffineExpr::Term &T : At.terms())
      for (const AffineExpr *C : Useful) {
        if (!reduces(T, *C))
          continue;
        if (--Budget < 0)
          return Best;
        const auto Less = without(T, At, *C);
        Int All;
        if (!Less || __builtin_mul_overflow(Scale, Less->By, &All) ||
            All >= Unbounded)
          continue;
        const Int Max = maxNow(Less->Sum);
        if (Max < Unbounded && floorDivide(Max, All) < NextBest) {
          NextBest = floorDivide(Max, All);
          NextScale = All;
          Next = Less->Sum;
        }
      }
    if (!Next)
      break;
    At = *Next;
    Scale = NextScale;
    Best = NextBest;
  }
  return Best;
}

void FactSet::index(uint32_t Number) {
  const Fact &F = All[Number];
  if (F.Owner != Fact::NoOwner)
    ByUnknown[F.Owner].push_back(Number);
  else
    for (const AffineExpr::Term &T : F.Expr.terms())
      ByUnknown[T.Unknown].push_back(Number);
}

void FactSet::add(const Fact &New) {
  Impossible |= New.Expr.isConstant() && New.Expr.Constant < 0;
  All.push_back(New);
  if (All.size() == Few)
    for (uint32_t I = 0; I < Few; ++I)
      index(I);
  else if (All.size() > Few)
    index(static_cast<uint32_t>(All.size() - 1));
}

std::span<const uint32_t> FactSet::about(uint32_t Unknown) const {
  auto It = ByUnknown.find(Unknown);
  return It == ByUnknown.end() ? std::span<const uint32_t>()
                               : std::span<const uint32_t>(It->second);
}

/// Selects the facts that can help to bound \p F: those about its unknowns,
/// about unknowns in these facts, and so on.
void ConstraintSystem::choose(const AffineExpr &F, Facts Known) {
  ++Asked;
  Marks.resize(All.size());
  Useful.clear();
  Work.clear();
  auto Reach = [&](const AffineExpr &Expr) {
    for (const AffineExpr::Term &T : Expr.terms())
      if (std::exchange(Marks[T.Unknown].Reached, Asked) != Asked)
        Work.push_back(T.Unknown);
  };
  auto IsUseful = [&](const Fact &Each) {
    if (Each.Owner != Fact::NoOwner)
      return Marks[Each.Owner].Reached == Asked;
    return std::ranges::any_of(Each.Expr.terms(),
                               [&](const AffineExpr::Term &T) {
                                 return Marks[T.Unknown].Reached == Asked;
                               });
  };
  auto Take = [&](const Fact &Each) {
    Each.TakenFor = Asked;
    Useful.push_back(&Each.Expr);
    Reach(Each.Expr);
  };
  Reach(F);
  Left.clear();
  bool AnyIndexed = false;
  for (const FactSet *Set : Known)
    if (Set->isIndexed())
      AnyIndexed = true;
    else
      for (const Fact &Each : Set->all())
        Left.push_back(&Each);
  for (bool More = true; More && FactBudget > 0;) {
    More = false;
    FactBudget -= static_cast<int64_t>(Left.size());
    std::erase_if(Left, [&](const Fact *Each) {
      if (!IsUseful(*Each))
        return false;
      Take(*Each);
      return More = true;
    });
    for (; AnyIndexed && !Work.empty() && FactBudget > 0; More = true) {
      const uint32_t Unknown = Work.back();
      Work.pop_back();
      for (const FactSet *Set : Known) {
        --FactBudget;
        if (!Set->isIndexed())
          continue;
        for (uint32_t Number : Set->about(Unknown)) {
          --FactBudget;
          if (const Fact &Each = Set->all()[Number]; Each.TakenFor != Asked)
            Take(Each);
        }
      }
    }
  }
}

ConstraintSystem::Range &ConstraintSystem::narrowed(uint32_t Unknown) {
  Mark &M = Marks[Unknown];
  if (M.Narrowed != Asked) {
    M.Narrowed = Asked;
    M.Now = All[Unknown];
  }
  return M.Now;
}

void ConstraintSystem::narrow() {
  for (const AffineExpr *C : Useful) {
    if (C->Count != 1)
      continue;
    const Int Coeff = C->Terms[0].Coeff; // Constant + Coeff * unknown >= 0
    Range &R = narrowed(C->Terms[0].Unknown);
    if (Coeff > 0)
      R.Min = std::max(R.Min, -floorDivide(C->Constant, Coeff));
    else
      R.Max = std::min(R.Max, floorDivide(C->Constant, -Coeff));
  }
}

static constexpr int MaxDepth = 3;

Int ConstraintSystem::searchBoth(const AffineExpr &F, Int Enough) {
  const Int Max = descend(F, Enough);
  return Max <= Enough ? Max : std::min(Max, search(F, Enough, MaxDepth));
}

/// Uses the narrowed ranges.
Int ConstraintSystem::maxOfWhole(const AffineExpr &F, Int Enough) {
  // Constant + Common * an integer.
  const Int Common = commonFactor(F);
  if (Common < 2)
    return searchBoth(F, Enough);
  AffineExpr Whole = F;
  Whole.Constant = 0;
  for (size_t I = 0; I < Whole.Count; ++I)
    Whole.Terms[I].Coeff /= Common;
  Int Max = searchBoth(Whole, floorDivide(Enough - F.Constant, Common));
  return Max < Unbounded && sum(1, F.Constant, Common, Max, Max) ? Max
                                                                 : Unbounded;
}

Int ConstraintSystem::maxOf(const AffineExpr &F, Facts Known, Int Enough) {
  choose(F, Known);
  narrow();
  const Int Max = maxOfWhole(F, Enough);
  if (Max <= Enough || Enough <= -Unbounded || F.Count < 2)
    return Max;
  // Unknowns are integers: the bound of one alone may be tighter than its bound
  // in the sum.
  for (const AffineExpr::Term &T : F.terms()) {
    Range &R = narrowed(T.Unknown);
    AffineExpr Alone = AffineExpr::unknown(T.Unknown);
    if (T.Coeff < 0)
      Alone.Terms[0].Coeff = -1;
    const Int Limit = search(Alone, -Unbounded, MaxDepth);
    if (T.Coeff > 0)
      R.Max = std::min(R.Max, Limit);
    else
      R.Min = std::max(R.Min, -Limit);
  }
  return std::min(Max, maxOfWhole(F, Enough));
}

Int ConstraintSystem::minOf(const AffineExpr &F, Facts Known, Int Enough) {
  std::optional<AffineExpr> Minus = combine(-1, F, 0, AffineExpr());
  if (!Minus)
    return -Unbounded;
  return -maxOf(*Minus, Known, -Enough);
}
