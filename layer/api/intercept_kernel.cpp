//===- layer/api/intercept_kernel.cpp - kernels, their arguments and their
// launches ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/intercept.h"

#include "abi/sampler.h"
#include "layer/api/handle_checks.h"
#include "layer/launch/launch.h"
#include "layer/launch/twin_kernel.h"
#include "layer/process/counters.h"
#include "layer/twin/build.h"

#include <cstring>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// The build that a kernel of \p Handle comes from. A program that was not
/// built in our sight gets one that says so.
static std::shared_ptr<Build> buildOf(cl_program Handle) {
  if (auto P = Programs.find(Handle)) {
    std::lock_guard Lock(P->Mutex);
    if (P->Current)
      return P->Current;
  }
  auto Ctx = contextOf(queryValue<cl_context>(Next->clGetProgramInfo, Handle,
                                              CL_PROGRAM_CONTEXT, nullptr));
  return std::make_shared<Build>(
      Ctx, 0, nullptr, BuildRecipes(),
      "its program was built outside of WarpSan's sight", nullptr);
}

static std::shared_ptr<const Life> newLife(const std::string &Name,
                                           const char *Call) {
  return std::make_shared<const Life>(Life::Kind::Kernel, Call, Name);
}

static void noteKernel(cl_kernel Handle, cl_program Program,
                       const std::shared_ptr<Build> &From,
                       const std::string &Name, const char *Call) {
  From->choose(Program);
  auto Count =
      queryValue<cl_uint>(Next->clGetKernelInfo, Handle, CL_KERNEL_NUM_ARGS, 0);
  auto K = std::make_shared<Kernel>(From->Ctx, From, From->kernel(Name), Count,
                                    newLife(Name, Call));
  K->Twin->noteCreated();
  enter(Kernels, Handle, std::move(K));
}

static cl_kernel CL_API_CALL createKernel(cl_program Program, const char *Name,
                                          cl_int *Error) {
  Stopwatch Timing(Counter::build_ns);
  cl_kernel Handle = Next->clCreateKernel(Program, Name, Error);
  if (Handle)
    noteKernel(Handle, Program, buildOf(Program), Name, "clCreateKernel");
  return Handle;
}

static cl_int CL_API_CALL createKernelsInProgram(cl_program Program,
                                                 cl_uint Count,
                                                 cl_kernel *Handles,
                                                 cl_uint *CountReturn) {
  Stopwatch Timing(Counter::build_ns);
  // The driver writes to the application's own: some do not in case of an
  // error.
  cl_uint Room = 0;
  cl_uint *Created = CountReturn ? CountReturn : &Room;
  cl_int Error =
      Next->clCreateKernelsInProgram(Program, Count, Handles, Created);
  if (Error != CL_SUCCESS || !Handles)
    return Error;
  auto From = buildOf(Program);
  for (cl_uint I = 0; I < *Created && I < Count; ++I)
    noteKernel(
        Handles[I], Program, From,
        queryString(Next->clGetKernelInfo, Handles[I], CL_KERNEL_FUNCTION_NAME),
        "clCreateKernelsInProgram");
  return Error;
}

static cl_kernel CL_API_CALL cloneKernel(cl_kernel Source, cl_int *Error) {
  cl_kernel Handle = Next->clCloneKernel(Source, Error);
  auto Original = Handle ? Kernels.find(Source) : nullptr;
  if (!Original)
    return Handle;
  auto K =
      std::make_shared<Kernel>(Original->Ctx, Original->From, Original->Twin, 0,
                               newLife(Original->Info->Name, "clCloneKernel"));
  K->Args.copyFrom(Original->Args);
  enter(Kernels, Handle, std::move(K));
  return Handle;
}

static cl_int CL_API_CALL retainKernel(cl_kernel Handle) {
  cl_int Error = Next->clRetainKernel(Handle);
  if (Error == CL_SUCCESS)
    noteRetained(Kernels, Handle);
  return Error;
}

static cl_int CL_API_CALL releaseKernel(cl_kernel Handle) {
  if (reportIfReleased(FindingKind::over_release, "clReleaseKernel", Handle))
    return CL_INVALID_KERNEL;
  letGo(Kernels, Handle, "clReleaseKernel");
  return Next->clReleaseKernel(Handle);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

// Whether the argument takes one is not known here; a number that happens to be
// some handle's address is sorted out at the launch.
std::shared_ptr<const Memory> warpsan::memoryIn(size_t Size,
                                                const void *Value) {
  cl_mem Handle = nullptr;
  if (Value && Size == sizeof(Handle))
    std::memcpy(&Handle, Value, sizeof(Handle));
  if (!Handle)
    return nullptr;
  if (auto Live = Memories.find(Handle))
    return Live;
  // If that is what it is, the launch says so.
  auto Dead = buriedAt(Handle);
  return Dead && Dead->isMemory() ? std::static_pointer_cast<const Memory>(Dead)
                                  : nullptr;
}

/// Whether argument \p Index is one of memory. Some drivers know only if the
/// program was built to tell.
static bool takesMemory(cl_kernel Handle, cl_uint Index) {
  cl_kernel_arg_address_qualifier Space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  return Next->clGetKernelArgInfo(
             Handle, Index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(Space),
             &Space, nullptr) == CL_SUCCESS &&
         (Space == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
          Space == CL_KERNEL_ARG_ADDRESS_CONSTANT);
}

/// The mode of the sampler that \p Value is the handle of, as in abi/sampler.h.
static cl_ulong samplerModeIn(size_t Size, const void *Value) {
  cl_sampler Handle = nullptr;
  if (!Value || Size != sizeof(Handle))
    return WS_SAMPLER_ADDRESSES;
  std::memcpy(&Handle, Value, sizeof(Handle));
  const auto Known = Handle ? Samplers.find(Handle) : nullptr;
  return Known ? Known->Mode : WS_SAMPLER_ADDRESSES;
}

static cl_int CL_API_CALL setKernelArg(cl_kernel Handle, cl_uint Index,
                                       size_t Size, const void *Value) {
  auto K = Kernels.find(Handle);
  auto Of = memoryIn(Size, Value);
  if (K && Of && Of->Released.load() && takesMemory(Handle, Index))
    reportReleasedObject(FindingKind::use_after_release, "clSetKernelArg", Of);
  cl_int Error = Next->clSetKernelArg(Handle, Index, Size, Value);
  if (Error == CL_SUCCESS && K)
    K->Args.set(Index,
                Value ? KernelArg::Source::Value : KernelArg::Source::Null,
                Size, Value, std::move(Of), samplerModeIn(Size, Value));
  return Error;
}

static cl_int CL_API_CALL setKernelArgSVMPointer(cl_kernel Handle,
                                                 cl_uint Index,
                                                 const void *Pointer) {
  cl_int Error = Next->clSetKernelArgSVMPointer(Handle, Index, Pointer);
  if (Error == CL_SUCCESS)
    if (auto K = Kernels.find(Handle))
      K->Args.set(Index, KernelArg::Source::SVMPointer, sizeof(Pointer),
                  &Pointer);
  return Error;
}

static cl_int CL_API_CALL setKernelExecInfo(cl_kernel Handle,
                                            cl_kernel_exec_info Name,
                                            size_t Size, const void *Value) {
  cl_int Error = Next->clSetKernelExecInfo(Handle, Name, Size, Value);
  if (Error == CL_SUCCESS)
    if (auto K = Kernels.find(Handle))
      K->Args.setExecInfo(Name, Size, Value);
  return Error;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Launches, counts the launch, and waits for it if every launch is to be
/// waited for. Returns the error for the application.
static cl_int launchAndCount(cl_command_queue Queue, cl_kernel Handle,
                             const NDRange &Range, const EventArgs &Events,
                             const EnqueueKernel &Enqueue) {
  Launch Done = launch(Queue, Handle, Range, &Events, Enqueue);
  Done.count();
  if (Done.Error == CL_SUCCESS)
    waitIfSynchronous(Queue);
  return Done.Error;
}

static cl_int CL_API_CALL enqueueNDRangeKernel(
    cl_command_queue Queue, cl_kernel Handle, cl_uint Dimensions,
    const size_t *Offset, const size_t *Global, const size_t *Local,
    cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  const NDRange Range{"clEnqueueNDRangeKernel", Dimensions, Offset, Global,
                      Local};
  const EventArgs Events{WaitCount, WaitList, Event};
  auto Enqueue = [&](cl_kernel Chosen, const size_t *ChosenLocal,
                     const EventArgs &Given) {
    return Next->clEnqueueNDRangeKernel(Queue, Chosen, Dimensions, Offset,
                                        Global, ChosenLocal, Given.WaitCount,
                                        Given.WaitList, Given.Event);
  };
  return launchAndCount(Queue, Handle, Range, Events, Enqueue);
}

static cl_int CL_API_CALL enqueueTask(cl_command_queue Queue, cl_kernel Handle,
                                      cl_uint WaitCount,
                                      const cl_event *WaitList,
                                      cl_event *Event) {
  const NDRange Range{"clEnqueueTask"};
  const EventArgs Events{WaitCount, WaitList, Event};
  auto Enqueue = [&](cl_kernel Chosen, const size_t *, const EventArgs &Given) {
    return Next->clEnqueueTask(Queue, Chosen, Given.WaitCount, Given.WaitList,
                               Given.Event);
  };
  return launchAndCount(Queue, Handle, Range, Events, Enqueue);
}

void warpsan::interceptKernels(cl_icd_dispatch &Table) {
  Table.clCreateKernel = createKernel;
  Table.clCreateKernelsInProgram = createKernelsInProgram;
  Table.clCloneKernel = cloneKernel;
  Table.clRetainKernel = retainKernel;
  Table.clReleaseKernel = releaseKernel;
  Table.clSetKernelArg = setKernelArg;
  Table.clSetKernelArgSVMPointer = setKernelArgSVMPointer;
  Table.clSetKernelExecInfo = setKernelExecInfo;
  Table.clEnqueueNDRangeKernel = enqueueNDRangeKernel;
  Table.clEnqueueTask = enqueueTask;
}
