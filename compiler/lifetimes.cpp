//===- compiler/lifetimes.cpp - which life of a variable it is ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/lifetimes.h"

#include "compiler/scopes.h"

using namespace llvm;
using namespace warpsan;

/// Starts at 1: nobody has a variable's address before its first life, so it
/// does no harm to count that as begun. A start while it lives changes nothing:
/// code that came there again by a jump is in the same life.
static AllocaInst *countLives(AllocaInst &Variable) {
  BasicBlock &Entry = Variable.getFunction()->getEntryBlock();
  IRBuilder<> Build(&*Entry.begin());
  AllocaInst *Number =
      Build.CreateAlloca(Build.getInt32Ty(), nullptr, "warpsan.life");
  Build.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  Build.CreateStore(Build.getInt32(1), Number);
  for (LifetimeIntrinsic *Marker : markersOf(Variable)) {
    Build.SetInsertPoint(Marker);
    Value *Before = Build.CreateLoad(Build.getInt32Ty(), Number);
    Value *One = Build.getInt32(1);
    Value *After = Marker->getIntrinsicID() == Intrinsic::lifetime_start
                       ? Build.CreateOr(Before, One)
                       : Build.CreateAnd(Build.CreateAdd(Before, One),
                                         Build.getInt32(~1U));
    Build.CreateStore(After, Number);
  }
  return Number;
}

Lifetimes::Lifetimes(Function &Kernel) {
  for (CallInst *Mark : marksIn(Kernel))
    if (auto *Variable = dyn_cast<AllocaInst>(markedBy(Mark)))
      if (AllocaInst *&Number = Numbers[Variable]; !Number)
        Number = countLives(*Variable);
}

Value *Lifetimes::now(Value *Variable, IRBuilderBase &Build) const {
  return Build.CreateLoad(Build.getInt32Ty(), Numbers.lookup(Variable));
}
