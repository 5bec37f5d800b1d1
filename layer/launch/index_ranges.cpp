//===- layer/launch/index_ranges.cpp - what index buffers contain ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/index_ranges.h"

#include <algorithm>
#include <string>
#include <utility>

using namespace warpsan;

static std::atomic<bool> Followed = false;
static std::atomic<uint64_t> Everything = 0;

bool warpsan::contentsAreFollowed() {
  return Followed.load(std::memory_order_relaxed);
}

void warpsan::everythingMayChange() { ++Everything; }

static std::atomic<bool> Stopped = false;
void warpsan::stopFollowingContents() { Stopped = true; }

void warpsan::noteUnknowable(cl_mem Handle) {
  if (auto M = Handle ? Memories.find(Handle) : nullptr)
    M->Contents.Unknowable = true;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

void Changes::begin(std::shared_ptr<const Memory> Changed) {
  ++Changed->Contents.Changing;
  Of.push_back(std::move(Changed));
}

void Changes::begin(cl_mem Handle) {
  if (auto M = Handle ? Memories.find(Handle) : nullptr)
    begin(std::move(M));
}

void Changes::begin(KernelArgs &Args, const KernelPlan *Plan, bool Recorded) {
  Args.look([&](size_t Index, const KernelArg &Arg) {
    if (!Arg.Of)
      return;
    if (Recorded)
      Arg.Of->Contents.Unknowable = true;
    if (!Plan || Index >= Plan->Unchanged.size() || !Plan->Unchanged[Index])
      begin(Arg.Of);
  });
}

Changes::~Changes() {
  for (const auto &M : Of) {
    ++M->Contents.Changed;
    --M->Contents.Changing;
  }
}

/// Which contents \p M has; none while they change.
static std::optional<uint64_t> versionOf(const Memory &M) {
  const MemoryContents &C = M.Contents;
  const uint64_t Version = C.Changed.load() + Everything.load();
  if (Stopped.load() || C.Changing.load() || C.Mapped.load() ||
      C.Unknowable.load())
    return std::nullopt;
  return Version;
}

//===----------------------------------------------------------------------===//
// Looking for them
//===----------------------------------------------------------------------===//

namespace {
/// The command that looks, until it is done.
struct Measuring {
  static constexpr size_t Items = 256;

  std::shared_ptr<const Memory> Of;
  Content Field;
  uint64_t At = 0;
  cl_mem Buffer = nullptr;
  std::array<std::array<cl_long, 2>, Items> Found = {};

  Measuring() = default;
  Measuring(const Measuring &) = delete;
  ~Measuring() {
    if (Buffer)
      Next->clReleaseMemObject(Buffer);
  }
};
} // namespace

/// Called by the driver, in any thread.
static void CL_CALLBACK isMeasured(cl_event, cl_int Status, void *Data) {
  const std::unique_ptr<Measuring> Done(static_cast<Measuring *>(Data));
  IndexRangeTable &Ranges = Done->Of->Contents.Ranges;
  if (Status != CL_COMPLETE)
    return Ranges.failed(Done->Field, Done->At);
  IndexRangeTable::Range Result;
  for (auto [Min, Max] : Done->Found) {
    Result.Min = std::min<int64_t>(Result.Min, Min);
    Result.Max = std::max<int64_t>(Result.Max, Max);
  }
  Ranges.measured(Done->Field, Done->At, Result);
}

/// Enqueues it. False if the driver does not want it.
static bool measure(std::unique_ptr<Measuring> M, cl_mem Handle,
                    const Context &Ctx, cl_command_queue Queue,
                    const IndexRangesUsed::MakeKernel &Make) {
  const Content &Field = M->Field;
  const cl_ulong Size = Field.Width / 8;
  const std::array<cl_ulong, 4> Numbers = {
      M->Of->Size / Size, Field.Stride / Size, Field.First / Size,
      Field.Bytes / Size};
  M->Buffer = Next->clCreateBuffer(Ctx.Handle, CL_MEM_READ_WRITE,
                                   sizeof(M->Found), nullptr, nullptr);
  cl_kernel Kernel =
      M->Buffer ? Make("warpsan_contents_" + std::to_string(Field.Width))
                : nullptr;
  if (!Kernel)
    return false;
  const size_t Items = Measuring::Items;
  cl_event Event = nullptr;
  cl_uint Args = 0;
  auto Set = [&](const auto &Value) {
    return Next->clSetKernelArg(Kernel, Args++, sizeof(Value), &Value) ==
           CL_SUCCESS;
  };
  const bool Enqueued =
      Set(Handle) && std::ranges::all_of(Numbers, Set) && Set(M->Buffer) &&
      Next->clEnqueueNDRangeKernel(Queue, Kernel, 1, nullptr, &Items, nullptr,
                                   0, nullptr, nullptr) == CL_SUCCESS &&
      Next->clEnqueueReadBuffer(Queue, M->Buffer, CL_FALSE, 0, sizeof(M->Found),
                                M->Found.data(), 0, nullptr,
                                &Event) == CL_SUCCESS;
  Next->clReleaseKernel(Kernel);
  if (!Enqueued)
    return false;
  Measuring *Given = M.release(); // the driver writes into it
  const bool Called = Next->clSetEventCallback(Event, CL_COMPLETE, isMeasured,
                                               Given) == CL_SUCCESS;
  Next->clReleaseEvent(Event);
  if (!Called) // the driver keeps the buffer, and Given is never used again
    Next->clReleaseMemObject(std::exchange(Given->Buffer, nullptr));
  return Called;
}

/// A buffer of the application's alone, that has no other name.
static bool mayBeKnown(const Memory &M) {
  return M.What == Life::Kind::Buffer && !M.Parent && M.Ordinary &&
         !(M.Flags & CL_MEM_USE_HOST_PTR) && !M.Contents.HasViews.load();
}

/// What \p Of contains in \p Field, if it is known. If it could be, and is
/// worth it, it is being looked for.
static std::optional<IndexRangesUsed::One>
indexRangeOf(const std::shared_ptr<const Memory> &Of, cl_mem Handle,
             const Content &Field, const Context &Ctx, cl_command_queue Queue,
             const IndexRangesUsed::MakeKernel &Make) {
  const auto Version = versionOf(*Of);
  if (!Version || !mayBeKnown(*Of) || Of->Size < Field.Width / 8)
    return std::nullopt;
  IndexRangeTable &Ranges = Of->Contents.Ranges;
  const IndexRangeTable::Lookup Range = Ranges.lookup(Field, *Version);
  if (Range.Known)
    return IndexRangesUsed::One{Of, *Version, Range.Known->Min,
                                Range.Known->Max};
  if (!Range.Measure)
    return std::nullopt;
  auto M = std::make_unique<Measuring>();
  M->Of = Of;
  M->Field = Field;
  M->At = *Version;
  if (!measure(std::move(M), Handle, Ctx, Queue, Make))
    Ranges.failed(Field, *Version);
  else if (versionOf(*Of) != Version)
    Ranges.discard(Field, *Version);
  return std::nullopt;
}

/// One queue only, in order: what was enqueued before has been done before. And
/// no user event: a launch that waits for one can run after what is enqueued
/// later, in a queue that is made later.
static bool orderIsPlain(const Context &Ctx, cl_command_queue Queue) {
  return Ctx.QueuesMade.load() == 1 && !Ctx.OutOfOrder.load() &&
         !Ctx.HostGates.load() && Queues.find(Queue);
}

bool IndexRangesUsed::look(Kernel &K, const KernelPlan &Plan,
                           cl_command_queue Queue, const MakeKernel &Make) {
  if (!Followed.exchange(true) || !orderIsPlain(*K.Ctx, Queue))
    return false;
  std::vector<std::pair<cl_mem, std::shared_ptr<const Memory>>> Args(
      Plan.Args.size());
  std::vector<std::shared_ptr<const Memory>> Changed;
  const bool Complete = K.Args.look([&](size_t Index, const KernelArg &Arg) {
    if (Index >= Args.size() || !Arg.Of)
      return;
    if (!Plan.Unchanged[Index])
      Changed.push_back(Arg.Of);
    else
      Args[Index] = {static_cast<cl_mem>(Arg.pointer()), Arg.Of};
  });
  bool Any = false;
  const std::vector<Content> &Fields = Plan.Claimed.Contents;
  All.assign(Fields.size(), {});
  for (size_t I = 0; I < Fields.size() && Complete; ++I) {
    const auto &[Handle, Of] = Args[Fields[I].Arg];
    Content Field = Fields[I];
    Field.Arg = 0; // other kernels have it elsewhere
    std::optional<One> Found;
    if (Of && std::ranges::find(Changed, Of) == Changed.end())
      Found = indexRangeOf(Of, Handle, Field, *K.Ctx, Queue, Make);
    if (Found)
      All[I] = *Found;
    Any |= Found.has_value();
  }
  return Any;
}

bool IndexRangesUsed::stillTrue() const {
  return std::ranges::all_of(All, [](const One &Each) {
    return !Each.Of || versionOf(*Each.Of) == Each.At;
  });
}
