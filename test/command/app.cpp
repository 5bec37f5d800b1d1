//===- test/command/app.cpp - an ordinary OpenCL program ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// command_app WORD...   does what each word says, in order, on the first
// device, and exits with 0. It knows nothing of WarpSan.
//
//   add N      launches a vector addition N times and compares the result
//   beyond N   the same, but the last of the sums has no room
//   build      builds a program, launches nothing
//   broken     builds a program that does not compile
//   context    makes a context, nothing more
//   fork       goes on in a child process too; the parent waits for it
//   exit N     exits with N; quick N does it by _exit; abort aborts
//
//===----------------------------------------------------------------------===//
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

static void check(cl_int Error, const char *Call) {
  if (Error == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: error %d\n", Call, Error);
  std::exit(99);
}

namespace {

struct Device {
  cl_device_id Id = nullptr;
  cl_context Context = nullptr;

  Device() {
    cl_platform_id Platform = nullptr;
    check(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Id, nullptr),
          "clGetDeviceIDs");
    cl_int Error = CL_SUCCESS;
    Context = clCreateContext(nullptr, 1, &Id, nullptr, nullptr, &Error);
    check(Error, "clCreateContext");
  }
  ~Device() { clReleaseContext(Context); }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  cl_program build() const {
    const char *Source = "__kernel void add(__global const int *a, __global "
                         "const int *b, __global int *sum) {\n"
                         "  size_t i = get_global_id(0);\n"
                         "  sum[i] = a[i] + b[i];\n"
                         "}\n";
    cl_int Error = CL_SUCCESS;
    cl_program Program =
        clCreateProgramWithSource(Context, 1, &Source, nullptr, &Error);
    check(Error, "clCreateProgramWithSource");
    check(clBuildProgram(Program, 1, &Id, "", nullptr, nullptr),
          "clBuildProgram");
    return Program;
  }

  void add(int Launches, size_t Missing = 0) const {
    constexpr size_t Items = 1000;
    const size_t Sums = Items - Missing;
    std::vector<cl_int> A(Items), B(Items), Sum(Items);
    for (size_t I = 0; I < Items; ++I) {
      A[I] = static_cast<cl_int>(I);
      B[I] = static_cast<cl_int>(7 * I);
    }
    cl_program Program = build();
    cl_int Error = CL_SUCCESS;
    cl_command_queue Queue =
        clCreateCommandQueueWithProperties(Context, Id, nullptr, &Error);
    check(Error, "clCreateCommandQueueWithProperties");
    cl_kernel Kernel = clCreateKernel(Program, "add", &Error);
    check(Error, "clCreateKernel");
    cl_mem Buffers[3];
    void *Contents[3] = {A.data(), B.data(), nullptr};
    for (cl_uint I = 0; I < 3; ++I) {
      cl_mem_flags Flags =
          CL_MEM_READ_WRITE | (Contents[I] ? CL_MEM_COPY_HOST_PTR : 0);
      Buffers[I] = clCreateBuffer(Context, Flags,
                                  (I < 2 ? Items : Sums) * sizeof(cl_int),
                                  Contents[I], &Error);
      check(Error, "clCreateBuffer");
      check(clSetKernelArg(Kernel, I, sizeof(cl_mem), &Buffers[I]),
            "clSetKernelArg");
    }
    for (int I = 0; I < Launches; ++I)
      check(clEnqueueNDRangeKernel(Queue, Kernel, 1, nullptr, &Items, nullptr,
                                   0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(Queue, Buffers[2], CL_TRUE, 0,
                              Sums * sizeof(cl_int), Sum.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    for (size_t I = 0; I < Sums; ++I)
      if (Sum[I] != static_cast<cl_int>(8 * I)) {
        std::fprintf(stderr, "element %zu is %d\n", I, Sum[I]);
        std::exit(98);
      }
    for (cl_mem Buffer : Buffers)
      clReleaseMemObject(Buffer);
    clReleaseKernel(Kernel);
    clReleaseProgram(Program);
    clReleaseCommandQueue(Queue);
    std::puts("sums are right");
    std::fflush(stdout);
  }
};

} // namespace

int main(int Argc, char **Argv) {
  for (int I = 1; I < Argc; ++I) {
    std::string_view Word = Argv[I];
    auto Number = [&] { return ++I < Argc ? std::atoi(Argv[I]) : 0; };
    if (Word == "add") {
      Device().add(Number());
    } else if (Word == "beyond") {
      Device().add(Number(), 1);
    } else if (Word == "build") {
      Device D;
      clReleaseProgram(D.build());
    } else if (Word == "broken") {
      Device D;
      const char *Source = "kernel void k(";
      cl_program Program =
          clCreateProgramWithSource(D.Context, 1, &Source, nullptr, nullptr);
      if (clBuildProgram(Program, 1, &D.Id, "", nullptr, nullptr) == CL_SUCCESS)
        return 96;
      clReleaseProgram(Program);
    } else if (Word == "context") {
      Device D;
    } else if (Word == "fork") {
      pid_t Child = fork();
      if (Child > 0)
        waitpid(Child, nullptr, 0);
    } else if (Word == "exit") {
      return Number();
    } else if (Word == "quick") {
      _exit(Number());
    } else if (Word == "abort") {
      std::abort();
    } else {
      std::fprintf(stderr, "unknown word %s\n", Argv[I]);
      return 97;
    }
  }
  return 0;
}
