//===- report/text/memory_diagram.cpp - memory and an access, to scale ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/text/memory_diagram.h"

#include "text/format.h"

#include <algorithm>
#include <cmath>

using namespace warpsan;

namespace {

constexpr size_t MostAcross = 78;
constexpr size_t MostLabel = 24;
constexpr size_t MostBar = 30, LeastBar = 4;
constexpr size_t MostMarks = 10; ///< x beside the bar
constexpr size_t MostGap = 20;   ///< columns of dots
const char *const Break = "//";

/// How many cells \p Bytes take if \p Bar cells are \p Size bytes; at least
/// one.
size_t cells(uint64_t Bytes, size_t Bar, uint64_t Size, size_t Most) {
  double Exact = static_cast<double>(Bytes) * static_cast<double>(Bar) /
                 static_cast<double>(Size);
  if (!(Exact < static_cast<double>(Most)))
    return Most;
  return std::max<size_t>(static_cast<size_t>(std::lround(Exact)), 1);
}

/// ". . . " with as many columns as the gap would have cells, or with a break
/// if those are too many.
std::string dots(uint64_t Gap, size_t Bar, uint64_t Size) {
  size_t Count = cells(Gap, Bar, Size, MostGap + 1);
  if (Count > MostGap)
    return std::string(". . . ") + Break + " . . . ";
  std::string Out;
  while (Out.size() < Count)
    Out += ". ";
  return Out;
}

/// x for bytes outside of the memory; a break at the far end if cut.
std::string marks(uint64_t Bytes, size_t Bar, uint64_t Size, bool Leftward) {
  size_t Count = cells(Bytes, Bar, Size, MostMarks + 1);
  std::string Out(std::min(Count, MostMarks), 'x');
  if (Count > MostMarks)
    return Leftward ? Break + Out : Out + Break;
  return Out;
}

struct Drawing {
  std::string Left;   ///< before the bar
  std::string Inside; ///< of the bar
  std::string Right;  ///< after it
};

Drawing drawBefore(const Finding &F, size_t Bar) {
  Drawing D;
  D.Inside.assign(Bar, '#');
  D.Right = " " + number(F.Size);
  const std::string First = signedNumber(F.Offset) + " ";
  const bool Overlaps = F.Bytes > F.Distance;
  const uint64_t Outside = std::min(F.Bytes, F.Distance);
  const std::string Mark = marks(std::max<uint64_t>(Outside, 1), Bar, F.Size,
                                 /*Leftward=*/true);
  if (F.Bytes >= F.Distance) {
    if (Overlaps)
      std::fill_n(D.Inside.begin(),
                  cells(F.Bytes - F.Distance, Bar, F.Size, Bar), 'x');
    D.Left = First + Mark;
    return D;
  }
  D.Left = First + Mark + " " + dots(F.Distance - F.Bytes, Bar, F.Size) + "0 ";
  return D;
}

Drawing drawPast(const Finding &F, size_t Bar) {
  Drawing D;
  D.Left = "0 ";
  D.Inside.assign(Bar, '#');
  const std::string Mark =
      marks(std::max<uint64_t>(F.Bytes, 1), Bar, F.Size, /*Leftward=*/false);
  if (F.Distance == 0)
    D.Right = Mark + " " + number(F.Size);
  else
    D.Right = " " + number(F.Size) + "  " + dots(F.Distance, Bar, F.Size) +
              Mark + " " + signedNumber(F.Offset);
  return D;
}

Drawing drawStraddling(const Finding &F, size_t Bar) {
  Drawing D;
  D.Left = "0 ";
  D.Inside.assign(Bar, '#');
  size_t Within = cells(F.Bytes - F.Distance, Bar, F.Size, Bar);
  std::fill_n(D.Inside.rbegin(), Within, 'x');
  D.Right =
      marks(F.Distance, Bar, F.Size, /*Leftward=*/false) + " " + number(F.Size);
  return D;
}

Drawing draw(const Finding &F, size_t Bar) {
  switch (F.Fell) {
  case Finding::Where::Before:
    return drawBefore(F, Bar);
  case Finding::Where::Straddles:
    return drawStraddling(F, Bar);
  default:
    return drawPast(F, Bar);
  }
}

/// As many cells as elements, or a multiple, if they are few.
size_t bestBar(const Finding &F) {
  uint64_t Elements = F.ElementSize ? F.Size / F.ElementSize : F.Size;
  if (Elements == 0 || Elements > MostBar)
    return MostBar;
  return MostBar / Elements * Elements;
}

/// The marks in the error's color.
std::string painted(const std::string &Text, const Paint &Brush) {
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    bool Mark = Text[At] == 'x';
    size_t End = Mark ? Text.find_first_not_of('x', At) : Text.find('x', At);
    End = std::min(End, Text.size());
    std::string Part = Text.substr(At, End - At);
    Out += Mark ? Brush.error(Part) : Part;
    At = End;
  }
  return Out;
}

} // namespace

std::string warpsan::pictureOf(const Finding &F, const std::string &Label,
                               const Paint &Brush) {
  if (F.Fell == Finding::Where::None || F.Size == 0)
    return {};
  std::string Name =
      Label.empty() || width(Label) > MostLabel ? "" : Label + "  ";
  Drawing D;
  for (size_t Bar = bestBar(F);; --Bar) {
    D = draw(F, Bar);
    size_t Columns =
        width(Name) + D.Left.size() + D.Inside.size() + 2 + D.Right.size();
    if (Columns <= std::min(MostAcross, Brush.Columns - 2)) // the indent
      break;
    if (Bar <= LeastBar) {
      if (Name.empty())
        return {};
      Name.clear();
      Bar = bestBar(F) + 1;
    }
  }
  return Name + painted(D.Left, Brush) + "[" + painted(D.Inside, Brush) + "]" +
         painted(D.Right, Brush);
}
