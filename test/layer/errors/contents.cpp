//===- test/layer/errors/contents.cpp - an index buffer that changes ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/errors/contents: contents WAY VALUE launches a kernel that
// takes its indices, of 1,000 elements, from a buffer, eight times; then makes
// one of them VALUE, in the way that is named, and launches eight times more.
// Prints the sum of what was found, and exits with 0.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <string>

using namespace warpsan::test;

namespace {

constexpr size_t Count = 1000, Changed = 7;

const char *Source = R"(
kernel void gather(global const int *at, global const int *from, global int *to) {
  to[get_global_id(0)] = from[at[get_global_id(0)]];
}
typedef struct { int weight, less, at[3]; } edge;
kernel void gather_members(global const edge *edges, global const int *from, global int *to) {
  int i = get_global_id(0);
  to[i] = from[edges[i].at[i % 3] - edges[i].less];
}
kernel void change(global int *at, int where, int value) { at[where] = value; }
)";

class Run : public OpenCL {
public:
  explicit Run(cl_int Value) : Value(Value) {
    SetUp();
    P = build(Source);
    Gather = kernel(P, "gather");
    From = make(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, numbers(1));
    To = make(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, numbers(0));
  }
  void TestBody() override {}

  static std::vector<cl_int> numbers(cl_int Times) {
    std::vector<cl_int> All(Count);
    for (size_t I = 0; I < Count; ++I)
      All[I] = Times * static_cast<cl_int>(I);
    return All;
  }

  Mem make(cl_mem_flags Flags, std::vector<cl_int> Content) {
    cl_int Error = CL_SUCCESS;
    Mem M(clCreateBuffer(Ctx, Flags, Content.size() * sizeof(cl_int),
                         Content.data(), &Error));
    must(Error, "clCreateBuffer");
    return M;
  }
  Mem index() {
    return make(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, numbers(1));
  }

  void launches(cl_command_queue In, const Mem &At) {
    setArgs(Gather, At, From, To);
    for (int I = 0; I < 8; ++I) {
      must(launch(In, Gather, {{Count}}), "clEnqueueNDRangeKernel");
      must(clFinish(In), "clFinish");
    }
    printSum();
  }

  void printSum() {
    const auto Found = read<cl_int>(To, Count);
    std::printf("%d\n", std::accumulate(Found.begin(), Found.end(), 0));
  }

  /// Launches, changes and launches.
  void around(cl_command_queue In, const Mem &At,
              const std::function<cl_int()> &Change) {
    launches(In, At);
    must(Change(), "the change");
    launches(In, At);
  }

  void byRect() {
    Mem At = index();
    const size_t Where[3] = {Changed * 4, 0, 0}, Zero[3] = {},
                 Region[3] = {4, 1, 1};
    around(Q, At, [&] {
      return clEnqueueWriteBufferRect(Q, At, CL_TRUE, Where, Zero, Region, 0, 0,
                                      0, 0, &Value, 0, nullptr, nullptr);
    });
  }
  void byCopy() {
    Mem At = index(), Other = make(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   std::vector<cl_int>(Count, Value));
    around(Q, At, [&] {
      return clEnqueueCopyBuffer(Q, Other, At, 0, Changed * 4, 4, 0, nullptr,
                                 nullptr);
    });
  }
  void byFill() {
    Mem At = index();
    around(Q, At, [&] {
      return clEnqueueFillBuffer(Q, At, &Value, 4, Changed * 4, 4, 0, nullptr,
                                 nullptr);
    });
  }
  void byWrite(cl_mem_flags Flags = CL_MEM_COPY_HOST_PTR) {
    std::vector<cl_int> Content = numbers(1);
    cl_int Error = CL_SUCCESS;
    Mem At(clCreateBuffer(Ctx, CL_MEM_READ_WRITE | Flags, Count * 4,
                          Content.data(), &Error));
    must(Error, "clCreateBuffer");
    around(Q, At, [&] {
      return clEnqueueWriteBuffer(Q, At, CL_FALSE, Changed * 4, 4, &Value, 0,
                                  nullptr, nullptr);
    });
  }
  void byMap() {
    Mem At = index();
    around(Q, At, [&] {
      cl_int Error = CL_SUCCESS;
      auto *Mapped = static_cast<cl_int *>(
          clEnqueueMapBuffer(Q, At, CL_TRUE, CL_MAP_WRITE, 0, Count * 4, 0,
                             nullptr, nullptr, &Error));
      must(Error, "clEnqueueMapBuffer");
      Mapped[Changed] = Value;
      return clEnqueueUnmapMemObject(Q, At, Mapped, 0, nullptr, nullptr);
    });
  }
  void byKernel() {
    Mem At = index();
    Kernel Change = kernel(P, "change");
    setArgs(Change, At, cl_int(Changed), Value);
    around(Q, At, [&] { return launch(Q, Change, {{1}}); });
  }
  /// By a kernel that was recorded before anybody wanted to know.
  void byRecorded() {
    if (!deviceHas(Device, "cl_khr_command_buffer")) {
      std::puts("no command buffers here");
      return;
    }
    Mem At = index();
    Kernel Change = kernel(P, "change");
    setArgs(Change, At, cl_int(Changed), Value);
    cl_command_queue In = Q;
    cl_int Error = CL_SUCCESS;
    cl_command_buffer_khr B = extension<clCreateCommandBufferKHR_fn>(
        "clCreateCommandBufferKHR")(1, &In, nullptr, &Error);
    must(Error, "clCreateCommandBufferKHR");
    size_t One = 1;
    must(extension<clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR")(
             B, nullptr, nullptr, Change, 1, nullptr, &One, nullptr, 0, nullptr,
             nullptr, nullptr),
         "clCommandNDRangeKernelKHR");
    must(extension<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR")(
             B),
         "clFinalizeCommandBufferKHR");
    around(Q, At, [&] {
      return extension<clEnqueueCommandBufferKHR_fn>(
          "clEnqueueCommandBufferKHR")(0, nullptr, B, 0, nullptr, nullptr);
    });
  }
  /// By its address on the device, which any kernel may be given. Without the
  /// extension nothing is launched.
  void byAddress() {
    using SetPointer = cl_int(CL_API_CALL *)(cl_kernel, cl_uint, cl_ulong);
    constexpr cl_mem_flags Private = 1UL << 31; // CL_MEM_DEVICE_PRIVATE_EXT
    constexpr cl_mem_info Address = 0xff01;     // CL_MEM_DEVICE_PTR_EXT
    if (!deviceHas(Device, "cl_ext_buffer_device_address")) {
      std::puts("no addresses here");
      return;
    }
    cl_int Error = CL_SUCCESS;
    Mem At(clCreateBuffer(Ctx, CL_MEM_READ_WRITE | Private, Count * 4, nullptr,
                          &Error));
    must(Error, "clCreateBuffer");
    must(clEnqueueWriteBuffer(Q, At, CL_TRUE, 0, Count * 4, numbers(1).data(),
                              0, nullptr, nullptr),
         "clEnqueueWriteBuffer");
    cl_ulong Where = 0;
    must(clGetMemObjectInfo(At, Address, sizeof(Where), &Where, nullptr),
         "clGetMemObjectInfo");
    Kernel Change = kernel(P, "change");
    setArgs(Change, To, cl_int(Changed), Value);
    must(extension<SetPointer>("clSetKernelArgDevicePointerEXT")(Change, 0,
                                                                 Where),
         "clSetKernelArgDevicePointerEXT");
    around(Q, At, [&] { return launch(Q, Change, {{1}}); });
  }
  /// The index is in two members of structs; the first is none. The last struct
  /// is cut off behind its index. \p Member: what is changed, in ints.
  void byMember(size_t Struct, size_t Member) {
    constexpr size_t Size = 5; // of the struct, in ints
    std::vector<cl_int> Content(Count * Size, 1'000'000'000);
    for (size_t I = 0; I < Count; ++I) {
      Content[I * Size + 1] = 0;
      for (size_t Each : {2, 3, 4})
        Content[I * Size + Each] = static_cast<cl_int>(I);
    }
    Content.resize(Count * Size - 2);
    Mem Edges = make(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Content);
    Gather = kernel(P, "gather_members");
    around(Q, Edges, [&] {
      return clEnqueueWriteBuffer(Q, Edges, CL_TRUE,
                                  (Struct * Size + Member) * 4, 4, &Value, 0,
                                  nullptr, nullptr);
    });
  }
  /// Of the whole, through its part, and of the part, through the whole.
  void byPart(bool OfThePart) {
    Mem At = index();
    const cl_buffer_region Region = {0, Count * 4};
    cl_int Error = CL_SUCCESS;
    Mem Part(clCreateSubBuffer(At, 0, CL_BUFFER_CREATE_TYPE_REGION, &Region,
                               &Error));
    must(Error, "clCreateSubBuffer");
    around(Q, OfThePart ? Part : At, [&] {
      return clEnqueueWriteBuffer(Q, OfThePart ? At : Part, CL_TRUE,
                                  Changed * 4, 4, &Value, 0, nullptr, nullptr);
    });
  }
  /// What comes later may be done before.
  void inQueue(cl_command_queue_properties Properties) {
    const cl_queue_properties List[] = {CL_QUEUE_PROPERTIES, Properties, 0};
    cl_int Error = CL_SUCCESS;
    Queue Other(clCreateCommandQueueWithProperties(Ctx, Device, List, &Error));
    must(Error, "clCreateCommandQueueWithProperties");
    Mem At = index();
    around(Other, At, [&] {
      return clEnqueueWriteBuffer(Q, At, CL_TRUE, Changed * 4, 4, &Value, 0,
                                  nullptr, nullptr);
    });
  }
  /// A launch waits for the host, which writes in a queue that it makes then.
  void byWaiting() {
    Mem At = index();
    launches(Q, At);
    cl_int Error = CL_SUCCESS;
    const Event Gate(clCreateUserEvent(Ctx, &Error));
    must(Error, "clCreateUserEvent");
    cl_event Raw = Gate;
    const size_t Global = Count;
    must(clEnqueueNDRangeKernel(Q, Gather, 1, nullptr, &Global, nullptr, 1,
                                &Raw, nullptr),
         "clEnqueueNDRangeKernel");
    must(clFlush(Q), "clFlush");
    const Queue Other = queue(0);
    must(clEnqueueWriteBuffer(Other, At, CL_TRUE, Changed * 4, 4, &Value, 0,
                              nullptr, nullptr),
         "clEnqueueWriteBuffer");
    must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
    must(clFinish(Q), "clFinish");
    printSum();
  }
  /// The kernel changes what it takes its indices from.
  void byItself() {
    Mem At = index();
    From = make(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, numbers(1));
    To = std::move(At);
    setArgs(Gather, To, From, To);
    for (int I = 0; I < 8; ++I)
      must(launch(Q, Gather, {{Count}}), "clEnqueueNDRangeKernel");
    must(clEnqueueWriteBuffer(Q, From, CL_TRUE, Changed * 4, 4, &Value, 0,
                              nullptr, nullptr),
         "clEnqueueWriteBuffer");
    for (int I = 0; I < 2; ++I) // to[7] becomes VALUE, then is the index
      must(launch(Q, Gather, {{Count}}), "clEnqueueNDRangeKernel");
    must(clFinish(Q), "clFinish");
  }

private:
  const cl_int Value;
  Program P;
  Kernel Gather;
  Mem From, To;
};

} // namespace

int main(int Words, char **Word) {
  const std::map<std::string, void (*)(Run &)> Ways = {
      {"write", [](Run &R) { R.byWrite(); }},
      {"rect", [](Run &R) { R.byRect(); }},
      {"copy", [](Run &R) { R.byCopy(); }},
      {"fill", [](Run &R) { R.byFill(); }},
      {"map", [](Run &R) { R.byMap(); }},
      {"kernel", [](Run &R) { R.byKernel(); }},
      {"recorded", [](Run &R) { R.byRecorded(); }},
      {"address", [](Run &R) { R.byAddress(); }},
      {"member", [](Run &R) { R.byMember(Changed, 2 + Changed % 3); }},
      {"last_member", [](Run &R) { R.byMember(Count - 1, 2); }},
      {"beside", [](Run &R) { R.byMember(Changed, 0); }},
      {"host_pointer", [](Run &R) { R.byWrite(CL_MEM_USE_HOST_PTR); }},
      {"part", [](Run &R) { R.byPart(true); }},
      {"whole", [](Run &R) { R.byPart(false); }},
      {"two_queues", [](Run &R) { R.inQueue(0); }},
      {"out_of_order",
       [](Run &R) { R.inQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }},
      {"waiting", [](Run &R) { R.byWaiting(); }},
      {"itself", [](Run &R) { R.byItself(); }},
  };
  if (Words != 3 || !Ways.contains(Word[1]))
    return 2;
  Run R(std::atoi(Word[2]));
  Ways.at(Word[1])(R);
  std::printf("end\n");
  return 0;
}
