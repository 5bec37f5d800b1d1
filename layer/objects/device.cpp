//===- layer/device.cpp - what the compiler must know of a device ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects.h"

using namespace warpsan;

static DeviceFacts askFacts(cl_device_id Handle, cl_platform_id Platform) {
  auto *Get = Next->clGetDeviceInfo;
  DeviceFacts Facts;
  if (Platform)
    Facts.Platform =
        queryString(Next->clGetPlatformInfo, Platform, CL_PLATFORM_NAME);
  Facts.DriverVersion = queryString(Get, Handle, CL_DRIVER_VERSION);
  Facts.Extensions = queryString(Get, Handle, CL_DEVICE_EXTENSIONS);
  Facts.DeviceVersion = queryString(Get, Handle, CL_DEVICE_VERSION);
  Facts.CVersion = queryString(Get, Handle, CL_DEVICE_OPENCL_C_VERSION);
  Facts.ILVersions = queryString(Get, Handle, CL_DEVICE_IL_VERSION);
  Facts.AddressBits =
      queryValue<cl_uint>(Get, Handle, CL_DEVICE_ADDRESS_BITS, 64);
  Facts.Images = queryValue<cl_bool>(Get, Handle, CL_DEVICE_IMAGE_SUPPORT,
                                     CL_FALSE) != CL_FALSE;
  for (const cl_name_version &Feature :
       queryList<cl_name_version>(Get, Handle, CL_DEVICE_OPENCL_C_FEATURES)) {
    if (!Facts.Features.empty())
      Facts.Features += ' ';
    Facts.Features += Feature.name;
  }
  return Facts;
}

/// PoCL builds programs for whole devices: a sub-device has what was built last
/// for any part of its device.
static cl_device_id askBuiltAs(cl_device_id Handle, const DeviceFacts &Facts) {
  if (Facts.Platform != "Portable Computing Language")
    return Handle;
  while (auto *Parent = queryValue<cl_device_id>(
             Next->clGetDeviceInfo, Handle, CL_DEVICE_PARENT_DEVICE, nullptr))
    Handle = Parent;
  return Handle;
}

const Device &warpsan::deviceOf(cl_device_id Handle) {
  static std::mutex &Mutex = *new std::mutex;
  static auto &Known = *new std::map<cl_device_id, std::unique_ptr<Device>>;
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Known.find(Handle); It != Known.end())
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
  New->Facts = askFacts(Handle, New->Platform);
  New->BuiltAs = askBuiltAs(Handle, New->Facts);
  std::lock_guard Lock(Mutex);
  return *Known.try_emplace(Handle, std::move(New)).first->second;
}

cl_device_id warpsan::deviceOf(cl_command_queue Queue) {
  auto Known = Queues.find(Queue);
  return Known ? Known->Device
               : queryValue<cl_device_id>(Next->clGetCommandQueueInfo, Queue,
                                          CL_QUEUE_DEVICE, nullptr);
}
