//===- device/contents.cl - the least and greatest of what memory has -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that the layer launches itself (layer/contents.h), linked into twins
// whose accesses may be proven by what index buffers contain.
//
//===----------------------------------------------------------------------===//

// SPIR-V's own names: the translator takes them in programs of any language.
#define OVERLOADABLE __attribute__((overloadable))
ulong OVERLOADABLE __spirv_BuiltInGlobalInvocationId(int Dimension);
ulong OVERLOADABLE __spirv_BuiltInGlobalSize(int Dimension);

/// Each work-item looks at a part of its own and writes two numbers; the host
/// looks at those.
#define CONTENTS(bits, type)                                                   \
  __kernel void warpsan_contents_##bits(__global const type *From,             \
                                        ulong Count, __global long *To) {      \
    const ulong Item = __spirv_BuiltInGlobalInvocationId(0);                   \
    const ulong Items = __spirv_BuiltInGlobalSize(0);                          \
    const ulong Each = Count / Items + 1;                                      \
    const ulong Begin = Item * Each < Count ? Item * Each : Count;             \
    const ulong End = Count - Begin < Each ? Count : Begin + Each;             \
    type Least = (type)((1UL << (bits - 1)) - 1), Most = (type)~Least;         \
    for (ulong I = Begin; I < End; ++I) {                                      \
      Least = From[I] < Least ? From[I] : Least;                               \
      Most = From[I] > Most ? From[I] : Most;                                  \
    }                                                                          \
    To[Item * 2] = Least;                                                      \
    To[Item * 2 + 1] = Most;                                                   \
  }

CONTENTS(8, char)
CONTENTS(16, short)
CONTENTS(32, int)
CONTENTS(64, long)
