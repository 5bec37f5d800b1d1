//===- test/layer/process/references.cpp - references to a context --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With test/layer/layers/counts_retains.cpp below WarpSan: the application's
// reference is the only one, also after a launch.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

using namespace warpsan::test;

namespace {

class References : public OpenCL {
protected:
  cl_uint count() const {
    cl_uint Count = 0;
    must(clGetContextInfo(Ctx, CL_CONTEXT_REFERENCE_COUNT, sizeof(Count),
                          &Count, nullptr),
         "clGetContextInfo");
    return Count;
  }
};

TEST_F(References, StayTheApplicationsOwn) {
  EXPECT_EQ(count(), 1U);
  Program P = build("kernel void twice(global int *x) {\n"
                    "  x[get_global_id(0)] *= 2;\n"
                    "}\n");
  Kernel K = kernel(P, "twice");
  Mem M = bufferOf(std::vector<cl_int>(64, 7));
  setArgs(K, M);
  ASSERT_OK(launch(Q, K, {{64}}));
  EXPECT_EQ(read<cl_int>(M, 64), std::vector<cl_int>(64, 14));
  EXPECT_EQ(count(), 1U);
  ASSERT_OK(clRetainContext(Ctx));
  EXPECT_EQ(count(), 2U);
  ASSERT_OK(clReleaseContext(Ctx));
  EXPECT_EQ(count(), 1U);
}

} // namespace
