//===- compiler/ir/int_to_ptr.cpp - the pointer that an integer is made of ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/int_to_ptr.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace warpsan;

/// SPIR-V's work-item functions are variables.
static bool isBuiltinVariable(const Value *Pointer) {
  const auto *Variable = dyn_cast<GlobalVariable>(Pointer->stripPointerCasts());
  return Variable && Variable->getName().starts_with("__spirv_BuiltIn");
}

/// Instructions whose value is made of their operands and nothing else.
static bool isComputed(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return Call->doesNotAccessMemory();
  return isa<BinaryOperator, CastInst, UnaryOperator, PHINode, SelectInst,
             FreezeInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, ExtractValueInst>(I);
}

IntegerOrigin warpsan::originOfInteger(Value *Integer) {
  constexpr unsigned MaxValues = 64, AddressBits = 64;
  SmallSetVector<Value *, 8> Work, AfterJoin;
  Work.insert(Integer);
  IntegerOrigin Result;
  bool Several = false;
  for (unsigned Index = 0; Index < Work.size(); ++Index) {
    if (Index >= MaxValues)
      return {nullptr, true};
    Value *V = Work[Index];
    if (auto *Cast = dyn_cast<PtrToIntOperator>(V)) {
      Several |=
          AfterJoin.contains(V) || (Result.Pointer && Result.Pointer != Cast);
      Result.Pointer = Cast;
      continue;
    }
    auto *I = dyn_cast<Instruction>(V);
    // What has fewer bits is no address.
    if (!I || V->getType()->getPrimitiveSizeInBits() < AddressBits)
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I);
        Load && isBuiltinVariable(Load->getPointerOperand()))
      continue;
    if (!isComputed(*I)) {
      Result.HasLink = true;
      continue;
    }
    const bool Joins = isa<PHINode, SelectInst>(I) || AfterJoin.contains(I);
    for (Value *Operand : I->operands()) {
      Work.insert(Operand);
      if (Joins)
        AfterJoin.insert(Operand);
    }
  }
  if (Several)
    return {nullptr, true};
  return Result;
}
