//===- compiler/sites.cpp - where each memory access is in the source -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/sites.h"

#include "compiler/builtins.h"
#include "compiler/frontend.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace llvm;
using namespace warpsan;

unsigned SourceMap::fileOf(const DIFile *File) {
  SmallString<256> Path(File ? File->getFilename() : "");
  StringRef Shown = Path;
  if (!Shown.consume_front(VirtualRoot) && File && !Path.empty() &&
      sys::path::is_relative(Path) && !File->getDirectory().empty()) {
    // Relative to where it was compiled. Only files on disk get a folder: the
    // name of a source that never was a file stays as it was given.
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

static const char *spaceName(unsigned AddressSpace, const Target &T) {
  switch (T.spaceOf(AddressSpace)) {
  case Space::Private:
    return "private";
  case Space::Global:
    return "global";
  case Space::Constant:
    return "constant";
  case Space::Local:
    return "local";
  case Space::Generic:
    return "generic";
  case Space::Other:
    break;
  }
  return "other";
}

/// The space of a call's first pointer, or "image".
static const char *spaceOfCall(const CallBase &Call, const Target &T) {
  for (const Use &Arg : Call.args())
    if (Arg->getType()->isPointerTy())
      return spaceName(Arg->getType()->getPointerAddressSpace(), T);
  return "image";
}

static std::optional<Site> siteOf(const Instruction &I, const Target &T) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  auto Bytes = [&](Type *Accessed) {
    return Layout.getTypeStoreSize(Accessed).getFixedValue();
  };
  Site S;
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    S.Access = "load";
    S.Space = spaceName(Load->getPointerAddressSpace(), T);
    S.Bytes = Bytes(Load->getType());
    return S;
  }
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    S.Access = "store";
    S.Space = spaceName(Store->getPointerAddressSpace(), T);
    S.Bytes = Bytes(Store->getValueOperand()->getType());
    return S;
  }
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    S.Access = "atomic";
    S.Space = spaceName(Update->getPointerAddressSpace(), T);
    S.Bytes = Bytes(Update->getType());
    return S;
  }
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    S.Access = "atomic";
    S.Space = spaceName(Exchange->getPointerAddressSpace(), T);
    S.Bytes = Bytes(Exchange->getCompareOperand()->getType());
    return S;
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->getCalledFunction())
    return std::nullopt;
  if (const auto *Memory = dyn_cast<MemIntrinsic>(Call)) {
    S.Access = "call";
    S.Builtin = isa<MemSetInst>(Memory) ? "memset" : "memcpy";
    S.Space = spaceName(Memory->getDestAddressSpace(), T);
    if (auto *Length = dyn_cast<ConstantInt>(Memory->getLength()))
      S.Bytes = Length->getZExtValue();
    return S;
  }
  StringRef Name = T.builtinName(*Call->getCalledFunction());
  if (Name.empty())
    return std::nullopt;
  BuiltinAccess Access = accessOf(Name, *Call);
  if (Access == BuiltinAccess::None)
    return std::nullopt;
  S.Access = Access == BuiltinAccess::Atomic ? "atomic" : "call";
  S.Builtin = Name.str();
  S.Space = spaceOfCall(*Call, T);
  S.Bytes = bytesOf(Name, *Call);
  return S;
}

std::vector<Site> warpsan::sitesOf(const Function &Kernel, const Target &T,
                                   SourceMap &Map) {
  std::vector<Site> Sites;
  for (const BasicBlock &Block : Kernel)
    for (const Instruction &I : Block)
      if (std::optional<Site> S = siteOf(I, T)) {
        S->At = Map.locationOf(I.getDebugLoc().get());
        Sites.push_back(std::move(*S));
      }
  return Sites;
}
