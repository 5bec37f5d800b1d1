//===- layer/api/extensions.cpp - wrappers of extension functions ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/extensions.h"

#include "layer/api/command_buffer.h"
#include "layer/api/global_variables.h"
#include "layer/api/handle_checks.h"
#include "layer/api/intercept.h"
#include "layer/api/mutable_commands.h"
#include "layer/api/svm_arm.h"
#include "layer/findings/findings.h"
#include "layer/launch/running.h"
#include "layer/process/counters.h"
#include "layer/svm/marked_objects.h"
#include "layer/svm/svm_ranges.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <string_view>

using namespace warpsan;

cl_int warpsan::noteArgPointer(cl_int Error, cl_kernel Handle, cl_uint Index,
                               KernelArg::Source From, const void *Pointer) {
  if (Error == CL_SUCCESS)
    if (auto K = Kernels.find(Handle))
      K->Args.set(Index, From, sizeof(Pointer), &Pointer);
  return Error;
}

namespace warpsan::ext {

static cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context Context,
                                                       const void *IL,
                                                       size_t Size,
                                                       cl_int *Error) {
  Stopwatch Timing(Counter::build_ns);
  cl_program Handle =
      extensionsOf(Context).clCreateProgramWithILKHR(Context, IL, Size, Error);
  noteProgramFromIL(Handle, Context, IL, Size, "clCreateProgramWithILKHR");
  return Handle;
}

static cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context Context, cl_device_id Device,
    const cl_queue_properties_khr *Properties, cl_int *Error) {
  cl_command_queue Handle =
      extensionsOf(Context).clCreateCommandQueueWithPropertiesKHR(
          Context, Device, Properties, Error);
  noteQueue(Handle, Context, Device, "clCreateCommandQueueWithPropertiesKHR");
  return Handle;
}

static cl_mem CL_API_CALL clCreateBufferWithPropertiesINTEL(
    cl_context Context, const cl_mem_properties_intel *Properties,
    cl_mem_flags Flags, size_t Size, void *Host, cl_int *Error) {
  cl_mem Handle = extensionsOf(Context).clCreateBufferWithPropertiesINTEL(
      Context, Properties, Flags, Size, Host, Error);
  noteBuffer({Handle}, Flags, Size, "clCreateBufferWithPropertiesINTEL");
  return Handle;
}

static void *CL_API_CALL clHostMemAllocINTEL(
    cl_context Context, const cl_mem_properties_intel *Properties, size_t Size,
    cl_uint Alignment, cl_int *Error) {
  void *Start = extensionsOf(Context).clHostMemAllocINTEL(
      Context, Properties, withGap(Size), Alignment, Error);
  addSvmRange(Context, Start, Size, Memory::Kind::USM, 0,
              "clHostMemAllocINTEL");
  return Start;
}

static void *CL_API_CALL
clDeviceMemAllocINTEL(cl_context Context, cl_device_id Device,
                      const cl_mem_properties_intel *Properties, size_t Size,
                      cl_uint Alignment, cl_int *Error) {
  void *Start = extensionsOf(Context).clDeviceMemAllocINTEL(
      Context, Device, Properties, withGap(Size), Alignment, Error);
  addSvmRange(Context, Start, Size, Memory::Kind::USM, 0,
              "clDeviceMemAllocINTEL");
  return Start;
}

static void *CL_API_CALL
clSharedMemAllocINTEL(cl_context Context, cl_device_id Device,
                      const cl_mem_properties_intel *Properties, size_t Size,
                      cl_uint Alignment, cl_int *Error) {
  void *Start = extensionsOf(Context).clSharedMemAllocINTEL(
      Context, Device, Properties, withGap(Size), Alignment, Error);
  addSvmRange(Context, Start, Size, Memory::Kind::USM, 0,
              "clSharedMemAllocINTEL");
  return Start;
}

/// The address to ask the driver about instead of \p Pointer. What the
/// application has freed, and the gap after an allocation, are none of its
/// allocations any more, though the driver still has them: an address that no
/// allocation has gets the driver's answer for such.
static const void *askedFor(cl_context Context, const void *Pointer) {
  static const char Nowhere = 0;
  void *Base = nullptr;
  if (extensionsOf(Context).clGetMemAllocInfoINTEL(
          Context, Pointer, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof(Base),
          static_cast<void *>(&Base), nullptr) != CL_SUCCESS ||
      !Base)
    return Pointer;
  const SvmPlace Place = svmPlaceOf(Base);
  const auto Offset = static_cast<size_t>(static_cast<const char *>(Pointer) -
                                          static_cast<char *>(Base));
  return Place.Of && (Place.Of->Released.load() || Offset >= Place.Of->Size)
             ? &Nowhere
             : Pointer;
}

/// The size is what was asked for, without the gap behind it.
static cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context Context,
                                                 const void *Pointer,
                                                 cl_mem_info_intel Name,
                                                 size_t Size, void *Value,
                                                 size_t *SizeReturn) {
  Pointer = askedFor(Context, Pointer);
  cl_int Error = extensionsOf(Context).clGetMemAllocInfoINTEL(
      Context, Pointer, Name, Size, Value, SizeReturn);
  if (Error == CL_SUCCESS && Name == CL_MEM_ALLOC_SIZE_INTEL && Value)
    if (SvmPlace Place = svmPlaceOf(Pointer); Place.Of)
      *static_cast<size_t *>(Value) = Place.Of->Size;
  return Error;
}

/// What the driver returned if \p Free was called at once.
template <typename F>
static cl_int freeUsm(cl_context Context, void *Start, const char *Call,
                      FreeWhen When, const F &Free) {
  // Free may be called much later, in another thread.
  auto Error = std::make_shared<std::atomic<cl_int>>(CL_SUCCESS);
  return freeSvm(Context, Start, Call, When, [=] { Error->store(Free()); })
             ? Error->load()
             : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL clMemFreeINTEL(cl_context Context, void *Start) {
  return freeUsm(Context, Start, "clMemFreeINTEL", FreeWhen::Later, [=] {
    return extensionsOf(Context).clMemFreeINTEL(Context, Start);
  });
}

static cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context Context,
                                                 void *Start) {
  return freeUsm(Context, Start, "clMemBlockingFreeINTEL", FreeWhen::Now, [=] {
    return extensionsOf(Context).clMemBlockingFreeINTEL(Context, Start);
  });
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

static cl_int CL_API_CALL clEnqueueMemFillINTEL(
    cl_command_queue Queue, void *To, const void *Pattern, size_t PatternSize,
    size_t Size, cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  return extensionsOf(Queue).clEnqueueMemFillINTEL(
      Queue, To, Pattern, PatternSize, Size, WaitCount, WaitList, Event);
}

static cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue Queue, void *To,
                                               cl_int Value, size_t Size,
                                               cl_uint WaitCount,
                                               const cl_event *WaitList,
                                               cl_event *Event) {
  return extensionsOf(Queue).clEnqueueMemsetINTEL(Queue, To, Value, Size,
                                                  WaitCount, WaitList, Event);
}

/// The application's kernel is asked, and its twin runs with the answer
/// (layer/launch/launch.cpp).
static cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(
    cl_command_queue Queue, cl_kernel Kernel, cl_uint Dimensions,
    const size_t *Offset, const size_t *Global, size_t *Local) {
  return extensionsOf(Queue).clGetKernelSuggestedLocalWorkSizeKHR(
      Queue, Kernel, Dimensions, Offset, Global, Local);
}

static cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel Handle,
                                                        cl_uint Index,
                                                        const void *Pointer) {
  return noteArgPointer(extensionsOf(Handle).clSetKernelArgMemPointerINTEL(
                            Handle, Index, Pointer),
                        Handle, Index, KernelArg::Source::USMPointer, Pointer);
}

static cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel Handle,
                                                         cl_uint Index,
                                                         cl_ulong Address) {
  return noteArgPointer(extensionsOf(Handle).clSetKernelArgDevicePointerEXT(
                            Handle, Index, Address),
                        Handle, Index, KernelArg::Source::DevicePointer,
                        reinterpret_cast<void *>(Address));
}

} // namespace warpsan::ext

void *warpsan::replacementFor(const char *Name) {
#define EXTENSION(name)                                                        \
  if (std::strcmp(Name, #name) == 0)                                           \
    return reinterpret_cast<void *>(CheckedCall<#name, ext::name>::call);
#include "layer/objects/extension_functions.def"
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

/// Whether the driver's function \p Name may enqueue commands, or order them,
/// without our noticing.
static bool mayOrderCommands(std::string_view Name) {
  return Name.starts_with("clEnqueue");
}

/// The version of cl_khr_command_buffer that a device of \p Platform has; 0 if
/// it does not tell.
static cl_version commandBufferVersion(cl_platform_id Platform) {
  cl_device_id Device = nullptr;
  if (!Platform || Next->clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1,
                                        &Device, nullptr) != CL_SUCCESS)
    return 0;
  for (const cl_name_version &Each : queryList<cl_name_version>(
           Next->clGetDeviceInfo, Device, CL_DEVICE_EXTENSIONS_WITH_VERSION))
    if (std::string_view(Each.name) == "cl_khr_command_buffer")
      return Each.version;
  return 0;
}

/// Whether the driver's function \p Name has other parameters than our headers
/// say: commands of command buffers had no properties at first.
static bool hasOtherParameters(cl_platform_id Platform, std::string_view Name) {
  return Name.starts_with("clCommand") && Name.ends_with("KHR") &&
         Name != "clCommandNDRangeKernelKHR" &&
         commandBufferVersion(Platform) < CL_MAKE_VERSION(0, 9, 5);
}

/// What the application gets for a function of which the driver has \p Theirs.
/// \p Platform: null if it was not said.
static void *chosenFor(cl_platform_id Platform, const char *Name,
                       void *Theirs) {
  if (!Theirs || !Name)
    return Theirs;
  if (void *Ours = replacementFor(Name);
      Ours && !hasOtherParameters(Platform, Name))
    return Ours;
  // Drivers return functions of the dispatch table by name, too.
  if (void *Ours = coreWrapper(Name))
    return Ours;
  if (mayHandOut(Name))
    stopBurying();
  if (mayChangeBuffers(Name))
    stopFollowingContents();
  if (mayOrderCommands(Name))
    stopJudgingOrder();
  return Theirs;
}

void *CL_API_CALL warpsan::getExtensionAddress(const char *Name) {
  if (void *Ours = Name ? markingFunction(Name) : nullptr)
    return Ours;
  return chosenFor(nullptr, Name, Next->clGetExtensionFunctionAddress(Name));
}

void *CL_API_CALL warpsan::getExtensionAddressForPlatform(
    cl_platform_id Platform, const char *Name) {
  if (void *Ours = Name ? markingFunction(Name) : nullptr)
    return Ours;
  return chosenFor(
      Platform, Name,
      Next->clGetExtensionFunctionAddressForPlatform(Platform, Name));
}
