//===- compiler/ir/synchronization.cpp - what orders accesses -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/synchronization.h"

#include "compiler/ir/barriers.h"
#include "compiler/ir/collectives.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace warpsan;

bool warpsan::ordersMemory(const CallBase &Call, Space Memory,
                           const Target &T) {
  return scopeOf(Call, T) == CollectiveScope::WorkGroup &&
         (!isWorkGroupBarrier(Call, T) || mayFence(Call, Memory, T));
}

bool warpsan::surelyOrdersMemory(const CallBase &Call, Space Memory,
                                 const Target &T) {
  if (!isWorkGroupBarrier(Call, T) ||
      scopeOf(Call, T) != CollectiveScope::WorkGroup ||
      !hasConstantFence(Call) || !mayFence(Call, Memory, T))
    return false;
  const auto Scope = constantOperand(Call, 1);
  if (builtinOf(Call, T) == "ControlBarrier") {
    // SPIR-V: of the work-group or wider, acquires and releases.
    constexpr uint64_t Workgroup = 2, BothOrders = 0x18;
    const auto Semantics = constantOperand(Call, 2);
    return Scope && *Scope <= Workgroup && Semantics && *Semantics & BothOrders;
  }
  // OpenCL C's memory_scope_work_group to memory_scope_all_svm_devices.
  return Call.arg_size() == 1 || (Scope && *Scope >= 1 && *Scope <= 3);
}

namespace {
enum class Orders { Nothing, Relaxed, Others };
} // namespace

/// The operand that is the order (on success) of OpenCL C 2.0's \p Name.
static unsigned orderOperand(StringRef Name) {
  if (Name.contains("load") || Name.contains("flag"))
    return 1;
  return Name.contains("compare_exchange") ? 3 : 2;
}

/// Whether \p Call is an atomic operation, and if so, whether it orders others.
static Orders atomicOrder(const CallBase &Call, StringRef Name) {
  // SPIR-V's: pointer, scope, semantics. Without bits of an order it is
  // relaxed.
  if (Name.starts_with("Atomic")) {
    constexpr uint64_t AnyOrder = 0x1E;
    const auto Semantics = constantOperand(Call, 2);
    return Semantics && !(*Semantics & AnyOrder) ? Orders::Relaxed
                                                 : Orders::Others;
  }
  if (Name.starts_with("atom_"))
    return Orders::Relaxed;
  if (!Name.starts_with("atomic_") || Name == "atomic_init" ||
      Name == "atomic_work_item_fence")
    return Orders::Nothing;
  // OpenCL C 2.0's are sequentially consistent if they do not say otherwise.
  if (Name.ends_with("_explicit")) {
    // memory_order_relaxed is 0.
    return constantOperand(Call, orderOperand(Name)) == 0 &&
                   (!Name.contains("compare_exchange") ||
                    constantOperand(Call, 4) == 0)
               ? Orders::Relaxed
               : Orders::Others;
  }
  const bool Is20 = Name.contains("fetch") || Name == "atomic_load" ||
                    Name == "atomic_store" || Name == "atomic_exchange" ||
                    Name.contains("compare_exchange") || Name.contains("flag");
  return Is20 ? Orders::Others : Orders::Relaxed;
}

static Orders atomicOrder(const Instruction &I, const Target &T) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return atomicOrder(*Call, builtinOf(*Call, T));
  if (!I.isAtomic() || isa<FenceInst>(I))
    return Orders::Nothing;
  auto IsRelaxed = [](AtomicOrdering Order) {
    return !isStrongerThan(Order, AtomicOrdering::Monotonic);
  };
  bool Relaxed = false;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    Relaxed = IsRelaxed(Load->getOrdering());
  else if (const auto *Store = dyn_cast<StoreInst>(&I))
    Relaxed = IsRelaxed(Store->getOrdering());
  else if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
    Relaxed = IsRelaxed(Update->getOrdering());
  else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    Relaxed = IsRelaxed(Exchange->getMergedOrdering());
  return Relaxed ? Orders::Relaxed : Orders::Others;
}

/// A barrier whose scope is wider than its work-group is one to other groups.
static bool isFence(const Instruction &I, const Target &T) {
  if (isa<FenceInst>(I))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (Call && isWorkGroupBarrier(*Call, T))
    return fenceOf(*Call, T).isWiderThanWorkGroup();
  const StringRef Name = Call ? builtinOf(*Call, T) : "";
  return Name.ends_with("mem_fence") || Name == "atomic_work_item_fence" ||
         Name == "MemoryBarrier";
}

std::string warpsan::whyNotJudged(const Function &Kernel, const Target &T) {
  bool HasAtomics = false, HasFences = false;
  for (const Instruction &I : instructions(Kernel)) {
    const Orders Order = atomicOrder(I, T);
    if (Order == Orders::Others)
      return "its atomics acquire or release";
    HasAtomics |= Order == Orders::Relaxed;
    HasFences |= isFence(I, T);
    const auto *Call = dyn_cast<CallBase>(&I);
    if (Call && scopeOf(*Call, T) == CollectiveScope::SubGroup)
      return "it calls functions of sub-groups";
  }
  return HasAtomics && HasFences ? "it has fences and atomics" : "";
}

bool warpsan::isWithinWorkGroup(const Instruction &I, const Target &T) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call) {
    const std::optional<SyncScope::ID> Scope = getAtomicSyncScopeID(&I);
    SmallVector<StringRef, 8> Names;
    I.getContext().getSyncScopeNames(Names);
    return Scope && (Names[*Scope].contains("group") ||
                     Names[*Scope].contains("singlethread"));
  }
  const StringRef Name = builtinOf(*Call, T);
  // SPIR-V's scopes are 2 for a work-group and larger for less.
  if (Name.starts_with("Atomic"))
    return constantOperand(*Call, 1).value_or(0) > 2;
  if (!Name.starts_with("atomic_") || !Name.ends_with("_explicit"))
    return false;
  // The last operand, if there is one behind the orders.
  const unsigned Orders = Name.contains("compare_exchange") ? 2 : 1;
  const auto Scope = constantOperand(*Call, orderOperand(Name) + Orders);
  constexpr uint64_t Device = 2, AllDevices = 3;
  return Scope && *Scope != Device && *Scope != AllDevices;
}

bool warpsan::mayFail(const Instruction &I, const Target &T) {
  if (isa<AtomicCmpXchgInst>(I))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  const StringRef Name = Call ? builtinOf(*Call, T) : "";
  return Name == "atomic_cmpxchg" || Name == "atom_cmpxchg" ||
         Name.starts_with("atomic_compare_exchange") ||
         Name.starts_with("AtomicCompareExchange");
}

Value *warpsan::hasSucceeded(Instruction &I, IRBuilderBase &Build) {
  if (isa<AtomicCmpXchgInst>(I))
    return Build.CreateExtractValue(&I, 1);
  auto &Call = cast<CallBase>(I);
  // OpenCL C 2.0's say so. Those of OpenCL C 1.x (pointer, comparator, value)
  // and SPIR-V's (.., value, comparator) return what was there.
  if (Call.getArgOperand(1)->getType()->isPointerTy())
    return Build.CreateICmpNE(&Call, Constant::getNullValue(Call.getType()));
  const unsigned Comparator = Call.arg_size() == 3 ? 1 : Call.arg_size() - 1;
  return Build.CreateICmpEQ(&Call, Call.getArgOperand(Comparator));
}
