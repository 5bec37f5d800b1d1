//===- test/robustness/fault_above.cpp - a layer next to the application --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See fault_driver.cpp, which does the work: a loader takes each library once.
//
//===----------------------------------------------------------------------===//
#include "test/layer/layers/plain_layer.h"

EXPORTED cl_int faultsInit(int, cl_uint, const cl_icd_dispatch *, cl_uint *,
                           const cl_icd_dispatch **);

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *OurEntries,
            const cl_icd_dispatch **OurTable) {
  return faultsInit(1, Entries, Target, OurEntries, OurTable);
}
