//===- test/unit/backtrace_test.cpp - a way that is known is the same way -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/process/backtrace.h"

#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unwind.h>
#include <vector>

using namespace warpsan;

namespace {

struct Both {
  std::vector<void *> Captured; ///< from the caller of capture() on
  std::vector<void *> Walked;   ///< the same, by a walk that nothing shortens
};

_Unwind_Reason_Code keep(_Unwind_Context *Frame, void *Into) {
  static_cast<std::vector<void *> *>(Into)->push_back(
      reinterpret_cast<void *>(_Unwind_GetIP(Frame)));
  return _URC_NO_REASON;
}

[[gnu::noinline]] Both capture() {
  Both B;
  auto Frames = captureBacktrace().frames();
  B.Captured.assign(Frames.begin() + 1, Frames.end()); // without capture()
  _Unwind_Backtrace(keep, &B.Walked);
  B.Walked.erase(B.Walked.begin());
  B.Walked.resize(std::min(B.Walked.size(), B.Captured.size()));
  return B;
}

/// Functions of one frame size, so that the same places hold different return
/// addresses.
template <int N>
[[gnu::noinline]] Both through(const std::vector<int> &Way, size_t At);

[[gnu::noinline]] Both step(const std::vector<int> &Way, size_t At) {
  if (At == Way.size())
    return capture();
  switch (Way[At]) {
  case 0:
    return through<0>(Way, At);
  case 1:
    return through<1>(Way, At);
  default:
    return through<2>(Way, At);
  }
}

template <int N> Both through(const std::vector<int> &Way, size_t At) {
  volatile int Own = N; // keeps the functions apart, and the call no last one
  Both B = step(Way, At + 1);
  Own = Own + 1;
  return B;
}

TEST(Backtrace, isThatOfAWalkWhateverCameBefore) {
  std::mt19937 Random(1);
  for (int I = 0; I < 3000; ++I) {
    std::vector<int> Way(1 + Random() % 4);
    for (int &Each : Way)
      Each = static_cast<int>(Random() % 3);
    const Both B = step(Way, 0);
    ASSERT_GT(B.Captured.size(), Way.size());
    ASSERT_EQ(B.Captured, B.Walked) << "in round " << I;
  }
}

TEST(Backtrace, isOneObjectForOneWay) {
  std::vector<Backtrace> All;
  volatile int Times = 3; // one call in a loop, not three
  for (int I = 0; I < Times; ++I)
    All.push_back(captureBacktrace());
  EXPECT_EQ(All[0], All[1]);
  EXPECT_EQ(All[1], All[2]);
  EXPECT_NE(All[0], captureBacktrace());
  EXPECT_NE(All[0], Backtrace());
  EXPECT_TRUE(Backtrace().frames().empty());
}

[[gnu::noinline]] Backtrace deep(int More) {
  volatile int Keep = More;
  Backtrace B = Keep ? deep(More - 1) : captureBacktrace();
  Keep = Keep + 1;
  return B;
}

TEST(Backtrace, endsAtMostFrames) {
  EXPECT_EQ(deep(100).frames().size(), MaxFrames - 1);
  EXPECT_EQ(deep(100).frames().size(), MaxFrames - 1);
}

TEST(Backtrace, ofOtherThreads) {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 8; ++I)
    Threads.emplace_back([] {
      for (int J = 0; J < 200; ++J) {
        const Both B = step({J % 3, J % 2}, 0);
        EXPECT_EQ(B.Captured, B.Walked);
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

} // namespace
