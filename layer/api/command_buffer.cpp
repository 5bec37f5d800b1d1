//===- layer/api/command_buffer.cpp - kernels recorded in command buffers -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/command_buffer.h"

#include "layer/api/extensions.h"
#include "layer/api/intercept.h"
#include "layer/api/mutable_commands.h"
#include "layer/canary/padding.h"
#include "layer/launch/launch.h"
#include "layer/objects/handle_table.h"
#include "layer/process/no_destructor.h"
#include "layer/records/record_buffer.h"

#include <iterator>
#include <map>

using namespace warpsan;

namespace {
struct CommandBuffer {
  CommandBuffer() = default;
  CommandBuffer(const CommandBuffer &) = delete;
  ~CommandBuffer() {
    for (cl_mutable_command_khr Each : Mutables)
      forgetMutable(Each);
  }

  /// Keeps the log of a launch that may be made as long as this lives. Under
  /// Mutex.
  void keep(uint64_t Number) {
    if (Number)
      Logged.push_back(std::make_shared<const KeptLaunch>(Number));
  }

  const ExtensionFunctions *Driver = nullptr;
  cl_command_queue FirstQueue = nullptr;
  std::mutex Mutex;
  std::vector<Launch> Recorded; ///< under Mutex
  /// Of Recorded: they may run at any time. Under Mutex.
  std::vector<std::shared_ptr<const KeptLaunch>> Logged;
  std::vector<cl_mutable_command_khr> Mutables; ///< under Mutex
};
} // namespace

static auto &CommandBuffers =
    noDestructor<HandleTable<cl_command_buffer_khr, CommandBuffer>>();

cl_command_buffer_khr CL_API_CALL ext::clCreateCommandBufferKHR(
    cl_uint Count, const cl_command_queue *Queues,
    const cl_command_buffer_properties_khr *Properties, cl_int *Error) {
  if (Count == 0 || !Queues || !Queues[0]) {
    if (Error)
      *Error = CL_INVALID_VALUE;
    return nullptr;
  }
  const ExtensionFunctions &Driver = extensionsOf(Queues[0]);
  cl_command_buffer_khr Handle =
      Driver.clCreateCommandBufferKHR(Count, Queues, Properties, Error);
  if (Handle) {
    auto B = std::make_shared<CommandBuffer>();
    B->Driver = &Driver;
    B->FirstQueue = Queues[0];
    CommandBuffers.add(Handle, std::move(B));
  }
  return Handle;
}

cl_int CL_API_CALL ext::clRetainCommandBufferKHR(cl_command_buffer_khr Handle) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  cl_int Error = B->Driver->clRetainCommandBufferKHR(Handle);
  if (Error == CL_SUCCESS)
    CommandBuffers.retain(Handle);
  return Error;
}

cl_int CL_API_CALL
ext::clReleaseCommandBufferKHR(cl_command_buffer_khr Handle) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  CommandBuffers.release(Handle);
  return B->Driver->clReleaseCommandBufferKHR(Handle);
}

/// Enqueues all that is recorded in \p B; each record buffer that its launches
/// write to is read behind it.
static cl_int
enqueueFollowed(CommandBuffer &B, cl_command_queue Queue,
                const EventArgs &Theirs,
                const std::function<cl_int(const EventArgs &)> &Enqueue) {
  std::map<std::shared_ptr<RecordBuffer>, uint64_t> Records; // to a launch
  {
    std::lock_guard Lock(B.Mutex);
    for (const Launch &L : B.Recorded)
      if (L.Records)
        Records.emplace(L.Records, L.Number);
  }
  auto EnqueueFrom = [&](auto &Self, auto At,
                         const EventArgs &Given) -> cl_int {
    if (At == Records.end())
      return Enqueue(Given);
    return At->first->launch(
        Queue, At->second, Given,
        [&](const EventArgs &More) { return Self(Self, std::next(At), More); });
  };
  return EnqueueFrom(EnqueueFrom, Records.begin(), Theirs);
}

cl_int CL_API_CALL ext::clEnqueueCommandBufferKHR(
    cl_uint Count, cl_command_queue *Queues, cl_command_buffer_khr Handle,
    cl_uint WaitCount, const cl_event *WaitList, cl_event *Event) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  cl_command_queue On = Count && Queues ? Queues[0] : B->FirstQueue;
  cl_int Error = enqueueFollowed(*B, On, {WaitCount, WaitList, Event},
                                 [&](const EventArgs &Given) {
                                   return B->Driver->clEnqueueCommandBufferKHR(
                                       Count, Queues, Handle, Given.WaitCount,
                                       Given.WaitList, Given.Event);
                                 });
  if (Error != CL_SUCCESS)
    return Error;
  {
    std::lock_guard Lock(B->Mutex);
    for (const Launch &L : B->Recorded)
      L.count();
  }
  waitIfSynchronous(On);
  return CL_SUCCESS;
}

cl_int CL_API_CALL ext::clCommandNDRangeKernelKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_kernel Kernel,
    cl_uint Dimensions, const size_t *Offset, const size_t *Global,
    const size_t *Local, cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  const auto Wider = Mutable ? withArguments(Properties)
                             : std::vector<cl_command_properties_khr>();
  auto Record = [&](cl_kernel Chosen, const size_t *ChosenLocal,
                    const EventArgs &) {
    return B->Driver->clCommandNDRangeKernelKHR(
        Handle, Queue,
        Chosen == Kernel || Wider.empty() ? Properties : Wider.data(), Chosen,
        Dimensions, Offset, Global, ChosenLocal, WaitCount, WaitList, SyncPoint,
        Mutable);
  };
  const NDRange Range{"clCommandNDRangeKernelKHR", Dimensions, Offset, Global,
                      Local};
  cl_command_queue On = Queue ? Queue : B->FirstQueue;
  Launch L = launch(On, Kernel, Range, /*Events=*/nullptr, Record,
                    Mutable ? LaunchKind::Mutable : LaunchKind::Recorded);
  if (L.Error == CL_SUCCESS) {
    std::lock_guard Lock(B->Mutex);
    B->Recorded.push_back(L);
    B->keep(L.Number);
    if (Mutable && *Mutable) {
      noteMutable(*Mutable, L, Kernel, deviceOf(On), Range, Properties,
                  *B->Driver);
      B->Mutables.push_back(*Mutable);
    }
  }
  return L.Error;
}

cl_command_buffer_khr CL_API_CALL ext::clRemapCommandBufferKHR(
    cl_command_buffer_khr Handle, cl_bool Automatic, cl_uint Count,
    const cl_command_queue *Queues, cl_uint CommandCount,
    const cl_mutable_command_khr *Commands, cl_mutable_command_khr *NewCommands,
    cl_int *Error) {
  auto B = CommandBuffers.find(Handle);
  if (!B) {
    if (Error)
      *Error = CL_INVALID_COMMAND_BUFFER_KHR;
    return nullptr;
  }
  cl_command_buffer_khr Remapped = B->Driver->clRemapCommandBufferKHR(
      Handle, Automatic, Count, Queues, CommandCount, Commands, NewCommands,
      Error);
  if (!Remapped)
    return Remapped;
  auto New = std::make_shared<CommandBuffer>();
  New->Driver = B->Driver;
  New->FirstQueue = Count && Queues ? Queues[0] : B->FirstQueue;
  std::lock_guard Lock(B->Mutex);
  New->Recorded = B->Recorded;
  New->Logged = B->Logged;
  for (cl_uint I = 0; I < CommandCount && Commands && NewCommands; ++I) {
    copyMutable(Commands[I], NewCommands[I]);
    New->Mutables.push_back(NewCommands[I]);
  }
  CommandBuffers.add(Remapped, std::move(New));
  return Remapped;
}

cl_int CL_API_CALL ext::clUpdateMutableCommandsKHR(
    cl_command_buffer_khr Handle, cl_uint Count,
    const cl_command_buffer_update_type_khr *Types, const void **Configs) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  MutableUpdate Update(Count, Types, Configs);
  if (Update.error() != CL_SUCCESS)
    return Update.error();
  const cl_int Error = B->Driver->clUpdateMutableCommandsKHR(
      Handle, Count, Types, Configs ? Update.configs() : nullptr);
  if (Error == CL_SUCCESS) {
    std::lock_guard Lock(B->Mutex);
    for (uint64_t Number : Update.commit())
      B->keep(Number);
  }
  return Error;
}

//===----------------------------------------------------------------------===//
// What goes beyond a buffer's end is refused though there is a pad behind it
//===----------------------------------------------------------------------===//

cl_int CL_API_CALL ext::clCommandFillBufferKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem Buffer,
    const void *Pattern, size_t PatternSize, size_t Offset, size_t Size,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  return B->Driver->clCommandFillBufferKHR(
      Handle, Queue, Properties, BufferBelow(Buffer, endOf(Offset, Size)),
      Pattern, PatternSize, Offset, Size, WaitCount, WaitList, SyncPoint,
      Mutable);
}

cl_int CL_API_CALL ext::clCommandCopyBufferKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    size_t FromOffset, size_t ToOffset, size_t Size, cl_uint WaitCount,
    const cl_sync_point_khr *WaitList, cl_sync_point_khr *SyncPoint,
    cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  const CopyBelow Below(From, FromOffset, To, ToOffset, Size);
  return B->Driver->clCommandCopyBufferKHR(
      Handle, Queue, Properties, Below.from(), Below.to(), Below.fromOffset(),
      Below.toOffset(), Size, WaitCount, WaitList, SyncPoint, Mutable);
}

cl_int CL_API_CALL ext::clCommandCopyBufferRectKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    const size_t *FromOrigin, const size_t *ToOrigin, const size_t *Region,
    size_t FromRow, size_t FromSlice, size_t ToRow, size_t ToSlice,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  const RowsBelow Below(From, FromOrigin,
                        endOf(FromOrigin, Region, FromRow, FromSlice), To,
                        ToOrigin, endOf(ToOrigin, Region, ToRow, ToSlice));
  return B->Driver->clCommandCopyBufferRectKHR(
      Handle, Queue, Properties, Below.from(), Below.to(), Below.fromOrigin(),
      Below.toOrigin(), Region, FromRow, FromSlice, ToRow, ToSlice, WaitCount,
      WaitList, SyncPoint, Mutable);
}

cl_int CL_API_CALL ext::clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    size_t FromOffset, const size_t *ToOrigin, const size_t *Region,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  const BufferBelow Below(From, endOfPixels(From, FromOffset, To, Region));
  return B->Driver->clCommandCopyBufferToImageKHR(
      Handle, Queue, Properties, Below, To, FromOffset, ToOrigin, Region,
      WaitCount, WaitList, SyncPoint, Mutable);
}

cl_int CL_API_CALL ext::clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, cl_mem From, cl_mem To,
    const size_t *FromOrigin, const size_t *Region, size_t ToOffset,
    cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  const BufferBelow Below(To, endOfPixels(To, ToOffset, From, Region));
  return B->Driver->clCommandCopyImageToBufferKHR(
      Handle, Queue, Properties, From, Below, FromOrigin, Region, ToOffset,
      WaitCount, WaitList, SyncPoint, Mutable);
}

//===----------------------------------------------------------------------===//
// Shared virtual memory
//===----------------------------------------------------------------------===//

cl_int CL_API_CALL ext::clCommandSVMMemcpyKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, void *To, const void *From,
    size_t Size, cl_uint WaitCount, const cl_sync_point_khr *WaitList,
    cl_sync_point_khr *SyncPoint, cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  return B->Driver->clCommandSVMMemcpyKHR(Handle, Queue, Properties, To, From,
                                          Size, WaitCount, WaitList, SyncPoint,
                                          Mutable);
}

cl_int CL_API_CALL ext::clCommandSVMMemFillKHR(
    cl_command_buffer_khr Handle, cl_command_queue Queue,
    const cl_command_properties_khr *Properties, void *To, const void *Pattern,
    size_t PatternSize, size_t Size, cl_uint WaitCount,
    const cl_sync_point_khr *WaitList, cl_sync_point_khr *SyncPoint,
    cl_mutable_command_khr *Mutable) {
  auto B = CommandBuffers.find(Handle);
  if (!B)
    return CL_INVALID_COMMAND_BUFFER_KHR;
  return B->Driver->clCommandSVMMemFillKHR(
      Handle, Queue, Properties, To, Pattern, PatternSize, Size, WaitCount,
      WaitList, SyncPoint, Mutable);
}
