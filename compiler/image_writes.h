//===- compiler/image_writes.h - integer writes to images with 3 axes -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IMAGE_WRITES_H
#define WARPSAN_COMPILER_IMAGE_WRITES_H

namespace llvm {
class Module;
} // namespace llvm

namespace warpsan {
class Target;

/// Replaces calls of write_imagei and write_imageui whose coordinate has the
/// type of the texel (image2d_array_t, image3d_t) by calls of the functions
/// that implement them in PoCL's library, `_cl_write_imagei` and
/// `_cl_write_imageui`.
///
/// PoCL 6.0 needs it. Its SPIR-V reader makes of OpImageWrite, which has no
/// sign, a call of write_imagei, and mangles two parameters of one type as
/// clang does for SPIR, "Dv4_iS0_". Under that name its library has only
/// _cl_write_imagei; write_imagei is "Dv4_iS_".
void callImageWrites(llvm::Module &Program, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_IMAGE_WRITES_H
