//===- layer/records/record_buffer.cpp - record buffers on devices --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/records/record_buffer.h"

#include "layer/objects/objects.h"
#include "layer/process/counters.h"
#include "layer/process/no_destructor.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <new>
#include <set>
#include <thread>
#include <utility>

using namespace warpsan;

/// A read of a record buffer that was enqueued.
struct warpsan::Readback {
  std::shared_ptr<RecordBuffer> Of;
  uint64_t Launch = 0;           ///< its number; 0 if all of the buffer is read
  cl_event Launched = nullptr;   ///< its event; null if all is read
  std::vector<cl_event> Awaited; ///< what the launch waits for
  cl_event Read = nullptr;
  std::atomic<bool> Done = false;
  /// The read's error, before Done: nothing was read. A read behind a launch
  /// that the driver aborted has one.
  std::atomic<cl_int> Error = CL_SUCCESS;
  WsU32 Head[3] = {}; ///< Version, Hits, Lost
  std::unique_ptr<WsRecordBuffer> Whole;

  Readback() = default;
  Readback(const Readback &) = delete;
  /// The read ended with \p Status, an error if it is negative.
  void end(cl_int Status) {
    Error.store(std::min(Status, CL_SUCCESS), std::memory_order_relaxed);
    Done.store(true, std::memory_order_release);
  }
  ~Readback() {
    Awaited.insert(Awaited.end(), {Launched, Read});
    for (cl_event Each : Awaited)
      if (Each)
        Next->clReleaseEvent(Each);
  }
};
static_assert(offsetof(WsRecordBuffer, Lost) == 2 * sizeof(WsU32));

static std::mutex &Mutex = noDestructor<std::mutex>();
/// Under Mutex.
static auto &Pending = noDestructor<std::deque<std::shared_ptr<Readback>>>();
static std::atomic<size_t> PendingCount = 0;

bool warpsan::haveReadbacks() {
  return PendingCount.load(std::memory_order_relaxed) != 0;
}

bool warpsan::haveManyReadbacks() {
  constexpr size_t Many = 256;
  return PendingCount.load(std::memory_order_relaxed) >= Many;
}

void warpsan::lockReadbacks() { Mutex.lock(); }
void warpsan::unlockReadbacks() { Mutex.unlock(); }

void warpsan::forgetReadbacks() {
  // What they hold would call the driver, which does not work in a child.
  neverDestroy(std::move(Pending));
  Pending.clear();
  PendingCount = 0;
  Mutex.unlock();
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static cl_command_queue makeQueue(cl_context Context, cl_device_id Device) {
  if (Next->clCreateCommandQueueWithProperties)
    return Next->clCreateCommandQueueWithProperties(Context, Device, nullptr,
                                                    nullptr);
  return Next->clCreateCommandQueue(Context, Device, 0, nullptr);
}

/// Whether commands write to \p Word, which is at \p Offset of \p Buffer, and
/// read it, where it is.
static bool commandsUse(std::atomic_ref<WsU32> Word, cl_command_queue Queue,
                        cl_mem Buffer, size_t Offset) {
  const WsU32 ByDevice = 0x5A5A1234, ByHost = 0x0F0F4321;
  WsU32 Read = 0;
  const bool Written = Next->clEnqueueWriteBuffer(
                           Queue, Buffer, CL_TRUE, Offset, sizeof(ByDevice),
                           &ByDevice, 0, nullptr, nullptr) == CL_SUCCESS &&
                       Word.load() == ByDevice;
  Word.store(ByHost);
  const bool Same =
      Written &&
      Next->clEnqueueReadBuffer(Queue, Buffer, CL_TRUE, Offset, sizeof(Read),
                                &Read, 0, nullptr, nullptr) == CL_SUCCESS &&
      Read == ByHost;
  Word.store(0);
  return Same;
}

/// Whether \p Device uses \p Buffer in place, which is \p Memory. Tried once
/// for each device.
static bool isInPlace(cl_context Context, cl_device_id Device, cl_mem Buffer,
                      RecordMemory &Memory) {
  static std::mutex &CacheMutex = noDestructor<std::mutex>();
  static auto &Cache = noDestructor<std::map<cl_device_id, bool>>();
  {
    std::lock_guard Lock(CacheMutex);
    if (auto It = Cache.find(Device); It != Cache.end())
      return It->second;
  }
  cl_command_queue Queue = makeQueue(Context, Device);
  const bool Is =
      Queue && commandsUse(std::atomic_ref(Memory.Buffer->Reserved[0]), Queue,
                           Buffer, offsetof(WsRecordBuffer, Reserved));
  if (Queue)
    Next->clReleaseCommandQueue(Queue);
  std::lock_guard Lock(CacheMutex);
  return Cache.try_emplace(Device, Is).first->second;
}

/// Called by the driver when nothing uses a record buffer any more.
static void CL_CALLBACK recordBufferIsGone(cl_mem, void *Memory) {
  retireRecordMemory(static_cast<RecordMemory *>(Memory));
}

static bool isCpu(cl_device_id Device) {
  return queryValue<cl_device_type>(Next->clGetDeviceInfo, Device,
                                    CL_DEVICE_TYPE, 0) &
         CL_DEVICE_TYPE_CPU;
}

/// A buffer in memory of ours; null if \p Device does not use that in place.
/// Others than CPUs are not tried: where the memory is may change with time,
/// and atomics on the host's memory are slow or none.
static cl_mem makeHostVisible(cl_context Context, cl_device_id Device) {
  if (!isCpu(Device))
    return nullptr;
  RecordMemory *Memory = newRecordMemory();
  if (!Memory)
    return nullptr;
  cl_mem New =
      Next->clCreateBuffer(Context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                           sizeof(WsRecordBuffer), Memory->Buffer, nullptr);
  if (!New) {
    retireRecordMemory(Memory);
    return nullptr;
  }
  // If it fails, the memory is never used again.
  Next->clSetMemObjectDestructorCallback(New, recordBufferIsGone, Memory);
  if (isInPlace(Context, Device, New, *Memory))
    return New;
  Next->clReleaseMemObject(New);
  return nullptr;
}

/// Memory for all contexts of \p Device, which takes pointers of the host's;
/// null if it does not, or is no CPU. One for all: nobody says when a kernel
/// has done with a pointer.
static void *sharedMemory(cl_device_id Device) {
  static std::mutex &CacheMutex = noDestructor<std::mutex>();
  static auto &Cache = noDestructor<std::map<cl_device_id, RecordMemory *>>();
  if (!deviceOf(Device).TakesHostPointers || !isCpu(Device) ||
      !Next->clSetKernelArgSVMPointer)
    return nullptr;
  std::lock_guard Lock(CacheMutex);
  RecordMemory *&Memory = Cache[Device];
  if (!Memory)
    Memory = newRecordMemory();
  return Memory ? Memory->Buffer : nullptr;
}

/// A buffer in the device's memory.
static cl_mem makeOnDevice(cl_context Context) {
  auto Fresh = std::make_unique<WsRecordBuffer>();
  Fresh->Version = WS_RECORD_VERSION;
  return Next->clCreateBuffer(Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              sizeof(WsRecordBuffer), Fresh.get(), nullptr);
}

static uint64_t nextSerial() {
  static std::atomic<uint64_t> Last = 0;
  return ++Last;
}

RecordBuffer::RecordBuffer() : Serial(nextSerial()) {}

std::shared_ptr<RecordBuffer> RecordBuffer::make(Context &Of,
                                                 cl_device_id Device) {
  const std::shared_ptr<RecordBuffer> New(new RecordBuffer);
  New->InContext = Of.Handle;
  New->Device = Device;
  New->Owner = Of.weak_from_this();
  New->Handle = Of.makeOwn([&] { return makeHostVisible(Of.Handle, Device); });
  if (!New->Handle)
    New->Pointer = sharedMemory(Device);
  if (New->Handle || New->Pointer)
    return New;
  New->HostVisible = false;
  New->Handle = Of.makeOwn([&] { return makeOnDevice(Of.Handle); });
  return New->Handle ? New : nullptr;
}

RecordBuffer::~RecordBuffer() {
  const auto Of = Owner.lock();
  if (Handle) {
    Next->clReleaseMemObject(Handle);
    if (Of)
      --Of->OwnObjects;
  }
  if (Reader) {
    Next->clReleaseCommandQueue(Reader);
    if (Of)
      --Of->OwnObjects;
  }
}

//===----------------------------------------------------------------------===//
// Enqueueing reads
//===----------------------------------------------------------------------===//

/// Called by the driver, in any thread.
static void CL_CALLBACK isRead(cl_event, cl_int Status, void *Data) {
  const std::unique_ptr<std::shared_ptr<Readback>> Of(
      static_cast<std::shared_ptr<Readback> *>(Data));
  (*Of)->end(Status);
}

/// Registers \p R, into which a read is enqueued.
static void enter(std::shared_ptr<Readback> R) {
  auto Given = std::make_unique<std::shared_ptr<Readback>>(R);
  if (Next->clSetEventCallback(R->Read, CL_COMPLETE, isRead, Given.get()) ==
      CL_SUCCESS)
    Given.release(); // NOLINT(bugprone-unused-return-value): isRead has it
  std::lock_guard Lock(Mutex);
  Pending.push_back(std::move(R));
  PendingCount.store(Pending.size(), std::memory_order_relaxed);
}

static void noteUnread(uint64_t Launch, cl_int Error) {
  noteGap("launch " + std::to_string(Launch),
          "whether its checks failed cannot be read: error " +
              std::to_string(Error))
      ->Launches.fetch_add(1, std::memory_order_relaxed);
}

void RecordBuffer::follow(cl_command_queue Queue, uint64_t Number,
                          cl_event Launch, const EventArgs &Theirs) {
  auto R = std::make_shared<Readback>();
  R->Of = shared_from_this();
  R->Launch = Number;
  if (Next->clRetainEvent(Launch) == CL_SUCCESS)
    R->Launched = Launch;
  for (cl_uint I = 0; I < Theirs.WaitCount; ++I)
    if (Next->clRetainEvent(Theirs.WaitList[I]) == CL_SUCCESS)
      R->Awaited.push_back(Theirs.WaitList[I]);
  const cl_int Error =
      Next->clEnqueueReadBuffer(Queue, Handle, CL_FALSE, 0, sizeof(R->Head),
                                R->Head, 1, &Launch, &R->Read);
  if (Error == CL_SUCCESS)
    enter(std::move(R));
  else
    noteUnread(Number, Error);
}

cl_int
RecordBuffer::launch(cl_command_queue Queue, uint64_t Number,
                     const EventArgs &Theirs,
                     const std::function<cl_int(const EventArgs &)> &Enqueue) {
  if (HostVisible)
    return Enqueue(Theirs);
  // Entries are not freed, so two launches with the same tag would share some.
  // Half of the tags are left for threads that have this buffer already.
  uint64_t None = 0;
  First.compare_exchange_strong(None, Number);
  if (Number >= First + WS_TAGS / 2)
    Full.store(true, std::memory_order_relaxed);
  cl_event Own = nullptr;
  EventArgs Given = Theirs;
  if (!Given.Event)
    Given.Event = &Own;
  const cl_int Error = Enqueue(Given);
  if (Error == CL_SUCCESS && *Given.Event)
    follow(Queue, Number, *Given.Event, Theirs);
  if (Own)
    Next->clReleaseEvent(Own);
  return Error;
}

bool RecordBuffer::readWhole() {
  if (!Reader) {
    auto Make = [&] { return makeQueue(InContext, Device); };
    const auto Of = Owner.lock();
    cl_command_queue New = Of ? Of->makeOwn(Make) : Make();
    std::lock_guard Lock(Mutex);
    Reader = New; // nobody else: Reading is set
  }
  auto R = std::make_shared<Readback>();
  R->Of = shared_from_this();
  R->Whole = std::make_unique<WsRecordBuffer>();
  if (!Reader || Next->clEnqueueReadBuffer(
                     Reader, Handle, CL_FALSE, 0, sizeof(WsRecordBuffer),
                     R->Whole.get(), 0, nullptr, &R->Read) != CL_SUCCESS)
    return false;
  Next->clFlush(Reader);
  enter(std::move(R));
  return true;
}

//===----------------------------------------------------------------------===//
// Taking
//===----------------------------------------------------------------------===//

/// Counted modulo 2^32.
static bool isAfter(uint32_t A, uint32_t B) {
  return static_cast<int32_t>(A - B) > 0;
}

void RecordBuffer::look(uint32_t Hits, bool Ended, TakenRecords &Taken) {
  {
    std::lock_guard Lock(Mutex);
    if (isAfter(Hits, WantedHits))
      WantedHits = Hits;
    if (!isAfter(WantedHits, SeenHits) || Reading)
      return;
    Reading = true;
  }
  try {
    if (!Ended && readWhole())
      return;
  } catch (const std::bad_alloc &) { // as if it could not be read
  }
  giveUp(Taken);
}

void RecordBuffer::giveUp(TakenRecords &Taken) {
  std::lock_guard Lock(Mutex);
  Taken.Lost += WantedHits - SeenHits;
  SeenHits = WantedHits;
  Reading = false;
}

/// Launches that have not ended: what they have written need not be complete.
static std::set<uint64_t> runningLaunches() {
  std::set<uint64_t> All;
  std::lock_guard Lock(Mutex);
  for (const auto &R : Pending)
    if (R->Launch && !R->Done.load(std::memory_order_acquire))
      All.insert(R->Launch);
  return All;
}

/// \p Entry as it is now, without what was taken of it as \p Before.
static WsRecord newPart(const WsRecord &Entry, const WsRecord &Before) {
  WsRecord New = Entry;
  if (Before.Key == Entry.Key && Before.Launch == Entry.Launch) {
    New.Items -= Before.Items;
    for (size_t I = 0; I < std::size(New.Hit); ++I)
      New.Hit[I] &= ~Before.Hit[I];
  }
  return New;
}

void RecordBuffer::take(WsRecordBuffer &Now, bool Ended, TakenRecords &Taken) {
  const std::set<uint64_t> Running = runningLaunches();
  uint32_t Skipped = 0, Used = 0;
  bool Again = false;
  {
    std::lock_guard Lock(Mutex);
    if (!Seen)
      Seen = std::make_unique<WsRecordBuffer>();
    Taken.Damaged += Now.Version != WS_RECORD_VERSION;
    Taken.Lost += Now.Lost - std::exchange(SeenLost, Now.Lost);
    for (size_t I = 0; I < WS_RECORDS; ++I) {
      const WsRecord &Entry = Now.Records[I];
      if (!Entry.Key)
        continue;
      ++Used;
      if (!Entry.Ready || Running.contains(Entry.Launch)) {
        ++Skipped;
        continue;
      }
      const WsRecord New = newPart(Entry, Seen->Records[I]);
      if (New.Items)
        Taken.Records.push_back(New);
      Seen->Records[I] = Entry;
    }
    SeenHits = Now.Hits - Skipped;
    Reading = false;
    Again = isAfter(WantedHits, Now.Hits);
  }
  // Entries are not freed: a kernel may be looking at them.
  if (Used > WS_RECORDS / 2)
    Full.store(true, std::memory_order_relaxed);
  if (Again)
    look(SeenHits, Ended, Taken);
}

static cl_int statusOf(cl_event Event) {
  return queryValue<cl_int>(Next->clGetEventInfo, Event,
                            CL_EVENT_COMMAND_EXECUTION_STATUS, CL_QUEUED);
}

static bool isComplete(cl_event Event) {
  return statusOf(Event) <= CL_COMPLETE;
}

/// False if \p R's launch was never executed, because what it waited for
/// failed. Drivers give its event that error, or any other.
static bool hasBegun(const Readback &R) {
  return statusOf(R.Launched) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
         std::ranges::none_of(R.Awaited, [](cl_event Each) {
           return statusOf(Each) < CL_COMPLETE;
         });
}

/// Whether \p R has been read; waits for it if that will not take long.
static bool isDone(Readback &R, bool MayWait, bool Ended) {
  if (R.Done.load(std::memory_order_acquire))
    return true;
  if (Ended)
    return false;
  if (!isComplete(R.Read)) {
    if (!MayWait || (R.Launched && !isComplete(R.Launched)))
      return false;
    Next->clWaitForEvents(1, &R.Read);
  }
  R.end(statusOf(R.Read));
  return true;
}

/// Takes out of Pending what has been read. No two callers get the same.
static std::vector<std::shared_ptr<Readback>> takeDone(bool MayWait,
                                                       bool Ended) {
  std::vector<std::shared_ptr<Readback>> All, Mine;
  {
    std::lock_guard Lock(Mutex);
    All.assign(Pending.begin(), Pending.end());
  }
  for (const auto &R : All)
    isDone(*R, MayWait, Ended);
  std::lock_guard Lock(Mutex);
  std::erase_if(Pending, [&](const std::shared_ptr<Readback> &R) {
    if (!R->Done.load(std::memory_order_acquire))
      return false;
    Mine.push_back(R);
    return true;
  });
  PendingCount.store(Pending.size(), std::memory_order_relaxed);
  return Mine;
}

/// Drivers that still work finish what is short.
static void awaitReads() {
  for (int I = 0; I < 200; ++I) {
    {
      std::lock_guard Lock(Mutex);
      if (std::ranges::all_of(Pending, [](const auto &R) {
            return R->Done.load(std::memory_order_acquire);
          }))
        return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void warpsan::takeReadbacks(TakenRecords &Taken, bool MayWait, bool Ended) {
  if (Ended)
    awaitReads();
  for (;;) {
    const auto Mine = takeDone(MayWait, Ended);
    if (Mine.empty())
      return;
    for (const auto &R : Mine) {
      const cl_int Error = R->Error.load(std::memory_order_relaxed);
      if (Error != CL_SUCCESS && R->Whole)
        R->Of->giveUp(Taken);
      else if (Error != CL_SUCCESS && (Ended || hasBegun(*R)))
        noteUnread(R->Launch, Error);
      else if (Error == CL_SUCCESS && R->Whole)
        R->Of->take(*R->Whole, Ended, Taken);
      else if (Error == CL_SUCCESS)
        R->Of->look(R->Head[1], Ended, Taken);
      if (Ended) // whose last reference would call the driver
        neverDestroy(R);
    }
  }
}
