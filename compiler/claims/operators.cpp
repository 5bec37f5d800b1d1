//===- compiler/claims/operators.cpp - IR operators as nodes --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/expression_builder.h"
#include "compiler/claims/integers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace warpsan;
using Op = warpsan::Node::Op;

static std::optional<Op> opcodeFor(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::Add:
    return Op::add;
  case Instruction::Sub:
    return Op::sub;
  case Instruction::Mul:
    return Op::mul;
  case Instruction::UDiv:
    return Op::udiv;
  case Instruction::SDiv:
    return Op::sdiv;
  case Instruction::URem:
    return Op::urem;
  case Instruction::SRem:
    return Op::srem;
  case Instruction::Shl:
    return Op::shl;
  case Instruction::LShr:
    return Op::lshr;
  case Instruction::AShr:
    return Op::ashr;
  case Instruction::And:
    return Op::bit_and;
  case Instruction::Or:
    return Op::bit_or;
  case Instruction::Xor:
    return Op::bit_xor;
  default:
    return std::nullopt;
  }
}

uint32_t ExpressionBuilder::buildOperator(Instruction &I) {
  const unsigned Width = widthOf(&I);
  if (isa<FreezeInst>(I)) {
    if (isa<UndefValue>(I.getOperand(0)))
      return unique(Op::opaque, Width);
    const uint32_t Frozen = node(I.getOperand(0));
    return Sources.reach(I.getOperand(0)) ? unique(Op::freeze, Width, Frozen)
                                          : Frozen;
  }
  if (auto *Cast = dyn_cast<CastInst>(&I); Cast && isInteger(I.getOperand(0))) {
    const Op Opcode = isa<ZExtInst>(I)   ? Op::zext
                      : isa<SExtInst>(I) ? Op::sext
                                         : Op::trunc;
    if (isa<ZExtInst, SExtInst, TruncInst>(I)) {
      const uint32_t From = node(I.getOperand(0));
      return withFlags(Opcode, Width, From, 0, flagsOf(I));
    }
  }
  if (auto *Element = dyn_cast<ExtractElementInst>(&I)) {
    auto *Index = dyn_cast<ConstantInt>(Element->getIndexOperand());
    if (Index && Index->getValue().ult(16))
      return buildElement(Element->getVectorOperand(),
                          static_cast<unsigned>(Index->getZExtValue()), 0);
    return opaque(&I);
  }
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Value *A = nullptr, *B = nullptr;
    switch (matchSelectPattern(Select, A, B).Flavor) {
    case SPF_SMIN:
      return binary(Op::smin, Width, A, B);
    case SPF_SMAX:
      return binary(Op::smax, Width, A, B);
    case SPF_UMIN:
      return binary(Op::umin, Width, A, B);
    case SPF_UMAX:
      return binary(Op::umax, Width, A, B);
    default: {
      const uint32_t First = node(Select->getTrueValue());
      const uint32_t Second = node(Select->getFalseValue());
      const uint32_t Here = condition(I.getParent());
      auto Where = [&](bool Truth) {
        return assume(Select->getCondition(), Truth, Here, I.getParent());
      };
      const uint32_t Yes = Where(true);
      return select(Width, First, Yes, Second, Where(false));
    }
    }
  }
  std::optional<Op> Opcode = opcodeFor(I.getOpcode());
  if (!Opcode || !isa<BinaryOperator>(I))
    return opaque(&I);
  // ~x is -1 - x.
  if (match(&I, m_Not(m_Value()))) {
    const uint32_t Operand =
        node(I.getOperand(isa<Constant>(I.getOperand(0)) ? 1 : 0));
    return leaf(Op::sub, Width, constant(-1, Width), Operand);
  }
  if (Opcode == Op::bit_or) {
    auto BitsOf = [&](unsigned Operand) {
      return computeKnownBits(I.getOperand(Operand), I.getDataLayout());
    };
    const bool Disjoint = cast<PossiblyDisjointInst>(I).isDisjoint();
    if (Disjoint ? KnownBits::haveNoCommonBitsSet(BitsOf(0), BitsOf(1))
                 : haveNoCommonBitsSet(I.getOperand(0), I.getOperand(1),
                                       SimplifyQuery(I.getDataLayout(), &I)))
      Opcode = Op::add;
    else if (Disjoint)
      return opaque(&I);
  }
  return binary(*Opcode, Width, I.getOperand(0), I.getOperand(1), flagsOf(I));
}

/// Element \p Index of \p Vector, a vector of integers.
uint32_t ExpressionBuilder::buildElement(Value *Vector, unsigned Index,
                                         unsigned Depth) {
  const unsigned Width = Vector->getType()->getScalarSizeInBits();
  constexpr unsigned MaxDepth = 8;
  // An element has one value wherever it is used.
  if (auto It = Elements.find({Vector, Index}); It != Elements.end())
    return It->second;
  auto Find = [&]() -> uint32_t {
    Value *Same = findScalarElement(Vector, Index);
    if (Same && isa<UndefValue>(Same))
      return unique(Op::poison, Width);
    if (Same && isInteger(Same) && !isa<ExtractElementInst>(Same))
      return node(Same);
    if (auto *Arg = dyn_cast<Argument>(Vector);
        Arg && Arg->getArgNo() < OwnArgs && T.kindOf(*Arg) == ArgKind::Value &&
        Width % 8 == 0)
      return leaf(Op::argument, Width, Arg->getArgNo(), Index * Width / 8);
    auto *I = dyn_cast<Instruction>(Vector);
    auto Element = [&](unsigned Operand) {
      return buildElement(I->getOperand(Operand), Index, Depth + 1);
    };
    if (I && Depth < MaxDepth) {
      if (auto *Call = dyn_cast<CallBase>(I))
        if (auto Limits = minMaxOps(*Call)) {
          uint32_t Clamped = Element(0);
          for (unsigned Each = 1; Each < Call->arg_size(); ++Each)
            Clamped =
                withFlags((*Limits)[Each - 1], Width, Clamped, Element(Each),
                          Each > 1 ? warpsan::Node::Ordered : 0);
          return Clamped;
        }
      if (auto Opcode = opcodeFor(I->getOpcode());
          Opcode && isa<BinaryOperator>(I)) {
        const uint32_t First = Element(0);
        return withFlags(*Opcode, Width, First, Element(1), flagsOf(*I));
      }
    }
    const uint32_t Any = unknown(Vector, Width);
    if (I) // not the block of its first use
      DefiningBlocks.try_emplace(Any, I->getParent());
    return Any;
  };
  const uint32_t Found = Find();
  return Elements[{Vector, Index}] = Found;
}
