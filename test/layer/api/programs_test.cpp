//===- test/layer/api/programs_test.cpp - from source to a program --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <stdexcept>

#include <unistd.h>

using namespace warpsan::test;
namespace fs = std::filesystem;

namespace {

class Programs : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    Out = bufferOf(std::vector<cl_int>(4, -1));
  }
  /// Launches kernel \p Name(global int *) with one work-item and compares
  /// what it stores first.
  void expectStored(cl_int Want, cl_program P, const char *Name) {
    Kernel K = kernel(P, Name);
    setArgs(K, Out);
    ASSERT_OK(launch(Q, K, {{1}, {1}}));
    EXPECT_EQ(Want, read<cl_int>(Out, 1)[0]);
  }
  cl_build_status buildStatus(cl_program P) {
    cl_build_status Status = 0;
    must(clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_STATUS,
                               sizeof(Status), &Status, nullptr),
         "clGetProgramBuildInfo");
    return Status;
  }
  cl_int compile(cl_program P, const char *Options = "",
                 const std::vector<cl_program> &Headers = {},
                 std::vector<const char *> Names = {}) {
    return clCompileProgram(
        P, 0, nullptr, Options, static_cast<cl_uint>(Headers.size()),
        Headers.empty() ? nullptr : Headers.data(),
        Headers.empty() ? nullptr : Names.data(), nullptr, nullptr);
  }
  Program link(const std::vector<cl_program> &Parts, const char *Options = "") {
    cl_int Error = CL_SUCCESS;
    Program P(clLinkProgram(Ctx, 0, nullptr, Options,
                            static_cast<cl_uint>(Parts.size()), Parts.data(),
                            nullptr, nullptr, &Error));
    if (Error != CL_SUCCESS)
      throw std::runtime_error("clLinkProgram returned " +
                               std::to_string(Error) + ": " +
                               (P.get() ? buildLog(P, Device) : ""));
    return P;
  }

  Mem Out;
};

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

TEST_F(Programs, SeveralStringsWithAndWithoutLengths) {
  // The second is not terminated where its text ends; a length of 0 means
  // that the string is terminated.
  const char *Strings[] = {"int twice(int x) ", "{ return 2 * x; } #error",
                           "\nkernel void k(global int *o) {",
                           " *o = twice(21); }"};
  size_t Lengths[] = {0, 17, 0, 18};
  cl_int Error = CL_SUCCESS;
  Program P(clCreateProgramWithSource(Ctx, 4, Strings, Lengths, &Error));
  ASSERT_OK(Error);
  ASSERT_OK(clBuildProgram(P, 0, nullptr, nullptr, nullptr, nullptr));
  expectStored(42, P, "k");
}

TEST_F(Programs, TokenSplitBetweenStrings) {
  const char *Strings[] = {"kernel void k(global int *o) { *o = 12", "34; }"};
  cl_int Error = CL_SUCCESS;
  Program P(clCreateProgramWithSource(Ctx, 2, Strings, nullptr, &Error));
  ASSERT_OK(Error);
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  expectStored(1234, P, "k");
}

TEST_F(Programs, Definitions) {
  Program P = build("kernel void k(global int *o) { *o = A + B + C; }",
                    "-DA=1 -D B=20 -DC");
  expectStored(22, P, "k");
}

TEST_F(Programs, DefinitionWithSpaces) {
  Program P = build("kernel void k(global int *o) { *o = SUM * 10; }",
                    "-D \"SUM=(1 + 2)\" -w");
  expectStored(30, P, "k");
}

TEST_F(Programs, DefinitionOfAString) {
  // Drivers differ in which way of quoting they take.
  if (platformName() == "rusticl")
    GTEST_SKIP() << "rusticl crashes on quotes within build options";
  const char *Text = R"(
    constant char text[] = TEXT;
    kernel void k(global int *o) { *o = sizeof(text) * 1000 + text[4]; })";
  int Taken = 0;
  for (const char *Options : {R"(-DTEXT=\"abcde\")", R"(-D TEXT='"abcde"')",
                              R"("-DTEXT=\"abcde\"")"}) {
    Program P = source(Text);
    if (clBuildProgram(P, 0, nullptr, Options, nullptr, nullptr) != CL_SUCCESS)
      continue;
    ++Taken;
    expectStored(6000 + 'e', P, "k");
  }
  std::printf("string definitions taken in %d of 3 forms\n", Taken);
}

TEST_F(Programs, OptionsThatChangeTheCode) {
  const char *Text = R"(kernel void k(global int *o) {
    int v = 0;
  #ifdef __FAST_RELAXED_MATH__
    v += 1;
  #endif
  #ifdef KEEP
    v += 2;
  #endif
    *o = v + __OPENCL_C_VERSION__;
  })";
  Program Plain = build(Text, "-cl-std=CL1.2");
  expectStored(120, Plain, "k");
  Program Fast = build(Text, "-cl-std=CL1.2 -cl-fast-relaxed-math -w -DKEEP");
  expectStored(123, Fast, "k");
}

/// PoCL adds the options of a variable of the environment to a program's own:
/// twins are of the same program. The other drivers do not know it.
TEST_F(Programs, OptionsThatTheDriverAdds) {
  struct Variable {
    Variable() { setenv("POCL_EXTRA_BUILD_FLAGS", "-DADDED=40", 1); }
    ~Variable() { unsetenv("POCL_EXTRA_BUILD_FLAGS"); }
  } const Added;
  const std::string Text =
      "#ifndef ADDED\n#define ADDED 1\n#endif\n"
      "kernel void proven(global int *o) { o[0] = ADDED + OWN; }\n"
      // What it writes to is known to no proof.
      "kernel void checked(global int *o) { o[o[3]] = ADDED + OWN; }\n";
  const Program Built = build(Text, "-DOWN=2");
  const Program Unit = source(Text);
  ASSERT_OK(compile(Unit, "-DOWN=2"));
  const Program Linked = link({Unit});
  for (cl_program P : {cl_program(Built), cl_program(Linked)}) {
    const Kernel Proven = kernel(P, "proven"), Checked = kernel(P, "checked");
    const Mem Of = bufferOf(std::vector<cl_int>{0, 0, 0, 2});
    setArgs(Proven, Of);
    ASSERT_OK(launch(Q, Proven, {{1}}));
    setArgs(Checked, Of);
    ASSERT_OK(launch(Q, Checked, {{1}}));
    const std::vector<cl_int> Stored = read<cl_int>(Of, 4);
    EXPECT_GT(Stored[0], 2);
    EXPECT_EQ(Stored[0], Stored[2]);
  }
}

TEST_F(Programs, IncludeFolder) {
  fs::path Folder = fs::temp_directory_path() /
                    ("warpsan-include-" + std::to_string(getpid()));
  fs::create_directories(Folder / "deep");
  for (int Value : {5, 6}) {
    // The second round has the same source and options and another header.
    std::ofstream(Folder / "value.h")
        << "#include \"deep/more.h\"\n#define VALUE (MORE + " << Value << ")\n";
    std::ofstream(Folder / "deep" / "more.h") << "#define MORE 100\n";
    // A driver that keeps builds by source and options alone would not see
    // the change: a definition tells the rounds apart for it.
    std::string Options = "-I " + Folder.string() + " -I" +
                          (Folder / "deep").string() + " -DROUND" +
                          std::to_string(Value);
    Program P = build("#include \"value.h\"\n"
                      "kernel void k(global int *o) { *o = VALUE; }",
                      Options.c_str());
    expectStored(100 + Value, P, "k");
  }
  fs::remove_all(Folder);
}

TEST_F(Programs, IncludeFromTheWorkingDirectory) {
  fs::path Before = fs::current_path();
  fs::path Folder =
      fs::temp_directory_path() / ("warpsan-here-" + std::to_string(getpid()));
  fs::create_directories(Folder / "inc");
  std::ofstream(Folder / "inc" / "here.h") << "#define HERE 31\n";
  fs::current_path(Folder);
  Program P = source("#include <here.h>\n"
                     "kernel void k(global int *o) { *o = HERE; }");
  cl_int Error = clBuildProgram(P, 0, nullptr, "-I inc", nullptr, nullptr);
  fs::current_path(Before);
  fs::remove_all(Folder);
  ASSERT_OK(Error);
  // The folder is gone by now: whoever compiles at launch comes too late.
  expectStored(31, P, "k");
}

//===----------------------------------------------------------------------===//
// Failing builds
//===----------------------------------------------------------------------===//

TEST_F(Programs, FailingBuildsSayWhy) {
  Program P = source("kernel void k(global int *o) { *o = undeclared_thing; }");
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE,
            clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_ERROR, buildStatus(P));
  EXPECT_NE(std::string::npos, buildLog(P, Device).find("undeclared_thing"));
  cl_int Error = CL_SUCCESS;
  EXPECT_EQ(nullptr, clCreateKernel(P, "k", &Error));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, Error);
}

TEST_F(Programs, BuildSucceedsAfterAFailure) {
  Program P = source("kernel void k(global int *o) { *o = VALUE; }");
  EXPECT_EQ(CL_BUILD_PROGRAM_FAILURE,
            clBuildProgram(P, 0, nullptr, "", nullptr, nullptr));
  cl_int Error = clBuildProgram(P, 0, nullptr, "-DVALUE=9", nullptr, nullptr);
  if (Error == CL_BUILD_PROGRAM_FAILURE)
    GTEST_SKIP() << "the driver does not build a program again that failed";
  ASSERT_OK(Error);
  expectStored(9, P, "k");
}

// A program that has kernels is not built again: it is what it was, and so are
// kernels that are created then.
TEST_F(Programs, RefusedBuildChangesNothing) {
  Program P = source("kernel void a(global int *o) { *o = VALUE; }\n"
                     "kernel void b(global int *o) { *o = VALUE + 1; }");
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "-DVALUE=5", nullptr, nullptr));
  Kernel A = kernel(P, "a");
  if (clBuildProgram(P, 0, nullptr, "-DVALUE=7", nullptr, nullptr) ==
      CL_SUCCESS)
    GTEST_SKIP() << "the driver builds programs that have kernels";
  expectStored(6, P, "b");
  EXPECT_EQ(CL_INVALID_OPERATION, compile(P, "-DVALUE=9"));
  expectStored(6, P, "b");
  expectStored(5, P, "a");
}

TEST_F(Programs, FailingCompile) {
  Program P = source("void f(void) { this is no C; }");
  EXPECT_EQ(CL_COMPILE_PROGRAM_FAILURE, compile(P));
  EXPECT_EQ(CL_BUILD_ERROR, buildStatus(P));
  EXPECT_FALSE(buildLog(P, Device).empty());
}

//===----------------------------------------------------------------------===//
// Compile and link
//
// Unsigned arithmetic throughout: signed arithmetic makes rusticl emit another
// version of SPIR-V, and it refuses to link units of different versions.
//===----------------------------------------------------------------------===//

TEST_F(Programs, CompileWithHeadersAndLink) {
  Program Outer =
      source("#include \"sub/inner.h\"\n#define OUTER (INNER * 2u)\n");
  Program Inner = source("#define INNER 50\nuint callee(uint x);\n");
  Program Main = source("#include \"outer.h\"\n"
                        "kernel void k(global int *o) { *o = callee(OUTER); }");
  Program Callee = source("uint callee(uint x) { return x + ADD; }");
  ASSERT_OK(compile(Main, "", {Outer, Inner}, {"outer.h", "sub/inner.h"}));
  ASSERT_OK(compile(Callee, "-DADD=7"));
  Program P = link({Main, Callee});
  expectStored(107, P, "k");
}

TEST_F(Programs, SeveralKernelsInSeveralUnits) {
  Program A = source("uint shared_part(uint x) { return x * 3; }\n"
                     "kernel void a(global int *o) { *o = shared_part(1); }");
  Program B = source("uint shared_part(uint x);\n"
                     "kernel void b(global int *o) { *o = shared_part(10); }");
  ASSERT_OK(compile(A));
  ASSERT_OK(compile(B));
  Program P = link({A, B});
  A.reset();
  B.reset();
  expectStored(3, P, "a");
  expectStored(30, P, "b");
}

TEST_F(Programs, LinkWithALibrary) {
  Program Lib = source("uint from_library(uint x) { return x - 1; }");
  Program Main =
      source("uint from_library(uint x);\n"
             "kernel void k(global int *o) { *o = from_library(8); }");
  ASSERT_OK(compile(Lib));
  ASSERT_OK(compile(Main));
  Program Archive = link({Lib}, "-create-library");
  Program P = link({Main, Archive});
  expectStored(7, P, "k");
}

TEST_F(Programs, OneUnitInTwoPrograms) {
  Program Shared = source("uint number(void) { return 5; }");
  Program Plus = source("uint number(void);\n"
                        "kernel void k(global int *o) { *o = number() + 1; }");
  Program Times =
      source("uint number(void);\n"
             "kernel void k(global int *o) { *o = number() * 10; }");
  ASSERT_OK(compile(Shared));
  ASSERT_OK(compile(Plus));
  ASSERT_OK(compile(Times));
  Program First = link({Plus, Shared}), Second = link({Times, Shared});
  expectStored(6, First, "k");
  expectStored(50, Second, "k");
}

TEST_F(Programs, RecompiledUnitDoesNotChangeWhatWasLinked) {
  Program Unit = source("kernel void k(global int *o) { *o = VALUE; }");
  ASSERT_OK(compile(Unit, "-DVALUE=1"));
  Program First = link({Unit});
  ASSERT_OK(compile(Unit, "-DVALUE=2"));
  Program Second = link({Unit});
  expectStored(1, First, "k");
  expectStored(2, Second, "k");
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

struct Called {
  std::promise<cl_program> With;
  std::atomic<int> Times = 0;
};

void CL_CALLBACK note(cl_program P, void *User) {
  auto *C = static_cast<Called *>(User);
  if (++C->Times == 1)
    C->With.set_value(P);
}

/// Waits for a callback and returns what it was given.
cl_program waitFor(Called &C) {
  auto Future = C.With.get_future();
  if (Future.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
    throw std::runtime_error("the callback did not run within 60 s");
  return Future.get();
}

TEST_F(Programs, BuildCallback) {
  Called C;
  Program P = source("kernel void k(global int *o) { *o = 3; }");
  ASSERT_OK(clBuildProgram(P, 0, nullptr, "", note, &C));
  EXPECT_EQ(P.get(), waitFor(C));
  EXPECT_EQ(1, C.Times);
  EXPECT_EQ(CL_BUILD_SUCCESS, buildStatus(P));
  expectStored(3, P, "k");
}

TEST_F(Programs, BuildCallbackOfAFailingBuild) {
  Called C;
  Program P = source("kernel void k(global int *o) { no such thing }");
  // A driver may report at once or only by the callback.
  cl_int Error = clBuildProgram(P, 0, nullptr, "", note, &C);
  EXPECT_TRUE(Error == CL_SUCCESS || Error == CL_BUILD_PROGRAM_FAILURE)
      << Error;
  EXPECT_EQ(P.get(), waitFor(C));
  EXPECT_EQ(CL_BUILD_ERROR, buildStatus(P));
  EXPECT_EQ(1, C.Times);
}

TEST_F(Programs, CompileAndLinkCallbacks) {
  Called Compiled, Linked;
  Program Unit = source("kernel void k(global int *o) { *o = 4; }");
  ASSERT_OK(clCompileProgram(Unit, 0, nullptr, "", 0, nullptr, nullptr, note,
                             &Compiled));
  EXPECT_EQ(Unit.get(), waitFor(Compiled));
  cl_int Error = CL_SUCCESS;
  cl_program Parts[] = {Unit};
  Program P(
      clLinkProgram(Ctx, 0, nullptr, "", 1, Parts, note, &Linked, &Error));
  ASSERT_OK(Error);
  EXPECT_EQ(P.get(), waitFor(Linked));
  expectStored(4, P, "k");
}

TEST_F(Programs, UnloadedCompilerComesBack) {
  Program Before = build("kernel void k(global int *o) { *o = 1; }");
  clUnloadPlatformCompiler(thePlatform());
  expectStored(1, Before, "k");
  Program After = build("kernel void k(global int *o) { *o = 2; }");
  expectStored(2, After, "k");
}

TEST_F(Programs, BuiltInKernelsAreLeftAlone) {
  std::string Names = deviceText(Device, CL_DEVICE_BUILT_IN_KERNELS);
  if (Names.empty())
    GTEST_SKIP() << "the device has no built-in kernels";
  std::string First = Names.substr(0, Names.find(';'));
  cl_int Error = CL_SUCCESS;
  Program P(clCreateProgramWithBuiltInKernels(Ctx, 1, &Device, First.c_str(),
                                              &Error));
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "clCreateProgramWithBuiltInKernels returned " << Error;
  Error = clBuildProgram(P, 0, nullptr, "", nullptr, nullptr);
  if (Error != CL_SUCCESS)
    GTEST_SKIP() << "clBuildProgram of " << First << " returned " << Error;
  Kernel K = kernel(P, First.c_str());
  cl_uint Args = 0;
  ASSERT_OK(
      clGetKernelInfo(K, CL_KERNEL_NUM_ARGS, sizeof(Args), &Args, nullptr));
  EXPECT_GT(Args, 0u);
}

} // namespace
