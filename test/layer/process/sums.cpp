//===- test/layer/process/sums.cpp - a small program with a known ending --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/process/faults: builds three programs, one of which fails,
// launches four kernels, prints what they computed and ends with exit code 3.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdio>

using namespace warpsan::test;

namespace {

const char *Sums = R"(
kernel void total(global const int *in, global int *out, local int *tile) {
  size_t l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t width = get_local_size(0) / 2; width; width /= 2) {
    if (l < width) tile[l] += tile[l + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = tile[0];
}
kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }
)";
const char *Square = "kernel void square(global int *x) { x[get_global_id(0)] "
                     "*= x[get_global_id(0)]; }";
const char *Wrong = "kernel void wrong(global int *x) { no such thing }";

/// The fixture of the tests, without a test around it.
class Run : public OpenCL {
public:
  Run() { SetUp(); }
  void TestBody() override {}

  int all() {
    std::vector<cl_int> In(64);
    for (int I = 0; I < 64; ++I)
      In[I] = I;
    Mem Data = bufferOf(In), Out = bufferOf(std::vector<cl_int>(4, 0));
    Program P = build(Sums), S = build(Square), W = source(Wrong);
    std::printf("a wrong program: %d\n",
                clBuildProgram(W, 0, nullptr, "", nullptr, nullptr));
    Kernel Twice = kernel(P, "twice"), Total = kernel(P, "total"),
           Squared = kernel(S, "square");
    setArgs(Twice, Data);
    must(launch(Q, Twice, {{64}}), "clEnqueueNDRangeKernel");
    must(setArg(Total, 0, Data), "clSetKernelArg");
    must(setArg(Total, 1, Out), "clSetKernelArg");
    must(clSetKernelArg(Total, 2, 16 * sizeof(cl_int), nullptr),
         "clSetKernelArg");
    must(launch(Q, Total, {{64}, {16}}), "clEnqueueNDRangeKernel");
    setArgs(Squared, Out);
    must(launch(Q, Squared, {{4}}), "clEnqueueNDRangeKernel");
    setArgs(Twice, Out);
    must(launch(Q, Twice, {{4}}), "clEnqueueNDRangeKernel");
    for (cl_int Each : read<cl_int>(Out, 4))
      std::printf("%d\n", Each);
    return 3;
  }
};

} // namespace

int main() {
  int Code = Run().all();
  printLaunches();
  return Code;
}
