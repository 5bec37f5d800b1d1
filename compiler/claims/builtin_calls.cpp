//===- compiler/claims/builtin_calls.cpp - builtin functions as nodes -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/expression_builder.h"
#include "compiler/claims/integers.h"
#include "compiler/target/mangling.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace warpsan;
using Op = warpsan::Node::Op;

std::optional<Op> warpsan::workItemFunction(const CallBase &Call,
                                            const Target &T) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.arg_size() != 1)
    return std::nullopt;
  auto *Dimension = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  if (!Dimension || Dimension->getValue().uge(3))
    return std::nullopt;
  // The names in OpenCL C and in SPIR-V.
  return StringSwitch<std::optional<Op>>(T.builtinName(*Callee))
#define NDRANGE_QUERY(spirv, opencl, uniform, op)                              \
  .Cases(#opencl, #spirv, Op::op)
#include "compiler/target/work_items.def"
      .Default(std::nullopt);
}

/// A sub-group function that returns the same value wherever a work-item calls
/// it: its number and its minimum.
static std::optional<std::pair<uint32_t, uint32_t>>
subGroupFunction(const CallBase &Call, const Target &T) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.arg_size() != 0)
    return std::nullopt;
  using Which = std::optional<std::pair<uint32_t, uint32_t>>;
  return StringSwitch<Which>(T.builtinName(*Callee))
#define SUB_GROUP_QUERY(spirv, opencl, uniform, number, minimum)               \
  .Cases(#opencl, #spirv, {{number, minimum}})
#include "compiler/target/work_items.def"
      .Default(std::nullopt);
}

bool warpsan::isWorkItemInvariant(const Value *V, const Target &T) {
  const auto *Call = dyn_cast<CallBase>(V);
  return Call && (workItemFunction(*Call, T) || subGroupFunction(*Call, T));
}

/// The operators of min, max and clamp: one for the first two arguments, and
/// one for that result and the third. None for other calls.
std::optional<SmallVector<Op, 2>>
ExpressionBuilder::minMaxOps(const CallBase &Call) const {
  Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? T.builtinName(*Callee) : "";
  // SPIR-V names say whether the integers are signed. Otherwise the mangled
  // types do: integers of one type, or vectors of them ("Dv4_iS_").
  const bool NamedSigned = Name.consume_front("s_");
  const bool NamedUnsigned = !NamedSigned && Name.consume_front("u_");
  const auto Mangled = takeApart(Callee ? Callee->getName() : "");
  StringRef Types = Mangled ? Mangled->Parameters : "";
  if (Types.consume_front("Dv"))
    Types = Types.substr(Types.find('_') + 1).take_front(1);
  auto AllAre = [&](StringRef Letters) {
    return !Types.empty() &&
           Types.find_first_not_of(Letters) == StringRef::npos;
  };
  const bool Signed = NamedSigned || (!NamedUnsigned && AllAre("casilx"));
  const bool Unsigned = NamedUnsigned || AllAre("htjmy");
  if ((!Signed && !Unsigned) || !all_of(Call.args(), [&](const Use &U) {
        return U->getType() == Call.getType();
      }))
    return std::nullopt;
  const Op Min = Signed ? Op::smin : Op::umin;
  const Op Max = Signed ? Op::smax : Op::umax;
  if (Name == "min" && Call.arg_size() == 2)
    return SmallVector<Op, 2>{Min};
  if (Name == "max" && Call.arg_size() == 2)
    return SmallVector<Op, 2>{Max};
  if (Name == "clamp" && Call.arg_size() == 3)
    return SmallVector<Op, 2>{Max, Min};
  return std::nullopt;
}

uint32_t ExpressionBuilder::buildCall(CallBase &Call) {
  const unsigned Width = widthOf(&Call);
  if (auto *Intrinsic = dyn_cast<MinMaxIntrinsic>(&Call)) {
    const Op Opcode =
        Intrinsic->getIntrinsicID() == Intrinsic::smin   ? Op::smin
        : Intrinsic->getIntrinsicID() == Intrinsic::smax ? Op::smax
        : Intrinsic->getIntrinsicID() == Intrinsic::umin ? Op::umin
                                                         : Op::umax;
    return binary(Opcode, Width, Intrinsic->getLHS(), Intrinsic->getRHS());
  }
  if (auto Opcode = workItemFunction(Call, T)) {
    auto *Dimension = cast<ConstantInt>(Call.getArgOperand(0));
    // The results are size_t, which is narrower on a 32-bit device.
    const uint32_t Whole =
        leaf(*Opcode, 64, static_cast<uint32_t>(Dimension->getZExtValue()));
    return Width == 64 ? Whole : leaf(Op::trunc, Width, Whole);
  }
  if (auto SubGroup = subGroupFunction(Call, T))
    return leaf(Op::sub_group, Width, SubGroup->first, SubGroup->second);
  if (auto Product = buildMul24(Call))
    return *Product;
  auto Limits = minMaxOps(Call);
  if (!Limits)
    return opaque(&Call);
  uint32_t Clamped = node(Call.getArgOperand(0));
  for (unsigned I = 1; I < Call.arg_size(); ++I)
    Clamped =
        withFlags((*Limits)[I - 1], Width, Clamped, node(Call.getArgOperand(I)),
                  I > 1 ? warpsan::Node::Ordered : 0);
  return Clamped;
}

/// mul24 and mad24: undefined unless the operands fit 24 bits. Drivers compute
/// a normal product, which may overflow.
std::optional<uint32_t> ExpressionBuilder::buildMul24(const CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? T.builtinName(*Callee) : "";
  const bool NamedSigned = Name.consume_front("s_");
  const bool NamedUnsigned = !NamedSigned && Name.consume_front("u_");
  const auto Mangled = takeApart(Callee ? Callee->getName() : "");
  const char Type = Mangled && !Mangled->Parameters.empty()
                        ? Mangled->Parameters.front()
                        : ' ';
  const bool Signed = NamedSigned || (!NamedUnsigned && Type == 'i');
  if (!Signed && !NamedUnsigned && Type != 'j')
    return std::nullopt;
  if (!(Name == "mul24" && Call.arg_size() == 2) &&
      !(Name == "mad24" && Call.arg_size() == 3))
    return std::nullopt;
  const uint8_t Wraps = Signed ? warpsan::Node::NoSignedWrap : 0;
  const uint32_t Product =
      binary(Op::mul, 32, Call.getArgOperand(0), Call.getArgOperand(1),
             Wraps | warpsan::Node::Of24Bits);
  if (Call.arg_size() == 2)
    return Product;
  return withFlags(Op::add, 32, Product, node(Call.getArgOperand(2)), Wraps);
}
