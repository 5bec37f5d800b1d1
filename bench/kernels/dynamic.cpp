//===- bench/kernels/dynamic.cpp - each step needs the one before ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>

using namespace warpsan::bench;

void warpsan::bench::needlemanWunsch(Bench &B) {
  constexpr int Block = 16, Symbols = 24, Penalty = 10;
  int N = B.size(1200, 2, Block), Width = N + 1, Blocks = N / Block;
  Ints First = B.ints(N, 0, Symbols - 1), Second = B.ints(N, 0, Symbols - 1),
       Similarity = B.ints(Symbols * Symbols, -4, 11);
  Ints Start(static_cast<size_t>(Width) * Width);
  for (int I = 0; I < Width; ++I)
    Start[I] = Start[I * Width] = -I * Penalty;
  cl_mem Score = B.device(Start);
  cl_kernel Align =
      B.kernel("align_blocks", B.device(First), B.device(Second),
               B.device(Similarity), Score, Width, Penalty, Symbols, 0, 0);
  B.time([&] {
    for (int Diagonal = 0; Diagonal < 2 * Blocks - 1; ++Diagonal) {
      int From = std::max(0, Diagonal - Blocks + 1),
          To = std::min(Diagonal, Blocks - 1);
      B.set(Align, 7, Diagonal);
      B.set(Align, 8, From);
      B.launch(Align, {static_cast<size_t>(To - From + 1) * Block}, {Block});
    }
  });
  Ints Want = Start;
  for (int Y = 1; Y < Width; ++Y)
    for (int X = 1; X < Width; ++X)
      Want[Y * Width + X] =
          std::max({Want[(Y - 1) * Width + X - 1] +
                        Similarity[First[Y - 1] * Symbols + Second[X - 1]],
                    Want[Y * Width + X - 1] - Penalty,
                    Want[(Y - 1) * Width + X] - Penalty});
  B.expect("scores", B.back<int>(Score, Want.size()), Want, 0);
}

void warpsan::bench::pathfinder(Bench &B) {
  int Columns = B.size(20'000), Rows = 81, Together = 16;
  constexpr size_t Group = 256;
  Ints Wall = B.ints(static_cast<size_t>(Rows) * Columns, 0, 9);
  const Ints Top(Wall.begin(), Wall.begin() + Columns);
  cl_mem Even = B.device(Top), Odd = B.room<int>(Columns),
         Given = B.device(Wall);
  LocalBytes Scratch{Group * sizeof(int)};
  auto Make = [&](cl_mem From, cl_mem To) {
    return B.kernel("rows_down", Given, From, To, Columns, 0, 0, Scratch,
                    Scratch);
  };
  cl_kernel There = Make(Even, Odd), Back = Make(Odd, Even);
  cl_mem Last = Even;
  B.time(
      [&] {
        Last = Even;
        for (int Row = 1; Row < Rows; Row += Together) {
          int Now = std::min(Together, Rows - Row);
          cl_kernel K = Last == Even ? There : Back;
          B.set(K, 4, Row);
          B.set(K, 5, Now);
          size_t Inner = Group - 2 * Now;
          B.launch(K, {padded(Columns, Inner) / Inner * Group}, {Group});
          Last = Last == Even ? Odd : Even;
        }
      },
      [&] { B.write(Even, Top); });
  Ints Cost = Top, Next(Columns);
  for (int Row = 1; Row < Rows; ++Row, Cost.swap(Next))
    for (int X = 0; X < Columns; ++X) {
      int Least = Cost[X];
      if (X > 0)
        Least = std::min(Least, Cost[X - 1]);
      if (X < Columns - 1)
        Least = std::min(Least, Cost[X + 1]);
      Next[X] = Least + Wall[Row * Columns + X];
    }
  B.expect("costs", B.back<int>(Last, Columns), Cost, 0);
}

void warpsan::bench::lud(Bench &B) {
  constexpr int Block = 16;
  int N = B.size(256, 3, Block);
  Floats A = B.floats(static_cast<size_t>(N) * N);
  for (int I = 0; I < N; ++I)
    A[I * N + I] += N; // no pivots are needed then
  cl_mem M = B.device(A);
  cl_kernel Diagonal = B.kernel("diagonal", M, N, 0),
            Perimeter = B.kernel("perimeter", M, N, 0),
            Internal = B.kernel("internal", M, N, 0);
  B.time(
      [&] {
        for (int Offset = 0; Offset < N; Offset += Block) {
          B.set(Diagonal, 2, Offset);
          B.launch(Diagonal, {Block}, {Block});
          size_t Rest = N - Offset - Block;
          if (!Rest)
            break;
          B.set(Perimeter, 2, Offset);
          B.launch(Perimeter, {2 * Rest}, {2 * Block});
          B.set(Internal, 2, Offset);
          B.launch(Internal, {Rest, Rest}, {Block, Block});
        }
      },
      [&] { B.write(M, A); });
  Doubles Want(A.begin(), A.end());
  for (int K = 0; K < N; ++K)
    for (int I = K + 1; I < N; ++I) {
      Want[I * N + K] /= Want[K * N + K];
      for (int J = K + 1; J < N; ++J)
        Want[I * N + J] -= Want[I * N + K] * Want[K * N + J];
    }
  B.expect("m", B.back<float>(M, A.size()), Want);
}
