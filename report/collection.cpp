//===- report/collection.cpp - the findings of many files, merged ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/collection.h"

#include "report/formats/read_json.h"
#include "status/json_fields.h"
#include "text/format.h"

#include <algorithm>
#include <istream>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace warpsan;

namespace {

constexpr size_t MostProblemsOfAFile = 10;

/// Process ids repeat on other machines and in other runs, so a process is one
/// of its file.
using Process = std::pair<size_t, uint64_t>;

/// What makes two findings one, as in the layer.
std::string keyOf(const Finding &F) {
  return F.Id + " " + F.Fingerprint + "\n" +
         std::to_string(static_cast<int>(F.Root.What)) + " " +
         std::to_string(F.Root.Arg) + " " + F.Root.Name;
}

/// What an `repeat` line, or a line of a summary, says it is about.
template <typename Line> std::string nameIn(const Line &Of) {
  return Of.Fingerprint.empty() ? Of.Id : Of.Fingerprint;
}

bool isBlank(std::string_view Text) {
  return Text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

} // namespace

struct Collector::State {
  Collection All;
  std::vector<Process> FirstIn; ///< which process reported each first
  std::map<std::string, size_t> ByKey;
  std::set<std::pair<size_t, Process>> Seen; ///< who reported what

  /// Where a process's `repeat` lines count, and the launch that was last
  /// counted.
  struct Told {
    size_t Index;
    uint64_t LastLaunch;
  };
  std::map<std::pair<std::string, Process>, Told> InProcess;
  /// Lines of findings that their process did not tell in full, by name.
  std::map<std::string, Summary::FindingLine> OnlyAgain;

  void add(CollectedFinding &&New, size_t File);
  void add(const AgainLine &Line, size_t File);
  void sortByTime();
};

/// The first error first: what follows from it comes after it.
void Collector::State::sortByTime() {
  struct Time {
    size_t Process; ///< in the order they were met
    uint64_t Launch;
    uint64_t Order;
    size_t Index;
  };
  struct Progress {
    size_t Number;
    uint64_t LastLaunch;
  };
  std::map<Process, Progress> Processes;
  std::vector<Time> Times;
  for (size_t I = 0; I < All.Findings.size(); ++I) {
    const Finding &F = All.Findings[I].First;
    Progress &Of =
        Processes.try_emplace(FirstIn[I], Progress{Processes.size(), 0})
            .first->second;
    Of.LastLaunch = std::max(Of.LastLaunch, F.Launch.Number);
    const bool IsCall = !F.Call.empty();
    Times.push_back({Of.Number, IsCall ? Of.LastLaunch : F.Launch.Number,
                     IsCall ? UINT64_MAX : F.Site.Order, I});
  }
  std::ranges::sort(Times, {}, [](const Time &T) {
    return std::tuple(T.Process, T.Launch, T.Order, T.Index);
  });
  std::vector<CollectedFinding> Sorted;
  for (const Time &T : Times)
    Sorted.push_back(std::move(All.Findings[T.Index]));
  All.Findings = std::move(Sorted);
}

void Collector::State::add(CollectedFinding &&New, size_t File) {
  const Finding &F = New.First;
  const Process Who = {File, F.Process.Pid};
  auto [At, IsNew] = ByKey.emplace(keyOf(F), All.Findings.size());
  const size_t Index = At->second;
  InProcess.try_emplace({nameIn(F), Who}, Told{Index, F.Launch.Number});
  if (!New.Processes) { // as a process reported it
    New.Launches = 1;
    New.Items = F.Items;
    New.Processes = Seen.emplace(Index, Who).second ? 1 : 0;
  }
  if (IsNew) {
    All.Findings.push_back(std::move(New));
    FirstIn.push_back(Who);
    return;
  }
  CollectedFinding &Known = All.Findings[Index];
  Known.Launches += New.Launches;
  Known.Items += New.Items;
  Known.Processes += New.Processes;
}

void Collector::State::add(const AgainLine &Line, size_t File) {
  auto At = InProcess.find({nameIn(Line), {File, Line.Pid}});
  if (At == InProcess.end()) {
    Summary::FindingLine &Untold = OnlyAgain[nameIn(Line)];
    Untold.Id = Line.Id;
    Untold.Fingerprint = Line.Fingerprint;
    ++Untold.Launches;
    Untold.WorkItems += Line.Items;
    return;
  }
  Told &Before = At->second;
  CollectedFinding &Known = All.Findings[Before.Index];
  // A call has no launch: each is one more.
  if (std::exchange(Before.LastLaunch, Line.Launch) != Line.Launch ||
      !Line.Launch)
    ++Known.Launches;
  Known.Items += Line.Items;
}

Collector::Collector() : Now(std::make_unique<State>()) {}
Collector::~Collector() = default;

void Collector::add(const Summary &Sum) {
  if (!Now->All.Coverage)
    Now->All.Coverage.emplace();
  addSummary(*Now->All.Coverage, Sum);
}

void Collector::add(std::istream &From, const std::string &Name) {
  const size_t File = Now->All.Files.size();
  Now->All.Files.push_back(Name);
  const size_t ProblemsBefore = Problems.size();
  size_t Wrong = 0;
  bool IsOurs = false; // a line of it is JSON
  auto Complain = [&](uint64_t Line, const std::string &What) {
    if (++Wrong <= MostProblemsOfAFile)
      Problems.push_back(printable(Name) + ":" + std::to_string(Line) + ": " +
                         What + ".");
  };
  auto Take = [&](uint64_t Number, std::string_view Text) {
    FindingsLine Line = readLine(Text);
    const auto *Problem = std::get_if<LineProblem>(&Line);
    IsOurs |= !Problem || !Problem->What.starts_with(NotJson);
    if (auto *Found = std::get_if<CollectedFinding>(&Line))
      Now->add(std::move(*Found), File);
    else if (auto *Again = std::get_if<AgainLine>(&Line))
      Now->add(*Again, File);
    else if (auto *Sum = std::get_if<Summary>(&Line))
      add(*Sum);
    else
      Complain(Number, Problem->What);
  };

  std::string Text;
  for (uint64_t Number = 1; std::getline(From, Text); ++Number) {
    if (isBlank(Text))
      continue;
    if (Text == "{") { // a summary, on many lines: all that is left
      Text.append("\n").append(std::istreambuf_iterator<char>(From), {});
      Take(Number, Text);
      break;
    }
    Take(Number, Text);
  }
  if (Wrong && !IsOurs) { // a file of some other kind: one problem says it all
    Problems.resize(ProblemsBefore + 1);
    Problems.back().back() = ';';
    Problems.back() += " give files of --findings_file or --summary_file.";
    Wrong = 0;
  }
  if (From.bad())
    Complain(0, "cannot be read to its end");
  if (Wrong > MostProblemsOfAFile)
    Problems.push_back(printable(Name) + ": " +
                       number(Wrong - MostProblemsOfAFile) +
                       " more lines cannot be read.");
}

Collection Collector::finish() {
  Now->sortByTime();
  Collection All = std::move(Now->All);
  std::set<std::string> Told;
  for (const CollectedFinding &F : All.Findings)
    Told.insert(nameIn(F.First));
  if (All.Coverage)
    for (const Summary::FindingLine &Line : All.Coverage->Findings)
      if (!Told.contains(nameIn(Line))) {
        All.Untold.push_back(Line);
        Now->OnlyAgain.erase(nameIn(Line));
      }
  for (auto &[Name, Line] : Now->OnlyAgain) {
    if (!Told.contains(Name)) {
      All.Untold.push_back(std::move(Line));
      continue;
    }
    for (CollectedFinding &F : All.Findings)
      if (nameIn(F.First) == Name) { // another process reported it
        F.Launches += Line.Launches;
        F.Items += Line.WorkItems;
        break;
      }
  }
  *Now = {};
  return All;
}
