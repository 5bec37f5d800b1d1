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
  const char *Name;
  std::unique_ptr<Scheme> (*Make)(const KernelParts &Of);
  /// Null: it takes all kernels.
  std::string (*WhyNot)(Function &Kernel) = nullptr;
  bool Table = false, Key = false; ///< hidden arguments
  bool Filter = false;             ///< what a launch can decide is not checked
};

const Known All[] = {
    {"lmi", [](const KernelParts &Of) { return makeLmi(Of, false); },
     whyNotLmi},
    {"lmi-live", [](const KernelParts &Of) { return makeLmi(Of, true); },
     whyNotLmi, /*Table=*/true},
    {"cusafe", makeCuSafe, nullptr, /*Table=*/true},
    {"gpushield", makeGpuShield, nullptr, /*Table=*/true, /*Key=*/true},
    {"gpushield-static", makeGpuShield, nullptr, /*Table=*/true, /*Key=*/true,
     /*Filter=*/true},
    {"no-fat", makeNoFat, nullptr, /*Table=*/true},
    {"trace", makeTrace, nullptr, /*Table=*/true, /*Key=*/true},
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
  if (!Which.Filter)
    Parts.Numbers = nullptr;
  return Which.Make(Parts);
}

std::string warpsan::whyNot(StringRef Scheme, Function &Kernel) {
  const Known &Which = *find(Scheme);
  return Which.WhyNot ? Which.WhyNot(Kernel) : "";
}

void warpsan::addHiddenArgs(StringRef Scheme, WantedArgs &Wanted) {
  for (WantedArgs::OfArgument &Arg : Wanted.Of)
    Arg.Tag = Arg.Size;
  Wanted.Table = find(Scheme)->Table;
  Wanted.Key = find(Scheme)->Key;
}
