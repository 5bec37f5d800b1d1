//===- test/layer/api/kernels_test.cpp - kernel objects and their lives ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <chrono>
#include <map>
#include <thread>

using namespace warpsan::test;

namespace {

const char *Source = R"(
kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }
kernel void mul(global int *x, int by) { x[get_global_id(0)] *= by; }
kernel void put(global int *x, int by) { x[get_global_id(0)] = by; }
)";

class Kernels : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    P = build(Source);
    Data = bufferOf(std::vector<cl_int>(16, 2));
  }
  void expectData(cl_int Value) {
    EXPECT_EQ(std::vector<cl_int>(16, Value), read<cl_int>(Data, 16));
  }
  std::string name(cl_kernel K) {
    char Text[64] = {};
    must(clGetKernelInfo(K, CL_KERNEL_FUNCTION_NAME, sizeof(Text), Text,
                         nullptr),
         "clGetKernelInfo");
    return Text;
  }

  Program P;
  Mem Data;
};

TEST_F(Kernels, CloneStartsWithTheArgumentsAndGoesItsOwnWay) {
  Kernel Add = kernel(P, "add");
  setArgs(Add, Data, cl_int(10));
  cl_int Error = CL_SUCCESS;
  Kernel Clone(clCloneKernel(Add, &Error));
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "clCloneKernel returned " << Error;
  ASSERT_OK(launch(Q, Clone, {{16}}));
  expectData(12);
  ASSERT_OK(setArg(Clone, 1, cl_int(100)));
  ASSERT_OK(launch(Q, Add, {{16}}));
  expectData(22);
  ASSERT_OK(launch(Q, Clone, {{16}}));
  expectData(122);
  Add.reset();
  ASSERT_OK(launch(Q, Clone, {{16}}));
  expectData(222);
}

TEST_F(Kernels, CloneOfAKernelWithUnsetArguments) {
  Kernel Add = kernel(P, "add");
  ASSERT_OK(setArg(Add, 0, Data));
  cl_int Error = CL_SUCCESS;
  Kernel Clone(clCloneKernel(Add, &Error));
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "clCloneKernel returned " << Error;
  ASSERT_OK(setArg(Clone, 1, cl_int(3)));
  ASSERT_OK(launch(Q, Clone, {{16}}));
  expectData(5);
}

TEST_F(Kernels, AllKernelsOfAProgram) {
  cl_uint Count = 0;
  ASSERT_OK(clCreateKernelsInProgram(P, 0, nullptr, &Count));
  ASSERT_EQ(3u, Count);
  cl_kernel Raw[3] = {};
  ASSERT_OK(clCreateKernelsInProgram(P, 3, Raw, nullptr));
  std::map<std::string, Kernel> ByName;
  for (cl_kernel Each : Raw)
    ByName[name(Each)] = Kernel(Each);
  ASSERT_EQ(3u, ByName.size());
  for (auto &[Name, K] : ByName)
    setArgs(K, Data, cl_int(5));
  ASSERT_OK(launch(Q, ByName["put"], {{16}}));
  ASSERT_OK(launch(Q, ByName["add"], {{16}}));
  ASSERT_OK(launch(Q, ByName["mul"], {{16}}));
  expectData(50);
}

TEST_F(Kernels, TwoOfOneNameHaveTheirOwnArguments) {
  Kernel First = kernel(P, "add"), Second = kernel(P, "add");
  setArgs(First, Data, cl_int(1));
  setArgs(Second, Data, cl_int(10));
  ASSERT_OK(launch(Q, First, {{16}}));
  ASSERT_OK(launch(Q, Second, {{16}}));
  ASSERT_OK(launch(Q, First, {{16}}));
  expectData(14);
}

TEST_F(Kernels, TwoProgramsMayShareAKernelName) {
  Program Other = build(
      "kernel void add(global int *x, int by) { x[get_global_id(0)] -= by; }");
  Kernel Plus = kernel(P, "add"), Minus = kernel(Other, "add");
  setArgs(Plus, Data, cl_int(10));
  setArgs(Minus, Data, cl_int(3));
  ASSERT_OK(launch(Q, Plus, {{16}}));
  ASSERT_OK(launch(Q, Minus, {{16}}));
  expectData(9);
}

TEST_F(Kernels, OutliveTheirProgram) {
  Kernel Add = kernel(P, "add");
  setArgs(Add, Data, cl_int(4));
  P.reset();
  ASSERT_OK(launch(Q, Add, {{16}}));
  ASSERT_OK(setArg(Add, 1, cl_int(6)));
  ASSERT_OK(launch(Q, Add, {{16}}));
  expectData(12);
}

TEST_F(Kernels, OutliveTheContextHandle) {
  Kernel Add = kernel(P, "add");
  Ctx.reset();
  P.reset();
  setArgs(Add, Data, cl_int(4));
  ASSERT_OK(launch(Q, Add, {{16}}));
  expectData(6);
}

TEST_F(Kernels, EverythingIsReleasedBeforeTheResultIsRead) {
  Kernel Add = kernel(P, "add");
  setArgs(Add, Data, cl_int(4));
  ASSERT_OK(launch(Q, Add, {{16}}));
  Add.reset();
  P.reset();
  Ctx.reset();
  expectData(6);
}

TEST_F(Kernels, RetainedKernelsSurviveOneRelease) {
  Kernel Add = kernel(P, "add");
  setArgs(Add, Data, cl_int(1));
  ASSERT_OK(clRetainKernel(Add));
  ASSERT_OK(clReleaseKernel(Add));
  ASSERT_OK(launch(Q, Add, {{16}}));
  expectData(3);
}

TEST_F(Kernels, BufferReplacedByOneThatMayHaveItsAddress) {
  // A released buffer's handle may be given to the next buffer, of another
  // size: what was remembered of the first must not stick to the second.
  Program Sized = build(R"(
    kernel void fill(global int *x, int n) {
      for (int i = 0; i < n; ++i) x[i] = i;
    })");
  Kernel Fill = kernel(Sized, "fill");
  for (cl_int Size : {16, 1024, 3, 4096, 1}) {
    Mem Out = buffer(Size * sizeof(cl_int));
    setArgs(Fill, Out, Size);
    ASSERT_OK(launch(Q, Fill, {{1}}));
    auto Got = read<cl_int>(Out, Size);
    for (cl_int I = 0; I < Size; ++I)
      ASSERT_EQ(I, Got[I]);
  }
}

TEST_F(Kernels, ProgramRebuiltAfterItsKernelsAreGone) {
  Program Again =
      source("kernel void put(global int *x) { x[get_global_id(0)] = VALUE; }");
  for (int Value : {7, 8, 9}) {
    std::string Options = "-DVALUE=" + std::to_string(Value);
    // PoCL's own threads may keep the last launch's kernel for a moment longer.
    cl_int Error = CL_INVALID_OPERATION;
    for (int Try = 0; Error == CL_INVALID_OPERATION && Try < 200; ++Try) {
      if (Try)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      Error =
          clBuildProgram(Again, 0, nullptr, Options.c_str(), nullptr, nullptr);
    }
    ASSERT_OK(Error);
    Kernel Put = kernel(Again, "put");
    setArgs(Put, Data);
    ASSERT_OK(launch(Q, Put, {{16}}));
    expectData(Value);
  }
}

TEST_F(Kernels, SameSourceBuiltManyTimes) {
  for (int I = 0; I < 20; ++I) {
    Program Fresh = build(Source);
    Kernel Add = kernel(Fresh, "add");
    setArgs(Add, Data, cl_int(1));
    ASSERT_OK(launch(Q, Add, {{16}}));
  }
  expectData(22);
}

} // namespace
