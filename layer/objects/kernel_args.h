//===- layer/objects/kernel_args.h - a kernel's arguments as the application set
// them -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer remembers every argument so that any twin of the kernel can be
// given them at a launch. Each setting gets a stamp that is unique in the
// process; a twin that saw the same stamp need not be given it again.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_KERNEL_ARGS_H
#define WARPSAN_LAYER_OBJECTS_KERNEL_ARGS_H

#include "abi/sampler.h"
#include "layer/objects/driver.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace warpsan {

struct Memory;

/// One argument, as one of OpenCL's calls set it.
struct KernelArg {
  enum class Source : uint8_t {
    Unset,
    Value,      ///< clSetKernelArg with a value
    Null,       ///< clSetKernelArg without one: local memory, or a null buffer
    SVMPointer, ///< clSetKernelArgSVMPointer
    USMPointer, ///< clSetKernelArgMemPointerINTEL
    DevicePointer, ///< clSetKernelArgDevicePointerEXT
  };
  Source Set = Source::Unset;
  uint64_t Stamp = 0;
  size_t Size = 0;   ///< as given to clSetKernelArg
  std::string Bytes; ///< the value; for pointers, the pointer itself
  /// What the handle in Bytes stood for when it was set; null if it is none,
  /// or none that we know.
  std::shared_ptr<const Memory> Of;
  /// The same of a sampler, as in abi/sampler.h; none that we know addresses.
  cl_ulong SamplerMode = WS_SAMPLER_ADDRESSES;

  bool isPointer() const {
    return Set == Source::SVMPointer || Set == Source::USMPointer ||
           Set == Source::DevicePointer;
  }
  /// The value as a handle or an address; null if it is none.
  void *pointer() const;
};

/// Of a memory object that the application has released since.
bool isReleased(const KernelArg &Arg);

/// What clSetKernelExecInfo was given, one entry a parameter name.
struct ExecInfo {
  cl_kernel_exec_info Name = 0;
  std::string Bytes;
};

/// Thread-safe: an application that shares a kernel between threads without a
/// lock of its own is wrong, but must not crash because of us.
class KernelArgs {
public:
  explicit KernelArgs(size_t Count) : Args(Count), UnsetCount(Count) {}

  void set(cl_uint Index, KernelArg::Source From, size_t Size,
           const void *Value, std::shared_ptr<const Memory> Of = nullptr,
           cl_ulong SamplerMode = WS_SAMPLER_ADDRESSES);
  void setExecInfo(cl_kernel_exec_info Name, size_t Size, const void *Value);
  void copyFrom(KernelArgs &Other);

  /// Calls for each argument whose stamp is not in \p Known: it is copied to
  /// \p Changed with its index, and \p Known is brought up to date.
  void changedSince(std::vector<uint64_t> &Known,
                    std::vector<std::pair<cl_uint, KernelArg>> &Changed);

  /// What decides on the twin of a launch.
  struct Pointers {
    uint64_t ExecStamp; ///< 0 if clSetKernelExecInfo was never called
    bool Any;           ///< an argument is a pointer
    bool Released;      ///< released() may have something
    bool Unset;         ///< an argument is not set
  };
  Pointers pointers();
  std::vector<ExecInfo> execInfo();
  /// Calls \p Visit with each argument and its index, under a lock. False if
  /// one is not set.
  template <typename F> bool look(F Visit) {
    std::lock_guard Lock(Mutex);
    bool Complete = true;
    for (size_t I = 0; I < Args.size(); ++I) {
      Visit(I, Args[I]);
      Complete &= Args[I].Set != KernelArg::Source::Unset;
    }
    return Complete;
  }
  /// Arguments that look like memory objects which were released since.
  std::vector<std::pair<cl_uint, std::shared_ptr<const Memory>>> released();

private:
  std::mutex Mutex;
  std::vector<KernelArg> Args; ///< under Mutex, as all below
  size_t UnsetCount;           ///< of Args
  std::vector<ExecInfo> Exec;
  uint64_t ExecStamp = 0;
  size_t PointerCount = 0; ///< of Args
};

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_KERNEL_ARGS_H
