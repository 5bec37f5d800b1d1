//===- layer/records/records.h - record buffers, and what twins wrote into
// them -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Record memory is memory of ours that a device uses in place, so that the host
// can look at any time without a command. That nothing happened is seen by one
// load a buffer. Devices that do not: layer/records/record_buffer.h.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_RECORDS_RECORDS_H
#define WARPSAN_LAYER_RECORDS_RECORDS_H

#include "abi/record.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace warpsan {

/// One record buffer's memory. It is never unmapped: what a context no longer
/// needs is given to the next one, and readers need no lock.
struct RecordMemory {
  WsRecordBuffer *Buffer = nullptr;
  WsU32 *SeenLost = nullptr; ///< behind it; under takeRecords' lock

  // Used by takeRecords, under its lock.
  std::atomic<uint32_t> SeenHits = 0; ///< read without the lock too
  /// A claimed record was not complete when it was last looked at.
  std::atomic<bool> Unfinished = false;
  std::atomic<bool> Retired = false; ///< the driver has let go of it
  bool Free = false;                 ///< under the registry's lock
  RecordMemory *NextInList = nullptr;
};

/// Memory for a record buffer, with its version set and no records. Hits and
/// Lost continue where an earlier user of the memory left them. Null if there
/// is none.
RecordMemory *newRecordMemory();

/// The driver uses \p Memory no longer. May be called from any thread, also
/// from within the driver; remaining records are still taken.
void retireRecordMemory(RecordMemory *Memory);

/// True if something was written since takeRecords. Cheap.
bool haveRecords();

/// True if so much was written that some buffer might become full before the
/// application waits. Cheap.
bool haveManyRecords();

/// What was taken out of all record buffers.
struct TakenRecords {
  std::vector<WsRecord> Records;
  uint64_t Lost = 0; ///< failed checks that found no room
  /// Buffers whose version was wrong: something wrote over them.
  uint64_t Damaged = 0;
};

/// Takes all complete records and frees their entries. One caller at a time
/// works, others wait.
TakenRecords takeRecords();

/// For fork; as lockCanaries().
void lockRecords();
void unlockRecords();
/// A forked child sees its parent's records: they are not its own. Unlocks.
void forgetRecords();

} // namespace warpsan

#endif // WARPSAN_LAYER_RECORDS_RECORDS_H
