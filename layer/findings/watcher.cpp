//===- layer/findings/watcher.cpp - reports of launches that do not end ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/watcher.h"

#include "layer/findings/findings.h"
#include "layer/process/reserve.h"
#include "layer/records/records.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <thread>

using namespace warpsan;

static std::atomic<bool> Started = false;

static void *watch(void *) {
  constexpr std::chrono::milliseconds Interval(500);
  bool Before = false; // there was something, and nobody has taken it
  for (bool Goes = true; Goes;) {
    std::this_thread::sleep_for(Interval);
    const bool Now = haveRecords();
    if (Before && Now)
      noteIfPossible([&] { Goes = reportHostVisibleRecords(); });
    Before = Now;
  }
  return nullptr;
}

void warpsan::watchLaunches() {
  if (Started.load(std::memory_order_relaxed) || Started.exchange(true))
    return;
  // The application's handlers must not run in it.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  // Without it, what a launch has recorded is reported when somebody waits.
  pthread_t Thread;
  if (pthread_create(&Thread, &Attributes, watch, nullptr) == 0)
    pthread_setname_np(Thread, "warpsan");
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  pthread_attr_destroy(&Attributes);
}

void warpsan::forgetWatcher() { Started = false; }
