//===- layer/order/command_graph.cpp - which commands happen before which -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/order/command_graph.h"

#include <algorithm>
#include <bit>
#include <utility>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// True if both may store the same bytes.
static bool mayStoreSame(const CommandAccess &A, const CommandAccess &B) {
  return A.StoresConstant && B.StoresConstant &&
         (A.Pattern.empty() || B.Pattern.empty() || A.Pattern == B.Pattern);
}

std::optional<ByteRange> warpsan::conflictOf(const CommandAccess &A,
                                             const CommandAccess &B) {
  if (A.Of != B.Of || (!A.Writes && !B.Writes) || (A.Atomic && B.Atomic) ||
      mayStoreSame(A, B))
    return std::nullopt;
  size_t I = 0, J = 0;
  while (I < A.Ranges.size() && J < B.Ranges.size()) {
    const ByteRange &X = A.Ranges[I], &Y = B.Ranges[J];
    const ByteRange Both = {std::max(X.First, Y.First),
                            std::min(X.Last, Y.Last)};
    if (Both.First < Both.Last)
      return Both;
    ++(X.Last <= Y.Last ? I : J);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Queues and events
//===----------------------------------------------------------------------===//

void CommandGraph::addQueue(cl_command_queue Queue, bool InOrder) {
  QueueOrder New;
  New.InOrder = InOrder;
  Queues.insert_or_assign(Queue, New);
}

void CommandGraph::distrustQueue(cl_command_queue Queue) {
  Queues[Queue].Trusted = false;
}

void CommandGraph::addEvent(cl_event Handle, const NodePtr &Of) {
  if (!Of)
    return;
  // An event that is not known keeps what waits for it from being judged.
  if (Events.size() >= MaxEvents)
    std::erase_if(Events, [](const auto &Each) { return Each.second.Of; });
  Events.insert_or_assign(Handle, Event{Of});
}

void CommandGraph::addUserEvent(cl_event Handle) {
  const Gates Closed = ~(OpenGates | Unknown);
  Event New;
  New.Gate = Closed ? Gates(1) << std::countr_zero(Closed) : Unknown;
  OpenGates |= New.Gate;
  Events.insert_or_assign(Handle, std::move(New));
}

void CommandGraph::retainEvent(cl_event Handle) {
  if (auto It = Events.find(Handle); It != Events.end())
    ++It->second.References;
}

void CommandGraph::releaseEvent(cl_event Handle) {
  // Nobody can set a user event any more: its gate stays closed.
  if (auto It = Events.find(Handle);
      It != Events.end() && --It->second.References == 0)
    Events.erase(It);
}

void CommandGraph::setUserEvent(cl_event Handle, bool Failed) {
  auto It = Events.find(Handle);
  if (It == Events.end() || It->second.Of)
    return;
  const Gates Gate = std::exchange(It->second.Gate, 0) & ~Unknown;
  OpenGates &= ~Gate;
  for (size_t I = 0; I < UsedSlots; ++I) {
    if (!(Slots[I].Waits & Gate))
      continue;
    if (Failed) {
      Garbage.push_back(std::exchange(Slots[I].Info, nullptr));
      Slots[I].Waits |= Unknown; // if it is being enqueued now
    }
    Slots[I].Waits &= ~Gate;
  }
}

/// Adds all that is before a command with \p WaitList. Returns what these
/// commands themselves wait for, besides nodes.
CommandGraph::Gates CommandGraph::collect(std::span<const cl_event> WaitList,
                                          NodeSet &Before) const {
  Gates Waits = 0;
  for (cl_event Each : WaitList) {
    auto It = Events.find(Each);
    if (It == Events.end())
      Waits |= Unknown;
    else if (!It->second.Of)
      Waits |= It->second.Gate;
    else if (isLive(It->second.Of))
      Before |= upTo(*It->second.Of);
    else if (It->second.Of->Is == Node::State::Dropped)
      Waits |= Unknown;
  }
  return Waits;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// A live node, and all before it.
CommandGraph::NodeSet CommandGraph::upTo(const Node &Of) const {
  NodeSet All = Slots[Of.Slot].Before;
  All.set(Of.Slot);
  return All;
}

CommandGraph::Gates CommandGraph::waitsOf(const NodeSet &Some) const {
  Gates Waits = 0;
  for (size_t I = 0; I < UsedSlots; ++I)
    if (Some[I])
      Waits |= Slots[I].Waits;
  return Waits;
}

/// A free slot. If there is none, the oldest node is dropped, of those that
/// wait for nothing that is not known: what is behind it loses nothing but the
/// node itself.
size_t CommandGraph::takeSlot() {
  if (UsedSlots < MaxNodes)
    return UsedSlots++;
  if (Free.empty()) {
    const Slot *Oldest = nullptr;
    for (const Slot &Each : Slots)
      if (!Each.Waits && (!Oldest || Each.Serial < Oldest->Serial))
        Oldest = &Each;
    if (!Oldest)
      return MaxNodes;
    const auto Index = static_cast<size_t>(Oldest - Slots.data());
    forget(Index, Node::State::Dropped);
    clear(NodeSet().set(Index));
  }
  const size_t Index = Free.back();
  Free.pop_back();
  return Index;
}

CommandGraph::NodePtr CommandGraph::begin(cl_command_queue Queue,
                                          std::span<const cl_event> WaitList,
                                          Role Which) {
  if (Stopped)
    return nullptr;
  const size_t Index = takeSlot();
  if (Index == MaxNodes) {
    stop();
    return nullptr;
  }
  QueueOrder &Q = Queues[Queue];
  Slot &New = Slots[Index];
  New.Of = std::make_shared<Node>(Node{Node::State::Live, Index});
  New.Serial = ++LastSerial;
  New.Before = Q.Before;
  if (Which != Role::Plain && WaitList.empty())
    New.Before |= Q.All;
  New.Waits = collect(WaitList, New.Before) | (Q.Trusted ? 0 : Unknown);
  New.Waits |= waitsOf(New.Before);
  const NodeSet All = upTo(*New.Of);
  Q.All |= All;
  if (Q.InOrder || Which == Role::Barrier)
    Q.Before |= All;
  return New.Of;
}

void CommandGraph::addWaits(cl_command_queue Queue,
                            std::span<const cl_event> WaitList) {
  // As if a barrier with these events were enqueued.
  begin(Queue, WaitList, WaitList.empty() ? Role::Plain : Role::Barrier);
}

void CommandGraph::distrust(const NodePtr &Of) {
  if (isLive(Of))
    Slots[Of->Slot].Waits |= Unknown;
}

void CommandGraph::addToAllQueues(const NodePtr &Of) {
  if (!isLive(Of))
    return;
  NodeSet All = upTo(*Of);
  for (const auto &[Handle, Q] : Queues)
    All |= Q.All;
  All.reset(Of->Slot);
  Slots[Of->Slot].Before = All;
  All.set(Of->Slot);
  for (auto &[Handle, Q] : Queues)
    Q.All = Q.Before = All;
}

void CommandGraph::remove(const NodePtr &Of) {
  if (!isLive(Of))
    return;
  const size_t Index = Of->Slot;
  forget(Index, Node::State::Complete);
  clear(NodeSet().set(Index));
}

/// Adds the races of two nodes that are not ordered.
void CommandGraph::addRaces(const Slot &New, const Slot &Old,
                            std::vector<CommandRace> &Out) const {
  const bool IsLater = Old.Serial < New.Serial;
  const auto &Later = IsLater ? New.Info : Old.Info;
  const auto &Earlier = IsLater ? Old.Info : New.Info;
  for (size_t I = 0; I < Later->Accesses.size(); ++I)
    for (size_t J = 0; J < Earlier->Accesses.size(); ++J) {
      const CommandAccess &A = Later->Accesses[I];
      if (std::ranges::any_of(Out, [&](const CommandRace &Each) {
            return Each.Later->Accesses[Each.LaterAccess].Of == A.Of;
          }))
        continue;
      if (const auto Both = conflictOf(A, Earlier->Accesses[J]))
        Out.push_back({Later, Earlier, I, J, *Both});
    }
}

/// The same with memory that is mapped, and not unmapped before \p New.
void CommandGraph::addMappedRaces(const Slot &New,
                                  std::vector<CommandRace> &Out) {
  std::erase_if(Mappings, [&](Mapping &Each) {
    const bool IsOver = Each.End && !isLive(Each.End);
    if (IsOver)
      Garbage.push_back(std::move(Each.By));
    return IsOver;
  });
  for (const Mapping &Each : Mappings) {
    if (Each.Serial > New.Serial ||
        (isLive(Each.Start) && Slots[Each.Start->Slot].Waits))
      continue;
    if (Each.End &&
        (New.Before[Each.End->Slot] || Slots[Each.End->Slot].Waits ||
         Slots[Each.End->Slot].IsSilent))
      continue;
    const CommandAccess &Mapped = Each.By->Accesses.front();
    for (size_t I = 0; I < New.Info->Accesses.size(); ++I) {
      const CommandAccess &A = New.Info->Accesses[I];
      const auto Both = conflictOf(A, Mapped);
      if (Both && std::ranges::none_of(Out, [&](const CommandRace &Other) {
            return Other.Later->Accesses[Other.LaterAccess].Of == A.Of;
          }))
        Out.push_back({New.Info, Each.By, I, 0, *Both, /*IsMapped=*/true});
    }
  }
}

std::vector<CommandRace>
CommandGraph::publish(const NodePtr &Of, std::shared_ptr<const Command> Info) {
  std::vector<CommandRace> Out;
  if (!isLive(Of) || Slots[Of->Slot].Waits & Unknown ||
      Slots[Of->Slot].IsSilent) {
    Garbage.push_back(std::move(Info));
    return Out;
  }
  Slot &New = Slots[Of->Slot];
  New.Info = std::move(Info);
  if (New.Waits)
    return Out;
  std::vector<const Slot *> Others;
  for (size_t I = 0; I < UsedSlots; ++I) {
    const Slot &Each = Slots[I];
    if (&Each != &New && Each.Info && !Each.Waits && !New.Before[I] &&
        !Each.Before[Of->Slot])
      Others.push_back(&Each);
  }
  std::ranges::sort(Others, {}, [](const Slot *Each) { return Each->Serial; });
  for (const Slot *Each : Others)
    addRaces(New, *Each, Out);
  addMappedRaces(New, Out);
  return Out;
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

/// Frees a slot. clear() must follow.
void CommandGraph::forget(size_t Index, Node::State As) {
  Slot &Each = Slots[Index];
  Each.Of->Is = As;
  Garbage.push_back(std::move(Each.Info));
  Each = {};
  Free.push_back(Index);
}

void CommandGraph::clear(const NodeSet &Gone) {
  const NodeSet Kept = ~Gone;
  for (size_t I = 0; I < UsedSlots; ++I)
    Slots[I].Before &= Kept;
  for (auto &[Handle, Q] : Queues) {
    Q.All &= Kept;
    Q.Before &= Kept;
  }
}

void CommandGraph::complete(const NodeSet &Some) {
  if (Some.none())
    return;
  for (size_t I = 0; I < UsedSlots; ++I)
    if (Some[I])
      forget(I, Node::State::Complete);
  clear(Some);
}

void CommandGraph::complete(const NodePtr &Of) {
  if (isLive(Of))
    complete(upTo(*Of));
}

void CommandGraph::completeEvent(cl_event Handle) {
  if (auto It = Events.find(Handle); It != Events.end())
    complete(It->second.Of);
}

void CommandGraph::completeQueue(cl_command_queue Queue) {
  if (auto It = Queues.find(Queue); It != Queues.end())
    complete(NodeSet(It->second.All));
}

void CommandGraph::completeAll() {
  NodeSet All;
  for (size_t I = 0; I < UsedSlots; ++I)
    All[I] = Slots[I].Of != nullptr;
  complete(All);
}

void CommandGraph::silence(const NodeSet &Some) {
  for (size_t I = 0; I < UsedSlots; ++I) {
    if (!Some[I])
      continue;
    Slots[I].IsSilent = true;
    Garbage.push_back(std::exchange(Slots[I].Info, nullptr));
  }
}

void CommandGraph::silence(const NodePtr &Of) {
  if (isLive(Of))
    silence(upTo(*Of));
}

void CommandGraph::silenceEvent(cl_event Handle) {
  if (auto It = Events.find(Handle); It != Events.end())
    silence(It->second.Of);
}

void CommandGraph::silenceQueue(cl_command_queue Queue) {
  if (auto It = Queues.find(Queue); It != Queues.end())
    silence(It->second.All);
}

//===----------------------------------------------------------------------===//
// Mapped memory
//===----------------------------------------------------------------------===//

void CommandGraph::addMapping(const NodePtr &Of,
                              std::shared_ptr<const Command> Info,
                              const void *Pointer) {
  if (Stopped || !Of)
    return;
  if (Mappings.size() >= MaxMappings) {
    Garbage.push_back(std::move(Mappings.front().By));
    Mappings.erase(Mappings.begin());
  }
  Mappings.push_back({std::move(Info), Of, nullptr,
                      isLive(Of) ? Slots[Of->Slot].Serial : LastSerial,
                      Pointer});
}

void CommandGraph::endMapping(const NodePtr &Of, const Memory *Memory,
                              const void *Pointer) {
  auto IsOfMemory = [&](const Mapping &Each) {
    return !Each.End && Each.By->Accesses.front().Of.get() == Memory;
  };
  const bool IsKnown = std::ranges::any_of(Mappings, [&](const Mapping &Each) {
    return IsOfMemory(Each) && Each.Pointer == Pointer;
  });
  // Of several at one address it is not known which one ends.
  for (Mapping &Each : Mappings)
    if (IsOfMemory(Each) && (!IsKnown || Each.Pointer == Pointer))
      Each.End = Of;
}

bool CommandGraph::mayRace() const {
  return Queues.size() > 1 || !Mappings.empty() ||
         std::ranges::any_of(
             Queues, [](const auto &Each) { return !Each.second.InOrder; });
}

void CommandGraph::stop() {
  completeAll();
  for (Mapping &Each : Mappings)
    Garbage.push_back(std::move(Each.By));
  Mappings.clear();
  Events.clear();
  Queues.clear();
  Stopped = true;
}
