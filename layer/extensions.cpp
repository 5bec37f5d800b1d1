//===- layer/extensions.cpp - extension functions: the driver's, and ours in
// their place ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/extensions.h"

#include "layer/command_buffer.h"
#include "layer/findings.h"
#include "layer/intercept.h"
#include "layer/marked.h"
#include "layer/running.h"
#include "layer/svm_ranges.h"
#include "layer/tally.h"
#include "layer/uses.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// The driver's
//===----------------------------------------------------------------------===//

static std::unique_ptr<ExtensionFunctions> askAll(cl_platform_id Platform) {
  auto F = std::make_unique<ExtensionFunctions>();
#define EXTENSION(name)                                                        \
  F->name = reinterpret_cast<name##_fn>(                                       \
      Next->clGetExtensionFunctionAddressForPlatform(Platform, #name));
#include "layer/extensions.def"
#undef EXTENSION
  return F;
}

const ExtensionFunctions &warpsan::extensionsOf(cl_platform_id Platform) {
  static std::mutex &Mutex = *new std::mutex;
  static auto &Known =
      *new std::map<cl_platform_id, std::unique_ptr<ExtensionFunctions>>;
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Known.find(Platform); It != Known.end())
      return *It->second;
  }
  auto New = askAll(Platform);
  std::lock_guard Lock(Mutex);
  return *Known.try_emplace(Platform, std::move(New)).first->second;
}

static const ExtensionFunctions &driverOf(cl_context Context) {
  return extensionsOf(contextOf(Context)->Platform);
}

const ExtensionFunctions &warpsan::extensionsOf(cl_command_queue Queue) {
  auto Q = Queues.find(Queue);
  return driverOf(Q ? Q->Context
                    : queryValue<cl_context>(Next->clGetCommandQueueInfo, Queue,
                                             CL_QUEUE_CONTEXT, nullptr));
}

/// A kernel knows its context; one that we do not know is asked.
static const ExtensionFunctions &driverOf(cl_kernel Kernel) {
  if (auto K = Kernels.find(Kernel))
    return extensionsOf(K->Ctx->Platform);
  return driverOf(queryValue<cl_context>(Next->clGetKernelInfo, Kernel,
                                         CL_KERNEL_CONTEXT, nullptr));
}

//===----------------------------------------------------------------------===//
// Ours
//===----------------------------------------------------------------------===//

namespace warpsan::ext {

static cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context Context,
                                                       const void *IL,
                                                       size_t Size,
                                                       cl_int *Error) {
  Stopwatch Timing(Counter::build_ns);
  cl_program Handle =
      driverOf(Context).clCreateProgramWithILKHR(Context, IL, Size, Error);
  noteProgramFromIL(Handle, Context, IL, Size, "clCreateProgramWithILKHR");
  return Handle;
}

static cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context Context, cl_device_id Device,
    const cl_queue_properties_khr *Properties, cl_int *Error) {
  cl_command_queue Handle =
      driverOf(Context).clCreateCommandQueueWithPropertiesKHR(
          Context, Device, Properties, Error);
  noteQueue(Handle, Context, Device, "clCreateCommandQueueWithPropertiesKHR");
  return Handle;
}

static cl_mem CL_API_CALL clCreateBufferWithPropertiesINTEL(
    cl_context Context, const cl_mem_properties_intel *Properties,
    cl_mem_flags Flags, size_t Size, void *Host, cl_int *Error) {
  cl_mem Handle = driverOf(Context).clCreateBufferWithPropertiesINTEL(
      Context, Properties, Flags, Size, Host, Error);
  noteBuffer({Handle}, Flags, Size, "clCreateBufferWithPropertiesINTEL");
  return Handle;
}

static void *CL_API_CALL clHostMemAllocINTEL(
    cl_context Context, const cl_mem_properties_intel *Properties, size_t Size,
    cl_uint Alignment, cl_int *Error) {
  void *Start = driverOf(Context).clHostMemAllocINTEL(
      Context, Properties, withGap(Size), Alignment, Error);
  addSvmRange(Context, Start, Size, Memory::Kind::USM, 0,
              "clHostMemAllocINTEL");
  return Start;
}

static void *CL_API_CALL
clDeviceMemAllocINTEL(cl_context Context, cl_device_id Device,
                      const cl_mem_properties_intel *Properties, size_t Size,
                      cl_uint Alignment, cl_int *Error) {
  void *Start = driverOf(Context).clDeviceMemAllocINTEL(
      Context, Device, Properties, withGap(Size), Alignment, Error);
  addSvmRange(Context, Start, Size, Memory::Kind::USM, 0,
              "clDeviceMemAllocINTEL");
  return Start;
}

static void *CL_API_CALL
clSharedMemAllocINTEL(cl_context Context, cl_device_id Device,
                      const cl_mem_properties_intel *Properties, size_t Size,
                      cl_uint Alignment, cl_int *Error) {
  void *Start = driverOf(Context).clSharedMemAllocINTEL(
      Context, Device, Properties, withGap(Size), Alignment, Error);
  addSvmRange(Context, Start, Size, Memory::Kind::USM, 0,
              "clSharedMemAllocINTEL");
  return Start;
}

/// The size is what was asked for, without the gap behind it.
static cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context Context,
                                                 const void *Pointer,
                                                 cl_mem_info_intel Name,
                                                 size_t Size, void *Value,
                                                 size_t *SizeReturn) {
  cl_int Error = driverOf(Context).clGetMemAllocInfoINTEL(
      Context, Pointer, Name, Size, Value, SizeReturn);
  if (Error == CL_SUCCESS && Name == CL_MEM_ALLOC_SIZE_INTEL && Value)
    if (SvmPlace Place = svmPlaceOf(Pointer); Place.Of)
      *static_cast<size_t *>(Value) = Place.Of->Size;
  return Error;
}

static cl_int CL_API_CALL clMemFreeINTEL(cl_context Context, void *Start) {
  return freeSvm(Context, Start, "clMemFreeINTEL", FreeWhen::Later,
                 [=] { driverOf(Context).clMemFreeINTEL(Context, Start); })
             ? CL_SUCCESS
             : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context Context,
                                                 void *Start) {
  return freeSvm(
             Context, Start, "clMemBlockingFreeINTEL", FreeWhen::Now,
             [=] { driverOf(Context).clMemBlockingFreeINTEL(Context, Start); })
             ? CL_SUCCESS
             : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL clEnqueueMemcpyINTEL(
    cl_command_queue Queue, cl_bool Blocking, void *To, const void *From,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  cl_int Error = extensionsOf(Queue).clEnqueueMemcpyINTEL(
      Queue, Blocking, To, From, Size, WaitCount, WaitList, Event);
  if (Blocking && Error == CL_SUCCESS)
    noteBlockingEnded(Queue);
  if (Blocking)
    reportRecords(/*MayWait=*/true);
  return Error;
}

/// Remembers a pointer argument if the driver took it.
static cl_int notePointer(cl_int Error, cl_kernel Handle, cl_uint Index,
                          KernelArg::How How, const void *Pointer) {
  if (Error == CL_SUCCESS)
    if (auto K = Kernels.find(Handle))
      K->Args.set(Index, How, sizeof(Pointer), &Pointer);
  return Error;
}

static cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel Handle,
                                                        cl_uint Index,
                                                        const void *Pointer) {
  return notePointer(
      driverOf(Handle).clSetKernelArgMemPointerINTEL(Handle, Index, Pointer),
      Handle, Index, KernelArg::How::USMPointer, Pointer);
}

static cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel Handle,
                                                         cl_uint Index,
                                                         cl_ulong Address) {
  return notePointer(
      driverOf(Handle).clSetKernelArgDevicePointerEXT(Handle, Index, Address),
      Handle, Index, KernelArg::How::DevicePointer,
      reinterpret_cast<void *>(Address));
}

static cl_int CL_API_CALL clSetKernelArgSVMPointerARM(cl_kernel Handle,
                                                      cl_uint Index,
                                                      const void *Pointer) {
  return notePointer(
      driverOf(Handle).clSetKernelArgSVMPointerARM(Handle, Index, Pointer),
      Handle, Index, KernelArg::How::SVMPointer, Pointer);
}

static cl_int CL_API_CALL clSetKernelExecInfoARM(cl_kernel Handle,
                                                 cl_kernel_exec_info_arm Name,
                                                 size_t Size,
                                                 const void *Value) {
  cl_int Error =
      driverOf(Handle).clSetKernelExecInfoARM(Handle, Name, Size, Value);
  if (Error == CL_SUCCESS)
    if (auto K = Kernels.find(Handle))
      K->Args.setExecInfo(Name, Size, Value);
  return Error;
}

static void *CL_API_CALL clSVMAllocARM(cl_context Context,
                                       cl_svm_mem_flags_arm Flags, size_t Size,
                                       cl_uint Alignment) {
  void *Start =
      driverOf(Context).clSVMAllocARM(Context, Flags, withGap(Size), Alignment);
  addSvmRange(Context, Start, Size, Memory::Kind::SVM, Flags, "clSVMAllocARM");
  return Start;
}

static void CL_API_CALL clSVMFreeARM(cl_context Context, void *Start) {
  freeSvm(Context, Start, "clSVMFreeARM", FreeWhen::Later,
          [=] { driverOf(Context).clSVMFreeARM(Context, Start); });
}

} // namespace warpsan::ext

void *warpsan::replacementFor(const char *Name) {
#define EXTENSION(name)                                                        \
  if (std::strcmp(Name, #name) == 0)                                           \
    return reinterpret_cast<void *>(LookBefore<#name, ext::name>::call);
#include "layer/extensions.def"
#undef EXTENSION
  return nullptr;
}

/// Whether the driver's function \p Name may give the application handles, or
/// references, that we do not see.
static bool mayHandOut(std::string_view Name) {
  if (Name == "clGetKernelSubGroupInfoKHR" || Name == "clGetGLContextInfoKHR")
    return false;
  return Name.starts_with("clCreate") || Name.starts_with("clImport") ||
         Name.starts_with("clRetain") ||
         (Name.starts_with("clGet") && Name.find("Info") != Name.npos);
}

/// Whether the driver's function \p Name may change buffers without our
/// noticing. Intel's commands for unified shared memory do not.
static bool mayChangeBuffers(std::string_view Name) {
  if (Name.starts_with("clEnqueueMem") ||
      Name.starts_with("clEnqueueMigrateMem"))
    return false;
  return Name.starts_with("clEnqueue") || Name.starts_with("clCommand") ||
         Name.starts_with("clUpdate");
}

/// What the application gets for a function of which the driver has \p Theirs.
static void *chosenFor(const char *Name, void *Theirs) {
  if (!Theirs || !Name)
    return Theirs;
  if (void *Ours = replacementFor(Name))
    return Ours;
  if (mayHandOut(Name))
    stopBurying();
  if (mayChangeBuffers(Name))
    stopFollowingContents();
  return Theirs;
}

void *CL_API_CALL warpsan::getExtensionAddress(const char *Name) {
  if (void *Ours = Name ? markingFunction(Name) : nullptr)
    return Ours;
  return chosenFor(Name, Next->clGetExtensionFunctionAddress(Name));
}

void *CL_API_CALL warpsan::getExtensionAddressForPlatform(
    cl_platform_id Platform, const char *Name) {
  if (void *Ours = Name ? markingFunction(Name) : nullptr)
    return Ours;
  return chosenFor(
      Name, Next->clGetExtensionFunctionAddressForPlatform(Platform, Name));
}
