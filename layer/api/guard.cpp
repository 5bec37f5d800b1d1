//===- layer/api/guard.cpp - what stands before every wrapper -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/guard.h"

#include "layer/api/dispatch_pipeline.h"
#include "layer/api/handle_checks.h"

using namespace warpsan;

/// Calls in which what was done before pass-through mode still matters: objects
/// that we keep something of, buffers that are larger than was asked for,
/// shared virtual memory that we placed, launches, which are counted, and the
/// records of launches that came before.
static consteval bool staysOurs(std::string_view Call) {
  for (const char *Prefix :
       {"clRelease", "clRetain", "clEnqueue", "clWait", "clFinish", "clFlush"})
    if (Call.starts_with(Prefix))
      return true;
  for (const char *Each :
       {"clGetContextInfo", "clGetMemObjectInfo", "clCreateSubBuffer",
        "clCreateImage", "clCreateImageWithProperties", "clSVMFree"})
    if (Call == Each)
      return true;
  return false;
}

namespace {

template <CallName Call, auto Slot> struct Guard;

template <CallName Call, typename R, typename... Args,
          R (*cl_icd_dispatch::*Slot)(Args...)>
struct Guard<Call, Slot> {
  static R CL_API_CALL call(Args... Given) {
    if constexpr (!staysOurs(Call.Text))
      if (isPassThrough())
        return (Next->*Slot)(Given...);
    return guarded<R>(Pipeline.Ordering.*Slot, Given...);
  }
};

} // namespace

void warpsan::addGuards() {
  Pipeline.Guards = Pipeline.Ordering;
#define CALL(name)                                                             \
  if (Pipeline.Guards.name)                                                    \
    Pipeline.Guards.name = Guard<#name, &cl_icd_dispatch::name>::call;
#include "layer/api/calls.def"
#undef CALL
}
