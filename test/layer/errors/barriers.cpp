//===- test/layer/errors/barriers.cpp - work-items that part at a barrier -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/errors/barriers: barriers KERNEL N LOCAL launches 128
// work-items in work-groups of LOCAL, of which the kernel lets N pass, with a
// buffer of N elements, three times. Prints how many bytes of the host's memory
// behind the buffer changed, and how many elements are not what the source
// says.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

using namespace warpsan::test;

namespace {

constexpr size_t Global = 128, Behind = 4096;
constexpr unsigned char Untouched = 0x77;

// `early_checked` has an access that no proof knows, so a lean twin is made of
// it.
const char *Source = R"(
kernel void early(global int *out, local int *t, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  if (g >= n)
    return;
  t[l] = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[l];
}
kernel void early_checked(global int *out, local int *t, int n, global const int *zeros) {
  int g = get_global_id(0), l = get_local_id(0);
  if (g >= n)
    return;
  t[l] = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[l] + zeros[zeros[l] * zeros[g]];
}
kernel void whole_groups(global int *out, local int *t, int n) {
  int g = get_global_id(0), l = get_local_id(0);
  if (get_group_id(0) * get_local_size(0) >= n)
    return;
  t[l] = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = t[l];
}
)";

class Run : public OpenCL {
public:
  Run() { SetUp(); }
  void TestBody() override {}

  void go(const std::string &Name, size_t Count, size_t Local) {
    const Program P = build(Source);
    const Kernel K = kernel(P, Name.c_str());
    alignas(4096) static std::array<unsigned char, Global * 4 + Behind> Host;
    Host.fill(Untouched);
    cl_int Error = CL_SUCCESS;
    const Mem Out(clCreateBuffer(Ctx, CL_MEM_USE_HOST_PTR, Count * 4,
                                 Host.data(), &Error));
    must(Error, "clCreateBuffer");
    const Mem Zeros = bufferOf(std::vector<cl_int>(Global));
    must(clSetKernelArg(K, 0, sizeof(cl_mem), &Out), "clSetKernelArg");
    must(clSetKernelArg(K, 1, Local * 4, nullptr), "clSetKernelArg");
    const auto N = static_cast<cl_int>(Count);
    must(clSetKernelArg(K, 2, sizeof(N), &N), "clSetKernelArg");
    if (Name == "early_checked")
      must(clSetKernelArg(K, 3, sizeof(cl_mem), &Zeros), "clSetKernelArg");
    for (int I = 0; I < 3; ++I) {
      must(launch(Q, K, {{Global}, {Local}}), "clEnqueueNDRangeKernel");
      must(clFinish(Q), "clFinish");
    }
    const auto Found = read<cl_int>(Out, Count);
    const auto Beyond = std::count_if(
        Host.begin() + static_cast<ptrdiff_t>(Count * 4), Host.end(),
        [](unsigned char C) { return C != Untouched; });
    size_t Wrong = 0;
    for (size_t I = 0; I < Count; ++I)
      Wrong += Found[I] != static_cast<cl_int>(I);
    std::printf("%zd bytes behind, %zu wrong\nend\n", Beyond, Wrong);
  }
};

} // namespace

int main(int Count, char **Words) {
  if (Count != 4)
    return 2;
  Run().go(Words[1], std::strtoul(Words[2], nullptr, 10),
           std::strtoul(Words[3], nullptr, 10));
  return 0;
}
