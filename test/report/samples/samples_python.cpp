//===- test/report/samples/samples_python.cpp - errors in Python programs -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

using namespace warpsan;
using namespace warpsan::samples;

static HostFrame python(const char *Function, std::string File, uint32_t Line) {
  return {Function, std::move(File), Line, "", 0, true};
}

/// What tinygrad has between a line of the user's and the driver, in a test
/// that pytest runs: functions of C and of packages, and among them the user's.
static Case kernelOfPackage() {
  Case C;
  const std::string Packages = "/home/me/.venv/lib/python3.13/site-packages/";
  C.memory().Created = {{"", "", 0, "/usr/lib/libffi.so.8", 0x7F6E},
                        python("make", "/home/me/model.py", 12),
                        python("<module>", "/home/me/train.py", 3)};
  C.Launch.Launched = {
      {"ffi_call", "", 0, "/usr/lib/libffi.so.8", 0x7F6E},
      {"", "", 0, "/usr/lib/python3.13/lib-dynload/_ctypes.so", 0x11},
      python("DLL.bind.<locals>.wrapper", Packages + "tinygrad/c.py", 134),
      python("CLProgram.__call__", Packages + "tinygrad/ops_cl.py", 68),
      python("run", Packages + "tinygrad/realize.py", 88),
      python("Tensor.item", Packages + "tinygrad/tensor.py", 501),
      python("loss", "/home/me/model.py", 40),
      python("test_loss", "/home/me/test_model.py", 9),
      python("pytest_pyfunc_call", Packages + "_pytest/python.py", 159),
      python("_multicall", Packages + "pluggy/_callers.py", 121),
      python("_hookexec", Packages + "pluggy/_manager.py", 120),
      python("<module>", "<frozen runpy>", 88)};
  return C;
}

void warpsan::samples::addPython(std::vector<Sample> &Samples) {
  Samples.push_back({"python_packages", kernelOfPackage()});
  Case Whole = kernelOfPackage();
  Whole.Style.Addresses = true;
  Samples.push_back({"python_everything", Whole});
}
