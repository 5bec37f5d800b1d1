//===- test/unit/proof/races_soundness_test.cpp - no race is proven away
//--------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two random writes, run work-item by work-item. If two work-items touch a
// byte, their accesses must not be proven to be free of races.
//
//===----------------------------------------------------------------------===//
#include "proof/races/races.h"
#include "test/unit/proof/proof_random.h"

#include <iostream>
#include <map>
#include <set>
#include <vector>

using namespace warpsan;
using namespace warpsan::random_kernels;
using Arrival = RaceArrival;

namespace {

/// A sum of products, as indices of real kernels are, or any node.
uint32_t makeIndex(Random &R) {
  if (R.oneIn(4))
    return R.some(32);
  auto Leaf = [&] {
    for (int I = 0; I < 20; ++I) {
      const auto Index = static_cast<uint32_t>(R.below(R.C.Nodes.size()));
      const Node &N = R.C.Nodes[Index];
      if (N.Width == 32 && (N.Opcode == Op::trunc || isRecurrence(N.Opcode)))
        return Index;
    }
    return R.add(R.node(
        Op::trunc, 32,
        R.add(R.node(Op::global_id, 64, static_cast<uint32_t>(R.below(2))))));
  };
  uint32_t Sum = Leaf();
  for (uint64_t Left = R.below(4); Left; --Left) {
    const uint32_t By =
        R.add(R.node(Op::constant, 32, 0, 0,
                     R.oneOf<int64_t>({1, 2, 3, 4, 5, 6, 7, 8, 12, 16, -1})));
    const uint32_t Scaled = R.add(R.node(Op::mul, 32, Leaf(), By));
    Sum = R.add(R.node(Op::add, 32, Sum, Scaled));
  }
  if (R.oneIn(5))
    Sum = R.add(R.node(
        R.oneOf({Op::urem, Op::udiv}), 32, Sum,
        R.add(R.node(Op::constant, 32, 0, 0, R.oneOf<int64_t>({2, 3, 4, 8})))));
  return Sum;
}

RaceAccess makeAccess(Random &R) {
  RaceAccess A;
  A.Where = static_cast<uint32_t>(R.below(R.C.Conditions.size()));
  const int64_t Scale = R.oneOf<int64_t>({1, 2, 4, 4, 4, 8});
  A.Offset =
      R.add(R.node(Op::mul, 64, R.add(R.node(Op::sext, 64, makeIndex(R))),
                   R.add(R.node(Op::constant, 64, 0, 0, Scale))));
  A.Bytes = R.oneIn(4) ? 1 + R.below(8) : static_cast<uint64_t>(Scale);
  A.Arg = 3;
  A.Writes = true;
  A.Arrivals = {{}};
  return A;
}

struct Touch {
  uint32_t Access;
  std::array<uint64_t, 2> By; ///< the work-item
  uint64_t Interval;          ///< that of two barriers, in its work-group

  bool operator==(const Touch &) const = default;
};

TEST(RacesSoundness, WorkItemsThatTouchAByteRace) {
  unsigned Racy = 0, Clean = 0, Proven = 0;
  for (unsigned Seed = 1; Seed <= 1500; ++Seed) {
    Random R(Seed);
    R.make();
    RaceClaims Races;
    Races.Accesses = {makeAccess(R)};
    const bool HasTwo = R.oneIn(2);
    if (HasTwo) {
      Races.Accesses.push_back(makeAccess(R));
      Races.Accesses[1].Site = 1;
    }
    // A barrier in the loop, which both are behind, in that iteration or the
    // next one.
    const bool HasBarrier = !R.C.Loops.empty() && R.oneIn(2);
    if (HasBarrier) {
      Races.Loops[1] = {0};
      for (RaceAccess &A : Races.Accesses)
        A.Arrivals = {{1, {R.oneOf<uint8_t>({Arrival::Same, Arrival::Next})}}};
    }
    ASSERT_EQ(invalidReason(R.C), nullptr) << "seed " << Seed;
    ASSERT_EQ(invalidReason(Races, R.C), nullptr) << "seed " << Seed;
    if (!finishLoop(R))
      continue;
    R.Args[3].Size = uint64_t(1) << 40;
    const std::vector<ArgPlace> Places(4, {1, 0});
    const auto Possible = possibleRaces(R.C, Races, R.Launch, Places);
    std::set<uint32_t> Sites;
    for (const PossibleRace &Each : Possible)
      Sites.insert({Each.A, Each.B}); // numbered as the accesses are
    EXPECT_EQ(racingSites(R.C, Races, R.Launch, Places),
              std::vector<uint32_t>(Sites.begin(), Sites.end()))
        << "seed " << Seed;
    auto IsPossible = [&](uint32_t A, uint32_t B, bool BetweenGroups) {
      return std::ranges::any_of(Possible, [&](const PossibleRace &Each) {
        return Each.A == std::min(A, B) && Each.B == std::max(A, B) &&
               Each.BetweenGroups == BetweenGroups;
      });
    };
    std::mt19937 Any(Seed);
    bool IsRacy = false;
    for (int Try = 0; Try < 3; ++Try) {
      std::array<uint64_t, 2> Local;
      for (size_t D = 0; D < 2; ++D)
        Local[D] = R.Launch.Local[D] ? R.Launch.Local[D]
                                     : 1 + Any() % R.Launch.Global[D];
      std::map<uint64_t, std::vector<Touch>> Touched; ///< by byte
      for (uint64_t X = 0; X < R.Launch.Global[0]; ++X)
        for (uint64_t Y = 0; Y < R.Launch.Global[1]; ++Y)
          runItem(R, Any, Local, {X, Y}, [&](Machine &M) {
            for (uint32_t I = 0; I < Races.Accesses.size(); ++I) {
              const RaceAccess &A = Races.Accesses[I];
              const auto Offset =
                  M.allHold(A.Where) ? M.value(A.Offset) : std::nullopt;
              const uint64_t Interval =
                  HasBarrier ? M.Round - A.Arrivals[0].Iterations[0] : 0;
              const Touch New{I, {X, Y}, Interval};
              for (uint64_t Byte = 0; Offset && Byte < A.Bytes; ++Byte)
                if (auto &By = Touched[*Offset + Byte];
                    By.size() < 40 && std::ranges::find(By, New) == By.end())
                  By.push_back(New);
            }
          });
      for (const auto &[Byte, By] : Touched)
        for (const Touch &A : By)
          for (const Touch &B : By) {
            const bool BetweenGroups =
                A.By[0] / Local[0] != B.By[0] / Local[0] ||
                A.By[1] / Local[1] != B.By[1] / Local[1];
            if (A.By == B.By || (!BetweenGroups && A.Interval != B.Interval))
              continue;
            IsRacy = true;
            ASSERT_TRUE(IsPossible(A.Access, B.Access, BetweenGroups))
                << "seed " << Seed << ", accesses " << A.Access << " and "
                << B.Access << ", byte " << Byte
                << (BetweenGroups ? ", groups" : "");
          }
    }
    Racy += IsRacy;
    Clean += !IsRacy;
    Proven += Possible.empty();
  }
  // It would be easy never to be wrong.
  EXPECT_GT(Racy, 200U);
  EXPECT_GT(Proven, 200U);
  std::cout << Racy << " racy, " << Clean << " clean, " << Proven
            << " proven\n";
}

} // namespace
