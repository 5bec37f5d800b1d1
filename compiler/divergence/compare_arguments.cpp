//===- compiler/divergence/compare_arguments.cpp - shared arguments -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/divergence/compare_arguments.h"

#include "abi/record.h"
#include "compiler/divergence/convergence_point.h"
#include "compiler/target/driver_profiles.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>

using namespace llvm;
using namespace warpsan;

ArgumentComparison::ArgumentComparison(CheckedTwin &Made, const Target &T)
    : Made(Made), T(T) {
  for (const DivergentArguments &Each : divergentArguments(*Made.Kernel, T)) {
    Call Found{static_cast<Value *>(Each.Call), {}};
    for (const SharedArgument &Shared : Each.Which) {
      Value *Operand = Each.Call->getArgOperand(Shared.Index);
      Found.Arguments.push_back(
          {Shared.Name, Operand, Operand->getType()->isPointerTy()});
    }
    Calls.push_back(std::move(Found));
  }
}

void ArgumentComparison::keep(const DriverProfile &Profile) {
  StackSlots Slots(*Made.Kernel, Profile.KeepsSlotsVolatile);
  for (Call &Each : Calls) {
    auto *At = cast<CallInst>(static_cast<Value *>(Each.At));
    IRBuilder<> Build(At);
    Type *I64 = Build.getInt64Ty();
    for (Argument &Arg : Each.Arguments) {
      Arg.Slot = Slots.make(I64, "argument");
      Slots.store(Build,
                  Arg.IsPointer ? Build.CreatePtrToInt(Arg.Value, I64)
                                : Build.CreateZExtOrTrunc(Arg.Value, I64),
                  Arg.Slot);
    }
  }
}

void ArgumentComparison::placeAt(CallInst &At, const Call &Which, Value *Item,
                                 GlobalVariable *Words, ReportCalls &Reports,
                                 bool Volatile) {
  Module &Program = *Made.Kernel->getParent();
  const StackSlots Slots(*Made.Kernel, Volatile);
  IRBuilder<> Build(&At);
  Type *I64 = Build.getInt64Ty();
  auto Word = [&](size_t I) {
    return Build.CreateConstGEP1_32(I64, Words, static_cast<unsigned>(I));
  };
  const auto &Arguments = Which.Arguments;
  Instruction *Then = SplitBlockAndInsertIfThen(
      Build.CreateICmpEQ(Item, Build.getInt32(0)), &At, false);
  Build.SetInsertPoint(Then);
  for (size_t I = 0; I < Arguments.size(); ++I)
    Build.CreateStore(Slots.load(Build, Arguments[I].Slot), Word(I));

  Build.SetInsertPoint(&At);
  makeBarrier(Build, Program);
  Value *Differs = Build.getFalse();
  Failure What;
  Value *Index = nullptr, *Own = nullptr, *First = nullptr;
  // The first argument that differs is reported.
  for (size_t I = Arguments.size(); I-- > 0;) {
    Value *Mine = Slots.load(Build, Arguments[I].Slot);
    Value *Theirs = Build.CreateLoad(I64, Word(I));
    Value *Here = Build.CreateICmpNE(Mine, Theirs);
    Differs = Build.CreateOr(Differs, Here);
    auto Or = [&](Value *New, Value *Old) {
      return Old ? Build.CreateSelect(Here, New, Old) : New;
    };
    Index = Or(Build.getInt64(I), Index);
    Own = Or(Mine, Own);
    First = Or(Theirs, First);
  }
  // The words may be written again once all have read them.
  makeBarrier(Build, Program);
  Then = SplitBlockAndInsertIfThen(Differs, &At, false);
  Build.SetInsertPoint(Then);
  What.Check =
      static_cast<unsigned>(Made.Sites.size() + Made.Divergence.Calls.size()) *
          WS_TESTS +
      WS_TEST_ARGUMENTS;
  What.Root = Build.getInt32(0);
  What.Offset = Own;
  What.Size = First;
  What.Bytes = Index;
  What.Address = Build.getInt64(0);
  Reports.call(Build, What);
}

void ArgumentComparison::place(const DeviceRuntime &Runtime,
                               const DriverProfile &Profile) {
  if (Calls.empty() ||
      Made.Sites.size() + Made.Divergence.Calls.size() + Calls.size() >
          WS_MAX_SITES)
    return;
  Function &Kernel = *Made.Kernel;
  size_t Most = 0;
  for (const Call &Each : Calls)
    Most = std::max(Most, Each.Arguments.size());
  auto *Type = ArrayType::get(Type::getInt64Ty(Kernel.getContext()), Most);
  GlobalVariable *Words = makeLocalVariable(
      *Kernel.getParent(), Type, "warpsan.arguments." + Kernel.getName(), T);
  IRBuilder<> Build(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Item = linearLocalId(Build, T);
  ReportCalls Reports(Made, *Runtime.Report, Profile.VectorizesWorkItems, T);
  for (const Call &Each : Calls) {
    auto *At = cast<CallInst>(static_cast<Value *>(Each.At));
    placeAt(*At, Each, Item, Words, Reports, Profile.KeepsSlotsVolatile);
    CollectiveSite Site{At->getDebugLoc().get(),
                        T.builtinName(*At->getCalledFunction()).str(),
                        {}};
    for (const Argument &Arg : Each.Arguments)
      Site.Arguments.push_back({Arg.Name, Arg.IsPointer});
    Made.Divergence.Calls.push_back(std::move(Site));
  }
}
