//===- text/patterns.cpp - texts that a person chooses by a pattern -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text/patterns.h"

#include "text/names.h"

using namespace warpsan;

bool warpsan::matchesPattern(std::string_view Pattern, std::string_view Text) {
  size_t P = 0, T = 0;
  // The last '*', and what it stands for ends before StarText. An earlier one
  // need not be tried again: the last one can take all that it could.
  size_t Star = Pattern.npos, StarText = 0;
  while (T < Text.size()) {
    if (P < Pattern.size() && Pattern[P] == '*') {
      Star = P++;
      StarText = T;
    } else if (P < Pattern.size() &&
               (Pattern[P] == '?' || Pattern[P] == Text[T])) {
      ++P;
      ++T;
    } else if (Star != Pattern.npos) {
      P = Star + 1;
      T = ++StarText;
    } else {
      return false;
    }
  }
  return Pattern.find_first_not_of('*', P) == Pattern.npos;
}

std::vector<std::string> warpsan::patternsIn(std::string_view List) {
  std::vector<std::string> Found;
  while (!List.empty()) {
    const size_t End = std::min(List.find(','), List.size());
    if (End)
      Found.emplace_back(List.substr(0, End));
    List.remove_prefix(std::min(End + 1, List.size()));
  }
  return Found;
}

bool warpsan::matchesKernel(std::string_view Pattern,
                            const std::string &Symbol) {
  if (matchesPattern(Pattern, Symbol))
    return true;
  const std::string Whole = demangled(Symbol);
  return Whole != Symbol && (matchesPattern(Pattern, Whole) ||
                             matchesPattern(Pattern, kernelName(Symbol)));
}
