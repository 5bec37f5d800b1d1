//===- compiler/ir/poison_flags.cpp - what makes a kernel's integers
// poison -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/poison_flags.h"

#include "proof/expression.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace warpsan;

static constexpr char Kept[] = "warpsan.flags";

static uint8_t ownFlagsOf(const Instruction &I) {
  uint8_t Flags = 0;
  auto Add = [&](bool Signed, bool Unsigned) {
    Flags |= Signed ? warpsan::Node::NoSignedWrap : 0;
    Flags |= Unsigned ? warpsan::Node::NoUnsignedWrap : 0;
  };
  if (const auto *Sum = dyn_cast<OverflowingBinaryOperator>(&I))
    Add(Sum->hasNoSignedWrap(), Sum->hasNoUnsignedWrap());
  if (const auto *Cut = dyn_cast<TruncInst>(&I))
    Add(Cut->hasNoSignedWrap(), Cut->hasNoUnsignedWrap());
  if (isa<PossiblyNonNegInst>(I) && I.hasNonNeg())
    Flags |= warpsan::Node::NoSignedWrap;
  if (isa<PossiblyExactOperator>(I) && I.isExact())
    Flags |= warpsan::Node::Exact;
  return Flags;
}

uint8_t warpsan::flagsOf(const Instruction &I) {
  uint8_t Flags = ownFlagsOf(I);
  if (const MDNode *More = I.getMetadata(Kept))
    Flags |= static_cast<uint8_t>(
        mdconst::extract<ConstantInt>(More->getOperand(0))->getZExtValue());
  return Flags;
}

void warpsan::addFlags(Instruction &I, uint8_t Flags) {
  LLVMContext &Context = I.getContext();
  Constant *All =
      ConstantInt::get(Type::getInt8Ty(Context), flagsOf(I) | Flags);
  I.setMetadata(Kept, MDNode::get(Context, ConstantAsMetadata::get(All)));
}

//===----------------------------------------------------------------------===//
// Flags that passes lose
//===----------------------------------------------------------------------===//

KeptFlags::KeptFlags(Function &F) {
  for (Instruction &I : instructions(F))
    if (const uint8_t Flags = flagsOf(I)) {
      Flagged.push_back({&I, I.getOpcode(), Flags});
      if (const uint8_t Noted = Flags & ~ownFlagsOf(I))
        OfClones[I.getOpcode()] |= Noted;
    }
  if (OfClones.empty())
    return;
  for (Instruction &I : instructions(F))
    if (OfClones.contains(I.getOpcode()))
      Originals.emplace_back(&I);
}

void KeptFlags::restore(Function &F) const {
  auto Add = [](Instruction &I, uint8_t Flags) {
    if (Flags & ~flagsOf(I))
      addFlags(I, Flags);
  };
  for (const auto &[Handle, Opcode, Flags] : Flagged) {
    auto *I = dyn_cast_or_null<Instruction>(static_cast<Value *>(Handle));
    // Otherwise it was simplified to an operand.
    if (I && I->getOpcode() == Opcode)
      Add(*I, Flags);
  }
  if (OfClones.empty())
    return;
  DenseSet<const Value *> Old;
  for (const WeakVH &Original : Originals)
    Old.insert(Original);
  for (Instruction &I : instructions(F))
    if (auto Flags = OfClones.find(I.getOpcode());
        Flags != OfClones.end() && !Old.contains(&I))
      Add(I, Flags->second);
}

//===----------------------------------------------------------------------===//
// Sources of poison
//===----------------------------------------------------------------------===//

/// Builtins whose usual definition overflows.
static bool mayBeUndefined(const CallBase &Call, const Target &T) {
  if (const auto *Known = dyn_cast<IntrinsicInst>(&Call))
    switch (Known->getIntrinsicID()) {
    case Intrinsic::abs:
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
      return match(Call.getArgOperand(1), m_One());
    default:
      return false;
    }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Call.getType()->isIntOrIntVectorTy())
    return false;
  StringRef Name = T.builtinName(*Callee);
  if (Name.starts_with("convert_"))
    return !Name.contains("_sat") && Call.arg_size() == 1 &&
           Call.getArgOperand(0)->getType()->isFPOrFPVectorTy() &&
           Call.getType()->getScalarSizeInBits() < 32;
  if (Name.starts_with("s_") || Name.starts_with("u_"))
    Name = Name.drop_front(2);
  return Name == "mul24" || Name == "mad24";
}

bool warpsan::createsPoison(const Instruction &I, const Target &T) {
  const bool Integers = I.getType()->isIntOrIntVectorTy();
  if (flagsOf(I))
    return true;
  if (const auto *Or = dyn_cast<PossiblyDisjointInst>(&I))
    return Or->isDisjoint();
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return mayBeUndefined(*Call, T);
  // Others become one of a machine's registers, whatever they are of.
  if (isa<FPToSIInst, FPToUIInst>(I))
    return I.getType()->getScalarSizeInBits() < 32;
  if (I.isShift()) {
    const KnownBits By = computeKnownBits(I.getOperand(1), I.getDataLayout());
    return !By.getMaxValue().ult(I.getType()->getScalarSizeInBits());
  }
  // Vectors are often made of nothing, element by element.
  return Integers && !I.getType()->isVectorTy() && !isa<FreezeInst>(I) &&
         any_of(I.operands(), [](const Use &U) {
           return isa<UndefValue>(U) && U->getType()->isIntegerTy();
         });
}

bool PoisonSources::reach(const Value *V) {
  if (May.contains(V))
    return true;
  SmallVector<const Value *, 16> Work = {V}, Seen;
  DenseSet<const Value *> Known;
  while (!Work.empty()) {
    const Value *At = Work.pop_back_val();
    const auto *I = dyn_cast<Instruction>(At);
    if (!I || Never.contains(At) || !Known.insert(At).second)
      continue;
    if (May.contains(At) || createsPoison(*I, T)) {
      May.insert(At);
      May.insert(V);
      return true;
    }
    Seen.push_back(At);
    if (!isa<FreezeInst, LoadInst, AllocaInst, AtomicRMWInst,
             AtomicCmpXchgInst>(I))
      append_range(Work, I->operand_values());
  }
  Never.insert(Seen.begin(), Seen.end());
  return false;
}
