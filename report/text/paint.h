//===- report/text/paint.h - colors, if they are wanted -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_TEXT_PAINT_H
#define WARPSAN_REPORT_TEXT_PAINT_H

#include <cstddef>
#include <string>

namespace warpsan {

/// Puts a terminal's color codes around text. Columns are measured before
/// painting.
struct Paint {
  bool Color = false;
  size_t Columns = 94; ///< of a line, where it can be folded

  std::string error(const std::string &Text) const { return put("1;31", Text); }
  std::string strong(const std::string &Text) const { return put("1", Text); }
  std::string mark(const std::string &Text) const { return put("1;32", Text); }
  std::string faint(const std::string &Text) const { return put("2", Text); }

private:
  std::string put(const char *Code, const std::string &Text) const {
    if (!Color || Text.empty())
      return Text;
    return std::string("\033[") + Code + "m" + Text + "\033[0m";
  }
};

} // namespace warpsan

#endif // WARPSAN_REPORT_TEXT_PAINT_H
