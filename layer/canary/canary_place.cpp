//===- layer/canary/canary_place.cpp - where canaries are -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/canary/canary_place.h"

#include "layer/objects/extension_functions.h"
#include "layer/svm/svm_ranges.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <sys/random.h>

using namespace warpsan;

/// Where the argument's memory is. Null if there is nothing of ours next to it,
/// or it lives no longer.
static std::optional<Place> placeOf(unsigned Index, const KernelArg &Arg) {
  Place P;
  P.Arg = Index;
  if (Arg.isPointer()) {
    const SvmPlace Found = svmPlaceOf(Arg.pointer());
    if (!Found.Of || !Found.Of->Pad || Found.Of->Released.load() ||
        (Found.Of->Flags & CL_MEM_READ_ONLY))
      return std::nullopt;
    P.Of = P.Owner = Found.Of;
    P.Start = static_cast<char *>(Arg.pointer()) - Found.Offset;
    return P;
  }
  P.Buffer = static_cast<cl_mem>(Arg.pointer());
  // A number that looks like a handle is one, or does no harm.
  if (!Arg.Of || Memories.find(P.Buffer) != Arg.Of)
    return std::nullopt;
  P.Of = P.Owner = Arg.Of;
  if (P.Of->What == Memory::Kind::SubBuffer) {
    P.Buffer = P.Of->Parent;
    P.Owner = Memories.find(P.Buffer);
  }
  if (!P.Owner || !P.Owner->Pad)
    return std::nullopt;
  if (P.Owner->Whole)
    P.Buffer = P.Owner->Whole;
  return P;
}

std::vector<Place> warpsan::placesOf(Kernel &K) {
  std::vector<uint64_t> None;
  std::vector<std::pair<cl_uint, KernelArg>> Args;
  K.Args.changedSince(None, Args);
  std::vector<Place> Places;
  for (const auto &[Index, Arg] : Args)
    if (std::optional<Place> P = placeOf(Index, Arg);
        P &&
        std::ranges::find(Places, P->Owner, &Place::Owner) == Places.end()) {
      Places.push_back(*P);
      P->InFront = true;
      if (P->size())
        Places.push_back(std::move(*P));
    }
  return Places;
}

cl_int warpsan::enqueueCopy(cl_command_queue Queue, const Place &P,
                            uint8_t *Ours, bool Write, cl_event WaitFor,
                            cl_event *Done) {
  const cl_uint WaitCount = WaitFor ? 1 : 0;
  const cl_event *WaitList = WaitFor ? &WaitFor : nullptr;
  if (P.Buffer) {
    const size_t At = P.InFront ? P.Owner->FrontPad - P.size()
                                : P.Owner->FrontPad + P.Owner->Size;
    return Write ? Next->clEnqueueWriteBuffer(Queue, P.Buffer, CL_FALSE, At,
                                              P.size(), Ours, WaitCount,
                                              WaitList, Done)
                 : Next->clEnqueueReadBuffer(Queue, P.Buffer, CL_FALSE, At,
                                             P.size(), Ours, WaitCount,
                                             WaitList, Done);
  }
  void *Place = P.InFront ? P.Start - P.size() : P.Start + P.Owner->Size;
  void *To = Write ? Place : Ours;
  const void *From = Write ? Ours : Place;
  if (P.Owner->What == Memory::Kind::SVM)
    return Next->clEnqueueSVMMemcpy(Queue, CL_FALSE, To, From, P.size(),
                                    WaitCount, WaitList, Done);
  auto *Copy = extensionsOf(Queue).clEnqueueMemcpyINTEL;
  return Copy ? Copy(Queue, CL_FALSE, To, From, P.size(), WaitCount, WaitList,
                     Done)
              : CL_INVALID_OPERATION;
}

static uint64_t processKey() {
  static const uint64_t Key = [] {
    uint64_t Random = 0;
    if (getrandom(&Random, sizeof(Random), GRND_NONBLOCK) != sizeof(Random))
      Random = static_cast<uint64_t>(
          std::chrono::steady_clock::now().time_since_epoch().count());
    return Random;
  }();
  return Key;
}

std::vector<uint8_t> warpsan::newBytes(const Place &P) {
  static std::atomic<uint64_t> Count = 0;
  uint64_t State = processKey() ^ P.Owner->Size ^
                   (reinterpret_cast<uintptr_t>(P.Buffer) << 20) ^
                   (reinterpret_cast<uintptr_t>(P.Start) << 20) ^
                   (Count.fetch_add(1, std::memory_order_relaxed) << 44);
  std::vector<uint8_t> Bytes(P.size());
  for (uint8_t &Byte : Bytes) { // splitmix64
    State += 0x9E3779B97F4A7C15U;
    uint64_t Z = State;
    Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9U;
    Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBU;
    Byte = 0x80 | static_cast<uint8_t>((Z >> 57) % 0x7F);
  }
  return Bytes;
}
