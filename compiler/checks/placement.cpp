//===- compiler/checks/placement.cpp - where a kernel's checks go ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/placement.h"

#include "abi/record.h"
#include "compiler/checks/clamped_loads.h"
#include "compiler/checks/deferred_reports.h"
#include "compiler/checks/report_call.h"
#include "compiler/checks/runaway.h"
#include "compiler/ir/barriers.h"
#include "compiler/ir/printf_strings.h"
#include "compiler/pointers/escaping_addresses.h"
#include "compiler/pointers/pointer_metadata.h"
#include "compiler/target/driver_profiles.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>
#include <utility>

using namespace llvm;
using namespace warpsan;

namespace {

/// All checks of one instruction.
struct Plan {
  Instruction *At = nullptr;
  const BasicBlock *In = nullptr; ///< where it was when it was planned
  int CountOperand = -1;          ///< Access::CountOperand
  std::vector<Check> Checks = {};
};

/// Puts the checks of one kernel in place.
class Checker {
public:
  Checker(const KernelParts &Of, Scheme &Method)
      : Made(Of.Made), Kernel(*Made.Kernel), Method(Method),
        Profile(Of.Profile), T(Of.T), Lean(Of.Numbers),
        Calls(Made, *Of.Runtime.Report, Profile.VectorizesWorkItems, T),
        Late(Kernel, Calls, Profile.VectorizesWorkItems), Loops(Kernel, T) {}

  void run(const std::vector<Access> &Accesses);

private:
  Use *readPointer(Instruction &At) const;
  bool needsNoBranch(Instruction &At, Value *Stop);
  std::vector<bool> whichWait(const std::vector<Plan> &Planned);
  void tell(Instruction *Before, const Instruction &At, const Check &Failed);
  void askOnlyIfSuspect(Check &C, Instruction &At);
  Value *tellIfBad(const Check &C, Instruction &At);
  void readZeros(Use &Pointer, Value *If);
  void placeAlone(const Check &C, Instruction &At);
  Value *remember(const Check &C, Instruction &At, const BasicBlock *In);
  void placeLate(const Plan &P);
  void place(const Plan &P);

  CheckedTwin &Made;
  Function &Kernel;
  Scheme &Method;
  const DriverProfile &Profile;
  const Target &T;
  bool Lean;
  ReportCalls Calls;
  DeferredReports Late;
  Runaways Loops;
  bool MayRunAway = false; ///< what is being placed is in such a loop
  /// Checks with deferred reports: by block, what is kept, limit and whether
  /// that is all, their number and what stops the access.
  std::map<std::tuple<const BasicBlock *, Value *, Value *, bool>,
           std::pair<size_t, Value *>>
      Waiting;
};

} // namespace

/// \p Bad, which is hardly ever true. SPIR-V's translator drops branch weights,
/// and without them a driver keeps registers in memory all the way around the
/// call that reports.
static Value *unlikely(Value *Bad, Instruction &At) {
  if (isa<Constant>(Bad))
    return Bad;
  return Builder(&At).CreateIntrinsic(
      Intrinsic::expect, {Bad->getType()},
      {Bad, ConstantInt::getFalse(Bad->getType())});
}

/// Before \p Before, which is reached if the check failed.
void Checker::tell(Instruction *Before, const Instruction &At,
                   const Check &Failed) {
  for (Instruction *I : Failed.Cold)
    I->moveBefore(Before);
  Builder Build(Before);
  Build.SetCurrentDebugLocation(At.getDebugLoc());
  if (!Failed.Tells.Root)
    return;
  Calls.call(Build, Failed.Tells);
  if (MayRunAway)
    Loops.count(Before, Failed.Tells, Calls);
}

/// At the start of \p At's block: \p There if it comes from \p Then, else
/// false.
static Value *ifFrom(const BasicBlock *Then, Value *There, Instruction &At) {
  BasicBlock *Here = At.getParent();
  auto *Is = PHINode::Create(There->getType(), 2, "", Here->begin());
  for (BasicBlock *From : predecessors(Here))
    Is->addIncoming(
        From == Then ? There : ConstantInt::getFalse(There->getType()), From);
  return Is;
}

/// Tells of \p C before \p At if it fails. Returns whether \p At is not to be
/// made: null if it always is.
Value *Checker::tellIfBad(const Check &C, Instruction &At) {
  Instruction *Then = SplitBlockAndInsertIfThen(
      unlikely(C.Bad, At), At.getIterator(), /*Unreachable=*/false);
  tell(Then, At, C);
  if (!C.Stops)
    return nullptr;
  if (!C.Tells.Outside)
    return C.Bad;
  return ifFrom(Then->getParent(), C.Tells.Outside, At);
}

/// Before \p Then, where \p Copy is skipped: clears its target unless that is
/// what was wrong.
static void zeroInstead(MemTransferInst &Copy, Value *TargetIsBad,
                        Instruction *Then) {
  Value *May = TargetIsBad ? Builder(Then).CreateNot(TargetIsBad)
                           : Builder(Then).getTrue();
  if (match(May, PatternMatch::m_Zero()))
    return;
  Instruction *Clear =
      SplitBlockAndInsertIfThen(May, Then->getIterator(), false);
  Builder(Clear).CreateMemSet(Copy.getRawDest(), Builder(Clear).getInt8(0),
                              Copy.getLength(), Copy.getDestAlign());
}

/// Moves \p At to before \p Else. Where it is not made, which is at the end of
/// \p Left, its value is zero.
static void makeOnlyIn(Instruction *Else, Instruction &At, BasicBlock *Left) {
  if (!At.getType()->isVoidTy() && !At.use_empty()) {
    PHINode *Result =
        PHINode::Create(At.getType(), 2, "", At.getParent()->begin());
    At.replaceAllUsesWith(Result);
    Result->addIncoming(Constant::getNullValue(At.getType()), Left);
    Result->addIncoming(&At, Else->getParent());
  }
  At.moveBefore(Else);
}

/// The operand that points to global memory which \p At only reads, if \p At
/// can just as well read zeros from the record buffer. That leaves no phi
/// behind. PoCL 6.0 makes variables of phis and then has LLVM 18 verify that
/// one round of instcombine is enough, which with these it is not always; it
/// ends the process then.
///
/// Where vectors are made of work-items, an address that is chosen is not the
/// one behind its neighbor's any more, and a branch is better.
Use *Checker::readPointer(Instruction &At) const {
  if (Profile.VectorizesWorkItems)
    return nullptr;
  Use *Pointer = nullptr;
  if (auto *Load = dyn_cast<LoadInst>(&At); Load && !Load->isAtomic())
    Pointer = &Load->getOperandUse(LoadInst::getPointerOperandIndex());
  if (auto *Call = dyn_cast<CallInst>(&At))
    if (Function *Callee = Call->getCalledFunction();
        Callee && T.builtinName(*Callee).starts_with("vload"))
      Pointer = &Call->getArgOperandUse(1);
  if (!Pointer || !Pointer->get()->getType()->isPointerTy() ||
      T.spaceOf(Pointer->get()->getType()->getPointerAddressSpace()) !=
          Space::Global ||
      At.getDataLayout().getTypeStoreSize(At.getType()) > WS_ZERO_BYTES)
    return nullptr;
  return Pointer;
}

void Checker::readZeros(Use &Pointer, Value *If) {
  auto *At = cast<Instruction>(Pointer.getUser());
  Builder Build(At);
  Pointer.set(Build.CreateSelect(If, Made.zeros(Build), Pointer));
  if (auto *Vload = dyn_cast<CallInst>(At)) { // its offset counts vectors
    Use &Offset = Vload->getArgOperandUse(0);
    Offset.set(Build.CreateSelect(If, Constant::getNullValue(Offset->getType()),
                                  Offset));
  }
}

/// True if \p At now reads zeros where \p Stop is true, with no branch.
bool Checker::needsNoBranch(Instruction &At, Value *Stop) {
  if (Use *Pointer = readPointer(At)) {
    readZeros(*Pointer, Stop);
    return true;
  }
  LoadInst *Load =
      Profile.VectorizesWorkItems ? speculatedLoad(At, T) : nullptr;
  if (!Load)
    return false;
  clampLoad(*Load, Stop);
  return true;
}

/// The usual case: one check, whose report takes the access's place.
void Checker::placeAlone(const Check &C, Instruction &At) {
  Value *Bad = C.Bad;
  if (match(Bad, PatternMatch::m_One())) {
    // It always fails, and no driver sees the access: rusticl (Mesa 25.0) ends
    // the process over a load through a constant null pointer.
    tell(&At, At, C);
    if (!At.getType()->isVoidTy())
      At.replaceAllUsesWith(Constant::getNullValue(At.getType()));
    At.eraseFromParent();
    return;
  }
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(unlikely(C.Bad, At), At.getIterator(), &Then,
                                &Else);
  tell(Then, At, C);
  BasicBlock *Failed = Then->getParent();
  makeOnlyIn(Else, At, Failed);
}

/// Before \p At, for the kernel's end. Returns whether \p At is not to be made.
Value *Checker::remember(const Check &C, Instruction &At,
                         const BasicBlock *In) {
  auto Tells = [this, C](IRBuilderBase &Build, ArrayRef<Value *> Kept) {
    return Method.later(C, Kept, Build);
  };
  Value *Stop = C.Tells.Outside ? C.Tells.Outside : C.Bad;
  // What is read and then written fails twice or not at all.
  auto *Compare = dyn_cast<ICmpInst>(C.Bad);
  const SmallVector<Value *, 2> Kept(C.Kept.begin(), C.Kept.end());
  Value *Limit = Compare && ArrayRef(Kept).equals({Compare->getOperand(0)})
                     ? Compare->getOperand(1)
                     : nullptr;
  auto [Same, New] = Waiting.try_emplace({In, Kept[0], Limit, Stop == C.Bad});
  if (New || !Limit) {
    Same->second = {Late.remember(&At, C.Bad, Kept, Tells), Stop};
  } else {
    Late.also(Same->second.first, Tells);
    Stop = Same->second.second;
  }
  return Stop;
}

/// Reported at kernel exit: no call is left here, and a load of global memory
/// may need no branch.
void Checker::placeLate(const Plan &P) {
  Instruction &At = *P.At;
  Value *Stop = nullptr;
  for (const Check &C : P.Checks) {
    Value *Here = remember(C, At, P.In);
    if (C.Stops)
      Stop = Stop ? Builder(&At).CreateOr(Stop, Here) : Here;
  }
  if (!Stop)
    return;
  if (needsNoBranch(At, Stop))
    return;
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(Stop, At.getIterator(), &Then, &Else);
  makeOnlyIn(Else, At, Then->getParent());
}

/// Makes the instruction happen only if no check that stops it fails. Reports
/// come first.
void Checker::place(const Plan &P) {
  Instruction &At = *P.At;
  MayRunAway = Loops.mayRunAway(P.In);
  auto *Copy = dyn_cast<MemTransferInst>(&At);
  if (P.Checks.size() == 1 && P.Checks[0].Stops && P.CountOperand < 0 &&
      !Copy && !P.Checks[0].Tells.Outside &&
      !(Profile.VectorizesWorkItems && speculatedLoad(At, T)))
    return placeAlone(P.Checks[0], At);

  Value *Stop = nullptr, *StopWrite = nullptr;
  auto Or = [&](Value *Old, Value *More) {
    return Old ? Builder(&At).CreateOr(Old, More) : More;
  };
  for (const Check &C : P.Checks)
    if (Value *Here = tellIfBad(C, At)) {
      Stop = Or(Stop, Here);
      if (C.Writes)
        StopWrite = Or(StopWrite, Here);
    }
  if (!Stop)
    return;
  if (P.CountOperand >= 0) {
    // The whole work-group must come along: with nothing to do.
    auto &Call = cast<CallBase>(At);
    Value *Count = Call.getArgOperand(P.CountOperand);
    Call.setArgOperand(
        P.CountOperand,
        Builder(&At).CreateSelect(
            Stop, Constant::getNullValue(Count->getType()), Count));
    return;
  }
  if (needsNoBranch(At, Stop))
    return;
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(unlikely(Stop, At), At.getIterator(), &Then,
                                &Else);
  // What could not be read is copied as zeros, if it may be written.
  if (Copy)
    zeroInstead(*Copy, StopWrite, Then);
  makeOnlyIn(Else, At, Then->getParent());
}

/// Where \p C is cheaply found to be no failure, Bad is not asked for.
void Checker::askOnlyIfSuspect(Check &C, Instruction &At) {
  Instruction *Then = SplitBlockAndInsertIfThen(
      unlikely(C.Suspect, At), At.getIterator(), /*Unreachable=*/false);
  for (Instruction *I : C.Asked)
    I->moveBefore(Then);
  C.Bad = ifFrom(Then->getParent(), C.Bad, At);
}

/// Which reports are deferred. Drivers that vectorize across work-items can do
/// so then.
/// For others it is of use between the barriers of a loop, where they make
/// loops of work-items, if there is no call at all; elsewhere to remember costs
/// more.
std::vector<bool> Checker::whichWait(const std::vector<Plan> &Planned) {
  std::vector<bool> Which(Planned.size(), false);
  unsigned Room = DeferredReports::MaxChecks;
  for (auto [P, Waits] : zip(Planned, Which))
    if (!Loops.any() && P.CountOperand < 0 && !isa<MemTransferInst>(P.At) &&
        P.Checks.size() <= Room &&
        all_of(P.Checks, [](const Check &C) { return !C.Kept.empty(); })) {
      Waits = true;
      Room -= P.Checks.size();
    }
  if (Profile.VectorizesWorkItems)
    return Which;
  constexpr size_t Few = 8;
  const std::vector<bool> None(Planned.size(), false);
  if (!Lean || Planned.size() > Few || is_contained(Which, false))
    return None;
  DominatorTree Dominators(Kernel);
  LoopInfo Found(Dominators);
  const bool All = all_of(Planned, [&](const Plan &P) {
    const llvm::Loop *L = Found.getLoopFor(P.At->getParent());
    return P.Checks.size() == 1 && L && barrierIn(*L, T);
  });
  return All ? Which : None;
}

void Checker::run(const std::vector<Access> &Accesses) {
  // What is known of pointers first, for all: it is made beside them, in code
  // that has not been cut up yet.
  Method.begin(Accesses);
  std::vector<Plan> Planned;
  for (unsigned I = 0; I < Accesses.size(); ++I) {
    const Access &A = Accesses[I];
    if (Planned.empty() || Planned.back().At != A.At)
      Planned.push_back({A.At, A.At->getParent()});
    Planned.back().CountOperand = A.CountOperand;
    if (auto *Store = dyn_cast<StoreInst>(A.At))
      Method.stored(*Store);
    if (A.Known)
      Method.plan(A, I, Planned.back().Checks);
    else if (A.Builtin == "printf" && stringsEnd(cast<CallBase>(*A.At)))
      Made.Sites[I].Is = Site::State::Proven;
  }
  Method.finish();
  std::erase_if(Planned, [](const Plan &P) { return P.Checks.empty(); });
  const std::vector<bool> Wait = whichWait(Planned);
  for (Plan &P : Planned)
    for (Check &C : P.Checks)
      if (C.Suspect)
        askOnlyIfSuspect(C, *P.At);
  for (auto [P, Waits] : zip(Planned, Wait))
    if (Waits)
      placeLate(P);
    else
      place(P);
  Late.finish();
  dropMarks(Kernel);
}

void warpsan::placeChecks(const KernelParts &Parts, Scheme &Rules,
                          const std::vector<Access> &Accesses) {
  Checker(Parts, Rules).run(Accesses);
}
