//===- test/trust/discrete_layer.cpp - a CPU driver as a discrete GPU -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer for below WarpSan's. What it changes is what OpenCL allows and GPUs
// with memory of their own do:
// - Buffers are in the device's memory. Memory of CL_MEM_USE_HOST_PTR is copied
//   when the buffer is created, and again only when it is mapped and unmapped.
// - Mapping a buffer copies it, unmapping copies it back.
// - Shared virtual memory is coarse-grained only.
// - With WARPSAN_DISCRETE_GROUP=N, kernels of programs that are not made of
//   source, as twins are, take at most N work-items in a work-group, as kernels
//   that need more registers do.
// Images and unified shared memory are the driver's.
//
//===----------------------------------------------------------------------===//
#include "test/layer/layers/replacing_layer.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace {

struct Mapping {
  size_t Offset = 0; ///< within the buffer that was mapped
  size_t Size = 0;
  bool Writes = false;
};

/// A buffer that is not a sub-buffer.
struct Buffer {
  unsigned char *Host = nullptr;   ///< of CL_MEM_USE_HOST_PTR
  cl_mem_flags Flags = 0;          ///< as the application gave them
  std::vector<unsigned char> Copy; ///< what is mapped, if there is no Host
};

/// Guards everything below; never held during a call of the driver.
std::mutex Lock;
// Never destroyed: Intel's runtime releases what is left after exit().
auto &Buffers = *new std::map<cl_mem, Buffer>;
auto &Mappings = *new std::map<std::pair<cl_mem, void *>, std::vector<Mapping>>;
/// Events of commands that the driver knows as others.
auto &Types = *new std::map<cl_event, cl_command_type>;

void CL_CALLBACK forget(cl_mem Object, void * /*Unused*/) {
  const std::scoped_lock Hold(Lock);
  Buffers.erase(Object);
}

template <typename Maker>
cl_mem makeBuffer(cl_mem_flags Flags, void *Host, Maker Make) {
  cl_mem_flags With = Flags;
  if (Flags & CL_MEM_USE_HOST_PTR)
    With = (Flags & ~cl_mem_flags(CL_MEM_USE_HOST_PTR)) | CL_MEM_COPY_HOST_PTR;
  // The driver tells what is wrong with a call.
  const bool Wrong =
      (Flags & CL_MEM_USE_HOST_PTR) &&
      (!Host || (Flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)));
  cl_mem Made = Make(Wrong ? Flags : With);
  if (!Made)
    return Made;
  {
    const std::scoped_lock Hold(Lock);
    Buffer &Entry = Buffers[Made];
    Entry.Flags = Flags;
    if (Flags & CL_MEM_USE_HOST_PTR)
      Entry.Host = static_cast<unsigned char *>(Host);
  }
  Next->clSetMemObjectDestructorCallback(Made, forget, nullptr);
  return Made;
}

cl_mem CL_API_CALL createBuffer(cl_context Context, cl_mem_flags Flags,
                                size_t Size, void *Host, cl_int *Error) {
  return makeBuffer(Flags, Host, [&](cl_mem_flags With) {
    return Next->clCreateBuffer(Context, With, Size, Host, Error);
  });
}

cl_mem CL_API_CALL createBufferWithProperties(
    cl_context Context, const cl_mem_properties *Properties, cl_mem_flags Flags,
    size_t Size, void *Host, cl_int *Error) {
  return makeBuffer(Flags, Host, [&](cl_mem_flags With) {
    return Next->clCreateBufferWithProperties(Context, Properties, With, Size,
                                              Host, Error);
  });
}

/// The buffer that an object is, or is a part of, and where its part begins.
cl_mem wholeOf(cl_mem Object, size_t &Origin) {
  cl_mem Whole = nullptr;
  Origin = 0;
  Next->clGetMemObjectInfo(Object, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(Whole),
                           static_cast<void *>(&Whole), nullptr);
  if (!Whole)
    return Object;
  Next->clGetMemObjectInfo(Object, CL_MEM_OFFSET, sizeof(Origin), &Origin,
                           nullptr);
  return Whole;
}

/// Where the host sees a buffer, or null if the object is none of ours.
unsigned char *hostSide(cl_mem Object) {
  size_t Origin = 0;
  size_t Size = 0;
  cl_mem Whole = wholeOf(Object, Origin);
  Next->clGetMemObjectInfo(Whole, CL_MEM_SIZE, sizeof(Size), &Size, nullptr);
  const std::scoped_lock Hold(Lock);
  const auto Found = Buffers.find(Whole);
  if (Found == Buffers.end())
    return nullptr;
  Buffer &Entry = Found->second;
  if (Entry.Host)
    return Entry.Host + Origin;
  if (Entry.Copy.empty())
    Entry.Copy.resize(Size + 128);
  const auto Address = reinterpret_cast<uintptr_t>(Entry.Copy.data());
  return Entry.Copy.data() + (128 - Address % 128) % 128 + Origin;
}

void noteEvent(cl_event *Event, cl_command_type Type) {
  if (!Event || !*Event)
    return;
  const std::scoped_lock Hold(Lock);
  Types[*Event] = Type;
}

void *CL_API_CALL mapBuffer(cl_command_queue Queue, cl_mem Object,
                            cl_bool Blocks, cl_map_flags Flags, size_t Offset,
                            size_t Size, cl_uint Waits, const cl_event *List,
                            cl_event *Event, cl_int *Error) {
  unsigned char *Host = hostSide(Object);
  cl_mem_flags Given = 0;
  Next->clGetMemObjectInfo(Object, CL_MEM_FLAGS, sizeof(Given), &Given,
                           nullptr);
  constexpr cl_mem_flags HostLimits =
      CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  constexpr cl_map_flags Known =
      CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  // The driver answers calls that may be wrong.
  if (!Host || (Given & HostLimits) || (Flags & ~Known))
    return Next->clEnqueueMapBuffer(Queue, Object, Blocks, Flags, Offset, Size,
                                    Waits, List, Event, Error);
  unsigned char *Place = Host + Offset;
  const cl_int Result = Next->clEnqueueReadBuffer(
      Queue, Object, Blocks, Offset, Size, Place, Waits, List, Event);
  if (Error)
    *Error = Result;
  if (Result != CL_SUCCESS)
    return nullptr;
  noteEvent(Event, CL_COMMAND_MAP_BUFFER);
  const std::scoped_lock Hold(Lock);
  Mappings[{Object, Place}].push_back(
      {Offset, Size, (Flags & ~cl_map_flags(CL_MAP_READ)) != 0});
  return Place;
}

cl_int CL_API_CALL unmap(cl_command_queue Queue, cl_mem Object, void *Pointer,
                         cl_uint Waits, const cl_event *List, cl_event *Event) {
  Mapping Was;
  {
    const std::scoped_lock Hold(Lock);
    const auto Found = Mappings.find({Object, Pointer});
    if (Found != Mappings.end())
      Was = Found->second.back();
  }
  if (Was.Size == 0)
    return Next->clEnqueueUnmapMemObject(Queue, Object, Pointer, Waits, List,
                                         Event);
  const cl_int Error =
      Was.Writes
          ? Next->clEnqueueWriteBuffer(Queue, Object, CL_FALSE, Was.Offset,
                                       Was.Size, Pointer, Waits, List, Event)
          : Next->clEnqueueMarkerWithWaitList(Queue, Waits, List, Event);
  if (Error != CL_SUCCESS)
    return Error;
  noteEvent(Event, CL_COMMAND_UNMAP_MEM_OBJECT);
  const std::scoped_lock Hold(Lock);
  const auto Found = Mappings.find({Object, Pointer});
  if (Found == Mappings.end())
    return Error;
  Found->second.pop_back();
  if (Found->second.empty())
    Mappings.erase(Found);
  return Error;
}

cl_int CL_API_CALL eventInfo(cl_event Event, cl_event_info Name, size_t Size,
                             void *Value, size_t *Needed) {
  const cl_int Error = Next->clGetEventInfo(Event, Name, Size, Value, Needed);
  if (Error != CL_SUCCESS || Name != CL_EVENT_COMMAND_TYPE || !Value)
    return Error;
  const std::scoped_lock Hold(Lock);
  const auto Found = Types.find(Event);
  if (Found != Types.end())
    std::memcpy(Value, &Found->second, sizeof(Found->second));
  return Error;
}

cl_int CL_API_CALL releaseEvent(cl_event Event) {
  cl_uint References = 0;
  if (Next->clGetEventInfo(Event, CL_EVENT_REFERENCE_COUNT, sizeof(References),
                           &References, nullptr) == CL_SUCCESS &&
      References == 1) {
    const std::scoped_lock Hold(Lock);
    Types.erase(Event);
  }
  return Next->clReleaseEvent(Event);
}

cl_int CL_API_CALL memInfo(cl_mem Object, cl_mem_info Name, size_t Size,
                           void *Value, size_t *Needed) {
  const cl_int Error =
      Next->clGetMemObjectInfo(Object, Name, Size, Value, Needed);
  if (Error != CL_SUCCESS || !Value ||
      (Name != CL_MEM_FLAGS && Name != CL_MEM_HOST_PTR &&
       Name != CL_MEM_MAP_COUNT))
    return Error;
  size_t Origin = 0;
  cl_mem Whole = wholeOf(Object, Origin);
  const std::scoped_lock Hold(Lock);
  const auto Found = Buffers.find(Whole);
  if (Found == Buffers.end())
    return Error;
  const Buffer &Entry = Found->second;
  if (Name == CL_MEM_MAP_COUNT) {
    cl_uint Count = 0;
    std::memcpy(&Count, Value, sizeof(Count));
    for (const auto &[Key, List] : Mappings)
      if (Key.first == Object)
        Count += static_cast<cl_uint>(List.size());
    std::memcpy(Value, &Count, sizeof(Count));
  } else if (Name == CL_MEM_FLAGS) {
    constexpr cl_mem_flags Places =
        CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
    cl_mem_flags Flags = 0;
    std::memcpy(&Flags, Value, sizeof(Flags));
    Flags = (Flags & ~Places) | (Entry.Flags & Places);
    std::memcpy(Value, &Flags, sizeof(Flags));
  } else if (Entry.Host) {
    const void *Host = Entry.Host + Origin;
    std::memcpy(Value, static_cast<const void *>(&Host), sizeof(Host));
  }
  return Error;
}

cl_int CL_API_CALL deviceInfo(cl_device_id Device, cl_device_info Name,
                              size_t Size, void *Value, size_t *Needed) {
  const cl_int Error = Next->clGetDeviceInfo(Device, Name, Size, Value, Needed);
  if (Error != CL_SUCCESS || !Value)
    return Error;
  if (Name == CL_DEVICE_SVM_CAPABILITIES) {
    cl_device_svm_capabilities Has = 0;
    std::memcpy(&Has, Value, sizeof(Has));
    Has &= CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    std::memcpy(Value, &Has, sizeof(Has));
  } else if (Name == CL_DEVICE_HOST_UNIFIED_MEMORY) {
    std::memset(Value, 0, sizeof(cl_bool));
  }
  return Error;
}

void *CL_API_CALL svmAlloc(cl_context Context, cl_svm_mem_flags Flags,
                           size_t Size, cl_uint Align) {
  if (Flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))
    return nullptr;
  return Next->clSVMAlloc(Context, Flags, Size, Align);
}

cl_int CL_API_CALL setExecInfo(cl_kernel Kernel, cl_kernel_exec_info Name,
                               size_t Size, const void *Value) {
  cl_bool Wanted = CL_FALSE;
  if (Name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM && Value &&
      Size == sizeof(Wanted)) {
    std::memcpy(&Wanted, Value, sizeof(Wanted));
    if (Wanted)
      return CL_INVALID_OPERATION;
  }
  return Next->clSetKernelExecInfo(Kernel, Name, Size, Value);
}

/// Programs that an application made of source: its own kernels, not twins.
struct SourcePrograms {
  std::mutex Lock;
  std::set<cl_program> All;
};

SourcePrograms &sourcePrograms() {
  // Never destroyed: programs may be made while exit() runs.
  static auto *Programs = new SourcePrograms;
  return *Programs;
}

cl_program CL_API_CALL createWithSource(cl_context Context, cl_uint Count,
                                        const char **Strings,
                                        const size_t *Lengths, cl_int *Error) {
  cl_program Made =
      Next->clCreateProgramWithSource(Context, Count, Strings, Lengths, Error);
  const std::lock_guard Guard(sourcePrograms().Lock);
  sourcePrograms().All.insert(Made);
  return Made;
}

/// \p Made is new, and may have the handle of one that is gone.
cl_program notOfSource(cl_program Made) {
  const std::lock_guard Guard(sourcePrograms().Lock);
  sourcePrograms().All.erase(Made);
  return Made;
}

cl_program CL_API_CALL createWithIL(cl_context Context, const void *IL,
                                    size_t Length, cl_int *Error) {
  return notOfSource(Next->clCreateProgramWithIL(Context, IL, Length, Error));
}

cl_program CL_API_CALL createWithBinary(cl_context Context, cl_uint Count,
                                        const cl_device_id *Devices,
                                        const size_t *Lengths,
                                        const unsigned char **Binaries,
                                        cl_int *Status, cl_int *Error) {
  return notOfSource(Next->clCreateProgramWithBinary(
      Context, Count, Devices, Lengths, Binaries, Status, Error));
}

/// The most work-items in a work-group of the kernel; SIZE_MAX: as the driver
/// says.
size_t mostItems(cl_kernel Kernel) {
  static const size_t Limit = [] {
    const char *Text = getenv("WARPSAN_DISCRETE_GROUP");
    return Text ? strtoul(Text, nullptr, 10) : SIZE_MAX;
  }();
  cl_program Program = nullptr;
  Next->clGetKernelInfo(Kernel, CL_KERNEL_PROGRAM, sizeof(Program),
                        static_cast<void *>(&Program), nullptr);
  const std::lock_guard Guard(sourcePrograms().Lock);
  return sourcePrograms().All.contains(Program) ? SIZE_MAX : Limit;
}

cl_int CL_API_CALL workGroupInfo(cl_kernel Kernel, cl_device_id Device,
                                 cl_kernel_work_group_info Name, size_t Size,
                                 void *Value, size_t *Needed) {
  const cl_int Error =
      Next->clGetKernelWorkGroupInfo(Kernel, Device, Name, Size, Value, Needed);
  if (Error == CL_SUCCESS && Value && Name == CL_KERNEL_WORK_GROUP_SIZE) {
    size_t Most = 0;
    std::memcpy(&Most, Value, sizeof(Most));
    Most = std::min(Most, mostItems(Kernel));
    std::memcpy(Value, &Most, sizeof(Most));
  }
  return Error;
}

cl_int CL_API_CALL launch(cl_command_queue Queue, cl_kernel Kernel,
                          cl_uint Dims, const size_t *Offset,
                          const size_t *Global, const size_t *Local,
                          cl_uint Waits, const cl_event *List,
                          cl_event *Event) {
  if (Local && Dims >= 1 && Dims <= 3) {
    size_t Items = 1;
    for (cl_uint I = 0; I < Dims; ++I)
      Items *= Local[I];
    if (Items > mostItems(Kernel))
      return CL_INVALID_WORK_GROUP_SIZE;
  }
  return Next->clEnqueueNDRangeKernel(Queue, Kernel, Dims, Offset, Global,
                                      Local, Waits, List, Event);
}

} // namespace

static void replaceFunctions(cl_icd_dispatch &Table) {
  Table.clCreateBuffer = createBuffer;
  Table.clCreateBufferWithProperties = createBufferWithProperties;
  Table.clEnqueueMapBuffer = mapBuffer;
  Table.clEnqueueUnmapMemObject = unmap;
  Table.clGetEventInfo = eventInfo;
  Table.clReleaseEvent = releaseEvent;
  Table.clGetMemObjectInfo = memInfo;
  Table.clGetDeviceInfo = deviceInfo;
  Table.clSVMAlloc = svmAlloc;
  Table.clSetKernelExecInfo = setExecInfo;
  Table.clCreateProgramWithSource = createWithSource;
  Table.clCreateProgramWithIL = createWithIL;
  Table.clCreateProgramWithBinary = createWithBinary;
  Table.clGetKernelWorkGroupInfo = workGroupInfo;
  Table.clEnqueueNDRangeKernel = launch;
}
