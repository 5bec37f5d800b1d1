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

static Case commands() {
  MemoryInfo Of;
  Of.What = MemoryKind::Buffer;
  Of.Size = 4096;
  Of.CreatedBy = "clCreateBuffer";
  Of.Created = {{"set_up", "app.c", 20, "/opt/bin/app", 70}};
  Case C;
  C.Call = diagnoseCall(FindingKind::race_between_commands,
                        "clEnqueueReadBuffer", Of, 1024);
  Finding &F = *C.Call;
  F.Performed = true;
  F.Bytes = 512;
  F.Kernel = "fill";
  F.Root.What = RootInfo::Kind::Argument;
  F.Arg.emplace();
  F.Arg->Name = "out";
  F.Launch.Launched = {{"step", "app.c", 61, "/opt/bin/app", 120}};
  CommandRaceInfo &Info = F.Commands.emplace();
  Info.Later.Call = "clEnqueueReadBuffer";
  Info.Earlier.Call = "clEnqueueNDRangeKernel";
  Info.Earlier.Kernel = "fill";
  Info.Earlier.What = SiteInfo::Access::Write;
  Info.Earlier.At = {{"fill.cl", 3, 8, "fill"}};
  Info.Enqueued = {{"start", "app.c", 55, "/opt/bin/app", 100}};
  return C;
}

static Case mapping() {
  Case C = commands();
  Finding &F = *C.Call;
  std::swap(F.Commands->Later, F.Commands->Earlier);
  F.Call = F.Launch.LaunchedBy = F.Commands->Later.Call;
  F.Commands->Earlier.Call = "clEnqueueMapBuffer";
  F.Commands->Earlier.What = SiteInfo::Access::Write;
  F.Commands->Mapped = F.Commands->SameQueue = true;
  F.Bytes = 1;
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
          {"race_between_commands", commands()},
          {"race_with_mapping", mapping()},
          {"program_over_release",
           released(FindingKind::over_release, "clReleaseProgram",
                    MemoryKind::Program, "clCreateProgramWithSource",
                    "clReleaseProgram")},
      });
}
