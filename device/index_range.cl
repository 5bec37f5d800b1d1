//===- device/index_range.cl - the least and greatest of what memory has --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that the layer launches itself (layer/launch/index_ranges.h), linked into twins
// whose accesses may be proven by what index buffers contain.
//
//===----------------------------------------------------------------------===//

// SPIR-V's own names: the translator takes them in programs of any language.
#define OVERLOADABLE __attribute__((overloadable))
ulong OVERLOADABLE __spirv_BuiltInGlobalInvocationId(int Dimension);
ulong OVERLOADABLE __spirv_BuiltInGlobalSize(int Dimension);

/// Of Count elements, Length of them from First on of every Stride; all counted
/// in elements. The last such row may be cut off: what is there may be read.
/// Each work-item looks at some rows and writes two numbers; the host looks at
/// those.
#define CONTENTS(bits, type)                                                   \
  __kernel void warpsan_contents_##bits(                                       \
      __global const type *From, ulong Count, ulong Stride, ulong First,       \
      ulong Length, __global long *To) {                                       \
    const ulong Item = __spirv_BuiltInGlobalInvocationId(0);                   \
    const ulong Items = __spirv_BuiltInGlobalSize(0);                          \
    const ulong Rows = Count > First ? (Count - First - 1) / Stride + 1 : 0;   \
    const ulong Each = Rows / Items + 1;                                       \
    ulong Row = Item * Each < Rows ? Item * Each : Rows;                       \
    const ulong Last = Rows - Row < Each ? Rows : Row + Each;                  \
    type Least = (type)((1UL << (bits - 1)) - 1), Most = (type)~Least;         \
    while (Row < Last) {                                                       \
      /* Rows without gaps are one: a loop that drivers vectorize. */          \
      const ulong Together = Stride == Length ? Last - Row : 1;                \
      const ulong Begin = Row * Stride + First;                                \
      const ulong Long = Together * Length;                                    \
      const ulong End = Count - Begin < Long ? Count : Begin + Long;           \
      for (ulong I = Begin; I < End; ++I) {                                    \
        Least = From[I] < Least ? From[I] : Least;                             \
        Most = From[I] > Most ? From[I] : Most;                                \
      }                                                                        \
      Row += Together;                                                         \
    }                                                                          \
    To[Item * 2] = Least;                                                      \
    To[Item * 2 + 1] = Most;                                                   \
  }

CONTENTS(8, char)
CONTENTS(16, short)
CONTENTS(32, int)
CONTENTS(64, long)
