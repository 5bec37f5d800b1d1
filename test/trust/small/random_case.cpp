//===- test/trust/small/random_case.cpp - kernels made by chance ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "random_case.h"

#include <algorithm>
#include <random>

using namespace trust;
using warpsan::Condition;
using warpsan::Node;
using Op = Node::Op;
using Kind = Condition::Predicate;

namespace {

/// Writes a kernel from its first instruction to its last, as a compiler would
/// see it: what is calculated in a loop is not used before it, conditions are
/// those of the blocks around.
class Maker {
public:
  Maker(uint64_t Seed, const Wish &Wanted)
      : From(static_cast<std::mt19937::result_type>(Seed)), W(Wanted) {}

  Case make();

private:
  uint64_t below(uint64_t N) { return From() % N; }
  bool oneIn(uint64_t N) { return below(N) == 0; }
  template <typename T> T oneOf(std::initializer_list<T> All) {
    return All.begin()[below(All.size())];
  }

  /// How a node changes in the loop that is being written.
  struct Change {
    bool Rounds = false; ///< differs between iterations of the current loop
    /// Differs by the loop's counters only, as a sum of multiples of them.
    bool Linear = true;
  };

  uint32_t keep(uint32_t Index, Change How);
  uint32_t number();
  uint32_t poison() { return keep(C.add(Op::poison, W.Width), {}); }
  uint32_t latest();
  uint32_t some(unsigned Width);
  uint32_t invariant(unsigned Width);
  bool isAvailable(uint32_t Index) const;
  bool isInvariant(uint32_t Index) const { return !Changes[Index].Rounds; }
  void makeLaunch();
  void makeLeaves();
  bool addLeaf(uint32_t Node, std::vector<uint64_t> Values);
  void calculate();
  void setFlags(uint32_t Index);
  void select();
  void clamp();
  void divideId();
  Change changeOf(const Node &N) const;
  uint32_t compare(uint32_t Outer, uint32_t A, uint32_t B);
  uint32_t compareSome(uint32_t Outer);
  void part(unsigned Steps);
  void loop(unsigned Depth);
  void access();

  std::mt19937 From;
  const Wish W;
  Case C;
  uint32_t Here = 0;           ///< condition of the current block
  uint32_t InLoop = 0;         ///< 1 + index of the innermost loop around it
  std::vector<Change> Changes; ///< by node
  /// By node: condition of the block that it is calculated in, which dominates
  /// where it is used.
  std::vector<uint32_t> MadeAt;
  std::vector<uint32_t> Counters; ///< of loops that were written
  unsigned LeavesLeft = 0;
};

} // namespace

Maker::Change Maker::changeOf(const Node &N) const {
  const unsigned Operands = operandsOf(N.Opcode);
  Change How;
  auto Add = [&](uint32_t Index) {
    How.Rounds |= Changes[Index].Rounds;
    How.Linear &= Changes[Index].Linear;
  };
  if (Operands > 0)
    Add(N.A);
  if (Operands > 1)
    Add(N.B);
  if (N.Opcode == Op::select) {
    for (uint32_t At : {N.conditionOfA(), N.conditionOfB()})
      for (; At; At = C.Kernel.Conditions[At].Outer) {
        Add(C.Kernel.Conditions[At].A);
        Add(C.Kernel.Conditions[At].B);
      }
    // It is made here, so it may be another one each time.
    How.Rounds |= InLoop != 0;
  }
  switch (N.Opcode) {
  case Op::add:
  case Op::sub:
  case Op::zext:
  case Op::sext:
  case Op::trunc:
    break;
  default:
    How.Linear &= !How.Rounds;
  }
  return How;
}

/// Nodes that Case made are entered here.
uint32_t Maker::keep(uint32_t Index, Change How) {
  while (Changes.size() <= Index) {
    Changes.push_back({});
    MadeAt.push_back(Here);
  }
  Changes[Index] = How;
  return Index;
}

uint32_t Maker::number() {
  const int64_t Half = int64_t(1) << (W.Width - 1);
  const int64_t Value =
      oneIn(3) ? oneOf<int64_t>({0, 1, 2, -1, Half - 1, -Half, Half, 3, 4})
               : static_cast<int64_t>(below(uint64_t(2 * Half))) - Half / 2;
  return keep(C.constant(Value, W.Width), {});
}

/// The newest one that is no constant, of the width of most: what is calculated
/// last is what conditions and accesses are about.
uint32_t Maker::latest() {
  for (auto I = static_cast<uint32_t>(C.Kernel.Nodes.size()); I > 0; --I)
    if (const Node &N = C.Kernel.Nodes[I - 1];
        N.Width == W.Width && N.Opcode != Op::constant && isAvailable(I - 1))
      return I - 1;
  return number();
}

/// A node of \p Width bits; newer ones more often.
uint32_t Maker::some(unsigned Width) {
  const auto Count = static_cast<uint32_t>(C.Kernel.Nodes.size());
  if (Width == W.Width && oneIn(3))
    return latest();
  for (int Try = 0; Try < 10; ++Try) {
    const uint32_t Newest = std::min<uint32_t>(Count, 5);
    const auto Index = static_cast<uint32_t>(
        oneIn(2) ? Count - 1 - below(Newest) : below(Count));
    if (C.Kernel.Nodes[Index].Width == Width && isAvailable(Index))
      return Index;
  }
  if (Width == W.Width)
    return number();
  return keep(C.add(oneOf({Op::zext, Op::sext}), Width, some(W.Width)),
              Change{});
}

bool Maker::isAvailable(uint32_t Index) const {
  uint32_t At = Here;
  while (At && At != MadeAt[Index])
    At = C.Kernel.Conditions[At].Outer;
  return At == MadeAt[Index];
}

uint32_t Maker::invariant(unsigned Width) {
  for (int Try = 0; Try < 6; ++Try)
    if (const uint32_t Index = some(Width); isInvariant(Index))
      return Index;
  return number();
}

bool Maker::addLeaf(uint32_t Index, std::vector<uint64_t> Values) {
  if (!LeavesLeft)
    return false;
  --LeavesLeft;
  C.Leaves.push_back({Index, std::move(Values), InLoop});
  return true;
}

void Maker::makeLaunch() {
  const unsigned Dimensions = oneIn(5) ? 2 : 1;
  for (unsigned D = 0; D < Dimensions; ++D) {
    C.Global[D] = 1 + below(Dimensions == 2 ? 4 : 7);
    C.Local[D] = oneIn(4) ? 0 : 1 + below(C.Global[D]);
    C.Offset[D] = oneIn(4) ? below(4) : 0;
  }
  C.MaxLocal = 1 + below(8);
  for (unsigned D = 0; D < 2; ++D) // a group that is asked for is possible
    C.MaxLocal = std::max(C.MaxLocal, C.Local[0] * C.Local[1]);
  C.ArgBytes = {std::string(1, static_cast<char>(below(20))),
                std::string(1, static_cast<char>(below(256)))};
  C.ArgStarts = {0, 4 * below(3)};
  warpsan::Content Of;
  Of.Width = 8;
  Of.Stride = Of.Bytes = 1;
  C.Kernel.Contents = {Of};
  const int64_t Least = oneIn(2) ? static_cast<int64_t>(below(6))
                                 : -static_cast<int64_t>(below(4));
  C.Contents = {warpsan::LaunchValues::Range{
      Least, Least + static_cast<int64_t>(below(12))}};
}

void Maker::makeLeaves() {
  const unsigned Width = W.Width;
  auto Narrow = [&](uint32_t Wide) {
    keep(Wide, {});
    keep(C.add(Op::trunc, Width, Wide), {});
  };
  for (uint32_t D : {0U, 1U})
    for (Op What : {Op::global_id, Op::local_id, Op::group_id, Op::global_size,
                    Op::local_size, Op::num_groups, Op::global_offset})
      if (oneIn(D ? 12 : What == Op::global_id ? 2 : 4))
        Narrow(C.add(What, 64, D));
  if (oneIn(2))
    Narrow(C.add(Op::argument, 8, static_cast<uint32_t>(below(2))));
  if (oneIn(8))
    Narrow(C.add(Op::start, 64, 1));
  number();
}

/// One that is known only to be among some.
static std::vector<uint64_t>
loadedValues(const warpsan::LaunchValues::Range &In) {
  std::vector<uint64_t> All = {0};
  for (int64_t Each = In.Min; Each <= In.Max; ++Each)
    if (Each != 0)
      All.push_back(static_cast<uint8_t>(Each));
  return All;
}

void Maker::select() {
  const unsigned Width = W.Width;
  uint32_t A = some(Width);
  uint32_t B = oneIn(2) ? number() : some(Width);
  // Often one of the two decides.
  const uint32_t Yes =
      oneIn(2) ? compareSome(Here)
               : compare(Here, oneIn(3) ? B : A, oneIn(3) ? B : number());
  if (Yes == Here)
    return;
  uint32_t No = C.opposite(Yes, Here);
  uint32_t Deeper = Yes;
  if (oneIn(4)) { // chosen by two conditions
    Deeper = compareSome(Yes);
    if (Deeper != Yes)
      No = Here;
  }
  if (oneIn(3)) {
    const uint32_t More = some(Width);
    B = C.add(oneOf({Op::add, Op::sub}), Width, B, More);
    keep(B, changeOf(C.Kernel.Nodes[B]));
  }
  if (No == Here && !LeavesLeft)
    return;
  const uint32_t Index =
      C.add(Op::select, Width, A, B, Node::conditions(Deeper, No));
  // Where the second one does not exclude the first, either may be taken.
  if (No == Here)
    addLeaf(Index, {0, 1});
  keep(Index, changeOf(C.Kernel.Nodes[Index]));
}

void Maker::clamp() {
  const unsigned Width = W.Width;
  const uint32_t Of = some(Width), Low = invariant(Width),
                 High = invariant(Width);
  const bool Signed = oneIn(2);
  const uint32_t Max = C.add(Signed ? Op::smax : Op::umax, Width, Of, Low);
  keep(Max, changeOf(C.Kernel.Nodes[Max]));
  const uint32_t Min = C.add(Signed ? Op::smin : Op::umin, Width, Max, High);
  setFlags(Min);
  keep(Min, changeOf(C.Kernel.Nodes[Min]));
}

void Maker::calculate() {
  const unsigned Width = W.Width;
  uint32_t Index;
  switch (below(24)) {
  case 0: {
    if (!LeavesLeft)
      return;
    Index = C.add(Op::opaque, Width, 0, 0,
                  static_cast<int64_t>(C.Kernel.Nodes.size()));
    addLeaf(Index, allValues(Width));
    keep(Index, {InLoop != 0, InLoop == 0});
    return;
  }
  case 1: {
    if (!LeavesLeft)
      return;
    Index =
        C.add(Op::loaded, 8, 0, 0, static_cast<int64_t>(C.Kernel.Nodes.size()));
    addLeaf(Index, loadedValues(*C.Contents[0]));
    keep(Index, {InLoop != 0, InLoop == 0});
    Index = C.add(Op::trunc, Width, Index);
    break;
  }
  case 2: {
    if (!LeavesLeft)
      return;
    const uint32_t A = some(Width), B = some(Width);
    Index = C.add(Op::phi, Width, A, B,
                  static_cast<int64_t>(C.Kernel.Nodes.size()));
    addLeaf(Index, {0, 1});
    Change How = changeOf(C.Kernel.Nodes[Index]);
    How.Rounds |= InLoop != 0;
    How.Linear &= InLoop == 0;
    keep(Index, How);
    return;
  }
  case 3:
  case 4:
  case 5:
    return select();
  case 6:
    return clamp();
  case 7: { // to more bits, and back
    const unsigned Wide = Width + 2;
    const uint32_t Up = C.add(oneOf({Op::zext, Op::sext}), Wide, some(Width));
    keep(Up, changeOf(C.Kernel.Nodes[Up]));
    const uint32_t Other =
        C.add(oneOf({Op::zext, Op::sext}), Wide, some(Width));
    keep(Other, changeOf(C.Kernel.Nodes[Other]));
    const uint32_t Sum = C.add(oneOf({Op::add, Op::sub, Op::mul, Op::udiv,
                                      Op::urem, Op::lshr, Op::smin}),
                               Wide, Up, Other);
    keep(Sum, changeOf(C.Kernel.Nodes[Sum]));
    Index = C.add(Op::trunc, Width, Sum);
    break;
  }
  case 8:
    number();
    return;
  case 9: // what undefined behavior leaves
    if (!LeavesLeft || !oneIn(2)) {
      number();
      return;
    }
    if (oneIn(2)) {
      const uint32_t A = some(Width), B = some(Width);
      Index = C.add(Op::mixed, Width, A, B,
                    static_cast<int64_t>(C.Kernel.Nodes.size()));
    } else {
      Index = C.add(Op::freeze, Width, oneIn(4) ? poison() : some(Width));
    }
    addLeaf(Index, allValues(Width));
    keep(Index, {InLoop != 0, InLoop == 0});
    return;
  default: {
    const Op What = oneOf(
        {Op::add,  Op::add,  Op::add,     Op::sub,     Op::sub,    Op::mul,
         Op::mul,  Op::udiv, Op::sdiv,    Op::urem,    Op::srem,   Op::shl,
         Op::lshr, Op::ashr, Op::bit_and, Op::bit_and, Op::bit_or, Op::bit_xor,
         Op::umin, Op::umax, Op::smin,    Op::smax});
    const uint32_t A = oneIn(2) ? latest() : some(Width);
    uint32_t B = some(Width);
    const bool Shift = What == Op::shl || What == Op::lshr || What == Op::ashr;
    const bool Divides = What == Op::udiv || What == Op::sdiv ||
                         What == Op::urem || What == Op::srem;
    if (Shift && !oneIn(4))
      B = keep(C.constant(static_cast<int64_t>(below(Width)), Width), {});
    else if (Divides && !oneIn(3))
      B = keep(C.constant(1 + static_cast<int64_t>(below(6)), Width), {});
    else if (What == Op::bit_and && oneIn(2))
      B = keep(C.constant(oneOf<int64_t>({1, 3, 7, -2, -4, 6, 5}), Width), {});
    else if (What == Op::mul && oneIn(2))
      B = keep(C.constant(oneOf<int64_t>({2, 3, -1, 4, 5}), Width), {});
    Index = C.add(What, Width, A, B);
    setFlags(Index);
  }
  }
  keep(Index, changeOf(C.Kernel.Nodes[Index]));
}

/// Now and then, flags that the instruction may have.
void Maker::setFlags(uint32_t Index) {
  Node &N = C.Kernel.Nodes[Index];
  if (!oneIn(4))
    return;
  switch (N.Opcode) {
  case Op::add:
  case Op::sub:
  case Op::mul:
  case Op::shl:
  case Op::counter:
  case Op::multiplied:
    N.Flags = static_cast<uint8_t>(1 + below(3));
    break;
  case Op::zext:
    N.Flags = Node::NoSignedWrap;
    break;
  case Op::udiv:
  case Op::sdiv:
  case Op::lshr:
  case Op::ashr:
    N.Flags = oneIn(4) ? Node::Exact : 0;
    break;
  case Op::smin:
  case Op::umin:
    if (const Op Of = C.Kernel.Nodes[N.A].Opcode;
        Of == (N.Opcode == Op::smin ? Op::smax : Op::umax))
      N.Flags = Node::Ordered;
    break;
  default:
    break;
  }
}

uint32_t Maker::compare(uint32_t Outer, uint32_t A, uint32_t B) {
  const Kind What = oneOf({Kind::Equal, Kind::NotEqual, Kind::SLT, Kind::SLT,
                           Kind::SLE, Kind::ULT, Kind::ULT, Kind::ULE});
  // Only counters change it, and it is said more often than not.
  const bool Steady = InLoop && Changes[A].Linear && Changes[B].Linear;
  return C.condition(What, Outer, A, B, Steady && !oneIn(6) ? InLoop : 0);
}

/// \p Outer if there is nothing to compare.
uint32_t Maker::compareSome(uint32_t Outer) {
  uint32_t A = oneIn(3) ? latest() : some(W.Width), B = some(W.Width);
  if (A == B)
    B = number();
  if (oneIn(3))
    B = number();
  if (oneIn(4))
    std::swap(A, B);
  return compare(Outer, A, B);
}

void Maker::access() {
  const unsigned Width = W.Width;
  uint32_t At = oneIn(3) ? some(Width) : latest();
  if (oneIn(3)) {
    const uint32_t By = oneIn(3) ? some(Width) : number();
    At = C.add(oneOf({Op::add, Op::sub}), Width, At, By);
    keep(At, changeOf(C.Kernel.Nodes[At]));
  }
  if (!Counters.empty() && oneIn(3)) {
    const uint32_t Counter = Counters[below(Counters.size())];
    if (!isAvailable(Counter)) {
      // its loop does not dominate this access
    } else if (oneIn(2)) {
      At = Counter;
    } else {
      At = C.add(oneOf({Op::add, Op::sub, Op::mul}), Width, Counter, At);
      keep(At, changeOf(C.Kernel.Nodes[At]));
    }
  }
  uint32_t Wide = C.add(oneOf({Op::zext, Op::sext}), 64, At);
  setFlags(Wide);
  keep(Wide, changeOf(C.Kernel.Nodes[Wide]));
  auto Extend = [&](Op What, int64_t By) {
    const uint32_t Constant = keep(C.constant(By, 64), {});
    Wide = C.add(What, 64, Wide, Constant);
    keep(Wide, changeOf(C.Kernel.Nodes[Wide]));
  };
  if (oneIn(2))
    Extend(Op::mul, oneOf<int64_t>({2, 4, 8, 12}));
  if (oneIn(4))
    Extend(Op::add, oneOf<int64_t>({1, 2, 4, -4, 8}));
  if (oneIn(4)) {
    uint32_t More = C.add(oneOf({Op::zext, Op::sext}), 64, some(Width));
    keep(More, changeOf(C.Kernel.Nodes[More]));
    Wide = C.add(oneOf({Op::add, Op::sub}), 64, Wide, More);
    keep(Wide, changeOf(C.Kernel.Nodes[Wide]));
  }
  C.claim(Wide, Here, oneOf<uint64_t>({1, 1, 2, 4}));
}

void Maker::part(unsigned Steps) {
  for (unsigned I = 0; I < Steps; ++I)
    if (oneIn(4))
      Here = compareSome(Here);
    else
      calculate();
}

/// Tested at its start or at its end, with other loops in it.
void Maker::loop(unsigned Depth) {
  const unsigned Width = W.Width;
  const auto Index = static_cast<uint32_t>(C.Kernel.Loops.size());
  const uint32_t Around = Here, OuterLoop = InLoop;
  const std::vector<Change> Before = Changes;
  // Its values: what begins outside and is changed by what does not change.
  struct Start {
    Op What;
    uint32_t A, B;
  };
  std::vector<Start> Starts;
  // What belongs to a loop around does not change in this one.
  const unsigned Count = 1 + static_cast<unsigned>(below(2));
  for (unsigned I = 0; I < Count; ++I) {
    const uint32_t A = oneIn(3) ? some(Width) : number();
    if (I == 0 || !oneIn(3)) {
      const uint32_t Step =
          oneIn(4)
              ? some(Width)
              : keep(C.constant(oneOf<int64_t>({1, 1, 1, 2, 3, -1, -1, -2}),
                                Width),
                     {});
      Starts.push_back({Op::counter, A, Step});
    } else {
      const uint32_t By = keep(
          C.constant(oneOf<int64_t>({2, 2, 2, 3, 4, 1, 0, -1}), Width), {});
      Starts.push_back(
          {oneOf({Op::multiplied, Op::multiplied, Op::udivided, Op::sdivided}),
           A, By});
    }
  }
  warpsan::Loop L;
  L.HeaderCond = L.LatchCond = Around;
  L.Parent = OuterLoop;
  C.Kernel.Loops.push_back(L);
  InLoop = Index + 1;
  for (Change &Each : Changes) // all of it stays in this one
    Each = {};
  std::vector<uint32_t> Mine;
  for (const Start &S : Starts) {
    const uint32_t Node = C.add(S.What, Width, S.A, S.B, Index);
    setFlags(Node);
    keep(Node, {true, S.What == Op::counter});
    Mine.push_back(Node);
    Counters.push_back(Node);
  }
  auto Mentioned = [&] {
    uint32_t Of = Mine[below(Mine.size())];
    if (oneIn(3)) { // the value of the next iteration
      const Node N = C.Kernel.Nodes[Of];
      if (N.Opcode == Op::counter) {
        Of = C.add(Op::add, Width, Of, N.B);
        keep(Of, changeOf(C.Kernel.Nodes[Of]));
      }
    }
    return Of;
  };
  auto Test = [&](uint32_t Outer) {
    uint32_t A = Mentioned(), B = oneIn(2) ? number() : invariant(Width);
    if (oneIn(3))
      std::swap(A, B);
    return compare(Outer, A, B);
  };
  uint32_t Exit = 0;
  const bool First = oneIn(2);
  if (First) {
    const uint32_t Goes = Test(Here);
    Exit = C.opposite(Goes, Around);
    Here = Goes;
  }
  part(1 + static_cast<unsigned>(below(W.Steps)));
  if (oneIn(2))
    access();
  const uint32_t InBody = Here;
  // A loop in it comes before its end.
  if (Depth + 1 < W.Loops && C.Kernel.Loops.size() < W.Loops && oneIn(2))
    loop(Depth + 1);
  access();
  // Conditions of a part of the body do not hold at its end.
  Here = oneIn(2) ? InBody : Here;
  uint32_t Again = Here;
  if (!First || oneIn(4)) {
    Again = Test(Here);
    if (!First)
      Exit = C.opposite(Again, Here);
  }
  C.Kernel.Loops[Index].LatchCond = Again;
  // After it: its values are those of the last iteration.
  InLoop = OuterLoop;
  Here = oneIn(3) ? Around : Exit ? Exit : Around;
  for (size_t I = 0; I < Changes.size(); ++I) {
    if (I < Before.size())
      Changes[I] = Before[I];
    else if (OuterLoop) // made in the loop around, in one of its iterations
      Changes[I] = {true, false};
    else
      Changes[I] = {};
  }
}

Case Maker::make() {
  LeavesLeft = W.Leaves;
  makeLaunch();
  makeLeaves();
  part(1 + static_cast<unsigned>(below(W.Steps)));
  if (W.Loops && !oneIn(4)) {
    loop(0);
    if (oneIn(2))
      part(1 + static_cast<unsigned>(below(3)));
    if (oneIn(2))
      access();
    if (C.Kernel.Loops.size() < W.Loops && oneIn(2))
      loop(0);
  }
  access();
  return std::move(C);
}

Case trust::randomCase(uint64_t Seed, const Wish &Wanted) {
  return Maker(Seed, Wanted).make();
}
