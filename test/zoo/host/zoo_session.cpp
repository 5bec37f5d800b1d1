//===- test/zoo/host/zoo_session.cpp - what the launches of one run share -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "zoo_session.h"

#include "zoo_heap.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

using namespace zoo;

std::string zoo::contents(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  if (!In)
    throw std::runtime_error("cannot read " + Path);
  return {std::istreambuf_iterator<char>(In), {}};
}

namespace {

std::string deviceText(cl_device_id Device, cl_device_info What) {
  size_t Size = 0;
  must(clGetDeviceInfo(Device, What, 0, nullptr, &Size), "clGetDeviceInfo");
  std::string Text(Size, '\0');
  must(clGetDeviceInfo(Device, What, Size, Text.data(), nullptr),
       "clGetDeviceInfo");
  return Text.c_str();
}

void mustBuild(cl_int Error, const char *Call, cl_program Program,
               cl_device_id Device) {
  if (Error == CL_SUCCESS)
    return;
  size_t Size = 0;
  clGetProgramBuildInfo(Program, Device, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                        &Size);
  std::string Log(Size, '\0');
  clGetProgramBuildInfo(Program, Device, CL_PROGRAM_BUILD_LOG, Size, Log.data(),
                        nullptr);
  throw std::runtime_error(std::string(Call) + " returned " +
                           std::to_string(Error) + ": " + Log.c_str());
}

cl_program fromIL(cl_context Context, const std::string &Path) {
  const std::string Words = contents(Path);
  cl_int Error = CL_SUCCESS;
  cl_program Program =
      clCreateProgramWithIL(Context, Words.data(), Words.size(), &Error);
  must(Error, "clCreateProgramWithIL");
  return Program;
}

} // namespace

void Session::open() {
  cl_platform_id Platform = nullptr;
  must(clGetPlatformIDs(1, &Platform, nullptr), "clGetPlatformIDs");
  must(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
       "clGetDeviceIDs");
}

void Session::printDevice() const {
  std::printf("%s\n", deviceText(Device, CL_DEVICE_EXTENSIONS).c_str());
  size_t Size = 0;
  must(clGetDeviceInfo(Device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &Size),
       "clGetDeviceInfo");
  std::vector<cl_name_version> Features(Size / sizeof(cl_name_version));
  must(clGetDeviceInfo(Device, CL_DEVICE_OPENCL_C_FEATURES, Size,
                       Features.data(), nullptr),
       "clGetDeviceInfo");
  for (const cl_name_version &Feature : Features)
    std::printf("%s\n", Feature.name);
  cl_device_svm_capabilities SVM = 0;
  must(clGetDeviceInfo(Device, CL_DEVICE_SVM_CAPABILITIES, sizeof(SVM), &SVM,
                       nullptr),
       "clGetDeviceInfo");
  if (SVM & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
    std::printf("CL_DEVICE_SVM_FINE_GRAIN_BUFFER\n");
  if (SVM & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)
    std::printf("CL_DEVICE_SVM_FINE_GRAIN_SYSTEM\n");
  cl_bool NonUniform = CL_FALSE;
  must(clGetDeviceInfo(Device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
                       sizeof(NonUniform), &NonUniform, nullptr),
       "clGetDeviceInfo");
  if (NonUniform)
    std::printf("CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT\n");
}

void Session::build(const std::string &Form, const std::string &Paths,
                    const std::string &Options) {
  cl_int Error = CL_SUCCESS;
  Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
  must(Error, "clCreateContext");
  Queue = clCreateCommandQueueWithProperties(Context, Device, nullptr, &Error);
  must(Error, "clCreateCommandQueueWithProperties");
  Linked = Form == "linked";
  if (Linked) {
    link(Paths, Options);
    readKernels();
    return;
  }
  if (Form == "il") {
    Program = fromIL(Context, Paths);
  } else {
    const std::string Text = contents(Paths);
    const char *Start = Text.data();
    const size_t Length = Text.size();
    Program = clCreateProgramWithSource(Context, 1, &Start, &Length, &Error);
    must(Error, "clCreateProgramWithSource");
  }
  mustBuild(
      clBuildProgram(Program, 1, &Device, Options.c_str(), nullptr, nullptr),
      "clBuildProgram", Program, Device);
}

void Session::link(const std::string &Paths, const std::string &Options) {
  std::istringstream In(Paths);
  std::string Path;
  std::vector<cl_program> Parts;
  while (std::getline(In, Path, ',')) {
    Parts.push_back(fromIL(Context, Path));
    mustBuild(clCompileProgram(Parts.back(), 1, &Device, Options.c_str(), 0,
                               nullptr, nullptr, nullptr, nullptr),
              "clCompileProgram", Parts.back(), Device);
  }
  cl_int Error = CL_SUCCESS;
  Program = clLinkProgram(Context, 1, &Device, nullptr,
                          static_cast<cl_uint>(Parts.size()), Parts.data(),
                          nullptr, nullptr, &Error);
  mustBuild(Error, "clLinkProgram", Program, Device);
  for (cl_program Part : Parts)
    clReleaseProgram(Part);
}

void Session::readKernels() {
  cl_uint Count = 0;
  must(clCreateKernelsInProgram(Program, 0, nullptr, &Count),
       "clCreateKernelsInProgram");
  std::vector<cl_kernel> All(Count);
  must(clCreateKernelsInProgram(Program, Count, All.data(), nullptr),
       "clCreateKernelsInProgram");
  for (cl_kernel Each : All) {
    size_t Size = 0;
    must(clGetKernelInfo(Each, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &Size),
         "clGetKernelInfo");
    std::string Name(Size, '\0');
    must(clGetKernelInfo(Each, CL_KERNEL_FUNCTION_NAME, Size, Name.data(),
                         nullptr),
         "clGetKernelInfo");
    must(clGetKernelInfo(Each, CL_KERNEL_NUM_ARGS, sizeof(cl_uint),
                         &Kernels[Name.c_str()], nullptr),
         "clGetKernelInfo");
    clReleaseKernel(Each);
  }
}

cl_kernel Session::kernel(const std::string &Name) const {
  std::string Found = Name;
  const std::string Mangled = "_Z" + std::to_string(Name.size()) + Name;
  for (const auto &[Each, Count] : Kernels)
    if (Each.starts_with(Mangled))
      Found = Each;
  cl_int Error = CL_SUCCESS;
  cl_kernel Kernel = clCreateKernel(Program, Found.c_str(), &Error);
  must(Error, "clCreateKernel");
  if (!Linked)
    return Kernel;
  cl_uint Arguments = 0;
  must(clGetKernelInfo(Kernel, CL_KERNEL_NUM_ARGS, sizeof(Arguments),
                       &Arguments, nullptr),
       "clGetKernelInfo");
  if (Arguments != Kernels.at(Found))
    throw std::runtime_error("a kernel's count of arguments changed");
  return Kernel;
}

void Session::close() {
  clReleaseProgram(Program);
  clReleaseCommandQueue(Queue);
  clReleaseContext(Context);
}
