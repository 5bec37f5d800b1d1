//===- layer/findings/symbols.cpp - what the frames of a backtrace are
// called -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/findings/symbols.h"

#include "layer/process/no_destructor.h"
#include "layer/twin/compiler_process.h"
#include "text/names.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>

using namespace warpsan;

namespace {
/// Where an address is, as the dynamic linker knows it.
struct Place {
  std::string Module;  ///< path; empty: in nothing that is loaded now
  uint64_t Offset = 0; ///< as the module's own symbol table counts
  std::string Symbol;  ///< dladdr's name; often empty
};
} // namespace

/// \p Return is a return address: the call is before it.
static Place placeOf(void *Return) {
  Place P;
  char *Call = static_cast<char *>(Return) - 1;
  Dl_info Info;
  link_map *Map = nullptr;
  if (!dladdr1(Call, &Info, reinterpret_cast<void **>(&Map), RTLD_DL_LINKMAP) ||
      !Map)
    return P;
  P.Offset = reinterpret_cast<uintptr_t>(Call) - Map->l_addr;
  std::error_code Error;
  if (Map->l_name && *Map->l_name)
    P.Module = Map->l_name;
  else // the program itself
    P.Module = std::filesystem::read_symlink("/proc/self/exe", Error);
  if (Info.dli_sname)
    P.Symbol = demangled(Info.dli_sname);
  return P;
}

static const std::string &ownModule() {
  static const std::string &Path = noDestructor<std::string>(
      placeOf(reinterpret_cast<char *>(&ownModule) + 1).Module);
  return Path;
}

static bool isLoader(const std::string &Module) {
  return std::filesystem::path(Module).filename().string().starts_with(
      "libOpenCL.so");
}

/// The places of a trace, from the first that is the application's to the
/// interpreter, if it has frames of Python's.
static std::vector<Place> placesOf(const Backtrace &Trace) {
  constexpr size_t MaxPlaces = 32;
  std::vector<Place> Places;
  const bool InPython = !Trace.python().empty();
  for (void *Return : Trace.frames()) {
    if (InPython && isInterpreter(Return))
      break;
    Place P = placeOf(Return);
    if (P.Module.empty()) // code that was made at run time, or unloaded
      continue;
    if (Places.empty() && (P.Module == ownModule() || isLoader(P.Module)))
      continue;
    if (Places.size() < MaxPlaces)
      Places.push_back(std::move(P));
  }
  return Places;
}

/// Asks warpsan-clc; a product with as many frames as asked for, or none.
static SymbolResult ask(const SymbolJob &Wanted) {
  SymbolResult Answer;
  RunningJob Job;
  if (Wanted.Addresses.empty() ||
      !startJob(toBytes(Wanted), Job, JobTicket::Kind::Symbolize).empty() ||
      !Job.wait(Answer) || Answer.Frames.size() != Wanted.Addresses.size())
    return {};
  return Answer;
}

static HostFrame frameOf(const Place &P) {
  HostFrame F;
  F.Module = P.Module;
  F.Offset = P.Offset;
  F.Function = P.Symbol;
  return F;
}

/// Below main, and below a thread's function, is the C library.
static void dropStart(std::vector<HostFrame> &Trace) {
  for (size_t I = 0; I < Trace.size(); ++I)
    if (Trace[I].Function == "main") {
      Trace.resize(I + 1);
      return;
    }
  auto IsStart = [](const HostFrame &F) {
    return F.Function == "start_thread" || F.Function == "clone" ||
           F.Function == "__clone3" || F.Function == "clone3" ||
           F.Function == "__GI___clone3" ||
           (F.Function.empty() &&
            F.Module.find("/libc.so") != std::string::npos);
  };
  while (!Trace.empty() && IsStart(Trace.back()))
    Trace.pop_back();
}

/// The functions of include/warpsan.h are compiled with the application, but
/// are not its own.
static void dropMarking(std::vector<HostFrame> &Trace) {
  std::erase_if(Trace, [](const HostFrame &Frame) {
    return Frame.Function.starts_with("warpsan_") &&
           Frame.File.ends_with("warpsan.h");
  });
}

/// What the C++ library has between two functions of the application:
/// std::invoke, std::function, std::thread and their internals.
static bool isOfStandardLibrary(const HostFrame &Frame) {
  const std::string Name = shortName(Frame.Function);
  const bool InLibrary = Frame.File.empty() ||
                         Frame.File.find("/include/c++/") != std::string::npos;
  if (Name.empty())
    return Frame.Module.find("/libstdc++.so") != std::string::npos;
  return InLibrary &&
         (Name.starts_with("std::") || Name.starts_with("__gnu_cxx::") ||
          Name == "execute_native_thread_routine");
}

/// Leaves a trace alone that has nothing else.
static void dropStandardLibrary(std::vector<HostFrame> &Trace) {
  if (!std::ranges::all_of(Trace, isOfStandardLibrary))
    std::erase_if(Trace, isOfStandardLibrary);
}

std::vector<std::vector<HostFrame>>
warpsan::describeTraces(const std::vector<Backtrace> &Traces) {
  std::vector<std::vector<Place>> All;
  SymbolJob Wanted;
  for (const Backtrace &Trace : Traces) {
    All.push_back(placesOf(Trace));
    for (const Place &P : All.back())
      Wanted.Addresses.push_back({P.Module, P.Offset});
  }
  const SymbolResult Answer = ask(Wanted);

  std::vector<std::vector<HostFrame>> Out;
  size_t Index = 0;
  for (const Backtrace &Each : Traces) {
    const std::vector<Place> &Places = All[Out.size()];
    std::vector<HostFrame> &Trace = Out.emplace_back();
    for (const Place &P : Places) {
      HostFrame Plain = frameOf(P);
      const std::vector<SymbolFrame> *Found =
          Answer.Frames.empty() ? nullptr : &Answer.Frames[Index];
      ++Index;
      if (!Found || Found->empty()) {
        Trace.push_back(std::move(Plain));
        continue;
      }
      // Functions that were inlined have frames of their own.
      for (const SymbolFrame &Inlined : *Found) {
        HostFrame F = Plain;
        if (!Inlined.Function.empty())
          F.Function = Inlined.Function;
        F.File = Inlined.File;
        F.Line = Inlined.Line;
        Trace.push_back(std::move(F));
      }
    }
    dropStart(Trace);
    dropMarking(Trace);
    dropStandardLibrary(Trace);
    Trace.insert(Trace.end(), Each.python().begin(), Each.python().end());
  }
  return Out;
}
