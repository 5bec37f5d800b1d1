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

// `recall` can be proven and `place` cannot: with proofs they are of different
// programs, and so are those for shared virtual memory.
TEST_F(ProgramScope, WhatIsOnlySetIsSetForAll) {
  Program P = build(R"(
    global int last = 5;
    global const int *global from;
    kernel void remember(int v, global const int *p) { last = v; from = p; }
    kernel void recall(global int *out) { out[0] = last; }
    kernel void place(global int *out, global const int *at) {
      out[at[0]] = last;
    }
    kernel void follow(global int *out) { out[0] = *from; })",
                    Options);
  Kernel Remember = kernel(P, "remember"), Recall = kernel(P, "recall"),
         Place = kernel(P, "place"), Follow = kernel(P, "follow");
  Mem At = bufferOf(std::vector<cl_int>{1});
  auto Expect = [&](cl_int Value) {
    Mem Out = bufferOf(std::vector<cl_int>(2, -1));
    setArgs(Recall, Out);
    setArgs(Place, Out, At);
    ASSERT_OK(launch(Q, Recall, {{1}, {1}}));
    ASSERT_OK(launch(Q, Place, {{1}, {1}}));
    EXPECT_EQ((std::vector<cl_int>{Value, Value}), read<cl_int>(Out, 2));
  };
  auto Set = [&](cl_int Value) {
    setArgs(Remember, Value, At);
    ASSERT_OK(launch(Q, Remember, {{4}, {2}}));
  };
  Expect(5);
  Set(6);
  Expect(6);
  Set(7);
  Set(8);
  Expect(8);
  auto *Shared =
      static_cast<cl_int *>(clSVMAlloc(Ctx, CL_MEM_READ_WRITE, 64, 0));
  ASSERT_TRUE(Shared);
  Expect(8);
  const cl_int Filled = 42;
  ASSERT_OK(clEnqueueSVMMemFill(Q, Shared, &Filled, sizeof(Filled), 64, 0,
                                nullptr, nullptr));
  setArgs(Remember, cl_int(9));
  ASSERT_OK(clSetKernelArgSVMPointer(Remember, 1, Shared));
  ASSERT_OK(launch(Q, Remember, {{1}, {1}}));
  Expect(9);
  Mem Out = bufferOf(std::vector<cl_int>(1, -1));
  setArgs(Follow, Out);
  void *All[] = {Shared};
  ASSERT_OK(clSetKernelExecInfo(Follow, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                sizeof(All), static_cast<void *>(All)));
  ASSERT_OK(launch(Q, Follow, {{1}, {1}}));
  EXPECT_EQ(42, read<cl_int>(Out, 1)[0]);
  ASSERT_OK(clFinish(Q));
  clSVMFree(Ctx, Shared);
}

// The application's event tells that all copies are set.
TEST_F(ProgramScope, WhatIsSetWaitsAndIsWaitedFor) {
  cl_queue_properties Free[] = {CL_QUEUE_PROPERTIES,
                                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int Error = CL_SUCCESS;
  Queue Any(clCreateCommandQueueWithProperties(Ctx, Device, Free, &Error));
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "the device has no queue without order";
  Program P = build(R"(
    global int last = 0;
    kernel void remember(int v) { last = v; }
    kernel void place(global int *out, global const int *at) {
      out[at[0]] = last;
    })",
                    Options);
  Kernel Remember = kernel(P, "remember"), Place = kernel(P, "place");
  Mem At = bufferOf(std::vector<cl_int>{0}),
      Out = bufferOf(std::vector<cl_int>(1, -1));
  setArgs(Place, Out, At);
  ASSERT_OK(launch(Q, Place, {{1}, {1}})); // its twin is there
  ASSERT_OK(clFinish(Q));
  for (cl_int Value = 1; Value < 20; ++Value) {
    Event Go(clCreateUserEvent(Ctx, &Error)), Is, Done;
    ASSERT_OK(Error);
    setArgs(Remember, Value);
    ASSERT_OK(launch(Any, Remember, {{1}, {1}}, {Go}, Is.out()));
    ASSERT_OK(launch(Any, Place, {{1}, {1}}, {Is}, Done.out()));
    ASSERT_OK(clSetUserEventStatus(Go, CL_COMPLETE));
    cl_event List[] = {Done};
    ASSERT_OK(clWaitForEvents(1, List));
    EXPECT_EQ(Value, read<cl_int>(Out, 1)[0]);
  }
}

// What the driver makes of it is the same for a launch that only sets.
TEST_F(ProgramScope, WhatIsSetWithAWrongWaitList) {
  Program P = build(R"(
    global int last = 5;
    kernel void remember(int v) { last = v; }
    kernel void place(global int *out, global const int *at) {
      out[at[0]] = last;
    })",
                    Options);
  Kernel Remember = kernel(P, "remember"), Place = kernel(P, "place");
  Mem At = bufferOf(std::vector<cl_int>{0}),
      Out = bufferOf(std::vector<cl_int>(1, -1));
  setArgs(Place, Out, At);
  ASSERT_OK(launch(Q, Place, {{1}, {1}})); // its twin is there
  setArgs(Remember, cl_int(6));
  const bool PoCL = platformName() == "Portable Computing Language";
  size_t One = 1;
  Event Gate(clCreateUserEvent(Ctx, nullptr));
  cl_event List[] = {Gate};
  ASSERT_OK(clSetUserEventStatus(Gate, CL_COMPLETE));
  EXPECT_EQ(PoCL ? CL_SUCCESS : CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueNDRangeKernel(Q, Remember, 1, nullptr, &One, nullptr, 0,
                                   List, nullptr));
  if (PoCL) // and it aborts if there is a count and no list
    countLaunches(1);
  else
    EXPECT_EQ(CL_INVALID_EVENT_WAIT_LIST,
              clEnqueueNDRangeKernel(Q, Remember, 1, nullptr, &One, nullptr, 1,
                                     nullptr, nullptr));
  ASSERT_OK(launch(Q, Place, {{1}, {1}}));
  EXPECT_EQ(PoCL ? 6 : 5, read<cl_int>(Out, 1)[0]);
}

} // namespace
