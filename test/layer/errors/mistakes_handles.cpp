//===- test/layer/errors/mistakes_handles.cpp - released handles in use ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each word that is not an ok_ one makes one wrong call, and then prints what
// the call returned, if the driver has survived it. Its ok_ twins do what looks
// alike and is legal.
//
//===----------------------------------------------------------------------===//
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "test/layer/errors/mistakes.h"

#include "test/layer/fixture.h"

#include <cstdio>
#include <map>
#include <thread>

using namespace warpsan::test;

namespace {

const char *Source = R"(
kernel void fill(global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
}
)";

class Handles : public OpenCL {
public:
  Handles() {
    SetUp();
    P = build(Source);
    M = buffer(160);
    K = newKernel(P);
  }
  void TestBody() override {}
  using OpenCL::Ctx;
  using OpenCL::Q;

  // Their names are looked for in reports.
  [[gnu::noinline]] cl_program makeProgram() const {
    const char *Text = Source;
    cl_int Error = CL_SUCCESS;
    cl_program New = clCreateProgramWithSource(Ctx, 1, &Text, nullptr, &Error);
    must(Error, "clCreateProgramWithSource");
    return New;
  }
  [[gnu::noinline]] static cl_kernel makeKernel(cl_program From) {
    cl_int Error = CL_SUCCESS;
    cl_kernel New = clCreateKernel(From, "fill", &Error);
    must(Error, "clCreateKernel");
    return New;
  }
  [[gnu::noinline]] cl_command_queue makeQueue() const {
    cl_int Error = CL_SUCCESS;
    cl_command_queue New = clCreateCommandQueue(Ctx, Device, 0, &Error);
    must(Error, "clCreateCommandQueue");
    return New;
  }
  [[gnu::noinline]] cl_context makeContext() const {
    cl_int Error = CL_SUCCESS;
    cl_context New =
        clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
    must(Error, "clCreateContext");
    return New;
  }
  [[gnu::noinline]] cl_mem makeBuffer() const {
    cl_int Error = CL_SUCCESS;
    cl_mem New = clCreateBuffer(Ctx, CL_MEM_READ_WRITE, 160, nullptr, &Error);
    must(Error, "clCreateBuffer");
    return New;
  }

  /// One whose arguments are set.
  Kernel newKernel(cl_program From) const {
    Kernel New(makeKernel(From));
    setArgs(New, M, cl_int(40));
    return New;
  }

  [[gnu::noinline]] static void drop(cl_program Handle) {
    must(clReleaseProgram(Handle), "clReleaseProgram");
  }
  [[gnu::noinline]] static void drop(cl_kernel Handle) {
    must(clReleaseKernel(Handle), "clReleaseKernel");
  }
  [[gnu::noinline]] static void drop(cl_command_queue Handle) {
    must(clReleaseCommandQueue(Handle), "clReleaseCommandQueue");
  }
  [[gnu::noinline]] static void drop(cl_context Handle) {
    must(clReleaseContext(Handle), "clReleaseContext");
  }
  [[gnu::noinline]] static void drop(cl_mem Handle) {
    must(clReleaseMemObject(Handle), "clReleaseMemObject");
  }

  /// A handle that is released, and so often as it was retained.
  cl_program deadProgram() const {
    cl_program Dead = makeProgram();
    must(clBuildProgram(Dead, 0, nullptr, "", nullptr, nullptr),
         "clBuildProgram");
    drop(Dead);
    return Dead;
  }
  /// One that the driver keeps, since a kernel of it lives.
  cl_program keptProgram() {
    cl_program Dead = makeProgram();
    must(clBuildProgram(Dead, 0, nullptr, "", nullptr, nullptr),
         "clBuildProgram");
    Keeper = newKernel(Dead);
    drop(Dead);
    return Dead;
  }
  cl_kernel deadKernel() const {
    cl_kernel Dead = makeKernel(P);
    must(clRetainKernel(Dead), "clRetainKernel");
    setArgs(Dead, M, cl_int(40));
    must(clReleaseKernel(Dead), "clReleaseKernel");
    drop(Dead);
    return Dead;
  }
  cl_command_queue deadQueue() const {
    cl_command_queue Dead = makeQueue();
    must(clFinish(Dead), "clFinish");
    drop(Dead);
    return Dead;
  }
  cl_context deadContext() const {
    cl_context Dead = makeContext();
    drop(Dead);
    return Dead;
  }
  cl_mem deadBuffer() const {
    cl_mem Dead = makeBuffer();
    drop(Dead);
    return Dead;
  }

  Program P;
  Kernel K, Keeper;
  Mem M;
};

void say(cl_int Error) { std::printf("and then %d\n", Error); }

template <typename HandleT, typename ParamT, typename FunctionT>
cl_int askFor(FunctionT *Get, HandleT Handle, ParamT What) {
  size_t Size = 0;
  return Get(Handle, What, 0, nullptr, &Size);
}

//===----------------------------------------------------------------------===//
// Wrong
//===----------------------------------------------------------------------===//

void buildReleased(Handles &H) {
  say(clBuildProgram(H.deadProgram(), 0, nullptr, "", nullptr, nullptr));
}

void createKernelOfReleased(Handles &H) {
  cl_int Error = CL_SUCCESS;
  cl_kernel New = clCreateKernel(H.keptProgram(), "fill", &Error);
  say(Error);
  if (New)
    clReleaseKernel(New);
}

void linkReleased(Handles &H) {
  cl_int Error = CL_SUCCESS;
  const cl_program Input = H.keptProgram();
  clLinkProgram(H.Ctx, 0, nullptr, "", 1, &Input, nullptr, nullptr, &Error);
  say(Error);
}

void retainReleased(Handles &H) { say(clRetainProgram(H.keptProgram())); }

void askReleasedProgram(Handles &H) {
  say(askFor(clGetProgramInfo, H.keptProgram(), CL_PROGRAM_SOURCE));
}

void setArgOfReleased(Handles &H) {
  say(setArg(H.deadKernel(), 1, cl_int(40)));
}

void launchReleasedKernel(Handles &H) {
  say(launch(H.Q, H.deadKernel(), {{40}}));
  clFinish(H.Q);
}

void cloneReleased(Handles &H) {
  cl_int Error = CL_SUCCESS;
  clCloneKernel(H.deadKernel(), &Error);
  say(Error);
}

void askReleasedKernel(Handles &H) {
  say(askFor(clGetKernelInfo, H.deadKernel(), CL_KERNEL_FUNCTION_NAME));
}

void launchInReleasedQueue(Handles &H) {
  say(launch(H.deadQueue(), H.K, {{40}}));
}

void writeInReleasedQueue(Handles &H) {
  const cl_int Value = 1;
  say(clEnqueueWriteBuffer(H.deadQueue(), H.M, CL_TRUE, 0, sizeof(Value),
                           &Value, 0, nullptr, nullptr));
}

void finishReleased(Handles &H) { say(clFinish(H.deadQueue())); }
void flushReleased(Handles &H) { say(clFlush(H.deadQueue())); }

void makeInReleasedContext(Handles &H) {
  cl_int Error = CL_SUCCESS;
  clCreateBuffer(H.deadContext(), CL_MEM_READ_WRITE, 160, nullptr, &Error);
  say(Error);
}

void readReleased(Handles &H) {
  cl_int Value = 0;
  say(clEnqueueReadBuffer(H.Q, H.deadBuffer(), CL_TRUE, 0, sizeof(Value),
                          &Value, 0, nullptr, nullptr));
}

void setReleased(Handles &H) {
  cl_mem Dead = H.deadBuffer();
  say(clSetKernelArg(H.K, 0, sizeof(Dead), &Dead));
  launch(H.Q, H.K, {{40}});
  clFinish(H.Q);
}

/// What is released once too often can be told every time.
void releaseAllTwice(Handles &H) {
  say(clReleaseProgram(H.deadProgram()));
  say(clReleaseProgram(H.keptProgram()));
  say(clReleaseKernel(H.deadKernel()));
  say(clReleaseCommandQueue(H.deadQueue()));
  say(clReleaseContext(H.deadContext()));
  say(clReleaseMemObject(H.deadBuffer()));
  cl_int Error = CL_SUCCESS;
  cl_sampler S = clCreateSampler(H.Ctx, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                 CL_FILTER_NEAREST, &Error);
  must(Error, "clCreateSampler");
  must(clReleaseSampler(S), "clReleaseSampler");
  say(clReleaseSampler(S));
}

//===----------------------------------------------------------------------===//
// Right
//===----------------------------------------------------------------------===//

/// The driver hands the same handles out again and again.
void okAgain(Handles &H) {
  for (int I = 0; I < 200; ++I) {
    Program P(H.makeProgram());
    Queue Q(H.makeQueue());
    Context C(H.makeContext());
    Kernel K = H.newKernel(H.P);
    Mem M(H.makeBuffer());
    setArgs(K, M, cl_int(40));
    must(launch(Q, K, {{40}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
    must(askFor(clGetProgramInfo, P.get(), CL_PROGRAM_SOURCE),
         "clGetProgramInfo");
    must(askFor(clGetContextInfo, C.get(), CL_CONTEXT_DEVICES),
         "clGetContextInfo");
    H.deadProgram();
    H.deadKernel();
    H.deadQueue();
    H.deadBuffer();
  }
}

/// Kernels, queues and buffers work without what they were made of.
void okAlone(Handles &H) {
  cl_context C = H.makeContext();
  cl_int Error = CL_SUCCESS;
  const char *Text = Source;
  cl_program P = clCreateProgramWithSource(C, 1, &Text, nullptr, &Error);
  must(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  Kernel K(H.makeKernel(P));
  Queue Q(clCreateCommandQueue(C, theDevice(), 0, &Error));
  Mem M(clCreateBuffer(C, CL_MEM_READ_WRITE, 160, nullptr, &Error));
  H.drop(P);
  H.drop(C);
  setArgs(K, M, cl_int(40));
  must(launch(Q, K, {{40}}), "clEnqueueNDRangeKernel");
  must(clFinish(Q), "clFinish");
}

/// A reference that was taken counts, from wherever the handle came.
void okRetained(Handles &H) {
  cl_program Dead = H.makeProgram();
  must(clRetainProgram(Dead), "clRetainProgram");
  H.drop(Dead);
  must(clBuildProgram(Dead, 0, nullptr, "", nullptr, nullptr),
       "clBuildProgram");
  H.drop(Dead);
}

// Whether a handle that a query hands out can be used after its release depends
// on the driver: Intel's does not let anybody. Who tries is not wrong.

/// A kernel keeps its program, and tells which it is.
void okAskedOfKernel(Handles &H) {
  cl_program Gone = H.keptProgram(), Again = nullptr;
  must(clGetKernelInfo(H.Keeper, CL_KERNEL_PROGRAM, sizeof(Again), &Again,
                       nullptr),
       "clGetKernelInfo");
  must(Again == Gone ? CL_SUCCESS : CL_INVALID_VALUE, "the same program");
  cl_int Error = CL_SUCCESS;
  if (cl_kernel Another = clCreateKernel(Again, "fill", &Error))
    H.drop(Another);
  if (clRetainProgram(Again) == CL_SUCCESS)
    H.drop(Again);
}

/// The same, if it was asked before the program was released.
void okAskedBefore(Handles &H) {
  cl_program Mine = H.makeProgram(), Again = nullptr;
  must(clBuildProgram(Mine, 0, nullptr, "", nullptr, nullptr),
       "clBuildProgram");
  Kernel K = H.newKernel(Mine);
  must(clGetKernelInfo(K, CL_KERNEL_PROGRAM, sizeof(Again), &Again, nullptr),
       "clGetKernelInfo");
  H.drop(Mine);
  cl_int Error = CL_SUCCESS;
  if (cl_kernel Another = clCreateKernel(Again, "fill", &Error))
    H.drop(Another);
}

/// An event keeps its queue, a queue its context.
void okAskedOfEvent(Handles &H) {
  cl_context C = H.makeContext();
  cl_int Error = CL_SUCCESS;
  cl_command_queue Mine = clCreateCommandQueue(C, theDevice(), 0, &Error);
  must(Error, "clCreateCommandQueue");
  H.drop(C);
  Event Done;
  must(clEnqueueMarkerWithWaitList(Mine, 0, nullptr, Done.out()),
       "clEnqueueMarkerWithWaitList");
  must(clFinish(Mine), "clFinish");
  H.drop(Mine);
  cl_command_queue Q = nullptr;
  must(clGetEventInfo(Done, CL_EVENT_COMMAND_QUEUE, sizeof(Q), &Q, nullptr),
       "clGetEventInfo");
  if (clFinish(Q) != CL_SUCCESS ||
      clGetCommandQueueInfo(Q, CL_QUEUE_CONTEXT, sizeof(C), &C, nullptr) !=
          CL_SUCCESS)
    return;
  Mem M(clCreateBuffer(C, CL_MEM_READ_WRITE, 160, nullptr, &Error));
}

/// A callback gets its program from the driver.
void okCallback(Handles &H) {
  struct Answer {
    cl_int Error = 1;
  } Got;
  Program P(H.makeProgram());
  auto Built = [](cl_program Of, void *To) {
    static_cast<Answer *>(To)->Error =
        askFor(clGetProgramInfo, Of, CL_PROGRAM_SOURCE);
  };
  must(clBuildProgram(P, 0, nullptr, "", Built, &Got), "clBuildProgram");
  cl_build_status Status = CL_BUILD_IN_PROGRESS;
  while (Status == CL_BUILD_IN_PROGRESS)
    must(clGetProgramBuildInfo(P, theDevice(), CL_PROGRAM_BUILD_STATUS,
                               sizeof(Status), &Status, nullptr),
         "clGetProgramBuildInfo");
}

/// Each thread has its own, and what one lets go another may be given.
void okThreads(Handles &H) {
  std::vector<std::thread> All;
  for (int T = 0; T < 4; ++T)
    All.emplace_back([&H, T] {
      for (int I = 0; I < 100; ++I) {
        Queue Q(H.makeQueue());
        Kernel K(H.makeKernel(H.P));
        Mem M(H.makeBuffer());
        setArgs(K, M, cl_int(40));
        must(launch(Q, K, {{40}}), "clEnqueueNDRangeKernel");
        Program P(H.makeProgram());
        must(clRetainProgram(P), "clRetainProgram");
        must(clReleaseProgram(P), "clReleaseProgram");
        if (T % 2)
          must(clFinish(Q), "clFinish");
        must(askFor(clGetProgramInfo, P.get(), CL_PROGRAM_SOURCE),
             "clGetProgramInfo");
      }
    });
  for (std::thread &T : All)
    T.join();
}

} // namespace

bool warpsan::test::useHandles(std::string_view Word) {
  static const std::map<std::string_view, void (*)(Handles &)> Words = {
      {"build_released", buildReleased},
      {"create_kernel_of_released", createKernelOfReleased},
      {"link_released", linkReleased},
      {"retain_released", retainReleased},
      {"ask_released_program", askReleasedProgram},
      {"set_arg_of_released", setArgOfReleased},
      {"launch_released_kernel", launchReleasedKernel},
      {"clone_released", cloneReleased},
      {"ask_released_kernel", askReleasedKernel},
      {"launch_in_released_queue", launchInReleasedQueue},
      {"write_in_released_queue", writeInReleasedQueue},
      {"finish_released", finishReleased},
      {"flush_released", flushReleased},
      {"make_in_released_context", makeInReleasedContext},
      {"read_released", readReleased},
      {"set_released", setReleased},
      {"release_all_twice", releaseAllTwice},
      {"ok_again", okAgain},
      {"ok_alone", okAlone},
      {"ok_retained", okRetained},
      {"ok_asked_of_kernel", okAskedOfKernel},
      {"ok_asked_before", okAskedBefore},
      {"ok_asked_of_event", okAskedOfEvent},
      {"ok_callback", okCallback},
      {"ok_threads", okThreads},
  };
  auto Found = Words.find(Word);
  if (Found == Words.end())
    return false;
  Handles H;
  Found->second(H);
  return true;
}
