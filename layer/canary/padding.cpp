//===- layer/canary/padding.cpp - a few bytes behind each buffer, for a
// canary -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/canary/padding.h"

#include "layer/objects/objects.h"
#include "layer/process/reserve.h"
#include "layer/process/settings.h"
#include "layer/schemes/schemes.h"
#include "layer/svm/svm_ranges.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

using namespace warpsan;

/// Bytes. More would see more of what is written with a stride.
static constexpr size_t PadSize = 64;

/// Contents for a new buffer are copied once more to have a pad behind them, up
/// to so many bytes; larger ones have no pad.
static constexpr size_t MaxCopied = size_t(16) << 20;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Not where the memory is the application's, where kernels do not write, where
/// the host may not look, or where a flag says what we do not know.
static bool canHavePad(cl_mem_flags Flags, size_t Size, const void *Host) {
  constexpr cl_mem_flags Known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY |
                                 CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  const std::string &Wanted = settings().canaries;
  if (Wanted == "none" || (Wanted == "on_demand" && !areCanariesExpected()) ||
      !wantChecks() || !wantTwins())
    return false;
  if (!Size || (Flags & ~Known))
    return false;
  const bool Copies = Flags & CL_MEM_COPY_HOST_PTR;
  return Copies == (Host != nullptr) && (!Copies || Size <= MaxCopied);
}

/// What is \p More must not make a buffer too large: for an allocation, for
/// constant memory.
static bool isAtLimit(cl_context Handle, size_t Size, size_t More) {
  auto Ctx = Contexts.find(Handle);
  return !Ctx || Size > SIZE_MAX - More ||
         std::ranges::any_of(Ctx->SizeLimits, [&](cl_ulong Limit) {
           return Size <= Limit && Limit < Size + More;
         });
}

/// With \p FrontPad bytes in front and a pad behind; null if that cannot be.
static cl_mem makeLarger(cl_context Context, size_t FrontPad, size_t Size,
                         const void *Host,
                         const std::function<cl_mem(size_t, void *)> &Make) {
  const size_t More = FrontPad + PadSize;
  if (isAtLimit(Context, Size, More))
    return nullptr;
  std::unique_ptr<char[]> Copy;
  if (Host) { // what is around the application's bytes must not be read
    Copy.reset(new (std::nothrow) char[Size + More]);
    if (!Copy)
      return nullptr;
    std::memset(Copy.get(), 0, FrontPad);
    std::memcpy(Copy.get() + FrontPad, Host, Size);
    std::memset(Copy.get() + FrontPad + Size, 0, PadSize);
  }
  return Make(Size + More, Copy.get());
}

PaddedBuffer
warpsan::makePadded(cl_context Context, cl_mem_flags Flags, size_t Size,
                    void *Host,
                    const std::function<cl_mem(size_t, void *)> &Make) {
  if (canHavePad(Flags, Size, Host)) {
    if (const size_t FrontPad = frontPadIn(Context))
      if (cl_mem Whole = makeLarger(Context, FrontPad, Size, Host, Make))
        if (cl_mem Part = takePart(Context, Whole, FrontPad, Size))
          return {Part, PadSize, FrontPad, Whole};
    if (cl_mem Handle = makeLarger(Context, 0, Size, Host, Make))
      return {Handle, PadSize};
  }
  return {Make(Size, Host)};
}

//===----------------------------------------------------------------------===//
// Beyond the end
//===----------------------------------------------------------------------===//

/// Not wrapped but cut.
static size_t times(size_t A, size_t B) {
  size_t Product = 0;
  return __builtin_mul_overflow(A, B, &Product) ? SIZE_MAX : Product;
}
static size_t plus(size_t A, size_t B) {
  return A > SIZE_MAX - B ? SIZE_MAX : A + B;
}

size_t warpsan::endOf(size_t Offset, size_t Size) { return plus(Offset, Size); }

size_t warpsan::endOf(const size_t *Origin, const size_t *Region, size_t Row,
                      size_t Slice) {
  if (!Origin || !Region || !Region[0] || !Region[1] || !Region[2])
    return 0;
  const size_t RowBytes = Row ? Row : Region[0];
  const size_t SliceBytes = Slice ? Slice : times(RowBytes, Region[1]);
  const size_t Rows = times(RowBytes, plus(Origin[1], Region[1] - 1));
  const size_t Slices = times(SliceBytes, plus(Origin[2], Region[2] - 1));
  return plus(plus(Slices, Rows), plus(Origin[0], Region[0]));
}

namespace {
/// A buffer as the application knows it.
struct Bounds {
  size_t Size = 0, Pad = 0, FrontPad = 0;
  bool exceededBy(size_t End) const { return Pad && End > Size; }
  /// For the driver there is more; but a part after front padding ends where
  /// the application thinks.
  bool hidesEnd(size_t End) const { return !FrontPad && exceededBy(End); }
};
} // namespace

static Bounds boundsOf(cl_mem Buffer) {
  auto M = Buffer ? Memories.find(Buffer) : nullptr;
  return M ? Bounds{M->Size, M->Pad, M->FrontPad} : Bounds();
}

size_t warpsan::endOfPixels(cl_mem Buffer, size_t Offset, cl_mem Image,
                            const size_t *Region) {
  if (!Image || !Region || !boundsOf(Buffer).Pad)
    return 0;
  const auto Element =
      queryValue<size_t>(Next->clGetImageInfo, Image, CL_IMAGE_ELEMENT_SIZE, 0);
  return plus(Offset,
              times(times(Element, Region[0]), times(Region[1], Region[2])));
}

BufferBelow::BufferBelow(cl_mem Buffer, size_t End) : Whole(Buffer) {
  const Bounds B = boundsOf(Buffer);
  if (!B.hidesEnd(End))
    return;
  const cl_buffer_region Region = {0, B.Size};
  Part = Next->clCreateSubBuffer(Buffer, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                 &Region, nullptr);
}

BufferBelow::~BufferBelow() {
  if (Part)
    Next->clReleaseMemObject(Part);
}

BuffersBelow::BuffersBelow(cl_mem From, size_t FromEnd, cl_mem To, size_t ToEnd)
    : Same(From == To), First(From, Same ? std::max(FromEnd, ToEnd) : FromEnd),
      Second(To, Same ? 0 : ToEnd) {}

/// \p Move is not 0 if the copy begins with bytes beyond an end.
CopyBelow::CopyBelow(cl_mem From, size_t FromOffset, cl_mem To, size_t ToOffset,
                     size_t Size, size_t Move)
    : BuffersBelow(From, Move ? 0 : endOf(FromOffset, Size), To,
                   Move && From == To ? 0 : endOf(ToOffset, Size)),
      FromOffset(plus(FromOffset, Move)),
      ToOffset(From == To ? plus(ToOffset, Move) : ToOffset) {}

/// By how much a copy from \p Buffer is to be moved.
static size_t moveOf(cl_mem Buffer, size_t End) {
  const Bounds B = boundsOf(Buffer);
  return B.exceededBy(End) ? B.FrontPad + B.Pad : 0;
}

CopyBelow::CopyBelow(cl_mem From, size_t FromOffset, cl_mem To, size_t ToOffset,
                     size_t Size)
    : CopyBelow(From, FromOffset, To, ToOffset, Size,
                moveOf(From, endOf(FromOffset, Size))) {}

//===----------------------------------------------------------------------===//
// Parts and views of buffers
//===----------------------------------------------------------------------===//

/// \p Asked reaches into the pad and would be made. \p Larger reaches beyond
/// and is refused, by a driver that looks.
template <typename Wanted>
static cl_mem makeBeyond(const Wanted &Asked, const Wanted &Larger,
                         const std::function<cl_mem(const Wanted &)> &Make) {
  cl_mem Made = Make(Larger);
  if (!Made)
    return nullptr;
  Next->clReleaseMemObject(Made);
  return Make(Asked);
}

cl_mem
warpsan::makePart(cl_mem Buffer, const cl_buffer_region &Region,
                  const std::function<cl_mem(const cl_buffer_region &)> &Make) {
  const Bounds B = boundsOf(Buffer);
  if (!B.exceededBy(endOf(Region.origin, Region.size)))
    return Make(Region);
  cl_buffer_region Larger = Region;
  // The origin has to be aligned: it stays, unless only it is beyond.
  size_t &Grows = Region.size ? Larger.size : Larger.origin;
  Grows = plus(Grows, B.Pad);
  return makeBeyond(Region, Larger, Make);
}

/// Bytes that an image which is a view of a buffer needs there.
static size_t neededBy(cl_mem Image, const cl_image_desc &Description) {
  auto Ask = [&](cl_image_info What) {
    return queryValue<size_t>(Next->clGetImageInfo, Image, What, 0);
  };
  const size_t Row = Description.image_width * Ask(CL_IMAGE_ELEMENT_SIZE);
  if (Description.image_type != CL_MEM_OBJECT_IMAGE2D)
    return Row;
  return std::max(Row, Ask(CL_IMAGE_ROW_PITCH)) * Description.image_height;
}

cl_mem
warpsan::makeImage(const cl_image_desc *Description,
                   const std::function<cl_mem(const cl_image_desc *)> &Make) {
  cl_mem Image = Make(Description);
  if (!Image || !Description || !Description->mem_object)
    return Image;
  const Bounds B = boundsOf(Description->mem_object);
  if (!B.hidesEnd(neededBy(Image, *Description)))
    return Image;
  Next->clReleaseMemObject(Image);
  cl_image_desc Larger = *Description;
  (Larger.image_type == CL_MEM_OBJECT_IMAGE2D ? Larger.image_height
                                              : Larger.image_width) += B.Pad;
  return makeBeyond<cl_image_desc>(
      *Description, Larger,
      [&](const cl_image_desc &Wanted) { return Make(&Wanted); });
}

//===----------------------------------------------------------------------===//
// Shared virtual memory
//===----------------------------------------------------------------------===//

void *warpsan::allocSvmWithFrontPad(cl_context Context, cl_svm_mem_flags Flags,
                                    size_t Size, cl_uint Alignment) {
  const size_t FrontPad = std::max<size_t>(Alignment, sizeof(cl_long16));
  if (!onlyCanaries() || isPassThrough() || !Size || Size > SIZE_MAX / 2)
    return nullptr;
  auto *Whole = static_cast<char *>(
      Next->clSVMAlloc(Context, Flags, FrontPad + withGap(Size), Alignment));
  if (!Whole)
    return nullptr;
  if (addSvmRange(Context, Whole + FrontPad, Size, Memory::Kind::SVM, Flags,
                  "clSVMAlloc", FrontPad))
    return Whole + FrontPad;
  Next->clSVMFree(Context, Whole); // nobody would know where it begins
  return nullptr;
}

void *warpsan::wholeOfSvm(void *Start) {
  const SvmPlace Place = onlyCanaries() ? svmPlaceOf(Start) : SvmPlace();
  return Place.Of && !Place.Offset
             ? static_cast<char *>(Start) - Place.Of->FrontPad
             : Start;
}
