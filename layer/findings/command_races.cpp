//===- layer/findings/command_races.cpp - a race of commands as a finding -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/command_races.h"

#include "layer/findings/callers.h"
#include "layer/findings/describe.h"
#include "layer/objects/launch_log.h"
#include "layer/twin/twin_info.h"

using namespace warpsan;

static std::shared_ptr<const KernelInfo> infoOf(const Command &Of) {
  return Of.Kernel && Of.Kernel->Info ? Of.Kernel->Info->kernel(Of.Kernel->Name)
                                      : nullptr;
}

static RacingCommand describe(const Command &Of, const CommandAccess &Access) {
  using Kind = SiteInfo::Access;
  RacingCommand Out;
  Out.Call = Of.Call;
  Out.What = !Access.Writes  ? Kind::Read
             : Access.Atomic ? Kind::Atomic
                             : Kind::Write;
  if (!Of.Kernel)
    return Out;
  Out.Kernel = Of.Kernel->Name;
  if (const auto Info = infoOf(Of); Info && Access.Site < Info->Sites.size())
    Out.At = Info->Sites[Access.Site].At;
  return Out;
}

/// The kernel's argument that leads to the memory.
static void describeArgument(Finding &F, const Command &Of,
                             const CommandAccess &Access) {
  F.Kernel = Of.Kernel->Name;
  F.Launch.Device = Of.Kernel->Device;
  F.Root.What = RootInfo::Kind::Argument;
  F.Root.Arg = *Access.Arg;
  if (const auto Info = infoOf(Of)) {
    F.Cuda = Info->Cuda;
    if (F.Root.Arg < Info->Args.size())
      F.Arg = Info->Args[F.Root.Arg];
  }
}

/// Where \p Of was enqueued. Symbolized once.
static std::vector<HostFrame> framesOf(const Command &Of) {
  Finding Call = diagnoseCall(FindingKind::race_between_commands, Of.Call,
                              MemoryInfo(), 0);
  identifyCaller(Call, Of.Caller);
  return std::move(Call.Launch.Launched);
}

Finding warpsan::findingOf(const CommandRace &Race) {
  const Command &Later = *Race.Later, &Earlier = *Race.Earlier;
  const CommandAccess &New = Later.Accesses[Race.LaterAccess];
  const CommandAccess &Old = Earlier.Accesses[Race.EarlierAccess];
  Finding F = diagnoseCall(FindingKind::race_between_commands, Later.Call,
                           warpsan::infoOf(New.Of),
                           static_cast<int64_t>(Race.Bytes.First));
  F.Bytes = Race.Bytes.Last - Race.Bytes.First;
  F.Performed = true;
  if (Later.Kernel && New.Arg)
    describeArgument(F, Later, New);
  else if (Earlier.Kernel && Old.Arg)
    describeArgument(F, Earlier, Old);
  CommandRaceInfo &Info = F.Commands.emplace();
  Info.Later = ::describe(Later, New);
  Info.Earlier = ::describe(Earlier, Old);
  Info.SameQueue = Later.Queue == Earlier.Queue && !Race.IsMapped;
  Info.Mapped = Race.IsMapped;
  Info.Enqueued = framesOf(Earlier);
  return F;
}
