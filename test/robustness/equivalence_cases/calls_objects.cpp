//===- test/robustness/equivalence_cases/calls_objects.cpp - clCreate* ----===//
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

static void makeBuffer(World &W, Dice &D) {
  const cl_mem_flags Flags = D.pick<cl_mem_flags>(
      {0, CL_MEM_READ_WRITE, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY,
       CL_MEM_WRITE_ONLY, CL_MEM_COPY_HOST_PTR, CL_MEM_COPY_HOST_PTR,
       CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
       CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS,
       CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY,
       CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, cl_mem_flags(1) << 40});
  const size_t Size =
      D.pick<size_t>({0, 64, 64, 256, 256, 1000, 4096, 4096, SIZE_MAX});
  static std::array<unsigned char, 8192> Host;
  const bool Needs = Flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR);
  void *Pointer =
      (D.chance(90) == Needs) && Size != SIZE_MAX ? Host.data() : nullptr;
  cl_context Context = D.chance(95) ? W.Context : nullptr;
  cl_int Error = 12345;
  begin("clCreateBuffer", std::to_string(Flags) + " " + std::to_string(Size) +
                              (Pointer ? " host" : ""));
  cl_mem Made = clCreateBuffer(Context, Flags, Size, Pointer,
                               D.chance(90) ? &Error : nullptr);
  end(Error, made(Made));
  // Its contents are known.
  if (Made && !Needs && W.Queues[0]) {
    const unsigned char Zero = 0;
    clEnqueueFillBuffer(W.Queues[0], Made, &Zero, 1, 0, Size, 0, nullptr,
                        nullptr);
    clFinish(W.Queues[0]);
  }
  keep(D, W.Buffers, Made, [](cl_mem) {}); // an argument of some kernel, maybe
}

static void makePart(World &W, Dice &D) {
  cl_mem Parent = any(D, W.Buffers);
  const cl_buffer_region Region = {D.pick<size_t>({0, 0, 128, 4, 2048, 5000}),
                                   D.pick<size_t>({0, 64, 128, 256, 8192})};
  const cl_mem_flags Flags = D.pick<cl_mem_flags>(
      {0, 0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR});
  const cl_buffer_create_type Type = D.chance(92) ? 0x1220 : 0x1221;
  const bool NoRegion = D.chance(5);
  cl_int Error = 12345;
  begin("clCreateSubBuffer",
        std::to_string(Flags) + " " + std::to_string(Region.origin) + " " +
            std::to_string(Region.size) + (NoRegion ? " no region" : ""));
  cl_mem Made = clCreateSubBuffer(Parent, Flags, Type,
                                  NoRegion ? nullptr : &Region, &Error);
  end(Error, made(Made));
  keep(D, W.Buffers, Made, [](cl_mem) {}); // an argument of some kernel, maybe
}

static void makeImage(World &W, Dice &D) {
  const cl_image_format Format = {
      D.pick<cl_channel_order>({CL_RGBA, CL_RGBA, CL_R, CL_BGRA, CL_RGB, 0}),
      D.pick<cl_channel_type>({CL_FLOAT, CL_UNORM_INT8, CL_SIGNED_INT32,
                               CL_UNSIGNED_INT8, CL_UNORM_SHORT_565, 7})};
  cl_image_desc Shape = {};
  Shape.image_type = D.pick<cl_mem_object_type>(
      {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE1D,
       CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
       CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER,
       CL_MEM_OBJECT_BUFFER, 0x1234});
  Shape.image_width = D.pick<size_t>({0, 4, 8, 16, 16, 100000000});
  Shape.image_height = D.pick<size_t>({0, 4, 8, 8, 16});
  Shape.image_depth = D.pick<size_t>({0, 1, 4, 4});
  Shape.image_array_size = D.pick<size_t>({0, 1, 3, 3});
  Shape.image_row_pitch = D.pick<size_t>({0, 0, 0, 64, 7});
  Shape.num_mip_levels = D.chance(5);
  if (Shape.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    Shape.mem_object = any(D, W.Buffers);
  const cl_mem_flags Flags =
      D.pick<cl_mem_flags>({0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY,
                            CL_MEM_WRITE_ONLY, CL_MEM_COPY_HOST_PTR});
  cl_int Error = 12345;
  begin("clCreateImage",
        told(reinterpret_cast<const unsigned char *>(&Format), sizeof(Format)) +
            told(reinterpret_cast<const unsigned char *>(&Shape),
                 offsetof(cl_image_desc, num_samples)));
  cl_mem Made =
      clCreateImage(W.Context, Flags, D.chance(96) ? &Format : nullptr,
                    D.chance(96) ? &Shape : nullptr, nullptr, &Error);
  end(Error, made(Made));
  // The first one stays what kernels take.
  if (Made)
    W.Images[1 + D.below(W.Images.size() - 1)] = Made;
}

void same::makeMemory(World &W, Dice &D) {
  const uint64_t Which = D.below(10);
  if (Which < 5)
    return makeBuffer(W, D);
  if (Which < 7)
    return makePart(W, D);
  if (Which < 9)
    return makeImage(W, D);
  const auto Packet = D.pick<cl_uint>({0, 4, 16, 0x7FFFFFFF});
  const auto Packets = D.pick<cl_uint>({0, 8, 64});
  cl_int Error = 12345;
  begin("clCreatePipe", std::to_string(Packet) + " " + std::to_string(Packets));
  cl_mem Made = clCreatePipe(W.Context, D.pick<cl_mem_flags>({0, 1, 4, 2}),
                             Packet, Packets, nullptr, &Error);
  end(Error, made(Made));
  if (Made)
    clReleaseMemObject(Made);
}

static void retainOrRelease(World &W, Dice &D) {
  // Of null, or once more and back.
  auto Both = [&](const char *Name, auto Object, auto Retain, auto Release) {
    begin(Name, Object ? "object" : "null");
    const cl_int Error = Object ? Retain(Object) : Release(Object);
    const cl_int Back = Error == CL_SUCCESS ? Release(Object) : 0;
    end(Error, std::to_string(Back));
  };
  switch (D.below(6)) {
  case 0:
    return Both(
        "memory", any(D, W.Buffers),
        [](cl_mem O) { return clRetainMemObject(O); },
        [](cl_mem O) { return clReleaseMemObject(O); });
  case 1:
    return Both(
        "program", any(D, W.Programs),
        [](cl_program O) { return clRetainProgram(O); },
        [](cl_program O) { return clReleaseProgram(O); });
  case 2:
    return Both(
        "kernel", any(D, W.Kernels),
        [](cl_kernel O) { return clRetainKernel(O); },
        [](cl_kernel O) { return clReleaseKernel(O); });
  case 3:
    return Both(
        "event", any(D, W.Events), [](cl_event O) { return clRetainEvent(O); },
        [](cl_event O) { return clReleaseEvent(O); });
  case 4:
    return Both(
        "queue", any(D, W.Queues),
        [](cl_command_queue O) { return clRetainCommandQueue(O); },
        [](cl_command_queue O) { return clReleaseCommandQueue(O); });
  default:
    return Both(
        "sampler", any(D, W.Samplers),
        [](cl_sampler O) { return clRetainSampler(O); },
        [](cl_sampler O) { return clReleaseSampler(O); });
  }
}

void same::makeOther(World &W, Dice &D) {
  cl_int Error = 12345;
  cl_context Context = D.chance(93) ? W.Context : nullptr;
  switch (D.below(6)) {
  case 0: {
    const cl_queue_properties Flags = D.pick<cl_queue_properties>(
        // PoCL ends the process if it is to make a queue on the device.
        {0, 0, CL_QUEUE_PROFILING_ENABLE,
         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, cl_queue_properties(1) << 33});
    const cl_queue_properties List[] = {
        D.chance(95) ? cl_queue_properties(CL_QUEUE_PROPERTIES) : 0x7777, Flags,
        0};
    cl_device_id Device = D.chance(93) ? W.Device : nullptr;
    begin("clCreateCommandQueueWithProperties", std::to_string(Flags));
    cl_command_queue Made =
        clCreateCommandQueueWithProperties(Context, Device, List, &Error);
    end(Error, made(Made));
    if (Made && W.Queues[0]) { // the first one stays
      cl_command_queue &Slot = W.Queues[1 + D.below(W.Queues.size() - 1)];
      if (Slot) {
        clFinish(Slot);
        clReleaseCommandQueue(Slot);
      }
      Slot = Made;
    }
    return;
  }
  case 1: {
    const cl_sampler_properties List[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          D.below(2),
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          0x112F + D.below(8),
                                          CL_SAMPLER_FILTER_MODE,
                                          0x1140 + D.below(3),
                                          0};
    begin("clCreateSamplerWithProperties",
          told(reinterpret_cast<const unsigned char *>(List), sizeof(List)));
    cl_sampler Made = clCreateSamplerWithProperties(
        Context, D.chance(90) ? List : nullptr, &Error);
    end(Error, made(Made));
    return keep(D, W.Samplers, Made, [](cl_sampler) {});
  }
  case 2: {
    begin("clCreateUserEvent");
    cl_event Made = clCreateUserEvent(Context, &Error);
    end(Error, made(Made));
    // Nobody ever waits for it in vain.
    if (Made) {
      begin("clSetUserEventStatus");
      const cl_int First = clSetUserEventStatus(Made, 1);
      end(clSetUserEventStatus(Made, CL_COMPLETE), std::to_string(First));
      begin("clSetUserEventStatus", "again");
      end(clSetUserEventStatus(Made, CL_COMPLETE));
    }
    return keep(D, W.Events, Made, [](cl_event E) { clReleaseEvent(E); });
  }
  case 3: {
    const auto Kind = D.pick<cl_device_partition_property>(
        {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, 0x9999});
    const cl_device_partition_property List[] = {
        Kind, static_cast<cl_device_partition_property>(D.below(4)) * 1000, 0};
    cl_uint Number = 0;
    begin("clCreateSubDevices",
          std::to_string(Kind) + " " + std::to_string(List[1]));
    end(clCreateSubDevices(W.Device, List, 0, nullptr, &Number),
        std::to_string(Number));
    return;
  }
  case 4: {
    const cl_context_properties List[] = {
        D.chance(80) ? CL_CONTEXT_PLATFORM : 0x5555,
        reinterpret_cast<cl_context_properties>(D.chance(80) ? W.Platform
                                                             : nullptr),
        0};
    const auto Number = D.pick<cl_uint>({0, 1, 1});
    const bool NoDevice = D.chance(20);
    begin("clCreateContext",
          std::to_string(Number) + (NoDevice ? " no device" : ""));
    cl_context Made = clCreateContext(
        List, Number, NoDevice ? nullptr : &W.Device, nullptr, nullptr, &Error);
    end(Error, made(Made));
    if (Made)
      clReleaseContext(Made);
    return;
  }
  default:
    return retainOrRelease(W, D);
  }
}
