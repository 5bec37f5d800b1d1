//===- test/apps/programs/viennacl.cpp - ViennaCL: products, a solver -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define CL_TARGET_OPENCL_VERSION 120
#define VIENNACL_WITH_OPENCL
#include "verdict.h"
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

#include <map>
#include <vector>

namespace {

constexpr int N = 500;

/// A matrix with 2.1 on the diagonal and -1 beside it: positive definite.
std::vector<std::map<unsigned, float>> tridiagonal() {
  std::vector<std::map<unsigned, float>> Rows(N);
  for (int I = 0; I < N; ++I) {
    Rows[I][I] = 2.1f;
    if (I > 0)
      Rows[I][I - 1] = -1;
    if (I < N - 1)
      Rows[I][I + 1] = -1;
  }
  return Rows;
}

void vectors() {
  viennacl::vector<float> X = viennacl::scalar_vector<float>(N, 1.f);
  viennacl::vector<float> Y = viennacl::scalar_vector<float>(N, 2.f);
  Y += 3.f * X;
  float Product = viennacl::linalg::inner_prod(X, Y);
  verdict::step("inner product", Product, std::fabs(Product - 5.f * N), 0);
}

void matrices() {
  std::vector<std::vector<float>> HostA(N, std::vector<float>(N)), HostB, HostC;
  HostB = HostC = HostA;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      HostA[I][J] = float((I * 7 + J) % 5);
      HostB[I][J] = float((I + J * 3) % 4);
    }
  viennacl::matrix<float> A(N, N), B(N, N);
  viennacl::copy(HostA, A);
  viennacl::copy(HostB, B);
  viennacl::matrix<float> C = viennacl::linalg::prod(A, B);
  viennacl::copy(C, HostC);

  double Sum = 0, Error = 0;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      float Expected = 0;
      for (int L = 0; L < N; ++L)
        Expected += HostA[I][L] * HostB[L][J];
      Sum += HostC[I][J];
      Error = std::fmax(Error, std::fabs(Expected - HostC[I][J]));
    }
  verdict::step("matrix product, sum", Sum, Error, 0);
}

void solver() {
  viennacl::compressed_matrix<float> A;
  viennacl::copy(tridiagonal(), A);
  viennacl::vector<float> B = viennacl::scalar_vector<float>(N, 1.f);
  viennacl::vector<float> X =
      viennacl::linalg::solve(A, B, viennacl::linalg::cg_tag(1e-5, 200));
  viennacl::vector<float> Rest = viennacl::linalg::prod(A, X) - B;
  float Residual = viennacl::linalg::norm_2(Rest);
  // The solver stops at 1e-5 of the norm of B, which is sqrt(N).
  verdict::step("conjugate gradients, norm", viennacl::linalg::norm_2(X),
                Residual, 1e-3);
}

} // namespace

int main() {
  vectors();
  matrices();
  solver();
  return verdict::exitCode();
}
