//===- layer/findings/failed_reads.cpp - errors that other errors follow from
// ------------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/failed_reads.h"

#include <algorithm>
#include <utility>

using namespace warpsan;

static bool isOfAccess(const Finding &F) {
  return F.Call.empty() && !F.Canary && !F.Divergence && !F.Mismatch;
}

/// "file:line" of the access; empty: not known.
static std::string lineOf(const Finding &F) {
  if (F.Site.At.empty())
    return {};
  const SourcePlace &Place = F.Site.At.front();
  return Place.File + ":" + std::to_string(Place.Line);
}

/// For each of \p Sites whether \p Site depends on it.
static std::vector<bool> allThatDecide(uint32_t Site,
                                       const std::vector<SiteInfo> &Sites) {
  std::vector<bool> Decides(Sites.size(), false);
  std::vector<uint32_t> Todo = {Site};
  while (!Todo.empty()) {
    const uint32_t Of = Todo.back();
    Todo.pop_back();
    for (uint32_t Read : Sites[Of].DependsOn)
      if (!Decides[Read]) {
        Decides[Read] = true;
        Todo.push_back(Read);
      }
  }
  return Decides;
}

void FailedReads::note(const Finding &F, uint32_t Site) {
  // A loop that runs away has a finding of its read, too.
  if (!isOfAccess(F) || F.Performed || F.Site.What == SiteInfo::Access::Write ||
      F.Kind == FindingKind::runaway_loop)
    return;
  auto *Of = std::ranges::find(Launches, F.Launch.Number, &Launch::Number);
  if (Of == Launches.end()) {
    Of = &Launches[Next];
    Next = (Next + 1) % Launches.size();
    *Of = {F.Launch.Number, {}};
  }
  std::vector<Read> &Reads = Of->Reads;
  if (Reads.size() < MaxReads &&
      std::ranges::find(Reads, Site, &Read::Site) == Reads.end())
    Reads.push_back({Site, {F.Id, lineOf(F)}});
}

std::optional<Finding::FailedRead>
FailedReads::causeOf(const Finding &F, uint32_t Site,
                     const KernelInfo &Kernel) const {
  const auto *Of =
      std::ranges::find(Launches, F.Launch.Number, &Launch::Number);
  if (Of == Launches.end() || !isOfAccess(F) || Site >= Kernel.Sites.size())
    return std::nullopt;
  std::vector<bool> Decides = allThatDecide(Site, Kernel.Sites);
  Decides[Site] = F.Kind == FindingKind::runaway_loop;
  for (const Read &Each : Of->Reads)
    if (Each.Site < Decides.size() && Decides[Each.Site])
      return Each.Failed;
  return std::nullopt;
}
