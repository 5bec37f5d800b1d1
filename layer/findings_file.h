//===- layer/findings_file.h - findings as lines of JSON ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_FILE_H
#define WARPSAN_LAYER_FINDINGS_FILE_H

#include <string>

namespace warpsan {

/// Where findings go: option findings_file, %p replaced, from the folder in
/// which the process started; and a file in the run's folder if there is no
/// such option, or a report is wanted of the run.
/// Called at start, before the program can change its working folder.
void chooseFindingsFile();

/// Appends \p Line, in one write. That it cannot is said once.
void appendToFindingsFile(const std::string &Line);

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_FILE_H
