//===- compiler/target/mangling.cpp - the C++ names that builtins have ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/target/mangling.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Demangle/Demangle.h"

#include <cstdlib>
#include <string>

using namespace llvm;
using namespace warpsan;

std::optional<MangledName> warpsan::takeApart(StringRef Symbol) {
  size_t Length = 0;
  if (!Symbol.consume_front("_Z") || Symbol.consumeInteger(10, Length) ||
      Length > Symbol.size())
    return std::nullopt;
  return MangledName{Symbol.take_front(Length), Symbol.drop_front(Length)};
}

std::string warpsan::mangled(StringRef Name, StringRef Parameters) {
  return "_Z" + std::to_string(Name.size()) + Name.str() + Parameters.str();
}

static uint64_t scalarSize(StringRef Name) {
  static constexpr std::pair<StringRef, uint64_t> Sizes[] = {
      {"char", 1},          {"signed char", 1},
      {"unsigned char", 1}, {"bool", 1},
      {"short", 2},         {"unsigned short", 2},
      {"half", 2},          {"_Float16", 2},
      {"int", 4},           {"unsigned int", 4},
      {"float", 4},         {"long", 8},
      {"unsigned long", 8}, {"double", 8},
      {"long long", 8},     {"unsigned long long", 8}};
  for (auto [Known, Size] : Sizes)
    if (Name == Known)
      return Size;
  return 0;
}

/// "(float vector[4] const AS1*, unsigned long)", by LLVM's demangler.
static std::string parametersOf(StringRef Symbol) {
  std::string Mangled = Symbol.str(); // the demangler keeps pointers into it
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Mangled.c_str()))
    return {};
  size_t Size = 0;
  char *Text = Demangler.getFunctionParameters(nullptr, &Size);
  std::string Result = Text ? Text : "";
  std::free(Text);
  return Result;
}

uint64_t warpsan::pointeeSize(StringRef Symbol, unsigned Index) {
  std::string Whole = parametersOf(Symbol);
  StringRef List = Whole;
  if (!List.consume_front("(") || !List.consume_back(")"))
    return 0;
  SmallVector<StringRef, 8> Parameters;
  List.split(Parameters, ", ");
  if (Index >= Parameters.size())
    return 0;
  StringRef Type = Parameters[Index].trim();
  if (!Type.consume_back("*"))
    return 0;
  // The rest are the element, "vector[n]" and qualifiers, in any order.
  uint64_t Elements = 1;
  std::string Scalar;
  SmallVector<StringRef, 6> Words;
  Type.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    if (Word == "const" || Word == "volatile" || Word.starts_with("AS"))
      continue;
    if (Word.consume_front("vector[")) {
      if (Word.drop_back().getAsInteger(10, Elements))
        return 0;
      continue;
    }
    Scalar += (Scalar.empty() ? "" : " ") + Word.str();
  }
  // A vector of three takes the room of four.
  return scalarSize(Scalar) * (Elements == 3 ? 4 : Elements);
}
