//===- compiler/server/symbolizer.h - host addresses to functions and
// lines ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SERVER_SYMBOLIZER_H
#define WARPSAN_COMPILER_SERVER_SYMBOLIZER_H

#include "job/job.h"

namespace warpsan {

/// Reads debug information and symbol tables of the modules that \p Asked
/// names. An address of which nothing is known gets no frame.
SymbolResult symbolize(const SymbolJob &Asked);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SERVER_SYMBOLIZER_H
