//===- test/layer/api/command_buffers_test.cpp - recorded launches --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <algorithm>

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
    // docs/reference/formats/summary.md to say, not for this test.
    leaveLaunchesUncounted();
    return Enqueue(0, nullptr, B, 0, nullptr, Done);
  }
  /// Whether commands but launches have the parameters of versions before
  /// 0.9.5.
  bool takesNoProperties() const {
    size_t Size = 0;
    must(clGetDeviceInfo(Device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr,
                         &Size),
         "clGetDeviceInfo");
    std::vector<cl_name_version> All(Size / sizeof(cl_name_version));
    must(clGetDeviceInfo(Device, CL_DEVICE_EXTENSIONS_WITH_VERSION, Size,
                         All.data(), nullptr),
         "clGetDeviceInfo");
    return std::any_of(All.begin(), All.end(), [](const auto &Each) {
      return std::string(Each.name) == "cl_khr_command_buffer" &&
             Each.version < CL_MAKE_VERSION(0, 9, 5);
    });
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

// In versions before 0.9.5 the call has a parameter less.
TEST_F(CommandBuffers, FillAfterALaunch) {
  CommandBuffer B = create();
  cl_sync_point_khr Added = 0;
  setArgs(Add, Data, cl_int(2));
  ASSERT_OK(record(B, Add, &Added));
  const cl_int Value = 50;
  const size_t Half = Count / 2 * sizeof(Value);
  if (takesNoProperties()) {
    using Before095 = cl_int(CL_API_CALL *)(
        cl_command_buffer_khr, cl_command_queue, cl_mem, const void *, size_t,
        size_t, size_t, cl_uint, const cl_sync_point_khr *, cl_sync_point_khr *,
        cl_mutable_command_khr *);
    ASSERT_OK(extension<Before095>("clCommandFillBufferKHR")(
        B, nullptr, Data, &Value, sizeof(Value), Half, Half, 1, &Added, nullptr,
        nullptr));
  } else {
    ASSERT_OK(extension<clCommandFillBufferKHR_fn>("clCommandFillBufferKHR")(
        B, nullptr, nullptr, Data, &Value, sizeof(Value), Half, Half, 1, &Added,
        nullptr, nullptr));
  }
  ASSERT_OK(Finalize(B));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  std::vector<cl_int> Want(Count, 3);
  std::fill(Want.begin() + Count / 2, Want.end(), Value);
  EXPECT_EQ(Want, read<cl_int>(Data, Count));
}

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
  // Only what may change does.
  cl_kernel Recorded = nullptr;
  auto Info =
      extension<clGetMutableCommandInfoKHR_fn>("clGetMutableCommandInfoKHR");
  ASSERT_OK(Info(Handle, CL_MUTABLE_DISPATCH_KERNEL_KHR, sizeof(Recorded),
                 static_cast<void *>(&Recorded), nullptr));
  EXPECT_EQ(Add.get(), Recorded);
  size_t Size = 0;
  ASSERT_OK(
      Info(Handle, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, 0, nullptr, &Size));
  EXPECT_EQ(sizeof(Arguments), Size);
  Args[1].arg_index = 2;
  EXPECT_EQ(CL_INVALID_ARG_INDEX, Update(B, 1, Types, Configs));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ(std::vector<cl_int>(Count, 122), read<cl_int>(Other, Count));
}

TEST_F(CommandBuffers, RangeUpdatedAfterwards) {
  if (!deviceHas(Device, "cl_khr_command_buffer_mutable_dispatch"))
    GTEST_SKIP() << "the device has no cl_khr_command_buffer_mutable_dispatch";
  auto Update =
      extension<clUpdateMutableCommandsKHR_fn>("clUpdateMutableCommandsKHR");
  const cl_command_buffer_properties_khr Mutable[] = {
      CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
  CommandBuffer B = create(Mutable);
  setArgs(Add, Data, cl_int(2));
  const cl_command_properties_khr Sizes[] = {
      CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
      CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0};
  size_t Global = Count, Half = Count / 2;
  cl_mutable_command_khr Handle = nullptr;
  ASSERT_OK(NDRange(B, nullptr, Sizes, Add, 1, nullptr, &Global, nullptr, 0,
                    nullptr, nullptr, &Handle));
  ASSERT_OK(Finalize(B));
  cl_mutable_dispatch_config_khr Config = {};
  Config.command = Handle;
  Config.work_dim = 1;
  Config.global_work_size = &Half;
  const cl_command_buffer_update_type_khr Types[] = {
      CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR};
  const void *Configs[] = {&Config};
  ASSERT_OK(Update(B, 1, Types, Configs));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  std::vector<cl_int> Want(Count, 1);
  std::fill(Want.begin(), Want.begin() + Half, 3);
  EXPECT_EQ(Want, read<cl_int>(Data, Count));
  cl_int By = 5;
  cl_mutable_dispatch_arg_khr Arg = {1, sizeof(By), &By};
  Config.num_args = 1;
  Config.arg_list = &Arg;
  EXPECT_EQ(CL_INVALID_OPERATION, Update(B, 1, Types, Configs));
}

// Whoever launches, the variable is the same.
TEST_F(CommandBuffers, MutableCommandsAndVariablesOfTheProgram) {
  if (!deviceHas(Device, "cl_khr_command_buffer_mutable_dispatch") ||
      !deviceHasFeature(Device, "__opencl_c_program_scope_global_variables"))
    GTEST_SKIP() << "the device has no mutable commands, or no variables";
  Program Counting = build(R"(
    global int count = 0;
    kernel void bump(global int *out) { count += 1; out[0] = count; })",
                           "-cl-std=CL3.0");
  Kernel Bump = kernel(Counting, "bump");
  setArgs(Bump, Data);
  for (int I = 0; I < 3; ++I)
    ASSERT_OK(launch(Q, Bump, {{1}, {1}}));
  const cl_command_buffer_properties_khr Mutable[] = {
      CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
  CommandBuffer B = create(Mutable);
  size_t One = 1;
  cl_mutable_command_khr Handle = nullptr;
  ASSERT_OK(NDRange(B, nullptr, nullptr, Bump, 1, nullptr, &One, nullptr, 0,
                    nullptr, nullptr, &Handle));
  ASSERT_OK(Finalize(B));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ(4, read<cl_int>(Data, 1)[0]);
  ASSERT_OK(launch(Q, Bump, {{1}, {1}}));
  EXPECT_EQ(5, read<cl_int>(Data, 1)[0]);
}

TEST_F(CommandBuffers, ForOtherQueues) {
  auto Remap = reinterpret_cast<clRemapCommandBufferKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(thePlatform(),
                                               "clRemapCommandBufferKHR"));
  if (!Remap)
    GTEST_SKIP() << "the driver remaps no command buffers";
  CommandBuffer B = create();
  setArgs(Add, Data, cl_int(2));
  ASSERT_OK(record(B, Add));
  ASSERT_OK(Finalize(B));
  Queue Other = queue(0);
  cl_command_queue Raw = Other;
  cl_int Error = CL_SUCCESS;
  CommandBuffer Copy(Remap(B, CL_FALSE, 1, &Raw, 0, nullptr, nullptr, &Error));
  if (Error == CL_INVALID_OPERATION)
    GTEST_SKIP() << "the driver remaps no command buffers";
  ASSERT_OK(Error);
  B.reset();
  ASSERT_OK(run(Copy));
  ASSERT_OK(clFinish(Other));
  expectData(3);
}

// Shared virtual memory, by recorded commands.
TEST_F(CommandBuffers, CopiesAndFillsOfSharedMemory) {
  auto Copy = reinterpret_cast<clCommandSVMMemcpyKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(thePlatform(),
                                               "clCommandSVMMemcpyKHR"));
  auto Fill = reinterpret_cast<clCommandSVMMemFillKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(thePlatform(),
                                               "clCommandSVMMemFillKHR"));
  if (!Copy || !Fill || takesNoProperties())
    GTEST_SKIP() << "the driver records no commands on shared virtual memory";
  const size_t Bytes = Count * sizeof(cl_int);
  auto *From = static_cast<cl_int *>(clSVMAlloc(
      Ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, Bytes, 0));
  auto *To = static_cast<cl_int *>(clSVMAlloc(
      Ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, Bytes, 0));
  ASSERT_TRUE(From && To);
  CommandBuffer B = create();
  cl_int Value = 40;
  cl_sync_point_khr Filled = 0, Copied = 0;
  ASSERT_OK(Fill(B, nullptr, nullptr, From, &Value, sizeof(Value), Bytes, 0,
                 nullptr, &Filled, nullptr));
  ASSERT_OK(
      Copy(B, nullptr, nullptr, To, From, Bytes, 1, &Filled, &Copied, nullptr));
  ASSERT_OK(clSetKernelArgSVMPointer(Add, 0, To));
  ASSERT_OK(setArg(Add, 1, cl_int(2)));
  ASSERT_OK(record(B, Add, nullptr, {Copied}));
  ASSERT_OK(Finalize(B));
  ASSERT_OK(run(B));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ(std::vector<cl_int>(Count, 42),
            std::vector<cl_int>(To, To + Count));
  clSVMFree(Ctx, From);
  clSVMFree(Ctx, To);
}

} // namespace
