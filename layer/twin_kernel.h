//===- layer/twin_kernel.h - kernels of a twin, ready to launch -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All cl_kernel objects of one name in one build share a TwinKernel. A launch
// borrows one of its instances, brings its arguments up to date and gives it
// back: two threads never meet on one driver object, and no lock is held
// while the driver works.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_KERNEL_H
#define WARPSAN_LAYER_TWIN_KERNEL_H

#include "layer/kernel_args.h"
#include "layer/manifest.h"
#include "layer/objects.h"
#include "status/status.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warpsan {

struct TwinProgram;

/// One cl_kernel of a twin program, and which arguments it has.
struct TwinInstance {
  TwinInstance() = default;
  TwinInstance(const TwinInstance &) = delete;
  ~TwinInstance();

  cl_kernel Handle = nullptr;
  std::vector<uint64_t> Stamps; ///< of the arguments it was last given
  uint64_t ExecStamp = 0;
  bool HasRecords = false;
};

/// The instances for one device and variant.
class TwinPool {
public:
  TwinPool(std::shared_ptr<TwinProgram> From, const KernelPlan *Plan,
           std::string Name, std::string Reason)
      : Plan(Plan), Reason(std::move(Reason)), From(std::move(From)),
        Name(std::move(Name)) {}

  /// An instance with the arguments of \p Args; null on failure, with \p Why.
  std::unique_ptr<TwinInstance> borrow(Kernel &For, cl_device_id Device,
                                       std::string &Why);
  void giveBack(std::unique_ptr<TwinInstance> Instance);

  const KernelPlan *const Plan; ///< null if there is no twin
  const std::string Reason;     ///< why there is none

private:
  std::unique_ptr<TwinInstance> takeFree(uint64_t ExecStamp);
  std::string giveArguments(TwinInstance &Instance, Kernel &For,
                            cl_device_id Device);

  const std::shared_ptr<TwinProgram> From;
  const std::string Name;
  std::mutex Mutex;
  std::vector<std::unique_ptr<TwinInstance>> Free; ///< under Mutex
};

class TwinKernel {
public:
  TwinKernel(std::string Name, unsigned Program)
      : Name(std::move(Name)), Program(Program) {}

  /// The pool for a device, made by the first launch there.
  TwinPool &pool(Build &From, cl_device_id Device, const std::string &Variant);

  /// Counting, by the calls that create and launch.
  void noteCreated();
  void noteTwinLaunch();
  void noteNativeLaunch(const std::string &Reason);
  /// A native launch that was wanted so: launch=native.
  void noteChosenNative();

  const std::string Name;
  const unsigned Program; ///< number

private:
  void noteLaunch(bool AsTwin);

  std::mutex Mutex; ///< guards all below
  std::map<std::pair<cl_device_id, std::string>, std::unique_ptr<TwinPool>>
      Pools;
  std::map<std::string, Gap *> Gaps; ///< by reason
  bool Created = false, Launched = false, AlwaysTwin = false;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_KERNEL_H
