//===- layer/objects/kernel_args.cpp - a kernel's arguments as the application
// set them ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/objects/kernel_args.h"

#include "layer/objects/objects.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using namespace warpsan;

static uint64_t nextStamp() {
  static std::atomic<uint64_t> Last = 0;
  return Last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void *KernelArg::pointer() const {
  void *Pointer = nullptr;
  if (Bytes.size() == sizeof(Pointer))
    std::memcpy(&Pointer, Bytes.data(), sizeof(Pointer));
  return Pointer;
}

void KernelArgs::set(cl_uint Index, KernelArg::Source From, size_t Size,
                     const void *Value, std::shared_ptr<const Memory> Of,
                     cl_ulong SamplerMode) {
  std::lock_guard Lock(Mutex);
  if (Index >= Args.size())
    return;
  KernelArg &Arg = Args[Index];
  PointerCount -= Arg.isPointer();
  UnsetCount -= Arg.Set == KernelArg::Source::Unset;
  Arg.Set = From;
  PointerCount += Arg.isPointer();
  Arg.Of.swap(Of); // the old one dies outside of the lock
  Arg.SamplerMode = SamplerMode;
  Arg.Stamp = nextStamp();
  Arg.Size = Size;
  if (From == KernelArg::Source::Null)
    Arg.Bytes.clear();
  else
    Arg.Bytes.assign(static_cast<const char *>(Value), Size);
}

void KernelArgs::setExecInfo(cl_kernel_exec_info Name, size_t Size,
                             const void *Value) {
  std::lock_guard Lock(Mutex);
  ExecStamp = nextStamp();
  std::string Bytes(static_cast<const char *>(Value), Value ? Size : 0);
  for (ExecInfo &Info : Exec)
    if (Info.Name == Name) {
      Info.Bytes = std::move(Bytes);
      return;
    }
  Exec.push_back({Name, std::move(Bytes)});
}

void KernelArgs::copyFrom(KernelArgs &Other) {
  std::scoped_lock Lock(Mutex, Other.Mutex);
  Args = Other.Args;
  Exec = Other.Exec;
  ExecStamp = Other.ExecStamp;
  PointerCount = Other.PointerCount;
  UnsetCount = Other.UnsetCount;
}

void KernelArgs::changedSince(
    std::vector<uint64_t> &Known,
    std::vector<std::pair<cl_uint, KernelArg>> &Changed) {
  std::lock_guard Lock(Mutex);
  Known.resize(Args.size());
  for (size_t I = 0; I < Args.size(); ++I)
    if (Args[I].Stamp != Known[I]) {
      Known[I] = Args[I].Stamp;
      Changed.emplace_back(I, Args[I]);
    }
}

bool warpsan::isReleased(const KernelArg &Arg) {
  return Arg.Of && Arg.Of->Released.load(std::memory_order_relaxed);
}

std::vector<std::pair<cl_uint, std::shared_ptr<const Memory>>>
KernelArgs::released() {
  std::lock_guard Lock(Mutex);
  std::vector<std::pair<cl_uint, std::shared_ptr<const Memory>>> Found;
  for (size_t I = 0; I < Args.size(); ++I)
    if (isReleased(Args[I]))
      Found.emplace_back(I, Args[I].Of);
  return Found;
}

KernelArgs::Pointers KernelArgs::pointers() {
  std::lock_guard Lock(Mutex);
  return {ExecStamp, PointerCount != 0,
          std::any_of(Args.begin(), Args.end(), isReleased), UnsetCount != 0};
}

std::vector<ExecInfo> KernelArgs::execInfo() {
  std::lock_guard Lock(Mutex);
  return Exec;
}
