//===- layer/objects/handle_table.h - driver handles to our objects -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer never wraps a handle: the application holds the driver's own, and
// what we know of it stands beside it in a table. A table is cut into shards
// so that 64 threads seldom meet; no driver call is made under a shard's lock.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_HANDLE_TABLE_H
#define WARPSAN_LAYER_OBJECTS_HANDLE_TABLE_H

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace warpsan {

template <typename HandleT, typename ObjectT> class HandleTable {
public:
  using Ref = std::shared_ptr<ObjectT>;

  /// Enters a handle that the driver has just handed out, with one reference.
  /// What an older object left under the same handle is replaced, since the
  /// driver reuses addresses, and returned.
  Ref add(HandleT Handle, Ref Object) {
    Shard &S = shardOf(Handle);
    std::lock_guard Lock(S.Mutex);
    return std::exchange(S.Map[Handle], Entry{std::move(Object), 1}).Object;
  }

  /// Enters a handle that some other call may have entered already.
  /// Returns the object that is in the table.
  Ref addIfAbsent(HandleT Handle, Ref Object) {
    Shard &S = shardOf(Handle);
    std::lock_guard Lock(S.Mutex);
    return S.Map.try_emplace(Handle, Entry{std::move(Object), 1})
        .first->second.Object;
  }

  /// Null if the handle is not ours to know: made before the layer was loaded,
  /// or not valid at all.
  Ref find(HandleT Handle) {
    Shard &S = shardOf(Handle);
    std::lock_guard Lock(S.Mutex);
    auto It = S.Map.find(Handle);
    return It == S.Map.end() ? nullptr : It->second.Object;
  }

  void retain(HandleT Handle) {
    Shard &S = shardOf(Handle);
    std::lock_guard Lock(S.Mutex);
    if (auto It = S.Map.find(Handle); It != S.Map.end())
      ++It->second.References;
  }

  /// Drops one of the application's references. Call it *before* the driver's
  /// release: afterwards the driver may hand the same address out again to
  /// another thread. Returns the object if this was the last reference.
  Ref release(HandleT Handle) {
    Shard &S = shardOf(Handle);
    std::lock_guard Lock(S.Mutex);
    auto It = S.Map.find(Handle);
    if (It == S.Map.end() || --It->second.References != 0)
      return nullptr;
    Ref Last = std::move(It->second.Object);
    S.Map.erase(It);
    return Last;
  }

  /// Calls \p Visit with each handle and its object, under a lock: it must not
  /// come back here. The driver has not released the handle yet.
  template <typename F> void forEach(F Visit) {
    for (Shard &S : Shards) {
      std::lock_guard Lock(S.Mutex);
      for (auto &[Handle, E] : S.Map)
        Visit(Handle, E.Object);
    }
  }

private:
  struct Entry {
    Ref Object;
    uint32_t References = 0; ///< the application's, as it retained and released
  };
  struct alignas(64) Shard {
    std::mutex Mutex;
    std::unordered_map<HandleT, Entry> Map;
  };

  Shard &shardOf(HandleT Handle) {
    // Handles are heap addresses: the low bits carry nothing.
    auto Bits = reinterpret_cast<uintptr_t>(Handle);
    return Shards[(Bits >> 4 ^ Bits >> 12) % Shards.size()];
  }

  std::array<Shard, 64> Shards;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_HANDLE_TABLE_H
