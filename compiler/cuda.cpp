//===- compiler/cuda.cpp - what CUDA and HIP programs look like -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/cuda.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace warpsan;

static constexpr StringRef RuntimePrefix = "__chip_";
static constexpr StringRef VariablePrefix = "__chip_var_";

bool warpsan::isCuda(const Module &Program, const Target &T) {
  for (const GlobalVariable &V : Program.globals())
    if (V.getName().starts_with(RuntimePrefix))
      return true;
  for (const Function &F : Program) {
    if (!T.isKernel(F))
      continue;
    if (F.getName().starts_with(RuntimePrefix))
      return true;
    // SYCL names its kernels after types.
    ItaniumPartialDemangler Name;
    const std::string Symbol = F.getName().str();
    if (!Name.partialDemangle(Symbol.c_str()) && Name.isFunction())
      return true;
  }
  return false;
}

std::string warpsan::sourceNameOf(StringRef Symbol) {
  if (!Symbol.starts_with("_Z"))
    return Symbol.str();
  const std::string Whole = demangle(Symbol.str());
  const StringRef Name = StringRef(Whole).rsplit("::").second;
  // Not what is behind a scope, but a part of template arguments.
  if (Name.empty() || Name.find_first_of("<>()") != StringRef::npos)
    return Whole;
  return Name.str();
}

/// Where casts and sums of \p Pointer begin.
static const Value *startOf(const Value *Pointer) {
  for (;;) {
    if (auto *Address = dyn_cast<GEPOperator>(Pointer))
      Pointer = Address->getPointerOperand();
    else if (auto *Cast = dyn_cast<Operator>(Pointer);
             Cast && (Cast->getOpcode() == Instruction::AddrSpaceCast ||
                      Cast->getOpcode() == Instruction::BitCast ||
                      Cast->getOpcode() == Instruction::PtrToInt ||
                      Cast->getOpcode() == Instruction::IntToPtr))
      Pointer = Cast->getOperand(0);
    else
      return Pointer;
  }
}

std::string warpsan::deviceVariableBehind(const Value *Pointer) {
  auto *Load = dyn_cast<LoadInst>(startOf(Pointer));
  auto *From = Load ? dyn_cast<GlobalVariable>(
                          Load->getPointerOperand()->stripPointerCasts())
                    : nullptr;
  StringRef Name = From ? From->getName() : "";
  return Name.consume_front(VariablePrefix) ? sourceNameOf(Name)
                                            : std::string();
}
