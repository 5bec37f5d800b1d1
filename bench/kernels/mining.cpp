//===- bench/kernels/mining.cpp - statistics of points --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>

using namespace warpsan::bench;

namespace {

const Range Tile = {16, 8};
Range over(int Columns, int Rows) {
  return {padded(Columns, Tile[0]), padded(Rows, Tile[1])};
}
const Range Line = {64};
Range over(int Count) { return {padded(Count, Line[0])}; }

/// Without their means, over Points - Less; the diagonal has the variances.
Doubles covariances(const Floats &Data, int Points, int Features, int Less) {
  Doubles Mean(Features), Out(static_cast<size_t>(Features) * Features);
  for (int I = 0; I < Points; ++I)
    for (int J = 0; J < Features; ++J)
      Mean[J] += Data[I * Features + J] / static_cast<double>(Points);
  for (int I = 0; I < Points; ++I)
    for (int J = 0; J < Features; ++J)
      for (int K = 0; K < Features; ++K)
        Out[J * Features + K] += (Data[I * Features + J] - Mean[J]) *
                                 (Data[I * Features + K] - Mean[K]) /
                                 (Points - Less);
  return Out;
}

double square(double X) { return X * X; }

} // namespace

void warpsan::bench::correlation(Bench &B) {
  int Points = B.size(260, 3), Features = B.size(240, 3);
  Floats Data = B.floats(static_cast<size_t>(Points) * Features);
  size_t Pairs = static_cast<size_t>(Features) * Features;
  cl_mem D = B.device(Data), Mean = B.room<float>(Features),
         Deviation = B.room<float>(Features), Out = B.room<float>(Pairs);
  cl_kernel Means = B.kernel("means", Mean, D, Points, Features),
            Deviations = B.kernel("deviations", Deviation, Mean, D, Points,
                                  Features, 1e-6F),
            Standardize =
                B.kernel("standardize", D, Mean, Deviation, Points, Features),
            Correlate = B.kernel("correlate", D, Out, Points, Features);
  B.time(
      [&] {
        B.launch(Means, over(Features), Line);
        B.launch(Deviations, over(Features), Line);
        B.launch(Standardize, over(Features, Points), Tile);
        B.launch(Correlate, over(Features), Line);
      },
      [&] { B.write(D, Data); });
  Doubles Want = covariances(Data, Points, Features, 0), Variance(Features);
  for (int J = 0; J < Features; ++J)
    Variance[J] = Want[J * Features + J];
  for (size_t I = 0; I < Pairs; ++I)
    Want[I] /= std::sqrt(Variance[I / Features] * Variance[I % Features]);
  B.expect("correlations", B.back<float>(Out, Pairs), Want);
}

void warpsan::bench::covariance(Bench &B) {
  int Points = B.size(250, 3), Features = B.size(230, 3);
  Floats Data = B.floats(static_cast<size_t>(Points) * Features);
  size_t Pairs = static_cast<size_t>(Features) * Features;
  cl_mem D = B.device(Data), Mean = B.room<float>(Features),
         Out = B.room<float>(Pairs);
  cl_kernel Means = B.kernel("means", Mean, D, Points, Features),
            Center = B.kernel("center", D, Mean, Points, Features),
            Covary = B.kernel("covary", D, Out, Points, Features);
  B.time(
      [&] {
        B.launch(Means, over(Features), Line);
        B.launch(Center, over(Features, Points), Tile);
        B.launch(Covary, over(Features, Features), Tile);
      },
      [&] { B.write(D, Data); });
  B.expect("covariances", B.back<float>(Out, Pairs),
           covariances(Data, Points, Features, 1));
}

void warpsan::bench::kmeans(Bench &B) {
  int Count = B.size(15'000), Clusters = 12, Features = 16, Steps = 4;
  Floats Points = B.floats(static_cast<size_t>(Count) * Features);
  const Floats Start(Points.begin(), Points.begin() + Clusters * Features);
  Floats Used, Next; // centers: of the last assignment, of the one to come
  cl_mem Turned = B.room<float>(Points.size()), Centers = B.device(Start),
         Membership = B.room<int>(Count);
  cl_kernel Turn = B.kernel("by_feature", B.device(Points), Turned, Count,
                            Features),
            Assign = B.kernel("assign", Turned, Centers, Membership, Count,
                              Clusters, Features);
  // The host moves the centers, as it is little work.
  auto Move = [&] {
    Ints Of = B.back<int>(Membership, Count);
    Doubles Sum(Start.size());
    Ints Members(Clusters);
    for (int P = 0; P < Count; ++P) {
      ++Members[Of[P]];
      for (int F = 0; F < Features; ++F)
        Sum[Of[P] * Features + F] += Points[P * Features + F];
    }
    for (size_t I = 0; I < Sum.size(); ++I)
      if (int Many = Members[I / Features])
        Next[I] = static_cast<float>(Sum[I] / Many);
  };
  B.time(
      [&] {
        B.launch(Turn, over(Count), Line);
        for (int T = 0; T < Steps; ++T) {
          Used = Next;
          B.write(Centers, Used);
          B.launch(Assign, over(Count), Line);
          Move();
        }
      },
      [&] { Next = Start; });
  // Which of two centers is chosen that are equally near is left to rounding.
  Ints Of = B.back<int>(Membership, Count);
  auto Far = [&](int Point, int Cluster) {
    double Sum = 0;
    for (int F = 0; F < Features; ++F)
      Sum += square(Points[Point * Features + F] -
                    static_cast<double>(Used[Cluster * Features + F]));
    return Sum;
  };
  for (int P = 0; P < Count; ++P) {
    B.expect(Of[P] >= 0 && Of[P] < Clusters, "membership", P, Of[P], 0);
    double Least = Far(P, 0);
    for (int C = 1; C < Clusters; ++C)
      Least = std::min(Least, Far(P, C));
    B.expect(Far(P, Of[P]) <= Least * (1 + 1e-4), "distance to the center", P,
             Far(P, Of[P]), Least);
  }
}

void warpsan::bench::nearest(Bench &B) {
  int Count = B.size(8000, 2), Queries = B.size(350, 2);
  constexpr int K = 8;
  Floats Places = B.floats(Count * 2, 0, 90),
         From = B.floats(Queries * 2, 0, 90);
  cl_mem Distances = B.room<float>(Queries * K), At = B.room<int>(Queries * K);
  cl_kernel Nearest = B.kernel("nearest", B.device(Places), Count,
                               B.device(From), Queries, Distances, At);
  B.time([&] { B.launch(Nearest, over(Queries), Line); });
  Floats Got = B.back<float>(Distances, Queries * K);
  Ints Index = B.back<int>(At, Queries * K);
  Doubles Want, Chosen;
  for (int Q = 0; Q < Queries; ++Q) {
    auto Far = [&](int I) {
      return std::hypot(Places[2 * I] - From[2 * Q],
                        Places[2 * I + 1] - From[2 * Q + 1]);
    };
    Doubles All(Count);
    for (int I = 0; I < Count; ++I)
      All[I] = Far(I);
    std::partial_sort(All.begin(), All.begin() + K, All.end());
    Want.insert(Want.end(), All.begin(), All.begin() + K);
    for (int I = 0; I < K; ++I) {
      int Which = Index[Q * K + I];
      B.expect(Which >= 0 && Which < Count, "indices", Q * K + I, Which, 0);
      Chosen.push_back(Far(Which));
    }
  }
  B.expect("distances", Got, Want);
  B.expect("distances at the indices", Chosen, Want);
}
