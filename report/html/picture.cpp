//===- report/html/picture.cpp - memory and an access, drawn to scale -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places are percentages and heights are pixels, so that the picture is as wide
// as the page and its text is always as large as other text.
//
//===----------------------------------------------------------------------===//
#include "report/html/axis.h"
#include "report/html/markup.h"
#include "report/parts.h"
#include "text/format.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace warpsan;
using namespace warpsan::html;

namespace {

constexpr int BarTop = 30, BarHeight = 30;
constexpr int Below = BarTop + BarHeight + 16, Height = Below + 6;
/// Elements that are told apart.
constexpr double MostElements = 48;
/// Of a name in a bar, on a phone.
constexpr double LettersAPercent = 0.4;

struct Bar {
  Extent Bytes;
  const char *Class;
  std::string Label = {};
};

/// What is drawn: the memory first, then what is near it.
struct Scene {
  std::vector<Bar> Bars;
  Extent Access;
  double Element = 0; ///< bytes; 0: none
  bool TornLeft = false, TornRight = false;
  const char *Legend = "";
};

double number64(uint64_t Value) { return static_cast<double>(Value); }

/// "16,892"; of what is beyond any memory, something that is as far.
std::string byteText(double Byte) {
  return signedNumber(static_cast<int64_t>(std::clamp(Byte, -9e18, 9e18)));
}

std::string px(int Value) { return std::to_string(Value); }

std::string attributes(double From, double To) {
  return " x=\"" + percent(From) + "\" width=\"" + percent(To - From) + "\"";
}

/// Text that stays in the picture, at \p At percent.
std::string label(double At, int Y, const char *Class,
                  const std::string &Text) {
  const char *Anchor = At < 30 ? "start" : At > 70 ? "end" : "middle";
  return "<text x=\"" + percent(At) + "\" y=\"" + px(Y) + "\" class=\"" +
         Class + "\" text-anchor=\"" + Anchor + "\">" + escape(Text) +
         "</text>";
}

/// What is drawn at a place in percent, with pixels around it.
std::string placed(double At, const char *Class, const std::string &Path) {
  return "<svg x=\"" + percent(At) + "\" y=\"0\" overflow=\"visible\">" +
         "<path class=\"" + Class + "\" d=\"" + Path + "\"/></svg>";
}

std::string drawBar(const Bar &B, const Axis &Of) {
  const double From = Of.at(B.Bytes.Begin), To = Of.at(B.Bytes.End);
  if (To <= From)
    return {};
  const std::string Y =
      " y=\"" + px(BarTop) + "\" height=\"" + px(BarHeight) + "\"";
  std::string Out = "<rect class=\"" + std::string(B.Class) + "\"" +
                    attributes(From, To) + Y + "/>";
  // A picture in the picture: it cuts off what does not fit.
  if (!B.Label.empty() &&
      static_cast<double>(width(B.Label)) < LettersAPercent * (To - From))
    Out += "<svg" + attributes(From, To) + Y +
           "><text x=\"50%\" y=\"20\" class=\"name\" text-anchor=\"middle\">" +
           escape(B.Label) + "</text></svg>";
  return Out;
}

std::string drawElements(const Scene &S, const Axis &Of) {
  const Extent &Memory = S.Bars.front().Bytes;
  if (S.Element <= 0 || Memory.length() / S.Element > MostElements)
    return {};
  std::string Out;
  // Counted: so large a number may not change by adding an element to it.
  const auto Count = static_cast<int>(std::ceil(Memory.length() / S.Element));
  for (int I = 1; I < Count; ++I) {
    const double At = Memory.Begin + I * S.Element;
    const std::string X = percent(Of.at(At));
    Out += "<line class=\"tick\" x1=\"" + X + "\" x2=\"" + X + "\" y1=\"" +
           px(BarTop) + "\" y2=\"" + px(BarTop + BarHeight) + "\"/>";
  }
  return Out;
}

std::string drawAccess(const Scene &S, const Axis &Of,
                       const std::string &Text) {
  const double From = Of.at(S.Access.Begin), To = Of.at(S.Access.End);
  std::string Out = "<rect class=\"access\"" + attributes(From, To) + " y=\"" +
                    px(BarTop - 2) + "\" height=\"" + px(BarHeight + 4) +
                    "\"/>";
  const double Middle = (From + To) / 2;
  // However thin it is, the arrow shows where.
  Out += placed(Middle, "arrow", "M-5 19H5L0 27ZM-.7 27H.7V62H-.7Z");
  return Out + label(Middle, 13, "said", Text);
}

std::string drawBreak(double At) {
  return placed(At, "break",
                "M-6 " + px(BarTop + BarHeight + 4) + "L0 " + px(BarTop - 4) +
                    "M0 " + px(BarTop + BarHeight + 4) + "L6 " +
                    px(BarTop - 4));
}

std::string draw(const Scene &S, const std::string &Said, const char *Class) {
  const Extent &Memory = S.Bars.front().Bytes;
  std::vector<Extent> Others = {S.Access};
  for (const Bar &B : S.Bars)
    Others.push_back(B.Bytes);
  const Axis Of(Memory, Others);
  std::string Out = "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"" +
                    px(BarTop + BarHeight / 2) + "\" y2=\"" +
                    px(BarTop + BarHeight / 2) + "\"/>";
  for (const Bar &B : S.Bars)
    Out += drawBar(B, Of);
  Out += drawElements(S, Of);
  for (double At : Of.breaks())
    Out += drawBreak(At);
  if (S.TornLeft)
    Out += drawBreak(Of.at(Memory.Begin) + 1);
  if (S.TornRight)
    Out += drawBreak(Of.at(Memory.End) - 1);
  Out += drawAccess(S, Of, Said);
  // The ends of the memory, each on its own side.
  auto End = [&](double Byte, bool Left) {
    return "<text class=\"byte\" y=\"" + px(Below) + "\" x=\"" +
           percent(Of.at(Byte)) + "\" text-anchor=\"" +
           (Left ? "start" : "end") + "\">" + byteText(Byte) + "</text>";
  };
  Out += End(Memory.Begin, true) + End(Memory.End, false);
  std::string Hint =
      Of.breaks().empty() ? "" : "Not to scale where it is broken (//). ";
  Hint += S.Legend;
  return "<svg class=\"" + std::string(Class) +
         "\" role=\"img\" width=\"100%\" " + "height=\"" + px(Height) +
         "\" aria-label=\"" +
         escape(Said + "; the memory has bytes " + byteText(Memory.Begin) +
                " to " + byteText(Memory.End - 1) + ".") +
         "\">" + Out + "</svg>" +
         (Hint.empty() ? "" : element("p", "hint", escape(Hint)));
}

/// An access of no known length is drawn as of one byte.
Extent accessOf(const Finding &F) {
  const auto Begin = static_cast<double>(F.Offset);
  return {Begin, Begin + std::max(number64(F.Bytes), 1.0)};
}

bool canBeDrawn(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::out_of_bounds_image_read:
  case FindingKind::out_of_bounds_image_write:
  case FindingKind::null_pointer:
  case FindingKind::wild_pointer:
    return false;
  default:
    // Of a call there is nothing to see, unless it is given another address.
    return F.Size > 0 && (F.Call.empty() || F.Offset != 0);
  }
}

Scene sceneOf(const Finding &F) {
  const bool Freed = F.Kind == FindingKind::use_after_free;
  Scene S;
  S.Bars.push_back(
      {{0, number64(F.Size)}, Freed ? "freed" : "memory", labelOf(F)});
  S.Access = accessOf(F);
  S.Element = number64(F.ElementSize);
  // A member's neighbors are in its struct, a canary is behind the whole.
  if (F.Kind == FindingKind::member_overflow || F.Canary)
    return S;
  for (const Neighbor &N : F.Memory.Near) {
    const auto Begin = static_cast<double>(N.Offset);
    S.Bars.push_back(
        {{Begin, Begin + number64(N.Size)}, N.Freed ? "freed" : "near"});
    S.Legend = "Gray: other allocations near it. With dashes: freed.";
  }
  if (F.Memory.What == MemoryInfo::Kind::SubBuffer) {
    const double Start = -number64(F.Memory.SubOffset);
    const double End = Start + number64(F.Memory.ParentSize);
    if (Start < 0)
      S.Bars.push_back({{Start, 0}, "near"});
    if (End > number64(F.Size))
      S.Bars.push_back({{number64(F.Size), End}, "near"});
    S.Legend = "Gray: the rest of the buffer that it is a part of.";
  }
  return S;
}

/// The end that was missed, with a few elements; nothing if the whole shows as
/// much, or if the access is too far away.
std::optional<Scene> closeUp(const Finding &F, const Scene &Whole) {
  constexpr double Inside = 6, Reach = 16;
  const double Element = Whole.Element > 0 ? Whole.Element : 1;
  const Extent &Memory = Whole.Bars.front().Bytes;
  if (F.Fell == Finding::Where::None || Memory.length() <= Reach * Element)
    return std::nullopt;
  Scene S = Whole;
  S.Element = Element;
  S.Bars.resize(1);
  S.Legend = "";
  Extent &Shown = S.Bars.front().Bytes;
  const double Outside = F.Fell == Finding::Where::Before
                             ? -S.Access.Begin
                             : S.Access.End - Memory.End;
  const double Within = std::max(Inside * Element, S.Access.length());
  if (Outside > Reach * Element || Within >= Memory.length())
    return std::nullopt;
  constexpr double Visible = 0.03;
  if (S.Access.length() > Visible * (Memory.length() + Outside))
    return std::nullopt;
  if (F.Fell == Finding::Where::Before) {
    Shown.End = std::ceil(Within / Element) * Element;
    S.TornRight = true;
  } else {
    Shown.Begin =
        std::max(0.0, std::floor((Memory.End - Within) / Element) * Element);
    S.TornLeft = true;
  }
  S.Bars.front().Label.clear();
  return S;
}

} // namespace

std::string html::memoryPicture(const Finding &F) {
  if (!canBeDrawn(F))
    return {};
  const Scene Whole = sceneOf(F);
  std::string Said = F.Bytes ? bytes(F.Bytes) + " at " : "byte ";
  Said += signedNumber(F.Offset);
  // A narrow page has no room for more.
  constexpr size_t MostSaid = 36;
  if (F.Element)
    if (std::string Index = ", element " + signedNumber(*F.Element);
        width(Said + Index) <= MostSaid)
      Said += Index;
  std::string Out = draw(Whole, Said, "picture");
  if (std::optional<Scene> Close = closeUp(F, Whole))
    Out += element("p", "hint",
                   F.ElementSize ? "The same, closer: one box an element."
                                 : "The same, closer: one box a byte.") +
           draw(*Close, Said, "picture");
  return Out;
}
