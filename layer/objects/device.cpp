//===- layer/objects/device.cpp - what the compiler must know of a device -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/driver_quirks.h"
#include "layer/objects/objects.h"

#include "layer/process/no_destructor.h"

#include <algorithm>
#include <cstdlib>

using namespace warpsan;

static DeviceInfo askInfo(cl_device_id Handle, cl_platform_id Platform) {
  auto *Get = Next->clGetDeviceInfo;
  DeviceInfo Info;
  if (Platform)
    Info.Platform =
        queryString(Next->clGetPlatformInfo, Platform, CL_PLATFORM_NAME);
  Info.DriverVersion = queryString(Get, Handle, CL_DRIVER_VERSION);
  Info.Extensions = queryString(Get, Handle, CL_DEVICE_EXTENSIONS);
  Info.DeviceVersion = queryString(Get, Handle, CL_DEVICE_VERSION);
  Info.CVersion = queryString(Get, Handle, CL_DEVICE_OPENCL_C_VERSION);
  Info.ILVersions = queryString(Get, Handle, CL_DEVICE_IL_VERSION);
  Info.AddressBits =
      queryValue<cl_uint>(Get, Handle, CL_DEVICE_ADDRESS_BITS, 64);
  Info.Images = queryValue<cl_bool>(Get, Handle, CL_DEVICE_IMAGE_SUPPORT,
                                    CL_FALSE) != CL_FALSE;
  for (const cl_name_version &Feature :
       queryList<cl_name_version>(Get, Handle, CL_DEVICE_OPENCL_C_FEATURES)) {
    if (!Info.Features.empty())
      Info.Features += ' ';
    Info.Features += Feature.name;
  }
  return Info;
}

static cl_device_id askBuiltAs(cl_device_id Handle, const DeviceInfo &Info) {
  if (!quirksOf(Info.Platform).BuildsForWholeDevice)
    return Handle;
  while (auto *Parent = queryValue<cl_device_id>(
             Next->clGetDeviceInfo, Handle, CL_DEVICE_PARENT_DEVICE, nullptr))
    Handle = Parent;
  return Handle;
}

const Device &warpsan::deviceOf(cl_device_id Handle) {
  static std::mutex &Mutex = noDestructor<std::mutex>();
  static auto &Cache =
      noDestructor<std::map<cl_device_id, std::unique_ptr<Device>>>();
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Cache.find(Handle); It != Cache.end())
      return *It->second;
  }
  auto New = std::make_unique<Device>();
  New->Handle = Handle;
  New->Platform = queryValue<cl_platform_id>(Next->clGetDeviceInfo, Handle,
                                             CL_DEVICE_PLATFORM, nullptr);
  New->Name = queryString(Next->clGetDeviceInfo, Handle, CL_DEVICE_NAME);
  New->TakesHostPointers =
      queryValue<cl_device_svm_capabilities>(Next->clGetDeviceInfo, Handle,
                                             CL_DEVICE_SVM_CAPABILITIES, 0) &
      CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  New->LocalMemory = queryValue<cl_ulong>(Next->clGetDeviceInfo, Handle,
                                          CL_DEVICE_LOCAL_MEM_SIZE, 0);
  New->MaxAllocation =
      std::min(queryValue<cl_ulong>(Next->clGetDeviceInfo, Handle,
                                    CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0),
               queryValue<cl_ulong>(Next->clGetDeviceInfo, Handle,
                                    CL_DEVICE_GLOBAL_MEM_SIZE, 0) /
                   8);
  New->Info = askInfo(Handle, New->Platform);
  New->BuiltAs = askBuiltAs(Handle, New->Info);
  std::lock_guard Lock(Mutex);
  return *Cache.try_emplace(Handle, std::move(New)).first->second;
}

std::string warpsan::optionsInEffect(const Device &Target,
                                     const std::string &Options) {
  const char *Variable = quirksOf(Target.Info.Platform).BuildFlagsVariable;
  const char *Added = Variable ? getenv(Variable) : nullptr;
  return Added ? Options + ' ' + Added : Options;
}

cl_device_id warpsan::deviceOf(cl_command_queue Queue) {
  auto Known = Queues.find(Queue);
  return Known ? Known->Device
               : queryValue<cl_device_id>(Next->clGetCommandQueueInfo, Queue,
                                          CL_QUEUE_DEVICE, nullptr);
}
