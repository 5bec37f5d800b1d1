//===- report/html/range.cpp - the work-items that failed, as a map -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/html/markup.h"
#include "report/parts.h"
#include "report/vocabulary.h"
#include "text/format.h"

#include <algorithm>

using namespace warpsan;
using namespace warpsan::html;

namespace {

std::string rect(const char *Class, uint64_t X, uint64_t Y, uint64_t Width) {
  return "<rect class=\"" + std::string(Class) + "\" x=\"" + std::to_string(X) +
         "\" y=\"" + std::to_string(Y) + "\" width=\"" + std::to_string(Width) +
         "\" height=\"1\"/>";
}

/// The cells of one row that failed, neighbors as one.
std::string hitsOfRow(const HitMap &Map, size_t First, uint64_t Y) {
  std::string Out;
  for (uint64_t X = 0; X < Map.Cells[0];) {
    uint64_t End = X;
    while (End < Map.Cells[0] && Map.Hit[First + End])
      ++End;
    if (End > X)
      Out += rect("hit", X, Y, End - X);
    X = End + 1;
  }
  return Out;
}

/// Lines between cells, where they are few enough to be seen.
std::string grid(uint32_t Columns, uint32_t Rows) {
  std::string Path;
  for (uint32_t X = 1; X < Columns && Columns <= 64; ++X)
    Path += "M" + std::to_string(X) + " 0V" + std::to_string(Rows);
  for (uint32_t Y = 1; Y < Rows; ++Y)
    Path += "M0 " + std::to_string(Y) + "H" + std::to_string(Columns);
  return Path.empty() ? "" : "<path class=\"grid\" d=\"" + Path + "\"/>";
}

/// One layer of the map, x to the right and y downwards.
std::string layer(const HitMap &Map, uint32_t Z, size_t First,
                  const std::string &Name) {
  const uint32_t Columns = Map.Cells[0], Rows = Map.Cells[1];
  const size_t Start = size_t{Z} * Columns * Rows;
  std::string Out = rect("range", 0, 0, Columns);
  // One rectangle for all.
  Out.replace(Out.find("height=\"1\""), 10,
              "height=\"" + std::to_string(Rows) + "\"");
  for (uint32_t Y = 0; Y < Rows; ++Y)
    Out += hitsOfRow(Map, Start + size_t{Y} * Columns, Y);
  Out += grid(Columns, Rows);
  if (First >= Start && First < Start + size_t{Columns} * Rows)
    Out +=
        rect("first", (First - Start) % Columns, (First - Start) / Columns, 1);
  // A row is as wide as the page; others have square cells.
  const bool Strip = Rows == 1;
  constexpr uint32_t Pixels = 14;
  return "<svg role=\"img\" aria-label=\"" + escape(Name) +
         "\" viewBox=\"0 0 " + std::to_string(Columns) + " " +
         std::to_string(Rows) + "\" " +
         (Strip ? "class=\"strip\" preserveAspectRatio=\"none\" "
                  "width=\"100%\" height=\"26\""
                : "class=\"map\" width=\"" + std::to_string(Columns * Pixels) +
                      "\" height=\"" + std::to_string(Rows * Pixels) + "\"") +
         ">" + Out + "</svg>";
}

std::string layers(const HitMap &Map, size_t First, const std::string &Name) {
  if (Map.Cells[2] == 1)
    return layer(Map, 0, First, Name);
  std::string Out;
  for (uint32_t Z = 0; Z < Map.Cells[2]; ++Z) {
    const uint64_t From = Z * Map.Each[2];
    const std::string Which =
        "z " + number(From) +
        (Map.Each[2] > 1 ? " to " + number(From + Map.Each[2] - 1) : "");
    Out += element("figure", "layer",
                   layer(Map, Z, First, Name + ", " + Which) +
                       element("figcaption", "", escape(Which)));
  }
  return element("div", "layers", Out);
}

/// "A box is 4 x 1 work-items."
std::string legend(const Finding &F, const HitMap &Map, bool Known) {
  const Vocabulary &Words = wordsFor(F);
  const uint64_t Each = Map.Each[0] * Map.Each[1] * Map.Each[2];
  std::string Out = "One box is ";
  if (Each == 1)
    Out += std::string("one ") + Words.Item;
  else
    Out += extent(Map.Each, Map.Cells[2] > 1   ? 3
                            : Map.Cells[1] > 1 ? 2
                                               : 1) +
           " " + Words.Items;
  Out += "; outlined: the reported one.";
  if (!Known && F.Items > 1)
    Out += " Which others failed is not known.";
  return element("p", "hint", escape(Out));
}

} // namespace

std::string html::rangeMap(const Finding &F) {
  if (!F.Call.empty())
    return {};
  const Vocabulary &Words = wordsFor(F);
  std::string Out = element("h4", "", F.Cuda ? "Threads" : "Work-items");
  if (F.Canary) {
    Out += element("p", "",
                   escape(std::string("A ") + Words.Item + " " + rangeOf(F) +
                          "; which one is not known."));
    return element("section", "items", Out);
  }
  std::array<uint64_t, 3> Id = {};
  for (size_t I = 0; I < 3; ++I)
    Id[I] = F.GlobalId[I] - F.Launch.Offset[I];
  const bool Known = F.Hits && F.Hits->isValid();
  HitMap Map = Known ? *F.Hits : emptyHitMap(F.Launch.Global);
  const size_t First = Map.cellOf(Id);
  Map.Hit[First] = true;
  const auto Marked = static_cast<uint64_t>(std::ranges::count(Map.Hit, true));
  const std::string Name = number(Marked) + " of " + number(Map.Hit.size()) +
                           " parts of the launch failed";
  Out += element("p", "", escape(itemOf(F) + "   " + rangeOf(F)));
  if (F.Items > 1)
    Out += element("p", "",
                   escape("and " + number(F.Items - 1) + " more " +
                          (F.Items == 2 ? Words.Item : Words.Items) +
                          " in this launch"));
  Out += layers(Map, First, Name) + legend(F, Map, Known);
  return element("section", "items", Out);
}
