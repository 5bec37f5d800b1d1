//===- report/text/expression.h - the expression at a place in a line -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_TEXT_EXPRESSION_H
#define WARPSAN_REPORT_TEXT_EXPRESSION_H

#include <cstddef>
#include <string_view>

namespace warpsan {

/// Bytes [Begin, End) of a line; Begin == End if there is nothing there.
struct Span {
  size_t Begin = 0, End = 0;
};

/// What to underline for an access that debug information puts at byte \p At of
/// \p Line. Compilers point at the start of what is read, but at the operator
/// of an assignment, whose left side is what is written, and at the name of a
/// struct's member. An expression that goes on in the next line is cut to what
/// is sure.
Span expressionAt(std::string_view Line, size_t At);

} // namespace warpsan

#endif // WARPSAN_REPORT_TEXT_EXPRESSION_H
