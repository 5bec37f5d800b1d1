//===- layer/svm/svm_in_flight.cpp - launches that rely on their memory
// staying ----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/svm_in_flight.h"

#include "layer/findings/findings.h"
#include "layer/svm/marked_objects.h"
#include "layer/svm/svm_ranges.h"

#include <algorithm>
#include <utility>

using namespace warpsan;

bool SvmUse::look(KernelArgs &Args, const KernelPlan &Plan) {
  Args.look([&](size_t Index, const KernelArg &Arg) {
    if (!Arg.isPointer() || Index >= Plan.Decides.size() ||
        !Plan.Decides[Index])
      return;
    if (auto Of = objectPlaceOf(Arg.pointer()).Of)
      All.push_back({std::move(Of), static_cast<unsigned>(Index)});
  });
  return std::ranges::none_of(
      All, [](const One &Each) { return Each.Of->EnqueuedFrees.load() != 0; });
}

static bool isComplete(const MemoryUser &User) {
  // An error ends a command, too.
  return queryValue<cl_int>(Next->clGetEventInfo, User.Event.get(),
                            CL_EVENT_COMMAND_EXECUTION_STATUS,
                            CL_COMPLETE) <= CL_COMPLETE;
}

/// Those that are complete.
static void forgetComplete(const Memory &Of) {
  std::vector<MemoryUser> Users = Of.Users.all();
  std::erase_if(Users,
                [](const MemoryUser &Each) { return !isComplete(Each); });
  Of.Users.removeIf([&](const MemoryUser &Each) {
    return std::ranges::find(Users, Each.Event, &MemoryUser::Event) !=
           Users.end();
  });
}

static void addUser(const Memory &Of, MemoryUser New) {
  // In order, the last command of a queue is complete when all are.
  if (auto Q = Queues.find(New.Queue); Q && Q->InOrder.load())
    Of.Users.removeIf(
        [&](const MemoryUser &Each) { return Each.Queue == New.Queue; });
  constexpr size_t Many = 32;
  if (Of.Users.add(std::move(New)) % Many == 0)
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
  for (const MemoryUser &Each : Of->Users.all())
    if (!isComplete(Each)) {
      reportArgument(FindingKind::free_while_in_use, Call, *Each.Kernel,
                     Each.Arg, Of);
      break;
    }
  Of->Users.removeIf([](const MemoryUser &) { return true; });
}

void EnqueuedFree::note(cl_command_queue Queue, const void *Pointer) {
  const SvmPlace Place = svmPlaceOf(Pointer);
  if (!Place.Of)
    return;
  auto Freed = objectsIn(static_cast<const char *>(Pointer) - Place.Offset,
                         Place.Of->Size);
  Freed.push_back(Place.Of);
  const auto Q = Queues.find(Queue);
  const bool InOrder = Q && Q->InOrder.load();
  for (auto &Of : Freed) {
    One &New = All.emplace_back(std::move(Of));
    ++New.Of->EnqueuedFrees;
    if (InOrder) // they are complete when the command runs
      New.Users = New.Of->Users.takeIf(
          [&](const MemoryUser &Each) { return Each.Queue == Queue; });
  }
}

void EnqueuedFree::takeBack() {
  for (One &Each : All) {
    --Each.Of->EnqueuedFrees;
    for (MemoryUser &User : Each.Users)
      Each.Of->Users.add(std::move(User));
    // Another thread, which did not see these users.
    if (const Release *End = Each.Of->Released.load())
      reportIfInUse(End->By, Each.Of);
  }
  All.clear();
}
