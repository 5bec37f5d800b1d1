//===- test/apps/programs/blas.cpp - CLBlast: gemm, axpy ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "first_device.h"
#include "verdict.h"
#include <clblast.h>

#include <numeric>

namespace {

// Sizes that no tile divides, so that CLBlast's padding kernels run too.
constexpr std::size_t M = 130, N = 70, K = 90;

std::vector<float> smallIntegers(std::size_t Count, unsigned Modulus) {
  std::vector<float> Values(Count);
  unsigned State = 1;
  for (float &Value : Values) {
    State = State * 1664525u + 1013904223u;
    Value = float((State >> 16) % Modulus);
  }
  return Values;
}

std::vector<float> multiply(const std::vector<float> &A,
                            const std::vector<float> &B) {
  std::vector<float> C(M * N);
  for (std::size_t I = 0; I < M; ++I)
    for (std::size_t L = 0; L < K; ++L)
      for (std::size_t J = 0; J < N; ++J)
        C[I * N + J] += A[I * K + L] * B[L * N + J];
  return C;
}

void require(clblast::StatusCode Status, const char *What) {
  ::require(static_cast<cl_int>(Status), What);
}

} // namespace

int main() {
  FirstDevice D;
  const std::vector<float> A = smallIntegers(M * K, 7),
                           B = smallIntegers(K * N, 5);
  std::vector<float> Expected = multiply(A, B);
  cl_mem BufferA = D.buffer(A), BufferB = D.buffer(B),
         BufferC = D.buffer(std::vector<float>(M * N, 1.f));

  // Integers this small are exact in float: no error is allowed.
  auto compare = [&](const char *Name) {
    std::vector<float> Got = D.read(BufferC, M * N);
    verdict::step(Name, std::accumulate(Got.begin(), Got.end(), 0.0),
                  verdict::largestDifference(Got, Expected, M * N), 0);
  };

  cl_event Done = nullptr;
  require(clblast::Gemm<float>(clblast::Layout::kRowMajor,
                               clblast::Transpose::kNo, clblast::Transpose::kNo,
                               M, N, K, 1.f, BufferA, 0, K, BufferB, 0, N, 0.f,
                               BufferC, 0, N, &D.Queue, &Done),
          "gemm");
  require(clWaitForEvents(1, &Done), "clWaitForEvents");
  clReleaseEvent(Done);
  compare("gemm, sum");

  require(clblast::Axpy<float>(M * N, 2.f, BufferC, 0, 1, BufferC, 0, 1,
                               &D.Queue, nullptr),
          "axpy");
  require(clFinish(D.Queue), "clFinish");
  for (float &Value : Expected)
    Value *= 3;
  compare("axpy, sum");

  for (cl_mem Buffer : {BufferA, BufferB, BufferC})
    clReleaseMemObject(Buffer);
  return verdict::exitCode();
}
