//===- compiler/pointers/lifetimes.cpp - which life of a variable it is ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/lifetimes.h"

#include "compiler/pointers/escaping_addresses.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpsan;

/// A start while it lives changes nothing: code that came there again by a jump
/// is in the same life.
static AllocaInst *countLives(AllocaInst &Variable) {
  BasicBlock &Entry = Variable.getFunction()->getEntryBlock();
  IRBuilder<> Build(&*Entry.begin());
  AllocaInst *Number =
      Build.CreateAlloca(Build.getInt32Ty(), nullptr, "warpsan.life");
  Build.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  const auto Markers = markersOf(Variable);
  auto Starts = [](const LifetimeIntrinsic *Marker) {
    return Marker->getIntrinsicID() == Intrinsic::lifetime_start;
  };
  Build.CreateStore(Build.getInt32(none_of(Markers, Starts)), Number);
  for (LifetimeIntrinsic *Marker : Markers) {
    Build.SetInsertPoint(Marker);
    Value *Before = Build.CreateLoad(Build.getInt32Ty(), Number);
    Value *One = Build.getInt32(1);
    Value *After = Starts(Marker)
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

Value *Lifetimes::nowOr(uint32_t IfDead, Value *Variable,
                        IRBuilderBase &Build) const {
  Value *Now = now(Variable, Build);
  return Build.CreateSelect(Build.CreateTrunc(Now, Build.getInt1Ty()), Now,
                            Build.getInt32(IfDead));
}
