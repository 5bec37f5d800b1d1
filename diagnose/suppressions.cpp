//===- diagnose/suppressions.cpp - findings that are known ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "diagnose/suppressions.h"

#include "text/format.h"
#include "text/patterns.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warpsan;

// The file is written by hand: what is longer is something else.
constexpr size_t MostBytes = size_t(1) << 20;
constexpr size_t MostLine = 4096;
constexpr size_t MostProblems = 20;

using Key = Suppression::Key;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// A pattern without '/' is for the file's name in any directory.
static bool matchesSource(const std::string &Pattern, const Finding &F) {
  return std::ranges::any_of(F.Site.At, [&](const SourcePlace &Place) {
    const size_t Slash = Place.File.rfind('/');
    return matchesPattern(Pattern, Place.File) ||
           (Pattern.find('/') == std::string::npos &&
            Slash != std::string::npos &&
            matchesPattern(Pattern,
                           std::string_view(Place.File).substr(Slash + 1)));
  });
}

static bool matchesBuffer(const std::string &Pattern, const Finding &F) {
  auto Is = [&](const std::string &Name) {
    return !Name.empty() && matchesPattern(Pattern, Name);
  };
  return (F.Arg && Is(F.Arg->Name)) || Is(F.Root.Name) || Is(F.Memory.Variable);
}

bool Suppression::matches(const Finding &F) const {
  return std::ranges::all_of(Words, [&](const auto &Word) {
    const auto &[What, Pattern] = Word;
    switch (What) {
    case Key::Id:
      return matchesPattern(Pattern, F.Id);
    case Key::Kind:
      return matchesPattern(Pattern, nameOf(F.Kind));
    case Key::Kernel:
      return !F.Kernel.empty() && matchesKernel(Pattern, F.Kernel);
    case Key::Source:
      return matchesSource(Pattern, F);
    case Key::Buffer:
      return matchesBuffer(Pattern, F);
    case Key::Call:
      return !F.Call.empty() && matchesPattern(Pattern, F.Call);
    }
    return false;
  });
}

const Suppression *Suppressions::find(const Finding &F) const {
  for (const Suppression &Each : All)
    if (Each.matches(F))
      return &Each;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::optional<Key> keyNamed(std::string_view Name) {
  constexpr std::pair<const char *, Key> Keys[] = {
      {"id", Key::Id},         {"kind", Key::Kind},     {"kernel", Key::Kernel},
      {"source", Key::Source}, {"buffer", Key::Buffer}, {"call", Key::Call}};
  for (const auto &[Known, Which] : Keys)
    if (Name == Known)
      return Which;
  return std::nullopt;
}

static bool isSomeKind(const std::string &Pattern) {
  return
#define KIND(id, name, title, help) matchesPattern(Pattern, #name) ||
#include "abi/checks.def"
#undef KIND
      false;
}

static bool isSpace(char C) { return C == ' ' || C == '\t' || C == '\r'; }

namespace {
/// The words of one line, one after the other.
class Words {
public:
  explicit Words(std::string_view Line) : Line(Line) {}

  /// False at the line's end, or at its comment.
  bool next() {
    while (At < Line.size() && isSpace(Line[At]))
      ++At;
    return At < Line.size() && Line[At] != '#';
  }

  /// Reads key=value or key="value"; returns what is wrong, or nothing.
  std::string read(std::string &Name, std::string &Value) {
    const size_t Start = At;
    while (At < Line.size() && !isSpace(Line[At]) && Line[At] != '=')
      ++At;
    Name = Line.substr(Start, At - Start);
    if (At == Line.size() || Line[At] != '=')
      return "'" + Name + "' is not of the form key=pattern";
    ++At;
    if (At < Line.size() && Line[At] == '"') {
      const size_t End = Line.find('"', At + 1);
      if (End == Line.npos)
        return "the '\"' of " + Name + "= is not closed";
      Value = Line.substr(At + 1, End - At - 1);
      At = End + 1;
      if (At < Line.size() && !isSpace(Line[At]))
        return "there is something behind the closing '\"' of " + Name + "=";
    } else {
      const size_t First = At;
      while (At < Line.size() && !isSpace(Line[At]))
        ++At;
      Value = Line.substr(First, At - First);
    }
    return Value.empty() ? Name + "= has no pattern" : "";
  }

  size_t At = 0;

private:
  const std::string_view Line;
};
} // namespace

/// Returns what is wrong, or nothing. No words: the line is empty.
static std::string parseLine(std::string_view Line, Suppression &Result) {
  if (Line.size() > MostLine)
    return "the line has more than " + std::to_string(MostLine) + " bytes";
  if (std::ranges::any_of(Line, [](char C) {
        return (static_cast<unsigned char>(C) < ' ' && !isSpace(C)) ||
               C == '\x7f';
      }))
    return "the line has control characters";
  Words In(Line);
  size_t End = 0;
  while (In.next()) {
    std::string Name, Pattern;
    if (std::string Wrong = In.read(Name, Pattern); !Wrong.empty())
      return Wrong;
    std::optional<Key> Which = keyNamed(Name);
    if (!Which)
      return "there is no key '" + Name +
             "': id, kind, kernel, source, buffer, call";
    if (std::ranges::any_of(Result.Words, [&](const auto &Word) {
          return Word.first == *Which;
        }))
      return Name + "= is given twice";
    if (*Which == Key::Kind && !isSomeKind(Pattern))
      return "there is no kind of finding '" + Pattern +
             "' (docs/reference/findings)";
    Result.Words.emplace_back(*Which, std::move(Pattern));
    End = In.At;
  }
  const size_t Start = std::min(Line.find_first_not_of(" \t\r"), End);
  Result.Text = Line.substr(Start, End - Start);
  return {};
}

Suppressions warpsan::parseSuppressions(std::string_view Text,
                                        const std::string &File) {
  Suppressions Result;
  if (Text.starts_with("\xEF\xBB\xBF")) // some editors' mark of UTF-8
    Text.remove_prefix(3);
  for (uint32_t Number = 1; !Text.empty(); ++Number) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    Suppression New;
    New.Line = Number;
    std::string Wrong = parseLine(Text.substr(0, End), New);
    if (!Wrong.empty() && Result.Problems.size() < MostProblems)
      Result.Problems.push_back(printable(File) + ":" + std::to_string(Number) +
                                ": " + printable(Wrong) + ".");
    else if (Wrong.empty() && !New.Words.empty())
      Result.All.push_back(std::move(New));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Result;
}

/// Returns what is wrong, or nothing.
static std::string readFile(const std::string &File, std::string &Text) {
  // A pipe would wait for somebody to write.
  const int Fd = open(File.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (Fd < 0)
    return std::strerror(errno);
  struct stat Info;
  std::string Wrong;
  if (fstat(Fd, &Info) != 0)
    Wrong = std::strerror(errno);
  else if (!S_ISREG(Info.st_mode))
    Wrong = "it is no file";
  char Bytes[16384];
  while (Wrong.empty()) {
    const ssize_t Got = read(Fd, Bytes, sizeof(Bytes));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      Wrong = std::strerror(errno);
    if (Got <= 0)
      break;
    Text.append(Bytes, static_cast<size_t>(Got));
    if (Text.size() > MostBytes)
      Wrong = "it has more than 1 MiB";
  }
  close(Fd);
  return Wrong;
}

Suppressions warpsan::readSuppressions(const std::string &File) {
  if (File.empty())
    return {};
  std::string Text;
  if (std::string Wrong = readFile(File, Text); !Wrong.empty()) {
    Suppressions Result;
    Result.Problems.push_back("suppressions=" + printable(File) +
                              " cannot be read: " + Wrong + ".");
    return Result;
  }
  return parseSuppressions(Text, File);
}
