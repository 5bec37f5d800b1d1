//===- report/html/markup.cpp - text and numbers as HTML ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/html/markup.h"

#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

#include <algorithm>
#include <cmath>

using namespace warpsan;

std::string html::escape(std::string_view Text) {
  std::string Out;
  for (char C : printable(Text))
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\'':
      Out += "&#39;";
      break;
    default:
      Out += C;
    }
  return Out;
}

std::string html::unbroken(std::string_view Text) {
  std::string Out;
  for (char C : Text)
    if (C == '\n')
      Out += ' ';
    else if (C != ' ' || !Out.ends_with(' '))
      Out += C;
  return escape(Out);
}

std::string html::element(const char *Tag, const char *Class,
                          const std::string &Inside) {
  std::string Out = std::string("<") + Tag;
  if (*Class)
    Out += std::string(" class=\"") + Class + "\"";
  return Out + ">" + Inside + "</" + Tag + ">";
}

std::string html::percent(double Value) {
  const auto Hundredths =
      static_cast<int64_t>(std::lround(std::clamp(Value, 0.0, 100.0) * 100));
  std::string Out = std::to_string(Hundredths / 100);
  if (int64_t Rest = Hundredths % 100)
    Out += (Rest < 10 ? ".0" : ".") + std::to_string(Rest);
  return Out + "%";
}

std::string html::subjectName(const Finding &F) {
  if (F.Call.empty() || !F.Kernel.empty())
    return printable(kernelName(F.Kernel));
  return printable(asCalled(F.Call, F.Launch.Launched).Call);
}
