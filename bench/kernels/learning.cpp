//===- bench/kernels/learning.cpp - layers of networks --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/benchmark.h"

#include <algorithm>

using namespace warpsan::bench;

void warpsan::bench::convLayer(Bench &B) {
  int Channels = 16, H = B.size(30, 2), W = B.size(34, 2), Filters = 32,
      Size = 3, Stride = 1, Pad = 1;
  int OutH = (H + 2 * Pad - Size) / Stride + 1,
      OutW = (W + 2 * Pad - Size) / Stride + 1;
  Floats In = B.floats(static_cast<size_t>(Channels) * H * W),
         Weights =
             B.floats(static_cast<size_t>(Filters) * Channels * Size * Size),
         Bias = B.floats(Filters);
  size_t Outs = static_cast<size_t>(Filters) * OutH * OutW;
  cl_mem Out = B.room<float>(Outs);
  cl_kernel K =
      B.kernel("conv_layer", B.device(In), B.device(Weights), B.device(Bias),
               Out, Channels, H, W, Filters, Size, Stride, Pad, OutH, OutW);
  B.time([&] {
    B.launch(K, {padded(OutW, 16), padded(OutH, 4), padded(Filters, 1)},
             {16, 4, 1});
  });
  Doubles Want(Outs);
  for (int F = 0; F < Filters; ++F)
    for (int Y = 0; Y < OutH; ++Y)
      for (int X = 0; X < OutW; ++X) {
        double Sum = Bias[F];
        for (int C = 0; C < Channels; ++C)
          for (int Ky = 0; Ky < Size; ++Ky)
            for (int Kx = 0; Kx < Size; ++Kx) {
              int Iy = Y * Stride - Pad + Ky, Ix = X * Stride - Pad + Kx;
              if (Iy >= 0 && Iy < H && Ix >= 0 && Ix < W)
                Sum += static_cast<double>(In[(C * H + Iy) * W + Ix]) *
                       Weights[((F * Channels + C) * Size + Ky) * Size + Kx];
            }
        Want[(F * OutH + Y) * OutW + X] = std::max(Sum, 0.0);
      }
  B.expect("out", B.back<float>(Out, Outs), Want);
}

void warpsan::bench::softmax(Bench &B) {
  constexpr size_t Group = 64;
  int Rows = B.size(800), Columns = 1000;
  Floats In = B.floats(static_cast<size_t>(Rows) * Columns, -5, 5);
  cl_mem Out = B.room<float>(In.size());
  cl_kernel K = B.kernel("softmax", B.device(In), Out, Columns,
                         LocalBytes{Group * sizeof(float)});
  B.time([&] { B.launch(K, {Rows * Group}, {Group}); });
  Doubles Want(In.size());
  for (int R = 0; R < Rows; ++R) {
    double Sum = 0;
    for (int C = 0; C < Columns; ++C)
      Sum += std::exp(In[R * Columns + C]);
    for (int C = 0; C < Columns; ++C)
      Want[R * Columns + C] = std::exp(In[R * Columns + C]) / Sum;
  }
  B.expect("out", B.back<float>(Out, In.size()), Want, 1e-5);
}

void warpsan::bench::layerNorm(Bench &B) {
  constexpr size_t Group = 64;
  int Rows = B.size(3000), Columns = 768;
  float Epsilon = 1e-5F;
  Floats In = B.floats(static_cast<size_t>(Rows) * Columns),
         Gain = B.floats(Columns), Bias = B.floats(Columns);
  cl_mem Out = B.room<float>(In.size());
  cl_kernel K = B.kernel("layer_norm", B.device(In), B.device(Gain),
                         B.device(Bias), Out, Columns, Epsilon);
  B.time([&] { B.launch(K, {Rows * Group}, {Group}); });
  Doubles Want(In.size());
  for (int R = 0; R < Rows; ++R) {
    double Sum = 0, Squares = 0;
    for (int C = 0; C < Columns; ++C) {
      double X = In[R * Columns + C];
      Sum += X;
      Squares += X * X;
    }
    double Mean = Sum / Columns,
           Deviation = std::sqrt(Squares / Columns - Mean * Mean + Epsilon);
    for (int C = 0; C < Columns; ++C)
      Want[R * Columns + C] =
          (In[R * Columns + C] - Mean) / Deviation * Gain[C] + Bias[C];
  }
  B.expect("y", B.back<float>(Out, In.size()), Want);
}

void warpsan::bench::lstm(Bench &B) {
  int Inputs = B.size(200, 2), Hidden = B.size(256, 2), Steps = 12;
  auto Small = [&](size_t Count) { return B.floats(Count, -0.1F, 0.1F); };
  Floats W = Small(static_cast<size_t>(4) * Hidden * Inputs),
         U = Small(static_cast<size_t>(4) * Hidden * Hidden),
         Bias = Small(static_cast<size_t>(4) * Hidden),
         X = B.floats(static_cast<size_t>(Steps) * Inputs);
  const Floats Zero(Hidden);
  cl_mem C = B.device(Zero), H = B.device(Zero),
         Gate = B.room<float>(static_cast<size_t>(4) * Hidden);
  cl_kernel Gates = B.kernel("gates", B.device(W), B.device(U), B.device(Bias),
                             B.device(X), H, Gate, 0, Inputs, Hidden),
            Cell = B.kernel("cell", Gate, C, H, Hidden);
  B.time(
      [&] {
        for (int T = 0; T < Steps; ++T) {
          B.set(Gates, 6, T);
          B.launch(Gates, {padded(4 * static_cast<size_t>(Hidden), 64)}, {64});
          B.launch(Cell, {padded(Hidden, 64)}, {64});
        }
      },
      [&] {
        B.write(C, Zero);
        B.write(H, Zero);
      });
  auto Sigmoid = [](double V) { return 1 / (1 + std::exp(-V)); };
  Doubles Wc(Hidden), Wh(Hidden), Wg(static_cast<size_t>(4) * Hidden);
  for (int T = 0; T < Steps; ++T) {
    for (int G = 0; G < 4 * Hidden; ++G) {
      Wg[G] = Bias[G];
      for (int I = 0; I < Inputs; ++I)
        Wg[G] += static_cast<double>(W[G * Inputs + I]) * X[T * Inputs + I];
      for (int I = 0; I < Hidden; ++I)
        Wg[G] += U[G * Hidden + I] * Wh[I];
    }
    for (int I = 0; I < Hidden; ++I) {
      Wc[I] = Sigmoid(Wg[Hidden + I]) * Wc[I] +
              Sigmoid(Wg[I]) * std::tanh(Wg[2 * Hidden + I]);
      Wh[I] = Sigmoid(Wg[3 * Hidden + I]) * std::tanh(Wc[I]);
    }
  }
  B.expect("h", B.back<float>(H, Hidden), Wh);
}

void warpsan::bench::attention(Bench &B) {
  int Heads = 4, Positions = B.size(220, 2), Size = 48;
  size_t Each = static_cast<size_t>(Heads) * Positions * Size,
         Pairs = static_cast<size_t>(Heads) * Positions * Positions;
  Floats Q = B.floats(Each), K = B.floats(Each), V = B.floats(Each);
  cl_mem Score = B.room<float>(Pairs), Out = B.room<float>(Each);
  cl_kernel Scores = B.kernel("scores", B.device(Q), B.device(K), Score,
                              Positions, Size),
            Normalize = B.kernel("normalize_rows", Score, Positions, Heads),
            Weigh = B.kernel("weigh", Score, B.device(V), Out, Positions, Size);
  size_t H = Heads;
  B.time([&] {
    B.launch(Scores, {padded(Positions, 16), padded(Positions, 8), H},
             {16, 8, 1});
    B.launch(Normalize, {padded(Positions, 16), H}, {16, 1});
    B.launch(Weigh, {padded(Size, 16), padded(Positions, 8), H}, {16, 8, 1});
  });
  Doubles Want(Each), Weight(Positions);
  for (int Row = 0; Row < Heads * Positions; ++Row) {
    int I = Row % Positions, First = Row - I;
    double Sum = 0;
    for (int J = 0; J <= I; ++J) {
      double Dot = 0;
      for (int E = 0; E < Size; ++E)
        Dot +=
            static_cast<double>(Q[Row * Size + E]) * K[(First + J) * Size + E];
      Weight[J] = std::exp(Dot / std::sqrt(Size));
      Sum += Weight[J];
    }
    for (int J = 0; J <= I; ++J)
      for (int E = 0; E < Size; ++E)
        Want[Row * Size + E] += Weight[J] / Sum * V[(First + J) * Size + E];
  }
  B.expect("out", B.back<float>(Out, Each), Want);
}
