//===- test/robustness/equivalence_cases/calls_commands.cpp - clEnqueue* --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/robustness/equivalence_cases/calls.h"

#include <algorithm>
#include <cstring>

using namespace same;

/// A wait list, right or wrong, and an event for the command.
struct Order {
  Order(World &W, Dice &D) : W(W), D(D) {
    Event = D.chance(80) ? W.Events[D.below(W.Events.size())] : nullptr;
    Count = Event ? D.pick<cl_uint>({0, 0, 0, 1, 1}) : 0;
    List = Count ? &Event : nullptr;
    if (D.chance(4)) { // a list of none, none of one, a null in it
      Count = static_cast<cl_uint>(D.below(2));
      List = Count && D.chance(50) ? nullptr : &Null;
    }
    Wants = D.chance(40);
  }
  std::string words() const {
    return " wait " + std::to_string(Count) + (List ? " list" : "") +
           (Wants ? " event" : "");
  }
  cl_event *out() { return Wants ? &Made : nullptr; }
  /// Waits for the command, and keeps its event.
  void done(cl_command_queue Queue) {
    if (Queue)
      clFinish(Queue);
    if (Made)
      keep(D, W.Events, Made, [](cl_event E) { clReleaseEvent(E); });
  }

  World &W;
  Dice &D;
  cl_event Event = nullptr, Null = nullptr, Made = nullptr;
  cl_uint Count = 0;
  const cl_event *List = nullptr;
  bool Wants = false;
};

static std::string hashed(const unsigned char *Data, size_t Size) {
  uint32_t Hash = 2166136261U;
  for (size_t I = 0; I < Size; ++I)
    Hash = (Hash ^ Data[I]) * 16777619U;
  return std::to_string(Hash);
}

/// What the buffers begin with.
static std::string contents(World &W) {
  std::string Out;
  for (cl_mem Each : W.Buffers) {
    unsigned char Data[64] = {};
    const cl_int Error =
        Each ? clEnqueueReadBuffer(W.Queues[0], Each, CL_TRUE, 0, sizeof(Data),
                                   Data, 0, nullptr, nullptr)
             : 1;
    Out += " " + (Error ? std::to_string(Error) : hashed(Data, sizeof(Data)));
  }
  return Out;
}

void same::launch(World &W, Dice &D) {
  cl_command_queue Queue = any(D, W.Queues);
  // PoCL crashes if it is null.
  cl_kernel Kernel = W.Kernels[D.below(W.Kernels.size())];
  if (!Kernel)
    return;
  const auto Dimensions = D.pick<cl_uint>({1, 1, 1, 1, 2, 3, 0, 4});
  const size_t Global[4] = {D.pick<size_t>({16, 16, 16, 32, 7, 0, 4}),
                            D.pick<size_t>({1, 2, 0}), 1, 1};
  // PoCL divides by it: not 0.
  const size_t Local[4] = {D.pick<size_t>({4, 4, 8, 16, 3, 1 << 20}), 1, 1, 1};
  const size_t Offset[4] = {D.pick<size_t>({0, 5, SIZE_MAX}), 0, 0, 0};
  const size_t *Size = D.chance(97) ? Global : nullptr;
  const size_t *Group = D.chance(50) ? Local : nullptr;
  const size_t *From = D.chance(15) ? Offset : nullptr;
  Order O(W, D);
  begin("clEnqueueNDRangeKernel",
        std::to_string(Dimensions) + " global " +
            (Size ? std::to_string(Size[0]) + "," + std::to_string(Size[1])
                  : "null") +
            " local " + (Group ? std::to_string(Group[0]) : "null") +
            " offset " + (From ? std::to_string(From[0]) : "null") + O.words());
  const cl_int Error = clEnqueueNDRangeKernel(
      Queue, Kernel, Dimensions, From, Size, Group, O.Count, O.List, O.out());
  O.done(Queue);
  end(Error, contents(W));
}

static void transferRect(World &W, Dice &D, cl_command_queue Queue,
                         cl_mem Buffer) {
  const size_t Origin[3] = {D.pick<size_t>({0, 0, 4, 5000}), D.below(3), 0};
  const size_t Zero[3] = {0, 0, 0};
  const size_t Region[3] = {D.pick<size_t>({4, 8, 16, 0, 100}),
                            D.pick<size_t>({1, 2, 4, 0}), 1};
  const size_t Row = D.pick<size_t>({0, 0, 16, 32, 3});
  const size_t Slice = D.pick<size_t>({0, 0, 64, 7});
  const bool Writes = D.chance(50);
  Order O(W, D);
  begin(Writes ? "clEnqueueWriteBufferRect" : "clEnqueueReadBufferRect",
        told(reinterpret_cast<const unsigned char *>(Origin), 24) +
            told(reinterpret_cast<const unsigned char *>(Region), 24) +
            std::to_string(Row) + " " + std::to_string(Slice) + O.words());
  std::fill(W.Host.begin(), W.Host.begin() + 4096, 7);
  const cl_int Error =
      Writes ? clEnqueueWriteBufferRect(Queue, Buffer, CL_TRUE, Origin, Zero,
                                        Region, Row, Slice, 0, 0, W.Host.data(),
                                        O.Count, O.List, O.out())
             : clEnqueueReadBufferRect(Queue, Buffer, CL_TRUE, Origin, Zero,
                                       Region, Row, Slice, 0, 0, W.Host.data(),
                                       O.Count, O.List, O.out());
  O.done(Queue);
  end(Error, hashed(W.Host.data(), 4096));
}

static void map(World &W, Dice &D, cl_command_queue Queue, cl_mem Buffer) {
  const size_t Offset = D.pick<size_t>({0, 0, 8, 100000});
  const size_t Size = D.pick<size_t>({0, 4, 64, 256, 100000});
  const auto Flags = D.pick<cl_map_flags>({CL_MAP_READ, CL_MAP_WRITE,
                                           CL_MAP_WRITE_INVALIDATE_REGION,
                                           CL_MAP_READ | 4, 1 << 10});
  Order O(W, D);
  cl_int Error = 12345;
  begin("clEnqueueMapBuffer", std::to_string(Offset) + " " +
                                  std::to_string(Size) + " " +
                                  std::to_string(Flags) + O.words());
  void *Mapped = clEnqueueMapBuffer(Queue, Buffer, CL_TRUE, Flags, Offset, Size,
                                    O.Count, O.List, O.out(), &Error);
  O.done(Queue);
  end(Error, Mapped ? "mapped" : "none");
  if (!Mapped)
    return;
  if (Flags == CL_MAP_WRITE)
    std::memset(Mapped, 9, Size);
  begin("clEnqueueUnmapMemObject");
  const cl_int First =
      clEnqueueUnmapMemObject(Queue, Buffer, Mapped, 0, nullptr, nullptr);
  clFinish(Queue);
  end(First);
}

static void useImage(World &W, Dice &D, cl_command_queue Queue) {
  cl_mem Image = any(D, W.Images);
  const size_t Origin[3] = {D.pick<size_t>({0, 0, 1, 500}), 0, D.below(2)};
  const size_t Region[3] = {D.pick<size_t>({1, 4, 4, 0, 64}),
                            D.pick<size_t>({1, 1, 4, 0}), 1};
  const size_t Row = D.pick<size_t>({0, 0, 256, 1});
  const cl_float Color[4] = {1, 2, 3, 4};
  const uint64_t Which = D.below(3);
  Order O(W, D);
  std::fill(W.Host.begin(), W.Host.begin() + 4096, 7);
  const char *const Names[] = {"clEnqueueReadImage", "clEnqueueWriteImage",
                               "clEnqueueFillImage"};
  begin(Names[Which],
        told(reinterpret_cast<const unsigned char *>(Origin), 24) +
            told(reinterpret_cast<const unsigned char *>(Region), 24) +
            std::to_string(Row) + O.words());
  cl_int Error = 0;
  if (Which == 0)
    Error = clEnqueueReadImage(Queue, Image, CL_TRUE, Origin, Region, Row, 0,
                               W.Host.data(), O.Count, O.List, O.out());
  else if (Which == 1)
    Error = clEnqueueWriteImage(Queue, Image, CL_TRUE, Origin, Region, Row, 0,
                                W.Host.data(), O.Count, O.List, O.out());
  else
    Error = clEnqueueFillImage(Queue, Image, D.chance(90) ? Color : nullptr,
                               Origin, Region, O.Count, O.List, O.out());
  O.done(Queue);
  // An image is not made with known contents.
  end(Error);
}

void same::transfer(World &W, Dice &D) {
  cl_command_queue Queue = any(D, W.Queues);
  cl_mem Buffer = any(D, W.Buffers);
  const size_t Offset = D.pick<size_t>({0, 0, 0, 4, 60, 5000, SIZE_MAX});
  const size_t Size = D.pick<size_t>({4, 16, 64, 64, 0, 256, 100000});
  if (Size > W.Host.size() && D.chance(80))
    return map(W, D, Queue, Buffer);
  void *Host = D.chance(95) ? W.Host.data() : nullptr;
  const std::string Where = std::to_string(Offset) + " " +
                            std::to_string(Size) + (Host ? "" : " null");
  cl_int Error = 0;
  switch (D.below(8)) {
  case 0: {
    Order O(W, D);
    std::fill(W.Host.begin(), W.Host.begin() + 256, 7);
    begin("clEnqueueReadBuffer", Where + O.words());
    Error = clEnqueueReadBuffer(Queue, Buffer, CL_TRUE, Offset,
                                std::min(Size, W.Host.size()), Host, O.Count,
                                O.List, O.out());
    O.done(Queue);
    return end(Error, hashed(W.Host.data(), 256));
  }
  case 1: {
    Order O(W, D);
    for (size_t I = 0; I < 256; ++I)
      W.Host[I] = static_cast<unsigned char>(D.next());
    begin("clEnqueueWriteBuffer", Where + O.words());
    Error = clEnqueueWriteBuffer(Queue, Buffer, CL_TRUE, Offset,
                                 std::min(Size, W.Host.size()), Host, O.Count,
                                 O.List, O.out());
    O.done(Queue);
    return end(Error, contents(W));
  }
  case 2: {
    Order O(W, D);
    const size_t Pattern = D.pick<size_t>({1, 4, 16, 0, 3, 128, 256});
    begin("clEnqueueFillBuffer",
          Where + " " + std::to_string(Pattern) + O.words());
    Error = clEnqueueFillBuffer(Queue, Buffer, Host, Pattern, Offset, Size,
                                O.Count, O.List, O.out());
    O.done(Queue);
    return end(Error, contents(W));
  }
  case 3: {
    Order O(W, D);
    cl_mem To = any(D, W.Buffers);
    const size_t At = D.pick<size_t>({0, 32, 64, 5000});
    begin("clEnqueueCopyBuffer", Where + " " + std::to_string(At) +
                                     (To == Buffer ? " itself" : "") +
                                     O.words());
    Error = clEnqueueCopyBuffer(Queue, Buffer, To, Offset, At, Size, O.Count,
                                O.List, O.out());
    O.done(Queue);
    return end(Error, contents(W));
  }
  case 4:
    return transferRect(W, D, Queue, Buffer);
  case 5:
    return map(W, D, Queue, Buffer);
  case 6:
    return useImage(W, D, Queue);
  default: {
    Order O(W, D);
    const auto Count = D.pick<cl_uint>({0, 1, 1});
    const auto Flags = D.pick<cl_mem_migration_flags>({0, 1, 2, 1 << 9});
    begin("clEnqueueMigrateMemObjects",
          std::to_string(Count) + " " + std::to_string(Flags) + O.words());
    Error = clEnqueueMigrateMemObjects(Queue, Count, &Buffer, Flags, O.Count,
                                       O.List, O.out());
    O.done(Queue);
    return end(Error);
  }
  }
}

static void allocate(World &W, Dice &D) {
  const auto Flags = D.pick<cl_svm_mem_flags>(
      {CL_MEM_READ_WRITE, CL_MEM_READ_WRITE,
       CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_ATOMICS,
       CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, cl_svm_mem_flags(1) << 40});
  const size_t Size =
      D.pick<size_t>({64, 256, 4096, 0, SIZE_MAX, size_t(1) << 50});
  const auto Alignment = D.pick<cl_uint>({0, 0, 16, 128, 3, 1 << 20});
  begin("clSVMAlloc", std::to_string(Flags) + " " + std::to_string(Size) + " " +
                          std::to_string(Alignment));
  void *Made = clSVMAlloc(W.Context, Flags, Size, Alignment);
  const bool Aligned =
      !Alignment || reinterpret_cast<uintptr_t>(Made) % Alignment == 0;
  end(Made ? 1 : 0, Aligned ? "aligned" : "not aligned");
  if (!Made)
    return;
  Shared &Slot = W.Memory[D.below(W.Memory.size())];
  if (Slot.Pointer)
    clSVMFree(W.Context, Slot.Pointer);
  Slot = {Made, Size};
}

void same::useShared(World &W, Dice &D) {
  cl_command_queue Queue = any(D, W.Queues);
  Shared Memory = W.Memory[D.below(W.Memory.size())];
  if (!Memory.Pointer || D.chance(25))
    return allocate(W, D);
  const size_t Size = std::min<size_t>(D.pick<size_t>({0, 4, 16, 64}), 64);
  cl_int Error = 0;
  switch (D.below(7)) {
  case 0: {
    Order O(W, D);
    begin("clEnqueueSVMMap", std::to_string(Size) + O.words());
    Error = clEnqueueSVMMap(Queue, CL_TRUE, CL_MAP_WRITE, Memory.Pointer, Size,
                            O.Count, O.List, O.out());
    O.done(Queue);
    end(Error);
    if (Error == CL_SUCCESS) {
      begin("clEnqueueSVMUnmap");
      Error = clEnqueueSVMUnmap(Queue, Memory.Pointer, 0, nullptr, nullptr);
      clFinish(Queue);
      end(Error);
    }
    return;
  }
  case 1: {
    Order O(W, D);
    const size_t Pattern = D.pick<size_t>({1, 4, 16, 3, 0});
    begin("clEnqueueSVMMemFill",
          std::to_string(Size) + " " + std::to_string(Pattern) + O.words());
    Error = clEnqueueSVMMemFill(Queue, Memory.Pointer, W.Host.data(), Pattern,
                                Size, O.Count, O.List, O.out());
    O.done(Queue);
    return end(Error);
  }
  case 2: {
    Order O(W, D);
    Shared To = W.Memory[D.below(W.Memory.size())];
    begin("clEnqueueSVMMemcpy",
          std::to_string(Size) + (To.Pointer ? "" : " null") + O.words());
    Error = clEnqueueSVMMemcpy(Queue, CL_TRUE, To.Pointer, Memory.Pointer, Size,
                               O.Count, O.List, O.out());
    O.done(Queue);
    return end(Error);
  }
  case 3: {
    cl_kernel Kernel = any(D, W.Kernels);
    const auto Index = static_cast<cl_uint>(D.below(7));
    void *Pointer = D.chance(85) ? Memory.Pointer : nullptr;
    // A kernel's first argument is a pointer; others would be given numbers.
    begin("clSetKernelArgSVMPointer",
          std::to_string(Index ? 6 : 0) + (Pointer ? "" : " null"));
    Error = clSetKernelArgSVMPointer(Kernel, Index ? 6 : 0, Pointer);
    end(Error);
    // It may be freed before the next launch.
    cl_mem None = nullptr;
    if (Error == CL_SUCCESS)
      clSetKernelArg(Kernel, 0, sizeof(None), &None);
    return;
  }
  case 4: {
    cl_kernel Kernel = any(D, W.Kernels);
    const cl_bool Fine = D.chance(50);
    const auto What = D.pick<cl_kernel_exec_info>(
        {CL_KERNEL_EXEC_INFO_SVM_PTRS,
         CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 0x1111});
    const bool Pointers = What == CL_KERNEL_EXEC_INFO_SVM_PTRS;
    const size_t Bytes =
        Pointers ? D.pick<size_t>({8, 8, 0, 3}) : D.pick<size_t>({4, 4, 0, 8});
    cl_ulong Value = Fine;
    begin("clSetKernelExecInfo",
          std::to_string(What) + " " + std::to_string(Bytes));
    return end(clSetKernelExecInfo(
        Kernel, What, Bytes,
        Pointers ? static_cast<const void *>(&Memory.Pointer)
                 : static_cast<const void *>(&Value)));
  }
  case 5: {
    begin("clSVMFree");
    clSVMFree(W.Context, nullptr);
    for (Shared &Each : W.Memory)
      if (Each.Pointer == Memory.Pointer)
        Each = {};
    clSVMFree(W.Context, Memory.Pointer);
    return end(0);
  }
  default: {
    const void *Pointer = Memory.Pointer;
    const size_t Bytes = 64;
    const auto Count = D.pick<cl_uint>({0, 1, 1});
    Order O(W, D);
    begin("clEnqueueSVMMigrateMem", std::to_string(Count) + O.words());
    Error = clEnqueueSVMMigrateMem(Queue, Count, &Pointer, &Bytes, 0, O.Count,
                                   O.List, O.out());
    O.done(Queue);
    return end(Error);
  }
  }
}

void same::wait(World &W, Dice &D) {
  cl_command_queue Queue = any(D, W.Queues);
  Order O(W, D);
  cl_int Error = 0;
  switch (D.below(7)) {
  case 0:
    begin("clWaitForEvents", O.words());
    return end(clWaitForEvents(O.Count, O.List));
  case 1:
    begin("clEnqueueMarkerWithWaitList", O.words());
    Error = clEnqueueMarkerWithWaitList(Queue, O.Count, O.List, O.out());
    O.done(Queue);
    return end(Error);
  case 2:
    begin("clEnqueueBarrierWithWaitList", O.words());
    Error = clEnqueueBarrierWithWaitList(Queue, O.Count, O.List, O.out());
    O.done(Queue);
    return end(Error);
  case 3:
    begin(Queue ? "clFlush" : "clFlush of null");
    return end(clFlush(Queue));
  case 4:
    begin(Queue ? "clFinish" : "clFinish of null");
    return end(clFinish(Queue));
  case 5: {
    cl_event Event = any(D, W.Events);
    const auto Type = D.pick<cl_int>({0, 1, 4, -1});
    begin("clSetEventCallback", std::to_string(Type));
    return end(clSetEventCallback(Event, Type, nullptr, nullptr));
  }
  default: {
    cl_event Event = any(D, W.Events);
    begin("clSetUserEventStatus", Event ? "event" : "null");
    return end(clSetUserEventStatus(Event, CL_COMPLETE));
  }
  }
}
