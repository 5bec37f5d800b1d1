//===- compiler/uniformity.cpp - do whole work-groups reach a barrier? ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/uniformity.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

using namespace llvm;
using namespace warpsan;

static StringRef builtinOf(const CallBase &Call, const Target &T) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? T.builtinName(*Callee) : "";
}

/// Of the whole work-group, if \p Call, a function of SPIR-V, says its scope.
static bool isOfWorkGroup(const CallBase &Call) {
  constexpr uint64_t Workgroup = 2;
  const auto *Scope =
      Call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return Scope && Scope->getZExtValue() == Workgroup;
}

bool warpsan::isCollective(const CallBase &Call, const Target &T) {
  const StringRef Name = builtinOf(Call, T);
  if (Name.starts_with("get_") || Name == "MemoryBarrier")
    return false;
  // PoCL implements the functions of sub-groups by barriers of the work-group.
  return Name.contains("barrier") || Name.contains("Barrier") ||
         Name.contains("work_group") || Name.contains("sub_group") ||
         Name == "wait_group_events" || Name.starts_with("Group") ||
         StringSwitch<bool>(Name)
             .StartsWith("SubgroupShuffle", true)
             .StartsWith("SubgroupBlock", true)
             .StartsWith("SubgroupImage", true)
             .StartsWith("SubgroupAvc", true)
             .Default(false);
}

/// Its result is the same for all work-items of a work-group, whatever they
/// pass to it.
static bool isSameForGroup(const CallBase &Call, const Target &T) {
  const StringRef Name = builtinOf(Call, T);
  constexpr uint64_t Reduce = 0;
  auto Reduces = [&] {
    const auto *Operation = Call.arg_size() < 2
                                ? nullptr
                                : dyn_cast<ConstantInt>(Call.getArgOperand(1));
    return Operation && Operation->getZExtValue() == Reduce;
  };
  if (Name.starts_with("GroupNonUniform"))
    return false;
  if (Name == "GroupAll" || Name == "GroupAny" || Name == "GroupBroadcast")
    return isOfWorkGroup(Call);
  if (Name.starts_with("Group") &&
      (Name.ends_with("Add") || Name.ends_with("Min") || Name.ends_with("Max")))
    return isOfWorkGroup(Call) && Reduces();
  return Name == "work_group_all" || Name == "work_group_any" ||
         Name == "work_group_broadcast" ||
         Name.starts_with("work_group_reduce_");
}

/// Its result is the same for all work-items of a work-group that pass the same
/// to it.
static bool isFunctionOfOperands(const CallBase &Call, const Target &T) {
  const StringRef Name = builtinOf(Call, T);
  if (Name.empty())
    return isa<IntrinsicInst>(Call) && Call.doesNotAccessMemory();
  if (StringSwitch<bool>(Name)
          .Cases("get_group_id", "get_num_groups", "get_global_size",
                 "get_local_size", "get_enqueued_local_size", true)
          .Cases("get_global_offset", "get_work_dim", "get_num_sub_groups",
                 "get_enqueued_num_sub_groups", "get_max_sub_group_size", true)
          .Cases("WorkgroupId", "NumWorkgroups", "GlobalSize", "WorkgroupSize",
                 "EnqueuedWorkgroupSize", true)
          .Cases("GlobalOffset", "WorkDim", "NumSubgroups",
                 "NumEnqueuedSubgroups", "SubgroupMaxSize", true)
          .StartsWith("get_image_", true)
          .Default(false))
    return true;
  // Lower-case names are of OpenCL C and of SPIR-V's instructions for it. Names
  // of SPIR-V's own are also those of its variables, which may be ids. Not all
  // that calculate with numbers alone are declared to do so.
  auto IsNumber = [](const Use &U) {
    return U->getType()->getScalarType()->isIntegerTy() ||
           U->getType()->getScalarType()->isFloatingPointTy();
  };
  return isLower(Name.front()) && !Name.starts_with("get_") &&
         !isCollective(Call, T) &&
         (Call.doesNotAccessMemory() ||
          (!Call.arg_empty() && all_of(Call.args(), IsNumber)));
}

/// \p Arg, which is passed by value, is nowhere written to.
static bool isOnlyRead(const Argument &Arg) {
  SmallVector<const Value *, 8> Work = {&Arg};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      if (isa<LoadInst>(U))
        continue;
      if (!isa<GEPOperator>(U) && !isa<BitCastOperator>(U))
        return false;
      Work.push_back(U);
    }
  return true;
}

/// Reads what nothing writes while the kernel runs.
static bool readsConstant(const LoadInst &Load, const Target &T) {
  if (!Load.isSimple())
    return false;
  if (T.spaceOf(Load.getPointerAddressSpace()) == Space::Constant)
    return true;
  const auto *Arg =
      dyn_cast<Argument>(getUnderlyingObject(Load.getPointerOperand()));
  return Arg && Arg->hasByValAttr() && isOnlyRead(*Arg);
}

namespace {
/// Tells LLVM's analysis where values differ between work-items of a
/// work-group. Everything that is not known to be a function of its operands
/// does.
class WorkGroupModel : public TargetTransformInfoImplCRTPBase<WorkGroupModel> {
public:
  WorkGroupModel(const DataLayout &Layout, const Target &T)
      : TargetTransformInfoImplCRTPBase(Layout), T(&T) {}

  bool hasBranchDivergence(const Function * /*F*/ = nullptr) const {
    return true;
  }
  bool isSourceOfDivergence(const Value *V) const {
    if (const auto *Call = dyn_cast<CallBase>(V))
      return !isSameForGroup(*Call, *T) && !isFunctionOfOperands(*Call, *T);
    if (const auto *Load = dyn_cast<LoadInst>(V))
      return !readsConstant(*Load, *T);
    return isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst, VAArgInst>(V);
  }
  bool isAlwaysUniform(const Value *V) const {
    const auto *Call = dyn_cast<CallBase>(V);
    return Call && isSameForGroup(*Call, *T);
  }

private:
  const Target *T;
};
} // namespace

/// True if each block of \p F that can be reached can reach an exit: only then
/// post-dominators say what decides on what.
static bool alwaysEnds(Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Ends;
  for (BasicBlock &Block : F)
    if (succ_empty(&Block))
      for (BasicBlock *Before : inverse_depth_first(&Block))
        Ends.insert(Before);
  return all_of(depth_first(&F.getEntryBlock()),
                [&](const BasicBlock *Block) { return Ends.contains(Block); });
}

std::vector<DivergentBranch> warpsan::divergentBranches(Function &Kernel,
                                                        const Target &T) {
  std::vector<const CallBase *> Calls;
  for (BasicBlock &Block : Kernel)
    for (Instruction &I : Block)
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && isCollective(*Call, T))
        Calls.push_back(Call);
  if (Calls.empty())
    return {};
  FunctionAnalysisManager Analyses;
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return DominatorTreeAnalysis(); });
  Analyses.registerPass([] { return CycleAnalysis(); });
  Analyses.registerPass([] { return UniformityInfoAnalysis(); });
  Analyses.registerPass([&] {
    return TargetIRAnalysis([&](const Function &F) {
      return TargetTransformInfo(WorkGroupModel(F.getDataLayout(), T));
    });
  });
  auto &Uniformity = Analyses.getResult<UniformityInfoAnalysis>(Kernel);

  PostDominatorTree PostDominators(Kernel);
  const bool Ends = alwaysEnds(Kernel);
  DenseMap<const BasicBlock *, const CallBase *> DecidesOn;
  for (const CallBase *Call : Calls) {
    // All that its block is control dependent on, and those in turn.
    SmallPtrSet<BasicBlock *, 1> From = {
        const_cast<BasicBlock *>(Call->getParent())};
    SmallVector<BasicBlock *, 16> Deciding;
    ReverseIDFCalculator Frontier(PostDominators);
    Frontier.setDefiningBlocks(From);
    Frontier.calculate(Deciding);
    if (!Ends)
      for (BasicBlock &Block : Kernel)
        Deciding.push_back(&Block);
    for (const BasicBlock *Block : Deciding)
      DecidesOn.try_emplace(Block, Call);
  }
  std::vector<DivergentBranch> Found;
  for (BasicBlock &Block : Kernel)
    if (auto It = DecidesOn.find(&Block);
        It != DecidesOn.end() && Uniformity.hasDivergentTerminator(Block))
      Found.push_back({Block.getTerminator(), It->second});
  return Found;
}
