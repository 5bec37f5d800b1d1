//===- layer/api/intercept_context.cpp - contexts, queues and samplers ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/intercept.h"

#include "abi/sampler.h"
#include "layer/api/handle_checks.h"
#include "layer/findings/findings.h"
#include "layer/findings/leaks.h"
#include "layer/launch/race_shadow.h"
#include "layer/order/command_order.h"
#include "layer/process/counters.h"
#include "layer/process/settings.h"
#include "layer/records/record_buffer.h"
#include "layer/svm/svm_ranges.h"

#include <algorithm>

using namespace warpsan;

Context::Context(cl_context Handle, cl_platform_id Platform,
                 std::shared_ptr<const Life> Info,
                 std::vector<cl_ulong> SizeLimits)
    : Handle(Handle), Platform(Platform), Info(std::move(Info)),
      SizeLimits(std::move(SizeLimits)),
      Retained(Next->clRetainContext(Handle) == CL_SUCCESS) {}

Context::~Context() {
  Records.clear();
  if (Retained)
    Next->clReleaseContext(Handle);
}

cl_uint Context::references() const {
  return queryValue<cl_uint>(Next->clGetContextInfo, Handle,
                             CL_CONTEXT_REFERENCE_COUNT, 0);
}

std::shared_ptr<RecordBuffer> Context::recordBuffer(cl_device_id Device) {
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Records.find(Device);
        It != Records.end() && It->second && !It->second->isFull())
      return It->second;
  }
  auto New = RecordBuffer::make(*this, Device);
  std::lock_guard Lock(Mutex);
  std::shared_ptr<RecordBuffer> &Known = Records[Device];
  if (!Known || Known->isFull())
    Known.swap(New); // what was there goes outside of the lock
  return Known;
}

/// \p Call made it; empty: out of our sight.
static std::shared_ptr<Context> newContext(cl_context Handle,
                                           const char *Call) {
  auto Devices = queryList<cl_device_id>(Next->clGetContextInfo, Handle,
                                         CL_CONTEXT_DEVICES);
  cl_platform_id Platform =
      Devices.empty()
          ? nullptr
          : queryValue<cl_platform_id>(Next->clGetDeviceInfo, Devices.front(),
                                       CL_DEVICE_PLATFORM, nullptr);
  std::vector<cl_ulong> SizeLimits;
  for (cl_device_id Device : Devices)
    for (cl_device_info Limit :
         {CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE})
      SizeLimits.push_back(
          queryValue<cl_ulong>(Next->clGetDeviceInfo, Device, Limit, 0));
  return std::make_shared<Context>(
      Handle, Platform, std::make_shared<const Life>(Life::Kind::Context, Call),
      std::move(SizeLimits));
}

static void noteContext(cl_context Handle, const char *Call) {
  if (!Handle)
    return;
  noteContextMade(Handle);
  enter(Contexts, Handle, newContext(Handle, Call));
  addCount(Counter::contexts);
}

std::shared_ptr<Context> warpsan::contextOf(cl_context Handle) {
  if (auto Known = Contexts.find(Handle))
    return Known;
  return Contexts.addIfAbsent(Handle, newContext(Handle, ""));
}

static cl_context CL_API_CALL createContext(
    const cl_context_properties *Properties, cl_uint Count,
    const cl_device_id *Devices,
    void(CL_CALLBACK *Notify)(const char *, const void *, size_t, void *),
    void *UserData, cl_int *Error) {
  cl_context Handle = Next->clCreateContext(Properties, Count, Devices, Notify,
                                            UserData, Error);
  noteContext(Handle, "clCreateContext");
  return Handle;
}

static cl_context CL_API_CALL createContextFromType(
    const cl_context_properties *Properties, cl_device_type Type,
    void(CL_CALLBACK *Notify)(const char *, const void *, size_t, void *),
    void *UserData, cl_int *Error) {
  cl_context Handle =
      Next->clCreateContextFromType(Properties, Type, Notify, UserData, Error);
  noteContext(Handle, "clCreateContextFromType");
  return Handle;
}

static cl_int CL_API_CALL retainContext(cl_context Handle) {
  const auto Known = Contexts.find(Handle);
  if (Known)
    ++Known->RetainsBegun;
  cl_int Error = Next->clRetainContext(Handle);
  if (Known)
    ++Known->RetainsEnded;
  if (Error == CL_SUCCESS)
    noteRetained(Contexts, Handle);
  return Error;
}

static cl_int CL_API_CALL releaseContext(cl_context Handle) {
  reportRecords();
  if (reportIfReleased(FindingKind::over_release, "clReleaseContext", Handle))
    return CL_INVALID_CONTEXT;
  if (auto Last = letGo(Contexts, Handle, "clReleaseContext")) {
    noteContextGone(Handle);
    emptyQuarantine(Handle);
  }
  return Next->clReleaseContext(Handle);
}

/// The application gets the number of its own references only.
static cl_int CL_API_CALL getContextInfo(cl_context Handle,
                                         cl_context_info Name, size_t Size,
                                         void *Value, size_t *SizeReturn) {
  cl_int Error = Next->clGetContextInfo(Handle, Name, Size, Value, SizeReturn);
  if (Error == CL_SUCCESS && Name == CL_CONTEXT_REFERENCE_COUNT && Value)
    if (auto Known = Contexts.find(Handle)) {
      auto *Count = static_cast<cl_uint *>(Value);
      *Count -= std::min(*Count, Known->ownReferences());
    }
  return Error;
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

void warpsan::noteQueue(cl_command_queue Handle, cl_context Context,
                        cl_device_id Device, const char *Call) {
  if (!Handle)
    return;
  constexpr cl_command_queue_properties Unknown = cl_ulong(1) << 63;
  const auto Properties = queryValue<cl_command_queue_properties>(
      Next->clGetCommandQueueInfo, Handle, CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | Unknown);
  const bool IsKnown = !(Properties & Unknown);
  auto Q = std::make_shared<Queue>();
  Q->Context = Context;
  Q->Device = Device;
  Q->Info = std::make_shared<const Life>(Life::Kind::Queue, Call);
  Q->InOrder = !(Properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  if (watchesRaces())
    Q->Shadow = std::make_shared<RaceShadow>();
  withCommandGraph([&](CommandGraph &G) {
    // In doubt it is in order: then its commands do not race.
    G.addQueue(Handle, Q->InOrder || !IsKnown);
  });
  auto Ctx = contextOf(Context);
  ++Ctx->QueuesMade;
  if (!Q->InOrder)
    Ctx->OutOfOrder = true;
  enter(Queues, Handle, std::move(Q));
}

static cl_command_queue CL_API_CALL
createCommandQueue(cl_context Context, cl_device_id Device,
                   cl_command_queue_properties Properties, cl_int *Error) {
  cl_command_queue Handle =
      Next->clCreateCommandQueue(Context, Device, Properties, Error);
  noteQueue(Handle, Context, Device, "clCreateCommandQueue");
  return Handle;
}

static cl_command_queue CL_API_CALL createCommandQueueWithProperties(
    cl_context Context, cl_device_id Device,
    const cl_queue_properties *Properties, cl_int *Error) {
  cl_command_queue Handle = Next->clCreateCommandQueueWithProperties(
      Context, Device, Properties, Error);
  noteQueue(Handle, Context, Device, "clCreateCommandQueueWithProperties");
  return Handle;
}

static cl_int CL_API_CALL setCommandQueueProperty(
    cl_command_queue Handle, cl_command_queue_properties Properties,
    cl_bool Enable, cl_command_queue_properties *Old) {
  if (auto Q = Queues.find(Handle)) { // it may be from now on
    Q->InOrder = false;
    contextOf(Q->Context)->OutOfOrder = true;
  }
  withCommandGraph([&](CommandGraph &G) { G.distrustQueue(Handle); });
  return Next->clSetCommandQueueProperty(Handle, Properties, Enable, Old);
}

static cl_event CL_API_CALL createUserEvent(cl_context Context, cl_int *Error) {
  if (auto Ctx = Contexts.find(Context))
    Ctx->HostGates = true;
  return Next->clCreateUserEvent(Context, Error);
}

static cl_int CL_API_CALL retainCommandQueue(cl_command_queue Handle) {
  cl_int Error = Next->clRetainCommandQueue(Handle);
  if (Error == CL_SUCCESS)
    noteRetained(Queues, Handle);
  return Error;
}

static cl_int CL_API_CALL releaseCommandQueue(cl_command_queue Handle) {
  if (reportIfReleased(FindingKind::over_release, "clReleaseCommandQueue",
                       Handle))
    return CL_INVALID_COMMAND_QUEUE;
  // What it has of ours goes after it.
  const auto Last = letGo(Queues, Handle, "clReleaseCommandQueue");
  cl_int Error = Next->clReleaseCommandQueue(Handle);
  reportRecords(); // some drivers finish what is in the queue
  return Error;
}

//===----------------------------------------------------------------------===//
// Samplers
//===----------------------------------------------------------------------===//

/// As in abi/sampler.h.
static cl_ulong modeOf(cl_sampler Handle) {
  auto Ask = [&]<typename T>(cl_sampler_info What, T Default) {
    return queryValue<T>(Next->clGetSamplerInfo, Handle, What, Default);
  };
  const bool IsNormalized = Ask(CL_SAMPLER_NORMALIZED_COORDS, cl_bool(0));
  const bool IsLinear =
      Ask(CL_SAMPLER_FILTER_MODE, cl_filter_mode(0)) == CL_FILTER_LINEAR;
  const bool Addresses =
      Ask(CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode(0)) != CL_ADDRESS_NONE;
  return (IsNormalized ? WS_SAMPLER_NORMALIZED : 0) |
         (IsLinear ? WS_SAMPLER_LINEAR : 0) |
         (Addresses ? WS_SAMPLER_ADDRESSES : 0);
}

static cl_sampler noteSampler(cl_sampler Handle, const char *Call) {
  if (Handle)
    enter(Samplers, Handle,
          std::make_shared<Sampler>(
              Sampler{std::make_shared<const Life>(Life::Kind::Sampler, Call),
                      modeOf(Handle)}));
  return Handle;
}

static cl_sampler CL_API_CALL createSampler(cl_context Context,
                                            cl_bool Normalized,
                                            cl_addressing_mode Addressing,
                                            cl_filter_mode Filter,
                                            cl_int *Error) {
  return noteSampler(
      Next->clCreateSampler(Context, Normalized, Addressing, Filter, Error),
      "clCreateSampler");
}

static cl_sampler CL_API_CALL createSamplerWithProperties(
    cl_context Context, const cl_sampler_properties *Properties,
    cl_int *Error) {
  return noteSampler(
      Next->clCreateSamplerWithProperties(Context, Properties, Error),
      "clCreateSamplerWithProperties");
}

static cl_int CL_API_CALL retainSampler(cl_sampler Handle) {
  cl_int Error = Next->clRetainSampler(Handle);
  if (Error == CL_SUCCESS)
    noteRetained(Samplers, Handle);
  return Error;
}

static cl_int CL_API_CALL releaseSampler(cl_sampler Handle) {
  if (reportIfReleased(FindingKind::over_release, "clReleaseSampler", Handle))
    return CL_INVALID_SAMPLER;
  letGo(Samplers, Handle, "clReleaseSampler");
  return Next->clReleaseSampler(Handle);
}

void warpsan::interceptContexts(cl_icd_dispatch &Table) {
  Table.clCreateContext = createContext;
  Table.clCreateContextFromType = createContextFromType;
  Table.clRetainContext = retainContext;
  Table.clReleaseContext = releaseContext;
  Table.clGetContextInfo = getContextInfo;
  Table.clCreateCommandQueue = createCommandQueue;
  Table.clCreateUserEvent = createUserEvent;
  Table.clCreateCommandQueueWithProperties = createCommandQueueWithProperties;
  Table.clSetCommandQueueProperty = setCommandQueueProperty;
  Table.clRetainCommandQueue = retainCommandQueue;
  Table.clReleaseCommandQueue = releaseCommandQueue;
  Table.clCreateSampler = createSampler;
  Table.clCreateSamplerWithProperties = createSamplerWithProperties;
  Table.clRetainSampler = retainSampler;
  Table.clReleaseSampler = releaseSampler;
}
