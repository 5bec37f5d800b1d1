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

UnreadRecords warpsan::readUnread(const std::string &Path) {
  UnreadRecords Out;
  auto File = std::make_unique<RecordsFile>();
  const int Descriptor =
      open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (Descriptor < 0)
    return Out;
  const ssize_t Got = pread(Descriptor, File.get(), sizeof(*File), 0);
  close(Descriptor);
  if (Got != static_cast<ssize_t>(sizeof(*File)))
    return Out;
  // Modulo 2^32, as the device counts.
  Out.Count = static_cast<WsU32>(File->Buffer.Lost - File->SeenLost);
  for (const WsRecord &Entry : File->Buffer.Records) {
    Out.Count += Entry.Key != 0;
    if (Entry.Key && Entry.Ready)
      Out.Records.push_back(Entry);
  }
  return Out;
}
