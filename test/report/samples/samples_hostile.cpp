//===- test/report/samples/samples_hostile.cpp - names that are not names -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

using namespace warpsan;

namespace {

const std::string Bad =
    std::string("\x1b[31m</pre><script>alert(1)</script></script></style>"
                "</title><img src=x onerror=alert()>`{{<!--&amp;\"'\r\n]]>") +
    '\0' + "\xff\xfe\xc3(\xed\xa0\x80\xef\xbf\xbf\xe2\x80\xae../../etc %41 ";

void spoil(std::vector<SourcePlace> &Places) {
  for (SourcePlace &Place : Places) {
    Place.File += Bad;
    Place.Function += Bad;
    Place.Column = UINT32_MAX;
  }
}

void spoil(std::vector<HostFrame> &Frames) {
  for (HostFrame &Frame : Frames) {
    Frame.File += Bad;
    Frame.Function += Bad;
    Frame.Module += Bad;
    Frame.Line = UINT32_MAX;
    Frame.Offset = UINT64_MAX;
  }
  if (Frames.empty())
    Frames.push_back({Bad, Bad, 0, Bad, 0});
}

} // namespace

std::string samples::hostileText() { return Bad; }

Finding samples::hostile(Finding F) {
  for (std::string *Name :
       {&F.Kernel, &F.Site.Space, &F.Site.Builtin, &F.Site.Type, &F.Site.Member,
        &F.Root.Name, &F.Root.Type, &F.Memory.CreatedBy, &F.Memory.ReleasedBy,
        &F.Memory.Variable, &F.Memory.Name, &F.Launch.LaunchedBy,
        &F.Launch.Device, &F.Process.Program})
    *Name += Bad;
  if (!F.Call.empty())
    F.Call += Bad;
  if (F.Arg) {
    F.Arg->Name += Bad;
    F.Arg->Type += Bad;
    F.Arg->Kind += Bad;
  }
  if (F.Excerpt)
    for (std::string &Line : F.Excerpt->Lines)
      Line = Bad + Line;
  if (F.Canary)
    F.Canary->Why += Bad;
  F.Follows = {F.Id, Bad + ":1"};
  for (auto *Places : {&F.Site.At, &F.Root.Declared, &F.Root.Ended})
    spoil(*Places);
  for (auto *Frames :
       {&F.Memory.Created, &F.Memory.Released, &F.Launch.Launched})
    spoil(*Frames);
  for (Neighbor &Near : F.Memory.Near) {
    Near.CreatedBy += Bad;
    spoil(Near.Created);
  }
  F.Items = F.Bytes = F.Size = F.Address = UINT64_MAX;
  F.Offset = INT64_MIN;
  return F;
}

uint64_t samples::anyNumber(std::mt19937_64 &Random) {
  switch (Random() % 6) {
  case 0:
    return Random() % 80;
  case 1:
    return 0 - Random() % 80;
  case 2:
    return (uint64_t{1} << Random() % 64) + Random() % 3 - 1;
  case 3:
    return Random() >> Random() % 64;
  case 4:
    return UINT64_MAX;
  default:
    return Random();
  }
}
