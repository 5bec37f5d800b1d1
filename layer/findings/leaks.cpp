//===- layer/findings/leaks.cpp - memory that outlives its context --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/leaks.h"

#include "layer/findings/findings.h"
#include "layer/objects/objects.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "layer/svm/svm_ranges.h"

#include <map>
#include <mutex>
#include <set>

using namespace warpsan;

static std::mutex &Mutex = noDestructor<std::mutex>();
/// Contexts that the application has let go of; under Mutex.
static auto &Gone = noDestructor<std::set<cl_context>>();

void warpsan::noteContextMade(cl_context Context) {
  std::lock_guard Lock(Mutex);
  Gone.erase(Context);
}

void warpsan::noteContextGone(cl_context Context) {
  std::lock_guard Lock(Mutex);
  Gone.insert(Context);
}

void warpsan::lockLeaks() { Mutex.lock(); }
void warpsan::unlockLeaks() { Mutex.unlock(); }

void warpsan::forgetLeaks() {
  Gone.clear();
  Mutex.unlock();
}

void warpsan::reportLeaks() {
  if (!settings().detect_leaks || !wantChecks())
    return;
  struct Leak {
    std::shared_ptr<const Memory> First;
    uint64_t Count = 0;
  };
  std::map<Backtrace, Leak> Leaks; // by who made it
  {
    std::lock_guard Lock(Mutex);
    // Nothing more is asked for in a forked child, whose other locks may be
    // held by threads that it does not have.
    if (Gone.empty())
      return;
    auto Note = [&](const std::shared_ptr<const Memory> &M) {
      if (!*M->CreatedBy || !Gone.contains(M->Context))
        return;
      Leak &L = Leaks[M->Created];
      if (L.Count++ == 0)
        L.First = M;
    };
    Memories.forEach([&](cl_mem, const auto &M) { Note(M); });
    forEachLiveSvm(Note);
  }
  for (const auto &[Place, L] : Leaks)
    reportLeak(L.First, L.Count);
}
