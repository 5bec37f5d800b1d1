//===- test/layer/size/many_svm_test.cpp - 100,000 live SVM allocations ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>

using namespace warpsan::test;

namespace {

constexpr size_t Walkers = 256; ///< work-items; each follows its share
constexpr unsigned Threads = 64;
constexpr unsigned Rounds = 300;  ///< of each thread
constexpr size_t StayAlive = 500; ///< while the threads allocate and free
constexpr unsigned Launches = 20; ///< meanwhile, at least

class ManySVM : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    auto Caps = deviceNumber<cl_device_svm_capabilities>(
        Device, CL_DEVICE_SVM_CAPABILITIES);
    if (!(Caps & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
      GTEST_SKIP() << "the device has no fine-grained shared memory";
    P = build(R"(
      struct item { global ulong *words; };
      /* An allocation's first word says how many it has. */
      kernel void total(global const struct item *items, ulong count,
                        global ulong *out) {
        ulong sum = 0;
        for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
          global ulong *words = items[i].words;
          sum += words[0] + words[words[0] - 1];
        }
        out[get_global_id(0)] = sum;
      })");
    Total = kernel(P, "total");
    Out = buffer(Walkers * sizeof(cl_ulong));
  }
  void TearDown() override {
    for (cl_ulong *Each : Items)
      clSVMFree(Ctx, Each);
    if (Pointers)
      clSVMFree(Ctx, Pointers);
  }

  template <typename T> T *alloc(size_t Count) const {
    void *Start =
        clSVMAlloc(Ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                   Count * sizeof(T), 0);
    must(Start ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    return static_cast<T *>(Start);
  }
  /// The last word says \p Value.
  cl_ulong *item(cl_ulong Value, size_t Words) const {
    auto *Start = alloc<cl_ulong>(Words);
    Start[0] = Words;
    Start[Words - 1] = Value;
    return Start;
  }
  /// From 16 to 4096 bytes.
  cl_ulong *item(cl_ulong Value) const {
    return item(Value, size_t(2) << (Value % 9));
  }
  void fill(size_t Count) {
    while (Items.size() < Count)
      Items.push_back(item(Next++));
  }
  /// What is alive at once: 100,000. PoCL 6 goes through all of the context's
  /// SVM in every clSVMAlloc: bare, 20,000 take it 30 s. So less if that takes
  /// too long.
  void fillWithMany() {
    using Clock = std::chrono::steady_clock;
    const auto End = Clock::now() + std::chrono::seconds(3);
    while (Items.size() < 5000 ||
           (Items.size() < 100'000 && Clock::now() < End))
      fill(Items.size() + 1000);
    std::cerr << Items.size() << " allocations\n";
  }
  /// Lets the kernel know where Items are.
  void givePointers() {
    if (Pointers)
      clSVMFree(Ctx, Pointers);
    Pointers = alloc<cl_ulong *>(Items.size());
    std::copy(Items.begin(), Items.end(), Pointers);
    must(clSetKernelArgSVMPointer(Total, 0, Pointers),
         "clSetKernelArgSVMPointer");
    must(setArg(Total, 1, cl_ulong(Items.size())), "clSetKernelArg");
    must(setArg(Total, 2, Out), "clSetKernelArg");
    must(clSetKernelExecInfo(Total, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                             Items.size() * sizeof(void *), Items.data()),
         "clSetKernelExecInfo");
    Want.assign(Walkers, 0);
    for (size_t I = 0; I < Items.size(); ++I)
      Want[I % Walkers] += Items[I][0] + Items[I][Items[I][0] - 1];
  }
  void expectTotals() {
    ASSERT_OK(launch(Q, Total, {{Walkers}, {16}}));
    ASSERT_EQ(Want, read<cl_ulong>(Out, Walkers));
  }

  Program P;
  Kernel Total;
  Mem Out;
  std::vector<cl_ulong *> Items;
  cl_ulong **Pointers = nullptr; ///< the same, for the kernel
  std::vector<cl_ulong> Want;    ///< each work-item's sum
  cl_ulong Next = 0;
};

TEST_F(ManySVM, KernelFollowsPointersToAll) {
  fillWithMany();
  givePointers();
  expectTotals();
}

TEST_F(ManySVM, HalfOfThemReplaced) {
  fillWithMany();
  const size_t Many = Items.size();
  givePointers();
  expectTotals();
  // Freed in no order.
  std::shuffle(Items.begin(), Items.end(), std::mt19937(12345));
  while (Items.size() > Many / 2) {
    clSVMFree(Ctx, Items.back());
    Items.pop_back();
  }
  fill(Many);
  givePointers();
  expectTotals();
}

// Intel's driver leaves no gap between allocations that are whole pages.
TEST_F(ManySVM, WholePages) {
  constexpr size_t PageWords = 4096 / sizeof(cl_ulong);
  for (cl_ulong I = 0; I < 1000; ++I)
    Items.push_back(item(I, PageWords << (I % 5)));
  givePointers();
  expectTotals();
  // Those in between go; the neighbors stay as they were.
  for (size_t I = 0; I < Items.size(); ++I) {
    clSVMFree(Ctx, Items[I]);
    Items.erase(Items.begin() + static_cast<std::ptrdiff_t>(I));
  }
  givePointers();
  expectTotals();
}

TEST_F(ManySVM, ThreadsAllocateWhileKernelsRun) {
  fill(StayAlive);
  givePointers();
  std::mutex Mutex;
  std::vector<std::string> Wrong;
  std::atomic<unsigned> Running = Threads;
  std::vector<std::thread> All;
  for (unsigned T = 0; T < Threads; ++T)
    All.emplace_back([&, T] {
      try {
        std::vector<cl_ulong *> Mine(8); // a few are alive at a time
        for (unsigned R = 0; R < Rounds + Mine.size(); ++R) {
          cl_ulong *&Oldest = Mine[R % Mine.size()];
          const cl_ulong Value = cl_ulong(T) << 32 | R;
          if (Oldest && Oldest[Oldest[0] - 1] != Value - Mine.size())
            throw std::runtime_error("thread " + std::to_string(T) +
                                     ": somebody else wrote");
          if (Oldest)
            clSVMFree(Ctx, Oldest);
          Oldest = R < Rounds ? item(Value) : nullptr;
        }
      } catch (const std::exception &Error) {
        std::lock_guard Lock(Mutex);
        Wrong.push_back(Error.what());
      }
      --Running;
    });
  for (unsigned N = 0; N < Launches || Running; ++N) {
    expectTotals();
    if (HasFatalFailure())
      break;
  }
  for (std::thread &Each : All)
    Each.join();
  for (const std::string &Each : Wrong)
    ADD_FAILURE() << Each;
}

} // namespace
