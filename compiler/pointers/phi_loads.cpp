//===- compiler/pointers/phi_loads.cpp - loads through phis ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/phi_loads.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace warpsan;

/// The phi of \p Load's block that its address is at a constant offset from, if
/// one of its values is a variable's address.
static PHINode *chosenAddress(const LoadInst &Load) {
  Value *Base = const_cast<Value *>(Load.getPointerOperand());
  while (auto *Address = dyn_cast<GetElementPtrInst>(Base)) {
    if (!Address->hasAllConstantIndices() ||
        Address->getParent() != Load.getParent())
      return nullptr;
    Base = Address->getPointerOperand();
  }
  auto *Phi = dyn_cast<PHINode>(Base);
  const bool Chooses = Phi && Phi->getParent() == Load.getParent() &&
                       any_of(Phi->incoming_values(), [](const Use &Each) {
                         return isa<AllocaInst>(getUnderlyingObject(Each));
                       });
  return Chooses ? Phi : nullptr;
}

/// \p Pointer as it is at the end of \p From, where \p Phi has one value.
static Value *addressFrom(BasicBlock *From, Value *Pointer, PHINode &Phi) {
  if (Pointer == &Phi)
    return Phi.getIncomingValueForBlock(From);
  auto *Copy = cast<GetElementPtrInst>(Pointer)->clone();
  Copy->setOperand(
      0, addressFrom(
             From, cast<GetElementPtrInst>(Pointer)->getPointerOperand(), Phi));
  Copy->insertBefore(From->getTerminator());
  return Copy;
}

static void split(LoadInst &Load, PHINode &Phi) {
  PHINode *Value = PHINode::Create(Load.getType(), Phi.getNumIncomingValues(),
                                   "", Phi.getIterator());
  Value->setDebugLoc(Load.getDebugLoc());
  for (BasicBlock *From : Phi.blocks()) {
    auto *Copy = cast<LoadInst>(Load.clone());
    Copy->setOperand(LoadInst::getPointerOperandIndex(),
                     addressFrom(From, Load.getPointerOperand(), Phi));
    Copy->insertBefore(From->getTerminator());
    Value->addIncoming(Copy, From);
  }
  Value->takeName(&Load);
  Load.replaceAllUsesWith(Value);
  Load.eraseFromParent();
}

void warpsan::splitPhiLoads(Function &F) {
  for (BasicBlock &Block : F) {
    // What is loaded there is then loaded here, and the other way round.
    if (Block.phis().empty() || any_of(predecessors(&Block), [](BasicBlock *B) {
          return !B->getSingleSuccessor() || B->getTerminator()->isEHPad();
        }))
      continue;
    SmallVector<std::pair<LoadInst *, PHINode *>, 4> Found;
    for (Instruction &I : Block) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && Load->isSimple())
        if (PHINode *Phi = chosenAddress(*Load))
          Found.push_back({Load, Phi});
      if (I.mayWriteToMemory() ||
          !isGuaranteedToTransferExecutionToSuccessor(&I))
        break;
    }
    for (auto [Load, Phi] : Found)
      split(*Load, *Phi);
  }
}
