//===- report/notes.cpp - what each format says of a finding --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sentences of a report: beside the source, of the work-item, of what was
// done about it.
//
//===----------------------------------------------------------------------===//
#include "report/parts.h"
#include "report/vocabulary.h"
#include "words/words.h"

#include <algorithm>

using namespace warpsan;

namespace {

using Access = SiteFacts::Access;

constexpr size_t MostColumns = 94;

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

/// The last of \p Bytes bytes from \p First on; findings that were read can say
/// anything, so modulo 2^64.
int64_t last(int64_t First, uint64_t Bytes) {
  return static_cast<int64_t>(static_cast<uint64_t>(First) + Bytes - 1);
}

/// "bytes 64 to 67 became 00 00 80 3f".
std::string canaryNote(const Finding &F) {
  const std::string First = signedNumber(F.Offset);
  std::string Out = F.Bytes > 1 ? "bytes " + First + " to " +
                                      signedNumber(last(F.Offset, F.Bytes))
                                : "byte " + First;
  Out += " became " + hexBytes(F.Canary->Is);
  const std::string Was =
      (F.Bytes > 1 ? "they were " : "it was ") + hexBytes(F.Canary->Was);
  const bool Fits = width(Out) + 2 + width(Was) <= MostColumns - 2;
  return Out + (Fits ? "; " : ";\n  ") + Was;
}

/// ", element 640, member 'value'", ", byte 4 of element 640".
std::string elementNote(const Finding &F) {
  if (!F.Element)
    return {};
  const std::string Which = "element " + signedNumber(*F.Element);
  if (!F.ElementMember.empty())
    return ", " + Which + ", member '" + printable(F.ElementMember) + "'";
  return F.ElementOffset ? ", byte " + number(F.ElementOffset) + " of " + Which
                         : ", " + Which;
}

/// "'dest' has 16,892 bytes, elements 0 to 4,222".
std::string sizeNote(const Finding &F) {
  if (F.Fell == Finding::Where::None)
    return subjectOf(F) + " has no object there";
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

} // namespace

std::string warpsan::placeText(const SourcePlace &Place) {
  std::string Out = printable(Place.File) + ":" + std::to_string(Place.Line);
  return Place.Column ? Out + ":" + std::to_string(Place.Column) : Out;
}

std::string warpsan::accessNote(const Finding &F, bool Addresses) {
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
  if (Rooted)
    Out += " at byte " + signedNumber(F.Offset) + elementNote(F);
  if (Addresses)
    Out += ", address " + hex(F.Address);
  return Out;
}

std::string warpsan::reasonNote(const Finding &F) {
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
  case FindingKind::runaway_loop:
    return "the loop ends only on a loaded value, and loads that fail their "
           "check return zero: the work-item left the kernel";
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

std::string warpsan::rangeOf(const Finding &F) {
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

std::string warpsan::itemOf(const Finding &F) {
  const uint32_t Dimensions = dimensionsOf(F);
  const std::string Local = position(F.LocalId, Dimensions);
  const std::string Group = position(F.GroupId, Dimensions);
  const std::string Of = Dimensions == 1 ? ".x " : " ";
  if (F.Cuda)
    return "threadIdx" + Of + Local + "   blockIdx" + Of + Group;
  return "work-item " + position(F.GlobalId, Dimensions) + "   local " + Local +
         "   group " + Group;
}

const char *warpsan::refutedNote(const Finding &F) {
  return F.Refuted
             ? "WarpSan had proven that this access is in bounds, and without "
               "--checks=audit would not have found it. That is a defect of "
               "WarpSan: please report it, with this text and the kernel's "
               "source."
             : "";
}

const char *warpsan::outcomeOf(const Finding &F) {
  if (!F.Call.empty())
    return F.Kind == FindingKind::leak ? "It was still there at the end."
           : F.Memory.Object           ? "The program went on."
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
