//===- layer/objects/tombstones.h - handles that the application has let go
// of ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a handle stood for after the application has let go of it, until the
// driver hands the same handle out again, for an object of whatever kind.
//
// The application's own references are what counts. That a driver keeps an
// object (a kernel its program, an event its queue) makes its handle no less
// dead, unless a query hands it out.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_TOMBSTONES_H
#define WARPSAN_LAYER_OBJECTS_TOMBSTONES_H

#include "layer/objects/objects.h"
#include "layer/process/reserve.h"

namespace warpsan {

/// To be called before the driver's release.
void bury(const void *Handle, std::shared_ptr<const Life> Of);

/// The driver has handed out \p Handle. Cheap if nothing is buried there.
void exhume(const void *Handle);

/// From now on handles may be handed out unseen: nothing is buried any more.
void stopBurying();

/// Null if the handle is a live one, or one that we never knew. Cheap then: one
/// load.
std::shared_ptr<const Life> buriedAt(const void *Handle);

inline const Life &lifeOf(const Memory &M) { return M; }
template <typename ObjectT> const Life &lifeOf(const ObjectT &Object) {
  return *Object.Info;
}

/// Enters what the driver has just made.
template <typename HandleT, typename ObjectT>
void enter(HandleTable<HandleT, ObjectT> &Table, HandleT Handle,
           std::shared_ptr<ObjectT> Object) {
  noteIfPossible([&] {
    exhume(Handle);
    // What is handed out twice (the default queue of a device) has references
    // of both calls.
    const auto Kept = Object;
    if (Table.add(Handle, std::move(Object)))
      lifeOf(*Kept).Shared = true;
  });
}

/// Drops one of the application's references, before the driver does; buries
/// the object and returns it if this was the last.
template <typename HandleT, typename ObjectT>
std::shared_ptr<ObjectT> letGo(HandleTable<HandleT, ObjectT> &Table,
                               HandleT Handle, const char *Call) {
  auto Last = Table.release(Handle);
  if (!Last)
    return nullptr;
  const Life &L = lifeOf(*Last);
  if (!*L.CreatedBy || L.Shared)
    return Last; // how many references there are is not known
  L.release(Call);
  if constexpr (std::is_base_of_v<Life, ObjectT>)
    bury(Handle, Last);
  else
    bury(Handle, Last->Info);
  return Last;
}

/// The application has taken a reference, and the driver has given it.
template <typename HandleT, typename ObjectT>
void noteRetained(HandleTable<HandleT, ObjectT> &Table, HandleT Handle) {
  exhume(Handle); // what the driver can still retain it can still release
  Table.retain(Handle);
}

/// The application gets \p Handle without a reference of its own. While
/// something else keeps the object, it may be used.
template <typename HandleT, typename ObjectT>
void handOut(HandleTable<HandleT, ObjectT> &Table, HandleT Handle) {
  exhume(Handle);
  if (auto Object = Table.find(Handle))
    lifeOf(*Object).Shared = true;
}

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_TOMBSTONES_H
