//===- layer/svm/svm_pool.cpp - small shared virtual memory, placed by us -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/svm_pool.h"

#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "layer/svm/arg_bounds.h"
#include "layer/svm/heap_map.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unordered_map>
#include <vector>

using namespace warpsan;

namespace {

/// What clSVMAlloc aligns to by default: the largest type of OpenCL C.
constexpr size_t DefaultAlignment = 128;
/// Larger allocations are the driver's.
constexpr size_t LargestSlot = size_t(2) << 20;
constexpr size_t MinChunk = size_t(1) << 20, MaxChunk = size_t(32) << 20;
/// Larger slots give their physical memory back when they leave quarantine.
constexpr size_t KeptPhysical = size_t(64) << 10;
/// Of a slot's bytes behind its allocation so many are watched.
constexpr size_t MaxPad = 64;
/// Dead slots, at most. Their bytes are limited by an option.
constexpr size_t MaxDead = 100'000;

/// What the host knows of a slot, besides the word that twins read.
struct Slot {
  uint32_t Size = 0; ///< bytes asked for, of the last allocation; 0: none yet
  bool Live = false;
  bool Shown = false;    ///< somebody was given its Memory: see Shown below
  bool Enqueued = false; ///< freed by clEnqueueSVMFree
  Backtrace Created, Released;

  const char *releasedBy() const {
    return Enqueued ? "clEnqueueSVMFree" : "clSVMFree";
  }
};

struct Class;

struct Chunk {
  Class *Of;
  void *FromDriver;       ///< what clSVMAlloc returned
  uintptr_t Start;        ///< of the first slot, aligned to its size
  size_t Count;           ///< of slots
  size_t Fresh = 0;       ///< slots from here on were never used
  size_t Live = 0;        ///< slots
  WsU64 *Words = nullptr; ///< one a slot: size and rights, read by twins
  Slot *Slots = nullptr;
};

/// Allocations that can share chunks.
struct Class {
  cl_context Context = nullptr;
  cl_svm_mem_flags Flags = 0;
  unsigned Shift = 0; ///< slots are 1 << Shift bytes
  WsU64 Rights = 0;   ///< of its allocations, as abi/record.h has them
  bool Ours = false;  ///< all devices follow pointers of the host's
  bool Gone = false;  ///< its context is
  size_t Chunks = 0;
  std::vector<Chunk *> Fresh; ///< chunks with slots that were never used
  std::deque<uintptr_t> Free; ///< slots, the longest free first

  size_t slotSize() const { return size_t(1) << Shift; }
};

} // namespace

/// Guards all below. No call to a driver is made under it.
static std::mutex &Mutex = noDestructor<std::mutex>();
static auto &Classes = noDestructor<std::vector<std::unique_ptr<Class>>>();
static auto &Chunks = noDestructor<std::map<uintptr_t, Chunk>>(); ///< by Start
static auto &Dead =
    noDestructor<std::deque<uintptr_t>>(); ///< slots in quarantine
static size_t DeadBytes = 0;               ///< of those slots
/// What was made of a slot for those who asked; until the slot is used again.
static auto &Shown = noDestructor<
    std::unordered_map<uintptr_t, std::shared_ptr<const Memory>>>();

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static Chunk *chunkAt(uintptr_t Address) {
  auto After = Chunks.upper_bound(Address);
  if (After == Chunks.begin())
    return nullptr;
  Chunk &C = std::prev(After)->second;
  return Address - C.Start < C.Count << C.Of->Shift ? &C : nullptr;
}

static size_t indexIn(const Chunk &C, uintptr_t Address) {
  return (Address - C.Start) >> C.Of->Shift;
}

static uintptr_t startOf(const Chunk &C, size_t Index) {
  return C.Start + (Index << C.Of->Shift);
}

static Class *classOf(cl_context Context, cl_svm_mem_flags Flags,
                      unsigned Shift) {
  for (const auto &C : Classes)
    if (C->Context == Context && C->Shift == Shift && C->Flags == Flags &&
        !C->Gone)
      return C.get();
  return nullptr;
}

/// The slot's allocation as the rest of the layer knows memory.
static std::shared_ptr<const Memory> memoryOf(const Chunk &C, size_t Index) {
  Slot &S = C.Slots[Index];
  if (!S.Size)
    return nullptr;
  std::shared_ptr<const Memory> &M = Shown[startOf(C, Index)];
  if (M && S.Shown)
    return M;
  auto New = std::make_shared<Memory>();
  New->What = Memory::Kind::SVM;
  New->Flags = C.Of->Flags;
  New->Size = S.Size;
  New->Pad = std::min(C.Of->slotSize() - S.Size, MaxPad);
  New->CreatedBy = "clSVMAlloc";
  New->Context = C.Of->Context;
  New->Created = S.Created;
  if (!S.Live)
    New->release(S.releasedBy(), S.Released);
  S.Shown = true;
  return M = std::move(New);
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// Arrays of chunks that are gone: twins may still read them, so they are not
/// given back but used again.
static auto &OldArrays =
    noDestructor<std::unordered_multimap<size_t, std::pair<WsU64 *, Slot *>>>();

static bool makeArrays(Chunk &C) {
  if (auto Old = OldArrays.find(C.Count); Old != OldArrays.end()) {
    std::tie(C.Words, C.Slots) = Old->second;
    OldArrays.erase(Old);
    return true;
  }
  C.Words = static_cast<WsU64 *>(reserveZeroed(C.Count * sizeof(WsU64)));
  C.Slots = static_cast<Slot *>(reserveZeroed(C.Count * sizeof(Slot)));
  return C.Words && C.Slots;
}

/// Its addresses are the driver's again.
static void forget(Chunk &C) {
  removeSlots(C.Start, C.Count << C.Of->Shift);
  for (size_t I = 0; I < C.Fresh; ++I) {
    if (C.Slots[I].Shown)
      Shown.erase(startOf(C, I));
    C.Slots[I] = {};
    setWord(C.Words[I], 0);
  }
  auto IsIn = [&](uintptr_t At) { return chunkAt(At) == &C; };
  std::erase_if(C.Of->Free, IsIn);
  DeadBytes -= std::erase_if(Dead, IsIn) << C.Of->Shift;
  std::erase(C.Of->Fresh, &C);
  --C.Of->Chunks;
  OldArrays.emplace(C.Count, std::pair(C.Words, C.Slots));
  Chunks.erase(C.Start);
}

/// A context that is gone may have taken its memory along: what is now between
/// \p From and \p To is something else.
static void forgetGone(uintptr_t From, uintptr_t To) {
  for (auto It = Chunks.begin(); It != Chunks.end();) {
    Chunk &C = (It++)->second;
    if (C.Of->Gone && C.Start < To && From < startOf(C, C.Count))
      forget(C);
  }
}

/// Enters a chunk that the driver made; false if that cannot be done.
static bool enter(Class &Of, void *FromDriver, size_t Bytes) {
  const size_t Size = Of.slotSize();
  const auto At = reinterpret_cast<uintptr_t>(FromDriver);
  const uintptr_t Align = std::max(Size, size_t(1) << WS_PAGE_BITS);
  Chunk C{&Of, FromDriver, (At + Align - 1) & ~(Align - 1), Bytes / Size};
  forgetGone(C.Start, C.Start + Bytes);
  if (!makeArrays(C) || !addSlots(C.Start, Bytes, Of.Shift, C.Words))
    return false;
  Of.Fresh.push_back(&Chunks.emplace(C.Start, C).first->second);
  ++Of.Chunks;
  return true;
}

/// The more there are, the larger the next one is.
static size_t chunkBytes(const Class &Of) {
  const size_t Growing = MinChunk << std::min(Of.Chunks, size_t(5));
  return std::clamp(Of.slotSize() * 8, Growing, MaxChunk);
}

static bool takesHostPointers(cl_context Context) {
  auto Devices = queryList<cl_device_id>(Next->clGetContextInfo, Context,
                                         CL_CONTEXT_DEVICES);
  return !Devices.empty() &&
         std::ranges::all_of(Devices, [](cl_device_id Device) {
           return deviceOf(Device).TakesHostPointers;
         });
}

//===----------------------------------------------------------------------===//
// Allocating and freeing
//===----------------------------------------------------------------------===//

/// A slot that can be used; 0 if there is none.
static uintptr_t takeSlot(Class &Of) {
  if (!Of.Free.empty()) {
    const uintptr_t Start = Of.Free.front();
    Of.Free.pop_front();
    return Start;
  }
  if (Of.Fresh.empty())
    return 0;
  Chunk &C = *Of.Fresh.back();
  const uintptr_t Start = startOf(C, C.Fresh++);
  if (C.Fresh == C.Count)
    Of.Fresh.pop_back();
  return Start;
}

static void *use(uintptr_t Start, size_t Size, Backtrace Created) {
  Chunk &C = *chunkAt(Start);
  const size_t Index = indexIn(C, Start);
  Slot &S = C.Slots[Index];
  if (S.Shown)
    Shown.erase(Start);
  S = {};
  S.Size = static_cast<uint32_t>(Size);
  S.Live = true;
  S.Created = Created;
  ++C.Live;
  setWord(C.Words[Index], Size | C.Of->Rights);
  noteSvmChange();
  return reinterpret_cast<void *>(Start);
}

/// The class of an allocation; null if it is not ours to place.
static Class *findClass(cl_context Context, cl_svm_mem_flags Flags, size_t Size,
                        cl_uint Alignment, std::unique_lock<std::mutex> &Lock) {
  // The byte behind is its own, so that a pointer there is.
  const size_t Slot = std::bit_ceil(
      std::max(Size + 1, Alignment ? size_t(Alignment) : DefaultAlignment));
  const auto Shift = static_cast<unsigned>(std::countr_zero(Slot));
  if (Class *Known = classOf(Context, Flags, Shift))
    return Known;
  if (!Contexts.find(Context))
    return nullptr;
  Lock.unlock();
  Memory Info;
  Info.Flags = Flags;
  auto New = std::make_unique<Class>();
  New->Context = Context;
  New->Flags = Flags;
  New->Shift = Shift;
  New->Rights = rightsOf(Info);
  New->Ours = takesHostPointers(Context);
  Lock.lock();
  if (Class *Known = classOf(Context, Flags, Shift))
    return Known; // another thread was faster
  return Classes.emplace_back(std::move(New)).get();
}

void *warpsan::allocateSlot(cl_context Context, cl_svm_mem_flags Flags,
                            size_t Size, cl_uint Alignment) {
  if (!Size || Size >= LargestSlot || Alignment > DefaultAlignment ||
      (Alignment && !std::has_single_bit(Alignment)) || !wantChecks() ||
      !settings().svm_pool)
    return nullptr;
  const Backtrace Created = captureBacktrace();
  std::unique_lock Lock(Mutex);
  Class *Of = findClass(Context, Flags, Size, Alignment, Lock);
  if (!Of || !Of->Ours)
    return nullptr;
  if (uintptr_t Start = takeSlot(*Of))
    return use(Start, Size, Created);

  const size_t Bytes = chunkBytes(*Of);
  Lock.unlock();
  void *FromDriver = Next->clSVMAlloc(
      Context, Flags, Bytes + Of->slotSize() + (size_t(1) << WS_PAGE_BITS), 0);
  if (!FromDriver)
    return nullptr;
  Lock.lock();
  if (!enter(*Of, FromDriver, Bytes)) {
    Lock.unlock();
    Next->clSVMFree(Context, FromDriver);
    return nullptr;
  }
  return use(takeSlot(*Of), Size, Created);
}

/// The oldest dead slots may be used again.
static void bringBack() {
  const auto Bytes = static_cast<size_t>(settings().quarantine_size_mb) << 20;
  while (!Dead.empty() && (DeadBytes > Bytes || Dead.size() > MaxDead)) {
    const uintptr_t Start = Dead.front();
    Dead.pop_front();
    Class &Of = *chunkAt(Start)->Of;
    DeadBytes -= Of.slotSize();
    // Not of a device that pins pages or copies them: all follow the host's
    // page tables where there are slots (Class::Ours).
    if (Of.slotSize() >= KeptPhysical && !Of.Gone)
      madvise(reinterpret_cast<void *>(Start), Of.slotSize(), MADV_DONTNEED);
    Of.Free.push_back(Start);
  }
}

std::optional<FreedIs> warpsan::freeSlot(const void *Pointer,
                                         const char *Call) {
  const auto Address = reinterpret_cast<uintptr_t>(Pointer);
  const Backtrace Released = captureBacktrace();
  std::lock_guard Lock(Mutex);
  Chunk *C = chunkAt(Address);
  if (!C)
    return std::nullopt;
  const size_t Index = indexIn(*C, Address);
  const uintptr_t Start = startOf(*C, Index);
  Slot &S = C->Slots[Index];
  if (!S.Size || Address - Start > S.Size)
    return FreedIs::Unknown;
  if (!S.Live)
    return FreedIs::Dead;
  if (Address != Start)
    return FreedIs::Interior;
  setWord(C->Words[Index], 0);
  S.Live = false;
  S.Enqueued = std::string_view(Call).starts_with("clEnqueueSVMFree");
  S.Released = Released;
  if (S.Shown)
    Shown[Start]->release(S.releasedBy(), Released);
  --C->Live;
  Dead.push_back(Start);
  DeadBytes += C->Of->slotSize();
  noteSvmChange();
  bringBack();
  return FreedIs::Live;
}

std::optional<SvmPlace> warpsan::slotPlaceOf(const void *Pointer) {
  const auto Address = reinterpret_cast<uintptr_t>(Pointer);
  std::lock_guard Lock(Mutex);
  Chunk *C = chunkAt(Address);
  if (!C)
    return std::nullopt;
  const size_t Index = indexIn(*C, Address);
  return SvmPlace{memoryOf(*C, Index), Address - startOf(*C, Index),
                  &C->Words[Index]};
}

void warpsan::forEachLiveSlot(
    const std::function<void(const std::shared_ptr<const Memory> &)> &Visit) {
  std::lock_guard Lock(Mutex);
  for (const auto &[Start, C] : Chunks)
    for (size_t I = 0; I < C.Fresh; ++I)
      if (C.Slots[I].Live)
        Visit(memoryOf(C, I));
}

void warpsan::emptySlots(cl_context Context) {
  std::vector<void *> Empty;
  {
    std::lock_guard Lock(Mutex);
    for (auto It = Chunks.begin(); It != Chunks.end();) {
      Chunk &C = (It++)->second;
      if (C.Of->Context != Context || C.Of->Gone || C.Live)
        continue;
      Empty.push_back(C.FromDriver);
      forget(C);
    }
    for (const auto &C : Classes)
      C->Gone |= C->Context == Context;
    std::erase_if(Classes, [](const auto &C) { return C->Gone && !C->Chunks; });
  }
  for (void *Each : Empty)
    Next->clSVMFree(Context, Each);
}

void warpsan::forgetSlotsAt(const void *Start, size_t Size) {
  const auto From = reinterpret_cast<uintptr_t>(Start);
  std::lock_guard Lock(Mutex);
  forgetGone(From, From + Size);
}
