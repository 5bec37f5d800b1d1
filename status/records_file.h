//===- status/records_file.h - record buffers that outlive their process --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under `warpsan run` the layer's record buffers are files in the run's
// directory,
// "<pid>.<n>.records", mapped into memory. A process that is killed, or leaves
// by _exit, has no time to read what its last launches have written: then at
// least it can be said that there was something.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_STATUS_RECORDS_FILE_H
#define WARPSAN_STATUS_RECORDS_FILE_H

#include "abi/record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

struct RecordsFile {
  WsRecordBuffer Buffer;
  WsU32 SeenLost; ///< how many of Buffer.Lost the layer has reported
};

/// What is in such a file; the process took out what it read.
struct UnreadRecords {
  uint64_t Count = 0;            ///< failed checks, of one launch each
  std::vector<WsRecord> Records; ///< those that are complete
};
/// Nothing if it is no such file.
UnreadRecords readUnread(const std::string &Path);

} // namespace warpsan

#endif // WARPSAN_STATUS_RECORDS_FILE_H
