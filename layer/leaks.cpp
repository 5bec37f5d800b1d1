//===- layer/leaks.cpp - memory that outlives its context -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/leaks.h"

#include "layer/findings.h"
#include "layer/objects.h"
#include "layer/settings.h"
#include "layer/svm_ranges.h"

#include <map>
#include <mutex>
#include <set>

using namespace warpsan;

static std::mutex &Mutex = *new std::mutex;
/// Contexts that the application has let go of; under Mutex.
static auto &Gone = *new std::set<cl_context>;

void warpsan::noteContextMade(cl_context Context) {
  std::lock_guard Lock(Mutex);
  Gone.erase(Context);
}

void warpsan::noteContextGone(cl_context Context) {
  std::lock_guard Lock(Mutex);
  Gone.insert(Context);
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
    auto Note = [&](const std::shared_ptr<const Memory> &M) {
      if (!*M->CreatedBy || !Gone.contains(M->Context))
        return;
      Leak &L = Leaks[M->Created];
      if (L.Count++ == 0)
        L.First = M;
    };
    Memories.forEach(Note);
    forEachLiveSvm(Note);
  }
  for (const auto &[Place, L] : Leaks)
    reportLeak(L.First, L.Count);
}
