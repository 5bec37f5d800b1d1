//===- bench/kernels/dense.cpp - matrices and vectors ---------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

using namespace warpsan::bench;

namespace {

constexpr float Alpha = 1.5, Beta = 0.75;

size_t area(int Rows, int Columns) {
  return static_cast<size_t>(Rows) * Columns;
}

/// Work-items for a matrix whose kernel has a guard, in groups of Group.
const Range Group = {16, 16};
Range over(int Rows, int Columns) {
  return {padded(Columns, Group[0]), padded(Rows, Group[1])};
}
const Range Line = {64};
Range over(int Count) { return {padded(Count, Line[0])}; }

/// X * Y; X has \p Inner columns.
template <typename T, typename U>
Doubles times(const std::vector<T> &X, const std::vector<U> &Y, int Inner) {
  size_t Rows = X.size() / Inner, Columns = Y.size() / Inner;
  Doubles Out(Rows * Columns);
  for (size_t I = 0; I < Rows; ++I)
    for (int K = 0; K < Inner; ++K)
      for (size_t J = 0; J < Columns; ++J)
        Out[I * Columns + J] +=
            static_cast<double>(X[I * Inner + K]) * Y[K * Columns + J];
  return Out;
}

template <typename T>
std::vector<T> transposed(const std::vector<T> &X, int Columns) {
  size_t Rows = X.size() / Columns;
  std::vector<T> Out(X.size());
  for (size_t I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      Out[J * Rows + I] = X[I * Columns + J];
  return Out;
}

/// By * X + Plus
Doubles scaled(Doubles X, double By, const Floats &Plus = {},
               double PlusBy = 1) {
  for (size_t I = 0; I < X.size(); ++I)
    X[I] = By * X[I] + (Plus.empty() ? 0 : PlusBy * Plus[I]);
  return X;
}

} // namespace

void warpsan::bench::gemm(Bench &B) {
  int Ni = B.size(250, 3), Nj = B.size(240, 3), Nk = B.size(260, 3);
  Floats X = B.floats(area(Ni, Nk)), Y = B.floats(area(Nk, Nj)),
         Z = B.floats(area(Ni, Nj));
  cl_mem Out = B.device(Z);
  cl_kernel K =
      B.kernel("gemm", B.device(X), B.device(Y), Out, Alpha, Beta, Ni, Nj, Nk);
  B.time([&] { B.launch(K, over(Ni, Nj), Group); }, [&] { B.write(Out, Z); });
  B.expect("c", B.back<float>(Out, Z.size()),
           scaled(times(X, Y, Nk), Alpha, Z, Beta));
}

void warpsan::bench::gemmTiled(Bench &B) {
  int N = B.size(240, 3, 16);
  Floats X = B.floats(area(N, N)), Y = B.floats(area(N, N));
  cl_mem Out = B.room<float>(X.size());
  cl_kernel K = B.kernel("gemm_tiled", B.device(X), B.device(Y), Out, N);
  B.time([&] { B.launch(K, over(N, N), Group); });
  B.expect("c", B.back<float>(Out, X.size()), times(X, Y, N));
}

void warpsan::bench::twoProducts(Bench &B) {
  int Ni = B.size(160, 3), Nj = B.size(180, 3), Nk = B.size(210, 3),
      Nl = B.size(200, 3);
  Floats A = B.floats(area(Ni, Nk)), Bs = B.floats(area(Nk, Nj)),
         C = B.floats(area(Nj, Nl)), D = B.floats(area(Ni, Nl));
  cl_mem Tmp = B.room<float>(area(Ni, Nj)), Out = B.device(D);
  cl_kernel First = B.kernel("first", Tmp, B.device(A), B.device(Bs), Ni, Nj,
                             Nk, Alpha),
            Second =
                B.kernel("second", Tmp, B.device(C), Out, Ni, Nj, Nl, Beta);
  B.time(
      [&] {
        B.launch(First, over(Ni, Nj), Group);
        B.launch(Second, over(Ni, Nl), Group);
      },
      [&] { B.write(Out, D); });
  B.expect("d", B.back<float>(Out, D.size()),
           scaled(times(times(A, Bs, Nk), C, Nj), Alpha, D, Beta));
}

void warpsan::bench::threeProducts(Bench &B) {
  cl_uint Ni = B.size(160, 3), Nj = B.size(170, 3), Nk = B.size(180, 3),
          Nl = B.size(190, 3), Nm = B.size(200, 3);
  Floats A = B.floats(area(Ni, Nk)), Bs = B.floats(area(Nk, Nj)),
         C = B.floats(area(Nj, Nm)), D = B.floats(area(Nm, Nl));
  cl_mem E = B.room<float>(area(Ni, Nj)), F = B.room<float>(area(Nj, Nl)),
         G = B.room<float>(area(Ni, Nl));
  cl_kernel First =
                B.kernel("product", B.device(A), B.device(Bs), E, Ni, Nj, Nk),
            Second =
                B.kernel("product", B.device(C), B.device(D), F, Nj, Nl, Nm),
            Third = B.kernel("product", E, F, G, Ni, Nl, Nj);
  B.time([&] {
    B.launch(First, over(Ni, Nj), Group);
    B.launch(Second, over(Nj, Nl), Group);
    B.launch(Third, over(Ni, Nl), Group);
  });
  B.expect("g", B.back<float>(G, area(Ni, Nl)),
           times(times(A, Bs, Nk), times(C, D, Nm), Nj));
}

void warpsan::bench::atax(Bench &B) {
  int Nx = B.size(1100, 2), Ny = B.size(1300, 2);
  Floats A = B.floats(area(Nx, Ny)), X = B.floats(Ny);
  cl_mem Da = B.device(A), Y = B.room<float>(Ny), Tmp = B.room<float>(Nx);
  cl_kernel Times = B.kernel("times", Da, B.device(X), Tmp, Nx, Ny),
            Back = B.kernel("transposed_times", Da, Y, Tmp, Nx, Ny);
  B.time([&] {
    B.launch(Times, over(Nx), Line);
    B.launch(Back, over(Ny), Line);
  });
  B.expect("y", B.back<float>(Y, Ny), times(times(A, X, Ny), A, Nx), 5e-3);
}

void warpsan::bench::bicg(Bench &B) {
  int Nx = B.size(1200, 2), Ny = B.size(1400, 2);
  Floats A = B.floats(area(Nx, Ny)), P = B.floats(Ny), R = B.floats(Nx);
  cl_mem Da = B.device(A), Q = B.room<float>(Nx), S = B.room<float>(Ny);
  cl_kernel Rows = B.kernel("rows", Da, B.device(P), Q, Nx, Ny),
            Columns = B.kernel("columns", Da, B.device(R), S, Nx, Ny);
  B.time([&] {
    B.launch(Rows, over(Nx), Line);
    B.launch(Columns, over(Ny), Line);
  });
  B.expect("q", B.back<float>(Q, Nx), times(A, P, Ny));
  B.expect("s", B.back<float>(S, Ny), times(R, A, Nx));
}

void warpsan::bench::mvt(Bench &B) {
  int N = B.size(1300, 2);
  Floats A = B.floats(area(N, N)), X1 = B.floats(N), X2 = B.floats(N),
         Y1 = B.floats(N), Y2 = B.floats(N);
  cl_mem Da = B.device(A), Out1 = B.device(X1), Out2 = B.device(X2);
  cl_kernel Along = B.kernel("along", Da, Out1, B.device(Y1), N),
            Across = B.kernel("across", Da, Out2, B.device(Y2), N);
  B.time(
      [&] {
        B.launch(Along, over(N), Line);
        B.launch(Across, over(N), Line);
      },
      [&] {
        B.write(Out1, X1);
        B.write(Out2, X2);
      });
  B.expect("x1", B.back<float>(Out1, N), scaled(times(A, Y1, N), 1, X1));
  B.expect("x2", B.back<float>(Out2, N), scaled(times(Y2, A, N), 1, X2));
}

void warpsan::bench::gemver(Bench &B) {
  int N = B.size(1500, 2);
  Floats A = B.floats(area(N, N)), U1 = B.floats(N), V1 = B.floats(N),
         U2 = B.floats(N), V2 = B.floats(N), Y = B.floats(N), Z = B.floats(N);
  cl_mem Da = B.device(A), X = B.room<float>(N), W = B.room<float>(N);
  cl_kernel Update = B.kernel("update", Da, B.device(U1), B.device(V1),
                              B.device(U2), B.device(V2), N),
            Back = B.kernel("back", Da, X, B.device(Y), B.device(Z), Beta, N),
            Forth = B.kernel("forth", Da, X, W, Alpha, N);
  B.time(
      [&] {
        B.launch(Update, over(N, N), Group);
        B.launch(Back, over(N), Line);
        B.launch(Forth, over(N), Line);
      },
      [&] { B.write(Da, A); });
  Doubles Updated = scaled(times(U1, V1, 1), 1, A);
  Doubles Second = times(U2, V2, 1);
  for (size_t I = 0; I < Updated.size(); ++I)
    Updated[I] += Second[I];
  Doubles WantX = scaled(times(Y, Updated, N), Beta, Z);
  B.expect("x", B.back<float>(X, N), WantX);
  B.expect("w", B.back<float>(W, N), scaled(times(Updated, WantX, N), Alpha),
           5e-3);
}

void warpsan::bench::gesummv(Bench &B) {
  int N = B.size(1200, 2);
  Floats A = B.floats(area(N, N)), Bs = B.floats(area(N, N)), X = B.floats(N);
  cl_mem Y = B.room<float>(N);
  cl_kernel K = B.kernel("gesummv", B.device(A), B.device(Bs), B.device(X), Y,
                         B.room<float>(N), Alpha, Beta, N);
  B.time([&] { B.launch(K, over(N), Line); });
  Doubles First = times(A, X, N), Want = times(Bs, X, N);
  for (int I = 0; I < N; ++I)
    Want[I] = Alpha * First[I] + Beta * Want[I];
  B.expect("y", B.back<float>(Y, N), Want);
}

void warpsan::bench::syrk(Bench &B) {
  int N = B.size(250, 3), M = B.size(240, 3);
  Floats A = B.floats(area(N, M)), C = B.floats(area(N, N));
  cl_mem Out = B.device(C);
  cl_kernel K = B.kernel("syrk", B.device(A), Out, Alpha, Beta, N, M);
  B.time([&] { B.launch(K, over(N, N), Group); }, [&] { B.write(Out, C); });
  Doubles Want = scaled(times(A, transposed(A, M), M), Alpha, C, Beta);
  for (int I = 0; I < N; ++I)
    for (int J = I + 1; J < N; ++J)
      Want[I * N + J] = C[I * N + J];
  B.expect("c", B.back<float>(Out, C.size()), Want);
}

void warpsan::bench::syr2k(Bench &B) {
  int N = B.size(180, 3), M = B.size(170, 3);
  Floats A = B.floats(area(N, M)), Bs = B.floats(area(N, M)),
         C = B.floats(area(N, N));
  cl_mem Out = B.device(C);
  cl_kernel K =
      B.kernel("syr2k", B.device(A), B.device(Bs), Out, Alpha, Beta, N, M);
  B.time([&] { B.launch(K, over(N, N), Group); }, [&] { B.write(Out, C); });
  Doubles First = times(A, transposed(Bs, M), M), Second = transposed(First, N);
  for (size_t I = 0; I < First.size(); ++I)
    First[I] += Second[I];
  B.expect("c", B.back<float>(Out, C.size()), scaled(First, Alpha, C, Beta));
}

void warpsan::bench::lu(Bench &B) {
  int N = B.size(300, 3);
  Floats A = B.floats(area(N, N));
  for (int I = 0; I < N; ++I)
    A[I * N + I] += N; // no pivots are needed then
  cl_mem Out = B.device(A);
  cl_kernel Scale = B.kernel("scale", Out, 0, N),
            Eliminate = B.kernel("eliminate", Out, 0, N);
  B.time(
      [&] {
        for (int K = 0; K < N - 1; ++K) {
          B.set(Scale, 1, K);
          B.launch(Scale, over(N), Line);
          B.set(Eliminate, 1, K);
          B.launch(Eliminate, over(N - K - 1, N - K - 1), Group);
        }
      },
      [&] { B.write(Out, A); });
  Doubles Want(A.begin(), A.end());
  for (int K = 0; K < N; ++K)
    for (int I = K + 1; I < N; ++I) {
      Want[I * N + K] /= Want[K * N + K];
      for (int J = K + 1; J < N; ++J)
        Want[I * N + J] -= Want[I * N + K] * Want[K * N + J];
    }
  B.expect("a", B.back<float>(Out, A.size()), Want);
}

void warpsan::bench::gramschmidt(Bench &B) {
  int M = B.size(350, 3), N = B.size(160, 3);
  Floats A = B.floats(area(M, N));
  cl_mem Da = B.device(A), R = B.device(Floats(area(N, N))),
         Q = B.device(Floats(area(M, N)));
  cl_kernel Length = B.kernel("length_of", Da, R, 0, M, N),
            Direction = B.kernel("direction", Da, R, Q, 0, M, N),
            Subtract = B.kernel("subtract", Da, R, Q, 0, M, N);
  B.time(
      [&] {
        for (int K = 0; K < N; ++K) {
          B.set(Length, 2, K);
          B.launch(Length, {1});
          B.set(Direction, 3, K);
          B.launch(Direction, over(M), Line);
          B.set(Subtract, 3, K);
          if (K + 1 < N)
            B.launch(Subtract, over(N - K - 1), Line);
        }
      },
      [&] { B.write(Da, A); });
  Floats GotQ = B.back<float>(Q, area(M, N)),
         GotR = B.back<float>(R, area(N, N));
  B.expect("q * r", times(GotQ, GotR, N), A);
  Doubles Unit(area(N, N));
  for (int I = 0; I < N; ++I)
    Unit[I * N + I] = 1;
  B.expect("transposed(q) * q", times(transposed(GotQ, N), GotQ, M), Unit);
}
