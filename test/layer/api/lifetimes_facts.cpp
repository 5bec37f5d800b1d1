//===- test/layer/api/lifetimes_facts.cpp - when objects come to their end ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints in which order callbacks run while objects are released; the runner
// compares a bare run with a run under WarpSan. A layer that holds a reference
// too many makes a callback run late or never.
//
//===----------------------------------------------------------------------===//
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "test/layer/fixture.h"

#include <cstdio>

using namespace warpsan::test;

namespace {

const char *Source = R"(
kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }
kernel void mul(global int *x, int by) { x[get_global_id(0)] *= by; }
)";

void CL_CALLBACK contextGone(cl_context, void *Name) {
  std::printf("    callback: %s\n", static_cast<const char *>(Name));
}
void CL_CALLBACK programGone(cl_program, void *Name) {
  std::printf("    callback: %s\n", static_cast<const char *>(Name));
}
void CL_CALLBACK memGone(cl_mem, void *Name) {
  std::printf("    callback: %s\n", static_cast<const char *>(Name));
}
char ContextName[] = "context";
char ProgramName[] = "program";
char BufferName[] = "buffer";

/// One of everything, with callbacks on what can have them, released by a
/// string of letters: c(ontext) p(rogram) k(ernel) l(cLone) q(ueue) b(uffer)
/// e(vent).
class Lifetimes : public OpenCL {
protected:
  enum class Until { Created, Built, KernelMade, Launched };

  void SetUp() override {}

  void make(Until Stop) {
    OpenCL::SetUp();
    report("context",
           clSetContextDestructorCallback(Ctx, contextGone, ContextName));
    Data = bufferOf(std::vector<cl_int>(16, 1));
    report("buffer",
           clSetMemObjectDestructorCallback(Data, memGone, BufferName));
    P = source(Source);
    report("program", clSetProgramReleaseCallback(P, programGone, ProgramName));
    if (Stop == Until::Created)
      return;
    must(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
    if (Stop == Until::Built)
      return;
    K = kernel(P, "add");
    setArgs(K, Data, cl_int(1));
    cl_int Error = CL_SUCCESS;
    Clone = Kernel(clCloneKernel(K, &Error));
    if (Stop == Until::KernelMade)
      return;
    must(launch(Q, K, {{16}}, {}, Done.out()), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    if (Clone)
      must(launch(Q, Clone, {{16}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    waitUntilQuiet();
  }
  void report(const char *What, cl_int Error) {
    if (Error != CL_SUCCESS)
      std::printf("    no callback for the %s: %d\n", What, Error);
  }
  void release(const char *Order) {
    for (const char *C = Order; *C; ++C) {
      std::printf("    release %c\n", *C);
      switch (*C) {
      case 'c':
        Ctx.reset();
        break;
      case 'p':
        P.reset();
        break;
      case 'k':
        K.reset();
        break;
      case 'l':
        Clone.reset();
        break;
      case 'q':
        Q.reset();
        break;
      case 'b':
        Data.reset();
        break;
      case 'e':
        Done.reset();
        break;
      }
      waitUntilQuiet();
    }
  }

  Program P;
  Kernel K, Clone;
  Mem Data;
  Event Done;
};

TEST_F(Lifetimes, NothingBuilt) {
  for (const char *Order : {"bpqc", "cqpb", "pbcq"}) {
    std::printf("  %s\n", Order);
    make(Until::Created);
    release(Order);
  }
}

TEST_F(Lifetimes, BuiltOnly) {
  for (const char *Order : {"bpqc", "cqpb", "pcbq"}) {
    std::printf("  %s\n", Order);
    make(Until::Built);
    release(Order);
  }
}

TEST_F(Lifetimes, KernelNeverLaunched) {
  for (const char *Order : {"klpbqc", "pklbqc", "cpqblk", "bclkpq"}) {
    std::printf("  %s\n", Order);
    make(Until::KernelMade);
    release(Order);
  }
}

TEST_F(Lifetimes, Launched) {
  for (const char *Order :
       {"eklpbqc", "pekblqc", "cpqbkle", "ecbqlkp", "qkpbcle"}) {
    std::printf("  %s\n", Order);
    make(Until::Launched);
    release(Order);
  }
}

TEST_F(Lifetimes, RetainedProgram) {
  make(Until::Launched);
  must(clRetainProgram(P), "clRetainProgram");
  must(clRetainKernel(K), "clRetainKernel");
  must(clRetainContext(Ctx), "clRetainContext");
  cl_program RawP = P;
  cl_kernel RawK = K;
  cl_context RawC = Ctx;
  release("eklpbqc");
  std::printf("    release kernel again\n");
  clReleaseKernel(RawK);
  std::printf("    release program again\n");
  clReleaseProgram(RawP);
  std::printf("    release context again\n");
  clReleaseContext(RawC);
}

TEST_F(Lifetimes, FailedBuild) {
  OpenCL::SetUp();
  report("context",
         clSetContextDestructorCallback(Ctx, contextGone, ContextName));
  P = source("kernel void k(global int *o) { *o = undeclared; }");
  report("program", clSetProgramReleaseCallback(P, programGone, ProgramName));
  std::printf("    build: %d\n",
              clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  release("pqc");
}

TEST_F(Lifetimes, ProgramFromItsBinary) {
  make(Until::Launched);
  size_t Size = 0;
  must(clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, sizeof(Size), &Size,
                        nullptr),
       "clGetProgramInfo");
  std::vector<unsigned char> Binary(Size);
  unsigned char *Place = Binary.data();
  must(clGetProgramInfo(P, CL_PROGRAM_BINARIES, sizeof(Place), &Place, nullptr),
       "clGetProgramInfo");
  release("eklp");
  const unsigned char *Const = Binary.data();
  cl_int Error = CL_SUCCESS;
  P = Program(clCreateProgramWithBinary(Ctx, 1, &Device, &Size, &Const, nullptr,
                                        &Error));
  must(Error, "clCreateProgramWithBinary");
  must(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  K = kernel(P, "mul");
  setArgs(K, Data, cl_int(3));
  must(launch(Q, K, {{16}}), "clEnqueueNDRangeKernel");
  must(clFinish(Q), "clFinish");
  waitUntilQuiet();
  release("bkpqc");
}

TEST_F(Lifetimes, ReferenceCounts) {
  make(Until::Launched);
  auto Count = [&](const char *What) {
    cl_uint C = 0, R = 0, S = 0, M = 0;
    clGetContextInfo(Ctx, CL_CONTEXT_REFERENCE_COUNT, sizeof(C), &C, nullptr);
    clGetProgramInfo(P, CL_PROGRAM_REFERENCE_COUNT, sizeof(R), &R, nullptr);
    clGetCommandQueueInfo(Q, CL_QUEUE_REFERENCE_COUNT, sizeof(S), &S, nullptr);
    clGetMemObjectInfo(Data, CL_MEM_REFERENCE_COUNT, sizeof(M), &M, nullptr);
    // The context's count includes what the driver's own objects hold, which
    // a twin's objects add to: only the others are the application's business.
    std::printf("    %s: program %u, queue %u, buffer %u\n", What, R, S, M);
  };
  Count("after a launch");
  Done.reset();
  Count("without the event");
  K.reset();
  Clone.reset();
  Count("without the kernels");
  release("pbqc");
}

} // namespace
