//===- layer/svm/scheme_tags.cpp - tags of arguments in another scheme ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/scheme_tags.h"

#include "abi/heap.h"
#include "layer/schemes/schemes.h"

using namespace warpsan;

cl_ulong warpsan::tagOf(const std::vector<ArgBounds> &All,
                        const std::vector<KernelPlan::ArgKind> &Kinds,
                        size_t Arg, uint64_t Secret) {
  HostScheme &Scheme = *otherScheme();
  const ArgBounds &B = All[Arg];
  if (Kinds[Arg] == KernelPlan::ArgKind::Local) {
    uint64_t Pool = 0, Offset = 0;
    constexpr uint64_t Align = 128; // of OpenCL's largest type
    for (size_t I = 0; I < All.size(); ++I) {
      if (Kinds[I] != KernelPlan::ArgKind::Local)
        continue;
      if (I == Arg)
        Offset = Pool;
      Pool += (All[I].Size + Align - 1) / Align * Align;
    }
    return Scheme.tagOfLocal(Offset, B.Size, Pool);
  }
  switch (B.Memory.What) {
  case ArgMemory::Kind::Foreign:
    return Scheme.tagOfForeign();
  case ArgMemory::Kind::Known:
    break;
  default:
    return 0;
  }
  const Memory &M = *B.Memory.Of;
  PlacedMemory Of{addressInScheme(M), M.Size, (B.Size & WS_NOT_WRITABLE) != 0,
                  false};
  // A memory object that was released may live on in the driver.
  Of.Freed = !M.isObject() && M.Released.load();
  return Scheme.moved(Scheme.tagOf(Of, Secret), B.Start);
}
