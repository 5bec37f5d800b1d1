//===- proof/per_iteration.cpp - proofs for each iteration of a loop ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stride that doubles is not affine, but its loop has few iterations. Claims
// that depend on such a loop, and were not proven, are proven once per
// iteration: 0, 1, ... up to the first after which the latch cannot branch
// back. Iteration 0 is always included: after a loop that does not run, a
// select may choose between its values and others.
//
// Outer loops come first, so the trip count of an inner loop is computed with
// their iterations fixed. After a loop, its values are those of one of its
// iterations. The exit condition says which.
//
//===----------------------------------------------------------------------===//
#include "proof/loop_dependence.h"
#include "proof/prover.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace warpsan;

namespace {

/// Proves the claims that were not proven for all iterations at once.
class PerIteration {
public:
  PerIteration(const Claims &Kernel, const LaunchValues &Launch,
               int64_t FactBudget)
      : Kernel(Kernel), Launch(Launch), Dependence(Kernel),
        Iterations(Kernel.Loops.size()), FactBudget(FactBudget) {}

  struct Case {
    const Claim *Obligation;
    Verdict *Result;                       ///< replaced if it is proven
    Verdict Found = {true, {}, {}, false}; ///< over the iterations so far
    bool FoundAny = false;                 ///< an iteration reached the claim
  };

  /// The loops to enumerate for \p C, outermost first. Empty if that would not
  /// help.
  std::vector<uint32_t> loopsFor(const Claim &C) const;
  void prove(std::vector<Case> &Cases, const std::vector<uint32_t> &Loops);

private:
  void visit(uint32_t LoopIndex, uint64_t Wanted, uint64_t &Seen,
             std::vector<uint32_t> &To) const;
  void chooseFrom(std::span<Case *const> Cases, std::span<const uint32_t> Loops,
                  Prover &P);
  void judge(std::span<Case *const> Cases, Prover &P);

  /// Strides that double or halve take at most 64 iterations, plus the ends.
  static constexpr uint32_t MaxIterations = 66;

  const Claims &Kernel;
  const LaunchValues &Launch;
  const LoopDependence Dependence;
  Prover::IterationMap Iterations;
  int Tries = 600;      ///< iterations that may still be tried
  int Budget = 100'000; ///< search steps, in total
  int64_t FactBudget;   ///< facts to visit, in total
};

} // namespace

/// Appends \p LoopIndex after its parents and the loops it depends on.
void PerIteration::visit(uint32_t LoopIndex, uint64_t Wanted, uint64_t &Seen,
                         std::vector<uint32_t> &To) const {
  if (Seen >> LoopIndex & 1)
    return;
  Seen |= uint64_t(1) << LoopIndex;
  for (uint32_t At = Kernel.Loops[LoopIndex].Parent; At;
       At = Kernel.Loops[At - 1].Parent)
    visit(At - 1, Wanted, Seen, To);
  const uint64_t Needed = Dependence.tripCount(LoopIndex).All;
  for (uint32_t Other = 0; Other < Kernel.Loops.size(); ++Other)
    if (Needed >> Other & 1 && !isNestedIn(Kernel, Other, LoopIndex))
      visit(Other, Wanted, Seen, To);
  if (Wanted >> LoopIndex & 1)
    To.push_back(LoopIndex);
}

std::vector<uint32_t> PerIteration::loopsFor(const Claim &C) const {
  LoopDependence::Loops All = Dependence.node(C.Offset);
  All |= Dependence.chain(C.Where);
  // Add the loops that decide their trip counts, except nested ones: those
  // differ in each iteration.
  for (uint64_t Before = 0; Before != All.All;) {
    Before = All.All;
    for (uint32_t I = 0; I < Kernel.Loops.size(); ++I) {
      if (!(Before >> I & 1))
        continue;
      const LoopDependence::Loops More = Dependence.tripCount(I);
      for (uint32_t Other = 0; Other < Kernel.Loops.size(); ++Other)
        if (More.All >> Other & 1 && !isNestedIn(Kernel, Other, I)) {
          All.All |= uint64_t(1) << Other;
          All.NonAffine |= More.NonAffine & uint64_t(1) << Other;
        }
    }
  }
  std::vector<uint32_t> Order;
  uint64_t Seen = 0;
  for (uint32_t I = 0; I < Kernel.Loops.size(); ++I)
    if (All.NonAffine >> I & 1)
      visit(I, All.NonAffine, Seen, Order);
  for (size_t I = 0; I < Order.size(); ++I)
    for (size_t J = I + 1; J < Order.size(); ++J)
      if (isNestedIn(Kernel, Order[I], Order[J]))
        return {};
  return Order;
}

void PerIteration::judge(std::span<Case *const> Cases, Prover &P) {
  for (Case *Each : Cases) {
    const Verdict V = P.judge(*Each->Obligation);
    Verdict &All = Each->Found;
    auto Join = [&](auto &To, const auto &New, auto Which) {
      if (!Each->FoundAny)
        To = New;
      else if (To && New)
        To = Which(*To, *New);
      else
        To.reset();
    };
    All.Holds &= V.Holds;
    All.MayOverflow |= V.MayOverflow;
    Join(All.Min, V.Min, [](auto A, auto B) { return std::min(A, B); });
    Join(All.Max, V.Max, [](auto A, auto B) { return std::max(A, B); });
    Each->FoundAny = true;
  }
}

/// Enumerates the iterations of the remaining loops. \p P: the prover for the
/// iterations fixed so far.
void PerIteration::chooseFrom(std::span<Case *const> Cases,
                              std::span<const uint32_t> Loops, Prover &P) {
  if (Loops.empty()) {
    judge(Cases, P);
    return;
  }
  const uint32_t LoopIndex = Loops.front();
  const Int Max = P.maxIteration(LoopIndex);
  for (uint32_t Iteration = 0;; ++Iteration) {
    std::vector<Case *> Left;
    for (Case *Each : Cases)
      if (Each->Found.Holds)
        Left.push_back(Each);
    if (Left.empty())
      break;
    if (Iteration > MaxIterations || --Tries < 0 || Budget < 0 ||
        FactBudget <= 0 || (Max < Unbounded && Max > MaxIterations)) {
      for (Case *Each : Left)
        Each->Found.Holds = false;
      break;
    }
    Iterations[LoopIndex] = Iteration;
    Prover Here(Kernel, Launch, Iterations, &Dependence);
    const int Before = Here.budget();
    Here.factBudget() = FactBudget;
    std::erase_if(Left, [&](Case *Each) {
      return Here.isUnreachable(*Each->Obligation);
    });
    if (!Left.empty())
      chooseFrom(Left, Loops.subspan(1), Here);
    const bool Ends = Here.isUnreachable(Kernel.Loops[LoopIndex].LatchCond);
    Budget -= Before - Here.budget();
    FactBudget = std::min(FactBudget, Here.factBudget());
    if (Ends)
      break;
  }
  Iterations[LoopIndex].reset();
}

void PerIteration::prove(std::vector<Case> &Cases,
                         const std::vector<uint32_t> &Loops) {
  std::vector<Case *> All;
  for (Case &Each : Cases)
    All.push_back(&Each);
  Prover P(Kernel, Launch);
  chooseFrom(All, Loops, P);
  for (Case &Each : Cases)
    if (Each.Found.Holds)
      *Each.Result = Each.Found;
}

static void provePerIteration(const Claims &Kernel, std::span<const Claim> Some,
                              const LaunchValues &Launch, int64_t FactBudget,
                              std::vector<Verdict> &Verdicts) {
  if (Kernel.Loops.empty() || Kernel.Loops.size() > LoopDependence::MaxLoops ||
      std::ranges::all_of(Verdicts, &Verdict::Holds))
    return;
  PerIteration Remaining(Kernel, Launch, FactBudget);
  std::map<std::vector<uint32_t>, std::vector<PerIteration::Case>> ByLoops;
  for (size_t I = 0; I < Some.size(); ++I)
    if (!Verdicts[I].Holds)
      if (auto Loops = Remaining.loopsFor(Some[I]); !Loops.empty())
        ByLoops[Loops].push_back({&Some[I], &Verdicts[I]});
  for (auto &[Loops, Cases] : ByLoops)
    Remaining.prove(Cases, Loops);
}

/// Judges the claims with the indices \p Which, each with at most \p FactsOfOne
/// facts: a hard one must not use up the budget. Leaves in \p Which the claims
/// that a larger budget might decide.
static void judgeEach(const Claims &Kernel, std::span<const Claim> Some,
                      const LaunchValues &Launch, int64_t FactsOfOne,
                      int64_t &FactBudget, std::vector<size_t> &Which,
                      std::vector<Verdict> &Verdicts) {
  constexpr int StepsOfOne = 5000;
  Prover P(Kernel, Launch);
  std::erase_if(Which, [&](size_t I) {
    P.budget() = std::max(P.budget(), StepsOfOne);
    const int64_t Before = P.factBudget() = std::min(FactBudget, FactsOfOne);
    Verdicts[I] = P.judge(Some[I]);
    FactBudget -= Before - P.factBudget();
    return Verdicts[I].Holds || P.factBudget() > 0;
  });
}

std::vector<Verdict> warpsan::prove(const Claims &Kernel,
                                    std::span<const Claim> Some,
                                    const LaunchValues &Launch) {
  // Facts to visit. The launch waits for this: about 10 ms.
  int64_t FactBudget = 1'000'000;
  std::vector<Verdict> Verdicts(Some.size());
  std::vector<size_t> Left(Some.size());
  std::iota(Left.begin(), Left.end(), 0);
  for (int64_t OfOne : {10'000, 1'000'000})
    if (!Left.empty() && FactBudget > 0)
      judgeEach(Kernel, Some, Launch, OfOne, FactBudget, Left, Verdicts);
  provePerIteration(Kernel, Some, Launch, FactBudget, Verdicts);
  return Verdicts;
}
