//===- test/layer/api/ndrange_test.cpp - global, local and offset ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// clEnqueueTask is deprecated and still in use.
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "test/layer/fixture.h"

#include <array>

using namespace warpsan::test;

namespace {

// Writes what every work-item function says, 16 words a work-item, at the
// work-item's position within the range (offset taken away).
const char *WhereSource = R"(
kernel void where(global uint *out) {
  size_t at = 0;
  for (int d = 2; d >= 0; --d)
    at = at * get_global_size(d) + get_global_id(d) - get_global_offset(d);
  global uint *mine = out + 16 * at;
  for (int d = 0; d < 3; ++d) {
    mine[d] = get_global_id(d);
    mine[3 + d] = get_global_offset(d);
    mine[6 + d] = get_local_id(d);
    mine[9 + d] = get_group_id(d);
  }
  mine[12] = get_num_groups(0) * 10000 + get_num_groups(1) * 100 + get_num_groups(2);
  mine[13] = get_local_size(0) * 10000 + get_local_size(1) * 100 + get_local_size(2);
  mine[14] = get_global_size(0) * 10000 + get_global_size(1) * 100 + get_global_size(2);
  mine[15] = get_work_dim();
}
)";

using Triple = std::array<size_t, 3>;

/// Position in a range of \p Size, the first dimension running fastest.
Triple position(size_t At, const Triple &Size) {
  return {At % Size[0], At / Size[0] % Size[1], At / Size[0] / Size[1]};
}

class NDRange : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    P = build(WhereSource);
    Where = kernel(P, "where");
  }

  /// Launches and compares every word with what the range says.
  void check(const Range &R) {
    Triple Global = {1, 1, 1}, Local = {1, 1, 1}, Offset = {0, 0, 0};
    for (size_t D = 0; D < R.Global.size(); ++D) {
      Global[D] = R.Global[D];
      Local[D] = R.Local[D];
      Offset[D] = R.Offset.empty() ? 0 : R.Offset[D];
    }
    size_t Items = Global[0] * Global[1] * Global[2];
    Mem Out = bufferOf(std::vector<cl_uint>(16 * Items, 0xdeadbeef));
    setArgs(Where, Out);
    ASSERT_OK(launch(Q, Where, R));
    auto Got = read<cl_uint>(Out, 16 * Items);
    auto Packed = [](const Triple &T) {
      return static_cast<cl_uint>(T[0] * 10000 + T[1] * 100 + T[2]);
    };
    Triple Groups = {Global[0] / Local[0], Global[1] / Local[1],
                     Global[2] / Local[2]};
    for (size_t At = 0; At < Items; ++At) {
      Triple Id = position(At, Global);
      std::array<cl_uint, 16> Want;
      for (size_t D = 0; D < 3; ++D) {
        Want[D] = static_cast<cl_uint>(Id[D] + Offset[D]);
        Want[3 + D] = static_cast<cl_uint>(Offset[D]);
        Want[6 + D] = static_cast<cl_uint>(Id[D] % Local[D]);
        Want[9 + D] = static_cast<cl_uint>(Id[D] / Local[D]);
      }
      Want[12] = Packed(Groups);
      Want[13] = Packed(Local);
      Want[14] = Packed(Global);
      Want[15] = static_cast<cl_uint>(R.Global.size());
      for (size_t I = 0; I < 16; ++I)
        ASSERT_EQ(Want[I], Got[16 * At + I])
            << "work-item " << At << ", word " << I;
    }
  }

  Program P;
  Kernel Where;
};

TEST_F(NDRange, OneDimension) { check({{48}, {8}}); }
TEST_F(NDRange, TwoDimensions) { check({{12, 6}, {4, 3}}); }
TEST_F(NDRange, ThreeDimensions) { check({{8, 6, 4}, {4, 2, 2}}); }
TEST_F(NDRange, OneDimensionWithOffset) { check({{48}, {8}, {1000}}); }
TEST_F(NDRange, TwoDimensionsWithOffset) { check({{12, 6}, {4, 3}, {5, 70}}); }
TEST_F(NDRange, ThreeDimensionsWithOffset) {
  check({{8, 6, 4}, {4, 2, 2}, {3, 0, 77}});
}
TEST_F(NDRange, OneWorkItem) { check({{1}, {1}}); }
TEST_F(NDRange, EqualGlobalAndLocal) { check({{16, 2, 2}, {16, 2, 2}}); }

TEST_F(NDRange, DriverChoosesTheLocalSize) {
  // Only ids are known: the choice is the driver's.
  for (const Range &R :
       {Range{{60}}, Range{{10, 6}}, Range{{4, 5, 3}}, Range{{64}, {}, {7}}}) {
    size_t Items = 1;
    for (size_t Each : R.Global)
      Items *= Each;
    Mem Out = bufferOf(std::vector<cl_uint>(16 * Items, 0xdeadbeef));
    setArgs(Where, Out);
    ASSERT_OK(launch(Q, Where, R));
    auto Got = read<cl_uint>(Out, 16 * Items);
    size_t First = R.Offset.empty() ? 0 : R.Offset[0];
    for (size_t At = 0; At < Items; ++At)
      ASSERT_EQ(At % R.Global[0] + First, Got[16 * At]);
  }
}

// What the driver tells of a launch is true of the launch.
TEST_F(NDRange, TheSuggestedLocalSizeIsTheOneChosen) {
  auto Suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(
          thePlatform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
  if (!Suggest)
    GTEST_SKIP() << "the driver suggests no local sizes";
  Program Sizes = build(R"(
    kernel void sizes(global int *out, global const int *at) {
      float a[64];
      local int t[64];
      for (int i = 0; i < 64; i++) a[i] = at[i];
      t[get_local_id(0) % 64] = at[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[at[get_global_id(0)]] = get_local_size(0);
      if (at[0] > 99) out[0] = a[at[1]] + t[at[2]];
    })");
  Kernel K = kernel(Sizes, "sizes");
  for (size_t Count : {12288, 1000, 64}) {
    std::vector<cl_int> Numbers(Count);
    for (size_t I = 0; I < Count; ++I)
      Numbers[I] = static_cast<cl_int>(I);
    Mem At = bufferOf(Numbers), Out = buffer(Count * sizeof(cl_int));
    setArgs(K, Out, At);
    size_t Told = 0;
    // rusticl refuses a launch without an offset.
    if (Suggest(Q, K, 1, nullptr, &Count, &Told) != CL_SUCCESS || !Told)
      GTEST_SKIP() << "the driver suggests nothing";
    ASSERT_OK(launch(Q, K, {{Count}}));
    EXPECT_EQ(static_cast<cl_int>(Told), read<cl_int>(Out, 1)[0]);
  }
}

TEST_F(NDRange, RequiredWorkGroupSize) {
  Program Fixed = build(R"(
    kernel __attribute__((reqd_work_group_size(8, 2, 1)))
    void fixed(global uint *out) {
      out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
          get_local_size(0) * 10 + get_local_size(1);
    })");
  Kernel K = kernel(Fixed, "fixed");
  Mem Out = bufferOf(std::vector<cl_uint>(128, 0));
  setArgs(K, Out);
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, launch(Q, K, {{16, 8}, {4, 4}}));
  EXPECT_EQ(CL_INVALID_WORK_GROUP_SIZE, launch(Q, K, {{16, 8}, {16, 1}}));
  EXPECT_EQ(std::vector<cl_uint>(128, 0), read<cl_uint>(Out, 128));
  ASSERT_OK(launch(Q, K, {{16, 8}, {8, 2}}));
  EXPECT_EQ(std::vector<cl_uint>(128, 82), read<cl_uint>(Out, 128));
  size_t Size[3] = {};
  ASSERT_OK(clGetKernelWorkGroupInfo(K, Device,
                                     CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                     sizeof(Size), Size, nullptr));
  EXPECT_EQ(8u, Size[0]);
  EXPECT_EQ(2u, Size[1]);
  EXPECT_EQ(1u, Size[2]);
}

TEST_F(NDRange, Task) {
  Program One =
      build("kernel void one(global int *x) { x[get_global_id(0)] += 5; }");
  Kernel K = kernel(One, "one");
  Mem Out = bufferOf(std::vector<cl_int>(4, 1));
  setArgs(K, Out);
  Event Done;
  ASSERT_OK(clEnqueueTask(Q, K, 0, nullptr, Done.out()));
  cl_event List[] = {Done};
  ASSERT_OK(clEnqueueTask(Q, K, 1, List, nullptr));
  countLaunches(2);
  EXPECT_EQ((std::vector<cl_int>{11, 1, 1, 1}), read<cl_int>(Out, 4));
}

// With fewer rounds than a vector of a driver's has, and work-items too.
TEST_F(NDRange, LoopsInLoopsWithFewRounds) {
  Program Nested = build(R"(
kernel void nested(global int *out, int at, int n) {
  int x[4];
  x[at] = 1;
  for (int r = 0; r < n; ++r) {
    int y[4];
    for (int k = 0; k < 4; ++k)
      y[k] = r + k;
    out[1] = y[r & 1];
  }
  out[0] = x[at];
}
)");
  Kernel K = kernel(Nested, "nested");
  for (size_t Items : {1, 16, 17})
    for (cl_int Rounds : {0, 1, 3, 20}) {
      Mem Out = bufferOf(std::vector<cl_int>{-1, -1});
      setArgs(K, Out, cl_int(2), Rounds);
      ASSERT_OK(launch(Q, K, {{Items}}));
      const cl_int Last = Rounds - 1;
      const cl_int Told = Rounds ? Last + (Last & 1) : -1;
      EXPECT_EQ((std::vector<cl_int>{1, Told}), read<cl_int>(Out, 2))
          << Items << " work-items, " << Rounds << " rounds";
    }
}

} // namespace
