//===- layer/objects/memory_state.h - state of memory that launches share -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Components of Memory (layer/objects/objects.h) that several threads change.
// Each has a lock of its own that guards its members, and no lock is held
// across a driver call.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_MEMORY_STATE_H
#define WARPSAN_LAYER_OBJECTS_MEMORY_STATE_H

#include "layer/objects/driver.h"
#include "proof/expression.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace warpsan {

struct LaunchedKernel;
struct SchemePlace; // layer/schemes/schemes.cpp

/// Value ranges of a few integer fields of a memory, each for one version of
/// its contents. Fields are compared with the argument that they have.
class IndexRangeTable {
public:
  struct Range {
    int64_t Min = INT64_MAX, Max = INT64_MIN;
  };
  struct Lookup {
    std::optional<Range> Known;
    /// The caller is to measure the range, and to call measured(), failed() or
    /// discard().
    bool Measure = false;
  };

  Lookup lookup(const Content &Field, uint64_t Version);
  void measured(const Content &Field, uint64_t Version, Range Result);
  /// The range cannot be measured: it is not tried again for that version.
  void failed(const Content &Field, uint64_t Version);
  /// The contents changed while the range was measured.
  void discard(const Content &Field, uint64_t Version);

private:
  enum class State : uint8_t { Unknown, Measuring, Known, Failed };
  struct Entry {
    Content Field;
    uint64_t Version = 0;
    State Progress = State::Unknown;
    unsigned Lookups = 0; ///< while Unknown
    unsigned Unused = 0;  ///< earlier versions measured that no launch used
    bool Used = false;
    Range Result;
  };
  /// Null if there is none. The lock must be held.
  Entry *find(const Content &Field, uint64_t Version);
  /// Null if the table is full of ranges of \p Version. The lock must be held.
  Entry *findOrAdd(const Content &Field, uint64_t Version);

  std::mutex Mutex;
  std::vector<Entry> Entries;
};

/// Which contents memory has, and what is known of them.
struct MemoryContents {
  std::atomic<uint64_t> Changed = 0;  ///< how often
  std::atomic<uint32_t> Changing = 0; ///< commands that are being enqueued
  std::atomic<int32_t> Mapped = 0;
  std::atomic<bool> HasViews = false;   ///< sub-buffers or images
  std::atomic<bool> Unknowable = false; ///< it may change at any time
  IndexRangeTable Ranges;
};

/// A launch that relies on memory, layer/svm/svm_in_flight.h.
struct MemoryUser {
  cl_command_queue Queue = nullptr;
  std::shared_ptr<_cl_event> Event; ///< complete when the launch is
  std::shared_ptr<const LaunchedKernel> Kernel;
  unsigned Arg = 0;
};

/// The launches that rely on a memory.
class MemoryUsers {
public:
  std::vector<MemoryUser> all() const {
    std::lock_guard Lock(Mutex);
    return Users;
  }
  /// Returns the number of users.
  size_t add(MemoryUser New) {
    std::lock_guard Lock(Mutex);
    Users.push_back(std::move(New));
    return Users.size();
  }
  /// Removes the users for which \p Predicate is true, and returns them: their
  /// events are released after the lock.
  template <typename F> std::vector<MemoryUser> takeIf(F Predicate) {
    std::vector<MemoryUser> Removed;
    std::lock_guard Lock(Mutex);
    auto Rest = std::ranges::stable_partition(
        Users, [&](const MemoryUser &Each) { return !Predicate(Each); });
    std::ranges::move(Rest, std::back_inserter(Removed));
    Users.erase(Rest.begin(), Rest.end());
    return Removed;
  }
  template <typename F> void removeIf(F Predicate) { takeIf(Predicate); }

private:
  mutable std::mutex Mutex;
  std::vector<MemoryUser> Users;
};

/// Where the allocator of another scheme puts a memory.
class SchemePlacement {
public:
  /// Calls \p Make the first time. The place lives as long as this.
  template <typename F> SchemePlace &getOrMake(F Make) {
    std::lock_guard Lock(Mutex);
    if (!Place)
      Place = Make();
    return *Place;
  }

private:
  std::mutex Mutex;
  std::shared_ptr<SchemePlace> Place;
};

//===----------------------------------------------------------------------===//
// All memory of the process. Any thread may call these; they are cheap.
//===----------------------------------------------------------------------===//

/// An allocation of shared virtual memory has come or gone.
void noteSvmChange();

/// True once there was an allocation of shared virtual memory.
bool svmWasAllocated();

/// Changes with each noteSvmChange(): results of svmPlaceOf()
/// (layer/svm/svm_ranges.h) from before may be out of date.
uint64_t svmEpoch();

/// A kernel has no twin: buffers get padding from now on, for canaries.
void expectCanaries();

/// True after expectCanaries().
bool areCanariesExpected();

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_MEMORY_STATE_H
