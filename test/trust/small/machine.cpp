//===- test/trust/small/machine.cpp - runs a case on all its values -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine.h"

#include <algorithm>
#include <cstring>

using namespace trust;
using warpsan::Claim;
using warpsan::Condition;
using warpsan::Node;
using Op = Node::Op;
using Kind = Condition::Predicate;

namespace {

/// Absent: control flow did not get to where the value is calculated.
enum class State : uint8_t { Defined, Poison, Absent };

struct Bits {
  uint64_t Value = 0;
  State Is = State::Defined;
};

constexpr Bits Poison = {0, State::Poison};
constexpr Bits Absent = {0, State::Absent};

uint64_t truncated(uint64_t N, unsigned Width) {
  return Width >= 64 ? N : N & ((uint64_t(1) << Width) - 1);
}

int64_t asSigned(uint64_t N, unsigned Width) {
  const uint64_t Sign = uint64_t(1) << (Width - 1);
  return static_cast<int64_t>((N ^ Sign) - Sign);
}

/// Two's complement arithmetic is done with this many bits, so that what does
/// not fit into a node's can be seen.
__extension__ using Wide = __int128;

bool fits(Wide N, unsigned Width, bool Signed) {
  const Wide Half = Wide(1) << (Width - 1);
  return Signed ? N >= -Half && N < Half : N >= 0 && N < 2 * Half;
}

/// Whether an instruction's flags make its result poison. \p Width: of the
/// operands; the result has N.Width.
bool breaksFlags(const Node &N, unsigned Width, uint64_t A, uint64_t B) {
  for (bool Signed : {true, false}) {
    const Wide X = Signed ? Wide(asSigned(A, Width)) : Wide(A);
    const Wide Y = Signed ? Wide(asSigned(B, Width)) : Wide(B);
    if (N.Flags & Node::Of24Bits &&
        Signed == ((N.Flags & Node::NoSignedWrap) != 0) &&
        (!fits(X, 24, Signed) || !fits(Y, 24, Signed)))
      return true;
    if (!(N.Flags & (Signed ? Node::NoSignedWrap : Node::NoUnsignedWrap)))
      continue;
    switch (N.Opcode) {
    case Op::add:
    case Op::counter:
      if (!fits(X + Y, N.Width, Signed))
        return true;
      break;
    case Op::sub:
      if (!fits(X - Y, N.Width, Signed))
        return true;
      break;
    case Op::mul:
    case Op::multiplied:
      if (!fits(X * Y, N.Width, Signed))
        return true;
      break;
    case Op::shl:
      if (B >= Width || !fits(X << B, N.Width, Signed))
        return true;
      break;
    case Op::trunc:
      if (!fits(X, N.Width, Signed))
        return true;
      break;
    case Op::zext: // nneg
      if (Signed && X < 0)
        return true;
      break;
    default:
      break;
    }
  }
  if (!(N.Flags & Node::Exact))
    return false;
  switch (N.Opcode) {
  case Op::udiv:
    return B != 0 && A % B != 0;
  case Op::sdiv:
    return B != 0 && Wide(asSigned(A, Width)) % asSigned(B, Width) != 0;
  case Op::lshr:
  case Op::ashr:
    return B < Width && truncated(A, static_cast<unsigned>(B)) != 0 && B > 0;
  default:
    return false;
  }
}

/// A binary instruction of the Language Reference on \p Width bits.
Bits calculate(Op Kind, unsigned Width, uint64_t A, uint64_t B) {
  const int64_t SA = asSigned(A, Width), SB = asSigned(B, Width);
  const int64_t MinSigned = asSigned(uint64_t(1) << (Width - 1), Width);
  switch (Kind) {
  case Op::add:
    return {truncated(A + B, Width)};
  case Op::sub:
    return {truncated(A - B, Width)};
  case Op::mul:
    return {truncated(A * B, Width)};
  case Op::udiv:
  case Op::urem:
    if (B == 0)
      return Poison;
    return {Kind == Op::udiv ? A / B : A % B};
  case Op::sdiv:
  case Op::srem:
    if (SB == 0 || (SB == -1 && SA == MinSigned))
      return Poison;
    return {truncated(
        static_cast<uint64_t>(Kind == Op::sdiv ? SA / SB : SA % SB), Width)};
  case Op::shl:
  case Op::lshr:
  case Op::ashr:
    if (B >= Width)
      return Poison;
    if (Kind == Op::shl)
      return {truncated(A << B, Width)};
    if (Kind == Op::lshr)
      return {A >> B};
    return {truncated(static_cast<uint64_t>(SA >> B), Width)};
  case Op::bit_and:
    return {A & B};
  case Op::bit_or:
    return {A | B};
  case Op::bit_xor:
    return {A ^ B};
  case Op::umin:
    return {A < B ? A : B};
  case Op::umax:
    return {A > B ? A : B};
  case Op::smin:
    return {SA < SB ? A : B};
  case Op::smax:
    return {SA > SB ? A : B};
  default:
    return Absent;
  }
}

/// What the iteration of a loop makes of a value of the one before.
Bits step(const Node &N, Bits Before, Bits By) {
  if (Before.Is != State::Defined)
    return Before;
  if (By.Is != State::Defined)
    return By;
  const Op Kind = N.Opcode == Op::counter      ? Op::add
                  : N.Opcode == Op::multiplied ? Op::mul
                  : N.Opcode == Op::udivided   ? Op::udiv
                                               : Op::sdiv;
  if (breaksFlags(N, N.Width, Before.Value, By.Value))
    return Poison;
  return calculate(Kind, N.Width, Before.Value, By.Value);
}

bool compare(Condition::Predicate Kind, unsigned Width, uint64_t A,
             uint64_t B) {
  const int64_t SA = asSigned(A, Width), SB = asSigned(B, Width);
  switch (Kind) {
  case Condition::Predicate::None:
    return true;
  case Condition::Predicate::Equal:
    return A == B;
  case Condition::Predicate::NotEqual:
    return A != B;
  case Condition::Predicate::SLT:
    return SA < SB;
  case Condition::Predicate::SLE:
    return SA <= SB;
  case Condition::Predicate::ULT:
    return A < B;
  case Condition::Predicate::ULE:
    return A <= B;
  }
  return false;
}

struct WorkItem {
  std::array<uint64_t, 3> Global, Local, Group, LocalSize, Groups;
};

/// All work-items of the launch; if the driver chooses the work-group's size,
/// for each that it may choose.
std::vector<WorkItem> workItems(const Case &C) {
  std::vector<WorkItem> All;
  auto Sizes = [&](unsigned D) {
    std::vector<uint64_t> Some = {C.Local[D]};
    if (!C.Local[D]) {
      Some.clear();
      for (uint64_t Size = 1; Size <= C.Global[D]; ++Size)
        Some.push_back(Size);
    }
    return Some;
  };
  for (uint64_t X : Sizes(0))
    for (uint64_t Y : Sizes(1)) {
      if (X * Y > C.MaxLocal && !(C.Local[0] && C.Local[1]))
        continue;
      for (uint64_t IdX = 0; IdX < C.Global[0]; ++IdX)
        for (uint64_t IdY = 0; IdY < C.Global[1]; ++IdY) {
          WorkItem W = {};
          const std::array<uint64_t, 3> Id = {IdX, IdY, 0}, Size = {X, Y, 1};
          for (unsigned D = 0; D < 3; ++D) {
            W.Global[D] = Id[D] + C.Offset[D];
            W.Local[D] = Id[D] % Size[D];
            W.Group[D] = Id[D] / Size[D];
            W.LocalSize[D] =
                std::min(Size[D], C.Global[D] - W.Group[D] * Size[D]);
            W.Groups[D] = (C.Global[D] + Size[D] - 1) / Size[D];
          }
          All.push_back(W);
        }
    }
  return All;
}

/// A node's value, or whether something is reached, in every lane. A lane is a
/// work-item with a value for each leaf.
using Column = std::vector<Bits>;
using Flags = std::vector<uint8_t>;

class Machine {
public:
  explicit Machine(const Case &C) : C(C), K(C.Kernel), Items(workItems(C)) {}

  bool prepare();
  std::vector<Touched> run();

private:
  static constexpr size_t MaxLanes = size_t(1) << 16;
  /// Values of so few bits come again after fewer iterations.
  static constexpr unsigned MaxIterations = 70;

  void markDependences();
  uint32_t dependences(const Node &N) const;
  uint32_t dependencesOfChain(uint32_t Where) const;
  void evaluate(uint32_t Loops);
  void evaluateNode(uint32_t Index);
  Bits leafValue(const Node &N, size_t Lane) const;
  Bits choose(const Node &N, uint32_t Index, size_t Lane) const;
  /// Maybe: what decides is poison, so either may happen.
  enum class Truth : uint8_t { False, True, Maybe };
  Truth holds(uint32_t Where, size_t Lane, uint32_t Outermost = 0) const;
  void observe(const Flags &Reached);
  void enter(uint32_t LoopIndex);
  void leave(uint32_t LoopIndex);
  void advance(uint32_t LoopIndex);
  Flags entered(uint32_t LoopIndex, const Flags &Before) const;
  void anyOf(Flags &Some, size_t Block) const;
  void addAgain(uint32_t LoopIndex, const Flags &Reached, Flags &Next) const;
  void runSecond(const Flags &Reached, Flags *NextOfFirst);

  const Case &C;
  const warpsan::Claims &K;
  const std::vector<WorkItem> Items;
  size_t Lanes = 0;
  std::array<size_t, 3> PerScope = {1, 1, 1}; ///< combinations of leaves
  std::vector<const Leaf *> LeafOf;           ///< by node
  std::vector<size_t> Stride;                 ///< by node: of its leaf
  std::vector<uint32_t> DependsOn;            ///< by node: loops, as bits
  std::vector<Column> Columns;                ///< by node
  std::vector<Touched> Seen;
};

} // namespace

bool Machine::prepare() {
  LeafOf.assign(K.Nodes.size(), nullptr);
  Stride.assign(K.Nodes.size(), 0);
  for (const Leaf &L : C.Leaves) {
    LeafOf[L.Node] = &L;
    PerScope[L.Scope] *= L.Values.size();
    if (PerScope[L.Scope] > MaxLanes)
      return false;
  }
  // Lane = ((item * first scope + leaves) * second scope + leaves) * ...
  std::array<size_t, 3> Next = {PerScope[1] * PerScope[2], PerScope[2], 1};
  for (const Leaf &L : C.Leaves) {
    Stride[L.Node] = Next[L.Scope];
    Next[L.Scope] *= L.Values.size();
  }
  Lanes = Items.size() * PerScope[0] * PerScope[1] * PerScope[2];
  if (Lanes > MaxLanes || (K.Loops.size() == 2 && Lanes > 2048))
    return false;
  markDependences();
  Columns.assign(K.Nodes.size(), Column(Lanes));
  Seen.assign(K.All.size(), {});
  return true;
}

uint32_t Machine::dependencesOfChain(uint32_t Where) const {
  uint32_t Loops = 0;
  for (uint32_t At = Where; At; At = K.Conditions[At].Outer)
    Loops |= DependsOn[K.Conditions[At].A] | DependsOn[K.Conditions[At].B];
  return Loops;
}

uint32_t Machine::dependences(const Node &N) const {
  const unsigned Operands = operandsOf(N.Opcode);
  uint32_t Loops = 0;
  if (Operands > 0)
    Loops |= DependsOn[N.A];
  if (Operands > 1)
    Loops |= DependsOn[N.B];
  if (isRecurrence(N.Opcode))
    Loops |= 1U << N.Value;
  if (N.Opcode == Op::select)
    Loops |= dependencesOfChain(N.conditionOfA()) |
             dependencesOfChain(N.conditionOfB());
  return Loops;
}

void Machine::markDependences() {
  DependsOn.assign(K.Nodes.size(), 0);
  for (size_t I = 0; I < K.Nodes.size(); ++I)
    DependsOn[I] = dependences(K.Nodes[I]);
}

/// Of \p Where and all outer conditions, up to \p Outermost, which is left out.
Machine::Truth Machine::holds(uint32_t Where, size_t Lane,
                              uint32_t Outermost) const {
  if (Where == Outermost)
    return Truth::True;
  const Condition &One = K.Conditions[Where];
  // Branches are taken from the outermost on: an inner one is not reached where
  // an outer one goes the other way.
  const Truth Outer = holds(One.Outer, Lane, Outermost);
  if (Outer == Truth::False)
    return Outer;
  const Bits A = Columns[One.A][Lane], B = Columns[One.B][Lane];
  if (A.Is == State::Absent || B.Is == State::Absent)
    return Truth::False;
  if (A.Is == State::Poison || B.Is == State::Poison)
    return Truth::Maybe;
  return compare(One.Pred, K.Nodes[One.A].Width, A.Value, B.Value)
             ? Outer
             : Truth::False;
}

/// A node without operands.
Bits Machine::leafValue(const Node &N, size_t Lane) const {
  const WorkItem &W = Items[Lane / (Lanes / Items.size())];
  const unsigned Width = N.Width;
  switch (N.Opcode) {
  case Op::poison:
    return Poison;
  case Op::constant:
    return {truncated(static_cast<uint64_t>(N.Value), Width)};
  case Op::argument: {
    uint64_t Word = 0;
    std::memcpy(&Word, C.ArgBytes[N.A].data() + N.B, Width / 8);
    return {Word};
  }
  case Op::start:
    return {truncated(C.ArgStarts[N.A], Width)};
  case Op::global_size:
    return {truncated(C.Global[N.A], Width)};
  case Op::global_offset:
    return {truncated(C.Offset[N.A], Width)};
  case Op::local_size:
    return {truncated(W.LocalSize[N.A], Width)};
  case Op::num_groups:
    return {truncated(W.Groups[N.A], Width)};
  case Op::global_id:
    return {truncated(W.Global[N.A], Width)};
  case Op::local_id:
    return {truncated(W.Local[N.A], Width)};
  case Op::group_id:
    return {truncated(W.Group[N.A], Width)};
  default:
    return Absent;
  }
}

/// A join, or a choice: of two values the one on whose way control flow came.
Bits Machine::choose(const Node &N, uint32_t Index, size_t Lane) const {
  const Bits A = Columns[N.A][Lane], B = Columns[N.B][Lane];
  std::optional<bool> TakesB;
  if (const Leaf *L = LeafOf[Index])
    TakesB = L->Values[Lane / Stride[Index] % L->Values.size()] != 0;
  if (N.Opcode == Op::phi)
    return *TakesB ? B : A;
  // Where the choice is; then, what decides.
  uint32_t Here = N.conditionOfA(), Other = N.conditionOfB();
  while (Here != Other) {
    uint32_t &Inner = Here > Other ? Here : Other;
    Inner = K.Conditions[Inner].Outer;
  }
  if (holds(Here, Lane) == Truth::False)
    return Absent;
  const Truth InA = holds(N.conditionOfA(), Lane, Here);
  const Truth InB = holds(N.conditionOfB(), Lane, Here);
  if (InA == Truth::Maybe || InB == Truth::Maybe)
    return Poison;
  if (InA == Truth::True && TakesB != true)
    return A;
  if (InB == Truth::True && TakesB != false)
    return B;
  return Absent;
}

void Machine::evaluateNode(uint32_t Index) {
  const Node &N = K.Nodes[Index];
  Column &To = Columns[Index];
  if (isRecurrence(N.Opcode))
    return; // by enter() and advance()
  if (N.Opcode == Op::phi || N.Opcode == Op::select) {
    for (size_t Lane = 0; Lane < Lanes; ++Lane)
      To[Lane] = choose(N, Index, Lane);
    return;
  }
  const unsigned Operands = operandsOf(N.Opcode);
  if (const Leaf *L = LeafOf[Index]) {
    for (size_t Lane = 0; Lane < Lanes; ++Lane) {
      To[Lane] = {L->Values[Lane / Stride[Index] % L->Values.size()]};
      const Bits A = Operands > 0 ? Columns[N.A][Lane] : Bits{};
      const Bits B = Operands > 1 ? Columns[N.B][Lane] : Bits{};
      if (A.Is == State::Absent || B.Is == State::Absent)
        To[Lane] = Absent;
      else if (N.Opcode == Op::freeze && A.Is == State::Defined)
        To[Lane] = A;
      else if (N.Opcode == Op::mixed &&
               !(A.Is == State::Defined && B.Is == State::Defined))
        To[Lane] = Poison;
    }
    return;
  }
  if (Operands == 0) {
    for (size_t Lane = 0; Lane < Lanes; ++Lane)
      To[Lane] = leafValue(N, Lane);
    return;
  }
  const unsigned From = K.Nodes[N.A].Width;
  for (size_t Lane = 0; Lane < Lanes; ++Lane) {
    const Bits A = Columns[N.A][Lane];
    const Bits B = Operands > 1 ? Columns[N.B][Lane] : Bits{};
    if (A.Is == State::Absent || B.Is == State::Absent)
      To[Lane] = Absent;
    else if (A.Is == State::Poison || B.Is == State::Poison)
      To[Lane] = Poison;
    else if (breaksFlags(N, From, A.Value, B.Value))
      To[Lane] = Poison;
    else if (N.Flags & Node::Ordered &&
             compare(N.Opcode == Op::smin ? Kind::SLT : Kind::ULT, N.Width,
                     B.Value, Columns[K.Nodes[N.A].B][Lane].Value))
      To[Lane] = Poison;
    else if (N.Opcode == Op::zext)
      To[Lane] = A;
    else if (N.Opcode == Op::sext)
      To[Lane] = {
          truncated(static_cast<uint64_t>(asSigned(A.Value, From)), N.Width)};
    else if (N.Opcode == Op::trunc)
      To[Lane] = {truncated(A.Value, N.Width)};
    else
      To[Lane] = calculate(N.Opcode, N.Width, A.Value, B.Value);
  }
}

/// Nodes that depend on one of \p Loops; with 0, those that depend on none.
void Machine::evaluate(uint32_t Loops) {
  for (uint32_t I = 0; I < K.Nodes.size(); ++I)
    if (Loops ? (DependsOn[I] & Loops) != 0 : DependsOn[I] == 0)
      evaluateNode(I);
}

void Machine::leave(uint32_t LoopIndex) {
  for (uint32_t I = 0; I < K.Nodes.size(); ++I)
    if (isRecurrence(K.Nodes[I].Opcode) && K.Nodes[I].Value == LoopIndex)
      Columns[I].assign(Lanes, Absent);
  evaluate(1U << LoopIndex);
}

/// Values of the first iteration. A start may be a value of the same loop only
/// by mistake of the case.
void Machine::enter(uint32_t LoopIndex) {
  for (uint32_t I = 0; I < K.Nodes.size(); ++I)
    if (isRecurrence(K.Nodes[I].Opcode) && K.Nodes[I].Value == LoopIndex)
      Columns[I] = Columns[K.Nodes[I].A];
  evaluate(1U << LoopIndex);
}

void Machine::advance(uint32_t LoopIndex) {
  for (uint32_t I = 0; I < K.Nodes.size(); ++I) {
    const Node &N = K.Nodes[I];
    if (!isRecurrence(N.Opcode) || N.Value != LoopIndex)
      continue;
    for (size_t Lane = 0; Lane < Lanes; ++Lane)
      Columns[I][Lane] = step(N, Columns[I][Lane], Columns[N.B][Lane]);
  }
  evaluate(1U << LoopIndex);
}

/// Lanes in which control flow gets into the loop.
Flags Machine::entered(uint32_t LoopIndex, const Flags &Before) const {
  Flags In(Lanes);
  for (size_t Lane = 0; Lane < Lanes; ++Lane)
    if (Before[Lane])
      In[Lane] = holds(K.Loops[LoopIndex].HeaderCond, Lane) != Truth::False;
  return In;
}

/// Sets all flags of each \p Block of lanes if one of them is set: these differ
/// in values only that are made anew.
void Machine::anyOf(Flags &Some, size_t Block) const {
  for (size_t From = 0; From < Lanes; From += Block) {
    const auto Begin = Some.begin() + static_cast<ptrdiff_t>(From);
    const auto End = Begin + static_cast<ptrdiff_t>(Block);
    std::fill(Begin, End, uint8_t(std::any_of(Begin, End, [](uint8_t Each) {
                return Each != 0;
              })));
  }
}

/// Marks in \p Next the lanes in which another iteration follows.
void Machine::addAgain(uint32_t LoopIndex, const Flags &Reached,
                       Flags &Next) const {
  for (size_t Lane = 0; Lane < Lanes; ++Lane)
    if (Reached[Lane])
      Next[Lane] |= holds(K.Loops[LoopIndex].LatchCond, Lane) != Truth::False;
}

/// Looks at all accesses, where the lanes' values are as they are now.
void Machine::observe(const Flags &Reached) {
  for (size_t I = 0; I < K.All.size(); ++I) {
    const Claim &One = K.All[I];
    Touched &T = Seen[I];
    for (size_t Lane = 0; Lane < Lanes; ++Lane) {
      if (!Reached[Lane])
        continue;
      const Truth There = holds(One.Where, Lane);
      if (There == Truth::False)
        continue;
      const Bits At = Columns[One.Offset][Lane];
      if (At.Is == State::Absent)
        continue;
      if (At.Is == State::Poison) {
        T.Poison = true;
        continue;
      }
      const auto Signed = static_cast<int64_t>(At.Value);
      T.Min = T.Any ? std::min(T.Min, Signed) : Signed;
      T.Max = T.Any ? std::max(T.Max, Signed) : Signed;
      T.LowBits |= At.Value;
      T.Any = true;
    }
  }
}

static bool anySet(const Flags &Some) {
  return std::ranges::any_of(Some, [](uint8_t Each) { return Each != 0; });
}

/// The second loop, at one moment of the first. \p NextOfFirst: it is inside of
/// that, whose next iteration may follow from any of this one's.
void Machine::runSecond(const Flags &Reached, Flags *NextOfFirst) {
  constexpr uint32_t Second = 1;
  leave(Second);
  observe(Reached);
  if (NextOfFirst)
    addAgain(0, Reached, *NextOfFirst);
  Flags Now = entered(Second, Reached);
  if (!anySet(Now))
    return;
  enter(Second);
  for (unsigned I = 0; I < MaxIterations && anySet(Now); ++I) {
    observe(Now);
    if (NextOfFirst)
      addAgain(0, Now, *NextOfFirst);
    Flags Next(Lanes);
    addAgain(Second, Now, Next);
    anyOf(Next, PerScope[2]);
    Now = std::move(Next);
    advance(Second);
  }
}

std::vector<Touched> Machine::run() {
  const Flags All(Lanes, 1);
  evaluate(0);
  const size_t Count = K.Loops.size();
  const bool Nested = Count == 2 && K.Loops[1].Parent == 1;
  auto Visit = [&](const Flags &Reached, Flags *Next) {
    if (Count == 2) {
      runSecond(Reached, Nested ? Next : nullptr);
    } else {
      observe(Reached);
    }
    if (Next && !Nested) {
      if (Count == 2)
        leave(1);
      addAgain(0, Reached, *Next);
    }
  };
  if (Count == 0) {
    observe(All);
    return Seen;
  }
  if (Count == 2)
    leave(1);
  leave(0);
  Visit(All, nullptr);
  if (Count == 2)
    leave(1);
  Flags Now = entered(0, All);
  enter(0);
  for (unsigned I = 0; I < MaxIterations && anySet(Now); ++I) {
    Flags Next(Lanes);
    Visit(Now, &Next);
    anyOf(Next, PerScope[1] * PerScope[2]);
    Now = std::move(Next);
    if (Count == 2)
      leave(1);
    advance(0);
  }
  return Seen;
}

std::optional<std::vector<Touched>> trust::run(const Case &C) {
  Machine M(C);
  if (!M.prepare())
    return std::nullopt;
  return M.run();
}
