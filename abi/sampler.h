//===- abi/sampler.h - how a sampler finds texels -------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hidden argument "size" of a sampler, 64 bits. Whether coordinates outside
// of an image are legal is a comparison, as whether an access is in bounds:
// they are if the number is at least WS_SAMPLER_ADDRESSES.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_ABI_SAMPLER_H
#define WARPSAN_ABI_SAMPLER_H

/// Coordinates are from 0 to 1, not to the image's size.
#define WS_SAMPLER_NORMALIZED 1
/// CLK_FILTER_LINEAR.
#define WS_SAMPLER_LINEAR 2
/// It has an addressing mode: it is not CLK_ADDRESS_NONE, or not known.
#define WS_SAMPLER_ADDRESSES 4

#endif // WARPSAN_ABI_SAMPLER_H
