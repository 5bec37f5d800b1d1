//===- report/html/axis.h - bytes as places in a picture --------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_HTML_AXIS_H
#define WARPSAN_REPORT_HTML_AXIS_H

#include <vector>

namespace warpsan::html {

/// Bytes [Begin, End) from the start of the memory. Whole numbers up to 2^53
/// are exact; beyond, a picture is not.
struct Extent {
  double Begin = 0, End = 0;
  double length() const { return End - Begin; }
};

/// Puts the memory and all that is around it side by side in 100 percent. All
/// is to scale if that leaves a third of it to the memory; if not, what is long
/// and not the memory is broken: drawn shorter than it is.
class Axis {
public:
  Axis(const Extent &Memory, const std::vector<Extent> &Others);
  double at(double Byte) const; ///< percent
  /// Percent, where a break is to be marked.
  const std::vector<double> &breaks() const { return Breaks; }

private:
  struct Part {
    Extent Bytes;
    double From = 0, To = 0; ///< percent
  };
  std::vector<Part> Parts; ///< they follow each other
  std::vector<double> Breaks;
};

} // namespace warpsan::html

#endif // WARPSAN_REPORT_HTML_AXIS_H
