//===- layer/findings/describe.cpp - details of findings ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/describe.h"

#include "layer/findings/symbols.h"
#include "layer/svm/arg_bounds.h"
#include "layer/svm/marked_objects.h"
#include "layer/svm/svm_neighbors.h"
#include "layer/svm/svm_ranges.h"
#include "layer/twin/twin_info.h"

#include <cerrno>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

using namespace warpsan;

static MemoryInfo::Kind kindOf(Life::Kind What) {
  using Kind = MemoryInfo::Kind;
  switch (What) {
  case Life::Kind::Buffer:
  case Life::Kind::Pipe:
    return Kind::Buffer;
  case Life::Kind::SubBuffer:
    return Kind::SubBuffer;
  case Life::Kind::Image:
    return Kind::Image;
  case Life::Kind::SVM:
    return Kind::SVM;
  case Life::Kind::USM:
    return Kind::USM;
  case Life::Kind::Program:
    return Kind::Program;
  case Life::Kind::Kernel:
    return Kind::Kernel;
  case Life::Kind::Queue:
    return Kind::Queue;
  case Life::Kind::Context:
    return Kind::Context;
  case Life::Kind::Sampler:
    return Kind::Sampler;
  }
  return Kind::None;
}

MemoryInfo warpsan::infoOf(const std::shared_ptr<const Life> &Of) {
  MemoryInfo Info;
  if (!Of)
    return Info;
  Info.What = kindOf(Of->What);
  Info.CreatedBy = Of->CreatedBy;
  if (const Release *R = Of->Released.load())
    Info.ReleasedBy = R->By;
  if (!Of->isMemory())
    return Info;
  const auto &M = static_cast<const Memory &>(*Of);
  Info.Size = M.Size;
  if (const std::string *Name = M.Variable.load())
    Info.Variable = *Name;
  Info.ReadOnly = M.Flags & CL_MEM_READ_ONLY;
  Info.WriteOnly = M.Flags & CL_MEM_WRITE_ONLY;
  Info.SubOffset = M.Offset;
  Info.ParentSize = M.ParentSize;
  Info.Object = M.Marked;
  Info.Name = M.Name;
  return Info;
}

static MemoryInfo argInfo(const ArgMemory &Arg) {
  using Kind = MemoryInfo::Kind;
  MemoryInfo Info;
  switch (Arg.What) {
  case ArgMemory::Kind::None:
    return Info;
  case ArgMemory::Kind::Local:
    Info.What = Kind::Local;
    Info.Size = Arg.Size;
    return Info;
  case ArgMemory::Kind::Foreign:
    Info.What = Kind::SVM;
    Info.Size = WS_FOREIGN_SIZE;
    return Info;
  case ArgMemory::Kind::Known:
    Info = infoOf(Arg.Of);
    Info.ArgStart = Arg.Start;
    return Info;
  }
  return Info;
}

LaunchInfo warpsan::infoOf(const LoggedLaunch &L) {
  LaunchInfo Info;
  Info.Number = L.Number;
  Info.LaunchedBy = L.Call;
  Info.Dimensions = L.Dimensions;
  Info.Offset = L.Offset;
  Info.Global = L.Global;
  Info.Local = L.Local;
  for (const ArgMemory &Arg : *L.Args)
    Info.Args.push_back(argInfo(Arg));
  Info.Device = L.Kernel->Device;
  return Info;
}

void warpsan::describeMemoryFrames(Finding &F,
                                   const std::shared_ptr<const Life> &Of) {
  if (!Of)
    return;
  std::vector<Backtrace> Traces = {Of->Created};
  const Release *End = Of->Released.load();
  if (End)
    Traces.push_back(End->From);
  std::vector<std::vector<HostFrame>> Names = describeTraces(Traces);
  F.Memory.Created = std::move(Names[0]);
  if (End)
    F.Memory.Released = std::move(Names[1]);
}

void warpsan::describeFrames(Finding &F, Backtrace Caller,
                             const std::shared_ptr<const Life> &Of) {
  F.Launch.Launched = std::move(describeTraces({Caller})[0]);
  describeMemoryFrames(F, Of);
}

/// Fills in the allocations near \p M, into or from which \p F's access was
/// made.
static void describeNeighbors(Finding &F,
                              const std::shared_ptr<const Memory> &M) {
  const uintptr_t Start = F.Address - static_cast<uint64_t>(F.Offset);
  if (!M || M->isObject() || F.Fell == Finding::Where::None)
    return;
  // A member's offset is not the memory's.
  if (F.Kind == FindingKind::member_overflow)
    return;
  const std::vector<NearMemory> All = svmNear(M, Start, F.Address);
  std::vector<Backtrace> Traces;
  for (const NearMemory &N : All)
    Traces.push_back(N.Of->Created);
  std::vector<std::vector<HostFrame>> Names = describeTraces(Traces);
  for (size_t I = 0; I < All.size(); ++I) {
    const NearMemory &N = All[I];
    Neighbor Near;
    Near.Offset = static_cast<int64_t>(N.Start - Start);
    Near.Size = N.Of->Size;
    Near.CreatedBy = N.Of->CreatedBy;
    Near.Created = std::move(Names[I]);
    Near.Freed = N.Of->Released.load() != nullptr;
    Near.Touched = F.Address - N.Start < N.Of->Size;
    F.Memory.Near.push_back(std::move(Near));
  }
}

/// What is at \p Address now.
static Finding::Target targetOf(uint64_t Address) {
  using Target = Finding::Target;
  const SvmPlace Place = svmPlaceOf(reinterpret_cast<void *>(Address));
  // An address right behind is the memory's own, but not in it.
  if (Place.Of && Place.Offset < Place.Of->Size)
    return Place.Of->Released.load() ? Target::Freed : Target::Allocation;
  const auto Page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char Resident = 0;
  if (mincore(reinterpret_cast<void *>(Address / Page * Page), 1, &Resident) ==
      0)
    return Target::Process;
  return errno == ENOMEM ? Target::Unmapped : Target::Unknown;
}

/// Fills in which program the kernel is of, and who created it.
static void describeProgram(Finding &F, const LaunchedKernel &Kernel) {
  F.Program.Number = Kernel.ProgramNumber;
  if (!Kernel.Program)
    return;
  F.Program.CreatedBy = Kernel.Program->CreatedBy;
  F.Program.Created = std::move(describeTraces({Kernel.Program->Created})[0]);
}

std::shared_ptr<const Memory> warpsan::memoryOf(const WsRecord &Record,
                                                const KernelInfo &Kernel,
                                                const LoggedLaunch &L) {
  if (Record.Root >= Kernel.Roots.size())
    return nullptr;
  const RootInfo &Root = Kernel.Roots[Record.Root];
  // Where the heap's memory begins, as the twin saw it.
  if (Root.What == RootInfo::Kind::Heap)
    return checkedPlaceOf(
               reinterpret_cast<void *>(Record.Address - Record.Offset),
               Record.Size & WS_SIZE_BITS)
        .Of;
  if (Root.What != RootInfo::Kind::Argument || Root.Arg >= L.Args->size())
    return nullptr;
  const std::shared_ptr<const Memory> &Of = (*L.Args)[Root.Arg].Of;
  if (Of && Record.Check % WS_TESTS == WS_TEST_OBJECT)
    if (auto Object = objectNear(*Of, Record.Offset, Record.Bytes))
      return Object;
  return Of;
}

void warpsan::describe(Finding &F, const LoggedLaunch &L,
                       const std::shared_ptr<const Memory> &Of) {
  if (!F.Site.At.empty())
    F.Excerpt = L.Kernel->Info->excerpt(F.Site.At.front());
  describeFrames(F, L.Caller, Of);
  describeNeighbors(F, Of);
  describeProgram(F, *L.Kernel);
  if (F.Kind == FindingKind::wild_pointer)
    F.PointsTo = targetOf(F.Address);
}

void warpsan::describeLocation(Finding &F, const LoggedLaunch &L) {
  if (F.Site.At.empty())
    F.Launch.Launched = std::move(describeTraces({L.Caller})[0]);
  describeProgram(F, *L.Kernel);
}
