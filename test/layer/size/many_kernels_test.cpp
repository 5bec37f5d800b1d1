//===- test/layer/size/many_kernels_test.cpp - 1,000 kernels --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

using namespace warpsan::test;

namespace {

constexpr unsigned Programs = 50;
constexpr unsigned KernelsEach = 20;

class ManyKernels : public OpenCL {
protected:
  /// Kernel number K of program number P multiplies by a number of its own.
  static cl_int factor(unsigned P, unsigned K) {
    return static_cast<cl_int>(P * KernelsEach + K + 2);
  }
  static std::string text(unsigned P) {
    std::string Out;
    for (unsigned K = 0; K < KernelsEach; ++K)
      Out += "kernel void times" + std::to_string(K) +
             "(global int *x, int by) { x[get_global_id(0)] = "
             "x[get_global_id(0)] * " +
             std::to_string(factor(P, K)) + " + by; }\n";
    return Out;
  }
};

TEST_F(ManyKernels, EachIsItself) {
  struct One {
    Kernel K;
    cl_int Factor;
    Mem Data;
  };
  std::vector<One> All;
  for (unsigned P = 0; P < Programs; ++P) {
    Program Each = build(text(P));
    for (unsigned K = 0; K < KernelsEach; ++K) {
      One O{kernel(Each, ("times" + std::to_string(K)).c_str()), factor(P, K),
            bufferOf(std::vector<cl_int>(8, 3))};
      setArgs(O.K, O.Data, cl_int(K));
      All.push_back(std::move(O));
    }
  } // the programs' handles are gone, the kernels hold them
  ASSERT_EQ(1000u, All.size());
  // Drivers compile a kernel when it is first launched, some 60 ms each.
  constexpr size_t Step = 9;
  for (int Round = 0; Round < 2; ++Round)
    for (size_t I = 0; I < All.size(); I += Step)
      ASSERT_OK(launch(Q, All[I].K, {{8}, {8}}));
  for (size_t I = 0; I < All.size(); I += Step) {
    cl_int By = static_cast<cl_int>(I % KernelsEach);
    cl_int Want = (3 * All[I].Factor + By) * All[I].Factor + By;
    ASSERT_EQ(std::vector<cl_int>(8, Want), read<cl_int>(All[I].Data, 8))
        << "kernel " << I;
  }
}

} // namespace
