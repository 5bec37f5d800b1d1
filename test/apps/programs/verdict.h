//===- test/apps/programs/verdict.h - ours against the host's -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program prints one line a step: what it computed, in few enough digits
// that it does not change with the order of a sum, and whether the host's own
// computation agrees. The exit code says whether all did.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_APPS_PROGRAMS_VERDICT_H
#define WARPSAN_TEST_APPS_PROGRAMS_VERDICT_H

#include <cmath>
#include <cstddef>
#include <cstdio>

namespace verdict {

inline int Failures = 0;

/// One step. Error and Allowed are in the unit of Value.
inline void step(const char *Name, double Value, double Error, double Allowed) {
  // Written so that an Error that is not a number fails.
  if (Error <= Allowed) {
    std::printf("%s: %.6g, as on the host\n", Name, Value);
    return;
  }
  ++Failures;
  std::printf("%s: %.6g, WRONG: off by %g, allowed %g\n", Name, Value, Error,
              Allowed);
}

/// Largest difference of two ranges of N numbers.
template <typename A, typename B>
double largestDifference(const A &X, const B &Y, std::size_t N) {
  double Largest = 0;
  for (std::size_t I = 0; I < N; ++I) {
    double Difference = std::fabs(double(X[I]) - double(Y[I]));
    if (!(Difference <= Largest))
      Largest = Difference;
  }
  return Largest;
}

inline int exitCode() { return Failures ? 1 : 0; }

} // namespace verdict

#endif // WARPSAN_TEST_APPS_PROGRAMS_VERDICT_H
