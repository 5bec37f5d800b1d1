//===- compiler/divergence/stack_slots.cpp - values kept in private
// memory -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/divergence/stack_slots.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace warpsan;

BasicBlock::iterator StackSlots::place() const {
  return Kernel.getEntryBlock().begin();
}

/// \p Type as it is kept in memory.
static Type *keptType(Type *Declared) {
  return Declared->isIntOrIntVectorTy(1)
             ? Declared->getWithNewType(Type::getInt8Ty(Declared->getContext()))
             : Declared;
}

AllocaInst *StackSlots::make(Type *Declared, const char *Name) const {
  IRBuilder<> Build(Kernel.getContext());
  Build.SetInsertPoint(&Kernel.getEntryBlock(), place());
  return Build.CreateAlloca(keptType(Declared), nullptr,
                            Twine("warpsan.") + Name);
}

void StackSlots::store(IRBuilderBase &Build, Value *What,
                       AllocaInst *To) const {
  if (What->getType()->isIntOrIntVectorTy(1))
    What = Build.CreateZExt(What, To->getAllocatedType());
  Build.CreateStore(What, To, Volatile);
}

Value *StackSlots::load(IRBuilderBase &Build, AllocaInst *From,
                        Type *As) const {
  Value *Found = Build.CreateLoad(From->getAllocatedType(), From, Volatile);
  return As && As->isIntOrIntVectorTy(1)
             ? Build.CreateICmpNE(Found,
                                  Constant::getNullValue(Found->getType()))
             : Found;
}

AllocaInst *StackSlots::makeZero(Type *Type, const char *Name) {
  AllocaInst *Slot = make(Type, Name);
  BasicBlock &Entry = Kernel.getEntryBlock();
  IRBuilder<> Build(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  store(Build, Constant::getNullValue(Type), Slot);
  return Slot;
}

/// Makes what LLVM has put into \p Slot one of make(). May be null.
void StackSlots::adopt(AllocaInst *Slot) const {
  if (!Slot)
    return;
  AllocaInst *Own = make(Slot->getAllocatedType(), "kept");
  for (User *Each : make_early_inc_range(Slot->users())) {
    auto *Access = cast<Instruction>(Each);
    IRBuilder<> Build(Access);
    if (auto *Store = dyn_cast<StoreInst>(Access))
      store(Build, Store->getValueOperand(), Own);
    else
      Access->replaceAllUsesWith(load(Build, Own, Access->getType()));
    Access->eraseFromParent();
  }
  Slot->eraseFromParent();
}

void StackSlots::keepPhis(BasicBlock *Block) const {
  while (auto *Phi = dyn_cast<PHINode>(&Block->front()))
    adopt(DemotePHIToStack(Phi, place()));
}

/// A sampler, say, which no variable can hold: made again where it is used.
static bool canBeMadeAgain(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().contains("sampler_initializer");
}

static void makeAgain(Instruction &I) {
  for (Use &U : make_early_inc_range(I.uses())) {
    auto *User = cast<Instruction>(U.getUser());
    const auto *Phi = dyn_cast<PHINode>(User);
    Instruction *Again = I.clone();
    Again->insertBefore(Phi ? Phi->getIncomingBlock(U)->getTerminator() : User);
    U.set(Again);
  }
}

void StackSlots::keepValues(ArrayRef<BasicBlock *> Headers) const {
  const DominatorTree Dominators(Kernel);
  auto Crosses = [&](const Instruction &I, const Use &U) {
    return Volatile && any_of(Headers, [&](const BasicBlock *Header) {
             return Dominators.dominates(Header, U) &&
                    !Dominators.dominates(Header, I.getParent());
           });
  };
  SmallVector<Instruction *, 32> Found;
  for (BasicBlock &Block : Kernel)
    for (Instruction &I : Block)
      if (!isa<AllocaInst>(I) && any_of(I.uses(), [&](const Use &U) {
            return !Dominators.dominates(&I, U) || Crosses(I, U);
          }))
        Found.push_back(&I);
  for (Instruction *Each : Found)
    if (canBeMadeAgain(*Each))
      makeAgain(*Each);
    else
      adopt(DemoteRegToStack(*Each, Volatile, place()));
}
