//===- test/zoo/host/zoo_session.h - what the launches of one run share ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is made in one of three ways. `source` and `il`: one text or
// module, one clBuildProgram. `linked`: as chipStar does for CUDA and HIP. One
// clCreateProgramWithIL and one clCompileProgram for each module, one
// clLinkProgram; all kernels are made at once to read their names and counts of
// arguments, and released; a kernel is made when it is launched, so that
// handles come again.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ZOO_HOST_ZOO_SESSION_H
#define WARPSAN_TEST_ZOO_HOST_ZOO_SESSION_H

#include <CL/cl.h>

#include <map>
#include <string>

namespace zoo {

std::string contents(const std::string &Path);

class Session {
public:
  cl_device_id Device = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;

  void open();
  void printDevice() const;
  /// \p Paths: of the files, with commas between them.
  void build(const std::string &Form, const std::string &Paths,
             const std::string &Options);
  /// The caller's. Where the program is linked, a C++ function is found by its
  /// plain name.
  cl_kernel kernel(const std::string &Name) const;
  bool isLinked() const { return Linked; }
  void close();

private:
  void link(const std::string &Paths, const std::string &Options);
  void readKernels();

  cl_program Program = nullptr;
  bool Linked = false;
  std::map<std::string, cl_uint> Kernels; ///< linked: counts of arguments
};

} // namespace zoo

#endif // WARPSAN_TEST_ZOO_HOST_ZOO_SESSION_H
