//===- bench/kernels/benchmark.h - one benchmark: launches and a result ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A benchmark is a function that makes its data, gives its launches to
// Bench::time and compares what comes back with what the host computes. Its
// OpenCL C is in FAMILY/NAME.cl, a program of its own. families.def lists all.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_BENCH_KERNELS_BENCHMARK_H
#define WARPSAN_BENCH_KERNELS_BENCHMARK_H

#include "bench/setup.h"

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace warpsan::bench {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Ints = std::vector<int>;
/// Work-items in each dimension.
using Range = std::vector<size_t>;

/// An argument in local memory.
struct LocalBytes {
  size_t Bytes;
};

/// The least multiple of \p Step that is not below \p Count: the size of a
/// launch whose kernel has a guard.
inline size_t padded(size_t Count, size_t Step) {
  return (Count + Step - 1) / Step * Step;
}

class Bench {
public:
  /// \p Scale: the work is to be about so many times what it is by default.
  Bench(const Setup &S, std::string Family, std::string Name, double Scale)
      : S(S), Source(Name), Family(std::move(Family)), Name(std::move(Name)),
        Scale(Scale) {}

  // --- data -----------------------------------------------------------------

  /// \p Base, grown so that its power \p Power grows by the scale; a multiple
  /// of \p Step.
  int size(int Base, int Power = 1, int Step = 1) const;
  Floats floats(size_t Count, float Low = -1, float High = 1);
  /// From \p Low to \p High, both included.
  Ints ints(size_t Count, int Low, int High);
  std::mt19937 Random{1};

  template <typename T> cl_mem device(const std::vector<T> &From) const {
    return S.buffer(From.size() * sizeof(T), From.data());
  }
  template <typename T> cl_mem room(size_t Count) const {
    return S.buffer(Count * sizeof(T));
  }
  template <typename T> void write(cl_mem To, const std::vector<T> &From) {
    must(clEnqueueWriteBuffer(S.Queue, To, CL_TRUE, 0, From.size() * sizeof(T),
                              From.data(), 0, nullptr, nullptr),
         "clEnqueueWriteBuffer");
  }
  template <typename T> std::vector<T> back(cl_mem From, size_t Count) const {
    std::vector<T> Out(Count);
    S.read(From, Out.data(), Count * sizeof(T));
    return Out;
  }

  // --- launches -------------------------------------------------------------

  template <typename... Ts> cl_kernel kernel(const char *Which, Ts... Args) {
    if (!Program)
      build();
    cl_kernel Kernel = S.kernel(Program, Which);
    cl_uint Index = 0;
    (set(Kernel, Index++, Args), ...);
    return Kernel;
  }
  template <typename T> void set(cl_kernel Kernel, cl_uint Index, T Value) {
    if constexpr (std::is_same_v<T, LocalBytes>)
      must(clSetKernelArg(Kernel, Index, Value.Bytes, nullptr),
           "clSetKernelArg");
    else
      must(clSetKernelArg(Kernel, Index, sizeof(Value), &Value),
           "clSetKernelArg");
  }
  /// Part of what is timed, when called from there. An empty \p Local is the
  /// driver's choice.
  void launch(cl_kernel Kernel, const Range &Global, const Range &Local = {});

  /// Calls \p Launches again and again and keeps the least times, or the mean
  /// of MeanOf. \p Prepare
  /// comes before each and is not timed: it brings back what launches change.
  void time(
      const std::function<void()> &Launches,
      const std::function<void()> &Prepare = [] {});

  // --- results --------------------------------------------------------------

  /// Ends the program unless all of \p Got is \p Want, within \p Tolerance of
  /// 1 + |Want|.
  template <typename T, typename U>
  void expect(const char *What, const std::vector<T> &Got,
              const std::vector<U> &Want, double Tolerance = 1e-3) const {
    expect(Got.size() == Want.size(), What, 0, double(Got.size()),
           double(Want.size()));
    for (size_t I = 0; I < Got.size(); ++I)
      expect(std::abs(double(Got[I]) - double(Want[I])) <=
                 Tolerance * (1 + std::abs(double(Want[I]))),
             What, I, double(Got[I]), double(Want[I]));
  }
  void expect(bool Right, const char *What, size_t At, double Got,
              double Want) const {
    if (!Right)
      end(What, At, Got, Want);
  }

  const Setup &S;
  /// Of one call of Launches, in nanoseconds: by event profiling, added up; and
  /// from the first enqueue to the end of clFinish.
  double DeviceTime = 0, WallTime = 0;
  /// With MeanOf: what all threads of the process spent, likewise.
  double CpuTime = 0;
  /// So many calls are timed, and their mean is kept; 0: the least of a few.
  int MeanOf = 0;
  /// Why this device cannot run it; empty if it can.
  std::string Skipped;
  /// The file that has the kernels, without ".cl".
  std::string Source;

private:
  void build();
  [[noreturn]] void end(const char *What, size_t At, double Got,
                        double Want) const;

  std::string Family, Name;
  double Scale;
  cl_program Program = nullptr;
  std::vector<cl_event> Events; ///< of the launches since time() last asked
};

/// Every benchmark, in the order of families.def.
#define BENCHMARK(Family, Name, Function) void Function(Bench &B);
#include "bench/kernels/families.def"

} // namespace warpsan::bench

#endif // WARPSAN_BENCH_KERNELS_BENCHMARK_H
