//===- layer/schemes/front_padding.cpp - a few bytes in front of each buffer,
// for a canary -----------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/schemes/front_padding.h"

#include "layer/objects/driver_quirks.h"
#include "layer/objects/objects.h"
#include "layer/process/counters.h"
#include "layer/process/reserve.h"
#include "layer/schemes/schemes.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <string_view>

using namespace warpsan;

/// More than any device asks for; one that did gets no front padding.
static constexpr size_t MaxFrontPad = size_t(64) << 10;

/// Bytes that the start of a buffer and that of an image in it are aligned to.
static size_t alignmentOf(cl_device_id Device) {
  const size_t Base = queryValue<cl_uint>(Next->clGetDeviceInfo, Device,
                                          CL_DEVICE_MEM_BASE_ADDR_ALIGN, 0) /
                      8;
  constexpr size_t LargestPixel = sizeof(cl_float4);
  const size_t Pixels = queryValue<cl_uint>(
      Next->clGetDeviceInfo, Device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 0);
  return std::lcm(std::max<size_t>(Base, 1),
                  std::max<size_t>(Pixels, 1) * LargestPixel);
}

/// Of a SPIR-V module.
static bool hasImages(std::string_view Module) {
  constexpr size_t Header = 5;
  constexpr uint32_t OpTypeImage = 25;
  auto WordAt = [&](size_t Index) {
    uint32_t Word = 0;
    if ((Index + 1) * sizeof(Word) <= Module.size())
      std::memcpy(&Word, Module.data() + Index * sizeof(Word), sizeof(Word));
    return Word;
  };
  // The upper half of an instruction's first word is its length.
  for (size_t I = Header; const uint32_t Word = WordAt(I); I += Word >> 16)
    if ((Word & 0xFFFF) == OpTypeImage || Word >> 16 == 0)
      return true;
  return false;
}

static std::atomic<bool> ImagesExpected = false;

void warpsan::expectImages(const Unit &Program) {
  if (!onlyCanaries())
    return;
  const bool Has = Program.Lang == Unit::Language::SPIRV
                       ? hasImages(Program.Text)
                       : Program.Text.find("image") != std::string::npos;
  if (Has)
    ImagesExpected.store(true);
}

size_t warpsan::frontPadIn(cl_context Context) {
  if (!onlyCanaries() || isPassThrough() || ImagesExpected.load())
    return 0;
  size_t FrontPad = sizeof(cl_long16); // what a part is aligned to at least
  for (cl_device_id Device : queryList<cl_device_id>(
           Next->clGetContextInfo, Context, CL_CONTEXT_DEVICES)) {
    FrontPad = std::lcm(FrontPad, alignmentOf(Device));
    if (FrontPad > MaxFrontPad)
      return 0;
  }
  return FrontPad;
}

/// Null if \p Buffer has no front padding.
static std::shared_ptr<Memory> withFrontPad(cl_mem Buffer) {
  auto Of = onlyCanaries() && Buffer ? Memories.find(Buffer) : nullptr;
  return Of && Of->Whole ? Of : nullptr;
}

cl_mem warpsan::wholeOf(cl_mem Buffer) {
  auto Of = withFrontPad(Buffer);
  return Of ? Of->Whole : Buffer;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

namespace {
/// Goes with the part that the application has as its buffer.
struct KeptWhole {
  cl_mem Whole;
  std::weak_ptr<Context> Of;
};
/// Goes with a part that the application has made of its buffer, which lives as
/// long as the part.
struct KeptBuffer {
  cl_mem Buffer;
  std::shared_ptr<const Memory> Of;
  bool Counted; ///< in the buffer's own references
};
} // namespace

static void CL_CALLBACK bufferIsGone(cl_mem, void *Data) {
  const std::unique_ptr<KeptWhole> Kept(static_cast<KeptWhole *>(Data));
  Next->clReleaseMemObject(Kept->Whole);
  if (auto Ctx = Kept->Of.lock())
    --Ctx->OwnObjects;
}

/// Hands \p Kept over to \p Gone, which is called when \p Of is gone, after
/// all that the application has registered since. False: the driver refuses.
template <typename T>
static bool keepUntilGone(cl_mem Of, void(CL_CALLBACK *Gone)(cl_mem, void *),
                          std::unique_ptr<T> Kept) {
  if (Next->clSetMemObjectDestructorCallback(Of, Gone, Kept.get()) !=
      CL_SUCCESS)
    return false;
  Kept.release();
  return true;
}

cl_mem warpsan::takePart(cl_context Handle, cl_mem Whole, size_t FrontPad,
                         size_t Size) {
  auto Ctx = contextOf(Handle);
  const cl_buffer_region Region = {FrontPad, Size};
  cl_mem Part = Ctx->makeOwn([&] {
    return Next->clCreateSubBuffer(Whole, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                   &Region, nullptr);
  });
  if (Part && keepUntilGone(Part, bufferIsGone,
                            std::make_unique<KeptWhole>(Whole, Ctx)))
    return Part;
  if (Part) {
    Next->clReleaseMemObject(Part);
    --Ctx->OwnObjects;
  }
  Next->clReleaseMemObject(Whole);
  return nullptr;
}

static void CL_CALLBACK partIsGone(cl_mem, void *Data) {
  const std::unique_ptr<KeptBuffer> Kept(static_cast<KeptBuffer *>(Data));
  if (Kept->Counted)
    --Kept->Of->OwnReferences;
  Next->clReleaseMemObject(Kept->Buffer);
}

static cl_uint references(cl_mem Of) {
  return queryValue<cl_uint>(Next->clGetMemObjectInfo, Of,
                             CL_MEM_REFERENCE_COUNT, 0);
}

cl_mem warpsan::makePartOf(cl_mem Buffer, cl_mem_flags Flags,
                           const cl_buffer_region &Region, cl_int *Error) {
  auto Of = withFrontPad(Buffer);
  cl_buffer_region Moved = Region;
  // A region that wraps is passed on as it is, for the driver to refuse.
  if (Of && Region.origin <= SIZE_MAX - Of->FrontPad) {
    Moved.origin += Of->FrontPad;
    if (Region.size <= SIZE_MAX - Region.origin)
      Moved.size = std::min(Region.size, SIZE_MAX - Moved.origin);
  }
  cl_mem Whole = Of ? Of->Whole : Buffer;
  const cl_uint Before = Of ? references(Whole) : 0;
  cl_mem Part = Next->clCreateSubBuffer(
      Whole, Flags, CL_BUFFER_CREATE_TYPE_REGION, &Moved, Error);
  if (!Part || !Of)
    return Part;
  // Not every driver counts a part as a reference.
  const bool Counted = references(Whole) == Before;
  Next->clRetainMemObject(Buffer);
  Of->OwnReferences += Counted;
  auto Kept = std::make_unique<KeptBuffer>(Buffer, Of, Counted);
  if (keepUntilGone(Part, partIsGone, std::move(Kept)))
    return Part;
  Of->OwnReferences -= Counted;
  Next->clReleaseMemObject(Buffer);
  Next->clReleaseMemObject(Part);
  if (Error)
    *Error = CL_OUT_OF_RESOURCES;
  return nullptr;
}

cl_mem warpsan::makeImageOf(cl_mem Buffer, cl_int *Error,
                            const std::function<cl_mem(cl_int *)> &Make) {
  auto Of = withFrontPad(Buffer);
  if (!Of)
    return Make(Error);
  auto *Handle = queryValue<cl_context>(Next->clGetMemObjectInfo, Of->Whole,
                                        CL_MEM_CONTEXT, nullptr);
  cl_int Told = CL_INVALID_MEM_OBJECT;
  const std::string Platform = queryString(
      Next->clGetPlatformInfo, contextOf(Handle)->Platform, CL_PLATFORM_NAME);
  cl_mem Image = quirksOf(Platform).ImagesIgnoreOrigin ? nullptr : Make(&Told);
  if (Error)
    *Error = Told;
  if (!Image && Told == CL_INVALID_MEM_OBJECT)
    noteGap("images of buffers",
            "refused: with scheme=canaries there is something in front of the "
            "buffer, and this driver makes no image of a part");
  return Image;
}

RowsInWhole::RowsInWhole(cl_mem Buffer, const size_t *Origin, size_t End)
    : Buffer(Buffer), Origin(Origin) {
  auto Of = withFrontPad(Buffer);
  if (!Of || !Origin || End > Of->Size) // the driver is to refuse it
    return;
  Moved = {Origin[0] + Of->FrontPad, Origin[1], Origin[2]};
  this->Buffer = Of->Whole;
  this->Origin = Moved.data();
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

/// With what the driver cannot know of a part of a buffer with front padding.
template <typename T>
static cl_int answer(T Known, size_t Size, void *Value, size_t *SizeReturn) {
  if (Value && Size < sizeof(T))
    return CL_INVALID_VALUE;
  if (Value)
    *static_cast<T *>(Value) = Known;
  if (SizeReturn)
    *SizeReturn = sizeof(T);
  return CL_SUCCESS;
}

cl_int warpsan::getInfoWithoutFrontPad(cl_mem Handle, cl_mem_info Name,
                                       size_t Size, void *Value,
                                       size_t *SizeReturn) {
  auto M = onlyCanaries() && Handle ? Memories.find(Handle) : nullptr;
  if (M && M->What == Memory::Kind::SubBuffer) {
    auto Of = Memories.find(M->Parent);
    const bool HasFrontPad = Of && Of->Whole;
    if (HasFrontPad && Name == CL_MEM_ASSOCIATED_MEMOBJECT)
      return answer(M->Parent, Size, Value, SizeReturn);
    if (HasFrontPad && Name == CL_MEM_OFFSET)
      return answer(M->Offset, Size, Value, SizeReturn);
  }
  // What is counted is the part's, and so is its size.
  const bool IsWholes = M && M->Whole && Name != CL_MEM_SIZE &&
                        Name != CL_MEM_MAP_COUNT &&
                        Name != CL_MEM_REFERENCE_COUNT;
  const cl_int Error = Next->clGetMemObjectInfo(IsWholes ? M->Whole : Handle,
                                                Name, Size, Value, SizeReturn);
  if (!M || !M->Whole || Error != CL_SUCCESS || !Value)
    return Error;
  if (Name == CL_MEM_REFERENCE_COUNT) {
    auto *Count = static_cast<cl_uint *>(Value);
    *Count -= std::min(*Count, M->OwnReferences.load()); // more since the call
  }
  // PoCL counts it there if a part is mapped.
  if (Name == CL_MEM_MAP_COUNT)
    *static_cast<cl_uint *>(Value) += queryValue<cl_uint>(
        Next->clGetMemObjectInfo, M->Whole, CL_MEM_MAP_COUNT, 0);
  return Error;
}
