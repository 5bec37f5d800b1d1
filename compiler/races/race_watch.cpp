//===- compiler/races/race_watch.cpp - accesses watched for data races ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/races/race_watch.h"

#include "abi/races.h"
#include "compiler/checks/access_kinds.h"
#include "compiler/checks/report_call.h"
#include "compiler/divergence/convergence_point.h"
#include "compiler/divergence/stack_slots.h"
#include "compiler/ir/barriers.h"
#include "compiler/ir/cuda.h"
#include "compiler/ir/synchronization.h"
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

void RaceWatch::add(const Access &A, unsigned Site, unsigned Index) {
  const Root &R = Parts.Roots[Index];
  const ArgKind Kind = R.What == Root::Kind::Argument
                           ? Parts.T.kindOf(*Parts.Made.Kernel->getArg(R.Arg))
                           : ArgKind::Other;
  const bool IsGlobal = Kind == ArgKind::Global;
  if (!IsGlobal && Kind != ArgKind::Local && R.What != Root::Kind::Local)
    return;
  // Addresses of different address spaces do not compare.
  const unsigned Where = A.Pointer->getType()->getPointerAddressSpace();
  if (!IsGlobal && Parts.T.spaceOf(Where) == Space::Generic &&
      !Parts.Roots.originOf(A.Pointer).isOne())
    return;
  const uint32_t Does = raceKindOf(A);
  All.push_back({A.At, A.Pointer, A.Index, A.Count, A.Scale, A.Bytes, Site,
                 Index, Does,
                 isWithinWorkGroup(*A.At, Parts.T) ? notAtomic(Does) : Does,
                 storesConstant(A), IsGlobal});
  const uint64_t Divides =
      std::min(uint64_t(1) << countr_zero(A.Bytes), A.Align);
  // Arguments may be to the same memory, so all have the same granule.
  uint64_t &Granule = IsGlobal ? GlobalGranule : LocalGranules[Index];
  Granule = Granule ? std::min(Granule, Divides) : Divides;
}

RaceWatch::RaceWatch(const KernelParts &Parts, ArrayRef<Access> Accesses)
    : Parts(Parts) {
  Function &Kernel = *Parts.Made.Kernel;
  const Target &T = Parts.T;
  for (unsigned Site = 0; Site < Accesses.size(); ++Site) {
    const Access &A = Accesses[Site];
    // An asynchronous copy is no work-item's access.
    if (!A.Known || !A.Pointer || !A.Bytes || A.CountOperand >= 0 || A.Stride ||
        isExpected(A))
      continue;
    if (!Parts.Only.Kernel.empty() && !Parts.Only.watches(Site))
      continue;
    const PointerOrigin From = Parts.Roots.originOf(A.Pointer);
    constexpr size_t MaxRoots = 4;
    if (!From.isOne() && From.Roots.size() > MaxRoots)
      continue;
    for (const unsigned Root : From.Roots)
      add(A, Site, Root);
  }
  if (All.empty())
    return;
  Parts.Made.RacesUnjudged = whyNotJudged(Kernel, T);
  // Drivers compile them in more than linear time.
  constexpr size_t MaxWatched = 500;
  if (2 * Accesses.size() > WS_MAX_SITES / 2 || All.size() > MaxWatched)
    Parts.Made.RacesUnjudged = "it has too many accesses to watch";
  if (!Parts.Made.RacesUnjudged.empty())
    All.clear();
  // __syncthreads orders all memory, but chipStar makes it a barrier with
  // CLK_LOCAL_MEM_FENCE.
  const bool IsCuda = isCuda(*Kernel.getParent());
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      const bool OrdersLocal = ordersMemory(*Call, Space::Local, T);
      if (OrdersLocal)
        Local.Barriers.emplace_back(Call);
      if (ordersMemory(*Call, Space::Global, T) || (IsCuda && OrdersLocal))
        Global.Barriers.emplace_back(Call);
    }
}

RaceWatch::Shadow RaceWatch::makeShadow(unsigned Index, IRBuilder<> &Build) {
  Function &Kernel = *Parts.Made.Kernel;
  const Root &R = Parts.Roots[Index];
  const uint64_t Granule = LocalGranules.at(Index);
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

/// Bytes from the root's start: of the memory that an argument points into.
Value *RaceWatch::offsetOf(const Watched &Which, IRBuilderBase &Build) const {
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
  if (Value *InMemory = Parts.Made.hidden(HiddenArg::Kind::Start, R.Arg);
      InMemory && R.What == Root::Kind::Argument)
    Offset = Build.CreateAdd(Offset, InMemory);
  return Offset;
}

static CallInst *callRuntime(IRBuilderBase &Build, Function *Callee,
                             ArrayRef<Value *> Arguments) {
  CallInst *Call = Build.CreateCall(Callee, Arguments);
  Call->setCallingConv(Callee->getCallingConv());
  return Call;
}

Value *RaceWatch::watchLocal(const Watched &Which, Value *Offset, Value *Bytes,
                             Value *Does, IRBuilder<> &Build,
                             StackSlots &Slots) {
  const Shadow &Its = Shadows.at(Which.Root);
  const unsigned Shift = countr_zero(LocalGranules.at(Which.Root));
  return callRuntime(Build, Parts.Runtime.Watch,
                     {Its.Words, Its.Granules, Build.CreateLShr(Offset, Shift),
                      Build.CreateLShr(Bytes, Shift), Does, InGroup.Number,
                      InGroup.Bits, Slots.load(Build, Local.Slot),
                      Build.getInt32(std::min(Which.Site, WS_RACE_NO_SITE))});
}

Value *RaceWatch::watchGlobal(const Watched &Which, Value *Offset, Value *Bytes,
                              Value *Does, IRBuilder<> &Build,
                              StackSlots &Slots) {
  const Twin &Made = Parts.Made;
  const unsigned Arg = Parts.Roots[Which.Root].Arg;
  const unsigned Shift = countr_zero(GlobalGranule);
  Value *Size = Build.CreateAnd(Made.hidden(HiddenArg::Kind::Size, Arg),
                                Build.getInt64(WS_SIZE_BITS));
  // Accesses elsewhere are reported as such.
  Value *Inside = Build.CreateAnd(
      Build.CreateICmpULE(Bytes, Size),
      Build.CreateICmpULE(Offset, Build.CreateSub(Size, Bytes)));
  Value *First = Build.CreateSelect(
      Inside,
      Build.CreateAdd(Made.hidden(HiddenArg::Kind::ShadowBase, Arg),
                      Build.CreateLShr(Offset, Shift)),
      Build.getInt64(WS_RACE_NO_SHADOW));
  return callRuntime(Build, Parts.Runtime.WatchGlobal,
                     {Made.hidden(HiddenArg::Kind::Shadow),
                      Made.hidden(HiddenArg::Kind::ShadowLaunch), First,
                      Build.CreateLShr(Bytes, Shift), Does, InLaunch.Number,
                      InLaunch.Bits, Slots.load(Build, Global.Slot),
                      Build.getInt32(std::min(Which.Site, WS_RACE_NO_SITE))});
}

void RaceWatch::watch(const Watched &Which, ReportCalls &Reports,
                      StackSlots &Slots) {
  auto *At = dyn_cast_or_null<Instruction>(static_cast<Value *>(Which.At));
  if (!At)
    return;
  IRBuilder<> Build(At);
  auto DoesOf = [&](uint32_t InGroup, uint32_t OfGroups) {
    return Build.getInt32(InGroup | OfGroups << WS_RACE_DOES_GROUPS_SHIFT |
                          (Which.IsConstant ? WS_RACE_DOES_CONSTANT : 0));
  };
  Value *Does = DoesOf(Which.InGroup, Which.OfGroups);
  // A compare-exchange that fails has only loaded.
  if (mayFail(*At, Parts.T)) {
    Build.SetInsertPoint(At->getNextNode());
    const bool IsAtomic = Which.OfGroups == Which.InGroup;
    Does = Build.CreateSelect(
        hasSucceeded(*At, Build), Does,
        DoesOf(WS_RACE_ATOMIC_LOAD,
               IsAtomic ? WS_RACE_ATOMIC_LOAD : WS_RACE_READ));
  }
  Value *Offset = offsetOf(Which, Build);
  Value *Bytes = Build.getInt64(Which.Bytes);
  if (Which.Count)
    Bytes = Build.CreateMul(
        Bytes, Build.CreateZExtOrTrunc(Which.Count, Build.getInt64Ty()));
  Value *Found = Which.IsGlobal
                     ? watchGlobal(Which, Offset, Bytes, Does, Build, Slots)
                     : watchLocal(Which, Offset, Bytes, Does, Build, Slots);
  Value *Races = Build.CreateICmpNE(Found, Build.getInt64(0));
  Instruction *Then =
      SplitBlockAndInsertIfThen(Races, Build.GetInsertPoint(), false);
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

static Value *ask32(WorkItemQuery Query, unsigned Dimension,
                    IRBuilderBase &Build, const Target &T) {
  return Build.CreateTrunc(askWorkItem(Query, Dimension, Build, T),
                           Build.getInt32Ty());
}

/// How many work-items the launch's work-groups have in \p Dimension, the last
/// one perhaps less. Intel's runtime has no get_enqueued_local_size.
static Value *enqueuedLocalSize(unsigned Dimension, IRBuilderBase &Build,
                                const Target &T) {
  auto Ask = [&](WorkItemQuery Query) {
    return askWorkItem(Query, Dimension, Build, T);
  };
  Value *Group = Ask(WorkItemQuery::WorkgroupId);
  Value *Before =
      Build.CreateSub(Build.CreateSub(Ask(WorkItemQuery::GlobalInvocationId),
                                      Ask(WorkItemQuery::GlobalOffset)),
                      Ask(WorkItemQuery::LocalInvocationId));
  Value *IsFirst = Build.CreateICmpEQ(Group, Build.getInt64(0));
  Value *Each = Build.CreateUDiv(
      Before, Build.CreateSelect(IsFirst, Build.getInt64(1), Group));
  // The first one is smaller only if it is the last, too.
  return Build.CreateTrunc(
      Build.CreateSelect(IsFirst, Ask(WorkItemQuery::WorkgroupSize), Each),
      Build.getInt32Ty());
}

/// Sets InGroup, GroupItems and InLaunch, as far as they are wanted.
void RaceWatch::numberWorkItem(IRBuilder<> &Build, bool HasLocal,
                               bool HasGlobal) {
  auto Ask = [&](WorkItemQuery Query, unsigned Dimension) {
    return ask32(Query, Dimension, Build, Parts.T);
  };
  auto Product = [&](auto Factor) {
    return Build.CreateMul(Build.CreateMul(Factor(0U), Factor(1U)), Factor(2U));
  };
  InGroup.Number = linearLocalId(Build, Parts.T);
  if (HasLocal) {
    GroupItems = Product([&](unsigned Dimension) {
      return Ask(WorkItemQuery::WorkgroupSize, Dimension);
    });
    InGroup.Bits = callRuntime(Build, Parts.Runtime.ItemBits, {GroupItems});
  }
  if (!HasGlobal)
    return;
  InLaunch.Bits = callRuntime(
      Build, Parts.Runtime.ItemBits, {Product([&](unsigned Dimension) {
        return enqueuedLocalSize(Dimension, Build, Parts.T);
      })});
  Value *Group = Ask(WorkItemQuery::WorkgroupId, 2);
  for (const unsigned Dimension : {1U, 0U})
    Group = Build.CreateAdd(
        Build.CreateMul(Group, Ask(WorkItemQuery::NumWorkgroups, Dimension)),
        Ask(WorkItemQuery::WorkgroupId, Dimension));
  InLaunch.Number =
      Build.CreateOr(Build.CreateShl(Group, InLaunch.Bits), InGroup.Number);
}

void RaceWatch::countBarriers(Epoch &Of, Space Memory, const char *Name,
                              StackSlots &Slots) {
  Type *I32 = Type::getInt32Ty(Parts.Made.Kernel->getContext());
  Of.Slot = Slots.makeZero(I32, Name);
  for (const WeakVH &Each : Of.Barriers) {
    auto *Barrier = dyn_cast_or_null<CallBase>(static_cast<Value *>(Each));
    if (!Barrier)
      continue;
    IRBuilder<> Build(Barrier->getNextNode());
    Value *Last = Slots.load(Build, Of.Slot);
    const bool IsKnown =
        !isWorkGroupBarrier(*Barrier, Parts.T) || hasConstantFence(*Barrier);
    Value *Orders =
        IsKnown ? Build.getInt32(1)
                : Build.CreateZExt(fences(Build, *Barrier, Memory, Parts.T),
                                   Build.getInt32Ty());
    Slots.store(Build, Build.CreateAdd(Last, Orders), Of.Slot);
  }
}

void RaceWatch::place() {
  if (All.empty())
    return;
  Function &Kernel = *Parts.Made.Kernel;
  StackSlots Slots(Kernel, Parts.Profile.KeepsSlotsVolatile);
  const bool HasLocal = !LocalGranules.empty(), HasGlobal = GlobalGranule != 0;
  Instruction *First = &*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> Build(First);
  numberWorkItem(Build, HasLocal, HasGlobal);
  if (HasLocal) {
    for (const auto &[Index, Unused] : LocalGranules) {
      const Shadow &Its = Shadows[Index] = makeShadow(Index, Build);
      callRuntime(Build, Parts.Runtime.ClearShadow,
                  {Its.Words, Its.Granules, InGroup.Number, GroupItems});
    }
    makeBarrier(Build, *Kernel.getParent());
    countBarriers(Local, Space::Local, "epoch", Slots);
  }
  if (HasGlobal) {
    for (const Watched &Each : All)
      for (HiddenArg &Hidden : Parts.Made.Hidden)
        if (Each.IsGlobal && Hidden.What == HiddenArg::Kind::ShadowBase &&
            Hidden.Arg == Parts.Roots[Each.Root].Arg)
          Hidden.Granule = GlobalGranule;
    countBarriers(Global, Space::Global, "global_epoch", Slots);
  }
  ReportCalls Reports(Parts.Made, *Parts.Runtime.Report,
                      Parts.Profile.VectorizesWorkItems, Parts.T);
  for (const Watched &Each : All)
    watch(Each, Reports, Slots);
}
