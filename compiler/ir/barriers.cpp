//===- compiler/ir/barriers.cpp - barriers of a work-group ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/barriers.h"

#include "compiler/target/target.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace warpsan;

/// A barrier of the work-group that would be the same anywhere.
static bool isBarrier(const Instruction &I, const Target &T) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return false;
  const StringRef Name = T.builtinName(*Callee);
  if (Name == "ControlBarrier") { // of a SPIR-V program
    constexpr uint64_t Workgroup = 2;
    const auto *Scope = dyn_cast<ConstantInt>(Call->getArgOperand(0));
    if (!Scope || Scope->getZExtValue() != Workgroup)
      return false;
  } else if (Name != "barrier" && Name != "work_group_barrier") {
    return false;
  }
  return all_of(Call->args(),
                [](const Value *Arg) { return isa<Constant>(Arg); });
}

const Instruction *warpsan::barrierIn(const llvm::Loop &L, const Target &T) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (isBarrier(I, T))
        return &I;
  return nullptr;
}
