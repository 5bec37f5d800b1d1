//===- bench/kernels/irregular_graph.cpp - graphs and sparse matrices -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>
#include <climits>
#include <queue>

using namespace warpsan::bench;

namespace {

const Range Line = {64};
Range over(int Count) { return {padded(Count, Line[0])}; }

/// What each node, or row, is connected to: Targets[Starts[N]..Starts[N + 1]].
struct Graph {
  Ints Starts{0}, Targets;
};

/// With up to \p Most edges a node.
Graph graph(Bench &B, int Nodes, int Most) {
  Graph G;
  for (int Edges : B.ints(Nodes, 0, Most)) {
    Ints To = B.ints(Edges, 0, Nodes - 1);
    G.Targets.insert(G.Targets.end(), To.begin(), To.end());
    G.Starts.push_back(static_cast<int>(G.Targets.size()));
  }
  return G;
}

} // namespace

void warpsan::bench::bfs(Bench &B) {
  int Count = B.size(120'000);
  Graph G = graph(B, Count, 12);
  Ints Nodes; // pairs of start and number of edges
  for (int I = 0; I < Count; ++I) {
    Nodes.push_back(G.Starts[I]);
    Nodes.push_back(G.Starts[I + 1] - G.Starts[I]);
  }
  std::vector<char> None(Count), First = None;
  First[0] = 1;
  Ints Costs(Count, -1);
  Costs[0] = 0;
  cl_mem Frontier = B.room<char>(Count), Updating = B.room<char>(Count),
         Visited = B.room<char>(Count), Cost = B.room<int>(Count),
         Over = B.room<int>(1);
  cl_kernel Expand = B.kernel("expand", B.device(Nodes), B.device(G.Targets),
                              Frontier, Updating, Visited, Cost, Count),
            Advance =
                B.kernel("advance", Frontier, Updating, Visited, Over, Count);
  B.time(
      [&] {
        for (bool Going = true; Going;) {
          B.write(Over, Ints{0});
          B.launch(Expand, over(Count), Line);
          B.launch(Advance, over(Count), Line);
          Going = B.back<int>(Over, 1)[0];
        }
      },
      [&] {
        B.write(Frontier, First);
        B.write(Visited, First);
        B.write(Updating, None);
        B.write(Cost, Costs);
      });
  std::queue<int> Next({0});
  for (; !Next.empty(); Next.pop())
    for (int E = G.Starts[Next.front()]; E < G.Starts[Next.front() + 1]; ++E)
      if (int To = G.Targets[E]; Costs[To] < 0) {
        Costs[To] = Costs[Next.front()] + 1;
        Next.push(To);
      }
  B.expect("costs", B.back<int>(Cost, Count), Costs, 0);
}

void warpsan::bench::sssp(Bench &B) {
  int Count = B.size(60'000);
  constexpr int Far = INT_MAX / 2;
  Graph G = graph(B, Count, 10);
  Ints Weights = B.ints(G.Targets.size(), 1, 100);
  Ints Start(Count, Far), Changed(Count);
  Start[0] = 0;
  Changed[0] = 1;
  cl_mem Distance = B.room<int>(Count), Now = B.room<int>(Count),
         Then = B.room<int>(Count), Any = B.room<int>(1);
  cl_kernel Relax =
                B.kernel("relax", B.device(G.Starts), B.device(G.Targets),
                         B.device(Weights), Distance, Now, Then, Any, Count),
            Settle = B.kernel("settle", Now, Then, Count);
  B.time(
      [&] {
        for (bool Going = true; Going;) {
          B.write(Any, Ints{0});
          B.launch(Relax, over(Count), Line);
          B.launch(Settle, over(Count), Line);
          Going = B.back<int>(Any, 1)[0];
        }
      },
      [&] {
        B.write(Distance, Start);
        B.write(Now, Changed);
        B.write(Then, Ints(Count));
      });
  using Reached = std::pair<int, int>; // distance, node
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> Next;
  Next.push({0, 0});
  while (!Next.empty()) {
    auto [Here, From] = Next.top();
    Next.pop();
    if (Here > Start[From])
      continue;
    for (int E = G.Starts[From]; E < G.Starts[From + 1]; ++E)
      if (int To = G.Targets[E]; Here + Weights[E] < Start[To]) {
        Start[To] = Here + Weights[E];
        Next.push({Start[To], To});
      }
  }
  B.expect("distances", B.back<int>(Distance, Count), Start, 0);
}

void warpsan::bench::pagerank(Bench &B) {
  int Count = B.size(40'000), Steps = 6;
  float Damping = 0.85F;
  Graph In = graph(B, Count, 16);
  Ints Degree(Count);
  for (int From : In.Targets)
    ++Degree[From];
  Floats Start(Count, 1.0F / static_cast<float>(Count));
  cl_mem Rank = B.device(Start), Each = B.room<float>(Count);
  cl_kernel Share = B.kernel("share", Rank, B.device(Degree), Each, Count),
            Collect =
                B.kernel("collect", B.device(In.Starts), B.device(In.Targets),
                         Each, Rank, Damping, Count);
  B.time(
      [&] {
        for (int T = 0; T < Steps; ++T) {
          B.launch(Share, over(Count), Line);
          B.launch(Collect, over(Count), Line);
        }
      },
      [&] { B.write(Rank, Start); });
  Doubles Want(Start.begin(), Start.end()), Shares(Count);
  for (int T = 0; T < Steps; ++T) {
    for (int I = 0; I < Count; ++I)
      Shares[I] = Degree[I] ? Want[I] / Degree[I] : 0;
    for (int I = 0; I < Count; ++I) {
      double Sum = 0;
      for (int E = In.Starts[I]; E < In.Starts[I + 1]; ++E)
        Sum += Shares[In.Targets[E]];
      Want[I] = (1 - Damping) / Count + Damping * Sum;
    }
  }
  Floats Got = B.back<float>(Rank, Count);
  for (int I = 0; I < Count; ++I) // ranks are small: compare them to the mean
    Got[I] *= static_cast<float>(Count), Want[I] *= Count;
  B.expect("ranks * pages", Got, Want);
}

void warpsan::bench::spmvCsr(Bench &B) {
  int Rows = B.size(200'000);
  Graph G = graph(B, Rows, 48);
  Floats Values = B.floats(G.Targets.size()), X = B.floats(Rows);
  cl_mem Y = B.room<float>(Rows);
  cl_kernel K = B.kernel("spmv_csr", B.device(G.Starts), B.device(G.Targets),
                         B.device(Values), B.device(X), Y, Rows);
  B.time([&] { B.launch(K, over(Rows), Line); });
  Doubles Want(Rows);
  for (int Row = 0; Row < Rows; ++Row)
    for (int E = G.Starts[Row]; E < G.Starts[Row + 1]; ++E)
      Want[Row] += static_cast<double>(Values[E]) * X[G.Targets[E]];
  B.expect("y", B.back<float>(Y, Rows), Want);
}

void warpsan::bench::spmvEll(Bench &B) {
  int Rows = B.size(80'000), Width = 32;
  Graph G = graph(B, Rows, Width);
  Floats Values(static_cast<size_t>(Rows) * Width), X = B.floats(Rows);
  Ints Columns(Values.size(), -1);
  Doubles Want(Rows);
  for (int Row = 0; Row < Rows; ++Row)
    for (int E = G.Starts[Row]; E < G.Starts[Row + 1]; ++E) {
      size_t At = static_cast<size_t>(E - G.Starts[Row]) * Rows + Row;
      Columns[At] = G.Targets[E];
      Values[At] = 1.0F / static_cast<float>(1 + E % 7);
      Want[Row] += static_cast<double>(Values[At]) * X[G.Targets[E]];
    }
  cl_mem Y = B.room<float>(Rows);
  cl_kernel K = B.kernel("spmv_ell", B.device(Columns), B.device(Values),
                         B.device(X), Y, Rows, Width);
  B.time([&] { B.launch(K, over(Rows), Line); });
  B.expect("y", B.back<float>(Y, Rows), Want);
}

void warpsan::bench::gather(Bench &B) {
  constexpr int Group = 256;
  int Count = B.size(2'000'000, 1, Group);
  Floats In = B.floats(Count);
  Ints At = B.ints(Count, 0, Count - 1);
  cl_mem Out = B.room<float>(Count);
  cl_kernel K = B.kernel("gather", B.device(In), B.device(At), Out);
  B.time([&] { B.launch(K, {static_cast<size_t>(Count)}, {Group}); });
  Floats Want(Count);
  for (int I = 0; I < Count; ++I)
    Want[I] = In[At[I]];
  B.expect("out", B.back<float>(Out, Count), Want, 0);
}
