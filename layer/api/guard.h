//===- layer/api/guard.h - what stands before every wrapper ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_GUARD_H
#define WARPSAN_LAYER_API_GUARD_H

#include "layer/objects/driver.h"
#include "layer/process/reserve.h"

#include <tuple>

namespace warpsan {

/// Fills in Pipeline.Guards: a guard for every function of
/// Pipeline.Ordering. In pass-through mode
/// (layer/process/reserve.h), guards forward calls to the driver, except those
/// where what the layer did before still matters. No exception leaves a guard.
void addGuards();

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
    enterPassThrough();
    return outOfMemory<R>(Given...);
  }
}

} // namespace warpsan

#endif // WARPSAN_LAYER_API_GUARD_H
