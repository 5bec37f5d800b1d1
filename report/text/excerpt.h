//===- report/text/excerpt.h - lines of the source with a caret -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_TEXT_EXCERPT_H
#define WARPSAN_REPORT_TEXT_EXCERPT_H

#include "diagnose/finding.h"
#include "report/text/paint.h"

#include <string>
#include <vector>

namespace warpsan {

/// The lines of \p Excerpt up to \p Line, which is marked, with a caret under
/// \p Column (in bytes, from 1; 0: none) and \p Notes beside or below it. Empty
/// if the excerpt does not have the line.
std::string excerptText(const SourceExcerpt &Excerpt, uint32_t Line,
                        uint32_t Column, const std::vector<std::string> &Notes,
                        const Paint &Brush);

} // namespace warpsan

#endif // WARPSAN_REPORT_TEXT_EXCERPT_H
