//===- layer/objects/driver.h - the next layer or the loader, below us ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_DRIVER_H
#define WARPSAN_LAYER_OBJECTS_DRIVER_H

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <string>
#include <vector>

namespace warpsan {

/// The functions below this layer. Set once by clInitLayer, before any call.
extern const cl_icd_dispatch *Next;

/// The events of a command, as OpenCL's calls take them.
struct EventArgs {
  cl_uint WaitCount = 0;
  const cl_event *WaitList = nullptr;
  cl_event *Event = nullptr;

  /// A count without a list, or a list without a count, is for the driver to
  /// refuse.
  bool isWellFormed() const {
    return (WaitCount == 0) == (WaitList == nullptr);
  }
};

/// Asks one of OpenCL's clGet...Info functions for a string; empty on error.
template <typename HandleT, typename ParamT, typename FunctionT>
std::string queryString(FunctionT *Get, HandleT Handle, ParamT Param) {
  size_t Size = 0;
  if (Get(Handle, Param, 0, nullptr, &Size) != CL_SUCCESS || Size == 0)
    return {};
  std::string Text(Size, '\0');
  if (Get(Handle, Param, Size, Text.data(), nullptr) != CL_SUCCESS)
    return {};
  // The size counts the closing zero; some drivers count several.
  while (!Text.empty() && Text.back() == '\0')
    Text.pop_back();
  return Text;
}

/// The same for one plain value; \p Default on error.
template <typename T, typename HandleT, typename ParamT, typename FunctionT>
T queryValue(FunctionT *Get, HandleT Handle, ParamT Param, T Default) {
  T Value = Default;
  if (Get(Handle, Param, sizeof(T), &Value, nullptr) != CL_SUCCESS)
    return Default;
  return Value;
}

/// The same for a list of values; empty on error.
template <typename T, typename HandleT, typename ParamT, typename FunctionT>
std::vector<T> queryList(FunctionT *Get, HandleT Handle, ParamT Param) {
  size_t Size = 0;
  if (Get(Handle, Param, 0, nullptr, &Size) != CL_SUCCESS)
    return {};
  std::vector<T> Values(Size / sizeof(T));
  if (Values.empty() || Get(Handle, Param, Values.size() * sizeof(T),
                            Values.data(), nullptr) != CL_SUCCESS)
    return {};
  return Values;
}

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_DRIVER_H
