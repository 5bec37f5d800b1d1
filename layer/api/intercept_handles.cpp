//===- layer/intercept_uses.cpp - handles that are used and handed out ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/intercept.h"

#include "layer/settings.h"
#include "layer/uses.h"

using namespace warpsan;

/// The table as the others have left it, with the driver's functions where
/// there is none of ours.
static cl_icd_dispatch Behind;

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

template <CallName Call, auto Slot> struct LookBeforeSlot;

template <CallName Call, typename R, typename... Args,
          R (*cl_icd_dispatch::*Slot)(Args...)>
struct LookBeforeSlot<Call, Slot> {
  static R CL_API_CALL call(Args... Given) {
    lookAtAll(Call.Text, Given...);
    Changes Changed;
    if constexpr (mayChange(Call.Text))
      noteChanges(Changed, Given...);
    return (Behind.*Slot)(Given...);
  }
};

/// A query.
template <CallName Call, typename HandleT,
          cl_int (*cl_icd_dispatch::*Slot)(HandleT, cl_uint, size_t, void *,
                                           size_t *)>
struct LookBeforeSlot<Call, Slot> {
  static cl_int CL_API_CALL call(HandleT Handle, cl_uint Name, size_t Size,
                                 void *Value, size_t *SizeReturn) {
    lookAtAll(Call.Text, Handle);
    cl_int Error = (Behind.*Slot)(Handle, Name, Size, Value, SizeReturn);
    if (Error == CL_SUCCESS && Value)
      noteAnswer(Name, Value);
    return Error;
  }
};

} // namespace

void warpsan::interceptUses(cl_icd_dispatch &Table) {
  if (!wantChecks()) {
    stopBurying();
    return;
  }
#define USE(name)                                                              \
  Behind.name = Table.name ? Table.name : Next->name;                          \
  Table.name = LookBeforeSlot<#name, &cl_icd_dispatch::name>::call;
#include "layer/uses.def"
#undef USE
}
