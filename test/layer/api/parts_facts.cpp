//===- test/layer/api/parts_facts.cpp - buffers, their parts, their images ===//
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

#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>

using namespace warpsan::test;

#define SAY(Call) std::printf("  %s: %d\n", #Call, Call)

namespace {

constexpr std::array<size_t, 3> Zero = {0, 0, 0};

class Parts : public OpenCL {
protected:
  void SetUp() override {
    OpenCL::SetUp();
    Align = deviceNumber<cl_uint>(Device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    Host.resize(4 * Align + 40);
    std::iota(Host.begin(), Host.end(), cl_uchar(1));
  }

  /// Larger than four aligned parts.
  Mem make(cl_mem_flags Flags) {
    const bool Takes = Flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR);
    cl_int Error = CL_SUCCESS;
    Mem M(clCreateBuffer(Ctx, Flags, Host.size(), Takes ? Host.data() : nullptr,
                         &Error));
    must(Error, "clCreateBuffer");
    return M;
  }

  Mem part(cl_mem Of, cl_mem_flags Flags, size_t Origin, size_t Size) {
    const cl_buffer_region Region = {Origin, Size};
    cl_int Error = 12345;
    Mem M(clCreateSubBuffer(Of, Flags, CL_BUFFER_CREATE_TYPE_REGION, &Region,
                            &Error));
    std::printf(" part from %zu, %zu bytes: %d %d\n", Origin, Size,
                M.get() != nullptr, Error);
    return M;
  }

  template <typename T> T ask(cl_mem Of, cl_mem_info What, const char *Name) {
    T Value{};
    size_t Size = 0;
    std::printf("  %s: %d, ", Name,
                clGetMemObjectInfo(Of, What, sizeof(T), &Value, &Size));
    std::printf("%zu bytes, too little room %d, size alone %d\n", Size,
                clGetMemObjectInfo(Of, What, sizeof(T) - 1, &Value, nullptr),
                clGetMemObjectInfo(Of, What, 0, nullptr, &Size));
    return Value;
  }
  template <typename T>
  void number(cl_mem Of, cl_mem_info What, const char *Name) {
    const T Value = ask<T>(Of, What, Name);
    std::printf("   %llu\n", static_cast<unsigned long long>(Value));
  }

  /// \p Whole: what it should be a part of.
  void describe(cl_mem M, cl_mem Whole = nullptr) {
    number<cl_mem_object_type>(M, CL_MEM_TYPE, "type");
    number<cl_mem_flags>(M, CL_MEM_FLAGS, "flags");
    number<size_t>(M, CL_MEM_SIZE, "size");
    number<cl_uint>(M, CL_MEM_MAP_COUNT, "maps");
    number<cl_uint>(M, CL_MEM_REFERENCE_COUNT, "references");
    number<size_t>(M, CL_MEM_OFFSET, "offset");
    number<cl_bool>(M, CL_MEM_USES_SVM_POINTER, "shared virtual memory");
    size_t Size = 12345;
    SAY(clGetMemObjectInfo(M, CL_MEM_PROPERTIES, 0, nullptr, &Size));
    std::printf("   %zu bytes\n", Size);
    auto *const Of = ask<cl_mem>(M, CL_MEM_ASSOCIATED_MEMOBJECT, "whole");
    std::printf("   %s\n", !Of           ? "none"
                           : Of == Whole ? "the right one"
                                         : "another one");
    auto *const At = ask<cl_uchar *>(M, CL_MEM_HOST_PTR, "host pointer");
    const auto Byte = static_cast<size_t>(At - Host.data());
    // Intel's runtime may tell where its own is.
    std::printf("   %s\n", !At                  ? "none"
                           : Byte < Host.size() ? std::to_string(Byte).c_str()
                                                : "the driver's");
    std::printf("   its context: %d\n",
                ask<cl_context>(M, CL_MEM_CONTEXT, "context") == Ctx.get());
    SAY(clGetMemObjectInfo(M, 0x1234, 8, nullptr, nullptr));
  }

  void describeContext(const char *When) {
    cl_uint Count = 0;
    SAY(clGetContextInfo(Ctx, CL_CONTEXT_REFERENCE_COUNT, sizeof(Count), &Count,
                         nullptr));
    std::printf("   %s: %u\n", When, Count);
  }

  /// A number for what \p M holds.
  void contents(cl_mem M, size_t Bytes, const char *What) {
    uint64_t Sum = 0;
    for (cl_uchar Each : read<cl_uchar>(M, Bytes))
      Sum = Sum * 31 + Each;
    std::printf("  %s: %llx\n", What, static_cast<unsigned long long>(Sum));
  }

  size_t Align = 0;
  std::vector<cl_uchar> Host;
};

TEST_F(Parts, Queries) {
  for (cl_mem_flags Flags : std::initializer_list<cl_mem_flags>{
           0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY,
           CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
           CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
           CL_MEM_USE_HOST_PTR, CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY,
           CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS}) {
    std::printf("flags %llx\n", static_cast<unsigned long long>(Flags));
    Mem M = make(Flags);
    describe(M);
    if (Flags & CL_MEM_COPY_HOST_PTR)
      contents(M, Host.size(), "contents");
    for (cl_mem_flags Given :
         std::initializer_list<cl_mem_flags>{0, CL_MEM_READ_ONLY})
      if (Mem Part = part(M, Given, Align, 2 * Align + 3); Part)
        describe(Part, M);
  }
}

TEST_F(Parts, WithProperties) {
  const cl_mem_properties None[] = {0};
  for (const cl_mem_properties *Given :
       std::initializer_list<const cl_mem_properties *>{nullptr, None}) {
    cl_int Error = CL_SUCCESS;
    Mem M(clCreateBufferWithProperties(Ctx, Given, CL_MEM_READ_WRITE, 1000,
                                       nullptr, &Error));
    std::printf("  %d %d\n", M.get() != nullptr, Error);
    if (M)
      describe(M);
  }
}

TEST_F(Parts, References) {
  describeContext("nothing yet");
  Mem M = make(CL_MEM_READ_WRITE);
  describeContext("with a buffer");
  auto Count = [&](const char *When) {
    std::printf(" %s\n", When);
    number<cl_uint>(M, CL_MEM_REFERENCE_COUNT, "references");
  };
  Count("alone");
  SAY(clRetainMemObject(M));
  Count("retained");
  SAY(clReleaseMemObject(M));
  Mem First = part(M, 0, 0, Align), Second = part(M, 0, Align, Align);
  Count("with two parts");
  describeContext("with a buffer and two parts");
  First.reset();
  Count("with one part");
  Second.reset();
  Count("without parts");
  describeContext("with a buffer");
  M.reset();
  describeContext("without");
}

/// What is made of a buffer, and what is refused.
TEST_F(Parts, RightAndWrongParts) {
  for (cl_mem_flags Flags : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY}) {
    Mem M = make(Flags);
    const size_t Size = Host.size();
    for (cl_buffer_region R : {cl_buffer_region{0, Size},
                               {0, 1},
                               {Align, Size - Align},
                               {4 * Align, 40},
                               {4 * Align, 41},
                               {4 * Align, 40 + 64},
                               {4 * Align, 40 + 65},
                               {4 * Align, 40 + 64 + Align},
                               {0, Size + 1},
                               {0, Size + 64},
                               {0, Size + 64 + Align},
                               {0, Size + 65 + Align},
                               {0, SIZE_MAX},
                               {1, 8},
                               {Align - 1, 8},
                               {Align, 0},
                               {0, 0},
                               {5 * Align, 0},
                               {5 * Align, 8},
                               {6 * Align, 8},
                               {SIZE_MAX, 1},
                               {0 - Align, Align},
                               {0 - Align, 2 * Align},
                               {0 - Align, 1}})
      part(M, 0, R.origin, R.size);
    for (cl_mem_flags Given : std::initializer_list<cl_mem_flags>{
             CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
             CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY,
             CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}) {
      std::printf(" flags %llx\n", static_cast<unsigned long long>(Given));
      part(M, Given, 0, 8);
    }
    cl_int Error = CL_SUCCESS;
    SAY(clCreateSubBuffer(M, 0, 0x1234, nullptr, &Error) != nullptr);
    std::printf("  %d\n", Error);
    SAY(clCreateSubBuffer(M, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr,
                          &Error) != nullptr);
    std::printf("  %d\n", Error);
    Mem Part = part(M, 0, 0, 2 * Align);
    std::printf(" of a part\n");
    part(Part, 0, 0, Align);
    SAY(clCreateSubBuffer(M, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr,
                          nullptr) != nullptr);
  }
}

void CL_CALLBACK sayGone(cl_mem, void *Name) {
  std::printf("  gone: %s\n", static_cast<const char *>(Name));
}

TEST_F(Parts, LastCallbacks) {
  static char Whole[] = "whole", Again[] = "whole, first", Part[] = "part";
  for (bool WholeFirst : {true, false}) {
    Mem M = make(CL_MEM_READ_WRITE);
    SAY(clSetMemObjectDestructorCallback(M, sayGone, Whole));
    SAY(clSetMemObjectDestructorCallback(M, sayGone, Again));
    Mem P = part(M, 0, Align, Align);
    SAY(clSetMemObjectDestructorCallback(P, sayGone, Part));
    cl_mem Raw = M;
    (WholeFirst ? M : P).reset();
    std::printf(" one is released\n");
    if (WholeFirst)
      describe(P, Raw);
    (WholeFirst ? P : M).reset();
    std::printf(" both are released\n");
  }
  Mem M = make(CL_MEM_READ_WRITE);
  SAY(clSetMemObjectDestructorCallback(M, nullptr, nullptr));
}

TEST_F(Parts, CopiesBetweenAWholeAndItsParts) {
  Mem M = make(CL_MEM_COPY_HOST_PTR), Other = make(CL_MEM_COPY_HOST_PTR);
  Mem A = part(M, 0, 0, 2 * Align), B = part(M, 0, Align, 2 * Align);
  auto Copy = [&](cl_mem From, cl_mem To, size_t FromAt, size_t ToAt,
                  size_t Size) {
    SAY(clEnqueueCopyBuffer(Q, From, To, FromAt, ToAt, Size, 0, nullptr,
                            nullptr));
    contents(M, Host.size(), "then");
  };
  Copy(A, B, 0, Align, Align / 2);
  Copy(M, A, 3 * Align, 0, Align / 2);
  Copy(B, M, 0, 3 * Align + 8, 16);
  Copy(Other, A, 5, 6, 7);
  Copy(M, Other, 1, 2, 3);
  Copy(A, A, 0, Align, Align);
  std::printf(" with overlaps\n");
  SAY(clEnqueueCopyBuffer(Q, M, M, 0, 8, 16, 0, nullptr, nullptr));
  SAY(clEnqueueCopyBuffer(Q, A, A, 0, 8, 16, 0, nullptr, nullptr));
  SAY(clEnqueueCopyBuffer(Q, A, B, Align, 8, 16, 0, nullptr, nullptr));
  SAY(clEnqueueCopyBuffer(Q, M, B, Align, 8, 16, 0, nullptr, nullptr));
  SAY(clEnqueueCopyBuffer(Q, B, M, 0, Align + 8, 16, 0, nullptr, nullptr));
  std::printf(" beyond the end of a part\n");
  SAY(clEnqueueCopyBuffer(Q, Other, B, 0, 2 * Align - 8, 9, 0, nullptr,
                          nullptr));
  SAY(clEnqueueReadBuffer(Q, B, CL_TRUE, 2 * Align - 8, 9, Host.data(), 0,
                          nullptr, nullptr));
  SAY(clFinish(Q));
}

TEST_F(Parts, EveryCommand) {
  Mem M = make(CL_MEM_COPY_HOST_PTR), Other = make(CL_MEM_COPY_HOST_PTR);
  Mem A = part(M, 0, Align, 2 * Align);
  for (cl_mem Each : {M.get(), A.get()}) {
    const cl_ushort Pattern = 0x7788;
    SAY(clEnqueueFillBuffer(Q, Each, &Pattern, 2, 4, 10, 0, nullptr, nullptr));
    contents(M, Host.size(), "filled");
    SAY(clEnqueueWriteBuffer(Q, Each, CL_TRUE, 3, 9, Host.data(), 0, nullptr,
                             nullptr));
    contents(M, Host.size(), "written");
    const std::array<size_t, 3> From = {2, 3, 0}, Region = {5, 4, 1};
    std::vector<cl_uchar> Rows(64);
    SAY(clEnqueueReadBufferRect(Q, Each, CL_TRUE, From.data(), Zero.data(),
                                Region.data(), 8, 0, 8, 0, Rows.data(), 0,
                                nullptr, nullptr));
    std::printf("  %d %d\n", Rows[0], Rows[28]);
    SAY(clEnqueueWriteBufferRect(Q, Each, CL_TRUE, Zero.data(), From.data(),
                                 Region.data(), 8, 0, 8, 0, Host.data(), 0,
                                 nullptr, nullptr));
    contents(M, Host.size(), "written in rows");
    if (Each == M || platformName() != "Portable Computing Language") // crashes
      SAY(clEnqueueCopyBufferRect(Q, Other, Each, From.data(), Zero.data(),
                                  Region.data(), 8, 0, 8, 0, 0, nullptr,
                                  nullptr));
    contents(M, Host.size(), "copied in rows");
    SAY(clEnqueueMigrateMemObjects(Q, 1, &Each, 0, 0, nullptr, nullptr));
    cl_int Error = CL_SUCCESS;
    auto *Mapped = static_cast<cl_uchar *>(
        clEnqueueMapBuffer(Q, Each, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 7, 20,
                           0, nullptr, nullptr, &Error));
    std::printf("  mapped: %d %d, %d %d\n", Mapped != nullptr, Error, Mapped[0],
                Mapped[19]);
    Mapped[1] = 99;
    number<cl_uint>(M, CL_MEM_MAP_COUNT, "maps");
    number<cl_uint>(A, CL_MEM_MAP_COUNT, "maps of the part");
    SAY(clEnqueueUnmapMemObject(Q, Each, Mapped, 0, nullptr, nullptr));
    SAY(clFinish(Q));
    number<cl_uint>(M, CL_MEM_MAP_COUNT, "maps");
    contents(M, Host.size(), "unmapped");
  }
}

TEST_F(Parts, InLaunches) {
  Program P = build(R"(
    kernel void add(global uchar *a, global uchar *b, constant uchar *c) {
      size_t i = get_global_id(0);
      a[i] += b[i] + c[i];
    })");
  Kernel K = kernel(P, "add");
  Mem M = make(CL_MEM_COPY_HOST_PTR), Other = make(CL_MEM_COPY_HOST_PTR);
  Mem A = part(M, 0, Align, Align), B = part(M, 0, 3 * Align, Align);
  setArgs(K, M, Other, Other);
  SAY(launch(Q, K, {{Host.size()}}));
  contents(M, Host.size(), "wholes");
  setArgs(K, A, B, M);
  SAY(launch(Q, K, {{Align}}));
  contents(M, Host.size(), "parts");
  M.reset();
  setArgs(K, A, B, Other);
  SAY(launch(Q, K, {{Align}}));
  A.reset();
  contents(B, Align, "without the whole");
}

/// Last: where buffers are made so that no image can be made of them, a program
/// with images ends that.
TEST_F(Parts, ImagesOfThem) {
  Program P = build(R"(
    kernel void to(read_only image1d_buffer_t in, global uint4 *out) {
      out[get_global_id(0)] = read_imageui(in, get_global_id(0));
    }
    kernel void from(write_only image1d_buffer_t out) {
      write_imageui(out, get_global_id(0), (uint4)(get_global_id(0) + 70));
    }
    kernel void rows(read_only image2d_t in, global uint4 *out) {
      out[get_global_id(0)] = read_imageui(in, (int2)(get_global_id(0) % 4, get_global_id(0) / 4));
    })");
  const cl_image_format Format = {CL_RGBA, CL_UNSIGNED_INT8};
  Mem M = make(CL_MEM_COPY_HOST_PTR), A = part(M, 0, Align, 2 * Align);
  for (cl_mem Of : {M.get(), A.get()}) {
    cl_int Error = CL_SUCCESS;
    Mem Image = rowOf(Of, Format, 12, Error);
    std::printf(" a row: %d %d\n", Image.get() != nullptr, Error);
    Mem Out = bufferOf(std::vector<cl_uint4>(16));
    if (Image) {
      describe(Image, Of);
      number<cl_uint>(Of, CL_MEM_REFERENCE_COUNT, "references");
      cl_mem Told = nullptr;
      SAY(clGetImageInfo(Image, CL_IMAGE_BUFFER, sizeof(Told), &Told, nullptr));
      std::printf("   its buffer: %d\n", Told == Of);
      Kernel From = kernel(P, "from"), To = kernel(P, "to");
      setArgs(To, Image, Out);
      SAY(launch(Q, To, {{12}}));
      contents(Out, 256, "read");
      setArgs(From, Image);
      if (platformName() != "Portable Computing Language") { // crashes
        SAY(launch(Q, From, {{12}}));
        contents(M, Host.size(), "written");
      }
    }
    cl_image_desc Desc = {};
    Desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    Desc.image_width = Desc.image_height = 4;
    Desc.mem_object = Of;
    Mem Rows(clCreateImage(Ctx, 0, &Format, &Desc, nullptr, &Error));
    std::printf(" rows: %d %d\n", Rows.get() != nullptr, Error);
    if (Rows) {
      describe(Rows, Of);
      Kernel K = kernel(P, "rows");
      setArgs(K, Rows, Out);
      SAY(launch(Q, K, {{16}}));
      contents(Out, 256, "read");
    }
  }
}

} // namespace
