//===- layer/order/command_graph.h - which commands happen before which ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenCL's happens-before, as far as API calls say it. A node is a command that
// is not known to be complete. It has the set of nodes that are before it:
//   - of an in-order queue, all commands enqueued earlier
//   - those of its wait list
//   - of an out-of-order queue, those that a barrier or marker waits for
// What the host knows to be complete is no node any more: everything enqueued
// later is behind it. All threads count as one host.
//
// Two commands that are not ordered race if bytes that both certainly access
// overlap, and one writes. In doubt nothing is reported:
//   - A command is not judged while it waits, directly or not, for a user event
//     that is not set, or for an event that is not known: the host may order it
//     with others in the meantime.
//   - The nodes are bounded. The oldest are dropped, and whatever waits for
//     their events is not judged.
//
// Nothing here calls the driver. The caller locks.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_ORDER_COMMAND_GRAPH_H
#define WARPSAN_LAYER_ORDER_COMMAND_GRAPH_H

#include "layer/objects/driver.h"
#include "layer/order/command_access.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpsan {

class CommandGraph {
public:
  static constexpr size_t MaxNodes = 1024;
  static constexpr size_t MaxEvents = 65'536, MaxMappings = 1024;
  using NodeSet = std::bitset<MaxNodes>;

  /// How a command is ordered in its queue.
  enum class Role : uint8_t {
    Plain,
    Marker,  ///< without a wait list: waits for all earlier commands
    Barrier, ///< the same, and later commands wait for it
  };

  /// A command, which may be complete. Outlives its node.
  struct Node {
    enum class State : uint8_t { Live, Complete, Dropped };
    State Is = State::Live;
    size_t Slot = 0; ///< while Live
  };
  using NodePtr = std::shared_ptr<Node>;

  //===--------------------------------------------------------------------===//
  // Queues and events
  //===--------------------------------------------------------------------===//

  /// A queue that was not seen before has this handle. A queue that is not
  /// added counts as one that is in order.
  void addQueue(cl_command_queue Queue, bool InOrder);
  /// Whether \p Queue keeps its order may change: nothing of it is judged.
  void distrustQueue(cl_command_queue Queue);

  /// \p Of completes when \p Event does. The application has one reference.
  void addEvent(cl_event Event, const NodePtr &Of);
  void addUserEvent(cl_event Event);
  void retainEvent(cl_event Event);
  void releaseEvent(cl_event Event);
  /// The host has set a user event. \p Failed: what waits for it is not
  /// executed.
  void setUserEvent(cl_event Event, bool Failed);

  //===--------------------------------------------------------------------===//
  // Commands
  //===--------------------------------------------------------------------===//

  /// A command that is about to be enqueued. Null if nothing is judged any
  /// more.
  NodePtr begin(cl_command_queue Queue, std::span<const cl_event> WaitList,
                Role Which = Role::Plain);
  /// Later commands of \p Queue wait for these events.
  void addWaits(cl_command_queue Queue, std::span<const cl_event> WaitList);
  /// It may be ordered in ways that are not known: it is never judged, nor is
  /// anything that waits for it.
  void distrust(const NodePtr &Of);
  /// Every queue is ordered as if \p Of were the last command in it.
  void addToAllQueues(const NodePtr &Of);
  /// The driver has refused the command.
  void remove(const NodePtr &Of);
  /// The driver has accepted it. Returns what it races with, at most one
  /// command for each memory, of those that are published.
  std::vector<CommandRace> publish(const NodePtr &Of,
                                   std::shared_ptr<const Command> Info);

  //===--------------------------------------------------------------------===//
  // What the host knows to be complete, and all that is before it
  //===--------------------------------------------------------------------===//

  void complete(const NodePtr &Of);
  void completeEvent(cl_event Event);
  void completeQueue(cl_command_queue Queue);
  void completeAll();

  /// The host may learn when \p Of, or a command of a queue, is complete, and
  /// may enqueue others then: it and all that is before it is judged no more.
  void silence(const NodePtr &Of);
  void silenceEvent(cl_event Event);
  void silenceQueue(cl_command_queue Queue);

  //===--------------------------------------------------------------------===//
  // Mapped memory
  //===--------------------------------------------------------------------===//

  /// \p Of, whose access is \p Info's first, has mapped memory at \p
  /// Pointer. Info says by CommandAccess::Writes whether it is mapped for
  /// writing.
  void addMapping(const NodePtr &Of, std::shared_ptr<const Command> Info,
                  const void *Pointer);
  /// \p Of unmaps what was mapped of \p Memory at \p Pointer.
  void endMapping(const NodePtr &Of, const Memory *Memory, const void *Pointer);

  /// Nothing is judged from now on.
  void stop();
  bool isStopped() const { return Stopped; }
  /// False while all commands are those of one in-order queue, and nothing is
  /// mapped: no command can race with one that is enqueued now.
  bool mayRace() const;

  /// What is not needed any more. Its destructors may call the driver: to be
  /// destroyed without a lock.
  std::vector<std::shared_ptr<const void>> Garbage;

private:
  /// User events that nodes wait for, by bit. Bit 0 is never set.
  using Gates = uint64_t;
  static constexpr Gates Unknown = 1;

  struct Slot {
    NodePtr Of; ///< null: free
    uint64_t Serial = 0;
    NodeSet Before;
    Gates Waits = 0;
    bool IsSilent = false;
    std::shared_ptr<const Command> Info; ///< null: not published
  };
  struct QueueOrder {
    bool InOrder = true, Trusted = true;
    NodeSet All;    ///< every command of it, and what is before these
    NodeSet Before; ///< what the next command waits for
  };
  struct Event {
    NodePtr Of;     ///< null: of a user event
    Gates Gate = 0; ///< of a user event that is not set
    unsigned References = 1;
  };
  struct Mapping {
    std::shared_ptr<const Command> By;
    NodePtr Start, End; ///< End: null: it is not unmapped
    uint64_t Serial = 0;
    const void *Pointer = nullptr;
  };

  bool isLive(const NodePtr &Of) const {
    return Of && Of->Is == Node::State::Live;
  }
  NodeSet upTo(const Node &Of) const;
  Gates collect(std::span<const cl_event> WaitList, NodeSet &Before) const;
  Gates waitsOf(const NodeSet &Some) const;
  size_t takeSlot();
  void forget(size_t Index, Node::State As);
  void clear(const NodeSet &Gone);
  void complete(const NodeSet &Some);
  void silence(const NodeSet &Some);
  void addRaces(const Slot &New, const Slot &Old,
                std::vector<CommandRace> &Out) const;
  void addMappedRaces(const Slot &New, std::vector<CommandRace> &Out);

  std::array<Slot, MaxNodes> Slots;
  std::vector<size_t> Free;
  size_t UsedSlots = 0; ///< those after were never used
  uint64_t LastSerial = 0;
  std::unordered_map<cl_command_queue, QueueOrder> Queues;
  std::unordered_map<cl_event, Event> Events;
  Gates OpenGates = 0; ///< of user events that are not set
  std::vector<Mapping> Mappings;
  bool Stopped = false;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_ORDER_COMMAND_GRAPH_H
