//===- compiler/members.cpp - arrays inside of structs --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/members.h"

#include "compiler/source_types.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace warpsan;

static const DataLayout *layoutOf(const Value *Pointer) {
  if (const auto *I = dyn_cast<Instruction>(Pointer))
    return &I->getFunction()->getDataLayout();
  return nullptr;
}

static bool isZero(const Value *V) {
  const auto *Constant = dyn_cast<ConstantInt>(V);
  return Constant && Constant->isZero();
}

/// A variable's type; null for anything else.
static Type *typeOfVariable(const Value *Pointer) {
  if (const auto *Variable = dyn_cast<GlobalVariable>(Pointer))
    return Variable->getValueType();
  if (const auto *Variable = dyn_cast<AllocaInst>(Pointer))
    return Variable->getAllocatedType();
  if (const auto *Arg = dyn_cast<Argument>(Pointer); Arg && Arg->hasByValAttr())
    return Arg->getParamByValType();
  return nullptr;
}

/// True if the field of type \p Array begins \p Offset bytes into a struct that
/// is or begins a \p Here; \p Field: Here is a struct's field itself.
static bool isFieldAt(Type *Here, APInt Offset, bool Field,
                      const ArrayType *Array, const DataLayout &Layout) {
  while (Here) {
    if (Offset.isZero() && Field && Here == Array)
      return true;
    Field = Here->isStructTy();
    if (!Here->isStructTy() && !Here->isArrayTy())
      return false;
    if (!Layout.getGEPIndexForOffset(Here, Offset))
      return false;
  }
  return false;
}

/// True if \p Pointer is the start of a struct's field of type \p Array. A
/// field at a struct's start has the struct's address.
static bool isField(const Value *Pointer, const ArrayType *Array,
                    const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Object = Pointer->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  if (Type *Whole = typeOfVariable(Object))
    return isFieldAt(Whole, Offset, /*Field=*/false, Array, Layout);
  const auto *Address = dyn_cast<GEPOperator>(Pointer);
  if (!Address)
    return false;
  bool Field = false;
  for (auto Step = gep_type_begin(Address), End = gep_type_end(Address);
       Step != End; ++Step)
    Field = Step.isStruct();
  return isFieldAt(Address->getResultElementType(),
                   APInt(Offset.getBitWidth(), 0), Field, Array, Layout);
}

std::optional<Member> warpsan::memberOf(Value *Pointer) {
  const DataLayout *Layout = layoutOf(Pointer);
  if (!Layout)
    return std::nullopt;
  for (;;) {
    if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    auto *Address = dyn_cast<GEPOperator>(Pointer);
    if (!Address)
      return std::nullopt;
    Value *Base = Address->getPointerOperand();
    auto *Array = dyn_cast<ArrayType>(Address->getSourceElementType());
    if (Array && Address->getNumIndices() >= 2 &&
        isZero(Address->getOperand(1)) && Array->getNumElements() > 1 &&
        isField(Base, Array, *Layout)) {
      std::string Element = typeName(Array->getElementType());
      return Member{Base, Layout->getTypeAllocSize(Array),
                    Layout->getTypeAllocSize(Array->getElementType()),
                    Element.empty()
                        ? ""
                        : Element + "[" +
                              std::to_string(Array->getNumElements()) + "]"};
    }
    Pointer = Base;
  }
}
