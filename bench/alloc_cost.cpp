//===- bench/alloc_cost.cpp - what memory costs the host ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   alloc_cost times COUNT MIB     pairs of making and freeing memory, counted
//                                  after so many were freed; prints, as the
//                                  median over batches, nanoseconds:
//     svm|buffer SIZE one N        ... make one, free it
//     svm|buffer SIZE batch N      ... make 1,000, free them in the same order
//                                  "rising" behind N: see WarmUpSeconds
//   alloc_cost live COUNT SIZE     so many SVM allocations at once, untouched
//   alloc_cost list NODES EACH     a list that a work-item walks, so many nodes
//                                  to an SVM allocation; prints seconds:
//     make|first|walk|free N
// The last two print how much physical memory the process had at most:
//     peak KIB
//
//===----------------------------------------------------------------------===//
#include "bench/setup.h"

#include <algorithm>
#include <chrono>
#include <vector>

using namespace warpsan::bench;

namespace {

constexpr size_t InABatch = 1000;
constexpr size_t Batches = 30; ///< at most
constexpr size_t Sizes[] = {64, 4096, 1 << 20};
/// PoCL 6 goes through all live SVM in clSVMAlloc: there a quarantine of
/// 100,000 takes minutes to fill. A line says "rising" if there was no time for
/// that.
constexpr double WarmUpSeconds = 4;
constexpr double CountedSeconds = 1;

double median(std::vector<double> Values) {
  auto Middle = Values.begin() + static_cast<std::ptrdiff_t>(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

class Watch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         Begin)
        .count();
  }

private:
  std::chrono::steady_clock::time_point Begin =
      std::chrono::steady_clock::now();
};

void *makeSvm(const Setup &S, size_t Size) {
  void *Start = clSVMAlloc(S.Context, CL_MEM_READ_WRITE, Size, 0);
  must(Start ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
  return Start;
}

/// Makes and frees a thousand, as many as \p Items has room for at a time.
template <typename Make, typename Free, typename T>
void pairs(std::vector<T> &Items, Make MakeOne, Free FreeOne) {
  for (size_t Done = 0; Done < InABatch; Done += Items.size()) {
    for (T &Each : Items)
      Each = MakeOne();
    for (T &Each : Items)
      FreeOne(Each);
  }
}

/// \p WarmUp: pairs that are made before any is counted.
template <typename Make, typename Free>
void timePairs(const char *What, size_t Size, size_t WarmUp, Make MakeOne,
               Free FreeOne) {
  for (auto [Name, AtOnce] :
       {std::pair("one", size_t(1)), {"batch", InABatch}}) {
    std::vector<decltype(MakeOne())> Items(AtOnce);
    Watch Warming;
    size_t Warm = 0;
    for (; Warm < WarmUp && Warming.seconds() < WarmUpSeconds; Warm += InABatch)
      pairs(Items, MakeOne, FreeOne);
    std::vector<double> Times;
    for (Watch All; Times.size() < Batches &&
                    (Times.empty() || All.seconds() < CountedSeconds);) {
      Watch W;
      pairs(Items, MakeOne, FreeOne);
      Times.push_back(W.seconds() * 1e9 / InABatch);
    }
    std::printf("%s %zu %s %.1f%s\n", What, Size, Name, median(Times),
                Warm < WarmUp ? " rising" : "");
    std::fflush(stdout);
  }
}

/// \p Count, \p Bytes: what WarpSan keeps of freed SVM. Before that is full,
/// nothing is freed in the driver.
int times(const Setup &S, size_t Count, size_t Bytes) {
  for (size_t Size : Sizes)
    timePairs(
        "svm", Size, std::min(Count, Bytes / Size) + InABatch,
        [&] { return makeSvm(S, Size); },
        [&](void *Start) { clSVMFree(S.Context, Start); });
  for (size_t Size : Sizes)
    timePairs(
        "buffer", Size, InABatch, [&] { return S.buffer(Size); },
        [&](cl_mem Buffer) {
          must(clReleaseMemObject(Buffer), "clReleaseMemObject");
        });
  return 0;
}

int live(const Setup &S, size_t Count, size_t Size) {
  for (size_t I = 0; I < Count; ++I)
    makeSvm(S, Size);
  printPeak();
  return 0;
}

struct Node {
  Node *Next;
  cl_ulong Value;
  cl_ulong Pad;
};
static_assert(sizeof(Node) == 24);

int list(const Setup &S, size_t Nodes, size_t Each) {
  cl_program Program = S.build(R"(
      struct node { global struct node *next; ulong value, pad; };
      kernel void total(global struct node *head, global ulong *out) {
        ulong sum = 0;
        for (; head; head = head->next)
          sum += head->value;
        *out = sum;
      })");
  cl_kernel Kernel = S.kernel(Program, "total");
  cl_mem Out = S.buffer(sizeof(cl_ulong));

  // Each block holds nodes in a row; the blocks are in the order of making.
  Watch Making;
  std::vector<void *> Blocks;
  Node *Head = nullptr;
  cl_ulong Want = 0;
  for (size_t Done = 0; Done < Nodes; Done += Each) {
    // Fine grain: the host may write without a map for each node.
    void *Block =
        clSVMAlloc(S.Context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                   Each * sizeof(Node), 0);
    must(Block ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    Blocks.push_back(Block);
    auto *First = static_cast<Node *>(Block);
    for (size_t I = 0; I < Each; ++I) {
      First[I] = {Head, Done + I, 0};
      Head = &First[I];
      Want += Done + I;
    }
  }
  must(clSetKernelExecInfo(Kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                           Blocks.size() * sizeof(void *), Blocks.data()),
       "clSetKernelExecInfo");
  std::printf("make %.4f\n", Making.seconds());

  must(clSetKernelArgSVMPointer(Kernel, 0, Head), "clSetKernelArgSVMPointer");
  must(clSetKernelArg(Kernel, 1, sizeof(Out), &Out), "clSetKernelArg");
  for (const char *Name : {"first", "walk"}) { // the first waits for compilers
    Watch Walking;
    const size_t One = 1;
    must(clEnqueueNDRangeKernel(S.Queue, Kernel, 1, nullptr, &One, &One, 0,
                                nullptr, nullptr),
         "clEnqueueNDRangeKernel");
    cl_ulong Got = 0;
    S.read(Out, &Got, sizeof(Got));
    std::printf("%s %.4f\n", Name, Walking.seconds());
    if (Got != Want) {
      std::fprintf(stderr, "the sum is %llu, not %llu\n",
                   static_cast<unsigned long long>(Got),
                   static_cast<unsigned long long>(Want));
      return 1;
    }
  }

  Watch Freeing;
  for (void *Block : Blocks)
    clSVMFree(S.Context, Block);
  std::printf("free %.4f\n", Freeing.seconds());
  printPeak();
  return 0;
}

} // namespace

int main(int Argc, char **Argv) {
  const std::string Mode = Argc > 1 ? Argv[1] : "";
  auto Number = [&](int Index) {
    return std::strtoul(Argv[Index], nullptr, 10);
  };
  if (Mode == "times" && Argc == 4)
    return times(Setup(0), Number(2), Number(3) << 20);
  if (Mode == "live" && Argc == 4)
    return live(Setup(0), Number(2), Number(3));
  if (Mode == "list" && Argc == 4 && Number(3))
    return list(Setup(0), Number(2), Number(3));
  std::fprintf(stderr, "usage: alloc_cost times COUNT MIB | live COUNT SIZE | "
                       "list NODES EACH\n");
  return 2;
}
