//===- layer/svm/marked_objects.cpp - objects that the application has
// marked -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/marked_objects.h"

#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "layer/svm/arg_bounds.h"
#include "layer/svm/object_map.h"
#include "layer/svm/svm_in_flight.h"

#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <shared_mutex>
#include <string>
#include <sys/mman.h>
#include <utility>

// The layer links no OpenCL.
#define WARPSAN_CL(function) warpsan::Next->function
#include "include/warpsan.h"

using namespace warpsan;

using MemoryList = std::vector<std::shared_ptr<const Memory>>;

namespace {

struct Object {
  std::shared_ptr<const Memory> Of;
  WsObject *InTable;
  bool isDead() const { return Of->Released.load() != nullptr; }
  uint64_t end(uint64_t Start) const { return Start + Of->Size; }
};

/// Where [Start, Start + Size) is to be an object, and of what.
struct Place {
  int Error = WARPSAN_OK;
  uint64_t Start = 0; ///< an address in the tables
  std::shared_ptr<const Memory> Pool;
  uint64_t Offset = 0; ///< in Pool
};

} // namespace

/// Of a buffer. Lives for good: a kernel that was enqueued reads its first
/// member.
struct warpsan::BufferPool {
  WsU64 Base; ///< address of the buffer's first byte in the tables; 0: no pool
  uint64_t Start, Size; ///< the same, for good, and of the buffer
};

/// Guards everything here.
static std::shared_mutex &Mutex = noDestructor<std::shared_mutex>();
/// By address in the tables.
static auto &Objects = noDestructor<std::map<uint64_t, Object>>();
static std::atomic<bool> Any = false; ///< there was an object
static std::atomic<uint64_t> PoolEpoch = 0;
/// Of buffers that were released. Kernels that were enqueued before may still
/// look at their objects, so these go when many more have come.
static auto &Old = noDestructor<std::deque<BufferPool *>>();
static constexpr size_t MaxOld = 256;

static uint64_t addressOf(const void *Pointer) {
  return reinterpret_cast<uint64_t>(Pointer);
}

//===----------------------------------------------------------------------===//
// The list. All of this under Mutex
//===----------------------------------------------------------------------===//

static auto firstIn(uint64_t Start) {
  auto It = Objects.lower_bound(Start);
  if (It != Objects.begin() &&
      std::prev(It)->second.end(std::prev(It)->first) > Start)
    --It;
  return It;
}

static auto erase(std::map<uint64_t, Object>::iterator It) {
  WsObject *Before =
      It == Objects.begin() ? nullptr : std::prev(It)->second.InTable;
  auto After = std::next(It);
  removeObject(It->second.InTable, Before,
               After == Objects.end() ? nullptr : After->second.InTable);
  return Objects.erase(It);
}

/// Those that lived.
static MemoryList eraseAll(uint64_t Start, uint64_t Size, const char *Call) {
  MemoryList Lived;
  for (auto It = firstIn(Start);
       It != Objects.end() && It->first < Start + Size;) {
    if (!It->second.isDead()) {
      if (Call)
        It->second.Of->release(Call);
      Lived.push_back(It->second.Of);
    }
    It = erase(It);
  }
  return Lived;
}

static int insert(const Place &At, uint64_t Size, const char *Name,
                  const char *Call) {
  auto It = firstIn(At.Start);
  for (auto Each = It; Each != Objects.end() && Each->first < At.Start + Size;
       ++Each)
    if (!Each->second.isDead())
      return WARPSAN_OVERLAP;
  while (It != Objects.end() && It->first < At.Start + Size)
    It = erase(It); // dead ones

  auto M = std::make_shared<Memory>();
  M->What = At.Pool->What;
  M->Flags = At.Pool->Flags;
  M->Size = Size;
  M->CreatedBy = Call;
  M->Context = At.Pool->Context;
  M->Created = captureBacktrace();
  M->Offset = At.Offset;
  M->ParentSize = At.Pool->Size;
  M->Marked = true;
  M->Name = Name ? Name : "";
  WsObject *Before =
      It == Objects.begin() ? nullptr : std::prev(It)->second.InTable;
  WsObject *After = It == Objects.end() ? nullptr : It->second.InTable;
  WsObject *InTable = addObject(At.Start, Size, rightsOf(*M), Before, After);
  if (!InTable)
    return WARPSAN_NO_MEMORY;
  Objects.emplace(At.Start, Object{std::move(M), InTable});
  Any = true;
  return WARPSAN_OK;
}

static int kill(uint64_t Start, const char *Call,
                std::shared_ptr<const Memory> &Of) {
  std::lock_guard Lock(Mutex);
  auto It = Objects.find(Start);
  if (It == Objects.end() || It->second.isDead())
    return WARPSAN_NO_OBJECT;
  Of = It->second.Of;
  // In this order: a report of a dead size wants to know who freed it.
  Of->release(Call);
  killObject(It->second.InTable);
  return WARPSAN_OK;
}

/// What \p Address is in; the end if it is in no object.
static auto find(uint64_t Address) {
  auto It = firstIn(Address);
  return It != Objects.end() && It->first <= Address ? It : Objects.end();
}

//===----------------------------------------------------------------------===//
// Shared virtual memory
//===----------------------------------------------------------------------===//

SvmPlace warpsan::objectPlaceOf(const void *Pointer) {
  SvmPlace Place = svmPlaceOf(Pointer);
  if (!Any.load() || !Place.Of || Place.Of->Released.load())
    return Place;
  std::shared_lock Lock(Mutex);
  auto Found = find(addressOf(Pointer));
  if (Found == Objects.end())
    return Place;
  return {Found->second.Of, addressOf(Pointer) - Found->first,
          &Found->second.InTable->Size};
}

SvmPlace warpsan::checkedPlaceOf(const void *Start, uint64_t Size) {
  SvmPlace Whole = svmPlaceOf(Start);
  if (!Whole.Of || (Size && Whole.Of->Size == Size))
    return Whole;
  SvmPlace Object = objectPlaceOf(Start);
  // It may have been freed for good meanwhile.
  if (!Object.Of)
    return Whole;
  // An object may begin where its pool does.
  return Object.Of->Released.load() || Size ? Object : Whole;
}

MemoryList warpsan::objectsIn(const void *Start, size_t Size) {
  MemoryList Found;
  if (!Any.load())
    return Found;
  std::shared_lock Lock(Mutex);
  for (auto It = firstIn(addressOf(Start));
       It != Objects.end() && It->first < addressOf(Start) + Size; ++It)
    if (!It->second.isDead())
      Found.push_back(It->second.Of);
  return Found;
}

MemoryList warpsan::forgetObjectsIn(const void *Start, size_t Size,
                                    const char *Call) {
  if (!Any.load())
    return {};
  std::lock_guard Lock(Mutex);
  return eraseAll(addressOf(Start), Size, Call);
}

static int CL_API_CALL markPointer(const void *Start, size_t Size,
                                   const char *Name) {
  const SvmPlace Around = svmPlaceOf(Start);
  if (!Around.Of || Around.Of->Released.load())
    return WARPSAN_UNKNOWN_MEMORY;
  if (!Size)
    return WARPSAN_INVALID_VALUE;
  if (Around.Offset > Around.Of->Size || Size > Around.Of->Size - Around.Offset)
    return WARPSAN_OUTSIDE;
  if (!Around.Size)
    return WARPSAN_NO_MEMORY; // twins do not know of the allocation either
  {
    std::lock_guard Lock(Mutex);
    if (int Error =
            insert({WARPSAN_OK, addressOf(Start), Around.Of, Around.Offset},
                   Size, Name, "warpsan_mark_pointer"))
      return Error;
    std::atomic_ref(*Around.Size).fetch_or(WS_MARKED);
  }
  noteSvmChange();
  return WARPSAN_OK;
}

static int CL_API_CALL freePointer(const void *Start) {
  std::shared_ptr<const Memory> Of;
  // An address of a buffer's object is not the application's.
  if (!svmPlaceOf(Start).Of)
    return WARPSAN_UNKNOWN_MEMORY;
  if (int Error = kill(addressOf(Start), "warpsan_free_pointer", Of))
    return Error;
  noteSvmChange();
  reportIfInUse("warpsan_free_pointer", Of);
  return WARPSAN_OK;
}

static int CL_API_CALL clearPointer(const void *Start) {
  const SvmPlace Around = svmPlaceOf(Start);
  if (!Around.Of || Around.Of->Released.load())
    return WARPSAN_UNKNOWN_MEMORY;
  std::lock_guard Lock(Mutex);
  if (Around.Size)
    std::atomic_ref(*Around.Size).fetch_and(~WS_MARKED);
  eraseAll(addressOf(Start) - Around.Offset, Around.Of->Size, nullptr);
  noteSvmChange();
  return WARPSAN_OK;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The place \p Offset bytes into \p Buffer.
static Place placeIn(cl_mem Buffer, size_t Offset, size_t Size) {
  Place At;
  At.Pool = Memories.find(Buffer);
  At.Offset = Offset;
  auto No = [&](int Error) {
    At.Error = Error;
    return At;
  };
  if (!At.Pool || At.Pool->Released.load())
    return No(WARPSAN_UNKNOWN_MEMORY);
  if (Offset > At.Pool->Size || Size > At.Pool->Size - Offset)
    return No(WARPSAN_OUTSIDE);
  if (At.Pool->What == Memory::Kind::SubBuffer) {
    At.Offset += At.Pool->Offset;
    At.Pool = Memories.find(At.Pool->Parent);
  }
  if (!At.Pool || At.Pool->What != Memory::Kind::Buffer)
    return No(WARPSAN_UNKNOWN_MEMORY);
  return At;
}

/// Addresses that nothing else in the process has.
static BufferPool *makePool(size_t Size) {
  void *Start = mmap(nullptr, Size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Start == MAP_FAILED)
    return nullptr;
  return new BufferPool{addressOf(Start), addressOf(Start), Size};
}

static int CL_API_CALL markBuffer(cl_mem Buffer, size_t Offset, size_t Size,
                                  const char *Name) {
  Place At = placeIn(Buffer, Offset, Size);
  if (At.Error)
    return At.Error;
  if (!Size)
    return WARPSAN_INVALID_VALUE;
  std::lock_guard Lock(Mutex);
  BufferPool *Pool = At.Pool->Pool.load();
  const bool New = !Pool || !Pool->Base;
  if (!Pool && !(Pool = makePool(At.Pool->Size)))
    return WARPSAN_NO_MEMORY;
  At.Start = Pool->Start + At.Offset;
  const int Error = insert(At, Size, Name, "warpsan_mark_buffer");
  // Kept for the next try: it has no object, so it limits nobody yet.
  if (Error && New)
    std::atomic_ref(Pool->Base).store(0);
  else if (New)
    std::atomic_ref(Pool->Base).store(Pool->Start);
  At.Pool->Pool = Pool;
  if (New && !Error)
    ++PoolEpoch;
  return Error;
}

static int CL_API_CALL freeBuffer(cl_mem Buffer, size_t Offset) {
  const Place At = placeIn(Buffer, Offset, 0);
  if (At.Error)
    return At.Error;
  const BufferPool *Pool = At.Pool->Pool.load();
  std::shared_ptr<const Memory> Of;
  return Pool ? kill(Pool->Start + At.Offset, "warpsan_free_buffer", Of)
              : WARPSAN_NO_OBJECT;
}

static int CL_API_CALL clearBuffer(cl_mem Buffer) {
  const Place At = placeIn(Buffer, 0, 0);
  if (At.Error)
    return At.Error;
  std::lock_guard Lock(Mutex);
  if (BufferPool *Pool = At.Pool->Pool.load()) {
    std::atomic_ref(Pool->Base).store(0);
    eraseAll(Pool->Start, Pool->Size, nullptr);
    ++PoolEpoch;
  }
  return WARPSAN_OK;
}

const WsU64 *warpsan::objectsOf(const Memory &Of) {
  BufferPool *Pool = Of.Pool.load();
  return Pool && std::atomic_ref(Pool->Base).load() ? &Pool->Base : nullptr;
}

void warpsan::noteReleased(const Memory &Of) {
  BufferPool *Pool = Of.Pool.load();
  if (!Pool)
    return;
  std::lock_guard Lock(Mutex);
  Old.push_back(Pool);
  if (Old.size() <= MaxOld)
    return;
  Pool = Old.front();
  Old.pop_front();
  std::atomic_ref(Pool->Base).store(0);
  eraseAll(Pool->Start, Pool->Size, nullptr);
  // Somebody else's address from here on.
  munmap(reinterpret_cast<void *>(Pool->Start), std::exchange(Pool->Size, 0));
}

std::shared_ptr<const Memory>
warpsan::objectNear(const Memory &Of, uint64_t Offset, uint64_t Bytes) {
  const BufferPool *Pool = Of.Pool.load();
  std::shared_lock Lock(Mutex);
  if (!Pool || Offset >= Pool->Size)
    return nullptr;
  const uint64_t At = Pool->Start + Offset, End = Pool->Start + Pool->Size;
  if (auto Around = find(At); Around != Objects.end()) {
    const bool Inside = Around->second.end(Around->first) - At >= Bytes;
    return Inside && !Around->second.isDead() ? nullptr : Around->second.Of;
  }
  auto After = Objects.lower_bound(At), Before = After;
  while (After != Objects.end() && After->second.isDead())
    ++After;
  if (After != Objects.end() && After->first >= End)
    After = Objects.end();
  const Object *Previous = nullptr;
  uint64_t Far = 0; // from its end
  while (!Previous && Before != Objects.begin() &&
         (--Before)->first >= Pool->Start)
    if (!Before->second.isDead()) {
      Previous = &Before->second;
      Far = At - Before->second.end(Before->first);
    }
  if (After == Objects.end())
    return Previous ? Previous->Of : nullptr;
  return Previous && Far <= After->first - At ? Previous->Of : After->second.Of;
}

bool warpsan::buffersHaveObjects() { return PoolEpoch.load() != 0; }

uint64_t warpsan::bufferPoolEpoch() { return PoolEpoch.load(); }

//===----------------------------------------------------------------------===//
// For the application
//===----------------------------------------------------------------------===//

void *warpsan::markingFunction(const char *Name) {
#define MARKING(name, function)                                                \
  if (std::strcmp(Name, #name) == 0)                                           \
    return reinterpret_cast<void *>(static_cast<name##_fn>(function));
  MARKING(warpsan_mark_buffer, markBuffer)
  MARKING(warpsan_free_buffer, freeBuffer)
  MARKING(warpsan_clear_buffer, clearBuffer)
  MARKING(warpsan_mark_pointer, markPointer)
  MARKING(warpsan_free_pointer, freePointer)
  MARKING(warpsan_clear_pointer, clearPointer)
#undef MARKING
  return nullptr;
}
