//===- compiler/checks/dependences.cpp - accesses that loaded values decide
// ------------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/dependences.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace warpsan;

/// Of one kernel: values and blocks that are visited, over all accesses. A few
/// milliseconds.
static constexpr unsigned MaxSteps = 100000;
/// Of one access.
static constexpr size_t MaxReads = 32;

namespace {

/// Backward slices of one kernel. What a slice has to visit are instructions,
/// whose values it needs, and blocks: whether they are reached.
class Slicer {
public:
  Slicer(Function &Kernel, ArrayRef<Access> Accesses);

  /// What \p Accesses[Number] depends on.
  std::vector<unsigned> readsOf(unsigned Number);

  /// All steps were taken; what was returned is not complete.
  bool gaveUp() const { return Steps >= MaxSteps; }

private:
  void findDeciders(Function &Kernel);
  const SmallVector<Instruction *, 4> &writersOf(AllocaInst &Variable);
  void add(Value *Each);
  void addLoaded(Value *Pointer);
  void visit(Instruction &I);
  void visit(const BasicBlock &Block);

  ArrayRef<Access> Accesses;
  /// Instructions that are reads, and their numbers.
  DenseMap<const Instruction *, SmallVector<unsigned, 1>> Reads;
  /// Blocks whose branches control a block.
  DenseMap<const BasicBlock *, SmallVector<BasicBlock *, 2>> Deciders;
  DenseMap<const AllocaInst *, SmallVector<Instruction *, 4>> Writers;
  unsigned Steps = 0;

  // The slice that is being made, of access Of.
  unsigned Of = 0;
  SmallVector<Instruction *, 32> Values; ///< to be visited
  SmallVector<BasicBlock *, 16> Blocks;  ///< to be visited after them
  SmallPtrSet<Value *, 32> Seen;         ///< of both
  std::vector<unsigned> Found;
  SmallPtrSet<const BasicBlock *, 8> FoundIn; ///< blocks of those before Of
};

} // namespace

/// What \p Block's branch or switch looks at; null if it has one successor or
/// none.
static Value *conditionOf(const BasicBlock &Block) {
  const Instruction *End = Block.getTerminator();
  if (const auto *Branch = dyn_cast<BranchInst>(End))
    return Branch->isConditional() ? Branch->getCondition() : nullptr;
  if (const auto *Switch = dyn_cast<SwitchInst>(End))
    return Switch->getCondition();
  return nullptr;
}

Slicer::Slicer(Function &Kernel, ArrayRef<Access> Accesses)
    : Accesses(Accesses) {
  for (const auto &[Number, A] : enumerate(Accesses))
    if (A.Reads && A.Known)
      Reads[A.At].push_back(Number);
  if (!Reads.empty())
    findDeciders(Kernel);
}

/// A block is controlled by a branch if one of its directions leads there
/// without fail, and the branch itself does not (Ferrante, Ottenstein and
/// Warren, 1987).
void Slicer::findDeciders(Function &Kernel) {
  const PostDominatorTree Tree(Kernel);
  for (BasicBlock &From : Kernel) {
    if (!conditionOf(From))
      continue;
    const DomTreeNode *Own = Tree.getNode(&From);
    const DomTreeNode *Stop = Own ? Own->getIDom() : nullptr;
    for (const BasicBlock *To : successors(&From))
      for (const DomTreeNode *Node = Tree.getNode(To);
           Node && Node != Stop && Node->getBlock() && !gaveUp();
           Node = Node->getIDom(), ++Steps) {
        auto &Known = Deciders[Node->getBlock()];
        if (Known.empty() || Known.back() != &From)
          Known.push_back(&From);
      }
  }
}

void Slicer::add(Value *Each) {
  if (!Each || !isa<Instruction, BasicBlock>(Each) || !Seen.insert(Each).second)
    return;
  if (auto *Block = dyn_cast<BasicBlock>(Each))
    Blocks.push_back(Block);
  else
    Values.push_back(cast<Instruction>(Each));
}

/// Instructions that write to \p Variable through an address that is made of
/// it directly.
const SmallVector<Instruction *, 4> &Slicer::writersOf(AllocaInst &Variable) {
  auto [It, New] = Writers.try_emplace(&Variable);
  SmallVector<Instruction *, 4> &All = It->second;
  if (!New)
    return All;
  SmallVector<Instruction *, 8> Addresses = {&Variable};
  while (!Addresses.empty()) {
    const Instruction *Address = Addresses.pop_back_val();
    for (const Use &Each : Address->uses()) {
      ++Steps;
      auto *User = cast<Instruction>(Each.getUser());
      if (isa<GetElementPtrInst, CastInst>(User)) {
        Addresses.push_back(User);
      } else if (auto *Store = dyn_cast<StoreInst>(User)) {
        if (Store->getPointerOperandIndex() == Each.getOperandNo())
          All.push_back(Store);
      } else if (auto *Copy = dyn_cast<MemTransferInst>(User)) {
        if (Copy->getRawDest() == Address)
          All.push_back(Copy);
      } else if (isa<CallBase, AtomicRMWInst, AtomicCmpXchgInst>(User) &&
                 User->mayWriteToMemory() && !User->isLifetimeStartOrEnd()) {
        All.push_back(User);
      }
    }
  }
  return All;
}

/// What may have been stored in a variable at \p Pointer.
void Slicer::addLoaded(Value *Pointer) {
  auto *Variable =
      Pointer ? dyn_cast<AllocaInst>(getUnderlyingObject(Pointer)) : nullptr;
  if (!Variable)
    return;
  for (Instruction *Writer : writersOf(*Variable)) {
    add(Writer);
    add(Writer->getParent());
    ++Steps;
  }
}

void Slicer::visit(Instruction &I) {
  if (auto It = Reads.find(&I); It != Reads.end()) {
    for (unsigned Number : It->second) {
      addLoaded(Accesses[Number].Pointer);
      if (Number != Of)
        Found.push_back(Number);
      if (Number < Of)
        FoundIn.insert(I.getParent());
    }
    return;
  }
  if (auto *Phi = dyn_cast<PHINode>(&I))
    for (BasicBlock *From : Phi->blocks()) {
      add(From);
      add(conditionOf(*From));
    }
  for (Value *Operand : I.operands())
    add(Operand);
}

/// Adds the conditions under which \p Block is reached. Nothing if a read of
/// this slice is there: what that depends on has them. Only reads before Of
/// count, so that no two leave them to each other.
void Slicer::visit(const BasicBlock &Block) {
  auto It = Deciders.find(&Block);
  if (It == Deciders.end() || FoundIn.contains(&Block))
    return;
  for (BasicBlock *Decider : It->second) {
    add(conditionOf(*Decider));
    add(Decider);
  }
}

std::vector<unsigned> Slicer::readsOf(unsigned Number) {
  const Access &A = Accesses[Number];
  Of = Number;
  Values.clear();
  Blocks.clear();
  Seen.clear();
  Found.clear();
  FoundIn.clear();
  if (!A.Known || Reads.empty())
    return {};
  for (Value *Each : {A.Pointer, A.Index, A.Count, A.Stride, A.Coordinate})
    add(Each);
  add(A.At->getParent());
  for (; Found.size() < MaxReads && !gaveUp(); ++Steps)
    if (!Values.empty())
      visit(*Values.pop_back_val());
    else if (!Blocks.empty())
      visit(*Blocks.pop_back_val());
    else
      break;
  if (Found.size() > MaxReads)
    Found.resize(MaxReads);
  llvm::sort(Found);
  return Found;
}

std::vector<std::vector<unsigned>>
warpsan::dependences(Function &Kernel, ArrayRef<Access> Accesses) {
  std::vector<std::vector<unsigned>> Result(Accesses.size());
  Slicer Slices(Kernel, Accesses);
  for (unsigned I = 0; I < Accesses.size() && !Slices.gaveUp(); ++I)
    Result[I] = Slices.readsOf(I);
  if (Slices.gaveUp())
    Result.assign(Accesses.size(), {});
  return Result;
}
