//===- test/layer/size/many_threads_test.cpp - 64 threads at once ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

using namespace warpsan::test;

namespace {

constexpr unsigned Threads = 64;
constexpr unsigned Rounds = 6;   ///< at most, for each thread
constexpr unsigned Texts = 5;    ///< different programs
constexpr unsigned Contexts = 4; ///< shared by the threads
constexpr size_t Count = 64;
/// No new round begins later than this.
constexpr auto Enough = std::chrono::seconds(25);

std::string text(unsigned Which) {
  std::string N = std::to_string(Which);
  return "kernel void plus(global int *x, int by) { x[get_global_id(0)] += by "
         "* " +
         N + "; }\n" +
         "kernel void swap_ends(global int *x, local int *t) {\n"
         "  t[get_local_id(0)] = x[get_global_id(0)];\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  x[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)] "
         "+ " +
         N + ";\n}\n";
}

/// What several threads use at the same time.
struct Shared {
  Context Ctx;
  Program P; ///< text(1), built: threads make their own kernels of it
};

class ManyThreads : public testing::Test {
protected:
  void SetUp() override {
    cl_device_id Device = theDevice();
    for (Shared &Each : Worlds) {
      cl_int Error = CL_SUCCESS;
      Each.Ctx = Context(
          clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error));
      must(Error, "clCreateContext");
      Each.P = make(Each.Ctx, 1);
    }
  }
  static Program make(cl_context Ctx, unsigned Which) {
    std::string Text = text(Which);
    const char *String = Text.c_str();
    cl_int Error = CL_SUCCESS;
    Program P(clCreateProgramWithSource(Ctx, 1, &String, nullptr, &Error));
    must(Error, "clCreateProgramWithSource");
    must(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
    return P;
  }
  static Kernel kernel(cl_program P, const char *Name) {
    cl_int Error = CL_SUCCESS;
    Kernel K(clCreateKernel(P, Name, &Error));
    must(Error, "clCreateKernel");
    return K;
  }

  /// Creates, builds, launches, checks and releases. Throws what is wrong.
  static void round(Shared &World, unsigned Thread, unsigned Round) {
    unsigned Which = 1 + (Thread + Round) % Texts;
    // Every third round uses the program that others use at the same time.
    bool Own = (Thread + Round) % 3 != 0;
    Program P = Own ? make(World.Ctx, Which) : Program();
    if (!Own)
      Which = 1;
    cl_program Used = Own ? P.get() : World.P.get();
    Kernel Plus = kernel(Used, "plus"), Swap = kernel(Used, "swap_ends");
    cl_int Error = CL_SUCCESS;
    Queue Q(clCreateCommandQueueWithProperties(World.Ctx, theDevice(), nullptr,
                                               &Error));
    must(Error, "clCreateCommandQueueWithProperties");
    std::vector<cl_int> Host(Count);
    for (size_t I = 0; I < Count; ++I)
      Host[I] = static_cast<cl_int>(Thread * 1000 + I);
    Mem Data(clCreateBuffer(World.Ctx, CL_MEM_COPY_HOST_PTR,
                            Count * sizeof(cl_int), Host.data(), &Error));
    must(Error, "clCreateBuffer");
    cl_int By = static_cast<cl_int>(Thread + Round);
    setArgs(Plus, Data, By);
    must(setArg(Swap, 0, Data), "clSetKernelArg");
    must(clSetKernelArg(Swap, 1, 16 * sizeof(cl_int), nullptr),
         "clSetKernelArg");
    Event Last;
    for (int N = 0; N < 4; ++N) {
      must(launch(Q, Plus, {{Count}, {16}}), "clEnqueueNDRangeKernel");
      must(launch(Q, Swap, {{Count}, {16}}, {}, Last.out()),
           "clEnqueueNDRangeKernel");
    }
    if (Round % 2) { // released while the launches may still run
      Plus.reset();
      Swap.reset();
      P.reset();
    }
    cl_event List[] = {Last};
    std::vector<cl_int> Got(Count);
    must(clEnqueueReadBuffer(Q, Data, CL_TRUE, 0, Count * sizeof(cl_int),
                             Got.data(), 1, List, nullptr),
         "clEnqueueReadBuffer");
    cl_int Added = 4 * static_cast<cl_int>(Which) * (By + 1);
    for (size_t I = 0; I < Count; ++I)
      if (Got[I] != Host[I] + Added) // swapped four times: where it was
        throw std::runtime_error("thread " + std::to_string(Thread) +
                                 ", round " + std::to_string(Round) +
                                 ", element " + std::to_string(I) + ": " +
                                 std::to_string(Got[I]) + ", not " +
                                 std::to_string(Host[I] + Added));
  }

  Shared Worlds[Contexts];
};

TEST_F(ManyThreads, CreateBuildLaunchRelease) {
  auto Begin = std::chrono::steady_clock::now();
  std::mutex Mutex;
  std::vector<std::string> Wrong;
  std::atomic<unsigned> Done = 0;
  std::vector<std::thread> All;
  for (unsigned T = 0; T < Threads; ++T)
    All.emplace_back([&, T] {
      try {
        for (unsigned R = 0; R < Rounds; ++R) {
          if (R > 0 && std::chrono::steady_clock::now() - Begin > Enough)
            break;
          round(Worlds[T % Contexts], T, R);
          ++Done;
        }
      } catch (const std::exception &Error) {
        std::lock_guard Lock(Mutex);
        Wrong.push_back(Error.what());
      }
    });
  for (std::thread &Each : All)
    Each.join();
  for (const std::string &Each : Wrong)
    ADD_FAILURE() << Each;
  EXPECT_GE(Done, Threads) << "every thread gets one round at least";
  std::printf("%u rounds in %u threads\n", Done.load(), Threads);
}

} // namespace
