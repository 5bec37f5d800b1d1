//===- diagnose/diagnose.cpp - from a record to a Finding -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twin knows only that a test failed and the size that it was given, which
// is 0 for a null argument. What kind of error that is follows from what the
// layer knew. Nothing in a record is trusted: every number is compared before
// it is used as an index, and sums that could wrap are not made.
//
//===----------------------------------------------------------------------===//
#include "diagnose/finding.h"

#include "abi/races.h"
#include "diagnose/hits.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

using namespace warpsan;

namespace {

using Access = SiteInfo::Access;
using RootKind = RootInfo::Kind;
using MemoryKind = MemoryInfo::Kind;

bool isInside(int64_t Offset, uint64_t Bytes, uint64_t Size) {
  if (Offset < 0)
    return false;
  auto First = static_cast<uint64_t>(Offset);
  return First <= Size && Bytes <= Size - First;
}

/// The size that the twin was passed, without its rights.
uint64_t sizeOf(const WsRecord &Record) { return Record.Size & WS_SIZE_BITS; }

bool writes(const Finding &F) { return F.Site.What != Access::Read; }

FindingKind outOfBounds(Access What) {
  switch (What) {
  case Access::Read:
    return FindingKind::out_of_bounds_read;
  case Access::Write:
    return FindingKind::out_of_bounds_write;
  case Access::Atomic:
    return FindingKind::out_of_bounds_atomic;
  }
  return FindingKind::out_of_bounds_read;
}

/// A null pointer as such, or an argument set to NULL. An argument that points
/// into memory nobody knows has no memory either, but its size is not 0.
bool isNull(const Finding &F, const WsRecord &Record) {
  if (F.Root.What == RootKind::Null)
    return true;
  return F.Root.What == RootKind::Argument &&
         F.Memory.What == MemoryKind::None && sizeOf(Record) == 0;
}

bool isConst(const Finding &F) {
  if (F.Arg)
    return F.Arg->Const || F.Arg->Kind == "constant";
  return F.Root.What == RootKind::Constant;
}

/// Bytes of what the root stands for. The twin's own number if nobody else
/// knows one.
uint64_t trueSize(const Finding &F, const WsRecord &Record) {
  const bool Outer = F.Arg || F.Root.What == RootKind::Heap;
  uint64_t Known = Outer ? F.Memory.Size : F.Root.Size;
  if (Outer ? F.Memory.What == MemoryKind::None : Known == 0)
    return sizeOf(Record);
  return Known;
}

/// Why the bounds test failed. Null if there is no reason.
std::optional<FindingKind> boundsKind(Finding &F, const WsRecord &Record) {
  if (F.Root.What == RootKind::Unknown ||
      ((F.Arg || F.Root.What == RootKind::Heap) &&
       F.Memory.What == MemoryKind::None)) {
    F.Size = 0;
    return FindingKind::wild_pointer;
  }
  // The twin saw no size: it was dead then, not only when this is reported.
  if (!F.Memory.ReleasedBy.empty() && sizeOf(Record) == 0)
    return FindingKind::use_after_free;
  if (!isInside(F.Offset, F.Bytes, F.Size))
    return outOfBounds(F.Site.What);
  if (writes(F) && isConst(F))
    return FindingKind::write_to_const;
  // The twin was passed less than the memory has. The access was checked
  // against the twin's bounds.
  F.Size = sizeOf(Record);
  if (isInside(F.Offset, F.Bytes, F.Size))
    return std::nullopt;
  return outOfBounds(F.Site.What);
}

/// Why an access to a buffer with objects was refused. Of the object that F is
/// about now, if it is about one.
FindingKind objectKind(Finding &F) {
  if (F.Memory.Object) {
    F.Offset -= static_cast<int64_t>(F.Memory.SubOffset);
    F.Size = F.Memory.Size;
  }
  const bool Starts = F.Offset >= 0 && static_cast<uint64_t>(F.Offset) < F.Size;
  return F.Memory.Object && Starts && !F.Memory.ReleasedBy.empty()
             ? FindingKind::use_after_free
             : outOfBounds(F.Site.What);
}

/// Why an access inside was forbidden. Null if it was not.
std::optional<FindingKind> rightsKind(const Finding &F) {
  if (!isInside(F.Offset, F.Bytes, F.Size))
    return std::nullopt;
  if (writes(F) && F.Memory.ReadOnly)
    return FindingKind::write_to_read_only;
  if (F.Site.What != Access::Write && F.Memory.WriteOnly)
    return FindingKind::read_of_write_only;
  if (writes(F) && isConst(F))
    return FindingKind::write_to_const;
  return std::nullopt;
}

std::optional<FindingKind> kindOf(Finding &F, const WsRecord &Record,
                                  uint32_t Test) {
  if (Test == WS_TEST_RUNAWAY)
    return FindingKind::runaway_loop;
  if (isNull(F, Record)) {
    F.Size = 0;
    return FindingKind::null_pointer;
  }
  switch (Test) {
  case WS_TEST_BOUNDS:
    return boundsKind(F, Record);
  case WS_TEST_RIGHTS:
    return rightsKind(F);
  case WS_TEST_ALIGN:
    return FindingKind::misaligned;
  case WS_TEST_MEMBER:
    if (isInside(F.Offset, F.Bytes, F.Size))
      return std::nullopt;
    return FindingKind::member_overflow;
  case WS_TEST_SCOPE:
    if (F.Root.What != RootKind::Private)
      return std::nullopt;
    return FindingKind::use_after_scope;
  case WS_TEST_OBJECT:
    if (!isInside(F.Offset, F.Bytes, F.Size))
      return std::nullopt;
    return objectKind(F);
  case WS_TEST_IMAGE:
    return F.Site.What == Access::Read ? FindingKind::out_of_bounds_image_read
                                       : FindingKind::out_of_bounds_image_write;
  }
  return std::nullopt;
}

bool isOutside(FindingKind Kind) {
  switch (Kind) {
  case FindingKind::out_of_bounds_read:
  case FindingKind::out_of_bounds_write:
  case FindingKind::out_of_bounds_atomic:
  case FindingKind::member_overflow:
    return true;
  default:
    return false;
  }
}

/// Only for accesses that are not inside.
void placeOutside(Finding &F) {
  auto First = static_cast<uint64_t>(F.Offset);
  if (F.Offset < 0) {
    F.Fell = Finding::Where::Before;
    F.Distance = 0 - First;
  } else if (First >= F.Size) {
    F.Fell = Finding::Where::Past;
    F.Distance = First - F.Size;
  } else {
    F.Fell = Finding::Where::Straddles;
    F.Distance = F.Bytes - (F.Size - First);
  }
}

/// What an index counts where the root has no type: the accessed value, or one
/// lane of it for vloadN and vstoreN, which take pointers to scalars.
uint64_t elementOfSite(const SiteInfo &Site) {
  if (!Site.Builtin.starts_with("vload") && !Site.Builtin.starts_with("vstore"))
    return Site.Bytes;
  if (Site.Builtin.find("_half") != std::string::npos)
    return 2;
  size_t Digits = Site.Type.find_last_not_of("0123456789") + 1;
  unsigned Lanes = 0;
  for (char C : std::string_view(Site.Type).substr(Digits).substr(0, 2))
    Lanes = Lanes * 10 + static_cast<unsigned>(C - '0');
  return Lanes > 1 && Site.Bytes % Lanes == 0 ? Site.Bytes / Lanes : 0;
}

/// The member that byte \p Offset of a struct is in: "body.pos[1]"; empty if
/// not known.
std::string memberAt(const std::vector<FieldInfo> &Fields, uint64_t Offset) {
  for (const FieldInfo &Field : Fields)
    if (Offset >= Field.Offset && Offset - Field.Offset < Field.Bytes)
      return Field.Element && Field.Element < Field.Bytes
                 ? Field.Name + "[" +
                       std::to_string((Offset - Field.Offset) / Field.Element) +
                       "]"
                 : Field.Name;
  return {};
}

/// Bytes that an index counts; 0: not known.
uint64_t elementSizeOf(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::wild_pointer:
  case FindingKind::out_of_bounds_image_read:
  case FindingKind::out_of_bounds_image_write:
  case FindingKind::runaway_loop:
    return 0;
  case FindingKind::member_overflow:
    // Not the value's size: an element may be a struct of which one field is
    // accessed.
    return F.Site.MemberElement;
  default:
    break;
  }
  if (F.Root.Element) // the argument may point between two of the memory's
    return F.Memory.ArgStart % F.Root.Element ? 0 : F.Root.Element;
  // A guess, which an offset between two elements would prove wrong.
  if (F.Kind == FindingKind::null_pointer || F.Site.InStruct ||
      (F.Root.What != RootKind::Argument && !F.Root.Type.empty()))
    return 0;
  const uint64_t Guess = elementOfSite(F.Site);
  return Guess && Guess <= INT64_MAX &&
                 F.Offset % static_cast<int64_t>(Guess) == 0
             ? Guess
             : 0;
}

void findElement(Finding &F) {
  F.ElementSize = elementSizeOf(F);
  // Larger ones would not divide as signed numbers.
  if (!F.ElementSize || F.ElementSize > INT64_MAX)
    return;
  const auto Size = static_cast<int64_t>(F.ElementSize);
  const bool Before = F.Offset % Size < 0; // then division rounds up
  F.Element = F.Offset / Size - (Before ? 1 : 0);
  F.ElementOffset =
      static_cast<uint64_t>(F.Offset % Size + (Before ? Size : 0));
  if (F.Kind != FindingKind::member_overflow)
    F.ElementMember = memberAt(F.Root.Fields, F.ElementOffset);
}

constexpr unsigned CoordinateBits = 21;

uint64_t field21(uint64_t Packed, unsigned Index) {
  return (Packed >> (Index * CoordinateBits)) & ((1U << CoordinateBits) - 1);
}

void unpackImage(Finding &F, const WsRecord &Record) {
  constexpr int64_t Sign = int64_t{1} << (CoordinateBits - 1);
  for (unsigned I = 0; I < 3; ++I) {
    auto Low = static_cast<int64_t>(field21(Record.Offset, I));
    F.Coordinates[I] = (Low ^ Sign) - Sign;
    F.ImageSize[I] = field21(Record.Size, I);
  }
}

void copyWorkItem(Finding &F, const WsRecord &Record) {
  for (unsigned I = 0; I < 3; ++I) {
    F.GlobalId[I] = Record.GlobalId[I];
    F.GroupId[I] = Record.GroupId[I];
    F.LocalId[I] = Record.LocalId[I];
    F.LocalSize[I] = std::max<uint64_t>(Record.LocalSize[I], 1);
  }
  F.Items = std::max<uint64_t>(Record.Items, 1);
}

/// The local id that has number \p Linear in a group of \p Size.
std::array<uint64_t, 3> localIdOf(uint64_t Linear,
                                  const std::array<uint64_t, 3> &Size) {
  return {Linear % Size[0], Linear / Size[0] % Size[1],
          Linear / Size[0] / Size[1]};
}

/// Record.Check is of collective call \p Call. Null if the record is not what a
/// twin writes (abi/record.h).
std::optional<DivergenceInfo> divergenceOf(const WsRecord &Record,
                                           const KernelInfo &Kernel,
                                           const Finding &F) {
  constexpr uint32_t BranchMask = (1U << WS_BRANCH_BITS) - 1;
  const auto &Size = F.LocalSize;
  DivergenceInfo Info;
  size_t Branches[2] = {};
  unsigned Shift = 0;
  for (DivergenceInfo::Side *Side : {&Info.Here, &Info.There}) {
    const auto Place = static_cast<uint32_t>(Record.Offset >> Shift);
    const uint32_t Linear = Place >> WS_BRANCH_BITS;
    Side->Items = static_cast<uint32_t>(Record.Size >> Shift);
    Side->LocalId = localIdOf(Linear, Size);
    Branches[Shift / 32] = Place & BranchMask;
    if (Side->Items == 0 || Side->LocalId[2] >= Size[2])
      return std::nullopt;
    Shift += 32;
  }
  if (Info.Here.LocalId == Info.There.LocalId ||
      Info.Here.Items + Info.There.Items > Size[0] * Size[1] * Size[2])
    return std::nullopt;
  if (Record.Bytes != WS_NO_COLLECTIVE) {
    if (Record.Bytes >= Kernel.Collectives.size())
      return std::nullopt;
    Info.Other = Kernel.Collectives[Record.Bytes];
  }
  // The others' way is what has to be explained.
  const size_t Branch = Branches[1] ? Branches[1] : Branches[0];
  if (Branch > 0 && Branch < BranchMask && Branch <= Kernel.Branches.size())
    Info.Branch = Kernel.Branches[Branch - 1];
  return Info;
}

/// Null if the record is not what a twin writes.
std::optional<ArgumentMismatch> mismatchOf(const WsRecord &Record,
                                           const CollectiveInfo &Call) {
  if (Record.Bytes >= Call.Arguments.size() || Record.Offset == Record.Size)
    return std::nullopt;
  const CollectiveInfo::Argument &Arg = Call.Arguments[Record.Bytes];
  return ArgumentMismatch{Arg.Name, Arg.IsPointer, Record.Offset, Record.Size};
}

/// Sets the root, and what is known of its memory. False if the record is not
/// what a twin writes.
bool setRoot(Finding &F, const WsRecord &Record, const KernelInfo &Kernel,
             const LaunchInfo &Launch) {
  if (Record.Root >= Kernel.Roots.size())
    return false;
  F.Root = Kernel.Roots[Record.Root];
  if (F.Root.What == RootKind::Argument) {
    if (F.Root.Arg >= Kernel.Args.size() || F.Root.Arg >= Launch.Args.size())
      return false;
    F.Arg = Kernel.Args[F.Root.Arg];
    F.Memory = Launch.Args[F.Root.Arg];
  }
  return true;
}

/// \p F, of which everything else is known, with what identifies it and where
/// it occurred.
Finding finish(Finding F, const WsRecord &Record, const KernelInfo &Kernel,
               const LaunchInfo &Launch, uint32_t Site, uint32_t Test) {
  F.Id = findingId(F.Kind, F.Kernel, F.Site, Site, Test);
  F.Fingerprint = findingFingerprint(F, Kernel.SourceHash, Site, Test);
  F.Launch = Launch;
  F.Hits = hitsOf(Record, Launch);
  return F;
}

/// True if it may matter in which order accesses of \p A and \p B come.
bool mayConflict(const SiteInfo &A, const SiteInfo &B) {
  return A.What != B.What || A.What == Access::Write;
}

/// What a record of a race in global memory says of the other access.
void setOtherOfLaunch(RaceInfo &Race, const Finding &F, uint64_t Found,
                      const LaunchInfo &Launch) {
  const uint64_t ItemBits = WS_RACE_FOUND_FIELD(Found, ITEM_BITS);
  const uint64_t Owner = WS_RACE_FOUND_FIELD(Found, OWNER);
  Race.IsOtherGroup = (Found & WS_RACE_FOUND_OF_GROUPS) != 0;
  if (ItemBits > WS_RACE_OWNER_BITS)
    return;
  const auto LocalId =
      localIdOf(Owner & ((uint64_t(1) << ItemBits) - 1), F.LocalSize);
  if (LocalId[2] >= F.LocalSize[2])
    return;
  if (!Race.IsOtherGroup) {
    if (LocalId != F.LocalId)
      Race.LocalId = LocalId;
    return;
  }
  std::array<uint64_t, 3> Groups{};
  uint64_t All = 1;
  for (unsigned I = 0; I < 3; ++I) {
    // Where some work-groups are smaller, the size of the other one is not
    // known.
    const uint64_t Whole = Launch.Local[I] ? Launch.Local[I] : F.LocalSize[I];
    if (Launch.Global[I] % Whole != 0 || F.LocalSize[I] != Whole)
      return;
    Groups[I] = Launch.Global[I] / Whole;
    All *= Groups[I];
  }
  const uint64_t Group = Owner >> ItemBits;
  if (All > uint64_t(1) << (WS_RACE_OWNER_BITS - ItemBits) || Group >= All)
    return;
  const auto GroupId = localIdOf(Group, Groups);
  if (GroupId == F.GroupId)
    return;
  Race.GroupId = GroupId;
  // Its group is known, but another of its work-items may have raced.
  if (Race.Other)
    Race.LocalId = LocalId;
}

/// Of access \p Site, which races with an earlier one.
std::optional<Finding> diagnoseRace(const WsRecord &Record, uint32_t Site,
                                    const KernelInfo &Kernel,
                                    const LaunchInfo &Launch) {
  Finding F;
  F.Kind = FindingKind::data_race;
  F.Kernel = Kernel.Name;
  F.Cuda = Kernel.Cuda;
  F.Site = Kernel.Sites[Site];
  if (!setRoot(F, Record, Kernel, Launch) || !(Record.Size & WS_RACE_FOUND))
    return std::nullopt;
  F.Offset = static_cast<int64_t>(Record.Offset);
  F.Bytes = Record.Bytes;
  F.Size = F.Arg ? F.Memory.Size : F.Root.Size;
  if (!isInside(F.Offset, F.Bytes, F.Size))
    return std::nullopt;
  F.Performed = true;
  copyWorkItem(F, Record);
  RaceInfo &Race = F.Race.emplace();
  const uint64_t Other = WS_RACE_FOUND_FIELD(Record.Size, SITE);
  if (Other < Kernel.Sites.size() && mayConflict(Kernel.Sites[Other], F.Site))
    Race.Other = Kernel.Sites[Other];
  if (!F.Arg || F.Memory.What == MemoryKind::Local) {
    const auto LocalId =
        localIdOf(WS_RACE_FOUND_FIELD(Record.Size, OWNER), F.LocalSize);
    if (LocalId != F.LocalId && LocalId[2] < F.LocalSize[2])
      Race.LocalId = LocalId;
  } else {
    setOtherOfLaunch(Race, F, Record.Size, Launch);
  }
  // Which of two sites comes later differs from work-item to work-item. A race
  // is of the one that has the higher number, if the two accesses are known to
  // be to the same bytes, by the same argument.
  auto IsAligned = [&](const SiteInfo &Info) {
    return F.Bytes && Info.Bytes == F.Bytes && Info.Align % F.Bytes == 0 &&
           Info.Root == Record.Root;
  };
  if (Race.LocalId && Race.Other && Other > Site && IsAligned(F.Site) &&
      IsAligned(*Race.Other)) {
    std::swap(F.Site, *Race.Other);
    if (Race.GroupId) {
      for (unsigned I = 0; I < 3; ++I)
        F.GlobalId[I] += ((*Race.GroupId)[I] - F.GroupId[I]) * F.LocalSize[I];
      std::swap(F.GroupId, *Race.GroupId);
    }
    for (unsigned I = 0; I < 3; ++I)
      F.GlobalId[I] += (*Race.LocalId)[I] - F.LocalId[I];
    std::swap(F.LocalId, *Race.LocalId);
    Site = static_cast<uint32_t>(Other);
  }
  findElement(F);
  return finish(std::move(F), Record, Kernel, Launch, Site, 0);
}

/// Of a collective call.
std::optional<Finding> diagnoseCollective(const WsRecord &Record,
                                          const KernelInfo &Kernel,
                                          const LaunchInfo &Launch) {
  const uint32_t Site = Record.Check / WS_TESTS;
  const uint32_t Test = Record.Check % WS_TESTS;
  const size_t Call = Site - Kernel.Sites.size();
  if (Call >= Kernel.Collectives.size())
    return std::nullopt;
  Finding F;
  F.Kernel = Kernel.Name;
  F.Cuda = Kernel.Cuda;
  F.Site.Builtin = Kernel.Collectives[Call].Builtin;
  F.Site.At = Kernel.Collectives[Call].At;
  F.Site.Order = Site;
  copyWorkItem(F, Record);
  for (unsigned I = 0; I < 3; ++I)
    if (F.LocalId[I] >= F.LocalSize[I])
      return std::nullopt;
  if (Test == WS_TEST_ARGUMENTS) {
    F.Kind = FindingKind::collective_mismatch;
    F.Mismatch = mismatchOf(Record, Kernel.Collectives[Call]);
  } else if (Test == 0) {
    F.Kind = FindingKind::barrier_divergence;
    F.Divergence = divergenceOf(Record, Kernel, F);
  }
  if (!F.Mismatch && !F.Divergence)
    return std::nullopt;
  if (F.Divergence) {
    // Any work-item that waited may have written the record.
    for (unsigned I = 0; I < 3; ++I)
      F.GlobalId[I] += F.Divergence->Here.LocalId[I] - F.LocalId[I];
    F.LocalId = F.Divergence->Here.LocalId;
  }
  return finish(std::move(F), Record, Kernel, Launch, Site, 0);
}

} // namespace

std::optional<Finding> warpsan::diagnose(const WsRecord &Record,
                                         const KernelInfo &Kernel,
                                         const LaunchInfo &Launch) {
  const uint32_t Site = Record.Check / WS_TESTS;
  const uint32_t Test = Record.Check % WS_TESTS;
  const uint64_t Tag = Record.Launch % WS_TAGS;
  if (Record.Ready != 1 || Record.Launch != Launch.Number ||
      Record.Key != (Tag << WS_CHECK_BITS | Record.Check))
    return std::nullopt;
  if (Site >= Kernel.Sites.size()) {
    const uint32_t Raced = WS_RACE_SITE(Site);
    return Raced < Kernel.Sites.size()
               ? diagnoseRace(Record, Raced, Kernel, Launch)
               : diagnoseCollective(Record, Kernel, Launch);
  }

  Finding F;
  F.Kernel = Kernel.Name;
  F.Cuda = Kernel.Cuda;
  F.Site = Kernel.Sites[Site];
  if (!setRoot(F, Record, Kernel, Launch))
    return std::nullopt;
  if (F.Root.What == RootKind::Heap) {
    F.Memory = Launch.Heap;
    F.Root.Name = F.Memory.Variable;
  }
  F.Bytes = Record.Bytes;
  F.Address = Record.Address;
  F.Performed = Test == WS_TEST_ALIGN || Test == WS_TEST_RIGHTS;
  if (Test == WS_TEST_IMAGE) {
    unpackImage(F, Record);
  } else {
    F.Offset = static_cast<int64_t>(Record.Offset);
    F.Size = Test == WS_TEST_MEMBER ? Record.Size : trueSize(F, Record);
  }

  if (Test == WS_TEST_OBJECT && Launch.Object.Object)
    F.Memory = Launch.Object;
  std::optional<FindingKind> Kind = kindOf(F, Record, Test);
  if (!Kind)
    return std::nullopt;
  F.Kind = *Kind;
  if (isOutside(F.Kind) && !isInside(F.Offset, F.Bytes, F.Size))
    placeOutside(F);
  findElement(F);
  copyWorkItem(F, Record);
  return finish(std::move(F), Record, Kernel, Launch, Site, Test);
}

void warpsan::orderSites(std::vector<SiteInfo> &Sites) {
  auto LineOf = [&Sites](uint32_t Site) {
    const std::vector<SourcePlace> &At = Sites[Site].At;
    return At.empty() ? 0 : At.back().Line;
  };
  std::vector<uint32_t> Sorted(Sites.size());
  std::iota(Sorted.begin(), Sorted.end(), 0U);
  std::ranges::stable_sort(Sorted, {}, LineOf);
  for (uint32_t I = 0; I < Sorted.size(); ++I)
    Sites[Sorted[I]].Order = I;
}

Finding warpsan::diagnoseCall(FindingKind Kind, const std::string &Call,
                              const MemoryInfo &Memory, int64_t Offset) {
  Finding F;
  F.Kind = Kind;
  F.Call = Call;
  F.Root.What = RootKind::Heap;
  F.Memory = Memory;
  F.Size = Memory.Size;
  F.Offset = Offset;
  F.Items = 1;
  F.Launch.LaunchedBy = Call;
  F.Id = findingId(Kind, Call, F.Site, 0, 0);
  F.Fingerprint = findingFingerprint(F, 0, 0, 0);
  return F;
}

std::optional<Finding>
warpsan::diagnoseCanary(CanaryInfo Canary, Finding::Where At,
                        const std::string &Kernel, uint32_t Arg,
                        const MemoryInfo &Memory, const LaunchInfo &Launch) {
  const size_t Count = std::min(Canary.Was.size(), Canary.Is.size());
  size_t First = 0, End = Count;
  while (First < Count && Canary.Was[First] == Canary.Is[First])
    ++First;
  if (First == Count)
    return std::nullopt;
  while (Canary.Was[End - 1] == Canary.Is[End - 1])
    --End;
  for (std::vector<uint8_t> *Bytes : {&Canary.Was, &Canary.Is})
    *Bytes = {Bytes->begin() + static_cast<ptrdiff_t>(First),
              Bytes->begin() + static_cast<ptrdiff_t>(End)};

  Finding F;
  F.Kind = FindingKind::canary_overwritten;
  F.Kernel = Kernel;
  F.Root.What = RootKind::Argument;
  F.Root.Arg = Arg;
  F.Arg.emplace();
  F.Memory = Memory;
  F.Size =
      Memory.What == MemoryKind::SubBuffer ? Memory.ParentSize : Memory.Size;
  const bool Before = At == Finding::Where::Before;
  F.Offset = static_cast<int64_t>((Before ? 0 - Count : F.Size) + First);
  F.Bytes = End - First;
  F.Site.What = Access::Write;
  F.Site.Space = "global";
  F.Performed = true;
  placeOutside(F);
  F.Id = findingId(F.Kind, Kernel, F.Site, Arg, Before);
  F.Fingerprint = findingFingerprint(F, 0, Arg, Before);
  F.Launch = Launch;
  F.Canary = std::move(Canary);
  return F;
}

const char *warpsan::nameOf(FindingKind Kind) {
  switch (Kind) {
#define KIND(id, name, title, help)                                            \
  case FindingKind::name:                                                      \
    return #name;
#include "abi/checks.def"
#undef KIND
  }
  return "";
}

const char *warpsan::titleOf(FindingKind Kind) {
  switch (Kind) {
#define KIND(id, name, title, help)                                            \
  case FindingKind::name:                                                      \
    return title;
#include "abi/checks.def"
#undef KIND
  }
  return "";
}
