//===- test/unit/proof/proof_uniformity_test.cpp - branches of work-groups
//------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/proof_kernel.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace warpsan;

namespace {

using Kernel = ProofKernel;
using Op = Node::Op;
using Kind = Condition::Predicate;

TEST(Uniformity, ABranchThatGoesOneWayIsUniform) {
  Kernel K;
  K.Launch.Global[0] = 128;
  K.Launch.Local[0] = 64;
  const uint32_t I = K.id(), N = K.argument(1, 100);
  const BarrierBranch Returns{K.when(Kind::SLE, N, I), K.when(Kind::SLT, I, N)};
  K.C.Branches = {Returns};
  auto IsUniform = [&](int32_t Value) {
    EXPECT_EQ(invalidReason(K.C), nullptr);
    K.Bytes[1].assign(reinterpret_cast<const char *>(&Value), 4);
    for (size_t A = 0; A < K.Args.size(); ++A)
      K.Args[A].Bytes = K.Bytes[A];
    K.Launch.Args = K.Args;
    return areUniform(K.C, K.Launch);
  };
  EXPECT_FALSE(IsUniform(100));
  EXPECT_FALSE(IsUniform(127));
  EXPECT_FALSE(IsUniform(1));
  EXPECT_TRUE(IsUniform(64)); // the second group returns
  EXPECT_TRUE(IsUniform(128));
  EXPECT_TRUE(IsUniform(0));
  EXPECT_TRUE(IsUniform(-3));
  // Nothing is known of the second one.
  K.C.Branches = {Returns, {}};
  EXPECT_FALSE(IsUniform(128));
  // It is not reached, or its condition is.
  K.C.Branches = {Returns, {Returns.IfTrue, Returns.IfTrue}};
  EXPECT_TRUE(IsUniform(128));
  EXPECT_FALSE(IsUniform(0));
  // One work-item alone agrees with itself; what a driver chooses may not.
  K.Launch.Local = {1, 1, 1};
  EXPECT_TRUE(IsUniform(100));
  K.Launch.Local[0] = 0;
  EXPECT_FALSE(IsUniform(100));
  K.C.Branches[0].IfFalse = 7;
  EXPECT_NE(invalidReason(K.C), nullptr);
}

/// `x * gid(0) + y * gid(1) + z * lid(0) < n`, which divides the launch.
struct LinearBranch {
  int X, Y, Z, N;
  Kernel K;

  LinearBranch(int X, int Y, int Z, int N) : X(X), Y(Y), Z(Z), N(N) {
    auto Times = [&](int By, uint32_t Id) {
      return K.two(Op::mul, Id, K.number(By, 32));
    };
    const uint32_t Local = K.node(Op::trunc, 32, K.node(Op::local_id, 64, 0));
    const uint32_t Sum =
        K.two(Op::add, K.two(Op::add, Times(X, K.id(0)), Times(Y, K.id(1))),
              Times(Z, Local));
    const uint32_t Limit = K.number(N, 32);
    K.C.Branches = {
        {K.when(Kind::SLT, Sum, Limit), K.when(Kind::SLE, Limit, Sum)}};
  }

  /// By looking at every work-item.
  bool isUniform() const {
    const LaunchValues &L = K.Launch;
    std::map<std::pair<uint64_t, uint64_t>, std::set<bool>> Ways;
    for (uint64_t I = 0; I < L.Global[0]; ++I)
      for (uint64_t J = 0; J < L.Global[1]; ++J) {
        const auto At = [](uint64_t N) { return static_cast<int64_t>(N); };
        const int64_t Sum = X * At(I + L.Offset[0]) + Y * At(J + L.Offset[1]) +
                            Z * At(I % L.Local[0]);
        Ways[{I / L.Local[0], J / L.Local[1]}].insert(Sum < N);
      }
    return std::ranges::all_of(
        Ways, [](const auto &Each) { return Each.second.size() == 1; });
  }
};

TEST(Uniformity, OfRandomLaunchesAgreesWithEnumeration) {
  std::mt19937 Random(1);
  auto Between = [&](int Min, int Max) {
    return std::uniform_int_distribution(Min, Max)(Random);
  };
  unsigned Uniform = 0, Found = 0;
  for (int Round = 0; Round < 4000; ++Round) {
    LinearBranch B(Between(-2, 2), Between(-2, 2), Between(-1, 1),
                   Between(-30, 60));
    for (size_t D = 0; D < 2; ++D) {
      const auto Local = static_cast<uint64_t>(Between(1, 5));
      B.K.Launch.Local[D] = Local;
      B.K.Launch.Global[D] = Local * static_cast<uint64_t>(Between(1, 6)) +
                             static_cast<uint64_t>(Between(0, 3)) % Local;
      B.K.Launch.Offset[D] = static_cast<uint64_t>(Between(0, 7));
    }
    ASSERT_EQ(invalidReason(B.K.C), nullptr);
    const bool IsUniform = B.isUniform();
    const bool IsProven = areUniform(B.K.C, B.K.Launch);
    EXPECT_TRUE(IsUniform || !IsProven) << "round " << Round;
    Uniform += IsUniform;
    Found += IsProven;
  }
  // Not all: some launches have more parts than are looked at.
  EXPECT_GE(Found * 100, Uniform * 95) << Found << " of " << Uniform;
  EXPECT_GE(Uniform, 1000U);
}

TEST(Uniformity, OfAnIdInItsGroupIsNotFoundByDividing) {
  Kernel K;
  K.Launch.Global[0] = uint64_t(1) << 24;
  K.Launch.Local[0] = 64;
  const uint32_t Id = K.node(Op::trunc, 32, K.node(Op::local_id, 64, 0));
  const uint32_t Limit = K.number(16, 32);
  K.C.Branches = {{K.when(Kind::SLT, Id, Limit), K.when(Kind::SLE, Limit, Id)}};
  EXPECT_FALSE(areUniform(K.C, K.Launch));
}

} // namespace
