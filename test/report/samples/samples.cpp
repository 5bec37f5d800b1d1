//===- test/report/samples/samples.cpp - findings to test with ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

#include <ostream>
#include <stdexcept>

using namespace warpsan;
using namespace warpsan::samples;

using Access = SiteInfo::Access;
using RootKind = RootInfo::Kind;
using MemoryKind = MemoryInfo::Kind;

Case::Case() {
  Kernel.Name = "copy";
  Kernel.Args = {{"dest", "float*", "global", false}};
  RootInfo Root;
  Root.What = RootKind::Argument;
  Root.Name = "dest";
  Root.Type = "float*";
  Root.Element = 4;
  Kernel.Roots = {Root};
  Kernel.Sites.resize(1);
  site().Space = "global";
  site().Align = 4;
  site().At = {{"copy.cl", 7, 3, "copy", 0}};

  Launch.LaunchedBy = "clEnqueueNDRangeKernel";
  Launch.Global = {64, 1, 1};
  Launch.Local = {16, 1, 1};
  Launch.Device = "cpu-haswell";
  MemoryInfo Memory;
  Memory.What = MemoryKind::Buffer;
  Memory.CreatedBy = "clCreateBuffer";
  Launch.Args = {Memory};

  Record.Ready = 1;
  Record.Items = 1;
  Record.GlobalId[0] = 16;
  Record.GroupId[0] = 1;
  Record.LocalSize[0] = 16;
  Record.LocalSize[1] = Record.LocalSize[2] = 1;
  launch(12);
  size(64);
  access(Access::Write, "float", 4, 64);
}

void Case::access(Access What, const char *Type, uint64_t Bytes,
                  int64_t Offset) {
  site().What = What;
  site().Type = Type;
  site().Bytes = Record.Bytes = Bytes;
  Record.Offset = static_cast<uint64_t>(Offset);
  Record.Address = 0x7F3A10000000 + Record.Offset;
}

void Case::size(uint64_t Bytes) { memory().Size = Record.Size = Bytes; }

void Case::test(uint32_t Test) {
  Record.Check = Record.Check / WS_TESTS * WS_TESTS + Test;
  launch(Launch.Number);
}

void Case::launch(uint64_t Number) {
  Record.Launch = Launch.Number = Number;
  Record.Key =
      static_cast<uint32_t>(Number % WS_TAGS) << WS_CHECK_BITS | Record.Check;
}

void Case::variable(RootKind What, const char *Name, const char *Type,
                    uint64_t Size, uint64_t Element) {
  root().What = What;
  root().Name = Name;
  root().Type = Type;
  root().Size = Record.Size = Size;
  root().Element = Element;
}

void Case::source(uint32_t FirstLine, std::vector<std::string> Lines,
                  uint32_t Column) {
  site().At.front().Line = FirstLine + static_cast<uint32_t>(Lines.size()) - 1;
  site().At.front().Column = Column;
  Excerpt = SourceExcerpt{FirstLine, std::move(Lines)};
}

void Case::backtraces() {
  memory().Created = {{"make_buffers", "tuner.cpp", 88, "/opt/bin/tuner", 4660},
                      {"main", "tuner.cpp", 212, "/opt/bin/tuner", 8192}};
  Launch.Launched = {{"run_once", "tuner.cpp", 140, "/opt/bin/tuner", 9320},
                     {"main", "tuner.cpp", 219, "/opt/bin/tuner", 8256}};
}

std::optional<Finding> Case::tryFinding() const {
  if (Call)
    return Call;
  std::optional<Finding> F =
      Canary ? diagnoseCanary(*Canary, CanaryAt, Kernel.Name, 0,
                              Launch.Args.front(), Launch)
             : diagnose(Record, Kernel, Launch);
  if (F) {
    F->Excerpt = Excerpt;
    F->Refuted = Refuted;
    F->PointsTo = PointsTo;
    F->Follows = Follows;
    F->Program = Program;
  }
  return F;
}

Finding Case::finding() const {
  std::optional<Finding> F = tryFinding();
  if (!F)
    throw std::logic_error("the sample's record was refused");
  return *F;
}

//===----------------------------------------------------------------------===//
// Out of bounds: where it fell, in which memory
//===----------------------------------------------------------------------===//

static Case farWrite() {
  Case C;
  C.Kernel.Name = "CopyTile";
  C.Kernel.Args = {{"ld", "int", "value", false},
                   {"src", "float*", "global", true},
                   {"dest", "float*", "global", false}};
  C.root().Arg = 2;
  MemoryInfo Dest = C.memory();
  Dest.Size = C.Record.Size = 16892;
  Dest.Created = {{"make_buffers", "tuner.cpp", 88, "/opt/bin/tuner", 4660},
                  {"main", "tuner.cpp", 212, "/opt/bin/tuner", 8192}};
  C.backtraces();
  C.Launch.Args = {MemoryInfo(), C.memory(), Dest};
  C.access(Access::Write, "float", 4, 20480);
  C.site().At = {{"copy.cl", 41, 26, "store_tile", 0},
                 {"copy.cl", 58, 3, "CopyTile", 0}};
  C.source(39,
           {"  for (int w = 0; w < WPT; ++w) {",
            "    int row = (get_group_id(1) * WPT + w) * DIMY + "
            "get_local_id(1);",
            "    dest[row * ld + col] = tile[w];"},
           26);
  C.Launch.Dimensions = 2;
  C.Launch.Global = {64, 16, 1};
  C.Launch.Local = {8, 16, 1};
  C.Record.Items = 512;
  C.Record.GlobalId[0] = 0;
  C.Record.GlobalId[1] = C.Record.LocalId[1] = 15;
  C.Record.GroupId[0] = 0;
  C.Record.LocalSize[0] = 8;
  C.Record.LocalSize[1] = 16;
  for (size_t Word = 4; Word < 8; ++Word) // rows 8 to 15, all of them
    C.Record.Hit[Word] = UINT32_MAX;
  return C;
}

static Case adjacentRead() {
  Case C;
  C.access(Access::Read, "float", 4, 64);
  C.arg() = {"src", "float*", "global", true};
  C.source(5,
           {"  int i = get_global_id(0);", "  // the last one has no neighbor",
            "  dest[i] = 0.5f * (src[i] + src[i + 1]);"},
           30);
  C.backtraces();
  C.Launch.Global = {16, 1, 1};
  C.Launch.Local = {0, 0, 0};
  C.Record.GlobalId[0] = C.Record.LocalId[0] = 15;
  C.Record.GroupId[0] = 0;
  return C;
}

/// Stencil code: each work-item of the first row reads above the image.
static Case beforeTheStart() {
  Case C;
  C.access(Access::Read, "uchar", 1, -512);
  C.arg() = {"pixels", "uchar*", "global", true};
  C.root().Element = 1;
  C.size(4096);
  C.source(12,
           {"\tint x = get_global_id(0);", "",
            "\tint up = pixels[(y - 1) * width + x];"},
           11);
  C.Record.Items = 2;
  C.Launch.Dimensions = 2;
  C.Launch.Global = {512, 8, 1};
  C.Launch.Offset = {0, 0, 0};
  C.Record.GlobalId[0] = 0;
  C.Record.GroupId[0] = 0;
  return C;
}

static Case straddlingVload() {
  Case C;
  C.access(Access::Read, "float4", 16, 56);
  C.site().Builtin = "vload4";
  C.arg() = {"src", "float*", "global", true};
  C.source(7, {"  float4 v = vload4(0, src + i);"}, 14);
  return C;
}

static Case atomicInLocalArgument() {
  Case C;
  C.access(Access::Atomic, "int", 4, 1024);
  C.site().Builtin = "atomic_inc";
  C.site().Space = "local";
  C.arg() = {"histogram", "int*", "local", false};
  C.memory() = {};
  C.memory().What = MemoryKind::Local;
  C.size(1024);
  C.source(20, {"  atomic_inc(&histogram[value]);"}, 3);
  C.Launch.Offset = {128, 0, 0};
  C.Record.GlobalId[0] = 144;
  C.Record.Items = 7;
  return C;
}

static Case localVariable() {
  Case C;
  C.variable(RootKind::Local, "tile", "float[16][17]", 1088, 4);
  C.root().Declared = {{"transpose.cl", 4, 17, "copy", 0}};
  C.access(Access::Write, "float", 4, 1092);
  C.site().Space = "local";
  C.site().At = {{"transpose.cl", 9, 22, "copy", 0}};
  C.source(9, {"  tile[ly + 1][lx + 1] = src[y * w + x];"}, 24);
  C.Launch.Dimensions = 2;
  C.Launch.Global = {64, 64, 1};
  C.Launch.Local = {16, 16, 1};
  C.Record.GlobalId[0] = 31;
  C.Record.GlobalId[1] = 15;
  C.Record.LocalId[0] = C.Record.LocalId[1] = 15;
  C.Record.GroupId[0] = 1;
  C.Record.LocalSize[1] = 16;
  C.Record.Items = 496;
  C.backtraces();
  return C;
}

/// The index comes from data and wraps around 2^32.
static Case privateVariableFarBefore() {
  Case C;
  C.variable(RootKind::Private, "counts", "uint[4]", 16, 4);
  C.root().Declared = {{"sort.cl", 31, 8, "rank", 0}};
  C.access(Access::Read, "uint", 4, -17179869184);
  C.site().Space = "private";
  C.site().At = {{"sort.cl", 36, 12, "digit_of", 0},
                 {"sort.cl", 44, 10, "rank", 0},
                 {"sort.cl", 71, 14, "scan_and_scatter_the_keys", 0},
                 {"sort.cl", 90, 3, "copy", 0}};
  C.source(36, {"    return counts[digit - base];"}, 12);
  return C;
}

/// Everything long: line, path, names, stacks; with addresses.
static Case subBuffer() {
  Case C;
  C.memory().What = MemoryKind::SubBuffer;
  C.memory().CreatedBy = "clCreateSubBuffer";
  C.memory().SubOffset = 256;
  C.memory().ParentSize = 4096;
  C.memory().WriteOnly = true;
  C.size(256);
  C.access(Access::Write, "double", 8, 17179869440);
  C.root().Element = 8;
  C.arg().Type = "double*";
  C.arg().Name = "intermediate_sums_of_rows";
  C.source(102,
           {"  size_t group = get_group_id(0), first = group * "
            "ELEMENTS_OF_A_GROUP, last = first + ELEMENTS_OF_A_GROUP;",
            "  if (get_local_id(0) == 0 && group < number_of_groups && "
            "last_of_group_is_complete(first, last)) "
            "intermediate_sums_of_rows[group] = partial[0] + partial[1];"},
           132);
  C.site().At.front().File = "kernels/reduction/two_stage/sums.cl";
  for (unsigned I = 0; I < 11; ++I)
    C.Launch.Launched.push_back({"frame_" + std::to_string(I), "src/reduce.cpp",
                                 100 + I, "/opt/bin/reduce", 0x1000 + 16 * I});
  C.memory().Created = {
      {"", "", 0, "/usr/lib/libnumbers.so.2", 0x5A1C},
      {"std::vector<numbers::Part, std::allocator<numbers::Part>>::resize", "",
       0, "/usr/lib/libnumbers.so.2", 0x5B00},
      {"void (anonymous namespace)::sum<float>(int, std::function<void (int)>)",
       "", 0, "/usr/lib/libnumbers.so.2", 0x5C00}};
  C.Style.Addresses = true;
  return C;
}

/// SPIR-V without names or debug information, a host program without symbols.
static Case nothingKnown() {
  Case C;
  C.arg() = {"", "", "global", false};
  C.root() = {};
  C.root().What = RootKind::Argument;
  C.site().Type.clear();
  C.site().At.clear();
  C.memory().CreatedBy.clear();
  C.Launch.LaunchedBy.clear();
  C.Launch.Device.clear();
  C.access(Access::Read, "", 16, 60);
  return C;
}

// NOLINTNEXTLINE(readability-identifier-naming)
void samples::PrintTo(const Sample &S, std::ostream *Out) { *Out << S.Name; }

/// As a narrow terminal shows it.
static Case narrow(Case C) {
  C.Style.Columns = 60;
  return C;
}

std::vector<Sample> samples::all() {
  std::vector<Sample> Samples = {
      {"far_write", farWrite()},
      {"adjacent_read", adjacentRead()},
      {"before_the_start", beforeTheStart()},
      {"straddling_vload", straddlingVload()},
      {"atomic_in_local_argument", atomicInLocalArgument()},
      {"local_variable", localVariable()},
      {"private_variable_far_before", privateVariableFarBefore()},
      {"sub_buffer_everything_long", subBuffer()},
      {"sub_buffer_narrow", narrow(subBuffer())},
      {"nothing_known", nothingKnown()},
  };
  addKinds(Samples);
  addCalls(Samples);
  addCuda(Samples);
  addObjects(Samples);
  addPython(Samples);
  return Samples;
}
