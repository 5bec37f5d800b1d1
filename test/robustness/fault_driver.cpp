//===- test/robustness/fault_driver.cpp - drivers' calls that fail --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See board.h. There is a layer next to the driver, where calls of WarpSan's
// layer fail, and one next to the application (fault_above.cpp), where its
// calls are numbered. Without WarpSan the latter lets the application's calls
// fail.
//
//===----------------------------------------------------------------------===//
#include "layer/objects/driver.h"
#include "test/layer/layers/plain_layer.h"
#include "test/robustness/board.h"

#include <algorithm>
#include <tuple>

using namespace faults;

/// Below, and above WarpSan's layer.
static const cl_icd_dispatch *Targets[2];
static cl_icd_dispatch Tables[2];

namespace {

/// The application's call that this thread is in.
struct AppCall {
  uint64_t Number = 0;
  const char *Name = "";
  uint64_t First = 0, Second = 0; ///< its first two arguments
};
thread_local AppCall Current;

template <typename T> uint64_t wordOf(T Given) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(Given);
  else
    return static_cast<uint64_t>(Given);
}

template <typename... Args> AppCall callOf(const char *Name, Args... Given) {
  const uint64_t Words[] = {wordOf(Given)..., 0, 0};
  return {0, Name, Words[0], Words[1]};
}

template <typename R, typename... Args> R failure(Args... Given) {
  if constexpr (std::is_same_v<R, cl_int>) {
    return driverError();
  } else if constexpr (std::is_pointer_v<R>) {
    if constexpr (sizeof...(Given) > 0) {
      const std::tuple<Args...> All(Given...);
      auto Last = std::get<sizeof...(Given) - 1>(All);
      if constexpr (std::is_same_v<decltype(Last), cl_int *>)
        if (Last)
          *Last = driverError();
    }
    return nullptr;
  }
}

template <size_t N> struct CallName {
  consteval CallName(const char (&Name)[N]) { std::copy_n(Name, N, Text); }
  char Text[N];
};

template <CallName Name, auto Slot> struct Call;
template <CallName Name, typename R, typename... Args,
          R (*cl_icd_dispatch::*Slot)(Args...)>
struct Call<Name, Slot> {
  [[gnu::noinline]] static R CL_API_CALL below(Args... Given) {
    if constexpr (!std::is_void_v<R>)
      if (isOurs(__builtin_return_address(0)) && due(Kind::Driver, Name.Text)) {
        Board &B = *board();
        if (B.Fired.load() == 1) {
          const AppCall Mine = callOf(Name.Text, Given...);
          B.AppCall = Current.Number;
          strncpy(B.AppName, Current.Name, sizeof(B.AppName) - 1);
          B.Forwarded = !strcmp(Mine.Name, Current.Name) &&
                        Mine.First == Current.First &&
                        Mine.Second == Current.Second;
        }
        return failure<R>(Given...);
      }
    return (Targets[0]->*Slot)(Given...);
  }

  static R CL_API_CALL above(Args... Given) {
    const AppCall Before = Current;
    Current = callOf(Name.Text, Given...);
    const bool Fails = due(Kind::App, Name.Text);
    Current.Number = board()->Counts[static_cast<uint32_t>(Kind::App)].load();
    if constexpr (std::is_void_v<R>) {
      (Targets[1]->*Slot)(Given...);
      Current = Before;
    } else {
      R Result = Fails ? failure<R>(Given...) : (Targets[1]->*Slot)(Given...);
      Current = Before;
      return Result;
    }
  }
};

} // namespace

/// \p Place: 0 below WarpSan's layer, 1 above it.
EXPORTED cl_int faultsInit(int Place, cl_uint Entries,
                           const cl_icd_dispatch *Target, cl_uint *OurEntries,
                           const cl_icd_dispatch **OurTable) {
  if (Entries < sizeof(cl_icd_dispatch) / sizeof(void *))
    return CL_INVALID_VALUE;
  Targets[Place] = Target;
  Tables[Place] = *Target;
#define CALL(name)                                                             \
  if (Target->name)                                                            \
    Tables[Place].name = Place ? Call<#name, &cl_icd_dispatch::name>::above    \
                               : Call<#name, &cl_icd_dispatch::name>::below;
#include "layer/api/calls.def"
#undef CALL
  *OurEntries = sizeof(cl_icd_dispatch) / sizeof(void *);
  *OurTable = &Tables[Place];
  return CL_SUCCESS;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *OurEntries,
            const cl_icd_dispatch **OurTable) {
  return faultsInit(0, Entries, Target, OurEntries, OurTable);
}
