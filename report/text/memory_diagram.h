//===- report/text/memory_diagram.h - memory and an access, drawn to scale ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_TEXT_MEMORY_DIAGRAM_H
#define WARPSAN_REPORT_TEXT_MEMORY_DIAGRAM_H

#include "diagnose/finding.h"
#include "report/text/paint.h"

#include <string>

namespace warpsan {

/// One line of at most 80 columns, without indent or end:
///   dest  0 [##############################] 16,892  . . . x 20,480
///   src  0 [############################xx]xx 64
///   tile  -8 x . 0 [##############################] 64
/// All is drawn to scale: #, x, and the dots between them; // stands for more
/// than fits. Whatever is not adjacent has at least one dot. Empty if the
/// access did not fall outside, or the memory has no size.
std::string pictureOf(const Finding &F, const std::string &Label,
                      const Paint &Brush);

} // namespace warpsan

#endif // WARPSAN_REPORT_TEXT_MEMORY_DIAGRAM_H
