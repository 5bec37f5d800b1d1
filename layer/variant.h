//===- layer/variant.h - which twin of a program is meant -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_VARIANT_H
#define WARPSAN_LAYER_VARIANT_H

#include <cstdint>

namespace warpsan {

enum class Variant : uint8_t {
  Plain,      ///< no checks
  Checked,    ///< every pointer argument is a buffer or local memory
  CheckedSvm, ///< pointers may be to shared virtual memory
  Lean,       ///< as Checked, and all that KernelPlan::Claimed says holds
};

/// As a Job names it.
const char *nameOf(Variant Which);

/// What a launch wants. \p Pointers: one of its arguments is a pointer, or the
/// kernel was told of pointers. Any live SVM counts too: its addresses may be
/// in a buffer.
Variant variantFor(bool Pointers);

} // namespace warpsan

#endif // WARPSAN_LAYER_VARIANT_H
