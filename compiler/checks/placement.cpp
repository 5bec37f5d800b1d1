//===- compiler/checks.cpp - a check before every access ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks.h"

#include "abi/record.h"
#include "compiler/arithmetic.h"
#include "compiler/clamped_loads.h"
#include "compiler/driver_shapes.h"
#include "compiler/exact_bounds.h"
#include "compiler/late_reports.h"
#include "compiler/members.h"
#include "compiler/recipes.h"
#include "compiler/refusals.h"
#include "compiler/report_call.h"
#include "compiler/runaway.h"
#include "compiler/scheme.h"
#include "compiler/schemes/schemes.h"
#include "compiler/scopes.h"
#include "compiler/setters.h"
#include "compiler/source_types.h"
#include "compiler/strings.h"
#include "compiler/uniformity.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>
#include <optional>
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
  Checker(const KernelParts &Of, Scheme &How)
      : Made(Of.Made), Kernel(*Made.Kernel), How(How), Recipe(Of.Recipe),
        T(Of.T), Lean(Of.Numbers),
        Calls(Made, *Of.Runtime.Report, Recipe.MakesVectors, T),
        Late(Kernel, Calls, Recipe.MakesVectors), Loops(Kernel, T) {}

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
  Scheme &How;
  const DriverRecipe &Recipe;
  const Target &T;
  bool Lean;
  ReportCalls Calls;
  LateReports Late;
  Runaways Loops;
  bool MayRunAway = false; ///< what is being placed is in such a loop
  /// Checks that are told late: by block, what is kept, limit and whether that
  /// is all, their number and what stops the access.
  std::map<std::tuple<const BasicBlock *, Value *, Value *, bool>,
           std::pair<size_t, Value *>>
      Waiting;
};

} // namespace

/// \p Bad, which is hardly ever true. SPIR-V's translator drops weights of
/// branches, and without them a driver keeps registers in memory all the way
/// around the call that tells.
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

/// Before \p Then, where \p Copy is left out: clears its target unless that is
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
/// one behind its neighbour's any more, and a branch is better.
Use *Checker::readPointer(Instruction &At) const {
  if (Recipe.MakesVectors)
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
  LoadInst *Load = Recipe.MakesVectors ? speculatedLoad(At, T) : nullptr;
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
    return How.later(C, Kept, Build);
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

/// Told when the kernel ends: no call is left here, and a load of global memory
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
      !(Recipe.MakesVectors && speculatedLoad(At, T)))
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

/// Which are told late. Drivers that make vectors of work-items can do so then.
/// For others it is of use between the barriers of a loop, where they make
/// loops of work-items, if there is no call at all; elsewhere to remember costs
/// more.
std::vector<bool> Checker::whichWait(const std::vector<Plan> &Planned) {
  std::vector<bool> Which(Planned.size(), false);
  unsigned Room = LateReports::Most;
  for (auto [P, Waits] : zip(Planned, Which))
    if (!Loops.any() && P.CountOperand < 0 && !isa<MemTransferInst>(P.At) &&
        P.Checks.size() <= Room &&
        all_of(P.Checks, [](const Check &C) { return !C.Kept.empty(); })) {
      Waits = true;
      Room -= P.Checks.size();
    }
  if (Recipe.MakesVectors)
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
  How.begin(Accesses);
  std::vector<Plan> Planned;
  for (unsigned I = 0; I < Accesses.size(); ++I) {
    const Access &A = Accesses[I];
    if (Planned.empty() || Planned.back().At != A.At)
      Planned.push_back({A.At, A.At->getParent()});
    Planned.back().CountOperand = A.CountOperand;
    if (auto *Store = dyn_cast<StoreInst>(A.At))
      How.stored(*Store);
    if (A.Known)
      How.plan(A, I, Planned.back().Checks);
    else if (A.Builtin == "printf" && stringsEnd(cast<CallBase>(*A.At)))
      Made.Sites[I].Is = Site::State::Proven;
  }
  How.finish();
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

//===----------------------------------------------------------------------===//
// One kernel, all kernels
//===----------------------------------------------------------------------===//

static const char *spaceName(const Access &A, const Target &T) {
  if (!A.Pointer)
    return "image";
  switch (T.spaceOf(A.Pointer->getType()->getPointerAddressSpace())) {
  case Space::Private:
    return "private";
  case Space::Global:
    return "global";
  case Space::Constant:
    return "constant";
  case Space::Local:
    return "local";
  case Space::Generic:
    return "generic";
  case Space::Other:
    break;
  }
  return "other";
}

static Site describe(const Access &A, const Target &T) {
  Site S;
  S.What = A.What;
  S.At = A.At->getDebugLoc().get();
  S.Space = spaceName(A, T);
  S.Builtin = A.Builtin.str();
  if (A.Accessed)
    S.Type = typeName(A.Accessed);
  if (!A.Count && A.Known)
    S.Bytes = A.Bytes;
  S.Align = A.Align;
  S.InStruct = A.Pointer && isInStruct(A.Pointer);
  return S;
}

/// Which hidden arguments the accesses of a kernel need.
static WantedArgs hiddenArgsFor(Function &Kernel, RootTable &Roots,
                                const std::vector<Access> &Accesses,
                                Variant Which, const Target &T) {
  WantedArgs Wanted;
  Wanted.Of.resize(Kernel.arg_size());
  bool All = false;
  for (const Access &A : Accesses) {
    if (A.Sampler && A.Known)
      Wanted.Of[A.Sampler->getArgNo()].Size = true;
    if (!A.Pointer || !A.Known)
      continue;
    const PointerOrigin From = Roots.originOf(A.Pointer);
    All |= From.Unknown || From.Kept;
    for (unsigned Index : From.Roots)
      if (const Root &R = Roots[Index]; R.What == Root::Kind::Argument)
        Wanted.Of[R.Arg].Size = true;
  }
  if (All)
    Roots.addAll();
  const bool Objects = Which == Variant::CheckedObjects;
  Wanted.Heap = (All && isForSvm(Which)) || Objects;
  for (Argument &Arg : Kernel.args()) {
    WantedArgs::OfArgument &Hidden = Wanted.Of[Arg.getArgNo()];
    ArgKind Kind = T.kindOf(Arg);
    if (Kind != ArgKind::Global && Kind != ArgKind::Constant &&
        Kind != ArgKind::Local)
      continue;
    Hidden.Size |= All;
    Hidden.Pointer = isForSvm(Which) && Kind != ArgKind::Local && Hidden.Size;
    Hidden.Objects = Objects && Hidden.Pointer;
  }
  return Wanted;
}

/// Which arguments point to memory that a kernel does not write, by argument.
static std::vector<bool> unchangedBy(Function &Kernel, RootTable &Roots,
                                     const std::vector<Access> &Accesses,
                                     const Target &T) {
  std::vector<bool> Unchanged;
  for (const Argument &Arg : Kernel.args())
    Unchanged.push_back(T.kindOf(Arg) == ArgKind::Global ||
                        T.kindOf(Arg) == ArgKind::Constant);
  for (const Access &A : Accesses) {
    if (A.Image || A.Builtin == "printf" || (A.Known && !A.Writes))
      continue;
    const PointerOrigin From =
        A.Pointer ? Roots.originOf(A.Pointer) : PointerOrigin();
    if (!A.Known || !A.Pointer || From.Unknown || From.Kept)
      return {};
    for (unsigned Index : From.Roots)
      if (Roots[Index].What == Root::Kind::Argument)
        Unchanged[Roots[Index].Arg] = false;
  }
  return Unchanged;
}

/// Says which branches a launch must show to be uniform before its claims mean
/// anything.
static void addBarrierBranches(CheckedTwin &Made, Arithmetic &Numbers,
                               const Target &T) {
  for (const DivergentBranch &Each : divergentBranches(*Made.Kernel, T)) {
    Made.Claimed.Branches.push_back(Numbers.directionsOf(*Each.At));
    Made.Divergent.push_back(
        {Each.At->getDebugLoc().get(), Each.Collective->getDebugLoc().get(),
         T.builtinName(*Each.Collective->getCalledFunction()).str()});
  }
}

/// Why SPIR-V has no function with the twin's arguments; empty if it has.
static std::string whyTooManyArgs(const Twin &Made) {
  constexpr size_t MostArgs = 255;
  const size_t Args = Made.Kernel->arg_size();
  if (Args <= MostArgs)
    return {};
  return ("kernel '" + Made.Kernel->getName() + "' has " + Twine(Made.OwnArgs) +
          " arguments and its twin " + Twine(Args) + "; SPIR-V allows " +
          Twine(MostArgs))
      .str();
}

Expected<std::vector<CheckedTwin>>
warpsan::instrument(Module &Program, Variant Which, StringRef Scheme,
                    const Wanted &Only, const DriverRecipe &Recipe,
                    const Target &T, Refusals &Refused) {
  std::vector<Function *> Kernels;
  for (Function &F : make_early_inc_range(Program)) {
    if (!T.isKernel(F))
      continue;
    // Setters run for every twin.
    if (Only.Kernel.empty() || F.getName() == Only.Kernel || isSetter(F, T))
      Kernels.push_back(&F);
    else
      F.eraseFromParent();
  }

  DeviceRuntime Runtime;
  if (Which != Variant::Plain && !Kernels.empty()) {
    Expected<DeviceRuntime> Linked = linkRuntime(Program, isOther(Scheme));
    if (!Linked)
      return Linked.takeError();
    Runtime = *Linked;
  }
  std::vector<CheckedTwin> Twins;
  for (Function *Kernel : Kernels) {
    std::vector<Access> Accesses = accessesOf(*Kernel, T);
    CheckedTwin Made;
    for (const Access &A : Accesses)
      Made.Sites.push_back(describe(A, T));
    constexpr size_t MostSites = (1u << WS_CHECK_BITS) / WS_TESTS;
    if (Accesses.size() > MostSites) {
      if (Error E = Refused.refuse(
              *Kernel, "kernel '" + Kernel->getName() + "' has " +
                           Twine(Accesses.size()) + " accesses; at most " +
                           Twine(MostSites) + " can be numbered"))
        return std::move(E);
      continue;
    }
    if (isSetter(*Kernel, T)) {
      for (Site &S : Made.Sites)
        S.Is = Site::State::Proven;
      Made.Kernel = Kernel;
      Made.OwnArgs = Kernel->arg_size();
      Twins.push_back(std::move(Made));
      continue;
    }
    if (Which == Variant::Plain) {
      dropMarks(*Kernel);
      static_cast<Twin &>(Made) = appendHiddenArgs(*Kernel, {}, T);
      if (const std::string Why = whyTooManyArgs(Made); !Why.empty()) {
        if (Error E = Refused.refuse(*Made.Kernel, Why))
          return std::move(E);
        continue;
      }
      Twins.push_back(std::move(Made));
      continue;
    }
    RootTable Roots(*Kernel, T);
    auto Wanted = hiddenArgsFor(*Kernel, Roots, Accesses, Which, T);
    if (isOther(Scheme)) {
      if (std::string Why = whyNot(Scheme, *Kernel); !Why.empty())
        return createStringError(Why);
      addHiddenArgs(Scheme, Wanted);
    }
    static_cast<Twin &>(Made) = appendHiddenArgs(*Kernel, Wanted, T);
    if (const std::string Why = whyTooManyArgs(Made); !Why.empty()) {
      if (Error E = Refused.refuse(*Made.Kernel, Why))
        return std::move(E);
      continue;
    }
    Roots.moveTo(*Made.Kernel);
    // Operands that were arguments are those of the new function.
    Accesses = accessesOf(*Made.Kernel, T);
    Made.Unchanged = unchangedBy(*Made.Kernel, Roots, Accesses, T);
    std::optional<Arithmetic> Numbers;
    if (isLean(Which)) {
      Numbers.emplace(Made, T);
      addBarrierBranches(Made, *Numbers, T);
    }
    const KernelParts Parts{
        Made, Roots, Runtime, Only, Recipe, T, Numbers ? &*Numbers : nullptr};
    auto How = isOther(Scheme) ? makeOther(Scheme, Parts)
                               : std::make_unique<ExactBounds>(Parts);
    Checker(Parts, *How).run(Accesses);
    Made.Roots = Roots.all();
    Twins.push_back(std::move(Made));
  }
  if (any_of(Twins, [](const CheckedTwin &Made) {
        return !Made.Claimed.Contents.empty();
      }))
    if (Error Failed = linkContents(Program))
      return std::move(Failed);
  return Twins;
}
