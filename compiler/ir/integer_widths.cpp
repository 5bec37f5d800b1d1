//===- compiler/ir/integer_widths.cpp - integers of widths that SPIR-V has ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/integer_widths.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>

using namespace llvm;
using namespace warpsan;

static constexpr unsigned MaxWidth = 64;

static bool isOddWidth(unsigned Bits) {
  return Bits != 1 && (Bits < 8 || Bits > MaxWidth || !has_single_bit(Bits));
}

bool warpsan::hasOddInteger(const Type *Of) {
  if (const auto *Integer = dyn_cast<IntegerType>(Of))
    return isOddWidth(Integer->getBitWidth());
  if (const auto *Array = dyn_cast<ArrayType>(Of))
    return hasOddInteger(Array->getElementType());
  if (const auto *Vector = dyn_cast<VectorType>(Of))
    return hasOddInteger(Vector->getElementType());
  return isa<StructType>(Of) && any_of(Of->subtypes(), hasOddInteger);
}

static bool isOdd(const Value *V) { return hasOddInteger(V->getType()); }

/// A scalar integer that has a wider one.
static bool canWidenType(const Type *Of) {
  return Of->isIntegerTy() && Of->getIntegerBitWidth() <= MaxWidth;
}

static bool canWidenValue(const Value *V) {
  if (!isOdd(V))
    return true;
  return canWidenType(V->getType()) &&
         (isa<ConstantInt, UndefValue, Instruction>(V)); // undef: poison too
}

/// A type whose elements are put together to an integer, or taken from one.
static bool hasWholeElements(const Type *Of) {
  const auto *Vector = dyn_cast<FixedVectorType>(Of);
  return Vector && (Vector->getElementType()->isIntegerTy() ||
                    Vector->getElementType()->isFloatingPointTy());
}

static bool canWiden(const Instruction &I) {
  if (!canWidenValue(&I) || !all_of(I.operand_values(), canWidenValue))
    return false;
  const Type *Of = I.getType();
  switch (I.getOpcode()) {
  case Instruction::Load:
    return cast<LoadInst>(I).isUnordered() && Of->getIntegerBitWidth() % 8 == 0;
  case Instruction::Store:
    Of = I.getOperand(0)->getType();
    return cast<StoreInst>(I).isUnordered() &&
           Of->getIntegerBitWidth() % 8 == 0;
  case Instruction::BitCast:
    return hasWholeElements(isOdd(&I) ? I.getOperand(0)->getType() : Of);
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::ICmp:
  case Instruction::Switch:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    return true;
  default:
    return I.isBinaryOp();
  }
}

static bool concerns(const Instruction &I) {
  return isOdd(&I) || any_of(I.operand_values(), isOdd);
}

const Instruction *warpsan::findUnwidenable(const Function &Body) {
  for (const Instruction &I : instructions(Body))
    if (concerns(I) && !canWiden(I))
      return &I;
  return nullptr;
}

namespace {

class Widener {
public:
  explicit Widener(Function &Body) : Body(Body), Build(Body.getContext()) {}

  void run();

private:
  Type *wideType(const Type *Of) {
    const unsigned Bits = Of->getIntegerBitWidth();
    return isOddWidth(Bits) ? Build.getIntNTy(std::max(8U, bit_ceil(Bits)))
                            : Build.getIntNTy(Bits);
  }
  /// \p V with the additional bits zero; itself if SPIR-V has its type.
  Value *wide(Value *V);
  /// The same with copies of the sign in them.
  Value *signedWide(Value *V);
  /// \p V, of a wide type, without what an integer of type \p Of lacks.
  Value *clear(Value *V, const Type *Of);

  /// The wide result of \p I; of the type of \p I if that is no odd integer.
  Value *rewrite(Instruction &I);
  Value *rewriteBinary(BinaryOperator &I);
  Value *rewriteCompare(ICmpInst &I);
  Value *rewriteBitCast(BitCastInst &I);
  Value *rewriteLoad(LoadInst &I);
  void rewriteStore(StoreInst &I);
  void rewriteSwitch(SwitchInst &I);

  /// Calls \p Part(bits before it, its bits, its alignment, its address) for
  /// each part of an access of \p Bits, largest parts first.
  template <typename F>
  void forParts(unsigned Bits, Value *Address, Align Aligned, F Part);

  Function &Body;
  IRBuilder<> Build;
  DenseMap<Value *, Value *> Wide;
};

} // namespace

Value *Widener::wide(Value *V) {
  if (!isOdd(V))
    return V;
  Type *To = wideType(V->getType());
  if (const auto *Constant = dyn_cast<ConstantInt>(V))
    return ConstantInt::get(To, Constant->getZExtValue());
  if (isa<UndefValue>(V))
    return ConstantInt::get(To, 0);
  return Wide.at(V);
}

Value *Widener::signedWide(Value *V) {
  Value *Bits = wide(V);
  const unsigned More = Bits->getType()->getIntegerBitWidth() -
                        V->getType()->getIntegerBitWidth();
  return More ? Build.CreateAShr(Build.CreateShl(Bits, More), More) : Bits;
}

Value *Widener::clear(Value *V, const Type *Of) {
  const unsigned Bits = Of->getIntegerBitWidth();
  return isOddWidth(Bits) ? Build.CreateAnd(V, maskTrailingOnes<uint64_t>(Bits))
                          : V;
}

Value *Widener::rewriteBinary(BinaryOperator &I) {
  const Instruction::BinaryOps Op = I.getOpcode();
  Value *A = I.getOperand(0), *B = I.getOperand(1);
  switch (Op) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::LShr:
  case Instruction::UDiv:
  case Instruction::URem:
    return Build.CreateBinOp(Op, wide(A), wide(B));
  case Instruction::AShr:
    return clear(Build.CreateAShr(signedWide(A), wide(B)), I.getType());
  case Instruction::SDiv:
  case Instruction::SRem:
    return clear(Build.CreateBinOp(Op, signedWide(A), signedWide(B)),
                 I.getType());
  default: // additions, multiplications, shifts to the left
    return clear(Build.CreateBinOp(Op, wide(A), wide(B)), I.getType());
  }
}

Value *Widener::rewriteCompare(ICmpInst &I) {
  Value *A = I.getOperand(0), *B = I.getOperand(1);
  return I.isSigned()
             ? Build.CreateICmp(I.getPredicate(), signedWide(A), signedWide(B))
             : Build.CreateICmp(I.getPredicate(), wide(A), wide(B));
}

Value *Widener::rewriteBitCast(BitCastInst &I) {
  Value *From = I.getOperand(0);
  auto *Vector =
      cast<FixedVectorType>(isOdd(&I) ? From->getType() : I.getType());
  Type *Element = Vector->getElementType();
  const unsigned Bits = Element->getPrimitiveSizeInBits();
  Type *Part = Build.getIntNTy(Bits);
  if (isOdd(&I)) {
    Type *To = wideType(I.getType());
    Value *Sum = ConstantInt::get(To, 0);
    for (unsigned At = 0; At < Vector->getNumElements(); ++At) {
      Value *Each =
          Build.CreateBitCast(Build.CreateExtractElement(From, At), Part);
      Sum = Build.CreateOr(
          Sum, Build.CreateShl(Build.CreateZExt(Each, To), At * Bits));
    }
    return Sum;
  }
  Value *Whole = wide(From), *Result = PoisonValue::get(Vector);
  for (unsigned At = 0; At < Vector->getNumElements(); ++At) {
    Value *Each = Build.CreateTrunc(Build.CreateLShr(Whole, At * Bits), Part);
    Result = Build.CreateInsertElement(Result,
                                       Build.CreateBitCast(Each, Element), At);
  }
  return Result;
}

template <typename F>
void Widener::forParts(unsigned Bits, Value *Address, Align Aligned, F Part) {
  for (unsigned Done = 0; Done < Bits;) {
    const unsigned Now = bit_floor(Bits - Done);
    Part(Done, Now, commonAlignment(Aligned, Done / 8),
         Build.CreateConstGEP1_64(Build.getInt8Ty(), Address, Done / 8));
    Done += Now;
  }
}

Value *Widener::rewriteLoad(LoadInst &I) {
  Type *To = wideType(I.getType());
  Value *Sum = ConstantInt::get(To, 0);
  forParts(
      I.getType()->getIntegerBitWidth(), I.getPointerOperand(), I.getAlign(),
      [&](unsigned Done, unsigned Bits, Align Aligned, Value *Address) {
        Value *Part = Build.CreateAlignedLoad(Build.getIntNTy(Bits), Address,
                                              Aligned, I.isVolatile());
        Sum = Build.CreateOr(Sum,
                             Build.CreateShl(Build.CreateZExt(Part, To), Done));
      });
  return Sum;
}

void Widener::rewriteStore(StoreInst &I) {
  Value *From = wide(I.getValueOperand());
  forParts(I.getValueOperand()->getType()->getIntegerBitWidth(),
           I.getPointerOperand(), I.getAlign(),
           [&](unsigned Done, unsigned Bits, Align Aligned, Value *Address) {
             Value *Part = Build.CreateTrunc(Build.CreateLShr(From, Done),
                                             Build.getIntNTy(Bits));
             Build.CreateAlignedStore(Part, Address, Aligned, I.isVolatile());
           });
}

void Widener::rewriteSwitch(SwitchInst &I) {
  SwitchInst *New =
      Build.CreateSwitch(wide(I.getCondition()), I.getDefaultDest());
  for (const auto &Case : I.cases())
    New->addCase(cast<ConstantInt>(wide(Case.getCaseValue())),
                 Case.getCaseSuccessor());
}

Value *Widener::rewrite(Instruction &I) {
  Type *To = I.getType()->isIntegerTy() ? wideType(I.getType()) : I.getType();
  switch (I.getOpcode()) {
  case Instruction::PHI: // its values come later
    return Build.CreatePHI(To, cast<PHINode>(I).getNumIncomingValues());
  case Instruction::Select:
    return Build.CreateSelect(I.getOperand(0), wide(I.getOperand(1)),
                              wide(I.getOperand(2)));
  case Instruction::Freeze: // which may set any bit
    return clear(Build.CreateFreeze(wide(I.getOperand(0))), I.getType());
  case Instruction::ICmp:
    return rewriteCompare(cast<ICmpInst>(I));
  case Instruction::Trunc:
  case Instruction::ZExt:
    return clear(Build.CreateZExtOrTrunc(wide(I.getOperand(0)), To),
                 I.getType());
  case Instruction::SExt:
    return clear(Build.CreateSExtOrTrunc(signedWide(I.getOperand(0)), To),
                 I.getType());
  case Instruction::BitCast:
    return rewriteBitCast(cast<BitCastInst>(I));
  case Instruction::Load:
    return rewriteLoad(cast<LoadInst>(I));
  case Instruction::Store:
    rewriteStore(cast<StoreInst>(I));
    return nullptr;
  case Instruction::Switch:
    rewriteSwitch(cast<SwitchInst>(I));
    return nullptr;
  default:
    return rewriteBinary(cast<BinaryOperator>(I));
  }
}

void Widener::run() {
  removeUnreachableBlocks(Body);
  std::vector<Instruction *> Old;
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&Body))
    for (Instruction &I : *Block)
      if (concerns(I))
        Old.push_back(&I);
  for (Instruction *I : Old) {
    Build.SetInsertPoint(I);
    if (Value *New = rewrite(*I))
      Wide[I] = New;
  }
  for (Instruction *I : Old)
    if (auto *Phi = dyn_cast<PHINode>(I))
      for (unsigned At = 0; At < Phi->getNumIncomingValues(); ++At)
        cast<PHINode>(Wide.at(Phi))
            ->addIncoming(wide(Phi->getIncomingValue(At)),
                          Phi->getIncomingBlock(At));
  for (Instruction *I : Old) {
    if (isOdd(I))
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    else if (Value *New = Wide.lookup(I))
      I->replaceAllUsesWith(New);
    I->eraseFromParent();
  }
}

void warpsan::widenOddIntegers(Function &Body) {
  if (!Body.isDeclaration() && any_of(instructions(Body), concerns) &&
      !findUnwidenable(Body))
    Widener(Body).run();
}
