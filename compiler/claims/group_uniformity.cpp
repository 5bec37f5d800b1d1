//===- compiler/claims/group_uniformity.cpp - divergence in a work-group
//------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/group_uniformity.h"

#include "compiler/claims/uniformity.h"
#include "compiler/pointers/byval_args.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassInstrumentation.h"

#include <vector>

using namespace llvm;
using namespace warpsan;

/// True if the result is uniform in a work-group if the operands are.
static bool isFunctionOfOperands(const CallBase &Call, const Target &T) {
  const StringRef Name = builtinOf(Call, T);
  if (Name.empty())
    return isa<IntrinsicInst>(Call) && Call.doesNotAccessMemory();
  const std::optional<WorkItemQuery> Query = workItemQuery(Name);
  if ((Query && isUniform(*Query)) || Name.starts_with("get_image_"))
    return true;
  // Lower-case names belong to OpenCL C and to SPIR-V's extended instructions.
  // SPIR-V's own names may be variables, such as IDs. Not every arithmetic
  // builtin is declared to access no memory.
  auto IsNumber = [](const Use &U) {
    return U->getType()->getScalarType()->isIntegerTy() ||
           U->getType()->getScalarType()->isFloatingPointTy();
  };
  return isLower(Name.front()) && !Name.starts_with("get_") &&
         !isCollective(Call, T) &&
         (Call.doesNotAccessMemory() ||
          (!Call.arg_empty() && all_of(Call.args(), IsNumber)));
}

/// True if nothing writes the loaded memory while the kernel runs.
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
/// Tells LLVM's uniformity analysis which values may differ in a work-group:
/// all that are not known to be functions of their operands, and \p Added.
class WorkGroupModel : public TargetTransformInfoImplCRTPBase<WorkGroupModel> {
public:
  WorkGroupModel(const DataLayout &Layout, const Target &T,
                 const SmallPtrSetImpl<const Value *> &Added)
      : TargetTransformInfoImplCRTPBase(Layout), T(&T), Added(&Added) {}

  bool hasBranchDivergence(const Function * /*F*/ = nullptr) const {
    return true;
  }
  bool isSourceOfDivergence(const Value *V) const {
    if (Added->contains(V))
      return true;
    if (const auto *Call = dyn_cast<CallBase>(V))
      return !hasUniformResult(*Call, *T) && !isFunctionOfOperands(*Call, *T);
    if (const auto *Load = dyn_cast<LoadInst>(V))
      return !readsConstant(*Load, *T);
    return isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst, VAArgInst>(V);
  }
  bool isAlwaysUniform(const Value *V) const {
    const auto *Call = dyn_cast<CallBase>(V);
    return Call && hasUniformResult(*Call, *T);
  }

private:
  const Target *T;
  const SmallPtrSetImpl<const Value *> *Added;
};
} // namespace

void GroupUniformity::analyze() {
  Analyses.clear();
  Result = &Analyses.getResult<UniformityInfoAnalysis>(Kernel);
}

namespace {
/// Finds where diverged control flow may reconverge. Of large kernels all
/// divergent blocks are asked about, so blocks are numbers here: from 1, in
/// reverse post-order.
class JoinFinder {
public:
  explicit JoinFinder(Function &Kernel);
  /// The blocks that work-items may enter together that left \p From to
  /// different successors, up to \p End, which all of them come to. Null: there
  /// is no such block. \p End must be the same for each call with \p From.
  const SmallVector<BasicBlock *, 4> &joinsOf(const BasicBlock &From,
                                              const BasicBlock *End);

private:
  unsigned labelOf(unsigned Block, unsigned From, unsigned End) const;

  std::vector<BasicBlock *> Blocks;               ///< by number
  std::vector<SmallVector<unsigned, 2>> Before;   ///< predecessors, by number
  DenseMap<const BasicBlock *, unsigned> Numbers; ///< none: not reachable
  /// By number: the number of the last join on each path to the block, or,
  /// above those, of From's successor; 0: not reached.
  std::vector<unsigned> Labels;
  DenseMap<const BasicBlock *, SmallVector<BasicBlock *, 4>> Known;
};
} // namespace

JoinFinder::JoinFinder(Function &Kernel) : Blocks(1), Before(1) {
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&Kernel)) {
    Numbers[Block] = static_cast<unsigned>(Blocks.size());
    Blocks.push_back(Block);
  }
  for (const BasicBlock *Block : drop_begin(Blocks)) {
    SmallVector<unsigned, 2> &Into = Before.emplace_back();
    for (const BasicBlock *Each : predecessors(Block))
      if (const unsigned Number = Numbers.lookup(Each))
        Into.push_back(Number);
  }
}

/// 0: not reached.
unsigned JoinFinder::labelOf(unsigned Block, unsigned From,
                             unsigned End) const {
  unsigned Found = 0;
  for (const unsigned Each : Before[Block]) {
    const unsigned Label = Each == From
                               ? static_cast<unsigned>(Blocks.size()) + Block
                           : Each == End ? 0
                                         : Labels[Each];
    if (Label && Found && Label != Found)
      return Block;
    Found = Label ? Label : Found;
  }
  return Found;
}

const SmallVector<BasicBlock *, 4> &JoinFinder::joinsOf(const BasicBlock &From,
                                                        const BasicBlock *End) {
  const auto [It, New] = Known.try_emplace(&From);
  SmallVector<BasicBlock *, 4> &Joins = It->second;
  if (!New)
    return Joins;
  // More rounds than loops are nested; then what is a join stays one.
  constexpr unsigned MaxIterations = 16;
  const unsigned FromNumber = Numbers.lookup(&From);
  const unsigned EndNumber = End ? Numbers.lookup(End) : 0;
  Labels.assign(Blocks.size(), 0);
  bool Changed = true;
  for (unsigned Round = 0; Changed; ++Round) {
    Changed = false;
    for (unsigned Block = 1; Block < Blocks.size(); ++Block) {
      if (Round > MaxIterations && Labels[Block] == Block)
        continue;
      const unsigned Label = labelOf(Block, FromNumber, EndNumber);
      Changed |= Label != Labels[Block];
      Labels[Block] = Label;
    }
  }
  for (unsigned Block = 1; Block < Blocks.size(); ++Block)
    if (Labels[Block] == Block)
      Joins.push_back(Blocks[Block]);
  return Joins;
}

/// LLVM does not take a value for divergent that is one constant where a loop
/// ends and another where a part of the work-group leaves it before. Adds such
/// phis and analyzes again until there are no more.
void GroupUniformity::analyzeWithJoins() {
  const PostDominatorTree PostDominators(Kernel);
  JoinFinder Finder(Kernel);
  size_t Before = 0;
  do {
    analyze();
    Before = Added.size();
    for (BasicBlock &Block : Kernel) {
      const auto *Node = PostDominators.getNode(&Block);
      if (!Node || !isDivergent(Block))
        continue;
      const auto *End = Node->getIDom();
      for (BasicBlock *Join :
           Finder.joinsOf(Block, End ? End->getBlock() : nullptr))
        for (const PHINode &Phi : Join->phis())
          if (!Result->isDivergent(&Phi) && !Phi.hasConstantValue())
            Added.insert(&Phi);
    }
  } while (Added.size() > Before);
}

GroupUniformity::GroupUniformity(Function &Kernel, const Target &T)
    : Kernel(Kernel), T(T) {
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return DominatorTreeAnalysis(); });
  Analyses.registerPass([] { return CycleAnalysis(); });
  Analyses.registerPass([] { return UniformityInfoAnalysis(); });
  Analyses.registerPass([this] {
    return TargetIRAnalysis([this](const Function &F) {
      return TargetTransformInfo(
          WorkGroupModel(F.getDataLayout(), this->T, Added));
    });
  });
  analyzeWithJoins();
}
