//===- test/apps/programs/boost_compute.cpp - Boost.Compute: sort, scan ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define CL_TARGET_OPENCL_VERSION 120
#include "verdict.h"
#include <boost/compute.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace bc = boost::compute;

int main() {
  bc::device Device = bc::system::default_device();
  bc::context Context(Device);
  bc::command_queue Queue(Context, Device);

  std::vector<int> Host(100000);
  unsigned State = 1;
  for (int &Value : Host) {
    State = State * 1664525u + 1013904223u;
    Value = int(State >> 12) % 20000;
  }
  bc::vector<int> Values(Host.begin(), Host.end(), Queue);
  std::vector<int> Got(Host.size());
  auto compare = [&](const char *Name, const std::vector<int> &Expected) {
    bc::copy(Values.begin(), Values.end(), Got.begin(), Queue);
    verdict::step(Name, Got[Got.size() / 2],
                  verdict::largestDifference(Got, Expected, Got.size()), 0);
  };

  auto Large = std::count_if(Host.begin(), Host.end(),
                             [](int Value) { return Value > 1000; });
  auto Counted =
      bc::count_if(Values.begin(), Values.end(), bc::lambda::_1 > 1000, Queue);
  verdict::step("count", double(Counted),
                std::fabs(double(Counted) - double(Large)), 0);

  bc::sort(Values.begin(), Values.end(), Queue);
  std::sort(Host.begin(), Host.end());
  compare("sort, median", Host);

  bc::inclusive_scan(Values.begin(), Values.end(), Values.begin(), Queue);
  std::inclusive_scan(Host.begin(), Host.end(), Host.begin());
  compare("scan, half way", Host);

  bc::vector<float> Fours(10000, Context);
  bc::fill(Fours.begin(), Fours.end(), 4.f, Queue);
  bc::transform(Fours.begin(), Fours.end(), Fours.begin(), bc::sqrt<float>(),
                Queue);
  float Sum = 0;
  bc::reduce(Fours.begin(), Fours.end(), &Sum, bc::plus<float>(), Queue);
  verdict::step("sum of square roots", Sum, std::fabs(Sum - 20000.f), 0);
  return verdict::exitCode();
}
