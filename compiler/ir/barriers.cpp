//===- compiler/ir/barriers.cpp - barriers of a work-group ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/barriers.h"

#include "compiler/ir/collectives.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;
using namespace warpsan;

// SPIR-V's scopes and memory semantics.
static constexpr uint32_t CrossDevice = 0, Device = 1, Workgroup = 2;
static constexpr uint32_t AcquireRelease = 0x8, SequentiallyConsistent = 0x10;
static constexpr uint32_t WorkgroupMemory = 0x100, CrossWorkgroupMemory = 0x200;
static constexpr uint32_t ImageMemory = 0x800;

bool warpsan::hasConstantFence(const CallBase &Barrier) {
  return all_of(Barrier.args(),
                [](const Value *Operand) { return isa<Constant>(Operand); });
}

Fence Fence::operator|(const Fence &Other) const {
  return {std::min(Scope, Other.Scope), Images || Other.Images,
          Sequential || Other.Sequential};
}

static bool isSpirvBarrier(const CallBase &Barrier, const Target &T) {
  return builtinOf(Barrier, T) == "ControlBarrier";
}

/// SPIR-V's memory semantics, or OpenCL C's cl_mem_fence_flags.
static std::optional<uint64_t> fenceFlagsOf(const CallBase &Barrier,
                                            const Target &T) {
  return constantOperand(Barrier, isSpirvBarrier(Barrier, T) ? 2 : 0);
}

/// i1 of \p Flags: some bit of \p Any is set.
static Value *hasAny(IRBuilderBase &Build, Value *Flags, uint64_t Any) {
  Value *Bits = Build.CreateAnd(Flags, ConstantInt::get(Flags->getType(), Any));
  return Build.CreateICmpNE(Bits, ConstantInt::get(Flags->getType(), 0));
}

Value *warpsan::fences(IRBuilderBase &Build, const CallBase &Barrier,
                       Space Memory, const Target &T) {
  const bool IsSpirv = isSpirvBarrier(Barrier, T);
  Value *Flags = Barrier.getArgOperand(IsSpirv ? 2 : 0);
  // CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE are 1 and 2. Without an order
  // SPIR-V's orders no memory.
  constexpr uint64_t AnyOrder = 0x1E;
  if (!IsSpirv)
    return hasAny(Build, Flags, Memory == Space::Local ? 1 : 2);
  return Build.CreateAnd(
      hasAny(Build, Flags, AnyOrder),
      hasAny(Build, Flags,
             Memory == Space::Local ? WorkgroupMemory : CrossWorkgroupMemory));
}

bool warpsan::mayFence(const CallBase &Barrier, Space Memory, const Target &T) {
  if (!fenceFlagsOf(Barrier, T))
    return true;
  IRBuilder<> Folds(Barrier.getContext());
  return cast<ConstantInt>(fences(Folds, Barrier, Memory, T))->isOne();
}

Fence warpsan::fenceOf(const CallBase &Barrier, const Target &T) {
  const bool IsSpirv = isSpirvBarrier(Barrier, T);
  constexpr uint64_t ImageFlag = 4; // CLK_IMAGE_MEM_FENCE
  const auto Flags = fenceFlagsOf(Barrier, T);
  Fence For;
  For.Images = !Flags || *Flags & (IsSpirv ? ImageMemory : ImageFlag);
  For.Sequential = IsSpirv && (!Flags || *Flags & SequentiallyConsistent);
  if (IsSpirv) {
    For.Scope = static_cast<uint32_t>(
        constantOperand(Barrier, 1).value_or(CrossDevice));
  } else if (Barrier.arg_size() > 1) {
    // OpenCL C's memory_scope_device is 2, memory_scope_all_svm_devices 3.
    const uint64_t Wide = constantOperand(Barrier, 1).value_or(3);
    For.Scope = Wide == 3 ? CrossDevice : Wide == 2 ? Device : Workgroup;
  }
  For.Scope = std::min(For.Scope, Workgroup);
  return For;
}

void warpsan::makeBarrier(IRBuilder<> &Build, Module &Program, Fence For) {
  Type *I32 = Build.getInt32Ty();
  auto *Barrier =
      cast<Function>(Program
                         .getOrInsertFunction("_Z22__spirv_ControlBarrierjjj",
                                              Build.getVoidTy(), I32, I32, I32)
                         .getCallee());
  Barrier->setCallingConv(CallingConv::SPIR_FUNC);
  Barrier->setConvergent();
  CallInst *Call = Build.CreateCall(
      Barrier, {Build.getInt32(Workgroup), Build.getInt32(For.Scope),
                Build.getInt32(
                    (For.Sequential ? SequentiallyConsistent : AcquireRelease) |
                    WorkgroupMemory | CrossWorkgroupMemory |
                    (For.Images ? ImageMemory : 0))});
  Call->setCallingConv(CallingConv::SPIR_FUNC);
  Call->setConvergent();
}

const Instruction *warpsan::barrierIn(const llvm::Loop &L, const Target &T) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const auto *Call = dyn_cast<CallInst>(&I);
          Call && isWorkGroupBarrier(*Call, T) && hasConstantFence(*Call))
        return Call;
  return nullptr;
}

void warpsan::makeFencesConstant(Module &Program, const Target &T) {
  for (Function &Kernel : Program)
    for (Instruction &I : make_early_inc_range(instructions(Kernel)))
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && isWorkGroupBarrier(*Call, T) && !hasConstantFence(*Call)) {
        IRBuilder<> Build(Call);
        makeBarrier(Build, Program, fenceOf(*Call, T));
        Call->eraseFromParent();
      }
}
