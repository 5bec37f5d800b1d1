//===- layer/variant.h - which twin of a program is meant -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_VARIANT_H
#define WARPSAN_LAYER_VARIANT_H

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

enum class Variant : uint8_t {
  Plain,      ///< no checks
  Checked,    ///< every pointer argument is a buffer or local memory
  CheckedSvm, ///< pointers may be to shared virtual memory
  Lean,       ///< as Checked, and all that KernelPlan::Claimed says holds
  LeanSvm,    ///< as CheckedSvm, and so
  /// As CheckedSvm, and accesses to buffers are held to their marked objects.
  CheckedObjects,
};

inline bool isLean(Variant Which) {
  return Which == Variant::Lean || Which == Variant::LeanSvm;
}
/// The one that checks everything where \p Which does not.
inline Variant fullOf(Variant Which) {
  return Which == Variant::Lean      ? Variant::Checked
         : Which == Variant::LeanSvm ? Variant::CheckedSvm
                                     : Which;
}

/// As a Job names it.
/// One twin of a program.
struct TwinWish {
  Variant Which = Variant::Plain;
  /// Lean, LeanSvm: this kernel alone, for launches that prove all its accesses
  /// but Checked, which are their numbers. Empty: all kernels.
  std::string Kernel = {};
  std::vector<uint32_t> Checked = {};

  auto operator<=>(const TwinWish &) const = default;
};

const char *nameOf(Variant Which);

/// What a launch wants. \p Pointers: one of its arguments is a pointer, or the
/// kernel was told of pointers. Any live SVM counts too: its addresses may be
/// in a buffer.
Variant variantFor(bool Pointers);

} // namespace warpsan

#endif // WARPSAN_LAYER_VARIANT_H
