//===- compiler/instrument.cpp - a check before every access --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/instrument.h"

#include "abi/record.h"
#include "compiler/checks/dependences.h"
#include "compiler/checks/placement.h"
#include "compiler/checks/report_call.h"
#include "compiler/claims/expression_builder.h"
#include "compiler/claims/uniformity.h"
#include "compiler/divergence/add_convergence_points.h"
#include "compiler/divergence/compare_arguments.h"
#include "compiler/emit/driver_workarounds.h"
#include "compiler/ir/refusals.h"
#include "compiler/ir/setters.h"
#include "compiler/ir/source_types.h"
#include "compiler/pointers/escaping_addresses.h"
#include "compiler/pointers/member_arrays.h"
#include "compiler/races/race_watch.h"
#include "compiler/schemes/exact_bounds.h"
#include "compiler/schemes/schemes.h"
#include "compiler/target/driver_profiles.h"

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
                                Variant Which, bool Watches, const Target &T) {
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
  const bool Objects = Which.Objects;
  Wanted.Heap = (All && Which.Svm) || Objects;
  for (Argument &Arg : Kernel.args()) {
    WantedArgs::OfArgument &Hidden = Wanted.Of[Arg.getArgNo()];
    ArgKind Kind = T.kindOf(Arg);
    if (Kind != ArgKind::Global && Kind != ArgKind::Constant &&
        Kind != ArgKind::Local)
      continue;
    Hidden.Size |= All;
    Hidden.LocalShadow = Watches && Kind == ArgKind::Local && Hidden.Size;
    Hidden.ShadowBase = Watches && Kind == ArgKind::Global && Hidden.Size;
    Hidden.Pointer = Which.Svm && Kind != ArgKind::Local && Hidden.Size;
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
static void addBarrierBranches(CheckedTwin &Made, ExpressionBuilder &Numbers,
                               const Target &T) {
  for (const DivergentBranch &Each : divergentBranches(*Made.Kernel, T)) {
    Made.Claimed.Branches.push_back(Numbers.branchConditions(*Each.At));
    Made.Divergent.push_back(
        {Each.Deciders.back()->getDebugLoc().get(),
         Each.Collective->getDebugLoc().get(),
         T.builtinName(*Each.Collective->getCalledFunction()).str()});
  }
  // No proof that arguments are the same is tried.
  for (const DivergentArguments &Each : divergentArguments(*Made.Kernel, T)) {
    Made.Claimed.Branches.push_back(Numbers.branchConditions(*Each.Call));
    Made.Divergent.push_back(
        {nullptr, Each.Call->getDebugLoc().get(),
         T.builtinName(*Each.Call->getCalledFunction()).str(), true});
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
                    const AccessSelection &Only, const DriverProfile &Profile,
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

  const bool Watches = watchesRaces(Which, Only);
  DeviceRuntime Runtime;
  if (Which.Checks && !Kernels.empty()) {
    Expected<DeviceRuntime> Linked =
        linkRuntime(Program, isOther(Scheme), Watches, Profile.HasInt64Atomics);
    if (!Linked)
      return Linked.takeError();
    Runtime = *Linked;
  }
  std::vector<CheckedTwin> Twins;
  for (Function *Kernel : Kernels) {
    if (Which.Checks)
      simplifyForCollectives(*Kernel, T);
    std::vector<Access> Accesses = accessesOf(*Kernel, T);
    CheckedTwin Made;
    for (const Access &A : Accesses)
      Made.Sites.push_back(describe(A, T));
    if (Accesses.size() > WS_MAX_SITES) {
      if (Error E = Refused.refuse(
              *Kernel, "kernel '" + Kernel->getName() + "' has " +
                           Twine(Accesses.size()) + " accesses; at most " +
                           Twine(WS_MAX_SITES) + " can be numbered"))
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
    if (!Which.Checks) {
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
    auto Wanted = hiddenArgsFor(*Kernel, Roots, Accesses, Which, Watches, T);
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
    for (auto &&[S, Reads] :
         zip_equal(Made.Sites, dependences(*Made.Kernel, Accesses)))
      S.DependsOn = std::move(Reads);
    Made.Unchanged = unchangedBy(*Made.Kernel, Roots, Accesses, T);
    std::optional<ExpressionBuilder> Numbers;
    if (Which.Lean) {
      Numbers.emplace(Made, T);
      addBarrierBranches(Made, *Numbers, T);
    }
    const KernelParts Parts{Made,
                            Roots,
                            Runtime,
                            Only,
                            Profile,
                            T,
                            Numbers ? &*Numbers : nullptr,
                            Which.Races && !Watches};
    auto How = isOther(Scheme) ? makeOther(Scheme, Parts)
                               : std::make_unique<ExactBounds>(Parts);
    std::optional<ArgumentComparison> Compared;
    if (!isOther(Scheme) && !Which.Lean)
      Compared.emplace(Made, T);
    std::optional<RaceWatch> Races;
    Made.WatchesRaces = Watches;
    if (Watches)
      Races.emplace(Parts, Accesses);
    placeChecks(Parts, *How, Accesses);
    if (Races)
      Races->place();
    if (Compared) {
      Compared->keep(Profile);
      addConvergencePoints(Made, Runtime, Profile, T);
      Compared->place(Runtime, Profile);
    }
    Made.Roots = Roots.all();
    Twins.push_back(std::move(Made));
  }
  if (any_of(Twins, [](const CheckedTwin &Made) {
        return !Made.Claimed.Contents.empty();
      }))
    if (Error Failed = linkIndexRange(Program))
      return std::move(Failed);
  return Twins;
}
