//===- test/layer/api/binaries_test.cpp - programs from binaries ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runner runs this program twice with one scratch folder, first bare, then
// under WarpSan, then bare once more: what one run leaves, the next one finds.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpsan::test;
namespace fs = std::filesystem;

namespace {

const char *Source = R"(
int scale(int x) { return x * FACTOR; }
kernel void times(global int *x) { x[get_global_id(0)] = scale(x[get_global_id(0)]); }
kernel void reversed(global int *x, local int *t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
)";

using Bytes = std::vector<unsigned char>;

std::vector<Bytes> binariesOf(cl_program P) {
  cl_uint Devices = 0;
  must(clGetProgramInfo(P, CL_PROGRAM_NUM_DEVICES, sizeof(Devices), &Devices,
                        nullptr),
       "clGetProgramInfo");
  std::vector<size_t> Sizes(Devices);
  must(clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, Devices * sizeof(size_t),
                        Sizes.data(), nullptr),
       "clGetProgramInfo");
  std::vector<Bytes> Out(Devices);
  std::vector<unsigned char *> Places(Devices);
  for (cl_uint D = 0; D < Devices; ++D) {
    // One byte more than asked for, to see that no more is written.
    Out[D].assign(Sizes[D] + 1, 0xa5);
    Places[D] = Out[D].data();
  }
  must(clGetProgramInfo(P, CL_PROGRAM_BINARIES,
                        Devices * sizeof(unsigned char *), Places.data(),
                        nullptr),
       "clGetProgramInfo");
  for (Bytes &Each : Out) {
    EXPECT_EQ(0xa5, Each.back()) << "written past the size that was reported";
    Each.pop_back();
  }
  return Out;
}

Bytes readFile(const fs::path &Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}
void writeFile(const fs::path &Path, const Bytes &Content) {
  std::ofstream(Path, std::ios::binary)
      .write(reinterpret_cast<const char *>(Content.data()),
             static_cast<std::streamsize>(Content.size()));
}

class Binaries : public OpenCL {
protected:
  /// Empty, with Error set, if the driver refuses.
  Program fromBinary(const Bytes &Binary, cl_int &Error) {
    size_t Size = Binary.size();
    const unsigned char *Data = Binary.data();
    cl_int Status = CL_SUCCESS;
    Program P(clCreateProgramWithBinary(Ctx, 1, &Device, &Size, &Data, &Status,
                                        &Error));
    if (Error == CL_SUCCESS)
      EXPECT_OK(Status);
    return P;
  }
  Program fromBinary(const Bytes &Binary) {
    cl_int Error = CL_SUCCESS;
    Program P = fromBinary(Binary, Error);
    must(Error, "clCreateProgramWithBinary");
    return P;
  }
  /// Two launches: kernel times, with the factor that it was built with, and
  /// kernel reversed.
  void check(cl_program P, cl_int Factor) {
    Kernel Times = kernel(P, "times"), Reversed = kernel(P, "reversed");
    Mem Data = bufferOf(std::vector<cl_int>{1, 2, 3, 4});
    setArgs(Times, Data);
    ASSERT_OK(launch(Q, Times, {{4}}));
    ASSERT_OK(setArg(Reversed, 0, Data));
    ASSERT_OK(clSetKernelArg(Reversed, 1, 4 * sizeof(cl_int), nullptr));
    ASSERT_OK(launch(Q, Reversed, {{4}, {4}}));
    EXPECT_EQ((std::vector<cl_int>{4 * Factor, 3 * Factor, 2 * Factor, Factor}),
              read<cl_int>(Data, 4));
  }
  cl_program_binary_type type(cl_program P) {
    cl_program_binary_type Type = 0;
    must(clGetProgramBuildInfo(P, Device, CL_PROGRAM_BINARY_TYPE, sizeof(Type),
                               &Type, nullptr),
         "clGetProgramBuildInfo");
    return Type;
  }
};

TEST_F(Binaries, OwnBinaryInTheSameProcess) {
  Bytes Binary;
  {
    Program P = build(Source, "-DFACTOR=3");
    Binary = binariesOf(P)[0];
    ASSERT_FALSE(Binary.empty());
  }
  Program Again = fromBinary(Binary);
  ASSERT_OK(clBuildProgram(Again, 0, nullptr, "", nullptr, nullptr));
  EXPECT_EQ(
      static_cast<cl_program_binary_type>(CL_PROGRAM_BINARY_TYPE_EXECUTABLE),
      type(Again));
  check(Again, 3);
}

TEST_F(Binaries, BinaryOfAProgramThatWasLaunched) {
  Program P = build(Source, "-DFACTOR=4");
  check(P, 4);
  Program Again = fromBinary(binariesOf(P)[0]);
  ASSERT_OK(clBuildProgram(Again, 0, nullptr, "", nullptr, nullptr));
  check(Again, 4);
  check(P, 4);
}

TEST_F(Binaries, BinaryOfABinary) {
  Program P = build(Source, "-DFACTOR=5");
  Program Second = fromBinary(binariesOf(P)[0]);
  ASSERT_OK(clBuildProgram(Second, 0, nullptr, "", nullptr, nullptr));
  Program Third = fromBinary(binariesOf(Second)[0]);
  ASSERT_OK(clBuildProgram(Third, 0, nullptr, "", nullptr, nullptr));
  check(Third, 5);
}

TEST_F(Binaries, ReadTwiceTheSame) {
  Program P = build(Source, "-DFACTOR=6");
  EXPECT_EQ(binariesOf(P), binariesOf(P));
}

TEST_F(Binaries, BinaryOfALinkedProgram) {
  Program Unit = source(Source);
  ASSERT_OK(clCompileProgram(Unit, 0, nullptr, "-DFACTOR=7", 0, nullptr,
                             nullptr, nullptr, nullptr));
  cl_program Parts[] = {Unit};
  cl_int Error = CL_SUCCESS;
  Program Linked(
      clLinkProgram(Ctx, 0, nullptr, "", 1, Parts, nullptr, nullptr, &Error));
  ASSERT_OK(Error);
  Program Again = fromBinary(binariesOf(Linked)[0]);
  ASSERT_OK(clBuildProgram(Again, 0, nullptr, "", nullptr, nullptr));
  check(Again, 7);
}

TEST_F(Binaries, BinaryOfACompiledUnitIsLinked) {
  Program Unit = source(Source);
  ASSERT_OK(clCompileProgram(Unit, 0, nullptr, "-DFACTOR=8", 0, nullptr,
                             nullptr, nullptr, nullptr));
  cl_int Error = CL_SUCCESS;
  Program Loaded = fromBinary(binariesOf(Unit)[0], Error);
  ASSERT_OK(Error);
  cl_program Parts[] = {Loaded};
  Program Linked(
      clLinkProgram(Ctx, 0, nullptr, "", 1, Parts, nullptr, nullptr, &Error));
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "clLinkProgram of a loaded unit returned " << Error;
  check(Linked, 8);
}

TEST_F(Binaries, BinariesOfTwoDevices) {
  if (deviceNumber<cl_uint>(Device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property Equally[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                  1, 0};
  cl_uint Made = 0;
  ASSERT_OK(clCreateSubDevices(Device, Equally, 0, nullptr, &Made));
  std::vector<cl_device_id> Raw(Made);
  ASSERT_OK(clCreateSubDevices(Device, Equally, Made, Raw.data(), nullptr));
  std::vector<SubDevice> Devices;
  for (cl_device_id Each : Raw)
    Devices.emplace_back(Each);
  cl_int Error = CL_SUCCESS;
  Context Both(
      clCreateContext(nullptr, 2, Raw.data(), nullptr, nullptr, &Error));
  ASSERT_OK(Error);
  const char *Text = Source;
  Program P(clCreateProgramWithSource(Both, 1, &Text, nullptr, &Error));
  ASSERT_OK(Error);
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "-DFACTOR=9", nullptr, nullptr));
  std::vector<Bytes> Got = binariesOf(P);
  if (Got.size() != 2)
    GTEST_SKIP() << "the driver keeps " << Got.size() << " binary for both";
  const unsigned char *Data[] = {Got[0].data(), Got[1].data()};
  size_t Sizes[] = {Got[0].size(), Got[1].size()};
  cl_int Statuses[2] = {};
  Program Again(clCreateProgramWithBinary(Both, 2, Raw.data(), Sizes, Data,
                                          Statuses, &Error));
  ASSERT_OK(Error);
  ASSERT_OK(clBuildProgram(Again, 0, nullptr, "", nullptr, nullptr));
  Kernel Times = kernel(Again, "times");
  for (int D = 0; D < 2; ++D) {
    Queue Each(
        clCreateCommandQueueWithProperties(Both, Raw[D], nullptr, &Error));
    ASSERT_OK(Error);
    cl_int One = 1;
    Mem Value(
        clCreateBuffer(Both, CL_MEM_COPY_HOST_PTR, sizeof(One), &One, &Error));
    ASSERT_OK(Error);
    setArgs(Times, Value);
    ASSERT_OK(launch(Each, Times, {{1}}));
    ASSERT_OK(clEnqueueReadBuffer(Each, Value, CL_TRUE, 0, sizeof(One), &One, 0,
                                  nullptr, nullptr));
    EXPECT_EQ(9, One);
  }
}

//===----------------------------------------------------------------------===//
// From another process
//===----------------------------------------------------------------------===//

/// Set for a child of this program: the file with the binary that it loads.
const char *ChildVariable = "WARPSAN_TEST_CHILD_BINARY";

TEST_F(Binaries, ChildLoadsAFile) {
  const char *Path = std::getenv(ChildVariable);
  if (!Path)
    GTEST_SKIP() << "only in a child process";
  Program P = fromBinary(readFile(Path));
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  check(P, 10);
}

TEST_F(Binaries, OwnBinaryInASecondProcess) {
  if (std::getenv(ChildVariable))
    GTEST_SKIP() << "only in the parent process";
  fs::path File = fs::temp_directory_path() /
                  ("warpsan-binary-" + std::to_string(getpid()));
  Program P = build(Source, "-DFACTOR=10");
  writeFile(File, binariesOf(P)[0]);
  setenv(ChildVariable, File.c_str(), 1);
  std::fflush(stdout);
  char Self[] = "/proc/self/exe";
  char Filter[] = "--gtest_filter=Binaries.ChildLoadsAFile";
  char *Argv[] = {Self, Filter, nullptr};
  pid_t Child = -1;
  ASSERT_EQ(0, posix_spawn(&Child, Self, nullptr, nullptr, Argv, environ));
  int Status = -1;
  ASSERT_EQ(Child, waitpid(Child, &Status, 0));
  unsetenv(ChildVariable);
  fs::remove(File);
  EXPECT_EQ(0, Status);
}

/// What a run leaves for the next one: the runner says where.
class BinaryOfTheRunBefore : public Binaries {
protected:
  void SetUp() override {
    const char *Folder = std::getenv("WARPSAN_TEST_SCRATCH");
    if (!Folder)
      GTEST_SKIP() << "WARPSAN_TEST_SCRATCH names no folder";
    File = fs::path(Folder) / "before.bin";
    Binaries::SetUp();
  }
  fs::path File;
};

TEST_F(BinaryOfTheRunBefore, IsLoadedOrRefused) {
  // First bare run: there is none. Under WarpSan: one that WarpSan has not
  // seen made. Second bare run: one that was read under WarpSan.
  if (fs::exists(File)) {
    cl_int Error = CL_SUCCESS;
    Program P = fromBinary(readFile(File), Error);
    if (Error == CL_SUCCESS)
      Error = clBuildProgram(P, 0, nullptr, "", nullptr, nullptr);
    std::printf("warpsan-test: binary of the run before: %d\n", Error);
    if (Error == CL_SUCCESS) {
      check(P, 11);
      expectNative(1, "times", "binary of the run before");
      expectNative(1, "reversed", "binary of the run before");
    } else {
      // What a program can deal with: it builds from source again.
      EXPECT_EQ(CL_INVALID_BINARY, Error);
    }
  }
  Program P = build(Source, "-DFACTOR=11");
  check(P, 11);
  writeFile(File, binariesOf(P)[0]);
}

} // namespace
