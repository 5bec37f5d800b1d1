//===- proof/prover.h - what one launch knows of a kernel -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of proof/ itself: others ask by prove.h.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_PROVER_H
#define WARPSAN_PROOF_PROVER_H

#include "proof/forms.h"
#include "proof/mentions.h"
#include "proof/prove.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warpsan {

/// A node's value: congruent to Is modulo 2^width.
struct Value {
  Form Is;
  /// Nothing was given up on the way: inside of further conditions it is no
  /// better.
  bool Clean = true;
  /// It is not calculated at all: no work-item gets there.
  bool Never = false;
  /// By undefined behavior it may be no value at all: nothing follows from it.
  bool Poison = false;
};

/// What \p Width bits can say.
inline std::pair<Int, Int> rangeOf(unsigned Width, bool Signed) {
  if (!Signed)
    return {Int(0), powerOfTwo(Width) - 1};
  return {-powerOfTwo(Width - 1), powerOfTwo(Width - 1) - 1};
}

class Prover {
public:
  /// By loop: how often it has come round, where that is taken to be known.
  using Chosen = std::vector<std::optional<uint32_t>>;

  Prover(const Claims &Of, const LaunchValues &Launch)
      : Prover(Of, Launch, Chosen(Of.Loops.size()), nullptr) {}
  /// What is proven then is true of the moments at which the loops of \p In
  /// have come round so often. \p About is not null if any is chosen.
  Prover(const Claims &Of, const LaunchValues &Launch, Chosen In,
         const Mentions *About)
      : Of(Of), Launch(Launch), In(std::move(In)), About(About),
        Places(Of.Conditions.size()), Rounds(Of.Loops.size()) {}

  bool holds(const Claim &C);
  Verdict judge(const Claim &C);
  /// No work-item gets where \p Where holds.
  bool isNever(uint32_t Where);
  /// The same, by a search: costs more, and finds more.
  bool isImpossible(uint32_t Where);
  bool isNever(const Claim &C) {
    return isNever(C.Where) || value(C.Offset, C.Where).Never;
  }
  /// At most so often the loop comes round; Huge if nothing can be said.
  Int mostRounds(uint32_t LoopIndex) { return Known[roundsOf(LoopIndex)].Most; }

  /// Steps that may still be taken.
  int &budget() { return Known.Budget; }
  int64_t &patience() { return Known.Patience; }

private:
  /// What was found out where a condition holds.
  struct Place {
    std::vector<int32_t> Values; ///< by node: index into Found, or -1
    FactSet Says;                ///< since the condition holds
    FactSet Made;                ///< by how unknowns were made
    bool HasSaid = false;        ///< Says is complete
  };
  struct Round {
    enum { New, Looking, Done } Is = New;
    std::optional<uint32_t> Unknown;
  };
  /// That a form is between two numbers, used before it was shown.
  struct Assumption {
    Form Is;
    Int Least, Most;
  };
  /// While a loop's rounds are looked for, its counters are taken to fit, which
  /// is shown afterwards. Nothing that rests on that is kept.
  struct Attempt {
    std::vector<Assumption> Assumed;
    std::map<std::pair<uint32_t, uint32_t>, Value> Values; ///< node, place
    std::map<uint32_t, FactSet> Says, Made;                ///< by place
    std::vector<uint32_t> Bounded; ///< other loops, meanwhile
  };

  Value value(uint32_t NodeIndex, uint32_t Where);
  Value make(const Node &N, uint32_t Index, uint32_t Where);
  Value makeEither(const Node &N, uint32_t Index, uint32_t Where);
  Value makeBits(const Node &N, uint32_t Index, uint32_t Where);
  Value makeLeaf(const Node &N, uint32_t Index);
  Value makeCounter(const Node &N, uint32_t Index, uint32_t Where);
  Value makeStepped(const Node &N, uint32_t Index, uint32_t Where);
  Value travelled(const Node &N, uint32_t Index, const Value &Start);
  std::optional<Form> inRounds(Form NotNegative) const;
  bool hasTravelled(const Form &F, uint32_t Round) const;
  Value makeId(const Node &N);
  Value resolve(uint32_t NodeIndex, uint32_t Where, bool Signed);
  Value numberOf(const Value &V, uint32_t NodeIndex, uint32_t Where,
                 bool Signed);
  std::optional<std::pair<Int, Int>> productOf(const Form &A, const Form &B,
                                               uint32_t Where);

  // poison.cpp
  bool mayBePoison(const Node &N, uint32_t Index, uint32_t Where);
  bool mayEitherBePoison(const Node &N, uint32_t Where);
  bool mayWrap(const Node &N, bool Signed, uint32_t Where);
  bool mayCounterWrap(const Node &N, uint32_t Index, bool Signed,
                      uint32_t Where);
  bool mayPowerWrap(const Node &N, bool Signed, uint32_t Where);
  bool mayDivideBadly(const Node &N, bool Signed, uint32_t Where);
  bool isDoubtful(uint32_t InA, uint32_t InB);
  bool fits(const Form &F, std::pair<Int, Int> Range, uint32_t Where);

  /// An attempt is made, and \p F is about a loop that it looks at.
  bool isOpen(const Form &F) const {
    return Trying && std::ranges::any_of(Open, [&](uint32_t Unknown) {
             return F.timesOf(Unknown) != 0 || hasTravelled(F, Unknown);
           });
  }
  Value limited(Value V, uint32_t NodeIndex, uint32_t Where);
  Value divide(const Form &What, Int By, uint32_t Where);
  Value leastOrMost(const Value &A, const Value &B, bool Most, uint32_t Where);
  Value anything(uint32_t NodeIndex, bool Signed);
  Value between(Int Least, Int Most, bool Clean);
  static Int signedStep(const Node &Counter, const Form &Step);
  uint32_t roundUnknown(uint32_t LoopIndex);
  uint32_t roundsOf(uint32_t LoopIndex);
  bool boundRounds(uint32_t LoopIndex);
  bool boundBy(const Condition &C, uint32_t LoopIndex);
  Int roundsAfter(const Condition &C, uint32_t LoopIndex);
  std::vector<Form> factsOfRound(const Condition &C, uint32_t LoopIndex);
  void learnFromRounds(uint32_t LoopIndex);
  std::vector<Condition> endsOf(uint32_t LoopIndex);
  bool mentions(uint32_t NodeIndex, uint32_t LoopIndex);
  bool isOfOneMoment(const Condition &C, uint32_t LoopIndex);
  bool changesOtherwise(const Form &F, uint32_t LoopIndex);
  void know(const std::optional<Form> &NotNegative, uint32_t Where,
            const Form &Owner);
  const FactSet &said(uint32_t Where);
  FactSet saidBy(const Condition &C);
  void addFacts(const Condition &C, std::vector<Form> &To);
  std::vector<const FactSet *> facts(uint32_t Where);

  Int most(const Form &F, uint32_t Where, Int Enough = -Huge) {
    const Int Alone = Known.mostAlone(F);
    return F.isConstant() || Alone <= Enough
               ? Alone
               : Known.most(F, facts(Where), Enough);
  }
  Int least(const Form &F, uint32_t Where, Int Enough = Huge) {
    const Int Alone = Known.leastAlone(F);
    return F.isConstant() || Alone >= Enough
               ? Alone
               : Known.least(F, facts(Where), Enough);
  }
  bool isBetween(const Form &F, Int Least, Int Most, uint32_t Where) {
    return least(F, Where, Least) >= Least && most(F, Where, Most) <= Most;
  }

  const Claims &Of;
  const LaunchValues &Launch;
  const Chosen In;
  const Mentions *About;
  Unknowns Known;
  std::vector<Value> Found;
  std::vector<Place> Places;                              ///< by condition
  std::vector<Round> Rounds;                              ///< by loop
  std::map<std::pair<uint32_t, bool>, uint32_t> Anything; ///< by node and sign
  std::array<std::array<uint32_t, 3>, 3> Ids{};           ///< 1 + unknown
  /// Of counters whose steps are not known exactly: how far they have come, by
  /// node; none if nothing can be said.
  std::map<uint32_t, std::optional<uint32_t>> TravelOf;
  struct Travel {
    uint32_t Round;  ///< unknown
    Int Least, Most; ///< in one
  };
  std::map<uint32_t, Travel> Travels; ///< by unknown
  Attempt *Trying = nullptr;          ///< the innermost
  /// Unknowns of the loops that are looked at.
  std::vector<uint32_t> Open;
};

} // namespace warpsan

#endif // WARPSAN_PROOF_PROVER_H
