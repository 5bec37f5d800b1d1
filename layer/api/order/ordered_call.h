//===- layer/api/order/ordered_call.h - calls that enqueue a command ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a node of CommandGraph for a call that enqueues, by its name and the
// types of its arguments, and reports what its command races with.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_ORDER_ORDERED_CALL_H
#define WARPSAN_LAYER_API_ORDER_ORDERED_CALL_H

#include "layer/api/order/call_accesses.h"
#include "layer/findings/findings.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace warpsan {

/// A call's name as a template's argument.
template <size_t N> struct CallName {
  consteval CallName(const char (&Name)[N]) { std::copy_n(Name, N, Text); }
  char Text[N];
};

consteval bool enqueuesCommand(std::string_view Call) {
  return Call.starts_with("clEnqueue");
}

consteval CommandGraph::Role roleOf(std::string_view Call) {
  return Call.starts_with("clEnqueueMarker")    ? CommandGraph::Role::Marker
         : Call.starts_with("clEnqueueBarrier") ? CommandGraph::Role::Barrier
                                                : CommandGraph::Role::Plain;
}

/// Which argument says whether the call waits for its command. 0: none.
consteval size_t blockingArgument(std::string_view Call) {
  using Names = std::string_view[];
  for (std::string_view Each :
       Names{"clEnqueueReadBuffer", "clEnqueueWriteBuffer",
             "clEnqueueReadBufferRect", "clEnqueueWriteBufferRect",
             "clEnqueueMapBuffer", "clEnqueueReadImage", "clEnqueueWriteImage",
             "clEnqueueMapImage"})
    if (Call == Each)
      return 2;
  for (std::string_view Each :
       Names{"clEnqueueSVMMemcpy", "clEnqueueSVMMap", "clEnqueueSVMMemcpyARM",
             "clEnqueueSVMMapARM", "clEnqueueMemcpyINTEL"})
    if (Call == Each)
      return 1;
  return Call.ends_with("GlobalVariableINTEL") ? 3 : 0;
}

/// True if a function of the application's runs as the command, or by it.
consteval bool runsOnHost(std::string_view Call) {
  return Call == "clEnqueueNativeKernel" ||
         Call.starts_with("clEnqueueSVMFree");
}

/// The index of the first argument of type \p T; the number of arguments if
/// there is none.
template <typename T, typename... Args> consteval size_t indexOf() {
  size_t Index = 0;
  bool Found = false;
  ((Found = Found || std::is_same_v<T, Args>, Index += !Found), ...);
  return Index;
}

/// The events that a call waits for.
template <typename... Args>
std::span<const cl_event> waitListOf(const std::tuple<Args...> &Given) {
  constexpr size_t At = indexOf<const cl_event *, Args...>();
  if constexpr (At > 0 && At < sizeof...(Args)) {
    const cl_event *List = std::get<At>(Given);
    return {List, List ? std::get<At - 1>(Given) : 0};
  } else {
    return {};
  }
}

/// Adds what the command of \p Call certainly accesses. \p Rest: the arguments
/// after the queue.
template <CallName Call, typename... Args>
void describeCommand(PendingCommand &To, const std::tuple<Args...> &Given) {
  constexpr std::string_view Name = Call.Text;
  auto With =
      [&]<typename... Wanted>(void (*Add)(PendingCommand &, Wanted...)) {
        [&]<size_t... I>(std::index_sequence<I...>) {
          Add(To, std::get<I + 1>(Given)...);
        }(std::index_sequence_for<Wanted...>());
      };
  if constexpr (Name == "clEnqueueReadBuffer")
    With(addRead);
  else if constexpr (Name == "clEnqueueWriteBuffer")
    With(addWrite);
  else if constexpr (Name == "clEnqueueReadBufferRect")
    With(addReadRect);
  else if constexpr (Name == "clEnqueueWriteBufferRect")
    With(addWriteRect);
  else if constexpr (Name == "clEnqueueCopyBuffer")
    With(addCopy);
  else if constexpr (Name == "clEnqueueCopyBufferRect")
    With(addCopyRect);
  else if constexpr (Name == "clEnqueueFillBuffer")
    With(addFill);
  else if constexpr (Name == "clEnqueueMapBuffer")
    With(addMap);
  else if constexpr (Name == "clEnqueueUnmapMemObject")
    With(addUnmap);
  else if constexpr (Name == "clEnqueueSVMMemcpy")
    With(addSvmCopy);
  else if constexpr (Name == "clEnqueueSVMMemFill")
    With(addSvmFill);
  else if constexpr (Name == "clEnqueueSVMMap")
    With(addSvmMap);
}

/// What a call that succeeded says of its command.
template <CallName Call, typename R, typename... Args>
void noteAccepted(PendingCommand &Pending, R Result,
                  const std::tuple<Args...> &Given) {
  using Known = PendingCommand::Known;
  const void *Mapped = nullptr;
  if constexpr (std::is_pointer_v<R>)
    Mapped = Result;
  cl_event Event = nullptr;
  if constexpr (constexpr size_t At = indexOf<cl_event *, Args...>();
                At < sizeof...(Args))
    if (cl_event *Out = std::get<At>(Given))
      Event = *Out;
  Known ByHost = runsOnHost(Call.Text) ? Known::Observed : Known::Nothing;
  if constexpr (constexpr size_t At = blockingArgument(Call.Text); At > 0)
    if (std::get<At>(Given))
      ByHost = Known::Complete;
  for (const CommandRace &Each : Pending.accept(Event, Mapped, ByHost))
    noteIfPossible([&] { reportCommandRace(Each); });
}

/// Calls \p Make, the next stage of \p Call, and orders its command.
template <CallName Call, typename F, typename... Args>
auto orderedCall(const F &Make, Args... Given) {
  using R = decltype(Make(Given...));
  constexpr std::string_view Name = Call.Text;
  const std::tuple<Args...> All(Given...);
  cl_command_queue Queue = nullptr;
  if constexpr (std::is_same_v<std::tuple_element_t<0, std::tuple<Args...>>,
                               cl_command_queue>)
    Queue = std::get<0>(All);
  PendingCommand Pending(Call.Text, Queue, waitListOf(All), roleOf(Name));
  describeCommand<Call>(Pending, All);
  // Commands of a command buffer may be in any queue, and wait for others.
  if constexpr (Name == "clEnqueueCommandBufferKHR")
    withCommandGraph([&](CommandGraph &G) {
      G.distrust(Pending.node());
      G.addToAllQueues(Pending.node());
    });
  R Result = Make(Given...);
  if constexpr (std::is_pointer_v<R>) {
    if (Result)
      noteAccepted<Call>(Pending, Result, All);
  } else if (Result == CL_SUCCESS) {
    noteAccepted<Call>(Pending, Result, All);
  }
  return Result;
}

} // namespace warpsan

#endif // WARPSAN_LAYER_API_ORDER_ORDERED_CALL_H
