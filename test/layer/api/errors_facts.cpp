//===- test/layer/api/errors_facts.cpp - codes of calls that are wrong ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints facts; the runner compares those of a bare run with those of a run
// under WarpSan. Nothing is asserted here: what is right is what the driver
// says. What crashes one of the drivers bare is not tried there.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdint>
#include <cstdio>

using namespace warpsan::test;

namespace {

#define SAY(Call) std::printf("  %s: %d\n", #Call, (Call))

const char *Source = R"(
kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }
kernel void tile(global int *x, local int *t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[0];
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global int *x) {
  x[get_global_id(0)] = 1;
}
kernel void nothing(void) {}
)";

/// Apart, since programs with images may be treated otherwise.
const char *Pictures = R"(
kernel void picture(read_only image2d_t in, sampler_t s, global float *out) {
  out[0] = read_imagef(in, s, (int2)(0, 0)).x;
}
)";

class Errors : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    P = build(Source);
    Add = kernel(P, "add");
    Data = bufferOf(std::vector<cl_int>(64, 0));
  }
  bool pocl() const { return platformName() == "Portable Computing Language"; }
  bool intel() const { return platformName() == "Intel(R) OpenCL"; }

  Program P;
  Kernel Add;
  Mem Data;
};

TEST_F(Errors, UnsetArguments) {
  SAY(launch(Q, Add, {{64}}));
  SAY(setArg(Add, 1, cl_int(3)));
  SAY(launch(Q, Add, {{64}}));
  SAY(setArg(Add, 0, Data));
  SAY(launch(Q, Add, {{64}}));
  std::printf("  %d\n", read<cl_int>(Data, 1)[0]);
}

TEST_F(Errors, WrongArguments) {
  cl_int Value = 1;
  cl_long Wide = 1;
  cl_mem Raw = Data;
  SAY(clSetKernelArg(Add, 0, sizeof(cl_int), &Value));
  SAY(clSetKernelArg(Add, 0, 0, &Raw));
  SAY(clSetKernelArg(Add, 1, sizeof(Wide), &Wide));
  SAY(clSetKernelArg(Add, 1, 1, &Value));
  SAY(clSetKernelArg(Add, 1, 0, nullptr));
  SAY(clSetKernelArg(Add, 1, sizeof(cl_int), nullptr));
  SAY(clSetKernelArg(Add, 2, sizeof(cl_int), &Value));
  SAY(clSetKernelArg(Add, 3, sizeof(cl_mem), &Raw));
  SAY(clSetKernelArg(Add, 1000000, sizeof(cl_int), &Value));
  SAY(clSetKernelArg(nullptr, 0, sizeof(cl_mem), &Raw));
  Kernel Tile = kernel(P, "tile");
  SAY(clSetKernelArg(Tile, 1, 0, nullptr));
  SAY(clSetKernelArg(Tile, 1, 64, &Value));
  SAY(clSetKernelArg(Tile, 1, 64, nullptr));
  SAY(clSetKernelArgSVMPointer(Add, 7, nullptr));
  SAY(clSetKernelArgSVMPointer(nullptr, 0, nullptr));
}

TEST_F(Errors, WrongObjectsAsArguments) {
  cl_image_format Format = {CL_RGBA, CL_FLOAT};
  cl_image_desc Desc = {};
  Desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  Desc.image_width = Desc.image_height = 4;
  cl_int Error = CL_SUCCESS;
  Mem Image(
      clCreateImage(Ctx, CL_MEM_READ_WRITE, &Format, &Desc, nullptr, &Error));
  ASSERT_OK(Error);
  Program Other = build(Pictures);
  Kernel Picture = kernel(Other, "picture");
  SAY(setArg(Picture, 0, Data));
  SAY(setArg(Add, 0, Image));
  SAY(setArg(Picture, 0, Image));
  cl_sampler None = nullptr;
  SAY(clSetKernelArg(Picture, 1, sizeof(None), &None));
  SAY(clSetKernelArg(Picture, 1, sizeof(None), nullptr));
}

TEST_F(Errors, WrongRanges) {
  setArgs(Add, Data, cl_int(1));
  size_t One[3] = {1, 1, 1};
  SAY(clEnqueueNDRangeKernel(Q, Add, 0, nullptr, One, nullptr, 0, nullptr,
                             nullptr));
  SAY(clEnqueueNDRangeKernel(Q, Add, 4, nullptr, One, nullptr, 0, nullptr,
                             nullptr));
  SAY(clEnqueueNDRangeKernel(nullptr, Add, 1, nullptr, One, nullptr, 0, nullptr,
                             nullptr));
  if (!pocl())
    SAY(clEnqueueNDRangeKernel(Q, nullptr, 1, nullptr, One, nullptr, 0, nullptr,
                               nullptr));
  if (!pocl())
    SAY(launch(Q, Add, {{64}, {0}}));
  SAY(launch(Q, Add, {{60}, {7}}));
  SAY(launch(Q, Add, {{1 << 20}, {1 << 20}}));
  SAY(launch(Q, Add, {{64, 64, 64}, {64, 64, 64}}));
  Kernel Fixed = kernel(P, "fixed");
  setArgs(Fixed, Data);
  SAY(launch(Q, Fixed, {{8, 4}, {2, 4}}));
  SAY(launch(Q, Fixed, {{8, 4, 1}, {4, 2, 1}}));
  SAY(launch(Q, Fixed, {{8}, {8}}));
  SAY(launch(Q, Fixed, {{8, 4}}));
  SAY(launch(Q, Fixed, {{7, 4}}));
  SAY(clFinish(Q));
}

TEST_F(Errors, EmptyRange) {
  setArgs(Add, Data, cl_int(1));
  Event Done;
  SAY(launch(Q, Add, {{0}}, {}, Done.out()));
  SAY(launch(Q, Add, {{0, 8}}));
  SAY(clEnqueueNDRangeKernel(Q, Add, 1, nullptr, nullptr, nullptr, 0, nullptr,
                             nullptr));
  // In OpenCL 3 an empty range is a launch; the one above too, where accepted.
  leaveLaunchesUncounted();
  SAY(clFinish(Q));
  std::printf("  %d\n", read<cl_int>(Data, 1)[0]);
}

TEST_F(Errors, WrongWaitLists) {
  setArgs(Add, Data, cl_int(1));
  size_t Global = 64;
  cl_event None = nullptr;
  Event Gate(clCreateUserEvent(Ctx, nullptr));
  cl_event Raw = Gate;
  SAY(clEnqueueNDRangeKernel(Q, Add, 1, nullptr, &Global, nullptr, 0, &Raw,
                             nullptr));
  if (!pocl()) {
    SAY(clEnqueueNDRangeKernel(Q, Add, 1, nullptr, &Global, nullptr, 1, nullptr,
                               nullptr));
    SAY(clEnqueueNDRangeKernel(Q, Add, 1, nullptr, &Global, nullptr, 1, &None,
                               nullptr));
  }
  SAY(clSetUserEventStatus(Gate, CL_COMPLETE));
  SAY(clSetUserEventStatus(Gate, CL_COMPLETE));
  SAY(clFinish(Q));
}

TEST_F(Errors, ThingsOfAnotherContext) {
  cl_int Error = CL_SUCCESS;
  Context Other(clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error));
  ASSERT_OK(Error);
  Queue OtherQ(
      clCreateCommandQueueWithProperties(Other, Device, nullptr, &Error));
  ASSERT_OK(Error);
  Mem OtherData(clCreateBuffer(Other, CL_MEM_READ_WRITE, 256, nullptr, &Error));
  ASSERT_OK(Error);
  setArgs(Add, Data, cl_int(1));
  SAY(launch(OtherQ, Add, {{64}}));
  Event Gate(clCreateUserEvent(Other, nullptr));
  ASSERT_OK(clSetUserEventStatus(Gate, CL_COMPLETE));
  SAY(launch(Q, Add, {{64}}, {Gate}));
  SAY(clFinish(Q));
  SAY(clFinish(OtherQ));
  SAY(setArg(Add, 0, OtherData));
}

TEST_F(Errors, TooMuchLocalMemory) {
  if (pocl())
    GTEST_SKIP() << "PoCL aborts";
  Kernel Tile = kernel(P, "tile");
  auto Most = deviceNumber<cl_ulong>(Device, CL_DEVICE_LOCAL_MEM_SIZE);
  SAY(setArg(Tile, 0, Data));
  SAY(clSetKernelArg(Tile, 1, Most * 4, nullptr));
  SAY(launch(Q, Tile, {{64}, {64}}));
  SAY(clSetKernelArg(Tile, 1, 64 * sizeof(cl_int), nullptr));
  SAY(launch(Q, Tile, {{64}, {64}}));
  SAY(clFinish(Q));
}

TEST_F(Errors, CreatingKernels) {
  cl_int Error = CL_SUCCESS;
  cl_kernel Out = clCreateKernel(P, "no_such_kernel", &Error);
  std::printf("  unknown name: %d %d\n", Out != nullptr, Error);
  Out = clCreateKernel(P, nullptr, &Error);
  std::printf("  no name: %d %d\n", Out != nullptr, Error);
  Out = clCreateKernel(P, "", &Error);
  std::printf("  empty name: %d %d\n", Out != nullptr, Error);
  Out = clCreateKernel(nullptr, "add", &Error);
  std::printf("  no program: %d %d\n", Out != nullptr, Error);
  Program Unbuilt = source(Source);
  Out = clCreateKernel(Unbuilt, "add", &Error);
  std::printf("  not built: %d %d\n", Out != nullptr, Error);
  cl_uint Count = 77; // some drivers leave it if there is an error
  SAY(clCreateKernelsInProgram(Unbuilt, 0, nullptr, &Count));
  std::printf("  kernels: %u\n", Count);
  cl_kernel Few[2] = {};
  SAY(clCreateKernelsInProgram(P, 2, Few, &Count));
  Out = clCloneKernel(nullptr, &Error);
  std::printf("  clone of nothing: %d %d\n", Out != nullptr, Error);
  Out = clCreateKernel(P, "no_such_kernel", nullptr);
  std::printf("  nowhere to put the error: %d\n", Out != nullptr);
}

TEST_F(Errors, CreatingPrograms) {
  cl_int Error = CL_SUCCESS;
  const char *Strings[] = {nullptr};
  cl_program Out = clCreateProgramWithSource(Ctx, 0, Strings, nullptr, &Error);
  std::printf("  no strings: %d %d\n", Out != nullptr, Error);
  if (!pocl()) {
    Out = clCreateProgramWithSource(Ctx, 1, nullptr, nullptr, &Error);
    std::printf("  null strings: %d %d\n", Out != nullptr, Error);
  }
  Out = clCreateProgramWithSource(Ctx, 1, Strings, nullptr, &Error);
  std::printf("  a null string: %d %d\n", Out != nullptr, Error);
  const unsigned char Garbage[64] = "this is no program at all";
  const unsigned char *Places[] = {Garbage};
  size_t Size = sizeof(Garbage), Zero = 0;
  cl_int Status = 12345;
  Out = clCreateProgramWithBinary(Ctx, 1, &Device, &Size, Places, &Status,
                                  &Error);
  if (Out && Error == CL_SUCCESS) {
    Error = clBuildProgram(Out, 0, nullptr, "", nullptr, nullptr);
    std::printf("  garbage as a binary, when built: %d\n", Error);
    clReleaseProgram(Out);
  } else {
    std::printf("  garbage as a binary: %d %d status %d\n", Out != nullptr,
                Error, Status);
  }
  Out = clCreateProgramWithBinary(Ctx, 1, &Device, &Zero, Places, &Status,
                                  &Error);
  std::printf("  empty binary: %d %d status %d\n", Out != nullptr, Error,
              Status);
  if (!pocl()) {
    Out = clCreateProgramWithBinary(Ctx, 1, &Device, &Size, nullptr, &Status,
                                    &Error);
    std::printf("  no binary: %d %d\n", Out != nullptr, Error);
  }
  Out = clCreateProgramWithIL(Ctx, nullptr, 100, &Error);
  std::printf("  null IL: %d %d\n", Out != nullptr, Error);
  Out = clCreateProgramWithIL(Ctx, Garbage, 0, &Error);
  std::printf("  empty IL: %d %d\n", Out != nullptr, Error);
  if (!intel()) { // the process would end
    Out = clCreateProgramWithIL(Ctx, Garbage, sizeof(Garbage), &Error);
    if (Out && Error == CL_SUCCESS) {
      std::printf("  garbage as IL, when built: %d\n",
                  clBuildProgram(Out, 0, nullptr, "", nullptr, nullptr));
      clReleaseProgram(Out);
    } else {
      std::printf("  garbage as IL: %d %d\n", Out != nullptr, Error);
    }
  }
}

TEST_F(Errors, Building) {
  Program Fresh = source(Source);
  int Any = 0;
  cl_device_id None = nullptr;
  SAY(clBuildProgram(Fresh, 0, nullptr, "-no-such-option", nullptr, nullptr));
  SAY(clBuildProgram(Fresh, 1, nullptr, "", nullptr, nullptr));
  SAY(clBuildProgram(Fresh, 0, &Device, "", nullptr, nullptr));
  if (!pocl())
    SAY(clBuildProgram(Fresh, 1, &None, "", nullptr, nullptr));
  SAY(clBuildProgram(Fresh, 0, nullptr, "", nullptr, &Any));
  SAY(clBuildProgram(nullptr, 0, nullptr, "", nullptr, nullptr));
  SAY(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr)); // has a kernel
  SAY(clCompileProgram(P, 0, nullptr, "", 0, nullptr, nullptr, nullptr,
                       nullptr));
  // The program still works after all that.
  setArgs(Add, Data, cl_int(5));
  SAY(launch(Q, Add, {{64}}));
  std::printf("  %d\n", read<cl_int>(Data, 1)[0]);
}

TEST_F(Errors, CompilingAndLinking) {
  Program Unit =
      source("int f(int x);\nkernel void k(global int *o) { *o = f(1); }");
  const char *Name = "x.h";
  SAY(clCompileProgram(Unit, 0, nullptr, "-no-such-option", 0, nullptr, nullptr,
                       nullptr, nullptr));
  if (!pocl())
    SAY(clCompileProgram(Unit, 0, nullptr, "", 1, nullptr, &Name, nullptr,
                         nullptr));
  SAY(clCompileProgram(Unit, 0, nullptr, "", 0, nullptr, nullptr, nullptr,
                       nullptr));
  cl_int Error = CL_SUCCESS;
  cl_program Parts[] = {Unit};
  Program Out(
      clLinkProgram(Ctx, 0, nullptr, "", 1, Parts, nullptr, nullptr, &Error));
  std::printf("  undefined function: %d %d\n", Out.get() != nullptr, Error);
  Out = Program(
      clLinkProgram(Ctx, 0, nullptr, "", 0, nullptr, nullptr, nullptr, &Error));
  std::printf("  no programs: %d %d\n", Out.get() != nullptr, Error);
  Out = Program(clLinkProgram(Ctx, 0, nullptr, "-no-such-option", 1, Parts,
                              nullptr, nullptr, &Error));
  std::printf("  bad option: %d %d\n", Out.get() != nullptr, Error);
  Program Uncompiled = source("kernel void k(global int *o) { *o = 1; }");
  cl_program Raw[] = {Uncompiled};
  Out = Program(
      clLinkProgram(Ctx, 0, nullptr, "", 1, Raw, nullptr, nullptr, &Error));
  std::printf("  not compiled: %d %d\n", Out.get() != nullptr, Error);
}

TEST_F(Errors, Queries) {
  cl_uint Value = 0;
  SAY(clGetKernelInfo(Add, 0xdead, sizeof(Value), &Value, nullptr));
  SAY(clGetKernelInfo(Add, CL_KERNEL_NUM_ARGS, 1, &Value, nullptr));
  SAY(clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, sizeof(Value), &Value,
                      nullptr));
  SAY(clGetProgramInfo(P, 0xdead, sizeof(Value), &Value, nullptr));
  SAY(clGetProgramInfo(P, CL_PROGRAM_NUM_DEVICES, 1, &Value, nullptr));
  unsigned char *None[1] = {nullptr};
  size_t Size = 0;
  SAY(clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, 1, &Size, nullptr));
  SAY(clGetProgramInfo(P, CL_PROGRAM_BINARIES, 1, None, nullptr));
  if (!pocl()) {
    SAY(clGetProgramInfo(P, CL_PROGRAM_BINARIES, sizeof(None), None, &Size));
    std::printf("  size of the places of binaries: %zu\n", Size);
  }
  SAY(clGetProgramBuildInfo(P, Device, 0xdead, sizeof(Value), &Value, nullptr));
  SAY(clGetKernelArgInfo(Add, 99, CL_KERNEL_ARG_NAME, 0, nullptr, &Size));
  SAY(clSetKernelExecInfo(Add, 0xdead, sizeof(Value), &Value));
  SAY(clSetProgramSpecializationConstant(P, 1, sizeof(Value), &Value));
}

TEST_F(Errors, ReferencesOfNothing) {
  SAY(clRetainKernel(nullptr));
  SAY(clReleaseKernel(nullptr));
  SAY(clRetainProgram(nullptr));
  SAY(clReleaseProgram(nullptr));
  SAY(clRetainMemObject(nullptr));
  SAY(clReleaseMemObject(nullptr));
  SAY(clReleaseContext(nullptr));
  SAY(clReleaseCommandQueue(nullptr));
}

TEST_F(Errors, Profiling) {
  setArgs(Add, Data, cl_int(1));
  Event Done;
  ASSERT_OK(launch(Q, Add, {{64}}, {}, Done.out()));
  ASSERT_OK(clFinish(Q));
  cl_ulong Time = 0;
  SAY(clGetEventProfilingInfo(Done, CL_PROFILING_COMMAND_END, sizeof(Time),
                              &Time, nullptr));
  SAY(clGetEventProfilingInfo(Done, 0xdead, sizeof(Time), &Time, nullptr));
}

TEST_F(Errors, FailedUserEvent) {
  setArgs(Add, Data, cl_int(1));
  Queue Doomed = queue(0);
  Event Gate(clCreateUserEvent(Ctx, nullptr));
  Event Done;
  ASSERT_OK(launch(Doomed, Add, {{64}}, {Gate}, Done.out()));
  ASSERT_OK(clFlush(Doomed));
  ASSERT_OK(clSetUserEventStatus(Gate, -5));
  cl_event List[] = {Done};
  SAY(clWaitForEvents(1, List));
  cl_int Status = 1;
  SAY(clGetEventInfo(Done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(Status),
                     &Status, nullptr));
  std::printf("  status %d\n", Status);
}

/// What ends where a buffer does is right, one byte more is wrong.
TEST_F(Errors, BeyondTheEndOfABuffer) {
  for (cl_mem_flags Flags : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY}) {
    for (size_t Size : {size_t(64), size_t(100), size_t(4096)}) {
      Mem M = buffer(Size, Flags), Other = buffer(Size + 512, Flags);
      std::vector<char> Host(Size + 512);
      const cl_int Pattern = 0;
      std::printf("%zu bytes\n", Size);
      // How far beyond; the last wraps around.
      for (size_t More : {size_t(0), size_t(1), size_t(4), size_t(32),
                          size_t(64), size_t(65), size_t(128), size_t(512)}) {
        std::printf(" %zu more\n", More);
        SAY(clEnqueueWriteBuffer(Q, M, CL_TRUE, More, Size, Host.data(), 0,
                                 nullptr, nullptr));
        SAY(clEnqueueReadBuffer(Q, M, CL_TRUE, 0, Size + More, Host.data(), 0,
                                nullptr, nullptr));
        SAY(clEnqueueReadBuffer(Q, M, CL_TRUE, Size - 4 + More, 4, Host.data(),
                                0, nullptr, nullptr));
        SAY(clEnqueueFillBuffer(Q, M, &Pattern, 4, Size - 4 + More, 4, 0,
                                nullptr, nullptr));
        SAY(clEnqueueCopyBuffer(Q, M, Other, More, 0, Size, 0, nullptr,
                                nullptr));
        SAY(clEnqueueCopyBuffer(Q, Other, M, 0, More, Size, 0, nullptr,
                                nullptr));
        SAY(clEnqueueCopyBuffer(Q, M, M, 0, Size - 4 + More, 4, 0, nullptr,
                                nullptr));
        SAY(clEnqueueCopyBuffer(Q, M, M, 0, More, Size, 0, nullptr, nullptr));
        cl_int Error = CL_SUCCESS;
        void *Mapped = clEnqueueMapBuffer(Q, M, CL_TRUE, CL_MAP_READ, More,
                                          Size, 0, nullptr, nullptr, &Error);
        std::printf("  map: %d %d\n", Mapped != nullptr, Error);
        if (Mapped)
          SAY(clEnqueueUnmapMemObject(Q, M, Mapped, 0, nullptr, nullptr));
        for (cl_buffer_region Region :
             {cl_buffer_region{0, Size + More},
              cl_buffer_region{Size + More, 0}, cl_buffer_region{More, Size}}) {
          Mem Part(clCreateSubBuffer(M, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                     &Region, &Error));
          std::printf("  part: %d %d\n", Part.get() != nullptr, Error);
        }
      }
      SAY(clFinish(Q));
    }
  }
}

TEST_F(Errors, BeyondTheEndOfABufferInRows) {
  if (intel())
    GTEST_SKIP() << "Intel's runtime writes there";
  constexpr size_t Size = 10 * 16; // ten rows
  Mem M = buffer(Size), Other = buffer(Size + 512);
  std::vector<char> Host(Size + 512);
  const size_t Zero[3] = {0, 0, 0};
  for (size_t Rows : {9, 10, 11, 14, 15, 20})
    for (size_t Column : {0, 1, 8, 12}) {
      const size_t Origin[3] = {Column, Rows - 2, 0}, Region[3] = {8, 2, 1};
      std::printf(" row %zu, column %zu\n", Rows, Column);
      SAY(clEnqueueWriteBufferRect(Q, M, CL_TRUE, Origin, Zero, Region, 16, 0,
                                   16, 0, Host.data(), 0, nullptr, nullptr));
      SAY(clEnqueueReadBufferRect(Q, M, CL_TRUE, Origin, Zero, Region, 16, 0,
                                  16, 0, Host.data(), 0, nullptr, nullptr));
      SAY(clEnqueueCopyBufferRect(Q, M, Other, Origin, Zero, Region, 16, 0, 16,
                                  0, 0, nullptr, nullptr));
      SAY(clEnqueueCopyBufferRect(Q, Other, M, Zero, Origin, Region, 16, 0, 16,
                                  0, 0, nullptr, nullptr));
      SAY(clEnqueueCopyBufferRect(Q, M, M, Zero, Origin, Region, 16, 0, 16, 0,
                                  0, nullptr, nullptr));
    }
  SAY(clFinish(Q));
}

TEST_F(Errors, BeyondTheEndOfABufferInPixels) {
  const cl_image_format Format = {CL_RGBA, CL_FLOAT};
  cl_image_desc Desc = {};
  Desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  Desc.image_width = Desc.image_height = 4;
  cl_int Error = CL_SUCCESS;
  Mem Image(
      clCreateImage(Ctx, CL_MEM_READ_WRITE, &Format, &Desc, nullptr, &Error));
  ASSERT_OK(Error);
  Mem M = buffer(256);
  const size_t Zero[3] = {0, 0, 0}, Region[3] = {4, 4, 1};
  for (size_t Offset : {0, 1, 16, 64, 65, 256}) {
    if (Offset && platformName() == "rusticl")
      break; // it writes there
    SAY(clEnqueueCopyBufferToImage(Q, M, Image, Offset, Zero, Region, 0,
                                   nullptr, nullptr));
    SAY(clEnqueueCopyImageToBuffer(Q, Image, M, Zero, Region, Offset, 0,
                                   nullptr, nullptr));
  }
  SAY(clFinish(Q));
  // Images that are views of the buffer.
  for (size_t More : {0, 1, 2, 4, 5, 64}) {
    cl_image_desc View = {};
    View.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    View.image_width = 16 + More;
    View.mem_object = M;
    Mem Row(clCreateImage(Ctx, 0, &Format, &View, nullptr, &Error));
    std::printf("  %zu pixels: %d %d\n", View.image_width, Row.get() != nullptr,
                Error);
    size_t Size = 0;
    if (Row)
      SAY(clGetMemObjectInfo(Row, CL_MEM_SIZE, sizeof(Size), &Size, nullptr));
    std::printf("  %zu bytes\n", Size);
    View.image_type = CL_MEM_OBJECT_IMAGE2D;
    View.image_width = 4;
    View.image_height = 4 + More;
    Mem Rows(clCreateImage(Ctx, 0, &Format, &View, nullptr, &Error));
    std::printf("  4 x %zu pixels: %d %d\n", View.image_height,
                Rows.get() != nullptr, Error);
  }
}

/// A buffer that fits exactly.
TEST_F(Errors, AllOfConstantMemory) {
  const auto Most =
      deviceNumber<cl_ulong>(Device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  if (Most > size_t(64) << 20)
    GTEST_SKIP() << "constant memory is as large as any other";
  Program Reading = build("kernel void k(constant int *c, global int *x) { "
                          "x[0] = c[1]; }");
  Kernel K = kernel(Reading, "k");
  for (size_t Size : {Most - 64, Most - 4, Most, Most + 4}) {
    Mem M = buffer(Size);
    SAY(setArg(K, 0, M));
    SAY(setArg(K, 1, Data));
    SAY(launch(Q, K, {{1}}));
    SAY(clFinish(Q));
  }
}

/// What counts as set is the driver's to say, of a clone too.
TEST_F(Errors, ClonesAndTheirArguments) {
  Program One =
      build("kernel void k(global int *x, int by) { if (x) x[0] = by; }");
  const cl_int Number = 5;
  cl_mem None = nullptr;
  Kernel K = kernel(One, "k");
  SAY(setArg(K, 0, Data));
  cl_int Error = CL_SUCCESS;
  Kernel Half(clCloneKernel(K, &Error));
  SAY(setArg(K, 1, Number));
  Kernel Whole(clCloneKernel(K, &Error));
  SAY(launch(Q, Whole, {{1}}));
  SAY(launch(Q, Half, {{1}}));
  SAY(setArg(Half, 1, Number));
  SAY(launch(Q, Half, {{1}}));
  SAY(clSetKernelArg(K, 0, sizeof(None), &None));
  SAY(launch(Q, K, {{1}}));
  SAY(clSetKernelArg(Half, 0, sizeof(None), nullptr));
  SAY(launch(Q, Half, {{1}}));
  SAY(clFinish(Q));
}

TEST_F(Errors, CreatingBuffers) {
  const auto Most =
      deviceNumber<cl_ulong>(Device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  static char Host[64];
  struct {
    const char *Name;
    cl_mem_flags Flags;
    size_t Size;
    void *Host;
  } const Cases[] = {
      {"nothing", CL_MEM_READ_WRITE, 0, nullptr},
      {"too much", CL_MEM_READ_WRITE, Most + 1, nullptr},
      {"far too much", CL_MEM_READ_WRITE, SIZE_MAX, nullptr},
      {"as much as there may be", CL_MEM_READ_WRITE, Most, nullptr},
      {"nearly everything", CL_MEM_READ_WRITE, SIZE_MAX - 63, nullptr},
      {"a host pointer for nothing", CL_MEM_READ_WRITE, 64, Host},
      {"no host pointer", CL_MEM_COPY_HOST_PTR, 64, nullptr},
      {"read and write only", CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64,
       nullptr},
      {"use and copy", CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, Host},
      {"an unknown flag", cl_mem_flags(1) << 40, 64, nullptr},
      {"right", CL_MEM_READ_WRITE, 64, nullptr},
      {"right, copied", CL_MEM_COPY_HOST_PTR, 64, Host},
      {"right, used", CL_MEM_USE_HOST_PTR, 64, Host},
      {"right, pinned", CL_MEM_ALLOC_HOST_PTR, 64, nullptr},
  };
  for (const auto &Each : Cases) {
    cl_int Error = 12345;
    Mem M(clCreateBuffer(Ctx, Each.Flags, Each.Size, Each.Host, &Error));
    std::printf("  %s: %d %d\n", Each.Name, M.get() != nullptr, Error);
    if (!M)
      continue;
    size_t Size = 0, Length = 0;
    void *Pointer = nullptr;
    cl_mem_flags Flags = 0;
    SAY(clGetMemObjectInfo(M, CL_MEM_SIZE, sizeof(Size), &Size, &Length));
    std::printf("  %zu in %zu bytes\n", Size, Length);
    SAY(clGetMemObjectInfo(M, CL_MEM_SIZE, 1, &Size, nullptr));
    SAY(clGetMemObjectInfo(M, CL_MEM_SIZE, 0, nullptr, &Length));
    SAY(clGetMemObjectInfo(M, CL_MEM_FLAGS, sizeof(Flags), &Flags, nullptr));
    SAY(clGetMemObjectInfo(M, CL_MEM_HOST_PTR, sizeof(Pointer), &Pointer,
                           nullptr));
    std::printf("  flags %llx, host pointer %s\n",
                static_cast<unsigned long long>(Flags),
                !Pointer          ? "none"
                : Pointer == Host ? "the given"
                                  : "another");
  }
}

TEST_F(Errors, NonUniformWorkGroups) {
  Program Uneven = build("kernel void k(global int *x) { x[get_global_id(0)] = "
                         "get_local_size(0); }",
                         deviceTakesC(Device, 3, 0) ? "-cl-std=CL3.0" : "");
  Kernel K = kernel(Uneven, "k");
  setArgs(K, Data);
  SAY(launch(Q, K, {{10}, {4}}));
  for (cl_int Each : read<cl_int>(Data, 10))
    std::printf("  %d\n", Each);
}

} // namespace
