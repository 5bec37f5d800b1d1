//===- test/layer/fixture.cpp - a small OpenCL program to start from ------===//
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
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace warpsan::test {

namespace {

std::atomic<unsigned> Launches;
std::atomic<bool> Counted = true;

/// Looks for a whole word: extension names are prefixes of each other.
bool hasWord(const std::string &Text, const std::string &Word) {
  std::istringstream In(Text);
  for (std::string Each; In >> Each;)
    if (Each == Word)
      return true;
  return false;
}

/// Whether another thread of this process runs, or would if it could.
bool othersRun() {
  const std::string Self = std::to_string(gettid());
  for (const auto &Task :
       std::filesystem::directory_iterator("/proc/self/task")) {
    if (Task.path().filename() == Self)
      continue;
    // "1234 (name) S ...", with anything in the name.
    std::string Line;
    std::getline(std::ifstream(Task.path() / "stat"), Line);
    const size_t End = Line.rfind(')');
    if (End != std::string::npos && Line.compare(End, 3, ") S") != 0)
      return true;
  }
  return false;
}

} // namespace

void waitUntilQuiet() {
  using namespace std::chrono_literals;
  // Between two steps a thread may sleep for a moment: not the first look
  // counts but some in a row.
  const auto Limit = std::chrono::steady_clock::now() + 10s;
  unsigned Quiet = 0;
  while (Quiet < 10 && std::chrono::steady_clock::now() < Limit) {
    std::this_thread::sleep_for(5ms);
    Quiet = othersRun() ? 0 : Quiet + 1;
  }
}

void must(cl_int Error, const char *Call) {
  if (Error != CL_SUCCESS)
    throw std::runtime_error(std::string(Call) + " returned " +
                             std::to_string(Error));
}

cl_int launch(cl_command_queue Q, cl_kernel K, const Range &R,
              const std::vector<cl_event> &Wait, cl_event *Done) {
  cl_int Error = clEnqueueNDRangeKernel(
      Q, K, static_cast<cl_uint>(R.Global.size()),
      R.Offset.empty() ? nullptr : R.Offset.data(), R.Global.data(),
      R.Local.empty() ? nullptr : R.Local.data(),
      static_cast<cl_uint>(Wait.size()), Wait.empty() ? nullptr : Wait.data(),
      Done);
  if (Error == CL_SUCCESS)
    ++Launches;
  return Error;
}

void countLaunches(unsigned Count) { Launches += Count; }

void leaveLaunchesUncounted() { Counted = false; }

void expectNative(unsigned Count, const std::string &KernelName,
                  const std::string &Why) {
  std::printf("warpsan-test: native %u %s (%s)\n", Count, KernelName.c_str(),
              Why.c_str());
}

cl_platform_id thePlatform() {
  static cl_platform_id Platform = [] {
    cl_platform_id First = nullptr;
    must(clGetPlatformIDs(1, &First, nullptr), "clGetPlatformIDs");
    return First;
  }();
  return Platform;
}

cl_device_id theDevice() {
  static cl_device_id Device = [] {
    cl_device_id First = nullptr;
    must(clGetDeviceIDs(thePlatform(), CL_DEVICE_TYPE_ALL, 1, &First, nullptr),
         "clGetDeviceIDs");
    return First;
  }();
  return Device;
}

std::string platformName() {
  char Name[256] = {};
  must(clGetPlatformInfo(thePlatform(), CL_PLATFORM_NAME, sizeof(Name) - 1,
                         Name, nullptr),
       "clGetPlatformInfo");
  return Name;
}

std::string deviceText(cl_device_id Device, cl_device_info What) {
  size_t Size = 0;
  must(clGetDeviceInfo(Device, What, 0, nullptr, &Size), "clGetDeviceInfo");
  std::string Text(Size, '\0');
  must(clGetDeviceInfo(Device, What, Size, Text.data(), nullptr),
       "clGetDeviceInfo");
  while (!Text.empty() && Text.back() == '\0')
    Text.pop_back();
  return Text;
}

bool deviceHas(cl_device_id Device, const std::string &Extension) {
  return hasWord(deviceText(Device, CL_DEVICE_EXTENSIONS), Extension);
}

namespace {
std::vector<cl_name_version> nameVersions(cl_device_id Device,
                                          cl_device_info What) {
  size_t Size = 0;
  must(clGetDeviceInfo(Device, What, 0, nullptr, &Size), "clGetDeviceInfo");
  std::vector<cl_name_version> Items(Size / sizeof(cl_name_version));
  must(clGetDeviceInfo(Device, What, Size, Items.data(), nullptr),
       "clGetDeviceInfo");
  return Items;
}
} // namespace

bool deviceHasFeature(cl_device_id Device, const std::string &Feature) {
  for (const cl_name_version &Each :
       nameVersions(Device, CL_DEVICE_OPENCL_C_FEATURES))
    if (Feature == Each.name)
      return true;
  return false;
}

bool deviceTakesC(cl_device_id Device, cl_uint Major, cl_uint Minor) {
  for (const cl_name_version &Each :
       nameVersions(Device, CL_DEVICE_OPENCL_C_ALL_VERSIONS))
    if (CL_VERSION_MAJOR(Each.version) == Major &&
        CL_VERSION_MINOR(Each.version) == Minor)
      return true;
  return false;
}

std::string buildLog(cl_program P, cl_device_id Device) {
  size_t Size = 0;
  must(
      clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &Size),
      "clGetProgramBuildInfo");
  std::string Log(Size, '\0');
  must(clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_LOG, Size, Log.data(),
                             nullptr),
       "clGetProgramBuildInfo");
  while (!Log.empty() && Log.back() == '\0')
    Log.pop_back();
  return Log;
}

void OpenCL::SetUp() {
  Device = theDevice();
  cl_int Error = CL_SUCCESS;
  Ctx = Context(clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error));
  must(Error, "clCreateContext");
  Q = queue(0);
}

Program OpenCL::source(const std::string &Text) const {
  const char *String = Text.c_str();
  cl_int Error = CL_SUCCESS;
  Program P(clCreateProgramWithSource(Ctx, 1, &String, nullptr, &Error));
  must(Error, "clCreateProgramWithSource");
  return P;
}

Program OpenCL::build(const std::string &Text, const char *Options) const {
  Program P = source(Text);
  cl_int Error = clBuildProgram(P, 0, nullptr, Options, nullptr, nullptr);
  if (Error != CL_SUCCESS)
    throw std::runtime_error("clBuildProgram returned " +
                             std::to_string(Error) + ": " +
                             buildLog(P, Device));
  return P;
}

Kernel OpenCL::kernel(cl_program P, const char *Name) const {
  cl_int Error = CL_SUCCESS;
  Kernel K(clCreateKernel(P, Name, &Error));
  must(Error, "clCreateKernel");
  return K;
}

Queue OpenCL::queue(cl_command_queue_properties Properties) const {
  const cl_queue_properties List[] = {CL_QUEUE_PROPERTIES, Properties, 0};
  cl_int Error = CL_SUCCESS;
  Queue Out(clCreateCommandQueueWithProperties(
      Ctx, Device, Properties ? List : nullptr, &Error));
  must(Error, "clCreateCommandQueueWithProperties");
  return Out;
}

Mem OpenCL::buffer(size_t Bytes, cl_mem_flags Flags) const {
  cl_int Error = CL_SUCCESS;
  Mem Out(clCreateBuffer(Ctx, Flags, Bytes, nullptr, &Error));
  must(Error, "clCreateBuffer");
  return Out;
}

Mem OpenCL::rowOf(cl_mem Buffer, const cl_image_format &Format, size_t Width,
                  cl_int &Error, cl_mem_flags Flags) const {
  cl_image_desc Desc = {};
  Desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  Desc.image_width = Width;
  Desc.mem_object = Buffer;
  return Mem(clCreateImage(Ctx, Flags, &Format, &Desc, nullptr, &Error));
}

void printLaunches() {
  if (Counted)
    std::printf("warpsan-test: launches %u\n", Launches.load());
  else
    std::printf("warpsan-test: launches uncounted\n");
}

} // namespace warpsan::test
