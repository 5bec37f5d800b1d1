//===- compiler/fields.cpp - which integers of its memory a load reads ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/fields.h"

#include "compiler/arithmetic.h"
#include "compiler/members.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <numeric>
#include <optional>

using namespace llvm;
using namespace warpsan;

namespace {
/// Constant + what each value is times how many bytes, modulo 2^64.
struct Distance {
  int64_t Constant = 0;
  SmallMapVector<Value *, int64_t, 4> Times;
};
} // namespace

/// More bytes than a struct has.
static constexpr int64_t Far = int64_t(1) << 24;

/// How far \p Pointer is from \p Arg, if it was made by indexing it.
static std::optional<Distance> distanceFrom(const Argument &Arg, Value *Pointer,
                                            const DataLayout &Layout) {
  Distance D;
  while (Pointer != &Arg) {
    if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    auto *Address = dyn_cast<GEPOperator>(Pointer);
    MapVector<Value *, APInt> Times;
    APInt Constant(64, 0);
    if (!Address || !Address->getType()->isPointerTy() ||
        Layout.getIndexTypeSizeInBits(Address->getType()) != 64 ||
        !Address->collectOffset(Layout, 64, Times, Constant))
      return std::nullopt;
    auto Add = [](int64_t &To, const APInt &More) {
      if (More.getSExtValue() < -Far || More.getSExtValue() > Far)
        return false;
      To += More.getSExtValue();
      return To >= -Far && To <= Far;
    };
    if (!Add(D.Constant, Constant))
      return std::nullopt;
    for (auto &[V, Each] : Times)
      if (!Add(D.Times[V], Each))
        return std::nullopt;
    Pointer = Address->getPointerOperand();
  }
  return D;
}

/// How many bits \p V needs as a signed number, in a launch that is proven.
static unsigned bitsOf(const Value *V, const DataLayout &Layout,
                       const Target &T, unsigned Depth = 0) {
  constexpr unsigned Deepest = 4;
  // Launches with larger sizes and offsets are not proven (layer/verdicts).
  constexpr unsigned OfIds = 34;
  const unsigned Width = V->getType()->getIntegerBitWidth();
  if (const auto *Call = dyn_cast<CallBase>(V);
      Call && workItemFunction(*Call, T))
    return std::min(Width, OfIds);
  const auto *I = dyn_cast<BinaryOperator>(V);
  if (I && Depth < Deepest &&
      (I->getOpcode() == Instruction::Add ||
       I->getOpcode() == Instruction::Sub))
    return std::min(
        Width, 1 + std::max(bitsOf(I->getOperand(0), Layout, T, Depth + 1),
                            bitsOf(I->getOperand(1), Layout, T, Depth + 1)));
  return ComputeMaxSignificantBits(V, Layout);
}

/// What all distances such as \p D are multiples of, but for their constant; 0
/// if there is nothing but that.
static uint64_t strideOf(const Distance &D, const DataLayout &Layout,
                         const Target &T) {
  uint64_t Stride = 0;
  bool MayWrap = false;
  // Each is less than 2^60, so a few of them are less than 2^63.
  constexpr unsigned Most = 36;
  for (auto [V, Times] : D.Times) {
    Stride = std::gcd(Stride, static_cast<uint64_t>(std::abs(Times)));
    MayWrap |= bitsOf(V, Layout, T) > Most;
  }
  MayWrap |= D.Times.size() > 4;
  // Around 2^64 only multiples of powers of two stay what they are.
  return MayWrap ? Stride & -Stride : Stride;
}

/// A struct that is reached without an index.
static uint64_t structSize(Value *Pointer, const DataLayout &Layout) {
  auto *Address = dyn_cast<GEPOperator>(Pointer);
  if (!Address || !Address->getSourceElementType()->isStructTy())
    return 0;
  return Layout.getTypeAllocSize(Address->getSourceElementType());
}

Content warpsan::fieldOf(Value *Pointer, const Argument &Arg, unsigned Width,
                         const Target &T) {
  const DataLayout &Layout = Arg.getParent()->getDataLayout();
  const uint64_t Size = Width / 8;
  const Content Any = {Arg.getArgNo(), static_cast<uint8_t>(Width), Size, 0,
                       Size};
  // It is known to be in the member only if it is checked or claimed to be.
  Value *Start = Pointer;
  Content Field = Any;
  if (std::optional<Member> M = memberOf(Pointer)) {
    Start = M->Array;
    Field.Bytes = M->Bytes;
  }
  const auto D = distanceFrom(Arg, Start, Layout);
  Field.Stride = D ? strideOf(*D, Layout, T) : 0;
  if (D && !Field.Stride)
    Field.Stride = structSize(Start, Layout);
  if (auto *Made = dyn_cast<GetElementPtrInst>(Start);
      Made && Made->use_empty()) // memberOf did, for us
    Made->eraseFromParent();
  if (!Field.Stride)
    return Any;
  const auto Stride = static_cast<int64_t>(Field.Stride);
  Field.First = static_cast<uint64_t>((D->Constant % Stride + Stride) % Stride);
  // The load is aligned, so where it begins in the member is, too.
  if (Field.Stride % Size || Field.First % Size || Field.Bytes % Size ||
      Field.First + Field.Bytes > Field.Stride)
    return Any;
  return Field;
}
