//===- test/layer/layers/no_host_pointers.cpp - no system SVM -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer for below WarpSan's: devices say that they take no host pointers, as
// most GPUs do. All three drivers that we test with do take them.
//
//===----------------------------------------------------------------------===//
#include "test/layer/layers/replacing_layer.h"

static cl_int CL_API_CALL deviceInfo(cl_device_id Device, cl_device_info What,
                                     size_t Size, void *Value, size_t *Needed) {
  const cl_int Error = Next->clGetDeviceInfo(Device, What, Size, Value, Needed);
  cl_device_svm_capabilities Has;
  if (Error == CL_SUCCESS && What == CL_DEVICE_SVM_CAPABILITIES && Value) {
    std::memcpy(&Has, Value, sizeof(Has));
    Has &= ~static_cast<cl_device_svm_capabilities>(
        CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    std::memcpy(Value, &Has, sizeof(Has));
  }
  return Error;
}

static void replaceFunctions(cl_icd_dispatch &Table) {
  Table.clGetDeviceInfo = deviceInfo;
}
