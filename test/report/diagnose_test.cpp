//===- test/report/diagnose_test.cpp - which finding a record becomes -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abi/heap.h"
#include "test/report/samples/samples.h"

#include <gtest/gtest.h>

using namespace warpsan;
using samples::Case;

using Access = SiteInfo::Access;
using RootKind = RootInfo::Kind;
using MemoryKind = MemoryInfo::Kind;
using Where = Finding::Where;

//===----------------------------------------------------------------------===//
// Where an access fell
//===----------------------------------------------------------------------===//

TEST(Diagnose, JustPastTheEnd) {
  Case C;
  Finding F = C.finding();
  EXPECT_EQ(F.Kind, FindingKind::out_of_bounds_write);
  EXPECT_EQ(F.Fell, Where::Past);
  EXPECT_EQ(F.Distance, 0U);
  EXPECT_EQ(F.Size, 64U);
  EXPECT_EQ(F.Offset, 64);
  EXPECT_EQ(F.Element, 16);
  EXPECT_EQ(F.ElementSize, 4U);
}

TEST(Diagnose, KindFollowsTheAccess) {
  Case C;
  C.access(Access::Read, "float", 4, 80);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_read);
  EXPECT_EQ(C.finding().Distance, 16U);
  C.access(Access::Atomic, "int", 4, 64);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_atomic);
}

TEST(Diagnose, BeforeTheStartWhollyOrPartly) {
  Case C;
  C.access(Access::Read, "float", 4, -4);
  EXPECT_EQ(C.finding().Fell, Where::Before);
  EXPECT_EQ(C.finding().Distance, 4U);
  EXPECT_EQ(C.finding().Element, -1);

  C.access(Access::Read, "float4", 16, -8);
  EXPECT_EQ(C.finding().Fell, Where::Before);
  EXPECT_EQ(C.finding().Distance, 8U);

  C.access(Access::Read, "", 1000, -8); // and past the end
  EXPECT_EQ(C.finding().Fell, Where::Before);
}

TEST(Diagnose, StraddlingCountsTheBytesBeyond) {
  Case C;
  C.access(Access::Read, "float4", 16, 56);
  Finding F = C.finding();
  EXPECT_EQ(F.Fell, Where::Straddles);
  EXPECT_EQ(F.Distance, 8U);
}

TEST(Diagnose, TheWholeRangeOfNumbersIsExact) {
  Case C;
  C.access(Access::Read, "char", 1, INT64_MIN);
  EXPECT_EQ(C.finding().Fell, Where::Before);
  EXPECT_EQ(C.finding().Distance, uint64_t{1} << 63);

  C.access(Access::Read, "char", 1, INT64_MAX);
  EXPECT_EQ(C.finding().Fell, Where::Past);
  EXPECT_EQ(C.finding().Distance, static_cast<uint64_t>(INT64_MAX) - 64);

  // The end would wrap around to 7.
  C.access(Access::Read, "", UINT64_MAX, 8);
  EXPECT_EQ(C.finding().Fell, Where::Straddles);
  EXPECT_EQ(C.finding().Distance, UINT64_MAX - 56);

  C.access(Access::Read, "", UINT64_MAX, -1);
  EXPECT_EQ(C.finding().Fell, Where::Before);
  EXPECT_EQ(C.finding().Distance, 1U);
}

TEST(Diagnose, EmptyMemoryHasNoInside) {
  Case C;
  C.size(0);
  C.access(Access::Read, "float", 4, 0);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_read);
  EXPECT_EQ(C.finding().Fell, Where::Past);
  EXPECT_EQ(C.finding().Distance, 0U);
}

TEST(Diagnose, AnElementIsTheOneWithTheFirstByte) {
  Case C;
  C.access(Access::Write, "char", 1, 66);
  EXPECT_EQ(C.finding().Element, 16);
  EXPECT_EQ(C.finding().ElementOffset, 2U);
  EXPECT_EQ(C.finding().ElementSize, 4U);
  C.access(Access::Write, "char", 1, -3);
  EXPECT_EQ(C.finding().Element, -1);
  EXPECT_EQ(C.finding().ElementOffset, 1U);
  C.access(Access::Write, "char", 1, INT64_MIN);
  C.root().Element = 3;
  EXPECT_EQ(C.finding().Element, INT64_MIN / 3 - 1);
  EXPECT_EQ(C.finding().ElementOffset, 1U);
}

TEST(Diagnose, AnElementsMemberIsNamed) {
  Case C;
  C.root().Element = 20;
  C.root().Fields = {{"id", 0, 4, 0}, {"body.pos", 4, 12, 4}};
  C.access(Access::Write, "float", 4, 68);
  EXPECT_EQ(C.finding().Element, 3);
  EXPECT_EQ(C.finding().ElementOffset, 8U);
  EXPECT_EQ(C.finding().ElementMember, "body.pos[1]");
  C.access(Access::Write, "float", 4, 80);
  EXPECT_EQ(C.finding().ElementMember, "id");
  C.access(Access::Write, "float", 4, 76); // between its members
  EXPECT_EQ(C.finding().ElementMember, "");
}

TEST(Diagnose, ElementsBeginWhereTheArgumentPointsTo) {
  Case C;
  C.root().Element = 8;
  C.memory().ArgStart = 24;
  EXPECT_EQ(C.finding().Element, 8);
  C.memory().ArgStart = 4; // then the memory's are not the argument's
  EXPECT_EQ(C.finding().Element, std::nullopt);
  EXPECT_EQ(C.finding().ElementSize, 0U);
}

TEST(Diagnose, AStructsMemberSaysNothingOfWhatAnIndexCounts) {
  Case C;
  C.root().Element = 0;
  EXPECT_EQ(C.finding().Element, 16);
  C.site().InStruct = true;
  EXPECT_EQ(C.finding().Element, std::nullopt);
}

TEST(Diagnose, WithoutATypeTheAccessSaysWhatAnIndexCounts) {
  Case C;
  C.root().Element = 0;
  C.access(Access::Write, "double", 8, 64);
  EXPECT_EQ(C.finding().Element, 8);

  C.access(Access::Read, "float3", 12, 60);
  C.site().Builtin = "vload3";
  EXPECT_EQ(C.finding().ElementSize, 4U);
  EXPECT_EQ(C.finding().Element, 15);

  C.access(Access::Write, "float8", 16, 60);
  C.site().Builtin = "vstorea_half8_rte";
  EXPECT_EQ(C.finding().Element, 30);

  C.access(Access::Read, "", 12, 60); // how many lanes is not known
  C.site().Builtin = "vloadn";
  EXPECT_EQ(C.finding().ElementSize, 0U);
}

TEST(Diagnose, VariablesHaveTheirDeclaredSize) {
  for (RootKind What : {RootKind::Local, RootKind::Private, RootKind::Constant,
                        RootKind::Program}) {
    Case C;
    C.variable(What, "v", "int[4]", 16, 4);
    C.access(Access::Read, "int", 4, 20);
    Finding F = C.finding();
    EXPECT_EQ(F.Kind, FindingKind::out_of_bounds_read);
    EXPECT_EQ(F.Size, 16U);
    EXPECT_EQ(F.Distance, 4U);
    EXPECT_FALSE(F.Arg);
    EXPECT_EQ(F.Memory.What, MemoryKind::None);
  }
}

TEST(Diagnose, LocalArgumentsHaveTheSizeTheyWereSetTo) {
  Case C;
  C.memory() = {};
  C.memory().What = MemoryKind::Local;
  C.size(32);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_write);
  EXPECT_EQ(C.finding().Distance, 32U);
}

//===----------------------------------------------------------------------===//
// Null and wild pointers
//===----------------------------------------------------------------------===//

TEST(Diagnose, AnArgumentSetToNull) {
  Case C;
  C.memory() = {};
  C.size(0);
  C.access(Access::Write, "float", 4, 20);
  Finding F = C.finding();
  EXPECT_EQ(F.Kind, FindingKind::null_pointer);
  EXPECT_EQ(F.Fell, Where::None);
  EXPECT_EQ(F.Element, 5);
}

TEST(Diagnose, ANullPointerOfTheKernels) {
  Case C;
  C.root().What = RootKind::Null;
  for (uint32_t Test : {WS_TEST_BOUNDS, WS_TEST_ALIGN, WS_TEST_MEMBER}) {
    C.test(Test);
    EXPECT_EQ(C.finding().Kind, FindingKind::null_pointer) << Test;
  }
}

TEST(Diagnose, APointerIntoNothing) {
  Case C;
  C.root().What = RootKind::Unknown;
  Finding F = C.finding();
  EXPECT_EQ(F.Kind, FindingKind::wild_pointer);
  EXPECT_EQ(F.Size, 0U);
  EXPECT_EQ(F.Element, std::nullopt);
}

TEST(Diagnose, AnArgumentThatPointsIntoUnknownMemoryIsNotNull) {
  Case C;
  C.memory() = {};
  C.Record.Size = WS_FOREIGN_SIZE;
  C.access(Access::Write, "float", 4, -4);
  EXPECT_EQ(C.finding().Kind, FindingKind::wild_pointer);
}

//===----------------------------------------------------------------------===//
// What may not be read or written
//===----------------------------------------------------------------------===//

TEST(Diagnose, FreedMemoryHasNoInside) {
  Case C;
  C.memory().What = MemoryKind::SVM;
  C.memory().ReleasedBy = "clSVMFree";
  C.Record.Size = 0; // the twin saw it dead
  C.access(Access::Read, "float", 4, 8);
  EXPECT_EQ(C.finding().Kind, FindingKind::use_after_free);
  EXPECT_EQ(C.finding().Size, 64U);
  EXPECT_EQ(C.finding().Offset, 8);
  C.access(Access::Read, "float", 4, 80);
  EXPECT_EQ(C.finding().Kind, FindingKind::use_after_free);
}

TEST(Diagnose, MemoryThatWasFreedAfterTheLaunchHadItsEnd) {
  Case C;
  C.memory().What = MemoryKind::SVM;
  C.memory().ReleasedBy = "clSVMFree";
  C.access(Access::Read, "float", 4, 80);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_read);
}

TEST(Diagnose, AVariableWhoseScopeHadEndedHasNoInside) {
  Case C;
  C.variable(RootKind::Private, "x", "int[4]", 16, 4);
  C.test(WS_TEST_SCOPE);
  C.access(Access::Write, "int", 4, 8);
  EXPECT_EQ(C.finding().Kind, FindingKind::use_after_scope);
  EXPECT_EQ(C.finding().Size, 16U);
  EXPECT_EQ(C.finding().Fell, Finding::Where::None);
  EXPECT_FALSE(C.finding().Performed);
  C.access(Access::Read, "int", 4, 80);
  EXPECT_EQ(C.finding().Kind, FindingKind::use_after_scope);
}

TEST(Diagnose, OnlyPrivateVariablesHaveAScopeThatEnds) {
  Case C;
  C.test(WS_TEST_SCOPE);
  C.access(Access::Read, "float", 4, 8);
  EXPECT_FALSE(diagnose(C.Record, C.Kernel, C.Launch));
}

TEST(Diagnose, APointerFromMemoryLeadsToTheHeap) {
  Case C;
  C.root() = {};
  C.root().What = RootKind::Heap;
  C.Launch.Heap.What = MemoryKind::SVM;
  C.Launch.Heap.Size = 48;
  C.Record.Size = 48;
  C.access(Access::Write, "int", 4, 48);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_write);
  EXPECT_EQ(C.finding().Size, 48U);
  C.Launch.Heap = {}; // into no allocation
  EXPECT_EQ(C.finding().Kind, FindingKind::wild_pointer);
}

TEST(Diagnose, AnAccessToABufferIsOfTheObjectThatTheLayerFound) {
  Case C;
  C.test(WS_TEST_OBJECT);
  C.access(Access::Write, "float", 4, 24); // of 64
  C.Launch.Object.What = MemoryKind::Buffer;
  C.Launch.Object.Object = true;
  C.Launch.Object.Size = 16;
  C.Launch.Object.SubOffset = 4;
  C.Launch.Object.ParentSize = 64;
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_write);
  EXPECT_EQ(C.finding().Fell, Where::Past);
  EXPECT_EQ(C.finding().Distance, 4U);
  EXPECT_EQ(C.finding().Offset, 20);
  EXPECT_EQ(C.finding().Size, 16U);
  C.access(Access::Read, "float", 4, 2); // before it
  EXPECT_EQ(C.finding().Fell, Where::Before);
  EXPECT_EQ(C.finding().Distance, 2U);
  C.Launch.Object.ReleasedBy = "warpsan_free_buffer";
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_read);
  C.access(Access::Read, "float", 4, 8); // in it
  EXPECT_EQ(C.finding().Kind, FindingKind::use_after_free);
  C.Launch.Object = {}; // there is none any more
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_read);
  EXPECT_EQ(C.finding().Fell, Where::None);
  EXPECT_EQ(C.finding().Offset, 8);
  C.access(Access::Read, "float", 4, 64); // that is another test's to tell
  EXPECT_FALSE(diagnose(C.Record, C.Kernel, C.Launch));
}

TEST(Diagnose, WritesAndAtomicsInAReadOnlyBuffer) {
  Case C;
  C.memory().ReadOnly = true;
  C.test(WS_TEST_RIGHTS);
  C.access(Access::Write, "float", 4, 60);
  EXPECT_EQ(C.finding().Kind, FindingKind::write_to_read_only);
  EXPECT_TRUE(C.finding().Performed);
  EXPECT_EQ(C.finding().Size, 64U);
  EXPECT_EQ(C.finding().Fell, Where::None);
  C.access(Access::Atomic, "int", 4, 0);
  EXPECT_EQ(C.finding().Kind, FindingKind::write_to_read_only);
}

TEST(Diagnose, OutsideOfAReadOnlyBufferIsOutOfBounds) {
  Case C;
  C.memory().ReadOnly = true;
  C.Record.Size |= WS_NOT_WRITABLE;
  C.access(Access::Write, "float", 4, 68);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_write);
  EXPECT_FALSE(C.finding().Performed);
  EXPECT_EQ(C.finding().Size, 64U);
  EXPECT_EQ(C.finding().Distance, 4U);
}

TEST(Diagnose, ReadsOfAWriteOnlyBuffer) {
  Case C;
  C.memory().WriteOnly = true;
  C.test(WS_TEST_RIGHTS);
  C.access(Access::Read, "float", 4, 0);
  EXPECT_EQ(C.finding().Kind, FindingKind::read_of_write_only);
  C.access(Access::Atomic, "int", 4, 0);
  EXPECT_EQ(C.finding().Kind, FindingKind::read_of_write_only);
  C.test(WS_TEST_BOUNDS);
  C.Record.Size |= WS_NOT_READABLE;
  C.access(Access::Read, "float", 4, 64);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_read);
  EXPECT_EQ(C.finding().Distance, 0U);
}

TEST(Diagnose, WhatIsNotForbiddenIsNoFinding) {
  Case C;
  C.test(WS_TEST_RIGHTS);
  C.access(Access::Write, "float", 4, 0);
  EXPECT_FALSE(C.tryFinding()); // a buffer without flags
  C.memory().WriteOnly = true;
  EXPECT_FALSE(C.tryFinding());
  C.memory().ReadOnly = true;
  EXPECT_TRUE(C.tryFinding());
  C.memory().WriteOnly = false;
  C.access(Access::Read, "float", 4, 0);
  EXPECT_FALSE(C.tryFinding());
  C.access(Access::Write, "float", 4, 64);
  EXPECT_FALSE(C.tryFinding()); // outside, which is another test's
}

TEST(Diagnose, WritesThroughConst) {
  Case Const;
  Const.arg().Const = true;
  Const.access(Access::Write, "float", 4, 0);
  Const.test(WS_TEST_RIGHTS);
  EXPECT_EQ(Const.finding().Kind, FindingKind::write_to_const);
  EXPECT_TRUE(Const.finding().Performed);
  Const.test(WS_TEST_BOUNDS);
  Const.access(Access::Write, "float", 4, 64);
  EXPECT_EQ(Const.finding().Kind, FindingKind::out_of_bounds_write);

  Case Constant;
  Constant.arg().Kind = "constant";
  Constant.access(Access::Atomic, "int", 4, 0);
  Constant.Record.Size = 0;
  EXPECT_EQ(Constant.finding().Kind, FindingKind::write_to_const);

  Case Variable;
  Variable.variable(RootKind::Constant, "table", "int[4]", 16, 4);
  Variable.access(Access::Write, "int", 4, 12);
  Variable.Record.Size = 0;
  EXPECT_EQ(Variable.finding().Kind, FindingKind::write_to_const);
  EXPECT_EQ(Variable.finding().Size, 16U);
}

TEST(Diagnose, ReadsThroughConstAreHeldToTheirBounds) {
  Case C;
  C.arg().Const = true;
  C.access(Access::Read, "float", 4, 64);
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_read);
}

//===----------------------------------------------------------------------===//
// The other tests
//===----------------------------------------------------------------------===//

TEST(Diagnose, MisalignedIsInsideItsMemory) {
  Case C;
  C.test(WS_TEST_ALIGN);
  C.access(Access::Read, "float", 4, 6);
  Finding F = C.finding();
  EXPECT_EQ(F.Kind, FindingKind::misaligned);
  EXPECT_EQ(F.Fell, Where::None);
  EXPECT_EQ(F.Size, 64U);
  C.root().What = RootKind::Unknown;
  EXPECT_EQ(C.finding().Kind, FindingKind::misaligned);
}

TEST(Diagnose, AMemberIsHeldToItsOwnSize) {
  Case C;
  C.test(WS_TEST_MEMBER);
  C.memory().Size = 4096;
  C.Record.Size = 16;
  C.access(Access::Write, "int", 4, 20);
  Finding F = C.finding();
  EXPECT_EQ(F.Kind, FindingKind::member_overflow);
  EXPECT_EQ(F.Size, 16U);
  EXPECT_EQ(F.Fell, Where::Past);
  EXPECT_EQ(F.Distance, 4U);
  EXPECT_EQ(F.Element, std::nullopt) << "the root's elements are structs";
  C.site().MemberElement = 4;
  EXPECT_EQ(C.finding().Element, 5);
  C.access(Access::Write, "int", 4, -4);
  EXPECT_EQ(C.finding().Fell, Where::Before);
}

TEST(Diagnose, ImagesHaveSignedCoordinates) {
  Case C;
  C.test(WS_TEST_IMAGE);
  C.site().What = Access::Read;
  C.memory().What = MemoryKind::Image;
  C.Record.Offset =
      uint64_t{640} | uint64_t{0x1FFFFF} << 21 | uint64_t{0x100000} << 42;
  C.Record.Size =
      uint64_t{640} | uint64_t{480} << 21 | uint64_t{0x1FFFFF} << 42;
  Finding F = C.finding();
  EXPECT_EQ(F.Kind, FindingKind::out_of_bounds_image_read);
  EXPECT_EQ(F.Coordinates, (std::array<int64_t, 3>{640, -1, -1048576}));
  EXPECT_EQ(F.ImageSize, (std::array<uint64_t, 3>{640, 480, 2097151}));
  EXPECT_EQ(F.Size, 0U);
  EXPECT_EQ(F.Offset, 0);
  C.site().What = Access::Write;
  EXPECT_EQ(C.finding().Kind, FindingKind::out_of_bounds_image_write);
}

//===----------------------------------------------------------------------===//
// What a record brings along
//===----------------------------------------------------------------------===//

TEST(Diagnose, TheWorkItemIsKept) {
  Case C;
  for (uint32_t I = 0; I < 3; ++I) {
    C.Record.GlobalId[I] = (uint64_t{1} << 40) + I;
    C.Record.GroupId[I] = 20 + I;
    C.Record.LocalId[I] = 30 + I;
    C.Record.LocalSize[I] = I;
  }
  C.Record.Items = 77;
  Finding F = C.finding();
  EXPECT_EQ(F.GlobalId[2], (uint64_t{1} << 40) + 2);
  EXPECT_EQ(F.GroupId, (std::array<uint64_t, 3>{20, 21, 22}));
  EXPECT_EQ(F.LocalId, (std::array<uint64_t, 3>{30, 31, 32}));
  EXPECT_EQ(F.LocalSize, (std::array<uint64_t, 3>{1, 1, 2})) << "never zero";
  EXPECT_EQ(F.Items, 77U);
  EXPECT_EQ(F.Launch.Number, 12U);
}

TEST(Diagnose, KindsHaveTheirNames) {
  EXPECT_STREQ(nameOf(FindingKind::out_of_bounds_read), "out_of_bounds_read");
  EXPECT_STREQ(titleOf(FindingKind::member_overflow),
               "overflow of a member array");
  EXPECT_STREQ(nameOf(static_cast<FindingKind>(999)), "");
}

//===----------------------------------------------------------------------===//
// Canaries
//===----------------------------------------------------------------------===//

static std::optional<Finding> canary(std::vector<uint8_t> Was,
                                     std::vector<uint8_t> Is,
                                     Finding::Where At = Finding::Where::Past) {
  MemoryInfo Memory;
  Memory.What = MemoryInfo::Kind::Buffer;
  Memory.Size = 100;
  return diagnoseCanary({"no source", std::move(Was), std::move(Is)}, At, "k",
                        3, Memory, {});
}

TEST(DiagnoseCanary, OneThatDidNotChangeIsNoFinding) {
  EXPECT_FALSE(canary({}, {}));
  EXPECT_FALSE(canary({1, 2, 3}, {1, 2, 3}));
}

TEST(DiagnoseCanary, TellsFromTheFirstByteThatChangedToTheLast) {
  auto F = canary({1, 2, 3, 4, 5, 6}, {1, 9, 3, 9, 5, 6});
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Kind, FindingKind::canary_overwritten);
  EXPECT_EQ(F->Kernel, "k");
  EXPECT_EQ(F->Root.Arg, 3U);
  EXPECT_EQ(F->Offset, 101);
  EXPECT_EQ(F->Bytes, 3U);
  EXPECT_EQ(F->Fell, Finding::Where::Past);
  EXPECT_EQ(F->Distance, 1U);
  EXPECT_EQ(F->Canary->Was, (std::vector<uint8_t>{2, 3, 4}));
  EXPECT_EQ(F->Canary->Is, (std::vector<uint8_t>{9, 3, 9}));
  EXPECT_EQ(F->Items, 0U);
  EXPECT_EQ(canary({1}, {2})->Distance, 0U);
  EXPECT_EQ(canary({1, 2}, {1, 3})->Bytes, 1U);
}

TEST(DiagnoseCanary, OneInFrontEndsWhereTheMemoryBegins) {
  constexpr auto Before = Finding::Where::Before;
  EXPECT_FALSE(canary({1, 2, 3}, {1, 2, 3}, Before));
  auto F = canary({1, 2, 3, 4, 5, 6}, {1, 9, 3, 9, 5, 6}, Before);
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Kind, FindingKind::canary_overwritten);
  EXPECT_EQ(F->Size, 100U);
  EXPECT_EQ(F->Offset, -5);
  EXPECT_EQ(F->Bytes, 3U);
  EXPECT_EQ(F->Fell, Before);
  EXPECT_EQ(F->Distance, 5U);
  EXPECT_EQ(F->Canary->Was, (std::vector<uint8_t>{2, 3, 4}));
  EXPECT_EQ(canary({1, 2}, {1, 3}, Before)->Offset, -1);
}

TEST(DiagnoseCanary, IdsTellKernelArgumentAndSideApart) {
  auto Id = [](const char *Kernel, uint32_t Arg,
               Finding::Where At = Finding::Where::Past) {
    return diagnoseCanary({"", {1}, {2}}, At, Kernel, Arg, {}, {})->Id;
  };
  EXPECT_EQ(Id("a", 0), Id("a", 0));
  EXPECT_NE(Id("a", 0), Id("a", 1));
  EXPECT_NE(Id("a", 0), Id("b", 0));
  EXPECT_NE(Id("a", 0), Id("a", 0, Finding::Where::Before));
}
