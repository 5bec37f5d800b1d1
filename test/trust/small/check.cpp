//===- test/trust/small/check.cpp - what is proven against what is touched ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "check.h"

#include "machine.h"

#include <sstream>

using namespace trust;
using warpsan::Claim;
using warpsan::Verdict;

namespace {
/// A claim as it was asked for, and what the machine saw of it.
struct Question {
  Claim Asked;
  const Touched *Seen;
  bool IsTrue;
  bool IsExact; ///< memory of just the size that is touched
};
} // namespace

static bool isTrue(const Claim &C, const Touched &T) {
  return !T.Poison &&
         (!T.Any ||
          (T.Min >= 0 && static_cast<uint64_t>(T.Max) + C.Bytes <= C.Size &&
           T.LowBits % C.Align == 0));
}

static std::vector<Question> questions(const Case &C,
                                       const std::vector<Touched> &Seen) {
  constexpr uint64_t Plenty = uint64_t(1) << 40;
  std::vector<Question> All;
  for (size_t I = 0; I < Seen.size(); ++I) {
    const Touched &T = Seen[I];
    if (!T.Any && !T.Poison)
      continue;
    Claim One = C.Kernel.All[I];
    One.Arg = -1;
    auto Ask = [&](uint64_t Size, uint64_t Align, bool IsExact) {
      One.Size = Size;
      One.Align = Align;
      All.push_back({One, &T, isTrue(One, T), IsExact});
    };
    const bool Fits = T.Any && T.Min >= 0 && T.Max < int64_t(Plenty);
    const uint64_t Size =
        Fits ? static_cast<uint64_t>(T.Max) + One.Bytes : Plenty;
    Ask(Size, 1, true);
    if (Fits && Size > 0)
      Ask(Size - 1, 1, false);
    Ask(Plenty, 1, false);
    Ask(Plenty, 2, false);
    Ask(Plenty, 4, false);
  }
  return All;
}

std::string trust::check(const Case &C, Counts &To) {
  ++To.Cases;
  if (const char *Wrong = invalidReason(C.Kernel))
    return std::string("the case is not valid: ") + Wrong;
  const auto Seen = run(C);
  if (!Seen) {
    ++To.TooLarge;
    return "";
  }
  const std::vector<Question> Asked = questions(C, *Seen);
  std::vector<Claim> Some;
  Some.reserve(Asked.size());
  for (const Question &Each : Asked)
    Some.push_back(Each.Asked);
  const std::vector<Verdict> Found =
      C.withLaunch([&](const warpsan::LaunchValues &Launch) {
        return prove(C.Kernel, Some, Launch);
      });
  for (size_t I = 0; I < Asked.size(); ++I) {
    const Verdict &V = Found[I];
    const Touched &T = *Asked[I].Seen;
    const bool Wide = (V.Min && T.Any && *V.Min > T.Min) ||
                      (V.Max && T.Any && *V.Max < T.Max);
    if ((V.Holds && !Asked[I].IsTrue) || (Wide && !T.Poison)) {
      std::ostringstream Why;
      Why << (V.Holds && !Asked[I].IsTrue ? "a false claim is proven"
                                          : "the range is too narrow")
          << ": %" << Asked[I].Asked.Offset << " where c"
          << Asked[I].Asked.Where << ", " << Asked[I].Asked.Bytes
          << " bytes of " << Asked[I].Asked.Size << ", alignment "
          << Asked[I].Asked.Align
          << "\n  proven:  " << (V.Holds ? "holds" : "does not hold")
          << ", from " << (V.Min ? std::to_string(*V.Min) : "?") << " to "
          << (V.Max ? std::to_string(*V.Max) : "?") << "\n  touched: ";
      if (T.Any)
        Why << "from " << T.Min << " to " << T.Max;
      if (T.Poison)
        Why << " poison";
      Why << "\n";
      return Why.str();
    }
    if (!Asked[I].IsExact)
      continue;
    ++To.Claims;
    To.Poisoned += T.Poison;
    To.Held += V.Holds;
    To.Exact += !T.Poison && V.Min == T.Min && V.Max == T.Max;
  }
  return "";
}
