//===- test/layer/api/devices_test.cpp - several contexts, queues, devices ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <thread>

using namespace warpsan::test;

namespace {

const char *Source = R"(
kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }
)";

constexpr size_t Count = 64;

/// A context of its own, with everything in it.
struct World {
  Context Ctx;
  Queue Q;
  Program P;
  Kernel Add;
  Mem Data;

  explicit World(cl_device_id Device) {
    cl_int Error = CL_SUCCESS;
    Ctx =
        Context(clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error));
    must(Error, "clCreateContext");
    Q = Queue(clCreateCommandQueueWithProperties(Ctx, Device, nullptr, &Error));
    must(Error, "clCreateCommandQueueWithProperties");
    const char *Text = Source;
    P = Program(clCreateProgramWithSource(Ctx, 1, &Text, nullptr, &Error));
    must(Error, "clCreateProgramWithSource");
    must(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
    Add = Kernel(clCreateKernel(P, "add", &Error));
    must(Error, "clCreateKernel");
    std::vector<cl_int> Zero(Count, 0);
    Data = Mem(clCreateBuffer(Ctx, CL_MEM_COPY_HOST_PTR, Count * sizeof(cl_int),
                              Zero.data(), &Error));
    must(Error, "clCreateBuffer");
  }
  std::vector<cl_int> result() {
    std::vector<cl_int> Out(Count);
    must(clEnqueueReadBuffer(Q, Data, CL_TRUE, 0, Count * sizeof(cl_int),
                             Out.data(), 0, nullptr, nullptr),
         "clEnqueueReadBuffer");
    return Out;
  }
};

TEST(Contexts, LiveSideBySide) {
  World A(theDevice()), B(theDevice());
  for (cl_int Round = 0; Round < 5; ++Round) {
    setArgs(A.Add, A.Data, cl_int(1));
    setArgs(B.Add, B.Data, cl_int(100));
    ASSERT_OK(launch(A.Q, A.Add, {{Count}}));
    ASSERT_OK(launch(B.Q, B.Add, {{Count}}));
  }
  EXPECT_EQ(std::vector<cl_int>(Count, 5), A.result());
  EXPECT_EQ(std::vector<cl_int>(Count, 500), B.result());
}

TEST(Contexts, OneAfterTheOther) {
  for (cl_int Round = 0; Round < 8; ++Round) {
    World Each(theDevice());
    setArgs(Each.Add, Each.Data, Round);
    ASSERT_OK(launch(Each.Q, Each.Add, {{Count}}));
    EXPECT_EQ(std::vector<cl_int>(Count, Round), Each.result());
  }
}

TEST(Contexts, FromAType) {
  const cl_context_properties List[] = {
      CL_CONTEXT_PLATFORM,
      reinterpret_cast<cl_context_properties>(thePlatform()), 0};
  cl_int Error = CL_SUCCESS;
  Context Ctx(clCreateContextFromType(List, CL_DEVICE_TYPE_ALL, nullptr,
                                      nullptr, &Error));
  ASSERT_OK(Error);
  cl_device_id Device = theDevice();
  Queue Q(clCreateCommandQueueWithProperties(Ctx, Device, nullptr, &Error));
  ASSERT_OK(Error);
  const char *Text = Source;
  Program P(clCreateProgramWithSource(Ctx, 1, &Text, nullptr, &Error));
  ASSERT_OK(Error);
  ASSERT_OK(clBuildProgram(P, 1, &Device, nullptr, nullptr, nullptr));
  Kernel Add(clCreateKernel(P, "add", &Error));
  ASSERT_OK(Error);
  std::vector<cl_int> Host(Count, 3);
  Mem Data(clCreateBuffer(Ctx, CL_MEM_COPY_HOST_PTR, Count * sizeof(cl_int),
                          Host.data(), &Error));
  ASSERT_OK(Error);
  setArgs(Add, Data, cl_int(4));
  ASSERT_OK(launch(Q, Add, {{Count}}));
  ASSERT_OK(clEnqueueReadBuffer(Q, Data, CL_TRUE, 0, Count * sizeof(cl_int),
                                Host.data(), 0, nullptr, nullptr));
  EXPECT_EQ(std::vector<cl_int>(Count, 7), Host);
}

TEST(Contexts, OneForEachOfSeveralThreads) {
  std::vector<std::thread> Threads;
  std::vector<std::vector<cl_int>> Results(4);
  for (size_t T = 0; T < Results.size(); ++T)
    Threads.emplace_back([T, &Results] {
      World Mine(theDevice());
      for (int Round = 0; Round < 20; ++Round) {
        setArgs(Mine.Add, Mine.Data, static_cast<cl_int>(T + 1));
        must(launch(Mine.Q, Mine.Add, {{Count}}), "clEnqueueNDRangeKernel");
      }
      Results[T] = Mine.result();
    });
  for (std::thread &Each : Threads)
    Each.join();
  for (size_t T = 0; T < Results.size(); ++T)
    EXPECT_EQ(std::vector<cl_int>(Count, static_cast<cl_int>(20 * (T + 1))),
              Results[T]);
}

/// Two sub-devices in one context.
class TwoDevices : public testing::Test {
protected:
  void SetUp() override {
    if (deviceNumber<cl_uint>(theDevice(),
                              CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
      GTEST_SKIP() << "the device cannot be partitioned";
    const cl_device_partition_property Equally[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                    1, 0};
    cl_device_id Raw[2] = {};
    cl_uint Made = 0;
    cl_int Error = clCreateSubDevices(theDevice(), Equally, 0, nullptr, &Made);
    if (Error != CL_SUCCESS || Made < 2)
      GTEST_SKIP() << "clCreateSubDevices returned " << Error << ", " << Made
                   << " devices";
    // The call fails if it is given less room than there are devices.
    std::vector<cl_device_id> All(Made);
    must(clCreateSubDevices(theDevice(), Equally, Made, All.data(), nullptr),
         "clCreateSubDevices");
    for (cl_device_id Each : All)
      Devices.emplace_back(Each);
    Raw[0] = All[0];
    Raw[1] = All[1];
    Ctx = Context(clCreateContext(nullptr, 2, Raw, nullptr, nullptr, &Error));
    must(Error, "clCreateContext");
    for (int D = 0; D < 2; ++D) {
      Queues[D] = Queue(
          clCreateCommandQueueWithProperties(Ctx, Raw[D], nullptr, &Error));
      must(Error, "clCreateCommandQueueWithProperties");
    }
  }
  Program source() {
    const char *Text = Source;
    cl_int Error = CL_SUCCESS;
    Program P(clCreateProgramWithSource(Ctx, 1, &Text, nullptr, &Error));
    must(Error, "clCreateProgramWithSource");
    return P;
  }
  Mem zeros() {
    std::vector<cl_int> Zero(Count, 0);
    cl_int Error = CL_SUCCESS;
    Mem Out(clCreateBuffer(Ctx, CL_MEM_COPY_HOST_PTR, Count * sizeof(cl_int),
                           Zero.data(), &Error));
    must(Error, "clCreateBuffer");
    return Out;
  }
  std::vector<cl_int> read(int D, cl_mem From) {
    std::vector<cl_int> Out(Count);
    must(clEnqueueReadBuffer(Queues[D], From, CL_TRUE, 0,
                             Count * sizeof(cl_int), Out.data(), 0, nullptr,
                             nullptr),
         "clEnqueueReadBuffer");
    return Out;
  }

  std::vector<SubDevice> Devices;
  Context Ctx;
  Queue Queues[2];
};

TEST_F(TwoDevices, OneKernelOnBoth) {
  Program P = source();
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  cl_int Error = CL_SUCCESS;
  Kernel Add(clCreateKernel(P, "add", &Error));
  ASSERT_OK(Error);
  Mem Data = zeros();
  for (cl_int Round = 0; Round < 6; ++Round) {
    setArgs(Add, Data, cl_int(1 + Round));
    ASSERT_OK(launch(Queues[Round % 2], Add, {{Count}}));
    ASSERT_OK(clFinish(Queues[Round % 2]));
  }
  EXPECT_EQ(std::vector<cl_int>(Count, 21), read(0, Data));
  EXPECT_EQ(std::vector<cl_int>(Count, 21), read(1, Data));
}

TEST_F(TwoDevices, BuiltForOneOnly) {
  Program P = source();
  cl_device_id Second = Devices[1];
  ASSERT_OK(clBuildProgram(P, 1, &Second, "", nullptr, nullptr));
  cl_int Error = CL_SUCCESS;
  Kernel Add(clCreateKernel(P, "add", &Error));
  ASSERT_OK(Error);
  Mem Data = zeros();
  setArgs(Add, Data, cl_int(3));
  ASSERT_OK(launch(Queues[1], Add, {{Count}}));
  ASSERT_OK(clFinish(Queues[1]));
  EXPECT_EQ(std::vector<cl_int>(Count, 3), read(1, Data));
}

/// Programs that are built for one device after the other, each time with other
/// options. PoCL builds for the device that both are parts of: the last options
/// are everybody's.
class OptionsOfTheirOwn : public TwoDevices {
protected:
  void SetUp() override {
    TwoDevices::SetUp();
    if (IsSkipped())
      return;
    Text = "kernel void put(global int *out, global const int *at) {\n"
           "  out[at[get_global_id(0)]] = VALUE;\n"
           "}";
    At = zeros();
    Last = platformName() == "Portable Computing Language";
  }
  Program fromText() {
    cl_int Error = CL_SUCCESS;
    Program P(clCreateProgramWithSource(Ctx, 1, &Text, nullptr, &Error));
    must(Error, "clCreateProgramWithSource");
    return P;
  }
  void expectOwn(cl_program P) {
    cl_int Error = CL_SUCCESS;
    Kernel Put(clCreateKernel(P, "put", &Error));
    ASSERT_OK(Error);
    for (int D : {0, 1, 0}) {
      Mem Out = zeros();
      setArgs(Put, Out, At);
      ASSERT_OK(launch(Queues[D], Put, {{Count}}));
      EXPECT_EQ(Last ? 2 : 1 + D, read(D, Out)[0]);
    }
  }
  static std::string options(int D) {
    return "-DVALUE=" + std::to_string(1 + D);
  }

  const char *Text = nullptr;
  bool Last = false;
  Mem At;
};

TEST_F(OptionsOfTheirOwn, Built) {
  Program P = fromText();
  for (int D : {0, 1}) {
    cl_device_id Device = Devices[D];
    ASSERT_OK(
        clBuildProgram(P, 1, &Device, options(D).c_str(), nullptr, nullptr));
  }
  expectOwn(P);
}

TEST_F(OptionsOfTheirOwn, BuiltAgainForOne) {
  Program P = fromText();
  ASSERT_OK(
      clBuildProgram(P, 0, nullptr, options(0).c_str(), nullptr, nullptr));
  cl_device_id Second = Devices[1];
  ASSERT_OK(
      clBuildProgram(P, 1, &Second, options(1).c_str(), nullptr, nullptr));
  expectOwn(P);
}

TEST_F(OptionsOfTheirOwn, CompiledAndLinked) {
  Program Unit = fromText();
  for (int D : {0, 1}) {
    cl_device_id Device = Devices[D];
    ASSERT_OK(clCompileProgram(Unit, 1, &Device, options(D).c_str(), 0, nullptr,
                               nullptr, nullptr, nullptr));
  }
  cl_program Parts[] = {Unit};
  cl_int Error = CL_SUCCESS;
  Program P(
      clLinkProgram(Ctx, 0, nullptr, "", 1, Parts, nullptr, nullptr, &Error));
  ASSERT_OK(Error);
  expectOwn(P);
}

TEST_F(OptionsOfTheirOwn, FromTheirBinaries) {
  Program Made = fromText();
  for (int D : {0, 1}) {
    cl_device_id Device = Devices[D];
    ASSERT_OK(
        clBuildProgram(Made, 1, &Device, options(D).c_str(), nullptr, nullptr));
  }
  if (Last)
    GTEST_SKIP() << "the driver has no binaries of parts of a device";
  size_t Sizes[2] = {};
  ASSERT_OK(clGetProgramInfo(Made, CL_PROGRAM_BINARY_SIZES, sizeof(Sizes),
                             Sizes, nullptr));
  std::vector<unsigned char> Bytes[2] = {std::vector<unsigned char>(Sizes[0]),
                                         std::vector<unsigned char>(Sizes[1])};
  unsigned char *Raw[2] = {Bytes[0].data(), Bytes[1].data()};
  ASSERT_OK(clGetProgramInfo(Made, CL_PROGRAM_BINARIES, sizeof(Raw),
                             static_cast<void *>(Raw), nullptr));
  cl_device_id For[2] = {};
  ASSERT_OK(clGetProgramInfo(Made, CL_PROGRAM_DEVICES, sizeof(For),
                             static_cast<void *>(For), nullptr));
  const unsigned char *Binaries[2] = {Raw[0], Raw[1]};
  cl_int Error = CL_SUCCESS;
  Program P(
      clCreateProgramWithBinary(Ctx, 2, For, Sizes, Binaries, nullptr, &Error));
  ASSERT_OK(Error);
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  expectOwn(P);
}

TEST_F(TwoDevices, EventsCrossBetweenTheirQueues) {
  Program P = source();
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  cl_int Error = CL_SUCCESS;
  Kernel Add(clCreateKernel(P, "add", &Error));
  ASSERT_OK(Error);
  Mem Data = zeros();
  setArgs(Add, Data, cl_int(1));
  Event Last;
  for (int Round = 0; Round < 10; ++Round) {
    Event Done;
    ASSERT_OK(
        launch(Queues[Round % 2], Add, {{Count}},
               Round ? std::vector<cl_event>{Last} : std::vector<cl_event>{},
               Done.out()));
    ASSERT_OK(clFlush(Queues[Round % 2]));
    Last = std::move(Done);
  }
  cl_event List[] = {Last};
  ASSERT_OK(clWaitForEvents(1, List));
  EXPECT_EQ(std::vector<cl_int>(Count, 10), read(1, Data));
}

} // namespace
