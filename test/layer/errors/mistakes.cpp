//===- test/layer/errors/mistakes.cpp - a program with errors in kernels --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/errors/findings: mistakes WORD... does what each word says,
// prints "end" and exits with 0. Kernels write past the end of memory, but not
// far: bare they may go unnoticed.
//
//===----------------------------------------------------------------------===//
#include "test/layer/errors/mistakes.h"

#include "test/layer/fixture.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

using namespace warpsan::test;

namespace {

const char *Source = R"(kernel void fill(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
}
kernel void fill_low(global int *out, int n) {
  int i = get_global_id(0) % 1024;
  if (i < n)
    out[i] = i;
}
kernel void fill_two(global int *a, global int *b, int n) {
  int i = get_global_id(0);
  if (i < n) {
    a[i] = i;
    b[i] = i;
  }
}
kernel void pick(global int *out, int size, int x, int y, int z) {
  if (get_global_id(0) % 16 == x && get_global_id(1) % 8 == y &&
      get_global_id(2) == z)
    out[size] = 1;
}
kernel void poke(global int *out, long at) { out[at] = 1; }
kernel void stray(global int *out, ulong at) { *out = *(global int *)at; }
kernel void follow(global int *out, global const ulong *links) {
  *(global int *)((ulong)out + links[get_global_id(0)]) = 1;
}
kernel void chain(global int *out, global const int *index, int n) {
  int i = get_global_id(0);
  int at = index[i + n];
  out[at - 1] = i;
}
kernel void beside(global int *out, global const int *index, int n) {
  int i = get_global_id(0);
  int value = index[i + n];
  out[i - 1] = value;
}
kernel void table(global long *out, int n, ulong at) {
  long four[4];
  int three[3];
  for (int k = 0; k < 4; ++k)
    four[k] = k + 10;
  for (int k = 0; k < 3; ++k)
    three[k] = k + 23;
  size_t i = get_global_id(0);
  long value = -1;
  if (i < n)
    value = four[at];
  if (i + 1 < n)
    value += three[at];
  out[i] = value;
}
)";

class Run : public OpenCL {
public:
  Run() {
    SetUp();
    P = build(Source);
  }
  void TestBody() override {}

  /// Its name is looked for in reports.
  [[gnu::noinline]] Mem makeMemory(size_t Count) const {
    return bufferOf(std::vector<cl_int>(Count, 7));
  }

  /// 40 elements of \p Whole, from byte \p Origin on.
  static Mem partOf(cl_mem Whole, size_t Origin) {
    const cl_buffer_region Region = {Origin, 160};
    cl_int Error = CL_SUCCESS;
    Mem Part(clCreateSubBuffer(Whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &Region,
                               &Error));
    must(Error, "clCreateSubBuffer");
    return Part;
  }

  [[gnu::noinline]] void launchFill(cl_kernel K, cl_int N) const {
    must(setArg(K, 1, N), "clSetKernelArg");
    must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
  }

  /// \p Count launches, of which each writes 3 elements too many.
  void past(int Count) {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, M), "clSetKernelArg");
    for (int I = 0; I < Count; ++I)
      launchFill(K, 43);
    must(clFinish(Q), "clFinish");
    // What is inside arrived.
    std::vector<cl_int> Got = read<cl_int>(M, 40);
    for (cl_int I = 0; I < 40; ++I)
      if (Got[static_cast<size_t>(I)] != I)
        std::printf("element %d is %d\n", I, Got[static_cast<size_t>(I)]);
  }

  /// Everything is released before anybody looks.
  void released() {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, M), "clSetKernelArg");
    launchFill(K, 43);
    M.reset();
    K.reset();
    P.reset();
    must(clFinish(Q), "clFinish");
    P = build(Source);
  }

  /// One statement of the source, two buffers that are too small.
  void two() {
    Mem A = makeMemory(40), B = makeMemory(41);
    Kernel K = kernel(P, "fill_two");
    setArgs(K, A, B, cl_int(42));
    must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

  /// Ids from 2^32 on, of which the kernel takes the lower bits. (Not by a cast
  /// to int: of `fill` Intel's runtime, bare, runs no work-item then.)
  void far() {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "fill_low");
    setArgs(K, M, cl_int(43));
    for (int I = 0; I < 3; ++I) {
      must(launch(Q, K, {{64}, {}, {size_t(1) << 32}}),
           "clEnqueueNDRangeKernel");
      must(clFinish(Q), "clFinish");
    }
  }

  /// A part of a buffer, and more than that.
  void part() {
    Mem M = makeMemory(1024);
    const auto Align =
        deviceNumber<cl_uint>(Device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    Mem Part = partOf(M, Align);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, Part), "clSetKernelArg");
    launchFill(K, 43);
    must(clFinish(Q), "clFinish");
  }

  /// 50 elements of shared virtual memory; null, and told, if there is none.
  [[gnu::noinline]] cl_int *makeSvm() const {
    auto *Start = static_cast<cl_int *>(
        clSVMAlloc(Ctx, CL_MEM_READ_WRITE, 50 * sizeof(cl_int), 0));
    if (!Start)
      std::puts("no SVM here");
    return Start;
  }

  /// Reads at an address that an integer says.
  void stray(cl_ulong At) {
    Kernel K = kernel(P, "stray");
    Mem Out = bufferOf(std::vector<cl_int>(1, 7));
    setArgs(K, Out, At);
    must(launch(Q, K, {{1}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

  /// A pointer into the middle of shared virtual memory.
  void svm() {
    cl_int *Start = makeSvm();
    if (!Start)
      return;
    Kernel K = kernel(P, "fill");
    must(clSetKernelArgSVMPointer(K, 0, Start + 10),
         "clSetKernelArgSVMPointer");
    launchFill(K, 43);
    must(clFinish(Q), "clFinish");
    clSVMFree(Ctx, Start);
  }

  /// The work-items that fail lie here and there.
  void pick(const Range &All, cl_int Z) {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "pick");
    setArgs(K, M, cl_int(40), cl_int(5), cl_int(All.Global.size() > 1 ? 3 : 0),
            Z);
    must(launch(Q, K, All), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

  /// Four elements into an allocation by a pointer to another one.
  void another() {
    cl_int *One = makeSvm(), *Other = makeSvm();
    if (!One || !Other)
      return;
    Kernel K = kernel(P, "poke");
    must(clSetKernelArgSVMPointer(K, 0, One), "clSetKernelArgSVMPointer");
    must(setArg(K, 1, cl_long(Other - One + 4)), "clSetKernelArg");
    must(launch(Q, K, {{1}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    clSVMFree(Ctx, One);
    clSVMFree(Ctx, Other);
  }

  /// Shared virtual memory that goes while a launch with it waits for an event
  /// of ours, or when it is complete, or behind it in its queue.
  /// In a queue without order it may go before: Unordered, or it may not.
  /// Refused, RefusedWaiting: a free that the driver refuses changes nothing,
  /// before the launch is enqueued or after.
  enum class Gone {
    Waiting,
    Complete,
    Behind,
    OtherQueue,
    Unordered,
    UnorderedAfter,
    Refused,
    RefusedWaiting
  };
  void inUse(Gone When) {
    cl_int *Start = makeSvm();
    if (!Start)
      return;
    Kernel K = kernel(P, "fill");
    must(clSetKernelArgSVMPointer(K, 0, Start + 10),
         "clSetKernelArgSVMPointer");
    must(setArg(K, 1, cl_int(40)), "clSetKernelArg");
    // The first needs a twin to be made, and is waited for.
    must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    const bool InOrder =
        When != Gone::Unordered && When != Gone::UnorderedAfter;
    Queue Unordered =
        InOrder ? Queue() : queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_queue In = InOrder ? Q : Unordered;
    Event Gate(clCreateUserEvent(Ctx, nullptr)), Freed, Launched;
    void *Pointers[] = {Start};
    auto EnqueueRefused = [&] {
      if (clEnqueueSVMFree(Q, 1, Pointers, nullptr, nullptr, 1, nullptr,
                           nullptr) == CL_SUCCESS)
        std::puts("a wait list that is not there was taken");
    };
    if (When == Gone::Refused)
      EnqueueRefused();
    must(launch(In, K, {{64}}, {Gate}, Launched.out()),
         "clEnqueueNDRangeKernel");
    must(clFlush(In), "clFlush");
    if (When == Gone::RefusedWaiting)
      EnqueueRefused();
    cl_event After = Launched;
    auto EnqueueFree = [&](cl_command_queue On, bool AfterLaunch = false) {
      must(clEnqueueSVMFree(On, 1, Pointers, nullptr, nullptr, AfterLaunch,
                            AfterLaunch ? &After : nullptr, Freed.out()),
           "clEnqueueSVMFree");
    };
    if (!InOrder)
      EnqueueFree(In, When == Gone::UnorderedAfter);
    if (When == Gone::Unordered) {
      must(clFlush(In), "clFlush");
      waitUntilQuiet();
    }
    if (When == Gone::Waiting || When == Gone::RefusedWaiting)
      clSVMFree(Ctx, Start);
    if (When == Gone::Behind)
      EnqueueFree(Q);
    if (When == Gone::OtherQueue) {
      Queue Other = queue(0);
      EnqueueFree(Other);
      must(clFinish(Other), "clFinish");
    }
    must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
    must(clFinish(In), "clFinish");
    if (When == Gone::Complete || When == Gone::Refused)
      clSVMFree(Ctx, Start);
  }

  /// Memory of cl_arm_shared_virtual_memory, used after a command has freed it,
  /// or before.
  void freedByArm(bool Before) {
    if (!deviceHas(Device, "cl_arm_shared_virtual_memory")) {
      std::puts("no SVM here");
      return;
    }
    void *Start = extension<clSVMAllocARM_fn>("clSVMAllocARM")(
        Ctx, CL_MEM_READ_WRITE, 200, 0);
    must(Start ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAllocARM");
    auto Free = [&] {
      void *Pointers[] = {Start};
      must(extension<clEnqueueSVMFreeARM_fn>("clEnqueueSVMFreeARM")(
               Q, 1, Pointers, nullptr, nullptr, 0, nullptr, nullptr),
           "clEnqueueSVMFreeARM");
      must(clFinish(Q), "clFinish");
    };
    Kernel K = kernel(P, "fill");
    must(extension<clSetKernelArgSVMPointerARM_fn>(
             "clSetKernelArgSVMPointerARM")(K, 0, Start),
         "clSetKernelArgSVMPointerARM");
    if (Before)
      Free();
    launchFill(K, 40);
    must(clFinish(Q), "clFinish");
    if (!Before)
      Free();
  }

  /// No call waits for the launch, but its result is seen.
  void unwaited() {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, M), "clSetKernelArg");
    must(setArg(K, 1, cl_int(43)), "clSetKernelArg");
    Event Done;
    must(launch(Q, K, {{64}}, {}, Done.out()), "clEnqueueNDRangeKernel");
    must(clFlush(Q), "clFlush");
    waitUntilQuiet();
  }

  /// Says so when a bad launch is enqueued. With \p Gate it waits for a user
  /// event, which is set after that.
  void enqueued(bool Gate) {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, M), "clSetKernelArg");
    must(setArg(K, 1, cl_int(43)), "clSetKernelArg");
    Event Open;
    std::vector<cl_event> Wait;
    if (Gate) {
      cl_int Error = CL_SUCCESS;
      *Open.out() = clCreateUserEvent(Ctx, &Error);
      must(Error, "clCreateUserEvent");
      Wait.push_back(Open);
    }
    must(launch(Q, K, {{64}}, Wait), "clEnqueueNDRangeKernel");
    std::puts("enqueued");
    std::fflush(stdout);
    if (Gate)
      must(clSetUserEventStatus(Open, CL_COMPLETE), "clSetUserEventStatus");
    must(clFinish(Q), "clFinish");
  }

  /// Frees what was freed, what is no start, and what is not OpenCL's.
  void frees() {
    cl_int *Start = makeSvm(), *Other = makeSvm();
    if (!Start || !Other)
      return;
    clSVMFree(Ctx, Start);
    clSVMFree(Ctx, Start);
    clSVMFree(Ctx, Other + 2);
    clSVMFree(Ctx, Other);
    static cl_int Mine[4];
    clSVMFree(Ctx, Mine);
    clSVMFree(Ctx, nullptr); // is none
  }

  /// Frees a pointer into what is freed.
  void freeInsideFreed() {
    cl_int *Start = makeSvm();
    if (!Start)
      return;
    clSVMFree(Ctx, Start);
    clSVMFree(Ctx, Start + 1);
  }

  /// A source that says it is of a file, which does not exist.
  void lined() {
    P = build(std::string("#line 1 \"no/such/file.cl\"\n") + Source);
    past(1);
  }

  void releaseTwice() {
    cl_mem M = clCreateBuffer(Ctx, CL_MEM_READ_WRITE, 160, nullptr, nullptr);
    must(clRetainMemObject(M), "clRetainMemObject");
    must(clReleaseMemObject(M), "clReleaseMemObject");
    must(clReleaseMemObject(M), "clReleaseMemObject");
    std::printf("and then %d\n", clReleaseMemObject(M));
  }

  /// Three buffers and one allocation of another context are forgotten; what is
  /// released after it is not.
  void leaks() {
    cl_int Error = CL_SUCCESS;
    cl_context Other =
        clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
    must(Error, "clCreateContext");
    auto Make = [&] {
      return clCreateBuffer(Other, CL_MEM_READ_WRITE, 160, nullptr, nullptr);
    };
    for (volatile int I = 0; I < 3; I = I + 1) // one place, not unrolled
      Make();
    void *Forgotten = clSVMAlloc(Other, CL_MEM_READ_WRITE, 48, 0);
    cl_mem Late =
        clCreateBuffer(Other, CL_MEM_READ_WRITE, 16, nullptr, nullptr);
    must(clReleaseContext(Other), "clReleaseContext");
    must(clReleaseMemObject(Late), "clReleaseMemObject");
    std::puts(Forgotten ? "forgotten" : "no SVM here");
  }

  /// The kernel does not keep its buffer.
  void launchReleased() {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, M), "clSetKernelArg");
    M.reset();
    setArg(K, 1, cl_int(40));
    launch(Q, K, {{64}}); // whatever the driver makes of it
    clFinish(Q);
  }

  /// Parts keep what they are parts of.
  void partAlone() {
    Mem M = makeMemory(1024);
    Mem Part = partOf(M, 0);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, Part), "clSetKernelArg");
    M.reset();
    launchFill(K, 40);
    must(clFinish(Q), "clFinish");
    Part.reset();
    // Handles and addresses that were used before are new again.
    for (int I = 0; I < 1000; ++I)
      makeMemory(40);
  }

  /// Four elements are found by offsets in memory, of which \p Bad go to the
  /// end of 40 elements and beyond.
  void links(size_t Bad) {
    Mem M = makeMemory(40);
    std::vector<cl_ulong> Offsets = {156, 0, 80, 8};
    for (size_t I = 0; I < Bad; ++I)
      Offsets[3 - I] = 160 + 4 * I; // aligned memory begins later
    Mem Links = bufferOf(Offsets);
    Kernel K = kernel(P, "follow");
    setArgs(K, M, Links);
    must(launch(Q, K, {{4}}), "clEnqueueNDRangeKernel");
    const std::vector<cl_int> Got = read<cl_int>(M, 40);
    for (size_t I = 0; I < 40; ++I) {
      bool Written = false;
      for (const cl_ulong Offset : Offsets)
        Written |= Offset == 4 * I;
      if (Got[I] != (Written ? 1 : 7))
        std::printf("element %zu is %d\n", I, Got[I]);
    }
  }

  /// Reads element \p At of private arrays of four and three elements in all
  /// work-items but some, with what a launch is given once it has come often.
  void table(cl_ulong At) {
    Kernel K = kernel(P, "table");
    for (int I = 0; I < 6; ++I) {
      Mem M = bufferOf(std::vector<cl_long>(64, 7));
      setArgs(K, M, cl_int(48), At);
      must(launch(Q, K, {{64}, {16}}), "clEnqueueNDRangeKernel");
      const std::vector<cl_long> Got = read<cl_long>(M, 64);
      const bool Inside = At < 3;
      for (cl_long J = 0; J < 64; ++J) {
        const auto Value = static_cast<cl_long>(At);
        const cl_long First = J < 48 ? (Inside ? Value + 10 : 0) : -1;
        const cl_long Second = J < 47 && Inside ? Value + 23 : 0;
        if (Got[static_cast<size_t>(J)] != First + Second)
          std::printf("element %d is %d\n", static_cast<int>(J),
                      static_cast<int>(Got[static_cast<size_t>(J)]));
      }
    }
  }

  /// A read past the end of a buffer, and a write before the start of another
  /// one: where \p Name is "chain", only because the read returned zero.
  void chain(const char *Name) {
    Mem Out = makeMemory(40), Index = makeMemory(40);
    Kernel K = kernel(P, Name);
    setArgs(K, Out, Index, cl_int(39));
    must(launch(Q, K, {{4}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

  void clean() {
    Mem M = makeMemory(40);
    Kernel K = kernel(P, "fill");
    must(setArg(K, 0, M), "clSetKernelArg");
    launchFill(K, 40);
    must(clFinish(Q), "clFinish");
  }

private:
  Program P;
};

} // namespace

int main(int Argc, char **Argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Run R;
  for (int I = 1; I < Argc; ++I) {
    std::string_view Word = Argv[I];
    if (Word == "past")
      R.past(1);
    else if (Word == "thrice")
      R.past(3);
    else if (Word == "often")
      R.past(10000);
    else if (Word == "released")
      R.released();
    else if (Word == "two")
      R.two();
    else if (Word == "far")
      R.far();
    else if (Word == "part")
      R.part();
    else if (Word == "svm")
      R.svm();
    else if (Word == "pick_row")
      R.pick({{1000}, {}, {7}}, 0);
    else if (Word == "pick_grid")
      R.pick({{64, 16}}, 0);
    else if (Word == "pick_space")
      R.pick({{20, 6, 5}}, 3);
    else if (Word == "another")
      R.another();
    else if (Word == "freed_waiting")
      R.inUse(Run::Gone::Waiting);
    else if (Word == "freed_complete")
      R.inUse(Run::Gone::Complete);
    else if (Word == "freed_behind")
      R.inUse(Run::Gone::Behind);
    else if (Word == "freed_by_other_queue")
      R.inUse(Run::Gone::OtherQueue);
    else if (Word == "freed_unordered")
      R.inUse(Run::Gone::Unordered);
    else if (Word == "freed_unordered_after")
      R.inUse(Run::Gone::UnorderedAfter);
    else if (Word == "free_refused")
      R.inUse(Run::Gone::Refused);
    else if (Word == "free_refused_waiting")
      R.inUse(Run::Gone::RefusedWaiting);
    else if (Word == "freed_arm")
      R.freedByArm(true);
    else if (Word == "kept_arm")
      R.freedByArm(false);
    else if (Word == "unwaited")
      R.unwaited();
    else if (Word == "enqueued")
      R.enqueued(false);
    else if (Word == "gated")
      R.enqueued(true);
    else if (Word == "frees")
      R.frees();
    else if (Word == "free_inside_freed")
      R.freeInsideFreed();
    else if (Word == "lined")
      R.lined();
    else if (Word == "release_twice")
      R.releaseTwice();
    else if (Word == "launch_released")
      R.launchReleased();
    else if (Word == "leaks")
      R.leaks();
    else if (Word == "part_alone")
      R.partAlone();
    else if (Word == "clean")
      R.clean();
    else if (Word == "links")
      R.links(0);
    else if (Word == "links_past")
      R.links(3);
    else if (Word == "table")
      R.table(2);
    else if (Word == "table_past")
      R.table(4);
    else if (Word == "table_far")
      R.table(cl_ulong(10) << 40);
    else if (Word == "chain" || Word == "beside")
      R.chain(Argv[I]);
    else if (Word == "stray")
      R.stray(cl_ulong(0xdead) << 32);
    else if (Word == "stray_host")
      R.stray(reinterpret_cast<cl_ulong>(Source));
    else if (Word == "abort")
      std::abort();
    else if (Word == "quick")
      _exit(5);
    else if (!useHandles(Word))
      return 97;
  }
  std::puts("end");
  return 0;
}
