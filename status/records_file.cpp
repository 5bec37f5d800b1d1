//===- status/records_file.cpp - record buffers that outlive their process ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/records_file.h"

#include <fcntl.h>
#include <memory>
#include <unistd.h>

using namespace warpsan;

uint64_t warpsan::countUnread(const std::string &Path) {
  auto File = std::make_unique<RecordsFile>();
  const int Descriptor =
      open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (Descriptor < 0)
    return 0;
  const ssize_t Got = pread(Descriptor, File.get(), sizeof(*File), 0);
  close(Descriptor);
  if (Got != static_cast<ssize_t>(sizeof(*File)))
    return 0;
  // Modulo 2^32, as the device counts.
  uint64_t Count = static_cast<WsU32>(File->Buffer.Lost - File->SeenLost);
  for (const WsRecord &Entry : File->Buffer.Records)
    Count += Entry.Key != 0;
  return Count;
}
