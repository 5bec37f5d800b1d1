//===- layer/launch/running.cpp - launches that are not known to have
// ended ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/running.h"

#include "layer/objects/objects.h"
#include "layer/process/counters.h"

#include <algorithm>
#include <cstring>

using namespace warpsan;

template <typename Handle> static uint64_t numberOf(Handle Of) {
  return reinterpret_cast<uintptr_t>(Of);
}

uint64_t warpsan::noteRunning(cl_command_queue Queue,
                              const std::string &Kernel) {
  static std::atomic<uint64_t> Last = 0;
  const uint64_t Serial = Last.fetch_add(1, std::memory_order_relaxed) + 1;
  RunningRow &Row = runningRows()[Serial % StatusFile::MaxRunning];
  // After the launch that had the row has written all of it.
  Row.Serial.exchange(0, std::memory_order_acq_rel);
  Row.Queue.store(numberOf(Queue), std::memory_order_relaxed);
  Row.Event.store(0, std::memory_order_relaxed);
  Row.Launch.store(0, std::memory_order_relaxed);
  const size_t Length = std::min(Kernel.size(), sizeof(Row.Kernel) - 1);
  std::memcpy(Row.Kernel, Kernel.data(), Length);
  Row.Kernel[Length] = '\0';
  Row.Serial.store(Serial, std::memory_order_release);
  return Serial;
}

void warpsan::noteNumber(uint64_t Serial, uint64_t Number) {
  RunningRow &Row = runningRows()[Serial % StatusFile::MaxRunning];
  if (Serial && Row.Serial.load(std::memory_order_relaxed) == Serial)
    Row.Launch.store(Number, std::memory_order_relaxed);
}

void warpsan::noteEnqueued(uint64_t Serial, cl_event Event) {
  RunningRow &Row = runningRows()[Serial % StatusFile::MaxRunning];
  if (Row.Serial.load(std::memory_order_relaxed) == Serial)
    Row.Event.store(numberOf(Event), std::memory_order_relaxed);
}

/// Unless it is another launch's by now.
static void clear(RunningRow &Row, uint64_t Serial) {
  Row.Serial.compare_exchange_strong(Serial, 0, std::memory_order_relaxed);
}

void warpsan::noteRefused(uint64_t Serial) {
  clear(runningRows()[Serial % StatusFile::MaxRunning], Serial);
}

/// Those of \p Queue up to \p Last.
static void clearUpTo(uint64_t Queue, uint64_t Last) {
  for (RunningRow &Row : runningRows())
    if (const uint64_t Serial = Row.Serial.load(std::memory_order_acquire);
        Serial && Serial <= Last &&
        Row.Queue.load(std::memory_order_relaxed) == Queue)
      clear(Row, Serial);
}

void warpsan::noteAllEnded(cl_command_queue Queue) {
  clearUpTo(numberOf(Queue), ~uint64_t(0));
}

void warpsan::noteBlockingEnded(cl_command_queue Queue) {
  if (auto Q = Queues.find(Queue); Q && Q->InOrder.load())
    noteAllEnded(Queue);
}

void warpsan::noteEnded(cl_event Event) {
  for (RunningRow &Row : runningRows()) {
    const uint64_t Serial = Row.Serial.load(std::memory_order_acquire);
    if (!Serial || Row.Event.load(std::memory_order_relaxed) != numberOf(Event))
      continue;
    const uint64_t Of = Row.Queue.load(std::memory_order_relaxed);
    auto *Queue = reinterpret_cast<cl_command_queue>(Of);
    if (auto Q = Queues.find(Queue); Q && Q->InOrder.load())
      clearUpTo(Of, Serial);
    clear(Row, Serial);
  }
}

void warpsan::noteNoneRunning() {
  for (RunningRow &Row : runningRows())
    Row.Serial.store(0, std::memory_order_relaxed);
}
