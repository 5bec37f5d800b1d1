//===- test/apps/programs/fft.cpp - clFFT, forwards and back --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "first_device.h"
#include "verdict.h"
#include <clFFT.h>

#include <complex>
#include <numbers>

namespace {

// 48 is 3 * 16: clFFT generates a radix-3 pass for it.
constexpr std::size_t Width = 64, Height = 48, Count = Width * Height;
using Complex = std::complex<double>;

/// Transform of N elements that lie Stride apart, by definition.
void transform(Complex *Data, std::size_t N, std::size_t Stride) {
  std::vector<Complex> Result(N);
  for (std::size_t K = 0; K < N; ++K)
    for (std::size_t I = 0; I < N; ++I)
      Result[K] +=
          Data[I * Stride] * std::polar(1.0, -2 * std::numbers::pi *
                                                 double(I * K % N) / double(N));
  for (std::size_t I = 0; I < N; ++I)
    Data[I * Stride] = Result[I];
}

/// Interleaved complex numbers in, transformed on the host.
std::vector<float> transformOnHost(const std::vector<float> &Signal) {
  std::vector<Complex> Data(Count);
  for (std::size_t I = 0; I < Count; ++I)
    Data[I] = {Signal[2 * I], Signal[2 * I + 1]};
  for (std::size_t Row = 0; Row < Height; ++Row)
    transform(&Data[Row * Width], Width, 1);
  for (std::size_t Column = 0; Column < Width; ++Column)
    transform(&Data[Column], Height, Width);
  std::vector<float> Result;
  for (const Complex &Value : Data) {
    Result.push_back(float(Value.real()));
    Result.push_back(float(Value.imag()));
  }
  return Result;
}

double norm(const std::vector<float> &Values) {
  double Sum = 0;
  for (float Value : Values)
    Sum += double(Value) * Value;
  return std::sqrt(Sum);
}

} // namespace

int main() {
  FirstDevice D;
  std::vector<float> Signal(2 * Count);
  for (std::size_t I = 0; I < Signal.size(); ++I)
    Signal[I] = std::sin(float(I) * .37f);
  cl_mem Buffer = D.buffer(Signal);

  clfftSetupData Setup;
  require(clfftInitSetupData(&Setup), "clfftInitSetupData");
  require(clfftSetup(&Setup), "clfftSetup");
  clfftPlanHandle Plan;
  const std::size_t Lengths[] = {Width, Height};
  require(clfftCreateDefaultPlan(&Plan, D.Context, CLFFT_2D, Lengths),
          "clfftCreateDefaultPlan");
  require(clfftSetPlanPrecision(Plan, CLFFT_SINGLE), "clfftSetPlanPrecision");
  require(clfftSetLayout(Plan, CLFFT_COMPLEX_INTERLEAVED,
                         CLFFT_COMPLEX_INTERLEAVED),
          "clfftSetLayout");
  require(clfftSetResultLocation(Plan, CLFFT_INPLACE),
          "clfftSetResultLocation");
  require(clfftBakePlan(Plan, 1, &D.Queue, nullptr, nullptr), "clfftBakePlan");

  auto run = [&](clfftDirection Direction, const char *Name,
                 const std::vector<float> &Expected) {
    require(clfftEnqueueTransform(Plan, Direction, 1, &D.Queue, 0, nullptr,
                                  nullptr, &Buffer, nullptr, nullptr),
            Name);
    std::vector<float> Got = D.read(Buffer, Signal.size());
    verdict::step(Name, norm(Got),
                  verdict::largestDifference(Got, Expected, Got.size()),
                  1e-5 * norm(Expected));
  };
  run(CLFFT_FORWARD, "forwards, norm", transformOnHost(Signal));
  run(CLFFT_BACKWARD, "and back, norm", Signal);

  clfftDestroyPlan(&Plan);
  clfftTeardown();
  clReleaseMemObject(Buffer);
  return verdict::exitCode();
}
