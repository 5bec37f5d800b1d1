//===- compiler/inline.cpp - every function into its kernels --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/inline.h"

#include "compiler/checks/masked.h"
#include "compiler/checks/pinned.h"
#include "compiler/frontend/link.h"
#include "compiler/ir/integer_widths.h"
#include "compiler/ir/poison_flags.h"
#include "compiler/pointers/escaping_addresses.h"
#include "compiler/pointers/member_arrays.h"
#include "compiler/pointers/phi_loads.h"
#include "compiler/target/builtins.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace warpsan;

static std::string quotedWithPlace(const Instruction &I) {
  std::string Place = placeOf(I);
  return "'" + I.getFunction()->getName().str() + "'" +
         (Place.empty() ? "" : " at " + Place);
}

/// Why no kernel with the code of \p F gets a twin: what cannot be inlined, or
/// cannot be written as SPIR-V that every driver takes. Empty if there is none.
static std::string reasonAgainst(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    if (const auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (!Alloca->isStaticAlloca())
        return "private memory allocated at run time in " + quotedWithPlace(I);
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (Call->isInlineAsm())
      return "inline assembly in " + quotedWithPlace(I);
    if (!Call->getCalledFunction())
      return "call through a pointer in " + quotedWithPlace(I);
  }
  return "";
}

/// Blocks that are enqueued are kernels of their own.
static Error refuseEnqueueing(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction())
        if (isDeviceEnqueue(Callee->getName()))
          return createStringError("the kernel enqueues kernels itself, in " +
                                   quotedWithPlace(I));
  return Error::success();
}

/// As reasonAgainst, of \p Kernel and all that it calls.
static std::string reasonAgainstTree(const Function &Kernel) {
  SetVector<const Function *> Reached;
  Reached.insert(&Kernel);
  for (size_t At = 0; At < Reached.size(); ++At) {
    if (std::string Why = reasonAgainst(*Reached[At]); !Why.empty())
      return Why;
    for (const Instruction &I : instructions(*Reached[At]))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        Reached.insert(Call->getCalledFunction());
  }
  return "";
}

/// The same of \p Kernel, into which everything was inlined.
static std::string reasonAgainstInlined(const Function &Kernel) {
  if (std::string Why = reasonAgainst(Kernel); !Why.empty())
    return Why;
  const Instruction *Odd = findUnwidenable(Kernel);
  return Odd ? "an integer of a width that SPIR-V does not have in " +
                   quotedWithPlace(*Odd)
             : "";
}

template <typename F>
static Error refuseKernels(Module &Program, const Target &T, Refusals &Refused,
                           F ReasonAgainst) {
  std::vector<std::pair<Function *, std::string>> Bad;
  for (Function &Kernel : Program)
    if (!Kernel.isDeclaration() && T.isKernel(Kernel))
      if (std::string Why = ReasonAgainst(Kernel); !Why.empty())
        Bad.emplace_back(&Kernel, std::move(Why));
  for (auto &[Kernel, Why] : Bad)
    if (Error E = Refused.refuse(*Kernel, Why))
      return E;
  if (!Bad.empty())
    dropUnused(Program);
  return Error::success();
}

/// Callees before callers. Fails if functions call each other in a circle.
static Expected<std::vector<Function *>> bottomUp(Module &Program) {
  CallGraph Graph(Program);
  std::vector<Function *> Order;
  for (auto Part = scc_begin(&Graph); !Part.isAtEnd(); ++Part) {
    for (CallGraphNode *Node : *Part) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      if (Part.hasCycle())
        return createStringError("recursion: '" + F->getName() +
                                 "' ends up calling itself");
      Order.push_back(F);
    }
  }
  return Order;
}

static Error inlineCallsIn(Function &F) {
  SmallVector<CallBase *, 16> Calls;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction())
          if (!Callee->isDeclaration())
            Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    std::string Callee = Call->getCalledFunction()->getName().str();
    std::string Where = quotedWithPlace(*Call);
    InlineFunctionInfo Info;
    InlineResult Result = InlineFunction(*Call, Info, /*MergeAttributes=*/true);
    if (!Result.isSuccess())
      return createStringError("function '" + Callee +
                               "' cannot be inlined into " + Where + ": " +
                               Result.getFailureReason());
  }
  return Error::success();
}

namespace {

/// The passes that run before instrumentation: enough for the driver's own
/// optimizer to see what it sees from source; more costs time here and changes
/// nothing there. None may remove an access whose check can fail, so accesses
/// are pinned before each (compiler/checks/pinned.h). What each could remove:
///
///   PromotePass        none: whole scalars only
///   EarlyCSE           loads outside of constants, loads that nothing uses
///   SROA               accesses outside of an alloca
///   SimplifyCFG        accesses through undef, before `unreachable`
///   InferAddressSpaces none
///
/// All but PromotePass and InferAddressSpaces may make offsets constant.
class Simplifier {
public:
  Simplifier(const HiddenInitializers &Constants, bool Speculates,
             const Target &T);

  void simplify(Function &F);
  /// \p Kernel, once everything is inlined and it was simplified.
  void finish(Function &Kernel, bool UsesGeneric);
  void promote(Function &F);
  void changed(Function &F) { Functions.clear(F, F.getName()); }

private:
  template <typename Pass> void run(Pass &&P, Function &F) {
    const KeptFlags Flags(F);
    FunctionPassManager One;
    One.addPass(std::forward<Pass>(P));
    One.run(F, Functions);
    Flags.restore(F);
  }
  void pin(Function &F);

  const HiddenInitializers &Constants;
  const bool Speculates; ///< SimplifyCFG executes loads in advance, or merges
                         ///< stores
  const Target &T;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Parts;
  ModuleAnalysisManager Modules;
};

} // namespace

/// Whether SimplifyCFG makes one store of two to the same address that are
/// executed under different conditions. It is an option of the process's: each
/// job, which has a process of its own, sets it.
static void mergeConditionalStores(bool Merges) {
  auto &Options = cl::getRegisteredOptions();
  const auto It = Options.find("simplifycfg-merge-cond-stores");
  if (It != Options.end())
    static_cast<cl::opt<bool> *>(It->second)->setValue(Merges);
}

Simplifier::Simplifier(const HiddenInitializers &Constants, bool Speculates,
                       const Target &T)
    : Constants(Constants), Speculates(Speculates), T(T) {
  mergeConditionalStores(Speculates);
  PassBuilder Builder;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Parts);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Parts, Modules);
}

void Simplifier::pin(Function &F) {
  pinAccesses(F);
  changed(F);
}

void Simplifier::promote(Function &F) {
  SROAPass(SROAOptions::ModifyCFG).run(F, Functions);
  changed(F);
}

void Simplifier::simplify(Function &F) {
  changed(F);
  if (hasMaskedAccesses(F)) {
    run(ScalarizeMaskedMemIntrinPass(), F);
    splitAddresses(F);
    changed(F);
  }
  const bool HasAggregates = any_of(instructions(F), [](Instruction &I) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    return Variable && !isAllocaPromotable(Variable);
  });
  pin(F);
  if (HasAggregates) { // that SROA is about to look at: their indices first
    run(PromotePass(), F);
    pin(F);
    run(EarlyCSEPass(), F);
    splitPhiLoads(F);
    pin(F);
  }
  run(SROAPass(SROAOptions::ModifyCFG), F);
  pin(F);
  run(EarlyCSEPass(), F);
  pin(F);
  run(SimplifyCFGPass(SimplifyCFGOptions().speculateBlocks(Speculates)), F);
}

void Simplifier::finish(Function &Kernel, bool UsesGeneric) {
  // With values of constants more branches are decided. Pins in code that is
  // gone kept variables in memory in vain.
  constexpr unsigned MaxIterations = 4;
  for (unsigned Round = 0, Pinned = ~0U; Round < MaxIterations; ++Round) {
    const bool Folded = Constants.foldLoads(Kernel);
    const unsigned Still = unpinAccesses(Kernel);
    if (!Folded && (Still == 0 || Still == Pinned))
      break;
    Pinned = Still;
    simplify(Kernel);
  }
  unpinAccesses(Kernel);
  changed(Kernel);
  // A generic pointer's origin is in sight now.
  if (UsesGeneric)
    run(InferAddressSpacesPass(T.numberOf(Space::Generic)), Kernel);
}

static Error simplifyInOrder(ArrayRef<Function *> Order, bool UsesGeneric,
                             bool Speculates, Module &Program,
                             const Target &T) {
  const HiddenInitializers Constants(Program);
  Simplifier Passes(Constants, Speculates, T);
  for (Function *F : Order) {
    if (Error E = inlineCallsIn(*F))
      return E;
    Passes.changed(*F);
    markLateAddresses(*F, !T.isKernel(*F) || !F->use_empty(),
                      [&](Function &Copy) { Passes.promote(Copy); });
    Passes.simplify(*F);
    if (T.isKernel(*F))
      Passes.finish(*F, UsesGeneric);
  }
  return Error::success();
}

Error warpsan::inlineIntoKernels(Module &Program, bool Speculates,
                                 const Target &T, Refusals &Refused) {
  for (const Function &F : Program)
    if (Error E = refuseEnqueueing(F))
      return E;
  if (Error E = refuseKernels(Program, T, Refused, reasonAgainstTree))
    return E;
  bool UsesGeneric = false;
  for (Function &F : Program) {
    if (F.isDeclaration())
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::AlwaysInline);
    // An access through null is an error to report, not code to leave out.
    F.addFnAttr(Attribute::NullPointerIsValid);
    joinFirstFields(F);
    initializePointers(F);
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        if (auto *Cast = dyn_cast<AddrSpaceCastInst>(&I))
          UsesGeneric |=
              T.spaceOf(Cast->getDestAddressSpace()) == Space::Generic;
  }
  Expected<std::vector<Function *>> Order = bottomUp(Program);
  if (!Order)
    return Order.takeError();

  if (Error E = simplifyInOrder(*Order, UsesGeneric, Speculates, Program, T))
    return E;
  dropUnused(Program);
  return refuseKernels(Program, T, Refused, reasonAgainstInlined);
}
