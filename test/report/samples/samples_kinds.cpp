//===- test/report/samples/samples_kinds.cpp - findings of the other kinds ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/report/samples/samples.h"

#include "abi/races.h"

using namespace warpsan;
using namespace warpsan::samples;

using Access = SiteInfo::Access;
using RootKind = RootInfo::Kind;
using MemoryKind = MemoryInfo::Kind;

static Case nullArgument() {
  Case C;
  C.memory() = {};
  C.size(0);
  C.access(Access::Write, "float", 4, 20);
  C.source(7, {"  dest[i] += bias;"}, 11);
  C.Launch.Launched = {{"run", "app.c", 31, "/opt/bin/app", 77}};
  C.Record.Items = 64;
  return C;
}

static Case nullConstant() {
  Case C;
  C.root() = {};
  C.root().What = RootKind::Null;
  C.Record.Size = 0;
  C.access(Access::Read, "int", 4, 0);
  C.source(30, {"  struct Node __global *next = 0;", "  return *next->value;"},
           10);
  return C;
}

static Case misaligned() {
  Case C;
  C.test(WS_TEST_ALIGN);
  C.access(Access::Read, "float4", 16, 20);
  C.site().Align = 16;
  C.arg() = {"bytes", "uchar*", "global", true};
  C.root().Element = 1;
  C.source(9, {"  float4 v = *(__global const float4 *)(bytes + at);"}, 14);
  C.Record.Items = 48;
  return C;
}

static Case writeToReadOnly() {
  Case C;
  C.memory().ReadOnly = true;
  C.test(WS_TEST_RIGHTS);
  C.access(Access::Write, "float", 4, 8);
  C.source(7, {"  dest[i]++;"}, 10);
  C.backtraces();
  return C;
}

/// What the write would have hit was allocated elsewhere.
static Case intoAnother() {
  Case C;
  C.memory().What = MemoryKind::SVM;
  C.memory().CreatedBy = "clSVMAlloc";
  C.access(Access::Write, "float", 4, 144);
  C.source(7, {"  dest[i * 2] = 1;"}, 15);
  C.backtraces();
  Neighbor Before, After;
  Before.Offset = -128;
  Before.Size = 40;
  Before.CreatedBy = After.CreatedBy = "clSVMAlloc";
  Before.Freed = true;
  After.Offset = 128;
  After.Size = 96;
  After.Created = {{"make_table", "tuner.cpp", 93, "/opt/bin/tuner", 4700}};
  After.Touched = true;
  C.memory().Near = {Before, After};
  return C;
}

static Case useAfterFree() {
  Case C;
  C.root() = {};
  C.root().What = RootKind::Heap;
  C.Launch.Heap.What = MemoryKind::SVM;
  C.Launch.Heap.Size = 48;
  C.Launch.Heap.CreatedBy = "clSVMAlloc";
  C.Launch.Heap.Created = {{"make_node", "list.c", 12, "/opt/bin/list", 70}};
  C.Launch.Heap.ReleasedBy = "clSVMFree";
  C.Launch.Heap.Released = {{"drop_node", "list.c", 40, "/opt/bin/list", 90}};
  C.Record.Size = 0;
  C.access(Access::Read, "int", 4, 16);
  C.source(5, {"  for (; p; p = p->next)", "    sum += p->value;"}, 12);
  C.Launch.Launched = {{"run", "list.c", 61, "/opt/bin/list", 120}};
  return C;
}

static Case useAfterScope() {
  Case C;
  C.variable(RootKind::Private, "near", "int[4]", 16, 4);
  C.root().Declared = {{"pick.cl", 5, 9, "pick", 0}};
  C.root().Ended = {{"pick.cl", 7, 3, "pick", 0}};
  C.test(WS_TEST_SCOPE);
  C.access(Access::Read, "int", 4, 8);
  C.site().Space = "private";
  C.site().At.front().File = "pick.cl";
  C.source(7, {"  }", "  return best[2];"}, 10);
  return C;
}

static Case readOfWriteOnly() {
  Case C;
  C.memory().WriteOnly = true;
  C.test(WS_TEST_RIGHTS);
  C.access(Access::Read, "float", 4, 0);
  C.source(7, {"  sum += dest[i];"}, 10);
  return C;
}

static Case writeToConst() {
  Case C;
  C.arg() = {"lut", "float*", "constant", true};
  C.Record.Size = 0;
  C.access(Access::Write, "float", 4, 16);
  C.source(7, {"  ((float *)lut)[4] = 1;"}, 21);
  return C;
}

static Case wildPointer() {
  Case C;
  C.root() = {};
  C.Record.Size = 0;
  C.access(Access::Write, "int", 4, 0);
  C.Record.Address = 0xDEADBEEF;
  C.PointsTo = Finding::Target::Unmapped;
  C.source(7, {"  *(__global int *)handle = 1;"}, 27);
  C.Launch.Launched = {{"main", "app.c", 31, "/opt/bin/app", 77}};
  C.Style.Addresses = true;
  return C;
}

static Case memberOverflow() {
  Case C;
  C.test(WS_TEST_MEMBER);
  C.arg() = {"s", "struct Sample*", "global", false};
  C.root().Element = 48;
  C.memory().Size = 4800;
  C.Record.Size = 32;
  C.access(Access::Write, "float", 4, 32);
  C.site().Member = "s->values";
  C.site().MemberElement = 4;
  C.source(14, {"  for (int k = 0; k <= 8; ++k)", "    s->values[k] = 0;"}, 18);
  C.Record.Items = 64;
  return C;
}

static Case memberOfElement() {
  Case C;
  C.arg() = {"r", "rec*", "global", false};
  C.root().Element = 8;
  C.root().Fields = {{"tag", 0, 1, 0}, {"value", 4, 4, 0}};
  C.memory().Size = 5120;
  C.Record.Size = 5120;
  C.access(Access::Write, "int", 4, 5124);
  C.source(4, {"  r[i].tag = i;", "  r[i].value = i * i;"}, 16);
  return C;
}

static Case byValue() {
  Case C;
  C.variable(RootKind::Private, "p", "params", 20, 0);
  C.root().ByValue = true;
  C.root().Arg = 1;
  C.root().Fields = {{"n", 0, 4, 0}, {"w", 4, 16, 4}};
  C.access(Access::Read, "int", 4, 20);
  C.source(6, {"  o[i] = p.w[i % 5];"}, 10);
  return C;
}

static uint64_t packed(uint64_t X, uint64_t Y, uint64_t Z) {
  const uint64_t Mask = 0x1FFFFF;
  return (X & Mask) | (Y & Mask) << 21 | (Z & Mask) << 42;
}

static Case image(const char *Type, Access What, const char *Builtin) {
  Case C;
  C.test(WS_TEST_IMAGE);
  C.arg() = {"picture", Type, "image", false};
  C.memory().What = MemoryKind::Image;
  C.memory().Size = 0;
  C.memory().CreatedBy = "clCreateImage";
  C.root().Element = 0;
  C.site().What = What;
  C.site().Space = "image";
  C.site().Builtin = Builtin;
  C.site().Type = "float4";
  C.site().Bytes = C.site().Align = 0;
  C.Record.Bytes = C.Record.Address = 0;
  return C;
}

static Case imageRead() {
  Case C = image("image2d_t", Access::Read, "read_imagef");
  C.memory().ReadOnly = true;
  C.Record.Size = packed(640, 480, 1);
  C.Record.Offset = packed(640, static_cast<uint64_t>(-1), 0);
  C.source(7, {"  float4 p = read_imagef(picture, (int2)(x + 1, y - 1));"}, 14);
  C.backtraces();
  return C;
}

static Case imageWrite() {
  Case C = image("image2d_array_t", Access::Write, "write_imagef");
  C.Record.Size = packed(64, 64, 4);
  C.Record.Offset = packed(0, 0, 4);
  C.source(7, {"  write_imagef(picture, (int4)(x, y, layer, 0), p);"}, 3);
  return C;
}

static Case constantVariable() {
  Case C;
  C.variable(RootKind::Constant, "weights", "float[5]", 20, 4);
  C.root().Declared = {{"blur.cl", 1, 18, "", 0}};
  C.access(Access::Read, "float", 4, 28);
  C.site().Space = "constant";
  C.site().At.front().File = "blur.cl";
  C.source(7, {"  sum += weights[k + 2] * src[i + k];"}, 10);
  return C;
}

/// Four of the bytes behind a buffer have changed.
static Case overwritten() {
  Case C;
  C.Kernel.Name = "radix_sort";
  C.Canary = CanaryInfo{"built from a binary that WarpSan has not seen made",
                        {0x9A, 0xC1, 0xF0, 0x83, 0xB7, 0xEE, 0x91, 0xD5},
                        {0x00, 0x00, 0x80, 0x3F, 0xB7, 0xEE, 0x91, 0xD5}};
  C.Launch.Local = {0, 0, 0};
  C.backtraces();
  return C;
}

/// So many that they do not fit, not the first, behind a part, and somebody
/// else was there too.
static Case overwrittenPart() {
  Case C = overwritten();
  C.memory().What = MemoryKind::SubBuffer;
  C.memory().SubOffset = 128;
  C.memory().ParentSize = 4096;
  C.Canary->Was.assign(64, 0xA5);
  C.Canary->Is.assign(64, 0x2A);
  C.Canary->Is[0] = C.Canary->Is[1] = C.Canary->Is[63] = 0xA5;
  C.Canary->Alone = false;
  C.Launch.Dimensions = 2;
  C.Launch.Global = {64, 8, 1};
  C.Launch.Local = {16, 1, 1};
  return C;
}

/// Two of the bytes in front of a buffer have changed, the last of them.
static Case overwrittenBefore() {
  Case C = overwritten();
  C.CanaryAt = Finding::Where::Before;
  C.Canary->Was = {0x9A, 0xC1, 0xF0, 0x83};
  C.Canary->Is = {0x9A, 0xC1, 0x01, 0x00};
  return C;
}

static Case hostileNames() {
  Case C;
  C.Kernel.Name = "k\033[2J";
  C.arg() = {"caf\xC3\xA9\x9B", "float\n*", "global", false};
  C.source(7, {"\x01\t/* \xE2\x80\xAE \xFF */\tcaf\xC3\xA9\x9B[i] = '\033';"},
           25);
  C.site().At.front().File = "a\rb.cl";
  C.Launch.Launched = {{"f\a", "x\ty.cpp", 1, "", 0}};
  return C;
}

static Case runawayLoop() {
  Case C;
  C.test(WS_TEST_RUNAWAY);
  C.access(Access::Read, "int", 4, 400064);
  C.arg() = {"keys", "int*", "global", true};
  C.source(4, {"  while (keys[i] != key)", "    ++i;"}, 10);
  C.backtraces();
  return C;
}

/// Local ids 0 to 11 wait, 12 to 15 have returned.
static Case barrierDivergence() {
  Case C;
  C.Kernel.Collectives = {{"barrier", {{"tile.cl", 9, 3, "tile", 0}}}};
  C.Kernel.Branches = {{{"tile.cl", 7, 7, "tile", 0}}};
  C.source(7,
           {"  if (i >= count) return;", "  t[i] = in[i];",
            "  barrier(CLK_LOCAL_MEM_FENCE);"},
           3);
  const auto Check = static_cast<uint32_t>(C.Kernel.Sites.size() * WS_TESTS);
  C.Record.Check = Check;
  C.Record.Key = (C.Record.Key >> WS_CHECK_BITS) << WS_CHECK_BITS | Check;
  constexpr uint64_t Here = 1, There = 12U << WS_BRANCH_BITS | 1;
  C.Record.Offset = There << 32 | Here;
  C.Record.Size = uint64_t{4} << 32 | 12;
  C.Record.Bytes = WS_NO_COLLECTIVE;
  C.Record.LocalSize[0] = 16;
  C.Record.Items = 48;
  C.backtraces();
  return C;
}

static Case collectiveMismatch() {
  Case C;
  C.Kernel.Collectives = {{"async_work_group_copy",
                           {{"tile.cl", 9, 15, "tile", 0}},
                           {{"source", true}, {"number of elements", false}}}};
  C.source(8,
           {"  local float t[16];",
            "  event_t e = async_work_group_copy(t, in + i, 16, 0);"},
           15);
  const auto Check = static_cast<uint32_t>(C.Kernel.Sites.size() * WS_TESTS +
                                           WS_TEST_ARGUMENTS);
  C.Record.Check = Check;
  C.Record.Key = (C.Record.Key >> WS_CHECK_BITS) << WS_CHECK_BITS | Check;
  C.Record.Offset = 0x7f0000000108;
  C.Record.Size = 0x7f0000000100;
  C.Record.Bytes = 0;
  C.Record.GlobalId[0] = 19;
  C.Record.LocalId[0] = 3;
  C.Record.LocalSize[0] = 16;
  C.Record.Items = 45;
  C.backtraces();
  return C;
}

static Case collectiveMismatchCount() {
  Case C = collectiveMismatch();
  C.Record.Offset = 5;
  C.Record.Size = 16;
  C.Record.Bytes = 1;
  return C;
}

static Case collectiveMismatchFlags() {
  Case C = collectiveMismatch();
  C.Kernel.Collectives = {
      {"barrier", {{"tile.cl", 9, 3, "tile", 0}}, {{"flags", false}}}};
  C.source(8, {"  t[l] = in[i];", "  barrier(l < n ? both : one);"}, 3);
  C.Record.Offset = 1;
  C.Record.Size = 3;
  C.Record.Bytes = 0;
  return C;
}

static Case dataRace() {
  Case C;
  C.variable(RootInfo::Kind::Local, "tile", "int[16]", 64, 4);
  C.access(SiteInfo::Access::Read, "int", 4, 60);
  C.site().Space = "local";
  C.site().Root = C.Record.Root;
  SiteInfo Write = C.site();
  Write.What = SiteInfo::Access::Write;
  Write.At = {{"tile.cl", 4, 11, "reverse", 0}};
  C.Kernel.Sites.push_back(Write);
  C.source(4, {"  tile[l] = in[i];", "  out[i] = tile[15 - l];"}, 12);
  C.Record.Check = WS_RACE_SITE(0U) * WS_TESTS;
  C.launch(C.Launch.Number);
  C.Record.Size = WS_RACE_FOUND | uint64_t{15} << WS_RACE_FOUND_OWNER_SHIFT | 1;
  C.Record.GlobalId[0] = 16;
  C.Record.GroupId[0] = 1;
  C.Record.LocalId[0] = 0;
  C.Record.LocalSize[0] = 16;
  C.Record.Items = 64;
  C.backtraces();
  return C;
}

/// With one of several work-items, at a site whose number is too large.
static Case dataRaceWithOthers() {
  Case C = dataRace();
  C.Record.Size = WS_RACE_FOUND | WS_RACE_NO_SITE;
  return C;
}

/// In global memory, with a work-item of another work-group.
static Case dataRaceOfGroups() {
  Case C;
  C.access(SiteInfo::Access::Write, "int", 4, 60);
  C.site().Root = C.Record.Root;
  SiteInfo Read = C.site();
  Read.What = SiteInfo::Access::Read;
  Read.At = {{"next.cl", 4, 11, "next", 0}};
  C.Kernel.Sites.push_back(Read);
  C.source(4, {"  sum += in[i + 1];", "  in[i] = sum;"}, 3);
  C.Record.Check = WS_RACE_SITE(0U) * WS_TESTS;
  C.Launch.Global = {64, 1, 1};
  C.launch(C.Launch.Number);
  C.Record.Size = WS_RACE_FOUND | WS_RACE_FOUND_OF_GROUPS |
                  uint64_t{4} << WS_RACE_FOUND_ITEM_BITS_SHIFT |
                  uint64_t{0x2F} << WS_RACE_FOUND_OWNER_SHIFT | 1;
  C.Record.GlobalId[0] = 48;
  C.Record.GroupId[0] = 3;
  C.Record.LocalId[0] = 0;
  C.Record.LocalSize[0] = 16;
  C.Record.Items = 3;
  C.backtraces();
  return C;
}

static Case refutedProof() {
  Case C;
  C.Refuted = RefutedProof{{"byte 4 * global id 0 and 3 more of dest"},
                           {"--global 64 --offset 0", "dest: 64 bytes"}};
  C.source(7, {"  dest[i] = 1;"}, 11);
  C.backtraces();
  return C;
}

/// Of a string that a wrapper in a header hands to OpenCL.
static Case unnamedSource() {
  Case C;
  C.site().At = {{"source.cl", 12, 5, "put", 0},
                 {"source.cl", 20, 3, "copy", 0}};
  C.Program = {2,
               "clCreateProgramWithSource",
               {{"cl::Program::Program", "/usr/include/CL/opencl.hpp", 6500,
                 "/opt/bin/tuner", 4096},
                {"main", "/home/me/tuner.cpp", 31, "/opt/bin/tuner", 8000}}};
  return C;
}

static Case follows() {
  Case C;
  C.Follows = {"ws-0123456789abcdef", "copy.cl:6"};
  C.access(Access::Write, "float", 4, -4);
  C.source(6, {"  int at = index[i + n];", "  dest[at - 1] = 1;"}, 16);
  C.backtraces();
  return C;
}

void samples::addKinds(std::vector<Sample> &Samples) {
  Samples.insert(Samples.end(),
                 {
                     {"null_argument", nullArgument()},
                     {"null_constant", nullConstant()},
                     {"misaligned", misaligned()},
                     {"write_to_read_only", writeToReadOnly()},
                     {"read_of_write_only", readOfWriteOnly()},
                     {"write_to_const", writeToConst()},
                     {"wild_pointer", wildPointer()},
                     {"use_after_free", useAfterFree()},
                     {"svm_into_another", intoAnother()},
                     {"use_after_scope", useAfterScope()},
                     {"member_overflow", memberOverflow()},
                     {"member_of_element", memberOfElement()},
                     {"by_value", byValue()},
                     {"out_of_bounds_image_read", imageRead()},
                     {"out_of_bounds_image_write", imageWrite()},
                     {"constant_variable", constantVariable()},
                     {"canary_overwritten", overwritten()},
                     {"canary_overwritten_part", overwrittenPart()},
                     {"canary_overwritten_before", overwrittenBefore()},
                     {"runaway_loop", runawayLoop()},
                     {"barrier_divergence", barrierDivergence()},
                     {"collective_mismatch", collectiveMismatch()},
                     {"collective_mismatch_count", collectiveMismatchCount()},
                     {"collective_mismatch_flags", collectiveMismatchFlags()},
                     {"data_race", dataRace()},
                     {"data_race_with_others", dataRaceWithOthers()},
                     {"data_race_of_groups", dataRaceOfGroups()},
                     {"refuted_proof", refutedProof()},
                     {"unnamed_source", unnamedSource()},
                     {"follows", follows()},
                     {"hostile_names", hostileNames()},
                 });
}
