//===- bench/kernels/benchmark.cpp - build, launch, time, compare ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <limits>

using namespace warpsan::bench;

/// How often what is timed is done. Several times: on a busy machine some are
/// not disturbed, and the least is theirs. The same number on every side, or
/// the least would not compare.
constexpr int Repetitions = 5;

int Bench::size(int Base, int Power, int Step) const {
  int Grown = static_cast<int>(Base * std::pow(Scale, 1.0 / Power));
  return std::max(Grown / Step, 1) * Step;
}

Floats Bench::floats(size_t Count, float Low, float High) {
  std::uniform_real_distribution<float> Between(Low, High);
  Floats Out(Count);
  for (float &Each : Out)
    Each = Between(Random);
  return Out;
}

Ints Bench::ints(size_t Count, int Low, int High) {
  std::uniform_int_distribution<int> Between(Low, High);
  Ints Out(Count);
  for (int &Each : Out)
    Each = Between(Random);
  return Out;
}

void Bench::build() {
  std::string Path =
      std::string(WARPSAN_BENCH_KERNELS "/") + Family + "/" + Source + ".cl";
  std::ifstream File(Path);
  if (!File) {
    std::fprintf(stderr, "%s: %s cannot be read\n", Name.c_str(), Path.c_str());
    std::exit(1);
  }
  std::string Text{std::istreambuf_iterator<char>(File), {}};
  Program = S.build(Text.c_str());
}

void Bench::launch(cl_kernel Kernel, const Range &Global, const Range &Local) {
  cl_event Done = nullptr;
  must(clEnqueueNDRangeKernel(
           S.Queue, Kernel, static_cast<cl_uint>(Global.size()), nullptr,
           Global.data(), Local.empty() ? nullptr : Local.data(), 0, nullptr,
           &Done),
       "clEnqueueNDRangeKernel");
  Events.push_back(Done);
}

/// Nanoseconds on the device; the event is not needed any more.
static double spent(cl_event Done) {
  cl_ulong Start = 0, End = 0;
  must(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_START, sizeof(Start),
                               &Start, nullptr),
       "clGetEventProfilingInfo");
  must(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_END, sizeof(End),
                               &End, nullptr),
       "clGetEventProfilingInfo");
  must(clReleaseEvent(Done), "clReleaseEvent");
  return static_cast<double>(End - Start);
}

/// Of all threads of the process, in nanoseconds.
static double processorTime() {
  timespec Now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return static_cast<double>(Now.tv_sec) * 1e9 +
         static_cast<double>(Now.tv_nsec);
}

void Bench::time(const std::function<void()> &Launches,
                 const std::function<void()> &Prepare) {
  DeviceTime = WallTime = MeanOf ? 0 : std::numeric_limits<double>::infinity();
  for (int R = 0; R <= (MeanOf ? MeanOf + 1 : Repetitions); ++R) {
    Prepare();
    must(clFinish(S.Queue), "clFinish");
    auto Begin = std::chrono::steady_clock::now();
    const double CpuBegin = processorTime();
    Launches();
    must(clFinish(S.Queue), "clFinish");
    std::chrono::duration<double, std::nano> Wall =
        std::chrono::steady_clock::now() - Begin;
    const double Cpu = processorTime() - CpuBegin;
    double Device = 0;
    for (cl_event Each : Events)
      Device += spent(Each);
    Events.clear();
    // The first may compile, and touches the pages; where only the first is of
    // a sample, the second may compile the native kernel.
    if (R == 0 || (MeanOf && R == 1))
      continue;
    if (MeanOf) {
      DeviceTime += Device / MeanOf;
      WallTime += Wall.count() / MeanOf;
      CpuTime += Cpu / MeanOf;
      continue;
    }
    DeviceTime = std::min(DeviceTime, Device);
    WallTime = std::min(WallTime, Wall.count());
  }
}

void Bench::end(const char *What, size_t At, double Got, double Want) const {
  std::fprintf(stderr, "%s: wrong result: element %zu of %s is %g, not %g\n",
               Name.c_str(), At, What, Got, Want);
  std::exit(1);
}
