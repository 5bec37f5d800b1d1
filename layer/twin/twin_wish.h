//===- layer/twin/twin_wish.h - the twin that a launch needs --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_TWIN_WISH_H
#define WARPSAN_LAYER_TWIN_TWIN_WISH_H

#include "job/variant.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

inline constexpr Variant Unchecked = {};
/// Correct for every launch that does not use marked objects.
inline constexpr Variant CheckedSvm = {.Checks = true, .Svm = true};

/// One twin of a program.
struct TwinWish {
  Variant Which;
  AccessSelection Only = {}; ///< if Which.Lean

  auto operator<=>(const TwinWish &) const = default;
};

/// What a launch wants. \p Pointers: one of its arguments is a pointer, or the
/// kernel was given pointers. So does SVM that was ever allocated: its
/// addresses may be in a buffer.
Variant variantFor(bool Pointers);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_TWIN_WISH_H
