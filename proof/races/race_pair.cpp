//===- proof/races/race_pair.cpp - can two accesses overlap? --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/races/race_pair.h"

#include <algorithm>
#include <set>

using namespace warpsan;
using Op = Node::Op;

/// Search steps of one bound. More decide hardly any pair more.
static constexpr int StepsOfBound = 2000;
/// Search steps to evaluate the offsets and conditions of one pair.
static constexpr int StepsOfValues = 20'000;
/// Cases of one pair, without the modulus rule and with it.
static constexpr int MaxCases = 100, MaxModulusCases = 300;

static Int magnitude(Int N) { return N < 0 ? -N : N; }

static std::optional<AffineExpr> plus(const AffineExpr &F, Int Added) {
  return combine(1, F, 1, AffineExpr(Added));
}

/// Not negative where \p F is positive.
static AffineExpr lessOne(const AffineExpr &F) {
  return plus(F, -1).value_or(F);
}

static AffineExpr negated(const AffineExpr &F) {
  return *combine(-1, F, 0, AffineExpr());
}

PairProver::PairProver(const TwoItems &Both, const LaunchValues &Launch,
                       Items Which, Prover::IterationMap Iterations,
                       const LoopDependence *Dependence)
    : Both(Both), Launch(Launch), Which(Which),
      P(Both.claims(), Launch, std::move(Iterations), Dependence) {
  if (Which == Items::OfGroup)
    P.shareGroup();
}

Int PairProver::minOf(const AffineExpr &F, Int Enough) {
  return -maxOf(negated(F), -Enough);
}

Int PairProver::maxOf(const AffineExpr &F, Int Enough) {
  const Int Alone = P.system().maxByRanges(F);
  if (F.isConstant() || Alone <= Enough || StepsLeft <= 0)
    return Alone;
  const int Before = P.budget() = std::min(StepsOfBound, StepsLeft);
  const Int Max = P.system().maxOf(F, Known, Enough);
  StepsLeft -= Before - std::max(P.budget(), 0);
  return Max;
}

bool PairProver::isZero(const AffineExpr &F) {
  return minOf(F, 0) >= 0 && maxOf(F, 0) <= 0;
}

/// \p Then, in the case that all of \p NotNegative are.
template <typename F>
bool PairProver::with(std::initializer_list<AffineExpr> NotNegative, F Then) {
  FactSet &Case = Cases.emplace_back();
  for (const AffineExpr &Each : NotNegative)
    Case.add({tightened(Each)});
  Known.push_back(&Case);
  const bool Result = Then();
  Known.pop_back();
  Cases.pop_back();
  return Result;
}

/// True if the case does not occur.
bool PairProver::isImpossible() const {
  return std::ranges::any_of(Known, &FactSet::isImpossible);
}

/// True if both work-items have this ID, in all dimensions.
bool PairProver::areEqual(Op Id) {
  for (uint32_t D = 0; D < 3; ++D) {
    if (Launch.Global[D] <= 1)
      continue;
    const auto Apart = combine(1, P.idOf(Id, D, 1), -1, P.idOf(Id, D, 0));
    if (!Apart || !isZero(*Apart))
      return false;
  }
  return true;
}

/// True if both accesses are of one work-item, or of one work-group if the
/// question is about different ones.
bool PairProver::isOneItem() {
  return areEqual(Op::global_id) ||
         areEqual(Which == Items::OfGroup ? Op::local_id : Op::group_id);
}

/// True if the accesses do not overlap: at the distance, from A's first byte to
/// B's, or at any that differs from it by a multiple of the coefficients.
bool PairProver::isFar(const AffineExpr &Distance) {
  Int Common = 0;
  for (const AffineExpr::Term &T : Distance.terms())
    for (Int Other = magnitude(T.Coeff); Other != 0;)
      Other = std::exchange(Common, Other) % Other;
  if (Common) {
    const Int Rest = ((Distance.Constant % Common) + Common) % Common;
    if (Rest >= BytesA && Common - Rest >= BytesB)
      return true;
  }
  return minOf(Distance, BytesA) >= BytesA ||
         maxOf(Distance, -BytesB) <= -BytesB;
}

/// Congruent to \p Distance modulo \p Modulus, with numbers of the smallest
/// magnitude.
static AffineExpr restOf(const AffineExpr &Distance, Int Modulus) {
  auto Center = [&](Int N) {
    const Int Rest = ((N % Modulus) + Modulus) % Modulus;
    return Rest > Modulus / 2 ? Rest - Modulus : Rest;
  };
  AffineExpr Result(Center(Distance.Constant));
  for (const AffineExpr::Term &T : Distance.terms())
    if (const Int Coeff = Center(T.Coeff))
      Result.Terms[Result.Count++] = {T.Unknown, Coeff};
  return Result;
}

/// True if no multiple of \p Modulus is so near to \p Rest that the accesses
/// overlap: it stays between two of them.
bool PairProver::misses(const AffineExpr &Rest, Int Modulus) {
  const Int Min = minOf(Rest);
  if (Min <= -Unbounded)
    return false;
  const Int Above = (floorDivide(Min - BytesA, Modulus) + 1) * Modulus;
  return maxOf(Rest, Above - BytesB) <= Above - BytesB;
}

/// The same by the sign of \p Rest. Where it is zero, the distance is zero or
/// at least the modulus.
bool PairProver::missesInParts(const AffineExpr &Distance,
                               const AffineExpr &Rest, Int Modulus) {
  const Int Min = minOf(Rest), Max = maxOf(Rest);
  const auto Multiple = combine(1, Distance, -1, Rest);
  if (Min <= -2 * Modulus || Max >= 2 * Modulus || !Multiple)
    return false;
  auto Holds = [&] {
    return isImpossible() || misses(Rest, Modulus) || isFar(Distance) ||
           isOneItem();
  };
  if (Max > 0 && !with({lessOne(Rest)}, Holds))
    return false;
  if (Min < 0 && !with({lessOne(negated(Rest))}, Holds))
    return false;
  if (Min > 0 || Max < 0)
    return true;
  return with({Rest, negated(Rest)}, [&] {
    if (isImpossible() || minOf(*Multiple, 1) > 0 || maxOf(*Multiple, -1) < 0)
      return true;
    return with({*Multiple, negated(*Multiple)}, Holds);
  });
}

/// True if the accesses do not overlap modulo a coefficient. \p Divides: cases
/// may be made.
bool PairProver::missesModulo(const AffineExpr &Distance, bool Divides) {
  std::set<Int, std::greater<>> Moduli;
  for (const AffineExpr::Term &T : Distance.terms())
    if (magnitude(T.Coeff) >= BytesA + BytesB)
      Moduli.insert(magnitude(T.Coeff));
  for (const Int Modulus : Moduli)
    if (misses(restOf(Distance, Modulus), Modulus))
      return true;
  if (!Divides)
    return false;
  for (const Int Modulus : Moduli) {
    const AffineExpr Rest = restOf(Distance, Modulus);
    if (Rest.Count >= 2 && Rest != Distance &&
        missesInParts(Distance, Rest, Modulus))
      return true;
  }
  return false;
}

/// True if the accesses never overlap, in the cases that \p Left divides the
/// current one into. \p First: it is the whole question.
bool PairProver::search(const AffineExpr &Distance, Splits Left, bool First) {
  if (--CasesLeft < 0 || P.factBudget() <= 0 || StepsLeft <= 0)
    return false;
  if (isImpossible() || isFar(Distance))
    return true;
  if (UsesModulus && (isOneItem() || missesModulo(Distance, First)))
    return true;
  for (; !Left.empty(); Left = Left.subspan(1)) {
    const AffineExpr &Apart = Left.front().Difference;
    const Int Min = minOf(Apart), Max = maxOf(Apart);
    if (Min == 0 && Max == 0)
      continue;
    const Splits Rest = Left.subspan(1);
    auto Recurse = [&] { return search(Distance, Rest, false); };
    if (Max > 0 && !with({lessOne(Apart)}, Recurse))
      return false;
    if (Min < 0 && !with({lessOne(negated(Apart))}, Recurse))
      return false;
    if (Min > 0 || Max < 0)
      return true;
    // Equal: the terms with both cancel out.
    AffineExpr Less = Distance;
    if (Apart.Count)
      if (const Int Coeff = Distance.coeffOf(Apart.Terms[0].Unknown);
          Coeff % Apart.Terms[0].Coeff == 0)
        if (auto Without =
                combine(1, Distance, -(Coeff / Apart.Terms[0].Coeff), Apart);
            Without && Without->Count < Distance.Count)
          Less = *Without;
    // What defines the unknowns that cancel out, as i = d * q + r defines q,
    // only helps where they are there.
    return with({Apart, negated(Apart)}, [&] {
      return (Less != Distance && isFar(Distance)) || search(Less, Rest, false);
    });
  }
  return !UsesModulus && isOneItem();
}

/// What to compare, that with the largest coefficient first.
std::vector<PairProver::Split>
PairProver::splitsOf(const AffineExpr &Distance) {
  std::vector<Split> Found;
  std::vector<bool> Taken(Distance.Count);
  for (bool Twins : {true, false})
    for (uint32_t I = 0; I < Distance.Count; ++I)
      for (uint32_t J = I + 1; J < Distance.Count && !Taken[I]; ++J) {
        const AffineExpr::Term &A = Distance.Terms[I], &B = Distance.Terms[J];
        if (Taken[J] || A.Coeff != -B.Coeff ||
            (Twins &&
             !P.areTwins(A.Unknown, B.Unknown, Both.nodes(), Both.loops())))
          continue;
        Found.push_back({*combine(1, AffineExpr::unknown(A.Unknown), -1,
                                  AffineExpr::unknown(B.Unknown)),
                         magnitude(A.Coeff)});
        Taken[I] = Taken[J] = true;
      }
  std::ranges::stable_sort(Found, std::greater<>(), &Split::Coeff);
  // IDs that only conditions are about.
  for (uint32_t D = 0; D < 3; ++D)
    for (const Op Id : {Op::group_id, Op::local_id, Op::global_id}) {
      if (Launch.Global[D] <= 1 || (Id == Op::global_id) != !Launch.Local[D])
        continue;
      const auto Apart = combine(1, P.idOf(Id, D, 1), -1, P.idOf(Id, D, 0));
      if (Apart && Apart->Count == 2 &&
          std::ranges::none_of(Apart->terms(), [&](const auto &T) {
            return Distance.coeffOf(T.Unknown) != 0;
          }))
        Found.push_back({*Apart, 0});
    }
  return Found;
}

bool PairProver::areApart(const RaceAccess &A, const RaceAccess &B, Int Shift,
                          std::span<const RelatedLoop> Related) {
  const uint32_t WhereB = Both.condition(B.Where);
  P.budget() = StepsOfValues;
  const Value AtA = P.numberAt(A.Offset, A.Where);
  const Value AtB = P.numberAt(Both.node(B.Offset), WhereB);
  if (AtA.Unreachable || AtB.Unreachable || P.isUnreachable(A.Where) ||
      P.isUnreachable(WhereB))
    return true;
  auto Distance = combine(1, AtB.Expr, -1, AtA.Expr);
  if (Distance)
    Distance = plus(*Distance, Shift);
  if (AtA.Poison || AtB.Poison || !Distance)
    return false;
  BytesA = static_cast<Int>(A.Bytes);
  BytesB = static_cast<Int>(B.Bytes);

  // IDs may add definitions.
  for (uint32_t D = 0; D < 3; ++D)
    for (const unsigned Item : {0U, 1U})
      P.idOf(Op::global_id, D, Item);
  std::vector<AffineExpr> Equal;
  for (const RelatedLoop &Each : Related) {
    const auto Between = combine(1, P.iterationAt(Each.LoopIndex), -1,
                                 P.iterationAt(Both.loop(Each.LoopIndex)));
    if (auto Zero = Between ? plus(*Between, -Each.Apart) : Between)
      Equal.push_back(*Zero);
  }
  Known = P.factsAt(A.Where);
  for (const FactSet *Each : P.factsAt(WhereB))
    if (std::ranges::find(Known, Each) == Known.end())
      Known.push_back(Each);
  Cases.clear();
  FactSet &Iterations = Cases.emplace_back();
  for (const AffineExpr &Zero : Equal) {
    if (minOf(Zero, 1) > 0 || maxOf(Zero, -1) < 0)
      return true;
    Iterations.add({tightened(Zero)});
    Iterations.add({tightened(negated(Zero))});
    // Write work-item 0's iteration for work-item 1's.
    for (const AffineExpr::Term &T : Zero.terms())
      if (T.Coeff == -1)
        if (auto Less =
                combine(1, *Distance, Distance->coeffOf(T.Unknown), Zero))
          Distance = Less;
  }
  Known.push_back(&Iterations);

  const std::vector<Split> All = splitsOf(*Distance);
  UsesModulus = false;
  CasesLeft = MaxCases;
  if (search(*Distance, All, true))
    return true;
  UsesModulus = true;
  CasesLeft = MaxModulusCases;
  return search(*Distance, All, true);
}
