//===- test/robustness/fuzz_targets/compile_apart.h - a compile by itself -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a hostile program makes crash is mostly clang, the SPIR-V translator or
// LLVM, which are not ours to mend; warpsan-clc forks for each job, and so does
// this. Who crashed is told by the stack: a library that was asked to do all of
// its work (read SPIR-V, compile OpenCL C, ...) is counted apart and named, all
// else ends the target as its own crash would. What the child covered is
// brought back, so that libFuzzer sees it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_COMPILE_APART_H
#define WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_COMPILE_APART_H

#include "job/job.h"

#include <cstddef>
#include <cstdint>

namespace warpsan::fuzz {

/// Which device and variant it is for, by a byte of the input.
void choose(Job &Request, uint8_t Choice);

/// \p Data and \p Size are the input, to be kept if a library crashes. A folder
/// for these is named by WARPSAN_FUZZ_APART.
void compileApart(const Job &Request, const uint8_t *Data, size_t Size);

} // namespace warpsan::fuzz

#endif // WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_COMPILE_APART_H
