//===- layer/process/no_destructor.h - objects that are never destroyed ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_NO_DESTRUCTOR_H
#define WARPSAN_LAYER_PROCESS_NO_DESTRUCTOR_H

#include <utility>

namespace warpsan {

/// Creates an object of static storage duration that is never destroyed. All
/// global state of the layer is: OpenCL may be called from static destructors,
/// and from threads of drivers that run until the process has ended.
template <typename T, typename... Args> T &noDestructor(Args &&...Given) {
  return *new T(std::forward<Args>(Given)...);
}

/// Moves \p Value to where it is never destroyed.
template <typename T> void neverDestroy(T Value) {
  noDestructor<T>(std::move(Value));
}

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_NO_DESTRUCTOR_H
