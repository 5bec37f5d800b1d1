//===- layer/canary/canary.cpp - what kernels without a twin write past the
// end --------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/canary/canary.h"

#include "layer/canary/canary_place.h"
#include "layer/canary/padding.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace warpsan;

namespace {

/// What was written into one place, until it is written anew.
struct Canary {
  cl_command_queue Queue = nullptr;
  std::thread::id Thread; ///< that wrote it
  bool InOrder = true;    ///< Queue is
  std::vector<uint8_t> Bytes;
  const void *Start = nullptr; ///< of shared virtual memory

  // Under Mutex.
  unsigned Pending = 0;  ///< launches that were not looked at
  bool Written = false;  ///< the driver has the command
  bool Crowded = false;  ///< launches may have run in another order
  bool Trampled = false; ///< it was found so
  std::vector<std::function<void()>> Frees;
};

/// One place of one launch.
struct Check {
  std::shared_ptr<Canary> Of;
  std::shared_ptr<const WatchedLaunch> Launch; ///< null: nothing was launched
  Place Where;
  std::vector<uint8_t> Seen;
  enum { Waiting, Read, Failed };
  std::atomic<int> State = Waiting;
};

} // namespace

static std::mutex &Mutex = noDestructor<std::mutex>();
/// In the order in which they came; under Mutex.
static auto &Checks = noDestructor<std::deque<std::shared_ptr<Check>>>();
/// The youngest of each place, while it is pending; under Mutex.
static auto &Canaries =
    noDestructor<std::map<Place::Key, std::shared_ptr<Canary>>>();
static std::atomic<size_t> PendingCount = 0; ///< Checks
static std::atomic<size_t> EndedCount = 0;   ///< of these, not waiting

/// More at once are not watched.
static constexpr size_t MaxPending = 16384;

//===----------------------------------------------------------------------===//
// Before and after a launch
//===----------------------------------------------------------------------===//

namespace {

/// One launch on its way to the driver.
class Watch {
public:
  Watch(cl_command_queue Queue, bool InOrder)
      : Queue(Queue), InOrder(InOrder) {}

  /// Lets the canaries be written. False if nothing is watched.
  bool begin(const std::vector<Place> &Places);
  cl_int launch(const EventArgs &Theirs,
                const std::function<cl_int(const EventArgs &)> &Enqueue);
  /// Lets them be read, of \p Launch; null if the driver refused it.
  void end(const std::shared_ptr<const WatchedLaunch> &Launch);

private:
  struct Item {
    Place Where;
    std::shared_ptr<Canary> Of;
    cl_event Written = nullptr; ///< in a queue that has no order
    bool New = false;
  };
  std::shared_ptr<Canary> reserve(const Place &P, bool &New);
  static void unreserve(const Item &I);
  void read(const Item &I, const std::shared_ptr<const WatchedLaunch> &Launch);

  const cl_command_queue Queue;
  const bool InOrder;
  std::vector<Item> Items;
  cl_event Done = nullptr; ///< the launch's, in a queue that has no order
};

} // namespace

/// The canary that the next launch is checked against; null if the memory
/// cannot be watched now.
std::shared_ptr<Canary> Watch::reserve(const Place &P, bool &New) {
  std::lock_guard Lock(Mutex);
  std::shared_ptr<Canary> &Known = Canaries[P.key()];
  const auto Thread = std::this_thread::get_id();
  if (Known) {
    if (Known->Queue != Queue || !Known->InOrder || !Known->Written) {
      Known->Crowded = true;
      return nullptr;
    }
    Known->Crowded |= Known->Thread != Thread;
  } else {
    New = true;
    Known = std::make_shared<Canary>();
    Known->Queue = Queue;
    Known->Thread = Thread;
    Known->InOrder = InOrder;
    Known->Bytes = newBytes(P);
    Known->Start = P.Start;
  }
  ++Known->Pending;
  return Known;
}

/// Nobody looks at \p Of for this launch any more. Under Mutex.
static void letGo(const Place &Where, Canary &Of,
                  std::vector<std::function<void()>> &Frees) {
  if (--Of.Pending)
    return;
  std::move(Of.Frees.begin(), Of.Frees.end(), std::back_inserter(Frees));
  if (auto It = Canaries.find(Where.key());
      It != Canaries.end() && It->second.get() == &Of)
    Canaries.erase(It);
}

void Watch::unreserve(const Item &I) {
  std::vector<std::function<void()>> Frees;
  {
    std::lock_guard Lock(Mutex);
    letGo(I.Where, *I.Of, Frees);
  }
  for (const auto &Free : Frees)
    Free();
}

bool Watch::begin(const std::vector<Place> &Places) {
  for (const Place &P : Places) {
    Item I{P, nullptr};
    I.Of = reserve(P, I.New);
    if (!I.Of)
      continue;
    if (I.New) {
      if (enqueueCopy(Queue, P, I.Of->Bytes.data(), /*Write=*/true, nullptr,
                      InOrder ? nullptr : &I.Written) != CL_SUCCESS) {
        unreserve(I);
        continue;
      }
      std::lock_guard Lock(Mutex);
      I.Of->Written = true;
    }
    Items.push_back(std::move(I));
  }
  return !Items.empty();
}

cl_int Watch::launch(const EventArgs &Theirs,
                     const std::function<cl_int(const EventArgs &)> &Enqueue) {
  if (InOrder)
    return Enqueue(Theirs);
  std::vector<cl_event> WaitList(Theirs.WaitList,
                                 Theirs.WaitList + Theirs.WaitCount);
  for (const Item &I : Items)
    WaitList.push_back(I.Written);
  const cl_int Error =
      Enqueue({static_cast<cl_uint>(WaitList.size()), WaitList.data(), &Done});
  if (Error == CL_SUCCESS && Theirs.Event) {
    *Theirs.Event = Done;
    Next->clRetainEvent(Done);
  }
  return Error;
}

/// Called by the driver, in any thread of its or ours; by PoCL not at all if
/// the command fails. Checks keeps what it is given until the last line here.
static void CL_CALLBACK isRead(cl_event, cl_int Status, void *Data) {
  EndedCount.fetch_add(1, std::memory_order_release);
  static_cast<Check *>(Data)->State.store(Status == CL_COMPLETE ? Check::Read
                                                                : Check::Failed,
                                          std::memory_order_release);
}

void Watch::read(const Item &I,
                 const std::shared_ptr<const WatchedLaunch> &Launch) {
  auto C = std::make_shared<Check>();
  C->Of = I.Of;
  C->Launch = Launch;
  C->Where = I.Where;
  C->Seen.resize(I.Where.size());
  {
    std::lock_guard Lock(Mutex);
    Checks.push_back(C);
    PendingCount.fetch_add(1, std::memory_order_relaxed);
  }
  cl_event Event = nullptr;
  cl_int Error = enqueueCopy(Queue, I.Where, C->Seen.data(), /*Write=*/false,
                             Launch ? Done : I.Written, &Event);
  if (Error == CL_SUCCESS) {
    Error = Next->clSetEventCallback(Event, CL_COMPLETE, isRead, C.get());
    Next->clReleaseEvent(Event);
    if (Error != CL_SUCCESS) // the driver will write into it all the same
      neverDestroy(C);
  }
  if (Error == CL_SUCCESS)
    return;
  C->State = Check::Failed;
  EndedCount.fetch_add(1, std::memory_order_release);
}

void Watch::end(const std::shared_ptr<const WatchedLaunch> &Launch) {
  for (const Item &I : Items) {
    // Also if nothing was launched: the driver may still be reading what it is
    // to write.
    if (Launch || I.New)
      read(I, Launch);
    else
      unreserve(I);
    if (I.Written)
      Next->clReleaseEvent(I.Written);
  }
  if (Done)
    Next->clReleaseEvent(Done);
}

static std::string deviceName(cl_command_queue Queue) {
  auto *Device = queryValue<cl_device_id>(Next->clGetCommandQueueInfo, Queue,
                                          CL_QUEUE_DEVICE, nullptr);
  return Device ? deviceOf(Device).Name : "";
}

cl_int
warpsan::launchWatched(Kernel &K, cl_command_queue Queue, const NDRange &Range,
                       const std::string &Why, const EventArgs &Theirs,
                       const std::function<cl_int(const EventArgs &)> &Enqueue,
                       bool &Watched) {
  Watched = false;
  expectCanaries();
  if (settings().canaries == "none" || !wantChecks() ||
      PendingCount.load(std::memory_order_relaxed) > MaxPending)
    return Enqueue(Theirs);
  const std::vector<Place> Places = placesOf(K);
  if (Places.empty())
    return Enqueue(Theirs);
  auto Q = Queues.find(Queue);
  const bool InOrder = Q && Q->InOrder.load();
  // A wait list that is wrong must stay so.
  if (!InOrder && !Theirs.isWellFormed())
    return Enqueue(Theirs);
  Watch W(Queue, InOrder);
  if (!W.begin(Places))
    return Enqueue(Theirs);
  const cl_int Error = W.launch(Theirs, Enqueue);
  std::shared_ptr<WatchedLaunch> Launch;
  if (Error == CL_SUCCESS) {
    Launch = std::make_shared<WatchedLaunch>();
    Launch->Log = describeLaunch(nextLaunchNumber(), Range);
    Launch->Log.Kernel = std::make_shared<const LaunchedKernel>(
        LaunchedKernel{K.Info->Name, deviceName(Queue), nullptr});
    Launch->Log.Args = std::make_shared<const ArgMemories>();
    Launch->Why = Why;
    Watched = true;
  }
  W.end(Launch);
  return Error;
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

bool warpsan::haveCanaries() {
  return EndedCount.load(std::memory_order_acquire) != 0;
}

/// Of checks that have ended. Under Mutex.
static void look(const Check &C, std::vector<Overwritten> &Found) {
  if (!C.Launch || C.State.load(std::memory_order_acquire) != Check::Read ||
      C.Of->Trampled || C.Seen == C.Of->Bytes)
    return;
  C.Of->Trampled = true; // later launches find it so
  Found.push_back({C.Launch, C.Where.Arg, C.Where.Of, C.Where.InFront,
                   C.Of->Bytes, C.Seen, !C.Of->Crowded});
}

TakenCanaries warpsan::takeCanaries() {
  TakenCanaries Taken;
  std::lock_guard Lock(Mutex);
  std::set<const Canary *> Earlier; // that are waiting
  std::deque<std::shared_ptr<Check>> Left;
  for (std::shared_ptr<Check> &C : Checks) {
    const bool Waits =
        C->State.load(std::memory_order_acquire) == Check::Waiting;
    // One after the other, so that the first launch is named.
    if (Waits || (!C->Of->Crowded && Earlier.contains(C->Of.get()))) {
      Earlier.insert(C->Of.get());
      Left.push_back(std::move(C));
      continue;
    }
    look(*C, Taken.Found);
    letGo(C->Where, *C->Of, Taken.Frees);
    PendingCount.fetch_sub(1, std::memory_order_relaxed);
    EndedCount.fetch_sub(1, std::memory_order_relaxed);
  }
  Checks.swap(Left);
  return Taken;
}

void warpsan::freeWhenUnwatched(const void *Start,
                                const std::function<void()> &Free) {
  if (PendingCount.load(std::memory_order_relaxed)) {
    std::lock_guard Lock(Mutex);
    for (auto &[Of, C] : Canaries)
      if (C->Start == Start) { // and then what is at its other end
        C->Frees.push_back([Start, Free] { freeWhenUnwatched(Start, Free); });
        return;
      }
  }
  Free();
}

void warpsan::awaitCanaries() {
  for (int I = 0; I < 200 && PendingCount.load() > EndedCount.load(); ++I)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void warpsan::lockCanaries() { Mutex.lock(); }
void warpsan::unlockCanaries() { Mutex.unlock(); }

void warpsan::forgetCanaries() {
  // What they hold would call the driver, which does not work in a child.
  neverDestroy(std::move(Checks));
  neverDestroy(std::move(Canaries));
  Checks.clear();
  Canaries.clear();
  PendingCount = EndedCount = 0;
  Mutex.unlock();
}
