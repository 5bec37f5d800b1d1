//===- bench/kernels/stencil.cpp - cells and their neighbors --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>

using namespace warpsan::bench;

namespace {

const Range Tile = {32, 4};
Range over(int Width, int Height) {
  return {padded(Width, Tile[0]), padded(Height, Tile[1])};
}

/// Steps from one buffer into the other and back: \p Step launches.
/// Returns what is in the last.
Floats pingPong(Bench &B, const char *Kernel, const Floats &Start, int Steps,
                const std::vector<int> &Sizes, const Range &Global,
                const Range &Local) {
  cl_mem Even = B.device(Start), Odd = B.device(Start);
  cl_kernel There = B.kernel(Kernel, Even, Odd),
            Back = B.kernel(Kernel, Odd, Even);
  for (cl_uint I = 0; I < Sizes.size(); ++I) {
    B.set(There, 2 + I, Sizes[I]);
    B.set(Back, 2 + I, Sizes[I]);
  }
  B.time(
      [&] {
        for (int T = 0; T < Steps; ++T)
          B.launch(T % 2 ? Back : There, Global, Local);
      },
      [&] { B.write(Even, Start); });
  return B.back<float>(Steps % 2 ? Odd : Even, Start.size());
}

} // namespace

void warpsan::bench::jacobi1d(Bench &B) {
  int N = B.size(1'000'000), Steps = 20;
  Floats Start = B.floats(N);
  Floats Got =
      pingPong(B, "jacobi1d", Start, Steps, {N}, {padded(N, 128)}, {128});
  Doubles From(Start.begin(), Start.end()), To = From;
  for (int T = 0; T < Steps; ++T, From.swap(To))
    for (int I = 1; I < N - 1; ++I)
      To[I] = 0.33333 * (From[I - 1] + From[I] + From[I + 1]);
  B.expect("a", Got, From);
}

void warpsan::bench::jacobi2d(Bench &B) {
  int W = B.size(700, 2), H = B.size(600, 2), Steps = 20;
  Floats Start = B.floats(static_cast<size_t>(W) * H);
  Floats Got = pingPong(B, "jacobi2d", Start, Steps, {W, H}, over(W, H), Tile);
  Doubles From(Start.begin(), Start.end()), To = From;
  for (int T = 0; T < Steps; ++T, From.swap(To))
    for (int Y = 1; Y < H - 1; ++Y)
      for (int X = 1; X < W - 1; ++X) {
        int At = Y * W + X;
        To[At] = 0.2 * (From[At] + From[At - 1] + From[At + 1] + From[At - W] +
                        From[At + W]);
      }
  B.expect("cells", Got, From);
}

void warpsan::bench::heat3d(Bench &B) {
  int Nx = B.size(100, 3), Ny = B.size(80, 3), Nz = B.size(90, 3), Steps = 10;
  Floats Start = B.floats(static_cast<size_t>(Nx) * Ny * Nz);
  Floats Got =
      pingPong(B, "heat3d", Start, Steps, {Nx, Ny, Nz},
               {padded(Nx, 16), padded(Ny, 4), padded(Nz, 2)}, {16, 4, 2});
  Doubles From(Start.begin(), Start.end()), To = From;
  for (int T = 0; T < Steps; ++T, From.swap(To))
    for (int Z = 1; Z < Nz - 1; ++Z)
      for (int Y = 1; Y < Ny - 1; ++Y)
        for (int X = 1; X < Nx - 1; ++X) {
          int At = (Z * Ny + Y) * Nx + X;
          To[At] =
              From[At] + 0.125 * (From[At - 1] + From[At + 1] + From[At - Nx] +
                                  From[At + Nx] + From[At - Nx * Ny] +
                                  From[At + Nx * Ny] - 6 * From[At]);
        }
  B.expect("cells", Got, From);
}

void warpsan::bench::fdtd2d(Bench &B) {
  int Nx = B.size(650, 2), Ny = B.size(700, 2), Steps = 10;
  Floats Fict(Steps), Ex = B.floats(static_cast<size_t>(Nx) * (Ny + 1)),
                      Ey = B.floats(static_cast<size_t>(Nx + 1) * Ny),
                      Hz = B.floats(static_cast<size_t>(Nx) * Ny);
  for (int T = 0; T < Steps; ++T)
    Fict[T] = static_cast<float>(T);
  cl_mem Dx = B.device(Ex), Dy = B.device(Ey), Dz = B.device(Hz);
  cl_kernel StepEy = B.kernel("step_ey", B.device(Fict), Dy, Dz, 0, Nx, Ny),
            StepEx = B.kernel("step_ex", Dx, Dz, Nx, Ny),
            StepHz = B.kernel("step_hz", Dx, Dy, Dz, Nx, Ny);
  B.time(
      [&] {
        for (int T = 0; T < Steps; ++T) {
          B.set(StepEy, 3, T);
          B.launch(StepEy, over(Ny, Nx), Tile);
          B.launch(StepEx, over(Ny, Nx), Tile);
          B.launch(StepHz, over(Ny, Nx), Tile);
        }
      },
      [&] {
        B.write(Dx, Ex);
        B.write(Dy, Ey);
        B.write(Dz, Hz);
      });
  Doubles X(Ex.begin(), Ex.end()), Y(Ey.begin(), Ey.end()),
      Z(Hz.begin(), Hz.end());
  for (int T = 0; T < Steps; ++T) {
    for (int I = 0; I < Nx; ++I)
      for (int J = 0; J < Ny; ++J)
        Y[I * Ny + J] =
            I == 0
                ? Fict[T]
                : Y[I * Ny + J] - 0.5 * (Z[I * Ny + J] - Z[(I - 1) * Ny + J]);
    for (int I = 0; I < Nx; ++I)
      for (int J = 1; J < Ny; ++J)
        X[I * (Ny + 1) + J] -= 0.5 * (Z[I * Ny + J] - Z[I * Ny + J - 1]);
    for (int I = 0; I < Nx; ++I)
      for (int J = 0; J < Ny; ++J)
        Z[I * Ny + J] -= 0.7 * (X[I * (Ny + 1) + J + 1] - X[I * (Ny + 1) + J] +
                                Y[(I + 1) * Ny + J] - Y[I * Ny + J]);
  }
  B.expect("hz", B.back<float>(Dz, Hz.size()), Z);
}

void warpsan::bench::conv2d(Bench &B) {
  int W = B.size(500, 2), H = B.size(420, 2), Radius = 2, Side = 2 * Radius + 1;
  Floats In = B.floats(static_cast<size_t>(W) * H),
         Filter = B.floats(static_cast<size_t>(Side) * Side);
  cl_mem Out = B.room<float>(In.size());
  cl_kernel K =
      B.kernel("conv2d", B.device(In), Out, B.device(Filter), W, H, Radius);
  B.time([&] { B.launch(K, over(W, H), Tile); });
  Doubles Want(In.size());
  for (int Y = 0; Y < H; ++Y)
    for (int X = 0; X < W; ++X)
      for (int Dy = -Radius; Dy <= Radius; ++Dy)
        for (int Dx = -Radius; Dx <= Radius; ++Dx)
          Want[Y * W + X] +=
              static_cast<double>(In[std::clamp(Y + Dy, 0, H - 1) * W +
                                     std::clamp(X + Dx, 0, W - 1)]) *
              Filter[(Dy + Radius) * Side + Dx + Radius];
  B.expect("picture", B.back<float>(Out, In.size()), Want);
}

void warpsan::bench::conv3d(Bench &B) {
  int Ni = B.size(60, 3), Nj = B.size(70, 3), Nk = B.size(64, 3);
  Floats A = B.floats(static_cast<size_t>(Ni) * Nj * Nk), C = B.floats(27);
  cl_mem Out = B.device(Floats(A.size()));
  cl_kernel K = B.kernel("conv3d", B.device(A), Out, B.device(C), Ni, Nj, Nk);
  B.time([&] { B.launch(K, over(Nk, Nj), Tile); });
  Doubles Want(A.size());
  for (int I = 1; I < Ni - 1; ++I)
    for (int J = 1; J < Nj - 1; ++J)
      for (int L = 1; L < Nk - 1; ++L)
        for (int T = 0; T < 27; ++T)
          Want[(I * Nj + J) * Nk + L] +=
              static_cast<double>(C[T]) *
              A[((I + T / 9 - 1) * Nj + J + T / 3 % 3 - 1) * Nk + L + T % 3 -
                1];
  B.expect("b", B.back<float>(Out, A.size()), Want);
}

void warpsan::bench::adi(Bench &B) {
  int N = B.size(300, 2), Steps = 5;
  float Rate = 0.4F, A = -Rate / 2, Bb = 1 + Rate, D = -Rate / 2;
  size_t Area = static_cast<size_t>(N) * N;
  Floats Start = B.floats(Area);
  cl_mem U = B.device(Start), V = B.device(Start), P = B.room<float>(Area),
         Q = B.room<float>(Area);
  cl_kernel Columns = B.kernel("columns", U, V, P, Q, A, Bb, D, N),
            Rows = B.kernel("rows", U, V, P, Q, A, Bb, D, N);
  B.time(
      [&] {
        for (int T = 0; T < Steps; ++T) {
          B.launch(Columns, {padded(N, 32)}, {32});
          B.launch(Rows, {padded(N, 32)}, {32});
        }
      },
      [&] {
        B.write(U, Start);
        B.write(V, Start);
      });
  // One sweep: solves along X's second index, with right sides from Y.
  Doubles X(Start.begin(), Start.end()), Y = X, Wp(N), Wq(N);
  auto Sweep = [&](Doubles &To, const Doubles &From, int Along, int Across,
                   double Inside, double Outside) {
    for (int I = 1; I < N - 1; ++I) {
      To[I * Across] = To[(N - 1) * Along + I * Across] = 1;
      Wp[0] = 0;
      Wq[0] = 1;
      for (int J = 1; J < N - 1; ++J) {
        int At = J * Along + I * Across;
        double Below = Inside * Wp[J - 1] + Bb;
        Wp[J] = -Inside / Below;
        Wq[J] = (-Outside * From[At - Across] + (1 + 2 * Outside) * From[At] -
                 Outside * From[At + Across] - Inside * Wq[J - 1]) /
                Below;
      }
      for (int J = N - 2; J >= 1; --J)
        To[J * Along + I * Across] =
            Wp[J] * To[(J + 1) * Along + I * Across] + Wq[J];
    }
  };
  for (int T = 0; T < Steps; ++T) {
    Sweep(Y, X, N, 1, A, D);
    Sweep(X, Y, 1, N, D, A);
  }
  B.expect("u", B.back<float>(U, Area), X);
}

void warpsan::bench::hotspot(Bench &B) {
  int W = B.size(400, 2), H = B.size(380, 2), Steps = 2, Launches = 4;
  constexpr int Block = 16;
  size_t Inner = Block - 2 * Steps;
  float Cap = 0.1F, Rx = 0.2F, Ry = 0.3F, Rz = 0.05F, Ambient = 80;
  Floats Power = B.floats(static_cast<size_t>(W) * H, 0, 1),
         Start = B.floats(Power.size(), 70, 90);
  cl_mem Even = B.device(Start), Odd = B.room<float>(Start.size()),
         Heat = B.device(Power);
  auto Make = [&](cl_mem From, cl_mem To) {
    return B.kernel("hotspot", Heat, From, To, W, H, Steps, Cap, Rx, Ry, Rz,
                    Ambient);
  };
  cl_kernel There = Make(Even, Odd), Back = Make(Odd, Even);
  Range Global = {padded(W, Inner) / Inner * Block,
                  padded(H, Inner) / Inner * Block};
  B.time(
      [&] {
        for (int T = 0; T < Launches; ++T)
          B.launch(T % 2 ? Back : There, Global, {Block, Block});
      },
      [&] { B.write(Even, Start); });
  Doubles From(Start.begin(), Start.end()), To = From;
  for (int T = 0; T < Launches * Steps; ++T, From.swap(To))
    for (int Y = 0; Y < H; ++Y)
      for (int X = 0; X < W; ++X) {
        int At = Y * W + X;
        double Here = From[At];
        To[At] = Here + Cap * (Power[At] +
                               Ry * (From[Y > 0 ? At - W : At] +
                                     From[Y < H - 1 ? At + W : At] - 2 * Here) +
                               Rx * (From[X > 0 ? At - 1 : At] +
                                     From[X < W - 1 ? At + 1 : At] - 2 * Here) +
                               Rz * (Ambient - Here));
      }
  B.expect("temperatures", B.back<float>(Even, Start.size()), From);
}

void warpsan::bench::srad(Bench &B) {
  int Rows = B.size(500, 2), Columns = B.size(540, 2), Count = Rows * Columns,
      Steps = 4;
  constexpr size_t Group = 128, Groups = 16;
  float Lambda = 0.5F;
  Floats Start = B.floats(Count, 1, 2);
  Ints North(Rows), South(Rows), West(Columns), East(Columns);
  for (int I = 0; I < Rows; ++I) {
    North[I] = std::max(I - 1, 0);
    South[I] = std::min(I + 1, Rows - 1);
  }
  for (int J = 0; J < Columns; ++J) {
    West[J] = std::max(J - 1, 0);
    East[J] = std::min(J + 1, Columns - 1);
  }
  cl_mem Image = B.device(Start), Ds = B.device(South), De = B.device(East);
  cl_mem N = B.room<float>(Count), S = B.room<float>(Count),
         W = B.room<float>(Count), E = B.room<float>(Count),
         C = B.room<float>(Count), Sum = B.room<float>(Groups),
         Squares = B.room<float>(Groups);
  LocalBytes Scratch{Group * sizeof(float)};
  cl_kernel Sums =
      B.kernel("sums", Image, Sum, Squares, Count, Scratch, Scratch);
  cl_kernel Coefficients =
      B.kernel("coefficients", Image, B.device(North), Ds, B.device(West), De,
               N, S, W, E, C, 0.0F, Rows, Columns);
  cl_kernel Diffuse =
      B.kernel("diffuse", Image, Ds, De, N, S, W, E, C, Lambda, Rows, Columns);
  auto Noise = [&](double Total, double TotalSquares) {
    double Mean = Total / Count;
    return (TotalSquares / Count - Mean * Mean) / (Mean * Mean);
  };
  B.time(
      [&] {
        for (int T = 0; T < Steps; ++T) {
          B.launch(Sums, {Groups * Group}, {Group});
          double Total = 0, TotalSquares = 0;
          for (float Each : B.back<float>(Sum, Groups))
            Total += Each;
          for (float Each : B.back<float>(Squares, Groups))
            TotalSquares += Each;
          B.set(Coefficients, 10,
                static_cast<float>(Noise(Total, TotalSquares)));
          B.launch(Coefficients, {padded(Count, Group)}, {Group});
          B.launch(Diffuse, {padded(Count, Group)}, {Group});
        }
      },
      [&] { B.write(Image, Start); });
  Doubles X(Start.begin(), Start.end()), Dn(Count), Dso(Count), Dw(Count),
      Dea(Count), K(Count);
  for (int T = 0; T < Steps; ++T) {
    double Total = 0, TotalSquares = 0;
    for (double Each : X) {
      Total += Each;
      TotalSquares += Each * Each;
    }
    double Q0 = Noise(Total, TotalSquares);
    for (int I = 0; I < Rows; ++I)
      for (int J = 0; J < Columns; ++J) {
        int At = I * Columns + J;
        Dn[At] = X[North[I] * Columns + J] - X[At];
        Dso[At] = X[South[I] * Columns + J] - X[At];
        Dw[At] = X[I * Columns + West[J]] - X[At];
        Dea[At] = X[I * Columns + East[J]] - X[At];
        double G2 = (Dn[At] * Dn[At] + Dso[At] * Dso[At] + Dw[At] * Dw[At] +
                     Dea[At] * Dea[At]) /
                    (X[At] * X[At]);
        double L = (Dn[At] + Dso[At] + Dw[At] + Dea[At]) / X[At];
        double Den = 1 + 0.25 * L;
        double Q = (0.5 * G2 - 0.0625 * L * L) / (Den * Den);
        K[At] = std::clamp(1 / (1 + (Q - Q0) / (Q0 * (1 + Q0))), 0.0, 1.0);
      }
    for (int I = 0; I < Rows; ++I)
      for (int J = 0; J < Columns; ++J) {
        int At = I * Columns + J;
        X[At] +=
            0.25 * Lambda *
            (K[At] * (Dn[At] + Dw[At]) + K[South[I] * Columns + J] * Dso[At] +
             K[I * Columns + East[J]] * Dea[At]);
      }
  }
  B.expect("image", B.back<float>(Image, Count), X, 1e-2);
}
