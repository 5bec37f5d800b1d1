//===- compiler/pointers/escaping_addresses.cpp - addresses that may outlive
// their variables --------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/escaping_addresses.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>

using namespace llvm;
using namespace warpsan;

static constexpr StringLiteral MarkName = "warpsan.taken";

Value *warpsan::markedBy(const Value *Pointer) {
  const auto *Call = dyn_cast<CallInst>(Pointer);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == MarkName ? Call->getArgOperand(0)
                                                 : nullptr;
}

SmallVector<CallInst *, 8> warpsan::marksIn(Function &F) {
  SmallVector<CallInst *, 8> Marks;
  if (Function *Mark = F.getParent()->getFunction(MarkName))
    for (User *U : Mark->users())
      if (auto *Call = cast<CallInst>(U); Call->getFunction() == &F)
        Marks.push_back(Call);
  return Marks;
}

SmallVector<LifetimeIntrinsic *, 4> warpsan::markersOf(Value &Variable) {
  SmallVector<LifetimeIntrinsic *, 4> Markers;
  for (User *U : Variable.users())
    if (auto *Marker = dyn_cast<LifetimeIntrinsic>(U))
      Markers.push_back(Marker);
  return Markers;
}

static void dropMark(CallInst &Mark) {
  Mark.replaceAllUsesWith(Mark.getArgOperand(0));
  Mark.eraseFromParent();
}

void warpsan::dropMarks(Function &F) {
  for (CallInst *Mark : marksIn(F))
    dropMark(*Mark);
  if (Function *Mark = F.getParent()->getFunction(MarkName);
      Mark && Mark->use_empty())
    Mark->eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Where addresses leave
//===----------------------------------------------------------------------===//

/// True for what computes an address of its first operand alone.
static bool derives(const User &U) {
  return isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst, FreezeInst>(U);
}

/// True if \p U does no more with an address than access what is there.
static bool onlyAccesses(const Use &U) {
  const auto *I = cast<Instruction>(U.getUser());
  if (const auto *Store = dyn_cast<StoreInst>(I))
    return U.getOperandNo() == Store->getPointerOperandIndex();
  if (isa<AtomicRMWInst>(I))
    return U.getOperandNo() == AtomicRMWInst::getPointerOperandIndex();
  if (isa<AtomicCmpXchgInst>(I))
    return U.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex();
  if (isa<LoadInst, ICmpInst>(I))
    return true;
  // A builtin. None keeps a pointer; some return the one they are given.
  const auto *Call = dyn_cast<CallInst>(I);
  return Call && Call->isArgOperand(&U) && !Call->getType()->isPointerTy();
}

namespace {

/// Marks the addresses of one variable.
class Marker {
public:
  explicit Marker(Value &Variable) : Variable(Variable) {}
  void mark(Use &Leaving);

private:
  Instruction *alive(Instruction *Before);
  Value *derivedAgain(Value *Address, Value *Base, Instruction *Before);

  Value &Variable;
  std::map<std::pair<Value *, BasicBlock *>, Value *> OnEdges;
};

} // namespace

/// \p Address, which is derived from the variable, derived from \p Base.
Value *Marker::derivedAgain(Value *Address, Value *Base, Instruction *Before) {
  if (Address == &Variable)
    return Base;
  auto *Step = cast<Instruction>(Address);
  Value *From = derivedAgain(Step->getOperand(0), Base, Before);
  Instruction *Again = Step->clone();
  Again->setOperand(0, From);
  Again->insertBefore(Before);
  return Again;
}

/// \p Before, or before the end of the variable that comes before it: what is
/// returned was an address when there still was one.
Instruction *Marker::alive(Instruction *Before) {
  for (Instruction *I = Before->getPrevNode(); I; I = I->getPrevNode())
    if (auto *Marker = dyn_cast<LifetimeIntrinsic>(I);
        Marker && Marker->getArgOperand(1) == &Variable)
      return Marker->getIntrinsicID() == Intrinsic::lifetime_end ? Marker
                                                                 : Before;
  return Before;
}

void Marker::mark(Use &Leaving) {
  auto *At = cast<Instruction>(Leaving.getUser());
  auto *Phi = dyn_cast<PHINode>(At);
  BasicBlock *Edge = Phi ? Phi->getIncomingBlock(Leaving) : nullptr;
  Value *Address = Leaving.get();
  // An edge that a switch has twice must bring the same value twice.
  Value **OnEdge = Phi ? &OnEdges[{Address, Edge}] : nullptr;
  if (OnEdge && *OnEdge)
    return Leaving.set(*OnEdge);
  Instruction *Before = Phi ? Edge->getTerminator() : At;
  FunctionCallee Mark = At->getModule()->getOrInsertFunction(
      MarkName, Variable.getType(), Variable.getType());
  auto *Call =
      CallInst::Create(Mark, {&Variable}, "", alive(Before)->getIterator());
  Call->addParamAttr(0, Attribute::Returned);
  Call->setDebugLoc(At->getDebugLoc());
  Value *Marked = derivedAgain(Address, Call, Before);
  if (OnEdge)
    *OnEdge = Marked;
  Leaving.set(Marked);
}

/// Where the addresses of \p Variable leave the expression that they are in,
/// marks among them.
static SmallVector<Use *, 8> leavingUses(Value &Variable) {
  SmallSetVector<Value *, 8> Addresses;
  Addresses.insert(&Variable);
  SmallVector<Use *, 8> Leaving;
  for (unsigned I = 0; I < Addresses.size(); ++I)
    for (Use &U : Addresses[I]->uses())
      if (derives(*U.getUser()))
        Addresses.insert(U.getUser());
      else if (!onlyAccesses(U))
        Leaving.push_back(&U);
  return Leaving;
}

static void markAddresses(Value &Variable) {
  Marker Put(Variable);
  for (Use *U : leavingUses(Variable))
    if (!markedBy(U->getUser()))
      Put.mark(*U);
}

//===----------------------------------------------------------------------===//
// Whether they come too late
//===----------------------------------------------------------------------===//

/// Accesses through pointers that came out of memory or of an integer.
static SmallPtrSet<Instruction *, 8> accessesFromMemory(Function &F) {
  SmallPtrSet<Instruction *, 8> Found;
  for (Instruction &I : instructions(F)) {
    if (!I.mayReadOrWriteMemory())
      continue;
    for (Use &U : I.operands()) {
      if (!U->getType()->isPointerTy() || !onlyAccesses(U))
        continue;
      SmallVector<const Value *, 4> Objects;
      getUnderlyingObjects(U, Objects, nullptr, /*MaxLookup=*/0);
      if (!all_of(Objects, [](const Value *V) {
            return isa<AllocaInst, Argument, Constant>(V) || markedBy(V);
          }))
        Found.insert(&I);
    }
  }
  return Found;
}

/// True if \p Accesses has one that is reached from \p From.
static bool reaches(Instruction &From,
                    const SmallPtrSetImpl<Instruction *> &Accesses) {
  auto Has = [&](auto Begin, auto End) {
    return any_of(make_range(Begin, End),
                  [&](Instruction &I) { return Accesses.contains(&I); });
  };
  if (Has(From.getIterator(), From.getParent()->end()))
    return true;
  SmallSetVector<BasicBlock *, 16> Reached(succ_begin(From.getParent()),
                                           succ_end(From.getParent()));
  for (unsigned I = 0; I < Reached.size(); ++I) {
    if (Has(Reached[I]->begin(), Reached[I]->end()))
      return true;
    Reached.insert(succ_begin(Reached[I]), succ_end(Reached[I]));
  }
  return false;
}

namespace {

/// The pointers that are made of one mark, and what becomes of them.
class MarkedPointers {
public:
  explicit MarkedPointers(CallInst &Mark);

  bool areAccessedTooLate();
  bool Leave = false; ///< into memory, an integer, or to the caller
  SmallVector<Instruction *, 4> Ends; ///< of the variable

private:
  void enterPhis(BasicBlock &Block, const BasicBlock *From,
                 const BitVector &Before, BitVector &After);
  bool pass(BasicBlock &Block, BitVector &Stale);
  int bitOf(Value *V) const;
  bool isStale(Value *V, const BitVector &Stale) const;

  CallInst &Mark;
  MapVector<Value *, unsigned> Pointers; ///< and their bits
  SmallPtrSet<Instruction *, 8> Accesses;
  /// What matters of each block, in its order, phis left out.
  DenseMap<BasicBlock *, SmallVector<Instruction *, 4>> Steps;
};

} // namespace

MarkedPointers::MarkedPointers(CallInst &Mark) : Mark(Mark) {
  Pointers.try_emplace(&Mark, 0);
  for (unsigned I = 0; I < Pointers.size(); ++I) {
    Value *Pointer = (Pointers.begin() + I)->first;
    for (Use &U : Pointer->uses()) {
      auto *To = cast<Instruction>(U.getUser());
      const auto *Call = dyn_cast<CallInst>(To);
      if (derives(*To) || isa<PHINode, SelectInst>(To) ||
          (Call && Call->getType()->isPointerTy()))
        Pointers.try_emplace(To, static_cast<unsigned>(Pointers.size()));
      else if (!onlyAccesses(U))
        Leave = true;
      if (!isa<ICmpInst>(To) && onlyAccesses(U))
        Accesses.insert(To);
    }
  }
  for (LifetimeIntrinsic *Marker : markersOf(*markedBy(&Mark)))
    if (Marker->getIntrinsicID() == Intrinsic::lifetime_end)
      Ends.push_back(Marker);

  SmallPtrSet<Instruction *, 16> All(Accesses.begin(), Accesses.end());
  All.insert(Ends.begin(), Ends.end());
  for (auto &[Pointer, Bit] : Pointers)
    if (!isa<PHINode>(Pointer))
      All.insert(cast<Instruction>(Pointer));
  for (Instruction *I : All)
    Steps[I->getParent()].push_back(I);
  for (auto &[Block, Here] : Steps)
    llvm::sort(Here, [](const Instruction *A, const Instruction *B) {
      return A->comesBefore(B);
    });
}

/// The pointer's bit; -1: it is not made of the mark.
int MarkedPointers::bitOf(Value *V) const {
  const auto *Found = Pointers.find(V);
  return Found == Pointers.end() ? -1 : static_cast<int>(Found->second);
}

bool MarkedPointers::isStale(Value *V, const BitVector &Stale) const {
  int Bit = bitOf(V);
  return Bit >= 0 && Stale[Bit];
}

/// From the block's beginning to its end. Returns whether something in it is
/// accessed through a pointer that may be stale.
bool MarkedPointers::pass(BasicBlock &Block, BitVector &Stale) {
  auto Here = Steps.find(&Block);
  if (Here == Steps.end())
    return false;
  for (Instruction *I : Here->second) {
    if (is_contained(Ends, I)) {
      Stale.set();
      continue;
    }
    const bool FromStale = any_of(
        I->operands(), [&](Value *From) { return isStale(From, Stale); });
    if (FromStale && Accesses.contains(I))
      return true;
    if (int Bit = bitOf(I); Bit >= 0)
      Stale[Bit] = FromStale;
  }
  return false;
}

/// The edge from \p From into \p Block: adds what may be stale behind it.
void MarkedPointers::enterPhis(BasicBlock &Block, const BasicBlock *From,
                               const BitVector &Before, BitVector &After) {
  BitVector Comes = Before;
  for (PHINode &Phi : Block.phis())
    if (int Bit = bitOf(&Phi); Bit >= 0)
      Comes[Bit] = isStale(Phi.getIncomingValueForBlock(From), Before);
  After |= Comes;
}

/// A pointer is stale once the variable's life has ended in which the mark was
/// passed that it comes from. Follows each pointer through the code; a bit is
/// set where it may be stale.
bool MarkedPointers::areAccessedTooLate() {
  if (Ends.empty())
    return false;
  DenseMap<BasicBlock *, BitVector> AtStart;
  SmallSetVector<BasicBlock *, 16> Work;
  AtStart[Mark.getParent()].resize(Pointers.size());
  Work.insert(Mark.getParent());
  while (!Work.empty()) {
    BasicBlock *Block = Work.pop_back_val();
    BitVector Stale = AtStart[Block];
    if (pass(*Block, Stale))
      return true;
    for (BasicBlock *Next : successors(Block)) {
      auto [Known, New] = AtStart.try_emplace(Next, Pointers.size());
      BitVector Before = Known->second;
      enterPhis(*Next, Block, Stale, Known->second);
      if (New || Before != Known->second)
        Work.insert(Next);
    }
  }
  return false;
}

/// Takes off the marks through which nothing is accessed too late. Returns
/// whether there were any: then more can be promoted, and more seen.
static bool dropHarmlessMarks(Function &F, bool WillBeInlined) {
  SmallVector<CallInst *, 8> Marks = marksIn(F);
  if (Marks.empty())
    return false;
  SmallPtrSet<Instruction *, 8> FromMemory = accessesFromMemory(F);
  bool Any = false;
  for (CallInst *Mark : Marks) {
    MarkedPointers Made(*Mark);
    bool Harmless = !Made.areAccessedTooLate();
    if (Made.Leave)
      Harmless &= !WillBeInlined && none_of(Made.Ends, [&](Instruction *End) {
        return reaches(*End, FromMemory);
      });
    if (!Harmless)
      continue;
    dropMark(*Mark);
    Any = true;
  }
  return Any;
}

void warpsan::markLateAddresses(Function &F, bool WillBeInlined,
                                function_ref<void(Function &)> Promote) {
  SmallVector<Value *, 16> Variables;
  auto Add = [&](Value &Variable) {
    if ((WillBeInlined || !markersOf(Variable).empty()) &&
        !leavingUses(Variable).empty())
      Variables.push_back(&Variable);
  };
  for (Argument &Arg : F.args())
    if (Arg.hasByValAttr()) // becomes a variable of the caller's
      Add(Arg);
  for (Instruction &I : instructions(F))
    if (isa<AllocaInst>(I))
      Add(I);
  if (Variables.empty())
    return;
  ValueToValueMapTy Copies;
  Function *Copy = CloneFunction(&F, Copies);
  for (Value *Variable : Variables)
    markAddresses(*Copies[Variable]);
  do
    Promote(*Copy);
  while (dropHarmlessMarks(*Copy, WillBeInlined));
  SmallPtrSet<Value *, 8> Late;
  for (CallInst *Mark : marksIn(*Copy))
    Late.insert(markedBy(Mark));
  for (Value *Variable : Variables) {
    Value *Tried = Copies.lookup(Variable); // null: it was promoted
    if (Tried && Late.contains(Tried))
      markAddresses(*Variable);
    else
      for (User *U : make_early_inc_range(Variable->users()))
        if (markedBy(U))
          dropMark(*cast<CallInst>(U));
  }
  Copy->eraseFromParent();
}
