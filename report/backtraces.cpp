//===- report/backtraces.cpp - where the host made and used memory --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/parts.h"
#include "report/vocabulary.h"
#include "words/names.h"
#include "words/words.h"

#include <algorithm>
#include <vector>

using namespace warpsan;

namespace {

constexpr size_t MostFrames = 8;
/// Columns are as wide as their longest text, but no wider than this: names of
/// C++ functions can be long.
constexpr size_t MostFunctionWidth = 40;

struct Row {
  std::string Verb, Call, Function, Place;
};

std::string withoutFolder(const std::string &Path) {
  return Path.substr(Path.find_last_of('/') + 1);
}

/// "tuner.cpp:88"; without a source, the module.
std::string placeOf(const HostFrame &Frame, bool Offsets) {
  std::string Module;
  if (!Frame.Module.empty())
    Module = printable(withoutFolder(Frame.Module));
  if (!Module.empty() && Offsets)
    Module += "+" + hex(Frame.Offset);
  if (Frame.File.empty())
    return Module.empty() ? "" : "in " + Module;
  std::string Place = printable(Frame.File);
  if (Frame.Line)
    Place += ":" + std::to_string(Frame.Line);
  return Offsets && !Module.empty() ? Place + " in " + Module : Place;
}

/// Nothing if neither the call nor a frame is known.
void addRows(std::vector<Row> &Rows, const char *Verb, const std::string &By,
             const std::vector<HostFrame> &All, bool Offsets) {
  const auto [Call, Frames] = asCalled(By, All);
  const size_t First = Rows.size();
  size_t Left = 0;
  for (const HostFrame &Frame : Frames) {
    Row R{"", "", printable(shortName(Frame.Function)),
          placeOf(Frame, Offsets)};
    if (R.Function.empty() && R.Place.empty())
      continue;
    if (Rows.size() - First < MostFrames)
      Rows.push_back(R);
    else
      ++Left;
  }
  if (Rows.size() == First && !Call.empty())
    Rows.emplace_back();
  if (Rows.size() == First)
    return;
  Rows[First].Verb = Verb;
  Rows[First].Call = printable(Call);
  if (Left)
    Rows.push_back({"", "", "... " + number(Left) + " more", ""});
}

} // namespace

std::string warpsan::backtracesText(const Finding &F, const TextStyle &Style,
                                    size_t Indent) {
  std::vector<Row> Rows;
  if (F.Memory.Variable.empty()) // else the runtime made it
    addRows(Rows, "created", F.Memory.CreatedBy, F.Memory.Created,
            Style.Addresses);
  const bool Freed = F.Memory.What == MemoryFacts::Kind::SVM ||
                     F.Memory.What == MemoryFacts::Kind::USM;
  addRows(Rows, Freed ? "freed" : "released", F.Memory.ReleasedBy,
          F.Memory.Released, Style.Addresses);
  if (F.Kind != FindingKind::leak) { // nobody did anything
    const size_t First = Rows.size();
    addRows(Rows, F.Call.empty() ? "launched" : "called", F.Launch.LaunchedBy,
            F.Launch.Launched, Style.Addresses);
    if (First < Rows.size() && Rows[First].Call.ends_with("LaunchKernel"))
      Rows[First].Call = printable(cudaLaunch(F));
  }

  size_t CallWidth = 0, FunctionWidth = 0;
  for (const Row &R : Rows) {
    CallWidth = std::max(CallWidth, width(R.Call));
    FunctionWidth = std::max(FunctionWidth, width(R.Function));
  }
  FunctionWidth = std::min(FunctionWidth, MostFunctionWidth);

  std::string Out;
  for (const Row &R : Rows) {
    std::string Line = std::string(Indent, ' ') + padded(R.Verb, 10);
    if (CallWidth)
      Line += padded(R.Call, CallWidth) + "   ";
    if (FunctionWidth)
      Line += padded(R.Function, FunctionWidth) + "   ";
    Line += R.Place;
    Out += Line.substr(0, Line.find_last_not_of(' ') + 1) + "\n";
  }
  return Out;
}
