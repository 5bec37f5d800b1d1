//===- test/layer/api/usm_test.cpp - Intel's unified shared memory --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <type_traits>

using namespace warpsan::test;

namespace {

constexpr size_t Count = 128;
constexpr size_t Bytes = Count * sizeof(cl_int);

/// All functions come from clGetExtensionFunctionAddressForPlatform, as SYCL
/// runtimes get them.
class USM : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (!deviceHas(Device, "cl_intel_unified_shared_memory"))
      GTEST_SKIP() << "the device has no cl_intel_unified_shared_memory";
    DeviceAlloc = extension<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
    HostAlloc = extension<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
    SharedAlloc = extension<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
    Free = extension<clMemFreeINTEL_fn>("clMemFreeINTEL");
    SetPointer = extension<clSetKernelArgMemPointerINTEL_fn>(
        "clSetKernelArgMemPointerINTEL");
    Memcpy = extension<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
    Fill = extension<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
    P = build(R"(
      kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }
      kernel void copy(global const int *in, global int *out) {
        out[get_global_id(0)] = in[get_global_id(0)];
      }
      kernel void through(global ulong *table, global int *out) {
        global int *p = (global int *)table[get_global_id(0)];
        out[get_global_id(0)] = *p;
      })");
    Add = kernel(P, "add");
  }
  void TearDown() override {
    for (void *Each : Allocated)
      EXPECT_OK(Free(Ctx, Each));
  }
  void *keep(void *Pointer, cl_int Error) {
    must(Error, "an allocation of unified shared memory");
    Allocated.push_back(Pointer);
    return Pointer;
  }
  void *device(size_t Size) {
    cl_int Error = CL_SUCCESS;
    void *Out = DeviceAlloc(Ctx, Device, nullptr, Size, 0, &Error);
    return keep(Out, Error);
  }
  void *host(size_t Size) {
    cl_int Error = CL_SUCCESS;
    void *Out = HostAlloc(Ctx, nullptr, Size, 0, &Error);
    return keep(Out, Error);
  }
  void *shared(size_t Size) {
    cl_int Error = CL_SUCCESS;
    void *Out = SharedAlloc(Ctx, Device, nullptr, Size, 0, &Error);
    return keep(Out, Error);
  }

  clDeviceMemAllocINTEL_fn DeviceAlloc = nullptr;
  clHostMemAllocINTEL_fn HostAlloc = nullptr;
  clSharedMemAllocINTEL_fn SharedAlloc = nullptr;
  clMemFreeINTEL_fn Free = nullptr;
  clSetKernelArgMemPointerINTEL_fn SetPointer = nullptr;
  clEnqueueMemcpyINTEL_fn Memcpy = nullptr;
  clEnqueueMemFillINTEL_fn Fill = nullptr;
  Program P;
  Kernel Add;
  std::vector<void *> Allocated;
};

TEST_F(USM, EveryKindAsAnArgument) {
  for (void *X : {device(Bytes), host(Bytes), shared(Bytes)}) {
    cl_int Pattern = 40;
    ASSERT_OK(
        Fill(Q, X, &Pattern, sizeof(Pattern), Bytes, 0, nullptr, nullptr));
    ASSERT_OK(SetPointer(Add, 0, X));
    ASSERT_OK(setArg(Add, 1, cl_int(2)));
    ASSERT_OK(launch(Q, Add, {{Count}, {16}}));
    std::vector<cl_int> Got(Count);
    ASSERT_OK(Memcpy(Q, CL_TRUE, Got.data(), X, Bytes, 0, nullptr, nullptr));
    EXPECT_EQ(std::vector<cl_int>(Count, 42), Got);
  }
}

TEST_F(USM, HostSeesSharedMemoryDirectly) {
  auto *X = static_cast<cl_int *>(shared(Bytes));
  for (size_t I = 0; I < Count; ++I)
    X[I] = static_cast<cl_int>(I);
  ASSERT_OK(SetPointer(Add, 0, X));
  ASSERT_OK(setArg(Add, 1, cl_int(500)));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  ASSERT_OK(clFinish(Q));
  for (size_t I = 0; I < Count; ++I)
    ASSERT_EQ(static_cast<cl_int>(500 + I), X[I]);
}

TEST_F(USM, PointerIntoAnAllocation) {
  auto *X = static_cast<cl_int *>(host(Bytes));
  std::fill(X, X + Count, 1);
  ASSERT_OK(SetPointer(Add, 0, X + 100));
  ASSERT_OK(setArg(Add, 1, cl_int(1)));
  ASSERT_OK(launch(Q, Add, {{28}}));
  ASSERT_OK(clFinish(Q));
  for (size_t I = 0; I < Count; ++I)
    ASSERT_EQ(I < 100 ? 1 : 2, X[I]);
}

TEST_F(USM, PointersInMemoryWithIndirectAccess) {
  Kernel Through = kernel(P, "through");
  auto *Table = static_cast<cl_ulong *>(host(8 * sizeof(cl_ulong)));
  for (cl_int I = 0; I < 8; ++I) {
    auto *X = static_cast<cl_int *>(shared(sizeof(cl_int)));
    *X = I * 11;
    Table[I] = reinterpret_cast<cl_ulong>(X);
  }
  Mem Out = bufferOf(std::vector<cl_int>(8, -1));
  ASSERT_OK(SetPointer(Through, 0, Table));
  ASSERT_OK(setArg(Through, 1, Out));
  cl_bool Yes = CL_TRUE;
  ASSERT_OK(clSetKernelExecInfo(
      Through, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof(Yes),
      &Yes));
  ASSERT_OK(launch(Q, Through, {{8}}));
  EXPECT_EQ((std::vector<cl_int>{0, 11, 22, 33, 44, 55, 66, 77}),
            read<cl_int>(Out, 8));
}

TEST_F(USM, BufferAndPointerTakeTurnsInOneArgument) {
  auto *X = static_cast<cl_int *>(shared(Bytes));
  std::fill(X, X + Count, 0);
  Mem Data = bufferOf(std::vector<cl_int>(Count, 0));
  Kernel Copy = kernel(P, "copy");
  ASSERT_OK(setArg(Add, 1, cl_int(3)));
  ASSERT_OK(SetPointer(Add, 0, X));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  ASSERT_OK(SetPointer(Copy, 0, X));
  ASSERT_OK(setArg(Copy, 1, Data));
  ASSERT_OK(launch(Q, Copy, {{Count}}));
  ASSERT_OK(setArg(Add, 0, Data));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  EXPECT_EQ(std::vector<cl_int>(Count, 6), read<cl_int>(Data, Count));
  EXPECT_EQ(3, X[0]);
}

TEST_F(USM, AllocationSizesAreExact) {
  auto GetInfo = extension<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
  void *X = shared(1234);
  size_t Size = 0;
  void *Base = nullptr;
  ASSERT_OK(
      GetInfo(Ctx, X, CL_MEM_ALLOC_SIZE_INTEL, sizeof(Size), &Size, nullptr));
  ASSERT_OK(GetInfo(Ctx, static_cast<char *>(X) + 100,
                    CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof(Base), &Base, nullptr));
  EXPECT_EQ(1234u, Size);
  EXPECT_EQ(X, Base);
}

// Neither what was freed nor what comes after an allocation is one.
TEST_F(USM, AddressesWithoutAnAllocationAreUnknown) {
  auto GetInfo = extension<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
  auto TypeOf = [&](const void *Pointer) {
    cl_unified_shared_memory_type_intel Type = 0;
    must(GetInfo(Ctx, Pointer, CL_MEM_ALLOC_TYPE_INTEL, sizeof(Type), &Type,
                 nullptr),
         "clGetMemAllocInfoINTEL");
    return Type;
  };
  auto BaseOf = [&](const void *Pointer) {
    void *Base = nullptr;
    must(GetInfo(Ctx, Pointer, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof(Base), &Base,
                 nullptr),
         "clGetMemAllocInfoINTEL");
    return Base;
  };
  cl_int Error = CL_SUCCESS;
  auto *X = static_cast<char *>(HostAlloc(Ctx, nullptr, 4096, 0, &Error));
  ASSERT_OK(Error);
  ASSERT_EQ(CL_MEM_TYPE_HOST_INTEL, TypeOf(X + 4095));
  EXPECT_EQ(CL_MEM_TYPE_UNKNOWN_INTEL, TypeOf(X + 4096 + 4));
  ASSERT_OK(Free(Ctx, X));
  EXPECT_EQ(CL_MEM_TYPE_UNKNOWN_INTEL, TypeOf(X));
  EXPECT_EQ(CL_MEM_TYPE_UNKNOWN_INTEL, TypeOf(X + 100));
  EXPECT_EQ(nullptr, BaseOf(X));
}

TEST_F(USM, CloneKeepsThePointer) {
  auto *X = static_cast<cl_int *>(shared(Bytes));
  std::fill(X, X + Count, 0);
  ASSERT_OK(SetPointer(Add, 0, X));
  ASSERT_OK(setArg(Add, 1, cl_int(9)));
  cl_int Error = CL_SUCCESS;
  Kernel Clone(clCloneKernel(Add, &Error));
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "clCloneKernel returned " << Error;
  ASSERT_OK(launch(Q, Clone, {{Count}}));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ(std::vector<cl_int>(Count, 9), std::vector<cl_int>(X, X + Count));
}

TEST_F(USM, BlockingFree) {
  auto BlockingFree =
      extension<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  cl_int Error = CL_SUCCESS;
  void *X = DeviceAlloc(Ctx, Device, nullptr, Bytes, 0, &Error);
  ASSERT_OK(Error);
  ASSERT_OK(SetPointer(Add, 0, X));
  ASSERT_OK(setArg(Add, 1, cl_int(1)));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  ASSERT_OK(clFlush(Q));
  EXPECT_OK(BlockingFree(Ctx, X));
  ASSERT_OK(clFinish(Q));
}

} // namespace
