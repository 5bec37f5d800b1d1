//===- compiler/checks/clamped_loads.cpp - private loads that cannot fault ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/clamped_loads.h"

#include "compiler/pointers/pointer_metadata.h"
#include "compiler/target/target.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;
using namespace warpsan;

/// The variable that \p Pointer is computed from by indexing and casts alone;
/// null if there is none.
static AllocaInst *variableOf(Value *Pointer) {
  while (true) {
    if (auto *Element = dyn_cast<GEPOperator>(Pointer))
      Pointer = Element->getPointerOperand();
    else if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
      Pointer = Cast->getPointerOperand();
    else
      return dyn_cast<AllocaInst>(Pointer);
  }
}

LoadInst *warpsan::speculatedLoad(Instruction &At, const Target &T) {
  auto *Load = dyn_cast<LoadInst>(&At);
  if (!Load || !Load->isSimple())
    return nullptr;
  const Space In = T.spaceOf(Load->getPointerAddressSpace());
  if (In == Space::Private ||
      (In == Space::Generic && variableOf(Load->getPointerOperand())))
    return Load;
  return nullptr;
}

/// The byte offset of \p Pointer in its variable if all indices that are not
/// constant were zero; nullopt if it does not fit in 64 bits.
static std::optional<int64_t> constantOffset(Value *Pointer,
                                             const DataLayout &Layout) {
  int64_t Sum = 0;
  while (!isa<AllocaInst>(Pointer)) {
    auto *Element = dyn_cast<GEPOperator>(Pointer);
    if (!Element) {
      Pointer = cast<AddrSpaceCastOperator>(Pointer)->getPointerOperand();
      continue;
    }
    MapVector<Value *, APInt> Variable;
    APInt Constant(Layout.getIndexTypeSizeInBits(Element->getType()), 0);
    if (!Element->collectOffset(Layout, Constant.getBitWidth(), Variable,
                                Constant) ||
        AddOverflow(Sum, Constant.getSExtValue(), Sum))
      return std::nullopt;
    Pointer = Element->getPointerOperand();
  }
  return Sum;
}

/// \p Pointer with all indices that are not constant chosen as zero if \p Bad.
/// Choosing the index keeps the access an indexed one of its variable, whose
/// elements a driver that vectorizes can interleave by lane; a chosen address
/// would not be.
static Value *clampIndices(Value *Pointer, Value *Bad, IRBuilderBase &Build) {
  if (isa<AllocaInst>(Pointer))
    return Pointer;
  if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
    return Build.CreateAddrSpaceCast(
        clampIndices(Cast->getPointerOperand(), Bad, Build), Cast->getType());
  auto *Element = cast<GEPOperator>(Pointer);
  SmallVector<Value *, 4> Indices;
  for (Value *Index : Element->indices())
    Indices.push_back(
        isa<Constant>(Index)
            ? Index
            : Build.CreateSelect(Bad, Constant::getNullValue(Index->getType()),
                                 Index));
  return Build.CreateGEP(Element->getSourceElementType(),
                         clampIndices(Element->getPointerOperand(), Bad, Build),
                         Indices);
}

/// Memory of the load's own that it can always read.
static Value *placeholder(LoadInst &Load) {
  BasicBlock &Entry = Load.getFunction()->getEntryBlock();
  Builder Build(&*Entry.getFirstInsertionPt());
  return Build.CreateAlloca(Load.getType(), nullptr, "warpsan.placeholder");
}

void warpsan::clampLoad(LoadInst &Load, Value *Bad) {
  Value *Pointer = Load.getPointerOperand();
  const DataLayout &Layout = Load.getDataLayout();
  Builder Build(&Load);
  AllocaInst *Variable = variableOf(Pointer);
  std::optional<int64_t> Start =
      Variable ? constantOffset(Pointer, Layout) : std::nullopt;
  std::optional<TypeSize> Size =
      Variable ? Variable->getAllocationSize(Layout) : std::nullopt;
  const uint64_t Bytes = Layout.getTypeStoreSize(Load.getType());
  if (Start && *Start >= 0 && Size && Size->getFixedValue() >= Bytes &&
      static_cast<uint64_t>(*Start) <= Size->getFixedValue() - Bytes)
    Pointer = clampIndices(Pointer, Bad, Build);
  else
    Pointer = Build.CreateSelect(Bad,
                                 Build.CreatePointerBitCastOrAddrSpaceCast(
                                     placeholder(Load), Pointer->getType()),
                                 Pointer);
  Load.setOperand(LoadInst::getPointerOperandIndex(), Pointer);
  if (Load.use_empty())
    return;
  Build.SetInsertPoint(Load.getNextNode());
  Value *Zero = Constant::getNullValue(Load.getType());
  Value *Chosen = Build.CreateSelect(Bad, Zero, &Load);
  Load.replaceUsesWithIf(Chosen,
                         [&](const Use &U) { return U.getUser() != Chosen; });
}
