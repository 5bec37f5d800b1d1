//===- layer/launch/twin_kernel.h - kernels of a twin, ready to launch ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All cl_kernel objects of one name in one build share a TwinKernel. A launch
// borrows one of its instances, brings its arguments up to date and gives it
// back: two threads never meet on one driver object, and no lock is held
// while the driver sets arguments or launches.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_TWIN_KERNEL_H
#define WARPSAN_LAYER_LAUNCH_TWIN_KERNEL_H

#include "layer/launch/launch_selection.h"
#include "layer/launch/proof_cache.h"
#include "layer/launch/race_shadow.h"
#include "layer/objects/kernel_args.h"
#include "layer/objects/launch_log.h"
#include "layer/objects/objects.h"
#include "layer/svm/arg_bounds.h"
#include "layer/twin/manifest.h"
#include "layer/twin/twin_wish.h"
#include "status/status.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warpsan {

class TwinProgram;

/// One cl_kernel of a twin program, and which arguments it has.
struct TwinInstance {
  TwinInstance() = default;
  TwinInstance(const TwinInstance &) = delete;
  ~TwinInstance();

  cl_kernel Handle = nullptr;
  std::vector<uint64_t> Stamps; ///< of the arguments it was last given
  uint64_t ExecStamp = 0;
  /// Where the launch's records go; while it is borrowed, and null if that is a
  /// buffer that the host reads in place, which stays.
  std::shared_ptr<RecordBuffer> Records;
  uint64_t RecordsSerial = 0; ///< of the buffer that is set; 0: none is
  bool RecordsStay = false;
  std::vector<ArgBounds> Bounds; ///< of each argument that has memory
  uint64_t SvmEpoch = 0;         ///< when Bounds were true
  uint64_t PoolEpoch = 0;        ///< the same, of buffers with objects
  /// What Bounds say of memory, for the log; made anew when they change.
  std::shared_ptr<const ArgMemories> Memories;
  uint64_t Number = 0; ///< of the launch it is borrowed for; 0: it takes none
  uint64_t Secret = 0; ///< of that launch, layer/schemes/schemes.h
  LaunchShadow Shadow; ///< of that launch
};

/// The value of a hidden argument.
struct HiddenValue {
  size_t Size = 0; ///< 0: what the instance has is right
  cl_ulong Bits = 0;
  enum { Value, Null, SVMPointer } Is = Value;

  /// As clSetKernelArg and its like want it; null if it is.
  const void *bytes() const { return Is == Null ? nullptr : &Bits; }
  void *pointer() const { return reinterpret_cast<void *>(Bits); }
};

/// Repeats on \p Instance the call that set an argument.
cl_int setArgument(cl_kernel Instance, const Context &Ctx, cl_uint Index,
                   const KernelArg &Arg);

/// The instances for one device and variant.
class TwinPool {
public:
  TwinPool(std::shared_ptr<TwinProgram> From, const KernelPlan *Plan,
           LaunchedKernel Of, Variant Which, bool HasHeap, std::string Reason);

  /// An instance with the arguments of \p For and a number for its launch of
  /// \p Range; null on failure, with \p Why. \p Shadow: of its queue; null:
  /// global memory is not watched for data races.
  std::unique_ptr<TwinInstance> borrow(Kernel &For, uint64_t ExecStamp,
                                       cl_device_id Device,
                                       const NDRange &Range, RaceShadow *Shadow,
                                       std::string &Why);
  void giveBack(std::unique_ptr<TwinInstance> Instance);

  /// The hidden arguments, in order, that \p Instance needs with the arguments
  /// that it was given last; empty on failure.
  std::vector<HiddenValue> hiddenValues(TwinInstance &Instance, Kernel &For,
                                        cl_device_id Device,
                                        const NDRange &Range);

  /// Whether kernels of its program change the program's variables.
  bool changesVariables() const;

  /// Whether local memory of \p Device holds what \p Instance needs, with the
  /// arguments that it was given last and their shadows. PoCL takes a launch
  /// that needs more, and then ends the process.
  bool fitsLocalMemory(const TwinInstance &Instance, cl_device_id Device) const;

  /// Counts a launch that is proven and runs as a twin: Plan->WhyNotNative.
  void noteNotNative();

  /// One of our own kernels in the twin's program; null if there is none.
  cl_kernel makeKernel(const std::string &Name);

  const KernelPlan *const Plan; ///< null if there is no twin
  const std::string Reason;     ///< why there is none
  const Variant Which;
  const std::shared_ptr<const LaunchedKernel> Of; ///< for the log
  ProofCache Proofs;                              ///< of Plan
  /// Its kernel follows pointers that lie in memory, and the device cannot read
  /// our map of it.
  const bool Unfollowed;

private:
  std::unique_ptr<TwinInstance> takeFree(uint64_t ExecStamp);
  std::string giveArguments(TwinInstance &Instance, Kernel &For,
                            cl_device_id Device, const NDRange &Range,
                            RaceShadow *Shadow);
  cl_int hiddenValue(TwinInstance &Instance, const KernelPlan::Hidden &Hidden,
                     Kernel &For, cl_device_id Device, const NDRange &Range,
                     HiddenValue &Value) const;

  const std::shared_ptr<TwinProgram> From;
  std::mutex Mutex;
  std::vector<std::unique_ptr<TwinInstance>> Free; ///< under Mutex
  std::once_flag NotNativeOnce;
  Gap *NotNative = nullptr; ///< since NotNativeOnce
};

class TwinKernel {
public:
  TwinKernel(std::string Name, unsigned Program,
             std::shared_ptr<LaunchSelection> Selection)
      : Name(std::move(Name)), Program(Program),
        Selection(std::move(Selection)) {}

  /// The pool for a device, made by the first launch there.
  TwinPool &pool(Build &From, cl_device_id Device, Variant Which);
  /// That of a twin which checks and watches what \p Wanted has, of this
  /// kernel, and little else. Null if there is none, or none yet: until the
  /// number of launches that settings().specialize is has wanted it.
  TwinPool *poolFor(Build &From, cl_device_id Device, Variant Which,
                    const AccessSelection &Wanted);

  bool isOfRuntime() const { return Selection->isOfRuntime(); }

  /// Counting, by the calls that create and launch.
  void noteCreated();
  void noteTwinLaunch(const TwinPool &Pool);
  /// A native launch of which \p Pool's claims hold, and nothing else is left.
  void noteProvenLaunch(const TwinPool &Pool);
  /// Besides: one whose twin does not watch all its memory for data races.
  void noteRacesUnjudged(const std::string &Reason);
  void noteNativeLaunch(const std::string &Reason);
  /// One that was not made: untrusted_kernels.
  void noteRefusedLaunch(const std::string &Reason);
  /// A native launch that was wanted so: launch=native.
  void noteChosenNative();

  const std::string Name;
  const unsigned Program;                           ///< number
  const std::shared_ptr<LaunchSelection> Selection; ///< never null

private:
  /// A twin for launches that do not prove all.
  struct Tuned {
    cl_device_id Device;
    Variant Which;        ///< Lean
    AccessSelection Only; ///< what it checks and watches, at least
    int Launches = 0;     ///< that wanted it
    bool IsAsked = false; ///< somebody makes Pool, or has made it
    std::unique_ptr<TwinPool> Pool = {};
  };

  std::unique_ptr<TwinPool> makePool(Build &From, cl_device_id Device,
                                     const TwinWish &Wanted);
  /// \p Entirely: each of its accesses is proven, none is merely untraced.
  void noteLaunch(bool Covered, bool Entirely = false);
  void noteChecked(const TwinPool &Pool, bool AllProven);
  void countGap(const std::string &Reason, GapKind Kind = GapKind::Gap);

  std::mutex Mutex; ///< guards all below
  std::map<std::pair<cl_device_id, Variant>, std::unique_ptr<TwinPool>> Pools;
  std::map<std::pair<GapKind, std::string>, Gap *> Gaps; ///< by reason
  std::vector<std::unique_ptr<Tuned>> TunedPools;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_TWIN_KERNEL_H
