//===- compiler/checks/masked.cpp - vector accesses with a mask -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/masked.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace warpsan;

bool warpsan::hasMaskedAccesses(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<IntrinsicInst>(&I);
    switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_store:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_scatter:
    case Intrinsic::masked_expandload:
    case Intrinsic::masked_compressstore:
      return true;
    default:
      return false;
    }
  });
}

/// Element \p Index of \p Vector, or \p Vector itself if it is none.
static Value *elementOf(Value *Vector, Value *Index, IRBuilderBase &Build) {
  if (!Vector->getType()->isVectorTy())
    return Vector;
  auto *Address = dyn_cast<GetElementPtrInst>(Vector);
  if (!Address)
    return Build.CreateExtractElement(Vector, Index);
  Value *Base = elementOf(Address->getPointerOperand(), Index, Build);
  SmallVector<Value *, 4> Indices;
  for (Value *Each : Address->indices())
    Indices.push_back(elementOf(Each, Index, Build));
  return Build.CreateGEP(Address->getSourceElementType(), Base, Indices, "",
                         Address->getNoWrapFlags());
}

void warpsan::splitAddresses(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Element = dyn_cast<ExtractElementInst>(&I);
    if (!Element || !Element->getType()->isPointerTy() ||
        !isa<GetElementPtrInst>(Element->getVectorOperand()))
      continue;
    IRBuilder<> Build(Element);
    Element->replaceAllUsesWith(elementOf(Element->getVectorOperand(),
                                          Element->getIndexOperand(), Build));
    Element->eraseFromParent();
  }
}
