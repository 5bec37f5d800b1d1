//===- layer/findings/callers.cpp - which call of the program is wrong ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/callers.h"

#include "layer/findings/symbols.h"
#include "layer/process/descriptor.h"
#include "layer/process/no_destructor.h"
#include "report/report.h"
#include "text/names.h"

#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace warpsan;

namespace {
struct Symbolized {
  std::vector<HostFrame> Frames;
  HostFrame Caller;    ///< as people are shown it
  uint64_t Anchor = 0; ///< of its line; 0: its source cannot be read
};
} // namespace

static std::mutex &Mutex = noDestructor<std::mutex>();
/// Under Mutex. Elements do not change.
static auto &Known =
    noDestructor<std::map<Backtrace, std::shared_ptr<const Symbolized>>>();

/// The text of a source file; empty if there is none.
static std::string sourceOf(const std::string &Path) {
  constexpr off_t MaxBytes = off_t(16) << 20;
  // A pipe would wait for somebody to write.
  const int File = awayFromStreams(
      open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (File < 0)
    return {};
  struct stat Info;
  std::string Text;
  if (fstat(File, &Info) == 0 && S_ISREG(Info.st_mode) &&
      Info.st_size <= MaxBytes) {
    Text.resize(static_cast<size_t>(Info.st_size));
    if (pread(File, Text.data(), Text.size(), 0) != Info.st_size)
      Text.clear();
  }
  close(File);
  return Text;
}

/// Where a function of this name begins is known by the name and a
/// parenthesis: "run" of "tuner::Tuner<float>::run".
static std::string lastName(const HostFrame &Frame) {
  const std::string Name =
      Frame.Python ? Frame.Function : shortName(Frame.Function);
  return Name.substr(Name.find_last_of(":.") + 1);
}

static std::shared_ptr<const Symbolized> symbolize(const Finding &F,
                                                   Backtrace Caller) {
  auto New = std::make_shared<Symbolized>();
  Finding Of = F;
  Of.Launch.Launched = std::move(describeTraces({Caller})[0]);
  if (auto Frame = hostCallerOf(Of)) {
    New->Caller = *Frame;
    const std::string Source = sourceOf(Frame->File);
    New->Anchor = anchorOf(splitLines(Source),
                           {Frame->File, Frame->Line, 0, lastName(*Frame)});
  } else if (!Of.Launch.Launched.empty()) {
    New->Caller = Of.Launch.Launched.front();
  }
  New->Frames = std::move(Of.Launch.Launched);
  return New;
}

void warpsan::identifyCaller(Finding &F, Backtrace Caller) {
  std::shared_ptr<const Symbolized> Found;
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Known.find(Caller); It != Known.end())
      Found = It->second;
  }
  if (!Found) {
    Found = symbolize(F, Caller);
    std::lock_guard Lock(Mutex);
    Known.emplace(Caller, Found);
  }
  F.Launch.Launched = Found->Frames;
  identifyCall(F, Found->Caller, Found->Anchor);
}

void warpsan::lockCallers() { Mutex.lock(); }
void warpsan::unlockCallers() { Mutex.unlock(); }
