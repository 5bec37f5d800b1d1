//===- text/write_all.h - all bytes into a descriptor, or an error --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEXT_WRITE_ALL_H
#define WARPSAN_TEXT_WRITE_ALL_H

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace warpsan {

/// Writes \p Bytes to \p File, whose position moves. A call that a signal
/// interrupts or that writes only a part is continued. Returns false, with
/// errno, if the descriptor takes no more; some bytes may be written then.
/// Async-signal-safe.
inline bool writeAll(int File, std::string_view Bytes) {
  while (!Bytes.empty()) {
    const ssize_t Put = write(File, Bytes.data(), Bytes.size());
    if (Put < 0 && errno == EINTR)
      continue;
    if (Put == 0)
      errno = EIO; // a device that takes nothing and gives no reason
    if (Put <= 0)
      return false;
    Bytes.remove_prefix(static_cast<size_t>(Put));
  }
  return true;
}

} // namespace warpsan

#endif // WARPSAN_TEXT_WRITE_ALL_H
