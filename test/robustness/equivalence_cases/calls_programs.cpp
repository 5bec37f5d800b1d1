//===- test/robustness/equivalence_cases/calls_programs.cpp - programs,
// kernels ----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/robustness/equivalence_cases/calls.h"

#include <algorithm>
#include <cstring>

using namespace same;

static std::string made(const void *Object) { return Object ? "made" : "none"; }

/// Kernels touch the first 64 bytes of what they are given, if anything, and
/// leave the same there whichever work-item is last.
static const char *const Sources[] = {
    "kernel void put(global int *x, int by) {\n"
    "  size_t i = get_global_id(0) & 15;\n  if (x) x[i] = (int)i * 3 + "
    "by;\n}\n",
    "typedef struct { int a; float b[3]; } pair;\n"
    "kernel void mixed(global const float *in, global int *out, local int "
    "*tile,"
    " pair p, float4 v) {\n"
    "  tile[0] = 5;\n  size_t i = get_global_id(0) & 15;\n"
    "  if (in && out) out[i] = p.a + (int)v.x + (int)i;\n}\n"
    "kernel void put(global int *x, int by) { if (x) x[1] = by; }\n",
    "kernel __attribute__((reqd_work_group_size(4, 1, 1)))\n"
    "void put(global int *x, int by) { if (x) x[get_global_id(0) & 15] = by; "
    "}\n"
    "kernel void none(void) {}\n",
    "int help(int x);\nkernel void linked(global int *x) { if (x) x[2] = "
    "help(7); }\n",
    "int help(int x) { return x * 6; }\n",
    "kernel void pictures(read_only image2d_t in, sampler_t s, global float4 "
    "*o)"
    " { if (o) o[0] = read_imagef(in, s, (int2)(0, 0)); }\n",
    "#ifdef WANTED\nkernel void put(global int *x, int by) { if (x) x[3] = by "
    "+ "
    "WANTED; }\n#else\n#error WANTED is not defined\n#endif\n",
    "kernel void broken(global int *x) { x[0] = nothing; }\n",
    "#warning something to see\nkernel void put(global int *x, int by) { int "
    "unused; if (x) x[4] = by; }\n",
    "kernel void half(global int *x) { x[0] = 1; \n",
    "not OpenCL at all",
    "",
};

static const char *anyOptions(Dice &D) {
  return D.pick<const char *>(
      {nullptr, "", "", "-cl-kernel-arg-info", "-cl-kernel-arg-info",
       "-DWANTED=4", "-DWANTED=5 -cl-kernel-arg-info", "-cl-std=CL1.2",
       "-cl-std=CL3.0", "-cl-std=CL9.9", "-Werror", "-w", "-nothing-like-this",
       "-D", "-I /nowhere", "-cl-opt-disable", "-cl-fast-relaxed-math",
       "-create-library"});
}

/// What the compiler said. Its messages name temporary files.
static std::string logOf(World &W, cl_program Program) {
  size_t Size = 0;
  if (!Program || clGetProgramBuildInfo(Program, W.Device, CL_PROGRAM_BUILD_LOG,
                                        0, nullptr, &Size))
    return "-";
  std::string Log(Size, '\0');
  clGetProgramBuildInfo(Program, W.Device, CL_PROGRAM_BUILD_LOG, Size,
                        Log.data(), nullptr);
  return Log.c_str();
}

static void create(World &W, Dice &D) {
  cl_int Error = 12345;
  const char *Text = Sources[D.below(std::size(Sources))];
  if (D.chance(50))
    Text = Sources[D.below(3)];
  const size_t Length = D.pick<size_t>({0, std::strlen(Text), 10});
  const char *Texts[] = {D.chance(96) ? Text : nullptr, ""};
  const size_t Lengths[] = {Length, 0};
  const auto Count = D.pick<cl_uint>({0, 1, 1, 1, 1, 1, 1, 2});
  const bool Given = D.chance(30);
  begin("clCreateProgramWithSource", std::to_string(Count) + " " +
                                         std::to_string(Length) + " " +
                                         std::string(Text).substr(0, 30));
  cl_program Made =
      clCreateProgramWithSource(D.chance(96) ? W.Context : nullptr, Count,
                                Texts, Given ? Lengths : nullptr, &Error);
  end(Error, made(Made));
  keep(D, W.Programs, Made, [](cl_program P) { clReleaseProgram(P); });
}

/// Not clCreateProgramWithBuiltInKernels: PoCL and rusticl crash in it, and
/// Intel's runtime when its program is released.
static void createOther(World &W, Dice &D) {
  cl_int Error = 12345, Status = 12345;
  cl_program Made = nullptr;
  if (D.chance(50)) {
    const char *Words = D.pick<const char *>(
        {"", "garbage garbage!", "\x03\x02\x23\x07\x00\x00\x01\x00garbage"});
    const size_t Size = D.pick<size_t>({0, 16});
    begin("clCreateProgramWithIL", std::to_string(Size) + Words);
    Made = clCreateProgramWithIL(W.Context, *Words ? Words : nullptr,
                                 *Words ? Size : 0, &Error);
    end(Error, made(Made));
  } else {
    const unsigned char Garbage[32] = "this is no program";
    const unsigned char *Binaries[] = {D.chance(85) ? Garbage : nullptr};
    const size_t Sizes[] = {D.pick<size_t>({0, 18, 32})};
    const auto Count = D.pick<cl_uint>({0, 1, 1});
    begin("clCreateProgramWithBinary",
          std::to_string(Sizes[0]) + " " + std::to_string(Count));
    Made = clCreateProgramWithBinary(W.Context, Count, &W.Device, Sizes,
                                     Binaries, &Status, &Error);
    end(Error, made(Made) + " " + std::to_string(Status));
  }
  if (Made)
    clReleaseProgram(Made);
}

static void build(World &W, Dice &D) {
  cl_program Program = any(D, W.Programs);
  const char *Options = anyOptions(D);
  const auto Count = D.pick<cl_uint>({0, 0, 1, 1, 1});
  // All drivers crash at a null among several.
  cl_device_id Devices[1] = {W.Device};
  const cl_device_id *List = (Count != 0) == D.chance(93) ? Devices : nullptr;
  const std::string Words = std::to_string(Count) +
                            (List ? " list " : " no list ") +
                            (Options ? Options : "null");
  if (D.chance(60)) {
    begin("clBuildProgram", Words);
    const cl_int Error =
        clBuildProgram(Program, Count, List, Options, nullptr, nullptr);
    end(Error, logOf(W, Program));
  } else if (D.chance(60)) {
    cl_program Header = any(D, W.Programs);
    const char *Name = D.chance(80) ? "header.h" : nullptr;
    const auto Headers = D.pick<cl_uint>({0, 0, 0, 1});
    begin("clCompileProgram", Words + " " + std::to_string(Headers));
    const cl_int Error = clCompileProgram(
        Program, Count, List, Options, Headers, Headers ? &Header : nullptr,
        Headers ? &Name : nullptr, nullptr, nullptr);
    end(Error, logOf(W, Program));
  } else {
    // PoCL and rusticl crash if one of them is null.
    cl_program Second = any(D, W.Programs);
    cl_program Parts[] = {Program ? Program : Second,
                          Second ? Second : Program};
    if (!Parts[0])
      return;
    const auto Number = D.pick<cl_uint>({0, 1, 2, 2});
    cl_int Error = 12345;
    begin("clLinkProgram", Words + " " + std::to_string(Number));
    cl_program Made = clLinkProgram(W.Context, Count, List, Options, Number,
                                    Number || D.chance(10) ? Parts : nullptr,
                                    nullptr, nullptr, &Error);
    end(Error, made(Made) + " " + logOf(W, Made));
    keep(D, W.Programs, Made, [](cl_program P) { clReleaseProgram(P); });
  }
}

static void makeKernel(World &W, Dice &D) {
  cl_program Program = any(D, W.Programs);
  cl_int Error = 12345;
  auto Keep = [&](cl_kernel Made) {
    keep(D, W.Kernels, Made, [](cl_kernel K) { clReleaseKernel(K); });
  };
  const uint64_t Which = D.below(10);
  if (Which < 7) {
    const char *Name =
        D.pick<const char *>({"put", "put", "put", "mixed", "none", "linked",
                              "pictures", "nothing", "", nullptr});
    begin("clCreateKernel", Name ? Name : "null");
    cl_kernel Made = clCreateKernel(Program, Name, &Error);
    end(Error, made(Made));
    return Keep(Made);
  }
  if (Which < 9) {
    const auto Room = D.pick<cl_uint>({0, 1, 4});
    cl_kernel Kernels[4] = {};
    cl_uint Number = 77;
    begin("clCreateKernelsInProgram", std::to_string(Room));
    Error = clCreateKernelsInProgram(Program, Room, Room ? Kernels : nullptr,
                                     &Number);
    end(Error, std::to_string(Number));
    for (cl_kernel Each : Kernels)
      Keep(Each);
    return;
  }
  begin("clCloneKernel");
  cl_kernel Made = clCloneKernel(any(D, W.Kernels), &Error);
  end(Error, made(Made));
  Keep(Made);
}

void same::makeProgram(World &W, Dice &D) {
  const uint64_t Which = D.below(20);
  if (Which < 6)
    return create(W, D);
  if (Which < 8)
    return createOther(W, D);
  if (Which < 14)
    return build(W, D);
  return makeKernel(W, D);
}

void same::setArgument(World &W, Dice &D) {
  cl_kernel Kernel = any(D, W.Kernels);
  char Name[32] = {};
  if (Kernel)
    clGetKernelInfo(Kernel, CL_KERNEL_FUNCTION_NAME, sizeof(Name), Name,
                    nullptr);
  const std::string Is = Name;
  const auto Index = static_cast<cl_uint>(D.below(6));
  // What the kernel takes there; else a number.
  const bool Buffer =
      (Is == "put" && Index == 0) || (Is == "mixed" && Index < 2) ||
      (Is == "linked" && Index == 0) || (Is == "pictures" && Index == 2);
  const bool Local = Is == "mixed" && Index == 2;
  const bool Image = Is == "pictures" && Index == 0;
  const bool Sampler = Is == "pictures" && Index == 1;
  cl_mem Memory = Image ? W.Images[0] : any(D, W.Buffers);
  cl_sampler Reads = any(D, W.Samplers);
  const unsigned char Bytes[64] = {1, 2, 3};
  const void *Value = Bytes;
  size_t Size = D.pick<size_t>({4, 4, 16, 8, 3, 0, 64});
  if (Is == "mixed" && Index >= 3 && D.chance(70))
    Size = 16;
  if (Buffer || Image) {
    Value = D.chance(90) ? &Memory : nullptr;
    Size = D.chance(90) ? sizeof(Memory) : 4;
    if (!Memory && !Buffer)
      return;
  } else if (Sampler) {
    if (!Reads)
      return;
    Value = &Reads;
    Size = D.chance(90) ? sizeof(Reads) : 4;
  } else if (Local) {
    Value = D.chance(90) ? nullptr : Bytes;
    Size = D.pick<size_t>({0, 4, 64, 1024});
  }
  begin("clSetKernelArg", Is + " " + std::to_string(Index) + " " +
                              std::to_string(Size) +
                              (Value ? "" : " no value"));
  end(clSetKernelArg(Kernel, Index, Size, Value));
}

void same::furnish(World &W) {
  cl_int Error = CL_SUCCESS;
  for (size_t I = 0; I < 4; ++I)
    W.Buffers[I] =
        clCreateBuffer(W.Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 256,
                       W.Host.data(), &Error);
  const cl_image_format Format = {CL_RGBA, CL_FLOAT};
  cl_image_desc Shape = {};
  Shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  Shape.image_width = Shape.image_height = 8;
  W.Images[0] =
      clCreateImage(W.Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                    &Format, &Shape, W.Host.data(), &Error);
  W.Samplers[0] = clCreateSampler(W.Context, CL_FALSE, CL_ADDRESS_CLAMP,
                                  CL_FILTER_NEAREST, &Error);
  const char *const Names[] = {"put", "mixed", "none", "pictures"};
  for (size_t I = 0; I < std::size(Names); ++I) {
    const char *Text = Sources[I == 3 ? 5 : I];
    W.Programs[I] =
        clCreateProgramWithSource(W.Context, 1, &Text, nullptr, &Error);
    clBuildProgram(W.Programs[I], 0, nullptr, "-cl-kernel-arg-info", nullptr,
                   nullptr);
    W.Kernels[I] = clCreateKernel(W.Programs[I], Names[I], &Error);
  }
  const cl_int Number = 5;
  const cl_float Four[4] = {};
  clSetKernelArg(W.Kernels[0], 0, sizeof(cl_mem), W.Buffers.data());
  clSetKernelArg(W.Kernels[0], 1, sizeof(Number), &Number);
  for (cl_uint I : {0U, 1U})
    clSetKernelArg(W.Kernels[1], I, sizeof(cl_mem), &W.Buffers[I]);
  clSetKernelArg(W.Kernels[1], 2, 64, nullptr);
  for (cl_uint I : {3U, 4U})
    clSetKernelArg(W.Kernels[1], I, sizeof(Four), Four);
  clSetKernelArg(W.Kernels[3], 0, sizeof(cl_mem), W.Images.data());
  clSetKernelArg(W.Kernels[3], 1, sizeof(cl_sampler), W.Samplers.data());
  clSetKernelArg(W.Kernels[3], 2, sizeof(cl_mem), &W.Buffers[2]);
}
