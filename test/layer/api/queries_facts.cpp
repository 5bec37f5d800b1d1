//===- test/layer/api/queries_facts.cpp - what queries answer -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints facts; the runner compares those of a bare run with those of a run
// under WarpSan. Nothing is asserted here: what is right is what the driver
// says.
//
//===----------------------------------------------------------------------===//
#include "test/layer/fixture.h"

#include <cstdio>

using namespace warpsan::test;

namespace {

const char *Source = R"(
typedef struct { int a; float b[3]; } pair;
kernel void simple(global int *x, int by) { x[get_global_id(0)] += by; }
kernel void many(global const float *restrict in, global volatile int *counts,
                 constant float *table, local float4 *tile, const uint n, pair p,
                 float16 wide, ulong count) {
  tile[get_local_id(0)] = in[get_global_id(0)] + table[0] + n + p.b[1] + wide.s3 + count;
  barrier(CLK_LOCAL_MEM_FENCE);
  counts[get_global_id(0)] = (int)tile[get_local_id(0)].x;
}
kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void fixed(global int *x) { x[get_global_linear()] = 1; }
kernel __attribute__((work_group_size_hint(16, 1, 1))) __attribute__((vec_type_hint(float4)))
void hinted(global float4 *x) { x[get_global_id(0)] *= 2; }
kernel void hungry(global int *x) {
  local int space[512];
  int private_space[64];
  for (int i = 0; i < 64; ++i) private_space[i] = x[i] * i;
  space[get_local_id(0)] = private_space[x[0] & 63];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = space[(get_local_id(0) + 1) % 512];
}
kernel void pictures(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, s, at));
}
kernel void empty(void) {}
)";

std::string sourceText() {
  std::string Text = Source;
  const std::string Call = "get_global_linear()";
  Text.replace(Text.find(Call), Call.size(),
               "get_global_id(1) * get_global_size(0) + get_global_id(0)");
  return Text;
}

class Queries : public OpenCL {
protected:
  /// Prints the error code, the size, and the value as a number or text.
  template <typename Call>
  void number(const char *What, size_t Size, Call Query) {
    cl_ulong Value[4] = {};
    size_t Got = 0;
    cl_int Error = Query(Size, Value, &Got);
    std::printf("  %s: error %d, size %zu, value", What, Error, Got);
    if (Error == CL_SUCCESS)
      for (size_t I = 0; I * 8 < Size; ++I)
        std::printf(" %llu", static_cast<unsigned long long>(Value[I]));
    std::printf("\n");
  }
  template <typename Call> void text(const char *What, Call Query) {
    size_t Size = 0;
    cl_int Error = Query(0, nullptr, &Size);
    std::string Value(Size, '\0');
    if (Error == CL_SUCCESS)
      Error = Query(Size, Value.data(), nullptr);
    std::printf("  %s: error %d, size %zu, '%s'\n", What, Error, Size,
                Value.c_str());
    if (Error == CL_SUCCESS && Size > 1)
      std::printf("  %s in too little room: error %d\n", What,
                  Query(Size - 1, Value.data(), nullptr));
  }
  template <typename Object, typename Fn>
  auto of(Fn Get, Object O, cl_uint What) {
    return [=](size_t Size, void *Value, size_t *Got) {
      return Get(O, What, Size, Value, Got);
    };
  }

  void printProgram(cl_program P) {
    number("reference count", 4,
           of(clGetProgramInfo, P, CL_PROGRAM_REFERENCE_COUNT));
    number("devices", 4, of(clGetProgramInfo, P, CL_PROGRAM_NUM_DEVICES));
    number("kernels", 8, of(clGetProgramInfo, P, CL_PROGRAM_NUM_KERNELS));
    text("kernel names", of(clGetProgramInfo, P, CL_PROGRAM_KERNEL_NAMES));
    text("source", of(clGetProgramInfo, P, CL_PROGRAM_SOURCE));
    number("constructors", 4,
           of(clGetProgramInfo, P, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT));
    size_t Binaries = 0;
    cl_int Error =
        clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, 0, nullptr, &Binaries);
    std::printf("  binary sizes: error %d, size %zu\n", Error, Binaries);
    auto Build = [&](cl_uint What) {
      return [=, this](size_t Size, void *Value, size_t *Got) {
        return clGetProgramBuildInfo(P, Device, What, Size, Value, Got);
      };
    };
    number("build status", 4, Build(CL_PROGRAM_BUILD_STATUS));
    number("binary type", 4, Build(CL_PROGRAM_BINARY_TYPE));
    text("build options", Build(CL_PROGRAM_BUILD_OPTIONS));
    number("global variables", 8,
           Build(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE));
    cl_context Of = nullptr;
    clGetProgramInfo(P, CL_PROGRAM_CONTEXT, sizeof(Of), &Of, nullptr);
    std::printf("  context is its own: %d\n", Of == Ctx.get());
  }

  void printKernel(cl_kernel K, cl_program P) {
    text("name", of(clGetKernelInfo, K, CL_KERNEL_FUNCTION_NAME));
    number("arguments", 4, of(clGetKernelInfo, K, CL_KERNEL_NUM_ARGS));
    number("reference count", 4,
           of(clGetKernelInfo, K, CL_KERNEL_REFERENCE_COUNT));
    text("attributes", of(clGetKernelInfo, K, CL_KERNEL_ATTRIBUTES));
    cl_program Of = nullptr;
    clGetKernelInfo(K, CL_KERNEL_PROGRAM, sizeof(Of), &Of, nullptr);
    std::printf("  program is its own: %d\n", Of == P);
    cl_uint Arguments = 0;
    clGetKernelInfo(K, CL_KERNEL_NUM_ARGS, sizeof(Arguments), &Arguments,
                    nullptr);
    for (cl_uint I = 0; I <= Arguments; ++I) { // the last one does not exist
      auto Arg = [&](cl_uint What) {
        return [=](size_t Size, void *Value, size_t *Got) {
          return clGetKernelArgInfo(K, I, What, Size, Value, Got);
        };
      };
      std::printf("  argument %u\n", I);
      number("address", 4, Arg(CL_KERNEL_ARG_ADDRESS_QUALIFIER));
      number("access", 4, Arg(CL_KERNEL_ARG_ACCESS_QUALIFIER));
      number("type qualifier", 8, Arg(CL_KERNEL_ARG_TYPE_QUALIFIER));
      text("type", Arg(CL_KERNEL_ARG_TYPE_NAME));
      text("argument name", Arg(CL_KERNEL_ARG_NAME));
    }
    auto Group = [&](cl_uint What) {
      return [=, this](size_t Size, void *Value, size_t *Got) {
        return clGetKernelWorkGroupInfo(K, Device, What, Size, Value, Got);
      };
    };
    number("work-group size", 8, Group(CL_KERNEL_WORK_GROUP_SIZE));
    number("required size", 24, Group(CL_KERNEL_COMPILE_WORK_GROUP_SIZE));
    number("preferred multiple", 8,
           Group(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
    number("local memory", 8, Group(CL_KERNEL_LOCAL_MEM_SIZE));
    number("private memory", 8, Group(CL_KERNEL_PRIVATE_MEM_SIZE));
    number("global size", 24, Group(CL_KERNEL_GLOBAL_WORK_SIZE));
    size_t Local = 16;
    auto SubGroup = [&](cl_uint What) {
      return [=, this](size_t Size, void *Value, size_t *Got) {
        return clGetKernelSubGroupInfo(K, Device, What, sizeof(Local), &Local,
                                       Size, Value, Got);
      };
    };
    number("sub-group size", 8,
           SubGroup(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE));
    number("sub-groups", 8, SubGroup(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE));
  }
};

TEST_F(Queries, ProgramBeforeItIsBuilt) { printProgram(source(sourceText())); }

TEST_F(Queries, ProgramAndItsKernels) {
  Program P = build(sourceText(), "-cl-kernel-arg-info -DUNUSED=1");
  printProgram(P);
  for (const char *Name :
       {"simple", "many", "fixed", "hinted", "hungry", "pictures", "empty"}) {
    Kernel K = kernel(P, Name);
    printKernel(K, P);
    std::printf("with a kernel\n");
    number("reference count", 4,
           of(clGetProgramInfo, P.get(), CL_PROGRAM_REFERENCE_COUNT));
  }
}

TEST_F(Queries, ProgramWithoutArgumentInfo) {
  Program P = build(sourceText());
  Kernel K = kernel(P, "many");
  printKernel(K, P);
}

TEST_F(Queries, KernelAfterItWasLaunched) {
  Program P = build(sourceText(), "-cl-kernel-arg-info");
  Kernel K = kernel(P, "many");
  Mem A = buffer(1024), B = buffer(1024), C = buffer(1024);
  ASSERT_OK(setArg(K, 0, A));
  ASSERT_OK(setArg(K, 1, B));
  ASSERT_OK(setArg(K, 2, C));
  ASSERT_OK(clSetKernelArg(K, 3, 16 * 16, nullptr));
  ASSERT_OK(setArg(K, 4, cl_uint(1)));
  struct {
    cl_int A;
    cl_float B[3];
  } Pair = {};
  ASSERT_OK(setArg(K, 5, Pair));
  ASSERT_OK(setArg(K, 6, cl_float16{}));
  ASSERT_OK(setArg(K, 7, cl_ulong(1)));
  Event Done;
  ASSERT_OK(launch(Q, K, {{16}, {16}}, {}, Done.out()));
  ASSERT_OK(clFinish(Q));
  waitUntilQuiet();
  printKernel(K, P);
  printProgram(P);
  for (cl_mem Each : {A.get(), B.get(), C.get()}) {
    number("buffer size", 8, of(clGetMemObjectInfo, Each, CL_MEM_SIZE));
    number("buffer flags", 8, of(clGetMemObjectInfo, Each, CL_MEM_FLAGS));
    number("buffer references", 4,
           of(clGetMemObjectInfo, Each, CL_MEM_REFERENCE_COUNT));
    number("buffer maps", 4, of(clGetMemObjectInfo, Each, CL_MEM_MAP_COUNT));
  }
  // PoCL counts a reference for every buffer that a launch uses.
  if (platformName() != "Portable Computing Language")
    number("event references", 4,
           of(clGetEventInfo, Done.get(), CL_EVENT_REFERENCE_COUNT));
  number("event type", 4,
         of(clGetEventInfo, Done.get(), CL_EVENT_COMMAND_TYPE));
  number("queue references", 4,
         of(clGetCommandQueueInfo, Q.get(), CL_QUEUE_REFERENCE_COUNT));
  number("queue properties", 8,
         of(clGetCommandQueueInfo, Q.get(), CL_QUEUE_PROPERTIES));
}

TEST_F(Queries, Clone) {
  Program P = build(sourceText(), "-cl-kernel-arg-info");
  Kernel K = kernel(P, "simple");
  cl_int Error = CL_SUCCESS;
  Kernel Clone(clCloneKernel(K, &Error));
  std::printf("  clone: error %d\n", Error);
  if (Clone)
    printKernel(Clone, P);
}

TEST_F(Queries, LinkedProgram) {
  Program A = source("int f(int x) { return x; }");
  Program B =
      source("int f(int x);\nkernel void k(global int *o) { *o = f(1); }");
  for (cl_program Each : {A.get(), B.get()}) {
    ASSERT_OK(clCompileProgram(Each, 0, nullptr, "-DX=1", 0, nullptr, nullptr,
                               nullptr, nullptr));
    printProgram(Each);
  }
  cl_program Parts[] = {A, B};
  cl_int Error = CL_SUCCESS;
  Program P(
      clLinkProgram(Ctx, 0, nullptr, "", 2, Parts, nullptr, nullptr, &Error));
  std::printf("  link: error %d\n", Error);
  if (P) {
    printProgram(P);
    Kernel K = kernel(P, "k");
    printKernel(K, P);
  }
}

TEST_F(Queries, FailedProgram) {
  Program P =
      source("kernel void k(global int *o) { *o = nothing_like_this; }");
  std::printf("  build: error %d\n",
              clBuildProgram(P, 0, nullptr, "-DX", nullptr, nullptr));
  number("build status", 4, [&](size_t Size, void *Value, size_t *Got) {
    return clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_STATUS, Size,
                                 Value, Got);
  });
  std::printf("  log empty: %d\n", buildLog(P, Device).empty());
  text("kernel names", of(clGetProgramInfo, P.get(), CL_PROGRAM_KERNEL_NAMES));
}

TEST_F(Queries, WarningsInTheLog) {
  Program P = build("kernel void k(global int *o) { *o = 1 << 40; }");
  std::string Log = buildLog(P, Device);
  std::printf("  log has the warning: %d\n",
              Log.find("shift") != std::string::npos);
}

TEST_F(Queries, ContextAndPlatform) {
  number("context devices", 4,
         of(clGetContextInfo, Ctx.get(), CL_CONTEXT_NUM_DEVICES));
  number("context references", 4,
         of(clGetContextInfo, Ctx.get(), CL_CONTEXT_REFERENCE_COUNT));
  text("platform name", of(clGetPlatformInfo, thePlatform(), CL_PLATFORM_NAME));
  text("platform version",
       of(clGetPlatformInfo, thePlatform(), CL_PLATFORM_VERSION));
  text("platform extensions",
       of(clGetPlatformInfo, thePlatform(), CL_PLATFORM_EXTENSIONS));
  text("device name", of(clGetDeviceInfo, Device, CL_DEVICE_NAME));
  text("device extensions", of(clGetDeviceInfo, Device, CL_DEVICE_EXTENSIONS));
  number("device parameter size", 8,
         of(clGetDeviceInfo, Device, CL_DEVICE_MAX_PARAMETER_SIZE));
  number("constant arguments", 4,
         of(clGetDeviceInfo, Device, CL_DEVICE_MAX_CONSTANT_ARGS));
  number("local memory", 8,
         of(clGetDeviceInfo, Device, CL_DEVICE_LOCAL_MEM_SIZE));
}

TEST_F(Queries, ExtensionFunctions) {
  for (const char *Name : {"clCreateProgramWithILKHR",
                           "clCreateCommandQueueWithPropertiesKHR",
                           "clGetKernelSubGroupInfoKHR",
                           "clGetKernelSuggestedLocalWorkSizeKHR",
                           "clDeviceMemAllocINTEL",
                           "clHostMemAllocINTEL",
                           "clSharedMemAllocINTEL",
                           "clMemFreeINTEL",
                           "clMemBlockingFreeINTEL",
                           "clGetMemAllocInfoINTEL",
                           "clSetKernelArgMemPointerINTEL",
                           "clEnqueueMemcpyINTEL",
                           "clEnqueueMemFillINTEL",
                           "clEnqueueMemsetINTEL",
                           "clEnqueueMigrateMemINTEL",
                           "clEnqueueMemAdviseINTEL",
                           "clCreateBufferWithPropertiesINTEL",
                           "clCreateCommandBufferKHR",
                           "clFinalizeCommandBufferKHR",
                           "clCommandNDRangeKernelKHR",
                           "clEnqueueCommandBufferKHR",
                           "clUpdateMutableCommandsKHR",
                           "clSetKernelArgDevicePointerEXT",
                           "clSVMAllocARM",
                           "clSVMFreeARM",
                           "clEnqueueSVMFreeARM",
                           "clEnqueueSVMMemcpyARM",
                           "clEnqueueSVMMemFillARM",
                           "clEnqueueSVMMapARM",
                           "clEnqueueSVMUnmapARM",
                           "clSetKernelArgSVMPointerARM",
                           "clSetKernelExecInfoARM",
                           "clSetProgramSpecializationConstant",
                           "clCreateKernel",
                           "clEnqueueNDRangeKernel",
                           "clCreateFromGLBuffer",
                           "clCreateSubDevicesEXT",
                           "clIcdGetPlatformIDsKHR",
                           "clNoSuchFunction"})
    std::printf("  %s: %d\n", Name,
                clGetExtensionFunctionAddressForPlatform(thePlatform(), Name) !=
                    nullptr);
}

TEST_F(Queries, SuggestedLocalSize) {
  auto Suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(
          thePlatform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
  if (!Suggest)
    GTEST_SKIP() << "the driver suggests no local sizes";
  Program P = build(sourceText());
  Kernel K = kernel(P, "simple");
  Mem X = buffer(1024);
  setArgs(K, X, cl_int(1));
  size_t Global[2] = {96, 10}, Local[2] = {};
  cl_int Error = Suggest(Q, K, 2, nullptr, Global, Local);
  std::printf("  error %d, %zu x %zu\n", Error, Local[0], Local[1]);
}

} // namespace
