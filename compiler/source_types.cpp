//===- compiler/source_types.cpp - types as the source spells them --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/source_types.h"

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

uint64_t warpsan::elementSize(const DIType *Type) {
  Type = withoutQualifiers(Type);
  const auto *Array = dyn_cast_or_null<DICompositeType>(Type);
  if (Array && Array->getTag() == dwarf::DW_TAG_array_type &&
      !(Array->getFlags() & DINode::FlagVector))
    return elementSize(Array->getBaseType());
  if (const auto *Alias = dyn_cast_or_null<DIDerivedType>(Type);
      Alias && Alias->getTag() == dwarf::DW_TAG_typedef)
    return elementSize(Alias->getBaseType());
  return Type ? Type->getSizeInBits() / 8 : 0;
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
