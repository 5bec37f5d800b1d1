//===- report/html/axis.cpp - bytes as places in a picture ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/html/axis.h"

#include <algorithm>

using namespace warpsan::html;

/// In sizes of the memory: what may be around it before something is broken,
/// and how long a broken part is drawn.
static constexpr double MostAround = 2, Broken = 0.35;

Axis::Axis(const Extent &Memory, const std::vector<Extent> &Others) {
  std::vector<double> Ends = {Memory.Begin, Memory.End};
  for (const Extent &Other : Others) {
    Ends.push_back(Other.Begin);
    Ends.push_back(Other.End);
  }
  std::ranges::sort(Ends);
  Ends.erase(std::ranges::unique(Ends).begin(), Ends.end());
  const bool Breaking =
      Ends.back() - Ends.front() > (1 + MostAround) * Memory.length();

  double Total = 0;
  std::vector<size_t> Cut;
  for (size_t I = 0; I + 1 < Ends.size(); ++I) {
    Part P;
    P.Bytes = {Ends[I], Ends[I + 1]};
    const bool Inside = Ends[I] >= Memory.Begin && Ends[I + 1] <= Memory.End;
    double Length = P.Bytes.length();
    if (Breaking && !Inside && Length > Broken * Memory.length()) {
      Length = Broken * Memory.length();
      Cut.push_back(I);
    }
    P.From = Total;
    P.To = Total += Length;
    Parts.push_back(P);
  }
  for (Part &P : Parts) {
    P.From *= 100 / Total;
    P.To *= 100 / Total;
  }
  for (size_t I : Cut)
    Breaks.push_back((Parts[I].From + Parts[I].To) / 2);
}

double Axis::at(double Byte) const {
  for (const Part &P : Parts)
    if (Byte <= P.Bytes.End)
      return P.From + (P.To - P.From) * std::max(Byte - P.Bytes.Begin, 0.0) /
                          P.Bytes.length();
  return 100;
}
