//===- report/text.cpp - a finding as a person reads it -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Top down, so that one can stop as soon as one knows enough: what happened,
// where in the source, which memory, who and how often, who made the memory,
// what was done about it. What is not known leaves no trace.
//
//===----------------------------------------------------------------------===//
#include "report/excerpt.h"
#include "report/parts.h"
#include "report/picture.h"
#include "report/vocabulary.h"
#include "words/names.h"
#include "words/words.h"

#include <algorithm>

using namespace warpsan;

namespace {

using Access = SiteFacts::Access;

constexpr size_t MostColumns = 94;

std::string titleLine(const Finding &F, const Paint &Brush) {
  const std::string Start = "WarpSan: ";
  const std::string Title = titleOf(F);
  size_t Has = width(Start) + width(Title) + width(F.Id);
  size_t Gap = Has + 2 < MostColumns ? MostColumns - Has : 2;
  return Brush.strong(Start) + Brush.error(Title) + std::string(Gap, ' ') +
         Brush.faint(printable(F.Id)) + "\n";
}

std::string placeText(const SourcePlace &Place) {
  std::string Out = printable(Place.File) + ":" + std::to_string(Place.Line);
  return Place.Column ? Out + ":" + std::to_string(Place.Column) : Out;
}

/// "kernel K at f.cl:4:3", or with the functions that were inlined:
/// "kernel K, in put at f.cl:4:3, called at f.cl:20:5".
std::string kernelLines(const Finding &F) {
  const std::vector<SourcePlace> &At = F.Site.At;
  if (!F.Call.empty())
    return "  in " + printable(asCalled(F.Call, F.Launch.Launched).Call) + "\n";
  std::string Line = "  kernel " + printable(kernelName(F.Kernel));
  if (At.empty())
    return Line + "\n";
  if (At.size() == 1)
    return Line + " at " + placeText(At.front()) + "\n";
  std::string Out;
  for (size_t I = 0; I < At.size(); ++I) {
    const bool InKernel = I + 1 == At.size();
    std::string Part = I ? "called" : "in";
    if (!InKernel && !At[I].Function.empty())
      Part += (I ? " by " : " ") + printable(At[I].Function);
    if (I || !At[I].Function.empty())
      Part += " ";
    else
      Part.clear();
    Part += "at " + placeText(At[I]);
    if (I && width(Line) + 2 + width(Part) > MostColumns) {
      Out += Line + ",\n";
      Line = "    " + Part;
    } else {
      Line += ", " + Part;
    }
  }
  return Out + Line + "\n";
}

bool isImage(const Finding &F) {
  return F.Kind == FindingKind::image_read ||
         F.Kind == FindingKind::image_write;
}

/// "00 00 80 3f"; long ones are cut.
std::string hexBytes(const std::vector<uint8_t> &Bytes) {
  constexpr size_t Most = 16;
  std::string Out;
  for (size_t I = 0; I < std::min(Bytes.size(), Most); ++I) {
    constexpr const char *Digits = "0123456789abcdef";
    Out += I ? " " : "";
    Out += Digits[Bytes[I] >> 4];
    Out += Digits[Bytes[I] & 15];
  }
  return Bytes.size() > Most ? Out + " ..." : Out;
}

/// "bytes 64 to 67 became 00 00 80 3f".
std::string canaryNote(const Finding &F) {
  const std::string First = signedNumber(F.Offset);
  std::string Out =
      F.Bytes > 1
          ? "bytes " + First + " to " +
                signedNumber(F.Offset + static_cast<int64_t>(F.Bytes - 1))
          : "byte " + First;
  Out += " became " + hexBytes(F.Canary->Is);
  const std::string Was =
      (F.Bytes > 1 ? "they were " : "it was ") + hexBytes(F.Canary->Was);
  const bool Fits = width(Out) + 2 + width(Was) <= MostColumns - 2;
  return Out + (Fits ? "; " : ";\n  ") + Was;
}

/// "vload4 reads 16 bytes (float4) at byte 56, element 14".
std::string accessNote(const Finding &F, const TextStyle &Style) {
  if (!F.Call.empty())
    return {};
  if (F.Canary)
    return canaryNote(F);
  const std::string Builtin = printable(F.Site.Builtin);
  std::string Out = Builtin.empty() ? "" : Builtin + " ";
  if (F.Site.What == Access::Atomic)
    Out = (Builtin.empty() ? "an atomic" : Builtin) + (F.Bytes ? " on" : "");
  else
    Out += F.Site.What == Access::Read ? "reads" : "writes";
  if (isImage(F)) {
    std::string At = coordinatesOf(F);
    return At.empty() ? Out + " outside" : Out + " at " + At;
  }
  if (F.Bytes)
    Out += " " + bytes(F.Bytes);
  if (!F.Site.Type.empty())
    Out += " (" + printable(F.Site.Type) + ")";
  // Where nothing is known of the root an offset says nothing.
  bool Rooted = F.Root.What != RootFacts::Kind::Unknown &&
                F.Root.What != RootFacts::Kind::Null &&
                F.Kind != FindingKind::wild_pointer;
  if (Rooted) {
    Out += " at byte " + signedNumber(F.Offset);
    if (F.Element)
      Out += ", element " + signedNumber(*F.Element);
  }
  if (Style.Addresses)
    Out += ", address " + hex(F.Address);
  return Out;
}

/// "'dest' has 16,892 bytes, elements 0 to 4,222".
std::string sizeNote(const Finding &F) {
  std::string Out = subjectOf(F) + " has " + bytes(F.Size);
  uint64_t Elements = F.ElementSize ? F.Size / F.ElementSize : 0;
  if (Elements == 1)
    Out += ", element 0";
  else if (Elements > 1)
    Out += ", elements 0 to " + number(Elements - 1);
  return Out;
}

std::string alignNote(const Finding &F) {
  if (F.Site.Align < 2)
    return {};
  std::string Out = F.Site.Type.empty() ? "it" : printable(F.Site.Type);
  Out += " needs an address that is a multiple of " + number(F.Site.Align);
  if (uint64_t More = F.Address % F.Site.Align)
    Out += "; this one is " + bytes(More) + " past one";
  return Out;
}

std::string constNote(const Finding &F) {
  if (F.Arg && F.Arg->Const && F.Arg->Kind != "constant")
    return subjectOf(F) + " is declared as a pointer to const";
  return subjectOf(F) + (F.Arg ? " points to constant memory" : " is constant");
}

/// "the scope of 'x' had ended, at f.cl:12:3".
std::string scopeNote(const Finding &F) {
  const std::vector<SourcePlace> &End = F.Root.Ended;
  const std::string Subject = subjectOf(F);
  std::string Out = "the scope of " +
                    (Subject.empty() ? "the variable" : Subject) + " had ended";
  if (!End.empty() && End.front().Line)
    Out += ", at " + placeText(End.front());
  return Out;
}

/// What was wrong with it.
std::string reasonNote(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::out_of_bounds_read:
  case FindingKind::out_of_bounds_write:
  case FindingKind::out_of_bounds_atomic:
  case FindingKind::member_overflow:
  case FindingKind::overwritten:
    return sizeNote(F);
  case FindingKind::null_pointer:
    return F.Arg ? subjectOf(F) + " was set to NULL" : "the pointer is null";
  case FindingKind::misaligned:
    return alignNote(F);
  case FindingKind::write_to_read_only:
    return subjectOf(F) + " was created with CL_MEM_READ_ONLY";
  case FindingKind::read_of_write_only:
    return subjectOf(F) + " was created with CL_MEM_WRITE_ONLY";
  case FindingKind::write_to_const:
    return constNote(F);
  case FindingKind::use_after_free:
    return (subjectOf(F).empty() ? "the memory" : subjectOf(F)) +
           " was freed before";
  case FindingKind::use_after_scope:
    return scopeNote(F);
  case FindingKind::double_free:
    return "it was freed before";
  case FindingKind::use_after_release:
    if (F.Root.What != RootFacts::Kind::Argument)
      return "its last reference went before";
    return "a kernel does not keep its arguments: they must live until its "
           "last launch";
  case FindingKind::freed_in_use:
    return "the kernel was launched and is not complete: what it was given "
           "must live until then";
  case FindingKind::leak:
    return "its context was released, it was not";
  case FindingKind::released_too_often:
    return "its last reference went before";
  case FindingKind::invalid_free:
    return F.Memory.What == MemoryFacts::Kind::None
               ? "the pointer is in no allocation"
               : "only an allocation's start can be freed";
  case FindingKind::wild_pointer:
    return "the pointer points into no live memory of the launch";
  case FindingKind::image_read:
  case FindingKind::image_write:
    return (subjectOf(F).empty() ? "the image" : subjectOf(F)) + " is " +
           imageExtent(F);
  }
  return {};
}

/// The source with the notes beside it, or the notes alone.
std::string sourceSection(const Finding &F, const TextStyle &Style,
                          const Paint &Brush) {
  std::vector<std::string> Notes = {accessNote(F, Style), reasonNote(F)};
  std::erase(Notes, "");
  if (F.Excerpt && !F.Site.At.empty()) {
    const SourcePlace &Place = F.Site.At.front();
    std::string Out =
        excerptText(*F.Excerpt, Place.Line, Place.Column, Notes, Brush);
    if (!Out.empty())
      return Out;
  }
  std::string Out;
  for (const std::string &Note : Notes)
    Out += "  " + Note + "\n";
  return Out;
}

std::string pictureSection(const Finding &F, const Paint &Brush) {
  std::string Picture = pictureOf(F, labelOf(F), Brush);
  return Picture.empty() ? "" : "  " + Picture + "\n";
}

/// "of global 64 x 16, local 8 x 16", "of grid 4, block 256".
std::string rangeOf(const Finding &F) {
  const uint32_t Dimensions = dimensionsOf(F);
  if (F.Cuda)
    return "of grid " + extent(gridOf(F), Dimensions) + ", block " +
           extent(blockOf(F), Dimensions);
  std::string Out = "of global " + extent(F.Launch.Global, Dimensions);
  if (F.Launch.Local[0] || !F.Canary)
    Out += ", local " + extent(blockOf(F), Dimensions);
  if (F.Launch.Offset != std::array<uint64_t, 3>{0, 0, 0})
    Out += ", offset " + position(F.Launch.Offset, Dimensions);
  return Out;
}

/// "work-item 3   local 3   group 0", "threadIdx.x 3   blockIdx.x 0".
std::string itemOf(const Finding &F) {
  const uint32_t Dimensions = dimensionsOf(F);
  const std::string Local = position(F.LocalId, Dimensions);
  const std::string Group = position(F.GroupId, Dimensions);
  const std::string Of = Dimensions == 1 ? ".x " : " ";
  if (F.Cuda)
    return "threadIdx" + Of + Local + "   blockIdx" + Of + Group;
  return "work-item " + position(F.GlobalId, Dimensions) + "   local " + Local +
         "   group " + Group;
}

std::string workItemSection(const Finding &F) {
  if (!F.Call.empty())
    return {};
  const Vocabulary &Words = wordsFor(F);
  const std::string Range = rangeOf(F);
  if (F.Canary)
    return std::string("  a ") + Words.Item + " " + Range +
           "; which one is not known\n";
  std::string Line = "  " + itemOf(F);
  Line += width(Line) + 3 + width(Range) <= MostColumns ? "   " : "\n  ";
  Line += Range + "\n";
  if (F.Items > 1)
    Line += "  and " + number(F.Items - 1) + " more " +
            (F.Items == 2 ? Words.Item : Words.Items) + " in this launch\n";
  return Line;
}

const char *outcome(const Finding &F) {
  if (!F.Call.empty())
    return F.Kind == FindingKind::leak ? "It was still there at the end."
           : F.Kind == FindingKind::freed_in_use
               ? "The driver was not told yet; the program went on."
           : F.Made ? "The call was passed on to the driver."
                    : "The call was left out; the program went on.";
  if (F.Canary)
    return "The write was made; the program went on.";
  if (F.Made)
    return "The access was let through; the program went on.";
  switch (F.Site.What) {
  case Access::Read:
    return "The read gave zero; the program went on.";
  case Access::Write:
    return "The write was dropped; the program went on.";
  case Access::Atomic:
    return "The atomic did nothing and gave zero; the program went on.";
  }
  return "";
}

/// How it was seen, and what that leaves open.
std::string canarySection(const Finding &F) {
  if (!F.Canary)
    return {};
  std::string Out = "  Seen by a canary after the launch had ended.\n";
  if (!F.Canary->Alone)
    Out +=
        "  Another launch with the same memory was under way, and it may have "
        "been that one.\n";
  return Out +
         "  The kernel could not be instrumented: " + printable(F.Canary->Why) +
         "\n";
}

std::string memorySection(const Finding &F, const TextStyle &Style) {
  std::string Line = memoryLine(F);
  return (Line.empty() ? "" : "  " + Line + "\n") +
         backtracesText(F, Style, Line.empty() ? 2 : 4) + canarySection(F) +
         "  " + outcome(F) + "\n";
}

} // namespace

std::string warpsan::textOf(const Finding &F, const TextStyle &Style) {
  const Paint Brush{Style.Colour};
  std::string Out = titleLine(F, Brush) + kernelLines(F);
  for (const std::string &Section :
       {sourceSection(F, Style, Brush), pictureSection(F, Brush),
        workItemSection(F), memorySection(F, Style)})
    if (!Section.empty())
      Out += "\n" + Section;
  return Out;
}
