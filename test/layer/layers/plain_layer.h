//===- test/layer/layers/plain_layer.h - what every layer of OpenCL says --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines the function by which a loader knows a layer, for libraries of tests
// that are one. Included once in each.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_LAYER_LAYERS_PLAIN_LAYER_H
#define WARPSAN_TEST_LAYER_LAYERS_PLAIN_LAYER_H

#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <cstring>

#define EXPORTED extern "C" __attribute__((visibility("default")))

// NOLINTNEXTLINE(misc-definitions-in-headers)
EXPORTED CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info What,
                                                        size_t Size,
                                                        void *Value,
                                                        size_t *Needed) {
  const cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
  if (What != CL_LAYER_API_VERSION)
    return CL_INVALID_VALUE;
  if (Value && Size >= sizeof(Version))
    std::memcpy(Value, &Version, sizeof(Version));
  if (Needed)
    *Needed = sizeof(Version);
  return CL_SUCCESS;
}

#endif // WARPSAN_TEST_LAYER_LAYERS_PLAIN_LAYER_H
