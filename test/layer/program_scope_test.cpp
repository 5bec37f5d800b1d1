//===- test/layer/program_scope_test.cpp - variables that outlive a launch
//-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

using namespace warpsan::test;

namespace {

class ProgramScope : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (deviceTakesC(Device, 3, 0) &&
        deviceHasFeature(Device, "__opencl_c_program_scope_global_variables"))
      Options = "-cl-std=CL3.0";
    else if (deviceTakesC(Device, 2, 0))
      Options = "-cl-std=CL2.0";
    else
      GTEST_SKIP() << "the device has no program-scope variables";
  }

  const char *Options = nullptr;
};

TEST_F(ProgramScope, KeepsItsValueBetweenLaunches) {
  Program P = build(R"(
    global int counter = 100;
    global int table[4];
    kernel void bump(int by) { counter += by; table[by & 3] += 1; }
    kernel void show(global int *out) {
      out[0] = counter;
      for (int i = 0; i < 4; ++i) out[1 + i] = table[i];
    })",
                    Options);
  Kernel Bump = kernel(P, "bump"), Show = kernel(P, "show");
  Mem Out = bufferOf(std::vector<cl_int>(5, -1));
  setArgs(Show, Out);
  ASSERT_OK(launch(Q, Show, {{1}, {1}}));
  EXPECT_EQ((std::vector<cl_int>{100, 0, 0, 0, 0}), read<cl_int>(Out, 5));
  for (cl_int By : {1, 2, 2, 3}) {
    setArgs(Bump, By);
    ASSERT_OK(launch(Q, Bump, {{1}, {1}}));
  }
  ASSERT_OK(launch(Q, Show, {{1}, {1}}));
  EXPECT_EQ((std::vector<cl_int>{108, 0, 1, 2, 1}), read<cl_int>(Out, 5));
}

TEST_F(ProgramScope, BelongsToTheProgramNotToTheKernelObject) {
  Program P = build(R"(
    global int last;
    kernel void remember(int v) { last = v; }
    kernel void recall(global int *out) { *out = last; })",
                    Options);
  Mem Out = bufferOf(std::vector<cl_int>(1, -1));
  {
    Kernel Short = kernel(P, "remember");
    setArgs(Short, cl_int(77));
    ASSERT_OK(launch(Q, Short, {{1}, {1}}));
    ASSERT_OK(clFinish(Q));
  }
  Kernel Recall = kernel(P, "recall");
  setArgs(Recall, Out);
  ASSERT_OK(launch(Q, Recall, {{1}, {1}}));
  EXPECT_EQ(77, read<cl_int>(Out, 1)[0]);
}

TEST_F(ProgramScope, EachProgramHasItsOwn) {
  const char *Text = R"(
    global int last = 5;
    kernel void swap(global int *x) { int t = last; last = *x; *x = t; })";
  Program A = build(Text, Options), B = build(Text, Options);
  Kernel KA = kernel(A, "swap"), KB = kernel(B, "swap");
  Mem X = bufferOf(std::vector<cl_int>(1, 10));
  setArgs(KA, X);
  setArgs(KB, X);
  ASSERT_OK(launch(Q, KA, {{1}, {1}})); // A keeps 10, x = 5
  EXPECT_EQ(5, read<cl_int>(X, 1)[0]);
  ASSERT_OK(launch(Q, KB, {{1}, {1}})); // B keeps 5, x = 5
  ASSERT_OK(launch(Q, KA, {{1}, {1}})); // A keeps 5, x = 10
  EXPECT_EQ(10, read<cl_int>(X, 1)[0]);
}

TEST_F(ProgramScope, StaticVariableOfAKernel) {
  Program P = build(R"(
    kernel void next(global int *out) {
      static global int calls = 0;
      calls += 1;
      *out = calls;
    })",
                    Options);
  Kernel K = kernel(P, "next");
  Mem Out = bufferOf(std::vector<cl_int>(1, -1));
  setArgs(K, Out);
  for (cl_int Call = 1; Call <= 3; ++Call) {
    ASSERT_OK(launch(Q, K, {{1}, {1}}));
    EXPECT_EQ(Call, read<cl_int>(Out, 1)[0]);
  }
}

// Neither the size of a buffer nor shared virtual memory changes whose variable
// it is.
TEST_F(ProgramScope, KeepsItsValueWhateverTheArguments) {
  Program P = build(R"(
    global int calls = 0;
    kernel void next(global int *out, int n) {
      calls += 1;
      if (n > 4) out[4] = 0;
      out[0] = calls;
    })",
                    Options);
  Kernel K = kernel(P, "next");
  cl_int Calls = 0;
  auto Next = [&](cl_int Size) {
    Mem Out = bufferOf(std::vector<cl_int>(Size, -1));
    setArgs(K, Out, Size);
    ASSERT_OK(launch(Q, K, {{1}, {1}}));
    EXPECT_EQ(++Calls, read<cl_int>(Out, 1)[0]);
  };
  Next(8);
  Next(1);
  Next(8);
  void *Shared = clSVMAlloc(Ctx, CL_MEM_READ_WRITE, 64, 0);
  ASSERT_TRUE(Shared);
  Next(8);
  Next(1);
  clSVMFree(Ctx, Shared);
}

} // namespace
