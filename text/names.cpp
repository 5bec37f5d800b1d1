//===- text/names.cpp - names of functions as people write them -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text/names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <utility>

using namespace warpsan;

std::string warpsan::demangled(const std::string &Symbol) {
  if (!Symbol.starts_with("_Z")) // "i" would be "int"
    return Symbol;
  int Status = 0;
  char *Text = abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Status);
  std::string Out = Status == 0 && Text ? Text : Symbol;
  std::free(Text);
  return Out;
}

std::string warpsan::shortName(const std::string &Demangled) {
  constexpr std::string_view Anonymous = "(anonymous namespace)";
  constexpr size_t LongArguments = 24;
  const std::string_view Text = Demangled;
  if (Text.find("operator") != Text.npos)
    return Demangled; // its name may hold any of the signs below
  std::string Name;
  std::vector<size_t> Opened; // where template arguments began
  unsigned Braces = 0;        // of "{lambda(int)#1}"
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (Text.substr(I, Anonymous.size()) == Anonymous) {
      Name += Anonymous;
      I += Anonymous.size() - 1;
      continue;
    }
    Braces += C == '{';
    if (Opened.empty() && !Braces && C == '(')
      break;
    if (Opened.empty() && !Braces && C == ' ') {
      Name.clear(); // it was the return type
      continue;
    }
    Name += C;
    Braces -= C == '}' && Braces;
    if (C == '<')
      Opened.push_back(Name.size());
    if (C != '>' || Opened.empty())
      continue;
    if (Name.size() - 1 - Opened.back() > LongArguments)
      Name.replace(Opened.back(), Name.size() - 1 - Opened.back(), "...");
    Opened.pop_back();
  }
  return Name.empty() ? Demangled : Name;
}

std::string warpsan::kernelName(const std::string &Symbol) {
  constexpr std::string_view OfType = "typeinfo name for ";
  std::string Whole = demangled(Symbol);
  if (Whole == Symbol)
    return Whole;
  if (Whole.starts_with(OfType))
    return Whole.substr(OfType.size());
  return shortName(Whole);
}

std::string warpsan::unnamedSource(size_t Index, size_t Count) {
  return Count == 1 ? "source.cl"
                    : "source-" + std::to_string(Index + 1) + ".cl";
}

bool warpsan::isUnnamedSource(std::string_view File) {
  if (File == "source.cl")
    return true;
  if (!File.starts_with("source-") || !File.ends_with(".cl"))
    return false;
  File.remove_prefix(7);
  File.remove_suffix(3);
  return !File.empty() &&
         File.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string> warpsan::parametersOf(const std::string &Demangled) {
  // From the end: only there are the parentheses surely the parameters'.
  std::vector<std::string> Found;
  if (!Demangled.ends_with(')'))
    return Found;
  std::string Now;
  int Depth = 0;
  for (size_t I = Demangled.size(); I-- > 0;) {
    const char C = Demangled[I];
    if (C == ')' || C == '>' || C == '}' || C == ']')
      if (++Depth == 1)
        continue;
    if (C == '(' || C == '<' || C == '{' || C == '[')
      --Depth;
    const bool Ends = Depth == 0, Next = Depth == 1 && C == ',';
    if (!Ends && !Next) {
      Now.insert(Now.begin(), C);
      continue;
    }
    Now.erase(0, Now.find_first_not_of(' '));
    if (!Now.empty())
      Found.insert(Found.begin(), std::exchange(Now, {}));
    if (Ends)
      break;
  }
  return Found;
}
