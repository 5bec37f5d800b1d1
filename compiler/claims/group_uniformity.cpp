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
/// Finds where diverged control flow may reconverge.
class JoinFinder {
public:
  explicit JoinFinder(Function &Kernel) : Order(&Kernel) {
    for (BasicBlock *Block : Order)
      Number[Block] = static_cast<unsigned>(Number.size()) + 1;
  }
  /// The blocks that work-items may enter together that left \p From to
  /// different successors, up to \p End, which all of them come to. Null: there
  /// is no such block.
  SmallVector<BasicBlock *, 8> joinsOf(BasicBlock &From, const BasicBlock *End);

private:
  unsigned labelOf(BasicBlock &Block, const BasicBlock &From,
                   const BasicBlock *End) const;

  ReversePostOrderTraversal<Function *> Order;
  DenseMap<const BasicBlock *, unsigned> Number; ///< from 1
  /// By block: the number of the last join on each path to it, or, above those,
  /// of From's successor; 0: not reached.
  DenseMap<const BasicBlock *, unsigned> Labels;
};
} // namespace

/// 0: not reached.
unsigned JoinFinder::labelOf(BasicBlock &Block, const BasicBlock &From,
                             const BasicBlock *End) const {
  unsigned Found = 0;
  for (const BasicBlock *Before : predecessors(&Block)) {
    const unsigned Label =
        Before == &From
            ? static_cast<unsigned>(Number.size()) + Number.lookup(&Block)
        : Before == End ? 0
                        : Labels.lookup(Before);
    if (Label && Found && Label != Found)
      return Number.lookup(&Block);
    Found = Label ? Label : Found;
  }
  return Found;
}

SmallVector<BasicBlock *, 8> JoinFinder::joinsOf(BasicBlock &From,
                                                 const BasicBlock *End) {
  // More rounds than loops are nested; then what is a join stays one.
  constexpr unsigned MaxIterations = 16;
  Labels.clear();
  bool Changed = true;
  for (unsigned Round = 0; Changed; ++Round) {
    Changed = false;
    for (BasicBlock *Block : Order) {
      if (Round > MaxIterations && Labels.lookup(Block) == Number.lookup(Block))
        continue;
      const unsigned Label = labelOf(*Block, From, End);
      Changed |= Label != Labels.lookup(Block);
      Labels[Block] = Label;
    }
  }
  SmallVector<BasicBlock *, 8> Joins;
  for (BasicBlock *Block : Order)
    if (Labels.lookup(Block) == Number.lookup(Block))
      Joins.push_back(Block);
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
