//===- layer/order/command_order.cpp - races between commands -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/order/command_order.h"

#include "layer/objects/launch_log.h"
#include "layer/objects/objects.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"
#include "layer/svm/svm_ranges.h"

#include <atomic>
#include <mutex>
#include <utility>

using namespace warpsan;

/// Guards the graph. Nothing of ours is locked, and no driver called, while it
/// is held.
static std::mutex &Mutex = noDestructor<std::mutex>();
static CommandGraph &Graph = noDestructor<CommandGraph>();
static std::atomic<bool> Stopped = false;
static thread_local PendingCommand *Current = nullptr;

bool warpsan::judgesOrder() {
  static const bool Wanted = watchesRaces();
  return Wanted && !Stopped.load(std::memory_order_relaxed) && !isPassThrough();
}

void warpsan::stopJudgingOrder() {
  withCommandGraph([](CommandGraph &G) { G.stop(); });
  Stopped = true;
}

LockedGraph::LockedGraph() { Mutex.lock(); }

LockedGraph::~LockedGraph() {
  const auto Garbage = std::exchange(Graph.Garbage, {});
  Mutex.unlock();
}

CommandGraph &LockedGraph::graph() const { return Graph; }

void warpsan::lockCommandOrder() { Mutex.lock(); }
void warpsan::unlockCommandOrder() { Mutex.unlock(); }

void warpsan::clearCommandOrder() {
  // What the parent's objects hold of the driver is not released here.
  static_cast<void>(new CommandGraph(std::move(Graph)));
  Graph = CommandGraph();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
struct Place {
  std::shared_ptr<const Memory> Of; ///< null: not known, or not whole
  uint64_t First = 0;
};
} // namespace

/// Where \p Bytes bytes of \p M are in the buffer that it is, or is a part of.
static Place placeOf(std::shared_ptr<const Memory> M, uint64_t First,
                     uint64_t Bytes) {
  if (!M || !Bytes || First > M->Size || Bytes > M->Size - First)
    return {};
  if (M->What == Life::Kind::SubBuffer) {
    First += M->Offset;
    M = M->Parent ? Memories.find(M->Parent) : nullptr;
  }
  // Of others it is not known what they share.
  if (!M || M->What != Life::Kind::Buffer || !M->Ordinary || First > M->Size ||
      Bytes > M->Size - First)
    return {};
  return {std::move(M), First};
}

/// The same of shared virtual memory. The host may follow what happens in
/// fine-grained memory, and order commands by that.
static Place svmPlace(const void *Start, uint64_t Bytes) {
  const SvmPlace At = svmPlaceOf(Start);
  if (!At.Of || At.Of->What != Life::Kind::SVM || At.Of->Released.load() ||
      At.Of->Flags & CL_MEM_SVM_FINE_GRAIN_BUFFER || !Bytes ||
      At.Offset > At.Of->Size || Bytes > At.Of->Size - At.Offset)
    return {};
  return {At.Of, At.Offset};
}

//===----------------------------------------------------------------------===//
// A command
//===----------------------------------------------------------------------===//

PendingCommand::PendingCommand(const char *Call, cl_command_queue Queue,
                               std::span<const cl_event> WaitList,
                               CommandGraph::Role Which)
    : Outer(std::exchange(Current, this)) {
  noteIfPossible([&] {
    Info = std::make_shared<Command>();
    Info->Call = Call;
    Info->Queue = Queue;
  });
  withCommandGraph([&](CommandGraph &G) {
    Node = G.begin(Queue, WaitList, Which);
    MayRace = G.mayRace();
  });
}

PendingCommand::~PendingCommand() {
  Current = Outer;
  if (!IsAccepted)
    withCommandGraph([&](CommandGraph &G) { G.remove(Node); });
}

PendingCommand *PendingCommand::current() {
  return Current && Current->MayRace ? Current : nullptr;
}

void PendingCommand::add(std::shared_ptr<const Memory> Of,
                         std::vector<ByteRange> Ranges, bool Writes,
                         const std::string *Pattern) {
  if (!Of || !Info || Ranges.empty())
    return;
  CommandAccess Made;
  Made.Of = std::move(Of);
  Made.Ranges = std::move(Ranges);
  Made.Writes = Writes;
  Made.StoresConstant = Pattern != nullptr;
  if (Pattern)
    Made.Pattern = *Pattern;
  Info->Accesses.push_back(std::move(Made));
}

void PendingCommand::addBuffer(cl_mem Handle, uint64_t First, uint64_t Bytes,
                               bool Writes, const std::string *Pattern) {
  noteIfPossible([&] {
    const Place At = placeOf(Memories.find(Handle), First, Bytes);
    add(At.Of, {{At.First, At.First + Bytes}}, Writes, Pattern);
  });
}

void PendingCommand::addRows(cl_mem Handle, const size_t *Origin,
                             const size_t *Region, size_t Row, size_t Slice,
                             bool Writes) {
  constexpr size_t MaxRows = 1024;
  // The driver refuses other values.
  if (!Origin || !Region || !Region[0] || !Region[1] || !Region[2] ||
      Region[1] > MaxRows || Region[2] > MaxRows / Region[1])
    return;
  const uint64_t RowBytes = Row ? Row : Region[0];
  uint64_t SliceBytes = Slice;
  if (!Slice && __builtin_mul_overflow(RowBytes, Region[1], &SliceBytes))
    return;
  if (RowBytes < Region[0] || SliceBytes < RowBytes)
    return;
  noteIfPossible([&] {
    const auto M = Memories.find(Handle);
    std::shared_ptr<const Memory> Of;
    std::vector<ByteRange> Ranges;
    for (uint64_t Z = 0; Z < Region[2]; ++Z)
      for (uint64_t Y = 0; Y < Region[1]; ++Y) {
        const __uint128_t First = __uint128_t(Origin[2] + Z) * SliceBytes +
                                  __uint128_t(Origin[1] + Y) * RowBytes +
                                  Origin[0];
        if (First > UINT64_MAX)
          return;
        const Place At = placeOf(M, static_cast<uint64_t>(First), Region[0]);
        if (!At.Of)
          return;
        Of = At.Of;
        if (!Ranges.empty() && Ranges.back().Last >= At.First)
          Ranges.back().Last = At.First + Region[0];
        else
          Ranges.push_back({At.First, At.First + Region[0]});
      }
    add(std::move(Of), std::move(Ranges), Writes, nullptr);
  });
}

void PendingCommand::addSvm(const void *Start, uint64_t Bytes, bool Writes,
                            const std::string *Pattern) {
  noteIfPossible([&] {
    const Place At = svmPlace(Start, Bytes);
    add(At.Of, {{At.First, At.First + Bytes}}, Writes, Pattern);
  });
}

void PendingCommand::addLaunch(
    const std::shared_ptr<const LaunchedKernel> &Kernel, const KernelPlan &Plan,
    KernelArgs &Args, std::span<const CertainAccess> Accesses) {
  if (!Info || !Plan.Races)
    return;
  noteIfPossible([&] {
    Info->Kernel = Kernel;
    Info->Accesses.clear();
    std::vector<std::shared_ptr<const Memory>> Memory(Plan.Args.size());
    bool AnyPointer = false;
    Args.look([&](size_t Index, const KernelArg &Arg) {
      AnyPointer |= Arg.isPointer();
      if (Index < Memory.size() && Arg.Set == KernelArg::Source::Value)
        Memory[Index] = Arg.Of;
    });
    // The host may follow what the kernel does there.
    if (AnyPointer)
      return;
    for (const CertainAccess &Each : Accesses) {
      const RaceAccess &A = Plan.Races->Accesses[Each.Access];
      const auto Arg = static_cast<uint32_t>(A.Arg);
      if (Arg >= Memory.size() || !Memory[Arg])
        continue;
      const Place At = placeOf(Memory[Arg], 0, Memory[Arg]->Size);
      std::vector<ByteRange> Ranges;
      for (const ByteRange &Range : Each.Ranges)
        if (Range.Last <= Memory[Arg]->Size)
          Ranges.push_back({At.First + Range.First, At.First + Range.Last});
      const size_t Before = Info->Accesses.size();
      add(At.Of, std::move(Ranges), A.Writes, nullptr);
      if (Info->Accesses.size() == Before)
        continue;
      CommandAccess &Made = Info->Accesses.back();
      Made.Atomic = A.AtomicOfGroups;
      Made.StoresConstant = A.StoresConstant;
      Made.Arg = Arg;
      Made.Site = A.Site;
    }
  });
}

void PendingCommand::setMapping(bool Writes, bool Reads) {
  Maps = true;
  MapWrites = Writes;
  MapReads = Reads;
}

void PendingCommand::setUnmapping(cl_mem Handle, const void *Pointer) {
  noteIfPossible([&] {
    const auto M = Memories.find(Handle);
    const Place At = placeOf(M, 0, M ? M->Size : 0);
    Unmaps = At.Of != nullptr;
    Unmapped = At.Of;
    UnmappedAt = Pointer;
  });
}

void PendingCommand::setSvmUnmapping(const void *Pointer) {
  noteIfPossible([&] {
    const Place At = svmPlace(Pointer, 1);
    Unmaps = At.Of != nullptr;
    Unmapped = At.Of;
    UnmappedAt = Pointer;
  });
}

std::vector<CommandRace>
PendingCommand::accept(cl_event Event, const void *Mapped, Known ByHost) {
  std::vector<CommandRace> Found;
  IsAccepted = true;
  if (!Node)
    return Found;
  noteIfPossible([&] {
    std::shared_ptr<Command> Mapping;
    const bool HasAccess = Info && !Info->Accesses.empty();
    if (HasAccess)
      Info->Caller = captureBacktrace();
    if (Maps && HasAccess) {
      Mapping = std::make_shared<Command>(*Info);
      Mapping->Accesses.front().Writes = MapWrites;
    }
    const bool IsJudged = HasAccess && (!Maps || MapReads);
    withCommandGraph([&](CommandGraph &G) {
      if (Event)
        G.addEvent(Event, Node);
      if (Unmaps)
        G.endMapping(Node, Unmapped.get(), UnmappedAt);
      if (IsJudged)
        Found = G.publish(Node, Info);
      if (Mapping)
        G.addMapping(Node, Mapping, Mapped);
      if (ByHost == Known::Complete)
        G.complete(Node);
      else if (ByHost == Known::Observed)
        G.silence(Node);
    });
  });
  return Found;
}
