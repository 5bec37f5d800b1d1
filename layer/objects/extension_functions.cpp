//===- layer/objects/extension_functions.cpp - the driver's extension functions
// -----------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/extension_functions.h"

#include "layer/objects/objects.h"
#include "layer/process/no_destructor.h"

#include <map>
#include <memory>
#include <mutex>

using namespace warpsan;

static std::unique_ptr<ExtensionFunctions> queryAll(cl_platform_id Platform) {
  auto F = std::make_unique<ExtensionFunctions>();
#define EXTENSION(name)                                                        \
  F->name = reinterpret_cast<name##_fn>(                                       \
      Next->clGetExtensionFunctionAddressForPlatform(Platform, #name));
#include "layer/objects/extension_functions.def"
#undef EXTENSION
  return F;
}

const ExtensionFunctions &warpsan::extensionsOf(cl_platform_id Platform) {
  static std::mutex &Mutex = noDestructor<std::mutex>();
  static auto &Cache = noDestructor<
      std::map<cl_platform_id, std::unique_ptr<ExtensionFunctions>>>();
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Cache.find(Platform); It != Cache.end())
      return *It->second;
  }
  auto New = queryAll(Platform);
  std::lock_guard Lock(Mutex);
  return *Cache.try_emplace(Platform, std::move(New)).first->second;
}

const ExtensionFunctions &warpsan::extensionsOf(cl_context Context) {
  return extensionsOf(contextOf(Context)->Platform);
}

const ExtensionFunctions &warpsan::extensionsOf(cl_command_queue Queue) {
  auto Q = Queues.find(Queue);
  return extensionsOf(Q ? Q->Context
                        : queryValue<cl_context>(Next->clGetCommandQueueInfo,
                                                 Queue, CL_QUEUE_CONTEXT,
                                                 nullptr));
}

const ExtensionFunctions &warpsan::extensionsOf(cl_kernel Kernel) {
  if (auto K = Kernels.find(Kernel))
    return extensionsOf(K->Ctx->Platform);
  return extensionsOf(queryValue<cl_context>(Next->clGetKernelInfo, Kernel,
                                             CL_KERNEL_CONTEXT, nullptr));
}
