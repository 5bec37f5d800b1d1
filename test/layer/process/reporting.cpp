//===- test/layer/process/reporting.cpp - errors that are hard to report --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/process/reporting: reporting WORD [N] does what the word says,
// prints what it calculated and "end", and exits with 0.
//
//   ok N, bug N       launches fill N times, waiting for each by its event;
//                     bug: three work-items write past the end
//   group             ok in one work-group
//   queues            ok in one queue, bug in another; finishes the first, then
//                     the second
//   unordered         bug in a queue without order
//   polled            bug; asks for its event's status until it is complete
//   ok_search, search a loop that ends on a value, which is there or is not
//   endless           a write past the end, then a loop that never ends
//   meeting           search, in a kernel with a barrier: never ends
//   same              two programs with a kernel of the same name and a bug at
//                     the same place
//   order             two launches with several errors each
//   recreated         eleven kernels of one name, each released after a launch
//   invoked           a bug that is launched through std::invoke, std::function
//                     and std::thread
//   daemon FILE       ends at once; a child waits until `warpsan run` has
//   ended,
//                     then has a bug. Its standard error is FILE
//   named             a bug in a source with a #line
//   forks N           N different errors in one thread while another one forks
//   exchange          a pointer in memory to memory that is mapped anew, where
//                     other memory of the same size was unmapped
//   crash             a pointer of the host's, used far past its end
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan::test;

namespace {

constexpr int Room = 40; ///< elements of the buffer that is written past

class Run : public OpenCL {
public:
  Run() { SetUp(); }
  void TestBody() override {}

  void fill(int Times, int Count) {
    Program P = build(Fill);
    Kernel K = kernel(P, "fill");
    Mem M = bufferOf(std::vector<cl_int>(Room, 7));
    setArgs(K, M, cl_int(Count));
    for (int I = 0; I < Times; ++I) {
      Event Done;
      must(launch(Q, K, {{64}}, {}, Done.out()), "clEnqueueNDRangeKernel");
      cl_event Raw = Done;
      must(clWaitForEvents(1, &Raw), "clWaitForEvents");
    }
    print(M);
  }

  void group() {
    Program P = build(Fill);
    Kernel K = kernel(P, "fill");
    Mem M = bufferOf(std::vector<cl_int>(Room, 7));
    setArgs(K, M, cl_int(Room));
    must(launch(Q, K, {{64}, {64}}), "clEnqueueNDRangeKernel");
    print(M);
  }

  void queues() {
    Program P = build(Fill);
    Kernel K = kernel(P, "fill");
    Mem M = bufferOf(std::vector<cl_int>(Room, 7));
    Queue Second = queue(0);
    setArgs(K, M, cl_int(Room));
    must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
    setArgs(K, M, cl_int(Room + 3));
    must(launch(Second, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    must(clFinish(Second), "clFinish");
    print(M);
  }

  void unordered() {
    Program P = build(Fill);
    Kernel K = kernel(P, "fill");
    Mem M = bufferOf(std::vector<cl_int>(Room, 7));
    Queue Any = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    setArgs(K, M, cl_int(Room + 3));
    must(launch(Any, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Any), "clFinish");
    // Intel's runtime: in another queue it may still be what it was before.
    cl_int Last = 0;
    must(clEnqueueReadBuffer(Any, M, CL_TRUE, (Room - 1) * sizeof(Last),
                             sizeof(Last), &Last, 0, nullptr, nullptr),
         "clEnqueueReadBuffer");
    std::printf("%d\n", Last);
  }

  void polled() {
    Program P = build(Fill);
    Kernel K = kernel(P, "fill");
    Mem M = bufferOf(std::vector<cl_int>(Room, 7));
    setArgs(K, M, cl_int(Room + 3));
    Event Done;
    must(launch(Q, K, {{64}}, {}, Done.out()), "clEnqueueNDRangeKernel");
    must(clFlush(Q), "clFlush");
    cl_int Status = CL_QUEUED;
    while (Status > CL_COMPLETE)
      must(clGetEventInfo(Done, CL_EVENT_COMMAND_EXECUTION_STATUS,
                          sizeof(Status), &Status, nullptr),
           "clGetEventInfo");
    std::printf("status %d\n", Status);
  }

  void search(int Key, bool Meeting = false) {
    Program P = build(Search);
    Kernel K = kernel(P, Meeting ? "meet" : "search");
    std::vector<cl_int> Items(1024);
    for (int I = 0; I < 1024; ++I)
      Items[I] = I + 1;
    Mem From = bufferOf(Items), To = bufferOf(std::vector<cl_int>(16, -1));
    setArgs(K, To, From, cl_int(Key));
    must(launch(Q, K, {{16}, {16}}), "clEnqueueNDRangeKernel");
    std::puts("launched");
    std::fflush(stdout);
    must(clFinish(Q), "clFinish");
    std::printf("found at %d\n", read<cl_int>(To, 1)[0]);
  }

  void endless() {
    Program P = build(Endless);
    Kernel K = kernel(P, "wait_for_one");
    Mem M = bufferOf(std::vector<cl_int>(Room, 0));
    setArgs(K, M, cl_int(Room));
    must(launch(Q, K, {{1}}), "clEnqueueNDRangeKernel");
    must(clFlush(Q), "clFlush");
    std::puts("launched");
    std::fflush(stdout);
    clFinish(Q);
  }

  void same() {
    for (const auto &[Step, Count, Size] :
         {std::tuple{"1", 1025, 1024}, std::tuple{"3", 150, 300}}) {
      Program P = build(std::string("kernel void E_2(global int *o, int n) {\n"
                                    "  int s = ") +
                        Step +
                        ";\n  int i = get_global_id(0);\n"
                        "  if (i < n) o[i * s] = 1;\n}\n");
      Kernel K = kernel(P, "E_2");
      Mem M = bufferOf(std::vector<cl_int>(Size, 7));
      setArgs(K, M, cl_int(Count));
      must(launch(Q, K, {{2048}, {64}}), "clEnqueueNDRangeKernel");
      std::printf("%d\n", read<cl_int>(M, Size)[Size - 3]);
    }
  }

  void named() {
    Program P = build("#line 10 \"mine.cl\"\n"
                      "kernel void fill(global int *o, int n) {\n"
                      "  int i = get_global_id(0);\n"
                      "  if (i < n) o[i] = i;\n}\n");
    Kernel K = kernel(P, "fill");
    Mem M = bufferOf(std::vector<cl_int>(40, 7));
    setArgs(K, M, cl_int(43));
    must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

  void order() {
    Program P = build("void put(global int *o, int i) {\n"
                      "  o[i] = 1;\n"
                      "}\n"
                      "kernel void many(global int *o, int n) {\n"
                      "  int s = o[n];\n"
                      "  o[n + 1] = s;\n"
                      "  put(o, n + 2);\n"
                      "  o[n + 3] = s + o[n + 4];\n"
                      "  for (int k = 0; k < 2; ++k)\n"
                      "    o[n + 5] += k;\n"
                      "  o[n + 6] = s;\n"
                      "}\n"
                      "kernel void last(global int *o, int n) {\n"
                      "  o[n] = 1;\n"
                      "  o[n + 1] = 2;\n"
                      "}\n");
    Kernel Many = kernel(P, "many"), Last = kernel(P, "last");
    Mem M = bufferOf(std::vector<cl_int>(40, 7));
    for (cl_kernel K : {Many.get(), Last.get()}) {
      setArgs(K, M, cl_int(40));
      must(launch(Q, K, {{1}}), "clEnqueueNDRangeKernel");
    }
    must(clFinish(Q), "clFinish");
  }

  void recreated() {
    Program P = build(Fill);
    Mem M = bufferOf(std::vector<cl_int>(Room, 7));
    for (int I = 0; I < 11; ++I) {
      Kernel K = kernel(P, "fill");
      setArgs(K, M, Room);
      must(launch(Q, K, {{Room}}), "clEnqueueNDRangeKernel");
      must(clFinish(Q), "clFinish");
    }
    print(M);
  }

  void invoked() {
    const std::function<void()> Bug = [this] {
      std::invoke(&Run::fill, this, 1, Room + 3);
      std::fflush(stdout); // the calls above are not tail calls
    };
    std::thread(Bug).join();
  }

  void forks(int Count) {
    std::string Text;
    for (int I = 0; I < Count; ++I)
      Text += "kernel void k" + std::to_string(I) +
              "(global int *a) { a[get_global_id(0)] = 5; }\n";
    Program P = build(Text);
    Mem M = bufferOf(std::vector<cl_int>(Room, 7));
    std::atomic<bool> Done = false;
    std::thread Reporter([&] {
      for (int I = 0; I < Count; ++I) {
        Kernel K = kernel(P, ("k" + std::to_string(I)).c_str());
        setArgs(K, M);
        must(launch(Q, K, {{Room + 1}}), "clEnqueueNDRangeKernel");
        must(clFinish(Q), "clFinish");
      }
      Done = true;
    });
    int Bad = 0;
    while (!Done) {
      const pid_t Child = fork();
      if (Child == 0)
        _exit(0);
      int Status = -1;
      waitpid(Child, &Status, 0);
      Bad += Status != 0;
    }
    Reporter.join();
    std::printf("%d children failed\n", Bad);
    print(M);
  }

  bool takesHostPointers() const {
    const bool Takes = deviceNumber<cl_device_svm_capabilities>(
                           Device, CL_DEVICE_SVM_CAPABILITIES) &
                       CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    if (!Takes)
      std::puts("no host pointers here");
    return Takes;
  }

  void exchange() {
    if (!takesHostPointers())
      return;
    struct Root {
      int *Data;
      int Sum;
    };
    Program P = build("typedef struct { global int *data; int sum; } Root;\n"
                      "kernel void k(global Root *r) {\n"
                      "  r->sum = r->data[7];\n}\n",
                      "-cl-std=CL3.0");
    Kernel K = kernel(P, "k");
    auto *R = static_cast<Root *>(clSVMAlloc(
        Ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
    must(clSetKernelArgSVMPointer(K, 0, R), "clSetKernelArgSVMPointer");
    constexpr size_t Size = size_t(40) << 20;
    auto Map = [] {
      return static_cast<int *>(mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    };
    int Wrong = 0;
    int *Now = Map();
    for (int I = 0; I < 10; ++I) {
      Now[7] = 100 + I;
      R->Data = Now;
      R->Sum = -1;
      must(launch(Q, K, {{1}}), "clEnqueueNDRangeKernel");
      must(clFinish(Q), "clFinish");
      Wrong += R->Sum != 100 + I;
      // Of the same size, in another place: at times where nothing ever was.
      int *Extra = I == 5 ? Map() : nullptr, *After = Map();
      munmap(Now, Size);
      if (Extra)
        munmap(Extra, Size);
      Now = After;
    }
    std::printf("%d wrong\n", Wrong);
    clSVMFree(Ctx, R);
  }

  void crash() {
    if (!takesHostPointers())
      return;
    Program P = build("kernel void far_away(global int *p, ulong n) {\n"
                      "  p[n] = 1;\n}\n");
    Kernel K = kernel(P, "far_away");
    constexpr size_t Size = size_t(1) << 30;
    void *All = mmap(nullptr, Size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    must(mprotect(All, 4096, PROT_READ | PROT_WRITE), "mprotect");
    must(clSetKernelArgSVMPointer(K, 0, All), "clSetKernelArgSVMPointer");
    must(setArg(K, 1, cl_ulong(100) << 20), "clSetKernelArg");
    must(launch(Q, K, {{1}}), "clEnqueueNDRangeKernel");
    clFinish(Q);
  }

private:
  void print(const Mem &M) const {
    std::printf("%d\n", read<cl_int>(M, Room)[Room - 1]);
  }

  static constexpr const char *Fill =
      "kernel void fill(global int *out, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < n)\n"
      "    out[i] = i;\n}\n";
  static constexpr const char *Search =
      "kernel void search(global int *to, global const int *a, int key) {\n"
      "  int i = 0;\n"
      "  while (a[i] != key) i++;\n"
      "  to[get_global_id(0)] = i;\n}\n"
      "kernel void meet(global int *to, global const int *a, int key) {\n"
      "  local int at;\n"
      "  int i = 0;\n"
      "  while (a[i] != key) i++;\n"
      "  if (get_local_id(0) == 0) at = i;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  to[get_global_id(0)] = at;\n}\n";
  static constexpr const char *Endless =
      "kernel void wait_for_one(volatile global int *a, int n) {\n"
      "  a[n] = 1;\n"
      "  while (a[0] != 1)\n"
      "    ;\n}\n";
};

} // namespace

/// True in the daemon, once nobody but it is left; its output is \p File.
static bool becomeDaemon(const char *File) {
  if (fork() != 0)
    return false;
  setsid();
  const char *Folder = std::getenv("WARPSAN_RUN_DIR");
  for (int I = 0; I < 3000 && Folder && access(Folder, F_OK) == 0; ++I)
    usleep(10000);
  return std::freopen(File, "w", stderr) &&
         std::freopen("/dev/null", "w", stdout);
}

int main(int Count, char **Words) {
  const std::string Word = Count > 1 ? Words[1] : "";
  if (Word == "daemon" && (Count < 3 || !becomeDaemon(Words[2])))
    return 0;
  leaveLaunchesUncounted();
  const int Times = Count > 2 ? std::atoi(Words[2]) : 1;
  Run R;
  if (Word == "ok")
    R.fill(Times, Room);
  else if (Word == "bug")
    R.fill(Times, Room + 3);
  else if (Word == "queues")
    R.queues();
  else if (Word == "unordered")
    R.unordered();
  else if (Word == "group")
    R.group();
  else if (Word == "polled")
    R.polled();
  else if (Word == "ok_search")
    R.search(500);
  else if (Word == "search")
    R.search(5000);
  else if (Word == "meeting")
    R.search(5000, /*Meeting=*/true);
  else if (Word == "endless")
    R.endless();
  else if (Word == "same")
    R.same();
  else if (Word == "order")
    R.order();
  else if (Word == "recreated")
    R.recreated();
  else if (Word == "invoked")
    R.invoked();
  else if (Word == "daemon")
    R.fill(1, Room + 3);
  else if (Word == "named")
    R.named();
  else if (Word == "forks")
    R.forks(Times);
  else if (Word == "exchange")
    R.exchange();
  else if (Word == "crash")
    R.crash();
  else
    return 64;
  std::puts("end");
  return 0;
}
