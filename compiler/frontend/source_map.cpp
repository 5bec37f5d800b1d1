//===- compiler/frontend/source_map.cpp - files and places of the source --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/source_map.h"

#include "compiler/frontend/frontend.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpsan;

unsigned SourceMap::fileOf(const DIFile *File) {
  SmallString<256> Path(File ? File->getFilename() : "");
  StringRef Shown = Path;
  if (!Shown.consume_front(VirtualRoot) && File && !Path.empty() &&
      sys::path::is_relative(Path) && !File->getDirectory().empty()) {
    // Relative to where it was compiled. Only files on disk get a directory:
    // the name of a source that never was a file stays as it was given.
    SmallString<256> Whole(File->getDirectory());
    sys::path::append(Whole, Path);
    if (sys::fs::exists(Whole)) {
      sys::path::remove_dots(Whole, /*remove_dot_dot=*/false);
      Path = Whole;
    }
    Shown = Path;
  }
  auto [Entry, New] = FileNumbers.try_emplace(Shown, Files.size());
  if (New)
    Files.push_back(Shown.str());
  return Entry->second;
}

int SourceMap::locationOf(const DILocation *At) {
  if (!At || !At->getLine())
    return -1;
  if (auto Found = Known.find(At); Found != Known.end())
    return Found->second;
  Location L;
  L.InlinedAt = locationOf(At->getInlinedAt());
  L.File = fileOf(At->getFile());
  L.Line = At->getLine();
  L.Column = At->getColumn();
  if (const DISubprogram *Function = At->getScope()->getSubprogram())
    L.Function = Function->getName().str();
  int Number = static_cast<int>(Locations.size());
  Locations.push_back(std::move(L));
  Known[At] = Number;
  return Number;
}

int SourceMap::locationOf(const DIVariable *Declared) {
  if (!Declared || !Declared->getLine())
    return -1;
  Location L;
  L.File = fileOf(Declared->getFile());
  L.Line = Declared->getLine();
  if (const auto *Scope = dyn_cast_or_null<DILocalScope>(Declared->getScope()))
    L.Function = Scope->getSubprogram()->getName().str();
  Locations.push_back(std::move(L));
  return static_cast<int>(Locations.size()) - 1;
}
