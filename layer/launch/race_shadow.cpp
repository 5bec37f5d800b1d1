//===- layer/launch/race_shadow.cpp - shadow of global memory -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/race_shadow.h"

#include "abi/races.h"
#include "abi/record.h"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace warpsan;

ShadowWords::ShadowWords(Context &Of, cl_mem Handle, uint64_t Count)
    : Owner(Of.weak_from_this()), Handle(Handle), Count(Count) {}

namespace {
/// Counted in Device::ShadowBytes as long as the driver has the memory.
struct Counted {
  std::atomic<uint64_t> &In;
  const uint64_t Bytes;
};
} // namespace

static void CL_CALLBACK discount(cl_mem, void *Data) {
  const std::unique_ptr<Counted> Gone(static_cast<Counted *>(Data));
  Gone->In -= Gone->Bytes;
}

std::shared_ptr<ShadowWords> ShadowWords::make(Context &Of, const Device &On,
                                               uint64_t Count) {
  const uint64_t Bytes = Count * sizeof(WsU64);
  if (On.ShadowBytes.fetch_add(Bytes) + Bytes > On.MaxAllocation) {
    On.ShadowBytes -= Bytes;
    return nullptr;
  }
  auto Counts = std::make_unique<Counted>(Counted{On.ShadowBytes, Bytes});
  const std::unique_ptr<void, decltype(&free)> Zeros(
      calloc(Count, sizeof(WsU64)), &free);
  cl_mem Handle = !Zeros ? nullptr : Of.makeOwn([&] {
    return Next->clCreateBuffer(Of.Handle,
                                CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Bytes,
                                Zeros.get(), nullptr);
  });
  if (!Handle) {
    On.ShadowBytes -= Bytes;
    return nullptr;
  }
  // If it fails, they stay counted.
  if (Next->clSetMemObjectDestructorCallback(Handle, discount, Counts.get()) ==
      CL_SUCCESS)
    Counts.release(); // NOLINT(bugprone-unused-return-value): discount() has it
  return std::shared_ptr<ShadowWords>(new ShadowWords(Of, Handle, Count));
}

ShadowWords::~ShadowWords() {
  Next->clReleaseMemObject(Handle);
  if (const auto Of = Owner.lock())
    --Of->OwnObjects;
}

namespace {
/// Memory that arguments are parts of, which may overlap.
struct Whole {
  uint64_t Size = 0;  ///< bytes
  uint64_t First = 0; ///< its first word
  bool IsWritten = false;
};

struct Place {
  const void *Whole = nullptr; ///< what identifies it; null: not known
  uint64_t Size = 0;           ///< of that, bytes
  uint64_t Offset = 0;         ///< in it of what the argument's size is of
};
} // namespace

static Place placeOf(const ArgBounds &Bounds) {
  const auto &Of = Bounds.Memory.Of;
  if (Bounds.Memory.What != ArgMemory::Kind::Known || !Of)
    return {};
  if (Bounds.Pointer)
    return {Of.get(), Of->Size, 0};
  // A sub-buffer lies in its parent.
  if (Of->What == Memory::Kind::SubBuffer && Of->Parent)
    return {Of->Parent, Of->ParentSize, Of->Offset};
  return {Bounds.Handle, Of->Size, 0};
}

/// Where the memory of each argument has its words, and how many there are.
static uint64_t layOut(const KernelPlan &Plan,
                       const std::vector<ArgBounds> &Bounds,
                       LaunchShadow &Result) {
  std::map<const void *, Whole> Wholes;
  auto Each = [&](auto Do) {
    for (const KernelPlan::Hidden &Hidden : Plan.HiddenArgs)
      if (Hidden.What == KernelPlan::Hidden::Kind::ShadowBase && Hidden.Granule)
        Do(Hidden.Arg, Hidden.Granule, placeOf(Bounds[Hidden.Arg]));
  };
  Each([&](uint32_t Arg, uint64_t, const Place &Its) {
    Whole &W = Wholes[Its.Whole];
    W.Size = std::max(W.Size, Its.Size);
    W.IsWritten |= !Plan.Unchanged[Arg];
  });
  uint64_t Words = 0;
  Each([&](uint32_t, uint64_t Granule, const Place &Its) {
    Whole &W = Wholes[Its.Whole];
    if (!Its.Whole || !W.IsWritten || !W.Size)
      return;
    W.First = Words;
    Words += W.Size / Granule + (W.Size % Granule != 0);
    W.Size = 0; // it has a place
  });
  Each([&](uint32_t Arg, uint64_t Granule, const Place &Its) {
    const Whole &W = Wholes[Its.Whole];
    if (!W.IsWritten) // reads do not race
      return;
    if (Its.Whole && !W.Size && Its.Offset % Granule == 0)
      Result.First[Arg] = W.First + Its.Offset / Granule;
    else if (Bounds[Arg].Size != 0)
      Result.WhyNotAll = "it is not known where memory of its arguments begins";
  });
  return Words;
}

std::shared_ptr<RaceShadow> warpsan::shadowOf(cl_command_queue Queue) {
  const auto Its = Queues.find(Queue);
  return Its ? Its->Shadow : nullptr;
}

LaunchShadow RaceShadow::next(Context &Of, const Device &On,
                              const KernelPlan &Plan,
                              const std::vector<ArgBounds> &Bounds) {
  constexpr uint64_t MaxNumber = (uint64_t(1) << WS_RACE_LAUNCH_BITS) - 1;
  LaunchShadow Result;
  Result.First.assign(Plan.Args.size(), WS_RACE_NO_SHADOW);
  const uint64_t Count = layOut(Plan, Bounds, Result);
  if (!Count)
    return Result;
  std::lock_guard Lock(Mutex);
  if (!Words || Words->count() < Count || LastNumber == MaxNumber) {
    const uint64_t Wanted = std::max(Count, Words ? Words->count() : 0);
    std::shared_ptr<ShadowWords> Made;
    if (Wanted <= On.MaxAllocation / sizeof(WsU64)) {
      Words.reset(); // the driver keeps them while a launch uses them
      Words = Made = ShadowWords::make(Of, On, Wanted);
      LastNumber = 0;
    }
    if (!Made) {
      std::ranges::fill(Result.First, WS_RACE_NO_SHADOW);
      Result.WhyNotAll = "shadows of its arguments take too much memory";
      return Result;
    }
  }
  Result.Words = Words;
  Result.Number = ++LastNumber;
  return Result;
}
