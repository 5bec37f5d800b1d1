//===- test/robustness/fuzz_targets/source.cpp - OpenCL C and its options -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random bytes are no OpenCL C, so tokens are exchanged with others of their
// kind, of the same input or of a list, and lines are repeated and taken out.
//
//===----------------------------------------------------------------------===//
#include "test/robustness/fuzz_targets/compile_apart.h"
#include "test/robustness/fuzz_targets/demand.h"

#include <cctype>
#include <cstring>
#include <random>

using namespace warpsan;

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t Most);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t Most, unsigned Seed);

/// The first line is the options, behind a letter that chooses device and
/// variant.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string_view Text = fuzz::textOf(Data, Size);
  const size_t End = Text.find('\n');
  if (!Size || End == Text.npos)
    return 0;
  const auto Choice = static_cast<unsigned char>(Text[0]);
  Job Request;
  fuzz::choose(Request, Choice);
  // Relative paths lead nowhere; absolute ones are the compiler's to bear.
  Request.Recipe.WorkingDirectory = "/nowhere";
  Unit &Source = Request.Recipe.Units.emplace_back();
  Source.Options = End ? Text.substr(1, End - 1) : Text.substr(0, 0);
  Source.Text = Text.substr(End + 1);
  Source.Headers.push_back({"own.h", "#define OWN 1\n"});
  fuzz::compileApart(Request, Data, Size);
  return 0;
}

static std::vector<std::string> tokensOf(std::string_view Text) {
  std::vector<std::string> Tokens;
  bool InWord = false;
  for (char C : Text) {
    const bool IsWord = std::isalnum(static_cast<unsigned char>(C)) || C == '_';
    if (Tokens.empty() || !IsWord || !InWord)
      Tokens.emplace_back();
    Tokens.back() += C;
    InWord = IsWord;
  }
  return Tokens;
}

static const char *const Words[] = {
#include "test/robustness/fuzz_targets/source_words.inc"
};
static const char *const Numbers[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "3",
                                      "31",
                                      "64",
                                      "65536",
                                      "(1 << 31)",
                                      "0x7fffffff",
                                      "0xffffffffffffffffUL",
                                      "1e38f",
                                      "0.5f",
                                      "'a'"};
static const char *const Operators[] = {"+", "-", "*", "/", "%", "<",
                                        ">", "&", "|", "^", "=", ","};

enum class Class { Name, Number, Operator, Other };

static Class classOf(const std::string &Token) {
  const auto First = static_cast<unsigned char>(Token.front());
  if (std::isdigit(First))
    return Class::Number;
  if (std::isalpha(First) || First == '_')
    return Class::Name;
  return std::string_view("+-*/%<>&|^=,").find(Token.front()) !=
                 std::string::npos
             ? Class::Operator
             : Class::Other;
}

/// From one line's end to the next: mostly a statement.
static std::pair<size_t, size_t> lineAt(const std::vector<std::string> &Tokens,
                                        size_t At) {
  size_t First = At, Last = At;
  while (First > 0 && Tokens[First - 1] != "\n")
    --First;
  while (Last < Tokens.size() && Tokens[Last] != "\n")
    ++Last;
  return {First, std::min(Last + 1, Tokens.size())};
}

static void change(std::vector<std::string> &Tokens, std::minstd_rand &Random) {
  size_t At = Random() % Tokens.size();
  const auto [First, Last] = lineAt(Tokens, At);
  auto Place = [&](size_t Index) {
    return Tokens.begin() + static_cast<ptrdiff_t>(Index);
  };
  switch (Random() % 10) {
  case 0: // a line goes
    Tokens.erase(Place(First), Place(Last));
    return;
  case 1: { // a line comes again, there or elsewhere
    const std::vector<std::string> Copy(Place(First), Place(Last));
    const size_t To =
        Random() % 2 ? Last : lineAt(Tokens, Random() % Tokens.size()).second;
    Tokens.insert(Place(To), Copy.begin(), Copy.end());
    return;
  }
  case 2:
    Tokens.insert(Place(At), Words[Random() % std::size(Words)]);
    return;
  default: // a token becomes another of its class
    while (At + 1 < Tokens.size() && classOf(Tokens[At]) == Class::Other)
      ++At;
  }
  const Class Of = classOf(Tokens[At]);
  const std::string &Other = Tokens[Random() % Tokens.size()];
  if (Of == Class::Number)
    Tokens[At] = Numbers[Random() % std::size(Numbers)];
  else if (Of == Class::Operator)
    Tokens[At] = Operators[Random() % std::size(Operators)];
  else if (classOf(Other) == Of && Random() % 4)
    Tokens[At] = Other;
  else
    Tokens[At] = Words[Random() % std::size(Words)];
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t Most, unsigned Seed) {
  std::vector<std::string> Tokens = tokensOf(fuzz::textOf(Data, Size));
  if (Tokens.size() < 8 || Seed % 16 == 0)
    return LLVMFuzzerMutate(Data, Size, Most);
  std::minstd_rand Random(Seed);
  for (unsigned I = 0; I <= Seed / 16 % 3 && Tokens.size() >= 8; ++I)
    change(Tokens, Random);
  std::string Text;
  for (const std::string &Token : Tokens)
    Text += Token;
  Text.resize(std::min(Text.size(), Most));
  std::memcpy(Data, Text.data(), Text.size());
  return Text.size();
}
