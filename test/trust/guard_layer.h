//===- test/trust/guard_layer.h - what a program asks the guard layer -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that guard_layer exports. A program finds them with dlsym in the
// library that the loader has loaded; all may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_TRUST_GUARD_LAYER_H
#define WARPSAN_TEST_TRUST_GUARD_LAYER_H

#include <CL/cl.h>

#include <cstddef>

/// On which side of new buffers the inaccessible page is.
enum class GuardMode { End, Begin, Off };

extern "C" {
void guardSetMode(GuardMode Mode);
/// Nonzero: launches of twins of kernels whose name begins with "t_" do
/// nothing.
void guardSkipTwins(int Skips);
/// Nonzero: their native kernels do nothing either, and are counted.
void guardSkipNative(int Skips);
/// How many launches of the kernel reached the driver as its native kernel.
unsigned long guardNativeLaunches(const char *Kernel);
/// How many buffers, alive and released, have or had other bytes next to them
/// than they began with.
unsigned long guardDamaged();
/// Bytes between the end of the buffer, as WarpSan's layer asked for it, and
/// the inaccessible page; SIZE_MAX if the buffer has none.
size_t guardSlack(cl_mem Buffer);
}

#endif // WARPSAN_TEST_TRUST_GUARD_LAYER_H
