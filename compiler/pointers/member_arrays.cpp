//===- compiler/pointers/member_arrays.cpp - arrays inside of structs -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/member_arrays.h"

#include "compiler/ir/source_types.h"
#include "compiler/pointers/roots.h"

#include "llvm/ADT/MapVector.h"
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

/// True if the last step of \p Address is into a field of a struct.
static bool endsInField(const GEPOperator &Address) {
  bool Field = false;
  for (auto Step = gep_type_begin(Address), End = gep_type_end(Address);
       Step != End; ++Step)
    Field = Step.isStruct();
  return Field;
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
  return Address && isFieldAt(Address->getResultElementType(),
                              APInt(Offset.getBitWidth(), 0),
                              endsInField(*Address), Array, Layout);
}

static Member memberFor(Value *Base, unsigned Steps, ArrayType *Array,
                        const DataLayout &Layout) {
  std::string Dimensions;
  Type *Element = Array;
  while (auto *Row = dyn_cast<ArrayType>(Element)) {
    Dimensions += "[" + std::to_string(Row->getNumElements()) + "]";
    Element = Row->getElementType();
  }
  std::string Name = typeName(Element);
  return Member{Base, Steps, Layout.getTypeAllocSize(Array),
                Layout.getTypeAllocSize(Element),
                Name.empty() ? "" : Name + Dimensions};
}

/// How many indices of \p Address lead into its last field, if that is an array
/// and is indexed further; else 0. \p Array: that array.
static unsigned stepsToArray(const GEPOperator &Address, ArrayType *&Array) {
  unsigned Steps = 0, Found = 0;
  for (auto Step = gep_type_begin(Address), End = gep_type_end(Address);
       Step != End; ++Step) {
    ++Steps;
    if (!Step.isStruct())
      continue;
    Array = dyn_cast<ArrayType>(Step.getIndexedType());
    Found = Array ? Steps : 0;
  }
  return Found < Steps ? Found : 0;
}

/// The array \p Array where the first \p Steps indices of \p Address lead; none
/// if no instruction can have that address.
static std::optional<Member> memberAt(GEPOperator &Address, unsigned Steps,
                                      ArrayType *Array,
                                      const DataLayout &Layout) {
  if (all_of(make_range(Address.idx_begin(), Address.idx_begin() + Steps),
             isZero))
    return memberFor(Address.getPointerOperand(), 0, Array, Layout);
  if (!isa<GetElementPtrInst>(Address))
    return std::nullopt;
  return memberFor(&Address, Steps, Array, Layout);
}

/// In no block. \p M: with Steps.
static GetElementPtrInst *makeStart(const Member &M) {
  auto *Address = cast<GetElementPtrInst>(M.Base);
  SmallVector<Value *, 4> Indices(Address->idx_begin(),
                                  Address->idx_begin() + M.Steps);
  return GetElementPtrInst::Create(Address->getSourceElementType(),
                                   Address->getPointerOperand(), Indices);
}

Value *warpsan::createStart(const Member &M) {
  if (!M.Steps)
    return M.Base;
  GetElementPtrInst *Start = makeStart(M);
  Start->insertBefore(cast<Instruction>(M.Base));
  return Start;
}

void warpsan::queryStart(const Member &M, function_ref<void(Value &)> Query) {
  if (!M.Steps)
    return Query(*M.Base);
  const unique_value Start(makeStart(M));
  Query(*Start);
}

/// Where in an element of \p In, or in the struct that it is, \p Address is;
/// null if that may change.
static std::optional<uint64_t> offsetInElement(const Value *Address,
                                               const Root &In,
                                               const DataLayout &Layout) {
  uint64_t Offset = 0;
  for (;;) {
    if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(Address)) {
      Address = Cast->getPointerOperand();
      continue;
    }
    const auto *Step = dyn_cast<GEPOperator>(Address);
    if (!Step)
      break;
    const unsigned Bits = Layout.getIndexTypeSizeInBits(Step->getType());
    MapVector<Value *, APInt> Variable;
    APInt Constant(Bits, 0);
    if (!Step->collectOffset(Layout, Bits, Variable, Constant))
      return std::nullopt;
    for (const auto &[Index, Scale] : Variable)
      if (!In.Element || Scale.urem(In.Element) != 0)
        return std::nullopt;
    Offset += static_cast<uint64_t>(Constant.getSExtValue());
    Address = Step->getPointerOperand();
  }
  if (!RootTable::isRoot(Address))
    return std::nullopt;
  if (!In.Element)
    return Offset;
  const auto Size = static_cast<int64_t>(In.Element);
  const int64_t Rest = static_cast<int64_t>(Offset) % Size;
  return static_cast<uint64_t>(Rest < 0 ? Rest + Size : Rest);
}

std::string warpsan::nameOf(const Member &Of, const Root &In,
                            StringRef RootName, const DataLayout &Layout) {
  std::optional<uint64_t> Offset;
  if (!In.Fields.empty())
    queryStart(Of, [&](const Value &Start) {
      Offset = offsetInElement(&Start, In, Layout);
    });
  if (!Offset || RootName.empty())
    return Of.Name;
  for (const Field &Each : In.Fields)
    if (Each.Offset == *Offset && Each.Bytes == Of.Bytes)
      return (RootName + "." + Each.Name).str();
  return Of.Name;
}

bool warpsan::isInStruct(const Value *Pointer) {
  for (;;) {
    if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    const auto *Address = dyn_cast<GEPOperator>(Pointer);
    if (!Address)
      return false;
    for (auto Step = gep_type_begin(Address), End = gep_type_end(Address);
         Step != End; ++Step)
      if (Step.isStruct())
        return true;
    Pointer = Address->getPointerOperand();
  }
}

void warpsan::joinFirstFields(Function &F) {
  for (BasicBlock &Block : F)
    for (Instruction &I : make_early_inc_range(Block)) {
      auto *Index = dyn_cast<GetElementPtrInst>(&I);
      auto *Field =
          Index ? dyn_cast<GEPOperator>(Index->getPointerOperand()) : nullptr;
      if (!Field || !Field->hasAllZeroIndices() ||
          !Field->getSourceElementType()->isStructTy() ||
          Field->getResultElementType() != Index->getSourceElementType() ||
          Index->getNumIndices() < 2 || !isZero(Index->getOperand(1)))
        continue;
      SmallVector<Value *, 4> Indices(Field->indices());
      Indices.append(Index->idx_begin() + 1, Index->idx_end());
      auto *Joined = GetElementPtrInst::Create(
          Field->getSourceElementType(), Field->getPointerOperand(), Indices,
          "", Index->getIterator());
      Joined->setIsInBounds(Field->isInBounds() && Index->isInBounds());
      Joined->setDebugLoc(Index->getDebugLoc());
      Joined->takeName(Index);
      Index->replaceAllUsesWith(Joined);
      Index->eraseFromParent();
    }
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
    ArrayType *Array = nullptr;
    if (unsigned Steps = stepsToArray(*Address, Array);
        Steps && Array->getNumElements() > 1)
      if (auto Found = memberAt(*Address, Steps, Array, *Layout))
        return Found;
    Array = dyn_cast<ArrayType>(Address->getResultElementType());
    if (Array && Indexed && endsInField(*Address) &&
        Array->getNumElements() > 1)
      return memberFor(Pointer, 0, Array, *Layout);
    Value *Base = Address->getPointerOperand();
    Array = dyn_cast<ArrayType>(Address->getSourceElementType());
    if (Array && Address->getNumIndices() >= 2 &&
        isZero(Address->getOperand(1)) && Array->getNumElements() > 1 &&
        isField(Base, Array, *Layout))
      return memberFor(Base, 0, Array, *Layout);
    Indexed = true;
    Pointer = Base;
  }
}
