//===- compiler/claims/race_claims.cpp - accesses that may race -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/race_claims.h"

#include "abi/races.h"
#include "compiler/checks/access_kinds.h"
#include "compiler/claims/certain_paths.h"
#include "compiler/claims/claims.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/cuda.h"
#include "compiler/ir/synchronization.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <deque>
#include <map>
#include <set>
#include <utility>

using namespace llvm;
using namespace warpsan;

namespace {

/// What is described of accesses to one kind of memory: the barriers that order
/// it, and the loops with such barriers.
class Intervals {
public:
  /// \p Memory: local or global.
  Intervals(Function &Kernel, ExpressionBuilder &Numbers, Space Memory,
            const Target &T);

  /// By access instruction: every way from a barrier to it. False if there are
  /// too many.
  bool findArrivals(const SmallPtrSetImpl<const Instruction *> &Wanted);

  std::vector<uint32_t> Loops; ///< by index in the claims
  std::map<const Instruction *, std::vector<RaceArrival>> Arrivals;

private:
  using Iterations = std::vector<uint8_t>;
  bool walk(const Instruction *From, uint32_t Barrier,
            const SmallPtrSetImpl<const Instruction *> &Wanted);
  Iterations after(Iterations Now, const BasicBlock *From,
                   const BasicBlock *To) const;

  Function &Kernel;
  std::map<const Instruction *, uint32_t> Barriers; ///< numbered from 1
  std::vector<const llvm::Loop *> Tracked;          ///< as Loops
  std::map<const Instruction *, std::set<RaceArrival>> Found;
  size_t StepsLeft = 20'000;
};

} // namespace

Intervals::Intervals(Function &Kernel, ExpressionBuilder &Numbers, Space Memory,
                     const Target &T)
    : Kernel(Kernel) {
  // __syncthreads orders all memory, but chipStar makes it a barrier with
  // CLK_LOCAL_MEM_FENCE.
  const bool IsCuda = isCuda(*Kernel.getParent());
  for (const Instruction &I : instructions(Kernel))
    if (const auto *Call = dyn_cast<CallBase>(&I);
        Call && (surelyOrdersMemory(*Call, Memory, T) ||
                 (IsCuda && surelyOrdersMemory(*Call, Space::Local, T))))
      Barriers.emplace(&I, Barriers.size() + 1);
  for (const llvm::Loop *L : Numbers.loops().getLoopsInPreorder())
    if (any_of(Barriers,
               [&](const auto &Each) { return L->contains(Each.first); })) {
      Tracked.push_back(L);
      Loops.push_back(Numbers.loopIndex(*L));
    }
}

/// The iterations once the edge from \p From to \p To is taken. Behind a loop
/// its iteration is the last one.
Intervals::Iterations Intervals::after(Iterations Now, const BasicBlock *From,
                                       const BasicBlock *To) const {
  for (auto [L, Is] : zip_equal(Tracked, Now)) {
    if (!L->contains(To))
      continue;
    if (!L->contains(From))
      Is = RaceArrival::First;
    else if (To == L->getHeader())
      Is = Is == RaceArrival::Same    ? RaceArrival::Next
           : Is == RaceArrival::First ? RaceArrival::Second
                                      : RaceArrival::Unrelated;
  }
  return Now;
}

/// Follows every way from \p From, behind barrier number \p Barrier, up to the
/// next barriers.
bool Intervals::walk(const Instruction *From, uint32_t Barrier,
                     const SmallPtrSetImpl<const Instruction *> &Wanted) {
  Iterations Start;
  for (const llvm::Loop *L : Tracked)
    Start.push_back(Barrier && L->contains(From) ? RaceArrival::Same
                                                 : RaceArrival::Unrelated);
  std::set<std::pair<const BasicBlock *, Iterations>> Seen;
  std::deque<std::pair<const Instruction *, Iterations>> Work = {{From, Start}};
  for (; !Work.empty(); Work.pop_front()) {
    if (StepsLeft-- == 0)
      return false;
    const auto &[First, Now] = Work.front();
    const Instruction *I = First;
    for (; I && !Barriers.contains(I); I = I->getNextNode())
      if (Wanted.contains(I))
        Found[I].insert({Barrier, Now});
    if (I)
      continue;
    const BasicBlock *Block = First->getParent();
    for (const BasicBlock *Next : successors(Block)) {
      Iterations Then = after(Now, Block, Next);
      if (Seen.emplace(Next, Then).second)
        Work.emplace_back(&Next->front(), std::move(Then));
    }
  }
  return true;
}

bool Intervals::findArrivals(
    const SmallPtrSetImpl<const Instruction *> &Wanted) {
  if (!walk(&Kernel.getEntryBlock().front(), 0, Wanted))
    return false;
  // A barrier does not end a block.
  for (const auto &[Barrier, Number] : Barriers)
    if (!walk(Barrier->getNextNode(), Number, Wanted))
      return false;
  for (const auto &[I, Some] : Found)
    Arrivals[I] = {Some.begin(), Some.end()};
  return true;
}

/// Why \p Call may touch memory that accessesOf() does not list; null if it
/// does not.
static const char *whyHidden(const CallBase &Call, const Target &T) {
  if (isa<IntrinsicInst>(Call)) // with pointers they are listed
    return nullptr;
  const Function *Callee = Call.getCalledFunction();
  const bool IsKnown = Callee && !T.builtinName(*Callee).empty();
  for (const Use &Arg : Call.args()) {
    const Type *Its = Arg->getType();
    if (Its->isAggregateType() ||
        (Its->isVectorTy() && Its->isPtrOrPtrVectorTy()) ||
        (Its->isPointerTy() && !IsKnown))
      return "it calls a function that may access memory";
  }
  return nullptr;
}

/// Why nothing can be said of \p A, which is to memory that work-items may
/// share; null if something can.
static const char *whyNotDescribed(const Access &A) {
  if (A.CountOperand >= 0 || A.Stride)
    return "it copies asynchronously";
  if (A.Count || A.Bytes == 0)
    return "how many bytes an access touches depends on a value";
  if (A.Builtin.starts_with("__read_pipe") ||
      A.Builtin.starts_with("__write_pipe"))
    return "it uses pipes";
  return nullptr;
}

/// True if \p A surely reads or writes, as it says, where it is executed. A
/// compare-and-exchange may not write. A volatile access may be meant as an
/// atomic one, as before OpenCL 2.0.
static bool isPerformed(const Access &A) {
  if (isa<AtomicRMWInst>(A.At))
    return true;
  if (isa<LoadInst, StoreInst, MemIntrinsic>(A.At))
    return !A.At->isVolatile();
  return A.Builtin.starts_with("vload") || A.Builtin.starts_with("vstore") ||
         (A.Builtin.starts_with("atom") && !A.Builtin.contains("cmpxchg") &&
          !A.Builtin.contains("compare_exchange"));
}

/// Of one access, all but its memory.
static RaceAccess raceAccessOf(const Access &A, const Target &T) {
  RaceAccess R;
  R.Bytes = A.Bytes;
  const uint32_t Kind = isExpected(A) ? WS_RACE_WRITE : raceKindOf(A);
  R.Writes = Kind == WS_RACE_WRITE || Kind == WS_RACE_ATOMIC_UPDATE;
  R.AtomicInGroup = notAtomic(Kind) != Kind;
  R.AtomicOfGroups = R.AtomicInGroup && !isWithinWorkGroup(*A.At, T);
  R.StoresConstant = storesConstant(A);
  return R;
}

RaceClaims warpsan::raceClaimsOf(const KernelParts &Parts, Provenance &Where,
                                 ExpressionBuilder &Numbers,
                                 const std::vector<Access> &Accesses) {
  Function &Kernel = *Parts.Made.Kernel;
  const Target &T = Parts.T;
  RaceClaims Claims;
  auto No = [&](const char *Why) {
    Claims = {};
    Claims.WhyNot = Why;
    return Claims;
  };
  for (const Instruction &I : instructions(Kernel))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const char *Why = whyHidden(*Call, T))
        return No(Why);

  CertainPaths Certain(Kernel, Numbers, T);
  SmallPtrSet<const Instruction *, 32> Wanted[2];
  std::vector<const Instruction *> At; ///< by described access
  for (unsigned Site = 0; Site < Accesses.size(); ++Site) {
    const Access &A = Accesses[Site];
    if (A.Image)
      return No("it accesses images");
    // A call that is not known is one access, by the first of its pointers.
    if (!A.Known)
      return No("what a call accesses is not known");
    const PointerOrigin From =
        A.Pointer ? Parts.Roots.originOf(A.Pointer) : PointerOrigin();
    if (!A.Pointer || From.Kept || From.Unknown || From.Roots.empty())
      return No("a pointer comes from memory or is not known");
    std::optional<uint32_t> Offset;
    for (const unsigned Index : From.Roots) {
      const Root &R = Parts.Roots[Index];
      RaceAccess Made = raceAccessOf(A, T);
      Made.Site = Site;
      switch (R.What) {
      case Root::Kind::Argument: {
        const ArgKind Kind = T.kindOf(*Kernel.getArg(R.Arg));
        if (Kind != ArgKind::Global && Kind != ArgKind::Constant &&
            Kind != ArgKind::Local)
          return No("an argument is of an unknown kind");
        Made.Arg = static_cast<int32_t>(R.Arg);
        Made.IsLocal = Kind == ArgKind::Local;
        break;
      }
      case Root::Kind::Local:
      case Root::Kind::Program:
        Made.Variable = Index;
        Made.IsLocal = R.What == Root::Kind::Local;
        break;
      case Root::Kind::Constant:
        if (A.Writes)
          return No("it writes to a constant variable");
        continue;
      case Root::Kind::Private:
      case Root::Kind::Null:
        continue;
      case Root::Kind::Image:
      case Root::Kind::Heap:
      case Root::Kind::Unknown:
        return No("a pointer comes from memory or is not known");
      }
      if (const char *Why = whyNotDescribed(A))
        return No(Why);
      if (!Offset) {
        Builder Build(A.At);
        Offset = Numbers.node(
            offsetOf(A, Where.boundsOf(A.Pointer, false, false).Offset, Build));
      }
      Made.Offset = *Offset;
      Made.Where = Numbers.condition(A.At->getParent());
      // Of several roots only one is accessed.
      if (From.isOne() && !Made.IsLocal && Made.Arg >= 0 && isPerformed(A))
        if (const auto Cond = Certain.condition(A.At->getParent())) {
          Made.Certain = 1 + *Cond;
          Made.InLoop = Certain.loopAround(A.At->getParent());
        }
      Wanted[Made.IsLocal ? 0 : 1].insert(A.At);
      At.push_back(A.At);
      Claims.Accesses.push_back(std::move(Made));
    }
  }

  for (const bool IsLocal : {true, false}) {
    const size_t Memory = IsLocal ? 0 : 1;
    if (Wanted[Memory].empty())
      continue;
    Intervals Found(Kernel, Numbers, IsLocal ? Space::Local : Space::Global, T);
    if (!Found.findArrivals(Wanted[Memory]))
      return No("there are too many ways between its barriers");
    Claims.Loops[Memory] = Found.Loops;
    for (auto [I, A] : zip_equal(At, Claims.Accesses))
      if (A.IsLocal == IsLocal)
        A.Arrivals = Found.Arrivals[I];
  }
  return Claims;
}
