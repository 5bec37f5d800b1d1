//===- compiler/server/symbolizer.cpp - host addresses to functions and
// lines ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Here rather than in the layer: LLVM is linked here anyway, and a damaged
// library or gigabytes of debug information cost the application nothing.
//
//===----------------------------------------------------------------------===//
#include "compiler/server/symbolizer.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"

#include <cstdlib>

using namespace llvm;
using namespace warpsan;

static std::string known(const std::string &Text) {
  return Text == DILineInfo::BadString ? std::string() : Text;
}

/// The function's name with its scope, without its parameters: a line of a
/// backtrace has a file and a line number to tell overloads apart.
static std::string readable(const std::string &Name) {
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Name.c_str()) || !Demangler.isFunction())
    return demangle(Name);
  size_t Size = 0;
  char *Text = Demangler.getFunctionName(nullptr, &Size);
  std::string Out = Text ? Text : Name;
  std::free(Text);
  return Out;
}

static std::vector<SymbolFrame> framesOf(const DIInliningInfo &Info) {
  std::vector<SymbolFrame> Frames;
  for (uint32_t I = 0; I < Info.getNumberOfFrames(); ++I) {
    const DILineInfo &Line = Info.getFrame(I);
    SymbolFrame Frame{readable(known(Line.FunctionName)), known(Line.FileName),
                      Line.Line};
    if (!Frame.Function.empty() || !Frame.File.empty())
      Frames.push_back(std::move(Frame));
  }
  return Frames;
}

SymbolResult warpsan::symbolize(const SymbolJob &Asked) {
  symbolize::LLVMSymbolizer::Options Options;
  Options.Demangle = false; // see readable()
  Options.UseSymbolTable = true;
  symbolize::LLVMSymbolizer Symbolizer(Options);
  SymbolResult Answer;
  for (const SymbolJob::Address &Address : Asked.Addresses) {
    Expected<DIInliningInfo> Info = Symbolizer.symbolizeInlinedCode(
        Address.Module,
        {Address.Offset, object::SectionedAddress::UndefSection});
    if (Info) {
      Answer.Frames.push_back(framesOf(*Info));
      continue;
    }
    consumeError(Info.takeError());
    Answer.Frames.emplace_back();
  }
  return Answer;
}
