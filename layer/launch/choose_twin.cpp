//===- layer/launch/choose_twin.cpp - the twin of a launch, by what it
// proves -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/choose_twin.h"

#include "layer/launch/audit.h"
#include "layer/launch/launch.h"
#include "layer/launch/twin_kernel.h"
#include "layer/order/command_order.h"
#include "layer/process/settings.h"

#include <vector>

using namespace warpsan;

/// What a launch proves of \p Lean's claims. \p Used: contents that it rests
/// on; null if it must not. \p Pending: gets what it certainly accesses; may be
/// null.
static std::shared_ptr<const ProofResult> proveLaunch(TwinPool &Lean, Kernel &K,
                                                      cl_command_queue Queue,
                                                      const NDRange &Range,
                                                      IndexRangesUsed *Used,
                                                      PendingCommand *Pending) {
  auto Proven = Lean.Proofs.decide(K.Args, Range, nullptr, Pending != nullptr);
  if (Pending)
    Pending->addLaunch(Lean.Of, *Lean.Plan, K.Args, Proven->Certain);
  if (Proven->MayDiverge || Proven->Left.empty() || !Used ||
      !Lean.Plan->wantsContents())
    return Proven;
  auto Make = [&](const std::string &Name) { return Lean.makeKernel(Name); };
  if (!Used->look(K, *Lean.Plan, Queue, Make))
    return Proven;
  auto More = Lean.Proofs.decide(K.Args, Range, Used);
  if (More->Left.size() < Proven->Left.size())
    return More;
  *Used = {};
  return Proven;
}

/// How many accesses of \p Plan's kernel are described.
static size_t racesOf(const KernelPlan &Plan) {
  return Plan.Races ? Plan.Races->Accesses.size() : 0;
}

/// The twin that checks and watches what \p Proven leaves, or one that does
/// more.
static TwinPool &poolFor(Kernel &K, cl_device_id Device, TwinPool &Lean,
                         const ProofResult &Proven, Launch &Result) {
  // A lean twin that no selection is for watches nothing.
  const bool LeanDoes =
      Proven.Holds && (!Lean.Which.Races || Proven.isRaceFree());
  const size_t Else =
      LeanDoes ? Lean.Plan->Checked : Lean.Plan->Checked + Lean.Plan->AtLaunch;
  const bool DoesLess =
      Lean.Which.Races
          ? Proven.Racing && (Proven.Left.size() < Else ||
                              Proven.Racing->size() < racesOf(*Lean.Plan))
          : Proven.Left.size() < Else;
  if (DoesLess && Lean.Plan->MayBeProven && settings().specialize)
    if (TwinPool *Tuned =
            K.Twin->poolFor(*K.From, Device, Lean.Which,
                            {K.Twin->Name, Proven.Left,
                             Proven.Racing.value_or(std::vector<uint32_t>())}))
      return *Tuned;
  Result.RestsOn = {};
  if (LeanDoes)
    return Lean;
  Result.Uses.cancel();
  return K.Twin->pool(*K.From, Device, Lean.Which.full());
}

TwinPool *warpsan::chooseTwin(Kernel &K, cl_command_queue Queue,
                              cl_device_id Device, const NDRange &Range,
                              bool Recorded, TwinPool &Lean, Launch &Result) {
  const bool Svm = Lean.Which.Svm;
  // What is recorded may run at any time, when its memory is gone.
  if (Svm && (Recorded || !Result.Uses.look(K.Args, *Lean.Plan))) {
    Result.Uses.cancel();
    return &K.Twin->pool(*K.From, Device, Lean.Which.full());
  }
  // Contents that the host may change without a call are not looked at.
  auto Proven = proveLaunch(Lean, K, Queue, Range,
                            Recorded || Svm ? nullptr : &Result.RestsOn,
                            Recorded ? nullptr : PendingCommand::current());
  // Claims and what a twin leaves out because of them rest on conditions that
  // drivers do not keep where work-items part at a barrier.
  if (Proven->MayDiverge) {
    Result.MayDiverge = true;
    Result.RestsOn = {};
    Result.Uses.cancel();
    return &K.Twin->pool(*K.From, Device, Lean.Which.full());
  }
  if (settings().checks == "audit") {
    Result.Audited = auditedLaunch(Lean, K.Args, *Proven);
    Result.RestsOn = {};
    if (!Proven->Holds)
      Result.Uses.cancel();
    return &K.Twin->pool(*K.From, Device, Lean.Which.full());
  }
  Result.IsRaceFree = Proven->isRaceFree();
  if (Proven->Holds && Proven->Left.empty() && Lean.Plan->MayBeProven &&
      (!Lean.Which.Races || Proven->isRaceFree())) {
    if (Lean.Plan->WhyNotNative.empty())
      return nullptr;
    Lean.noteNotNative();
  }
  return &poolFor(K, Device, Lean, *Proven, Result);
}
