//===- test/unit/write_all_test.cpp - all bytes into a descriptor ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text/write_all.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <string>
#include <thread>

using namespace warpsan;

/// The reader is slow: the writer waits in write(), where signals interrupt it,
/// after a part and before anything is written.
TEST(WriteAll, GoesOnAfterASignal) {
  struct sigaction Interrupts = {}, Before;
  Interrupts.sa_handler = [](int) {}; // without SA_RESTART
  ASSERT_EQ(sigaction(SIGUSR1, &Interrupts, &Before), 0);
  int Pipe[2];
  ASSERT_EQ(pipe2(Pipe, O_CLOEXEC), 0);
  std::string Sent;
  for (int I = 0; I < 40000; ++I)
    Sent += std::to_string(I);
  std::atomic<bool> Ended = false;
  bool Good = false;
  std::thread Writer([&] {
    Good = writeAll(Pipe[1], Sent);
    close(Pipe[1]);
    Ended = true;
  });
  std::string Received;
  char Part[4096];
  for (ssize_t Got = 1; Got > 0;) {
    for (int I = 0; I < 4 && !Ended; ++I) {
      pthread_kill(Writer.native_handle(), SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    Got = read(Pipe[0], Part, sizeof(Part));
    if (Got > 0)
      Received.append(Part, static_cast<size_t>(Got));
  }
  Writer.join();
  close(Pipe[0]);
  sigaction(SIGUSR1, &Before, nullptr);
  EXPECT_TRUE(Good);
  EXPECT_EQ(Received, Sent);
}

TEST(WriteAll, SaysWhyItFailed) {
  const int Full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(Full, 0);
  errno = 0;
  EXPECT_FALSE(writeAll(Full, "x"));
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_TRUE(writeAll(Full, ""));
  close(Full);
  EXPECT_FALSE(writeAll(-1, "x"));
  EXPECT_EQ(errno, EBADF);
}
