//===- test/layer/api/headers_test.cpp - headers that change on disk ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is made of the headers that were there when it was built or
// compiled, whatever becomes of them afterwards.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

using namespace warpsan::test;
namespace fs = std::filesystem;

namespace {

class Headers : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    // The name is in the source: other tests and runs must not have built it.
    Name = std::string("h") + std::to_string(getpid()) + "_" +
           testing::UnitTest::GetInstance()->current_test_info()->name() + ".h";
    Folder = fs::temp_directory_path() / ("warpsan-" + Name);
    fs::create_directories(Folder / "first");
    fs::create_directories(Folder / "second");
    Options = "-I" + (Folder / "first").string() + " -I" +
              (Folder / "second").string();
    At = bufferOf(std::vector<cl_int>{2});
  }
  void TearDown() override { fs::remove_all(Folder); }

  void put(const char *Where, int Value) const {
    std::ofstream(Folder / Where / Name) << "#define VALUE " << Value << "\n";
  }
  std::string text() const {
    return "#include \"" + Name +
           "\"\n"
           "kernel void fixed(global uint *o) { o[get_global_id(0)] = VALUE; "
           "}\n"
           // What it writes to is known to no proof.
           "kernel void at(global uint *o, global const uint *at) {\n"
           "  o[0] = VALUE; o[at[0]] = VALUE; }\n";
  }
  Program build() const { return OpenCL::build(text(), Options.c_str()); }

  void expectStored(cl_uint Want, cl_program P) const {
    const Mem Out = bufferOf(std::vector<cl_uint>(4, 0));
    const Kernel Fixed = kernel(P, "fixed"), AtKernel = kernel(P, "at");
    setArgs(Fixed, Out);
    ASSERT_OK(launch(Q, Fixed, {{4}}));
    EXPECT_EQ(std::vector<cl_uint>(4, Want), read<cl_uint>(Out, 4));
    const Mem Other = bufferOf(std::vector<cl_uint>(4, 0));
    setArgs(AtKernel, Other, At);
    ASSERT_OK(launch(Q, AtKernel, {{1}}));
    EXPECT_EQ((std::vector<cl_uint>{Want, 0, Want, 0}),
              read<cl_uint>(Other, 4));
  }

  std::string Name, Options;
  fs::path Folder;
  Mem At;
};

TEST_F(Headers, ChangeBetweenBuildsOfTheSameSource) {
  put("second", 1);
  const Program First = build();
  expectStored(1, First);
  put("second", 2);
  const Program Second = build();
  expectStored(2, Second);
  expectStored(1, First);
}

TEST_F(Headers, AreShadowedByOnesThatAreCreatedLater) {
  put("second", 1);
  {
    const Program First = build();
    expectStored(1, First);
  }
  put("first", 2);
  Program Second = build();
  expectStored(2, Second);
  fs::remove(Folder / "first" / Name);
  const Program Third = build();
  expectStored(1, Third);
  expectStored(2, Second);
}

TEST_F(Headers, FolderIsCreatedLater) {
  fs::remove(Folder / "first");
  put("second", 1);
  const Program First = build();
  expectStored(1, First);
  fs::create_directories(Folder / "first");
  put("first", 2);
  const Program Second = build();
  expectStored(2, Second);
}

TEST_F(Headers, ChangeAfterTheBuild) {
  put("second", 1);
  const Program P = build();
  put("second", 2);
  expectStored(1, P);
}

TEST_F(Headers, AreLookedForWithoutBeingRead) {
  put("second", 1);
  const std::string Text = "#if __has_include(\"" + Name +
                           "\")\n#define VALUE 3\n#else\n#define VALUE 4\n"
                           "#endif\n" +
                           text().substr(text().find('\n') + 1);
  const Program P = OpenCL::build(Text, Options.c_str());
  fs::remove(Folder / "second" / Name);
  expectStored(3, P);
  const Program Without = OpenCL::build(Text, Options.c_str());
  expectStored(4, Without);
}

TEST_F(Headers, ChangeBetweenCompilingAndLinking) {
  put("second", 1);
  const Program Unit = source(text());
  ASSERT_OK(clCompileProgram(Unit, 0, nullptr, Options.c_str(), 0, nullptr,
                             nullptr, nullptr, nullptr));
  put("second", 2);
  const Program Other =
      source("#include \"" + Name +
             "\"\nkernel void other(global uint *o) { *o = VALUE; }\n");
  ASSERT_OK(clCompileProgram(Other, 0, nullptr, Options.c_str(), 0, nullptr,
                             nullptr, nullptr, nullptr));
  put("second", 3);
  const std::vector<cl_program> Parts = {Unit, Other};
  cl_int Error = CL_SUCCESS;
  const Program P(clLinkProgram(Ctx, 0, nullptr, "", 2, Parts.data(), nullptr,
                                nullptr, &Error));
  ASSERT_OK(Error);
  expectStored(1, P);
  const Mem Out = bufferOf(std::vector<cl_uint>(1, 0));
  const Kernel K = kernel(P, "other");
  setArgs(K, Out);
  ASSERT_OK(launch(Q, K, {{1}}));
  EXPECT_EQ(2U, read<cl_uint>(Out, 1)[0]);
}

TEST_F(Headers, ChangeBeforeTheBinaryIsBuilt) {
  put("second", 1);
  std::vector<unsigned char> Binary;
  {
    const Program P = build();
    size_t Size = 0;
    ASSERT_OK(clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, sizeof(Size), &Size,
                               nullptr));
    Binary.resize(Size);
    unsigned char *Place = Binary.data();
    ASSERT_OK(clGetProgramInfo(P, CL_PROGRAM_BINARIES, sizeof(Place), &Place,
                               nullptr));
  }
  put("second", 2);
  const size_t Size = Binary.size();
  const unsigned char *Data = Binary.data();
  cl_int Status = CL_SUCCESS, Error = CL_SUCCESS;
  const Program Again(clCreateProgramWithBinary(Ctx, 1, &Device, &Size, &Data,
                                                &Status, &Error));
  ASSERT_OK(Error);
  ASSERT_OK(clBuildProgram(Again, 0, nullptr, "", nullptr, nullptr));
  expectStored(1, Again);
}

} // namespace
