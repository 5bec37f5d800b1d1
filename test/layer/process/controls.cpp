//===- test/layer/process/controls.cpp - launches to be chosen from -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/process/controls: controls WORD... does what each word says,
// prints "end" and exits with 0. A word may end in "*N": so many times.
//
//   ok:KERNEL, bug:KERNEL   launches it; bug: it writes 3 elements too many,
//                           but not far. KERNEL is fill, fill_two or
//                           _Z5scalePii of one program, or alone of another
//   late:KERNEL             ok, but for the last time, which is a bug
//   new:KERNEL              ok, with a new cl_kernel each time
//   linked                  ok, of a program that is compiled and linked
//   differs                 a kernel that writes 3 elements too many as other
//                           compilers than ours preprocess it; prints what it
//                           wrote last, and what is there past the end
//   many                    a kernel whose twin would have too many arguments,
//                           and bug:fill of the same program
//   array                   a kernel that writes integers to a layer of an
//                           image array, and bug:fill; prints what is there
//   count                   two kernels in turn change one variable of their
//                           program; prints what it is in the end
//   set                     one kernel sets a variable, another one shows it
//   free, use               frees shared virtual memory; launches with it
//   release                 releases a buffer twice
//   fork                    first: goes on in a child too; the parent waits
//   debug                   first: goes on in a child, of which the parent is
//                           the debugger: prints "trap" when it has stopped
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan::test;

namespace {

const char *Source = R"(kernel void fill(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
}
kernel void fill_two(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i + n;
}
kernel void _Z5scalePii(global int *data, int n) {
  int i = get_global_id(0);
  if (i < n)
    data[i] *= 3;
}
kernel void first_and_fill(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
  out[0] = n;
}
)";

const char *Alone = R"(kernel void alone(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = -i;
}
)";

const char *Differing = R"(
#if __clang_major__ == 19
#define MORE 0
#else
#define MORE 3
#endif
kernel void differs(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n + MORE)
    out[i] = i;
}
)";

const char *Layered = R"(kernel void layer(write_only image2d_array_t to) {
  int x = get_global_id(0);
  write_imageui(to, (int4)(x, 0, 1, 0), (uint4)(x + 10, 0, 0, 0));
}
)";

const char *Counting = R"(global int counter = 100;
kernel void bump(int by) { counter += by; }
kernel void twice(global int *out) { counter *= 2; out[0] = counter; }
)";

const char *Setting = R"(global int last = 5;
kernel void remember(int v) { last = v; }
kernel void recall(global int *out) { out[0] = last; }
)";

class Run : public OpenCL {
public:
  Run() { SetUp(); }
  void TestBody() override {}

  Program &programOf(const std::string &Name) {
    Program &P = Name == "alone" ? Second : First;
    if (!P)
      P = build(Name == "alone" ? Alone : Source);
    return P;
  }

  /// \p Bad: which of \p Times is wrong; -1: all.
  void go(const std::string &Name, int Times, int Bad, bool New = false) {
    // A part: what is written past its end, natively, harms nobody.
    Mem Whole = bufferOf(std::vector<cl_int>(1024, 7));
    const cl_buffer_region Region = {0, 40 * sizeof(cl_int)};
    cl_int Error = CL_SUCCESS;
    Mem M(clCreateSubBuffer(Whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &Region,
                            &Error));
    must(Error, "clCreateSubBuffer");
    Kernel K = kernel(programOf(Name), Name.c_str());
    for (int I = 0; I < Times; ++I) {
      if (New) {
        K.reset();
        K = kernel(programOf(Name), Name.c_str());
      }
      setArgs(K, M, cl_int(Bad == -1 || Bad == I ? 43 : 40));
      must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
      if (I % 50 == 49)
        must(clFinish(Q), "clFinish");
    }
    must(clFinish(Q), "clFinish");
    std::printf("%s %d\n", Name.c_str(), read<cl_int>(M, 40)[39]);
  }

  void differs() {
    Mem Whole = bufferOf(std::vector<cl_int>(1024, 7));
    const cl_buffer_region Region = {0, 40 * sizeof(cl_int)};
    cl_int Error = CL_SUCCESS;
    Mem M(clCreateSubBuffer(Whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &Region,
                            &Error));
    must(Error, "clCreateSubBuffer");
    Program P = build(Differing);
    Kernel K = kernel(P, "differs");
    setArgs(K, M, cl_int(40));
    for (int I = 0; I < 3; ++I)
      must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    const std::vector<cl_int> Now = read<cl_int>(Whole, 43);
    std::printf("differs %d %d\n", Now[39], Now[42]);
  }

  void many() {
    constexpr unsigned Count = 128;
    std::string Args, Sum;
    for (unsigned I = 0; I < Count; ++I) {
      const std::string Name = "a" + std::to_string(I);
      Args += (I ? ", global int *" : "global int *") + Name;
      Sum += " " + Name + "[0] += " + std::to_string(I) + ";";
    }
    First = build(Source + ("kernel void many(" + Args + ") {" + Sum + " }\n"));
    Kernel K = kernel(First, "many");
    Mem Out = bufferOf(std::vector<cl_int>(1, 7));
    cl_mem Handle = Out;
    for (unsigned I = 0; I < Count; ++I)
      must(clSetKernelArg(K, I, sizeof(cl_mem), &Handle), "clSetKernelArg");
    must(launch(Q, K, {{1}, {1}}), "clEnqueueNDRangeKernel");
    std::printf("many %d\n", read<cl_int>(Out, 1)[0]);
    go("fill", 1, -1);
  }

  void array() {
    cl_image_desc Shape = {};
    Shape.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    Shape.image_width = 4;
    Shape.image_height = 1;
    Shape.image_array_size = 2;
    const cl_image_format Format = {CL_R, CL_UNSIGNED_INT32};
    cl_int Error = CL_SUCCESS;
    Mem To(clCreateImage(Ctx, CL_MEM_READ_WRITE, &Format, &Shape, nullptr,
                         &Error));
    must(Error, "clCreateImage");
    Program P = build(Layered);
    Kernel K = kernel(P, "layer");
    setArgs(K, To);
    must(launch(Q, K, {{4}}), "clEnqueueNDRangeKernel");
    const size_t From[] = {3, 0, 1}, Size[] = {1, 1, 1};
    cl_uint Last = 0;
    must(clEnqueueReadImage(Q, To, CL_TRUE, From, Size, 0, 0, &Last, 0, nullptr,
                            nullptr),
         "clEnqueueReadImage");
    std::printf("array %u\n", Last);
    go("fill", 1, -1);
  }

  void linked() {
    Program P = source(Alone);
    must(clCompileProgram(P, 1, &Device, "", 0, nullptr, nullptr, nullptr,
                          nullptr),
         "clCompileProgram");
    cl_program Parts[] = {P};
    cl_int Error = CL_SUCCESS;
    Second = Program(
        clLinkProgram(Ctx, 1, &Device, "", 1, Parts, nullptr, nullptr, &Error));
    must(Error, "clLinkProgram");
    go("alone", 1, 1);
  }

  /// Empty if the device has no program-scope variables.
  Program buildWithVariables(const char *Text) {
    if (deviceTakesC(Device, 3, 0) &&
        deviceHasFeature(Device, "__opencl_c_program_scope_global_variables"))
      return build(Text, "-cl-std=CL3.0");
    if (deviceTakesC(Device, 2, 0))
      return build(Text, "-cl-std=CL2.0");
    std::puts("no program-scope variables here");
    return {};
  }

  void count(int Times) {
    Program P = buildWithVariables(Counting);
    if (!P)
      return;
    Kernel Bump = kernel(P, "bump"), Twice = kernel(P, "twice");
    Mem Out = bufferOf(std::vector<cl_int>(1, -1));
    setArgs(Bump, cl_int(3));
    setArgs(Twice, Out);
    for (int I = 0; I < Times; ++I) {
      must(launch(Q, Bump, {{1}, {1}}), "clEnqueueNDRangeKernel");
      must(launch(Q, Twice, {{1}, {1}}), "clEnqueueNDRangeKernel");
    }
    std::printf("counter %d\n", read<cl_int>(Out, 1)[0]);
  }

  void set(int Times) {
    Program P = buildWithVariables(Setting);
    if (!P)
      return;
    Kernel Remember = kernel(P, "remember"), Recall = kernel(P, "recall");
    Mem Out = bufferOf(std::vector<cl_int>(1, -1));
    setArgs(Recall, Out);
    for (cl_int I = 0; I < Times; ++I) {
      setArgs(Remember, 10 + I);
      must(launch(Q, Remember, {{1}, {1}}), "clEnqueueNDRangeKernel");
      must(launch(Q, Recall, {{1}, {1}}), "clEnqueueNDRangeKernel");
      std::printf("last %d\n", read<cl_int>(Out, 1)[0]);
    }
  }

  void freeShared() {
    Shared = static_cast<cl_int *>(
        clSVMAlloc(Ctx, CL_MEM_READ_WRITE, 64 * sizeof(cl_int), 0));
    if (!Shared)
      std::puts("no SVM here");
    else
      clSVMFree(Ctx, Shared);
  }

  void useShared() {
    if (!Shared)
      return;
    Kernel K = kernel(programOf("fill"), "fill");
    must(clSetKernelArgSVMPointer(K, 0, Shared), "clSetKernelArgSVMPointer");
    must(setArg(K, 1, cl_int(40)), "clSetKernelArg");
    must(launch(Q, K, {{64}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

  void release() {
    Mem M = bufferOf(std::vector<cl_int>(40, 7));
    cl_mem Raw = M;
    M.reset();
    clReleaseMemObject(Raw);
  }

private:
  Program First, Second;
  cl_int *Shared = nullptr;
};

/// Lets \p Child go on whatever stops it; never returns.
[[noreturn]] void debug(pid_t Child) {
  for (int Status = 0; waitpid(Child, &Status, 0) == Child;) {
    if (WIFEXITED(Status))
      _exit(WEXITSTATUS(Status));
    if (!WIFSTOPPED(Status))
      break;
    int Signal = WSTOPSIG(Status);
    if (Signal == SIGTRAP) {
      std::puts("trap");
      Signal = 0;
    }
    ptrace(PTRACE_CONT, Child, 0, Signal);
  }
  _exit(96);
}

} // namespace

int main(int Argc, char **Argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  testing::InitGoogleTest(&Argc, Argv);
  if (Argc > 1 && std::string(Argv[1]) == "fork") {
    if (pid_t Child = fork(); Child > 0)
      waitpid(Child, nullptr, 0);
    ++Argv;
    --Argc;
  } else if (Argc > 1 && std::string(Argv[1]) == "debug") {
    if (pid_t Child = fork(); Child > 0)
      debug(Child);
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ++Argv;
    --Argc;
  }
  Run R;
  for (int I = 1; I < Argc; ++I) {
    std::string Word = Argv[I];
    int Times = 1;
    if (size_t Star = Word.find('*'); Star != std::string::npos) {
      Times = std::atoi(Word.c_str() + Star + 1);
      Word.resize(Star);
    }
    const size_t Colon = Word.find(':');
    const std::string Name =
        Colon == std::string::npos ? "" : Word.substr(Colon + 1);
    if (Word.starts_with("ok:"))
      R.go(Name, Times, Times);
    else if (Word.starts_with("bug:"))
      R.go(Name, Times, -1);
    else if (Word.starts_with("late:"))
      R.go(Name, Times, Times - 1);
    else if (Word.starts_with("new:"))
      R.go(Name, Times, Times, true);
    else if (Word == "differs")
      R.differs();
    else if (Word == "many")
      R.many();
    else if (Word == "array")
      R.array();
    else if (Word == "linked")
      R.linked();
    else if (Word == "count")
      R.count(Times);
    else if (Word == "set")
      R.set(Times);
    else if (Word == "free")
      R.freeShared();
    else if (Word == "use")
      R.useShared();
    else if (Word == "release")
      R.release();
    else
      return 97;
  }
  std::puts("end");
  return 0;
}
