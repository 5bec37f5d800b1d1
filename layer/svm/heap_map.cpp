//===- layer/svm/heap_map.cpp - shared virtual memory as twins see it -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/heap_map.h"

#include "layer/process/no_destructor.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace warpsan;

static constexpr WsU64 PageSize = WsU64(1) << WS_PAGE_BITS;
static constexpr WsU64 LeafBytes = sizeof(WsU32) << WS_LEAF_BITS;

/// Guards everything here; twins read without it.
static std::mutex &Mutex = noDestructor<std::mutex>();
static WsHeap *Heap = nullptr;
static WsBlock *Blocks = nullptr;
static WsU64 NextBlock = 1;
static auto &FreeBlocks = noDestructor<std::vector<WsBlock *>>();
static size_t TableBytes = 0;

/// Whether so many addresses are few where their number is limited: the program
/// and its driver need theirs, and drivers crash without.
static bool areFew(size_t Size) {
  struct rlimit Limit = {};
  return getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY ||
         Size <= Limit.rlim_cur / 4;
}

void *warpsan::reserveZeroed(size_t Size) {
  if (!areFew(Size))
    return nullptr;
  void *Pages = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Pages == MAP_FAILED ? nullptr : Pages;
}

template <typename Word> static void set(Word &Where, Word Value) {
  std::atomic_ref<Word>(Where).store(Value, std::memory_order_release);
}

static WsU64 addressOf(const void *Pointer) {
  return reinterpret_cast<WsU64>(Pointer);
}

static bool makeHeap() {
  if (Heap)
    return true;
  if (!Blocks)
    Blocks = static_cast<WsBlock *>(reserveZeroed(WS_BLOCKS * sizeof(WsBlock)));
  auto *New = static_cast<WsHeap *>(reserveZeroed(sizeof(WsHeap)));
  if (!Blocks || !New)
    return false;
  New->Blocks = addressOf(Blocks);
  Heap = New;
  return true;
}

WsU64 *warpsan::pageWordIn(WsU64 *Level1, WsU64 Address) {
  WsU64 &Table = Level1[Address >> (WS_LEVEL2_BITS + WS_PAGE_BITS)];
  if (!Table) {
    void *New = reserveZeroed(sizeof(WsU64) << WS_LEVEL2_BITS);
    if (!New)
      return nullptr;
    set(Table, addressOf(New));
  }
  return reinterpret_cast<WsU64 *>(Table) +
         ((Address >> WS_PAGE_BITS) & ((WsU64(1) << WS_LEVEL2_BITS) - 1));
}

static WsU64 *pageWord(WsU64 Address) {
  return pageWordIn(Heap->Level1, Address);
}

WsU32 *warpsan::newLeaf(LeafStore &From) {
  if (From.At == From.End) {
    constexpr size_t Chunk = 1 << 20;
    From.At = static_cast<char *>(reserveZeroed(Chunk));
    From.End = From.At ? From.At + Chunk : nullptr;
    if (!From.At)
      return nullptr;
  }
  return reinterpret_cast<WsU32 *>(std::exchange(From.At, From.At + LeafBytes));
}

static LeafStore Leaves; ///< under Mutex

static WsU32 numberOf(const WsBlock *Block) {
  return static_cast<WsU32>(Block - Blocks);
}

/// The leaf of a page, made if it has none; null if there is no memory. A page
/// that is all one block's is not asked for: blocks do not overlap.
static WsU32 *leafOf(WsU64 &Page) {
  if ((Page & WS_PAGE_KINDS) == WS_PAGE_LEAF)
    return reinterpret_cast<WsU32 *>(Page & ~WsU64(WS_PAGE_KINDS));
  WsU32 *Leaf = newLeaf(Leaves);
  if (!Leaf)
    return nullptr;
  TableBytes += LeafBytes;
  set(Page, addressOf(Leaf) | WS_PAGE_LEAF);
  return Leaf;
}

/// Lets the granules of \p Page from \p First to \p Last say \p Number.
static bool markPart(WsU64 &Page, WsU64 First, WsU64 Last, WsU32 Number) {
  WsU32 *Leaf = leafOf(Page);
  if (!Leaf)
    return false;
  constexpr WsU64 Mask = (1 << WS_LEAF_BITS) - 1;
  for (WsU64 I = (First >> WS_GRANULE_BITS) & Mask;
       I <= ((Last >> WS_GRANULE_BITS) & Mask); ++I)
    set(Leaf[I], Number);
  return true;
}

/// One byte more than it has, which nobody else has: a pointer right behind a
/// block is its own.
static bool mark(const WsBlock &Block, WsU64 Size) {
  const WsU64 Last = Block.Start + Size;
  for (WsU64 At = Block.Start & ~(PageSize - 1); At <= Last; At += PageSize) {
    WsU64 *Page = pageWord(At);
    if (!Page)
      return false;
    const bool Whole = At >= Block.Start && At + PageSize - 1 <= Last;
    if (Whole && (*Page & WS_PAGE_KINDS) != WS_PAGE_LEAF)
      set(*Page, addressOf(&Block) | WS_PAGE_BLOCK);
    else if (!markPart(*Page, std::max(At, Block.Start),
                       std::min(At + PageSize - 1, Last), numberOf(&Block)))
      return false;
  }
  return true;
}

static void unmark(const WsBlock &Block, WsU64 Size) {
  const WsU64 Last = Block.Start + Size;
  for (WsU64 At = Block.Start & ~(PageSize - 1); At <= Last; At += PageSize) {
    WsU64 *Page = pageWord(At);
    if (!Page || !*Page)
      continue;
    if ((*Page & WS_PAGE_KINDS) == WS_PAGE_BLOCK) {
      if (*Page == (addressOf(&Block) | WS_PAGE_BLOCK))
        set(*Page, WsU64(0));
      continue;
    }
    auto *Leaf = reinterpret_cast<WsU32 *>(*Page & ~WsU64(WS_PAGE_KINDS));
    for (WsU64 I = 0; I < WsU64(1) << WS_LEAF_BITS; ++I)
      if (Leaf[I] == numberOf(&Block))
        set(Leaf[I], WsU32(0));
  }
}

/// What a block's Size was before it was killed, by its number.
static auto &FullSizes = noDestructor<std::vector<WsU64>>(1);

WsBlock *warpsan::addBlock(const void *Start, size_t Size, WsU64 Rights) {
  const WsU64 At = addressOf(Start);
  constexpr WsU64 Granule = WsU64(1) << WS_GRANULE_BITS;
  if (At % Granule || (At + Size) >> WS_ADDRESS_BITS || Size > WS_SIZE_BITS)
    return nullptr;
  std::lock_guard Lock(Mutex);
  if (!makeHeap())
    return nullptr;
  WsBlock *Block = nullptr;
  if (!FreeBlocks.empty()) {
    Block = FreeBlocks.back();
    FreeBlocks.pop_back();
  } else if (NextBlock < WS_BLOCKS) {
    Block = &Blocks[NextBlock++];
    FullSizes.push_back(0);
    TableBytes += sizeof(WsBlock) + sizeof(WsU64);
  } else {
    return nullptr;
  }
  Block->Start = At;
  set(Block->Size, Size | Rights);
  FullSizes[numberOf(Block)] = Size;
  if (mark(*Block, Size))
    return Block;
  unmark(*Block, Size);
  FreeBlocks.push_back(Block);
  return nullptr;
}

void warpsan::killBlock(WsBlock *Block) { set(Block->Size, WsU64(0)); }

void warpsan::removeBlock(WsBlock *Block) {
  std::lock_guard Lock(Mutex);
  unmark(*Block, FullSizes[numberOf(Block)]);
  FreeBlocks.push_back(Block);
}

bool warpsan::addSlots(WsU64 Start, size_t Bytes, unsigned Shift,
                       WsU64 *Sizes) {
  if ((Start + Bytes) >> WS_ADDRESS_BITS)
    return false;
  std::lock_guard Lock(Mutex);
  if (!makeHeap())
    return false;
  for (WsU64 At = 0; At < Bytes; At += PageSize) {
    WsU64 *Page = pageWord(Start + At);
    if (!Page) {
      for (; At; At -= PageSize) // the chunk goes back to the driver
        set(*pageWord(Start + At - PageSize), WsU64(0));
      return false;
    }
    set(*Page, addressOf(Sizes + (At >> Shift)) | WS_PAGE_SLOTS |
                   WsU64(Shift) << WS_SLOT_SHIFT);
  }
  return true;
}

void warpsan::removeSlots(WsU64 Start, size_t Bytes) {
  std::lock_guard Lock(Mutex);
  for (WsU64 At = 0; At < Bytes; At += PageSize)
    if (WsU64 *Page = pageWord(Start + At))
      set(*Page, WsU64(0));
}

bool warpsan::enterObjects(const WsObjects *Objects) {
  std::lock_guard Lock(Mutex);
  if (!makeHeap())
    return false;
  set(Heap->Objects, addressOf(Objects));
  return true;
}

WsHeap *warpsan::heapForTwins() {
  std::lock_guard Lock(Mutex);
  return Heap;
}

size_t warpsan::heapMapBytes() {
  std::lock_guard Lock(Mutex);
  return TableBytes;
}

//===----------------------------------------------------------------------===//
// Memory of the process
//===----------------------------------------------------------------------===//

/// Everything that was ever mapped, merged; what was unmapped since stays: a
/// pointer to it is not distinguished. Under Mutex.
static auto &Mapped = noDestructor<std::vector<WsRange>>();

/// Nothing if it cannot be read to its end.
static std::optional<std::string> contentOf(const char *Path) {
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return std::nullopt;
  std::string Text;
  char Part[16384];
  ssize_t Got = 0;
  while ((Got = read(File, Part, sizeof(Part))) > 0 ||
         (Got < 0 && errno == EINTR))
    if (Got > 0)
      Text.append(Part, static_cast<size_t>(Got));
  close(File);
  if (Got < 0)
    return std::nullopt;
  return Text;
}

/// For when it is not known what is mapped: no pointer is wrong but null.
static WsRanges AnyMemory = {1, {{PageSize, ~WsU64(0)}}};

/// Adds [Start, End). Returns true if the ranges changed.
static bool addMapped(WsU64 Start, WsU64 End) {
  auto First = std::ranges::lower_bound(Mapped, Start, {}, &WsRange::End);
  if (First != Mapped.end() && First->Start <= Start && First->End >= End)
    return false;
  auto Last = First;
  while (Last != Mapped.end() && Last->Start <= End) {
    Start = std::min(Start, Last->Start);
    End = std::max(End, Last->End);
    ++Last;
  }
  First = Mapped.erase(First, Last);
  Mapped.insert(First, {Start, End});
  return true;
}

/// What changes when memory is mapped, and then used: pages of the address
/// space and of physical memory, and page faults. A mapping that took the place
/// of another of its size has no pages until somebody touches it, which is a
/// fault, and what it took the place of gave its pages back. None of it changes
/// if a mapping with all its pages is moved (mremap), and nothing else happens
/// in the process between two launches.
static std::string signatureOfMemory() {
  rusage Usage;
  const auto Pages = contentOf("/proc/self/statm");
  if (!Pages || getrusage(RUSAGE_SELF, &Usage) != 0)
    return {};
  return *Pages + std::to_string(Usage.ru_minflt) + " " +
         std::to_string(Usage.ru_majflt);
}

void warpsan::updateForeign() {
  static std::string &Seen = noDestructor<std::string>();
  std::lock_guard Lock(Mutex);
  if (!Heap)
    return;
  std::string Now = signatureOfMemory();
  if (Now == Seen && !Now.empty())
    return;
  const std::optional<std::string> Read = contentOf("/proc/self/maps");
  if (!Read) {
    set(Heap->Foreign, addressOf(&AnyMemory));
    return;
  }
  static std::string &Maps = noDestructor<std::string>();
  if (std::exchange(Maps, *Read) == *Read &&
      Heap->Foreign != addressOf(&AnyMemory)) {
    Seen = Now;
    return;
  }
  bool Changed = Heap->Foreign == addressOf(&AnyMemory);
  for (size_t At = 0; At < Maps.size(); At = Maps.find('\n', At) + 1) {
    unsigned long long Start = 0, End = 0;
    char Rights[5] = {};
    if (std::sscanf(&Maps[At], "%llx-%llx %4s", &Start, &End, Rights) == 3 &&
        Rights[0] == 'r')
      Changed |= addMapped(Start, End);
    if (Maps.find('\n', At) == std::string::npos)
      break;
  }
  if (!Changed) {
    Seen = Now;
    return;
  }
  auto *Old = reinterpret_cast<WsRanges *>(Heap->Foreign);
  if (Old && Old != &AnyMemory &&
      Old->Count == Mapped.size()) { // each only became larger
    for (size_t I = 0; I < Mapped.size(); ++I) {
      set(Old->All[I].Start, Mapped[I].Start);
      set(Old->All[I].End, Mapped[I].End);
    }
    Seen = Now;
    return;
  }
  // The old ranges stay where they are: a twin may be reading them.
  static auto &All = noDestructor<std::vector<WsRanges *>>();
  auto *New = static_cast<WsRanges *>(::operator new(
      sizeof(WsRanges) + Mapped.size() * sizeof(WsRange), std::nothrow));
  if (!New) {
    set(Heap->Foreign, addressOf(&AnyMemory));
    return;
  }
  New->Count = Mapped.size();
  std::ranges::copy(Mapped, New->All);
  All.push_back(New);
  set(Heap->Foreign, addressOf(New));
  Seen = Now;
}
