//===- test/robustness/lifecycle_programs/work.h - the work that processes do
// here -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ordinary OpenCL programs, each a few ways to live and to end. What they
// print has to be the same bare and under WarpSan, and tells the runner,
// test/robustness/lifecycle, what has to be found:
//
//   due KERNEL N   the kernel went wrong in N launches that have ended
//   may KERNEL     it may have: nobody waited for it
//
// The bad kernel writes behind a sub-buffer, into its parent: wrong, and
// harmless without WarpSan.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ROBUSTNESS_LIFECYCLE_PROGRAMS_WORK_H
#define WARPSAN_TEST_ROBUSTNESS_LIFECYCLE_PROGRAMS_WORK_H

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lives {

inline void must(cl_int Error, const char *Call) {
  if (Error == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: error %d\n", Call, Error);
  std::_Exit(99);
}

inline void say(const std::string &Line) {
  std::puts(Line.c_str());
  std::fflush(stdout);
}

inline void due(const char *Kernel, unsigned Count) {
  say("due " + std::string(Kernel) + " " + std::to_string(Count));
}

/// A context with a queue, a buffer and kernels. Nothing is released unless
/// asked for: many programs do not.
struct Work {
  static constexpr size_t Items = 256;

  cl_platform_id Platform = nullptr;
  cl_device_id Device = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;
  cl_mem Whole = nullptr, Part = nullptr;
  cl_program Program = nullptr;
  cl_kernel Good = nullptr, Bad = nullptr, Late = nullptr, Slow = nullptr;

  explicit Work(cl_platform_id On = nullptr,
                cl_command_queue_properties Properties = 0)
      : Platform(On) {
    if (!Platform)
      must(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
    must(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
         "clGetDeviceIDs");
    cl_int Error = CL_SUCCESS;
    Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
    must(Error, "clCreateContext");
    const cl_queue_properties List[] = {CL_QUEUE_PROPERTIES, Properties, 0};
    Queue = clCreateCommandQueueWithProperties(Context, Device, List, &Error);
    must(Error, "clCreateCommandQueueWithProperties");
    makeMemory();
    makeKernels();
  }

  /// Other sources for other salts: no cache knows them.
  static std::string sourceOf(const std::string &Salt) {
    return "__constant int salt[] = {" + (Salt.empty() ? "0" : Salt) +
           "};\n"
           "kernel void good(global int *to) {\n"
           "  to[get_global_id(0)] += 1 + salt[0];\n"
           "}\n"
           "kernel void bad(global int *to) { to[get_global_id(0)] = 7; }\n"
           "kernel void late(global int *to) { to[get_global_id(0)] = 8; }\n"
           "kernel void slow(global int *to, uint rounds) {\n"
           "  uint x = to[get_global_id(0)] | 1;\n"
           "  for (uint i = 0; i < rounds; i++)\n"
           "    x = (x * 1664525u + 1013904223u) ^ (x >> 3);\n"
           "  to[get_global_id(0)] = x;\n"
           "}\n";
  }

  cl_program build(const std::string &Source) const {
    const char *Text = Source.c_str();
    cl_int Error = CL_SUCCESS;
    cl_program Made =
        clCreateProgramWithSource(Context, 1, &Text, nullptr, &Error);
    must(Error, "clCreateProgramWithSource");
    must(clBuildProgram(Made, 1, &Device, "", nullptr, nullptr),
         "clBuildProgram");
    return Made;
  }

  static cl_kernel kernel(cl_program Of, const char *Name) {
    cl_int Error = CL_SUCCESS;
    cl_kernel Made = clCreateKernel(Of, Name, &Error);
    must(Error, "clCreateKernel");
    return Made;
  }

  void makeMemory() {
    cl_int Error = CL_SUCCESS;
    constexpr size_t Bytes = Items * sizeof(cl_int);
    Whole =
        clCreateBuffer(Context, CL_MEM_READ_WRITE, 2 * Bytes, nullptr, &Error);
    must(Error, "clCreateBuffer");
    const cl_buffer_region Region = {0, Bytes};
    Part = clCreateSubBuffer(Whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &Region,
                             &Error);
    must(Error, "clCreateSubBuffer");
  }

  void makeKernels(const std::string &Salt = {}) {
    Program = build(sourceOf(Salt));
    Good = kernel(Program, "good");
    Bad = kernel(Program, "bad");
    Late = kernel(Program, "late");
    Slow = kernel(Program, "slow");
    for (cl_kernel K : {Good, Bad, Late, Slow})
      must(clSetKernelArg(K, 0, sizeof(Part), &Part), "clSetKernelArg");
  }

  void launch(cl_kernel K, size_t Global, cl_event *Done = nullptr,
              cl_uint WaitCount = 0, const cl_event *WaitList = nullptr) const {
    must(clEnqueueNDRangeKernel(Queue, K, 1, nullptr, &Global, nullptr,
                                WaitCount, WaitList, Done),
         "clEnqueueNDRangeKernel");
  }
  void good() const { launch(Good, Items); }
  /// One work-item more than there is room for.
  void bad(cl_event *Done = nullptr) const { launch(Bad, Items + 1, Done); }
  void late() const { launch(Late, Items + 1); }
  /// About a second.
  void slow(cl_uint Rounds = 300'000'000) const {
    must(clSetKernelArg(Slow, 1, sizeof(Rounds), &Rounds), "clSetKernelArg");
    launch(Slow, 1);
  }
  void finish() const { must(clFinish(Queue), "clFinish"); }

  void release() {
    for (cl_kernel K : {Good, Bad, Late, Slow})
      clReleaseKernel(K);
    clReleaseProgram(Program);
    clReleaseMemObject(Part);
    clReleaseMemObject(Whole);
    clReleaseCommandQueue(Queue);
    clReleaseContext(Context);
  }
};

} // namespace lives

#endif // WARPSAN_TEST_ROBUSTNESS_LIFECYCLE_PROGRAMS_WORK_H
