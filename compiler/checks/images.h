//===- compiler/checks/images.h - coordinates against an image's size -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CHECKS_IMAGES_H
#define WARPSAN_COMPILER_CHECKS_IMAGES_H

#include "compiler/checks/accesses.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace warpsan {

struct Texel {
  llvm::Value *Outside;     ///< i1
  llvm::Value *Coordinates; ///< i64, packed as in abi/record.h
  llvm::Value *Sizes;       ///< likewise
};

/// Asks the image for its size and compares. None for images that have no
/// simple size (several samples). \p Mode: of the sampler, an i64 as in
/// abi/sampler.h; null if there is none.
std::optional<Texel> texelOf(const Access &A, llvm::Value *Mode,
                             llvm::IRBuilderBase &Build);

} // namespace warpsan

#endif // WARPSAN_COMPILER_CHECKS_IMAGES_H
