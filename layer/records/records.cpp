//===- layer/records/records.cpp - record buffers, and what twins wrote into
// them -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/records/records.h"

#include "layer/process/no_destructor.h"
#include "layer/process/run_file.h"
#include "status/records_file.h"

#include <cstring>
#include <iterator>
#include <mutex>
#include <utility>

using namespace warpsan;

/// All memory there ever was; only grows.
static std::atomic<RecordMemory *> First = nullptr;
/// Guards the making and freeing of memory, and takeRecords.
static std::mutex &Mutex = noDestructor<std::mutex>();

static std::atomic_ref<WsU32> shared(WsU32 &Word) {
  return std::atomic_ref<WsU32>(Word);
}

static RecordMemory *takeFree() {
  for (RecordMemory *M = First.load(); M; M = M->NextInList)
    if (M->Free) {
      M->Free = false;
      return M;
    }
  return nullptr;
}

RecordMemory *warpsan::newRecordMemory() {
  std::lock_guard Lock(Mutex);
  RecordMemory *M = takeFree();
  if (M)
    return M;
  auto *Pages =
      static_cast<RecordsFile *>(mapRunFile(".records", sizeof(RecordsFile)));
  if (!Pages)
    return nullptr;
  M = new RecordMemory;
  M->Buffer = &Pages->Buffer;
  M->SeenLost = &Pages->SeenLost;
  M->Buffer->Version = WS_RECORD_VERSION;
  M->NextInList = First.load();
  First.store(M, std::memory_order_release);
  return M;
}

void warpsan::retireRecordMemory(RecordMemory *Memory) {
  Memory->Retired.store(true, std::memory_order_release);
}

static bool hasNews(const RecordMemory &M) {
  return shared(M.Buffer->Hits).load(std::memory_order_relaxed) !=
             M.SeenHits.load(std::memory_order_relaxed) ||
         M.Unfinished.load(std::memory_order_relaxed) ||
         M.Retired.load(std::memory_order_relaxed);
}

bool warpsan::haveRecords() {
  for (RecordMemory *M = First.load(std::memory_order_acquire); M;
       M = M->NextInList)
    if (hasNews(*M))
      return true;
  return false;
}

bool warpsan::haveManyRecords() {
  constexpr WsU32 Many = WS_RECORDS / 8;
  for (RecordMemory *M = First.load(std::memory_order_acquire); M;
       M = M->NextInList)
    if (shared(M->Buffer->Hits).load(std::memory_order_relaxed) -
            M->SeenHits.load(std::memory_order_relaxed) >=
        Many)
      return true;
  return false;
}

/// Copies a complete record and frees its entry, the key last: from then on
/// a work-item may claim it.
static void takeRecord(WsRecord &Entry, std::vector<WsRecord> &Records) {
  Records.push_back(Entry);
  WsRecord &Copy = Records.back();
  // What is counted while we look is in the copy, or in the next record.
  Copy.Items = shared(Entry.Items).exchange(0, std::memory_order_relaxed);
  for (size_t I = 0; I < std::size(Copy.Hit); ++I)
    Copy.Hit[I] = shared(Entry.Hit[I]).exchange(0, std::memory_order_relaxed);
  shared(Entry.Ready).store(0, std::memory_order_relaxed);
  shared(Entry.Key).store(0, std::memory_order_release);
}

static void takeFrom(RecordMemory &M, TakenRecords &Taken) {
  WsRecordBuffer &B = *M.Buffer;
  // Before the records: one that comes now raises it again.
  M.SeenHits = shared(B.Hits).load(std::memory_order_acquire);
  if (B.Version != WS_RECORD_VERSION) {
    ++Taken.Damaged;
    B.Version = WS_RECORD_VERSION;
  }
  WsU32 Lost = shared(B.Lost).load(std::memory_order_relaxed);
  Taken.Lost += Lost - std::exchange(*M.SeenLost, Lost); // modulo 2^32
  bool Unfinished = false;
  for (WsRecord &Entry : B.Records) {
    if (!shared(Entry.Key).load(std::memory_order_relaxed))
      continue;
    if (shared(Entry.Ready).load(std::memory_order_acquire))
      takeRecord(Entry, Taken.Records);
    else
      Unfinished = true;
  }
  M.Unfinished = Unfinished;
}

/// A buffer that the driver has let go of gets no more records: what is
/// unfinished stays so. Hits and Lost are left: other threads may look at them,
/// and what has been seen of them is known.
static void makeFree(RecordMemory &M) {
  std::memset(M.Buffer->Zeros, 0, sizeof(M.Buffer->Zeros));
  std::memset(M.Buffer->Records, 0, sizeof(M.Buffer->Records));
  M.Unfinished = false;
  M.Retired = false;
  M.Free = true;
}

TakenRecords warpsan::takeRecords() {
  TakenRecords Taken;
  std::lock_guard Lock(Mutex);
  for (RecordMemory *M = First.load(); M; M = M->NextInList) {
    if (!hasNews(*M))
      continue;
    // Read first: records that were written before it are then seen.
    bool Retired = M->Retired.load(std::memory_order_acquire);
    takeFrom(*M, Taken);
    if (Retired)
      makeFree(*M);
  }
  return Taken;
}

void warpsan::lockRecords() { Mutex.lock(); }
void warpsan::unlockRecords() { Mutex.unlock(); }

/// The memory is left to the parent, of which it is.
void warpsan::forgetRecords() {
  First = nullptr;
  Mutex.unlock();
}
