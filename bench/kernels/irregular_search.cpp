//===- bench/kernels/irregular_search.cpp - lookups by key and place ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

using namespace warpsan::bench;

namespace {

const Range Line = {64};
Range over(int Count) { return {padded(Count, Line[0])}; }

/// As in btree.cl.
constexpr int Order = 16;
struct TreeNode {
  int Count = 0, IsLeaf = 0;
  int Keys[Order] = {};
  int Children[Order + 1] = {};
};

struct Tree {
  std::vector<TreeNode> Nodes;
  int Root = 0, Height = 1;
};

/// Of keys in order; a leaf's children count them.
Tree tree(const Ints &Keys) {
  Tree T;
  Ints Level, Least; // nodes of the level, the least key below each
  for (size_t From = 0; From < Keys.size(); From += Order) {
    TreeNode Leaf;
    Leaf.IsLeaf = 1;
    for (size_t I = From; I < std::min(From + Order, Keys.size()); ++I) {
      Leaf.Keys[Leaf.Count] = Keys[I];
      Leaf.Children[Leaf.Count++] = static_cast<int>(I);
    }
    Level.push_back(static_cast<int>(T.Nodes.size()));
    Least.push_back(Keys[From]);
    T.Nodes.push_back(Leaf);
  }
  for (; Level.size() > 1; ++T.Height) {
    Ints Above, AboveLeast;
    for (size_t From = 0; From < Level.size(); From += Order + 1) {
      TreeNode Inner;
      Inner.Children[0] = Level[From];
      for (size_t I = From + 1; I < std::min(From + Order + 1, Level.size());
           ++I) {
        Inner.Keys[Inner.Count++] = Least[I];
        Inner.Children[Inner.Count] = Level[I];
      }
      Above.push_back(static_cast<int>(T.Nodes.size()));
      AboveLeast.push_back(Least[From]);
      T.Nodes.push_back(Inner);
    }
    Level = Above;
    Least = AboveLeast;
  }
  T.Root = Level[0];
  return T;
}

/// A row of a relation, as in hash_join.cl.
struct Row {
  int Key, Payload;
};

} // namespace

void warpsan::bench::btree(Bench &B) {
  int Count = B.size(100'000), Queries = B.size(60'000);
  Ints Keys(Count), Values = B.ints(Count, 0, 1'000'000);
  for (int I = 0; I < Count; ++I)
    Keys[I] = 3 * I; // a third of the queries find something
  Tree T = tree(Keys);
  Ints Wanted = B.ints(Queries, 0, 3 * Count - 1);
  cl_mem Answers = B.room<int>(Queries);
  cl_kernel Find =
      B.kernel("find", B.device(T.Nodes), T.Height, T.Root, B.device(Values),
               B.device(Wanted), Answers, Queries);
  B.time([&] { B.launch(Find, over(Queries), Line); });
  Ints Want(Queries);
  for (int Q = 0; Q < Queries; ++Q)
    Want[Q] = Wanted[Q] % 3 ? -1 : Values[Wanted[Q] / 3];
  B.expect("answers", B.back<int>(Answers, Queries), Want, 0);
}

void warpsan::bench::hashJoin(Bench &B) {
  int Few = B.size(100'000), Many = B.size(400'000);
  cl_uint Slots = 1;
  while (Slots < 2U * static_cast<cl_uint>(Few))
    Slots *= 2;
  Ints Keys(2 * static_cast<size_t>(Few)); // half of them are in the table
  std::iota(Keys.begin(), Keys.end(), 0);
  std::shuffle(Keys.begin(), Keys.end(), B.Random);
  std::vector<Row> Build(Few), Probe(Many);
  std::unordered_map<int, int> Known;
  for (int I = 0; I < Few; ++I) {
    Build[I] = {Keys[I], I};
    Known[Keys[I]] = I;
  }
  Ints Which = B.ints(Many, 0, 2 * Few - 1), Want(Many, -1);
  int WantMatches = 0;
  for (int I = 0; I < Many; ++I) {
    Probe[I] = {Which[I], I % 1000};
    if (auto It = Known.find(Which[I]); It != Known.end()) {
      Want[I] = It->second + I % 1000;
      ++WantMatches;
    }
  }
  cl_mem TableKeys = B.room<int>(Slots), Payloads = B.room<int>(Slots),
         Joined = B.room<int>(Many), Matches = B.room<int>(1);
  cl_kernel Fill = B.kernel("build", B.device(Build), Few, TableKeys, Payloads,
                            Slots - 1),
            Look = B.kernel("probe", B.device(Probe), Many, TableKeys, Payloads,
                            Slots - 1, Joined, Matches);
  B.time(
      [&] {
        B.launch(Fill, over(Few), Line);
        B.launch(Look, over(Many), Line);
      },
      [&] {
        B.write(TableKeys, Ints(Slots, -1));
        B.write(Matches, Ints{0});
      });
  B.expect("joined", B.back<int>(Joined, Many), Want, 0);
  B.expect("matches", B.back<int>(Matches, 1), Ints{WantMatches}, 0);
}

void warpsan::bench::particleFilter(Bench &B) {
  int Particles = B.size(30'000), W = 128, H = 128, Radius = 5;
  constexpr int Group = 64;
  int Groups = static_cast<int>(padded(Particles, Group) / Group);
  Ints Disc; // pairs of x and y
  for (int Y = -Radius; Y <= Radius; ++Y)
    for (int X = -Radius; X <= Radius; ++X)
      if (X * X + Y * Y <= Radius * Radius)
        Disc.insert(Disc.end(), {X, Y});
  int DiscSize = static_cast<int>(Disc.size() / 2);
  std::vector<cl_uchar> Picture;
  Ints Noise = B.ints(static_cast<size_t>(W) * H, -20, 20);
  for (int I = 0; I < W * H; ++I)
    Picture.push_back(static_cast<cl_uchar>(
        Noise[I] + (std::hypot(I % W - 70, I / W - 60) <= Radius ? 228 : 100)));
  Floats Xs = B.floats(Particles, 0, static_cast<float>(W - 1)),
         Ys = B.floats(Particles, 0, static_cast<float>(H - 1));
  float U0 = 0.37F;
  cl_mem Dx = B.device(Xs), Dy = B.device(Ys),
         Weights = B.room<float>(Particles), Cdf = B.room<float>(Particles),
         Partial = B.room<float>(Groups), NewX = B.room<float>(Particles),
         NewY = B.room<float>(Particles);
  cl_kernel Likelihoods =
                B.kernel("likelihoods", Dx, Dy, B.device(Picture), W, H,
                         B.device(Disc), DiscSize, Weights, Particles),
            Sum = B.kernel("sum_weights", Weights, Partial, Particles,
                           LocalBytes{Group * sizeof(float)}),
            Cumulate =
                B.kernel("cumulate", Weights, Partial, Groups, Cdf, Particles),
            Resample =
                B.kernel("resample", Cdf, Dx, Dy, NewX, NewY, U0, Particles);
  B.time([&] {
    B.launch(Likelihoods, over(Particles), Line);
    B.launch(Sum, over(Particles), Line);
    B.launch(Cumulate, {1}, {1});
    B.launch(Resample, over(Particles), Line);
  });
  Doubles Want(Particles);
  for (int I = 0; I < Particles; ++I) {
    double Likely = 0;
    for (int K = 0; K < DiscSize; ++K) {
      int X = static_cast<int>(std::nearbyint(Xs[I])) + Disc[2 * K],
          Y = static_cast<int>(std::nearbyint(Ys[I])) + Disc[2 * K + 1];
      if (X >= 0 && X < W && Y >= 0 && Y < H) {
        double V = Picture[Y * W + X];
        Likely += ((V - 100) * (V - 100) - (V - 228) * (V - 228)) / 5000;
      }
    }
    Want[I] = std::exp(Likely / DiscSize);
  }
  double Total = std::accumulate(Want.begin(), Want.end(), 0.0);
  Doubles WantCdf(Particles);
  std::inclusive_scan(Want.begin(), Want.end(), WantCdf.begin());
  for (double &Each : WantCdf)
    Each /= Total;
  Floats GotCdf = B.back<float>(Cdf, Particles);
  B.expect("cdf", GotCdf, WantCdf);
  // Which particle is drawn hangs on the last bit: ask the device's own sums.
  Floats GotX = B.back<float>(NewX, Particles), WantX(Particles),
         GotY = B.back<float>(NewY, Particles), WantY(Particles);
  for (int I = 0; I < Particles; ++I) {
    float U = (static_cast<float>(I) + U0) / static_cast<float>(Particles);
    auto At =
        std::lower_bound(GotCdf.begin(), GotCdf.end() - 1, U) - GotCdf.begin();
    // A quotient that is not correctly rounded may be on the other side of a
    // sum by a hair: then the neighbor is as good.
    for (auto Near : {At - 1, At + 1})
      if (Near >= 0 && Near < Particles && GotX[I] == Xs[Near] &&
          std::abs(GotCdf[std::min(Near, At)] - U) < 1e-6F)
        At = Near;
    WantX[I] = Xs[At];
    WantY[I] = Ys[At];
  }
  B.expect("xs", GotX, WantX, 0);
  B.expect("ys", GotY, WantY, 0);
}

void warpsan::bench::nbodyCells(Bench &B) {
  int Cells = B.size(10, 3), Count = Cells * Cells * Cells * 10;
  float Size = 1, Cutoff = 1;
  Floats Places = B.floats(static_cast<size_t>(Count) * 4, 0,
                           static_cast<float>(Cells) * Size);
  using Body = std::array<float, 4>; // place and mass
  std::vector<Body> Bodies(Count);
  auto Cell = [&](const Body &At) {
    auto One = [&](float X) {
      return std::min(static_cast<int>(X / Size), Cells - 1);
    };
    return (One(At[2]) * Cells + One(At[1])) * Cells + One(At[0]);
  };
  for (int I = 0; I < Count; ++I)
    Bodies[I] = {Places[4 * I], Places[4 * I + 1], Places[4 * I + 2],
                 1 + Places[4 * I + 3] / static_cast<float>(Cells)};
  std::sort(Bodies.begin(), Bodies.end(),
            [&](const Body &L, const Body &R) { return Cell(L) < Cell(R); });
  Ints Starts(Cells * Cells * Cells + 1);
  for (const Body &Each : Bodies)
    ++Starts[Cell(Each) + 1];
  std::partial_sum(Starts.begin(), Starts.end(), Starts.begin());
  cl_mem Out = B.room<Body>(Count);
  cl_kernel Forces = B.kernel("forces", B.device(Bodies), Out, B.device(Starts),
                              Cells, Size, Cutoff, Count);
  B.time([&] { B.launch(Forces, over(Count), Line); });
  // A pair at the cutoff may count or not: its force is left out of both sums,
  // and allowed.
  Floats Got = B.back<float>(Out, static_cast<size_t>(Count) * 4);
  for (int I = 0; I < Count; I += 37) {
    double Sum[3] = {}, Doubt = 0;
    for (const Body &Each : Bodies) {
      double D[3], R2 = 0;
      for (int A = 0; A < 3; ++A) {
        D[A] = static_cast<double>(Each[A]) - Bodies[I][A];
        R2 += D[A] * D[A];
      }
      double Inverse = 1 / std::sqrt(R2 + 0.01),
             Pull = Each[3] * Inverse * Inverse * Inverse;
      if (std::abs(R2 - Cutoff * Cutoff) < 1e-5)
        Doubt += Pull;
      else if (R2 < Cutoff * Cutoff)
        for (int A = 0; A < 3; ++A)
          Sum[A] += Pull * D[A];
    }
    for (int A = 0; A < 3; ++A)
      B.expect(std::abs(Got[4 * I + A] - Sum[A]) <=
                   2e-3 * (1 + std::abs(Sum[A])) + Doubt,
               "forces", 4 * I + A, Got[4 * I + A], Sum[A]);
  }
}
