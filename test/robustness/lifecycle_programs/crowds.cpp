//===- test/robustness/lifecycle_programs/crowds.cpp - many of everything, in
// odd orders -------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lifecycle_crowds MODE [N]
//
//   platforms       a context on every platform there is, at once
//   threads N       N threads, each with a context of its own
//   events N        N launches in a queue without order, with wait lists
//   callbacks N     callbacks that call OpenCL
//   user_events     a launch waits for an event that never comes
//   odd_orders      releases in all orders that there are
//   context_first   the context is released, and then everything is used
//   programs N      N different programs, built and released, one in 50 of the
//                   first tenth launched; prints on stderr: ms for one, KiB of
//                   memory after that tenth and at the end
//
//===----------------------------------------------------------------------===//
#include "test/robustness/lifecycle_programs/work.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lives;
using namespace std::chrono_literals;

static void onAllPlatforms(unsigned) {
  cl_uint Count = 0;
  must(clGetPlatformIDs(0, nullptr, &Count), "clGetPlatformIDs");
  std::vector<cl_platform_id> Platforms(Count);
  must(clGetPlatformIDs(Count, Platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<Work> All;
  for (cl_platform_id Each : Platforms)
    All.emplace_back(Each);
  for (int Round = 0; Round < 3; ++Round)
    for (const Work &W : All) {
      W.good();
      W.bad();
    }
  for (const Work &W : All)
    W.finish();
  due("bad", 3 * Count);
  for (Work &W : All)
    W.release();
  say(std::to_string(Count) + " platforms");
}

static void inThreads(unsigned Count) {
  Work First; // PoCL 6.0 finds no device in threads that are its first callers
  First.release();
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < Count; ++T)
    Threads.emplace_back([] {
      Work W;
      for (int I = 0; I < 10; ++I) {
        W.good();
        W.bad();
      }
      W.finish();
      W.release();
    });
  for (std::thread &T : Threads)
    T.join();
  due("bad", 10 * Count);
}

static void withEvents(unsigned Count) {
  const Work W(nullptr, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static std::atomic<unsigned> Called = 0;
  std::vector<cl_event> Events;
  for (unsigned I = 0; I < Count; ++I) {
    // Each waits for up to three before it.
    const cl_uint Wait =
        static_cast<cl_uint>(std::min<size_t>(I % 4, Events.size()));
    const cl_event *List = Wait ? &Events[Events.size() - Wait] : nullptr;
    cl_event Done = nullptr;
    // One launch in 64 goes wrong.
    const bool Wrong = I % 64 == 0;
    W.launch(Wrong ? W.Bad : W.Good, Wrong ? Work::Items + 1 : Work::Items,
             &Done, Wait, List);
    must(clSetEventCallback(
             Done, CL_COMPLETE, [](cl_event, cl_int, void *) { ++Called; },
             nullptr),
         "clSetEventCallback");
    Events.push_back(Done);
  }
  W.finish();
  for (cl_event Each : Events)
    clReleaseEvent(Each);
  for (int I = 0; I < 10000 && Called < Count; ++I)
    std::this_thread::sleep_for(1ms);
  due("bad", (Count + 63) / 64);
  say(std::to_string(Called.load()) + " callbacks");
}

static void inCallbacks(unsigned Count) {
  struct Call {
    const Work *W;
    cl_event Done;
  };
  static std::atomic<unsigned> Called = 0;
  Work W;
  std::vector<Call> Calls(Count, Call{&W, nullptr});
  for (Call &Each : Calls) {
    W.bad(&Each.Done);
    must(clSetEventCallback(
             Each.Done, CL_COMPLETE,
             [](cl_event Event, cl_int, void *Data) {
               const auto *C = static_cast<Call *>(Data);
               cl_int Status = 0;
               clGetEventInfo(Event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                              sizeof(Status), &Status, nullptr);
               cl_int Error = CL_SUCCESS;
               cl_mem More = clCreateBuffer(C->W->Context, CL_MEM_READ_WRITE,
                                            64, nullptr, &Error);
               must(Error, "clCreateBuffer");
               const cl_int Zero = 0;
               must(clEnqueueFillBuffer(C->W->Queue, More, &Zero, sizeof(Zero),
                                        0, 64, 0, nullptr, nullptr),
                    "clEnqueueFillBuffer");
               C->W->good();
               must(clFlush(C->W->Queue), "clFlush");
               clReleaseMemObject(More);
               clReleaseEvent(C->Done);
               ++Called;
             },
             &Each),
         "clSetEventCallback");
  }
  must(clFlush(W.Queue), "clFlush");
  for (int I = 0; I < 30000 && Called < Count; ++I)
    std::this_thread::sleep_for(1ms);
  W.finish();
  due("bad", Count);
  say(std::to_string(Called.load()) + " callbacks");
  W.release();
}

static void withUserEvents(unsigned) {
  const Work W;
  W.bad();
  W.finish();
  due("bad", 1);
  cl_int Error = CL_SUCCESS;
  cl_event Never = clCreateUserEvent(W.Context, &Error);
  must(Error, "clCreateUserEvent");
  W.launch(W.Late, Work::Items + 1, nullptr, 1, &Never);
  must(clFlush(W.Queue), "clFlush");
  // Not waited for, and nobody could.
  _exit(17);
}

static void inOddOrders(unsigned) {
  std::array<int, 5> Order = {0, 1, 2, 3, 4};
  unsigned Count = 0;
  do {
    const Work W;
    W.bad();
    for (cl_kernel K : {W.Good, W.Late, W.Slow})
      clReleaseKernel(K);
    cl_int Error = CL_SUCCESS;
    for (int Which : Order)
      switch (Which) {
      case 0:
        // Of what is under way, the queue is the last that can be asked.
        Error |= clFinish(W.Queue);
        Error |= clReleaseCommandQueue(W.Queue);
        break;
      case 1:
        Error |= clReleaseKernel(W.Bad);
        break;
      case 2:
        Error |= clReleaseProgram(W.Program);
        break;
      case 3:
        Error |= clReleaseMemObject(W.Whole);
        Error |= clReleaseMemObject(W.Part);
        break;
      default:
        Error |= clReleaseContext(W.Context);
      }
    must(Error, "a release");
    ++Count;
  } while (std::ranges::next_permutation(Order).found);
  due("bad", Count);
}

static void contextFirst(unsigned) {
  Work W;
  clRetainContext(W.Context);
  clReleaseContext(W.Context);
  must(clReleaseContext(W.Context), "clReleaseContext");
  W.bad();
  W.finish();
  due("bad", 1);
  for (cl_kernel K : {W.Good, W.Bad, W.Late, W.Slow})
    clReleaseKernel(K);
  clReleaseProgram(W.Program);
  clReleaseMemObject(W.Part);
  clReleaseMemObject(W.Whole);
  clReleaseCommandQueue(W.Queue);
}

static long residentKiB() {
  std::ifstream File("/proc/self/statm");
  long Size = 0, Resident = 0;
  File >> Size >> Resident;
  return Resident * sysconf(_SC_PAGESIZE) / 1024;
}

static void manyPrograms(unsigned Count) {
  const Work W;
  const unsigned Warm = std::max(1U, Count / 10);
  constexpr unsigned Often = 50;
  long Before = 0;
  auto Start = std::chrono::steady_clock::now();
  for (unsigned I = 0; I < Count; ++I) {
    if (I == Warm) {
      Before = residentKiB();
      Start = std::chrono::steady_clock::now();
    }
    cl_program Made = W.build(Work::sourceOf(std::to_string(I + 10)));
    cl_kernel Late = Work::kernel(Made, "late");
    must(clSetKernelArg(Late, 0, sizeof(W.Part), &W.Part), "clSetKernelArg");
    // Drivers compile when a kernel is launched, and PoCL keeps what it
    // compiled: what stays of a program is measured without.
    if (I < Warm && I % Often == 0) {
      W.launch(Late, Work::Items + 1);
      W.finish();
    }
    clReleaseKernel(Late);
    clReleaseProgram(Made);
  }
  const std::chrono::duration<double, std::milli> Spent =
      std::chrono::steady_clock::now() - Start;
  due("late", (Warm + Often - 1) / Often);
  std::fprintf(stderr, "programs: %.2f ms each, %ld KiB, then %ld KiB of %u\n",
               Spent.count() / (Count - Warm), Before, residentKiB(),
               Count - Warm);
}

static const std::map<std::string_view, void (*)(unsigned)> Modes = {
    {"platforms", onAllPlatforms},   {"threads", inThreads},
    {"events", withEvents},          {"callbacks", inCallbacks},
    {"user_events", withUserEvents}, {"odd_orders", inOddOrders},
    {"context_first", contextFirst}, {"programs", manyPrograms},
};

int main(int Argc, char **Argv) {
  if (Argc < 2 || !Modes.contains(Argv[1]))
    return 96;
  Modes.at(Argv[1])(
      Argc > 2 ? static_cast<unsigned>(std::strtoul(Argv[2], nullptr, 10)) : 0);
  return 16;
}
