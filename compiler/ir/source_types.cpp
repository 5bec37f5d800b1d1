//===- compiler/ir/source_types.cpp - types as the source spells them -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/source_types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;
using namespace warpsan;

static const DIType *withoutQualifiers(const DIType *Type) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(Type)) {
    if (Derived->getTag() != dwarf::DW_TAG_const_type &&
        Derived->getTag() != dwarf::DW_TAG_volatile_type &&
        Derived->getTag() != dwarf::DW_TAG_restrict_type)
      break;
    Type = Derived->getBaseType();
  }
  return Type;
}

/// Sizes of the dimensions, "[4][8]".
static std::string dimensions(const DICompositeType &Array) {
  std::string Text;
  for (const DINode *Element : Array.getElements())
    if (const auto *Range = dyn_cast_or_null<DISubrange>(Element)) {
      auto *Count = dyn_cast_if_present<ConstantInt *>(Range->getCount());
      Text += "[" + (Count ? std::to_string(Count->getSExtValue()) : "") + "]";
    }
  return Text;
}

std::string warpsan::typeName(const DIType *Type) {
  Type = withoutQualifiers(Type);
  if (!Type)
    return {};
  if (const auto *Derived = dyn_cast<DIDerivedType>(Type)) {
    if (Derived->getTag() != dwarf::DW_TAG_pointer_type)
      return Derived->getName().str(); // a typedef, a member
    std::string Pointee = typeName(Derived->getBaseType());
    return (Pointee.empty() ? "void" : Pointee) + " *";
  }
  if (const auto *Composite = dyn_cast<DICompositeType>(Type)) {
    if (Composite->getTag() == dwarf::DW_TAG_array_type &&
        !(Composite->getFlags() & DINode::FlagVector))
      return typeName(Composite->getBaseType()) + dimensions(*Composite);
    if (Composite->getName().empty())
      return Composite->getTag() == dwarf::DW_TAG_union_type ? "union"
                                                             : "struct";
    return Composite->getName().str();
  }
  return Type->getName().str();
}

static bool isArray(const DIType *Type) {
  const auto *Array = dyn_cast_or_null<DICompositeType>(Type);
  return Array && Array->getTag() == dwarf::DW_TAG_array_type &&
         !(Array->getFlags() & DINode::FlagVector);
}

/// Without typedefs too.
static const DIType *definition(const DIType *Type) {
  Type = withoutQualifiers(Type);
  while (const auto *Alias = dyn_cast_or_null<DIDerivedType>(Type)) {
    if (Alias->getTag() != dwarf::DW_TAG_typedef)
      break;
    Type = withoutQualifiers(Alias->getBaseType());
  }
  return Type;
}

const DIType *warpsan::elementType(const DIType *Type) {
  Type = definition(Type);
  while (isArray(Type))
    Type = definition(cast<DICompositeType>(Type)->getBaseType());
  return Type;
}

const DIType *warpsan::pointee(const DIType *Type) {
  const auto *Pointer = dyn_cast_or_null<DIDerivedType>(definition(Type));
  return Pointer && Pointer->getTag() == dwarf::DW_TAG_pointer_type
             ? Pointer->getBaseType()
             : nullptr;
}

uint64_t warpsan::elementSize(const DIType *Type) {
  Type = elementType(Type);
  return Type ? Type->getSizeInBits() / 8 : 0;
}

bool warpsan::isStruct(const DIType *Type) {
  const auto *Whole = dyn_cast_or_null<DICompositeType>(definition(Type));
  return Whole && (Whole->getTag() == dwarf::DW_TAG_structure_type ||
                   Whole->getTag() == dwarf::DW_TAG_class_type);
}

static constexpr size_t MostFields = 64;

static void addFields(const DIType *Type, const std::string &Prefix,
                      uint64_t Start, std::vector<Field> &Fields) {
  for (const DINode *Each :
       cast<DICompositeType>(definition(Type))->getElements()) {
    const auto *Member = dyn_cast_or_null<DIDerivedType>(Each);
    if (!Member || Member->getTag() != dwarf::DW_TAG_member ||
        Member->isStaticMember() || Member->isBitField() ||
        Fields.size() >= MostFields)
      continue;
    const DIType *Of = Member->getBaseType();
    const uint64_t Offset = Start + Member->getOffsetInBits() / 8;
    const std::string Name = Prefix + Member->getName().str();
    if (isStruct(Of)) // one without a name has its members here
      addFields(Of, Member->getName().empty() ? Prefix : Name + ".", Offset,
                Fields);
    else if (!Member->getName().empty())
      Fields.push_back({Name, Offset, Member->getSizeInBits() / 8,
                        isArray(definition(Of)) ? elementSize(Of) : 0});
  }
}

std::vector<Field> warpsan::fieldsOf(const DIType *Type) {
  std::vector<Field> Fields;
  if (isStruct(Type))
    addFields(Type, "", 0, Fields);
  return Fields;
}

std::string warpsan::typeName(const Type *Type) {
  if (const auto *Vector = dyn_cast<FixedVectorType>(Type)) {
    std::string Element = typeName(Vector->getElementType());
    return Element.empty() ? Element
                           : Element + std::to_string(Vector->getNumElements());
  }
  if (Type->isHalfTy())
    return "half";
  if (Type->isFloatTy())
    return "float";
  if (Type->isDoubleTy())
    return "double";
  if (Type->isPointerTy())
    return "pointer";
  if (Type->isIntegerTy())
    switch (Type->getIntegerBitWidth()) {
    case 8:
      return "char";
    case 16:
      return "short";
    case 32:
      return "int";
    case 64:
      return "long";
    }
  return {};
}
