//===- test/layer/layers/more_work_items.cpp - launches twice as large ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer next to the driver that launches twice as many work-items as it is
// told to: whatever WarpSan has proven of a launch is not true of that.
//
//===----------------------------------------------------------------------===//
#include "test/layer/layers/replacing_layer.h"

#include <algorithm>
#include <array>

static cl_int CL_API_CALL enqueue(cl_command_queue Queue, cl_kernel Kernel,
                                  cl_uint Dimensions, const size_t *Offset,
                                  const size_t *Global, const size_t *Local,
                                  cl_uint Events, const cl_event *Wait,
                                  cl_event *Done) {
  std::array<size_t, 3> More = {};
  std::copy_n(Global, Dimensions, More.begin());
  More[0] *= 2;
  return Next->clEnqueueNDRangeKernel(Queue, Kernel, Dimensions, Offset,
                                      More.data(), Local, Events, Wait, Done);
}

static void replaceFunctions(cl_icd_dispatch &Table) {
  Table.clEnqueueNDRangeKernel = enqueue;
}
