//===- test/layer/errors/command_races.cpp - commands that nothing orders -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/errors/command_races: command_races [CASE..] runs all cases,
// or some. Those of `Racy` have one race each; `Legal` does the nearest right
// thing, and has none. A finding's backtrace tells of which case it is: each is
// a function.
//
//===----------------------------------------------------------------------===//
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "test/layer/errors/command_races.h"

#include <algorithm>
#include <cstdio>
#include <thread>

using namespace warpsan::test;
using namespace warpsan::test::command_races;

namespace {

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

[[gnu::noinline]] void twoQueues(Case &C) {
  C.scale(C.First);
  C.scale(C.Second);
}

[[gnu::noinline]] void readOfWhatIsWritten(Case &C) {
  C.scale(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void writeOfWhatIsRead(Case &C) {
  C.copy(C.First, C.Data, C.Other);
  C.write(C.Second);
}

[[gnu::noinline]] void blockingReadOfAnotherQueue(Case &C) {
  C.scale(C.First);
  must(clEnqueueReadBuffer(C.Second, C.Data, CL_TRUE, 0, Bytes, C.Host.data(),
                           0, nullptr, nullptr),
       "clEnqueueReadBuffer");
}

[[gnu::noinline]] void outOfOrderQueue(Case &C) {
  C.scale(C.Unordered);
  C.scale(C.Unordered);
}

[[gnu::noinline]] void copies(Case &C) {
  C.copyBuffer(C.First, C.Data, C.Other);
  C.copyBuffer(C.Second, C.Other, C.Data);
}

[[gnu::noinline]] void fills(Case &C) {
  C.fill(C.First, 1);
  C.fill(C.Second, 2);
}

[[gnu::noinline]] void partsThatOverlap(Case &C) {
  const Mem Left = C.part(0, Bytes * 3 / 4),
            Right = C.part(Bytes / 2, Bytes / 2);
  C.scale(C.First, {}, nullptr, Left, Count * 3 / 4);
  C.scale(C.Second, {}, nullptr, Right, Count / 2);
}

[[gnu::noinline]] void aGuardThatHolds(Case &C) {
  C.guarded(C.First, Count - 7);
  C.read(C.Second);
}

[[gnu::noinline]] void theWrongEvent(Case &C) {
  Event Early;
  C.copy(C.First, C.Other, C.Third, {}, Early.out());
  C.scale(C.First);
  C.scale(C.Second, {Early});
}

[[gnu::noinline]] void aMarkerOrdersNothing(Case &C) {
  C.scale(C.Unordered);
  Event Done;
  must(clEnqueueMarkerWithWaitList(C.Unordered, 0, nullptr, Done.out()),
       "clEnqueueMarkerWithWaitList");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void aBarrierInAnotherQueue(Case &C) {
  C.scale(C.First);
  must(clEnqueueBarrierWithWaitList(C.Second, 0, nullptr, nullptr),
       "clEnqueueBarrierWithWaitList");
  C.scale(C.Second);
}

[[gnu::noinline]] void aFlush(Case &C) {
  C.scale(C.First);
  must(clFlush(C.First), "clFlush");
  C.scale(C.Second);
}

[[gnu::noinline]] void aFinishOfAnotherQueue(Case &C) {
  C.scale(C.First);
  must(clFinish(C.Second), "clFinish");
  C.scale(C.Second);
}

[[gnu::noinline]] void aWaitForAnotherEvent(Case &C) {
  Event Early;
  C.copy(C.First, C.Other, C.Third, {}, Early.out());
  C.scale(C.First);
  const cl_event List[] = {Early};
  must(clWaitForEvents(1, List), "clWaitForEvents");
  C.scale(C.Second);
}

[[gnu::noinline]] void mappedForWriting(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  C.copy(C.First, C.Data, C.Other);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void mappedForReading(Case &C) {
  void *At = C.map(C.First, CL_MAP_READ);
  C.scale(C.First);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void unmappedInAnotherQueue(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  C.unmap(C.Second, At);
  C.scale(C.First);
}

[[gnu::noinline]] void aMapOfWhatIsWritten(Case &C) {
  C.scale(C.First);
  void *At = C.map(C.Second, CL_MAP_READ);
  must(clFinish(C.First), "clFinish");
  C.unmap(C.Second, At);
}

[[gnu::noinline]] void rowsThatOverlap(Case &C) {
  C.writeRows(C.First, 4, 8);
  C.writeRows(C.Second, 8, 8);
}

[[gnu::noinline]] void anAtomicAndARead(Case &C) {
  C.count(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void afterAUserEvent(Case &C) {
  const Event Gate = C.userEvent();
  C.scale(C.First, {Gate});
  must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
  C.scale(C.Second);
}

[[gnu::noinline]] void whatALoopReads(Case &C) {
  C.sums(C.First, C.Data, C.Other);
  C.write(C.Second);
}

[[gnu::noinline]] void whatFollowsALoop(Case &C) {
  C.sums(C.First, C.Other, C.Data);
  C.read(C.Second);
}

[[gnu::noinline]] void aGrid(Case &C) {
  C.grid(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void anotherStride(Case &C) {
  C.strided(C.First, 0, 2);
  C.strided(C.Second, 4, 1);
}

[[gnu::noinline]] void twoThreads(Case &C) {
  std::thread([&] { C.scale(C.First); }).join();
  C.scale(C.Second);
}

[[gnu::noinline]] void aCallbackOfAnEarlierCommand(Case &C) {
  Event Early;
  C.copy(C.First, C.Other, C.Third, {}, Early.out());
  C.scale(C.First);
  C.callback(Early);
  C.scale(C.Second);
}

[[gnu::noinline]] void sharedVirtualMemory(Case &C) {
  C.svmFill(C.First, 0, Bytes, 1);
  C.svmFill(C.Second, Bytes - 4, 4, 2);
}

//===----------------------------------------------------------------------===//
// Their legal counterparts
//===----------------------------------------------------------------------===//

[[gnu::noinline]] void legalOneQueue(Case &C) {
  C.scale(C.First);
  C.scale(C.First);
  C.fill(C.First, 1);
  C.read(C.First);
}

[[gnu::noinline]] void legalFinish(Case &C) {
  C.scale(C.First);
  must(clFinish(C.First), "clFinish");
  C.scale(C.Second);
}

[[gnu::noinline]] void legalFinishOfAQueueThatWaited(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.copy(C.Second, C.Other, C.Third, {Done});
  must(clFinish(C.Second), "clFinish");
  C.scale(C.Last);
}

[[gnu::noinline]] void legalEvent(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.scale(C.Second, {Done});
}

[[gnu::noinline]] void legalEventOfALaterCommand(Case &C) {
  Event Done;
  C.scale(C.First);
  C.copy(C.First, C.Other, C.Third, {}, Done.out());
  C.scale(C.Second, {Done});
}

[[gnu::noinline]] void legalTwoHops(Case &C) {
  Event Done, Later;
  C.scale(C.First, {}, Done.out());
  C.copy(C.Last, C.Other, C.Third, {Done}, Later.out());
  C.scale(C.Second, {Later});
}

[[gnu::noinline]] void legalEventOutOfOrder(Case &C) {
  Event Done;
  C.scale(C.Unordered, {}, Done.out());
  C.scale(C.Unordered, {Done});
}

[[gnu::noinline]] void legalBehindACommandThatWaited(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.copy(C.Second, C.Other, C.Third, {Done});
  C.scale(C.Second);
}

[[gnu::noinline]] void legalMarker(Case &C) {
  Event Done;
  C.scale(C.Unordered);
  must(clEnqueueMarkerWithWaitList(C.Unordered, 0, nullptr, Done.out()),
       "clEnqueueMarkerWithWaitList");
  C.scale(C.Unordered, {Done});
}

[[gnu::noinline]] void legalBarrier(Case &C) {
  C.scale(C.Unordered);
  must(clEnqueueBarrierWithWaitList(C.Unordered, 0, nullptr, nullptr),
       "clEnqueueBarrierWithWaitList");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legalBarrierWithEvents(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clEnqueueBarrierWithWaitList(C.Unordered, 1, List, nullptr),
       "clEnqueueBarrierWithWaitList");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legalOlderBarrier(Case &C) {
  C.scale(C.Unordered);
  must(clEnqueueBarrier(C.Unordered), "clEnqueueBarrier");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legalOlderMarker(Case &C) {
  Event Done;
  C.scale(C.Unordered);
  must(clEnqueueMarker(C.Unordered, Done.out()), "clEnqueueMarker");
  C.scale(C.Second, {Done});
}

[[gnu::noinline]] void legalOlderWait(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clEnqueueWaitForEvents(C.Unordered, 1, List), "clEnqueueWaitForEvents");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legalWaitOnTheHost(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clWaitForEvents(1, List), "clWaitForEvents");
  C.scale(C.Second);
}

[[gnu::noinline]] void legalBlockingRead(Case &C) {
  C.scale(C.First);
  must(clEnqueueReadBuffer(C.First, C.Data, CL_TRUE, 0, 4, C.Host.data(), 0,
                           nullptr, nullptr),
       "clEnqueueReadBuffer");
  C.scale(C.Second);
}

[[gnu::noinline]] void legalBlockingReadThatWaits(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clEnqueueReadBuffer(C.Second, C.Data, CL_TRUE, 0, 4, C.Host.data(), 1,
                           List, nullptr),
       "clEnqueueReadBuffer");
  C.scale(C.Last);
}

[[gnu::noinline]] void legalPolling(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  must(clFlush(C.First), "clFlush");
  cl_int Status = CL_QUEUED;
  while (Status > CL_COMPLETE)
    must(clGetEventInfo(Done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(Status),
                        &Status, nullptr),
         "clGetEventInfo");
  C.scale(C.Second);
}

[[gnu::noinline]] void legalCallback(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.callback(Done);
  C.scale(C.Second);
}

[[gnu::noinline]] void legalUserEvent(Case &C) {
  const Event Gate = C.userEvent();
  C.scale(C.First, {Gate});
  C.scale(C.Second);
  must(clFinish(C.Second), "clFinish");
  must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
}

[[gnu::noinline]] void legalUserEventOfTwoHops(Case &C) {
  const Event Gate = C.userEvent();
  Event Done;
  C.copy(C.First, C.Other, C.Third, {Gate}, Done.out());
  C.scale(C.Last, {Done});
  C.scale(C.Second);
  must(clFinish(C.Second), "clFinish");
  must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
}

[[gnu::noinline]] void legalUserEventAndCallback(Case &C) {
  const Event Gate = C.userEvent();
  Event Done;
  C.copy(C.First, C.Other, C.Third, {Gate}, Done.out());
  must(clSetEventCallback(
           Done, CL_COMPLETE, [](cl_event, cl_int, void *) {}, nullptr),
       "clSetEventCallback");
  C.scale(C.Last, {Done});
  C.scale(C.Second);
  must(clFinish(C.Second), "clFinish");
  must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
}

[[gnu::noinline]] void legalHalves(Case &C) {
  C.strided(C.First, 0, 1, Count / 2);
  C.strided(C.Second, Count / 2, 1, Count / 2);
  must(clFinish(C.First), "clFinish");
  must(clFinish(C.Second), "clFinish");
  C.read(C.First, 0, Bytes / 2);
  C.write(C.Second, Bytes / 2, Bytes / 2);
}

[[gnu::noinline]] void legalParts(Case &C) {
  const Mem Left = C.part(0, Bytes / 2), Right = C.part(Bytes / 2, Bytes / 2);
  C.scale(C.First, {}, nullptr, Left, Count / 2);
  C.scale(C.Second, {}, nullptr, Right, Count / 2);
}

[[gnu::noinline]] void legalInterleaved(Case &C) {
  C.strided(C.First, 0, 2, Count / 2);
  C.strided(C.Second, 1, 2, Count / 2);
}

[[gnu::noinline]] void legalRows(Case &C) {
  C.writeRows(C.First, 0, 8);
  C.writeRows(C.Second, 8, 8);
}

[[gnu::noinline]] void legalReads(Case &C) {
  C.copy(C.First, C.Data, C.Other);
  C.copy(C.Second, C.Data, C.Third);
  C.read(C.Last);
}

[[gnu::noinline]] void legalAtomics(Case &C) {
  C.count(C.First);
  C.count(C.Second);
}

[[gnu::noinline]] void legalSameConstant(Case &C) {
  C.clear(C.First);
  C.clear(C.Second);
  must(clFinish(C.First), "clFinish");
  must(clFinish(C.Second), "clFinish");
  C.fill(C.First, 7);
  C.fill(C.Second, 7);
}

[[gnu::noinline]] void legalConditionInMemory(Case &C) {
  C.selected(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void legalLoopThatMayNotEnd(Case &C) {
  C.awaited(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void legalIndexInMemory(Case &C) {
  C.scattered(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void legalGuardThatFails(Case &C) {
  C.guarded(C.First, 0);
  C.read(C.Second);
}

[[gnu::noinline]] void legalMap(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  C.unmap(C.First, At);
  C.scale(C.First);
}

[[gnu::noinline]] void legalUnmapInAnotherQueue(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  Event Done;
  C.unmap(C.Second, At, Done.out());
  C.scale(C.First, {Done});
}

[[gnu::noinline]] void legalMapOfAnotherPart(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE, Bytes / 2);
  C.strided(C.First, 0, 1, Count / 2);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void legalMapForReading(Case &C) {
  void *At = C.map(C.First, CL_MAP_READ);
  C.copy(C.First, C.Data, C.Other);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void legalBuffersOfTheirOwn(Case &C) {
  C.copy(C.First, C.Data, C.Other);
  C.copy(C.Second, C.Data, C.Third);
}

[[gnu::noinline]] void legalContextsOfTheirOwn(Case &C) {
  const Case Another;
  C.scale(C.First);
  Another.scale(Another.First);
}

[[gnu::noinline]] void legalEventRetained(Case &C) {
  cl_event Done = nullptr;
  C.scale(C.First, {}, &Done);
  must(clRetainEvent(Done), "clRetainEvent");
  must(clReleaseEvent(Done), "clReleaseEvent");
  C.scale(C.Second, {Done});
  must(clReleaseEvent(Done), "clReleaseEvent");
}

[[gnu::noinline]] void legalEventsUsedAgain(Case &C) {
  for (int I = 0; I < 50; ++I) {
    cl_event Done = nullptr;
    C.scale(I % 2 ? C.First : C.Second, {}, &Done);
    C.scale(I % 2 ? C.Second : C.First, {Done});
    must(clReleaseEvent(Done), "clReleaseEvent");
    must(clFinish(I % 2 ? C.Second : C.First), "clFinish");
  }
}

[[gnu::noinline]] void legalQueuesUsedAgain(Case &C) {
  for (int I = 0; I < 10; ++I) {
    const Queue Short = C.queue();
    C.scale(Short);
    must(clFinish(Short), "clFinish");
  }
}

[[gnu::noinline]] void legalThreads(Case &C) {
  std::thread([&] {
    C.scale(C.First);
    must(clFinish(C.First), "clFinish");
  }).join();
  C.scale(C.Second);
}

[[gnu::noinline]] void legalManyCommands(Case &C) {
  Event First, Last;
  C.scale(C.First, {}, First.out());
  for (int I = 0; I < 1500; ++I)
    C.fill(C.First, 3);
  C.scale(C.First, {}, Last.out());
  C.scale(C.Second, {First, Last});
}

[[gnu::noinline]] void legalSharedVirtualMemory(Case &C) {
  C.svmFill(C.First, 0, Bytes / 2, 1);
  C.svmFill(C.Second, Bytes / 2, Bytes / 2, 2);
}

const Named All[] = {
#define CASE(name) {#name, name}
    CASE(twoQueues),
    CASE(readOfWhatIsWritten),
    CASE(writeOfWhatIsRead),
    CASE(blockingReadOfAnotherQueue),
    CASE(outOfOrderQueue),
    CASE(copies),
    CASE(fills),
    CASE(partsThatOverlap),
    CASE(aGuardThatHolds),
    CASE(theWrongEvent),
    CASE(aMarkerOrdersNothing),
    CASE(aBarrierInAnotherQueue),
    CASE(aFlush),
    CASE(aFinishOfAnotherQueue),
    CASE(aWaitForAnotherEvent),
    CASE(mappedForWriting),
    CASE(mappedForReading),
    CASE(unmappedInAnotherQueue),
    CASE(aMapOfWhatIsWritten),
    CASE(rowsThatOverlap),
    CASE(anAtomicAndARead),
    CASE(afterAUserEvent),
    CASE(whatALoopReads),
    CASE(whatFollowsALoop),
    CASE(aGrid),
    CASE(anotherStride),
    CASE(twoThreads),
    CASE(aCallbackOfAnEarlierCommand),
    CASE(legalOneQueue),
    CASE(legalFinish),
    CASE(legalFinishOfAQueueThatWaited),
    CASE(legalEvent),
    CASE(legalEventOfALaterCommand),
    CASE(legalTwoHops),
    CASE(legalEventOutOfOrder),
    CASE(legalBehindACommandThatWaited),
    CASE(legalMarker),
    CASE(legalBarrier),
    CASE(legalBarrierWithEvents),
    CASE(legalOlderBarrier),
    CASE(legalOlderMarker),
    CASE(legalOlderWait),
    CASE(legalWaitOnTheHost),
    CASE(legalBlockingRead),
    CASE(legalBlockingReadThatWaits),
    CASE(legalPolling),
    CASE(legalCallback),
    CASE(legalUserEvent),
    CASE(legalUserEventOfTwoHops),
    CASE(legalUserEventAndCallback),
    CASE(legalHalves),
    CASE(legalParts),
    CASE(legalInterleaved),
    CASE(legalRows),
    CASE(legalReads),
    CASE(legalAtomics),
    CASE(legalSameConstant),
    CASE(legalConditionInMemory),
    CASE(legalLoopThatMayNotEnd),
    CASE(legalIndexInMemory),
    CASE(legalGuardThatFails),
    CASE(legalMap),
    CASE(legalUnmapInAnotherQueue),
    CASE(legalMapOfAnotherPart),
    CASE(legalMapForReading),
    CASE(legalBuffersOfTheirOwn),
    CASE(legalContextsOfTheirOwn),
    CASE(legalEventRetained),
    CASE(legalEventsUsedAgain),
    CASE(legalQueuesUsedAgain),
    CASE(legalThreads),
    CASE(legalManyCommands),
    // Kernels of programs with shared virtual memory are not judged: last.
    CASE(sharedVirtualMemory),
    CASE(legalSharedVirtualMemory),
#undef CASE
};

} // namespace

int main(int Argc, char **Argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::vector<std::string> Wanted(Argv + 1, Argv + Argc);
  for (const Named &Each : All) {
    if (!Wanted.empty() && std::ranges::find(Wanted, Each.Name) == Wanted.end())
      continue;
    Case C;
    if (!C.canRun(Each.Name)) {
      std::printf("skipped %s\n", Each.Name);
      continue;
    }
    Each.Run(C);
    C.finishAll();
    std::printf("%s\n", Each.Name);
  }
  std::puts("end");
  return 0;
}
