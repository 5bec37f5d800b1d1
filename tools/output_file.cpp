//===- tools/output_file.cpp - files that warpsan run writes at its end ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/output_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

using namespace warpsan;

OutputFile::OutputFile(std::string Name) : Path(std::move(Name)) {
  if (Path.empty())
    return;
  for (size_t At = 0; (At = Path.find("%p", At)) != std::string::npos;) {
    std::string Pid = std::to_string(getpid());
    Path.replace(At, 2, Pid);
    At += Pid.size();
  }
  Fd = open(Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (Fd < 0)
    Problem = std::strerror(errno);
}

OutputFile::~OutputFile() {
  if (Fd >= 0)
    close(Fd);
}

void OutputFile::write(std::string_view Text) {
  while (Fd >= 0 && !Text.empty() && Problem.empty()) {
    ssize_t Put = ::write(Fd, Text.data(), Text.size());
    if (Put >= 0)
      Text.remove_prefix(static_cast<size_t>(Put));
    else if (errno != EINTR)
      Problem = std::strerror(errno);
  }
}
