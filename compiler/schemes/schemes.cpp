//===- compiler/schemes/schemes.cpp - all schemes by name -----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/schemes.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpsan;

namespace {

struct Known {
  StringRef Name;
  std::unique_ptr<Scheme> (*Make)(const KernelParts &Of);
  std::string (*WhyNot)(Function &Kernel);
  bool Table, Key; ///< hidden arguments
  bool LeavesOutProven;
};

const Known All[] = {
#define SCHEME(Word, Host, Compiler, WhyNot, Table, Key, LeavesOut)            \
  {Word,                                                                       \
   [](const KernelParts &Of [[maybe_unused]]) -> std::unique_ptr<Scheme> {     \
     return Compiler;                                                          \
   },                                                                          \
   [](Function &Kernel [[maybe_unused]]) -> std::string { return WhyNot; },    \
   Table,                                                                      \
   Key,                                                                        \
   LeavesOut},
#include "schemes/schemes.def"
};

const Known *find(StringRef Name) {
  const auto *It =
      find_if(All, [&](const Known &Each) { return Name == Each.Name; });
  return It == std::end(All) ? nullptr : It;
}

} // namespace

bool warpsan::isOther(StringRef Scheme) { return find(Scheme); }

std::unique_ptr<Scheme> warpsan::makeOther(StringRef Scheme,
                                           const KernelParts &Of) {
  const Known &Which = *find(Scheme);
  KernelParts Parts = Of;
  if (!Which.LeavesOutProven)
    Parts.Numbers = nullptr;
  return Which.Make(Parts);
}

std::string warpsan::whyNot(StringRef Scheme, Function &Kernel) {
  return find(Scheme)->WhyNot(Kernel);
}

void warpsan::addHiddenArgs(StringRef Scheme, WantedArgs &Wanted) {
  for (WantedArgs::OfArgument &Arg : Wanted.Of)
    Arg.Tag = Arg.Size;
  Wanted.Table = find(Scheme)->Table;
  Wanted.Key = find(Scheme)->Key;
}
