//===- tools/report/output_file.h - files that warpsan writes -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_REPORT_OUTPUT_FILE_H
#define WARPSAN_TOOLS_REPORT_OUTPUT_FILE_H

#include <string>
#include <string_view>

namespace warpsan {

/// Opened, and emptied, when it is made, so that a wrong path costs no run.
/// What is written is there as a whole or not at all: it becomes the file when
/// it is complete. A new file has the rights that the umask leaves. Devices,
/// pipes and symbolic links are written to as they are.
class OutputFile {
public:
  /// An empty \p Name is no file: writing does nothing. %p in it becomes the
  /// process id.
  explicit OutputFile(std::string Name);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  void write(std::string_view Text);
  const std::string &path() const { return Path; }
  /// Why it could not be opened or written; else empty.
  const std::string &problem() const { return Problem; }

private:
  bool openBeside();

  std::string Path;
  std::string Part; ///< what becomes Path; empty: Fd is Path itself
  std::string Problem;
  int Fd = -1;
};

} // namespace warpsan

#endif // WARPSAN_TOOLS_REPORT_OUTPUT_FILE_H
