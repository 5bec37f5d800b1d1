//===- report/html/html.cpp - findings and coverage as one page -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file with everything in it, that asks for nothing from anywhere: its
// policy allows no request, and of styles and scripts only those whose hashes
// are in it. All can be read without scripts; the script filters.
//
//===----------------------------------------------------------------------===//
#include "report/html/markup.h"
#include "report/report.h"
#include "text/format.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace warpsan;
using namespace warpsan::html;

namespace {

// The files of html/, as bytes, and their SHA-256 in base 64.
constexpr char StyleBytes[] = {
#include "style.css.inc"
};
constexpr char ScriptBytes[] = {
#include "filter.js.inc"
};
constexpr char StyleHash[] =
#include "style.css.sha256.inc"
    ;
constexpr char ScriptHash[] =
#include "filter.js.sha256.inc"
    ;

/// More than so many findings are folded at first, all but one.
constexpr size_t MostOpen = 5;

struct Verdict {
  const char *Class; ///< bad, open, good
  std::string Title, More;
};

uint64_t distinctSubjects(const Collection &All) {
  std::set<std::string> Subjects;
  for (const CollectedFinding &Of : All.Findings)
    Subjects.insert(subjectName(Of.First));
  return Subjects.size();
}

Verdict errors(const Collection &All) {
  const size_t Found = All.Findings.size();
  if (!Found)
    return {"bad", "Checks failed, but no error is described",
            "The summary counts errors that are in none of the files of "
            "findings that were read."};
  Verdict V{"bad", count(Found, "error", "errors"), ""};
  if (!All.Coverage)
    V.More = "Coverage is unknown.";
  else if (std::string Problem = coverageProblem(*All.Coverage);
           !Problem.empty())
    V.More = "Not everything was covered: " + Problem + ".";
  return V;
}

Verdict verdictOf(const Collection &All) {
  if (!All.Findings.empty() || (All.Coverage && hasErrors(*All.Coverage)))
    return errors(All);
  if (!All.Coverage)
    return {"open", "No errors in these files",
            "Coverage is unknown: no summary was among the files."};
  const Summary &Sum = *All.Coverage;
  const std::string Problem = coverageProblem(Sum);
  if (!Sum.Processes || !Sum[Counter::launches])
    return {"open", "Nothing was checked", Problem + "."};
  if (!Sum[Counter::launches_covered])
    return {"open", "Nothing was checked", "No launch ran with checks."};
  if (!Problem.empty() || !Sum.Gaps.empty() || Sum.GapsLost)
    return {"open", "No errors found, but not everything was covered",
            Problem.empty() ? "" : Problem + "."};
  if (Sum[Counter::launches_covered] < Sum[Counter::launches])
    return {"open", "No errors found, but not everything was covered",
            "Some launches ran without checks."};
  return {"good", "No errors", ""};
}

std::string headPart(const Verdict &V) {
  return "<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
         "'none'; style-src 'sha256-" +
         std::string(StyleHash) + "'; script-src 'sha256-" + ScriptHash +
         "'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n"
         "<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<meta name=\"generator\" content=\"WarpSan\">\n<title>WarpSan: " +
         escape(V.Title) + "</title>\n<style>" +
         std::string(StyleBytes, sizeof(StyleBytes)) + "</style>\n</head>\n";
}

std::string figure(uint64_t Value, const char *One, const char *Many) {
  return element("li", "",
                 element("b", "", number(Value)) + " " +
                     (Value == 1 ? One : Many));
}

std::string headerPart(const Collection &All, const Verdict &V) {
  std::string Figures = figure(All.Findings.size(), "error", "errors");
  Figures += figure(distinctSubjects(All), "kernel or call with errors",
                    "kernels and calls with errors");
  if (All.Coverage) {
    const Summary &Sum = *All.Coverage;
    Figures +=
        figure(Sum[Counter::launches_covered], "launch checked or proven",
               "launches checked or proven") +
        figure(Sum[Counter::launches], "launch in all", "launches in all") +
        figure(Sum.Processes, "process", "processes");
  }
  return "<header>\n<h1>WarpSan report</h1>\n<div class=\"verdict " +
         std::string(V.Class) + "\">" + element("p", "", escape(V.Title)) +
         (V.More.empty() ? "" : element("p", "more", escape(V.More))) +
         "</div>\n" + element("ul", "figures", Figures) + "\n</header>\n";
}

std::string select(const char *Id, const char *Label, const char *Any,
                   const std::map<std::string, std::string> &Options) {
  std::string Inside = "<option value=\"\">" + std::string(Any) + "</option>";
  for (const auto &[Value, Text] : Options)
    Inside +=
        "<option value=\"" + escape(Value) + "\">" + escape(Text) + "</option>";
  return "<label>" + std::string(Label) + " <select id=\"" + Id + "\">" +
         Inside + "</select></label>";
}

/// Hidden until the script shows it.
std::string filterPart(const Collection &All) {
  std::map<std::string, std::string> Kinds, Subjects;
  for (const CollectedFinding &Of : All.Findings) {
    Kinds[nameOf(Of.First.Kind)] = titleOf(Of.First.Kind);
    const std::string Subject = subjectName(Of.First);
    Subjects[Subject] = Subject.empty() ? "(no name)" : Subject;
  }
  return "<form id=\"filter\" role=\"search\" hidden>\n<label>Find <input "
         "id=\"text\" type=\"search\" autocomplete=\"off\"></label>\n" +
         select("kind", "Kind", "all kinds", Kinds) + "\n" +
         select("kernel", "Kernel or call", "all", Subjects) +
         "\n<output id=\"shown\" aria-live=\"polite\"></output>\n</form>\n";
}

/// An id, with nothing in it that a link would have to escape; \p Used has
/// those that are taken.
std::string anchorOf(const std::string &Id, std::set<std::string> &Used) {
  std::string Anchor;
  for (char C : Id.substr(0, 64)) {
    const bool Plain = (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
                       (C >= '0' && C <= '9') || C == '-';
    Anchor += Plain ? C : '_';
  }
  // The page's own do not start so.
  if (!Anchor.starts_with("ws-"))
    Anchor = "ws-" + Anchor;
  std::string Own = Anchor;
  for (size_t Next = 2; !Used.insert(Own).second; ++Next)
    Own = Anchor + "_" + std::to_string(Next);
  return Own;
}

std::string findingsPart(const Collection &All) {
  std::string Inside = element("h2", "", "Errors") + "\n";
  if (All.Findings.empty())
    return "<section id=\"errors\">" + Inside +
           element("p", "", "None in the files that were read.") +
           "</section>\n";
  Inside += filterPart(All);
  std::set<std::string> Used;
  std::vector<std::string> Anchors;
  std::map<std::string, std::string> ById; // of several, the first
  for (const CollectedFinding &Of : All.Findings) {
    Anchors.push_back(anchorOf(Of.First.Id, Used));
    ById.emplace(Of.First.Id, Anchors.back());
  }
  for (size_t I = 0; I < Anchors.size(); ++I) {
    const CollectedFinding &Of = All.Findings[I];
    const auto Cause =
        Of.First.Follows ? ById.find(Of.First.Follows->Id) : ById.end();
    const bool Open = I == 0 || Anchors.size() <= MostOpen;
    Inside += findingPart(Of, Anchors[I],
                          Cause == ById.end() ? "" : Cause->second, Open);
  }
  // Those that were only counted, as there were too many.
  const uint64_t Counted =
      All.Coverage ? All.Coverage->Findings.size() + All.Coverage->FindingsLost
                   : 0;
  if (Counted > All.Findings.size())
    Inside +=
        element("p", "hint",
                "The summary counts " + count(Counted, "error", "errors") +
                    "; the others are in no file of findings that was "
                    "read.");
  return "<section id=\"errors\">" + Inside + "</section>\n";
}

std::string footerPart(const Collection &All) {
  std::string Files;
  for (const std::string &File : All.Files)
    Files += element("li", "", "<code>" + escape(File) + "</code>");
  return "<footer>\n" +
         (Files.empty()
              ? std::string()
              : element("details", "",
                        element("summary", "",
                                count(All.Files.size(), "file", "files") +
                                    " read") +
                            element("ul", "", Files))) +
         "\n</footer>\n";
}

} // namespace

std::string warpsan::htmlOf(const Collection &All) {
  const Verdict V = verdictOf(All);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n" + headPart(V) + "<body>\n" +
         headerPart(All, V) + "<main>\n" + findingsPart(All) +
         coveragePart(All) + "</main>\n" + footerPart(All) + "<script>" +
         std::string(ScriptBytes, sizeof(ScriptBytes)) +
         "</script>\n</body>\n</html>\n";
}
