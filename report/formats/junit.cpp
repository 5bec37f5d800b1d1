//===- report/formats/junit.cpp - a report as JUnit's XML -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What continuous integration shows as tests: a suite a program, a failure a
// finding, a skipped test a gap. Names of tests are the same in every run.
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"
#include "report/report.h"
#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

#include <deque>
#include <map>

using namespace warpsan;

namespace {

/// In XML, as text and in attributes. Control characters are shown escaped, and
/// what XML cannot have at all becomes U+FFFD.
std::string xml(const std::string &Text) {
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    const size_t Length = characterLength(Text, At);
    const std::string_view Character =
        std::string_view(Text).substr(At, Length ? Length : 1);
    At += Character.size();
    if (Character == "\n")
      Out += "\n";
    else if (!Length)
      Out += escaped(Character[0]);
    else if (Character == "&")
      Out += "&amp;";
    else if (Character == "<")
      Out += "&lt;";
    else if (Character == ">")
      Out += "&gt;";
    else if (Character == "\"")
      Out += "&quot;";
    else if (Character == "\xEF\xBF\xBE" || Character == "\xEF\xBF\xBF")
      Out += "\xEF\xBF\xBD";
    else
      Out += Character;
  }
  return Out;
}

/// Attributes are on one line.
std::string attribute(const char *Name, const std::string &Value) {
  return std::string(" ") + Name + "=\"" + xml(printable(Value)) + "\"";
}

std::string attribute(const char *Name, uint64_t Value) {
  return attribute(Name, std::to_string(Value));
}

/// The tests of one program.
class Suite {
public:
  explicit Suite(std::string OfProgram) : Program(std::move(OfProgram)) {}

  void pass(const std::string &Name) { Cases += start(Name) + "/>\n"; }
  void fail(const std::string &Name, const std::string &Type,
            const std::string &Title, const std::string &Text) {
    ++Failed;
    Cases += start(Name) + ">\n      <failure" + attribute("message", Title) +
             attribute("type", Type) + ">" + xml(Text) +
             "</failure>\n    </testcase>\n";
  }
  void skip(const std::string &Name, const std::string &Why) {
    ++Skipped;
    Cases += start(Name) + ">\n      <skipped" + attribute("message", Why) +
             "/>\n    </testcase>\n";
  }
  std::string element() const {
    return "  <testsuite" + attribute("name", Program) +
           attribute("tests", All) + attribute("failures", Failed) +
           attribute("errors", uint64_t{0}) + attribute("skipped", Skipped) +
           ">\n" + Cases + "  </testsuite>\n";
  }
  uint64_t tests() const { return All; }
  uint64_t failures() const { return Failed; }

private:
  /// No two tests of a suite have one name.
  std::string start(const std::string &Name) {
    ++All;
    const uint64_t Before = Names[Name]++;
    return "    <testcase" + attribute("classname", Program) +
           attribute("name",
                     Before ? Name + " #" + std::to_string(Before + 1) : Name);
  }

  std::string Program;
  std::string Cases;
  std::map<std::string, uint64_t> Names;
  uint64_t All = 0, Failed = 0, Skipped = 0;
};

/// In the order they were met.
class Suites {
public:
  Suite &of(const std::string &Program) {
    auto [At, IsNew] = Index.emplace(Program, List.size());
    if (IsNew)
      List.emplace_back(Program.empty() ? "unknown program" : Program);
    return List[At->second];
  }
  std::string document() const {
    uint64_t Tests = 0, Failures = 0;
    std::string Elements;
    for (const Suite &Each : List) {
      Tests += Each.tests();
      Failures += Each.failures();
      Elements += Each.element();
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
           attribute("name", "WarpSan") + attribute("tests", Tests) +
           attribute("failures", Failures) + ">\n" + Elements +
           "</testsuites>\n";
  }

private:
  std::map<std::string, size_t> Index;
  std::deque<Suite> List;
};

std::string subjectOf(const std::string &Kernel, const std::string &Call) {
  return Call.empty() ? "kernel " + kernelName(Kernel) : Call;
}

void addFinding(Suite &To, const CollectedFinding &Found) {
  const Finding &F = Found.First;
  const std::string Call = asCalled(F.Call, F.Launch.Launched).Call;
  To.fail(subjectOf(F.Kernel, Call) + ": " + nameOf(F.Kind) + " " + F.Id,
          nameOf(F.Kind), titleOf(F), textOf(Found, TextStyle()));
}

void addUntold(Suite &To, const Summary::FindingLine &Line) {
  const std::string Title =
      Line.Title.empty() ? "an error without details" : Line.Title;
  To.fail((Line.Kernel.empty() ? "" : kernelName(Line.Kernel) + ": ") + Line.Id,
          "details_unavailable", Title, Title);
}

/// How much was checked is a test of its own: a run in which nothing was is no
/// success.
void addCoverage(Suite &To, const Summary &Sum) {
  const uint64_t Lost = Sum.FindingsLost + Sum[Counter::records_lost] +
                        Sum[Counter::records_bad] +
                        Sum[Counter::records_unread];
  if (Lost)
    To.fail("errors that could not be described", "lost",
            number(Lost) + " errors or failed checks could not be described",
            summaryText(Sum));
  const std::string Name = "kernels are covered";
  if (!Sum[Counter::launches_covered])
    To.skip(Name, "nothing was checked");
  else if (std::string Problem = coverageProblem(Sum); !Problem.empty())
    To.skip(Name, Problem);
  else
    To.pass(Name);
  for (const Summary::GapLine &Gap : Sum.Gaps)
    To.skip(Gap.Subject,
            Gap.Reason + ", " + count(Gap.Launches, "launch", "launches"));
  if (Sum.GapsLost)
    To.skip("gaps that were not recorded",
            number(Sum.GapsLost) + " more; there was no room");
}

} // namespace

std::string warpsan::junitOf(const Collection &All) {
  Suites Programs;
  // A summary is of all programs of a run together.
  std::string OfAll;
  if (All.Coverage)
    for (const std::string &Name : All.Coverage->Executables)
      OfAll += (OfAll.empty() ? "" : ", ") + Name;
  for (const CollectedFinding &F : All.Findings)
    addFinding(Programs.of(F.First.Process.Program), F);
  for (const Summary::FindingLine &Line : All.Untold)
    addUntold(Programs.of(OfAll), Line);
  if (All.Coverage)
    addCoverage(Programs.of(OfAll), *All.Coverage);
  else
    Programs.of(OfAll).skip("kernels are covered",
                            "what was covered is not known: no summary was "
                            "read");
  return Programs.document();
}
