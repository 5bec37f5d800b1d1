//===- layer/api/order/ordering_stage.cpp - orders an application's calls -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/order/ordering_stage.h"

#include "layer/api/dispatch_pipeline.h"
#include "layer/api/order/ordered_call.h"
#include "layer/process/settings.h"

using namespace warpsan;

static constexpr cl_icd_dispatch &Below = Pipeline.HandleChecks;

namespace {

template <CallName Call, auto Slot> struct Ordered;

template <CallName Call, typename R, typename... Args,
          R (*cl_icd_dispatch::*Slot)(Args...)>
struct Ordered<Call, Slot> {
  static R CL_API_CALL call(Args... Given) {
    auto *Make = Below.*Slot;
    return judgesOrder() ? orderedCall<Call>(Make, Given...) : Make(Given...);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

static cl_int CL_API_CALL finish(cl_command_queue Queue) {
  const cl_int Error = Below.clFinish(Queue);
  withCommandGraph([&](CommandGraph &G) { G.completeQueue(Queue); });
  return Error;
}

// An error may be that of a command, which has ended, too.
static cl_int CL_API_CALL waitForEvents(cl_uint Count, const cl_event *Events) {
  const cl_int Error = Below.clWaitForEvents(Count, Events);
  withCommandGraph([&](CommandGraph &G) {
    for (cl_uint I = 0; Events && I < Count; ++I)
      G.completeEvent(Events[I]);
  });
  return Error;
}

static cl_int CL_API_CALL enqueueWaitForEvents(cl_command_queue Queue,
                                               cl_uint Count,
                                               const cl_event *Events) {
  withCommandGraph([&](CommandGraph &G) {
    if (Events)
      G.addWaits(Queue, {Events, Count});
  });
  return Below.clEnqueueWaitForEvents(Queue, Count, Events);
}

static cl_int CL_API_CALL getEventInfo(cl_event Event, cl_event_info Name,
                                       size_t Size, void *Value,
                                       size_t *SizeReturn) {
  const cl_int Error =
      Below.clGetEventInfo(Event, Name, Size, Value, SizeReturn);
  if (Error == CL_SUCCESS && Name == CL_EVENT_COMMAND_EXECUTION_STATUS &&
      Value && *static_cast<cl_int *>(Value) <= CL_COMPLETE)
    withCommandGraph([&](CommandGraph &G) { G.completeEvent(Event); });
  return Error;
}

static cl_int CL_API_CALL getEventProfilingInfo(cl_event Event,
                                                cl_profiling_info Name,
                                                size_t Size, void *Value,
                                                size_t *SizeReturn) {
  const cl_int Error =
      Below.clGetEventProfilingInfo(Event, Name, Size, Value, SizeReturn);
  if (Error == CL_SUCCESS)
    withCommandGraph([&](CommandGraph &G) { G.completeEvent(Event); });
  return Error;
}

// The function may be called, and enqueue commands, before this one returns.
static cl_int CL_API_CALL setEventCallback(
    cl_event Event, cl_int When,
    void(CL_CALLBACK *Notify)(cl_event, cl_int, void *), void *UserData) {
  withCommandGraph([&](CommandGraph &G) { G.silenceEvent(Event); });
  return Below.clSetEventCallback(Event, When, Notify, UserData);
}

// Many drivers wait here for the queue's commands, and programs rely on it.
static cl_int CL_API_CALL releaseCommandQueue(cl_command_queue Queue) {
  withCommandGraph([&](CommandGraph &G) { G.silenceQueue(Queue); });
  return Below.clReleaseCommandQueue(Queue);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static cl_int CL_API_CALL retainEvent(cl_event Event) {
  const cl_int Error = Below.clRetainEvent(Event);
  if (Error == CL_SUCCESS)
    withCommandGraph([&](CommandGraph &G) { G.retainEvent(Event); });
  return Error;
}

// Before the driver has it: it may hand the same address out again.
static cl_int CL_API_CALL releaseEvent(cl_event Event) {
  withCommandGraph([&](CommandGraph &G) { G.releaseEvent(Event); });
  return Below.clReleaseEvent(Event);
}

static cl_event CL_API_CALL createUserEvent(cl_context Context, cl_int *Error) {
  cl_event Event = Below.clCreateUserEvent(Context, Error);
  if (Event)
    withCommandGraph([&](CommandGraph &G) { G.addUserEvent(Event); });
  return Event;
}

static cl_int CL_API_CALL setUserEventStatus(cl_event Event, cl_int Status) {
  const cl_int Error = Below.clSetUserEventStatus(Event, Status);
  if (Error == CL_SUCCESS)
    withCommandGraph(
        [&](CommandGraph &G) { G.setUserEvent(Event, Status < 0); });
  return Error;
}

//===----------------------------------------------------------------------===//
// Functions of the application's that tell it what is complete
//===----------------------------------------------------------------------===//

static cl_int CL_API_CALL setMemObjectDestructorCallback(
    cl_mem Memory, void(CL_CALLBACK *Notify)(cl_mem, void *), void *UserData) {
  stopJudgingOrder();
  return Below.clSetMemObjectDestructorCallback(Memory, Notify, UserData);
}

static cl_int CL_API_CALL setContextDestructorCallback(
    cl_context Context, void(CL_CALLBACK *Notify)(cl_context, void *),
    void *UserData) {
  stopJudgingOrder();
  return Below.clSetContextDestructorCallback(Context, Notify, UserData);
}

static cl_int CL_API_CALL setProgramReleaseCallback(
    cl_program Program, void(CL_CALLBACK *Notify)(cl_program, void *),
    void *UserData) {
  stopJudgingOrder();
  return Below.clSetProgramReleaseCallback(Program, Notify, UserData);
}

//===----------------------------------------------------------------------===//
// The stage
//===----------------------------------------------------------------------===//

namespace {

template <CallName Call, auto Slot> void orderIfCommand() {
  if constexpr (enqueuesCommand(Call.Text)) {
    if (!(Below.*Slot))
      Below.*Slot = Next->*Slot;
    if (Below.*Slot)
      Pipeline.Ordering.*Slot = Ordered<Call, Slot>::call;
  }
}

/// Puts \p Ours before the next stage's function, which is the driver's if
/// there is none.
template <auto Slot, typename Fn> void orderBy(Fn *Ours) {
  if (!(Below.*Slot))
    Below.*Slot = Next->*Slot;
  if (Below.*Slot)
    Pipeline.Ordering.*Slot = Ours;
}

} // namespace

void warpsan::addOrdering() {
  Pipeline.Ordering = Below;
  if (!watchesRaces())
    return;
#define CALL(name) orderIfCommand<#name, &cl_icd_dispatch::name>();
#include "layer/api/calls.def"
#undef CALL
#define ORDER(name, ours) orderBy<&cl_icd_dispatch::name>(ours)
  ORDER(clFinish, finish);
  ORDER(clWaitForEvents, waitForEvents);
  ORDER(clEnqueueWaitForEvents, enqueueWaitForEvents);
  ORDER(clGetEventInfo, getEventInfo);
  ORDER(clGetEventProfilingInfo, getEventProfilingInfo);
  ORDER(clSetEventCallback, setEventCallback);
  ORDER(clReleaseCommandQueue, releaseCommandQueue);
  ORDER(clRetainEvent, retainEvent);
  ORDER(clReleaseEvent, releaseEvent);
  ORDER(clCreateUserEvent, createUserEvent);
  ORDER(clSetUserEventStatus, setUserEventStatus);
  ORDER(clSetMemObjectDestructorCallback, setMemObjectDestructorCallback);
  ORDER(clSetContextDestructorCallback, setContextDestructorCallback);
  ORDER(clSetProgramReleaseCallback, setProgramReleaseCallback);
#undef ORDER
}
