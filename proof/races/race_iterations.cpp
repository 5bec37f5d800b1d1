//===- proof/races/race_iterations.cpp - pairs of accesses by iteration ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/races/race_iterations.h"

#include <algorithm>

using namespace warpsan;

/// The loops to choose iterations of, outer ones first.
std::vector<RaceIterations::Choice>
RaceIterations::choicesFor(const Question &Q) const {
  const Claims &All = Both.claims();
  LoopDependence::Loops Of = Dependence.node(Q.A.Offset);
  Of |= Dependence.chain(Q.A.Where);
  Of |= Dependence.node(Both.node(Q.B.Offset));
  Of |= Dependence.chain(Both.condition(Q.B.Where));
  auto IsWanted = [&](uint32_t L) { return (Of.NonAffine >> L & 1) != 0; };
  auto DepthOf = [&](uint32_t L) {
    unsigned Depth = 0;
    for (uint32_t At = All.Loops[L].Parent; At; At = All.Loops[At - 1].Parent)
      ++Depth;
    return Depth;
  };
  std::vector<Choice> Choices;
  for (uint32_t L = 0; L < Both.loops(); ++L) {
    const uint32_t Other = Both.loop(L);
    const auto It = std::ranges::find(Q.Related, L, &RelatedLoop::LoopIndex);
    if (It != Q.Related.end() && (IsWanted(L) || IsWanted(Other)))
      Choices.push_back({L, *It, DepthOf(L)});
    else
      for (const uint32_t Each : {L, Other})
        if (IsWanted(Each))
          Choices.push_back({Each, std::nullopt, DepthOf(L)});
  }
  std::ranges::stable_sort(Choices, {}, &Choice::Depth);
  return Choices;
}

/// \p Iterations: those chosen so far.
bool RaceIterations::choose(Question &Q, std::span<const Choice> Left,
                            Prover::IterationMap &Iterations) {
  if (--Q.Tries < 0 || Q.Facts <= 0 || Q.Steps <= 0)
    return false;
  if (Left.empty()) {
    PairProver P(Both, Launch, Q.Which, Iterations, &Dependence);
    P.factBudget() = Q.Facts;
    P.stepBudget() = Q.Steps;
    const bool Apart = P.areApart(Q.A, Q.B, Q.Shift, Q.Related);
    Q.Facts = P.factBudget();
    Q.Steps = P.stepBudget();
    return Apart;
  }
  const Choice &Now = Left.front();
  std::optional<uint32_t> &Mine = Iterations[Now.LoopIndex];
  bool Ends = false, Holds = true;
  for (uint32_t I = 0; Holds && !Ends; ++I) {
    Mine = I;
    Holds = I <= MaxIterations;
    if (Holds && Now.Other) {
      const int Theirs = static_cast<int>(I) - Now.Other->Apart;
      if (Theirs < 0)
        continue; // it has no such iteration
      Iterations[Both.loop(Now.LoopIndex)] = static_cast<uint32_t>(Theirs);
    }
    Holds = Holds && choose(Q, Left.subspan(1), Iterations);
    if (!Holds)
      break;
    // After an iteration whose latch does not branch back there is none.
    Prover P(Both.claims(), Launch, Iterations, &Dependence);
    P.factBudget() = Q.Facts;
    Ends = P.isUnreachable(Both.claims().Loops[Now.LoopIndex].LatchCond);
    Q.Facts = std::min(Q.Facts, P.factBudget());
  }
  Mine.reset();
  if (Now.Other)
    Iterations[Both.loop(Now.LoopIndex)].reset();
  return Holds;
}

bool RaceIterations::areApart(const RaceAccess &A, const RaceAccess &B,
                              Int Shift, PairProver::Items Which,
                              std::span<const RelatedLoop> Related,
                              int64_t &Facts, int &Steps) {
  Question Q{A, B, Shift, Which, Related, Facts, Steps};
  const std::vector<Choice> Choices = choicesFor(Q);
  if (Choices.empty())
    return false;
  Prover::IterationMap Iterations(Both.claims().Loops.size());
  return choose(Q, Choices, Iterations);
}
