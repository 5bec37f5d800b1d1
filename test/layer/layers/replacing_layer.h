//===- test/layer/layers/replacing_layer.h - a layer that replaces calls --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that a loader asks of a layer, for libraries of tests that are one.
// Included once in each, which defines replaceFunctions().
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_LAYER_LAYERS_REPLACING_LAYER_H
#define WARPSAN_TEST_LAYER_LAYERS_REPLACING_LAYER_H

#include "test/layer/layers/plain_layer.h"

/// What is below: set before replaceFunctions() is called.
static const cl_icd_dispatch *Next;

/// Puts the layer's own functions into \p Table, which has those of Next.
static void replaceFunctions(cl_icd_dispatch &Table);

// NOLINTBEGIN(misc-definitions-in-headers)
EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *OurEntries,
            const cl_icd_dispatch **OurTable) {
  static cl_icd_dispatch Ours;
  constexpr cl_uint All = sizeof(Ours) / sizeof(void *);
  if (Entries < All)
    return CL_INVALID_VALUE;
  Next = Target;
  Ours = *Target;
  replaceFunctions(Ours);
  *OurEntries = All;
  *OurTable = &Ours;
  return CL_SUCCESS;
}
// NOLINTEND(misc-definitions-in-headers)

#endif // WARPSAN_TEST_LAYER_LAYERS_REPLACING_LAYER_H
