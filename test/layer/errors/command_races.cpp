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

[[gnu::noinline]] void two_queues(Case &C) {
  C.scale(C.First);
  C.scale(C.Second);
}

[[gnu::noinline]] void read_of_what_is_written(Case &C) {
  C.scale(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void write_of_what_is_read(Case &C) {
  C.copy(C.First, C.Data, C.Other);
  C.write(C.Second);
}

[[gnu::noinline]] void blocking_read_of_another_queue(Case &C) {
  C.scale(C.First);
  must(clEnqueueReadBuffer(C.Second, C.Data, CL_TRUE, 0, Bytes, C.Host.data(),
                           0, nullptr, nullptr),
       "clEnqueueReadBuffer");
}

[[gnu::noinline]] void out_of_order_queue(Case &C) {
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

[[gnu::noinline]] void parts_that_overlap(Case &C) {
  const Mem Left = C.part(0, Bytes * 3 / 4),
            Right = C.part(Bytes / 2, Bytes / 2);
  C.scale(C.First, {}, nullptr, Left, Count * 3 / 4);
  C.scale(C.Second, {}, nullptr, Right, Count / 2);
}

[[gnu::noinline]] void a_guard_that_holds(Case &C) {
  C.guarded(C.First, Count - 7);
  C.read(C.Second);
}

[[gnu::noinline]] void the_wrong_event(Case &C) {
  Event Early;
  C.copy(C.First, C.Other, C.Third, {}, Early.out());
  C.scale(C.First);
  C.scale(C.Second, {Early});
}

[[gnu::noinline]] void a_marker_orders_nothing(Case &C) {
  C.scale(C.Unordered);
  Event Done;
  must(clEnqueueMarkerWithWaitList(C.Unordered, 0, nullptr, Done.out()),
       "clEnqueueMarkerWithWaitList");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void a_barrier_in_another_queue(Case &C) {
  C.scale(C.First);
  must(clEnqueueBarrierWithWaitList(C.Second, 0, nullptr, nullptr),
       "clEnqueueBarrierWithWaitList");
  C.scale(C.Second);
}

[[gnu::noinline]] void a_flush(Case &C) {
  C.scale(C.First);
  must(clFlush(C.First), "clFlush");
  C.scale(C.Second);
}

[[gnu::noinline]] void a_finish_of_another_queue(Case &C) {
  C.scale(C.First);
  must(clFinish(C.Second), "clFinish");
  C.scale(C.Second);
}

[[gnu::noinline]] void a_wait_for_another_event(Case &C) {
  Event Early;
  C.copy(C.First, C.Other, C.Third, {}, Early.out());
  C.scale(C.First);
  const cl_event List[] = {Early};
  must(clWaitForEvents(1, List), "clWaitForEvents");
  C.scale(C.Second);
}

[[gnu::noinline]] void mapped_for_writing(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  C.copy(C.First, C.Data, C.Other);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void mapped_for_reading(Case &C) {
  void *At = C.map(C.First, CL_MAP_READ);
  C.scale(C.First);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void unmapped_in_another_queue(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  C.unmap(C.Second, At);
  C.scale(C.First);
}

[[gnu::noinline]] void a_map_of_what_is_written(Case &C) {
  C.scale(C.First);
  void *At = C.map(C.Second, CL_MAP_READ);
  must(clFinish(C.First), "clFinish");
  C.unmap(C.Second, At);
}

[[gnu::noinline]] void rows_that_overlap(Case &C) {
  C.writeRows(C.First, 4, 8);
  C.writeRows(C.Second, 8, 8);
}

[[gnu::noinline]] void an_atomic_and_a_read(Case &C) {
  C.count(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void after_a_user_event(Case &C) {
  const Event Gate = C.userEvent();
  C.scale(C.First, {Gate});
  must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
  C.scale(C.Second);
}

[[gnu::noinline]] void what_a_loop_reads(Case &C) {
  C.sums(C.First, C.Data, C.Other);
  C.write(C.Second);
}

[[gnu::noinline]] void what_follows_a_loop(Case &C) {
  C.sums(C.First, C.Other, C.Data);
  C.read(C.Second);
}

[[gnu::noinline]] void a_grid(Case &C) {
  C.grid(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void another_stride(Case &C) {
  C.strided(C.First, 0, 2);
  C.strided(C.Second, 4, 1);
}

[[gnu::noinline]] void two_threads(Case &C) {
  std::thread([&] { C.scale(C.First); }).join();
  C.scale(C.Second);
}

[[gnu::noinline]] void a_callback_of_an_earlier_command(Case &C) {
  Event Early;
  C.copy(C.First, C.Other, C.Third, {}, Early.out());
  C.scale(C.First);
  C.callback(Early);
  C.scale(C.Second);
}

[[gnu::noinline]] void shared_virtual_memory(Case &C) {
  C.svmFill(C.First, 0, Bytes, 1);
  C.svmFill(C.Second, Bytes - 4, 4, 2);
}

//===----------------------------------------------------------------------===//
// Their legal counterparts
//===----------------------------------------------------------------------===//

[[gnu::noinline]] void legal_one_queue(Case &C) {
  C.scale(C.First);
  C.scale(C.First);
  C.fill(C.First, 1);
  C.read(C.First);
}

[[gnu::noinline]] void legal_finish(Case &C) {
  C.scale(C.First);
  must(clFinish(C.First), "clFinish");
  C.scale(C.Second);
}

[[gnu::noinline]] void legal_finish_of_a_queue_that_waited(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.copy(C.Second, C.Other, C.Third, {Done});
  must(clFinish(C.Second), "clFinish");
  C.scale(C.Last);
}

[[gnu::noinline]] void legal_event(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.scale(C.Second, {Done});
}

[[gnu::noinline]] void legal_event_of_a_later_command(Case &C) {
  Event Done;
  C.scale(C.First);
  C.copy(C.First, C.Other, C.Third, {}, Done.out());
  C.scale(C.Second, {Done});
}

[[gnu::noinline]] void legal_two_hops(Case &C) {
  Event Done, Later;
  C.scale(C.First, {}, Done.out());
  C.copy(C.Last, C.Other, C.Third, {Done}, Later.out());
  C.scale(C.Second, {Later});
}

[[gnu::noinline]] void legal_event_out_of_order(Case &C) {
  Event Done;
  C.scale(C.Unordered, {}, Done.out());
  C.scale(C.Unordered, {Done});
}

[[gnu::noinline]] void legal_behind_a_command_that_waited(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.copy(C.Second, C.Other, C.Third, {Done});
  C.scale(C.Second);
}

[[gnu::noinline]] void legal_marker(Case &C) {
  Event Done;
  C.scale(C.Unordered);
  must(clEnqueueMarkerWithWaitList(C.Unordered, 0, nullptr, Done.out()),
       "clEnqueueMarkerWithWaitList");
  C.scale(C.Unordered, {Done});
}

[[gnu::noinline]] void legal_barrier(Case &C) {
  C.scale(C.Unordered);
  must(clEnqueueBarrierWithWaitList(C.Unordered, 0, nullptr, nullptr),
       "clEnqueueBarrierWithWaitList");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legal_barrier_with_events(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clEnqueueBarrierWithWaitList(C.Unordered, 1, List, nullptr),
       "clEnqueueBarrierWithWaitList");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legal_older_barrier(Case &C) {
  C.scale(C.Unordered);
  must(clEnqueueBarrier(C.Unordered), "clEnqueueBarrier");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legal_older_marker(Case &C) {
  Event Done;
  C.scale(C.Unordered);
  must(clEnqueueMarker(C.Unordered, Done.out()), "clEnqueueMarker");
  C.scale(C.Second, {Done});
}

[[gnu::noinline]] void legal_older_wait(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clEnqueueWaitForEvents(C.Unordered, 1, List), "clEnqueueWaitForEvents");
  C.scale(C.Unordered);
}

[[gnu::noinline]] void legal_wait_on_the_host(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clWaitForEvents(1, List), "clWaitForEvents");
  C.scale(C.Second);
}

[[gnu::noinline]] void legal_blocking_read(Case &C) {
  C.scale(C.First);
  must(clEnqueueReadBuffer(C.First, C.Data, CL_TRUE, 0, 4, C.Host.data(), 0,
                           nullptr, nullptr),
       "clEnqueueReadBuffer");
  C.scale(C.Second);
}

[[gnu::noinline]] void legal_blocking_read_that_waits(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  const cl_event List[] = {Done};
  must(clEnqueueReadBuffer(C.Second, C.Data, CL_TRUE, 0, 4, C.Host.data(), 1,
                           List, nullptr),
       "clEnqueueReadBuffer");
  C.scale(C.Last);
}

[[gnu::noinline]] void legal_polling(Case &C) {
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

[[gnu::noinline]] void legal_callback(Case &C) {
  Event Done;
  C.scale(C.First, {}, Done.out());
  C.callback(Done);
  C.scale(C.Second);
}

[[gnu::noinline]] void legal_user_event(Case &C) {
  const Event Gate = C.userEvent();
  C.scale(C.First, {Gate});
  C.scale(C.Second);
  must(clFinish(C.Second), "clFinish");
  must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
}

[[gnu::noinline]] void legal_user_event_of_two_hops(Case &C) {
  const Event Gate = C.userEvent();
  Event Done;
  C.copy(C.First, C.Other, C.Third, {Gate}, Done.out());
  C.scale(C.Last, {Done});
  C.scale(C.Second);
  must(clFinish(C.Second), "clFinish");
  must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
}

[[gnu::noinline]] void legal_user_event_and_callback(Case &C) {
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

[[gnu::noinline]] void legal_halves(Case &C) {
  C.strided(C.First, 0, 1, Count / 2);
  C.strided(C.Second, Count / 2, 1, Count / 2);
  must(clFinish(C.First), "clFinish");
  must(clFinish(C.Second), "clFinish");
  C.read(C.First, 0, Bytes / 2);
  C.write(C.Second, Bytes / 2, Bytes / 2);
}

[[gnu::noinline]] void legal_parts(Case &C) {
  const Mem Left = C.part(0, Bytes / 2), Right = C.part(Bytes / 2, Bytes / 2);
  C.scale(C.First, {}, nullptr, Left, Count / 2);
  C.scale(C.Second, {}, nullptr, Right, Count / 2);
}

[[gnu::noinline]] void legal_interleaved(Case &C) {
  C.strided(C.First, 0, 2, Count / 2);
  C.strided(C.Second, 1, 2, Count / 2);
}

[[gnu::noinline]] void legal_rows(Case &C) {
  C.writeRows(C.First, 0, 8);
  C.writeRows(C.Second, 8, 8);
}

[[gnu::noinline]] void legal_reads(Case &C) {
  C.copy(C.First, C.Data, C.Other);
  C.copy(C.Second, C.Data, C.Third);
  C.read(C.Last);
}

[[gnu::noinline]] void legal_atomics(Case &C) {
  C.count(C.First);
  C.count(C.Second);
}

[[gnu::noinline]] void legal_same_constant(Case &C) {
  C.clear(C.First);
  C.clear(C.Second);
  must(clFinish(C.First), "clFinish");
  must(clFinish(C.Second), "clFinish");
  C.fill(C.First, 7);
  C.fill(C.Second, 7);
}

[[gnu::noinline]] void legal_condition_in_memory(Case &C) {
  C.selected(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void legal_loop_that_may_not_end(Case &C) {
  C.awaited(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void legal_index_in_memory(Case &C) {
  C.scattered(C.First);
  C.read(C.Second);
}

[[gnu::noinline]] void legal_guard_that_fails(Case &C) {
  C.guarded(C.First, 0);
  C.read(C.Second);
}

[[gnu::noinline]] void legal_map(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  C.unmap(C.First, At);
  C.scale(C.First);
}

[[gnu::noinline]] void legal_unmap_in_another_queue(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE);
  Event Done;
  C.unmap(C.Second, At, Done.out());
  C.scale(C.First, {Done});
}

[[gnu::noinline]] void legal_map_of_another_part(Case &C) {
  void *At = C.map(C.First, CL_MAP_WRITE, Bytes / 2);
  C.strided(C.First, 0, 1, Count / 2);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void legal_map_for_reading(Case &C) {
  void *At = C.map(C.First, CL_MAP_READ);
  C.copy(C.First, C.Data, C.Other);
  C.unmap(C.First, At);
}

[[gnu::noinline]] void legal_buffers_of_their_own(Case &C) {
  C.copy(C.First, C.Data, C.Other);
  C.copy(C.Second, C.Data, C.Third);
}

[[gnu::noinline]] void legal_contexts_of_their_own(Case &C) {
  const Case Another;
  C.scale(C.First);
  Another.scale(Another.First);
}

[[gnu::noinline]] void legal_event_retained(Case &C) {
  cl_event Done = nullptr;
  C.scale(C.First, {}, &Done);
  must(clRetainEvent(Done), "clRetainEvent");
  must(clReleaseEvent(Done), "clReleaseEvent");
  C.scale(C.Second, {Done});
  must(clReleaseEvent(Done), "clReleaseEvent");
}

[[gnu::noinline]] void legal_events_used_again(Case &C) {
  for (int I = 0; I < 50; ++I) {
    cl_event Done = nullptr;
    C.scale(I % 2 ? C.First : C.Second, {}, &Done);
    C.scale(I % 2 ? C.Second : C.First, {Done});
    must(clReleaseEvent(Done), "clReleaseEvent");
    must(clFinish(I % 2 ? C.Second : C.First), "clFinish");
  }
}

[[gnu::noinline]] void legal_queues_used_again(Case &C) {
  for (int I = 0; I < 10; ++I) {
    const Queue Short = C.queue();
    C.scale(Short);
    must(clFinish(Short), "clFinish");
  }
}

[[gnu::noinline]] void legal_threads(Case &C) {
  std::thread([&] {
    C.scale(C.First);
    must(clFinish(C.First), "clFinish");
  }).join();
  C.scale(C.Second);
}

[[gnu::noinline]] void legal_many_commands(Case &C) {
  Event First, Last;
  C.scale(C.First, {}, First.out());
  for (int I = 0; I < 1500; ++I)
    C.fill(C.First, 3);
  C.scale(C.First, {}, Last.out());
  C.scale(C.Second, {First, Last});
}

[[gnu::noinline]] void legal_shared_virtual_memory(Case &C) {
  C.svmFill(C.First, 0, Bytes / 2, 1);
  C.svmFill(C.Second, Bytes / 2, Bytes / 2, 2);
}

const Named All[] = {
#define CASE(name) {#name, name}
    CASE(two_queues),
    CASE(read_of_what_is_written),
    CASE(write_of_what_is_read),
    CASE(blocking_read_of_another_queue),
    CASE(out_of_order_queue),
    CASE(copies),
    CASE(fills),
    CASE(parts_that_overlap),
    CASE(a_guard_that_holds),
    CASE(the_wrong_event),
    CASE(a_marker_orders_nothing),
    CASE(a_barrier_in_another_queue),
    CASE(a_flush),
    CASE(a_finish_of_another_queue),
    CASE(a_wait_for_another_event),
    CASE(mapped_for_writing),
    CASE(mapped_for_reading),
    CASE(unmapped_in_another_queue),
    CASE(a_map_of_what_is_written),
    CASE(rows_that_overlap),
    CASE(an_atomic_and_a_read),
    CASE(after_a_user_event),
    CASE(what_a_loop_reads),
    CASE(what_follows_a_loop),
    CASE(a_grid),
    CASE(another_stride),
    CASE(two_threads),
    CASE(a_callback_of_an_earlier_command),
    CASE(legal_one_queue),
    CASE(legal_finish),
    CASE(legal_finish_of_a_queue_that_waited),
    CASE(legal_event),
    CASE(legal_event_of_a_later_command),
    CASE(legal_two_hops),
    CASE(legal_event_out_of_order),
    CASE(legal_behind_a_command_that_waited),
    CASE(legal_marker),
    CASE(legal_barrier),
    CASE(legal_barrier_with_events),
    CASE(legal_older_barrier),
    CASE(legal_older_marker),
    CASE(legal_older_wait),
    CASE(legal_wait_on_the_host),
    CASE(legal_blocking_read),
    CASE(legal_blocking_read_that_waits),
    CASE(legal_polling),
    CASE(legal_callback),
    CASE(legal_user_event),
    CASE(legal_user_event_of_two_hops),
    CASE(legal_user_event_and_callback),
    CASE(legal_halves),
    CASE(legal_parts),
    CASE(legal_interleaved),
    CASE(legal_rows),
    CASE(legal_reads),
    CASE(legal_atomics),
    CASE(legal_same_constant),
    CASE(legal_condition_in_memory),
    CASE(legal_loop_that_may_not_end),
    CASE(legal_index_in_memory),
    CASE(legal_guard_that_fails),
    CASE(legal_map),
    CASE(legal_unmap_in_another_queue),
    CASE(legal_map_of_another_part),
    CASE(legal_map_for_reading),
    CASE(legal_buffers_of_their_own),
    CASE(legal_contexts_of_their_own),
    CASE(legal_event_retained),
    CASE(legal_events_used_again),
    CASE(legal_queues_used_again),
    CASE(legal_threads),
    CASE(legal_many_commands),
    // Kernels of programs with shared virtual memory are not judged: last.
    CASE(shared_virtual_memory),
    CASE(legal_shared_virtual_memory),
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
