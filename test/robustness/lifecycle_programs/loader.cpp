//===- test/robustness/lifecycle_programs/loader.cpp - the loader, loaded and
// unloaded ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lifecycle_loader ROUNDS   opens libOpenCL.so.1, uses it and closes it, so
// often.
//
//===----------------------------------------------------------------------===//
#include <dlfcn.h>

#define CL_CALLS(X)                                                            \
  X(clBuildProgram)                                                            \
  X(clCreateBuffer)                                                            \
  X(clCreateCommandQueueWithProperties)                                        \
  X(clCreateContext)                                                           \
  X(clCreateKernel)                                                            \
  X(clCreateProgramWithSource)                                                 \
  X(clCreateSubBuffer)                                                         \
  X(clEnqueueNDRangeKernel)                                                    \
  X(clFinish)                                                                  \
  X(clGetDeviceIDs)                                                            \
  X(clGetPlatformIDs)                                                          \
  X(clReleaseCommandQueue)                                                     \
  X(clReleaseContext)                                                          \
  X(clReleaseKernel)                                                           \
  X(clReleaseMemObject)                                                        \
  X(clReleaseProgram)                                                          \
  X(clSetKernelArg)

#include <CL/cl.h>

// Inside of lives, the calls' names are those of pointers that dlsym has found.
namespace lives {
#define DECLARE(Name) static decltype(&::Name) Name;
CL_CALLS(DECLARE)
#undef DECLARE
} // namespace lives

#include "test/robustness/lifecycle_programs/work.h"

int main(int Argc, char **Argv) {
  const unsigned Rounds =
      Argc > 1 ? static_cast<unsigned>(std::strtoul(Argv[1], nullptr, 10)) : 3;
  for (unsigned I = 0; I < Rounds; ++I) {
    void *Library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!Library)
      return 95;
#define FIND(Name)                                                             \
  lives::Name = reinterpret_cast<decltype(&::Name)>(dlsym(Library, #Name));
    CL_CALLS(FIND)
#undef FIND
    {
      lives::Work W;
      W.good();
      W.bad();
      W.finish();
      W.release();
    }
    lives::say("round " + std::to_string(I));
    dlclose(Library);
  }
  lives::due("bad", Rounds);
  return 16;
}
