//===- compiler/members.cpp - arrays inside of structs --------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/members.h"

#include "compiler/source_types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
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

/// True if the last step of \p Address is into a field of a struct.
static bool endsInField(const GEPOperator &Address) {
  bool Field = false;
  for (auto Step = gep_type_begin(Address), End = gep_type_end(Address);
       Step != End; ++Step)
    Field = Step.isStruct();
  return Field;
}

static const DIType *withoutNames(const DIType *Type) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(Type)) {
    if (Derived->getTag() == dwarf::DW_TAG_pointer_type)
      break;
    Type = Derived->getBaseType();
  }
  return Type;
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

/// The type that the debug information gives for what an argument points to.
static const DIType *pointeeOf(const Argument &Arg) {
  SmallVector<DbgValueInst *, 1> Old;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgValues(Old, const_cast<Argument *>(&Arg), &Records);
  for (const DbgVariableRecord *Record : Records) {
    const DILocalVariable *Variable = Record->getVariable();
    if (Variable->getArg() != Arg.getArgNo() + 1)
      continue;
    const auto *Pointer =
        dyn_cast_or_null<DIDerivedType>(withoutNames(Variable->getType()));
    if (Pointer && Pointer->getTag() == dwarf::DW_TAG_pointer_type)
      return withoutNames(Pointer->getBaseType());
  }
  return nullptr;
}

/// True if \p Struct begins with an array of \p Bytes bytes.
static bool beginsWithArray(const DIType *Struct, uint64_t Bytes) {
  while (const auto *Composite = dyn_cast_or_null<DICompositeType>(Struct)) {
    if (Composite->getTag() != dwarf::DW_TAG_structure_type ||
        Composite->getElements().empty())
      return false;
    const auto *First =
        dyn_cast<DIDerivedType>(Composite->getElements()[0]);
    if (!First)
      return false;
    Struct = withoutNames(First->getBaseType());
    const auto *Array = dyn_cast_or_null<DICompositeType>(Struct);
    if (Array && Array->getTag() == dwarf::DW_TAG_array_type)
      return Array->getSizeInBits() / 8 == Bytes;
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
  if (const auto *Arg = dyn_cast<Argument>(Pointer))
    return beginsWithArray(pointeeOf(*Arg), Layout.getTypeAllocSize(
                                                const_cast<ArrayType *>(Array)));
  const auto *Address = dyn_cast<GEPOperator>(Pointer);
  return Address && isFieldAt(Address->getResultElementType(),
                              APInt(Offset.getBitWidth(), 0),
                              endsInField(*Address), Array, Layout);
}

static Member memberFor(Value *Start, ArrayType *Array,
                        const DataLayout &Layout) {
  std::string Dimensions;
  Type *Element = Array;
  while (auto *Row = dyn_cast<ArrayType>(Element)) {
    Dimensions += "[" + std::to_string(Row->getNumElements()) + "]";
    Element = Row->getElementType();
  }
  std::string Name = typeName(Element);
  return Member{Start, Layout.getTypeAllocSize(Array),
                Layout.getTypeAllocSize(Element),
                Name.empty() ? "" : Name + Dimensions};
}

std::optional<Member> warpsan::memberOf(Value *Pointer) {
  const DataLayout *Layout = layoutOf(Pointer);
  if (!Layout)
    return std::nullopt;
  // s.values[i]: an array that is indexed as such, or that is a field and
  // indexed further up.
  for (bool Indexed = false;;) {
    if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    auto *Address = dyn_cast<GEPOperator>(Pointer);
    if (!Address)
      return std::nullopt;
    auto *Field = dyn_cast<ArrayType>(Address->getResultElementType());
    if (Field && Indexed && endsInField(*Address) &&
        Field->getNumElements() > 1)
      return memberFor(Pointer, Field, *Layout);
    Value *Base = Address->getPointerOperand();
    auto *Array = dyn_cast<ArrayType>(Address->getSourceElementType());
    if (Array && Address->getNumIndices() >= 2 &&
        isZero(Address->getOperand(1)) && Array->getNumElements() > 1 &&
        isField(Base, Array, *Layout))
      return memberFor(Base, Array, *Layout);
    Indexed = true;
    Pointer = Base;
  }
}
