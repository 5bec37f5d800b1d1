//===- bench/launch_cost.cpp - what a launch costs the host ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times pairs of clSetKernelArg and clEnqueueNDRangeKernel of an empty kernel
// and prints, as the median over batches, nanoseconds a pair:
//   calls N   in the two calls
//   wall N    with the clFinish after each batch
//
//===----------------------------------------------------------------------===//
#include "bench/setup.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

using namespace warpsan::bench;

namespace {

constexpr int Pairs = 32;  ///< in a batch
constexpr int WarmUp = 60; ///< batches before any is counted
constexpr int Batches = 500;
constexpr size_t Global = 64; ///< one work-group
constexpr size_t Local = 64;

double median(std::vector<double> Values) {
  auto Middle = Values.begin() + static_cast<std::ptrdiff_t>(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

double nanoseconds(std::chrono::steady_clock::duration Time) {
  return std::chrono::duration<double, std::nano>(Time).count();
}

} // namespace

/// Arguments: none, an empty kernel; "known", one whose accesses can be proven,
/// with the same 32 values again and again; "new", with another value each
/// time.
int main(int Argc, char **Argv) {
  const std::string_view Mode = Argc > 1 ? Argv[1] : "";
  Setup S(0);
  cl_program Program =
      S.build("kernel void empty(global int *x, int n) { (void)x; (void)n; }\n"
              "kernel void guarded(global int *x, int n) {\n"
              "  int i = get_global_id(0);\n"
              "  if (i < n) x[i] = n;\n"
              "}\n");
  cl_kernel Kernel = S.kernel(Program, Mode.empty() ? "empty" : "guarded");
  cl_mem Buffer = S.buffer(4096);
  must(clSetKernelArg(Kernel, 0, sizeof(Buffer), &Buffer), "clSetKernelArg");

  std::vector<double> Calls, Wall;
  for (int Batch = 0; Batch < WarmUp + Batches; ++Batch) {
    auto Begin = std::chrono::steady_clock::now();
    cl_int Error = CL_SUCCESS;
    for (cl_int I = 0; I < Pairs; ++I) {
      const cl_int N = Mode == "new" ? Batch * Pairs + I : I;
      Error |= clSetKernelArg(Kernel, 1, sizeof(N), &N);
      Error |= clEnqueueNDRangeKernel(S.Queue, Kernel, 1, nullptr, &Global,
                                      &Local, 0, nullptr, nullptr);
    }
    auto Called = std::chrono::steady_clock::now();
    must(Error, "a pair");
    must(clFinish(S.Queue), "clFinish");
    auto End = std::chrono::steady_clock::now();
    if (Batch < WarmUp)
      continue;
    Calls.push_back(nanoseconds(Called - Begin) / Pairs);
    Wall.push_back(nanoseconds(End - Begin) / Pairs);
  }
  std::printf("calls %.1f\nwall %.1f\n", median(Calls), median(Wall));
  return 0;
}
