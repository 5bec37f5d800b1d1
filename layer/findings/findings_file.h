//===- layer/findings/findings_file.h - findings as lines of JSON ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_FINDINGS_FILE_H
#define WARPSAN_LAYER_FINDINGS_FINDINGS_FILE_H

#include <string>

namespace warpsan {

/// Where findings go: option findings_file, %p replaced, from the directory in
/// which the process started; and a file in the run's directory if there is no
/// such option, or a report is wanted of the run.
/// The same for option log_path.
/// Called at start, before the program can change its working directory. Says
/// so if a file that an option names cannot be written, and counts it.
void chooseFindingsFile();

/// Appends \p Line, in one write. A failure is reported once for each file.
void appendToFindingsFile(const std::string &Line);

/// Appends \p Text to the file log_path, in one write. False if there is no
/// such option or the write failed: it has to be written elsewhere.
bool appendToLog(const std::string &Text);

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_FINDINGS_FILE_H
