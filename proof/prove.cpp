//===- proof/prove.cpp - do all accesses of a launch stay inside? ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

using namespace warpsan;
using Op = Node::Op;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Value Prover::between(Int Least, Int Most, bool Clean) {
  if (Least == Most)
    return {Form(Least), Clean};
  return {Form::unknown(Known.add(Least, Most)), Clean};
}

/// What fits into the node's bits; always the same unknown.
Value Prover::anything(uint32_t NodeIndex, bool Signed) {
  auto [It, New] = Anything.try_emplace({NodeIndex, Signed});
  if (New) {
    auto [Least, Most] = rangeOf(Of.Nodes[NodeIndex].Width, Signed);
    It->second = Known.add(Least, Most);
  }
  return {Form::unknown(It->second), false};
}

/// The launch's ids. Where the work-group's size is known, a global id is made
/// of the other two, as kernels often do themselves.
Value Prover::makeId(const Node &N) {
  const uint32_t D = N.A;
  enum { Global, Local, Group };
  auto Id = [&](unsigned Which, Int Most) {
    uint32_t &Kept = Ids[Which][D];
    if (!Kept)
      Kept = 1 + Known.add(0, Most);
    return Form::unknown(Kept - 1);
  };
  const Int Size = Launch.Global[D], GroupSize = Launch.Local[D];
  if (!GroupSize) { // nothing is known of how they hang together
    if (N.What == Op::global_id)
      return {*combine(1, Id(Global, Size - 1), 1, Form(Launch.Offset[D]))};
    return {Id(N.What == Op::local_id ? Local : Group,
               N.What == Op::local_id
                   ? std::min<Int>(Size, Launch.MostLocal) - 1
                   : Size - 1)};
  }
  const bool New = !Ids[Group][D];
  const Form InGroup = Id(Local, std::min(GroupSize, Size) - 1);
  const Form Groups = Id(Group, (Size + GroupSize - 1) / GroupSize - 1);
  const Form Whole = *combine(GroupSize, Groups, 1, InGroup);
  if (New && Size % GroupSize) // the last group is smaller
    Places[0].Made.add({*combine(-1, Whole, 1, Form(Size - 1))});
  if (N.What == Op::global_id)
    return {*combine(1, Whole, 1, Form(Launch.Offset[D]))};
  return {N.What == Op::local_id ? InGroup : Groups};
}

Value Prover::makeLeaf(const Node &N, uint32_t Index) {
  switch (N.What) {
  case Op::constant:
    return {Form(N.Value)};
  case Op::argument: {
    if (N.A >= Launch.Args.size())
      break;
    const std::string_view Bytes = Launch.Args[N.A].Bytes;
    const size_t Size = N.Width / 8;
    uint64_t Word = 0;
    if (N.Width % 8 || N.B > Bytes.size() || Size > Bytes.size() - N.B)
      break;
    std::memcpy(&Word, Bytes.data() + N.B, Size);
    return {Form(Int(Word))};
  }
  case Op::sub_group:
    // No device has work-groups of more.
    return between(N.B, powerOfTwo(20), true);
  case Op::start:
    if (N.A >= Launch.Args.size())
      break;
    return {Form(Int(Launch.Args[N.A].Start))};
  case Op::loaded: {
    if (N.A >= Launch.Contents.size() || !Launch.Contents[N.A])
      break;
    const auto [Least, Most] = *Launch.Contents[N.A];
    return between(std::min<Int>(Least, 0), std::max<Int>(Most, 0), true);
  }
  case Op::global_size:
  case Op::global_offset:
  case Op::local_size:
  case Op::num_groups:
  case Op::global_id:
  case Op::local_id:
  case Op::group_id: {
    if (N.A > 2)
      break;
    const Int Size = Launch.Global[N.A], Local = Launch.Local[N.A];
    if (Size == 0)
      break;
    if (N.What == Op::global_size)
      return {Form(Size)};
    if (N.What == Op::global_offset)
      return {Form(Int(Launch.Offset[N.A]))};
    // A last group that is smaller says its own size.
    if (N.What == Op::local_size && Local && Size % Local == 0)
      return {Form(Local)};
    if (N.What == Op::local_size)
      return between(
          1, std::min<Int>(Size, Local ? Local : Int(Launch.MostLocal)), true);
    if (N.What == Op::num_groups)
      return Local ? Value{Form((Size + Local - 1) / Local)}
                   : between(1, Size, true);
    return makeId(N);
  }
  default:
    break;
  }
  Value V = anything(Index, /*Signed=*/true);
  V.Clean = true;
  return V;
}

//===----------------------------------------------------------------------===//
// Calculations
//===----------------------------------------------------------------------===//

Value Prover::value(uint32_t NodeIndex, uint32_t Where) {
  Place &Here = Places[Where];
  if (Here.Values.empty())
    Here.Values.assign(Of.Nodes.size(), -1);
  if (int32_t Index = Here.Values[NodeIndex]; Index >= 0)
    return Found[static_cast<size_t>(Index)];
  if (Trying)
    if (auto It = Trying->Values.find({NodeIndex, Where});
        It != Trying->Values.end())
      return It->second;
  if (--Known.Budget < 0 || Known.Patience <= 0) {
    Value V = anything(NodeIndex, true);
    V.Poison = true;
    return V;
  }
  Value V;
  bool Better = true;
  if (Where) {
    V = value(NodeIndex, Of.Conditions[Where].Outer);
    Better = !V.Clean && !V.Never;
  }
  if (Better) {
    said(Where);
    const Node &N = Of.Nodes[NodeIndex];
    const Value New = limited(make(N, NodeIndex, Where), NodeIndex, Where);
    // What is none outside of a condition is none inside.
    const bool Poison =
        !New.Never && (!Where || V.Poison) && mayBePoison(N, NodeIndex, Where);
    // What is known of the old one stays of use, if that is as good.
    if (!Where || New.Clean || New.Never ||
        least(New.Is, Where) > least(V.Is, Where) ||
        most(New.Is, Where) < most(V.Is, Where))
      V = New;
    V.Poison = Poison;
    V.Clean &= !Poison; // a condition inside may rule it out
  }
  if (Trying) {
    Trying->Values.insert_or_assign({NodeIndex, Where}, V);
  } else {
    Here.Values[NodeIndex] = static_cast<int32_t>(Found.size());
    Found.push_back(V);
  }
  return V;
}

/// \p V, or what conditions say of the node, if \p V may have wrapped around.
Value Prover::limited(Value V, uint32_t NodeIndex, uint32_t Where) {
  const unsigned Width = Of.Nodes[NodeIndex].Width;
  auto Fits = [&](bool Signed) {
    const auto [Least, Most] = rangeOf(Width, Signed);
    return isBetween(V.Is, Least, Most, Where);
  };
  if (V.Is.Count < 2 || Fits(true) || Fits(false))
    return V;
  V.Clean = false; // a condition inside may say more
  for (bool Signed : {true, false})
    if (Anything.contains({NodeIndex, Signed})) {
      const Value Said = anything(NodeIndex, Signed);
      const auto [Low, High] = rangeOf(Width, Signed);
      if (isBetween(Said.Is, Low + 1, High, Where) ||
          isBetween(Said.Is, Low, High - 1, Where))
        return Said;
    }
  return V;
}

/// The number that the node's bits say.
Value Prover::resolve(uint32_t NodeIndex, uint32_t Where, bool Signed) {
  const Value V = value(NodeIndex, Where);
  if (V.Never)
    return V;
  Value Number = numberOf(V, NodeIndex, Where, Signed);
  Number.Poison = V.Poison;
  return Number;
}

/// \p V: the node's value there.
Value Prover::numberOf(const Value &Found, uint32_t NodeIndex, uint32_t Where,
                       bool Signed) {
  Value V = Found;
  const unsigned Width = Of.Nodes[NodeIndex].Width;
  const auto [Least, Most] = rangeOf(Width, Signed);
  // Constants are said in either way.
  if (V.Is.isConstant()) {
    const Int Bits = V.Is.Constant & (powerOfTwo(Width) - 1);
    return {Form(Bits > Most ? Bits - powerOfTwo(Width) : Bits), V.Clean};
  }
  // Said to be small as the other kind of number, it is the same in both.
  const Int Small = powerOfTwo(Width - 1) - 1;
  if (Anything.contains({NodeIndex, !Signed}))
    if (Value Other = anything(NodeIndex, !Signed);
        isBetween(Other.Is, 0, Small, Where))
      return Other;
  if (isBetween(V.Is, Least, Most, Where)) {
    // A condition inside may say more of the other kind.
    const Op What = Of.Nodes[NodeIndex].What;
    V.Clean &= What != Op::opaque && What != Op::mixed && What != Op::loaded;
    return V;
  }
  if (isOpen(V.Is)) {
    Trying->Assumed.push_back({V.Is, Least, Most});
    return {V.Is, false};
  }
  return anything(NodeIndex, Signed);
}

/// Rounded down.
Value Prover::divide(const Form &What, Int By, uint32_t Where) {
  if (What.isConstant())
    return {Form(floorDivide(What.Constant, By))};
  const Int Least = least(What, Where), Most = most(What, Where);
  if (Least <= -Huge || Most >= Huge)
    return between(-Huge, Huge, false);
  Value V = between(floorDivide(Least, By), floorDivide(Most, By), true);
  if (V.Is.isConstant())
    return V;
  // By * V <= What < By * V + By
  if (auto Rest = combine(1, What, -By, V.Is)) {
    know(Rest, Where, V.Is);
    know(combine(-1, *Rest, 1, Form(By - 1)), Where, V.Is);
  }
  return V;
}

Value Prover::leastOrMost(const Value &A, const Value &B, bool Most,
                          uint32_t Where) {
  const bool Clean = A.Clean && B.Clean;
  const Int LeastA = least(A.Is, Where), MostA = most(A.Is, Where);
  const Int LeastB = least(B.Is, Where), MostB = most(B.Is, Where);
  if (MostA <= LeastB)
    return {Most ? B.Is : A.Is, Clean};
  if (MostB <= LeastA)
    return {Most ? A.Is : B.Is, Clean};
  Value V =
      Most ? between(std::max(LeastA, LeastB), std::max(MostA, MostB), Clean)
           : between(std::min(LeastA, LeastB), std::min(MostA, MostB), Clean);
  for (const Form &Each : {A.Is, B.Is})
    know(combine(Most ? 1 : -1, V.Is, Most ? -1 : 1, Each), Where, V.Is);
  return V;
}

/// The least and the most that a product can be; none if that is too large.
std::optional<std::pair<Int, Int>>
Prover::productOf(const Form &A, const Form &B, uint32_t Where) {
  Int Least = Huge, Most = -Huge;
  for (Int X : {least(A, Where), most(A, Where)})
    for (Int Y : {least(B, Where), most(B, Where)}) {
      Int Product;
      if (__builtin_mul_overflow(X, Y, &Product) || Product >= Huge ||
          Product <= -Huge)
        return std::nullopt;
      Least = std::min(Least, Product);
      Most = std::max(Most, Product);
    }
  return std::pair(Least, Most);
}

/// Bits that are masked, set or shifted to the right.
Value Prover::makeBits(const Node &N, uint32_t Index, uint32_t Where) {
  if (N.What == Op::bit_and) {
    // A mask of the lowest bits is a remainder, of whatever is congruent.
    for (auto [Mask, Other] : {std::pair(N.B, N.A), {N.A, N.B}}) {
      Value M = value(Mask, Where);
      if (!M.Is.isConstant())
        continue;
      const Int All = powerOfTwo(N.Width) - 1, Bits = M.Is.Constant & All;
      Value V = value(Other, Where);
      // One of the highest bits leaves the multiples.
      if (const Int Low = All - Bits; Bits && Low && !(Low & (Low + 1))) {
        Value Quotient = divide(V.Is, Low + 1, Where);
        if (auto Is = combine(Low + 1, Quotient.Is, 0, Form());
            Is && Quotient.Clean)
          return {*Is, V.Clean};
      }
      if (Bits & (Bits + 1))
        continue;
      if (isBetween(V.Is, 0, Bits, Where))
        return V;
      Value Quotient = divide(V.Is, Bits + 1, Where);
      if (auto Rest = combine(1, V.Is, -(Bits + 1), Quotient.Is);
          Rest && Quotient.Clean)
        return {*Rest, V.Clean};
      return between(0, Bits, false);
    }
  }
  const Value A = resolve(N.A, Where, false), B = resolve(N.B, Where, false);
  const Int MostA = most(A.Is, Where), MostB = most(B.Is, Where);
  const bool Clean = A.Clean && B.Clean;
  if (MostA >= Huge || MostB >= Huge)
    return anything(Index, false);
  if (A.Is.isConstant() && B.Is.isConstant()) {
    const Int X = A.Is.Constant, Y = B.Is.Constant;
    return {Form(N.What == Op::bit_and  ? X & Y
                 : N.What == Op::bit_or ? X | Y
                                        : X ^ Y),
            Clean};
  }
  if (N.What == Op::bit_and)
    return between(0, std::min(MostA, MostB), Clean);
  Int Most = 1;
  while (Most <= MostA || Most <= MostB)
    Most *= 2;
  return between(0, Most - 1, Clean);
}

Value Prover::makeEither(const Node &N, uint32_t Index, uint32_t Where) {
  const Value A = value(N.A, Where), B = value(N.B, Where);
  // Each of a choice is what it is where its condition holds.
  const bool Chosen = N.What == Op::choice;
  const uint32_t InA = Chosen ? N.conditionOfA() : Where;
  const uint32_t InB = Chosen ? N.conditionOfB() : Where;
  const Value ThereA = Chosen ? value(N.A, InA) : A;
  const Value ThereB = Chosen ? value(N.B, InB) : B;
  const bool NeverA = ThereA.Never || (Chosen && isNever(InA));
  const bool NeverB = ThereB.Never || (Chosen && isNever(InB));
  if (NeverA && NeverB)
    return {Form(0), true, true};
  if (NeverA || NeverB)
    return NeverA ? B : A;
  const Int Least = std::min(least(ThereA.Is, InA), least(ThereB.Is, InB));
  const Int Most = std::max(most(ThereA.Is, InA), most(ThereB.Is, InB));
  if (Least <= -Huge || Most >= Huge)
    return anything(Index, true);
  Value V = between(Least, Most, A.Clean && B.Clean);
  if (V.Is.isConstant() || !(ThereA.Is == A.Is) || !(ThereB.Is == B.Is))
    return V; // V and what is known here may differ by multiples of 2^width
  // If one of the two is never larger, it is between them.
  if (auto Apart = combine(1, B.Is, -1, A.Is)) {
    const bool Rises = least(*Apart, Where, 0) >= 0;
    if (Rises || most(*Apart, Where, 0) <= 0) {
      know(combine(1, V.Is, -1, Rises ? A.Is : B.Is), Where, V.Is);
      know(combine(1, Rises ? B.Is : A.Is, -1, V.Is), Where, V.Is);
    }
  }
  return V;
}

/// Exact in a round that was chosen. Otherwise, what is divided is between zero
/// and its start.
Value Prover::makeStepped(const Node &N, uint32_t Index, uint32_t Where) {
  const auto Round = In[static_cast<size_t>(N.Value)];
  const bool Signed = N.What == Op::sdivided;
  const Value By = resolve(N.B, Where, Signed);
  if (!By.Is.isConstant())
    return anything(Index, true);
  if (N.What == Op::multiplied) {
    if (!Round)
      return anything(Index, true);
    uint64_t Factor = 1; // modulo 2^64, so modulo 2^width
    for (uint32_t I = 0; I < *Round; ++I)
      Factor *= static_cast<uint64_t>(By.Is.Constant);
    const Value Start = value(N.A, Where);
    const Int Bits = Int(Factor) & (powerOfTwo(N.Width) - 1);
    if (auto Is = combine(Bits, Start.Is, 0, Form()))
      return {*Is, Start.Clean && By.Clean};
    return anything(Index, true);
  }
  // By zero it is not defined, by others its sign changes.
  const Value Start = resolve(N.A, Where, Signed);
  if (By.Is.Constant <= 0 || least(Start.Is, Where, 0) < 0)
    return anything(Index, true);
  if (Round) {
    // Once more than all that it can be, it stays zero.
    const Int Limit = powerOfTwo(N.Width);
    Int All = 1;
    for (uint32_t I = 0; I < *Round && All < Limit; ++I)
      if (__builtin_mul_overflow(All, By.Is.Constant, &All))
        All = Limit;
    Value V = divide(Start.Is, All, Where);
    V.Clean &= Start.Clean && By.Clean;
    return V;
  }
  Value V = between(0, most(Start.Is, Where), Start.Clean && By.Clean);
  know(combine(1, Start.Is, -1, V.Is), Where, V.Is);
  return V;
}

Value Prover::make(const Node &N, uint32_t Index, uint32_t Where) {
  const unsigned Operands = operandsOf(N.What);
  if (N.What != Op::join && N.What != Op::choice &&
      ((Operands > 0 && value(N.A, Where).Never) ||
       (Operands > 1 && value(N.B, Where).Never)))
    return {Form(0), true, true};
  auto Sum = [&](Int X, Int Y) -> Value {
    const Value A = value(N.A, Where), B = value(N.B, Where);
    if (auto Is = combine(X, A.Is, Y, B.Is))
      return {*Is, A.Clean && B.Clean};
    return anything(Index, true);
  };
  auto Times = [&](const Value &A, const Value &B) -> Value {
    const bool Clean = A.Clean && B.Clean;
    for (auto [X, Y] : {std::pair(&A, &B), {&B, &A}})
      if (X->Is.isConstant())
        if (auto Is = combine(X->Is.Constant, Y->Is, 0, Form()))
          return {*Is, Clean};
    if (auto Range = productOf(A.Is, B.Is, Where))
      return between(Range->first, Range->second, Clean);
    return anything(Index, true);
  };
  /// The amount that is shifted by, if it is one number.
  auto Amount = [&]() -> std::optional<unsigned> {
    const Value By = resolve(N.B, Where, false);
    if (!By.Is.isConstant() || By.Is.Constant >= N.Width)
      return std::nullopt;
    return static_cast<unsigned>(By.Is.Constant);
  };
  switch (N.What) {
  case Op::add:
    return Sum(1, 1);
  case Op::sub:
    return Sum(1, -1);
  case Op::mul:
    return Times(value(N.A, Where), value(N.B, Where));
  case Op::shl:
    if (auto By = Amount())
      return Times(value(N.A, Where), {Form(powerOfTwo(*By))});
    return anything(Index, true);
  case Op::udiv:
  case Op::sdiv:
  case Op::urem:
  case Op::srem:
  case Op::lshr:
  case Op::ashr: {
    const bool Signed =
        N.What == Op::sdiv || N.What == Op::srem || N.What == Op::ashr;
    const bool Shift = N.What == Op::lshr || N.What == Op::ashr;
    Value By;
    if (Shift) {
      auto Bits = Amount();
      if (!Bits)
        return anything(Index, Signed);
      By = {Form(powerOfTwo(*Bits))};
    } else {
      By = resolve(N.B, Where, Signed);
    }
    const Value What = resolve(N.A, Where, Signed);
    if (What.Is.isConstant() && By.Is.isConstant() && !Shift &&
        By.Is.Constant != 0) {
      const Int Dividend = What.Is.Constant, D = By.Is.Constant;
      const bool Rest = N.What == Op::urem || N.What == Op::srem;
      return {Form(Rest ? Dividend % D : Dividend / D), What.Clean && By.Clean};
    }
    const Int LeastBy = least(By.Is, Where), MostBy = most(By.Is, Where);
    if (LeastBy <= 0)
      return anything(Index, Signed);
    // Signed division rounds towards zero, which for others is down.
    if (Signed && !Shift && least(What.Is, Where, 0) < 0)
      return anything(Index, Signed);
    if (!By.Is.isConstant()) {
      const Int Most = most(What.Is, Where);
      const bool Rest = N.What == Op::urem || N.What == Op::srem;
      return between(0, Rest ? std::min(Most, MostBy - 1) : Most / LeastBy,
                     What.Clean && By.Clean);
    }
    Value Quotient = divide(What.Is, By.Is.Constant, Where);
    const bool Clean = What.Clean && By.Clean && Quotient.Clean;
    if (N.What == Op::urem || N.What == Op::srem) {
      if (auto Rest = combine(1, What.Is, -By.Is.Constant, Quotient.Is))
        return {*Rest, Clean};
      return between(0, By.Is.Constant - 1, false);
    }
    return {Quotient.Is, Clean};
  }
  case Op::bit_and:
  case Op::bit_or:
  case Op::bit_xor:
    return makeBits(N, Index, Where);
  case Op::umin:
  case Op::umax:
  case Op::smin:
  case Op::smax: {
    const bool Signed = N.What == Op::smin || N.What == Op::smax;
    return leastOrMost(resolve(N.A, Where, Signed), resolve(N.B, Where, Signed),
                       N.What == Op::umax || N.What == Op::smax, Where);
  }
  case Op::zext:
    return resolve(N.A, Where, false);
  case Op::sext:
    return resolve(N.A, Where, true);
  case Op::trunc:
    return value(N.A, Where);
  case Op::freeze: {
    const Value Of = value(N.A, Where);
    return Of.Poison ? anything(Index, true) : Of;
  }
  case Op::join:
  case Op::choice:
    return makeEither(N, Index, Where);
  case Op::counter:
    return makeCounter(N, Index, Where);
  case Op::multiplied:
  case Op::udivided:
  case Op::sdivided:
    return makeStepped(N, Index, Where);
  default:
    return makeLeaf(N, Index);
  }
}

//===----------------------------------------------------------------------===//
// Conditions and loops
//===----------------------------------------------------------------------===//

/// Adds what \p C says, by the values where its outer condition holds.
void Prover::addFacts(const Condition &C, std::vector<Form> &To) {
  using Kind = Condition::Kind;
  auto Know = [&](Int X, const Form &A, Int Y, const Form &B, Int Plus) {
    if (auto Sum = combine(X, A, Y, B))
      if (auto Fact = combine(1, *Sum, 1, Form(Plus)))
        To.push_back(tightened(*Fact));
  };
  // What is equal in all bits is so in either reading; the unknowns of both are
  // told.
  const bool Either = C.What == Kind::Equal || C.What == Kind::NotEqual;
  for (bool Signed : {true, false}) {
    if (!Either && Signed != (C.What == Kind::SLess || C.What == Kind::SAtMost))
      continue;
    const Value ValueA = resolve(C.A, C.Outer, Signed);
    const Value ValueB = resolve(C.B, C.Outer, Signed);
    if (ValueA.Never || ValueB.Never) { // it is not asked
      To.push_back(Form(-1));
      return;
    }
    if (ValueA.Poison || ValueB.Poison) // compared with what is no value
      return;
    const Form &A = ValueA.Is, &B = ValueB.Is;
    switch (C.What) {
    case Kind::None:
      break;
    case Kind::Equal:
      Know(1, A, -1, B, 0);
      Know(-1, A, 1, B, 0);
      break;
    case Kind::NotEqual:
      // Of use at the end of what is possible only.
      if (least(A, C.Outer) >= most(B, C.Outer))
        Know(1, A, -1, B, -1);
      else if (most(A, C.Outer) <= least(B, C.Outer))
        Know(-1, A, 1, B, -1);
      break;
    case Kind::SLess:
    case Kind::ULess:
      Know(-1, A, 1, B, -1);
      break;
    case Kind::SAtMost:
    case Kind::UAtMost:
      Know(-1, A, 1, B, 0);
      break;
    }
  }
}

FactSet Prover::saidBy(const Condition &C) {
  std::vector<Form> Forms;
  addFacts(C, Forms);
  FactSet Says;
  for (const Form &Each : Forms)
    Says.add({Each});
  return Says;
}

/// What the condition itself says.
const FactSet &Prover::said(uint32_t Where) {
  Place &Here = Places[Where];
  if (Here.HasSaid || !Where)
    return Here.Says;
  if (Trying) {
    auto [It, New] = Trying->Says.try_emplace(Where);
    if (New) {
      It->second = saidBy(Of.Conditions[Where]);
    }
    return It->second;
  }
  Here.HasSaid = true; // while it is looked for, nothing
  auto Says = saidBy(Of.Conditions[Where]);
  Here.Says = std::move(Says);
  return Here.Says;
}

/// All that holds there.
std::vector<const FactSet *> Prover::facts(uint32_t Where) {
  std::vector<const FactSet *> All;
  auto Add = [&](const FactSet &Some) {
    if (!Some.empty())
      All.push_back(&Some);
  };
  for (uint32_t At = Where;; At = Of.Conditions[At].Outer) {
    Add(said(At));
    Add(Places[At].Made);
    if (Trying)
      if (auto It = Trying->Made.find(At); It != Trying->Made.end())
        Add(It->second);
    if (!At)
      break;
  }
  return All;
}

/// By how an unknown was made where \p Where holds: elsewhere its range may not
/// be what it is here.
void Prover::know(const std::optional<Form> &NotNegative, uint32_t Where,
                  const Form &Owner) {
  if (NotNegative)
    (Trying ? Trying->Made[Where] : Places[Where].Made)
        .add({tightened(*NotNegative),
              Owner.Count ? Owner.Terms[0].Of : Fact::Anybody});
}

bool Prover::isNever(uint32_t Where) {
  return std::ranges::any_of(facts(Where), &FactSet::isImpossible);
}

bool Prover::isImpossible(uint32_t Where) {
  if (isNever(Where))
    return true;
  for (uint32_t At = Where; At; At = Of.Conditions[At].Outer)
    for (const Fact &Each : said(At).all())
      if (most(Each.Is, Of.Conditions[At].Outer, -1) < 0)
        return true;
  return false;
}

bool Prover::holds(const Claim &C) {
  if (isNever(C))
    return true;
  Int Size = static_cast<Int>(C.Size);
  if (C.Arg >= 0) {
    if (static_cast<size_t>(C.Arg) >= Launch.Args.size())
      return false;
    const LaunchValues::Arg &A = Launch.Args[static_cast<size_t>(C.Arg)];
    if ((C.Reads && !A.Readable) || (C.Writes && !A.Writable))
      return false;
    Size = static_cast<Int>(A.Size);
  }
  const Value At = value(C.Offset, C.Where);
  if (At.Poison)
    return false;
  const Form &Offset = At.Is;
  const Int Align = static_cast<Int>(C.Align);
  if (Offset.Constant % Align ||
      std::ranges::any_of(Offset.terms(), [&](const Form::Term &T) {
        return T.Times % Align != 0;
      }))
    return false;
  return isBetween(Offset, 0, Size - static_cast<Int>(C.Bytes), C.Where);
}

Verdict Prover::judge(const Claim &C) {
  Verdict V;
  V.Holds = holds(C);
  const Value At = value(C.Offset, C.Where);
  V.MayOverflow = At.Poison;
  const Form &Offset = At.Is;
  auto Small = [](Int N) -> std::optional<int64_t> {
    if (N < INT64_MIN || N > INT64_MAX)
      return std::nullopt;
    return static_cast<int64_t>(N);
  };
  V.Least = Small(least(Offset, C.Where));
  V.Most = Small(most(Offset, C.Where));
  return V;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

bool warpsan::isUniform(const Claims &Of, const BarrierBranch &Which,
                        const LaunchValues &Launch) {
  // One work-item alone agrees with itself.
  if (std::ranges::all_of(std::array{0, 1, 2}, [&](size_t D) {
        return Launch.Local[D] == 1 || Launch.Global[D] == 1;
      }))
    return true;
  Prover P(Of, Launch);
  return P.isImpossible(Which.IfTrue) || P.isImpossible(Which.IfFalse);
}

bool warpsan::areUniform(const Claims &Of, const LaunchValues &Launch) {
  return std::ranges::all_of(Of.Branches, [&](const BarrierBranch &Each) {
    return isUniform(Of, Each, Launch);
  });
}
