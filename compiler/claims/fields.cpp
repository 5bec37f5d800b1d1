//===- compiler/claims/fields.cpp - which integers of its memory a load
// reads ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/fields.h"

#include "compiler/claims/expression_builder.h"
#include "compiler/pointers/member_arrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <numeric>
#include <optional>

using namespace llvm;
using namespace warpsan;

namespace {
/// Constant + the sum of each value times its bytes, modulo 2^64.
struct Distance {
  int64_t Constant = 0;
  SmallMapVector<Value *, int64_t, 4> Times;
};
} // namespace

/// Larger than any struct, in bytes.
static constexpr int64_t Far = int64_t(1) << 24;

/// The distance from \p Arg to \p Pointer, if it was computed by indexing.
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

/// The bits that \p V needs as a signed number, in a launch that is proven.
static unsigned bitsOf(const Value *V, const DataLayout &Layout,
                       const Target &T, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  // Launches with larger sizes and offsets are not proven
  // (layer/launch/proof_cache).
  constexpr unsigned IdBits = 34;
  const unsigned Width = V->getType()->getIntegerBitWidth();
  if (const auto *Call = dyn_cast<CallBase>(V);
      Call && workItemFunction(*Call, T))
    return std::min(Width, IdBits);
  const auto *I = dyn_cast<BinaryOperator>(V);
  if (I && Depth < MaxDepth &&
      (I->getOpcode() == Instruction::Add ||
       I->getOpcode() == Instruction::Sub))
    return std::min(
        Width, 1 + std::max(bitsOf(I->getOperand(0), Layout, T, Depth + 1),
                            bitsOf(I->getOperand(1), Layout, T, Depth + 1)));
  return ComputeMaxSignificantBits(V, Layout);
}

/// The GCD of all variable distances of \p D; 0 if it is constant.
static uint64_t strideOf(const Distance &D, const DataLayout &Layout,
                         const Target &T) {
  uint64_t Stride = 0;
  bool MayWrap = false;
  // Each is less than 2^60, so a few of them are less than 2^63.
  constexpr unsigned MaxBits = 36;
  for (auto [V, Times] : D.Times) {
    Stride = std::gcd(Stride, static_cast<uint64_t>(std::abs(Times)));
    MayWrap |= bitsOf(V, Layout, T) > MaxBits;
  }
  MayWrap |= D.Times.size() > 4;
  // If the sum wraps, only powers of two still divide it.
  return MayWrap ? Stride & -Stride : Stride;
}

/// The size of a struct that is accessed without an index; else 0.
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
  // Only checks or claims ensure that the access is in the member.
  Content Field = Any;
  std::optional<Distance> D;
  auto SetStride = [&](Value &Start) {
    D = distanceFrom(Arg, &Start, Layout);
    Field.Stride = D ? strideOf(*D, Layout, T) : 0;
    if (D && !Field.Stride)
      Field.Stride = structSize(&Start, Layout);
  };
  if (std::optional<Member> M = memberOf(Pointer)) {
    Field.Bytes = M->Bytes;
    queryStart(*M, SetStride);
  } else {
    SetStride(*Pointer);
  }
  if (!Field.Stride)
    return Any;
  const auto Stride = static_cast<int64_t>(Field.Stride);
  Field.First = static_cast<uint64_t>((D->Constant % Stride + Stride) % Stride);
  // The load is aligned, and so is its offset in the member.
  if (Field.Stride % Size || Field.First % Size || Field.Bytes % Size ||
      Field.First + Field.Bytes > Field.Stride)
    return Any;
  return Field;
}
