//===- test/robustness/equivalence_cases/calls_queries.cpp - clGet*Info ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/robustness/equivalence_cases/calls.h"

#include <algorithm>
#include <cstring>

using namespace same;

/// A query in all its shapes: room for less, no room, no size, no value.
template <typename F>
static void ask(Dice &D, const char *Name, cl_uint What, const void *Of,
                F Query, bool Secret = false) {
  static std::array<unsigned char, 1 << 16> Value;
  Value.fill(0xCD);
  const bool Binaries =
      What == CL_PROGRAM_BINARIES && std::strcmp(Name, "clGetProgramInfo") == 0;
  if (Binaries) // pointers: to nowhere
    Value.fill(0);
  size_t Size = D.pick<size_t>(
      {0, 1, 4, 8, 8, 16, 64, 4096, 4096, 4096, Value.size(), Value.size()});
  void *Room = D.chance(20) ? nullptr : Value.data();
  size_t Got = 0xABCD;
  size_t *Length = D.chance(15) ? nullptr : &Got;
  char Words[96];
  std::snprintf(Words, sizeof(Words), "%s %x size %zu%s%s",
                Of ? "object" : "null", What, Size, Room ? "" : " no room",
                Length ? "" : " no length");
  begin(Name, Words);
  const cl_int Error = Query(What, Size, Room, Length);
  std::string Out = Length ? std::to_string(Got) : "-";
  if (Error == CL_SUCCESS && Room && Length && !Secret && !Binaries)
    Out += " " + told(Value.data(), std::min<size_t>({Got, Size, 3000}));
  end(Error, Out);
}

/// One of so many from the first on; sometimes one of another kind.
static cl_uint oneOf(Dice &D, cl_uint First, cl_uint Last) {
  if (D.chance(8))
    return D.pick<cl_uint>(
        {0, 1, 0x1000, 0x1080, 0x1100, 0x1160, 0x1190, 0x11D0, 0xFFFFFFFF});
  return First + static_cast<cl_uint>(D.below(Last - First + 2));
}

template <typename T, typename F>
static void about(Dice &D, const char *Name, T Object, cl_uint First,
                  cl_uint Last, F Get) {
  const cl_uint Asked = oneOf(D, First, Last);
  // Twins hold references too, to what drivers' kernels hold, and OpenCL says
  // that the count is of no use: docs/contributing/robustness.md.
  const bool Secret = Asked == CL_CONTEXT_REFERENCE_COUNT ||
                      Asked == CL_SAMPLER_REFERENCE_COUNT ||
                      Asked == CL_EVENT_REFERENCE_COUNT ||
                      Asked == CL_QUEUE_REFERENCE_COUNT;
  ask(
      D, Name, Asked, Object,
      [&](cl_uint What, size_t Size, void *Room, size_t *Length) {
        return Get(Object, What, Size, Room, Length);
      },
      Secret);
}

static void askOfKernel(World &W, Dice &D) {
  cl_kernel Kernel = any(D, W.Kernels);
  cl_device_id Device = D.chance(80) ? W.Device : nullptr;
  switch (D.below(4)) {
  case 0:
    return about(D, "clGetKernelInfo", Kernel, 0x1190, 0x1195,
                 [](auto... Args) { return clGetKernelInfo(Args...); });
  case 1: {
    const auto Index = static_cast<cl_uint>(D.below(9));
    return ask(D, ("clGetKernelArgInfo" + std::to_string(Index)).c_str(),
               oneOf(D, 0x1196, 0x119A), Kernel,
               [&](cl_uint What, size_t Size, void *Room, size_t *Length) {
                 return clGetKernelArgInfo(Kernel, Index, What, Size, Room,
                                           Length);
               });
  }
  case 2:
    return ask(D, "clGetKernelWorkGroupInfo", oneOf(D, 0x11B0, 0x11B5), Kernel,
               [&](cl_uint What, size_t Size, void *Room, size_t *Length) {
                 return clGetKernelWorkGroupInfo(Kernel, Device, What, Size,
                                                 Room, Length);
               });
  default: {
    const size_t Local[3] = {D.pick<size_t>({1, 4, 64, 100000}), 1, 1};
    const size_t Input = D.pick<size_t>({0, 8, 8, 16, 24, 7});
    const cl_uint What =
        D.pick<cl_uint>({0x2033, 0x2034, 0x11B8, 0x11B9, 0x11BA, 0x11BB});
    return ask(D, ("clGetKernelSubGroupInfo" + std::to_string(Input)).c_str(),
               What, Kernel,
               [&](cl_uint Which, size_t Size, void *Room, size_t *Length) {
                 return clGetKernelSubGroupInfo(Kernel, Device, Which, Input,
                                                Input ? Local : nullptr, Size,
                                                Room, Length);
               });
  }
  }
}

static void askOfMemory(World &W, Dice &D) {
  if (D.chance(60)) {
    cl_mem Memory = D.chance(75) ? any(D, W.Buffers) : any(D, W.Images);
    return about(D, "clGetMemObjectInfo", Memory, 0x1100, 0x110A,
                 [](auto... Args) { return clGetMemObjectInfo(Args...); });
  }
  if (D.chance(50))
    return about(D, "clGetImageInfo", any(D, W.Images), 0x1110, 0x111A,
                 [](auto... Args) { return clGetImageInfo(Args...); });
  const cl_mem_flags Flags = D.pick<cl_mem_flags>(
      {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, 0,
       CL_MEM_KERNEL_READ_AND_WRITE, cl_mem_flags(1) << 50});
  const auto Type = static_cast<cl_mem_object_type>(0x10F0 + D.below(9));
  cl_image_format Formats[256] = {};
  const auto Room = D.pick<cl_uint>({0, 1, 256, 256});
  cl_uint Number = 0;
  begin("clGetSupportedImageFormats", std::to_string(Flags) + " " +
                                          std::to_string(Type) + " " +
                                          std::to_string(Room));
  const cl_int Error = clGetSupportedImageFormats(
      W.Context, Flags, Type, Room, Room ? Formats : nullptr, &Number);
  end(Error, std::to_string(Number) + " " +
                 told(reinterpret_cast<unsigned char *>(Formats),
                      sizeof(Formats[0]) * std::min(Number, Room)));
}

static void askOfPlatform(World &W, Dice &D) {
  switch (D.below(4)) {
  case 0:
    return about(D, "clGetPlatformInfo",
                 W.Platform, // null is the first one
                 0x0900, 0x0907,
                 [](auto... Args) { return clGetPlatformInfo(Args...); });
  case 1: {
    const cl_device_type Type = D.pick<cl_device_type>(
        {CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU,
         CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_CUSTOM, 0, 1 << 20});
    const auto Room = D.pick<cl_uint>({0, 1, 1, 4});
    cl_device_id Devices[4] = {};
    cl_uint Number = 77;
    const bool NoList = D.chance(20), NoNumber = D.chance(20);
    begin("clGetDeviceIDs", std::to_string(Type) + " " + std::to_string(Room) +
                                (NoList ? " no list" : "") +
                                (NoNumber ? " no number" : ""));
    const cl_int Error =
        clGetDeviceIDs(W.Platform, Type, Room, NoList ? nullptr : Devices,
                       NoNumber ? nullptr : &Number);
    return end(Error, std::to_string(Number) +
                          (Devices[0] == W.Device ? " same" : " other"));
  }
  case 2: {
    const char *Name = D.pick<const char *>(
        {"clCreateCommandBufferKHR", "clHostMemAllocINTEL", "clNothing", "",
         "clIcdGetPlatformIDsKHR", "clGetKernelSubGroupInfoKHR",
         "clCreateProgramWithILKHR", "clEnqueueNDRangeKernel",
         "clGetKernelSuggestedLocalWorkSizeKHR", "clSVMAllocARM"});
    begin("clGetExtensionFunctionAddressForPlatform", Name);
    return end(clGetExtensionFunctionAddressForPlatform(W.Platform, Name) ? 1
                                                                          : 0);
  }
  default:
    return about(D, "clGetDeviceInfo", D.chance(92) ? W.Device : nullptr,
                 0x1000, 0x1072,
                 [](auto... Args) { return clGetDeviceInfo(Args...); });
  }
}

static void askOfEvent(World &W, Dice &D) {
  cl_event Event = any(D, W.Events);
  if (D.chance(70))
    return about(D, "clGetEventInfo", Event, 0x11D0, 0x11D4,
                 [](auto... Args) { return clGetEventInfo(Args...); });
  ask(
      D, "clGetEventProfilingInfo", oneOf(D, 0x1280, 0x1284), Event,
      [&](cl_uint What, size_t Size, void *Room, size_t *Length) {
        return clGetEventProfilingInfo(Event, What, Size, Room, Length);
      },
      true);
}

void same::query(World &W, Dice &D) {
  // What is enqueued has an effect on what is told.
  for (cl_command_queue Each : W.Queues)
    if (Each)
      clFinish(Each);
  switch (D.below(10)) {
  case 0:
  case 1:
    return askOfPlatform(W, D);
  case 2:
    return about(D, "clGetContextInfo", D.chance(90) ? W.Context : nullptr,
                 0x1080, 0x1085,
                 [](auto... Args) { return clGetContextInfo(Args...); });
  case 3:
    return about(D, "clGetCommandQueueInfo", any(D, W.Queues), 0x1090, 0x1099,
                 [](auto... Args) { return clGetCommandQueueInfo(Args...); });
  case 4:
    return askOfMemory(W, D);
  case 5:
    return about(D, "clGetSamplerInfo", any(D, W.Samplers), 0x1150, 0x1158,
                 [](auto... Args) { return clGetSamplerInfo(Args...); });
  case 6: {
    cl_program Program = any(D, W.Programs);
    if (D.chance(50))
      return about(D, "clGetProgramInfo", Program, 0x1160, 0x116B,
                   [](auto... Args) { return clGetProgramInfo(Args...); });
    cl_device_id Device = D.chance(90) ? W.Device : nullptr;
    return ask(D, "clGetProgramBuildInfo", oneOf(D, 0x1181, 0x1185), Program,
               [&](cl_uint What, size_t Size, void *Room, size_t *Length) {
                 return clGetProgramBuildInfo(Program, Device, What, Size, Room,
                                              Length);
               });
  }
  case 7:
    return askOfEvent(W, D);
  default:
    return askOfKernel(W, D);
  }
}
