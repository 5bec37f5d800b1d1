//===- test/report/samples/samples_calls.cpp - calls that are wrong -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

using namespace warpsan;
using namespace warpsan::samples;

using MemoryKind = MemoryInfo::Kind;

/// \p Call with something that \p Made has made and \p Dropped has released.
static Case released(FindingKind Kind, const char *Call, MemoryKind What,
                     const char *Made, const char *Dropped) {
  MemoryInfo Of;
  Of.What = What;
  Of.CreatedBy = Made;
  Of.Created = {{"set_up", "app.c", 20, "/opt/bin/app", 70},
                {"main", "app.c", 90, "/opt/bin/app", 800}};
  Of.ReleasedBy = Dropped;
  Of.Released = {{"tear_down", "app.c", 41, "/opt/bin/app", 190}};
  Case C;
  C.Call = diagnoseCall(Kind, Call, Of, 0);
  C.Call->Performed = Kind == FindingKind::use_after_release;
  C.Call->Launch.Launched = {{"step", "app.c", 61, "/opt/bin/app", 120}};
  return C;
}

static Case kernelAfterRelease() {
  Case C = released(FindingKind::use_after_release, "clSetKernelArg",
                    MemoryKind::Kernel, "clCreateKernel", "clReleaseKernel");
  C.Call->Kernel = "fill";
  return C;
}

static Case bufferAfterRelease() {
  Case C = released(FindingKind::use_after_release, "clEnqueueReadBuffer",
                    MemoryKind::Buffer, "clCreateBuffer", "clReleaseMemObject");
  C.Call->Memory.Size = C.Call->Size = 160;
  return C;
}

static Case freedInUse() {
  Case C = released(FindingKind::free_while_in_use, "clSVMFree",
                    MemoryKind::SVM, "clSVMAlloc", "clSVMFree");
  C.Call->Memory.Size = C.Call->Size = 4096;
  C.Call->Kernel = "fill";
  C.Call->Root.What = RootInfo::Kind::Argument;
  C.Call->Arg.emplace();
  C.Call->Arg->Name = "out";
  return C;
}

void samples::addCalls(std::vector<Sample> &Samples) {
  Samples.insert(
      Samples.end(),
      {
          {"released_kernel_used", kernelAfterRelease()},
          {"released_buffer_used", bufferAfterRelease()},
          {"released_queue_used",
           released(FindingKind::use_after_release, "clFinish",
                    MemoryKind::Queue, "clCreateCommandQueueWithProperties",
                    "clReleaseCommandQueue")},
          {"svm_free_while_in_use", freedInUse()},
          {"program_over_release",
           released(FindingKind::over_release, "clReleaseProgram",
                    MemoryKind::Program, "clCreateProgramWithSource",
                    "clReleaseProgram")},
      });
}
