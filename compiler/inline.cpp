//===- compiler/inline.cpp - every function into its kernels --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/inline.h"

#include "compiler/builtins.h"
#include "compiler/link.h"
#include "compiler/members.h"
#include "compiler/scopes.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace warpsan;

static std::string quotedWithPlace(const Instruction &I) {
  std::string Place = placeOf(I);
  return "'" + I.getFunction()->getName().str() + "'" +
         (Place.empty() ? "" : " at " + Place);
}

/// What cannot be inlined, or cannot be written as SPIR-V that every driver
/// takes.
static Error refuse(const Function &F) {
  for (const BasicBlock &Block : F)
    for (const Instruction &I : Block) {
      if (const auto *Alloca = dyn_cast<AllocaInst>(&I))
        if (!Alloca->isStaticAlloca())
          return createStringError("private memory allocated at run time in " +
                                   quotedWithPlace(I));
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (Call->isInlineAsm())
        return createStringError("inline assembly in " + quotedWithPlace(I));
      const Function *Callee = Call->getCalledFunction();
      if (!Callee)
        return createStringError("call through a pointer in " +
                                 quotedWithPlace(I));
      if (isDeviceEnqueue(Callee->getName()))
        return createStringError("the kernel enqueues kernels itself, in " +
                                 quotedWithPlace(I));
    }
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

Error warpsan::inlineIntoKernels(Module &Program, const Target &T) {
  bool UsesGeneric = false;
  for (Function &F : Program) {
    if (F.isDeclaration())
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::AlwaysInline);
    // An access through null is an error to report, not code to leave out.
    F.addFnAttr(Attribute::NullPointerIsValid);
    if (Error E = refuse(F))
      return E;
    joinFirstFields(F);
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        if (auto *Cast = dyn_cast<AddrSpaceCastInst>(&I))
          UsesGeneric |=
              T.spaceOf(Cast->getDestAddressSpace()) == Space::Generic;
  }
  Expected<std::vector<Function *>> Order = bottomUp(Program);
  if (!Order)
    return Order.takeError();

  PassBuilder Builder;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Parts;
  ModuleAnalysisManager Modules;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Parts);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Parts, Modules);
  // Enough for the driver's own optimiser to see what it sees from source;
  // more costs time here and changes nothing there.
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(SimplifyCFGPass());
  FunctionPassManager NameSpaces;
  NameSpaces.addPass(InferAddressSpacesPass(T.numberOf(Space::Generic)));

  for (Function *F : *Order) {
    if (Error E = inlineCallsIn(*F))
      return E;
    Functions.clear(*F, F->getName());
    markLateAddresses(*F, !T.isKernel(*F) || !F->use_empty(),
                      [&](Function &Copy) {
                        SROAPass(SROAOptions::ModifyCFG).run(Copy, Functions);
                        Functions.clear(Copy, Copy.getName());
                      });
    Simplify.run(*F, Functions);
    // Once everything is in place a generic pointer's origin is in sight.
    if (UsesGeneric && T.isKernel(*F)) {
      Functions.clear(*F, F->getName());
      NameSpaces.run(*F, Functions);
    }
  }
  Functions.clear();
  dropUnused(Program);
  for (Function &F : Program)
    if (!F.isDeclaration())
      if (Error E = refuse(F))
        return E;
  return Error::success();
}
