//===- test/robustness/lifecycle_programs/soak.cpp - the same, for hours --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lifecycle_soak SECONDS KIND...
//
// Repeats rounds of each kind, or of all, for so many seconds, and prints on
// stderr every 10 seconds:
//
//   soak: SECONDS ROUNDS RESIDENT_KIB ALLOCATED_KIB
//
// the last of which is what was allocated and not freed.
//
//===----------------------------------------------------------------------===//
#include "test/robustness/lifecycle_programs/work.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <malloc.h>
#include <map>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace lives;
using Clock = std::chrono::steady_clock;

static long residentKiB() {
  std::ifstream File("/proc/self/statm");
  long Size = 0, Resident = 0;
  File >> Size >> Resident;
  return Resident * sysconf(_SC_PAGESIZE) / 1024;
}

static size_t allocatedKiB() {
  const struct mallinfo2 Now = mallinfo2();
  return (Now.uordblks + Now.hblkhd) / 1024;
}

static void launches(Work &W) {
  for (int I = 0; I < 50; ++I)
    W.good();
  W.finish();
}

/// A finding that is known, again and again; suppressed if the runner says so.
static void findings(Work &W) {
  for (int I = 0; I < 20; ++I)
    W.bad();
  W.finish();
}

/// One that the runner suppresses.
static void suppressed(Work &W) {
  for (int I = 0; I < 20; ++I)
    W.late();
  W.finish();
}

static void programs(Work &W) {
  // Eight sources: the caches have them, what is built is new.
  static unsigned Round = 0;
  cl_program Made = W.build(Work::sourceOf(std::to_string(20 + Round++ % 8)));
  cl_kernel Good = Work::kernel(Made, "good");
  must(clSetKernelArg(Good, 0, sizeof(W.Part), &W.Part), "clSetKernelArg");
  W.launch(Good, Work::Items);
  cl_kernel Bad = Work::kernel(Made, "bad");
  must(clSetKernelArg(Bad, 0, sizeof(W.Part), &W.Part), "clSetKernelArg");
  W.launch(Bad, Work::Items + 1);
  W.finish();
  clReleaseKernel(Bad);
  clReleaseKernel(Good);
  clReleaseProgram(Made);
}

static void kernels(Work &W) {
  for (int I = 0; I < 20; ++I) {
    cl_kernel Good = Work::kernel(W.Program, "good");
    must(clSetKernelArg(Good, 0, sizeof(W.Part), &W.Part), "clSetKernelArg");
    W.launch(Good, Work::Items);
    W.finish();
    clReleaseKernel(Good);
  }
}

static void buffers(Work &W) {
  for (int I = 0; I < 100; ++I) {
    cl_int Error = CL_SUCCESS;
    cl_mem Made = clCreateBuffer(W.Context, CL_MEM_READ_WRITE, 4096 + 64 * I,
                                 nullptr, &Error);
    must(Error, "clCreateBuffer");
    must(clSetKernelArg(W.Good, 0, sizeof(Made), &Made), "clSetKernelArg");
    W.good();
    W.finish();
    must(clSetKernelArg(W.Good, 0, sizeof(W.Part), &W.Part), "clSetKernelArg");
    clReleaseMemObject(Made);
  }
}

static void svm(Work &W) {
  cl_device_svm_capabilities Has = 0;
  clGetDeviceInfo(W.Device, CL_DEVICE_SVM_CAPABILITIES, sizeof(Has), &Has,
                  nullptr);
  if (!Has)
    return;
  static cl_kernel Own = Work::kernel(W.Program, "good");
  for (int I = 0; I < 100; ++I) {
    void *Made = clSVMAlloc(W.Context, CL_MEM_READ_WRITE, 2048 + 64 * I, 0);
    if (!Made)
      must(CL_OUT_OF_RESOURCES, "clSVMAlloc");
    must(clSetKernelArgSVMPointer(Own, 0, Made), "clSetKernelArgSVMPointer");
    W.launch(Own, Work::Items);
    W.finish();
    clSVMFree(W.Context, Made);
  }
}

static void events(Work &W) {
  std::vector<cl_event> All(100);
  for (size_t I = 0; I < All.size(); ++I)
    W.launch(W.Good, Work::Items, &All[I], I ? 1 : 0,
             I ? &All[I - 1] : nullptr);
  must(clWaitForEvents(static_cast<cl_uint>(All.size()), All.data()),
       "clWaitForEvents");
  for (cl_event Each : All)
    clReleaseEvent(Each);
}

static void contexts(Work &) {
  Work W;
  W.bad();
  W.finish();
  W.release();
}

/// Released objects, used: each place is one finding.
static void mistakes(Work &W) {
  cl_int Error = CL_SUCCESS;
  cl_mem Made =
      clCreateBuffer(W.Context, CL_MEM_READ_WRITE, 64, nullptr, &Error);
  must(Error, "clCreateBuffer");
  clReleaseMemObject(Made);
}

static const std::map<std::string_view, void (*)(Work &)> Kinds = {
    {"launches", launches}, {"findings", findings}, {"suppressed", suppressed},
    {"programs", programs}, {"kernels", kernels},   {"buffers", buffers},
    {"svm", svm},           {"events", events},     {"contexts", contexts},
    {"mistakes", mistakes},
};

int main(int Argc, char **Argv) {
  if (Argc < 2)
    return 96;
  std::vector<void (*)(Work &)> Chosen;
  for (int I = 2; I < Argc; ++I)
    if (auto It = Kinds.find(Argv[I]); It != Kinds.end())
      Chosen.push_back(It->second);
  if (Chosen.empty())
    for (const auto &[Name, Kind] : Kinds)
      Chosen.push_back(Kind);
  const auto Start = Clock::now();
  const auto End = Start + std::chrono::seconds(std::atol(Argv[1]));
  auto Next = Start;
  Work W;
  for (unsigned long Round = 0; Clock::now() < End; ++Round) {
    for (auto *Kind : Chosen)
      Kind(W);
    if (Clock::now() < Next)
      continue;
    Next = Clock::now() + std::chrono::seconds(10);
    const auto Spent =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - Start);
    std::fprintf(stderr, "soak: %ld %lu %ld %zu\n",
                 static_cast<long>(Spent.count()), Round, residentKiB(),
                 allocatedKiB());
  }
  say("may bad");
  say("may late");
  W.release();
  return 16;
}
