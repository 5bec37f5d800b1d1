//===- test/robustness/fuzz_targets/demand.cpp - what must hold -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/robustness/fuzz_targets/demand.h"

#include "report/collection.h"
#include "report/formats/read_json.h"
#include "report/report.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <set>

using namespace warpsan;
using namespace warpsan::fuzz;

void fuzz::demand(bool Holds, const char *What, std::string_view About) {
  if (Holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n%.*s\n", What,
               static_cast<int>(About.size()), About.data());
  std::abort();
}

/// The character at \p At, which becomes the next one's place; -1 if it is no
/// UTF-8. Not text/format.h's: that is under test.
static int32_t takeCharacter(std::string_view Text, size_t &At) {
  const auto First = static_cast<unsigned char>(Text[At++]);
  if (First < 0x80)
    return First;
  const int More = First >= 0xF0   ? 3
                   : First >= 0xE0 ? 2
                   : First >= 0xC2 ? 1
                                   : 0;
  if (!More || First > 0xF4)
    return -1;
  int32_t Code = First & (0x3F >> More);
  for (int I = 0; I < More; ++I) {
    if (At >= Text.size() || (Text[At] & 0xC0) != 0x80)
      return -1;
    Code = Code << 6 | (Text[At++] & 0x3F);
  }
  constexpr int32_t Least[] = {0, 0x80, 0x800, 0x10000};
  const bool Surrogate = Code >= 0xD800 && Code <= 0xDFFF;
  return Code < Least[More] || Code > 0x10FFFF || Surrogate ? -1 : Code;
}

/// Terminals obey it, or it turns the text around it.
static bool isObeyed(int32_t C) {
  return (C < 0x20 && C != '\n') || (C >= 0x7F && C < 0xA0) || C == 0x61C ||
         C == 0x200E || C == 0x200F || (C >= 0x2028 && C <= 0x202E) ||
         (C >= 0x2066 && C <= 0x2069);
}

void fuzz::demandPlain(std::string_view Text) {
  for (size_t At = 0; At < Text.size();) {
    const int32_t C = takeCharacter(Text, At);
    demand(C >= 0, "text is UTF-8", Text);
    demand(!isObeyed(C), "no control character is in the text", Text);
  }
}

void fuzz::demandPlain(const std::vector<std::string> &Texts) {
  for (const std::string &Text : Texts)
    demandPlain(Text);
}

void fuzz::demandJson(std::string_view Text) {
  demand(nlohmann::json::accept(Text), "JSON is well formed", Text);
}

void fuzz::demandJsonLines(std::string_view Text) {
  while (!Text.empty()) {
    const size_t End = Text.find('\n');
    demand(End != Text.npos, "a line ends", Text);
    demandJson(Text.substr(0, End));
    Text.remove_prefix(End + 1);
  }
}

//===----------------------------------------------------------------------===//
// Markup
//===----------------------------------------------------------------------===//

namespace {

class Markup {
public:
  Markup(std::string_view Text, bool IsPage) : Left(Text), IsPage(IsPage) {}

  void read() {
    demandPlain(Left);
    takeStart();
    while (!Left.empty())
      if (Left.starts_with('<'))
        takeTag();
      else
        takeText();
    need(Open.empty(), "every element is closed");
    if (IsPage)
      need(Scripts == 1 && Styles == 1, "a page has one script, one style");
  }

private:
  void need(bool Holds, const char *What) {
    demand(Holds, What, Left.substr(0, 400));
  }
  bool take(std::string_view Word) {
    if (!Left.starts_with(Word))
      return false;
    Left.remove_prefix(Word.size());
    return true;
  }
  void takeStart() {
    need(take(IsPage ? "<!DOCTYPE html>\n"
                     : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
         "it says what it is");
  }
  std::string takeName() {
    size_t Length = 0;
    while (Length < Left.size() &&
           (std::isalnum(static_cast<unsigned char>(Left[Length])) ||
            Left[Length] == '-'))
      ++Length;
    need(Length > 0, "a name follows");
    const std::string Name(Left.substr(0, Length));
    Left.remove_prefix(Length);
    return Name;
  }
  void takeTag() {
    if (take("</")) {
      const std::string Name = takeName();
      need(!Open.empty() && Open.back() == Name && take(">"),
           "elements are closed in order");
      Open.pop_back();
      return;
    }
    take("<");
    const std::string Name = takeName();
    static const std::set<std::string> Never = {
        "applet", "audio", "base",   "embed",  "frame",  "img",
        "iframe", "link",  "object", "portal", "source", "video"};
    if (IsPage)
      need(!Never.count(Name), "a page asks for nothing");
    while (take(" "))
      takeAttribute();
    if (take("/>"))
      return;
    need(take(">"), "a tag ends");
    if (IsPage && (Name == "meta" || Name == "input" || Name == "br"))
      return;
    Scripts += IsPage && Name == "script";
    Styles += IsPage && Name == "style";
    Open.push_back(Name);
    if (IsPage && (Name == "script" || Name == "style")) // no markup inside
      Left.remove_prefix(std::min(Left.find("</"), Left.size()));
  }
  void takeAttribute() {
    const std::string Name = takeName();
    if (IsPage)
      need(!Name.starts_with("on") && Name != "style" && Name != "src" &&
               Name != "srcdoc" && Name != "action",
           "a page has no handlers, styles or sources in attributes");
    if (IsPage && !Left.starts_with("="))
      return; // hidden, open
    need(take("=\""), "an attribute's value is in quotes");
    if (IsPage && Name == "href")
      need(Left.starts_with("#"), "a page's links stay in it");
    while (!take("\""))
      takeCharacters();
  }
  void takeText() {
    need(!Open.empty() || Left.front() == '\n', "text is inside of an element");
    takeCharacters();
  }
  void takeCharacters() {
    need(!Left.empty() && Left.front() != '<', "markup is escaped");
    if (take("&")) {
      for (const char *Known : {"amp;", "lt;", "gt;", "quot;", "#39;", "nbsp;"})
        if (take(Known))
          return;
      need(false, "an ampersand is escaped");
    }
    Left.remove_prefix(1);
  }

  std::string_view Left;
  bool IsPage;
  std::vector<std::string> Open;
  int Scripts = 0, Styles = 0;
};

} // namespace

void fuzz::demandXml(std::string_view Text) { Markup(Text, false).read(); }
void fuzz::demandHtml(std::string_view Text) { Markup(Text, true).read(); }

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static std::string readAndWritten(const std::string &Json) {
  demandJsonLines(Json);
  const FindingsLine Read = readLine(Json);
  demand(std::holds_alternative<CollectedFinding>(Read),
         "what was written can be read", Json);
  return jsonOf(std::get<CollectedFinding>(Read).First);
}

void fuzz::demandTold(const Finding &F) {
  demandPlain(warpsan::textOf(F, {.Color = false, .Addresses = true}));
  const std::string Title = titleOf(F);
  demandPlain(Title);
  demand(Title.find('\n') == Title.npos, "a title is one line", Title);
  // JSON has no names that are not UTF-8, so the first time they change.
  const std::string Json = readAndWritten(jsonOf(F));
  demand(readAndWritten(Json) == Json, "what was read is what was written",
         Json);
}
