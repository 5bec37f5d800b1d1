//===- layer/process/run_file.h - memory that outlives the process --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_RUN_FILE_H
#define WARPSAN_LAYER_PROCESS_RUN_FILE_H

#include <cstddef>
#include <string_view>

namespace warpsan {

/// Maps \p Size zero bytes, of a new file "<pid>.<n><Ending>" in the directory
/// of `warpsan run`, if there is one and it has room; else of memory like any
/// other, which goes with the process. Null if neither can be had.
void *mapRunFile(const char *Ending, size_t Size);

/// Writes \p Text to such a file if there is a directory. Limited to some MB a
/// process.
void writeRunFile(const char *Ending, std::string_view Text);

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_RUN_FILE_H
