//===- test/layer/layers/counts_retains.cpp - retains at a bad moment -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer for below WarpSan's. A context's reference count is that of its
// retains alone; PoCL and rusticl add the context's objects. While a twin's
// program is made, the application retains the context, as another of its
// threads might. It releases the context after the next query of the count.
//
//===----------------------------------------------------------------------===//
#include "test/layer/layers/replacing_layer.h"

#include <CL/cl.h>

#include <atomic>

/// Of the only context.
static std::atomic<cl_uint> References = 0;
/// Where the application's other thread has a reference; null: nowhere.
static std::atomic<cl_context> Retained = nullptr;

static cl_context CL_API_CALL createContext(
    const cl_context_properties *Properties, cl_uint Count,
    const cl_device_id *Devices,
    void(CL_CALLBACK *Notify)(const char *, const void *, size_t, void *),
    void *UserData, cl_int *Error) {
  cl_context Made = Next->clCreateContext(Properties, Count, Devices, Notify,
                                          UserData, Error);
  References = Made ? 1 : 0;
  return Made;
}

static cl_int CL_API_CALL retainContext(cl_context Context) {
  ++References;
  return Next->clRetainContext(Context);
}

static cl_int CL_API_CALL releaseContext(cl_context Context) {
  --References;
  return Next->clReleaseContext(Context);
}

static cl_int CL_API_CALL contextInfo(cl_context Context, cl_context_info What,
                                      size_t Size, void *Value,
                                      size_t *Needed) {
  const cl_int Error =
      Next->clGetContextInfo(Context, What, Size, Value, Needed);
  if (Error != CL_SUCCESS || What != CL_CONTEXT_REFERENCE_COUNT || !Value)
    return Error;
  const cl_uint Now = References;
  std::memcpy(Value, &Now, sizeof(Now));
  if (cl_context Of = Retained.exchange(nullptr))
    clReleaseContext(Of); // from above WarpSan
  return Error;
}

static cl_program noteProgram(cl_context Context, cl_program Made) {
  if (Made && clRetainContext(Context) == CL_SUCCESS) // from above WarpSan
    Retained = Context;
  return Made;
}

static cl_program CL_API_CALL programWithIL(cl_context Context, const void *IL,
                                            size_t Size, cl_int *Error) {
  return noteProgram(Context,
                     Next->clCreateProgramWithIL(Context, IL, Size, Error));
}

static cl_program CL_API_CALL programWithBinary(cl_context Context,
                                                cl_uint Count,
                                                const cl_device_id *Devices,
                                                const size_t *Sizes,
                                                const unsigned char **Binaries,
                                                cl_int *Status, cl_int *Error) {
  return noteProgram(
      Context, Next->clCreateProgramWithBinary(Context, Count, Devices, Sizes,
                                               Binaries, Status, Error));
}

static void replaceFunctions(cl_icd_dispatch &Table) {
  Table.clCreateContext = createContext;
  Table.clRetainContext = retainContext;
  Table.clReleaseContext = releaseContext;
  Table.clGetContextInfo = contextInfo;
  Table.clCreateProgramWithIL = programWithIL;
  Table.clCreateProgramWithBinary = programWithBinary;
}
