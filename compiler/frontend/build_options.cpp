//===- compiler/frontend/build_options.cpp - clBuildProgram's option
// string -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/build_options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace warpsan;

std::vector<std::string> warpsan::splitOptions(StringRef Text) {
  std::vector<std::string> Words;
  std::string Word;
  bool InWord = false;
  bool Quoted = false; // by "; drivers take ' for a character like any other
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '\0')
      break; // the API's string ends here, whatever its given length
    char Next = I + 1 < Text.size() ? Text[I + 1] : '\0';
    bool NextIsSpecial =
        Next == '"' || Next == '\\' || (Next == ' ' && !Quoted);
    if (C == '\\' && NextIsSpecial) {
      Word += Next;
      InWord = true;
      ++I;
    } else if (C == '"') {
      Quoted = !Quoted;
      InWord = true;
    } else if (!Quoted && isspace(static_cast<unsigned char>(C))) {
      if (InWord)
        Words.push_back(std::move(Word));
      Word.clear();
      InWord = false;
    } else {
      Word += C;
      InWord = true;
    }
  }
  if (InWord)
    Words.push_back(std::move(Word));
  return Words;
}

static Dialect dialectOf(StringRef Name) {
  return StringSwitch<Dialect>(Name.upper())
      .Case("CL1.0", {"CL1.0", 100})
      .Case("CL1.1", {"CL1.1", 110})
      .Case("CL1.2", {"CL1.2", 120})
      .Case("CL2.0", {"CL2.0", 200})
      .Case("CL3.0", {"CL3.0", 300})
      // Adds nothing to the language that clang 19 would have to know.
      .Case("CL3.1", {"CL3.0", 300})
      .Cases("CLC++", "CLC++1.0", {"CLC++1.0", 200})
      .Case("CLC++2021", {"CLC++2021", 300})
      .Default({"", 0});
}

/// Options of the specification, and clang's own, that change what code means.
static bool changesMeaning(StringRef Option) {
  return StringSwitch<bool>(Option)
      .Cases("-cl-single-precision-constant",
             "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-strict-aliasing",
             "-cl-mad-enable", "-cl-no-signed-zeros",
             "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
             "-cl-fast-relaxed-math", "-ffp-contract=off", true)
      .Default(false);
}

/// Known, and without a bearing on the twin: not worth a note. The unit is
/// always compiled with argument information, without warnings, and optimized
/// by the driver as it sees fit.
static bool isNoise(StringRef Option) {
  return Option == "-cl-opt-disable" || Option == "-cl-kernel-arg-info" ||
         Option == "-w" || Option == "-g" || Option.starts_with("-W") ||
         Option.starts_with("-O") || Option == "-create-library" ||
         Option == "-enable-link-options" ||
         Option == "-cl-uniform-work-group-size" ||
         Option == "-cl-no-subgroup-ifp";
}

/// Vendors' options whose value is the next word, so that it is dropped too.
static bool takesNextWord(StringRef Option) {
  return Option == "-x" || Option == "-s" || Option == "-triple" ||
         Option == "-include" || Option == "-isystem" || Option == "-target" ||
         Option == "-cl-intel-gtpin-rera";
}

BuildOptions warpsan::parseBuildOptions(StringRef Text, StringRef DefaultStd) {
  BuildOptions Options;
  Options.Language = dialectOf(DefaultStd);
  std::vector<std::string> Words = splitOptions(Text);
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (Word.starts_with("-D") || Word.starts_with("-U") ||
        Word.starts_with("-I")) {
      std::string Value = Word.drop_front(2).str();
      if (Value.empty()) {
        if (I + 1 == Words.size())
          continue;
        Value = Words[++I];
      }
      Options.ClangArguments.push_back(Word.take_front(2).str());
      Options.ClangArguments.push_back(Value);
    } else if (Word.consume_front("-cl-std=")) {
      Dialect Asked = dialectOf(Word);
      if (Asked.Version)
        Options.Language = Asked;
      else
        Options.Dropped.push_back(Words[I]);
    } else if (Word == "-include" || Word == "-isystem") {
      if (I + 1 == Words.size())
        continue;
      Options.ClangArguments.push_back(Words[I]);
      Options.ClangArguments.push_back(Words[++I]);
    } else if (Word == "-cl-denorms-are-zero") {
      Options.ClangArguments.push_back(
          "-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
    } else if (changesMeaning(Word)) {
      Options.ClangArguments.push_back(Words[I]);
    } else if (!isNoise(Word)) {
      std::string Whole = Words[I];
      if (takesNextWord(Word) && I + 1 < Words.size())
        Whole += " " + Words[++I];
      if (!is_contained(Options.Dropped, Whole))
        Options.Dropped.push_back(Whole);
    }
  }
  return Options;
}
