//===- compiler/last_words.h - an answer even from a compile that dies ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang, LLVM and the translator may end the process: report_fatal_error, a
// segmentation fault, memory running out, and (the translator, on what it
// cannot express) a plain exit(). Once armed, such an end tells its reason and
// in which phase it happened.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_LAST_WORDS_H
#define WARPSAN_COMPILER_LAST_WORDS_H

#include <cstdint>
#include <string>

namespace warpsan {

/// Told why the process is about to end. Runs in signal handlers and with a
/// broken heap: it must not allocate. It need not return.
using Epitaph = void (*)(const char *Reason);

/// From now on this process's death calls \p Tell. \p MemoryBytes is the limit
/// in force (0 = none), for the text.
void armLastWords(Epitaph Tell, uint64_t MemoryBytes);

/// From now on the process ends as it would without all this.
void disarmLastWords();

/// \p Phase must live forever (a literal): "compiling OpenCL C".
void setPhaseForLastWords(const char *Phase);
const char *phaseForLastWords();

/// Sends what the libraries print to standard error to a file in memory, for
/// the log and for last words. Returns a descriptor of the real one.
int captureStandardError();
/// What has been captured so far.
std::string capturedStandardError();

/// Writes a serialized Product that has nothing but a Reason. Does not
/// allocate.
void writeRefusal(int Descriptor, const char *Reason);

} // namespace warpsan

#endif // WARPSAN_COMPILER_LAST_WORDS_H
