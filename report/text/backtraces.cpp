//===- report/text/backtraces.cpp - where the host made and used memory ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/parts.h"
#include "report/vocabulary.h"
#include "text/format.h"
#include "text/names.h"

#include <algorithm>
#include <iterator>
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

/// Where Python's packages are: what comes behind it is known by its name.
constexpr const char *PackageDirectories[] = {"/site-packages/",
                                              "/dist-packages/"};

/// "package/module.py" of /usr/lib/python3/dist-packages/package/module.py.
std::string shortPath(const HostFrame &Frame) {
  for (const std::string Directory : PackageDirectories)
    if (size_t At = Frame.File.rfind(Directory);
        Frame.Python && At != std::string::npos)
      return Frame.File.substr(At + Directory.size());
  return Frame.File;
}

/// Of a package or of Python's own library, or made by one ("<string>"): not
/// what the person who reads this has written.
bool isPackage(const HostFrame &Frame) {
  return Frame.Python &&
         (shortPath(Frame) != Frame.File ||
          Frame.File.find("/lib/python3") != std::string::npos ||
          Frame.File.starts_with("<"));
}

/// Of a system's header, or of OpenCL's C++ bindings wherever they are.
bool isHeader(const HostFrame &Frame) {
  const std::string_view File = Frame.File;
  return !Frame.Python &&
         (File.starts_with("/usr/include/") || File.starts_with("/usr/lib/") ||
          File.ends_with("/CL/opencl.hpp") || File.ends_with("/CL/cl2.hpp") ||
          File.ends_with("/CL/cl.hpp"));
}

struct Shown {
  const HostFrame *Frame;
  size_t Folded; ///< left out behind it
};

/// The frames to show. Of a program in Python only Python's frames are shown:
/// the C functions between them are the interpreter's and its packages'. Of
/// consecutive frames of packages only the first two are shown, if there are
/// more than three. \p All: every frame.
std::vector<Shown> shownOf(const std::vector<HostFrame> &Frames, bool All) {
  constexpr size_t MostOfPackages = 2;
  auto IsPython = [](const HostFrame &F) { return F.Python; };
  std::vector<Shown> Out;
  if (All || std::none_of(Frames.begin(), Frames.end(), IsPython)) {
    for (const HostFrame &Frame : Frames)
      Out.push_back({&Frame, 0});
    return Out;
  }
  for (size_t I = 0; I < Frames.size();) {
    size_t End = I; // of the packages' frames from here on
    while (End < Frames.size() && isPackage(Frames[End]))
      ++End;
    const size_t Kept = End - I > MostOfPackages + 1 ? MostOfPackages : End - I;
    for (size_t J = I; J < I + Kept; ++J)
      Out.push_back({&Frames[J], 0});
    if (Kept)
      Out.back().Folded = End - I - Kept;
    for (; End < Frames.size() && !isPackage(Frames[End]); ++End)
      if (Frames[End].Python)
        Out.push_back({&Frames[End], 0});
    I = End;
  }
  return Out;
}

/// A function's name: of one in another of Python's, its own.
std::string nameOf(const HostFrame &Frame) {
  if (!Frame.Python)
    return printable(shortName(Frame.Function));
  const std::string Inner = "<locals>.";
  const size_t At = Frame.Function.rfind(Inner);
  return printable(At == std::string::npos
                       ? Frame.Function
                       : Frame.Function.substr(At + Inner.size()));
}

/// "tuner.cpp:88"; without a source, the module.
std::string placeOf(const HostFrame &Frame, bool Offsets) {
  std::string Module;
  if (!Frame.Module.empty())
    Module = printable(withoutDirectory(Frame.Module));
  if (!Module.empty() && Offsets)
    Module += "+" + hex(Frame.Offset);
  if (Frame.File.empty())
    return Module.empty() ? "" : "in " + Module;
  std::string Place = printable(shortPath(Frame));
  if (Frame.Line)
    Place += ":" + std::to_string(Frame.Line);
  return Offsets && !Module.empty() ? Place + " in " + Module : Place;
}

/// Nothing if neither the call nor a frame is known.
void addTrace(std::vector<HostTrace> &Traces, const char *Verb,
              const std::string &By, const std::vector<HostFrame> &All,
              bool Offsets) {
  const auto [Call, Frames] = asCalled(By, All);
  HostTrace Trace{Verb, printable(Call), {}};
  for (const auto &[Frame, Folded] : shownOf(Frames, Offsets)) {
    HostTrace::Frame Shown{nameOf(*Frame), placeOf(*Frame, Offsets), Folded};
    if (!Shown.Function.empty() || !Shown.Place.empty())
      Trace.Frames.push_back(std::move(Shown));
  }
  if (!Trace.Call.empty() || !Trace.Frames.empty())
    Traces.push_back(std::move(Trace));
}

std::vector<Row> rowsOf(const HostTrace &Trace) {
  std::vector<Row> Rows;
  size_t Count = 0, Left = 0;
  auto Fold = [&] {
    if (Left)
      Rows.push_back({"", "", "... " + number(Left) + " more", ""});
    Left = 0;
  };
  for (const HostTrace::Frame &Frame : Trace.Frames) {
    if (++Count > MostFrames) {
      Left += 1 + Frame.Folded;
      continue;
    }
    Fold();
    Rows.push_back({"", "", Frame.Function, Frame.Place});
    Left = Frame.Folded;
  }
  if (Rows.empty())
    Rows.emplace_back();
  Rows.front().Verb = Trace.Verb;
  Rows.front().Call = Trace.Call;
  Fold();
  return Rows;
}

} // namespace

const HostFrame *warpsan::callerIn(const std::vector<HostFrame> &Frames) {
  const HostFrame *First = nullptr;
  for (const HostFrame &Frame : Frames) {
    if (Frame.File.empty() || !Frame.Line)
      continue;
    if (!isPackage(Frame) && !isHeader(Frame))
      return &Frame;
    if (!First)
      First = &Frame;
  }
  return First;
}

bool warpsan::isInUnnamedSource(const Finding &F) {
  return !F.Site.At.empty() && F.Site.At.front().Line &&
         isUnnamedSource(F.Site.At.front().File);
}

std::string warpsan::programNote(const Finding &F) {
  if (!isInUnnamedSource(F))
    return {};
  const HostFrame *By = callerIn(F.Program.Created);
  if (!By && !F.Program.Number)
    return {};
  std::string Out = F.Program.Number ? "of program " + number(F.Program.Number)
                                     : "of the program";
  if (By)
    Out += (F.Program.Number ? ", created at " : " created at ") +
           placeOf(*By, /*Offsets=*/false);
  return Out;
}

static std::optional<HostFrame> copyOf(const HostFrame *Frame) {
  return Frame ? std::optional(*Frame) : std::nullopt;
}

std::optional<HostFrame> warpsan::hostCallerOf(const Finding &F) {
  const HostCall Call = asCalled(F.Launch.LaunchedBy, F.Launch.Launched);
  return copyOf(callerIn(Call.Frames));
}

std::string warpsan::hostLocationOf(const Finding &F, bool SourceIsThere) {
  std::optional<HostFrame> By;
  if (!F.Call.empty() || F.Site.At.empty() || !F.Site.At.front().Line)
    By = hostCallerOf(F);
  else if (isInUnnamedSource(F) || !SourceIsThere)
    By = copyOf(callerIn(F.Program.Created));
  return By ? By->File + ":" + std::to_string(By->Line) : std::string();
}

std::vector<HostTrace> warpsan::hostTracesOf(const Finding &F, bool Offsets) {
  std::vector<HostTrace> Traces;
  if (F.Memory.Variable.empty()) // else the runtime made it
    addTrace(Traces, "created", F.Memory.CreatedBy, F.Memory.Created, Offsets);
  const bool Freed = F.Memory.What == MemoryInfo::Kind::SVM ||
                     F.Memory.What == MemoryInfo::Kind::USM;
  addTrace(Traces, Freed ? "freed" : "released", F.Memory.ReleasedBy,
           F.Memory.Released, Offsets);
  if (F.Commands)
    addTrace(Traces, "earlier", F.Commands->Earlier.Call, F.Commands->Enqueued,
             Offsets);
  if (F.Kind != FindingKind::leak) { // nobody did anything
    const size_t First = Traces.size();
    addTrace(Traces, F.Call.empty() ? "launched" : "called",
             F.Launch.LaunchedBy, F.Launch.Launched, Offsets);
    if (First < Traces.size() && Traces[First].Call.ends_with("LaunchKernel"))
      Traces[First].Call = printable(cudaLaunch(F));
  }
  return Traces;
}

std::string warpsan::backtracesText(const Finding &F, const TextStyle &Style,
                                    size_t Indent) {
  std::vector<Row> Rows;
  for (const HostTrace &Trace : hostTracesOf(F, Style.Addresses))
    std::ranges::move(rowsOf(Trace), std::back_inserter(Rows));

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
