//===- layer/canary/padding.h - a few bytes behind each buffer, for a
// canary -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver makes a buffer some bytes larger than the application asked for.
// The application must not notice: its size is returned as asked for, and a
// command that goes beyond the asked-for end is given to the driver for a part
// of the buffer that ends there, so that the driver refuses it as it would
// have.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_CANARY_PADDING_H
#define WARPSAN_LAYER_CANARY_PADDING_H

#include "layer/objects/driver.h"
#include "layer/schemes/front_padding.h"

#include <functional>

namespace warpsan {

/// A buffer that the driver has made.
struct PaddedBuffer {
  cl_mem Handle = nullptr;
  size_t Pad = 0;      ///< bytes behind what was asked for
  size_t FrontPad = 0; ///< and in front of it (layer/schemes/front_padding.h)
  cl_mem Whole = nullptr; ///< of which Handle is a part then
};

/// Makes a buffer, with a pad where it can have one. \p Make calls the driver
/// with a size and a host pointer; if the driver refuses a padded buffer, it is
/// called again with what the application gave.
PaddedBuffer
makePadded(cl_context Context, cl_mem_flags Flags, size_t Size, void *Host,
           const std::function<cl_mem(size_t Size, void *Host)> &Make);

/// Where a command on \p Size bytes from \p Offset on ends.
size_t endOf(size_t Offset, size_t Size);

/// The same for a part in up to three dimensions, as OpenCL's calls take it.
size_t endOf(const size_t *Origin, const size_t *Region, size_t Row,
             size_t Slice);

/// The same for pixels of \p Image, which \p Buffer has from \p Offset on.
size_t endOfPixels(cl_mem Buffer, size_t Offset, cl_mem Image,
                   const size_t *Region);

/// The buffer that the driver is given for a command that ends at \p End: for
/// one beyond the asked-for end a part that has exactly the asked-for size. A
/// driver that does not look then does what it would have done.
class BufferBelow {
public:
  BufferBelow(cl_mem Buffer, size_t End);
  ~BufferBelow();
  BufferBelow(const BufferBelow &) = delete;
  BufferBelow &operator=(const BufferBelow &) = delete;
  operator cl_mem() const { return Part ? Part : Whole; }
  bool isPart() const { return Part; }

private:
  const cl_mem Whole;
  cl_mem Part = nullptr;
};

/// The same for a copy, which may be one inside of a buffer.
class BuffersBelow {
public:
  BuffersBelow(cl_mem From, size_t FromEnd, cl_mem To, size_t ToEnd);
  cl_mem from() const { return First; }
  cl_mem to() const { return Same ? First : Second; }

private:
  const bool Same;
  const BufferBelow First, Second;
};

/// The same for a copy in rows.
class RowsBelow : BuffersBelow {
public:
  RowsBelow(cl_mem From, const size_t *FromOrigin, size_t FromEnd, cl_mem To,
            const size_t *ToOrigin, size_t ToEnd)
      : BuffersBelow(From, FromEnd, To, ToEnd),
        First(BuffersBelow::from(), FromOrigin, FromEnd),
        Second(BuffersBelow::to(), ToOrigin, ToEnd) {}
  cl_mem from() const { return First.buffer(); }
  cl_mem to() const { return Second.buffer(); }
  const size_t *fromOrigin() const { return First.origin(); }
  const size_t *toOrigin() const { return Second.origin(); }

private:
  const RowsInWhole First, Second;
};

/// The same for a copy of \p Size bytes. PoCL holds a part that is copied from
/// to the end of the whole: such a copy is moved to beyond the pad instead. All
/// drivers look where a copy ends.
class CopyBelow : public BuffersBelow {
public:
  CopyBelow(cl_mem From, size_t FromOffset, cl_mem To, size_t ToOffset,
            size_t Size);
  size_t fromOffset() const { return FromOffset; }
  size_t toOffset() const { return ToOffset; }

private:
  CopyBelow(cl_mem From, size_t FromOffset, cl_mem To, size_t ToOffset,
            size_t Size, size_t Move);
  const size_t FromOffset, ToOffset;
};

/// Makes a sub-buffer. \p Make calls the driver; it may be called again with
/// one that is too large.
cl_mem makePart(cl_mem Buffer, const cl_buffer_region &Region,
                const std::function<cl_mem(const cl_buffer_region &)> &Make);

/// Makes an image, which may be a view of a buffer; likewise.
cl_mem
makeImage(const cl_image_desc *Description,
          const std::function<cl_mem(const cl_image_desc *Description)> &Make);

/// For scheme=canaries: clSVMAlloc with bytes in front that only the driver and
/// we know of, as many as its alignment. Null if that cannot be.
void *allocSvmWithFrontPad(cl_context Context, cl_svm_mem_flags Flags,
                           size_t Size, cl_uint Alignment);

/// What the driver knows shared virtual memory as that begins at \p Start.
void *wholeOfSvm(void *Start);

} // namespace warpsan

#endif // WARPSAN_LAYER_CANARY_PADDING_H
