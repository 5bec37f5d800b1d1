//===- test/layer/errors/command_races_case.cpp - commands of a case ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/errors/command_races.h"

#include <atomic>
#include <thread>

using namespace warpsan::test;
using namespace warpsan::test::command_races;

// clang-format off
static const char *const Source = R"(
kernel void scale(global int *data) {
  data[get_global_id(0)] *= 3;
}
kernel void copy(global const int *from, global int *into) {
  into[get_global_id(0)] = from[get_global_id(0)];
}
kernel void guarded(global int *data, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  data[i] = i;
}
kernel void strided(global int *data, int first, int step) {
  data[first + (int)get_global_id(0) * step] = get_global_id(0);
}
kernel void count(global int *data) {
  atomic_inc(data);
}
kernel void clear(global int *data) {
  data[get_global_id(0)] = 0;
}
kernel void sums(global const int *from, global int *into, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += from[get_global_id(0) + k * 16];
  into[get_global_id(0)] = sum;
}
kernel void selected(global int *data, global const int *when) {
  int i = get_global_id(0);
  if (when[i] == 5)
    data[i] = 1;
}
kernel void awaited(global int *data, global int *flag) {
  while (atomic_add(flag, 0) != 0)
    ;
  data[get_global_id(0)] = 1;
}
kernel void scattered(global int *data, global const int *at) {
  data[at[get_global_id(0)] & 1023] = 1;
}
kernel void grid(global int *data) {
  data[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1;
}
)";
// clang-format on

Case::Case() {
  SetUp();
  P = build(Source);
  First = queue();
  Second = queue();
  Last = queue();
  const auto Properties = deviceNumber<cl_command_queue_properties>(
      Device, CL_DEVICE_QUEUE_PROPERTIES);
  if (Properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
    Unordered = OpenCL::queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Host.resize(Count);
  Data = bufferOf(Host);
  Other = bufferOf(Host);
  Third = bufferOf(Host);
}

Case::~Case() {
  if (Shared)
    clSVMFree(Ctx, Shared);
}

bool Case::canRun(std::string_view Name) const {
  const bool NeedsUnordered =
      Name.find("utOfOrder") != Name.npos || Name.find("Marker") != Name.npos ||
      Name.starts_with("legalBarrier") || Name.starts_with("legalOlder");
  if (NeedsUnordered && !Unordered)
    return false;
  // Where others have the function, it does nothing or ends the process.
  if (Name == "legalOlderWait" &&
      platformName().find("Intel") == std::string::npos)
    return false;
  return Name.find("haredVirtual") == Name.npos ||
         deviceNumber<cl_device_svm_capabilities>(Device,
                                                  CL_DEVICE_SVM_CAPABILITIES) &
             CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
}

void Case::finishAll() const {
  for (cl_command_queue Each :
       {First.get(), Second.get(), Last.get(), Unordered.get()})
    if (Each)
      must(clFinish(Each), "clFinish");
}

Event Case::userEvent() const {
  cl_int Error = CL_SUCCESS;
  Event Made(clCreateUserEvent(Ctx, &Error));
  must(Error, "clCreateUserEvent");
  return Made;
}

Mem Case::part(size_t Offset, size_t Size) const {
  const cl_buffer_region Region = {Offset, Size};
  cl_int Error = CL_SUCCESS;
  Mem Made(clCreateSubBuffer(Data, CL_MEM_READ_WRITE,
                             CL_BUFFER_CREATE_TYPE_REGION, &Region, &Error));
  must(Error, "clCreateSubBuffer");
  return Made;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Case::run(cl_kernel K, cl_command_queue Q, const Range &R,
               const Waits &Wait, cl_event *Done) {
  must(launch(Q, K, R, Wait, Done), "clEnqueueNDRangeKernel");
}

void Case::scale(cl_command_queue Q, const Waits &Wait, cl_event *Done,
                 cl_mem Of, size_t Items) const {
  const Kernel K = kernel(P, "scale");
  setArgs(K, Of ? Of : Data.get());
  run(K, Q, {{Items}}, Wait, Done);
}

void Case::copy(cl_command_queue Q, cl_mem From, cl_mem Into, const Waits &Wait,
                cl_event *Done) const {
  const Kernel K = kernel(P, "copy");
  setArgs(K, From, Into);
  run(K, Q, {{Count}}, Wait, Done);
}

void Case::guarded(cl_command_queue Q, size_t N) const {
  const Kernel K = kernel(P, "guarded");
  setArgs(K, Data, static_cast<cl_int>(N));
  run(K, Q, {{Count}});
}

void Case::strided(cl_command_queue Q, size_t Start, size_t Step,
                   size_t Items) const {
  const Kernel K = kernel(P, "strided");
  setArgs(K, Data, static_cast<cl_int>(Start), static_cast<cl_int>(Step));
  run(K, Q, {{Items}});
}

void Case::count(cl_command_queue Q) const {
  const Kernel K = kernel(P, "count");
  setArgs(K, Data);
  run(K, Q, {{Count}});
}

void Case::clear(cl_command_queue Q) const {
  const Kernel K = kernel(P, "clear");
  setArgs(K, Data);
  run(K, Q, {{Count}});
}

void Case::sums(cl_command_queue Q, cl_mem From, cl_mem Into) const {
  const Kernel K = kernel(P, "sums");
  setArgs(K, From, Into, cl_int(4));
  run(K, Q, {{Count / 2}});
}

void Case::selected(cl_command_queue Q) const {
  const Kernel K = kernel(P, "selected");
  setArgs(K, Data, Other);
  run(K, Q, {{Count}});
}

void Case::awaited(cl_command_queue Q) const {
  const Kernel K = kernel(P, "awaited");
  setArgs(K, Data, Other);
  run(K, Q, {{Count}});
}

void Case::scattered(cl_command_queue Q) const {
  const Kernel K = kernel(P, "scattered");
  setArgs(K, Data, Other);
  // One work-item: two would race with each other.
  run(K, Q, {{1}});
}

void Case::grid(cl_command_queue Q) const {
  const Kernel K = kernel(P, "grid");
  setArgs(K, Data);
  run(K, Q, {{Count / 32, 32}});
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

void Case::read(cl_command_queue Q, size_t Start, size_t Size) {
  must(clEnqueueReadBuffer(Q, Data, CL_FALSE, Start, Size, Host.data(), 0,
                           nullptr, nullptr),
       "clEnqueueReadBuffer");
}

void Case::write(cl_command_queue Q, size_t Start, size_t Size) {
  must(clEnqueueWriteBuffer(Q, Data, CL_FALSE, Start, Size, Host.data(), 0,
                            nullptr, nullptr),
       "clEnqueueWriteBuffer");
}

void Case::copyBuffer(cl_command_queue Q, cl_mem From, cl_mem Into) const {
  must(clEnqueueCopyBuffer(Q, From, Into, 0, 0, Bytes, 0, nullptr, nullptr),
       "clEnqueueCopyBuffer");
}

void Case::fill(cl_command_queue Q, cl_int Value) const {
  must(clEnqueueFillBuffer(Q, Data, &Value, sizeof(Value), 0, Bytes, 0, nullptr,
                           nullptr),
       "clEnqueueFillBuffer");
}

void Case::writeRows(cl_command_queue Q, size_t Start, size_t Size) {
  const size_t Into[] = {Start, 0, 0}, From[] = {0, 0, 0};
  const size_t Region[] = {Size, 16, 1};
  must(clEnqueueWriteBufferRect(Q, Data, CL_FALSE, Into, From, Region, 128, 0,
                                Size, 0, Host.data(), 0, nullptr, nullptr),
       "clEnqueueWriteBufferRect");
}

void Case::svmFill(cl_command_queue Q, size_t Start, size_t Size,
                   cl_int Value) {
  if (!Shared)
    Shared = clSVMAlloc(Ctx, CL_MEM_READ_WRITE, Bytes, 0);
  must(clEnqueueSVMMemFill(Q, static_cast<char *>(Shared) + Start, &Value,
                           sizeof(Value), Size, 0, nullptr, nullptr),
       "clEnqueueSVMMemFill");
}

void *Case::map(cl_command_queue Q, cl_map_flags Flags, size_t Start) const {
  cl_int Error = CL_SUCCESS;
  void *At = clEnqueueMapBuffer(Q, Data, CL_TRUE, Flags, Start, Bytes - Start,
                                0, nullptr, nullptr, &Error);
  must(Error, "clEnqueueMapBuffer");
  return At;
}

void Case::unmap(cl_command_queue Q, void *At, cl_event *Done) const {
  must(clEnqueueUnmapMemObject(Q, Data, At, 0, nullptr, Done),
       "clEnqueueUnmapMemObject");
}

void Case::callback(cl_event Of) {
  std::atomic<bool> Called = false;
  must(clSetEventCallback(
           Of, CL_COMPLETE,
           [](cl_event, cl_int, void *Data) {
             *static_cast<std::atomic<bool> *>(Data) = true;
           },
           &Called),
       "clSetEventCallback");
  // rusticl runs nothing before.
  cl_command_queue Q = nullptr;
  must(clGetEventInfo(Of, CL_EVENT_COMMAND_QUEUE, sizeof(Q), &Q, nullptr),
       "clGetEventInfo");
  must(clFlush(Q), "clFlush");
  while (!Called)
    std::this_thread::yield();
}
