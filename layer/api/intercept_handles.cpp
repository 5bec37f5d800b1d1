//===- layer/api/intercept_handles.cpp - handles that are used and handed
// out --------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/intercept.h"

#include "layer/api/dispatch_pipeline.h"
#include "layer/api/handle_checks.h"
#include "layer/process/settings.h"

using namespace warpsan;

//===----------------------------------------------------------------------===//
// Handed out
//===----------------------------------------------------------------------===//

template <typename HandleT, typename ObjectT>
static void handOutAt(HandleTable<HandleT, ObjectT> &Table, const void *Value) {
  if (auto *Handle = *static_cast<const HandleT *>(Value))
    handOut(Table, Handle);
}

/// A query has answered with \p Value. The numbers of what is asked for are
/// different for all queries.
static void noteAnswer(cl_uint Name, const void *Value) {
  switch (Name) {
  case CL_QUEUE_CONTEXT:
  case CL_MEM_CONTEXT:
  case CL_SAMPLER_CONTEXT:
  case CL_PROGRAM_CONTEXT:
  case CL_KERNEL_CONTEXT:
  case CL_EVENT_CONTEXT:
    return handOutAt(Contexts, Value);
  case CL_EVENT_COMMAND_QUEUE:
  case CL_QUEUE_DEVICE_DEFAULT:
    return handOutAt(Queues, Value);
  case CL_MEM_ASSOCIATED_MEMOBJECT:
  case CL_IMAGE_BUFFER:
    return handOutAt(Memories, Value);
  case CL_KERNEL_PROGRAM:
    return handOutAt(Programs, Value);
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Used
//===----------------------------------------------------------------------===//

namespace {

/// Commands whose memory objects may be others than before. Launches see to
/// themselves.
consteval bool mayChange(std::string_view Call) {
  return Call.starts_with("clEnqueue") && !Call.starts_with("clEnqueueRead") &&
         Call != "clEnqueueNDRangeKernel" && Call != "clEnqueueTask";
}

template <CallName Call, auto Slot> struct HandleCheck;

template <CallName Call, typename R, typename... Args,
          R (*cl_icd_dispatch::*Slot)(Args...)>
struct HandleCheck<Call, Slot> {
  static R CL_API_CALL call(Args... Given) {
    checkHandles(Call.Text, Given...);
    Changes Changed;
    if constexpr (mayChange(Call.Text))
      noteChanges(Changed, Given...);
    return (Pipeline.Wrappers.*Slot)(Given...);
  }
};

/// A query.
template <CallName Call, typename HandleT,
          cl_int (*cl_icd_dispatch::*Slot)(HandleT, cl_uint, size_t, void *,
                                           size_t *)>
struct HandleCheck<Call, Slot> {
  static cl_int CL_API_CALL call(HandleT Handle, cl_uint Name, size_t Size,
                                 void *Value, size_t *SizeReturn) {
    checkHandles(Call.Text, Handle);
    cl_int Error =
        (Pipeline.Wrappers.*Slot)(Handle, Name, Size, Value, SizeReturn);
    if (Error == CL_SUCCESS && Value)
      noteAnswer(Name, Value);
    return Error;
  }
};

} // namespace

void warpsan::addHandleChecks() {
  Pipeline.HandleChecks = Pipeline.Wrappers;
  if (!wantChecks()) {
    stopBurying();
    return;
  }
#define USE(name)                                                              \
  if (!Pipeline.Wrappers.name)                                                 \
    Pipeline.Wrappers.name = Next->name;                                       \
  Pipeline.HandleChecks.name = HandleCheck<#name, &cl_icd_dispatch::name>::call;
#include "layer/api/handle_checks.def"
#undef USE
}
