//===- test/trust/small/small_widths.cpp - proofs against enumeration -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   trust_small_widths [--rules N] [--random N] [--seed N]
//
// Has claims of few bits proven and compares with what all values that there
// are do. --rules N: one of N cases of each rule, 1 for all; --random N: so
// many kernels made by chance. Exit code 1 and the case if a proof is wrong.
//
//===----------------------------------------------------------------------===//
#include "check.h"
#include "random_case.h"
#include "rules.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace trust;

/// Neighbors are alike: cases are taken as if by chance.
static uint64_t mixed(uint64_t N) {
  N = (N ^ (N >> 30)) * 0xBF58476D1CE4E5B9U;
  N = (N ^ (N >> 27)) * 0x94D049BB133111EBU;
  return N ^ (N >> 31);
}

/// One in \p Stride of each rule's cases, others with another \p Seed.
static bool checkRules(uint64_t Stride, uint64_t Seed) {
  for (const Rule &Each : rules()) {
    Counts To;
    uint64_t Number = 0;
    bool Good = true;
    Each.All([&](const std::function<Case()> &Make) {
      if (!Good || mixed(++Number + (Seed << 32)) % Stride != 0)
        return;
      const Case C = Make();
      const std::string Why = check(C, To);
      if (Why.empty())
        return;
      Good = false;
      std::printf("%s, case %llu: %s%s", Each.Name,
                  static_cast<unsigned long long>(Number - 1), Why.c_str(),
                  C.text().c_str());
    });
    if (!Good)
      return false;
    std::printf("%-26s %7u cases %8u claims %5.1f %% exact, %u poisoned\n",
                Each.Name, To.Cases, To.Claims,
                To.Claims ? 100.0 * To.Exact / To.Claims : 0, To.Poisoned);
  }
  return true;
}

static bool checkRandom(uint64_t Cases, uint64_t Seed) {
  Counts To;
  for (uint64_t I = Seed; I < Seed + Cases; ++I) {
    Wish W;
    W.Width = I % 5 < 3 ? 4 : 5 + I % 2;
    W.Steps = 2 + static_cast<unsigned>(I % 7);
    W.Loops = I % 4 == 3 ? 2 : I % 4 == 0 ? 0 : 1;
    W.Leaves = W.Loops == 2 ? 1 : 1 + static_cast<unsigned>(I % 3);
    const Case C = randomCase(I, W);
    if (const std::string Why = check(C, To); !Why.empty()) {
      std::printf("random kernel %llu: %s%s",
                  static_cast<unsigned long long>(I), Why.c_str(),
                  C.text().c_str());
      return false;
    }
  }
  std::printf("%-26s %7u cases %8u claims %5.1f %% exact, %u poisoned, %u too "
              "large\n",
              "random kernels", To.Cases, To.Claims,
              To.Claims ? 100.0 * To.Exact / To.Claims : 0, To.Poisoned,
              To.TooLarge);
  return true;
}

int main(int Count, char **Words) {
  uint64_t Stride = 20, Random = 20000, Seed = 1;
  for (int I = 1; I + 1 < Count; I += 2) {
    const std::string_view Name = Words[I];
    const uint64_t Value = std::strtoull(Words[I + 1], nullptr, 10);
    if (Name == "--rules" && Value > 0)
      Stride = Value;
    else if (Name == "--random")
      Random = Value;
    else if (Name == "--seed")
      Seed = Value;
    else
      return std::printf("unknown: %s\n", Words[I]), 2;
  }
  return checkRules(Stride, Seed) && checkRandom(Random, Seed) ? 0 : 1;
}
