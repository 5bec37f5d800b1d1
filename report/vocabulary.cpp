//===- report/vocabulary.cpp - OpenCL's words, CUDA's words ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/vocabulary.h"

#include "text/format.h"
#include "text/names.h"

#include <algorithm>
#include <string_view>

using namespace warpsan;

const Vocabulary &warpsan::wordsFor(const Finding &F) {
  static constexpr Vocabulary OpenCL = {"work-item",
                                        "work-items",
                                        "work-group",
                                        "a local variable",
                                        "a private variable",
                                        "a constant variable",
                                        "a program-scope variable"};
  static constexpr Vocabulary Cuda = {"thread",
                                      "threads",
                                      "block",
                                      "a __shared__ variable",
                                      "a variable",
                                      "a __constant__ variable",
                                      "a __device__ variable"};
  return F.Cuda ? Cuda : OpenCL;
}

uint32_t warpsan::dimensionsOf(const Finding &F) {
  uint32_t Used = std::clamp<uint32_t>(F.Launch.Dimensions, 1, 3);
  while (F.Cuda && Used > 1 && F.Launch.Global[Used - 1] <= 1)
    --Used;
  return Used;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static bool isOfLibrary(const HostFrame &Frame) {
  const std::string_view Path = Frame.Module;
  return Path.substr(Path.find_last_of('/') + 1).starts_with("libCHIP.so");
}

/// Code of the runtime's that is compiled into the program: what its headers
/// make of CUDA's functions, and what the compiler makes of a launch.
static bool isOfHeaders(const HostFrame &Frame) {
  return Frame.File.find("/include/cuspv/") != std::string::npos ||
         Frame.File.find("/include/hip/") != std::string::npos ||
         Frame.Function.find("__device_stub__") != std::string::npos;
}

HostCall warpsan::asCalled(const std::string &Call,
                           const std::vector<HostFrame> &Frames) {
  auto First = std::ranges::find_if_not(Frames, isOfLibrary);
  if (First == Frames.begin())
    return {Call, Frames};
  std::string Name = std::prev(First)->Function;
  for (; First != Frames.end() && isOfHeaders(*First); ++First)
    if (First->Function.starts_with("cuda"))
      Name = First->Function;
  Name = shortName(Name);
  return {Name.substr(0, Name.find('<')), {First, Frames.end()}};
}

const std::array<uint64_t, 3> &warpsan::blockOf(const Finding &F) {
  return F.Launch.Local[0] ? F.Launch.Local : F.LocalSize;
}

std::array<uint64_t, 3> warpsan::gridOf(const Finding &F) {
  std::array<uint64_t, 3> Grid = {};
  for (size_t I = 0; I < Grid.size(); ++I)
    Grid[I] = F.Launch.Global[I] / std::max<uint64_t>(blockOf(F)[I], 1);
  return Grid;
}

std::string warpsan::cudaLaunch(const Finding &F) {
  const uint32_t Dimensions = dimensionsOf(F);
  auto Sizes = [&](const std::array<uint64_t, 3> &Of) {
    return Dimensions == 1 ? std::to_string(Of[0]) : position(Of, Dimensions);
  };
  return kernelName(F.Kernel) + "<<<" + Sizes(gridOf(F)) + ", " +
         Sizes(blockOf(F)) + ">>>";
}
