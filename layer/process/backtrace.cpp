//===- layer/process/backtrace.cpp - who called, as addresses -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libgcc walks the stack: glibc's backtrace() is the same walk behind a lazily
// loaded libgcc, and libgcc's lookups take no lock (_dl_find_object).
//
// Most calls come by a way that the thread came before. Where return addresses
// lie on the stack that is seen without a walk: each of them is where it was.
//
//===----------------------------------------------------------------------===//
#include "layer/process/backtrace.h"

#include "layer/process/no_destructor.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unwind.h>
#include <vector>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

namespace {
struct Traces {
  std::mutex Mutex; ///< guards all below; what is in All never changes
  std::deque<std::vector<void *>> All = {{}};
  std::unordered_map<std::string_view, uint32_t> Numbers; ///< by their bytes
};
} // namespace

static Traces &traces() {
  static auto &Only = noDestructor<Traces>();
  return Only;
}

static std::string_view bytesOf(std::span<void *const> Frames) {
  return {reinterpret_cast<const char *>(Frames.data()), Frames.size_bytes()};
}

Backtrace::Backtrace(std::span<void *const> Frames) {
  if (Frames.empty())
    return;
  Traces &T = traces();
  std::lock_guard Lock(T.Mutex);
  if (auto Known = T.Numbers.find(bytesOf(Frames)); Known != T.Numbers.end()) {
    Number = Known->second;
    return;
  }
  Number = static_cast<uint32_t>(T.All.size());
  T.All.emplace_back(Frames.begin(), Frames.end());
  T.Numbers.emplace(bytesOf(T.All.back()), Number);
}

std::span<void *const> Backtrace::frames() const {
  Traces &T = traces();
  std::lock_guard Lock(T.Mutex);
  return T.All[Number];
}

//===----------------------------------------------------------------------===//
// The walk, and the way that is known
//===----------------------------------------------------------------------===//

namespace {

struct Walk {
  uint32_t Count = 0;
  bool OnStack = false; ///< each address lies at its place
  void *Addresses[MaxFrames];
  void **Places[MaxFrames]; ///< of the addresses, on the stack
};

/// All zero at first, and nothing to destroy: it is thread-local.
struct KnownWay {
  Walk Steps;
  Backtrace Trace;
};

} // namespace

static _Unwind_Reason_Code keepFrame(_Unwind_Context *Frame, void *Into) {
  auto &W = *static_cast<Walk *>(Into);
  auto *Address = reinterpret_cast<void *>(_Unwind_GetIP(Frame));
  if (!Address || W.Count == MaxFrames)
    return _URC_END_OF_STACK;
  W.Addresses[W.Count] = Address;
#ifdef __x86_64__
  // The call pushed it right before the caller's frame.
  auto **Place = reinterpret_cast<void **>(_Unwind_GetCFA(Frame)) - 1;
  W.Places[W.Count] = Place;
  W.OnStack &= *Place == Address;
#else
  W.OnStack = false;
#endif
  ++W.Count;
  return _URC_NO_REASON;
}

/// From the innermost frame outwards: as long as a return address is the same,
/// so is the frame that it returns to, and the next place is one to look at.
static bool isSame(const Walk &W) {
  for (uint32_t I = 0; I < W.Count; ++I)
    if (*W.Places[I] != W.Addresses[I])
      return false;
  return true;
}

/// \p Own: where the return address of the function to begin with lies.
[[gnu::always_inline]] static inline Backtrace walked(void **Own) {
  // Few, since all are looked at: a thread mostly does the same over and over.
  constexpr uint32_t Ways = 8;
  static thread_local KnownWay Cache[Ways];
  static thread_local uint32_t Oldest;
  for (const KnownWay &Way : Cache)
    if (Way.Steps.Count && Way.Steps.Places[0] == Own && isSame(Way.Steps))
      return Way.Trace;

  Walk New;
  New.OnStack = true;
  _Unwind_Backtrace(keepFrame, &New);
  // The first is this function's own, whose place is nobody's afterwards.
  auto Drop = [&](auto *From) { std::copy(From + 1, From + New.Count, From); };
  if (New.Count) {
    Drop(New.Addresses);
    Drop(New.Places);
    --New.Count;
  }
  const Backtrace Trace({New.Addresses, New.Count});
  if (New.OnStack && New.Count && New.Places[0] == Own)
    Cache[Oldest++ % Ways] = {New, Trace};
  return Trace;
}

Backtrace warpsan::captureBacktrace() {
  Backtrace Trace =
      walked(static_cast<void **>(__builtin_frame_address(0)) + 1);
  Trace.InPython = PythonTrace::capture();
  return Trace;
}
