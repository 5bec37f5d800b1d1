//===- test/trust/recorded/host.cpp - what kernels touch, by running them -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints, for each launch, its numbers, and for each kernel the first and the
// last byte of `out` that it writes: "launch ..." and "NAME FIRST LAST".
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <vector>

using uint = unsigned;
using uchar = unsigned char;
using ushort = unsigned short;

static std::array<uint64_t, 2> GlobalId, LocalId, GroupId, GlobalSize,
    LocalSize, NumGroups, Offset;
static uint64_t get_global_id(uint D) { return GlobalId[D]; }     // NOLINT
static uint64_t get_local_id(uint D) { return LocalId[D]; }       // NOLINT
static uint64_t get_group_id(uint D) { return GroupId[D]; }       // NOLINT
static uint64_t get_global_size(uint D) { return GlobalSize[D]; } // NOLINT
static uint64_t get_local_size(uint D) { return LocalSize[D]; }   // NOLINT
static uint64_t get_num_groups(uint D) { return NumGroups[D]; }   // NOLINT
static uint64_t get_global_offset(uint D) { return Offset[D]; }   // NOLINT

template <typename T> static T min(T A, T B) { return B < A ? B : A; }
template <typename T> static T max(T A, T B) { return A < B ? B : A; }
template <typename T> static T clamp(T X, T Low, T High) {
  return min(max(X, Low), High);
}

namespace {
/// A buffer that remembers where it was written to.
struct Recorder {
  bool Any = false;
  int64_t First = 0, Last = 0; ///< elements
  int Element = 0;

  int &operator[](int64_t At) {
    First = Any ? std::min(First, At) : At;
    Last = Any ? std::max(Last, At) : At;
    Any = true;
    return Element;
  }
};

using Function = void (*)(Recorder &, const int *, int, int, uint);
struct Entry {
  const char *Name;
  Function Run;
};
} // namespace

static std::vector<Entry> &kernels() {
  static std::vector<Entry> All;
  return All;
}

#define KERNEL(Name)                                                           \
  static void Name(Recorder &, const int *, int, int, uint);                   \
  static const bool Has_##Name = (kernels().push_back({#Name, Name}), true);   \
  static void Name([[maybe_unused]] Recorder &out,                             \
                   [[maybe_unused]] const int *table, [[maybe_unused]] int n,  \
                   [[maybe_unused]] int k, [[maybe_unused]] uint u)
// NOLINTBEGIN
#include "kernels.cl"
// NOLINTEND
#undef I
#undef U

namespace {
struct Launch {
  std::array<uint64_t, 2> Global, Local, Offset;
  int N, K;
  uint U;
};
} // namespace

static constexpr std::array<int, 8> Table = {3, -4, 7, 0, 5, -2, 1, 6};
static constexpr Launch Launches[] = {
    {{24, 1}, {8, 1}, {0, 0}, 9, 12, 17},
    {{24, 3}, {4, 3}, {2, 1}, 2, 7, 5},
    {{10, 1}, {4, 1}, {0, 0}, 11, 30, 40},
    {{1, 1}, {1, 1}, {0, 0}, 3, 1, 1},
};

static void run(const Launch &L, const Entry &Kernel, Recorder &Out) {
  GlobalSize = L.Global;
  Offset = L.Offset;
  for (uint64_t X = 0; X < L.Global[0]; ++X)
    for (uint64_t Y = 0; Y < L.Global[1]; ++Y) {
      const std::array<uint64_t, 2> Id = {X, Y};
      for (uint D : {0U, 1U}) {
        GlobalId[D] = Id[D] + L.Offset[D];
        LocalId[D] = Id[D] % L.Local[D];
        GroupId[D] = Id[D] / L.Local[D];
        LocalSize[D] =
            std::min(L.Local[D], L.Global[D] - GroupId[D] * L.Local[D]);
        NumGroups[D] = (L.Global[D] + L.Local[D] - 1) / L.Local[D];
      }
      Kernel.Run(Out, Table.data(), L.N, L.K, L.U);
    }
}

int main() {
  for (const Launch &L : Launches) {
    std::printf("launch --global %d,%d --local %d,%d --offset %d,%d --arg n=%d "
                "--arg k=%d --arg u=%u --arg table=%zu --range table=%d..%d\n",
                int(L.Global[0]), int(L.Global[1]), int(L.Local[0]),
                int(L.Local[1]), int(L.Offset[0]), int(L.Offset[1]), L.N, L.K,
                L.U, sizeof(Table), *std::ranges::min_element(Table),
                *std::ranges::max_element(Table));
    for (const Entry &Each : kernels()) {
      Recorder Out;
      run(L, Each, Out);
      if (Out.Any)
        std::printf("%s %" PRId64 " %" PRId64 "\n", Each.Name, Out.First * 4,
                    Out.Last * 4 + 3);
      else
        std::printf("%s never\n", Each.Name);
    }
  }
  return 0;
}
