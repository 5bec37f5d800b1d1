//===- proof/races/races.cpp - can work-items of a launch race? -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/races/races.h"

#include "proof/races/race_iterations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace warpsan;
using Items = PairProver::Items;

const char *warpsan::invalidReason(const RaceClaims &Races, const Claims &C) {
  for (const std::vector<uint32_t> &Some : Races.Loops)
    if (std::ranges::any_of(Some,
                            [&](uint32_t L) { return L >= C.Loops.size(); }))
      return "a loop with barriers is not there";
  for (const RaceAccess &A : Races.Accesses) {
    if (A.Where >= C.Conditions.size() || A.Offset >= C.Nodes.size())
      return "an access is about what is not there";
    if (A.Bytes == 0 || A.Bytes > INT64_MAX)
      return "an access has no bytes";
    if (A.Certain > C.Conditions.size() || A.InLoop > C.Loops.size())
      return "an access is certain where nothing is";
    for (const RaceArrival &Each : A.Arrivals)
      if (Each.Iterations.size() != Races.loopsOf(A).size() ||
          std::ranges::any_of(Each.Iterations, [](uint8_t Which) {
            return Which > RaceArrival::LastIteration;
          }))
        return "an access is in no iteration";
  }
  return nullptr;
}

namespace {

/// Facts that all pairs of a launch may visit, and one question; and search
/// steps. The launch waits for the answers.
constexpr int64_t MaxFacts = 2'000'000, MaxFactsOfQuestion = 200'000;
constexpr int MaxSteps = 400'000, MaxStepsOfQuestion = 100'000;

/// Which accesses of one launch may race.
class RaceProver {
public:
  RaceProver(const Claims &Kernel, const RaceClaims &Races,
             const LaunchValues &Launch, std::span<const ArgPlace> Places)
      : Races(Races), Launch(Launch), Places(Places), Both(Kernel) {}

  bool mayConflict(const RaceAccess &A, const RaceAccess &B, Items Which) const;
  bool mayRace(const RaceAccess &A, const RaceAccess &B, Items Which);

private:
  /// How far B's memory is behind that of A, in bytes. None if the accesses
  /// cannot overlap: they are to different memories.
  std::optional<Int> shiftOf(const RaceAccess &A, const RaceAccess &B) const;
  /// True if its memory has no byte that could be accessed.
  bool isEmpty(const RaceAccess &A) const {
    return A.Arg >= 0 && !A.IsLocal &&
           static_cast<size_t>(A.Arg) < Launch.Args.size() &&
           !Launch.Args[static_cast<size_t>(A.Arg)].Size;
  }
  bool isUnknown(const RaceAccess &A) const {
    return A.Arg >= 0 && !A.IsLocal &&
           (static_cast<size_t>(A.Arg) >= Places.size() ||
            static_cast<size_t>(A.Arg) >= Launch.Args.size() ||
            !Places[static_cast<size_t>(A.Arg)].Memory);
  }
  std::set<std::vector<RelatedLoop>> intervalsOf(const RaceAccess &A,
                                                 const RaceAccess &B) const;
  bool areApart(const RaceAccess &A, const RaceAccess &B, Int Shift,
                Items Which, const std::vector<RelatedLoop> &Related);

  const RaceClaims &Races;
  const LaunchValues &Launch;
  const std::span<const ArgPlace> Places;
  const TwoItems Both;
  std::optional<PairProver> Provers[2]; ///< by Items
  std::optional<RaceIterations> ByIteration;
  int64_t FactsLeft = MaxFacts;
  int StepsLeft = MaxSteps;
  using Question = std::tuple<uint32_t, uint32_t, uint64_t, uint32_t, uint32_t,
                              uint64_t, Int, Items, std::vector<RelatedLoop>>;
  std::map<Question, bool> Answers;
};

} // namespace

/// True if the accesses race if they overlap and are not ordered.
bool RaceProver::mayConflict(const RaceAccess &A, const RaceAccess &B,
                             Items Which) const {
  if (!A.Writes && !B.Writes)
    return false;
  if (A.IsLocal != B.IsLocal)
    return false;
  if (&A == &B && A.StoresConstant)
    return false;
  if (Which == Items::OfGroups)
    return !A.IsLocal && !(A.AtomicOfGroups && B.AtomicOfGroups);
  return !(A.AtomicInGroup && B.AtomicInGroup);
}

std::optional<Int> RaceProver::shiftOf(const RaceAccess &A,
                                       const RaceAccess &B) const {
  // Variables and local arguments are memories of their own.
  if (A.Arg < 0 || B.Arg < 0 || A.IsLocal) {
    if (A.Arg != B.Arg || (A.Arg < 0 && A.Variable != B.Variable))
      return std::nullopt;
    return 0;
  }
  const auto ArgA = static_cast<size_t>(A.Arg),
             ArgB = static_cast<size_t>(B.Arg);
  const ArgPlace &PlaceA = Places[ArgA], &PlaceB = Places[ArgB];
  if (PlaceA.Memory != PlaceB.Memory)
    return std::nullopt;
  const Int FirstA = PlaceA.First, FirstB = PlaceB.First;
  if (FirstA + Launch.Args[ArgA].Size <= FirstB ||
      FirstB + Launch.Args[ArgB].Size <= FirstA)
    return std::nullopt;
  return FirstB - FirstA;
}

/// What is known of the iterations of both accesses in each interval between
/// barriers that may have both. Empty if none may. An access that nothing
/// arrives at is not described: it may be in any interval.
std::set<std::vector<RelatedLoop>>
RaceProver::intervalsOf(const RaceAccess &A, const RaceAccess &B) const {
  using Arrival = RaceArrival;
  const std::vector<uint32_t> &Loops = Races.loopsOf(A);
  std::set<std::vector<RelatedLoop>> Found;
  if (A.Arrivals.empty() || B.Arrivals.empty())
    Found.insert(std::vector<RelatedLoop>());
  for (const Arrival &ToA : A.Arrivals)
    for (const Arrival &ToB : B.Arrivals) {
      if (ToA.Barrier != ToB.Barrier)
        continue;
      std::vector<RelatedLoop> Related;
      for (size_t I = 0; I < Loops.size(); ++I) {
        const uint8_t InA = ToA.Iterations[I], InB = ToB.Iterations[I];
        auto AreBoth = [&](uint8_t X, uint8_t Y) {
          return (InA == X || InA == Y) && (InB == X || InB == Y);
        };
        if (AreBoth(Arrival::Same, Arrival::Next) ||
            AreBoth(Arrival::First, Arrival::Second))
          Related.push_back({Loops[I], InA - InB});
      }
      Found.insert(std::move(Related));
    }
  return Found;
}

bool RaceProver::areApart(const RaceAccess &A, const RaceAccess &B, Int Shift,
                          Items Which,
                          const std::vector<RelatedLoop> &Related) {
  const auto [It, New] =
      Answers.try_emplace({A.Where, A.Offset, A.Bytes, B.Where, B.Offset,
                           B.Bytes, Shift, Which, Related},
                          false);
  if (!New || FactsLeft <= 0 || StepsLeft <= 0)
    return It->second;
  std::optional<PairProver> &P = Provers[Which == Items::OfGroup ? 0 : 1];
  if (!P)
    P.emplace(Both, Launch, Which,
              Prover::IterationMap(Both.claims().Loops.size()), nullptr);
  const int64_t Facts = std::min(FactsLeft, MaxFactsOfQuestion);
  const int Steps = std::min(StepsLeft, MaxStepsOfQuestion);
  P->factBudget() = Facts;
  P->stepBudget() = Steps;
  It->second = P->areApart(A, B, Shift, Related);
  FactsLeft -= Facts - P->factBudget();
  StepsLeft -= Steps - P->stepBudget();
  const size_t Loops = Both.claims().Loops.size();
  if (!It->second && Loops && Loops <= LoopDependence::MaxLoops) {
    if (!ByIteration)
      ByIteration.emplace(Both, Launch);
    It->second = ByIteration->areApart(A, B, Shift, Which, Related, FactsLeft,
                                       StepsLeft);
  }
  return It->second;
}

/// True if accesses that conflict may overlap, and are not ordered.
bool RaceProver::mayRace(const RaceAccess &A, const RaceAccess &B,
                         Items Which) {
  Int Shift = 0;
  if (isUnknown(A) || isUnknown(B))
    return true;
  if (isEmpty(A) || isEmpty(B))
    return false;
  if (const auto Its = shiftOf(A, B))
    Shift = *Its;
  else
    return false;
  if (Which == Items::OfGroups)
    return !areApart(A, B, Shift, Which, {});
  return std::ranges::any_of(intervalsOf(A, B), [&](const auto &Related) {
    return !areApart(A, B, Shift, Which, Related);
  });
}

/// Calls \p Found with each pair that may race, unless \p IsKnown is true of
/// it.
template <typename Skip, typename Use>
static void eachPossibleRace(const Claims &Kernel, const RaceClaims &Races,
                             const LaunchValues &Launch,
                             std::span<const ArgPlace> Places, Skip IsKnown,
                             Use Found) {
  RaceProver P(Kernel, Races, Launch, Places);
  const std::vector<RaceAccess> &All = Races.Accesses;
  for (uint32_t I = 0; I < All.size(); ++I)
    for (uint32_t J = I; J < All.size(); ++J)
      for (const Items Which : {Items::OfGroups, Items::OfGroup})
        if (!IsKnown(I, J) && P.mayConflict(All[I], All[J], Which) &&
            P.mayRace(All[I], All[J], Which))
          Found(I, J, Which == Items::OfGroups);
}

std::vector<PossibleRace>
warpsan::possibleRaces(const Claims &Kernel, const RaceClaims &Races,
                       const LaunchValues &Launch,
                       std::span<const ArgPlace> Places) {
  std::vector<PossibleRace> All;
  eachPossibleRace(
      Kernel, Races, Launch, Places, [](uint32_t, uint32_t) { return false; },
      [&](uint32_t A, uint32_t B, bool BetweenGroups) {
        All.push_back({A, B, BetweenGroups});
      });
  return All;
}

std::vector<uint32_t> warpsan::racingSites(const Claims &Kernel,
                                           const RaceClaims &Races,
                                           const LaunchValues &Launch,
                                           std::span<const ArgPlace> Places) {
  const std::vector<RaceAccess> &All = Races.Accesses;
  std::set<uint32_t> Sites;
  eachPossibleRace(
      Kernel, Races, Launch, Places,
      [&](uint32_t A, uint32_t B) {
        return Sites.contains(All[A].Site) && Sites.contains(All[B].Site);
      },
      [&](uint32_t A, uint32_t B, bool) {
        Sites.insert({All[A].Site, All[B].Site});
      });
  return {Sites.begin(), Sites.end()};
}
