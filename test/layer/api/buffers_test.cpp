//===- test/layer/api/buffers_test.cpp - buffers and sub-buffers ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <numeric>

using namespace warpsan::test;

namespace {

class Buffers : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    P = build(R"(
      kernel void fill(global int *out, int n, int value) {
        for (int i = get_global_id(0); i < n; i += get_global_size(0))
          out[i] = value + i;
      }
      kernel void twice(global const int *in, global int *out) {
        out[get_global_id(0)] = 2 * in[get_global_id(0)];
      }
      kernel void copy(global const int *in, global int *out) {
        out[get_global_id(0)] = in[get_global_id(0)];
      })");
    Fill = kernel(P, "fill");
    Copy = kernel(P, "copy");
    // Sub-buffers start at multiples of this many bytes.
    Align = deviceNumber<cl_uint>(Device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  }

  Mem subBuffer(cl_mem Parent, size_t Origin, size_t Bytes) {
    cl_buffer_region Region = {Origin, Bytes};
    cl_int Error = CL_SUCCESS;
    Mem Out(clCreateSubBuffer(Parent, CL_MEM_READ_WRITE,
                              CL_BUFFER_CREATE_TYPE_REGION, &Region, &Error));
    must(Error, "clCreateSubBuffer");
    return Out;
  }

  Program P;
  Kernel Fill, Copy;
  size_t Align = 0;
};

TEST_F(Buffers, SubBufferStartsAtItsOffset) {
  size_t Step = Align / sizeof(cl_int);
  size_t Count = 4 * Step;
  Mem Parent = bufferOf(std::vector<cl_int>(Count, -1));
  Mem Part = subBuffer(Parent, 2 * Align, Align);
  setArgs(Fill, Part, static_cast<cl_int>(Step), cl_int(1000));
  ASSERT_OK(launch(Q, Fill, {{4}}));
  auto Got = read<cl_int>(Parent, Count);
  for (size_t I = 0; I < Count; ++I)
    ASSERT_EQ(I >= 2 * Step && I < 3 * Step
                  ? static_cast<cl_int>(1000 + I - 2 * Step)
                  : -1,
              Got[I])
        << "element " << I;
}

TEST_F(Buffers, ParentAndSubBuffersInOneLaunch) {
  size_t Step = Align / sizeof(cl_int);
  std::vector<cl_int> Init(3 * Step);
  std::iota(Init.begin(), Init.end(), 0);
  Mem Parent = bufferOf(Init);
  Mem First = subBuffer(Parent, 0, Align);
  Mem Last = subBuffer(Parent, 2 * Align, Align);
  setArgs(Copy, First, Last);
  ASSERT_OK(launch(Q, Copy, {{Step}}));
  auto Got = read<cl_int>(Parent, 3 * Step);
  for (size_t I = 0; I < Step; ++I) {
    ASSERT_EQ(static_cast<cl_int>(I), Got[I]);
    ASSERT_EQ(static_cast<cl_int>(Step + I), Got[Step + I]);
    ASSERT_EQ(static_cast<cl_int>(I), Got[2 * Step + I]);
  }
  EXPECT_EQ(read<cl_int>(First, Step), read<cl_int>(Last, Step));
}

TEST_F(Buffers, SubBufferOutlivesItsParentHandle) {
  size_t Step = Align / sizeof(cl_int);
  Mem Parent = bufferOf(std::vector<cl_int>(2 * Step, -1));
  Mem Part = subBuffer(Parent, Align, Align);
  Parent.reset();
  setArgs(Fill, Part, static_cast<cl_int>(Step), cl_int(5));
  ASSERT_OK(launch(Q, Fill, {{1}}));
  auto Got = read<cl_int>(Part, Step);
  for (size_t I = 0; I < Step; ++I)
    ASSERT_EQ(static_cast<cl_int>(5 + I), Got[I]);
}

TEST_F(Buffers, OneBufferAsTwoArguments) {
  Mem Data = bufferOf(std::vector<cl_int>(64, 3));
  Kernel Twice = kernel(P, "twice");
  setArgs(Twice, Data, Data);
  ASSERT_OK(launch(Q, Twice, {{64}}));
  EXPECT_EQ(std::vector<cl_int>(64, 6), read<cl_int>(Data, 64));
}

TEST_F(Buffers, HostPointerBuffersShowTheLaunchAfterAMap) {
  std::vector<cl_int> Host(256, -1);
  cl_int Error = CL_SUCCESS;
  Mem Data(clCreateBuffer(Ctx, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                          Host.size() * sizeof(cl_int), Host.data(), &Error));
  ASSERT_OK(Error);
  setArgs(Fill, Data, cl_int(256), cl_int(9));
  ASSERT_OK(launch(Q, Fill, {{16}, {4}}));
  auto *Mapped = static_cast<cl_int *>(clEnqueueMapBuffer(
      Q, Data, CL_TRUE, CL_MAP_READ, 0, Host.size() * sizeof(cl_int), 0,
      nullptr, nullptr, &Error));
  ASSERT_OK(Error);
  EXPECT_EQ(Host.data(), Mapped);
  for (cl_int I = 0; I < 256; ++I)
    ASSERT_EQ(9 + I, Host[I]);
  ASSERT_OK(clEnqueueUnmapMemObject(Q, Data, Mapped, 0, nullptr, nullptr));
  ASSERT_OK(clFinish(Q));
}

TEST_F(Buffers, FillAndCopyCommandsBetweenLaunches) {
  Mem A = buffer(64 * sizeof(cl_int)), B = buffer(64 * sizeof(cl_int));
  cl_int Pattern = 11;
  ASSERT_OK(clEnqueueFillBuffer(Q, A, &Pattern, sizeof(Pattern), 0,
                                64 * sizeof(cl_int), 0, nullptr, nullptr));
  setArgs(Copy, A, B);
  ASSERT_OK(launch(Q, Copy, {{64}}));
  setArgs(Fill, A, cl_int(64), cl_int(0));
  ASSERT_OK(launch(Q, Fill, {{1}}));
  ASSERT_OK(clEnqueueCopyBuffer(Q, B, A, 0, 0, 32 * sizeof(cl_int), 0, nullptr,
                                nullptr));
  auto Got = read<cl_int>(A, 64);
  for (cl_int I = 0; I < 64; ++I)
    ASSERT_EQ(I < 32 ? 11 : I, Got[I]);
}

TEST_F(Buffers, OddSizes) {
  // Sizes that are no multiple of anything.
  Program Bytes = build("kernel void mark(global uchar *x) { "
                        "x[get_global_id(0)] = get_global_id(0); }");
  Kernel Mark = kernel(Bytes, "mark");
  for (size_t Size : {1u, 3u, 17u, 4097u}) {
    Mem Data = bufferOf(std::vector<cl_uchar>(Size, 0xee));
    setArgs(Mark, Data);
    ASSERT_OK(launch(Q, Mark, {{Size}}));
    auto Got = read<cl_uchar>(Data, Size);
    for (size_t I = 0; I < Size; ++I)
      ASSERT_EQ(static_cast<cl_uchar>(I), Got[I]);
  }
}

void CL_CALLBACK noteDestroyed(cl_mem, void *User) {
  ++*static_cast<int *>(User);
}

TEST_F(Buffers, DestructorCallbackRunsWhenTheLastReferenceGoes) {
  int Destroyed = 0;
  Mem Data = bufferOf(std::vector<cl_int>(64, 0));
  ASSERT_OK(clSetMemObjectDestructorCallback(Data, noteDestroyed, &Destroyed));
  setArgs(Fill, Data, cl_int(64), cl_int(0));
  ASSERT_OK(launch(Q, Fill, {{4}}));
  ASSERT_OK(clFinish(Q));
  // The kernel must not keep the buffer alive: setting an argument retains
  // nothing, and a layer that remembers arguments must not either.
  Fill.reset();
  Data.reset();
  EXPECT_EQ(1, Destroyed);
}

} // namespace
