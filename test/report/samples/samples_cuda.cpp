//===- test/report/samples/samples_cuda.cpp - findings in CUDA's words ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

using namespace warpsan;
using namespace warpsan::samples;

using Access = SiteInfo::Access;
using RootKind = RootInfo::Kind;
using MemoryKind = MemoryInfo::Kind;

static const char *const Runtime = "/opt/chipstar/lib/libCHIP.so.1";
static const char *const Headers = "/opt/chipstar/include/cuspv/cuda_runtime.h";

/// As chipStar calls OpenCL: its own frames, what its headers make of CUDA's
/// function, the program.
static std::vector<HostFrame> through(const char *Hip, const char *Cuda,
                                      uint32_t Line) {
  return {{"CHIPContextOpenCL::allocateImpl", "x/CHIPBackendOpenCL.cc", 1352,
           Runtime, 16},
          {Hip, "x/CHIPBindings.cc", 3755, Runtime, 32},
          {Cuda, Headers, 787, "/home/me/heat", 48},
          {"main", "heat.cu", Line, "/home/me/heat", 64}};
}

/// `smooth<float>(float const*, float*, int)` on a grid of 4 x 2 blocks of 16 x
/// 16, writing just past `to`.
static Case cudaArgument() {
  Case C;
  C.Kernel.Name = "_Z6smoothIfEvPKT_PS0_i";
  C.Kernel.Cuda = true;
  C.Kernel.Args = {{"", "char*", "global", false},
                   {"", "char*", "global", false}};
  C.root() = {};
  C.root().What = RootKind::Argument;
  C.root().Arg = 1;
  C.Launch.Args.resize(2);
  C.Launch.Args[1].What = MemoryKind::USM;
  C.Launch.Args[1].Size = 64;
  C.Launch.Args[1].CreatedBy = "clDeviceMemAllocINTEL";
  C.Launch.Args[1].Created = through("hipMalloc", "cudaMalloc<float>", 40);
  C.Launch.Dimensions = 3;
  C.Launch.Global = {64, 32, 1};
  C.Launch.Local = {16, 16, 1};
  C.Launch.Launched = {
      {"CHIPQueueOpenCL::launchImpl", "", 0, Runtime, 16},
      {"hipLaunchKernel", "", 0, Runtime, 32},
      {"void __device_stub__smooth<float>(float const*, float*, int)", "", 0,
       "/home/me/heat", 48},
      {"main", "heat.cu", 52, "/home/me/heat", 64}};
  C.Record.GroupId[0] = 3;
  C.Record.GroupId[1] = 1;
  C.Record.LocalId[0] = 15;
  C.Record.LocalId[1] = 2;
  C.Record.Items = 3;
  C.source(7, {"  to[at + 1] = (from[at - 1] + from[at]) / 2;"}, 14);
  return C;
}

/// The same without names in the program's own code.
static Case cudaStripped() {
  Case C = cudaArgument();
  C.Launch.Dimensions = 3;
  C.Launch.Global = {64, 1, 1};
  C.Launch.Local = {64, 1, 1};
  C.Launch.Args[1].Created = {{"hipMalloc", "", 0, Runtime, 32},
                              {"", "", 0, "/home/me/heat", 64}};
  C.Excerpt.reset();
  C.site().At.clear();
  C.Record.Items = 2;
  return C;
}

static Case cudaShared() {
  Case C = cudaArgument();
  C.variable(RootKind::Local, "tile", "", 64, 0);
  return C;
}

static Case cudaDynamicShared() {
  Case C = cudaArgument();
  C.Kernel.Args.push_back({"", "", "local", false});
  C.root().Arg = 2;
  C.Launch.Args.resize(3);
  C.Launch.Args[2].What = MemoryKind::Local;
  C.Launch.Args[2].Size = 64;
  return C;
}

static Case cudaVariable() {
  Case C = cudaArgument();
  C.root() = {};
  C.root().What = RootKind::Heap;
  C.Launch.Heap = C.Launch.Args[1];
  C.Launch.Heap.Variable = "weights";
  C.Launch.Heap.Created = through("hipLaunchKernel", "cudaLaunchKernel", 52);
  return C;
}

static Case cudaDoubleFree() {
  Case C = cudaArgument();
  MemoryInfo Memory = C.Launch.Args[1];
  Memory.ReleasedBy = "clMemBlockingFreeINTEL";
  Memory.Released = through("hipFree", "cudaFree", 60);
  C.Call = diagnoseCall(FindingKind::double_free, "clMemBlockingFreeINTEL",
                        Memory, 0);
  C.Call->Launch.Launched = through("hipFree", "cudaFree", 61);
  return C;
}

void samples::addCuda(std::vector<Sample> &Samples) {
  Samples.insert(Samples.end(), {{"cuda_argument", cudaArgument()},
                                 {"cuda_stripped", cudaStripped()},
                                 {"cuda_shared", cudaShared()},
                                 {"cuda_dynamic_shared", cudaDynamicShared()},
                                 {"cuda_variable", cudaVariable()},
                                 {"cuda_double_free", cudaDoubleFree()}});
}
