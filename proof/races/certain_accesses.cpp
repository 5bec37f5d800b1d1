//===- proof/races/certain_accesses.cpp - bytes that a launch surely
// accesses ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/races/certain_accesses.h"

#include <algorithm>
#include <cstring>

using namespace warpsan;
using Op = Node::Op;
using Known = std::optional<uint64_t>;
using Wide = __int128;

static uint64_t maskOf(unsigned Width) {
  return Width >= 64 ? UINT64_MAX : (uint64_t(1) << Width) - 1;
}

static int64_t asSigned(uint64_t Value, unsigned Width) {
  const unsigned Unused = 64 - Width;
  return static_cast<int64_t>(Value << Unused) >> Unused;
}

static Wide readAs(uint64_t Value, unsigned Width, bool Signed) {
  return Signed ? Wide(asSigned(Value, Width)) : Wide(Value);
}

static bool fits(Wide Value, unsigned Width, bool Signed) {
  const Wide Limit = Wide(1) << (Signed ? Width - 1 : Width);
  return Value < Limit && Value >= (Signed ? -Limit : 0);
}

//===----------------------------------------------------------------------===//
// One work-item
//===----------------------------------------------------------------------===//

void ItemValues::select(const std::array<uint64_t, 3> &Id, uint32_t Around) {
  GlobalId = Id;
  InLoop = Around;
  ++Round;
  Nodes.resize(Kernel.Nodes.size());
}

Known ItemValues::value(uint32_t Index) {
  Cached &Mine = Nodes[Index];
  if (Mine.Round != Round) {
    if (--Budget < 0)
      return std::nullopt;
    const Known Result = evaluate(Kernel.Nodes[Index]);
    Mine = {Round, Result.has_value(), Result.value_or(0)};
  }
  return Mine.IsKnown ? Known(Mine.Value) : std::nullopt;
}

/// True if counters of \p Loop are meant as of its first iteration.
bool ItemValues::isFirstIteration(uint32_t Loop) const {
  for (uint32_t At = InLoop; At; At = Kernel.Loops[At - 1].Parent)
    if (At - 1 == Loop)
      return true;
  return false;
}

Known ItemValues::evaluateLeaf(const Node &N) const {
  switch (N.Opcode) {
  case Op::constant:
    return static_cast<uint64_t>(N.Value) & maskOf(N.Width);
  case Op::argument: {
    if (N.A >= Launch.Args.size())
      return std::nullopt;
    const std::string_view Bytes = Launch.Args[N.A].Bytes;
    const size_t Size = N.Width / 8;
    uint64_t Word = 0;
    if (N.Width % 8 || N.B > Bytes.size() || Size > Bytes.size() - N.B)
      return std::nullopt;
    std::memcpy(&Word, Bytes.data() + N.B, Size);
    return Word;
  }
  case Op::start:
    if (N.A >= Launch.Args.size())
      return std::nullopt;
    return Launch.Args[N.A].Start;
  default:
    break;
  }
  if (N.A > 2)
    return std::nullopt;
  const uint64_t Size = Launch.Global[N.A], Local = Launch.Local[N.A];
  const uint64_t FromStart = GlobalId[N.A] - Launch.Offset[N.A];
  switch (N.Opcode) {
  case Op::global_id:
    return GlobalId[N.A];
  case Op::global_size:
    return Size;
  case Op::global_offset:
    return Launch.Offset[N.A];
  case Op::local_id:
    return Local ? Known(FromStart % Local) : std::nullopt;
  case Op::group_id:
    return Local ? Known(FromStart / Local) : std::nullopt;
  case Op::local_size: // that of the last work-group may be smaller
    return Local && Size % Local == 0 ? Known(Local) : std::nullopt;
  case Op::num_groups:
    return Local && Size % Local == 0 ? Known(Size / Local) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// A under a necessary condition, B under another: the one whose condition does
/// not hold it is not.
Known ItemValues::evaluateSelect(const Node &N) {
  const std::optional<bool> MayBeA = holds(N.conditionOfA());
  const std::optional<bool> MayBeB = holds(N.conditionOfB());
  if (MayBeA == false && MayBeB != false)
    return value(N.B);
  if (MayBeB == false && MayBeA != false)
    return value(N.A);
  return std::nullopt;
}

Known ItemValues::evaluateBinary(const Node &N) {
  const Known First = value(N.A), Second = value(N.B);
  if (!First || !Second)
    return std::nullopt;
  const uint64_t A = *First, B = *Second;
  const unsigned Width = N.Width;
  const int64_t SignedA = asSigned(A, Width), SignedB = asSigned(B, Width);
  const bool OverflowsDivision =
      SignedB == -1 && SignedA == asSigned(uint64_t(1) << (Width - 1), Width);
  // The exact result, with operands as signed or unsigned numbers.
  auto Exact = [&](bool Signed) -> Wide {
    const Wide X = readAs(A, Width, Signed), Y = readAs(B, Width, Signed);
    switch (N.Opcode) {
    case Op::add:
      return X + Y;
    case Op::sub:
      return X - Y;
    case Op::mul: // of less than 64 bits each: an unsigned one may not fit
      return X * Y;
    default:
      return X * (Wide(1) << B);
    }
  };
  auto Wraps = [&](bool Signed) {
    if (N.Opcode == Op::mul && !Signed) {
      uint64_t Product = 0;
      return __builtin_mul_overflow(A, B, &Product) ||
             !fits(Wide(Product), Width, false);
    }
    return !fits(Exact(Signed), Width, Signed);
  };
  const uint64_t Mask = maskOf(Width);
  switch (N.Opcode) {
  case Op::add:
  case Op::sub:
  case Op::mul:
  case Op::shl:
    if (N.Opcode == Op::shl && B >= Width)
      return std::nullopt;
    if ((N.Flags & Node::NoSignedWrap && Wraps(true)) ||
        (N.Flags & Node::NoUnsignedWrap && Wraps(false)))
      return std::nullopt;
    if (N.Flags & Node::Of24Bits) {
      const bool Signed = N.Flags & Node::NoSignedWrap;
      if (!fits(readAs(A, Width, Signed), 24, Signed) ||
          !fits(readAs(B, Width, Signed), 24, Signed))
        return std::nullopt;
    }
    return (N.Opcode == Op::add   ? A + B
            : N.Opcode == Op::sub ? A - B
            : N.Opcode == Op::mul ? A * B
                                  : A << B) &
           Mask;
  case Op::udiv:
  case Op::urem:
    if (!B || (N.Flags & Node::Exact && A % B))
      return std::nullopt;
    return N.Opcode == Op::udiv ? A / B : A % B;
  case Op::sdiv:
  case Op::srem:
    if (!B || OverflowsDivision || (N.Flags & Node::Exact && SignedA % SignedB))
      return std::nullopt;
    return static_cast<uint64_t>(N.Opcode == Op::sdiv ? SignedA / SignedB
                                                      : SignedA % SignedB) &
           Mask;
  case Op::lshr:
  case Op::ashr:
    if (B >= Width ||
        (N.Flags & Node::Exact && A & maskOf(static_cast<unsigned>(B)) && B))
      return std::nullopt;
    return N.Opcode == Op::lshr ? A >> B
                                : static_cast<uint64_t>(SignedA >> B) & Mask;
  case Op::bit_and:
    return A & B;
  case Op::bit_or:
    return A | B;
  case Op::bit_xor:
    return A ^ B;
  case Op::umin:
    return std::min(A, B);
  case Op::umax:
    return std::max(A, B);
  case Op::smin:
    return SignedA < SignedB ? A : B;
  case Op::smax:
    return SignedA > SignedB ? A : B;
  default:
    return std::nullopt;
  }
}

Known ItemValues::evaluate(const Node &N) {
  switch (N.Opcode) {
  case Op::freeze:
    return value(N.A);
  case Op::counter:
  case Op::multiplied:
  case Op::udivided:
  case Op::sdivided:
    return isFirstIteration(static_cast<uint32_t>(N.Value)) ? value(N.A)
                                                            : std::nullopt;
  case Op::select:
    return evaluateSelect(N);
  case Op::zext:
  case Op::sext:
  case Op::trunc: {
    const Known From = value(N.A);
    if (!From)
      return std::nullopt;
    const unsigned Width = Kernel.Nodes[N.A].Width;
    const int64_t Signed = asSigned(*From, Width);
    if (N.Opcode == Op::zext && N.Flags && Signed < 0)
      return std::nullopt;
    if (N.Opcode == Op::trunc &&
        ((N.Flags & Node::NoSignedWrap && !fits(Signed, N.Width, true)) ||
         (N.Flags & Node::NoUnsignedWrap && *From > maskOf(N.Width))))
      return std::nullopt;
    return (N.Opcode == Op::sext ? static_cast<uint64_t>(Signed) : *From) &
           maskOf(N.Width);
  }
  default:
    break;
  }
  if (N.Flags & Node::Ordered) {
    // A minimum of a maximum, or the reverse, with bounds in the right order.
    const Known Inner = value(Kernel.Nodes[N.A].B), Outer = value(N.B);
    if (!Inner || !Outer ||
        (N.Opcode == Op::smin
             ? asSigned(*Inner, N.Width) > asSigned(*Outer, N.Width)
             : *Inner > *Outer))
      return std::nullopt;
  }
  return operandsOf(N.Opcode) == 2 ? evaluateBinary(N) : evaluateLeaf(N);
}

std::optional<bool> ItemValues::compare(const Condition &C) {
  const Known First = value(C.A), Second = value(C.B);
  if (!First || !Second)
    return std::nullopt;
  const unsigned Width = Kernel.Nodes[C.A].Width;
  const uint64_t A = *First, B = *Second;
  const int64_t SignedA = asSigned(A, Width), SignedB = asSigned(B, Width);
  switch (C.Pred) {
  case Condition::Predicate::None:
    return true;
  case Condition::Predicate::Equal:
    return A == B;
  case Condition::Predicate::NotEqual:
    return A != B;
  case Condition::Predicate::SLT:
    return SignedA < SignedB;
  case Condition::Predicate::SLE:
    return SignedA <= SignedB;
  case Condition::Predicate::ULT:
    return A < B;
  case Condition::Predicate::ULE:
    return A <= B;
  }
  return std::nullopt;
}

std::optional<bool> ItemValues::holds(uint32_t Where) {
  bool IsKnown = true;
  for (uint32_t At = Where; At; At = Kernel.Conditions[At].Outer) {
    if (--Budget < 0)
      return std::nullopt;
    const std::optional<bool> Here = compare(Kernel.Conditions[At]);
    if (Here == false)
      return false;
    IsKnown &= Here.has_value();
  }
  return IsKnown ? std::optional(true) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// A launch
//===----------------------------------------------------------------------===//

/// Nodes and conditions that are evaluated for a launch.
static constexpr int64_t MaxEvaluated = 150'000;
/// Work-items next to each other that are looked at, in one dimension and in
/// several, and places where.
static constexpr uint64_t MaxRun = 1024, MaxRunOfGrid = 256, MaxRuns = 3;
static constexpr size_t MaxIntervals = 64;

/// Of \p Size positions, the first and last ones and some between them.
static std::vector<uint64_t> samplesOf(uint64_t Size, uint64_t Run) {
  std::vector<uint64_t> Out;
  if (Size <= Run * MaxRuns) {
    for (uint64_t I = 0; I < Size; ++I)
      Out.push_back(I);
    return Out;
  }
  for (const uint64_t First : {uint64_t(0), (Size - Run) / 2, Size - Run})
    for (uint64_t I = 0; I < Run; ++I)
      Out.push_back(First + I);
  return Out;
}

static void mergeRanges(std::vector<ByteRange> &All) {
  std::ranges::sort(All, {}, &ByteRange::First);
  std::vector<ByteRange> Out;
  for (const ByteRange &Each : All)
    if (!Out.empty() && Each.First <= Out.back().Last)
      Out.back().Last = std::max(Out.back().Last, Each.Last);
    else
      Out.push_back(Each);
  if (Out.size() > MaxIntervals)
    Out.resize(MaxIntervals);
  All = std::move(Out);
}

/// True if accesses like \p A may be reported.
static bool isWanted(const RaceAccess &A, const LaunchValues &Launch) {
  if (!A.Certain || A.IsLocal || A.Arg < 0 ||
      static_cast<size_t>(A.Arg) >= Launch.Args.size())
    return false;
  const LaunchValues::Arg &Arg = Launch.Args[static_cast<size_t>(A.Arg)];
  return Arg.Size >= A.Bytes && (A.Writes ? Arg.Writable : Arg.Readable);
}

std::vector<CertainAccess>
warpsan::certainAccesses(const Claims &Kernel, const RaceClaims &Races,
                         const LaunchValues &Launch) {
  std::vector<CertainAccess> Out;
  const auto Count = std::ranges::count_if(
      Races.Accesses, [&](const RaceAccess &A) { return isWanted(A, Launch); });
  if (!Count)
    return Out;
  // The first dimension decides about neighbors.
  const auto Rows = samplesOf(Launch.Global[1], 1);
  const auto Slices = samplesOf(Launch.Global[2], 1);
  const auto Columns =
      samplesOf(Launch.Global[0],
                Rows.size() * Slices.size() > 1 ? MaxRunOfGrid : MaxRun);
  ItemValues Item(Kernel, Launch);
  for (uint32_t I = 0; I < Races.Accesses.size(); ++I) {
    const RaceAccess &A = Races.Accesses[I];
    if (!isWanted(A, Launch))
      continue;
    CertainAccess Made{I, {}};
    const uint64_t Size = Launch.Args[static_cast<size_t>(A.Arg)].Size;
    Item.Budget = MaxEvaluated / Count;
    for (const uint64_t Z : Slices)
      for (const uint64_t Y : Rows)
        for (const uint64_t X : Columns) {
          if (Item.Budget <= 0)
            break;
          Item.select({X + Launch.Offset[0], Y + Launch.Offset[1],
                       Z + Launch.Offset[2]},
                      A.InLoop);
          if (Item.holds(A.Certain - 1) != true)
            continue;
          const Known At = Item.value(A.Offset);
          if (At && *At <= Size - A.Bytes)
            Made.Ranges.push_back({*At, *At + A.Bytes});
        }
    mergeRanges(Made.Ranges);
    if (!Made.Ranges.empty())
      Out.push_back(std::move(Made));
  }
  return Out;
}
