//===- test/layer/errors/canaries.cpp - a kernel that writes near an end --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For test/layer/errors/canaries: canaries WORD... does what each word says,
// prints "end" and exits with 0. FIRST,COUNT before a word are the bytes that
// the kernel writes, counted from the end of the memory, which has 1,001 bytes:
// -1,1 is the last one, 0,4 are the first four behind it.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>

using namespace warpsan::test;

namespace {

const char *Source =
    R"(kernel void put(int none, global uchar *out, int first, int count) {
  for (int i = first; i < first + count; ++i)
    out[i] = i & 63;
}
kernel void put_wide(int none, global uchar *out, int first, int count) {
  vstore16((uchar16)(42), 0, out + first);
}
#define FOUR(n) global uchar *a##n, global uchar *b##n, global uchar *c##n, global uchar *d##n
kernel void touch_many(FOUR(0), FOUR(1), FOUR(2), FOUR(3)) {
  a0[0] = d3[0] = 1;
}
)";

constexpr cl_int Size = 1001;

class Run : public OpenCL {
public:
  Run() {
    SetUp();
    P = std::getenv("WARPSAN_TEST_BINARY") ? fromBinary() : build(Source);
    K = kernel(P, "put");
    must(setArg(K, 0, cl_int(0)), "clSetKernelArg");
  }
  void TestBody() override {}

  /// The bare run leaves the binary, which the next one cannot have a recipe
  /// of.
  Program fromBinary() {
    const std::filesystem::path Path = std::getenv("WARPSAN_TEST_BINARY");
    if (!std::filesystem::exists(Path)) {
      Program Built = build(Source);
      size_t Length = 0;
      must(clGetProgramInfo(Built, CL_PROGRAM_BINARY_SIZES, sizeof(Length),
                            &Length, nullptr),
           "clGetProgramInfo");
      std::vector<unsigned char> Bytes(Length);
      unsigned char *Place = Bytes.data();
      must(clGetProgramInfo(Built, CL_PROGRAM_BINARIES, sizeof(Place), &Place,
                            nullptr),
           "clGetProgramInfo");
      std::ofstream(Path, std::ios::binary)
          .write(reinterpret_cast<const char *>(Place),
                 static_cast<std::streamsize>(Length));
    }
    std::ifstream In(Path, std::ios::binary);
    const std::vector<char> Bytes{std::istreambuf_iterator<char>(In), {}};
    const auto *Place = reinterpret_cast<const unsigned char *>(Bytes.data());
    const size_t Length = Bytes.size();
    cl_int Error = CL_SUCCESS;
    Program Loaded(clCreateProgramWithBinary(Ctx, 1, &Device, &Length, &Place,
                                             nullptr, &Error));
    must(Error, "clCreateProgramWithBinary");
    must(clBuildProgram(Loaded, 0, nullptr, "", nullptr, nullptr),
         "clBuildProgram");
    return Loaded;
  }

  /// Its name is looked for in reports.
  [[gnu::noinline]] Mem makeMemory(cl_mem_flags Flags, size_t Bytes = Size) {
    std::vector<char> Content(Bytes, 7);
    cl_int Error = CL_SUCCESS;
    const bool Copies = Flags & CL_MEM_COPY_HOST_PTR;
    Mem M(clCreateBuffer(Ctx, Flags, Bytes, Copies ? Content.data() : nullptr,
                         &Error));
    must(Error, "clCreateBuffer");
    return M;
  }

  /// \p End: where the end is, from where the argument begins.
  [[gnu::noinline]] void launchPut(cl_command_queue In, cl_int End = Size,
                                   const std::vector<cl_event> &Wait = {},
                                   cl_event *Done = nullptr) {
    must(setArg(K, 2, End + First), "clSetKernelArg");
    must(setArg(K, 3, Count), "clSetKernelArg");
    must(launch(In, K, {{1}}, Wait, Done), "clEnqueueNDRangeKernel");
  }

  void inBuffer(cl_mem_flags Flags) {
    Mem M = makeMemory(Flags);
    must(setArg(K, 1, M), "clSetKernelArg");
    launchPut(Q);
    must(clFinish(Q), "clFinish");
    // What is inside has arrived and nothing else has changed.
    if (Flags & CL_MEM_COPY_HOST_PTR)
      for (size_t I = 0; cl_uchar Each : read<cl_uchar>(M, Size)) {
        const auto At = static_cast<cl_int>(I++) - Size;
        if (Each != (At >= First && At < First + Count ? (At + Size) & 63 : 7))
          std::printf("byte %zu is %d\n", I - 1, Each);
      }
  }

  /// One vector, 16 bytes, from First on.
  void wide() {
    K = kernel(P, "put_wide");
    must(setArg(K, 0, cl_int(0)), "clSetKernelArg");
    inBuffer(CL_MEM_READ_WRITE);
  }

  /// The second half of a buffer.
  void inPart() {
    const size_t Align =
        deviceNumber<cl_uint>(Device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    Mem M = makeMemory(CL_MEM_READ_WRITE, Align + 100);
    const cl_buffer_region Region = {Align, 100};
    cl_int Error = CL_SUCCESS;
    Mem Part(
        clCreateSubBuffer(M, 0, CL_BUFFER_CREATE_TYPE_REGION, &Region, &Error));
    must(Error, "clCreateSubBuffer");
    must(setArg(K, 1, Part), "clSetKernelArg");
    launchPut(Q, 100);
    must(clFinish(Q), "clFinish");
  }

  void inSvm() {
    auto *Start =
        static_cast<char *>(clSVMAlloc(Ctx, CL_MEM_READ_WRITE, Size, 0));
    if (!Start) {
      std::puts("no SVM here");
      return;
    }
    must(clSetKernelArgSVMPointer(K, 1, Start + 1), "clSetKernelArgSVMPointer");
    launchPut(Q, Size - 1);
    must(clFinish(Q), "clFinish");
    clSVMFree(Ctx, Start);
  }

  void inUsm() {
    if (!deviceHas(Device, "cl_intel_unified_shared_memory")) {
      std::puts("no USM here");
      return;
    }
    cl_int Error = CL_SUCCESS;
    void *Start = extension<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL")(
        Ctx, Device, nullptr, Size, 0, &Error);
    must(Error, "clDeviceMemAllocINTEL");
    must(extension<clSetKernelArgMemPointerINTEL_fn>(
             "clSetKernelArgMemPointerINTEL")(K, 1, Start),
         "clSetKernelArgMemPointerINTEL");
    launchPut(Q);
    must(clFinish(Q), "clFinish");
    must(extension<clMemFreeINTEL_fn>("clMemFreeINTEL")(Ctx, Start),
         "clMemFreeINTEL");
  }

  /// Freed as soon as the launch has ended, when what looks at it afterwards
  /// has just begun.
  void freedAtOnce() {
    constexpr cl_uint Many = 16;
    K = kernel(P, "touch_many");
    for (int I = 0; I < 100; ++I) {
      std::vector<void *> Starts;
      for (cl_uint Arg = 0; Arg < Many; ++Arg) {
        Starts.push_back(clSVMAlloc(Ctx, CL_MEM_READ_WRITE, Size, 0));
        if (!Starts.back()) {
          std::puts("no SVM here");
          return;
        }
        must(clSetKernelArgSVMPointer(K, Arg, Starts.back()),
             "clSetKernelArgSVMPointer");
      }
      Event Done;
      must(launch(Q, K, {{1}}, {}, Done.out()), "clEnqueueNDRangeKernel");
      must(clFlush(Q), "clFlush");
      for (cl_int Status = CL_QUEUED; Status != CL_COMPLETE;)
        must(clGetEventInfo(Done, CL_EVENT_COMMAND_EXECUTION_STATUS,
                            sizeof(Status), &Status, nullptr),
             "clGetEventInfo");
      for (; !Starts.empty(); Starts.pop_back())
        clSVMFree(Ctx, Starts.back());
    }
    must(clFinish(Q), "clFinish");
  }

  /// An image of a buffer that was made before it was known that there would be
  /// one; \p Known: after that.
  void ofImage(bool Known) {
    Program Other;
    if (Known)
      Other = build("kernel void look(read_only image2d_t in) {}");
    Mem M = makeMemory(CL_MEM_READ_WRITE);
    const cl_image_format Format = {CL_RGBA, CL_FLOAT};
    cl_int Error = CL_SUCCESS;
    Mem Image = rowOf(M, Format, 16, Error);
    std::printf("image: %d %d\n", Image.get() != nullptr, Error);
  }

  /// 100 launches that nobody waits for, of which number 51 is wrong.
  void oneOfMany(cl_command_queue In) {
    Mem M = makeMemory(CL_MEM_READ_WRITE);
    must(setArg(K, 1, M), "clSetKernelArg");
    const cl_int Wrong = First;
    for (int I = 1; I <= 100; ++I) {
      First = I == 51 ? Wrong : -Count;
      launchPut(In);
    }
    must(clFinish(In), "clFinish");
  }

  /// A launch that waits for the application, in each of two queues.
  void blocked() {
    Mem M = makeMemory(CL_MEM_READ_WRITE);
    must(setArg(K, 1, M), "clSetKernelArg");
    for (cl_command_queue_properties Properties :
         {cl_command_queue_properties(0),
          cl_command_queue_properties(
              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)}) {
      Queue First = queue(Properties), Second = queue(Properties);
      cl_int Error = CL_SUCCESS;
      Event Gate(clCreateUserEvent(Ctx, &Error));
      must(Error, "clCreateUserEvent");
      Event Done, Other;
      launchPut(First, Size, {Gate}, Done.out());
      // The gate opens only when what comes later in another queue has ended.
      launchPut(Second, Size, {}, Other.out());
      must(clFinish(Second), "clFinish");
      must(clSetUserEventStatus(Gate, CL_COMPLETE), "clSetUserEventStatus");
      must(clFinish(First), "clFinish");
      std::vector<cl_event> List = {Done, Other};
      must(clWaitForEvents(2, List.data()), "clWaitForEvents");
    }
  }

  /// Launches that the driver refuses, and one that it does not.
  void refused() {
    Mem M = makeMemory(CL_MEM_READ_WRITE);
    must(setArg(K, 1, M), "clSetKernelArg");
    must(setArg(K, 2, Size + First), "clSetKernelArg");
    must(setArg(K, 3, Count), "clSetKernelArg");
    Queue Loose = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (cl_command_queue In : {Q.get(), Loose.get()})
      for (int I = 0; I < 100; ++I)
        if (launch(In, K, {{10}, {3, 3}}) == CL_SUCCESS &&
            launch(In, K, {{7}, {1 << 30}}) == CL_SUCCESS)
          std::puts("it was not refused");
    must(clFinish(Loose), "clFinish");
    launchPut(Q);
    must(clFinish(Q), "clFinish");
  }

  /// The event is the launch's own, and its times are in order.
  void profiled() {
    for (cl_command_queue_properties More :
         {cl_command_queue_properties(0),
          cl_command_queue_properties(
              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)}) {
      Queue Timed = queue(CL_QUEUE_PROFILING_ENABLE | More);
      Mem M = makeMemory(CL_MEM_READ_WRITE);
      must(setArg(K, 1, M), "clSetKernelArg");
      Event Done;
      launchPut(Timed, Size, {}, Done.out());
      must(clFinish(Timed), "clFinish");
      cl_command_type Type = 0;
      must(clGetEventInfo(Done, CL_EVENT_COMMAND_TYPE, sizeof(Type), &Type,
                          nullptr),
           "clGetEventInfo");
      cl_ulong Start = 0, End = 0;
      must(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_START,
                                   sizeof(Start), &Start, nullptr),
           "clGetEventProfilingInfo");
      must(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_END, sizeof(End),
                                   &End, nullptr),
           "clGetEventProfilingInfo");
      std::printf("type %x, in order %d\n", Type, Start <= End);
    }
  }

  /// Nobody waits, but the launch ends before the program.
  void unwaited() {
    static Mem M = makeMemory(CL_MEM_READ_WRITE);
    must(setArg(K, 1, M), "clSetKernelArg");
    launchPut(Q);
    must(clFlush(Q), "clFlush");
    waitUntilQuiet();
  }

  using OpenCL::Q;
  using OpenCL::queue;
  cl_int First = 0, Count = 1; ///< bytes to write, from the end on
  Program P;
  Kernel K;
};

} // namespace

int main(int Argc, char **Argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Run R;
  const std::map<std::string, std::function<void()>> Words = {
      {"buffer", [&] { R.inBuffer(CL_MEM_READ_WRITE); }},
      {"write_only", [&] { R.inBuffer(CL_MEM_WRITE_ONLY); }},
      {"copied", [&] { R.inBuffer(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR); }},
      {"pinned",
       [&] { R.inBuffer(CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR); }},
      {"wide", [&] { R.wide(); }},
      {"part", [&] { R.inPart(); }},
      {"svm", [&] { R.inSvm(); }},
      {"usm", [&] { R.inUsm(); }},
      {"freed", [&] { R.freedAtOnce(); }},
      {"image", [&] { R.ofImage(false); }},
      {"known_image", [&] { R.ofImage(true); }},
      {"many", [&] { R.oneOfMany(R.queue(0)); }},
      {"many_loose",
       [&] { R.oneOfMany(R.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)); }},
      {"loose",
       [&] {
         R.Q = R.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
         R.inBuffer(CL_MEM_READ_WRITE);
       }},
      {"blocked", [&] { R.blocked(); }},
      {"refused", [&] { R.refused(); }},
      {"profiled", [&] { R.profiled(); }},
      {"unwaited", [&] { R.unwaited(); }},
  };
  for (int I = 1; I < Argc; ++I) {
    const std::string Word = Argv[I];
    if (auto Found = Words.find(Word); Found != Words.end())
      Found->second();
    else if (std::sscanf(Argv[I], "%d,%d", &R.First, &R.Count) != 2)
      return 97;
  }
  std::puts("end");
  return 0;
}
