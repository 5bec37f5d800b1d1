//===- layer/twin_kernel.cpp - kernels of a twin, ready to launch ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin_kernel.h"

#include "layer/build.h"
#include "layer/extensions.h"
#include "layer/svm_ranges.h"
#include "layer/tally.h"

#include <atomic>
#include <utility>

using namespace warpsan;

TwinInstance::~TwinInstance() {
  if (Handle)
    Next->clReleaseKernel(Handle);
}

//===----------------------------------------------------------------------===//
// TwinPool
//===----------------------------------------------------------------------===//

/// An instance that was told of SVM pointers stays with the kernel that told
/// it: they may have been freed since.
std::unique_ptr<TwinInstance> TwinPool::takeFree(uint64_t ExecStamp) {
  std::lock_guard Lock(Mutex);
  for (size_t I = Free.size(); I-- > 0;)
    if (Free[I]->ExecStamp == ExecStamp) {
      std::swap(Free[I], Free.back());
      auto Instance = std::move(Free.back());
      Free.pop_back();
      return Instance;
    }
  return nullptr;
}

void TwinPool::giveBack(std::unique_ptr<TwinInstance> Instance) {
  // One instance is borrowed at a time by each thread, so the pool grows to as
  // many as ever launched at once; with exec info, old ones are dropped.
  constexpr size_t MaxFree = 128;
  std::unique_ptr<TwinInstance> Dropped; // dies outside the lock
  std::lock_guard Lock(Mutex);
  if (Free.size() >= MaxFree) {
    Dropped = std::move(Free.front());
    Free.erase(Free.begin());
  }
  Free.push_back(std::move(Instance));
}

std::unique_ptr<TwinInstance> TwinPool::borrow(Kernel &For, cl_device_id Device,
                                               std::string &Why) {
  const uint64_t ExecStamp = For.Args.execStamp();
  std::unique_ptr<TwinInstance> Instance = takeFree(ExecStamp);
  if (!Instance) {
    Instance = std::make_unique<TwinInstance>();
    cl_int Error = CL_SUCCESS;
    Instance->Handle = Next->clCreateKernel(From->Handle, Name.c_str(), &Error);
    if (!Instance->Handle) {
      Why = "the twin has no such kernel: clCreateKernel returned " +
            std::to_string(Error);
      return nullptr;
    }
    if (ExecStamp)
      for (const ExecInfo &Info : For.Args.execInfo())
        Next->clSetKernelExecInfo(Instance->Handle, Info.Name,
                                  Info.Bytes.size(), Info.Bytes.data());
    Instance->ExecStamp = ExecStamp;
  }
  Why = giveArguments(*Instance, For, Device);
  if (!Why.empty())
    return nullptr; // half set: not given back
  return Instance;
}

/// Repeats on \p Instance the call that set an argument.
static cl_int setArgument(cl_kernel Instance, const Context &Ctx, cl_uint Index,
                          const KernelArg &Arg) {
  switch (Arg.Set) {
  case KernelArg::How::Unset:
    return CL_SUCCESS; // the launch will fail, as it does natively
  case KernelArg::How::Value:
    return Next->clSetKernelArg(Instance, Index, Arg.Size, Arg.Bytes.data());
  case KernelArg::How::Null:
    return Next->clSetKernelArg(Instance, Index, Arg.Size, nullptr);
  case KernelArg::How::SVMPointer:
    return Next->clSetKernelArgSVMPointer(Instance, Index, Arg.pointer());
  case KernelArg::How::USMPointer:
    return extensionsOf(Ctx.Platform)
        .clSetKernelArgMemPointerINTEL(Instance, Index, Arg.pointer());
  case KernelArg::How::DevicePointer:
    return extensionsOf(Ctx.Platform)
        .clSetKernelArgDevicePointerEXT(
            Instance, Index, reinterpret_cast<uintptr_t>(Arg.pointer()));
  }
  return CL_INVALID_VALUE;
}

/// How many bytes an argument may touch; 0 if that is not known.
static cl_ulong sizeOf(const KernelArg &Arg, KernelPlan::ArgKind Kind) {
  switch (Arg.Set) {
  case KernelArg::How::Unset:
    return 0;
  case KernelArg::How::Null:
    return Kind == KernelPlan::ArgKind::Local ? Arg.Size : 0;
  case KernelArg::How::Value:
    if (auto Mem = Memories.find(static_cast<cl_mem>(Arg.pointer())))
      return Mem->Size;
    return 0;
  case KernelArg::How::SVMPointer:
  case KernelArg::How::USMPointer:
  case KernelArg::How::DevicePointer:
    return svmBytesFrom(Arg.pointer());
  }
  return 0;
}

std::string TwinPool::giveArguments(TwinInstance &Instance, Kernel &For,
                                    cl_device_id Device) {
  static std::atomic<cl_ulong> LastLaunch = 0;
  // Reused by each launch of the thread, so that none allocates.
  static thread_local std::vector<std::pair<cl_uint, KernelArg>> Changed;
  Changed.clear();
  For.Args.changedSince(Instance.Stamps, Changed);
  if (Instance.Stamps.size() != Plan->Args.size())
    return "the twin has " + std::to_string(Plan->Args.size()) +
           " arguments where the kernel has " +
           std::to_string(Instance.Stamps.size());

  auto Failed = [](cl_uint Index, cl_int Error) {
    return "the twin refused argument " + std::to_string(Index) + ": error " +
           std::to_string(Error);
  };
  for (const auto &[Index, Arg] : Changed)
    if (cl_int Error = setArgument(Instance.Handle, *For.Ctx, Index, Arg))
      return Failed(Index, Error);

  cl_uint Index = Plan->Args.size();
  for (const KernelPlan::Hidden &Hidden : Plan->HiddenArgs) {
    cl_int Error = CL_SUCCESS;
    switch (Hidden.What) {
    case KernelPlan::Hidden::Kind::Size:
      for (const auto &[Of, Arg] : Changed)
        if (Of == Hidden.Arg) {
          cl_ulong Size = sizeOf(Arg, Plan->Args[Of]);
          Error =
              Next->clSetKernelArg(Instance.Handle, Index, sizeof(Size), &Size);
        }
      break;
    case KernelPlan::Hidden::Kind::Launch: {
      cl_ulong Number = LastLaunch.fetch_add(1, std::memory_order_relaxed) + 1;
      Error =
          Next->clSetKernelArg(Instance.Handle, Index, sizeof(Number), &Number);
      break;
    }
    case KernelPlan::Hidden::Kind::Records:
      if (!Instance.HasRecords) {
        cl_mem Records = For.Ctx->recordBuffer(Device);
        if (!Records)
          return "the driver gave no memory for the record buffer";
        Error = Next->clSetKernelArg(Instance.Handle, Index, sizeof(Records),
                                     &Records);
        Instance.HasRecords = true;
      }
      break;
    }
    if (Error)
      return Failed(Index, Error);
    ++Index;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// TwinKernel
//===----------------------------------------------------------------------===//

TwinPool &TwinKernel::pool(Build &From, cl_device_id Device,
                           const std::string &Variant) {
  const std::pair Key(Device, Variant);
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Pools.find(Key); It != Pools.end())
      return *It->second;
  }
  Stopwatch Waiting(Counter::twin_wait_ns);
  std::shared_ptr<TwinProgram> Twin = From.twin(Device, Variant);
  From.noteLaunchedFrom(Twin->Handle != nullptr);
  const KernelPlan *Plan = nullptr;
  std::string Reason = Twin->Reason;
  if (Twin->Handle) {
    auto It = Twin->Description.Kernels.find(Name);
    if (It != Twin->Description.Kernels.end())
      Plan = &It->second;
    else
      Reason = "the compiler's manifest does not name this kernel";
  }
  auto New = std::make_unique<TwinPool>(Twin, Plan, Name, Reason);
  std::lock_guard Lock(Mutex);
  return *Pools.try_emplace(Key, std::move(New)).first->second;
}

void TwinKernel::noteCreated() {
  std::lock_guard Lock(Mutex);
  if (!std::exchange(Created, true))
    tally(Counter::kernels_created);
}

void TwinKernel::noteLaunch(bool AsTwin) {
  tally(Counter::launches);
  if (AsTwin)
    tally(Counter::launches_twin);
  if (!std::exchange(Launched, true)) {
    tally(Counter::kernels_launched);
    AlwaysTwin = AsTwin;
    if (AsTwin)
      tally(Counter::kernels_twin);
  } else if (AlwaysTwin && !AsTwin) {
    AlwaysTwin = false;
    tally(Counter::kernels_twin, -1);
  }
}

void TwinKernel::noteTwinLaunch() {
  std::lock_guard Lock(Mutex);
  noteLaunch(true);
}

void TwinKernel::noteChosenNative() {
  std::lock_guard Lock(Mutex);
  noteLaunch(false);
}

void TwinKernel::noteNativeLaunch(const std::string &Reason) {
  std::lock_guard Lock(Mutex);
  noteLaunch(false);
  Gap *&Entry = Gaps[Reason];
  if (!Entry)
    Entry = noteGap("kernel " + Name, Reason);
  Entry->Launches.fetch_add(1, std::memory_order_relaxed);
}
