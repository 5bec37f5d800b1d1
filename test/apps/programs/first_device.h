//===- test/apps/programs/first_device.h - a queue on the first device ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_APPS_PROGRAMS_FIRST_DEVICE_H
#define WARPSAN_TEST_APPS_PROGRAMS_FIRST_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline void require(cl_int Status, const char *What) {
  if (Status == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s failed: %d\n", What, Status);
  std::exit(2);
}

struct FirstDevice {
  cl_platform_id Platform = nullptr;
  cl_device_id Device = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;

  FirstDevice() {
    cl_int Status;
    require(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
    require(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
            "clGetDeviceIDs");
    Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Status);
    require(Status, "clCreateContext");
    Queue = clCreateCommandQueue(Context, Device, 0, &Status);
    require(Status, "clCreateCommandQueue");
  }
  FirstDevice(const FirstDevice &) = delete;
  FirstDevice &operator=(const FirstDevice &) = delete;
  ~FirstDevice() {
    clReleaseCommandQueue(Queue);
    clReleaseContext(Context);
  }

  cl_mem buffer(const std::vector<float> &Data) const {
    cl_int Status;
    cl_mem Buffer = clCreateBuffer(
        Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
        Data.size() * sizeof(float), const_cast<float *>(Data.data()), &Status);
    require(Status, "clCreateBuffer");
    return Buffer;
  }

  std::vector<float> read(cl_mem Buffer, std::size_t Count) const {
    std::vector<float> Data(Count);
    require(clEnqueueReadBuffer(Queue, Buffer, CL_TRUE, 0,
                                Count * sizeof(float), Data.data(), 0, nullptr,
                                nullptr),
            "clEnqueueReadBuffer");
    return Data;
  }
};

#endif // WARPSAN_TEST_APPS_PROGRAMS_FIRST_DEVICE_H
