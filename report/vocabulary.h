//===- report/vocabulary.h - OpenCL's words, CUDA's words -------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_VOCABULARY_H
#define WARPSAN_REPORT_VOCABULARY_H

#include "diagnose/finding.h"

#include <string>
#include <vector>

namespace warpsan {

/// What those who wrote the kernel call things.
struct Vocabulary {
  const char *Item, *Items, *Group;
  /// Variables: local memory, a work-item's own, constant, program-scope.
  const char *Local, *Private, *Constant, *Program;
};

const Vocabulary &wordsFor(const Finding &F);

/// As many dimensions as the launch makes use of, 1 to 3: CUDA's have three
/// always.
uint32_t dimensionsOf(const Finding &F);

/// A call with the frames behind it.
struct HostCall {
  std::string Call;
  std::vector<HostFrame> Frames;
};

/// A CUDA or HIP program calls its runtime, and that OpenCL: the call as the
/// program made it, and its frames. What no such runtime made stays as it is.
HostCall asCalled(const std::string &Call,
                  const std::vector<HostFrame> &Frames);

/// "scale<float><<<4, 256>>>": a launch, as the program wrote it.
std::string cudaLaunch(const Finding &F);

/// Blocks of a launch.
std::array<uint64_t, 3> gridOf(const Finding &F);
/// Threads of one; what the device saw if the launch left it open.
const std::array<uint64_t, 3> &blockOf(const Finding &F);

} // namespace warpsan

#endif // WARPSAN_REPORT_VOCABULARY_H
