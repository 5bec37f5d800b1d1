//===- test/trust/small/rules.cpp - every operator and rule, enumerated ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rules.h"

using namespace trust;
using warpsan::Condition;
using warpsan::LaunchValues;
using warpsan::Loop;
using warpsan::Node;
using Op = Node::Op;
using Kind = Condition::Predicate;

namespace {
constexpr Op Binary[] = {
    Op::add,     Op::sub,  Op::mul,  Op::udiv, Op::sdiv,    Op::urem,
    Op::srem,    Op::shl,  Op::lshr, Op::ashr, Op::bit_and, Op::bit_or,
    Op::bit_xor, Op::umin, Op::umax, Op::smin, Op::smax};
constexpr Kind Kinds[] = {Kind::Equal, Kind::NotEqual, Kind::SLT,
                          Kind::SLE,   Kind::ULT,      Kind::ULE};
constexpr int64_t All4 = 16; ///< numbers of 4 bits
} // namespace

/// Accesses at the node, as an unsigned and as a signed number.
static void claimBoth(Case &C, uint32_t Index, uint32_t Where) {
  C.claim(C.add(Op::zext, 64, Index), Where);
  C.claim(C.add(Op::sext, 64, Index), Where);
}

/// \p Index is at least \p Low and at most \p High where the result holds.
static uint32_t between(Case &C, uint32_t Index, int64_t Low, int64_t High,
                        bool Signed, uint32_t Outer = 0) {
  const unsigned Width = C.Kernel.Nodes[Index].Width;
  const Kind AtMost = Signed ? Kind::SLE : Kind::ULE;
  const uint32_t Least = C.constant(Low, Width), Most = C.constant(High, Width);
  return C.condition(AtMost, C.condition(AtMost, Outer, Least, Index), Index,
                     Most);
}

/// Accesses at a difference of two nodes, as numbers that do not wrap.
static void claimDifference(Case &C, uint32_t A, uint32_t B, uint32_t Where) {
  C.claim(C.add(Op::sub, 64, C.add(Op::zext, 64, A), C.add(Op::zext, 64, B)),
          Where);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void operatorsOnAnything(const Visitor &Visit) {
  for (unsigned Width : {4U, 5U, 6U})
    for (Op What : Binary)
      Visit([=] {
        Case C;
        const uint32_t A = C.opaque(Width), B = C.opaque(Width);
        claimBoth(C, C.add(What, Width, A, B), 0);
        claimBoth(C, C.add(What, Width, A, A), 0);
        return C;
      });
}

static void operatorsWithConstants(const Visitor &Visit) {
  for (unsigned Width : {4U, 5U})
    for (Op What : Binary)
      for (int64_t K = 0; K < int64_t(1) << Width; ++K)
        Visit([=] {
          Case C;
          const uint32_t X = C.opaque(Width), N = C.constant(K, Width);
          claimBoth(C, C.add(What, Width, X, N), 0);
          claimBoth(C, C.add(What, Width, N, X), 0);
          for (int64_t M : {1, 3, 6, -1, -5})
            claimBoth(C, C.add(What, Width, N, C.constant(M, Width)), 0);
          return C;
        });
}

/// Of numbers that a condition limits, on one side or on both.
static void operatorsOnRanges(const Visitor &Visit) {
  for (Op What : Binary)
    for (bool Signed : {false, true})
      for (int64_t Low = 0; Low < All4; Low += 1)
        for (int64_t High = Low; High < All4; High += 2)
          for (int64_t K = 0; K < All4; ++K)
            Visit([=] {
              Case C;
              const uint32_t X = C.opaque(4), N = C.constant(K, 4);
              const uint32_t In = between(C, X, Signed ? Low - 8 : Low,
                                          Signed ? High - 8 : High, Signed);
              claimBoth(C, C.add(What, 4, X, N), In);
              claimBoth(C, C.add(What, 4, N, X), In);
              return C;
            });
}

static void operatorsOnTwoRanges(const Visitor &Visit) {
  for (Op What : Binary)
    for (bool Signed : {false, true})
      for (int64_t Low = 0; Low < All4; Low += 2)
        for (int64_t High = Low; High < All4; High += 3)
          for (int64_t Low2 = 0; Low2 < All4; Low2 += 3)
            for (int64_t High2 = Low2; High2 < All4; High2 += 2)
              Visit([=] {
                const int64_t Less = Signed ? 8 : 0;
                Case C;
                const uint32_t A = C.opaque(4), B = C.opaque(4);
                const uint32_t In =
                    between(C, B, Low2 - Less, High2 - Less, Signed,
                            between(C, A, Low - Less, High - Less, Signed));
                claimBoth(C, C.add(What, 4, A, B), In);
                return C;
              });
}

/// One operation on what another made of an id and an argument, and the
/// original beside it: that both are of one number must not be forgotten, nor
/// be said where it is not so.
static void operatorsInARow(const Visitor &Visit) {
  for (Op First : Binary)
    for (Op Second : Binary)
      for (int64_t K : {0, 1, 2, 3, 5, 7, 8, 12, 15})
        for (int64_t M : {1, 2, 3, 4, 7, 9, 14, 15})
          Visit([=] {
            Case C;
            C.Global[0] = 6;
            C.Local[0] = 3;
            const uint32_t Id =
                C.add(Op::trunc, 4, C.add(Op::global_id, 64, 0));
            const uint32_t One = C.add(First, 4, Id, C.constant(K, 4));
            const uint32_t Two = C.add(Second, 4, One, C.constant(M, 4));
            claimBoth(C, Two, 0);
            claimBoth(C, C.add(Op::sub, 4, Two, One), 0);
            claimBoth(C, C.add(Op::sub, 4, One, Id), 0);
            claimBoth(C, C.add(Op::add, 4, Two, Id), 0);
            const uint32_t Wide = C.add(Op::sub, 64, C.add(Op::zext, 64, One),
                                        C.add(Op::zext, 64, Two));
            C.claim(Wide, 0);
            return C;
          });
}

static void casts(const Visitor &Visit) {
  for (Op Up : {Op::zext, Op::sext})
    for (Op Again : {Op::zext, Op::sext})
      for (Op What : {Op::add, Op::sub, Op::mul, Op::udiv, Op::srem})
        for (int64_t K = 0; K < 64; ++K)
          for (unsigned Narrow : {3U, 4U, 5U})
            Visit([=] {
              Case C;
              const uint32_t X = C.add(Up, 6, C.opaque(4));
              const uint32_t Y = C.add(What, 6, X, C.constant(K, 6));
              const uint32_t Cut = C.add(Op::trunc, Narrow, Y);
              claimBoth(C, Cut, 0);
              claimBoth(C, Y, 0);
              const uint32_t Back = C.add(Again, 6, Cut);
              claimBoth(C, C.add(Op::sub, 6, Y, Back), 0);
              return C;
            });
}

/// What flags make poison; in a choice, only the value that is taken counts.
static void flags(const Visitor &Visit) {
  for (Op What : {Op::add, Op::sub, Op::mul, Op::shl, Op::udiv, Op::sdiv,
                  Op::lshr, Op::ashr})
    for (uint8_t Flags : {0, 1, 2, 3, 4})
      for (int64_t Low = 0; Low < All4; Low += 1)
        for (int64_t High = Low; High < All4; High += 2)
          for (int64_t K = 0; K < All4; ++K)
            Visit([=] {
              Case C;
              const uint32_t X = C.opaque(4), N = C.constant(K, 4);
              const uint32_t In =
                  between(C, X, Low - 8, High - 8, /*Signed=*/true);
              for (auto [A, B] : {std::pair(X, N), {N, X}}) {
                const uint32_t Y = C.add(What, 4, A, B);
                C.Kernel.Nodes[Y].Flags = Flags;
                claimBoth(C, Y, In);
                claimBoth(C, Y, 0);
                claimBoth(C, X, C.condition(Kind::SLT, In, Y, X));
                const uint32_t No =
                    C.opposite(In, C.Kernel.Conditions[In].Outer);
                const uint32_t Chosen =
                    C.add(Op::select, 4, Y, N, Node::conditions(In, No));
                claimBoth(C, Chosen, C.Kernel.Conditions[In].Outer);
              }
              return C;
            });
}

/// Flags of casts and of loops' values, clamps whose bounds must be in order.
static void otherFlags(const Visitor &Visit) {
  for (int64_t Low = 0; Low < All4; ++Low)
    for (int64_t High = Low; High < All4; ++High)
      for (int64_t K = 0; K < All4; ++K)
        for (uint8_t Flags : {1, 2, 3})
          Visit([=] {
            Case C;
            const uint32_t X = C.opaque(4), N = C.constant(K, 4);
            const uint32_t In = between(C, X, Low, High, /*Signed=*/false);
            auto Flagged = [&](uint32_t Index, unsigned All) {
              C.Kernel.Nodes[Index].Flags = static_cast<uint8_t>(All);
              return Index;
            };
            claimBoth(C, Flagged(C.add(Op::zext, 6, X), Node::NoSignedWrap),
                      In);
            claimBoth(C, Flagged(C.add(Op::trunc, 3, X), Flags), In);
            for (auto [Max, Min] :
                 {std::pair(Op::smax, Op::smin), {Op::umax, Op::umin}})
              for (auto [A, B] : {std::pair(N, X), {X, N}})
                claimBoth(C,
                          Flagged(C.add(Min, 4, C.add(Max, 4, X, A), B),
                                  Node::Ordered),
                          In);
            // Counted until it is K, or as long as it is below it.
            Loop L;
            const uint32_t I = Flagged(
                C.add(Op::counter, 4, X, C.constant(1 + Low % 2, 4), 0), Flags);
            const uint32_t J = Flagged(
                C.add(Op::multiplied, 4, X, C.constant(2, 4), 0), Flags);
            L.HeaderCond = In;
            L.LatchCond = C.condition(High % 2 ? Kind::ULT : Kind::NotEqual, In,
                                      Low % 3 ? I : J, N, Low % 3 ? 1 : 0);
            C.Kernel.Loops.push_back(L);
            for (uint32_t Where : {In, L.LatchCond}) {
              claimBoth(C, I, Where);
              claimBoth(C, J, Where);
              claimBoth(C, X, Where);
            }
            return C;
          });
}

/// Held between two numbers, in either order, even if these are swapped.
static void clamps(const Visitor &Visit) {
  for (auto [Max, Min] : {std::pair(Op::smax, Op::smin), {Op::umax, Op::umin}})
    for (bool MaxFirst : {true, false})
      for (int64_t Low = 0; Low < All4; ++Low)
        for (int64_t High = 0; High < All4; ++High)
          Visit([=] {
            Case C;
            const uint32_t X = C.opaque(4);
            const uint32_t A = C.constant(Low, 4), B = C.constant(High, 4);
            const uint32_t One =
                MaxFirst ? C.add(Max, 4, X, A) : C.add(Min, 4, X, B);
            const uint32_t Two =
                MaxFirst ? C.add(Min, 4, One, B) : C.add(Max, 4, One, A);
            claimBoth(C, Two, 0);
            claimBoth(C, C.add(Op::sub, 4, Two, X), 0);
            claimBoth(C, C.add(Op::add, 4, Two, C.constant(3, 4)),
                      C.condition(Kind::SLE, 0, Two, X));
            return C;
          });
}

//===----------------------------------------------------------------------===//
// Conditions and choices
//===----------------------------------------------------------------------===//

static void conditions(const Visitor &Visit) {
  for (Kind What : Kinds)
    for (Kind Inner : Kinds)
      for (int64_t K = 0; K < All4; ++K)
        for (int64_t M = 0; M < All4; M += 1)
          Visit([=] {
            Case C;
            const uint32_t X = C.opaque(4), Y = C.opaque(4);
            const uint32_t N = C.constant(K, 4);
            const uint32_t Sum = C.add(Op::add, 4, X, C.constant(M, 4));
            const uint32_t Outer = C.condition(What, 0, X, N);
            claimBoth(C, X, Outer);
            claimBoth(C, Sum, Outer);
            claimBoth(C, X, C.condition(What, 0, N, X));
            claimBoth(C, Y, C.condition(Inner, Outer, Y, Sum));
            claimBoth(C, X, C.condition(Inner, Outer, Sum, Y));
            claimBoth(C, Sum, C.condition(Inner, Outer, Sum, N));
            return C;
          });
}

/// x ? x : c, and what is done with it; x is an id and an argument.
static void choices(const Visitor &Visit) {
  for (Kind What : Kinds)
    for (int64_t Add = 0; Add < All4; ++Add)
      for (int64_t K = 0; K < All4; K += 3)
        for (int64_t Other = 0; Other < All4; Other += 2)
          for (int64_t Limit : {3, 7, 8, 13})
            Visit([=] {
              Case C;
              C.Global[0] = 12;
              C.Local[0] = 4;
              const uint32_t Id =
                  C.add(Op::trunc, 4, C.add(Op::global_id, 64, 0));
              const uint32_t X = C.add(Op::add, 4, Id, C.constant(Add, 4));
              const uint32_t Else = C.constant(Other, 4);
              const uint32_t Yes = C.condition(What, 0, X, C.constant(K, 4));
              const uint32_t No = C.opposite(Yes, 0);
              const uint32_t Y =
                  C.add(Op::select, 4, X, Else, Node::conditions(Yes, No));
              const uint32_t Z = C.add(Op::select, 4, C.constant(Limit, 4), Id,
                                       Node::conditions(No, Yes));
              const uint32_t Small =
                  C.condition(Kind::SLT, 0, Y, C.constant(Limit, 4));
              const uint32_t Below = C.add(Op::sub, 4, Y, Else);
              for (uint32_t Where : {0U, Small, Yes, No}) {
                claimBoth(C, Y, Where);
                claimBoth(C, Below, Where);
              }
              claimBoth(C, Z, 0);
              claimBoth(C, C.add(Op::sub, 4, Z, Y), Small);
              return C;
            });
}

static void joins(const Visitor &Visit) {
  for (int64_t Add = 0; Add < All4; ++Add)
    for (int64_t Other = 0; Other < All4; ++Other)
      for (int64_t Low = 0; Low < All4; Low += 5)
        Visit([=] {
          Case C;
          const uint32_t X = C.opaque(4);
          const uint32_t In = between(C, X, Low, Low + 4, false);
          const uint32_t A = C.add(Op::add, 4, X, C.constant(Add, 4));
          const uint32_t B = C.add(Op::sub, 4, C.constant(Other, 4), X);
          auto Join = [&](uint32_t One, uint32_t Two) {
            const uint32_t Index =
                C.add(Op::phi, 4, One, Two,
                      static_cast<int64_t>(C.Kernel.Nodes.size()));
            C.Leaves.push_back({Index, {0, 1}, 0});
            return Index;
          };
          const uint32_t J = Join(A, B), L = Join(X, C.constant(Other, 4));
          claimBoth(C, J, In);
          claimBoth(C, L, In);
          claimBoth(C, C.add(Op::sub, 4, J, X), In);
          claimBoth(C, C.add(Op::sub, 4, J, A),
                    C.condition(Kind::ULT, In, L, A));
          return C;
        });
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

static void ids(const Visitor &Visit) {
  for (uint64_t Global = 1; Global <= 9; ++Global)
    for (uint64_t Local = 0; Local <= Global; ++Local)
      for (uint64_t Offset : {0, 1, 5})
        for (uint64_t MaxLocal : {1, 4, 16})
          for (uint32_t D : {0U, 1U})
            Visit([=] {
              Case C;
              C.Global[D] = Global;
              C.Local[D] = Local;
              C.Offset[D] = Offset;
              C.MaxLocal = Local ? std::max(Local, MaxLocal) : MaxLocal;
              std::vector<uint32_t> All;
              for (Op What :
                   {Op::global_id, Op::local_id, Op::group_id, Op::local_size,
                    Op::num_groups, Op::global_size, Op::global_offset})
                All.push_back(C.add(What, 64, D));
              for (uint32_t Each : All)
                C.claim(Each, 0);
              for (uint32_t X : All)
                for (uint32_t Y : All)
                  C.claim(C.add(Op::sub, 64, X, Y), 0);
              const uint32_t Whole = C.add(
                  Op::add, 64, C.add(Op::mul, 64, All[2], All[3]), All[1]);
              C.claim(Whole, 0);
              const uint32_t Last =
                  C.add(Op::sub, 64, All[3], C.constant(1, 64));
              C.claim(Last, C.condition(Kind::ULT, 0, All[1], Last));
              C.claim(All[0], C.condition(Kind::Equal, 0, All[1], Last));
              return C;
            });
}

static void loadedValues(const Visitor &Visit) {
  for (int64_t Least = -5; Least <= 6; ++Least)
    for (int64_t Most = Least; Most <= 7; Most += 2)
      for (int64_t K = 0; K < All4; ++K)
        Visit([=] {
          Case C;
          warpsan::Content Of;
          Of.Width = 8;
          Of.Stride = Of.Bytes = 1;
          C.Kernel.Contents = {Of, Of};
          C.Contents = {LaunchValues::Range{Least, Most}};
          const uint32_t X = C.add(Op::loaded, 8, 0, 0, 1);
          std::vector<uint64_t> Values = {0};
          for (int64_t Each = Least; Each <= Most; ++Each)
            Values.push_back(static_cast<uint8_t>(Each));
          C.Leaves.push_back({X, Values, 0});
          const uint32_t Unknown = C.add(Op::loaded, 8, 1, 0, 2);
          C.Leaves.push_back({Unknown, allValues(8), 0});
          claimBoth(C, X, 0);
          const uint32_t Y = C.add(Op::add, 8, X, C.constant(K, 8));
          claimBoth(C, Y, 0);
          claimBoth(C, Y, C.condition(Kind::ULT, 0, X, Y));
          claimBoth(C, Unknown, C.condition(Kind::ULT, 0, Unknown, Y));
          return C;
        });
}

/// Arguments whose value is known, unknown, or not there; where pointers point
/// to; sub-groups.
static void otherLeaves(const Visitor &Visit) {
  for (int64_t Value = 0; Value < 256; Value += 5)
    Visit([=] {
      Case C;
      C.ArgBytes = {std::string(1, static_cast<char>(Value)) + "\x81", ""};
      C.ArgStarts = {static_cast<uint64_t>(Value), 4};
      const uint32_t Known = C.add(Op::argument, 8, 0);
      const uint32_t Next = C.add(Op::argument, 8, 0, 1);
      const uint32_t Unknown = C.add(Op::argument, 8, 1);
      C.Leaves.push_back({Unknown, allValues(8), 0});
      const uint32_t Group =
          C.add(Op::sub_group, 32, 0, static_cast<uint32_t>(Value % 3));
      std::vector<uint64_t> Sizes = {uint64_t(1) << 20};
      for (uint64_t Each = static_cast<uint64_t>(Value % 3); Each < 20; ++Each)
        Sizes.push_back(Each);
      C.Leaves.push_back({Group, Sizes, 0});
      for (uint32_t Each : {Known, Next, Unknown, Group})
        claimBoth(C, Each, 0);
      C.claim(C.add(Op::start, 64, 0), 0);
      C.claim(C.add(Op::start, 64, 1), 0);
      claimBoth(C, Unknown, C.condition(Kind::SLT, 0, Known, Unknown));
      return C;
    });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
enum class Test { Start, End, Next }; ///< what is compared, and where
} // namespace

/// One loop whose value begins with \p First and goes on by \p By.
static void addLoop(Case &C, Op What, uint32_t First, uint32_t By, Kind Goes,
                    uint32_t Limit, bool Swapped, Test Which, uint32_t Around,
                    bool Steady) {
  const auto Index = static_cast<uint32_t>(C.Kernel.Loops.size());
  const unsigned Width = C.Kernel.Nodes[First].Width;
  const uint32_t Value = C.add(What, Width, First, By, Index);
  uint32_t Compared = Value;
  if (Which == Test::Next && What == Op::counter)
    Compared = C.add(Op::add, Width, Value, By);
  const uint32_t Again =
      C.condition(Goes, Around, Swapped ? Limit : Compared,
                  Swapped ? Compared : Limit, Steady ? Index + 1 : 0);
  Loop L;
  L.HeaderCond = Around;
  L.LatchCond = Again;
  C.Kernel.Loops.push_back(L);
  const uint32_t In = Which == Test::Start ? Again : Around;
  const uint32_t After = C.opposite(Again, Around);
  claimBoth(C, Value, In);
  claimBoth(C, Value, After);
  claimBoth(C, C.add(Op::sub, Width, Limit, Value), In);
  const uint32_t Other = C.add(Op::add, Width, Value, Limit);
  claimBoth(C, Other, In);
  claimBoth(C, Other, After);
  const uint32_t Narrow = C.condition(Kind::ULT, In, Value, First);
  claimBoth(C, Value, Narrow);
}

static void counters(const Visitor &Visit) {
  for (Kind Goes : Kinds)
    for (Test Which : {Test::Start, Test::End, Test::Next})
      for (bool Swapped : {false, true})
        for (int64_t Step : {0, 1, 2, 3, 5, 7, 8, 11, 14, 15})
          for (int64_t First = 0; First < All4; ++First)
            for (int64_t Limit = 0; Limit < All4; ++Limit)
              Visit([=] {
                Case C;
                addLoop(C, Op::counter, C.constant(First, 4),
                        C.constant(Step, 4), Goes, C.constant(Limit, 4),
                        Swapped, Which, 0, true);
                return C;
              });
}

/// Starts, limits or steps that are not known, within what a condition says.
static void countersOfUnknowns(const Visitor &Visit) {
  for (Kind Goes : Kinds)
    for (Test Which : {Test::Start, Test::End, Test::Next})
      for (bool Swapped : {false, true})
        for (int Unknown : {0, 1, 2, 3})
          for (int64_t Low = 0; Low < All4; Low += 2)
            for (int64_t Many : {0, 1, 3, 6})
              for (int64_t Step : {1, 2, 3, 13, 15})
                for (int64_t K : {0, 3, 7, 8, 15})
                  for (bool Steady : {true, false})
                    Visit([=] {
                      Case C;
                      const uint32_t X = C.opaque(4), N = C.constant(K, 4);
                      const uint32_t In =
                          between(C, X, Low, Low + Many, Low >= 8);
                      const uint32_t By = C.constant(Step, 4);
                      addLoop(C, Op::counter,
                              Unknown == 0   ? X
                              : Unknown == 3 ? C.add(Op::sub, 4, X, N)
                                             : N,
                              Unknown == 1 ? X : By, Goes, Unknown >= 2 ? X : N,
                              Swapped, Which, In, Steady);
                      return C;
                    });
}

static void steps(const Visitor &Visit) {
  for (Op What : {Op::multiplied, Op::udivided, Op::sdivided})
    for (Kind Goes : Kinds)
      for (Test Which : {Test::Start, Test::End})
        for (bool Swapped : {false, true})
          for (int64_t By : {0, 1, 2, 3, 4, 7, 8, 15})
            for (int64_t First = 0; First < All4; ++First)
              for (int64_t Limit : {0, 1, 2, 4, 5, 7, 8, 12, 15})
                Visit([=] {
                  Case C;
                  const uint32_t Start = C.constant(First, 4);
                  addLoop(C, What, Start, C.constant(By, 4), Goes,
                          C.constant(Limit, 4), Swapped, Which, 0, false);
                  // A counter beside it.
                  const uint32_t I =
                      C.add(Op::counter, 4, Start, C.constant(1, 4), 0);
                  claimBoth(C, I, 0);
                  claimBoth(C, I, C.Kernel.Loops[0].LatchCond);
                  return C;
                });
}

static void stepsOfUnknowns(const Visitor &Visit) {
  for (Op What : {Op::multiplied, Op::udivided, Op::sdivided})
    for (Kind Goes : Kinds)
      for (Test Which : {Test::Start, Test::End})
        for (int64_t By : {1, 2, 3, 8, 15})
          for (int64_t Low = 0; Low < All4; Low += 3)
            for (int64_t Many : {0, 2, 5})
              for (int64_t Limit : {0, 1, 4, 7, 8, 15})
                Visit([=] {
                  Case C;
                  const uint32_t X = C.opaque(4);
                  const uint32_t In = between(C, X, Low, Low + Many, Low >= 8);
                  addLoop(C, What, X, C.constant(By, 4), Goes,
                          C.constant(Limit, 4), Limit % 2, Which, In, false);
                  return C;
                });
}

/// The inner one begins, ends or steps by what the outer one counts; or is
/// after it.
static void nests(const Visitor &Visit) {
  for (Kind Outer : {Kind::SLT, Kind::ULT, Kind::NotEqual, Kind::ULE})
    for (Kind Inner : {Kind::SLT, Kind::ULT, Kind::NotEqual, Kind::SLE})
      for (bool Nested : {true, false})
        for (int Uses : {0, 1, 2, 3})
          for (Test Which : {Test::Start, Test::End})
            for (int64_t Limit : {1, 3, 5, 9})
              for (int64_t K : {0, 1, 4, 6, 15})
                for (int64_t Step : {1, 2, 15})
                  Visit([=] {
                    Case C;
                    const uint32_t N = C.constant(Limit, 4);
                    const uint32_t M = C.constant(K, 4);
                    const uint32_t One = C.constant(1, 4);
                    const uint32_t By = C.constant(Step, 4);
                    const uint32_t I =
                        C.add(Op::counter, 4, C.constant(0, 4), One, 0);
                    const uint32_t AgainI = C.condition(Outer, 0, I, N, 1);
                    Loop First;
                    First.LatchCond = AgainI;
                    C.Kernel.Loops.push_back(First);
                    const uint32_t Where = Nested ? AgainI
                                           : Which == Test::Start
                                               ? C.opposite(AgainI, 0)
                                               : 0;
                    const uint32_t J =
                        C.add(Uses == 3 ? Op::multiplied : Op::counter, 4,
                              Uses == 0 ? I : One, Uses == 1 ? I : By, 1);
                    const uint32_t AgainJ =
                        C.condition(Inner, Where, J,
                                    Uses == 2 ? C.add(Op::add, 4, I, M) : M,
                                    Uses == 3 ? 0 : 2);
                    Loop Second;
                    Second.HeaderCond = Where;
                    Second.LatchCond = AgainJ;
                    Second.Parent = Nested ? 1 : 0;
                    C.Kernel.Loops.push_back(Second);
                    const uint32_t In = Which == Test::Start ? AgainJ : Where;
                    claimBoth(C, J, In);
                    claimBoth(C, I, In);
                    claimBoth(C, C.add(Op::sub, 4, J, I), In);
                    claimBoth(C, C.add(Op::add, 4, J, I), In);
                    claimBoth(C, J, C.opposite(AgainJ, Where));
                    return C;
                  });
}

/// Values that are other ones in each iteration decide, besides the counter,
/// whether there is another.
static void changingLimits(const Visitor &Visit) {
  for (Kind Goes : Kinds)
    for (Kind Other : Kinds)
      for (int64_t First : {0, 3, 8, 12})
        for (int64_t Step : {1, 2, 15})
          for (int64_t Limit : {2, 6, 9})
            for (bool Outside : {true, false})
              Visit([=] {
                Case C;
                const uint32_t N = C.constant(Limit, 4);
                const uint32_t X = C.opaque(4, Outside ? 0 : 1);
                const uint32_t I = C.add(Op::counter, 4, C.constant(First, 4),
                                         C.constant(Step, 4), 0);
                const uint32_t Sum = C.add(Op::add, 4, I, X);
                const uint32_t A = C.condition(Other, 0, X, N, Outside ? 1 : 0);
                const uint32_t B =
                    C.condition(Goes, A, Outside ? Sum : I, Outside ? N : X,
                                Outside ? 1 : 0);
                Loop L;
                L.LatchCond = B;
                C.Kernel.Loops.push_back(L);
                for (uint32_t Where : {0U, A, B}) {
                  claimBoth(C, I, Where);
                  claimBoth(C, Sum, Where);
                  claimDifference(C, X, I, Where);
                }
                return C;
              });
}

/// Loops that end by sums of what they count, of which a part may wrap, or of
/// counters with different steps.
static void sumsOfCounters(const Visitor &Visit) {
  for (Kind Goes : Kinds)
    for (Op What : {Op::add, Op::sub})
      for (Op Up : {Op::zext, Op::sext})
        for (int64_t First : {0, 5, 9, 14})
          for (int64_t Limit = 0; Limit < 64; Limit += 5)
            for (int64_t Step : {1, 2, 15})
              for (bool Unknown : {false, true})
                Visit([=] {
                  Case C;
                  const uint32_t One = C.constant(1, 4);
                  uint32_t By = C.constant(Step, 4), In = 0;
                  if (Unknown) {
                    By = C.opaque(4);
                    In = between(C, By, Limit % 2, 1 + Step % 4, false);
                  }
                  const uint32_t N = C.constant(Limit, 6);
                  const uint32_t I =
                      C.add(Op::counter, 4, C.constant(0, 4), One, 0);
                  const uint32_t J =
                      C.add(Op::counter, 4, C.constant(First, 4), By, 0);
                  const uint32_t Sum =
                      C.add(What, 6, C.add(Op::zext, 6, I), C.add(Up, 6, J));
                  Loop L;
                  L.HeaderCond = In;
                  L.LatchCond = C.condition(Goes, In, Sum, N, 1);
                  C.Kernel.Loops.push_back(L);
                  for (uint32_t Where : {In, L.LatchCond}) {
                    claimBoth(C, I, Where);
                    claimBoth(C, J, Where);
                    claimBoth(C, Sum, Where);
                    claimDifference(C, C.add(Op::shl, 4, I, One), J, Where);
                  }
                  return C;
                });
}

const std::vector<Rule> &trust::rules() {
  static const std::vector<Rule> All = {
      {"operators on anything", operatorsOnAnything},
      {"operators with constants", operatorsWithConstants},
      {"operators on ranges", operatorsOnRanges},
      {"operators on two ranges", operatorsOnTwoRanges},
      {"operators in a row", operatorsInARow},
      {"casts", casts},
      {"flags", flags},
      {"flags of casts and loops", otherFlags},
      {"clamps", clamps},
      {"conditions", conditions},
      {"choices", choices},
      {"joins", joins},
      {"ids", ids},
      {"loaded values", loadedValues},
      {"other leaves", otherLeaves},
      {"counters", counters},
      {"counters of unknowns", countersOfUnknowns},
      {"steps", steps},
      {"steps of unknowns", stepsOfUnknowns},
      {"nests", nests},
      {"changing limits", changingLimits},
      {"sums of counters", sumsOfCounters},
  };
  return All;
}
