//===- test/layer/api/events_test.cpp - events of launches ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

using namespace warpsan::test;

namespace {

const char *AddSource = R"(
kernel void add(global int *data, int by) { data[get_global_id(0)] += by; }
kernel void spin(global uint *data, uint rounds) {
  uint x = data[get_global_id(0)];
  for (uint i = 0; i < rounds; ++i)
    x = x * 1664525u + 1013904223u;
  data[get_global_id(0)] = x;
}
)";

constexpr size_t Count = 64;

template <typename T> T eventInfo(cl_event E, cl_event_info What) {
  T Value{};
  must(clGetEventInfo(E, What, sizeof(Value), &Value, nullptr),
       "clGetEventInfo");
  return Value;
}

cl_int status(cl_event E) {
  return eventInfo<cl_int>(E, CL_EVENT_COMMAND_EXECUTION_STATUS);
}

class Events : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    P = build(AddSource);
    Add = kernel(P, "add");
    Data = bufferOf(std::vector<cl_int>(Count, 0));
    setArgs(Add, Data, cl_int(1));
  }
  cl_int launchAdd(cl_command_queue In, const std::vector<cl_event> &Wait,
                   cl_event *Done) {
    return launch(In, Add, {{Count}}, Wait, Done);
  }
  Event userEvent() {
    cl_int Error = CL_SUCCESS;
    Event E(clCreateUserEvent(Ctx, &Error));
    must(Error, "clCreateUserEvent");
    return E;
  }

  Program P;
  Kernel Add;
  Mem Data;
};

TEST_F(Events, SayWhatTheyBelongTo) {
  Event Done;
  ASSERT_OK(launchAdd(Q, {}, Done.out()));
  cl_event List[] = {Done};
  ASSERT_OK(clWaitForEvents(1, List));
  EXPECT_EQ(static_cast<cl_command_type>(CL_COMMAND_NDRANGE_KERNEL),
            eventInfo<cl_command_type>(Done, CL_EVENT_COMMAND_TYPE));
  EXPECT_EQ(Q.get(), eventInfo<cl_command_queue>(Done, CL_EVENT_COMMAND_QUEUE));
  EXPECT_EQ(Ctx.get(), eventInfo<cl_context>(Done, CL_EVENT_CONTEXT));
  EXPECT_EQ(CL_COMPLETE, status(Done));
}

TEST_F(Events, CountReferences) {
  Event Done;
  ASSERT_OK(launchAdd(Q, {}, Done.out()));
  ASSERT_OK(clFinish(Q));
  waitUntilQuiet(); // the driver's threads keep the event for a moment
  cl_uint Before = eventInfo<cl_uint>(Done, CL_EVENT_REFERENCE_COUNT);
  ASSERT_OK(clRetainEvent(Done));
  EXPECT_EQ(Before + 1, eventInfo<cl_uint>(Done, CL_EVENT_REFERENCE_COUNT));
  ASSERT_OK(clReleaseEvent(Done));
  EXPECT_EQ(Before, eventInfo<cl_uint>(Done, CL_EVENT_REFERENCE_COUNT));
}

TEST_F(Events, ProfilingTimesAreInOrder) {
  Queue Profiled = queue(CL_QUEUE_PROFILING_ENABLE);
  cl_ulong LastEnd = 0;
  for (int Round = 0; Round < 8; ++Round) {
    Event Done;
    ASSERT_OK(launchAdd(Profiled, {}, Done.out()));
    ASSERT_OK(clFinish(Profiled));
    cl_ulong Times[4] = {};
    const cl_profiling_info Which[4] = {
        CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
        CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    for (int I = 0; I < 4; ++I)
      ASSERT_OK(clGetEventProfilingInfo(Done, Which[I], sizeof(cl_ulong),
                                        &Times[I], nullptr));
    EXPECT_LE(LastEnd, Times[0]) << "queued before the last launch had ended";
    EXPECT_LE(Times[0], Times[1]);
    EXPECT_LE(Times[1], Times[2]);
    EXPECT_LE(Times[2], Times[3]);
    LastEnd = Times[3];
  }
}

TEST_F(Events, ProfilingCoversTheKernelItself) {
  Queue Profiled = queue(CL_QUEUE_PROFILING_ENABLE);
  Kernel Spin = kernel(P, "spin");
  setArgs(Spin, Data, cl_uint(10));
  ASSERT_OK(launch(Profiled, Spin, {{1}})); // any compilation on first launch
  ASSERT_OK(clFinish(Profiled));
  setArgs(Spin, Data, cl_uint(50'000'000)); // tens of milliseconds
  Event Done;
  auto Begin = std::chrono::steady_clock::now();
  ASSERT_OK(launch(Profiled, Spin, {{1}}, {}, Done.out()));
  ASSERT_OK(clFinish(Profiled));
  auto Wall = std::chrono::duration_cast<std::chrono::nanoseconds>(
                  std::chrono::steady_clock::now() - Begin)
                  .count();
  cl_ulong Start = 0, End = 0;
  ASSERT_OK(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_START,
                                    sizeof(Start), &Start, nullptr));
  ASSERT_OK(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_END, sizeof(End),
                                    &End, nullptr));
  // The event must be the kernel's, not that of some other command: most of
  // the time from enqueue to finish is the kernel.
  EXPECT_GT(static_cast<double>(End - Start), 0.25 * static_cast<double>(Wall));
}

TEST_F(Events, UserEventHoldsTheLaunch) {
  Event Gate = userEvent();
  Event Done;
  ASSERT_OK(launchAdd(Q, {Gate}, Done.out()));
  ASSERT_OK(clFlush(Q));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GT(status(Done), CL_COMPLETE);
  ASSERT_OK(clSetUserEventStatus(Gate, CL_COMPLETE));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ(CL_COMPLETE, status(Done));
  EXPECT_EQ(std::vector<cl_int>(Count, 1), read<cl_int>(Data, Count));
}

TEST_F(Events, ArgumentsAreThoseOfTheEnqueueNotOfTheRun) {
  // Both launches wait; by the time they run, the kernel has other arguments.
  Mem Other = bufferOf(std::vector<cl_int>(Count, 100));
  Mem Unused = bufferOf(std::vector<cl_int>(Count, 7));
  Event Gate = userEvent();
  ASSERT_OK(launchAdd(Q, {Gate}, nullptr));
  setArgs(Add, Other, cl_int(10));
  ASSERT_OK(launchAdd(Q, {Gate}, nullptr));
  setArgs(Add, Unused, cl_int(1000));
  ASSERT_OK(clSetUserEventStatus(Gate, CL_COMPLETE));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ(std::vector<cl_int>(Count, 1), read<cl_int>(Data, Count));
  EXPECT_EQ(std::vector<cl_int>(Count, 110), read<cl_int>(Other, Count));
  EXPECT_EQ(std::vector<cl_int>(Count, 7), read<cl_int>(Unused, Count));
}

TEST_F(Events, HeldLaunchSurvivesTheReleaseOfWhatItUses) {
  Event Gate = userEvent();
  Event Done;
  ASSERT_OK(launchAdd(Q, {Gate}, Done.out()));
  ASSERT_OK(clFlush(Q));
  Add.reset();
  P.reset();
  ASSERT_OK(clSetUserEventStatus(Gate, CL_COMPLETE));
  cl_event List[] = {Done};
  ASSERT_OK(clWaitForEvents(1, List));
  EXPECT_EQ(std::vector<cl_int>(Count, 1), read<cl_int>(Data, Count));
}

struct Called {
  std::promise<cl_int> Status;
  std::atomic<int> Times = 0;
};

void CL_CALLBACK noteStatus(cl_event, cl_int Status, void *User) {
  auto *Seen = static_cast<Called *>(User);
  if (++Seen->Times == 1)
    Seen->Status.set_value(Status);
}

TEST_F(Events, CallbacksRunOnceEach) {
  Event Gate = userEvent();
  Event Done;
  ASSERT_OK(launchAdd(Q, {Gate}, Done.out()));
  Called Complete, Running, Submitted;
  ASSERT_OK(clSetEventCallback(Done, CL_COMPLETE, noteStatus, &Complete));
  ASSERT_OK(clSetEventCallback(Done, CL_RUNNING, noteStatus, &Running));
  ASSERT_OK(clSetEventCallback(Done, CL_SUBMITTED, noteStatus, &Submitted));
  ASSERT_OK(clFlush(Q));
  EXPECT_EQ(0, Complete.Times);
  ASSERT_OK(clSetUserEventStatus(Gate, CL_COMPLETE));
  ASSERT_OK(clFinish(Q));
  auto Limit = std::chrono::seconds(20);
  for (Called *Each : {&Complete, &Running, &Submitted}) {
    auto Future = Each->Status.get_future();
    ASSERT_EQ(std::future_status::ready, Future.wait_for(Limit));
    if (Each == &Complete)
      EXPECT_EQ(CL_COMPLETE, Future.get());
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(1, Complete.Times);
  EXPECT_EQ(1, Running.Times);
  EXPECT_EQ(1, Submitted.Times);
}

struct Relay {
  cl_command_queue Q;
  cl_kernel Next;
  std::promise<cl_int> Enqueued;
};

void CL_CALLBACK launchNext(cl_event, cl_int, void *User) {
  auto *R = static_cast<Relay *>(User);
  cl_int Error = launch(R->Q, R->Next, {{Count}});
  clFlush(R->Q);
  R->Enqueued.set_value(Error);
}

TEST_F(Events, CallbackMayLaunch) {
  Kernel Next = kernel(P, "add");
  setArgs(Next, Data, cl_int(10));
  Queue Second = queue(0);
  Relay R{Second, Next, {}};
  Event Gate = userEvent();
  Event Done;
  ASSERT_OK(launchAdd(Q, {Gate}, Done.out()));
  ASSERT_OK(clSetEventCallback(Done, CL_COMPLETE, launchNext, &R));
  ASSERT_OK(clFlush(Q));
  ASSERT_OK(clSetUserEventStatus(Gate, CL_COMPLETE));
  auto Future = R.Enqueued.get_future();
  ASSERT_EQ(std::future_status::ready,
            Future.wait_for(std::chrono::seconds(60)));
  ASSERT_OK(Future.get());
  ASSERT_OK(clFinish(Second));
  EXPECT_EQ(std::vector<cl_int>(Count, 11), read<cl_int>(Data, Count));
}

TEST_F(Events, OutliveTheirQueue) {
  if (platformName() == "Intel(R) OpenCL")
    GTEST_SKIP() << "now and then it drops what a released queue still holds";
  Event Done;
  {
    Queue Short = queue(0);
    ASSERT_OK(launchAdd(Short, {}, Done.out()));
    ASSERT_OK(clFlush(Short));
  }
  cl_event List[] = {Done};
  ASSERT_OK(clWaitForEvents(1, List));
  EXPECT_EQ(CL_COMPLETE, status(Done));
  EXPECT_EQ(std::vector<cl_int>(Count, 1), read<cl_int>(Data, Count));
}

TEST_F(Events, FailedUserEventFailsTheLaunch) {
  // In a queue of its own: the failure may poison what follows in it.
  Queue Doomed = queue(0);
  Event Gate = userEvent();
  Event Done;
  ASSERT_OK(launchAdd(Doomed, {Gate}, Done.out()));
  ASSERT_OK(clFlush(Doomed));
  ASSERT_OK(clSetUserEventStatus(Gate, -5));
  cl_event List[] = {Done};
  EXPECT_EQ(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clWaitForEvents(1, List));
  EXPECT_EQ(std::vector<cl_int>(Count, 0), read<cl_int>(Data, Count));
}

} // namespace
