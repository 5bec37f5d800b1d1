//===- test/trust/guard_test.cpp - whether the guard layer guards ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     OPENCL_LAYERS=guard_layer.so trust_guard_test
//
// Without WarpSan: a kernel that touches one element too many dies of SIGSEGV,
// a correct one runs and calculates what it should. Each case is a process of
// its own. Exit code 77 if the driver copies CL_MEM_USE_HOST_PTR buffers, so
// that the layer cannot guard them.
//
//===----------------------------------------------------------------------===//
#include <CL/cl.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr const char *Source = R"(
kernel void fill(global int *a, int from, int to) {
  for (int i = from; i < to; ++i)
    a[i] = i;
}
kernel void sum(global const int *a, int from, int to, global int *out) {
  int s = 0;
  for (int i = from; i < to; ++i)
    s += a[i];
  *out = s;
}
)";

void expect(bool Holds, const char *Text) {
  if (Holds)
    return;
  std::fprintf(stderr, "not so: %s\n", Text);
  _exit(1);
}

struct Session {
  cl_device_id Device = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;
  cl_program Program = nullptr;

  Session() {
    cl_platform_id Platform = nullptr;
    expect(clGetPlatformIDs(1, &Platform, nullptr) == CL_SUCCESS, "a platform");
    expect(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr) ==
               CL_SUCCESS,
           "a device");
    Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, nullptr);
    Queue =
        clCreateCommandQueueWithProperties(Context, Device, nullptr, nullptr);
    const char *Text = Source;
    Program = clCreateProgramWithSource(Context, 1, &Text, nullptr, nullptr);
    expect(clBuildProgram(Program, 1, &Device, "", nullptr, nullptr) ==
               CL_SUCCESS,
           "clBuildProgram");
  }

  [[nodiscard]] cl_mem buffer(size_t Bytes, void *Contents) const {
    return clCreateBuffer(
        Context, CL_MEM_READ_WRITE | (Contents ? CL_MEM_COPY_HOST_PTR : 0),
        Bytes, Contents, nullptr);
  }

  void fill(cl_mem Buffer, cl_int From, cl_int To) const {
    cl_kernel Kernel = clCreateKernel(Program, "fill", nullptr);
    clSetKernelArg(Kernel, 0, sizeof(Buffer), &Buffer);
    clSetKernelArg(Kernel, 1, sizeof(From), &From);
    clSetKernelArg(Kernel, 2, sizeof(To), &To);
    run(Kernel);
  }

  [[nodiscard]] cl_int sum(cl_mem Buffer, cl_int From, cl_int To) const {
    cl_kernel Kernel = clCreateKernel(Program, "sum", nullptr);
    cl_mem Out = buffer(sizeof(cl_int), nullptr);
    clSetKernelArg(Kernel, 0, sizeof(Buffer), &Buffer);
    clSetKernelArg(Kernel, 1, sizeof(From), &From);
    clSetKernelArg(Kernel, 2, sizeof(To), &To);
    clSetKernelArg(Kernel, 3, sizeof(Out), &Out);
    run(Kernel);
    cl_int Sum = 0;
    clEnqueueReadBuffer(Queue, Out, CL_TRUE, 0, sizeof(Sum), &Sum, 0, nullptr,
                        nullptr);
    clReleaseMemObject(Out);
    return Sum;
  }

private:
  void run(cl_kernel Kernel) const {
    const size_t One = 1;
    expect(clEnqueueNDRangeKernel(Queue, Kernel, 1, nullptr, &One, &One, 0,
                                  nullptr, nullptr) == CL_SUCCESS,
           "clEnqueueNDRangeKernel");
    expect(clFinish(Queue) == CL_SUCCESS, "clFinish");
    clReleaseKernel(Kernel);
  }
};

constexpr cl_int Count = 93; // 372 bytes: no multiple of a cache line

void rightKernels() {
  const Session With;
  std::vector<cl_int> Values(Count, 2);
  cl_mem Buffer = With.buffer(Count * sizeof(cl_int), Values.data());
  expect(With.sum(Buffer, 0, Count) == 2 * Count, "initial contents are kept");
  With.fill(Buffer, 0, Count);
  expect(With.sum(Buffer, 0, Count) == Count * (Count - 1) / 2,
         "what was written");
  clEnqueueReadBuffer(With.Queue, Buffer, CL_TRUE, 0, Count * sizeof(cl_int),
                      Values.data(), 0, nullptr, nullptr);
  for (cl_int I = 0; I < Count; ++I)
    expect(Values[I] == I, "what is read back");
  cl_mem_flags Flags = 0;
  void *Host = Values.data();
  clGetMemObjectInfo(Buffer, CL_MEM_FLAGS, sizeof(Flags), &Flags, nullptr);
  clGetMemObjectInfo(Buffer, CL_MEM_HOST_PTR, sizeof(Host),
                     static_cast<void *>(&Host), nullptr);
  expect(Flags == (CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR), "CL_MEM_FLAGS");
  expect(Host == nullptr, "CL_MEM_HOST_PTR");
  clReleaseMemObject(Buffer);
}

void writesOneTooMany() {
  const Session With;
  With.fill(With.buffer(Count * sizeof(cl_int), nullptr), 0, Count + 1);
}

void readsOneTooMany() {
  const Session With;
  const cl_int Sum =
      With.sum(With.buffer(Count * sizeof(cl_int), nullptr), 0, Count + 1);
  std::printf("%d\n", Sum);
}

void writesBefore() {
  const Session With;
  With.fill(With.buffer(Count * sizeof(cl_int), nullptr), -1, Count);
}

/// The signal that ended a process that ran \p Case, or 0; exits if it failed.
int signalOf(void (*Case)(), const char *Mode) {
  std::fflush(nullptr);
  const pid_t Child = fork();
  if (Child == 0) {
    setenv("WARPSAN_GUARD", Mode, 1);
    setenv("WARPSAN_GUARD_ALIGN", "4", 1);
    Case();
    _exit(0);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  if (WIFSIGNALED(Status))
    return WTERMSIG(Status);
  expect(WEXITSTATUS(Status) == 0, "a case ends");
  return 0;
}

} // namespace

int main() {
  for (const char *Mode : {"end", "begin"})
    expect(signalOf(rightKernels, Mode) == 0, "a right kernel runs");
  if (signalOf(writesOneTooMany, "end") == 0) {
    std::puts("skipped: the driver does not use memory of the host in place");
    return 77;
  }
  expect(signalOf(writesOneTooMany, "end") == SIGSEGV,
         "a write past the end dies");
  expect(signalOf(readsOneTooMany, "end") == SIGSEGV,
         "a read past the end dies");
  expect(signalOf(writesBefore, "begin") == SIGSEGV,
         "a write before the begin dies");
  std::puts("guarded: reads and writes, at both ends");
  return 0;
}
