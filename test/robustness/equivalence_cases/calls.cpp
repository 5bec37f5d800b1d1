//===- test/robustness/equivalence_cases/calls.cpp - random calls of
// OpenCL -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   same_calls SEED STEPS [STEP,STEP...]
//
// Makes so many random calls, right and wrong ones, but for those that are
// named, and prints what each gave: one line a call, without addresses and
// times. Handles are good or null; what is released is not used again. What a
// launch may touch is always there: no kernel leaves its memory.
//
//===----------------------------------------------------------------------===//
#include "test/robustness/equivalence_cases/calls.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

using namespace same;

static uint64_t Now = 0; ///< the step

Dice::Dice(uint64_t Seed, uint64_t Step)
    : State(Seed * 0x9E3779B97F4A7C15 + Step * 0xD1B54A32D192ED03) {}

uint64_t Dice::next() {
  uint64_t Z = State += 0x9E3779B97F4A7C15;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EB;
  return Z ^ (Z >> 31);
}

void same::begin(const char *Call, const std::string &Words) {
  std::printf("%llu %s %s:", static_cast<unsigned long long>(Now), Call,
              Words.c_str());
  std::fflush(stdout);
}

void same::end(cl_int Error, const std::string &Words) {
  std::string Line = Words;
  for (char &C : Line)
    if (C == '\n' || C == '\r')
      C = '|';
  std::printf(" %d %s\n", Error, Line.c_str());
  std::fflush(stdout);
}

std::string same::told(const unsigned char *Data, size_t Size) {
  std::string Out;
  bool Text = Size > 1 && Data[Size - 1] == 0;
  for (size_t I = 0; I + 1 < Size; ++I)
    Text = Text && (Data[I] >= 32 || Data[I] == '\n' || Data[I] == '\t');
  if (Text)
    return "'" + std::string(reinterpret_cast<const char *>(Data)) + "'";
  for (size_t I = 0; I < Size; I += 8) {
    uint64_t Word = 0;
    std::memcpy(&Word, Data + I, std::min<size_t>(8, Size - I));
    // Of the program, its heap, its libraries.
    if (Word >= 0x550000000000 && Word < 0x800000000000) {
      Out += "address ";
      continue;
    }
    char Digits[24];
    std::snprintf(Digits, sizeof(Digits), "%llx ",
                  static_cast<unsigned long long>(Word));
    Out += Digits;
  }
  return Out;
}

static void open(World &W) {
  clGetPlatformIDs(1, &W.Platform, nullptr);
  clGetDeviceIDs(W.Platform, CL_DEVICE_TYPE_ALL, 1, &W.Device, nullptr);
  cl_int Error = CL_SUCCESS;
  W.Context = clCreateContext(nullptr, 1, &W.Device, nullptr, nullptr, &Error);
  if (Error != CL_SUCCESS) {
    std::printf("no context: %d\n", Error);
    std::exit(1);
  }
  W.Queues[0] =
      clCreateCommandQueueWithProperties(W.Context, W.Device, nullptr, &Error);
}

int main(int Count, char **Words) {
  if (Count < 3)
    return 2;
  const uint64_t Seed = std::strtoull(Words[1], nullptr, 10);
  const uint64_t Steps = std::strtoull(Words[2], nullptr, 10);
  std::set<uint64_t> Without;
  if (Count > 3) {
    std::istringstream List(Words[3]);
    for (std::string Word; std::getline(List, Word, ',');)
      Without.insert(std::strtoull(Word.c_str(), nullptr, 10));
  }
  World W;
  open(W);
  furnish(W);
  using Action = void (*)(World &, Dice &);
  static const Action Actions[] = {
      query,       query,       query,    query,     query,       query,
      makeMemory,  makeMemory,  query,    makeOther, makeProgram, setArgument,
      setArgument, setArgument, launch,   launch,    transfer,    transfer,
      useShared,   wait,        transfer, query};
  for (Now = 1; Now <= Steps; ++Now) {
    if (Without.contains(Now))
      continue;
    Dice D(Seed, Now);
    // Who reads this knows where it ended.
    std::printf("# %llu\n", static_cast<unsigned long long>(Now));
    // The first steps make what the others are about.
    if (Now <= 60) {
      static const Action First[] = {makeMemory, makeProgram, makeOther};
      First[Now % 3](W, D);
    } else {
      Actions[D.below(std::size(Actions))](W, D);
    }
  }
  std::printf("done\n");
  std::fflush(stdout);
  // Drivers crash at the end of processes that leave something; not our
  // subject.
  std::_Exit(0);
}
