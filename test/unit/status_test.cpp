//===- test/unit/status_test.cpp - reading status files -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/status.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>

using namespace warpsan;

namespace {

std::unique_ptr<StatusFile> freshStatus() {
  auto Status = std::make_unique<StatusFile>();
  Status->Magic = StatusMagic;
  Status->Version = StatusVersion;
  return Status;
}

std::atomic<uint64_t> &counter(StatusFile &Status, Counter Which) {
  return Status.Counters[static_cast<uint32_t>(Which)];
}

void addGap(StatusFile &Status, const char *Subject, const char *Reason,
            uint64_t Launches) {
  Gap &G = Status.Gaps[Status.GapCount++];
  std::strncpy(G.Subject, Subject, sizeof(G.Subject) - 1);
  std::strncpy(G.Reason, Reason, sizeof(G.Reason) - 1);
  G.Launches = Launches;
  G.Ready = 1;
}

void addFinding(StatusFile &Status, const char *Id, const char *Title,
                uint64_t Launches, uint64_t WorkItems) {
  FindingRow &Row = Status.Findings[Status.FindingCount++];
  std::strncpy(Row.Id, Id, sizeof(Row.Id) - 1);
  std::strncpy(Row.Kernel, "k", sizeof(Row.Kernel) - 1);
  std::strncpy(Row.Title, Title, sizeof(Row.Title) - 1);
  Row.Launches = Launches;
  Row.WorkItems = WorkItems;
  Row.Ready = 1;
}

class RunDir : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = testing::TempDir() + "warpsan-test-XXXXXX";
    ASSERT_TRUE(mkdtemp(Name.data()));
    Folder = Name;
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }

  void write(const char *Name, const void *Bytes, size_t Size) {
    std::ofstream File(Folder + "/" + Name, std::ios::binary);
    File.write(static_cast<const char *>(Bytes),
               static_cast<std::streamsize>(Size));
  }
  void write(const char *Name, const StatusFile &Status) {
    write(Name, &Status, sizeof(Status));
  }

  std::string Folder;
  std::vector<std::string> Problems;
};

} // namespace

TEST_F(RunDir, EmptyFolderMeansNoProcess) {
  Summary Sum = readRunDir(Folder, Problems);
  EXPECT_EQ(Sum.Processes, 0U);
  EXPECT_TRUE(Problems.empty());
}

TEST_F(RunDir, ProcessesAreAddedUpAndEqualGapsMerged) {
  auto A = freshStatus();
  counter(*A, Counter::launches) = 10;
  counter(*A, Counter::launches_twin) = 8;
  addGap(*A, "kernel f", "no source", 2);
  write("10.status", *A);
  auto B = freshStatus();
  counter(*B, Counter::launches) = 5;
  addGap(*B, "kernel f", "no source", 3);
  addGap(*B, "kernel f", "another reason", 2);
  write("11.status", *B);

  Summary Sum = readRunDir(Folder, Problems);
  EXPECT_TRUE(Problems.empty());
  EXPECT_EQ(Sum.Processes, 2U);
  EXPECT_EQ(Sum[Counter::launches], 15U);
  EXPECT_EQ(Sum[Counter::launches_twin], 8U);
  ASSERT_EQ(Sum.Gaps.size(), 2U);
  for (const Summary::GapLine &Line : Sum.Gaps)
    EXPECT_EQ(Line.Launches, Line.Reason == "no source" ? 5U : 2U);
}

TEST_F(RunDir, FindingsOfProcessesAreMerged) {
  auto A = freshStatus();
  addFinding(*A, "ws-1", "write past 'a'", 2, 20);
  addFinding(*A, "ws-2", "null pointer", 1, 1);
  A->Findings[1].Ready = 0; // it died while it wrote this
  write("10.status", *A);
  auto B = freshStatus();
  addFinding(*B, "ws-1", "write past 'a'", 3, 30);
  addFinding(*B, "ws-1", "write past 'b'", 1, 1);
  B->FindingCount = StatusFile::MaxFindings + 7ULL;
  write("11.status", *B);

  Summary Sum = readRunDir(Folder, Problems);
  EXPECT_TRUE(Problems.empty());
  ASSERT_EQ(Sum.Findings.size(), 2U);
  for (const Summary::FindingLine &Line : Sum.Findings) {
    bool Both = Line.Title == "write past 'a'";
    EXPECT_EQ(Line.Launches, Both ? 5U : 1U);
    EXPECT_EQ(Line.WorkItems, Both ? 50U : 1U);
    EXPECT_EQ(Line.Kernel, "k");
  }
  EXPECT_EQ(Sum.FindingsLost, 1U + 7U + StatusFile::MaxFindings - 2U);
}

TEST_F(RunDir, FindingsOfOneFingerprintAreOneWhateverTheirTitle) {
  auto A = freshStatus();
  addFinding(*A, "ws-1", "leak, 64 bytes", 1, 1);
  addFinding(*A, "ws-1", "leak, 32 bytes", 1, 1);
  addFinding(*A, "ws-1", "leak, 32 bytes", 1, 1);
  for (int I : {0, 1})
    std::strncpy(A->Findings[I].Fingerprint, "5d0a7c9be1f20344", 17);
  std::strncpy(A->Findings[2].Fingerprint, "0000000000000001", 17);
  write("10.status", *A);
  const Summary Sum = readRunDir(Folder, Problems);
  ASSERT_EQ(Sum.Findings.size(), 2U);
  EXPECT_EQ(Sum.Findings[0].Launches, 2U);
}

TEST_F(RunDir, SuppressionsOfProcessesAreMerged) {
  auto Add = [](StatusFile &Status, uint32_t Line, uint64_t Launches) {
    SuppressionRow &Row = Status.Suppressions[Status.SuppressionCount++];
    Row.Line = Line;
    std::strncpy(Row.Text, "id=a", sizeof(Row.Text) - 1);
    Row.Findings = 1;
    Row.Launches = Launches;
    Row.Ready = 1;
  };
  auto A = freshStatus(), B = freshStatus();
  Add(*A, 3, 2);
  Add(*B, 3, 5);
  Add(*B, 9, 1);
  write("10.status", *A);
  write("11.status", *B);
  Summary Sum = readRunDir(Folder, Problems);
  nameSuppressions(Sum, "f", {{1, "id=never"}, {3, "id=a"}});
  ASSERT_EQ(Sum.Suppressions.size(), 3U);
  EXPECT_EQ(Sum.Suppressions[0].Findings, 0U);
  EXPECT_EQ(Sum.Suppressions[1].Findings, 2U);
  EXPECT_EQ(Sum.Suppressions[1].Launches, 7U);
  EXPECT_EQ(Sum.Suppressions[2].Line, 9U);
}

TEST_F(RunDir, FilesThatAreNoStatusAreNamed) {
  write("1.status", "", 0);
  write("2.status", "short", 5);
  auto Old = freshStatus();
  Old->Version = StatusVersion + 1;
  write("3.status", *Old);
  auto Blank = std::make_unique<StatusFile>();
  write("4.status", *Blank);
  write("other", "x", 1);
  write("5.status", *freshStatus());
  Summary Sum = readRunDir(Folder, Problems);
  EXPECT_EQ(Sum.Processes, 1U);
  EXPECT_EQ(Problems.size(), 4U);
}

TEST_F(RunDir, MissingFolderIsAProblem) {
  readRunDir(Folder + "/nowhere", Problems);
  EXPECT_EQ(Problems.size(), 1U);
}

TEST(Status, GapsBeyondTheTableAreCounted) {
  auto Status = freshStatus();
  for (uint32_t I = 0; I < StatusFile::MaxGaps; ++I)
    addGap(*Status, ("kernel k" + std::to_string(I)).c_str(), "r", 1);
  Status->GapCount = StatusFile::MaxGaps + 9ULL;
  Summary Sum;
  addStatus(Sum, *Status);
  EXPECT_EQ(Sum.Gaps.size(), StatusFile::MaxGaps);
  EXPECT_EQ(Sum.GapsLost, 9U);
}

TEST(Status, UnfinishedGapIsCountedAsLost) {
  auto Status = freshStatus();
  addGap(*Status, "kernel a", "r", 1);
  addGap(*Status, "kernel b", "r", 1);
  Status->Gaps[0].Ready = 0;
  Summary Sum;
  addStatus(Sum, *Status);
  ASSERT_EQ(Sum.Gaps.size(), 1U);
  EXPECT_EQ(Sum.Gaps[0].Subject, "kernel b");
  EXPECT_EQ(Sum.GapsLost, 1U);
}

TEST(Status, TextWithoutAnEndIsCutAtItsField) {
  auto Status = freshStatus();
  addGap(*Status, "", "", 1);
  std::memset(Status->Gaps[0].Subject, 'a', sizeof(Gap::Subject));
  std::memset(Status->Gaps[0].Reason, 'b', sizeof(Gap::Reason));
  Summary Sum;
  addStatus(Sum, *Status);
  EXPECT_EQ(Sum.Gaps[0].Subject, std::string(sizeof(Gap::Subject), 'a'));
  EXPECT_EQ(Sum.Gaps[0].Reason, std::string(sizeof(Gap::Reason), 'b'));
}
