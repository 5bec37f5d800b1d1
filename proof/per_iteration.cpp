//===- proof/rounds.cpp - round by round, where all at once is too much ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stride that doubles is no sum of unknowns, but it takes few rounds. So what
// was not proven, and is about such a loop, is proven once for each of them:
// its rounds are 0, 1, ... up to the first at whose end it cannot come round
// again. Round 0 is always among them: what is behind a loop that does not run
// may be chosen among values of its own and others.
//
// Outer loops come first, so how often an inner one comes round is asked where
// theirs are chosen. Behind a loop its values are those of one of its rounds;
// that it was left says which.
//
//===----------------------------------------------------------------------===//
#include "proof/mentions.h"
#include "proof/prover.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace warpsan;

namespace {

/// Claims that were not proven.
class RoundByRound {
public:
  RoundByRound(const Claims &Of, const LaunchValues &Launch, int64_t Patience)
      : Of(Of), Launch(Launch), About(Of), In(Of.Loops.size()),
        Patience(Patience) {}

  struct Case {
    const Claim *Of;
    Verdict *To;                           ///< changed if it is proven
    Verdict Found = {true, {}, {}, false}; ///< of the rounds until now
    bool FoundAny = false;                 ///< of those in which it is reached
  };

  /// The loops to go through for \p C; empty if that would not help.
  std::vector<uint32_t> loopsFor(const Claim &C) const;
  void go(std::vector<Case> &Cases, const std::vector<uint32_t> &Loops);

private:
  void visit(uint32_t LoopIndex, uint64_t Wanted, uint64_t &Seen,
             std::vector<uint32_t> &To) const;
  void chooseFrom(std::span<Case *const> Cases, std::span<const uint32_t> Loops,
                  Prover &P);
  void judge(std::span<Case *const> Cases, Prover &P);

  /// Strides double or halve until 64 bits are through.
  static constexpr uint32_t MostRounds = 66;

  const Claims &Of;
  const LaunchValues &Launch;
  const Mentions About;
  Prover::Chosen In;
  int Tries = 600;      ///< choices that may still be made
  int Budget = 100'000; ///< steps, of all together
  int64_t Patience;     ///< likewise
};

} // namespace

/// \p LoopIndex, after those around it and those that it is about.
void RoundByRound::visit(uint32_t LoopIndex, uint64_t Wanted, uint64_t &Seen,
                         std::vector<uint32_t> &To) const {
  if (Seen >> LoopIndex & 1)
    return;
  Seen |= uint64_t(1) << LoopIndex;
  for (uint32_t At = Of.Loops[LoopIndex].Inside; At;
       At = Of.Loops[At - 1].Inside)
    visit(At - 1, Wanted, Seen, To);
  const uint64_t Needed = About.rounds(LoopIndex).All;
  for (uint32_t Other = 0; Other < Of.Loops.size(); ++Other)
    if (Needed >> Other & 1 && !isInside(Of, Other, LoopIndex))
      visit(Other, Wanted, Seen, To);
  if (Wanted >> LoopIndex & 1)
    To.push_back(LoopIndex);
}

std::vector<uint32_t> RoundByRound::loopsFor(const Claim &C) const {
  Mentions::Loops All = About.node(C.Offset);
  All |= About.chain(C.Where);
  // And what decides how often those come round, unless it is inside of them:
  // that is another one each time.
  for (uint64_t Before = 0; Before != All.All;) {
    Before = All.All;
    for (uint32_t I = 0; I < Of.Loops.size(); ++I) {
      if (!(Before >> I & 1))
        continue;
      const Mentions::Loops More = About.rounds(I);
      for (uint32_t Other = 0; Other < Of.Loops.size(); ++Other)
        if (More.All >> Other & 1 && !isInside(Of, Other, I)) {
          All.All |= uint64_t(1) << Other;
          All.Bent |= More.Bent & uint64_t(1) << Other;
        }
    }
  }
  std::vector<uint32_t> Order;
  uint64_t Seen = 0;
  for (uint32_t I = 0; I < Of.Loops.size(); ++I)
    if (All.Bent >> I & 1)
      visit(I, All.Bent, Seen, Order);
  for (size_t I = 0; I < Order.size(); ++I)
    for (size_t J = I + 1; J < Order.size(); ++J)
      if (isInside(Of, Order[I], Order[J]))
        return {};
  return Order;
}

void RoundByRound::judge(std::span<Case *const> Cases, Prover &P) {
  for (Case *Each : Cases) {
    const Verdict V = P.judge(*Each->Of);
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
    Join(All.Least, V.Least, [](auto A, auto B) { return std::min(A, B); });
    Join(All.Most, V.Most, [](auto A, auto B) { return std::max(A, B); });
    Each->FoundAny = true;
  }
}

/// \p P: with what was chosen until now.
void RoundByRound::chooseFrom(std::span<Case *const> Cases,
                              std::span<const uint32_t> Loops, Prover &P) {
  if (Loops.empty()) {
    judge(Cases, P);
    return;
  }
  const uint32_t LoopIndex = Loops.front();
  const Int Most = P.mostRounds(LoopIndex);
  for (uint32_t Round = 0;; ++Round) {
    std::vector<Case *> Left;
    for (Case *Each : Cases)
      if (Each->Found.Holds)
        Left.push_back(Each);
    if (Left.empty())
      break;
    if (Round > MostRounds || --Tries < 0 || Budget < 0 || Patience <= 0 ||
        (Most < Huge && Most > MostRounds)) {
      for (Case *Each : Left)
        Each->Found.Holds = false;
      break;
    }
    In[LoopIndex] = Round;
    Prover Here(Of, Launch, In, &About);
    const int Before = Here.budget();
    Here.patience() = Patience;
    std::erase_if(Left, [&](Case *Each) { return Here.isNever(*Each->Of); });
    if (!Left.empty())
      chooseFrom(Left, Loops.subspan(1), Here);
    const bool Ends = Here.isNever(Of.Loops[LoopIndex].Again);
    Budget -= Before - Here.budget();
    Patience = std::min(Patience, Here.patience());
    if (Ends)
      break;
  }
  In[LoopIndex].reset();
}

void RoundByRound::go(std::vector<Case> &Cases,
                      const std::vector<uint32_t> &Loops) {
  std::vector<Case *> All;
  for (Case &Each : Cases)
    All.push_back(&Each);
  Prover P(Of, Launch);
  chooseFrom(All, Loops, P);
  for (Case &Each : Cases)
    if (Each.Found.Holds)
      *Each.To = Each.Found;
}

static void proveRoundByRound(const Claims &Of, std::span<const Claim> Some,
                              const LaunchValues &Launch, int64_t Patience,
                              std::vector<Verdict> &Verdicts) {
  if (Of.Loops.empty() || Of.Loops.size() > Mentions::MostLoops ||
      std::ranges::all_of(Verdicts, &Verdict::Holds))
    return;
  RoundByRound Rounds(Of, Launch, Patience);
  std::map<std::vector<uint32_t>, std::vector<RoundByRound::Case>> ByLoops;
  for (size_t I = 0; I < Some.size(); ++I)
    if (!Verdicts[I].Holds)
      if (auto Loops = Rounds.loopsFor(Some[I]); !Loops.empty())
        ByLoops[Loops].push_back({&Some[I], &Verdicts[I]});
  for (auto &[Loops, Cases] : ByLoops)
    Rounds.go(Cases, Loops);
}

/// Judges the claims numbered \p Which, each by at most \p FactsOfOne: one that
/// is hard to decide does not take it from the others. Leaves in \p Which those
/// that more might have decided.
static void judgeEach(const Claims &Of, std::span<const Claim> Some,
                      const LaunchValues &Launch, int64_t FactsOfOne,
                      int64_t &Patience, std::vector<size_t> &Which,
                      std::vector<Verdict> &Verdicts) {
  constexpr int StepsOfOne = 5000;
  Prover P(Of, Launch);
  std::erase_if(Which, [&](size_t I) {
    P.budget() = std::max(P.budget(), StepsOfOne);
    const int64_t Before = P.patience() = std::min(Patience, FactsOfOne);
    Verdicts[I] = P.judge(Some[I]);
    Patience -= Before - P.patience();
    return Verdicts[I].Holds || P.patience() > 0;
  });
}

std::vector<Verdict> warpsan::prove(const Claims &Of,
                                    std::span<const Claim> Some,
                                    const LaunchValues &Launch) {
  // Facts to look at. A launch waits for this: some 10 ms.
  int64_t Patience = 1'000'000;
  std::vector<Verdict> Verdicts(Some.size());
  std::vector<size_t> Left(Some.size());
  std::iota(Left.begin(), Left.end(), 0);
  for (int64_t OfOne : {10'000, 1'000'000})
    if (!Left.empty() && Patience > 0)
      judgeEach(Of, Some, Launch, OfOne, Patience, Left, Verdicts);
  proveRoundByRound(Of, Some, Launch, Patience, Verdicts);
  return Verdicts;
}

bool warpsan::proveAll(const Claims &Of, std::span<const Claim> Some,
                       const LaunchValues &Launch) {
  return std::ranges::all_of(prove(Of, Some, Launch), &Verdict::Holds);
}
