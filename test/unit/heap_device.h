//===- test/unit/heap_device.h - device/heap.cl as C++ --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the device does with the tables of shared virtual memory, for tests in
// which addresses are numbers.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_UNIT_HEAP_DEVICE_H
#define WARPSAN_TEST_UNIT_HEAP_DEVICE_H

#include "abi/heap.h"

// Everything in it is one test program's own.
namespace {
// OpenCL C's names. NOLINTBEGIN(readability-identifier-naming)
struct ulong2 {
  WsU64 x = 0, y = 0;
};
// NOLINTEND(readability-identifier-naming)
#define __global
#include "device/heap.cl"
#undef __global
} // namespace

#endif // WARPSAN_TEST_UNIT_HEAP_DEVICE_H
