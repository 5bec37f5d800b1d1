//===- test/layer/api/arguments_test.cpp - what kernels are given ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <memory>

using namespace warpsan::test;

namespace {

class Arguments : public OpenCL {};

TEST_F(Arguments, LocalArgumentsOfSeveralSizes) {
  Program P = build(R"(
    kernel void reverse(global uint *data, local uint *a, uint n, local uchar *b) {
      size_t l = get_local_id(0);
      a[l] = data[get_global_id(0)];
      b[l] = (uchar)l;
      barrier(CLK_LOCAL_MEM_FENCE);
      data[get_global_id(0)] = a[n - 1 - l] * 1000 + b[n - 1 - l];
    })");
  Kernel K = kernel(P, "reverse");
  for (size_t Local : {4u, 64u, 16u, 128u, 8u}) {
    constexpr size_t Count = 512;
    std::vector<cl_uint> In(Count);
    for (size_t I = 0; I < Count; ++I)
      In[I] = static_cast<cl_uint>(I);
    Mem Data = bufferOf(In);
    ASSERT_OK(setArg(K, 0, Data));
    ASSERT_OK(clSetKernelArg(K, 1, Local * sizeof(cl_uint), nullptr));
    ASSERT_OK(setArg(K, 2, static_cast<cl_uint>(Local)));
    ASSERT_OK(clSetKernelArg(K, 3, Local, nullptr));
    ASSERT_OK(launch(Q, K, {{Count}, {Local}}));
    auto Got = read<cl_uint>(Data, Count);
    for (size_t I = 0; I < Count; ++I) {
      size_t Twin = I / Local * Local + (Local - 1 - I % Local);
      ASSERT_EQ(Twin * 1000 + Twin % Local, Got[I]) << "local size " << Local;
    }
  }
}

TEST_F(Arguments, LocalVariableInTheKernel) {
  Program P = build(R"(
    kernel void rotate_left(global uint *data) {
      local uint tile[32];
      size_t l = get_local_id(0);
      tile[l] = data[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      data[get_global_id(0)] = tile[(l + 1) % 32];
    })");
  Kernel K = kernel(P, "rotate_left");
  std::vector<cl_uint> In(128);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_uint>(I * 3);
  Mem Data = bufferOf(In);
  setArgs(K, Data);
  ASSERT_OK(launch(Q, K, {{128}, {32}}));
  auto Got = read<cl_uint>(Data, 128);
  for (size_t I = 0; I < In.size(); ++I)
    ASSERT_EQ(In[I / 32 * 32 + (I + 1) % 32], Got[I]);
}

TEST_F(Arguments, ArgumentsMayBeSetAgainBetweenLaunches) {
  Program P = build("kernel void put(global int *out, int at, int value) { "
                    "out[at] = value; }");
  Kernel K = kernel(P, "put");
  Mem First = bufferOf(std::vector<cl_int>(8, 0));
  Mem Second = bufferOf(std::vector<cl_int>(8, 0));
  setArgs(K, First, cl_int(0), cl_int(100));
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  // Only one argument changes each time; the others keep their values.
  ASSERT_OK(setArg(K, 1, cl_int(1)));
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  ASSERT_OK(setArg(K, 2, cl_int(200)));
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  ASSERT_OK(setArg(K, 0, Second));
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  ASSERT_OK(setArg(K, 1, cl_int(7)));
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  ASSERT_OK(setArg(K, 0, First));
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  EXPECT_EQ((std::vector<cl_int>{100, 200, 0, 0, 0, 0, 0, 200}),
            read<cl_int>(First, 8));
  EXPECT_EQ((std::vector<cl_int>{0, 200, 0, 0, 0, 0, 0, 200}),
            read<cl_int>(Second, 8));
}

TEST_F(Arguments, RefusedArgumentLeavesTheOldValue) {
  Program P = build("kernel void put(global int *out, int value) { "
                    "out[get_global_id(0)] = value; }");
  Kernel K = kernel(P, "put");
  Mem Out = bufferOf(std::vector<cl_int>(4, 0));
  setArgs(K, Out, cl_int(5));
  cl_long Wide = 77;
  EXPECT_NE(CL_SUCCESS, clSetKernelArg(K, 1, sizeof(Wide), &Wide));
  EXPECT_EQ(CL_INVALID_ARG_INDEX, clSetKernelArg(K, 2, sizeof(cl_int), &Wide));
  ASSERT_OK(launch(Q, K, {{4}}));
  EXPECT_EQ(std::vector<cl_int>(4, 5), read<cl_int>(Out, 4));
}

TEST_F(Arguments, ValuesAreCopiedWhenTheyAreSet) {
  Program P = build("kernel void put(global int *out, int value) { "
                    "out[get_global_id(0)] = value; }");
  Kernel K = kernel(P, "put");
  Mem Out = bufferOf(std::vector<cl_int>(4, 0));
  ASSERT_OK(setArg(K, 0, Out));
  {
    auto Value = std::make_unique<cl_int>(42);
    ASSERT_OK(clSetKernelArg(K, 1, sizeof(cl_int), Value.get()));
    *Value = 43;
  }
  ASSERT_OK(launch(Q, K, {{4}}));
  EXPECT_EQ(std::vector<cl_int>(4, 42), read<cl_int>(Out, 4));
}

TEST_F(Arguments, ScalarsAndVectorsByValue) {
  Program P = build(R"(
    kernel void values(global float *out, char c, uchar4 uc, short3 s, int i,
                       ulong ul, float f, float4 f4, long2 l2, float16 f16) {
      out[0] = c; out[1] = uc.w; out[2] = s.z; out[3] = i; out[4] = ul;
      out[5] = f; out[6] = f4.y; out[7] = l2.y; out[8] = f16.sf; out[9] = s.x;
    })");
  Kernel K = kernel(P, "values");
  Mem Out = bufferOf(std::vector<cl_float>(10, 0));
  cl_uchar4 UC = {{1, 2, 3, 200}};
  cl_short3 S = {{-300, 1, 301, 0}};
  cl_float4 F4 = {{1.5f, 2.5f, 3.5f, 4.5f}};
  cl_long2 L2 = {{1, -5000000}};
  cl_float16 F16 = {};
  F16.s[15] = 16.25f;
  setArgs(K, Out, cl_char(-7), UC, S, cl_int(-70000), cl_ulong(1) << 40,
          cl_float(0.125f), F4, L2, F16);
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  EXPECT_EQ((std::vector<cl_float>{-7, 200, 301, -70000, 1099511627776.0f,
                                   0.125f, 2.5f, -5000000, 16.25f, -300}),
            read<cl_float>(Out, 10));
}

TEST_F(Arguments, DoubleByValue) {
  if (!deviceHas(Device, "cl_khr_fp64"))
    GTEST_SKIP() << "the device has no double";
  Program P = build(R"(
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    kernel void twice(global double *out, double x) { out[get_global_id(0)] = 2 * x; })");
  Kernel K = kernel(P, "twice");
  Mem Out = bufferOf(std::vector<cl_double>(3, 0));
  setArgs(K, Out, cl_double(1.0 / 3));
  ASSERT_OK(launch(Q, K, {{3}}));
  EXPECT_EQ(std::vector<cl_double>(3, 2 * (1.0 / 3)), read<cl_double>(Out, 3));
}

// The same layouts on both sides: no implicit padding differs.
struct Inner {
  cl_int A;
  cl_float B[3];
};
struct Outer {
  cl_char Tag;
  cl_char Pad[3];
  Inner In[2];
  cl_ulong Big;
};
static_assert(sizeof(Outer) == 48);

// Drivers that are given SPIR-V let the work-items of a group share it. PoCL
// 6.0 does so with source, too.
TEST_F(Arguments, EachWorkItemMayChangeAStructOfItsOwn) {
  if (platformName() == "Portable Computing Language")
    GTEST_SKIP();
  Program P = build(R"(
    typedef struct { uint first; uint many[6]; ulong last; } item;
    ulong last_of(item x, item y) { return x.last + y.many[0] - y.first; }
    kernel void change(global ulong *out, item given) {
      local ulong tile[8];
      size_t i = get_global_id(0), l = get_local_id(0);
      ulong sum = 0;
      given.last += i;
      given.many[l % 6] += (uint)i * 10;
      for (uint k = 1; k < 4; ++k) {
        tile[l] = last_of(given, given);
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += k * tile[(l + k) % 8];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[2 * i] = sum;
      out[2 * i + 1] = given.many[l % 6] + given.first;
    })");
  Kernel K = kernel(P, "change");
  struct {
    cl_uint First, Many[6];
    cl_uint Gap;
    cl_ulong Last;
  } Given = {7, {}, 0, 500};
  Mem Out = bufferOf(std::vector<cl_ulong>(64, 0));
  setArgs(K, Out, Given);
  ASSERT_OK(launch(Q, K, {{32}, {8}}));
  auto Got = read<cl_ulong>(Out, 64);
  for (size_t I = 0; I < 32; ++I) {
    size_t Sum = 0;
    for (size_t K = 1; K < 4; ++K) {
      const size_t L = (I + K) % 8, Its = I / 8 * 8 + L;
      Sum += K * (500 + Its + (L % 6 == 0 ? 10 * Its : 0) - 7);
    }
    ASSERT_EQ(Sum, Got[2 * I]);
    ASSERT_EQ(10 * I + 7, Got[2 * I + 1]);
  }
}

TEST_F(Arguments, StructsByValue) {
  Program P = build(R"(
    typedef struct { int a; float b[3]; } inner;
    typedef struct { char tag; char pad[3]; inner in[2]; ulong big; } outer;
    kernel void fields(global float *out, outer o, int which, inner i) {
      out[0] = o.tag;
      out[1] = o.in[which].a;
      out[2] = o.in[which].b[2];
      out[3] = o.big;
      out[4] = i.a + i.b[which];
      out[5] = sizeof(outer);
    })");
  Kernel K = kernel(P, "fields");
  Mem Out = bufferOf(std::vector<cl_float>(6, 0));
  Outer O = {};
  O.Tag = 'x';
  O.In[1] = {77, {1, 2, 3.5f}};
  O.Big = 123456;
  Inner I = {10, {0.5f, 0.25f, 0}};
  setArgs(K, Out, O, cl_int(1), I);
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  EXPECT_EQ((std::vector<cl_float>{'x', 77, 3.5f, 123456, 10.25f, 48}),
            read<cl_float>(Out, 6));
}

TEST_F(Arguments, ManyArguments) {
  constexpr unsigned Count = 48;
  std::string Text = "kernel void many(global int *out";
  for (unsigned I = 0; I < Count; ++I)
    Text += ", int a" + std::to_string(I);
  Text += ") {\n";
  for (unsigned I = 0; I < Count; ++I)
    Text += "  out[" + std::to_string(I) + "] = a" + std::to_string(I) + ";\n";
  Program P = build(Text + "}\n");
  Kernel K = kernel(P, "many");
  Mem Out = bufferOf(std::vector<cl_int>(Count, 0));
  ASSERT_OK(setArg(K, 0, Out));
  std::vector<cl_int> Want;
  for (unsigned I = 0; I < Count; ++I) {
    Want.push_back(static_cast<cl_int>(I * I));
    ASSERT_OK(setArg(K, I + 1, Want.back()));
  }
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  EXPECT_EQ(Want, read<cl_int>(Out, Count));
}

TEST_F(Arguments, NoArguments) {
  Program P = build("kernel void nothing(void) {}");
  Kernel K = kernel(P, "nothing");
  ASSERT_OK(launch(Q, K, {{64}, {8}}));
  ASSERT_OK(clFinish(Q));
}

TEST_F(Arguments, NullBuffers) {
  Program P = build(R"(
    kernel void optional(global int *out, global const int *in, constant int *table) {
      size_t i = get_global_id(0);
      out[i] = (in ? in[i] : -1) + (table ? table[i] : -10);
    })");
  Kernel K = kernel(P, "optional");
  Mem Out = bufferOf(std::vector<cl_int>(4, 0));
  Mem In = bufferOf(std::vector<cl_int>{1, 2, 3, 4});
  cl_mem None = nullptr;
  ASSERT_OK(setArg(K, 0, Out));
  ASSERT_OK(clSetKernelArg(K, 1, sizeof(cl_mem), nullptr));
  ASSERT_OK(clSetKernelArg(K, 2, sizeof(cl_mem), &None));
  ASSERT_OK(launch(Q, K, {{4}}));
  EXPECT_EQ(std::vector<cl_int>(4, -11), read<cl_int>(Out, 4));
  ASSERT_OK(setArg(K, 1, In));
  ASSERT_OK(launch(Q, K, {{4}}));
  EXPECT_EQ((std::vector<cl_int>{-9, -8, -7, -6}), read<cl_int>(Out, 4));
  ASSERT_OK(clSetKernelArg(K, 1, sizeof(cl_mem), nullptr));
  ASSERT_OK(setArg(K, 2, In));
  ASSERT_OK(launch(Q, K, {{4}}));
  EXPECT_EQ((std::vector<cl_int>{0, 1, 2, 3}), read<cl_int>(Out, 4));
}

TEST_F(Arguments, ConstantBuffersAndTables) {
  Program P = build(R"(
    constant int squares[5] = {0, 1, 4, 9, 16};
    kernel void look(global int *out, constant int *at) {
      size_t i = get_global_id(0);
      out[i] = squares[at[i]];
    })");
  Kernel K = kernel(P, "look");
  Mem Out = bufferOf(std::vector<cl_int>(5, 0));
  Mem At = bufferOf(std::vector<cl_int>{4, 3, 2, 1, 0}, CL_MEM_READ_ONLY);
  setArgs(K, Out, At);
  ASSERT_OK(launch(Q, K, {{5}}));
  EXPECT_EQ((std::vector<cl_int>{16, 9, 4, 1, 0}), read<cl_int>(Out, 5));
}

TEST_F(Arguments, FunctionsWithBarriersAreInlinedRightly) {
  Program P = build(R"(
    int total(local int *tile, int value) {
      size_t l = get_local_id(0);
      tile[l] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t width = get_local_size(0) / 2; width; width /= 2) {
        if (l < width) tile[l] += tile[l + width];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      int sum = tile[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      return sum;
    }
    kernel void sums(global int *data, local int *tile) {
      int v = data[get_global_id(0)];
      int once = total(tile, v);
      data[get_global_id(0)] = once + total(tile, 2 * v);
    })");
  Kernel K = kernel(P, "sums");
  std::vector<cl_int> In(256);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_int>(I);
  Mem Data = bufferOf(In);
  ASSERT_OK(setArg(K, 0, Data));
  ASSERT_OK(clSetKernelArg(K, 1, 32 * sizeof(cl_int), nullptr));
  ASSERT_OK(launch(Q, K, {{256}, {32}}));
  auto Got = read<cl_int>(Data, 256);
  for (size_t I = 0; I < In.size(); ++I) {
    cl_int First = static_cast<cl_int>(I / 32 * 32);
    ASSERT_EQ(3 * (32 * First + 31 * 16), Got[I]);
  }
}

// A condition that a loop with barriers leaves behind, different for each
// work-item.
TEST_F(Arguments, WhatABarrierLoopDecidesIsEachWorkItemsOwn) {
  Program P = build(R"(
    kernel void shrink(global const int *in, global int *out, int rounds,
                       local int *from, local int *to) {
      int l = get_local_id(0), last = get_local_size(0) - 1;
      from[l] = in[l];
      barrier(CLK_LOCAL_MEM_FENCE);
      bool inner = false;
      for (int k = 0; k < rounds; ++k) {
        inner = l > k && l < last - k;
        if (inner)
          to[l] = min(from[l - 1], from[l + 1]) + in[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inner)
          from[l] = to[l];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (inner)
        out[l] = to[l];
    })");
  Kernel K = kernel(P, "shrink");
  constexpr int Items = 64, Rounds = 5;
  std::vector<cl_int> In(Items);
  for (int I = 0; I < Items; ++I)
    In[I] = I * 37 % 101;
  Mem Out = bufferOf(std::vector<cl_int>(Items, -1));
  Mem Data = bufferOf(In, CL_MEM_READ_ONLY);
  setArgs(K, Data, Out, cl_int(Rounds));
  for (cl_uint Index : {3U, 4U})
    ASSERT_OK(clSetKernelArg(K, Index, Items * sizeof(cl_int), nullptr));
  ASSERT_OK(launch(Q, K, {{Items}, {Items}}));
  std::vector<cl_int> From = In, Want(Items, -1);
  for (int R = 0; R < Rounds; ++R) {
    const std::vector<cl_int> Before = From;
    for (int I = R + 1; I < Items - 1 - R; ++I)
      From[I] = std::min(Before[I - 1], Before[I + 1]) + In[R];
  }
  std::copy(From.begin() + Rounds, From.end() - Rounds, Want.begin() + Rounds);
  EXPECT_EQ(Want, read<cl_int>(Out, Items));
}

// Where the loop ends, the `if` around it ends too.
TEST_F(Arguments, APointerToOneOfTwoVariables) {
  Program P = build(R"(
    kernel void pick(global char *out, int at, int pick) {
      char spare[4];
      for (int k = 0; k < 4; ++k) spare[k] = (char)(k + 9);
      private char *q = spare;
      char x[4];
      if (pick) {
        for (int k = 0; k < 4; ++k) x[k] = (char)(k + 1);
        q = x;
      }
      out[0] = q[at];
    })");
  Kernel K = kernel(P, "pick");
  for (auto [Pick, Want] : {std::pair(1, 3), {0, 11}}) {
    Mem Out = bufferOf(std::vector<cl_char>(1, 0));
    setArgs(K, Out, cl_int(2), cl_int(Pick));
    ASSERT_OK(launch(Q, K, {{1}}));
    EXPECT_EQ(std::vector<cl_char>(1, static_cast<cl_char>(Want)),
              read<cl_char>(Out, 1));
  }
}

TEST_F(Arguments, KernelCalledByAKernel) {
  Program P = build(R"(
    kernel void one(global int *x) { x[get_global_id(0)] += 1; }
    kernel void two(global int *x) { one(x); one(x); x[get_global_id(0)] *= 10; })");
  Kernel Two = kernel(P, "two");
  Mem Data = bufferOf(std::vector<cl_int>(8, 1));
  setArgs(Two, Data);
  ASSERT_OK(launch(Q, Two, {{8}, {4}}));
  EXPECT_EQ(std::vector<cl_int>(8, 30), read<cl_int>(Data, 8));
}

} // namespace
