//===- compiler/last_words.h - a Product even from a compile that dies ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang, LLVM and the translator may end the process: report_fatal_error, a
// failed assertion, a segmentation fault, memory running out. Once armed, such
// an end writes a Product whose Reason says what happened and in which phase.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_LAST_WORDS_H
#define WARPSAN_COMPILER_LAST_WORDS_H

#include <cstdint>

namespace warpsan {

/// From now on this process's death writes a Product to \p Descriptor and exits
/// with code 0. \p MemoryBytes is the limit in force (0 = none), for the text.
void armLastWords(int Descriptor, uint64_t MemoryBytes);

/// After this the Product is somebody else's to write.
void disarmLastWords();

/// \p Phase must live forever (a literal).
void setPhaseForLastWords(const char *Phase);

} // namespace warpsan

#endif // WARPSAN_COMPILER_LAST_WORDS_H
