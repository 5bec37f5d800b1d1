//===- test/layer/api/il_test.cpp - programs that come as SPIR-V ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

using namespace warpsan::test;

namespace {

/// A module that CMake made of test/layer/il.
std::string module(const std::string &Name) {
  std::string Path = std::string(WARPSAN_TEST_IL) + "/" + Name + ".spv";
  std::ifstream In(Path, std::ios::binary);
  if (!In)
    throw std::runtime_error("cannot read " + Path);
  return {std::istreambuf_iterator<char>(In), {}};
}

class IL : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (deviceText(Device, CL_DEVICE_IL_VERSION).find("SPIR-V") ==
        std::string::npos)
      GTEST_SKIP() << "the device takes no SPIR-V";
  }
  Program create(const std::string &Name) {
    std::string Words = module(Name);
    cl_int Error = CL_SUCCESS;
    Program P(clCreateProgramWithIL(Ctx, Words.data(), Words.size(), &Error));
    must(Error, "clCreateProgramWithIL");
    return P;
  }
  void build(cl_program P, const char *Options = "") {
    if (cl_int Error = clBuildProgram(P, 0, nullptr, Options, nullptr, nullptr))
      throw std::runtime_error("clBuildProgram returned " +
                               std::to_string(Error) + ": " +
                               buildLog(P, Device));
  }
  cl_int compile(cl_program P) {
    return clCompileProgram(P, 0, nullptr, "", 0, nullptr, nullptr, nullptr,
                            nullptr);
  }
  void checkVectorAdd(cl_program P) {
    Kernel K = kernel(P, "vector_add");
    std::vector<cl_float> A(100), B(100), Want(100);
    for (int I = 0; I < 100; ++I) {
      A[I] = static_cast<cl_float>(I);
      B[I] = static_cast<cl_float>(2 * I + 1);
      Want[I] = (A[I] + B[I]) * 0.5f;
    }
    Mem DA = bufferOf(A), DB = bufferOf(B);
    Mem DC = buffer(100 * sizeof(cl_float));
    setArgs(K, DA, DB, DC, cl_float(0.5f));
    ASSERT_OK(launch(Q, K, {{100}}));
    EXPECT_EQ(Want, read<cl_float>(DC, 100));
  }
};

TEST_F(IL, BuiltAndLaunched) {
  Program P = create("vector_add");
  build(P);
  checkVectorAdd(P);
}

TEST_F(IL, ThroughTheExtension) {
  if (!deviceHas(Device, "cl_khr_il_program"))
    GTEST_SKIP() << "the device has no cl_khr_il_program";
  auto Create =
      extension<clCreateProgramWithILKHR_fn>("clCreateProgramWithILKHR");
  std::string Words = module("vector_add");
  cl_int Error = CL_SUCCESS;
  Program P(Create(Ctx, Words.data(), Words.size(), &Error));
  ASSERT_OK(Error);
  build(P);
  checkVectorAdd(P);
}

TEST_F(IL, BarriersAndLocalArguments) {
  Program P = create("vector_add");
  build(P, "-cl-opt-disable");
  Kernel K = kernel(P, "block_sums");
  std::vector<cl_int> In(256);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = static_cast<cl_int>(I);
  Mem Data = bufferOf(In), Out = bufferOf(std::vector<cl_int>(16, -1));
  for (size_t Local : {16u, 64u}) {
    ASSERT_OK(setArg(K, 0, Data));
    ASSERT_OK(setArg(K, 1, Out));
    ASSERT_OK(clSetKernelArg(K, 2, Local * sizeof(cl_int), nullptr));
    ASSERT_OK(launch(Q, K, {{256}, {Local}}));
    auto Got = read<cl_int>(Out, 256 / Local);
    for (size_t G = 0; G < Got.size(); ++G)
      ASSERT_EQ(
          static_cast<cl_int>(Local * (Local * G) + Local * (Local - 1) / 2),
          Got[G]);
  }
}

TEST_F(IL, ModulesCompiledAndLinked) {
  Program Main = create("main"), Library = create("library"),
          Second = create("second_library");
  ASSERT_OK(compile(Main));
  ASSERT_OK(compile(Library));
  ASSERT_OK(compile(Second));
  cl_program Parts[] = {Main, Library, Second};
  cl_int Error = CL_SUCCESS;
  Program P(
      clLinkProgram(Ctx, 0, nullptr, "", 3, Parts, nullptr, nullptr, &Error));
  ASSERT_OK(Error) << (P.get() ? buildLog(P, Device) : "");
  Main.reset();
  Library.reset();
  Second.reset();
  Kernel K = kernel(P, "call");
  Mem Out = bufferOf(std::vector<cl_int>(6, -1));
  setArgs(K, Out);
  ASSERT_OK(launch(Q, K, {{6}}));
  EXPECT_EQ((std::vector<cl_int>{1000, 2001, 3004, 4009, 1016, 2025}),
            read<cl_int>(Out, 6));
}

TEST_F(IL, ModuleIsWhatWasGiven) {
  Program P = create("vector_add");
  std::string Words = module("vector_add");
  size_t Size = 0;
  ASSERT_OK(clGetProgramInfo(P, CL_PROGRAM_IL, 0, nullptr, &Size));
  ASSERT_EQ(Words.size(), Size);
  std::string Got(Size, '\0');
  ASSERT_OK(clGetProgramInfo(P, CL_PROGRAM_IL, Size, Got.data(), nullptr));
  EXPECT_EQ(Words, Got);
}

/// Runs the kernel of constants.spvasm, which stores constant 7, and the sum
/// of constants 7 and 9.
class SpecializationConstants : public IL {
protected:
  std::vector<cl_uint> run(cl_program P) {
    build(P);
    Kernel K = kernel(P, "constants");
    Mem Out = bufferOf(std::vector<cl_uint>(2, 0));
    setArgs(K, Out);
    must(launch(Q, K, {{1}, {1}}), "clEnqueueNDRangeKernel");
    return read<cl_uint>(Out, 2);
  }
};

TEST_F(SpecializationConstants, HaveDefaults) {
  Program P = create("constants");
  EXPECT_EQ((std::vector<cl_uint>{42, 1042}), run(P));
}

TEST_F(SpecializationConstants, AreSetBeforeTheBuild) {
  Program P = create("constants");
  cl_uint Seven = 5, Nine = 70;
  cl_int Error =
      clSetProgramSpecializationConstant(P, 7, sizeof(Seven), &Seven);
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "clSetProgramSpecializationConstant returned " << Error;
  EXPECT_EQ((std::vector<cl_uint>{5, 1005}), run(P));
  // Another program of the same module; later values replace earlier ones.
  Program Other = create("constants");
  ASSERT_OK(clSetProgramSpecializationConstant(Other, 9, sizeof(Nine), &Nine));
  ASSERT_OK(
      clSetProgramSpecializationConstant(Other, 7, sizeof(Seven), &Seven));
  Seven = 6;
  ASSERT_OK(
      clSetProgramSpecializationConstant(Other, 7, sizeof(Seven), &Seven));
  EXPECT_EQ((std::vector<cl_uint>{6, 76}), run(Other));
}

// SYCL runtimes ask for it by name, as for any extension function.
TEST_F(SpecializationConstants, AreSetByAFunctionThatIsAskedForByName) {
  using SetConstant =
      cl_int(CL_API_CALL *)(cl_program, cl_uint, size_t, const void *);
  const char *Name = "clSetProgramSpecializationConstant";
  auto Set = reinterpret_cast<SetConstant>(
      clGetExtensionFunctionAddressForPlatform(thePlatform(), Name));
  if (!Set)
    GTEST_SKIP() << "the driver does not return core functions by name";
  Program P = create("constants");
  cl_uint Seven = 5;
  cl_int Error = Set(P, 7, sizeof(Seven), &Seven);
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << Name << " returned " << Error;
  EXPECT_EQ((std::vector<cl_uint>{5, 1005}), run(P));
}

} // namespace
