//===- test/layer/untrusted/forgeries.cpp - kernels with forged pointers --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   layer_forgeries [--build] [--svm] [--file PATH] KERNEL.cl...
//
// Each file has a kernel `attack` that is launched twice: honestly, with a
// guess of 0, when it has to give what is in its own memory, and with the
// address of memory that was never given to it (or the guess that the file
// names). Prints a line a file: what it gave, and whether that memory was read
// or written. test/layer/untrusted/forgeries knows what is right. --svm: the
// program has shared virtual memory too, which makes addresses in kernels
// something to look up.
// --build: nothing is launched. --file: a file that kernels must not read, as
// SECRET_FILE.
//
//===----------------------------------------------------------------------===//
#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/mman.h>

namespace {

constexpr cl_ulong Secret = 0x5345435245543432; // "24TERCES" in memory
constexpr size_t Words = 64, SecretWords = 4096 / sizeof(cl_ulong);

cl_device_id Device;
cl_context Context;
cl_command_queue Queue;
cl_ulong *Victim; ///< a page of the process, and another program's buffer

[[noreturn]] void fail(const char *What, cl_int Error) {
  std::fprintf(stderr, "forgeries: %s: error %d\n", What, Error);
  std::exit(2);
}

void must(cl_int Error, const char *What) {
  if (Error != CL_SUCCESS)
    fail(What, Error);
}

std::string contentOf(const char *Path) {
  std::ifstream File(Path);
  return {std::istreambuf_iterator<char>(File), {}};
}

/// What follows "// \p Name:" in the file; empty if nothing does.
std::string marked(const std::string &Source, const std::string &Name) {
  const size_t At = Source.find("// " + Name + ": ");
  if (At == std::string::npos)
    return {};
  const size_t Start = At + Name.size() + 5;
  return Source.substr(Start, Source.find('\n', Start) - Start);
}

cl_mem bufferOf(const std::vector<cl_ulong> &Content) {
  cl_int Error;
  cl_mem Made = clCreateBuffer(Context, CL_MEM_COPY_HOST_PTR,
                               Content.size() * sizeof(cl_ulong),
                               const_cast<cl_ulong *>(Content.data()), &Error);
  must(Error, "clCreateBuffer");
  return Made;
}

/// Launches kernel \p Name, which may not be there. Returns the error.
cl_int launch(cl_program Program, const char *Name, cl_mem Out, cl_mem Data,
              cl_ulong Guess) {
  cl_int Error;
  cl_kernel Kernel = clCreateKernel(Program, Name, &Error);
  if (Error != CL_SUCCESS)
    return Error;
  cl_uint Count = 0;
  must(clGetKernelInfo(Kernel, CL_KERNEL_NUM_ARGS, sizeof(Count), &Count,
                       nullptr),
       "clGetKernelInfo");
  must(clSetKernelArg(Kernel, 0, sizeof(Out), &Out), "clSetKernelArg");
  must(clSetKernelArg(Kernel, 1, sizeof(Data), &Data), "clSetKernelArg");
  must(clSetKernelArg(Kernel, 2, sizeof(Guess), &Guess), "clSetKernelArg");
  const cl_ulong Struct[4] = {Secret, Secret, Secret, Secret};
  if (Count == 4)
    must(clSetKernelArg(Kernel, 3, sizeof(Struct), Struct), "clSetKernelArg");
  const size_t One = 1;
  Error = clEnqueueNDRangeKernel(Queue, Kernel, 1, nullptr, &One, &One, 0,
                                 nullptr, nullptr);
  if (Error == CL_SUCCESS)
    Error = clFinish(Queue);
  clReleaseKernel(Kernel);
  return Error;
}

struct Outcome {
  cl_int Error = CL_SUCCESS;
  cl_ulong Got = 0, Seen = 0;
};

/// \p Round: for kernels that are launched more than once, in data[12].
Outcome run(cl_program Program, cl_ulong Guess, cl_ulong Round = 0) {
  std::vector<cl_ulong> Content(Words, 0);
  cl_mem Out = bufferOf(Content);
  Content[0] = Guess ? 1 : Secret;
  Content[12] = Round;
  cl_mem Data = bufferOf(Content);
  Outcome Result;
  launch(Program, "prepare", Out, Data, Guess); // few have one
  Result.Error = launch(Program, "attack", Out, Data, Guess);
  must(clEnqueueReadBuffer(Queue, Out, CL_TRUE, 0, Words * sizeof(cl_ulong),
                           Content.data(), 0, nullptr, nullptr),
       "clEnqueueReadBuffer");
  Result.Got = Content[0];
  Result.Seen = Content[1];
  clReleaseMemObject(Data);
  clReleaseMemObject(Out);
  return Result;
}

bool isDamaged() {
  for (size_t I = 0; I < SecretWords; ++I)
    if (Victim[I] != Secret)
      return true;
  return false;
}

void attackWith(const char *Path, const char *File, bool BuildOnly) {
  const std::string Source = contentOf(Path);
  const char *Text = Source.c_str();
  std::string Options = marked(Source, "options");
  // Mesa 25.0 crashes when an option has quotes in it.
  if (File && Source.find("SECRET_FILE") != std::string::npos)
    Options += std::string(" -DSECRET_FILE=\\\"") + File + "\\\"";
  cl_int Error;
  cl_program Program =
      clCreateProgramWithSource(Context, 1, &Text, nullptr, &Error);
  must(Error, "clCreateProgramWithSource");
  const char *Slash = std::strrchr(Path, '/');
  const std::string Name = Slash ? Slash + 1 : Path;
  Error =
      clBuildProgram(Program, 1, &Device, Options.c_str(), nullptr, nullptr);
  if (Error != CL_SUCCESS) {
    std::printf("%s build=%d\n", Name.c_str(), Error);
    clReleaseProgram(Program);
    return;
  }
  if (BuildOnly) {
    clReleaseProgram(Program);
    return;
  }
  for (size_t I = 0; I < SecretWords; ++I)
    Victim[I] = Secret;
  // A line that is printed before shows who crashed.
  std::printf("%s", Name.c_str());
  std::fflush(stdout);
  const Outcome Honest = run(Program, 0);
  const std::string Given = marked(Source, "guess");
  const cl_ulong Guess = Given.empty()
                             ? reinterpret_cast<cl_ulong>(Victim)
                             : std::strtoull(Given.c_str(), nullptr, 0);
  const cl_ulong Rounds = std::max(
      1ULL, std::strtoull(marked(Source, "rounds").c_str(), nullptr, 0));
  Outcome Forged;
  for (cl_ulong Round = 0; Round < Rounds && Forged.Got != Secret; ++Round)
    Forged = run(Program, Guess, Round);
  std::printf(" honest=%d leaked=%d damaged=%d error=%d,%d\n",
              Honest.Got == Secret, Forged.Got == Secret || Forged.Seen != 0,
              isDamaged(), Honest.Error, Forged.Error);
  std::fflush(stdout);
  clReleaseProgram(Program);
}

} // namespace

int main(int Count, char **Args) {
  cl_platform_id Platform;
  must(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
  must(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
       "clGetDeviceIDs");
  cl_int Error;
  Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
  must(Error, "clCreateContext");
  Queue = clCreateCommandQueueWithProperties(Context, Device, nullptr, &Error);
  must(Error, "clCreateCommandQueueWithProperties");
  // Zeros follow, where a string ends.
  void *Page = mmap(nullptr, 2 * SecretWords * sizeof(cl_ulong),
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Page == MAP_FAILED)
    fail("mmap", 0);
  Victim = static_cast<cl_ulong *>(Page);
  cl_mem Others =
      clCreateBuffer(Context, CL_MEM_USE_HOST_PTR,
                     SecretWords * sizeof(cl_ulong), Victim, &Error);
  must(Error, "clCreateBuffer");

  void *Shared = nullptr;
  const char *File = nullptr;
  bool BuildOnly = false;
  for (int I = 1; I < Count; ++I)
    if (!std::strcmp(Args[I], "--svm"))
      Shared = clSVMAlloc(Context, CL_MEM_READ_WRITE, 4096, 0);
    else if (!std::strcmp(Args[I], "--build"))
      BuildOnly = true;
    else if (!std::strcmp(Args[I], "--file") && I + 1 < Count)
      File = Args[++I];
    else
      attackWith(Args[I], File, BuildOnly);
  if (Shared)
    clSVMFree(Context, Shared);
  clReleaseMemObject(Others);
  clReleaseCommandQueue(Queue);
  clReleaseContext(Context);
}
