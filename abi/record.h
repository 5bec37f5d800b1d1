//===- abi/record.h - what a twin writes when a check fails ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by host (C++) and device (OpenCL C, device/report.cl). The record
// buffer is one WsRecordBuffer: a hash table whose keys are claimed with a
// compare-and-exchange by the first work-item of a launch that fails a check;
// it writes the details, all others only count. So a launch with a million bad
// work-items fills one entry a check.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_ABI_RECORD_H
#define WARPSAN_ABI_RECORD_H

#ifdef __OPENCL_C_VERSION__
typedef uint WsU32;
typedef ulong WsU64;
#define WS_ASSERT(Condition) _Static_assert(Condition, #Condition)
#else
#include <cstdint>
typedef uint32_t WsU32;
typedef uint64_t WsU64;
#define WS_ASSERT(Condition) static_assert(Condition)
#endif

/// Changes with any change to this file.
#define WS_RECORD_VERSION 10

/// Which test of an access failed. A check's number is its site's number times
/// WS_TESTS plus the test.
#define WS_TESTS 8
#define WS_TEST_BOUNDS 0 ///< outside of what it points into, or into nothing
#define WS_TEST_ALIGN 1  ///< not aligned for its type
#define WS_TEST_MEMBER 2 ///< outside of the member array that was indexed
#define WS_TEST_IMAGE 3  ///< coordinates outside of the image
#define WS_TEST_RIGHTS 4 ///< inside, but not to be read or not to be written
#define WS_TEST_SCOPE 5  ///< of a variable whose scope has ended
#define WS_TEST_OBJECT 6 ///< inside of a buffer, but of no marked object in it
/// The work-item failed WS_MOST_FAILURES checks in loops that end only on
/// loaded values, this one last, and has left its kernel.
#define WS_TEST_RUNAWAY 7
#define WS_MOST_FAILURES 100000

/// The numbers behind those of a kernel's sites are of its collective calls:
/// the work-items of a work-group were at different ones. All that were at the
/// first call report it. Offset has where the first of them and the first of
/// the others were (32 bits each, the former lower): the work-item's linear
/// local id, and in the lower WS_BRANCH_BITS one more than the last branch that
/// decided about a call, 0 if there was none. Size has how many work-items were
/// at each of the two. Bytes is the others' call, or WS_NO_COLLECTIVE: they
/// have left the region.
///
/// Or its test is WS_TEST_ARGUMENTS: an argument differs from that of the
/// work-item with linear local id 0. Offset is the argument, Size is that of
/// the other work-item, and Bytes is the argument's index among those compared.
#define WS_BRANCH_BITS 8
#define WS_TEST_ARGUMENTS 1
#define WS_NO_COLLECTIVE 0xFFFFFFFFu

/// An argument's size, as it is passed to a twin: bytes, and what must not be
/// done with them. No memory has 2^61 bytes.
#define WS_NOT_WRITABLE ((WsU64)1 << 63)
#define WS_NOT_READABLE ((WsU64)1 << 62)
/// The application has marked objects in it, or it is one (include/warpsan.h).
#define WS_MARKED ((WsU64)1 << 61)
#define WS_SIZE_BITS (WS_MARKED - 1)

/// Key of an entry: launch tag in the upper 12 bits, check in the lower 20. The
/// tag is the launch number modulo 4096, and launch numbers that are a multiple
/// of 4096 are not used, so that no key is 0.
#define WS_CHECK_BITS 20
/// A kernel has at most so many numbered places.
#define WS_MAX_SITES ((1U << WS_CHECK_BITS) / WS_TESTS)
#define WS_TAGS 4096

/// Which part of the NDRange failed: a bit for each cell of a grid. A cell has
/// a power of two of work-items in each dimension, as few as make the cells
/// fit: one, if no dimension has more than the grid. A cell's number has so
/// many bits of each dimension's, x lowest.
#define WS_HIT_CELLS 256
#define WS_HIT_BITS_X(Dimensions)                                              \
  ((Dimensions) == 1 ? 8U : (Dimensions) == 2 ? 4U : 3U)
#define WS_HIT_BITS_Y(Dimensions)                                              \
  ((Dimensions) == 1 ? 0U : (Dimensions) == 2 ? 4U : 3U)
#define WS_HIT_BITS_Z(Dimensions) ((Dimensions) < 3 ? 0U : 2U)
/// Those that the NDRange makes use of.
#define WS_HIT_DIMENSIONS(SizeY, SizeZ)                                        \
  ((SizeZ) > 1 ? 3U : (SizeY) > 1 ? 2U : 1U)

/// A cell has two to the power of this work-items in a dimension of \p Size.
static inline WsU32 wsHitShift(WsU64 Size, WsU32 Bits) {
  // Of an unsigned long, which has 64 bits on both sides.
  const WsU32 Used = 64 - (WsU32)__builtin_clzl((Size - 1) | 1);
  return Used > Bits ? Used - Bits : 0;
}

/// All numbers are of the access that came first.
typedef struct WsRecord {
  WsU32 Key;      ///< 0: free
  WsU32 Ready;    ///< 1: what follows, up to Last, is complete
  WsU32 Items;    ///< work-items of the launch that failed this check
  WsU32 Reserved; ///< 0
  // From here to Last 16 numbers of 64 bits, written by one store.
  WsU64 Launch; ///< the launch's number
  /// Bytes from the root's start, modulo 2^64. WS_TEST_MEMBER: from the
  /// member's start. WS_TEST_IMAGE: the coordinates' lowest 21 bits each.
  WsU64 Offset;
  /// Of the root as passed to the twin, rights included. WS_TEST_MEMBER: of the
  /// member, bytes. WS_TEST_IMAGE: width, height, depth, 21 bits each.
  WsU64 Size;
  WsU64 Bytes;   ///< bytes that the access touches
  WsU64 Address; ///< of the access; images: 0
  WsU32 Check;   ///< site * WS_TESTS + test
  WsU32 Root;    ///< index into the kernel's roots in the manifest
  WsU64 GlobalId[3];
  WsU64 GroupId[3];
  WsU32 LocalId[3];
  WsU32 LocalSize[3];
  WsU64 Last; ///< 0
  // By each work-item that failed.
  WsU32 Hit[WS_HIT_CELLS / 32];
} WsRecord;
WS_ASSERT(sizeof(WsRecord) == 176);

#define WS_RECORDS 1024
/// As large as OpenCL C's largest type, and in the buffer so aligned.
#define WS_ZERO_BYTES 128
/// How many places are tried for a key before the failure is only counted.
#define WS_PROBES 64

typedef struct WsRecordBuffer {
  WsU32 Version; ///< set by the host
  WsU32 Hits;    ///< goes up whenever a record is claimed or lost: the host
                 ///< looks at the rest only when this has changed
  WsU32 Lost;    ///< failed checks that found no free entry
  WsU32 Reserved[29];
  WsU32 Zeros[WS_ZERO_BYTES / 4]; ///< read in place of what must not be read
  WsRecord Records[WS_RECORDS];
} WsRecordBuffer;
WS_ASSERT(sizeof(WsRecordBuffer) == 256 + WS_RECORDS * sizeof(WsRecord));

#endif // WARPSAN_ABI_RECORD_H
