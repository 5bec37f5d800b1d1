//===- bench/setup.h - one device, one queue, or a clear end --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_BENCH_SETUP_H
#define WARPSAN_BENCH_SETUP_H

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace warpsan::bench {

/// Ends the program: a benchmark has nothing to measure after an error.
inline void must(cl_int Error, const char *Call) {
  if (Error == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s returned %d\n", Call, Error);
  std::exit(1);
}

/// How much physical memory the process had at most, in KiB. Of this program
/// alone: what getrusage says would count the process as it was before exec as
/// well.
inline void printPeak() {
  std::ifstream Status("/proc/self/status");
  for (std::string Line; std::getline(Status, Line);)
    if (Line.starts_with("VmHWM:"))
      std::printf("peak %ld\n", std::atol(Line.c_str() + 6));
}

/// The first device of the first platform. Objects live until the process ends.
struct Setup {
  cl_platform_id Platform = nullptr;
  cl_device_id Device = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;

  explicit Setup(cl_command_queue_properties Properties) {
    must(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
    must(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
         "clGetDeviceIDs");
    cl_int Error = CL_SUCCESS;
    Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
    must(Error, "clCreateContext");
    const cl_queue_properties List[] = {CL_QUEUE_PROPERTIES, Properties, 0};
    Queue = clCreateCommandQueueWithProperties(Context, Device, List, &Error);
    must(Error, "clCreateCommandQueueWithProperties");
  }

  cl_program build(const char *Text) const {
    cl_int Error = CL_SUCCESS;
    cl_program Program =
        clCreateProgramWithSource(Context, 1, &Text, nullptr, &Error);
    must(Error, "clCreateProgramWithSource");
    Error = clBuildProgram(Program, 1, &Device, "", nullptr, nullptr);
    if (Error != CL_SUCCESS) {
      std::string Log(1 << 16, '\0');
      clGetProgramBuildInfo(Program, Device, CL_PROGRAM_BUILD_LOG, Log.size(),
                            Log.data(), nullptr);
      std::fprintf(stderr, "%s\n", Log.c_str());
    }
    must(Error, "clBuildProgram");
    return Program;
  }
  cl_kernel kernel(cl_program Program, const char *Name) const {
    cl_int Error = CL_SUCCESS;
    cl_kernel Kernel = clCreateKernel(Program, Name, &Error);
    must(Error, "clCreateKernel");
    return Kernel;
  }
  /// \p From, if given, is copied.
  cl_mem buffer(size_t Bytes, const void *From = nullptr) const {
    cl_int Error = CL_SUCCESS;
    cl_mem Buffer = clCreateBuffer(
        Context, CL_MEM_READ_WRITE | (From ? CL_MEM_COPY_HOST_PTR : 0), Bytes,
        const_cast<void *>(From), &Error);
    must(Error, "clCreateBuffer");
    return Buffer;
  }
  void read(cl_mem From, void *To, size_t Bytes) const {
    must(clEnqueueReadBuffer(Queue, From, CL_TRUE, 0, Bytes, To, 0, nullptr,
                             nullptr),
         "clEnqueueReadBuffer");
  }
};

} // namespace warpsan::bench

#endif // WARPSAN_BENCH_SETUP_H
