//===- compiler/ir/refusals.cpp - kernels that get no twin ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/refusals.h"

#include "compiler/ir/setters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace warpsan;

Refusals::Refusals(const Module &Program, const Target &T)
    : T(T), SharesVariables(hasMutableGlobals(Program, T)) {}

Error Refusals::refuse(Function &Kernel, const Twine &Reason) {
  Module &Program = *Kernel.getParent();
  const bool IsLast = none_of(Program, [&](const Function &Other) {
    return &Other != &Kernel && T.isKernel(Other) && !isSetter(Other, T);
  });
  if (SharesVariables || IsLast)
    return createStringError(Reason);
  Reasons.try_emplace(Kernel.getName().str(), Reason.str());
  Kernel.replaceAllUsesWith(PoisonValue::get(Kernel.getType()));
  Kernel.eraseFromParent();
  return Error::success();
}
