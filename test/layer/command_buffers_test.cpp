//===- test/layer/command_buffers_test.cpp - launches recorded, run later
//--===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

using namespace warpsan::test;

namespace {

constexpr size_t Count = 64;

cl_int releaseCommandBuffer(cl_command_buffer_khr B) {
  return extension<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR")(
      B);
}
using CommandBuffer = Own<cl_command_buffer_khr, releaseCommandBuffer>;

class CommandBuffers : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (!deviceHas(Device, "cl_khr_command_buffer"))
      GTEST_SKIP() << "the device has no cl_khr_command_buffer";
    Create = extension<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
    Finalize =
        extension<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
    Enqueue =
        extension<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
    NDRange =
        extension<clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
    P = build(R"(
      kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }
      kernel void mul(global int *x, int by) { x[get_global_id(0)] *= by; })");
    Add = kernel(P, "add");
    Mul = kernel(P, "mul");
    Data = bufferOf(std::vector<cl_int>(Count, 1));
  }
  CommandBuffer create(const cl_command_buffer_properties_khr *List = nullptr) {
    cl_command_queue Raw = Q;
    cl_int Error = CL_SUCCESS;
    CommandBuffer Out(Create(1, &Raw, List, &Error));
    must(Error, "clCreateCommandBufferKHR");
    return Out;
  }
  cl_int record(cl_command_buffer_khr Into, cl_kernel K,
                cl_sync_point_khr *Point = nullptr,
                const std::vector<cl_sync_point_khr> &After = {}) {
    size_t Global = Count;
    return NDRange(Into, nullptr, nullptr, K, 1, nullptr, &Global, nullptr,
                   static_cast<cl_uint>(After.size()),
                   After.empty() ? nullptr : After.data(), Point, nullptr);
  }
  cl_int run(cl_command_buffer_khr B, cl_event *Done = nullptr) {
    // Whether a recorded launch counts once or each time it is run is for
    // docs/summary.md to say, not for this test.
    leaveLaunchesUncounted();
    return Enqueue(0, nullptr, B, 0, nullptr, Done);
  }
  void expectData(cl_int Value) {
    EXPECT_EQ(std::vector<cl_int>(Count, Value), read<cl_int>(Data, Count));
  }

  clCreateCommandBufferKHR_fn Create = nullptr;
  clFinalizeCommandBufferKHR_fn Finalize = nullptr;
  clEnqueueCommandBufferKHR_fn Enqueue = nullptr;
  clCommandNDRangeKernelKHR_fn NDRange = nullptr;
  Program P;
  Kernel Add, Mul;
  Mem Data;
};

TEST_F(CommandBuffers, RecordOnceRunThrice) {
  CommandBuffer B = create();
  setArgs(Add, Data, cl_int(2));
  ASSERT_OK(record(B, Add));
  ASSERT_OK(Finalize(B));
  for (int Round = 0; Round < 3; ++Round) {
    ASSERT_OK(run(B));
    ASSERT_OK(clFinish(Q));
  }
  expectData(7);
}

TEST_F(CommandBuffers, ArgumentsAreThoseOfTheRecording) {
  CommandBuffer B = create();
  cl_sync_point_khr First = 0, Second = 0;
  setArgs(Add, Data, cl_int(2));
  ASSERT_OK(record(B, Add, &First));
  setArgs(Mul, Data, cl_int(10));
  ASSERT_OK(record(B, Mul, &Second, {First}));
  setArgs(Add, Data, cl_int(5));
  ASSERT_OK(record(B, Add, nullptr, {Second}));
  ASSERT_OK(Finalize(B));
  setArgs(Add, Data, cl_int(1000000));
  setArgs(Mul, Data, cl_int(0));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  expectData(35);
}

TEST_F(CommandBuffers, OutliveTheirKernels) {
  CommandBuffer B = create();
  setArgs(Add, Data, cl_int(3));
  ASSERT_OK(record(B, Add));
  ASSERT_OK(Finalize(B));
  Add.reset();
  Mul.reset();
  P.reset();
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  expectData(4);
}

TEST_F(CommandBuffers, OrdinaryLaunchesInBetween) {
  CommandBuffer B = create();
  setArgs(Add, Data, cl_int(1));
  ASSERT_OK(record(B, Add));
  ASSERT_OK(Finalize(B));
  setArgs(Mul, Data, cl_int(2));
  for (int Round = 0; Round < 4; ++Round) {
    ASSERT_OK(run(B));
    ASSERT_OK(launch(Q, Mul, {{Count}}));
    ASSERT_OK(clFinish(Q));
  }
  expectData(46);
}

TEST_F(CommandBuffers, EventIsThatOfACommandBuffer) {
  CommandBuffer B = create();
  setArgs(Add, Data, cl_int(1));
  ASSERT_OK(record(B, Add));
  ASSERT_OK(Finalize(B));
  Event Done;
  ASSERT_OK(run(B, Done.out()));
  cl_event List[] = {Done};
  ASSERT_OK(clWaitForEvents(1, List));
  cl_command_type Type = 0;
  ASSERT_OK(clGetEventInfo(Done, CL_EVENT_COMMAND_TYPE, sizeof(Type), &Type,
                           nullptr));
  EXPECT_EQ(static_cast<cl_command_type>(CL_COMMAND_COMMAND_BUFFER_KHR), Type);
  expectData(2);
}

TEST_F(CommandBuffers, ArgumentsUpdatedAfterwards) {
  if (!deviceHas(Device, "cl_khr_command_buffer_mutable_dispatch"))
    GTEST_SKIP() << "the device has no cl_khr_command_buffer_mutable_dispatch";
  auto Update =
      extension<clUpdateMutableCommandsKHR_fn>("clUpdateMutableCommandsKHR");
  const cl_command_buffer_properties_khr Mutable[] = {
      CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
  CommandBuffer B = create(Mutable);
  setArgs(Add, Data, cl_int(2));
  const cl_command_properties_khr Arguments[] = {
      CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
      CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
  size_t Global = Count;
  cl_mutable_command_khr Handle = nullptr;
  ASSERT_OK(NDRange(B, nullptr, Arguments, Add, 1, nullptr, &Global, nullptr, 0,
                    nullptr, nullptr, &Handle));
  ASSERT_OK(Finalize(B));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  expectData(3);
  // Another buffer and another value.
  Mem Other = bufferOf(std::vector<cl_int>(Count, 100));
  cl_mem OtherRaw = Other;
  cl_int By = 11;
  cl_mutable_dispatch_arg_khr Args[2] = {};
  Args[0].arg_index = 0;
  Args[0].arg_size = sizeof(OtherRaw);
  Args[0].arg_value = &OtherRaw;
  Args[1].arg_index = 1;
  Args[1].arg_size = sizeof(By);
  Args[1].arg_value = &By;
  cl_mutable_dispatch_config_khr Config = {};
  Config.command = Handle;
  Config.num_args = 2;
  Config.arg_list = Args;
  const cl_command_buffer_update_type_khr Types[] = {
      CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR};
  const void *Configs[] = {&Config};
  ASSERT_OK(Update(B, 1, Types, Configs));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  expectData(3);
  EXPECT_EQ(std::vector<cl_int>(Count, 111), read<cl_int>(Other, Count));
  // Updates go past WarpSan, so what is recorded is the native kernel.
  expectNative(2, "add", "mutable command");
}

} // namespace
