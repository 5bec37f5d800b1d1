//===- compiler/ir/setters.cpp - kernels that only set variables ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/setters.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace warpsan;

/// Variables in global memory, by their name alone: an address that was
/// calculated may be anywhere.
static bool setsVariable(const StoreInst &Store, const Target &T) {
  const auto *Variable =
      dyn_cast<GlobalVariable>(Store.getPointerOperand()->stripPointerCasts());
  const DataLayout &Layout = Store.getDataLayout();
  return Variable && !Store.isVolatile() && !Store.isAtomic() &&
         T.spaceOf(Variable->getAddressSpace()) == Space::Global &&
         Layout.getTypeStoreSize(Store.getValueOperand()->getType()) <=
             Layout.getTypeStoreSize(Variable->getValueType());
}

bool warpsan::isSetter(const Function &F, const Target &T) {
  if (!T.isKernel(F) || F.isDeclaration() || F.size() != 1)
    return false;
  bool Sets = false;
  for (const Instruction &I : instructions(F)) {
    if (const auto *Store = dyn_cast<StoreInst>(&I)) {
      if (!setsVariable(*Store, T))
        return false;
      Sets = true;
    } else if (!isa<CastInst, ReturnInst, DbgInfoIntrinsic>(I)) {
      return false;
    }
  }
  return Sets;
}

/// True if a kernel may change \p Pointer's object: it is used by more than
/// loads and setters, directly or through addresses computed from it.
static bool mayBeWritten(const Value &Pointer, const Target &T) {
  for (const User *U : Pointer.users()) {
    const auto *I = dyn_cast<Instruction>(U);
    if (isa<LoadInst>(U) || (I && isSetter(*I->getFunction(), T)))
      continue;
    bool Forwards = isa<GEPOperator>(U) || isa<AddrSpaceCastOperator>(U) ||
                    isa<BitCastOperator>(U);
    if (!Forwards || mayBeWritten(*U, T))
      return true;
  }
  return false;
}

bool warpsan::hasMutableGlobals(const Module &Program, const Target &T) {
  for (const GlobalVariable &V : Program.globals())
    if (!V.isConstant() && T.spaceOf(V.getAddressSpace()) == Space::Global &&
        mayBeWritten(V, T))
      return true;
  return false;
}
