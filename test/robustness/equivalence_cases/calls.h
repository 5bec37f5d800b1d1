//===- test/robustness/equivalence_cases/calls.h - random calls of OpenCL -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ROBUSTNESS_EQUIVALENCE_CASES_CALLS_H
#define WARPSAN_TEST_ROBUSTNESS_EQUIVALENCE_CASES_CALLS_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace same {

/// Numbers that depend on the seed and the step alone, so that a step can be
/// left out and the others stay what they are.
class Dice {
public:
  Dice(uint64_t Seed, uint64_t Step);
  uint64_t next();
  uint64_t below(uint64_t Limit) { return next() % Limit; }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <typename T> T pick(std::initializer_list<T> Choices) {
    return Choices.begin()[below(Choices.size())];
  }

private:
  uint64_t State;
};

/// Objects of one kind that the calls have made; null where there is none.
template <typename T> using Slots = std::array<T, 6>;

struct Shared {
  void *Pointer = nullptr;
  size_t Size = 0;
};

/// All that calls are made with.
struct World {
  cl_platform_id Platform = nullptr;
  cl_device_id Device = nullptr;
  cl_context Context = nullptr;
  Slots<cl_command_queue> Queues = {};
  Slots<cl_mem> Buffers = {}, Images = {};
  Slots<cl_sampler> Samplers = {};
  Slots<cl_program> Programs = {};
  Slots<cl_kernel> Kernels = {};
  Slots<cl_event> Events = {};
  Slots<Shared> Memory = {};
  /// What the host offers for reads and writes.
  std::vector<unsigned char> Host = std::vector<unsigned char>(1 << 16);
};

/// Prints the start of a line: the step and the call. It is seen even if the
/// call does not return.
void begin(const char *Call, const std::string &Words = {});
/// Prints the rest of it.
void end(cl_int Error, const std::string &Words = {});

/// Bytes as they are told: words that are addresses are not.
std::string told(const unsigned char *Data, size_t Size);

/// One of these, or null with every eighth.
template <typename T> T any(Dice &D, const Slots<T> &From) {
  return D.chance(12) ? nullptr : From[D.below(From.size())];
}

/// Where the next object of a kind goes; what was there is released.
template <typename T, typename F>
void keep(Dice &D, Slots<T> &In, T Made, F Release) {
  if (!Made)
    return;
  T &Slot = In[D.below(In.size())];
  if (Slot)
    Release(Slot);
  Slot = Made;
}

/// Buffers, an image, a sampler, programs and kernels with their arguments, so
/// that there is something of each kind from the start.
void furnish(World &W);

// Each makes one call, some of them a few that belong together.
void query(World &W, Dice &D);
void makeMemory(World &W, Dice &D);
void makeProgram(World &W, Dice &D);
void makeOther(World &W, Dice &D);
void setArgument(World &W, Dice &D);
void launch(World &W, Dice &D);
void transfer(World &W, Dice &D);
void useShared(World &W, Dice &D);
void wait(World &W, Dice &D);

} // namespace same

#endif // WARPSAN_TEST_ROBUSTNESS_EQUIVALENCE_CASES_CALLS_H
