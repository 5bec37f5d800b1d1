//===- layer/launch/proof_cache.cpp - what a launch proves, remembered ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/proof_cache.h"

#include "abi/record.h"
#include "layer/process/per_thread.h"
#include "layer/svm/arg_bounds.h"
#include "proof/prove.h"

#include <algorithm>

using namespace warpsan;

/// Maximum cached results.
static constexpr size_t MaxCached = 1024;

namespace {
/// A buffer that no other memory overlaps, but for its sub-buffers.
struct Whole {
  const void *Id = nullptr; ///< null: it is not known to be such
  bool IsOfHost = false;    ///< in memory of the host's, CL_MEM_USE_HOST_PTR
};

/// What decides on a launch. Reused by each launch of a thread, so that none
/// allocates.
struct Deciding {
  std::string Key;
  std::vector<std::string> Bytes; ///< by argument
  std::vector<LaunchValues::Arg> Args;
  std::vector<std::optional<LaunchValues::Range>> Contents;
  std::vector<ArgPlace> Places; ///< by argument
  std::vector<Whole> Wholes;    ///< by argument
  LaunchValues Launch;

  template <typename T> void add(const T &Value) {
    Key.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
  }
};
} // namespace

/// The buffer that an argument of \p Bounds is of, or is a part of. \p First:
/// where in it.
static Whole wholeOf(const ArgBounds &Bounds, uint64_t &First) {
  if (Bounds.Memory.What != ArgMemory::Kind::Known || !Bounds.Handle)
    return {};
  cl_mem Id = Bounds.Handle;
  std::shared_ptr<const Memory> Of = Bounds.Memory.Of;
  if (Of->What == Memory::Kind::SubBuffer) {
    First = Of->Offset;
    Id = Of->Parent;
    Of = Id ? Memories.find(Id) : nullptr;
  }
  // Of others it is not known what they share.
  if (!Of || Of->What != Memory::Kind::Buffer || !Of->Ordinary)
    return {};
  return {Id, (Of->Flags & CL_MEM_USE_HOST_PTR) != 0};
}

static bool addRange(const NDRange &Range, Deciding &D) {
  if (Range.Dimensions < 1 || Range.Dimensions > 3)
    return false; // the driver will refuse it
  LaunchValues &L = D.Launch;
  L = {};
  for (cl_uint I = 0; I < Range.Dimensions; ++I) {
    L.Offset[I] = Range.Offset ? Range.Offset[I] : 0;
    L.Global[I] = Range.Global ? Range.Global[I] : 1;
    L.Local[I] = Range.Local ? Range.Local[I] : Range.Global ? 0 : 1;
    if (!L.Global[I] || L.Global[I] > UINT32_MAX || L.Offset[I] > UINT32_MAX)
      return false;
  }
  // A group may have as many work-items as there are.
  L.MaxLocal = UINT64_MAX;
  D.add(L.Offset);
  D.add(L.Global);
  D.add(L.Local);
  return true;
}

/// Arguments that proofs are about. \p OfRaces: which memory they share
/// matters.
static void addArgument(const KernelArg &Arg, KernelPlan::ArgKind Kind,
                        size_t Index, bool OfRaces, Deciding &D) {
  LaunchValues::Arg &Out = D.Args[Index];
  if (Kind == KernelPlan::ArgKind::Other) {
    D.Bytes[Index] = Arg.Bytes;
    Out.Bytes = D.Bytes[Index];
    D.add(Arg.Bytes.size());
    D.Key += Arg.Bytes;
    return;
  }
  const ArgBounds Bounds = boundsOf(Arg, Kind);
  // Memory of which nothing is known has no end that could be kept to.
  if (Bounds.Memory.What != ArgMemory::Kind::Foreign) {
    Out.Size = Bounds.Size & WS_SIZE_BITS;
    Out.Readable = !(Bounds.Size & WS_NOT_READABLE);
    Out.Writable = !(Bounds.Size & WS_NOT_WRITABLE);
    Out.Start = Bounds.Start;
  }
  D.add(Out.Size);
  D.add(Out.Readable);
  D.add(Out.Writable);
  D.add(Out.Start);
  if (!OfRaces)
    return;
  D.Wholes[Index] = wholeOf(Bounds, D.Places[Index].First);
  // Null overlaps nothing.
  if (Bounds.Memory.What == ArgMemory::Kind::None)
    D.Places[Index].Memory = UINT64_MAX - Index;
}

/// Numbers the memories of arguments as they come: which ones they are does not
/// matter, but which are the same.
static void addPlaces(Deciding &D) {
  const size_t Args = D.Wholes.size();
  // Buffers in memory of the host's may overlap there.
  size_t OfHost = Args;
  bool Overlap = false;
  for (size_t I = 0; I < Args; ++I)
    if (D.Wholes[I].IsOfHost) {
      Overlap |= OfHost < Args && D.Wholes[OfHost].Id != D.Wholes[I].Id;
      OfHost = I;
    }
  for (size_t I = 0; I < Args; ++I) {
    const Whole &Its = D.Wholes[I];
    if (Its.Id && !(Its.IsOfHost && Overlap))
      D.Places[I].Memory =
          1 + static_cast<uint64_t>(
                  std::ranges::find(D.Wholes, Its.Id, &Whole::Id) -
                  D.Wholes.begin());
    D.add(D.Places[I].Memory);
    D.add(D.Places[I].First);
  }
}

ProofResult ProofCache::prove(const LaunchValues *Launch,
                              std::span<const ArgPlace> Places,
                              bool Certain) const {
  ProofResult Result;
  Result.Holds = true;
  Result.Left = Plan.Unclaimed;
  const Claims &Of = Plan.Claimed;
  Result.MayDiverge = Launch ? !areUniform(Of, *Launch) : !Of.Branches.empty();
  if (Result.MayDiverge)
    Launch = nullptr;
  for (const std::vector<Claim> *Some : {&Of.All, &Of.ByContents}) {
    const std::vector<Verdict> Found = Launch
                                           ? warpsan::prove(Of, *Some, *Launch)
                                           : std::vector<Verdict>(Some->size());
    for (size_t I = 0; I < Found.size(); ++I) {
      if (Found[I].Holds)
        continue;
      Result.Left.push_back((*Some)[I].Site);
      Result.Holds &= Some != &Of.All;
    }
  }
  Result.Holds &= !Result.MayDiverge;
  if (Launch && Plan.Races && Plan.Races->WhyNot.empty()) {
    // What buffers contain may change while the launch is watched for races.
    LaunchValues Lasting = *Launch;
    Lasting.Contents = {};
    Result.Racing = racingSites(Of, *Plan.Races, Lasting, Places);
    if (Certain)
      Result.Certain = certainAccesses(Of, *Plan.Races, Lasting);
  }
  std::ranges::sort(Result.Left);
  const auto Twice = std::ranges::unique(Result.Left);
  Result.Left.erase(Twice.begin(), Twice.end());
  return Result;
}

std::shared_ptr<const ProofResult>
ProofCache::decide(KernelArgs &Args, const NDRange &Range,
                   const IndexRangesUsed *Contents, bool Certain) {
  auto &D = perThread<Deciding>();
  D.Key.clear();
  D.Bytes.resize(Plan.Args.size());
  D.Args.assign(Plan.Args.size(), {});
  D.Places.assign(Plan.Args.size(), {});
  D.Wholes.assign(Plan.Args.size(), {});
  if (!addRange(Range, D))
    return std::make_shared<const ProofResult>(prove(nullptr, {}, false));
  const bool Complete = Args.look([&](size_t Index, const KernelArg &Arg) {
    if (Index < Plan.Args.size() && Plan.Decides[Index])
      addArgument(Arg, Plan.Args[Index], Index, Plan.Races.has_value(), D);
  });
  if (!Complete)
    return std::make_shared<const ProofResult>(prove(nullptr, {}, false));
  if (Plan.Races)
    addPlaces(D);
  D.add(Certain);
  D.Contents.assign(Plan.Claimed.Contents.size(), {});
  for (size_t I = 0; Contents && I < D.Contents.size(); ++I)
    if (const IndexRangesUsed::One &One = Contents->all()[I]; One.Of) {
      D.Contents[I] = {One.Min, One.Max};
      D.add(I);
      D.add(One.Min);
      D.add(One.Max);
    }
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Cache.find(D.Key); It != Cache.end())
      return It->second;
  }
  D.Launch.Args = D.Args;
  D.Launch.Contents = D.Contents;
  auto Result =
      std::make_shared<const ProofResult>(prove(&D.Launch, D.Places, Certain));
  std::lock_guard Lock(Mutex);
  if (Cache.size() >= MaxCached)
    Cache.clear();
  Cache.emplace(D.Key, Result);
  return Result;
}
