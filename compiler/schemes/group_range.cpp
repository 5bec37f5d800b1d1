//===- compiler/schemes/group_range.cpp - a number in a whole work-group --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intervals, as instructions. They are calculated in 64 bits and are exact as
// long as Bits says that they cannot wrap there. The program's own
// numbers do, modulo 2^Width: sums and products of what has wrapped are
// right again once their result fits, so that is asked only where a number gets
// another width, or where Bits would grow too large.
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/group_range.h"

#include "compiler/checks/report_call.h"
#include "compiler/claims/expression_builder.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace warpsan;
using Op = warpsan::Node::Op;

namespace {

struct Interval {
  Value *Least, *Greatest;
  unsigned Bits; ///< besides the sign

  bool isPoint() const { return Least == Greatest; }
};

class Ranges {
public:
  Ranges(IRBuilderBase &Build, const Target &T)
      : Build(Build), T(T), Holds(Build.getTrue()) {}

  std::optional<GroupRange> of(Value *V);

private:
  std::optional<Op> functionOf(const Value *V) const;
  bool isUniform(Value *V);
  void limit(Interval &Of, unsigned Bits);
  void limitToWidth(Interval &Of, unsigned Width);
  Interval ofId(Op Which, const CallBase &Call);
  Interval ofSum(Interval A, Interval B, unsigned Width);
  Interval ofNegated(const Interval &A);
  std::optional<Interval> ofProduct(Interval A, Interval B);
  std::optional<Interval> ofBinary(const BinaryOperator &I, unsigned Steps);
  std::optional<Interval> ofCast(const CastInst &Cast, unsigned Steps);
  std::optional<Interval> find(Value *V, unsigned Steps);

  IRBuilderBase &Build;
  const Target &T;
  Value *Holds;
  SmallPtrSet<const Value *, 16> Uniform; ///< or assumed to be for now
};

/// Addresses have no more, and so no sum or product that is of use.
constexpr unsigned AddressBits = 47;
/// More are never added up: 64-bit sums of less do not wrap.
constexpr unsigned MostBits = 62;
/// Of a number that is not known to be less.
constexpr unsigned AllBits = 63;

} // namespace

std::optional<Op> Ranges::functionOf(const Value *V) const {
  const auto *Call = dyn_cast<CallBase>(V);
  return Call ? workItemFunction(*Call, T) : std::nullopt;
}

/// Whether it is the same for all work-items of a group that are here; for a
/// loop's counter, in the same iteration.
bool Ranges::isUniform(Value *V) {
  if (isa<Constant, Argument>(V) || Uniform.contains(V))
    return true;
  if (std::optional<Op> Which = functionOf(V))
    return *Which != Op::global_id && *Which != Op::local_id;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isa<BinaryOperator, CastInst, CmpInst, SelectInst, PHINode>(I))
    return false;
  Uniform.insert(I);
  if (all_of(I->operands(), [&](Value *Each) { return isUniform(Each); }))
    return true;
  Uniform.clear(); // some may have been so only if this is
  return false;
}

/// From here on \p Of has no more than \p Bits, or Holds is false.
void Ranges::limit(Interval &Of, unsigned Bits) {
  if (Of.Bits <= Bits)
    return;
  for (Value *End : {Of.Least, Of.Greatest}) {
    Value *Moved = Build.CreateAdd(End, Build.getInt64(uint64_t(1) << Bits));
    Holds = Build.CreateAnd(
        Holds, Build.CreateICmpULT(Moved, Build.getInt64(uint64_t(2) << Bits)));
    if (Of.isPoint())
      break;
  }
  Of.Bits = Bits;
}

/// To what a signed number of \p Width bits can be.
void Ranges::limitToWidth(Interval &Of, unsigned Width) {
  limit(Of, Width > AddressBits ? AddressBits : Width - 1);
}

Interval Ranges::ofId(Op Which, const CallBase &Call) {
  const auto Dimension = static_cast<unsigned>(
      cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue());
  auto Ask = [&](WorkItemQuery Query) {
    return askWorkItem(Query, Dimension, Build, T);
  };
  Value *Size = Ask(WorkItemQuery::WorkgroupSize);
  Value *Last = Build.CreateSub(Size, Build.getInt64(1));
  if (Which == Op::local_id)
    return {Build.getInt64(0), Last, AllBits};
  // The last group may be smaller than others. (get_enqueued_local_size would
  // do, but Intel's runtime has it for OpenCL C 2.0 and later alone.)
  Value *Group = Ask(WorkItemQuery::WorkgroupId);
  Value *IsLast = Build.CreateICmpEQ(Build.CreateAdd(Group, Build.getInt64(1)),
                                     Ask(WorkItemQuery::NumWorkgroups));
  Value *First = Build.CreateAdd(
      Ask(WorkItemQuery::GlobalOffset),
      Build.CreateSelect(IsLast,
                         Build.CreateSub(Ask(WorkItemQuery::GlobalSize), Size),
                         Build.CreateMul(Group, Size)));
  return {First, Build.CreateAdd(First, Last), AllBits};
}

Interval Ranges::ofSum(Interval A, Interval B, unsigned Width) {
  for (Interval *Each : {&A, &B})
    if (Each->Bits >= MostBits)
      limitToWidth(*Each, Width);
  return {Build.CreateAdd(A.Least, B.Least),
          Build.CreateAdd(A.Greatest, B.Greatest),
          std::max(A.Bits, B.Bits) + 1};
}

Interval Ranges::ofNegated(const Interval &A) {
  Value *Least = Build.CreateNeg(A.Greatest);
  return {Least, A.isPoint() ? Least : Build.CreateNeg(A.Least), A.Bits};
}

std::optional<Interval> Ranges::ofProduct(Interval A, Interval B) {
  if (!B.isPoint())
    std::swap(A, B);
  if (!B.isPoint())
    return std::nullopt;
  constexpr unsigned Half = MostBits / 2;
  if (A.Bits + B.Bits > MostBits)
    for (Interval *Each : {&A, &B})
      limit(*Each, Half);
  Value *One = Build.CreateMul(A.Least, B.Least);
  if (A.isPoint())
    return Interval{One, One, A.Bits + B.Bits};
  Value *Other = Build.CreateMul(A.Greatest, B.Least);
  const auto *Times = dyn_cast<ConstantInt>(B.Least);
  if (Times && !Times->isNegative())
    return Interval{One, Other, A.Bits + B.Bits};
  return Interval{Build.CreateBinaryIntrinsic(Intrinsic::smin, One, Other),
                  Build.CreateBinaryIntrinsic(Intrinsic::smax, One, Other),
                  A.Bits + B.Bits};
}

std::optional<Interval> Ranges::ofBinary(const BinaryOperator &I,
                                         unsigned Steps) {
  const unsigned Width = I.getType()->getIntegerBitWidth();
  const auto Opcode = I.getOpcode();
  const bool IsSum =
      Opcode == Instruction::Add || Opcode == Instruction::Sub ||
      (Opcode == Instruction::Or && cast<PossiblyDisjointInst>(I).isDisjoint());
  const auto *Shift = Opcode == Instruction::Shl
                          ? dyn_cast<ConstantInt>(I.getOperand(1))
                          : nullptr;
  const bool Shifts = Shift && Shift->getValue().ult(AddressBits);
  if (!IsSum && Opcode != Instruction::Mul && !Shifts)
    return std::nullopt;
  std::optional<Interval> A = find(I.getOperand(0), Steps);
  if (!A)
    return std::nullopt;
  if (Shifts) {
    const auto By = static_cast<unsigned>(Shift->getZExtValue());
    Value *Times = Build.getInt64(uint64_t(1) << By);
    return ofProduct(*A, {Times, Times, By + 1});
  }
  std::optional<Interval> B = find(I.getOperand(1), Steps);
  if (!B)
    return std::nullopt;
  if (Opcode == Instruction::Mul)
    return ofProduct(*A, *B);
  return ofSum(*A, Opcode == Instruction::Sub ? ofNegated(*B) : *B, Width);
}

std::optional<Interval> Ranges::ofCast(const CastInst &Cast, unsigned Steps) {
  const Value *From = Cast.getOperand(0);
  if (!isa<SExtInst, ZExtInst, TruncInst>(Cast) ||
      !From->getType()->isIntegerTy())
    return std::nullopt;
  std::optional<Interval> Found = find(Cast.getOperand(0), Steps);
  if (!Found)
    return std::nullopt;
  const unsigned Before = From->getType()->getIntegerBitWidth();
  const unsigned After = Cast.getType()->getIntegerBitWidth();
  limitToWidth(*Found, std::min(Before, After));
  if (isa<ZExtInst>(Cast))
    Holds = Build.CreateAnd(
        Holds, Build.CreateICmpSGE(Found->Least, Build.getInt64(0)));
  return Found;
}

/// \p Steps: so many more instructions deep.
std::optional<Interval> Ranges::find(Value *V, unsigned Steps) {
  if (Steps == 0 || !V->getType()->isIntegerTy() ||
      V->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  if (isUniform(V)) {
    Value *Same = Build.CreateSExt(V, Build.getInt64Ty());
    if (const auto *Number = dyn_cast<ConstantInt>(Same))
      return Interval{Same, Same, Number->getValue().getSignificantBits() - 1};
    return Interval{Same, Same, V->getType()->getIntegerBitWidth() - 1};
  }
  if (std::optional<Op> Which = functionOf(V))
    return ofId(*Which, cast<CallBase>(*V));
  if (const auto *I = dyn_cast<BinaryOperator>(V))
    return ofBinary(*I, Steps - 1);
  if (const auto *Cast = dyn_cast<CastInst>(V))
    return ofCast(*Cast, Steps - 1);
  if (auto *Frozen = dyn_cast<FreezeInst>(V))
    return find(Frozen->getOperand(0), Steps - 1);
  return std::nullopt;
}

std::optional<GroupRange> Ranges::of(Value *V) {
  constexpr unsigned Steps = 16;
  std::optional<Interval> Found = find(V, Steps);
  if (!Found)
    return std::nullopt;
  limit(*Found, AddressBits);
  return GroupRange{Found->Least, Found->Greatest, Holds};
}

std::optional<GroupRange> warpsan::groupRangeOf(Value *V, IRBuilderBase &Build,
                                                const Target &T) {
  return Ranges(Build, T).of(V);
}
