//===- compiler/pointers/pointer_metadata.cpp - values next to
// pointers ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/pointer_metadata.h"

#include "compiler/ir/int_to_ptr.h"
#include "compiler/pointers/escaping_addresses.h"

#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace warpsan;

PointerMetadata::PointerMetadata(Function &Kernel, RootTable &Roots)
    : Kernel(Kernel), Roots(Roots),
      Start(new FreezeInst(
          ConstantInt::getFalse(Kernel.getContext()), "",
          Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca())) {}

PointerMetadata::~PointerMetadata() { Start->eraseFromParent(); }

Instruction *PointerMetadata::placeOf(Value *Pointer) {
  auto *From = dyn_cast<Instruction>(Pointer);
  return From ? From : Start;
}

Value *PointerMetadata::field(Value *Pointer, Field Which) {
  if (Value *Plain = atOnce(Pointer, Which))
    return Plain;
  if (auto Found = Known.find({Pointer, Which}); Found != Known.end())
    return Found->second;
  Value *Result = make(Pointer, Which);
  Known[{Pointer, Which}] = Result;
  return Result;
}

Value *PointerMetadata::make(Value *Pointer, Field Which) {
  if (auto *Address = dyn_cast<GEPOperator>(Pointer))
    return ofAddress(*Address, Which);
  if (isa<AddrSpaceCastOperator, BitCastOperator>(Pointer) ||
      isa<FreezeInst>(Pointer))
    return field(cast<User>(Pointer)->getOperand(0), Which);
  if (auto *Phi = dyn_cast<PHINode>(Pointer))
    return ofPhi(*Phi, Which);
  if (auto *Select = dyn_cast<SelectInst>(Pointer)) {
    Value *True = field(Select->getTrueValue(), Which);
    Value *False = field(Select->getFalseValue(), Which);
    if (True == False)
      return True;
    Builder Build(Select->getNextNode());
    return Build.CreateSelect(Select->getCondition(), True, False);
  }
  if (auto *Load = dyn_cast<LoadInst>(Pointer))
    return Roots.originOf(Load).Kept ? ofKept(*Load, Which)
                                     : ofUnknown(Load, Which);
  if (Operator::getOpcode(Pointer) == Instruction::IntToPtr)
    return originOfInteger(cast<Operator>(Pointer)->getOperand(0)).isOne()
               ? ofInteger(*cast<Operator>(Pointer), Which)
               : ofUnknown(Pointer, Which);
  const PointerOrigin &From = Roots.originOf(Pointer);
  if (From.isOne() && Roots.isRoot(Pointer))
    return ofRoot(From.Roots[0], Which);
  if (Value *Variable = markedBy(Pointer))
    if (Value *Made = ofMark(*cast<Instruction>(Pointer), Variable, Which))
      return Made;
  if (auto *Call = dyn_cast<CallBase>(Pointer); Call && !From.Unknown)
    return field(Call->getArgOperand(0), Which); // to_global and its kin
  return ofUnknown(Pointer, Which);
}

Value *PointerMetadata::ofPhi(PHINode &Phi, Field Which) {
  PHINode *Next = PHINode::Create(typeOf(Which), Phi.getNumIncomingValues(),
                                  "warpsan.bounds", Phi.getIterator());
  // Known before its operands: a loop leads back here.
  Known[{&Phi, Which}] = Next;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    // An edge that occurs twice must bring the same value twice; it does,
    // because equal pointers have equal fields.
    Next->addIncoming(field(Phi.getIncomingValue(I), Which),
                      Phi.getIncomingBlock(I));
  }
  return Next;
}
