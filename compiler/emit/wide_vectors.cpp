//===- compiler/emit/wide_vectors.cpp - builtins on the widest vectors ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/emit/wide_vectors.h"

#include "compiler/target/mangling.h"
#include "compiler/target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpsan;

static constexpr unsigned Lanes = 16, Half = Lanes / 2;

static bool hasLanes(const Type *Ty) {
  const auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector && Vector->getNumElements() == Lanes;
}

static bool isWide(const Type *Ty) {
  return hasLanes(Ty) && Ty->getScalarSizeInBits() == 64;
}

static bool takesWide(const Function &F) {
  return isWide(F.getReturnType()) || any_of(F.args(), [](const Argument &Arg) {
           return isWide(Arg.getType());
         });
}

/// Whether each element of the result is made of the same elements of the
/// arguments. Conversions are instructions in SPIR-V, and right.
static bool isElementwise(const Function &F, StringRef Name) {
  return hasLanes(F.getReturnType()) && !Name.starts_with("convert_") &&
         any_of(F.args(),
                [](const Argument &Arg) { return hasLanes(Arg.getType()); });
}

static Type *halved(Type *Ty) {
  return hasLanes(Ty) ? FixedVectorType::get(Ty->getScalarType(), Half) : Ty;
}

static Value *halfOf(IRBuilder<> &Build, Value *Whole, unsigned Which) {
  if (!hasLanes(Whole->getType()))
    return Whole;
  return Build.CreateShuffleVector(
      Whole,
      to_vector<Half>(seq<int>(int(Which * Half), int((Which + 1) * Half))));
}

/// The same builtin for vectors of half the length; null if there is none.
static Function *halfBuiltin(Function &F) {
  Module &Program = *F.getParent();
  if (F.isIntrinsic()) {
    // Overloaded by that vector alone.
    Function *Made =
        Intrinsic::isOverloaded(F.getIntrinsicID())
            ? Intrinsic::getDeclaration(&Program, F.getIntrinsicID(),
                                        halved(F.getReturnType()))
            : nullptr;
    return Made && Made->arg_size() == F.arg_size() ? Made : nullptr;
  }
  // "vstore16"; SPIR-V's "vstoren" has the number in its types alone.
  std::optional<MangledName> Parts = takeApart(F.getName());
  if (!Parts)
    return nullptr;
  std::string Word = Parts->Name.str(), Parameters = Parts->Parameters.str();
  if (size_t At = Word.find("16"); At != std::string::npos)
    Word.replace(At, 2, "8");
  for (size_t At = 0; (At = Parameters.find("Dv16_", At)) != std::string::npos;)
    Parameters.replace(At, 5, "Dv8_");
  SmallVector<Type *, 4> Types;
  for (const Argument &Arg : F.args())
    Types.push_back(halved(Arg.getType()));
  auto *Made = dyn_cast<Function>(
      Program
          .getOrInsertFunction(
              mangled(Word, Parameters),
              FunctionType::get(halved(F.getReturnType()), Types, false))
          .getCallee());
  if (!Made || Made->arg_size() != Types.size() ||
      !equal(Types, Made->getFunctionType()->params()))
    return nullptr;
  Made->setCallingConv(F.getCallingConv());
  Made->setAttributes(F.getAttributes());
  return Made;
}

/// Where the second half begins of what an argument points to (sincos).
static Value *behindHalf(IRBuilder<> &Build, Value *Pointer, StringRef Symbol,
                         unsigned Index) {
  return Build.CreateConstGEP1_64(Build.getInt8Ty(), Pointer,
                                  pointeeSize(Symbol, Index) / 2);
}

static Value *inHalves(CallInst &Call, Function &Callee) {
  Function *Builtin = halfBuiltin(Callee);
  if (!Builtin)
    return nullptr;
  IRBuilder<> Build(&Call);
  Value *Results[2] = {};
  for (unsigned Which : {0U, 1U}) {
    SmallVector<Value *, 4> Args;
    for (auto [Index, Arg] : enumerate(Call.args()))
      Args.push_back(Which && Arg->getType()->isPointerTy()
                         ? behindHalf(Build, Arg, Callee.getName(), Index)
                         : halfOf(Build, Arg, Which));
    CallInst *One = Build.CreateCall(Builtin, Args);
    One->setCallingConv(Call.getCallingConv());
    if (isa<FPMathOperator>(Call) && isa<FPMathOperator>(One))
      One->copyFastMathFlags(&Call);
    Results[Which] = One;
  }
  return Build.CreateShuffleVector(Results[0], Results[1],
                                   to_vector<Lanes>(seq<int>(0, Lanes)));
}

/// vstore16(x, offset, p) and its kin: the offset counts vectors.
static bool storeHalves(CallInst &Call, Function &Callee) {
  // SPIR-V can call it with operands of any type.
  if (Call.arg_size() < 3 || !Call.getArgOperand(1)->getType()->isIntegerTy())
    return false;
  Function *Builtin = halfBuiltin(Callee);
  if (!Builtin)
    return false;
  IRBuilder<> Build(&Call);
  Value *Twice = Build.CreateShl(Call.getArgOperand(1), 1);
  for (unsigned Which : {0U, 1U}) {
    SmallVector<Value *, 4> Args(Call.args());
    Args[0] = halfOf(Build, Args[0], Which);
    Args[1] = Build.CreateAdd(Twice, ConstantInt::get(Twice->getType(), Which));
    Build.CreateCall(Builtin, Args)->setCallingConv(Call.getCallingConv());
  }
  return true;
}

/// shuffle(x, mask) and shuffle2(x, y, mask); null if it is called with other
/// operands than these, as SPIR-V can.
static Value *shuffled(CallInst &Call) {
  if (Call.arg_size() < 2 || Call.arg_size() > 3)
    return nullptr;
  IRBuilder<> Build(&Call);
  const unsigned Sources = Call.arg_size() - 1;
  Value *Mask = Call.getArgOperand(Sources);
  const auto *From =
      dyn_cast<FixedVectorType>(Call.getArgOperand(0)->getType());
  const auto *By = dyn_cast<FixedVectorType>(Mask->getType());
  const auto *To = dyn_cast<FixedVectorType>(Call.getType());
  if (!From || !By || !To || !By->getElementType()->isIntegerTy() ||
      From->getElementType() != To->getElementType() ||
      By->getNumElements() != To->getNumElements() ||
      (Sources == 2 && Call.getArgOperand(1)->getType() != From))
    return nullptr;
  const unsigned Length = From->getNumElements();
  Type *Number = Mask->getType()->getScalarType();
  Value *Result = PoisonValue::get(Call.getType());
  for (unsigned Lane : seq(To->getNumElements())) {
    Value *At = Build.CreateExtractElement(Mask, Lane);
    Value *In = Build.CreateAnd(At, ConstantInt::get(Number, Length - 1));
    Value *Element = Build.CreateExtractElement(Call.getArgOperand(0), In);
    if (Sources == 2) {
      Value *Second = Build.CreateAnd(At, ConstantInt::get(Number, Length));
      Element = Build.CreateSelect(
          Build.CreateIsNull(Second), Element,
          Build.CreateExtractElement(Call.getArgOperand(1), In));
    }
    Result = Build.CreateInsertElement(Result, Element, Lane);
  }
  return Result;
}

void warpsan::splitWideCalls(Module &Program, const Target &T) {
  SmallVector<Function *, 8> Wide;
  for (Function &F : Program)
    if (F.isDeclaration() && takesWide(F))
      Wide.push_back(&F);
  for (Function *F : Wide) {
    const StringRef Name = T.builtinName(*F);
    const bool Shuffles = Name == "shuffle" || Name == "shuffle2";
    const bool Stores = Name.starts_with("vstore");
    if (!Shuffles && !Stores && !isElementwise(*F, Name))
      continue;
    for (User *Each : make_early_inc_range(F->users())) {
      auto *Call = dyn_cast<CallInst>(Each);
      if (!Call || Call->getCalledFunction() != F)
        continue;
      if (Stores) {
        if (storeHalves(*Call, *F))
          Call->eraseFromParent();
      } else if (Value *Made =
                     Shuffles ? shuffled(*Call) : inHalves(*Call, *F)) {
        Call->replaceAllUsesWith(Made);
        Call->eraseFromParent();
      }
    }
    if (F->use_empty())
      F->eraseFromParent();
  }
}
