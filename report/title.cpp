//===- report/title.cpp - a finding's first line --------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/parts.h"
#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

#include <algorithm>

using namespace warpsan;

namespace {

/// "just past the end", "12 of its 16 bytes past the end".
std::string whereItFell(const Finding &F) {
  switch (F.Fell) {
  case Finding::Where::Before:
    return bytes(F.Distance) + " before the start";
  case Finding::Where::Straddles:
    return number(F.Distance) + " of its " + bytes(F.Bytes) + " past the end";
  case Finding::Where::Past:
    return F.Distance ? bytes(F.Distance) + " past the end"
                      : "just past the end";
  case Finding::Where::None:
    break;
  }
  return {};
}

/// "read of 4 bytes".
std::string accessOfBytes(const Finding &F) {
  std::string Out = F.Site.What == SiteInfo::Access::Read    ? "read"
                    : F.Site.What == SiteInfo::Access::Write ? "write"
                                                             : "atomic";
  if (F.Bytes)
    Out += (F.Site.What == SiteInfo::Access::Atomic ? " on " : " of ") +
           bytes(F.Bytes);
  return Out;
}

/// "bytes 64 to 127", "byte 64".
std::string bytesOf(const Finding &F) {
  const std::string First = signedNumber(F.Offset);
  return F.Bytes > 1 ? "bytes " + First + " to " +
                           signedNumber(static_cast<int64_t>(
                               static_cast<uint64_t>(F.Offset) + F.Bytes - 1))
                     : "byte " + First;
}

/// "4 of 16 work-items of a work-group reach it".
std::string reachedBy(const Finding &F) {
  const Vocabulary &Words = wordsFor(F);
  const std::array<uint64_t, 3> &Size = F.LocalSize;
  const uint64_t Here = F.Divergence->Here.Items;
  return number(Here) + " of " + number(Size[0] * Size[1] * Size[2]) + " " +
         Words.Items + " of a " + Words.Group + " reach" +
         (Here == 1 ? "es" : "") + " " +
         (F.Site.Builtin.empty() ? "it" : printable(F.Site.Builtin));
}

std::string details(const Finding &F) {
  const std::string Subject = subjectOf(F);
  const std::string Of = Subject.empty() ? "" : " of " + Subject;
  const std::string Through = Subject.empty() ? "" : " through " + Subject;
  const std::string AtByte = " at byte " + signedNumber(F.Offset) + Of;
  switch (F.Kind) {
  case FindingKind::out_of_bounds_read:
  case FindingKind::out_of_bounds_write:
  case FindingKind::out_of_bounds_atomic:
  case FindingKind::member_overflow:
    return F.Fell == Finding::Where::None ? bytes(F.Bytes) + AtByte
                                          : whereItFell(F) + Of;
  case FindingKind::null_pointer:
  case FindingKind::wild_pointer:
    return accessOfBytes(F) + Through;
  case FindingKind::runaway_loop:
    return "stopped after " + number(WS_MOST_FAILURES) + " failed checks";
  case FindingKind::barrier_divergence:
    return F.Divergence ? reachedBy(F) : "";
  case FindingKind::collective_mismatch:
    return F.Mismatch
               ? "the " + printable(F.Mismatch->Name) + " of " +
                     (F.Site.Builtin.empty() ? std::string("a call")
                                             : printable(F.Site.Builtin)) +
                     (isPlural(*F.Mismatch) ? " differ" : " differs") +
                     " in a " + wordsFor(F).Group
               : "";
  case FindingKind::use_after_scope:
  case FindingKind::data_race:
    return accessOfBytes(F) + AtByte;
  case FindingKind::misaligned:
    // Of a pointer that came from nowhere only the address is known.
    return accessOfBytes(F) + (Subject.empty() ? "" : AtByte);
  case FindingKind::write_to_read_only:
  case FindingKind::read_of_write_only:
  case FindingKind::write_to_const:
  case FindingKind::use_after_free:
    return (F.Bytes ? bytes(F.Bytes) : "") + AtByte;
  case FindingKind::canary_overwritten:
    return bytes(F.Bytes) + (F.Distance ? " from " : " ") + whereItFell(F) + Of;
  case FindingKind::double_free:
  case FindingKind::over_release:
    return Subject;
  case FindingKind::free_while_in_use:
  case FindingKind::use_after_release:
    return Subject +
           (F.Root.What == RootInfo::Kind::Argument
                ? " of kernel " + printable(kernelName(F.Kernel))
                : " in " + printable(asCalled(F.Call, F.Launch.Launched).Call));
  case FindingKind::race_between_commands:
    return bytesOf(F) + (F.Root.What == RootInfo::Kind::Heap &&
                                 F.Memory.What == MemoryInfo::Kind::Buffer
                             ? " of a buffer"
                             : Of);
  case FindingKind::leak:
    return bytes(F.Size) + Of +
           (F.Items > 1 ? " and " + number(F.Items - 1) + " more" : "");
  case FindingKind::invalid_free:
    return F.Memory.What == MemoryInfo::Kind::None
               ? "of memory that is not OpenCL's"
               : "at byte " + signedNumber(F.Offset) + " of " +
                     (F.Memory.ReleasedBy.empty() ? "" : "freed ") + Subject;
  case FindingKind::out_of_bounds_image_read:
  case FindingKind::out_of_bounds_image_write: {
    std::string At = coordinatesOf(F);
    if (At.empty())
      return Subject;
    return "at " + At + Of + " (" + imageExtent(F) + ")";
  }
  }
  return {};
}

/// Numbers that the image's type has: "image2d_array_t" has three. Where the
/// type is not known, those that say something.
uint32_t imageDimensions(const Finding &F) {
  const std::string Type = F.Arg ? F.Arg->Type : "";
  uint32_t Array = Type.find("_array") != std::string::npos ? 1 : 0;
  for (uint32_t D = 1; D <= 3; ++D)
    if (Type.find("image" + std::to_string(D) + "d") != std::string::npos)
      return std::min(D + Array, 3U);
  for (uint32_t D = 3; D > 1; --D)
    if (F.ImageSize[D - 1] > 1 || F.Coordinates[D - 1] != 0)
      return D;
  return 1;
}

const char *variableKind(const Finding &F) {
  const Vocabulary &Words = wordsFor(F);
  switch (F.Root.What) {
  case RootInfo::Kind::Local:
    return Words.Local;
  case RootInfo::Kind::Private:
    return Words.Private;
  case RootInfo::Kind::Constant:
    return Words.Constant;
  case RootInfo::Kind::Program:
    return Words.Program;
  default:
    return "";
  }
}

} // namespace

/// Of an object.
static bool isInBuffer(const MemoryInfo &Memory) {
  return Memory.What == MemoryInfo::Kind::Buffer;
}

bool warpsan::isPlural(const ArgumentMismatch &M) {
  return M.Name == "flags" || M.Name == "memory semantics";
}

std::string warpsan::labelOf(const Finding &F) {
  if (F.Kind == FindingKind::member_overflow && !F.Site.Member.empty())
    return printable(F.Site.Member);
  // An argument is not the object, unless it points to it.
  if (F.Memory.Object && (!F.Memory.Name.empty() || isInBuffer(F.Memory)))
    return printable(F.Memory.Name);
  if (F.Arg && !F.Arg->Name.empty())
    return printable(F.Arg->Name);
  return printable(F.Root.Name);
}

static const char *memoryName(MemoryInfo::Kind What) {
  switch (What) {
  case MemoryInfo::Kind::Program:
    return "program";
  case MemoryInfo::Kind::Kernel:
    return "kernel";
  case MemoryInfo::Kind::Queue:
    return "command queue";
  case MemoryInfo::Kind::Context:
    return "context";
  case MemoryInfo::Kind::Sampler:
    return "sampler";
  case MemoryInfo::Kind::Buffer:
    return "buffer";
  case MemoryInfo::Kind::SubBuffer:
    return "sub-buffer";
  case MemoryInfo::Kind::Image:
    return "image";
  case MemoryInfo::Kind::SVM:
    return "shared virtual memory";
  case MemoryInfo::Kind::USM:
    return "unified shared memory";
  case MemoryInfo::Kind::Local:
  case MemoryInfo::Kind::None:
    break;
  }
  return "";
}

/// A canary is behind the whole buffer, whatever part of it the argument is.
static bool isBehindWhole(const Finding &F) {
  return F.Kind == FindingKind::canary_overwritten &&
         F.Memory.What == MemoryInfo::Kind::SubBuffer;
}

/// "'pool'", "shared virtual memory".
static std::string poolOf(const Finding &F) {
  if (!isInBuffer(F.Memory))
    return memoryName(F.Memory.What);
  if (F.Arg && !F.Arg->Name.empty())
    return warpsan::quoted(F.Arg->Name);
  return F.Arg ? "argument " + number(F.Root.Arg) : "a buffer";
}

std::string warpsan::subjectOf(const Finding &F) {
  const std::string Label = labelOf(F);
  if (F.Memory.Object && F.Kind != FindingKind::member_overflow &&
      (Label.empty() || !F.Memory.Name.empty()))
    return !Label.empty() ? "object '" + Label + "'"
                          : "the object at byte " + number(F.Memory.SubOffset) +
                                " of " + poolOf(F);
  if (!Label.empty())
    return "'" + Label + "'";
  if (F.Kind == FindingKind::member_overflow)
    return "the member";
  if (isDynamicShared(F))
    return "dynamic __shared__ memory";
  if (F.Root.ByValue)
    return "argument " + number(F.Root.Arg);
  if (F.Root.What == RootInfo::Kind::Argument)
    return (isBehindWhole(F) ? "the buffer around argument " : "argument ") +
           number(F.Root.Arg);
  if (F.Root.What == RootInfo::Kind::Heap)
    return allocationOf(F, memoryName(F.Memory.What)) +
           (F.Kernel.empty() || F.Memory.What != MemoryInfo::Kind::Kernel
                ? ""
                : " " + warpsan::quoted(kernelName(F.Kernel)));
  return variableKind(F);
}

std::string warpsan::coordinatesOf(const Finding &F) {
  const uint32_t Dimensions = imageDimensions(F);
  bool Outside = false;
  std::string Out;
  for (uint32_t I = 0; I < Dimensions; ++I) {
    Outside |= F.Coordinates[I] < 0 ||
               static_cast<uint64_t>(F.Coordinates[I]) >= F.ImageSize[I];
    Out += (I ? ", " : "") + signedNumber(F.Coordinates[I]);
  }
  // A record keeps the lowest bits only. Where those would be inside, the true
  // ones are not known.
  if (!Outside)
    return {};
  return Dimensions > 1 ? "(" + Out + ")" : Out;
}

std::string warpsan::imageExtent(const Finding &F) {
  uint32_t Dimensions = imageDimensions(F);
  return Dimensions > 1 ? extent(F.ImageSize, Dimensions)
                        : count(F.ImageSize[0], "pixel", "pixels") + " wide";
}

std::string warpsan::titleOf(const Finding &F) {
  std::string Out = F.Refuted ? "refuted proof: " : "";
  Out += titleOf(F.Kind);
  if (std::string Details = details(F); !Details.empty())
    Out += ", " + Details;
  return Out;
}

std::string warpsan::locationOf(const Finding &F) {
  return F.Site.At.empty() || !F.Site.At.front().Line
             ? std::string()
             : rawPlaceText(F.Site.At.front());
}
