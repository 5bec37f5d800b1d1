//===- report/parts.h - the parts of a text report ------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_PARTS_H
#define WARPSAN_REPORT_PARTS_H

#include "report/report.h"

#include <string>
#include <vector>

namespace warpsan {

/// What the access was checked against, as a sentence calls it: "'dest'",
/// "argument 2", "a local variable"; empty if nothing is known of it.
std::string subjectOf(const Finding &F);

/// Its name alone, printable; empty if it has none.
std::string labelOf(const Finding &F);

/// True if the argument's name is a plural (compiler/ir/collectives.def).
bool isPlural(const ArgumentMismatch &M);

/// "(64, 3)"; empty if the record's bits cannot be the true coordinates.
std::string coordinatesOf(const Finding &F);

/// "64 x 32": as many numbers as the image has dimensions.
std::string imageExtent(const Finding &F);

/// "cudaMalloc memory"; \p Kind if no runtime made it.
std::string allocationOf(const Finding &F, const char *Kind);

/// CUDA's `extern __shared__`: a last argument that the source does not have.
bool isDynamicShared(const Finding &F);

/// "'dest' is argument 2, __global float *: a buffer, read and write"; empty if
/// nothing is known. Long ones are broken in two.
std::string memoryLine(const Finding &F, size_t Columns);

/// "it lies 16 bytes into another allocation of 4,096 bytes, created at
/// main.cpp:12"; empty if nothing is known of where it lies.
std::string nearLine(const Finding &F);

/// Whether the access is in a source that the API gave no name
/// (text/names.h).
bool isInUnnamedSource(const Finding &F);

/// "of program 2, created at saxpy.c:31", to follow the name of an unnamed
/// source; empty if the source has a name or nothing is known of the program.
std::string programNote(const Finding &F);

/// The first of \p Frames that is neither of a package nor of a system header
/// and has a file and a line, or else the first that has; null if none has.
const HostFrame *callerIn(const std::vector<HostFrame> &Frames);

/// "copy.cl:41:26"; raw: not escaped.
std::string rawPlaceText(const SourcePlace &Place);
std::string placeText(const SourcePlace &Place);

/// "vload4 reads 16 bytes (float4) at byte 56, element 14"; empty for calls.
std::string accessNote(const Finding &F, bool Addresses);

/// What was wrong with it: "'dest' has 16,892 bytes, elements 0 to 4,222".
std::string reasonNote(const Finding &F);

/// "may follow from ws-0123456789abcdef at copy.cl:12, which failed and
/// returned zero", or two lines if \p Columns are too few; empty: nothing is
/// known that it could follow from.
std::string followsNote(const Finding &F, size_t Columns);

/// "of global 64 x 16, local 8 x 16", "of grid 4, block 256".
std::string rangeOf(const Finding &F);

/// "work-item 3   local 3   group 0", "threadIdx.x 3   blockIdx.x 0".
std::string itemOf(const Finding &F);

/// What was done about it, a sentence.
const char *outcomeOf(const Finding &F);
/// Whose mistake a refuted proof is, and what to do; empty: it is none.
const char *refutedNote(const Finding &F);

/// What the host did, by frames.
struct HostTrace {
  const char *Verb; ///< created, freed, released, earlier, launched, called
  std::string Call; ///< printable; may be empty
  struct Frame {
    std::string Function, Place; ///< printable; one of them may be empty
    size_t Folded = 0;           ///< frames left out behind it
  };
  std::vector<Frame> Frames; ///< innermost first
};

/// Those of which something is known, in the order they happened.
std::vector<HostTrace> hostTracesOf(const Finding &F, bool Offsets);

/// The same as text; several lines, or none.
std::string backtracesText(const Finding &F, const TextStyle &Style,
                           size_t Indent);

} // namespace warpsan

#endif // WARPSAN_REPORT_PARTS_H
