//===- layer/api/handle_checks.h - calls that are given handles -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at every handle that the application gives to a call, before the call:
// a driver may crash on one that was released. The call is made all the same,
// since drivers keep objects longer than they must and programs work with that.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_HANDLE_CHECKS_H
#define WARPSAN_LAYER_API_HANDLE_CHECKS_H

#include "layer/api/guard.h"
#include "layer/api/order/ordered_call.h"
#include "layer/findings/findings.h"
#include "layer/launch/index_ranges.h"
#include "layer/objects/tombstones.h"

#include <string_view>
#include <tuple>

namespace warpsan {

/// Which lives a handle of some type can have had; none for what is no handle,
/// or one that we do not follow (events, devices).
template <typename T> bool mayHaveBeen(Life::Kind) { return false; }
template <> inline bool mayHaveBeen<cl_program>(Life::Kind What) {
  return What == Life::Kind::Program;
}
template <> inline bool mayHaveBeen<cl_kernel>(Life::Kind What) {
  return What == Life::Kind::Kernel;
}
template <> inline bool mayHaveBeen<cl_command_queue>(Life::Kind What) {
  return What == Life::Kind::Queue;
}
template <> inline bool mayHaveBeen<cl_context>(Life::Kind What) {
  return What == Life::Kind::Context;
}
template <> inline bool mayHaveBeen<cl_sampler>(Life::Kind What) {
  return What == Life::Kind::Sampler;
}
template <> inline bool mayHaveBeen<cl_mem>(Life::Kind What) {
  return What < Life::Kind::SVM;
}

template <typename T>
inline constexpr bool IsFollowed =
    std::is_same_v<T, cl_program> || std::is_same_v<T, cl_kernel> ||
    std::is_same_v<T, cl_command_queue> || std::is_same_v<T, cl_context> ||
    std::is_same_v<T, cl_sampler> || std::is_same_v<T, cl_mem>;

/// Reports that \p Call is given \p Handle if it was released; returns whether.
template <typename HandleT>
bool reportIfReleased(FindingKind Kind, const char *Call, HandleT Handle) {
  static_assert(IsFollowed<HandleT>);
  auto Dead = buriedAt(Handle);
  if (!Dead || !mayHaveBeen<HandleT>(Dead->What))
    return false;
  reportReleasedObject(Kind, Call, Dead);
  return true;
}

/// Calls \p Visit with argument \p I if it is a handle, or with each of a list
/// of handles whose length is the argument before. Lists that are not const are
/// results.
template <size_t I, typename F, typename... Args>
void visitHandles(const F &Visit, const std::tuple<Args...> &Given) {
  using T = std::tuple_element_t<I, std::tuple<Args...>>;
  if constexpr (IsFollowed<T>) {
    Visit(std::get<I>(Given));
  } else if constexpr (I > 0 && std::is_pointer_v<T>) {
    using Item = std::remove_pointer_t<T>;
    using Handle = std::remove_const_t<Item>;
    using Before = std::tuple_element_t<I - 1, std::tuple<Args...>>;
    if constexpr (std::is_const_v<Item> && IsFollowed<Handle> &&
                  std::is_same_v<Before, cl_uint>)
      for (cl_uint J = 0; std::get<I>(Given) && J < std::get<I - 1>(Given); ++J)
        Visit(std::get<I>(Given)[J]);
  }
}

/// Calls \p Visit with each handle that a call is given.
template <typename F, typename... Args>
void eachHandle(const F &Visit, const Args &...Given) {
  const std::tuple<Args...> All(Given...);
  [&]<size_t... I>(std::index_sequence<I...>) {
    (visitHandles<I>(Visit, All), ...);
  }(std::index_sequence_for<Args...>());
}

template <typename... Args>
void checkHandles(const char *Call, const Args &...Given) {
  eachHandle(
      [&](auto Handle) {
        reportIfReleased(FindingKind::use_after_release, Call, Handle);
      },
      Given...);
}

/// Notes what memory a call is given, and may change.
template <typename... Args>
void noteChanges(Changes &To, const Args &...Given) {
  if (!contentsAreFollowed())
    return;
  eachHandle(
      [&](auto Handle) {
        if constexpr (std::is_same_v<decltype(Handle), cl_mem>)
          To.begin(Handle);
      },
      Given...);
}

/// Stands before the function \p Call, which is ours.
template <CallName Call, auto Function> struct CheckedCall;
template <CallName Call, typename R, typename... Args, R (*Function)(Args...)>
struct CheckedCall<Call, Function> {
  static R CL_API_CALL call(Args... Given) {
    return guarded<R>(look, Given...);
  }

private:
  static R look(Args... Given) {
    checkHandles(Call.Text, Given...);
    if constexpr (std::string_view(Call.Text).starts_with("clCommand"))
      eachHandle(
          [](auto Handle) {
            if constexpr (std::is_same_v<decltype(Handle), cl_mem>)
              noteUnknowable(Handle);
          },
          Given...);
    if constexpr (enqueuesCommand(Call.Text))
      if (judgesOrder())
        return orderedCall<Call>(Function, Given...);
    return Function(Given...);
  }
};

} // namespace warpsan

#endif // WARPSAN_LAYER_API_HANDLE_CHECKS_H
