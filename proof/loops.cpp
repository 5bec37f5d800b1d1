//===- proof/loops.cpp - how often a loop comes round, and what that means ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"
#include "proof/walk.h"

#include <algorithm>
#include <utility>

using namespace warpsan;
using Op = Node::Op;

/// A step of -1 is a large number, too.
Int Prover::signedStep(const Node &Counter, const Form &Step) {
  const Int Bits = Step.Constant & (powerOfTwo(Counter.Width) - 1);
  return Bits < powerOfTwo(Counter.Width - 1)
             ? Bits
             : Bits - powerOfTwo(Counter.Width);
}

Value Prover::makeCounter(const Node &N, uint32_t Index, uint32_t Where) {
  const Value Start = value(N.A, Where), Step = value(N.B, Where);
  if (!Step.Is.isConstant())
    return travelled(N, Index, Start);
  const Int By = signedStep(N, Step.Is);
  const auto LoopIndex = static_cast<uint32_t>(N.Value);
  if (const auto Chosen = In[LoopIndex]) {
    if (auto Is = combine(1, Start.Is, By, Form(Int(*Chosen))))
      return {*Is, Start.Clean};
    return anything(Index, true);
  }
  const uint32_t Round = roundsOf(LoopIndex);
  if (auto Is = combine(1, Start.Is, By, Form::unknown(Round)))
    return {*Is, Start.Clean && Known[Round].Most < Huge};
  return anything(Index, true);
}

/// Goes up by the same with each round, but it is only known between what: as
/// an unknown of its own, between so many times the rounds.
Value Prover::travelled(const Node &N, uint32_t Index, const Value &Start) {
  const auto LoopIndex = static_cast<uint32_t>(N.Value);
  const uint32_t Around = Of.Loops[LoopIndex].Around;
  // A step that hangs on a loop may rest on what is not shown yet.
  for (uint32_t I = 0; I < Of.Loops.size(); ++I)
    if (In[I] || mentions(N.B, I))
      return anything(Index, true);
  const auto Found = TravelOf.find(Index);
  // While something is assumed, what the step is may rest on it.
  if (Found == TravelOf.end() && Trying)
    return anything(Index, true);
  auto [It, New] = TravelOf.try_emplace(Index);
  if (New) {
    const Form By = resolve(N.B, Around, true).Is;
    const Int Least = least(By, Around), Most = most(By, Around);
    if (Least < 1 || Most >= Huge)
      return anything(Index, true);
    const uint32_t Round = roundUnknown(LoopIndex);
    It->second = Known.add(0, Huge);
    Travels[*It->second] = {Round, Least, Most};
    const Form Way = Form::unknown(*It->second), R = Form::unknown(Round);
    for (auto Fact : {combine(1, Way, -Least, R), combine(Most, R, -1, Way)})
      Places[0].Made.add({*Fact, *It->second});
  }
  if (!It->second)
    return anything(Index, true);
  const uint32_t Round = roundsOf(LoopIndex);
  if (auto Is = combine(1, Start.Is, 1, Form::unknown(*It->second)))
    return {*Is, Start.Clean && Known[Round].Most < Huge};
  return anything(Index, true);
}

/// \p NotNegative, at least, with rounds instead of what counters have come
/// that are not known better.
std::optional<Form> Prover::inRounds(Form NotNegative) const {
  for (const auto &[Way, Is] : Travels) {
    const Int Times = NotNegative.timesOf(Way);
    if (Times == 0)
      continue;
    auto Less = combine(1, NotNegative, -Times, Form::unknown(Way));
    auto More = Less ? combine(Times < 0 ? Is.Least : Is.Most,
                               *combine(Times, Form::unknown(Is.Round), 0, {}),
                               1, *Less)
                     : Less;
    if (!More)
      return std::nullopt;
    NotNegative = *More;
  }
  return NotNegative;
}

uint32_t Prover::roundUnknown(uint32_t LoopIndex) {
  Round &R = Rounds[LoopIndex];
  if (!R.Unknown)
    R.Unknown = Known.add(0, Huge);
  return *R.Unknown;
}

/// How often the loop has come round, as an unknown.
uint32_t Prover::roundsOf(uint32_t LoopIndex) {
  Round &R = Rounds[LoopIndex];
  roundUnknown(LoopIndex);
  if (R.Is != Round::New)
    return *R.Unknown;
  R.Is = Round::Looking;
  // Inside of another attempt a failure says nothing: more is known later.
  const bool Bounded = boundRounds(LoopIndex);
  R.Is = Bounded || !Trying ? Round::Done : Round::New;
  if (Bounded && Trying)
    Trying->Bounded.push_back(LoopIndex);
  return *R.Unknown;
}

/// Whether what changes with the loop's rounds is part of the calculation.
bool Prover::mentions(uint32_t NodeIndex, uint32_t LoopIndex) {
  return anyBelow(Of, {NodeIndex}, [&](uint32_t, const Node &N) {
    return isOfLoop(N.What) && N.Value == LoopIndex;
  });
}

/// True if \p C, of the end of each round, is about a loop inside of this one
/// whose round was chosen: in other rounds that came round another time.
bool Prover::isOfOneMoment(const Condition &C, uint32_t LoopIndex) {
  if (!About)
    return false;
  const uint64_t Others =
      About->withRounds(About->node(C.A).All | About->node(C.B).All);
  for (uint32_t Other = 0; Other < In.size(); ++Other)
    if (In[Other] && Others >> Other & 1 && isInside(Of, Other, LoopIndex))
      return true;
  return false;
}

/// What must hold at the end of a round for another to come, as far as it is
/// about the loop's counters. What is needed to understand it is known where
/// the loop begins, or it is not used.
std::vector<Condition> Prover::endsOf(uint32_t LoopIndex) {
  const Loop &L = Of.Loops[LoopIndex];
  std::vector<Condition> All;
  for (uint32_t At = L.Again; At && At != L.Around;
       At = Of.Conditions[At].Outer) {
    Condition C = Of.Conditions[At];
    C.Outer = L.Around;
    if ((mentions(C.A, LoopIndex) || mentions(C.B, LoopIndex)) &&
        !isOfOneMoment(C, LoopIndex))
      All.push_back(C);
  }
  return All;
}

/// Each condition by itself may say that rounds end; with one bound, another
/// may be found.
bool Prover::boundRounds(uint32_t LoopIndex) {
  if (!Trying)
    facts(Of.Loops[LoopIndex].Around); // known without an attempt: is kept
  std::vector<Condition> Left = endsOf(LoopIndex);
  bool Bounded = false;
  for (bool More = true; More;) {
    const size_t Used = std::erase_if(
        Left, [&](const Condition &C) { return boundBy(C, LoopIndex); });
    Bounded |= Used > 0;
    More = Used > 0 && !Left.empty();
  }
  if (Bounded)
    learnFromRounds(LoopIndex);
  return Bounded;
}

/// Another round comes only after one in which \p C, of Again, held. It is
/// compared as if the counters never wrapped around; with the bound that
/// follows, it is shown that up to there they do not. So the first round that
/// could wrap around never comes.
bool Prover::boundBy(const Condition &C, uint32_t LoopIndex) {
  Attempt Mine;
  Attempt *Outer = std::exchange(Trying, &Mine);
  const uint32_t Unknown = *Rounds[LoopIndex].Unknown;
  Open.push_back(Unknown);
  const Int Most = roundsAfter(C, LoopIndex);
  Open.pop_back();
  Trying = Outer;
  // How often they come round was found by what is not shown yet.
  for (uint32_t Other : Mine.Bounded) {
    Rounds[Other].Is = Round::New;
    Known[*Rounds[Other].Unknown].Most = Huge;
  }
  const Int Before = Known[Unknown].Most;
  if (Most >= Huge)
    return false;
  Known[Unknown].Most = std::min(Before, Most);
  for (const Assumption &A : Mine.Assumed)
    if (!isBetween(A.Is, A.Least, A.Most, C.Outer)) {
      Known[Unknown].Most = Before;
      return false;
    }
  return true;
}

/// True if an unknown of \p F stands for what the loop's counters are part of:
/// it is another number in each round, and how it changes is not known.
bool Prover::changesOtherwise(const Form &F, uint32_t LoopIndex) {
  return std::ranges::any_of(Anything,
                             [&](const auto &Each) {
                               return F.timesOf(Each.second) != 0 &&
                                      mentions(Each.first.first, LoopIndex);
                             }) ||
         hasTravelled(F, *Rounds[LoopIndex].Unknown);
}

/// What \p C says of a round at whose end it held, of a loop whose counters do
/// not wrap around.
std::vector<Form> Prover::factsOfRound(const Condition &C, uint32_t LoopIndex) {
  std::vector<Form> Facts;
  if (C.What != Condition::Kind::NotEqual) {
    addFacts(C, Facts);
    return Facts;
  }
  if (C.SteadyIn != LoopIndex + 1)
    return Facts;
  // What comes nearer by one each round, and stops when it is there.
  const uint32_t Unknown = *Rounds[LoopIndex].Unknown;
  const Value A = resolve(C.A, C.Outer, true), B = resolve(C.B, C.Outer, true);
  auto Left = combine(-1, A.Is, 1, B.Is);
  if (!Left || A.Poison || B.Poison || changesOtherwise(*Left, LoopIndex))
    return Facts;
  const Int Step = Left->timesOf(Unknown);
  auto Start = combine(1, *Left, -Step, Form::unknown(Unknown));
  if (Start && Step == -1 && least(*Start, C.Outer, 0) >= 0)
    Facts.push_back(*combine(1, *Left, 1, Form(-1)));
  else if (Start && Step == 1 && most(*Start, C.Outer, 0) <= 0)
    Facts.push_back(*combine(-1, *Left, 1, Form(-1)));
  return Facts;
}

/// Huge if nothing can be said.
Int Prover::roundsAfter(const Condition &C, uint32_t LoopIndex) {
  const uint32_t Unknown = *Rounds[LoopIndex].Unknown;
  Int Best = Huge;
  for (const Form &Each : factsOfRound(C, LoopIndex)) {
    const auto Fact = inRounds(Each);
    const Int Step = Fact ? Fact->timesOf(Unknown) : 0;
    if (Step >= 0)
      continue;
    // Fact = Rest + Step * round, not negative
    auto Rest = combine(1, *Fact, -Step, Form::unknown(Unknown));
    const Int Most = Rest ? most(*Rest, C.Outer) : Huge;
    if (Most < Huge)
      Best = std::min(Best, std::max<Int>(floorDivide(Most, -Step) + 1, 0));
  }
  return Best;
}

/// In any round but the first, Again held at the end of the one before. So what
/// nothing but the counters changes relates the round to other unknowns, though
/// the loop is tested at its end only. The first round comes whatever Again
/// says: there the same must follow from what is known where the loop begins,
/// or as much less is known of all.
void Prover::learnFromRounds(uint32_t LoopIndex) {
  const uint32_t Unknown = *Rounds[LoopIndex].Unknown;
  for (const Condition &C : endsOf(LoopIndex)) {
    if (C.SteadyIn != LoopIndex + 1)
      continue;
    for (const Form &Fact : factsOfRound(C, LoopIndex)) {
      const Int Step = Fact.timesOf(Unknown);
      if (Step >= 0 || Fact.Count < 2 || changesOtherwise(Fact, LoopIndex))
        continue;
      auto Before = combine(1, Fact, 1, Form(-Step)); // of round - 1
      auto First =
          Before ? combine(1, *Before, -Step, Form::unknown(Unknown)) : Before;
      const Int Short = First ? -least(*First, C.Outer, 0) : Huge;
      if (Short < Huge)
        know(combine(1, *Before, 1, Form(std::max<Int>(Short, 0))), C.Outer,
             Form::unknown(Unknown));
    }
  }
}

/// Something in \p F goes on with each of these rounds.
bool Prover::hasTravelled(const Form &F, uint32_t Round) const {
  return std::ranges::any_of(Travels, [&](const auto &Each) {
    return Each.second.Round == Round && F.timesOf(Each.first) != 0;
  });
}
