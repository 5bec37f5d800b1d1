//===- test/layer/errors/pools.cpp - a program with pool allocators -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/errors/pools: pools WORD... does what each word says, prints
// "end" and exits with 0. Words with bug_ have a kernel that leaves its object
// but not its pool: bare nothing comes of it. ok_ ones are the same without.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include "include/warpsan.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

using namespace warpsan::test;

namespace {

const char *Source = R"(kernel void fill(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
}
kernel void fill_part(global int *pool, int first, int n) {
  int i = get_global_id(0);
  if (i < n)
    pool[first + i] = i;
}
kernel void choose_part(global int *a, global int *b, int which, int first) {
  global int *pool = which ? a : b;
  pool[first] = 5;
}
kernel void wide(global int *pool, int first) {
  vstore4((int4)(1), 0, pool + first);
}
kernel void sum_part(global int *pool, global int *out, int first, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += pool[first + i];
  *out = sum;
}
struct link { global int *to; long pad; };
kernel void follow(global struct link *links, int n) {
  int i = get_global_id(0);
  if (i < n)
    links[0].to[i] = i;
}
kernel void follow_and_pool(global struct link *links, global int *pool, int n) {
  int i = get_global_id(0);
  if (i < n) {
    links[0].to[i] = i;
    pool[i] = 1;
  }
}
)";

/// What every word has: a pool of 1,024 bytes with two objects, [64, 224) and
/// [256, 416), of 40 numbers each.
class Run : public OpenCL {
public:
  Run() {
    SetUp();
    P = build(Source);
  }
  void TestBody() override {}

  static constexpr size_t Bytes = 1024;
  static constexpr int First = 16, Second = 64; ///< in numbers

  static void expect(int Wanted, int Got, const char *What) {
    if (Got != Wanted && Got != WARPSAN_ABSENT)
      std::printf("%s returned %d, not %d\n", What, Got, Wanted);
  }

  void run(cl_kernel K) const {
    must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

  //===--- Shared virtual memory -----------------------------------------===//

  /// Its name is looked for in reports.
  [[gnu::noinline]] static void markBoth(char *Pool) {
    expect(WARPSAN_OK, warpsan_mark_pointer(Pool + 64, 160, "weights"), "mark");
    expect(WARPSAN_OK, warpsan_mark_pointer(Pool + 256, 160, "bias"), "mark");
  }

  [[gnu::noinline]] static void freeFirst(char *Pool) {
    expect(WARPSAN_OK, warpsan_free_pointer(Pool + 64), "free");
  }

  char *makePool() {
    auto *Pool = static_cast<char *>(
        clSVMAlloc(Ctx, CL_MEM_READ_WRITE, Large ? size_t(4) << 20 : Bytes, 0));
    must(Pool ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    markBoth(Pool);
    return Pool;
  }

  /// \p N numbers from \p From on, which is an argument.
  void fill(char *From, cl_int N) const {
    Kernel K = kernel(P, "fill");
    must(clSetKernelArgSVMPointer(K, 0, From), "clSetKernelArgSVMPointer");
    must(setArg(K, 1, N), "clSetKernelArg");
    run(K);
  }

  /// The same, where it is in memory.
  void follow(char *Pool, char *From, cl_int N, bool PoolToo = false) const {
    struct Link {
      char *To;
      cl_long Pad;
    };
    const Link Only = {From, 0};
    Mem Links = bufferOf(std::vector<Link>{Only});
    Kernel K = kernel(P, PoolToo ? "follow_and_pool" : "follow");
    must(setArg(K, 0, Links), "clSetKernelArg");
    if (PoolToo)
      must(clSetKernelArgSVMPointer(K, 1, Pool), "clSetKernelArgSVMPointer");
    must(setArg(K, PoolToo ? 2 : 1, N), "clSetKernelArg");
    void *Pointers[] = {Pool};
    must(clSetKernelExecInfo(K, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(Pointers),
                             static_cast<void *>(Pointers)),
         "clSetKernelExecInfo");
    run(K);
  }

  void inPool(const std::function<void(char *)> &Do) {
    char *Pool = makePool();
    Do(Pool);
    clSVMFree(Ctx, Pool);
  }

  /// Objects that begin and end anywhere, side by side.
  void crowd(cl_int N) {
    inPool([&](char *Pool) {
      for (size_t I = 0; I < 30; ++I)
        expect(WARPSAN_OK, warpsan_mark_pointer(Pool + 512 + 4 * I, 4, nullptr),
               "mark");
      for (size_t I = 0; I < 30; ++I)
        fill(Pool + 512 + 4 * I, N);
      follow(Pool, Pool + 512 + 28, N);
    });
  }

  /// Unified shared memory.
  void usm(cl_int N) {
    if (!deviceHas(Device, "cl_intel_unified_shared_memory")) {
      std::puts("no USM here");
      return;
    }
    auto Alloc = extension<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
    auto Free = extension<clMemFreeINTEL_fn>("clMemFreeINTEL");
    auto Set = extension<clSetKernelArgMemPointerINTEL_fn>(
        "clSetKernelArgMemPointerINTEL");
    cl_int Error = CL_SUCCESS;
    auto *Pool =
        static_cast<char *>(Alloc(Ctx, Device, nullptr, Bytes, 0, &Error));
    must(Error, "clSharedMemAllocINTEL");
    markBoth(Pool);
    Kernel K = kernel(P, "fill");
    must(Set(K, 0, Pool + 64), "clSetKernelArgMemPointerINTEL");
    must(setArg(K, 1, N), "clSetKernelArg");
    run(K);
    must(Free(Ctx, Pool), "clMemFreeINTEL");
  }

  /// A launch that is proven waits for an event; what it was given goes.
  void inUse(bool Wait) {
    char *Pool = makePool();
    Kernel K = kernel(P, "fill");
    must(clSetKernelArgSVMPointer(K, 0, Pool + 64), "clSetKernelArgSVMPointer");
    must(setArg(K, 1, cl_int(40)), "clSetKernelArg");
    cl_int Error = CL_SUCCESS;
    Event Gate(clCreateUserEvent(Ctx, &Error));
    must(Error, "clCreateUserEvent");
    must(launch(Q, K, {{64}}, {Gate}), "clEnqueueNDRangeKernel");
    if (!Wait)
      freeFirst(Pool);
    must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
    must(clFinish(Q), "clFinish");
    if (Wait)
      freeFirst(Pool);
    clSVMFree(Ctx, Pool);
  }

  //===--- Buffers -------------------------------------------------------===//

  [[gnu::noinline]] static void markBoth(cl_mem Pool, const char *Name) {
    expect(WARPSAN_OK, warpsan_mark_buffer(Pool, 64, 160, Name), "mark");
    expect(WARPSAN_OK, warpsan_mark_buffer(Pool, 256, 160, "bias"), "mark");
  }

  Mem makeBuffer(const char *Name = "weights") const {
    Mem Pool = bufferOfNumbers();
    markBoth(Pool, Name);
    return Pool;
  }

  Mem bufferOfNumbers() const {
    return bufferOf(std::vector<cl_int>(Bytes / 4, 7));
  }
  Kernel kernelOf(const char *Name) const { return kernel(P, Name); }
  cl_command_queue queueOf() const { return Q; }

  void fillPart(cl_mem Pool, cl_int From, cl_int N) const {
    Kernel K = kernel(P, "fill_part");
    setArgs(K, Pool, From, N);
    run(K);
  }

  /// What must be there after a write that was dropped or made.
  void expectAt(cl_mem Pool, size_t Index, cl_int Value) const {
    if (cl_int Got = read<cl_int>(Pool, 1, Index)[0]; Got != Value)
      std::printf("number %zu is %d, not %d\n", Index, Got, Value);
  }

  void wide(cl_int At) const {
    Mem Pool = makeBuffer();
    Kernel K = kernel(P, "wide");
    setArgs(K, Pool, At);
    run(K);
  }

  void choose(cl_int At) const {
    Mem A = makeBuffer(), B = bufferOf(std::vector<cl_int>(256, 7));
    for (cl_int Which : {0, 1}) {
      Kernel K = kernel(P, "choose_part");
      setArgs(K, A, B, Which, Which ? At : cl_int(0));
      run(K);
    }
  }

  void sum(cl_int N) const {
    Mem Pool = makeBuffer(), Out = buffer(4);
    Kernel K = kernel(P, "sum_part");
    setArgs(K, Pool, Out, cl_int(First), N);
    run(K);
    std::printf("sum %d\n", read<cl_int>(Out, 1)[0]);
  }

  //===--- What is refused -----------------------------------------------===//

  void refusals() {
    char *Pool = makePool();
    Mem Buffer = makeBuffer();
    int OnTheStack = 0;
    auto Refused = [](int Wanted, int Got) {
      expect(Wanted, Got, "a refusal");
    };
    Refused(WARPSAN_UNKNOWN_MEMORY, warpsan_mark_pointer(&OnTheStack, 4, ""));
    Refused(WARPSAN_UNKNOWN_MEMORY, warpsan_mark_pointer(nullptr, 4, ""));
    Refused(WARPSAN_UNKNOWN_MEMORY, warpsan_free_pointer(&OnTheStack));
    Refused(WARPSAN_UNKNOWN_MEMORY, warpsan_mark_buffer(nullptr, 0, 4, ""));
    Refused(WARPSAN_UNKNOWN_MEMORY, warpsan_free_buffer(nullptr, 0));
    Refused(WARPSAN_OUTSIDE, warpsan_mark_buffer(Buffer, 1000, 25, ""));
    Refused(WARPSAN_OUTSIDE, warpsan_mark_buffer(Buffer, SIZE_MAX, 2, ""));
    Refused(WARPSAN_OUTSIDE, warpsan_mark_buffer(Buffer, 4, SIZE_MAX, ""));
    Refused(WARPSAN_OUTSIDE, warpsan_mark_pointer(Pool + 8, SIZE_MAX, ""));
    Refused(WARPSAN_INVALID_VALUE, warpsan_mark_buffer(Buffer, 0, 0, ""));
    Refused(WARPSAN_INVALID_VALUE, warpsan_mark_pointer(Pool, 0, ""));
    for (size_t At : {1, 63, 64, 100, 223}) {
      Refused(WARPSAN_OVERLAP, warpsan_mark_buffer(Buffer, At, 64, ""));
      Refused(WARPSAN_OVERLAP, warpsan_mark_pointer(Pool + At, 64, ""));
    }
    Refused(WARPSAN_NO_OBJECT, warpsan_free_buffer(Buffer, 65));
    Refused(WARPSAN_NO_OBJECT, warpsan_free_pointer(Pool + 65));
    Refused(WARPSAN_OK, warpsan_free_buffer(Buffer, 64));
    Refused(WARPSAN_NO_OBJECT, warpsan_free_buffer(Buffer, 64));
    Refused(WARPSAN_OK, warpsan_mark_buffer(Buffer, 60, 8, ""));
    clSVMFree(Ctx, Pool);
    Refused(WARPSAN_UNKNOWN_MEMORY, warpsan_mark_pointer(Pool, 4, ""));
  }

  //===--- Threads -------------------------------------------------------===//

  /// Each thread has a part of both pools, in which it marks, launches and
  /// frees.
  void threads(cl_int N) {
    constexpr int Count = 4, Rounds = 40;
    constexpr size_t Part = 4096;
    Mem Buffer = bufferOf(std::vector<cl_int>(Count * Part / 4, 7));
    auto *Pool = static_cast<char *>(
        clSVMAlloc(Ctx, CL_MEM_READ_WRITE, Count * Part, 0));
    must(Pool ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
    auto Work = [&](size_t Number) {
      Queue Mine = queue(0);
      Kernel Fill = kernel(P, "fill"), FillPart = kernel(P, "fill_part");
      for (size_t I = 0; I < Rounds; ++I) {
        const size_t At = Number * Part + I * 52; // of many alignments
        expect(WARPSAN_OK, warpsan_mark_buffer(Buffer, At, 40, "b"), "mark");
        expect(WARPSAN_OK, warpsan_mark_pointer(Pool + At, 40, "p"), "mark");
        must(clSetKernelArgSVMPointer(Fill, 0, Pool + At), "clSetKernelArg");
        must(setArg(Fill, 1, N), "clSetKernelArg");
        setArgs(FillPart, Buffer, static_cast<cl_int>(At / 4), N);
        must(launch(Mine, Fill, {{16}}), "clEnqueueNDRangeKernel");
        must(launch(Mine, FillPart, {{16}}), "clEnqueueNDRangeKernel");
        must(clFinish(Mine), "clFinish");
        expect(WARPSAN_OK, warpsan_free_buffer(Buffer, At), "free");
        expect(WARPSAN_OK, warpsan_free_pointer(Pool + At), "free");
      }
    };
    std::vector<std::thread> All;
    for (size_t I = 0; I < Count; ++I)
      All.emplace_back(Work, I);
    for (std::thread &Each : All)
      Each.join();
    clSVMFree(Ctx, Pool);
  }

  Program P;
  bool Large = false; ///< pools are the driver's to place
};

const std::map<std::string, std::function<void(Run &)>> Words = {
    {"large", [](Run &R) { R.Large = true; }},
    {"ok_argument",
     [](Run &R) { R.inPool([&](char *P) { R.fill(P + 64, 40); }); }},
    {"bug_argument",
     [](Run &R) { R.inPool([&](char *P) { R.fill(P + 64, 43); }); }},
    {"ok_inside",
     [](Run &R) { R.inPool([&](char *P) { R.fill(P + 64 + 8, 38); }); }},
    {"bug_inside",
     [](Run &R) { R.inPool([&](char *P) { R.fill(P + 64 + 8, 41); }); }},
    {"ok_in_memory",
     [](Run &R) { R.inPool([&](char *P) { R.follow(P, P + 256, 40); }); }},
    {"bug_in_memory",
     [](Run &R) { R.inPool([&](char *P) { R.follow(P, P + 256, 43); }); }},
    {"ok_both",
     [](Run &R) { R.inPool([&](char *P) { R.follow(P, P + 64, 40, true); }); }},
    {"bug_both",
     [](Run &R) { R.inPool([&](char *P) { R.follow(P, P + 64, 43, true); }); }},
    // Memory of the pool that is no object is not limited.
    {"ok_unmarked", [](Run &R) { R.inPool([&](char *P) { R.fill(P, 64); }); }},
    {"ok_behind",
     [](Run &R) { R.inPool([&](char *P) { R.fill(P + 224, 43); }); }},
    {"bug_freed_object_argument",
     [](Run &R) {
       R.inPool([&](char *P) {
         Run::freeFirst(P);
         R.fill(P + 64, 40);
       });
     }},
    {"bug_freed_object_in_memory",
     [](Run &R) {
       R.inPool([&](char *P) {
         Run::freeFirst(P);
         R.follow(P, P + 64, 40);
       });
     }},
    {"ok_marked_again",
     [](Run &R) {
       R.inPool([&](char *P) {
         Run::freeFirst(P);
         Run::expect(WARPSAN_OK, warpsan_mark_pointer(P + 60, 180, "again"),
                     "mark");
         R.fill(P + 64, 43);
         R.follow(P, P + 64, 43);
       });
     }},
    {"ok_forgotten",
     [](Run &R) {
       R.inPool([&](char *P) {
         R.fill(P + 64, 40);
         Run::expect(WARPSAN_OK, warpsan_clear_pointer(P + 99), "clear");
         R.fill(P + 64, 43);
         R.follow(P, P + 64, 43);
       });
     }},
    {"ok_crowd", [](Run &R) { R.crowd(1); }},
    {"bug_crowd", [](Run &R) { R.crowd(2); }},
    {"ok_usm", [](Run &R) { R.usm(40); }},
    {"bug_usm", [](Run &R) { R.usm(43); }},
    {"ok_in_use", [](Run &R) { R.inUse(true); }},
    {"bug_in_use", [](Run &R) { R.inUse(false); }},

    {"ok_buffer",
     [](Run &R) {
       Mem M = R.makeBuffer();
       R.fillPart(M, Run::First, 40);
       R.fillPart(M, Run::Second, 40);
       R.expectAt(M, 55, 39);
     }},
    {"bug_buffer", // into the gap
     [](Run &R) {
       Mem M = R.makeBuffer();
       R.fillPart(M, Run::First, 43);
       R.expectAt(M, 55, 39);
     }},
    {"bug_buffer_nameless",
     [](Run &R) { R.fillPart(R.makeBuffer(nullptr), Run::First, 43); }},
    {"bug_buffer_before",
     [](Run &R) { R.fillPart(R.makeBuffer(), Run::Second - 2, 42); }},
    {"ok_buffer_wide", [](Run &R) { R.wide(Run::First + 36); }},
    {"bug_buffer_wide", [](Run &R) { R.wide(Run::First + 37); }},
    {"ok_buffer_chosen", [](Run &R) { R.choose(Run::First); }},
    {"bug_buffer_chosen", [](Run &R) { R.choose(Run::First + 41); }},
    {"ok_buffer_sum", [](Run &R) { R.sum(40); }},
    {"bug_buffer_sum", [](Run &R) { R.sum(43); }},
    {"bug_buffer_freed_object",
     [](Run &R) {
       Mem M = R.makeBuffer();
       Run::expect(WARPSAN_OK, warpsan_free_buffer(M, 64), "free");
       R.fillPart(M, Run::First, 40);
     }},
    {"ok_buffer_released", // when the kernel is enqueued
     [](Run &R) {
       for (int I = 0; I < 20; ++I) {
         Mem M = R.makeBuffer();
         Kernel K = R.kernelOf("fill_part");
         setArgs(K, M, cl_int(Run::First), cl_int(40));
         must(launch(R.queueOf(), K, {{64}}), "clEnqueueNDRangeKernel");
       }
       must(clFinish(R.queueOf()), "clFinish");
     }},
    {"ok_buffer_forgotten",
     [](Run &R) {
       Mem M = R.makeBuffer();
       R.fillPart(M, Run::First, 40);
       Run::expect(WARPSAN_OK, warpsan_clear_buffer(M), "clear");
       R.fillPart(M, Run::First, 43);
     }},
    {"bug_buffer_later", // it was a buffer like others, and proven
     [](Run &R) {
       Mem M = R.bufferOfNumbers();
       for (int I = 0; I < 3; ++I)
         R.fillPart(M, Run::First, 43);
       Run::markBoth(M, "weights");
       R.fillPart(M, Run::First, 43);
     }},
    {"refusals", [](Run &R) { R.refusals(); }},
    {"ok_threads", [](Run &R) { R.threads(10); }},
    {"bug_threads", [](Run &R) { R.threads(11); }},
};

} // namespace

int main(int Count, char **Given) {
  Run R;
  for (int I = 1; I < Count; ++I) {
    auto Word = Words.find(Given[I]);
    if (Word == Words.end()) {
      std::printf("there is no word %s\n", Given[I]);
      return 2;
    }
    Word->second(R);
  }
  std::puts("end");
  return 0;
}
