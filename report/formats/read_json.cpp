//===- report/formats/read_json.cpp - a finding out of its JSON line ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/formats/read_json.h"

#include "report/formats/json_names.h"
#include "status/json_fields.h"
#include "text/format.h"

#include <algorithm>
#include <charconv>
#include <system_error>

using namespace warpsan;

namespace {

template <typename Enum, size_t N>
void readName(const JsonFields &From, const char *Name,
              const JsonName<Enum> (&Table)[N], Enum &To) {
  std::string Text;
  From.read(Name, Text);
  if (Text.empty()) // missing or null
    return;
  if (std::optional<Enum> Value = byJsonName(Table, Text))
    To = *Value;
  else
    From.complain(Name, "is " + warpsan::quoted(Text.substr(0, 40)) +
                            ", which this version does not know");
}

void readId(const JsonFields &From, std::string &To) {
  From.read("id", To);
  const bool Good =
      To.size() == 19 && To.starts_with("ws-") &&
      To.find_first_not_of("0123456789abcdef", 3) == std::string::npos;
  if (!Good)
    From.complain("id", "is not ws- and 16 hexadecimal digits");
}

void readPlaces(const JsonFields &From, const char *Name,
                std::vector<SourcePlace> &To) {
  From.each(Name, [&To](const JsonFields &In) {
    SourcePlace &Place = To.emplace_back();
    In.read("file", Place.File);
    In.read("line", Place.Line);
    In.read("column", Place.Column);
    In.read("function", Place.Function);
  });
}

void readFrames(const JsonFields &From, const char *Name,
                std::vector<HostFrame> &To) {
  From.each(Name, [&To](const JsonFields &In) {
    HostFrame &Frame = To.emplace_back();
    In.read("function", Frame.Function);
    In.read("file", Frame.File);
    In.read("line", Frame.Line);
    In.read("module", Frame.Module);
    In.read("offset", Frame.Offset);
    In.read("python", Frame.Python);
  });
}

void readCommand(const JsonFields &In, RacingCommand &To) {
  In.read("call", To.Call);
  In.read("kernel", To.Kernel);
  readName(In, "access", AccessNames, To.What);
  readPlaces(In, "at", To.At);
}

void readSite(const JsonFields &In, SiteInfo &Site) {
  readName(In, "access", AccessNames, Site.What);
  In.read("space", Site.Space);
  In.read("builtin", Site.Builtin);
  In.read("type", Site.Type);
  In.read("bytes", Site.Bytes);
  In.read("align", Site.Align);
  In.read("member", Site.Member);
  In.read("member_element", Site.MemberElement);
  readPlaces(In, "at", Site.At);
  In.read("order", Site.Order);
}

void readRoot(const JsonFields &In, RootInfo &Root) {
  readName(In, "kind", RootNames, Root.What);
  std::optional<uint32_t> Arg;
  In.readIfAny("arg", Arg);
  Root.Arg = Arg.value_or(0);
  Root.ByValue = Arg && Root.What == RootInfo::Kind::Private;
  In.read("name", Root.Name);
  In.read("type", Root.Type);
  In.read("size", Root.Size);
  In.read("element", Root.Element);
  readPlaces(In, "declared", Root.Declared);
  readPlaces(In, "ended", Root.Ended);
}

/// Its index is the root's.
void readArg(const JsonFields &In, ArgInfo &Arg) {
  In.read("name", Arg.Name);
  In.read("type", Arg.Type);
  In.read("kind", Arg.Kind);
  In.read("const", Arg.Const);
}

void readMemory(const JsonFields &In, MemoryInfo &Memory) {
  readName(In, "kind", MemoryNames, Memory.What);
  In.read("size", Memory.Size);
  In.read("read_only", Memory.ReadOnly);
  In.read("write_only", Memory.WriteOnly);
  In.read("object", Memory.Object);
  In.read("name", Memory.Name);
  In.read("sub_offset", Memory.SubOffset);
  In.read("parent_size", Memory.ParentSize);
  In.read("variable", Memory.Variable);
  In.read("created_by", Memory.CreatedBy);
  readFrames(In, "created", Memory.Created);
  In.read("released_by", Memory.ReleasedBy);
  readFrames(In, "released", Memory.Released);
  In.each("neighbors", [&Memory](const JsonFields &Of) {
    Neighbor &Near = Memory.Near.emplace_back();
    Of.read("offset", Near.Offset);
    Of.read("size", Near.Size);
    Of.read("created_by", Near.CreatedBy);
    readFrames(Of, "created", Near.Created);
    Of.read("freed", Near.Freed);
    Of.read("touched", Near.Touched);
  });
}

void readLaunch(const JsonFields &In, LaunchInfo &Launch) {
  In.read("number", Launch.Number);
  In.read("by", Launch.LaunchedBy);
  In.read("dimensions", Launch.Dimensions);
  In.read("offset", Launch.Offset);
  In.read("global", Launch.Global);
  In.read("local", Launch.Local);
  In.read("device", Launch.Device);
  readFrames(In, "launched", Launch.Launched);
}

void readProgram(const JsonFields &In, ProgramInfo &Program) {
  In.read("number", Program.Number);
  In.read("created_by", Program.CreatedBy);
  readFrames(In, "created", Program.Created);
}

int digitOf(char C) {
  if (C >= '0' && C <= '9')
    return C - '0';
  return C >= 'a' && C <= 'f' ? C - 'a' + 10 : -1;
}

void readBytes(const JsonFields &In, const char *Name,
               std::vector<uint8_t> &To) {
  std::string Text;
  In.read(Name, Text);
  bool Good = Text.size() % 2 == 0;
  for (size_t I = 0; Good && I < Text.size(); I += 2) {
    const int High = digitOf(Text[I]), Low = digitOf(Text[I + 1]);
    Good = High >= 0 && Low >= 0;
    To.push_back(static_cast<uint8_t>(High * 16 + Low));
  }
  if (!Good)
    In.complain(Name, "is not bytes in hexadecimal");
}

void readCanary(const JsonFields &In, CanaryInfo &Canary) {
  In.read("why", Canary.Why);
  readBytes(In, "was", Canary.Was);
  readBytes(In, "is", Canary.Is);
  In.read("alone", Canary.Alone);
}

/// The first cell is the lowest bit of the first byte.
void readHits(const JsonFields &In, std::optional<HitMap> &To) {
  HitMap Map;
  std::vector<uint8_t> Bytes;
  In.read("cells", Map.Cells);
  In.read("each", Map.Each);
  readBytes(In, "bits", Bytes);
  // As many as there are cells, as far as that is a number of cells at all.
  const uint64_t Cells = uint64_t{Map.Cells[0]} * Map.Cells[1];
  const uint64_t All = Cells > WS_HIT_CELLS ? 0 : Cells * Map.Cells[2];
  if (All == 0 || All > WS_HIT_CELLS || Bytes.size() != (All + 7) / 8)
    return In.complain("bits", "are not one for each cell");
  for (size_t I = 0; I < All; ++I)
    Map.Hit.push_back(Bytes[I / 8] >> I % 8 & 1);
  if (!Map.isValid())
    return In.complain("cells", "are no map of an NDRange");
  To = std::move(Map);
}

void readAddress(const JsonFields &From, uint64_t &To) {
  std::string Text;
  From.read("address", Text);
  if (Text.empty())
    return;
  const char *End = Text.data() + Text.size();
  bool Good = Text.starts_with("0x") && Text.size() > 2;
  if (Good) {
    auto [Read, Error] = std::from_chars(Text.data() + 2, End, To, 16);
    Good = Read == End && Error == std::errc();
  }
  if (!Good)
    From.complain("address", "is not a number in hexadecimal");
}

/// Renderers divide by it.
void readLocalSize(const JsonFields &From, std::array<uint64_t, 3> &To) {
  From.read("local_size", To);
  if (std::ranges::count(To, uint64_t{0}))
    From.complain("local_size", "has a zero");
}

void readDivergence(const JsonFields &In, DivergenceInfo &Info) {
  auto ReadSide = [&](const char *Name, DivergenceInfo::Side &Side) {
    In.inside(Name, [&Side](const JsonFields &Of) {
      Of.read("items", Side.Items);
      Of.read("local_id", Side.LocalId);
    });
  };
  ReadSide("here", Info.Here);
  ReadSide("there", Info.There);
  In.inside("other", [&Info](const JsonFields &Of) {
    CollectiveInfo &Other = Info.Other.emplace();
    Of.read("builtin", Other.Builtin);
    readPlaces(Of, "at", Other.At);
  });
  readPlaces(In, "branch", Info.Branch);
}

void readFinding(const JsonFields &From, CollectedFinding &To) {
  Finding &F = To.First;
  readId(From, F.Id);
  From.read("fingerprint", F.Fingerprint);
  if (!From.find("kind"))
    From.complain("kind", "is missing");
  readName(From, "kind", KindNames, F.Kind);
  From.read("kernel", F.Kernel);
  From.read("call", F.Call);
  From.inside("site", [&F](const JsonFields &In) { readSite(In, F.Site); });
  From.inside("root", [&F](const JsonFields &In) { readRoot(In, F.Root); });
  From.inside("arg",
              [&F](const JsonFields &In) { readArg(In, F.Arg.emplace()); });
  From.inside("memory",
              [&F](const JsonFields &In) { readMemory(In, F.Memory); });
  From.read("size", F.Size);
  From.read("image_size", F.ImageSize);
  From.read("offset", F.Offset);
  From.read("coordinates", F.Coordinates);
  From.read("performed", F.Performed);
  From.read("bytes", F.Bytes);
  if (const auto *Where = From.find("where"); Where && !Where->is_null())
    readName(From, "where", WhereNames, F.Fell);
  From.read("distance", F.Distance);
  From.readIfAny("element", F.Element);
  From.read("element_size", F.ElementSize);
  From.read("element_offset", F.ElementOffset);
  From.read("element_member", F.ElementMember);
  readAddress(From, F.Address);
  if (const auto *Target = From.find("points_to"); Target && !Target->is_null())
    readName(From, "points_to", TargetNames, F.PointsTo);
  From.inside("follows", [&F](const JsonFields &In) {
    Finding::FailedRead &Failed = F.Follows.emplace();
    readId(In, Failed.Id);
    In.read("location", Failed.Location);
  });
  From.read("global_id", F.GlobalId);
  From.read("local_id", F.LocalId);
  From.read("group_id", F.GroupId);
  readLocalSize(From, F.LocalSize);
  From.inside("program",
              [&F](const JsonFields &In) { readProgram(In, F.Program); });
  From.inside("launch",
              [&F](const JsonFields &In) { readLaunch(In, F.Launch); });
  From.read("items", F.Items);
  From.inside("hits", [&F](const JsonFields &In) { readHits(In, F.Hits); });
  From.inside("excerpt", [&F](const JsonFields &In) {
    SourceExcerpt &Excerpt = F.Excerpt.emplace();
    In.read("first_line", Excerpt.FirstLine);
    In.read("lines", Excerpt.Lines);
  });
  From.inside("canary", [&F](const JsonFields &In) {
    readCanary(In, F.Canary.emplace());
  });
  From.inside("divergence", [&F](const JsonFields &In) {
    readDivergence(In, F.Divergence.emplace());
  });
  From.inside("mismatch", [&F](const JsonFields &In) {
    ArgumentMismatch &Mismatch = F.Mismatch.emplace();
    In.read("argument", Mismatch.Name);
    In.read("pointer", Mismatch.IsPointer);
    In.read("here", Mismatch.Here);
    In.read("first", Mismatch.First);
  });
  From.inside("race", [&F](const JsonFields &In) {
    RaceInfo &Race = F.Race.emplace();
    In.inside("other", [&Race](const JsonFields &Of) {
      readSite(Of, Race.Other.emplace());
    });
    In.readIfAny("local_id", Race.LocalId);
    In.read("other_group", Race.IsOtherGroup);
    In.readIfAny("group_id", Race.GroupId);
  });
  From.inside("commands", [&F](const JsonFields &In) {
    CommandRaceInfo &Info = F.Commands.emplace();
    In.inside("later",
              [&](const JsonFields &Of) { readCommand(Of, Info.Later); });
    In.inside("earlier",
              [&](const JsonFields &Of) { readCommand(Of, Info.Earlier); });
    readFrames(In, "enqueued", Info.Enqueued);
    In.read("same_queue", Info.SameQueue);
    In.read("mapped", Info.Mapped);
  });
  From.inside("refuted", [&F](const JsonFields &In) {
    RefutedProof &Refuted = F.Refuted.emplace();
    In.read("claims", Refuted.Claims);
    In.read("values", Refuted.Values);
  });
  From.read("cuda", F.Cuda);
  From.inside("process", [&F](const JsonFields &In) {
    In.read("pid", F.Process.Pid);
    In.read("program", F.Process.Program);
  });
  From.inside("merged", [&To](const JsonFields &In) {
    In.read("launches", To.Launches);
    In.read("items", To.Items);
    In.read("processes", To.Processes);
  });
}

} // namespace

FindingsLine warpsan::readLine(std::string_view Text) {
  std::string Problem;
  const nlohmann::json Object = parseObject(Text, Problem);
  if (!Problem.empty())
    return LineProblem{Problem};
  const JsonFields Fields(Object, "", Problem);
  std::string Schema, Type;
  Fields.read("schema", Schema);
  if (Schema == SummarySchema) {
    ReadSummary Read = readSummary(Text);
    if (Read.Problem.empty())
      return std::move(Read.Sum);
    return LineProblem{Read.Problem};
  }
  if (Schema != FindingsSchema)
    return LineProblem{"its schema is neither " + std::string(FindingsSchema) +
                       " nor " + SummarySchema};
  Fields.read("type", Type);
  FindingsLine Line;
  if (Type == "finding") {
    readFinding(Fields, Line.emplace<CollectedFinding>());
  } else if (Type == "repeat") {
    auto &Again = Line.emplace<AgainLine>();
    readId(Fields, Again.Id);
    Fields.read("fingerprint", Again.Fingerprint);
    Fields.read("launch", Again.Launch);
    Fields.read("items", Again.Items);
    Fields.read("pid", Again.Pid);
  } else {
    Fields.complain("type", "is neither finding nor again");
  }
  return Problem.empty() ? Line : LineProblem{Problem};
}
