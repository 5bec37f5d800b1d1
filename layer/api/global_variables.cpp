//===- layer/api/global_variables.cpp - reads and writes of program-scope
// variables by the host --------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/global_variables.h"

#include "layer/api/extensions.h"
#include "layer/findings/findings.h"
#include "layer/launch/setters.h"
#include "layer/twin/build.h"

using namespace warpsan;

/// What \p Program's kernels are of; null if that is not known.
static std::shared_ptr<Build> buildOf(cl_program Program) {
  auto P = Programs.find(Program);
  if (!P)
    return nullptr;
  std::lock_guard Lock(P->Mutex);
  return P->Current;
}

cl_int CL_API_CALL ext::clEnqueueWriteGlobalVariableINTEL(
    cl_command_queue Queue, cl_program Program, const char *Name,
    cl_bool Blocking, size_t Size, size_t Offset, const void *From,
    cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  const auto Of = buildOf(Program);
  cl_device_id Device = deviceOf(Queue);
  cl_int Error = CL_SUCCESS;
  if (Of && Device && Name && Offset + Size >= Size)
    Error = Of->on(Device).Sets->write(Queue, Device, Program,
                                       {Name, Offset, Offset + Size}, Blocking,
                                       From, {WaitCount, WaitList, Event});
  else
    Error = extensionsOf(Queue).clEnqueueWriteGlobalVariableINTEL(
        Queue, Program, Name, Blocking, Size, Offset, From, WaitCount, WaitList,
        Event);
  if (Blocking)
    reportRecords();
  return Error;
}

cl_int CL_API_CALL ext::clEnqueueReadGlobalVariableINTEL(
    cl_command_queue Queue, cl_program Program, const char *Name,
    cl_bool Blocking, size_t Size, size_t Offset, void *To, cl_uint WaitCount,
    const cl_event *WaitList, cl_event *Event) {
  const auto Of = buildOf(Program);
  cl_device_id Device = deviceOf(Queue);
  cl_program Counts = nullptr;
  if (Of && Device && Of->on(Device).countsTwinsCopy())
    Counts = Of->on(Device).Sets->copyOn(Device);
  const cl_int Error = extensionsOf(Queue).clEnqueueReadGlobalVariableINTEL(
      Queue, Counts ? Counts : Program, Name, Blocking, Size, Offset, To,
      WaitCount, WaitList, Event);
  if (Blocking)
    reportRecords();
  return Error;
}

cl_int CL_API_CALL ext::clGetDeviceGlobalVariablePointerINTEL(
    cl_device_id Device, cl_program Program, const char *Name, size_t *Size,
    void **Pointer) {
  auto Ask = [&](cl_program Of, size_t *SizeReturn, void **To) {
    return extensionsOf(deviceOf(Device).Platform)
        .clGetDeviceGlobalVariablePointerINTEL(Device, Of, Name, SizeReturn,
                                               To);
  };
  const cl_int Error = Ask(Program, Size, Pointer);
  const auto Of = Error == CL_SUCCESS ? buildOf(Program) : nullptr;
  if (!Of || !Pointer)
    return Error;
  void *InTwin = nullptr;
  if (Of->on(Device).pinVariables(Device, [&](cl_program Twin) {
        size_t Same = 0;
        return Ask(Twin, &Same, &InTwin) == CL_SUCCESS && InTwin;
      }))
    *Pointer = InTwin;
  return Error;
}
