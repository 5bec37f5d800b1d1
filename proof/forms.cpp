//===- proof/forms.cpp - sums of unknowns, and how large they can get -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/forms.h"

#include <algorithm>
#include <utility>

using namespace warpsan;

Form Form::unknown(uint32_t Of) {
  Form F;
  F.Terms[0] = {Of, 1};
  F.Count = 1;
  return F;
}

Int Form::timesOf(uint32_t Unknown) const {
  for (const Term &T : terms())
    if (T.Of == Unknown)
      return T.Times;
  return 0;
}

static bool isHuge(Int N) { return N >= Huge || N <= -Huge; }

/// A * X + B * Y, or false if it is too large to be of use.
static bool sum(Int A, Int X, Int B, Int Y, Int &Result) {
  Int Left, Right;
  return !__builtin_mul_overflow(A, X, &Left) &&
         !__builtin_mul_overflow(B, Y, &Right) &&
         !__builtin_add_overflow(Left, Right, &Result) && !isHuge(Result);
}

std::optional<Form> warpsan::combine(Int A, const Form &X, Int B,
                                     const Form &Y) {
  Form Sum;
  if (!sum(A, X.Constant, B, Y.Constant, Sum.Constant))
    return std::nullopt;
  size_t I = 0, J = 0;
  while (I < X.Count || J < Y.Count) {
    const uint32_t Left = I < X.Count ? X.Terms[I].Of : UINT32_MAX;
    const uint32_t Right = J < Y.Count ? Y.Terms[J].Of : UINT32_MAX;
    const uint32_t Of = std::min(Left, Right);
    Int Times;
    if (!sum(A, Left == Of ? X.Terms[I++].Times : 0, B,
             Right == Of ? Y.Terms[J++].Times : 0, Times))
      return std::nullopt;
    if (Times == 0)
      continue;
    if (Sum.Count == Form::MostTerms)
      return std::nullopt;
    Sum.Terms[Sum.Count++] = {Of, Times};
  }
  return Sum;
}

Int warpsan::floorDivide(Int N, Int By) {
  return N >= 0 ? N / By : -((-N + By - 1) / By);
}

static Int greatestDivisor(Int A, Int B) {
  while (B != 0)
    A = std::exchange(B, A % B);
  return A < 0 ? -A : A;
}

/// What all unknowns of \p F are multiplied with.
static Int commonFactor(const Form &F) {
  Int Common = 0;
  for (const Form::Term &T : F.terms())
    Common = greatestDivisor(Common, T.Times);
  return Common;
}

Form warpsan::tightened(Form NotNegative) {
  if (const Int Common = commonFactor(NotNegative); Common > 1)
    NotNegative.Constant = floorDivide(NotNegative.Constant, Common) * Common;
  return NotNegative;
}

uint32_t Unknowns::add(Int Least, Int Most) {
  All.push_back({Least, Most});
  return static_cast<uint32_t>(All.size() - 1);
}

/// Each unknown has the range that \p RangeOf says.
template <typename Of> static Int mostBy(const Form &F, Of RangeOf) {
  Int Most = F.Constant;
  for (const Form::Term &T : F.terms()) {
    const Unknowns::Range &R = RangeOf(T.Of);
    if (!sum(1, Most, T.Times, T.Times > 0 ? R.Most : R.Least, Most))
      return Huge;
  }
  return Most;
}

Int Unknowns::mostNow(const Form &F) const {
  return mostBy(F, [&](uint32_t Of) -> const Range & { return now(Of); });
}

Int Unknowns::mostAlone(const Form &F) const {
  return mostBy(F, [&](uint32_t Of) -> const Range & { return All[Of]; });
}

Int Unknowns::leastAlone(const Form &F) const {
  const auto Minus = combine(-1, F, 0, Form());
  return Minus ? -mostAlone(*Minus) : -Huge;
}

namespace {
/// By times a form, and more.
struct Multiple {
  Form Sum;
  Int By;
};
} // namespace

/// \p F, multiplied, and so much of \p NotNegative that the unknown of \p T
/// goes: at least what it was. None if the numbers are too large.
static std::optional<Multiple> without(const Form::Term &T, const Form &F,
                                       const Form &NotNegative) {
  const Int Times = NotNegative.timesOf(T.Of);
  const Int By = Times > 0 ? Times : -Times;
  const Int Add = T.Times > 0 ? T.Times : -T.Times;
  if (auto Sum = combine(By, F, Add, NotNegative))
    return Multiple{*Sum, By};
  return std::nullopt;
}

/// Whether \p NotNegative, of several unknowns, can make that of \p T go.
static bool reduces(const Form::Term &T, const Form &NotNegative) {
  const Int Times = NotNegative.timesOf(T.Of);
  return Times != 0 && (Times > 0) != (T.Times > 0) && NotNegative.Count != 1;
}

/// Adds multiples of what is not negative, so that unknowns go: the sum may be
/// bounded then.
Int Unknowns::search(const Form &F, Int Enough, int Depth) {
  Int Best = mostNow(F);
  if (Depth == 0 || Best <= Enough)
    return Best;
  for (const Form::Term &T : F.terms())
    for (const Form *C : Useful) {
      if (!reduces(T, *C))
        continue;
      if (--Budget < 0)
        return Best;
      const auto Less = without(T, F, *C);
      if (!Less)
        continue;
      Int Wanted;
      if (__builtin_mul_overflow(Enough, Less->By, &Wanted))
        Wanted = -Huge;
      const Int Most = search(Less->Sum, Wanted, Depth - 1);
      if (Most < Huge)
        Best = std::min(Best, floorDivide(Most, Less->By));
      if (Best <= Enough)
        return Best;
    }
  return Best;
}

/// The same, but going on with the one that helps most: soon there, and for
/// sums of many unknowns.
Int Unknowns::descend(const Form &F, Int Enough) {
  Form At = F;
  Int Scale = 1, Best = mostNow(F);
  for (size_t Step = 0; Step < Form::MostTerms && Best > Enough; ++Step) {
    std::optional<Form> Next;
    Int NextScale = 0, NextBest = Best;
    for (const Form::Term &T : At.terms())
      for (const Form *C : Useful) {
        if (!reduces(T, *C))
          continue;
        if (--Budget < 0)
          return Best;
        const auto Less = without(T, At, *C);
        Int All;
        if (!Less || __builtin_mul_overflow(Scale, Less->By, &All) ||
            All >= Huge)
          continue;
        const Int Most = mostNow(Less->Sum);
        if (Most < Huge && floorDivide(Most, All) < NextBest) {
          NextBest = floorDivide(Most, All);
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
  if (F.Owner != Fact::Anybody)
    ByUnknown[F.Owner].push_back(Number);
  else
    for (const Form::Term &T : F.Is.terms())
      ByUnknown[T.Of].push_back(Number);
}

void FactSet::add(const Fact &New) {
  Impossible |= New.Is.isConstant() && New.Is.Constant < 0;
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

/// What can help with \p F: facts about its unknowns, about those that these
/// are made of, and so on. A kernel has many that are made of the same few.
void Unknowns::choose(const Form &F, Facts Known) {
  ++Asked;
  Marks.resize(All.size());
  Useful.clear();
  Work.clear();
  auto Reach = [&](const Form &Of) {
    for (const Form::Term &T : Of.terms())
      if (std::exchange(Marks[T.Of].Reached, Asked) != Asked)
        Work.push_back(T.Of);
  };
  auto IsUseful = [&](const Fact &Each) {
    if (Each.Owner != Fact::Anybody)
      return Marks[Each.Owner].Reached == Asked;
    return std::ranges::any_of(Each.Is.terms(), [&](const Form::Term &T) {
      return Marks[T.Of].Reached == Asked;
    });
  };
  auto Take = [&](const Fact &Each) {
    Each.TakenFor = Asked;
    Useful.push_back(&Each.Is);
    Reach(Each.Is);
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
  for (bool More = true; More && Patience > 0;) {
    More = false;
    Patience -= static_cast<int64_t>(Left.size());
    std::erase_if(Left, [&](const Fact *Each) {
      if (!IsUseful(*Each))
        return false;
      Take(*Each);
      return More = true;
    });
    for (; AnyIndexed && !Work.empty() && Patience > 0; More = true) {
      const uint32_t Unknown = Work.back();
      Work.pop_back();
      for (const FactSet *Set : Known) {
        --Patience;
        if (!Set->isIndexed())
          continue;
        for (uint32_t Number : Set->about(Unknown)) {
          --Patience;
          if (const Fact &Each = Set->all()[Number]; Each.TakenFor != Asked)
            Take(Each);
        }
      }
    }
  }
}

Unknowns::Range &Unknowns::narrowed(uint32_t Unknown) {
  Mark &M = Marks[Unknown];
  if (M.Narrowed != Asked) {
    M.Narrowed = Asked;
    M.Now = All[Unknown];
  }
  return M.Now;
}

void Unknowns::narrow() {
  for (const Form *C : Useful) {
    if (C->Count != 1)
      continue;
    const Int Times = C->Terms[0].Times; // Constant + Times * unknown >= 0
    Range &R = narrowed(C->Terms[0].Of);
    if (Times > 0)
      R.Least = std::max(R.Least, -floorDivide(C->Constant, Times));
    else
      R.Most = std::min(R.Most, floorDivide(C->Constant, -Times));
  }
}

static constexpr int Deepest = 3;

Int Unknowns::searchBoth(const Form &F, Int Enough) {
  const Int Most = descend(F, Enough);
  return Most <= Enough ? Most : std::min(Most, search(F, Enough, Deepest));
}

/// With what is known of each unknown by now.
Int Unknowns::mostOfWhole(const Form &F, Int Enough) {
  // Constant + Common * a whole number.
  const Int Common = commonFactor(F);
  if (Common < 2)
    return searchBoth(F, Enough);
  Form Whole = F;
  Whole.Constant = 0;
  for (size_t I = 0; I < Whole.Count; ++I)
    Whole.Terms[I].Times /= Common;
  Int Most = searchBoth(Whole, floorDivide(Enough - F.Constant, Common));
  return Most < Huge && sum(1, F.Constant, Common, Most, Most) ? Most : Huge;
}

Int Unknowns::most(const Form &F, Facts Known, Int Enough) {
  choose(F, Known);
  narrow();
  const Int Most = mostOfWhole(F, Enough);
  if (Most <= Enough || Enough <= -Huge || F.Count < 2)
    return Most;
  // Each is a whole number: alone it may be less than in the sum.
  for (const Form::Term &T : F.terms()) {
    Range &R = narrowed(T.Of);
    Form Alone = Form::unknown(T.Of);
    if (T.Times < 0)
      Alone.Terms[0].Times = -1;
    const Int Limit = search(Alone, -Huge, Deepest);
    if (T.Times > 0)
      R.Most = std::min(R.Most, Limit);
    else
      R.Least = std::max(R.Least, -Limit);
  }
  return std::min(Most, mostOfWhole(F, Enough));
}

Int Unknowns::least(const Form &F, Facts Known, Int Enough) {
  std::optional<Form> Minus = combine(-1, F, 0, Form());
  if (!Minus)
    return -Huge;
  return -most(*Minus, Known, -Enough);
}
