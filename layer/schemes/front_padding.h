//===- layer/schemes/front_padding.h - a few bytes in front of each buffer, for
// a canary ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For scheme=canaries alone. The driver makes a buffer that begins earlier, and
// the application is given a part of it that has the asked-for size. It must
// not notice: what it asks about its buffer is asked about the whole, and parts
// that it makes are made of the whole, since no driver makes a part of a part.
//
// Images are made of the part. PoCL refuses that and rusticl does it wrongly:
// once the application has a program with images, new buffers have no front
// padding, and an image of one that has is refused; the summary lists it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SCHEMES_FRONT_PADDING_H
#define WARPSAN_LAYER_SCHEMES_FRONT_PADDING_H

#include "job/job.h"
#include "layer/objects/driver.h"

#include <array>
#include <cstddef>
#include <functional>

namespace warpsan {

/// The application has made \p Program.
void expectImages(const Unit &Program);

/// Front padding in bytes of a new buffer of \p Context, rounded up to keep the
/// payload aligned; 0 if none.
size_t frontPadIn(cl_context Context);

/// Makes the part of \p Whole that begins after \p FrontPad bytes and has \p
/// Size. It keeps the whole, which is gone if the driver refuses: null.
cl_mem takePart(cl_context Context, cl_mem Whole, size_t FrontPad, size_t Size);

/// What the driver knows a buffer as of which it is to make something.
cl_mem wholeOf(cl_mem Buffer);

/// clCreateSubBuffer, of what the driver knows as the whole.
cl_mem makePartOf(cl_mem Buffer, cl_mem_flags Flags,
                  const cl_buffer_region &Region, cl_int *Error);

/// An image, of \p Buffer unless that is null; \p Make calls the driver.
cl_mem makeImageOf(cl_mem Buffer, cl_int *Error,
                   const std::function<cl_mem(cl_int *)> &Make);

/// clGetMemObjectInfo, as if there were no front padding.
cl_int getInfoWithoutFrontPad(cl_mem Handle, cl_mem_info Name, size_t Size,
                              void *Value, size_t *SizeReturn);

/// A place in rows that a copy is to have, which ends at \p End: PoCL crashes
/// if it is in a part, and is given the whole.
class RowsInWhole {
public:
  RowsInWhole(cl_mem Buffer, const size_t *Origin, size_t End);
  RowsInWhole(const RowsInWhole &) = delete;
  cl_mem buffer() const { return Buffer; }
  const size_t *origin() const { return Origin; }

private:
  cl_mem Buffer;
  const size_t *Origin;
  std::array<size_t, 3> Moved = {};
};

} // namespace warpsan

#endif // WARPSAN_LAYER_SCHEMES_FRONT_PADDING_H
