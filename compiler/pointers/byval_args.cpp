//===- compiler/pointers/byval_args.cpp - arguments that kernels change ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/byval_args.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace warpsan;

bool warpsan::isOnlyRead(const Argument &Arg) {
  SmallVector<const Value *, 8> Pointers = {&Arg};
  while (!Pointers.empty()) {
    const Value *Pointer = Pointers.pop_back_val();
    for (const Use &U : Pointer->uses()) {
      const User *By = U.getUser();
      if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(By)) {
        Pointers.push_back(By);
        continue;
      }
      const auto *Copy = dyn_cast<MemTransferInst>(By);
      if (!isa<LoadInst>(By) && !(Copy && &Copy->getRawSourceUse() == &U) &&
          !isa<LifetimeIntrinsic>(By))
        return false;
    }
  }
  return true;
}

static void copy(Function &Kernel, Argument &Arg) {
  Type *Of = Arg.getParamByValType();
  const DataLayout &Layout = Kernel.getDataLayout();
  const Align Alignment =
      Arg.getParamAlign().value_or(Layout.getABITypeAlign(Of));
  BasicBlock &Entry = Kernel.getEntryBlock();
  IRBuilder<> Build(&Entry, Entry.begin());
  AllocaInst *Own =
      Build.CreateAlloca(Of, Arg.getType()->getPointerAddressSpace());
  Own->setAlignment(Alignment);
  Own->takeName(&Arg);
  Arg.replaceAllUsesWith(Own);
  Build.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  Build.CreateMemCpy(Own, Alignment, &Arg, Alignment,
                     Layout.getTypeStoreSize(Of));
}

void warpsan::copyChangedArgs(Module &Program, const Target &T) {
  for (Function &F : Program)
    if (T.isKernel(F) && !F.isDeclaration())
      for (Argument &Arg : F.args())
        if (Arg.hasByValAttr() && !isOnlyRead(Arg))
          copy(F, Arg);
}
