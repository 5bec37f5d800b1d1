//===- report/html/coverage.cpp - what was checked, as bars ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/html/markup.h"
#include "text/format.h"
#include "text/names.h"

#include <algorithm>

using namespace warpsan;
using namespace warpsan::html;

namespace {

struct Share {
  const char *Class;
  uint64_t Count;
  const char *Name;
};

/// Counts come from a file and need not add up.
uint64_t rest(uint64_t All, uint64_t Part) { return All - std::min(All, Part); }

/// A bar with a legend that has the numbers.
std::string bar(const char *Subject, const std::vector<Share> &Shares) {
  double All = 0;
  for (const Share &S : Shares)
    All += static_cast<double>(S.Count);
  std::string Drawn, Legend, Said = Subject;
  double At = 0;
  for (const Share &S : Shares) {
    const double Width = All > 0 ? static_cast<double>(S.Count) * 100 / All : 0;
    if (S.Count)
      Drawn += "<rect class=\"" + std::string(S.Class) + "\" x=\"" +
               percent(At) + "\" y=\"0\" width=\"" + percent(Width) +
               "\" height=\"16\"/>";
    At += Width;
    const std::string Text = number(S.Count) + " " + S.Name;
    Legend += element("li", S.Class, Text);
    Said += (&S == &Shares.front() ? ": " : ", ") + Text;
  }
  return element("h3", "", Subject) +
         "<svg class=\"bar\" role=\"img\" width=\"100%\" height=\"16\" "
         "aria-label=\"" +
         escape(Said) +
         "\"><rect class=\"empty\" x=\"0\" y=\"0\" width=\"100%\" "
         "height=\"16\"/>" +
         Drawn + "</svg>" + element("ul", "legend", Legend);
}

std::string bars(const Summary &Sum) {
  const uint64_t Kernels = Sum[Counter::kernels_launched];
  const uint64_t Launches = Sum[Counter::launches];
  const uint64_t Checked = Sum[Counter::launches_covered];
  const uint64_t Proven = Sum[Counter::launches_proven];
  const uint64_t Open = rest(Launches, Checked);
  const uint64_t Watched =
      std::min(Open, Sum[Counter::launches_canary_guarded]);
  std::string Out =
      bar("Kernels",
          {{"checked", Sum[Counter::kernels_twin], "covered"},
           {"open", rest(Kernels, Sum[Counter::kernels_twin]), "not covered"}});
  if (uint64_t Entirely = Sum[Counter::kernels_proven])
    Out += element("p", "hint",
                   number(Entirely) + " proven entirely when last launched.");
  Out += bar("Launches", {{"proven", Proven, "proven"},
                          {"checked", rest(Checked, Proven), "checked"},
                          {"watched", Watched, "only guarded by canaries"},
                          {"open", Open - Watched, "not covered"}});
  Out += bar("Accesses",
             {{"proven", Sum[Counter::accesses_proven], "proven"},
              {"checked", Sum[Counter::accesses_checked], "checked"},
              {"open", Sum[Counter::accesses_untraced], "not checked"}});
  return Out;
}

std::string gapSubject(const std::string &Subject) {
  const std::string OfKernel = "kernel ";
  if (!Subject.starts_with(OfKernel))
    return Subject;
  return OfKernel + kernelName(Subject.substr(OfKernel.size()));
}

std::string gaps(const Summary &Sum) {
  if (Sum.Gaps.empty() && !Sum.GapsLost)
    return {};
  std::vector<Summary::GapLine> Lines = Sum.Gaps;
  std::ranges::stable_sort(Lines, [](const auto &A, const auto &B) {
    return A.Launches > B.Launches;
  });
  std::string Rows = "<tr><th scope=\"col\">What</th><th scope=\"col\">Why</th>"
                     "<th scope=\"col\">Launches</th></tr>";
  for (const Summary::GapLine &Line : Lines)
    Rows += element("tr", "",
                    element("td", "", escape(gapSubject(Line.Subject))) +
                        element("td", "", escape(Line.Reason)) +
                        element("td", "count", number(Line.Launches)));
  std::string Out = element("h3", "", "Not covered") +
                    element("div", "wide", element("table", "gaps", Rows));
  if (Sum.GapsLost)
    Out += element("p", "hint",
                   "and " + number(Sum.GapsLost) +
                       " more that were not recorded: the table is full");
  return Out;
}

std::string remarks(const Summary &Sum) {
  std::string Out;
  if (const std::string Ending = endingOf(Sum); !Ending.empty())
    Out += element("li", "", escape(Ending + "."));
  for (const std::string &Remark : remarksOf(Sum))
    Out += element("li", "", escape(Remark));
  return Out.empty() ? "" : element("ul", "", Out);
}

} // namespace

std::string html::coveragePart(const Collection &All) {
  std::string Inside = element("h2", "", "Coverage");
  if (!All.Coverage)
    Inside += element("p", "",
                      "Not known: no summary was among the files that were "
                      "read (summary_file writes one).");
  else
    Inside +=
        bars(*All.Coverage) + gaps(*All.Coverage) + remarks(*All.Coverage);
  return "<section id=\"coverage\">" + Inside + "</section>\n";
}
