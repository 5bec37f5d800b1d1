//===- layer/twin/build_turns.cpp - one twin is built at a time -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/build_turns.h"

#include "layer/process/no_destructor.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

using namespace warpsan;

namespace {

struct Turns {
  std::mutex Mutex;
  std::condition_variable Ended; ///< a turn has
  // Guarded by Mutex.
  unsigned Twins = 0, Applications = 0; ///< turns of each
  uint64_t EndedTurns = 0;
};

} // namespace

static thread_local unsigned OwnTurns = 0;

static Turns &turns() {
  static Turns &Only = noDestructor<Turns>();
  return Only;
}

BuildTurn::BuildTurn(Builder By) : By(By) {
  constexpr auto Longest = std::chrono::minutes(1);
  Turns &All = turns();
  std::unique_lock Lock(All.Mutex);
  auto Free = [&] {
    return All.Twins == 0 && (By == Builder::Application || !All.Applications);
  };
  while (OwnTurns == 0 && !Free()) {
    const uint64_t Seen = All.EndedTurns;
    if (!All.Ended.wait_for(Lock, Longest,
                            [&] { return All.EndedTurns != Seen; }))
      break;
  }
  ++OwnTurns;
  ++(By == Builder::Twin ? All.Twins : All.Applications);
}

BuildTurn::~BuildTurn() {
  Turns &All = turns();
  const std::lock_guard Lock(All.Mutex);
  --OwnTurns;
  --(By == Builder::Twin ? All.Twins : All.Applications);
  ++All.EndedTurns;
  All.Ended.notify_all();
}
