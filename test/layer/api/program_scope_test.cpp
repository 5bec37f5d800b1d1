//===- test/layer/api/program_scope_test.cpp - program-scope variables ----===//
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

/// Variables that the host reaches by name or address, as SYCL's device_global:
/// cl_intel_global_variable_access is in no header.
class HostAccess : public ProgramScope {
protected:
  using WriteFn = cl_int(CL_API_CALL *)(cl_command_queue, cl_program,
                                        const char *, cl_bool, size_t, size_t,
                                        const void *, cl_uint, const cl_event *,
                                        cl_event *);
  using ReadFn = cl_int(CL_API_CALL *)(cl_command_queue, cl_program,
                                       const char *, cl_bool, size_t, size_t,
                                       void *, cl_uint, const cl_event *,
                                       cl_event *);
  using AddressFn = cl_int(CL_API_CALL *)(cl_device_id, cl_program,
                                          const char *, size_t *, void **);

  void SetUp() override {
    ProgramScope::SetUp();
    if (IsSkipped())
      return;
    auto Ask = [](const char *Name) {
      return clGetExtensionFunctionAddressForPlatform(thePlatform(), Name);
    };
    Write = reinterpret_cast<WriteFn>(Ask("clEnqueueWriteGlobalVariableINTEL"));
    Read = reinterpret_cast<ReadFn>(Ask("clEnqueueReadGlobalVariableINTEL"));
    Address = reinterpret_cast<AddressFn>(
        Ask("clGetDeviceGlobalVariablePointerINTEL"));
    if (!Write || !Read || !Address)
      GTEST_SKIP() << "the driver gives no access to program-scope variables";
    At = bufferOf(std::vector<cl_int>{0, 1, 2, 3});
  }
  /// `place` cannot be proven and `recall` can.
  Program constants() {
    return build(R"(
      global int table[4] = {1, 2, 3, 4};
      kernel void place(global int *out, global const int *at) {
        out[at[get_global_id(0)]] = table[get_global_id(0)];
      }
      kernel void recall(global int *out, global const int *at) {
        out[get_global_id(0)] = table[get_global_id(0)];
      })",
                 Options);
  }
  void expect(cl_program P, const std::vector<cl_int> &Want) {
    for (const char *Name : {"place", "recall"}) {
      Kernel K = kernel(P, Name);
      Mem Out = bufferOf(std::vector<cl_int>(4, -1));
      setArgs(K, Out, At);
      ASSERT_OK(launch(Q, K, {{4}}));
      EXPECT_EQ(Want, read<cl_int>(Out, 4)) << Name;
    }
  }
  cl_int write(cl_program P, cl_int Value, size_t Index) {
    return Write(Q, P, "table", CL_TRUE, sizeof(Value), Index * sizeof(Value),
                 &Value, 0, nullptr, nullptr);
  }

  WriteFn Write = nullptr;
  ReadFn Read = nullptr;
  AddressFn Address = nullptr;
  Mem At;
};

TEST_F(HostAccess, WhatIsWrittenAllKernelsSee) {
  Program P = constants();
  ASSERT_OK(write(P, 42, 1)); // before there is any twin
  expect(P, {1, 42, 3, 4});
  ASSERT_OK(write(P, 43, 3)); // and when there are
  ASSERT_OK(write(P, 44, 1));
  expect(P, {1, 44, 3, 43});
  cl_int Got[4] = {};
  ASSERT_OK(
      Read(Q, P, "table", CL_TRUE, sizeof(Got), 0, Got, 0, nullptr, nullptr));
  EXPECT_EQ((std::vector<cl_int>{1, 44, 3, 43}),
            std::vector<cl_int>(Got, Got + 4));
  EXPECT_NE(CL_SUCCESS,
            Write(Q, P, "missing", CL_TRUE, 4, 0, Got, 0, nullptr, nullptr));
  expect(P, {1, 44, 3, 43});
}

TEST_F(HostAccess, WritesWaitAndAreWaitedFor) {
  Program P = constants();
  expect(P, {1, 2, 3, 4});
  cl_int Error = CL_SUCCESS;
  Event Go(clCreateUserEvent(Ctx, &Error)), Is;
  ASSERT_OK(Error);
  cl_event After[] = {Go};
  cl_int Value = 7;
  ASSERT_OK(Write(Q, P, "table", CL_FALSE, sizeof(Value), 0, &Value, 1, After,
                  Is.out()));
  Kernel Place = kernel(P, "place");
  Mem Out = bufferOf(std::vector<cl_int>(4, -1));
  setArgs(Place, Out, At);
  Value = 9; // it is not read before it may be
  ASSERT_OK(clSetUserEventStatus(Go, CL_COMPLETE));
  ASSERT_OK(launch(Q, Place, {{4}}, {Is}));
  EXPECT_EQ((std::vector<cl_int>{9, 2, 3, 4}), read<cl_int>(Out, 4));
}

TEST_F(HostAccess, WhatKernelsChangeIsRead) {
  Program P = build(R"(
    global int count = 5;
    kernel void bump(global int *out, global const int *at) {
      count += 1;
      out[at[0]] = count;
    })",
                    Options);
  Kernel Bump = kernel(P, "bump");
  Mem Out = bufferOf(std::vector<cl_int>(1, -1));
  setArgs(Bump, Out, At);
  cl_int Value = 20;
  ASSERT_OK(Write(Q, P, "count", CL_TRUE, sizeof(Value), 0, &Value, 0, nullptr,
                  nullptr));
  for (cl_int Want : {21, 22}) {
    ASSERT_OK(launch(Q, Bump, {{1}}));
    EXPECT_EQ(Want, read<cl_int>(Out, 1)[0]);
    ASSERT_OK(Read(Q, P, "count", CL_TRUE, sizeof(Value), 0, &Value, 0, nullptr,
                   nullptr));
    EXPECT_EQ(Want, Value);
  }
  Value = 30;
  ASSERT_OK(Write(Q, P, "count", CL_TRUE, sizeof(Value), 0, &Value, 0, nullptr,
                  nullptr));
  ASSERT_OK(launch(Q, Bump, {{1}}));
  EXPECT_EQ(31, read<cl_int>(Out, 1)[0]);
}

TEST_F(HostAccess, AnAddressReachesWhatKernelsUse) {
  auto Copy = extension<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  Program P = constants();
  expect(P, {1, 2, 3, 4});
  size_t Size = 0;
  void *Pointer = nullptr;
  ASSERT_OK(Address(Device, P, "table", &Size, &Pointer));
  ASSERT_EQ(16u, Size);
  cl_int Value = 50;
  ASSERT_OK(
      Copy(Q, CL_TRUE, Pointer, &Value, sizeof(Value), 0, nullptr, nullptr));
  expect(P, {50, 2, 3, 4});
  ASSERT_OK(write(P, 51, 1));
  cl_int Got[4] = {};
  ASSERT_OK(Copy(Q, CL_TRUE, Got, Pointer, sizeof(Got), 0, nullptr, nullptr));
  EXPECT_EQ((std::vector<cl_int>{50, 51, 3, 4}),
            std::vector<cl_int>(Got, Got + 4));
  expect(P, {50, 51, 3, 4});
  void *Again = nullptr;
  ASSERT_OK(Address(Device, P, "table", &Size, &Again));
  EXPECT_EQ(Pointer, Again);
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
