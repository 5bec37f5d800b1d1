//===- test/trust/z3/export_claims.cpp - random claims, for another prover ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   trust_export_claims SEED COUNT
//
// Prints so many kernels of 8-bit calculations without loops, one line of JSON
// each, with what proof/ says of their accesses.
//
//===----------------------------------------------------------------------===//
#include "../small/random_case.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace trust;
using nlohmann::json;
using warpsan::Claim;
using warpsan::Verdict;

/// The accesses of \p C as they are asked for: with more memory than enough, to
/// learn their range, and with just as much as that range needs.
static json verdicts(const Case &C) {
  auto Prove = [&](const std::vector<Claim> &Some) {
    return C.withLaunch([&](const warpsan::LaunchValues &Launch) {
      return prove(C.Kernel, Some, Launch);
    });
  };
  std::vector<Claim> Asked = C.Kernel.All;
  for (Claim &Each : Asked) {
    Each.Arg = -1;
    Each.Size = uint64_t(1) << 40;
  }
  const std::vector<Verdict> Ranges = Prove(Asked);
  std::vector<Claim> More;
  for (size_t I = 0; I < Asked.size(); ++I) {
    Claim One = Asked[I];
    More.push_back(One);
    for (uint64_t Align : {2, 4}) {
      One.Align = Align;
      More.push_back(One);
    }
    One.Align = 1;
    if (Ranges[I].Max && *Ranges[I].Max >= 0) {
      One.Size = static_cast<uint64_t>(*Ranges[I].Max) + One.Bytes;
      More.push_back(One);
    }
  }
  const std::vector<Verdict> Found = Prove(More);
  json All = json::array();
  for (size_t I = 0; I < More.size(); ++I)
    All.push_back({{"offset", More[I].Offset},
                   {"where", More[I].Where},
                   {"bytes", More[I].Bytes},
                   {"size", More[I].Size},
                   {"align", More[I].Align},
                   {"holds", Found[I].Holds},
                   {"min", Found[I].Min ? json(*Found[I].Min) : json()},
                   {"max", Found[I].Max ? json(*Found[I].Max) : json()}});
  return All;
}

static json jsonOf(const Case &C, uint64_t Seed) {
  json Nodes = json::array(), Conditions = json::array(),
       Leaves = json::array(), Arguments = json::array();
  for (const warpsan::Node &N : C.Kernel.Nodes)
    Nodes.push_back({{"op", nameOf(N.Opcode)},
                     {"width", N.Width},
                     {"a", N.A},
                     {"b", N.B},
                     {"value", N.Value},
                     {"flags", N.Flags}});
  static const char *const Kinds[] = {"none", "eq",  "ne", "slt",
                                      "sle",  "ult", "ule"};
  for (const warpsan::Condition &Each : C.Kernel.Conditions)
    Conditions.push_back({{"kind", Kinds[size_t(Each.Pred)]},
                          {"outer", Each.Outer},
                          {"a", Each.A},
                          {"b", Each.B}});
  for (const Leaf &Each : C.Leaves)
    Leaves.push_back({{"node", Each.Node}, {"values", Each.Values}});
  for (const std::string &Each : C.ArgBytes)
    Arguments.push_back(std::vector<uint8_t>(Each.begin(), Each.end()));
  return {{"seed", Seed},
          {"nodes", Nodes},
          {"conditions", Conditions},
          {"leaves", Leaves},
          {"arguments", Arguments},
          {"starts", C.ArgStarts},
          {"global", C.Global},
          {"local", C.Local},
          {"offset", C.Offset},
          {"max_local", C.MaxLocal},
          {"claims", verdicts(C)},
          {"text", C.text()}};
}

int main(int Count, char **Words) {
  if (Count != 3)
    return 2;
  const uint64_t First = std::strtoull(Words[1], nullptr, 10);
  const uint64_t Cases = std::strtoull(Words[2], nullptr, 10);
  for (uint64_t Seed = First; Seed < First + Cases; ++Seed) {
    Wish W;
    W.Width = 8;
    W.Loops = 0;
    W.Steps = 3 + static_cast<unsigned>(Seed % 10);
    W.Leaves = 3;
    std::printf("%s\n", jsonOf(randomCase(Seed, W), Seed).dump().c_str());
  }
  return 0;
}
