//===- test/layer/api/printf_test.cpp - what kernels print ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>

using namespace warpsan::test;

namespace {

/// Standard output goes to a file while this lives. The driver writes to the
/// descriptor or through stdio, in this thread or another.
class Captured {
public:
  Captured() {
    std::fflush(stdout);
    Saved = dup(STDOUT_FILENO);
    int File = mkstemp(Path);
    dup2(File, STDOUT_FILENO);
    close(File);
  }
  ~Captured() {
    text();
    unlink(Path);
  }
  /// Ends the capture.
  std::string text() {
    if (Saved >= 0) {
      std::fflush(stdout);
      dup2(Saved, STDOUT_FILENO);
      close(Saved);
      Saved = -1;
    }
    std::ifstream In(Path);
    std::ostringstream Out;
    Out << In.rdbuf();
    return Out.str();
  }

private:
  char Path[32] = "/tmp/warpsan-printf-XXXXXX";
  int Saved = -1;
};

class Printf : public OpenCL {};

TEST_F(Printf, FormatsAndValues) {
  Program P = build(R"(
    kernel void say(int i, float f) {
      printf("int %d hex %08x float %.3f string %s char %c percent %%\n",
             i, (uint)i, f, "text", 'q');
      printf("long %ld ulong %lu vector %v4hld\n", -5000000000L, 5000000000UL,
             (int4)(1, 2, 3, 4));
    })");
  Kernel K = kernel(P, "say");
  setArgs(K, cl_int(255), cl_float(1.5f));
  Captured Out;
  ASSERT_OK(launch(Q, K, {{1}, {1}}));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ("int 255 hex 000000ff float 1.500 string text char q percent %\n"
            "long -5000000000 ulong 5000000000 vector 1,2,3,4\n",
            Out.text());
}

TEST_F(Printf, OneLineFromEveryWorkItem) {
  Program P = build(R"(
    kernel void count(global int *x) {
      int i = get_global_id(0);
      printf("item %d has %d\n", i, x[i]);
    })");
  Kernel K = kernel(P, "count");
  std::vector<cl_int> Values(32);
  for (size_t I = 0; I < Values.size(); ++I)
    Values[I] = static_cast<cl_int>(I * I);
  Mem Data = bufferOf(Values);
  setArgs(K, Data);
  Captured Out;
  ASSERT_OK(launch(Q, K, {{32}, {4}}));
  ASSERT_OK(clFinish(Q));
  std::istringstream In(Out.text());
  std::vector<std::string> Got, Want;
  for (std::string Line; std::getline(In, Line);)
    Got.push_back(Line);
  for (size_t I = 0; I < Values.size(); ++I)
    Want.push_back("item " + std::to_string(I) + " has " +
                   std::to_string(I * I));
  std::sort(Got.begin(), Got.end());
  std::sort(Want.begin(), Want.end());
  EXPECT_EQ(Want, Got);
}

TEST_F(Printf, LaunchesPrintInTheirOrder) {
  Program P = build(R"(kernel void turn(int n) { printf("turn %d\n", n); })");
  Kernel K = kernel(P, "turn");
  Captured Out;
  std::string Want;
  for (cl_int N = 0; N < 5; ++N) {
    setArgs(K, N);
    ASSERT_OK(launch(Q, K, {{1}, {1}}));
    ASSERT_OK(clFinish(Q));
    Want += "turn " + std::to_string(N) + "\n";
  }
  EXPECT_EQ(Want, Out.text());
}

TEST_F(Printf, ThroughAFunctionAndBetweenBarriers) {
  Program P = build(R"(
    void tell(int n) { if (get_local_id(0) == 0) printf("stage %d\n", n); }
    kernel void stages(local int *t) {
      tell(1);
      t[get_local_id(0)] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      tell(2);
      barrier(CLK_LOCAL_MEM_FENCE);
      tell(3);
    })");
  Kernel K = kernel(P, "stages");
  ASSERT_OK(clSetKernelArg(K, 0, 8 * sizeof(cl_int), nullptr));
  Captured Out;
  ASSERT_OK(launch(Q, K, {{8}, {8}}));
  ASSERT_OK(clFinish(Q));
  EXPECT_EQ("stage 1\nstage 2\nstage 3\n", Out.text());
}

} // namespace
