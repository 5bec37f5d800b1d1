//===- test/robustness/lifecycle_programs/pass.cpp - a layer that changes
// nothing ----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For beside WarpSan's. It has a function of its own in each place that these
// programs come by, as most layers do, and counts; WARPSAN_LIVES_PASSED names
// a file that the count is appended to at the end.
//
//===----------------------------------------------------------------------===//
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static const cl_icd_dispatch *Next;
static cl_icd_dispatch Ours;
static std::atomic<unsigned> Passed = 0;

template <auto Member> struct PassedOn;
template <typename Result, typename... Args,
          Result (CL_API_CALL *cl_icd_dispatch::*Member)(Args...)>
struct PassedOn<Member> {
  static Result CL_API_CALL call(Args... Given) {
    ++Passed;
    return (Next->*Member)(Given...);
  }
};

extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info What,
                                                          size_t Size,
                                                          void *Value,
                                                          size_t *Needed) {
  const cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
  constexpr cl_layer_info LayerName = 0x4241; // newer than the headers
  const bool IsName = What == LayerName;
  if (What != CL_LAYER_API_VERSION && !IsName)
    return CL_INVALID_VALUE;
  const void *From = IsName ? static_cast<const void *>("pass") : &Version;
  const size_t Bytes = IsName ? sizeof("pass") : sizeof(Version);
  if (Value && Size >= Bytes)
    std::memcpy(Value, From, Bytes);
  if (Needed)
    *Needed = Bytes;
  return CL_SUCCESS;
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *OurEntries,
            const cl_icd_dispatch **OurTable) {
  if (Entries < sizeof(cl_icd_dispatch) / sizeof(void *))
    return CL_INVALID_VALUE;
  Next = Target;
#define PASS(Name) Ours.Name = PassedOn<&cl_icd_dispatch::Name>::call;
  PASS(clBuildProgram)
  PASS(clCreateBuffer)
  PASS(clCreateContext)
  PASS(clCreateKernel)
  PASS(clCreateProgramWithSource)
  PASS(clEnqueueNDRangeKernel)
  PASS(clFinish)
  PASS(clReleaseContext)
  PASS(clReleaseKernel)
  PASS(clSetKernelArg)
#undef PASS
  std::atexit([] {
    const char *Name = std::getenv("WARPSAN_LIVES_PASSED");
    if (FILE *File = Name ? std::fopen(Name, "a") : nullptr) {
      std::fprintf(File, "%u\n", Passed.load());
      std::fclose(File);
    }
  });
  *OurEntries = sizeof(cl_icd_dispatch) / sizeof(void *);
  *OurTable = &Ours;
  return CL_SUCCESS;
}

/// What Khronos' loader wants.
extern "C" CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(
    cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *OurEntries,
    const cl_icd_dispatch **OurTable, const cl_properties *) {
  return clInitLayer(Entries, Target, OurEntries, OurTable);
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void) {
  return CL_SUCCESS;
}
