//===- layer/guard.h - what stands before every wrapper -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_GUARD_H
#define WARPSAN_LAYER_GUARD_H

#include "layer/driver.h"
#include "layer/memory.h"

#include <tuple>

namespace warpsan {

/// Puts a guard before every wrapper in \p Table. Once the layer has stepped
/// aside (layer/memory.h), the guard passes calls on to the driver, but for
/// those where what we did before still matters. No exception gets past it.
void guardAll(cl_icd_dispatch &Table);

/// What a call returns that could not be made for lack of memory: as a driver
/// would say it.
template <typename R, typename... Args> R outOfMemory(const Args &...Given) {
  if constexpr (std::is_same_v<R, cl_int>) {
    return CL_OUT_OF_HOST_MEMORY;
  } else if constexpr (std::is_pointer_v<R>) {
    const std::tuple<const Args &...> All(Given...);
    const auto Last = std::get<sizeof...(Given) - 1>(All);
    if constexpr (std::is_same_v<decltype(Last), cl_int *const>)
      if (Last)
        *Last = CL_OUT_OF_HOST_MEMORY;
    return nullptr;
  }
}

/// Makes a call of the application's, with an end to exceptions.
template <typename R, typename F, typename... Args>
R guarded(const F &Call, const Args &...Given) {
  try {
    return Call(Given...);
  } catch (const std::bad_alloc &) {
    stepAside();
    return outOfMemory<R>(Given...);
  }
}

} // namespace warpsan

#endif // WARPSAN_LAYER_GUARD_H
