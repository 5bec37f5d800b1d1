//===- test/unit/proof/proof_random.h - random kernels, and a machine
//-----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random calculations, conditions and loops, which a machine runs work-item by
// work-item.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_UNIT_PROOF_PROOF_RANDOM_H
#define WARPSAN_TEST_UNIT_PROOF_PROOF_RANDOM_H

#include "proof/prove.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace warpsan::random_kernels {

using Op = Node::Op;
using Kind = Condition::Predicate;

/// One kernel and launch.
struct Random {
  explicit Random(unsigned Seed) : From(Seed) {}

  uint64_t below(uint64_t N) { return From() % N; }
  bool oneIn(uint64_t N) { return below(N) == 0; }
  template <typename T> T oneOf(std::initializer_list<T> All) {
    return All.begin()[below(All.size())];
  }

  uint32_t add(Node N) {
    C.Nodes.push_back(N);
    return static_cast<uint32_t>(C.Nodes.size() - 1);
  }
  Node node(Op What, unsigned Width, uint32_t A = 0, uint32_t B = 0,
            int64_t Value = 0) {
    return {What, static_cast<uint8_t>(Width), A, B, Value};
  }
  int64_t value() {
    return oneOf<int64_t>({0,   1,   2,   3,    4,     5,         7,
                           8,   15,  16,  31,   -1,    -2,        -7,
                           100, 255, 256, 1000, 65535, INT32_MAX, INT32_MIN});
  }
  /// Some node of \p Width bits; made if need be.
  uint32_t some(unsigned Width) {
    for (int I = 0; I < 8; ++I) {
      const auto Index = static_cast<uint32_t>(below(C.Nodes.size()));
      if (C.Nodes[Index].Width == Width)
        return Index;
    }
    return add(node(Op::constant, Width, 0, 0, value()));
  }

  void make();

  std::mt19937 From;
  Claims C;
  std::string Bytes[3];
  LaunchValues::Arg Args[4]; ///< the last is the memory
  LaunchValues Launch;

  /// True if every claim is proven for Launch.
  bool isProven() const {
    return std::ranges::all_of(prove(C, C.All, Launch), &Verdict::Holds);
  }
};

inline void Random::make() {
  for (int D = 0; D < 2; ++D) {
    Launch.Global[D] = 1 + below(7);
    Launch.Local[D] = oneIn(3) ? 0 : 1 + below(Launch.Global[D]);
    Launch.Offset[D] = oneIn(3) ? below(5) : 0;
  }
  Launch.MaxLocal = 64;
  for (int I = 0; I < 3; ++I) {
    const auto Value =
        static_cast<int32_t>(oneIn(4) ? value() : int64_t(below(20)));
    Bytes[I].assign(reinterpret_cast<const char *>(&Value), 4);
    Args[I].Bytes = Bytes[I];
  }
  Launch.Args = Args;
  for (uint32_t D : {0U, 1U})
    for (Op What : {Op::global_id, Op::local_id, Op::group_id, Op::global_size,
                    Op::local_size, Op::num_groups})
      if (oneIn(2))
        add(node(Op::trunc, 32, add(node(What, 64, D))));
  for (uint32_t I = 0; I < 3; ++I)
    add(node(Op::argument, 32, I));
  if (oneIn(3))
    add(node(Op::opaque, oneOf({8U, 32U}), 0, 0, 1));

  uint32_t Innermost = 0;
  const int Steps = 4 + static_cast<int>(below(14));
  for (int I = 0; I < Steps; ++I) {
    const unsigned Width = oneOf({8U, 16U, 32U, 32U, 32U, 64U});
    switch (below(12)) {
    case 0:
      add(node(Op::constant, Width, 0, 0, value()));
      break;
    case 1: {
      const unsigned Narrow = oneOf({8U, 16U, 32U});
      if (Narrow < Width)
        add(node(oneOf({Op::zext, Op::sext}), Width, some(Narrow)));
      break;
    }
    case 2: {
      const unsigned Wide = oneOf({16U, 32U, 64U});
      if (Wide > Width)
        add(node(Op::trunc, Width, some(Wide)));
      break;
    }
    case 3:
    case 4: {
      const uint32_t A = some(Width), B = some(Width);
      C.Conditions.push_back(
          {oneOf({Kind::Equal, Kind::NotEqual, Kind::SLT, Kind::SLT, Kind::SLE,
                  Kind::ULT, Kind::ULE}),
           Innermost, A, B, 0});
      Innermost = static_cast<uint32_t>(C.Conditions.size() - 1);
      break;
    }
    case 5:
      // A loop; only one, so that running it is simple.
      if (C.Loops.empty()) {
        const uint32_t Start = some(Width);
        const uint32_t Step =
            add(node(Op::constant, Width, 0, 0,
                     oneOf<int64_t>({1, 1, 1, 2, 3, -1, -1, -2})));
        uint32_t Round = add(node(Op::counter, Width, Start, Step, 0));
        C.Loops.push_back({Innermost, Innermost, 0});
        uint32_t Compared = Round;
        if (oneIn(3))
          Compared = add(node(Op::add, Width, Round, Step));
        if (oneIn(2)) { // or by what is multiplied or divided
          const uint32_t First =
              oneIn(3) ? some(Width)
                       : add(node(Op::constant, Width, 0, 0, value()));
          const uint32_t By = add(node(
              Op::constant, Width, 0, 0,
              oneOf<int64_t>({2, 2, 2, 3, 4, 16, 1, 0, -1, -2, 128, 256})));
          const uint32_t Stepped =
              add(node(oneOf({Op::multiplied, Op::multiplied, Op::udivided,
                              Op::sdivided}),
                       Width, First, By, 0));
          if (!oneIn(4))
            Compared = Stepped;
        }
        const uint32_t Limit = some(Width);
        Condition Again{
            oneOf({Kind::SLT, Kind::SLT, Kind::ULT, Kind::SLE, Kind::NotEqual}),
            Innermost, Compared, Limit, 0};
        if (oneIn(3))
          std::swap(Again.A, Again.B);
        Again.InvariantIn = 1;
        C.Conditions.push_back(Again);
        const auto Index = static_cast<uint32_t>(C.Conditions.size() - 1);
        C.Loops[0].LatchCond = Index;
        if (oneIn(2)) // a loop that is tested at its start
          Innermost = Index;
      }
      break;
    default: {
      const Op What =
          oneOf({Op::add,  Op::add,  Op::sub,     Op::mul,    Op::mul,
                 Op::udiv, Op::sdiv, Op::urem,    Op::srem,   Op::shl,
                 Op::lshr, Op::ashr, Op::bit_and, Op::bit_or, Op::bit_xor,
                 Op::umin, Op::umax, Op::smin,    Op::smax,   Op::phi});
      const uint32_t A = some(Width);
      uint32_t B = some(Width);
      if (What == Op::shl || What == Op::lshr || What == Op::ashr)
        B = add(node(Op::constant, Width, 0, 0, int64_t(below(6))));
      add(node(What, Width, A, B, What == Op::phi ? I : 0));
    }
    }
  }
  // The limit of a loop must not be its own counter, however far away.
  Claim One;
  One.Where = oneIn(4) ? 0 : Innermost;
  const uint32_t Index = some(32);
  One.Offset = add(node(oneOf({Op::sext, Op::zext}), 64, Index));
  One.Bytes = 1 + below(8);
  One.Arg = 3;
  One.Reads = true;
  C.All.push_back(One);
}

/// A work-item, at one round of the loop.
struct Machine {
  const Random &R;
  std::array<uint64_t, 2> Id, Local, Group, LocalSize, Groups;
  uint64_t Round = 0;
  std::mt19937 &Any;
  std::vector<std::optional<uint64_t>> Known;

  static uint64_t cut(uint64_t N, unsigned Width) {
    return Width == 64 ? N : N & ((uint64_t(1) << Width) - 1);
  }
  static int64_t sign(uint64_t N, unsigned Width) {
    return static_cast<int64_t>(N << (64 - Width)) >> (64 - Width);
  }

  /// None: it is not calculated (a division by zero).
  std::optional<uint64_t> value(uint32_t Index) {
    if (!Known[Index])
      Known[Index] = calculate(R.C.Nodes[Index]);
    return Known[Index];
  }

  std::optional<uint64_t> calculate(const Node &N) {
    const unsigned Width = N.Width;
    switch (N.Opcode) {
    case Op::constant:
      return cut(static_cast<uint64_t>(N.Value), Width);
    case Op::argument: {
      uint32_t Word = 0;
      std::memcpy(&Word, R.Bytes[N.A].data(), 4);
      return Word;
    }
    case Op::global_id:
      return Id[N.A];
    case Op::local_id:
      return Local[N.A];
    case Op::group_id:
      return Group[N.A];
    case Op::global_size:
      return R.Launch.Global[N.A];
    case Op::local_size:
      return LocalSize[N.A];
    case Op::num_groups:
      return Groups[N.A];
    case Op::opaque:
      return cut(Any() % 3 ? Any() % 40 : Any(), Width);
    default:
      break;
    }
    const auto A = value(N.A);
    if (!A)
      return std::nullopt;
    const unsigned From = R.C.Nodes[N.A].Width;
    if (N.Opcode == Op::zext)
      return *A;
    if (N.Opcode == Op::sext)
      return cut(static_cast<uint64_t>(sign(*A, From)), Width);
    if (N.Opcode == Op::trunc)
      return cut(*A, Width);
    const auto B = value(N.B);
    if (!B)
      return std::nullopt;
    const int64_t SA = sign(*A, Width), SB = sign(*B, Width);
    switch (N.Opcode) {
    case Op::counter:
      return cut(*A + *B * Round, Width);
    case Op::multiplied:
    case Op::udivided:
    case Op::sdivided: {
      uint64_t Now = *A;
      if (N.Opcode == Op::multiplied) {
        uint64_t Factor = *B;
        for (uint64_t Left = Round; Left; Left /= 2, Factor *= Factor)
          if (Left % 2)
            Now *= Factor;
        return cut(Now, Width);
      }
      for (uint64_t I = 0, Before = Now + 1; I < Round && Now != Before; ++I) {
        if (!*B || (N.Opcode == Op::sdivided && SB == -1))
          return std::nullopt;
        Before = Now;
        Now = N.Opcode == Op::udivided
                  ? Now / *B
                  : cut(static_cast<uint64_t>(sign(Now, Width) / SB), Width);
      }
      return Now;
    }
    case Op::phi:
      return Any() % 2 ? *A : *B;
    case Op::add:
      return cut(*A + *B, Width);
    case Op::sub:
      return cut(*A - *B, Width);
    case Op::mul:
      return cut(*A * *B, Width);
    case Op::udiv:
    case Op::urem:
      if (!*B)
        return std::nullopt;
      return N.Opcode == Op::udiv ? *A / *B : *A % *B;
    case Op::sdiv:
    case Op::srem:
      if (!SB || SB == -1)
        return std::nullopt;
      return cut(
          static_cast<uint64_t>(N.Opcode == Op::sdiv ? SA / SB : SA % SB),
          Width);
    case Op::shl:
      return cut(*A << *B, Width);
    case Op::lshr:
      return *A >> *B;
    case Op::ashr:
      return cut(static_cast<uint64_t>(SA >> *B), Width);
    case Op::bit_and:
      return *A & *B;
    case Op::bit_or:
      return *A | *B;
    case Op::bit_xor:
      return *A ^ *B;
    case Op::umin:
      return std::min(*A, *B);
    case Op::umax:
      return std::max(*A, *B);
    case Op::smin:
      return SA < SB ? *A : *B;
    case Op::smax:
      return SA > SB ? *A : *B;
    default:
      return std::nullopt;
    }
  }

  bool holds(const Condition &One) {
    const auto A = value(One.A), B = value(One.B);
    if (!A || !B)
      return false;
    const unsigned Width = R.C.Nodes[One.A].Width;
    const int64_t SA = sign(*A, Width), SB = sign(*B, Width);
    switch (One.Pred) {
    case Kind::None:
      return true;
    case Kind::Equal:
      return *A == *B;
    case Kind::NotEqual:
      return *A != *B;
    case Kind::SLT:
      return SA < SB;
    case Kind::SLE:
      return SA <= SB;
    case Kind::ULT:
      return *A < *B;
    case Kind::ULE:
      return *A <= *B;
    }
    return false;
  }
  bool allHold(uint32_t At) {
    for (; At; At = R.C.Conditions[At].Outer)
      if (!holds(R.C.Conditions[At]))
        return false;
    return true;
  }
};

/// True if a node's value changes between rounds, other than by its counters:
/// only then is a condition not steady.
inline bool dependsOnChance(const Claims &C, uint32_t Index) {
  const Node &N = C.Nodes[Index];
  if (N.Opcode == Op::opaque || N.Opcode == Op::phi)
    return true;
  const unsigned Operands = operandsOf(N.Opcode);
  return (Operands > 0 && dependsOnChance(C, N.A)) ||
         (Operands > 1 && dependsOnChance(C, N.B));
}

inline bool isLinearInCounter(const Claims &C, uint32_t Index) {
  const Node &N = C.Nodes[Index];
  switch (N.Opcode) {
  case Op::counter:
  case Op::constant:
  case Op::argument:
  case Op::global_id:
  case Op::local_id:
  case Op::group_id:
  case Op::global_size:
  case Op::local_size:
  case Op::num_groups:
    return true;
  case Op::add:
  case Op::sub:
    return isLinearInCounter(C, N.A) && isLinearInCounter(C, N.B);
  case Op::trunc:
    return isLinearInCounter(C, N.A);
  default:
    return false;
  }
}

/// Sets what \p R's loop, if it has one, says of its own condition. False if
/// its conditions would be thrown anew in each round.
inline bool finishLoop(Random &R) {
  if (R.C.Loops.empty())
    return true;
  // A loop's conditions must be what they are said to be.
  Condition &Again = R.C.Conditions[R.C.Loops[0].LatchCond];
  const bool Steady =
      isLinearInCounter(R.C, Again.A) && isLinearInCounter(R.C, Again.B);
  Again.InvariantIn = Steady ? 1 : 0;
  // What is around a loop does not know its rounds, and is not thrown anew in
  // each.
  for (uint32_t At = R.C.Loops[0].HeaderCond; At; At = R.C.Conditions[At].Outer)
    if (dependsOnChance(R.C, R.C.Conditions[At].A) ||
        dependsOnChance(R.C, R.C.Conditions[At].B))
      return false;
  return true;
}

/// Calls \p Each, in each round, for \p Item of a launch with work-groups of \p
/// LocalSize.
template <typename F>
void runItem(const Random &R, std::mt19937 &Any,
             const std::array<uint64_t, 2> &LocalSize,
             std::array<uint64_t, 2> Item, F Each) {
  Machine M{R, {}, {}, {}, {}, {}, 0, Any, {}};
  for (int D = 0; D < 2; ++D) {
    M.Id[D] = Item[D] + R.Launch.Offset[D];
    M.Local[D] = Item[D] % LocalSize[D];
    M.Group[D] = Item[D] / LocalSize[D];
    const uint64_t Left = R.Launch.Global[D] - M.Group[D] * LocalSize[D];
    M.LocalSize[D] = std::min(LocalSize[D], Left);
    M.Groups[D] = (R.Launch.Global[D] + LocalSize[D] - 1) / LocalSize[D];
  }
  for (M.Round = 0; M.Round < 600; ++M.Round) {
    M.Known.assign(R.C.Nodes.size(), std::nullopt);
    if (M.Round == 0 && !R.C.Loops.empty() &&
        !M.allHold(R.C.Loops[0].HeaderCond))
      return;
    Each(M);
    // What holds around the loop held when it was entered; chance is thrown
    // once a round.
    if (R.C.Loops.empty() || !M.holds(R.C.Conditions[R.C.Loops[0].LatchCond]))
      return;
  }
}

} // namespace warpsan::random_kernels

#endif // WARPSAN_TEST_UNIT_PROOF_PROOF_RANDOM_H
