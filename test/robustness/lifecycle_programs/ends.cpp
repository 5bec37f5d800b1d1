//===- test/robustness/lifecycle_programs/ends.cpp - ways to end, in the middle
// of something -----------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lifecycle_ends STATE END
//
//   idle        the bad launch has ended, and somebody waited for it
//   flight      and then a slow one is running, and another bad one waits
//   unread      a bad launch has ended; the program knows it from a callback
//   compiling   another thread builds programs that nobody has built before
//   launching   another thread launches, all the time
//
//===----------------------------------------------------------------------===//
#include "test/robustness/lifecycle_programs/work.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <pthread.h>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace lives;
using namespace std::chrono_literals;

//===----------------------------------------------------------------------===//
// In the middle of what
//===----------------------------------------------------------------------===//

static void idle(Work &W) {
  W.bad();
  W.finish();
  due("bad", 1);
}

static void flight(Work &W) {
  idle(W);
  W.slow();
  W.late();
  must(clFlush(W.Queue), "clFlush");
  say("may late");
}

static std::atomic<bool> Complete = false;

static void CL_CALLBACK noteComplete(cl_event, cl_int, void *) {
  Complete = true;
}

static void unread(Work &W) {
  cl_event Done = nullptr;
  W.bad(&Done);
  must(clSetEventCallback(Done, CL_COMPLETE, noteComplete, nullptr),
       "clSetEventCallback");
  must(clFlush(W.Queue), "clFlush");
  while (!Complete.load())
    std::this_thread::sleep_for(1ms);
  due("bad", 1);
}

static void compiling(Work &W) {
  idle(W);
  static std::atomic<bool> Begun = false;
  auto Build = [&W](int Number) {
    // A hundred kernels take our compiler longer than we live.
    std::string Many;
    const std::string Salt =
        std::to_string(getpid()) + "_" + std::to_string(Number);
    for (int K = 0; K < 100; ++K) {
      const std::string Name = "k" + std::to_string(K) + "_" + Salt;
      Many += "kernel void " + Name + "(global int *to, global int *at) {\n";
      for (int I = 0; I < 40; ++I)
        Many += "  to[at[get_global_id(0)] + " + std::to_string(I) +
                "] *= " + std::to_string(I + K) + ";\n";
      Many += "}\n";
    }
    Begun = true;
    W.build(Many);
  };
  // More than our compiler takes at once.
  for (int I = 0; I < 8; ++I)
    std::thread(Build, I).detach();
  while (!Begun.load())
    std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(100ms);
}

static void launching(Work &W) {
  idle(W);
  say("may late");
  std::thread([&W] {
    for (;;) {
      W.good();
      W.late();
      if (clFinish(W.Queue) != CL_SUCCESS)
        std::_Exit(98);
    }
  }).detach();
  std::this_thread::sleep_for(50ms);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

static void *volatile Nowhere = nullptr;
static volatile sig_atomic_t Signaled = 0;

static void onSignal(int) { Signaled = 1; }

[[noreturn]] static void dieOf(int Signal) {
  raise(Signal);
  // A driver that has a handler returns from it, or ends the process itself.
  std::this_thread::sleep_for(5s);
  std::_Exit(97);
}

[[noreturn]] static void leaveOn(int Signal) {
  std::signal(Signal, onSignal);
  kill(getpid(), Signal);
  while (!Signaled)
    std::this_thread::sleep_for(1ms);
  say("handled");
  std::exit(12);
}

[[noreturn]] static void leaveFromThread() {
  std::thread([] { std::exit(13); }).detach();
  for (;;)
    pause();
}

[[noreturn]] static void leaveMainThread() {
  std::thread([] {
    std::this_thread::sleep_for(200ms);
    say("the last thread");
    // Threads of drivers would keep the process.
    std::exit(18);
  }).detach();
  pthread_exit(nullptr);
}

static const std::map<std::string_view, void (*)()> Ends = {
    {"return", [] {}},
    {"exit", [] { std::exit(11); }},
    {"_exit", [] { _exit(14); }},
    {"quick_exit", [] { std::quick_exit(15); }},
    {"abort", [] { std::abort(); }},
    {"segv", [] { *static_cast<volatile int *>(Nowhere) = 1; }},
    {"term", [] { dieOf(SIGTERM); }},
    {"int", [] { dieOf(SIGINT); }},
    {"kill", [] { dieOf(SIGKILL); }},
    {"term_handled", [] { leaveOn(SIGTERM); }},
    {"int_handled", [] { leaveOn(SIGINT); }},
    {"thread_exit", [] { leaveFromThread(); }},
    {"pthread_exit", [] { leaveMainThread(); }},
};

static const std::map<std::string_view, void (*)(Work &)> States = {
    {"idle", idle},           {"flight", flight},       {"unread", unread},
    {"compiling", compiling}, {"launching", launching},
};

int main(int Argc, char **Argv) {
  if (Argc != 3 || !States.contains(Argv[1]) || !Ends.contains(Argv[2]))
    return 96;
  std::atexit([] { say("an exit handler"); });
  std::at_quick_exit([] { say("a handler of quick_exit"); });
  // Never destroyed: threads use it to the last.
  Work &W = *new Work;
  States.at(Argv[1])(W);
  Ends.at(Argv[2])();
  return 16;
}
