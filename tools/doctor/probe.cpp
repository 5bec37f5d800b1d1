//===- tools/doctor/probe.cpp - what drivers there are, and do they work --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/doctor/probe.h"

// clCreateCommandQueue, clGetExtensionFunctionAddress: old drivers have no
// others.
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <dlfcn.h>
#include <link.h>

using namespace warpsan;

namespace {

/// The calls that are needed here, from whichever loader the system has.
struct Api {
  void *Library = nullptr;
  std::string Problem;
#define WARPSAN_PROBE_CALLS(X)                                                 \
  X(clGetExtensionFunctionAddress)                                             \
  X(clGetPlatformIDs)                                                          \
  X(clGetPlatformInfo)                                                         \
  X(clGetDeviceIDs)                                                            \
  X(clGetDeviceInfo)                                                           \
  X(clCreateContext)                                                           \
  X(clCreateCommandQueue)                                                      \
  X(clCreateProgramWithSource)                                                 \
  X(clBuildProgram)                                                            \
  X(clGetProgramBuildInfo)                                                     \
  X(clCreateKernel)                                                            \
  X(clSetKernelArg)                                                            \
  X(clCreateBuffer)                                                            \
  X(clEnqueueNDRangeKernel)                                                    \
  X(clEnqueueReadBuffer)                                                       \
  X(clReleaseMemObject)                                                        \
  X(clReleaseKernel)                                                           \
  X(clReleaseProgram)                                                          \
  X(clReleaseCommandQueue)                                                     \
  X(clReleaseContext)
#define X(Name) decltype(&::Name) Name = nullptr;
  WARPSAN_PROBE_CALLS(X)
#undef X

  Api() {
    Library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!Library) {
      Problem = dlerror();
      return;
    }
#define X(Name)                                                                \
  Name = reinterpret_cast<decltype(Name)>(dlsym(Library, #Name));              \
  if (!Name)                                                                   \
    Problem = "the loader has no function " #Name;
    WARPSAN_PROBE_CALLS(X)
#undef X
  }

  /// A text query through \p Get; empty if the driver does not answer.
  template <typename Fn, typename Object>
  static std::string text(Fn *Get, Object Of, cl_uint What) {
    size_t Size = 0;
    if (Get(Of, What, 0, nullptr, &Size) != CL_SUCCESS || Size == 0)
      return {};
    std::string Out(Size, '\0');
    if (Get(Of, What, Size, Out.data(), nullptr) != CL_SUCCESS)
      return {};
    Out.resize(Out.find('\0') == std::string::npos ? Size : Out.find('\0'));
    while (!Out.empty() && Out.back() == ' ')
      Out.pop_back();
    return Out;
  }

  std::vector<cl_platform_id> platforms() const {
    cl_uint Count = 0;
    if (clGetPlatformIDs(0, nullptr, &Count) != CL_SUCCESS || Count == 0)
      return {};
    std::vector<cl_platform_id> Out(Count);
    clGetPlatformIDs(Count, Out.data(), nullptr);
    return Out;
  }

  std::vector<cl_device_id> devices(cl_platform_id Platform) const {
    cl_uint Count = 0;
    if (clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &Count) !=
            CL_SUCCESS ||
        Count == 0)
      return {};
    std::vector<cl_device_id> Out(Count);
    clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, Count, Out.data(), nullptr);
    return Out;
  }
};

DeviceReport reportDevice(const Api &Cl, cl_device_id Device) {
  auto Text = [&](cl_uint What) {
    return Api::text(Cl.clGetDeviceInfo, Device, What);
  };
  auto Number = [&](cl_uint What) {
    cl_uint Value = 0;
    Cl.clGetDeviceInfo(Device, What, sizeof(Value), &Value, nullptr);
    return Value;
  };
  DeviceReport R;
  R.Name = Text(CL_DEVICE_NAME);
  R.DriverVersion = Text(CL_DRIVER_VERSION);
  R.Version = Text(CL_DEVICE_VERSION);
  R.ILVersions = Text(CL_DEVICE_IL_VERSION);
  R.AddressBits = Number(CL_DEVICE_ADDRESS_BITS);
  R.Available = Number(CL_DEVICE_AVAILABLE);
  R.HasCompiler = Number(CL_DEVICE_COMPILER_AVAILABLE);
  return R;
}

//===----------------------------------------------------------------------===//
// The self-test
//===----------------------------------------------------------------------===//

constexpr const char *SelfTestSource = R"(
__kernel void warpsan_selftest_add(__global const int *a,
                                   __global const int *b, __global int *sum) {
  size_t i = get_global_id(0);
  sum[i] = a[i] + b[i];
}

__kernel void warpsan_selftest_reduce(__global const int *in,
                                      __global int *out, __local int *part) {
  size_t l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (size_t step = get_local_size(0) / 2; step; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step)
      part[l] += part[l + step];
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel void warpsan_selftest_overrun(__global int *a, int n) {
  if (get_global_id(0) == 0)
    a[n] = 1;
}
)";

constexpr size_t Items = 1024;
constexpr size_t GroupSize = 16; // every device has at least this many

/// What is released at the end, in any case: a driver that is left with live
/// objects at exit may fail for that reason alone.
struct SelfTest {
  const Api &Cl;
  cl_device_id Device;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;
  cl_program Program = nullptr;
  std::vector<cl_kernel> Kernels;
  std::vector<cl_mem> Buffers;
  cl_int Error = CL_SUCCESS;

  SelfTest(const Api &Cl, cl_device_id Device) : Cl(Cl), Device(Device) {}
  SelfTest(const SelfTest &) = delete;
  SelfTest &operator=(const SelfTest &) = delete;
  ~SelfTest() {
    for (cl_mem Buffer : Buffers)
      Cl.clReleaseMemObject(Buffer);
    for (cl_kernel Kernel : Kernels)
      Cl.clReleaseKernel(Kernel);
    if (Program)
      Cl.clReleaseProgram(Program);
    if (Queue)
      Cl.clReleaseCommandQueue(Queue);
    if (Context)
      Cl.clReleaseContext(Context);
  }

  std::string failed(const char *Call) const {
    return std::string(Call) + " failed with error " + std::to_string(Error);
  }

  /// A buffer of \p Count ints, filled from \p From unless it is null.
  cl_mem buffer(size_t Count, int *From) {
    cl_mem_flags Flags = CL_MEM_READ_WRITE | (From ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem Buffer =
        Cl.clCreateBuffer(Context, Flags, Count * sizeof(int), From, &Error);
    if (Buffer)
      Buffers.push_back(Buffer);
    return Buffer;
  }

  std::string prepare() {
    Context = Cl.clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Error);
    if (!Context)
      return failed("clCreateContext");
    Queue = Cl.clCreateCommandQueue(Context, Device, 0, &Error);
    if (!Queue)
      return failed("clCreateCommandQueue");
    const char *Source = SelfTestSource;
    Program =
        Cl.clCreateProgramWithSource(Context, 1, &Source, nullptr, &Error);
    if (!Program)
      return failed("clCreateProgramWithSource");
    Error = Cl.clBuildProgram(Program, 1, &Device, "", nullptr, nullptr);
    if (Error != CL_SUCCESS)
      return failed("clBuildProgram");
    for (const char *Name :
         {"warpsan_selftest_add", "warpsan_selftest_reduce", SelfTestOverrun}) {
      cl_kernel Kernel = Cl.clCreateKernel(Program, Name, &Error);
      if (!Kernel)
        return failed("clCreateKernel");
      Kernels.push_back(Kernel);
    }
    return {};
  }

  std::string launch(cl_kernel Kernel) {
    size_t Global = Items, Local = GroupSize;
    Error = Cl.clEnqueueNDRangeKernel(Queue, Kernel, 1, nullptr, &Global,
                                      &Local, 0, nullptr, nullptr);
    return Error == CL_SUCCESS ? "" : failed("clEnqueueNDRangeKernel");
  }

  std::string read(cl_mem From, std::vector<int> &To) {
    Error =
        Cl.clEnqueueReadBuffer(Queue, From, CL_TRUE, 0, To.size() * sizeof(int),
                               To.data(), 0, nullptr, nullptr);
    return Error == CL_SUCCESS ? "" : failed("clEnqueueReadBuffer");
  }

  /// clSetKernelArg for 0, 1, ... of \p Kernel: buffers, then \p LocalBytes.
  std::string setArguments(cl_kernel Kernel, std::vector<cl_mem> Arguments,
                           size_t LocalBytes) {
    cl_uint Index = 0;
    for (cl_mem &Argument : Arguments)
      Error |= Cl.clSetKernelArg(Kernel, Index++, sizeof(cl_mem), &Argument);
    if (LocalBytes)
      Error |= Cl.clSetKernelArg(Kernel, Index, LocalBytes, nullptr);
    return Error == CL_SUCCESS ? "" : failed("clSetKernelArg");
  }

  std::string run() {
    std::vector<int> A(Items), B(Items), Sum(Items), Part(Items / GroupSize);
    for (size_t I = 0; I < Items; ++I) {
      A[I] = static_cast<int>(3 * I);
      B[I] = static_cast<int>(I * I);
    }
    if (std::string Problem = prepare(); !Problem.empty())
      return Problem;
    cl_mem DeviceA = buffer(Items, A.data());
    cl_mem DeviceB = buffer(Items, B.data());
    cl_mem DeviceSum = buffer(Items, nullptr);
    cl_mem DevicePart = buffer(Part.size(), nullptr);
    if (Buffers.size() != 4)
      return failed("clCreateBuffer");

    for (const std::string &Problem :
         {setArguments(Kernels[0], {DeviceA, DeviceB, DeviceSum}, 0),
          launch(Kernels[0]),
          setArguments(Kernels[1], {DeviceSum, DevicePart},
                       GroupSize * sizeof(int)),
          launch(Kernels[1]), read(DeviceSum, Sum), read(DevicePart, Part)})
      if (!Problem.empty())
        return Problem;

    for (size_t Group = 0; Group < Part.size(); ++Group) {
      int Wanted = 0;
      for (size_t I = Group * GroupSize; I < (Group + 1) * GroupSize; ++I) {
        if (Sum[I] != A[I] + B[I])
          return "vector add: element " + std::to_string(I) + " is " +
                 std::to_string(Sum[I]) + ", not " +
                 std::to_string(A[I] + B[I]);
        Wanted += Sum[I];
      }
      if (Part[Group] != Wanted)
        return "reduction: work-group " + std::to_string(Group) + " gives " +
               std::to_string(Part[Group]) + ", not " + std::to_string(Wanted);
    }
    return overrun(DevicePart, static_cast<int>(Part.size()));
  }

  /// One element past the end of \p Buffer, which has \p Count. The write is
  /// dropped by the twin.
  std::string overrun(cl_mem Buffer, int Count) {
    cl_kernel Kernel = Kernels[2];
    std::vector<int> Read(1);
    Error = Cl.clSetKernelArg(Kernel, 0, sizeof(cl_mem), &Buffer);
    Error |= Cl.clSetKernelArg(Kernel, 1, sizeof(int), &Count);
    if (Error != CL_SUCCESS)
      return failed("clSetKernelArg");
    for (const std::string &Problem : {launch(Kernel), read(Buffer, Read)})
      if (!Problem.empty())
        return Problem;
    return {};
  }
};

} // namespace

LoaderReport warpsan::listDevices() {
  LoaderReport R;
  Api Cl;
  R.Problem = Cl.Problem;
  if (!R.Problem.empty())
    return R;
  link_map *Map = nullptr;
  if (dlinfo(Cl.Library, RTLD_DI_LINKMAP, &Map) == 0 && Map)
    R.Path = Map->l_name;
  if (auto Info = reinterpret_cast<clGetICDLoaderInfoOCLICD_fn>(
          Cl.clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD"))) {
    char Name[128] = "", Version[128] = "";
    Info(CL_ICDL_NAME, sizeof(Name) - 1, Name, nullptr);
    Info(CL_ICDL_VERSION, sizeof(Version) - 1, Version, nullptr);
    R.Version = std::string(Name) + " " + Version;
  }
  for (cl_platform_id Platform : Cl.platforms()) {
    PlatformReport P;
    P.Name = Api::text(Cl.clGetPlatformInfo, Platform, CL_PLATFORM_NAME);
    P.Version = Api::text(Cl.clGetPlatformInfo, Platform, CL_PLATFORM_VERSION);
    for (cl_device_id Device : Cl.devices(Platform))
      P.Devices.push_back(reportDevice(Cl, Device));
    R.Platforms.push_back(std::move(P));
  }
  return R;
}

std::string warpsan::selfTest(uint32_t Platform, uint32_t Device) {
  Api Cl;
  if (!Cl.Problem.empty())
    return Cl.Problem;
  std::vector<cl_platform_id> Platforms = Cl.platforms();
  if (Platform >= Platforms.size())
    return "platform " + std::to_string(Platform) +
           " is not there when the layer is loaded";
  std::vector<cl_device_id> Devices = Cl.devices(Platforms[Platform]);
  if (Device >= Devices.size())
    return "the device is not there when the layer is loaded";
  return SelfTest(Cl, Devices[Device]).run();
}
