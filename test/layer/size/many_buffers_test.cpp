//===- test/layer/size/many_buffers_test.cpp - 100,000 live buffers -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <algorithm>
#include <random>

using namespace warpsan::test;

namespace {

constexpr size_t Live = 100'000;
constexpr size_t Items = 16; ///< ints in each buffer
constexpr unsigned Launches = 500;

class ManyBuffers : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    P = build(R"(
      kernel void blend(global int *a, global const int *b, int by) {
        size_t i = get_global_id(0);
        a[i] = a[i] * 3 + b[i] + by;
      })");
    Mix = kernel(P, "blend");
    for (size_t I = 0; I < Live; ++I)
      add(static_cast<cl_int>(I));
  }
  void add(cl_int Value) {
    std::vector<cl_int> Init(Items, Value);
    cl_int Error = CL_SUCCESS;
    Buffers.emplace_back(clCreateBuffer(Ctx, CL_MEM_COPY_HOST_PTR,
                                        Items * sizeof(cl_int), Init.data(),
                                        &Error));
    must(Error, "clCreateBuffer");
    Values.push_back(Value);
  }
  /// Launches on two of the buffers and follows what happens in Values.
  void mix(size_t A, size_t B, cl_int By) {
    setArgs(Mix, Buffers[A], Buffers[B], By);
    must(launch(Q, Mix, {{Items}}), "clEnqueueNDRangeKernel");
    Values[A] = static_cast<cl_int>(static_cast<cl_uint>(Values[A]) * 3u +
                                    static_cast<cl_uint>(Values[B]) +
                                    static_cast<cl_uint>(By));
  }
  void expectValues(size_t Every) {
    for (size_t I = 0; I < Buffers.size(); I += Every)
      ASSERT_EQ(std::vector<cl_int>(Items, Values[I]),
                read<cl_int>(Buffers[I], Items))
          << "buffer " << I;
  }

  Program P;
  Kernel Mix;
  std::vector<Mem> Buffers;
  std::vector<cl_int> Values; ///< what every element of each buffer has
  std::mt19937 Random{12345};
};

TEST_F(ManyBuffers, LaunchesFindTheirs) {
  for (unsigned N = 0; N < Launches; ++N) {
    size_t A = Random() % Live, B = Random() % Live;
    if (A != B)
      mix(A, B, static_cast<cl_int>(N));
  }
  expectValues(97);
}

TEST_F(ManyBuffers, HalfOfThemReplaced) {
  // Released in no order, so that handles come back in another one.
  std::shuffle(Buffers.begin(), Buffers.end(), Random);
  Buffers.resize(Live / 2);
  Values.clear();
  for (const Mem &Each : Buffers)
    Values.push_back(read<cl_int>(Each, 1)[0]);
  while (Buffers.size() < Live)
    add(static_cast<cl_int>(Buffers.size()));
  for (unsigned N = 0; N < Launches; ++N) {
    size_t A = Random() % Live, B = Random() % Live;
    if (A != B)
      mix(A, B, static_cast<cl_int>(N));
  }
  expectValues(97);
}

} // namespace
