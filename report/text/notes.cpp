//===- report/text/notes.cpp - what each format says of a finding ---------===//
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
#include "text/format.h"
#include "text/names.h"

#include <algorithm>

using namespace warpsan;

namespace {

using Access = SiteInfo::Access;

constexpr size_t MostColumns = 94;

bool isImage(const Finding &F) {
  return F.Kind == FindingKind::out_of_bounds_image_read ||
         F.Kind == FindingKind::out_of_bounds_image_write;
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

/// "4 work-items are here, the first with local id 0".
std::string sideNote(const Finding &F, const DivergenceInfo::Side &Side,
                     const std::string &Where) {
  const Vocabulary &Words = wordsFor(F);
  const bool One = Side.Items == 1;
  return number(Side.Items) + " " + (One ? Words.Item : Words.Items) +
         (One ? " is " : " are ") + Where + ", " + (One ? "" : "the first ") +
         "with " + (F.Cuda ? "threadIdx " : "local id ") +
         position(Side.LocalId, dimensionsOf(F));
}

/// Where \p Other is, if \p Here is elsewhere: of a function that is called
/// twice, the call.
std::string otherPlace(const std::vector<SourcePlace> &Other,
                       const std::vector<SourcePlace> &Here) {
  for (size_t I = 0; I < Other.size(); ++I)
    if (I >= Here.size() || placeText(Other[I]) != placeText(Here[I]))
      return (I ? ", called at " : " at ") + placeText(Other[I]);
  return Other.empty() ? "" : " at " + placeText(Other.front());
}

/// Where others are, and which branch took them there.
std::string divergenceNote(const Finding &F) {
  const DivergenceInfo &Info = *F.Divergence;
  const std::string Where = Info.Other
                                ? "at " + printable(Info.Other->Builtin) +
                                      otherPlace(Info.Other->At, F.Site.At)
                                : "past it";
  std::string Out = sideNote(F, Info.There, Where);
  if (!Info.Branch.empty())
    Out +=
        ": the branch at " + placeText(Info.Branch.front()) + " is divergent";
  const uint64_t Rest = F.LocalSize[0] * F.LocalSize[1] * F.LocalSize[2] -
                        Info.Here.Items - Info.There.Items;
  if (Rest)
    Out +=
        "; " + number(Rest) + (Rest == 1 ? " is" : " are") + " at other calls";
  return Out;
}

/// "source is 8 bytes after that of local id 0".
std::string mismatchNote(const Finding &F) {
  const ArgumentMismatch &M = *F.Mismatch;
  const std::string First = std::string(F.Cuda ? "threadIdx " : "local id ") +
                            position({0, 0, 0}, dimensionsOf(F));
  const char *Verb = isPlural(M) ? " are " : " is ";
  const std::string Is = printable(M.Name) + Verb;
  if (!M.IsPointer)
    return Is + number(M.Here) + (isPlural(M) ? "; those of " : "; that of ") +
           First + Verb + number(M.First);
  const bool After = M.Here > M.First;
  return Is + bytes(After ? M.Here - M.First : M.First - M.Here) +
         (After ? " after that of " : " before that of ") + First;
}

/// "not ordered with the write at f.cl:3:5 by local id 4: no barrier with
/// CLK_LOCAL_MEM_FENCE is between them", "by local id 4 of group 2: work-groups
/// are not ordered by barriers".
std::string raceNote(const Finding &F) {
  const RaceInfo &Race = *F.Race;
  std::string Out = "an access";
  if (Race.Other)
    Out = Race.Other->What == Access::Read    ? "the read"
          : Race.Other->What == Access::Write ? "the write"
                                              : "the atomic";
  if (Race.Other && !Race.Other->At.empty())
    Out += " at " + placeText(Race.Other->At.front());
  Out += Race.LocalId
             ? std::string(F.Cuda ? " by threadIdx " : " by local id ") +
                   position(*Race.LocalId, dimensionsOf(F))
             : std::string(" by another ") + wordsFor(F).Item;
  if (Race.IsOtherGroup)
    Out += Race.GroupId ? (F.Cuda ? " of blockIdx " : " of group ") +
                              position(*Race.GroupId, dimensionsOf(F))
                        : std::string(" of another ") + wordsFor(F).Group;
  Out = "not ordered with " + Out + ": ";
  if (Race.IsOtherGroup)
    return Out + wordsFor(F).Group + "s are not ordered by barriers";
  const char *Fence = F.Arg && F.Memory.What != MemoryInfo::Kind::Local
                          ? "barrier with CLK_GLOBAL_MEM_FENCE"
                          : "barrier with CLK_LOCAL_MEM_FENCE";
  return Out + "no " + (F.Cuda ? "__syncthreads" : Fence) + " is between them";
}

/// "kernel scale writes them at f.cl:3:5", "clEnqueueReadBuffer reads them".
/// \p What: "them", the bytes.
std::string commandNote(const RacingCommand &Which, const std::string &When,
                        const std::string &What) {
  const char *Verb = Which.What == Access::Read    ? " reads"
                     : Which.What == Access::Write ? " writes"
                                                   : " updates";
  std::string Out =
      (Which.Kernel.empty() ? printable(Which.Call)
                            : "kernel " + printable(kernelName(Which.Kernel))) +
      When + Verb + " " + What;
  if (!Which.At.empty() && Which.At.front().Line)
    Out += " at " + placeText(Which.At.front());
  return Out;
}

/// Both commands, a line each, and what would order them.
std::string commandRaceNote(const Finding &F) {
  const CommandRaceInfo &Info = *F.Commands;
  const std::string What = F.Bytes == 1 ? "it" : "them";
  const std::string Later = commandNote(Info.Later, "", What) + "\n  ";
  if (Info.Mapped)
    return Later + printable(Info.Earlier.Call) + " has mapped " + What +
           (Info.Earlier.What == Access::Write ? " for writing" : "") +
           ", and no unmap is ordered before the command\n  enqueue "
           "clEnqueueUnmapMemObject first, and order the command after it";
  return Later +
         commandNote(Info.Earlier,
                     std::string(", enqueued earlier in ") +
                         (Info.SameQueue ? "the same out-of-order queue,"
                                         : "another queue,"),
                     What) +
         "\n  no event, barrier or wait orders the two commands: pass the "
         "event "
         "of one in the\n  wait list of the other, or wait for it on the host";
}

} // namespace

std::string warpsan::rawPlaceText(const SourcePlace &Place) {
  const std::string Line = Place.File + ":" + std::to_string(Place.Line);
  return Place.Column ? Line + ":" + std::to_string(Place.Column) : Line;
}

std::string warpsan::placeText(const SourcePlace &Place) {
  return printable(rawPlaceText(Place));
}

std::string warpsan::accessNote(const Finding &F, bool Addresses) {
  if (!F.Call.empty())
    return {};
  if (F.Canary)
    return canaryNote(F);
  if (F.Divergence)
    return sideNote(F, F.Divergence->Here, "here");
  if (F.Mismatch)
    return mismatchNote(F);
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
  bool Rooted = F.Root.What != RootInfo::Kind::Unknown &&
                F.Root.What != RootInfo::Kind::Null &&
                F.Kind != FindingKind::wild_pointer;
  if (Rooted)
    Out += " at byte " + signedNumber(F.Offset) + elementNote(F);
  if (Addresses)
    Out += ", address " + hex(F.Address);
  return Out;
}

static std::string wildNote(const Finding &F) {
  using Target = Finding::Target;
  const std::string Note = "the pointer refers to no live memory of the launch";
  switch (F.PointsTo) {
  case Target::Unknown:
    return Note;
  case Target::Unmapped:
    return Note + "; the process has no memory there";
  case Target::Process:
    return Note + "; the process has memory there, but not of an OpenCL "
                  "allocation that a kernel may use by address";
  case Target::Allocation:
    return Note + "; it points into shared virtual memory that the launch "
                  "cannot use";
  case Target::Freed:
    return Note + "; it points into shared virtual memory that was freed";
  }
  return Note;
}

std::string warpsan::reasonNote(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::out_of_bounds_read:
  case FindingKind::out_of_bounds_write:
  case FindingKind::out_of_bounds_atomic:
  case FindingKind::member_overflow:
  case FindingKind::canary_overwritten:
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
           " was already freed";
  case FindingKind::runaway_loop:
    return "the loop ends only on a loaded value, and loads that fail their "
           "check return zero: the work-item was stopped";
  case FindingKind::barrier_divergence:
    return F.Divergence ? divergenceNote(F) : "";
  case FindingKind::collective_mismatch:
    return "all " + std::string(wordsFor(F).Items) + " of a " +
           wordsFor(F).Group + " must call it with the same arguments";
  case FindingKind::data_race:
    return F.Race ? raceNote(F) : "";
  case FindingKind::use_after_scope:
    return scopeNote(F);
  case FindingKind::double_free:
    return "it was already freed";
  case FindingKind::use_after_release:
    if (F.Root.What != RootInfo::Kind::Argument)
      return "its last reference was already released";
    return "a kernel does not retain its arguments: they must live until its "
           "last launch";
  case FindingKind::free_while_in_use:
    return "the kernel was launched and has not completed: its arguments must "
           "live until then";
  case FindingKind::race_between_commands:
    return F.Commands ? commandRaceNote(F) : "";
  case FindingKind::leak:
    return "its context was released, but it was not";
  case FindingKind::over_release:
    return "its last reference was already released";
  case FindingKind::invalid_free:
    return F.Memory.What == MemoryInfo::Kind::None
               ? "the pointer is in no allocation"
               : "only an allocation's start can be freed";
  case FindingKind::wild_pointer:
    return wildNote(F);
  case FindingKind::out_of_bounds_image_read:
  case FindingKind::out_of_bounds_image_write:
    return (subjectOf(F).empty() ? "the image" : subjectOf(F)) + " is " +
           imageExtent(F);
  }
  return {};
}

std::string warpsan::followsNote(const Finding &F, size_t Columns) {
  if (!F.Follows)
    return {};
  std::string Out = "may follow from " + printable(F.Follows->Id);
  if (!F.Follows->Location.empty())
    Out += " at " + printable(F.Follows->Location);
  const std::string Why = "which failed and returned zero";
  return Out + (width(Out) + 2 + width(Why) <= Columns ? ", " : ",\n  ") + Why;
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
    return F.Kind == FindingKind::leak
               ? "It was not released before the process ended."
           : F.Memory.Object ? "The program continued."
           : F.Kind == FindingKind::free_while_in_use
               ? "The free was deferred; the program continued."
           : F.Performed ? "The call was passed on to the driver."
                         : "The call was skipped; the program continued.";
  if (F.Canary)
    return "The write was performed; the program continued.";
  if (F.Divergence)
    return F.Cuda ? "The block continued without it."
                  : "The work-group continued without it.";
  if (F.Mismatch)
    return "The call was made; the program continued.";
  if (F.Performed)
    return "The access was performed; the program continued.";
  switch (F.Site.What) {
  case Access::Read:
    return "The read returned zero; the program continued.";
  case Access::Write:
    return "The write was dropped; the program continued.";
  case Access::Atomic:
    return "The atomic had no effect and returned zero; the program continued.";
  }
  return "";
}
