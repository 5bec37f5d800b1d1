//===- test/unit/environment_test.cpp - OPENCL_LAYERS and the run folder --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/process/environment.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace warpsan;

TEST(Layers, OursIsNextToTheProgram) {
  EXPECT_EQ(layersVariable("", "/w/l.so"), "/w/l.so");
  EXPECT_EQ(layersVariable("/a.so:/b.so", "/w/l.so"), "/a.so:/b.so:/w/l.so");
  EXPECT_EQ(layersVariable(":/a.so:", "/w/l.so"), "/a.so:/w/l.so");
}

TEST(Layers, OursIsNotThereTwice) {
  EXPECT_EQ(layersVariable("/w/l.so:/a.so", "/w/l.so"), "/a.so:/w/l.so");
  // Another spelling of the same file.
  EXPECT_EQ(layersVariable("/proc/self/../self/exe", "/proc/self/exe"),
            "/proc/self/exe");
}

TEST(RunDirectory, IsPrivateAndGoesAway) {
  std::string Path;
  {
    RunDirectory Folder;
    ASSERT_EQ(Folder.problem(), "");
    Path = Folder.path();
    struct stat Info;
    ASSERT_EQ(stat(Path.c_str(), &Info), 0);
    EXPECT_EQ(Info.st_mode & 07777, 0700U);
  }
  EXPECT_FALSE(std::filesystem::exists(Path));
}

TEST(RunDirectory, SaysWhyItCannotBeMade) {
  setenv("TMPDIR", "/nowhere/at/all", 1);
  RunDirectory Folder;
  unsetenv("TMPDIR");
  EXPECT_NE(Folder.problem(), "");
}
