//===- bench/kernels/main.cpp - runs benchmarks by name -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   kernels NAME[=SCALE]...   runs these, each with SCALE times its usual work
//   kernels --mean=N NAME...  the same, N runs each
//   kernels --list            prints "FAMILY NAME" for every benchmark
//
// A line each, with the least times in ms of several runs, or with --mean what
// a run took on average, or why there are none:
//   gemm device 41.270 wall 41.310
//   svm_list skipped: this device has no fine-grained SVM
// with --mean also how much processor time all threads took for a run:
//   cpu 41.310
// and at the end how much physical memory the process had at most:
//   peak KIB
// A wrong result, or an OpenCL call that fails, ends the program with 1.
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <cstring>

using namespace warpsan::bench;

namespace {

struct Benchmark {
  const char *Family;
  const char *Name;
  void (*Run)(Bench &);
};

const Benchmark All[] = {
#define BENCHMARK(Family, Name, Function) {#Family, #Name, Function},
#include "bench/kernels/families.def"
};

const Benchmark *find(const std::string &Name) {
  for (const Benchmark &Each : All)
    if (Name == Each.Name)
      return &Each;
  return nullptr;
}

void run(const Setup &S, const Benchmark &Which, double Scale, int Mean) {
  Bench B(S, Which.Family, Which.Name, Scale);
  B.MeanOf = Mean;
  Which.Run(B);
  if (!B.Skipped.empty())
    std::printf("%s skipped: %s\n", Which.Name, B.Skipped.c_str());
  else
    std::printf("%s device %.4f wall %.4f\n", Which.Name, B.DeviceTime * 1e-6,
                B.WallTime * 1e-6);
  if (Mean && B.Skipped.empty())
    std::printf("cpu %.5f\n", B.CpuTime * 1e-6);
  std::fflush(stdout);
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc == 2 && !std::strcmp(Argv[1], "--list")) {
    for (const Benchmark &Each : All)
      std::printf("%s %s\n", Each.Family, Each.Name);
    return 0;
  }
  if (Argc < 2) {
    std::fprintf(stderr, "usage: kernels NAME[=SCALE]... | --list\n");
    return 2;
  }
  Setup S(CL_QUEUE_PROFILING_ENABLE);
  int Mean = 0;
  for (int I = 1; I < Argc; ++I) {
    std::string Argument = Argv[I];
    if (Argument.starts_with("--mean=")) {
      Mean = std::atoi(Argument.c_str() + Argument.find('=') + 1);
      continue;
    }
    size_t Equals = Argument.find('=');
    double Scale = 1;
    if (Equals != std::string::npos)
      Scale = std::atof(Argument.c_str() + Equals + 1);
    const Benchmark *Which = find(Argument.substr(0, Equals));
    if (!Which || !(Scale > 0)) {
      std::fprintf(stderr, "%s: not NAME or NAME=SCALE; --list has the names\n",
                   Argv[I]);
      return 2;
    }
    run(S, *Which, Scale, Mean);
  }
  printPeak();
  return 0;
}
