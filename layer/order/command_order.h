//===- layer/order/command_order.h - races between commands ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process's CommandGraph, and commands on their way into it. Thread-safe.
// Without memory the layer enters pass-through mode, and nothing is judged any
// more; no function here throws.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_ORDER_COMMAND_ORDER_H
#define WARPSAN_LAYER_ORDER_COMMAND_ORDER_H

#include "layer/objects/kernel_args.h"
#include "layer/order/command_graph.h"
#include "layer/process/reserve.h"
#include "layer/twin/manifest.h"

#include <span>
#include <string_view>
#include <vector>

namespace warpsan {

/// True if races between commands are looked for. Cheap.
bool judgesOrder();
/// Nothing is judged any more: the application orders commands in ways that the
/// layer does not see.
void stopJudgingOrder();

/// Calls \p Note with the graph, under its lock.
template <typename F> void withCommandGraph(const F &Note);

/// A command while it is being enqueued by this thread.
class PendingCommand {
public:
  PendingCommand(const char *Call, cl_command_queue Queue,
                 std::span<const cl_event> WaitList, CommandGraph::Role Which);
  /// Removes it if the driver did not accept it.
  ~PendingCommand();
  PendingCommand(const PendingCommand &) = delete;
  PendingCommand &operator=(const PendingCommand &) = delete;

  /// The innermost one of this thread, if it could race: null if what it
  /// accesses does not matter.
  static PendingCommand *current();

  // What it certainly accesses, if the driver accepts it. What is not memory
  // of OpenCL's alone, or beyond its end, is omitted.

  /// Bytes of a buffer. \p Pattern: what it is filled with; null if it is not.
  void addBuffer(cl_mem Handle, uint64_t First, uint64_t Bytes, bool Writes,
                 const std::string *Pattern = nullptr);
  /// Rows of a buffer, as OpenCL's calls take them.
  void addRows(cl_mem Handle, const size_t *Origin, const size_t *Region,
               size_t Row, size_t Slice, bool Writes);
  /// Shared virtual memory.
  void addSvm(const void *Start, uint64_t Bytes, bool Writes,
              const std::string *Pattern = nullptr);
  /// A launch of \p Kernel, whose twin \p Plan describes, with \p Args.
  void addLaunch(const std::shared_ptr<const LaunchedKernel> &Kernel,
                 const KernelPlan &Plan, KernelArgs &Args,
                 std::span<const CertainAccess> Accesses);

  /// It maps what it accesses, to write there or not; \p Reads: what is
  /// there now.
  void setMapping(bool Writes, bool Reads);
  /// It unmaps what is mapped of a buffer.
  void setUnmapping(cl_mem Handle, const void *Pointer);
  void setSvmUnmapping(const void *Pointer);

  /// What the host knows of a command when its call returns.
  enum class Known : uint8_t {
    Nothing,
    Complete,
    Observed, ///< it will know when it is complete, without another call
  };
  /// The driver has accepted it, as \p Event, which may be null. \p Mapped:
  /// where it maps memory. Returns what it races with.
  std::vector<CommandRace> accept(cl_event Event, const void *Mapped,
                                  Known ByHost);
  const CommandGraph::NodePtr &node() const { return Node; }

private:
  void add(std::shared_ptr<const Memory> Of, std::vector<ByteRange> Ranges,
           bool Writes, const std::string *Pattern);

  PendingCommand *const Outer;
  CommandGraph::NodePtr Node;
  std::shared_ptr<Command> Info;
  bool IsAccepted = false, MayRace = false;
  bool Maps = false, MapReads = false, MapWrites = false, Unmaps = false;
  std::shared_ptr<const Memory> Unmapped;
  const void *UnmappedAt = nullptr;
};

/// Around a fork; the child starts anew.
void lockCommandOrder();
void unlockCommandOrder();
void clearCommandOrder();

//===----------------------------------------------------------------------===//
// Implementation
//===----------------------------------------------------------------------===//

/// The lock of the graph; garbage is destroyed after it.
class LockedGraph {
public:
  LockedGraph();
  ~LockedGraph();
  LockedGraph(const LockedGraph &) = delete;
  LockedGraph &operator=(const LockedGraph &) = delete;
  CommandGraph &graph() const;
};

template <typename F> void withCommandGraph(const F &Note) {
  if (!judgesOrder())
    return;
  noteIfPossible([&] {
    const LockedGraph Locked;
    Note(Locked.graph());
  });
}

} // namespace warpsan

#endif // WARPSAN_LAYER_ORDER_COMMAND_ORDER_H
