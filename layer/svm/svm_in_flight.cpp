//===- layer/svm_uses.cpp - launches that rely on their memory staying ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm_uses.h"

#include "layer/findings.h"
#include "layer/marked.h"
#include "layer/svm_ranges.h"

#include <algorithm>
#include <iterator>
#include <mutex>

using namespace warpsan;

/// Guards Users of all memory. Never held across a driver call.
static std::mutex &Mutex = *new std::mutex;

bool SvmUse::look(KernelArgs &Args, const KernelPlan &Plan) {
  Args.look([&](size_t Index, const KernelArg &Arg) {
    if (!Arg.isPointer() || Index >= Plan.Decides.size() ||
        !Plan.Decides[Index])
      return;
    if (auto Of = objectPlaceOf(Arg.pointer()).Of)
      All.push_back({std::move(Of), static_cast<unsigned>(Index)});
  });
  return std::ranges::none_of(
      All, [](const One &Each) { return Each.Of->Doomed.load(); });
}

static bool isComplete(const MemoryUser &User) {
  // An error ends a command, too.
  return queryValue<cl_int>(Next->clGetEventInfo, User.Event.get(),
                            CL_EVENT_COMMAND_EXECUTION_STATUS,
                            CL_COMPLETE) <= CL_COMPLETE;
}

static std::vector<MemoryUser> usersOf(const Memory &Of) {
  std::lock_guard Lock(Mutex);
  return Of.Users;
}

/// Takes out those that \p If is true for. The driver is told when no lock is
/// held any more.
template <typename F> static void forgetUsers(const Memory &Of, F If) {
  std::vector<MemoryUser> Old;
  std::lock_guard Lock(Mutex);
  auto Going = std::ranges::stable_partition(
      Of.Users, [&](const MemoryUser &Each) { return !If(Each); });
  std::ranges::move(Going, std::back_inserter(Old));
  Of.Users.erase(Going.begin(), Going.end());
}

/// Those that are complete.
static void forgetComplete(const Memory &Of) {
  std::vector<MemoryUser> Users = usersOf(Of);
  std::erase_if(Users,
                [](const MemoryUser &Each) { return !isComplete(Each); });
  forgetUsers(Of, [&](const MemoryUser &Each) {
    return std::ranges::find(Users, Each.Event, &MemoryUser::Event) !=
           Users.end();
  });
}

static void addUser(const Memory &Of, MemoryUser New) {
  // In order, the last command of a queue is complete when all are.
  if (auto Q = Queues.find(New.Queue); Q && Q->InOrder.load())
    forgetUsers(
        Of, [&](const MemoryUser &Each) { return Each.Queue == New.Queue; });
  size_t Count = 0;
  {
    std::lock_guard Lock(Mutex);
    Of.Users.push_back(std::move(New));
    Count = Of.Users.size();
  }
  constexpr size_t Many = 32;
  if (Count % Many == 0)
    forgetComplete(Of);
}

cl_int
SvmUse::enqueue(cl_command_queue Queue,
                const std::shared_ptr<const LaunchedKernel> &Kernel,
                const EventArgs &Theirs,
                const std::function<cl_int(const EventArgs &)> &Enqueue) const {
  if (All.empty())
    return Enqueue(Theirs);
  cl_event Event = nullptr;
  EventArgs Given = Theirs;
  if (!Given.Event)
    Given.Event = &Event;
  const cl_int Error = Enqueue(Given);
  if (Error != CL_SUCCESS)
    return Error;
  if (Theirs.Event && Next->clRetainEvent(*Theirs.Event) == CL_SUCCESS)
    Event = *Theirs.Event;
  if (!Event)
    return Error;
  const std::shared_ptr<_cl_event> Kept(
      Event, [](cl_event Last) { Next->clReleaseEvent(Last); });
  for (const One &Each : All) {
    addUser(*Each.Of, {Queue, Kept, Kernel, Each.Arg});
    // Another thread, since it was looked at.
    if (const Release *End = Each.Of->Released.load())
      reportIfInUse(End->By, Each.Of);
  }
  return Error;
}

void warpsan::reportIfInUse(const char *Call,
                            const std::shared_ptr<const Memory> &Of) {
  for (const MemoryUser &Each : usersOf(*Of))
    if (!isComplete(Each)) {
      reportArgument(FindingKind::freed_in_use, Call, *Each.Kernel, Each.Arg,
                     Of);
      break;
    }
  forgetUsers(*Of, [](const MemoryUser &) { return true; });
}

void warpsan::noteFreeEnqueued(cl_command_queue Queue, const void *Pointer) {
  const SvmPlace Place = svmPlaceOf(Pointer);
  if (!Place.Of)
    return;
  auto All = objectsIn(static_cast<const char *>(Pointer) - Place.Offset,
                       Place.Of->Size);
  All.push_back(Place.Of);
  const auto Q = Queues.find(Queue);
  const bool InOrder = Q && Q->InOrder.load();
  for (const auto &Of : All) {
    Of->Doomed = true;
    if (InOrder) // they are complete when the command runs
      forgetUsers(*Of,
                  [&](const MemoryUser &Each) { return Each.Queue == Queue; });
  }
}
