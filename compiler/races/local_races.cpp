//===- compiler/races/local_races.cpp - data races in local memory --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/races/local_races.h"

#include "abi/races.h"
#include "compiler/checks/report_call.h"
#include "compiler/divergence/meeting.h"
#include "compiler/divergence/stack_slots.h"
#include "compiler/ir/barriers.h"
#include "compiler/races/synchronization.h"
#include "compiler/target/driver_profiles.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>

using namespace llvm;
using namespace warpsan;

static uint32_t kindOf(const Access &A) {
  // It is none of the atomic operations.
  if (A.Builtin == "atomic_init")
    return WS_RACE_WRITE;
  if (A.What == Access::Kind::Atomic)
    return A.Writes ? WS_RACE_ATOMIC_UPDATE : WS_RACE_ATOMIC_LOAD;
  return A.What == Access::Kind::Write ? WS_RACE_WRITE : WS_RACE_READ;
}

/// The expected value of a compare-exchange of OpenCL C 2.0, which is read, and
/// written if it was another one.
static bool isExpected(const Access &A) {
  return A.Builtin.starts_with("atomic_compare_exchange") &&
         A.Pointer == cast<CallBase>(A.At)->getArgOperand(1);
}

LocalRaces::LocalRaces(const KernelParts &Parts, ArrayRef<Access> Accesses)
    : Parts(Parts) {
  Function &Kernel = *Parts.Made.Kernel;
  const Target &T = Parts.T;
  for (unsigned Site = 0; Site < Accesses.size(); ++Site) {
    const Access &A = Accesses[Site];
    // An asynchronous copy is no work-item's access.
    if (!A.Known || !A.Pointer || !A.Bytes || A.CountOperand >= 0 || A.Stride)
      continue;
    const PointerOrigin From = Parts.Roots.originOf(A.Pointer);
    if (!From.isOne() || isExpected(A))
      continue;
    const Root &R = Parts.Roots[From.Roots[0]];
    const bool IsArgument = R.What == Root::Kind::Argument &&
                            T.kindOf(*Kernel.getArg(R.Arg)) == ArgKind::Local;
    if (!IsArgument && R.What != Root::Kind::Local)
      continue;
    All.push_back({A.At, A.Pointer, A.Index, A.Count, A.Scale, A.Bytes, Site,
                   From.Roots[0], kindOf(A)});
    const uint64_t Divides =
        std::min(uint64_t(1) << countr_zero(A.Bytes), A.Align);
    auto [It, New] = Granules.try_emplace(From.Roots[0], Divides);
    It->second = std::min(It->second, Divides);
  }
  if (All.empty())
    return;
  Parts.Made.RacesUnjudged = whyNotJudged(Kernel, T);
  if (2 * Accesses.size() > WS_MAX_SITES / 2)
    Parts.Made.RacesUnjudged = "it has too many accesses to number their races";
  if (!Parts.Made.RacesUnjudged.empty())
    All.clear();
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && ordersLocalMemory(*Call, T))
      Barriers.emplace_back(Call);
}

LocalRaces::Shadow LocalRaces::makeShadow(unsigned Index, IRBuilder<> &Build) {
  Function &Kernel = *Parts.Made.Kernel;
  const Root &R = Parts.Roots[Index];
  const uint64_t Granule = Granules.at(Index);
  if (R.What == Root::Kind::Argument) {
    for (HiddenArg &Each : Parts.Made.Hidden)
      if (Each.What == HiddenArg::Kind::LocalShadow && Each.Arg == R.Arg)
        Each.Granule = Granule;
    Value *Size =
        Build.CreateAnd(Parts.Made.hidden(HiddenArg::Kind::Size, R.Arg),
                        Build.getInt64(WS_SIZE_BITS));
    Value *Up = Build.CreateAdd(Size, Build.getInt64(Granule - 1));
    return {Parts.Made.hidden(HiddenArg::Kind::LocalShadow, R.Arg),
            Build.CreateLShr(Up, Build.getInt64(countr_zero(Granule)))};
  }
  const uint64_t Count = divideCeil(R.Size, Granule);
  auto *Words = ArrayType::get(Build.getInt32Ty(), WS_RACE_LOCAL_WORDS(Count));
  return {makeLocalVariable(*Kernel.getParent(), Words,
                            "warpsan.shadow." + Kernel.getName(), Parts.T),
          Build.getInt64(Count)};
}

/// Bytes from the root's start.
Value *LocalRaces::offsetOf(const Watched &Which, IRBuilderBase &Build) const {
  const Root &R = Parts.Roots[Which.Root];
  Value *Start = R.What == Root::Kind::Argument
                     ? Parts.Made.Kernel->getArg(R.Arg)
                     : R.Object;
  Type *I64 = Build.getInt64Ty();
  Value *Offset = Build.CreateSub(Build.CreatePtrToInt(Which.Pointer, I64),
                                  Build.CreatePtrToInt(Start, I64));
  if (Which.Index)
    Offset = Build.CreateAdd(
        Offset, Build.CreateMul(Build.CreateSExtOrTrunc(Which.Index, I64),
                                Build.getInt64(Which.Scale)));
  return Offset;
}

static CallInst *callRuntime(IRBuilderBase &Build, Function *Callee,
                             ArrayRef<Value *> Arguments) {
  CallInst *Call = Build.CreateCall(Callee, Arguments);
  Call->setCallingConv(Callee->getCallingConv());
  return Call;
}

void LocalRaces::watch(const Watched &Which, ReportCalls &Reports) {
  auto *At = dyn_cast_or_null<Instruction>(static_cast<Value *>(Which.At));
  if (!At)
    return;
  const Shadow &Its = Shadows.at(Which.Root);
  const unsigned Shift = countr_zero(Granules.at(Which.Root));
  IRBuilder<> Build(At);
  Value *Does = Build.getInt32(Which.Does);
  // A compare-exchange that fails has only loaded.
  if (mayFail(*At, Parts.T)) {
    Build.SetInsertPoint(At->getNextNode());
    Does = Build.CreateSelect(hasSucceeded(*At, Build), Does,
                              Build.getInt32(WS_RACE_ATOMIC_LOAD));
  }
  Value *Offset = offsetOf(Which, Build);
  Value *Bytes = Build.getInt64(Which.Bytes);
  if (Which.Count)
    Bytes = Build.CreateMul(
        Bytes, Build.CreateZExtOrTrunc(Which.Count, Build.getInt64Ty()));
  const StackSlots Slots(*Parts.Made.Kernel, Parts.Profile.KeepsSlotsVolatile);
  Value *Found =
      callRuntime(Build, Parts.Runtime.Watch,
                  {Its.Words, Its.Granules, Build.CreateLShr(Offset, Shift),
                   Build.CreateLShr(Bytes, Shift), Does, Item, ItemBits,
                   Slots.load(Build, Epoch),
                   Build.getInt32(std::min(Which.Site, WS_RACE_NO_SITE))});
  Instruction *Then =
      SplitBlockAndInsertIfThen(Build.CreateICmpNE(Found, Build.getInt64(0)),
                                Build.GetInsertPoint(), false);
  Build.SetInsertPoint(Then);
  Build.SetCurrentDebugLocation(At->getDebugLoc());
  Failure What;
  What.Check = WS_RACE_SITE(Which.Site) * WS_TESTS;
  What.Root = Build.getInt32(Which.Root);
  What.Offset = Offset;
  What.Size = Found;
  What.Bytes = Bytes;
  What.Address = Build.getInt64(0);
  Reports.call(Build, What);
}

void LocalRaces::place() {
  if (All.empty())
    return;
  Function &Kernel = *Parts.Made.Kernel;
  Module &Program = *Kernel.getParent();
  StackSlots Slots(Kernel, Parts.Profile.KeepsSlotsVolatile);
  Epoch = Slots.makeZero(Type::getInt32Ty(Kernel.getContext()), "epoch");
  Instruction *First = &*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> Build(First);
  Item = linearLocalId(Build, Parts.T);
  Value *Items = Build.getInt32(1);
  for (unsigned Dimension = 0; Dimension < 3; ++Dimension)
    Items = Build.CreateMul(
        Items, Build.CreateTrunc(askWorkItem(WorkItemQuery::WorkgroupSize,
                                             Dimension, Build, Parts.T),
                                 Build.getInt32Ty()));
  ItemBits = callRuntime(Build, Parts.Runtime.ItemBits, {Items});
  for (const auto &[Index, Unused] : Granules) {
    const Shadow &Its = Shadows[Index] = makeShadow(Index, Build);
    callRuntime(Build, Parts.Runtime.ClearShadow,
                {Its.Words, Its.Granules, Item, Items});
  }
  makeBarrier(Build, Program);
  for (const WeakVH &Each : Barriers) {
    auto *Barrier = dyn_cast_or_null<Instruction>(static_cast<Value *>(Each));
    if (!Barrier)
      continue;
    Build.SetInsertPoint(Barrier->getNextNode());
    Slots.store(Build,
                Build.CreateAdd(Slots.load(Build, Epoch), Build.getInt32(1)),
                Epoch);
  }
  ReportCalls Reports(Parts.Made, *Parts.Runtime.Report,
                      Parts.Profile.VectorizesWorkItems, Parts.T);
  for (const Watched &Each : All)
    watch(Each, Reports);
}
