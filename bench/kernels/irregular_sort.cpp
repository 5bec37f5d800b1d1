//===- bench/kernels/irregular_sort.cpp - counting, summing, sorting ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>
#include <numeric>

using namespace warpsan::bench;

using Words = std::vector<cl_uint>;

static Words words(Bench &B, size_t Count) {
  Words Out(Count);
  std::generate(Out.begin(), Out.end(), B.Random);
  return Out;
}

void warpsan::bench::histogram(Bench &B) {
  constexpr cl_uint Bins = 256, Group = 128, Groups = 32;
  cl_uint Quads = B.size(500'000);
  Words Data = words(B, Quads); // four bytes each
  cl_mem Partial = B.room<cl_uint>(Groups * Bins), Out = B.room<cl_uint>(Bins);
  cl_kernel Count = B.kernel("count_bytes", B.device(Data), Quads, Partial),
            Merge = B.kernel("merge", Partial, Out, Groups);
  B.time([&] {
    B.launch(Count, {Groups * Group}, {Group});
    B.launch(Merge, {Bins}, {64});
  });
  Words Want(Bins);
  for (cl_uint Four : Data)
    for (int Shift = 0; Shift < 32; Shift += 8)
      ++Want[Four >> Shift & 255];
  B.expect("histogram", B.back<cl_uint>(Out, Bins), Want, 0);
}

void warpsan::bench::scan(Bench &B) {
  constexpr size_t Group = 128, Block = 2 * Group;
  int N = B.size(300'000);
  // As many levels as it takes until one group has all.
  struct Level {
    cl_kernel Scan, Add;
    Range Global;
  };
  Ints In = B.ints(N, -100, 100);
  cl_mem From = B.device(In), Out = B.room<int>(N), To = Out;
  std::vector<Level> Levels;
  for (int Count = N;;) {
    int Blocks = static_cast<int>(padded(Count, Block) / Block);
    cl_mem Sums = B.room<int>(Blocks), Before = B.room<int>(Blocks);
    Levels.push_back({B.kernel("scan_blocks", From, To, Sums, Count,
                               LocalBytes{Block * sizeof(int)}),
                      B.kernel("add_sums", To, Before, Count),
                      {Blocks * Group}});
    if (Blocks == 1)
      break;
    Count = Blocks;
    From = Sums;
    To = Before;
  }
  B.time([&] {
    for (const Level &Each : Levels)
      B.launch(Each.Scan, Each.Global, {Group});
    for (size_t I = Levels.size() - 1; I-- > 0;)
      B.launch(Levels[I].Add, Levels[I].Global, {Group});
  });
  Ints Want(N);
  std::exclusive_scan(In.begin(), In.end(), Want.begin(), 0);
  B.expect("sums", B.back<int>(Out, N), Want, 0);
}

void warpsan::bench::reduce(Bench &B) {
  constexpr size_t Group = 256, Groups = 256;
  cl_uint N = B.size(4'000'000);
  Floats In = B.floats(N);
  cl_mem Partial = B.room<float>(Groups), Out = B.room<float>(1);
  LocalBytes Scratch{Group * sizeof(float)};
  cl_kernel First = B.kernel("reduce", B.device(In), Partial, N, Scratch),
            Second = B.kernel("reduce", Partial, Out,
                              static_cast<cl_uint>(Groups), Scratch);
  B.time([&] {
    B.launch(First, {Groups * Group}, {Group});
    B.launch(Second, {Group}, {Group});
  });
  B.expect("sum", B.back<float>(Out, 1),
           Doubles{std::accumulate(In.begin(), In.end(), 0.0)});
}

void warpsan::bench::radixSort(Bench &B) {
  constexpr int Radix = 16, Items = 512, Group = 64;
  int N = B.size(500'000), Each = (N + Items - 1) / Items;
  Words Keys = words(B, N);
  cl_mem Even = B.device(Keys), Odd = B.room<cl_uint>(N),
         Table = B.room<cl_uint>(Radix * Items);
  cl_kernel Count = B.kernel("count_digits", Even, Table, N, Each, 0),
            Scan = B.kernel("scan_table", Table, Radix * Items,
                            LocalBytes{Group * sizeof(cl_uint)}),
            Scatter = B.kernel("scatter", Even, Odd, Table, N, Each, 0);
  B.time(
      [&] {
        for (int Shift = 0; Shift < 32; Shift += 4) {
          cl_mem From = Shift / 4 % 2 ? Odd : Even,
                 To = Shift / 4 % 2 ? Even : Odd;
          B.set(Count, 0, From);
          B.set(Count, 4, Shift);
          B.launch(Count, {Items}, {Group});
          B.launch(Scan, {Group}, {Group});
          B.set(Scatter, 0, From);
          B.set(Scatter, 1, To);
          B.set(Scatter, 5, Shift);
          B.launch(Scatter, {Items}, {Group});
        }
      },
      [&] { B.write(Even, Keys); });
  std::sort(Keys.begin(), Keys.end());
  B.expect("keys", B.back<cl_uint>(Even, N), Keys, 0);
}

void warpsan::bench::bitonicSort(Bench &B) {
  constexpr cl_uint Group = 128, Near = 2 * Group;
  cl_uint N = Near; // a power of two
  for (cl_uint Wanted = B.size(65'536); N * 2 <= Wanted;)
    N *= 2;
  Words Keys = words(B, N);
  cl_mem Out = B.device(Keys);
  cl_kernel Far = B.kernel("merge_far", Out, 0U, 0U),
            Close = B.kernel("merge_near", Out, 0U, 0U,
                             LocalBytes{Near * sizeof(cl_uint)});
  auto Tiles = [&](cl_uint First, cl_uint Last) {
    B.set(Close, 1, First);
    B.set(Close, 2, Last);
    B.launch(Close, {N / 2}, {Group});
  };
  B.time(
      [&] {
        Tiles(2, Near);
        for (cl_uint Stage = 2 * Near; Stage <= N; Stage *= 2) {
          for (cl_uint Distance = Stage / 2; Distance > Group; Distance /= 2) {
            B.set(Far, 1, Stage);
            B.set(Far, 2, Distance);
            B.launch(Far, {N / 2}, {Group});
          }
          Tiles(Stage, Stage);
        }
      },
      [&] { B.write(Out, Keys); });
  std::sort(Keys.begin(), Keys.end());
  B.expect("keys", B.back<cl_uint>(Out, N), Keys, 0);
}
