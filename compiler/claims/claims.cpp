//===- compiler/claims/claims.cpp - accesses proven at launch -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/claims/claims.h"

#include "abi/sampler.h"
#include "compiler/claims/fields.h"
#include "compiler/claims/race_claims.h"
#include "compiler/pointers/member_arrays.h"

#include "llvm/Analysis/ValueTracking.h"

#include <optional>
#include <utility>

using namespace llvm;
using namespace warpsan;

/// True if \p Offset is a multiple of \p Align, a power of two.
static bool isMultiple(Value *Offset, uint64_t Align,
                       const DataLayout &Layout) {
  return computeKnownBits(Offset, Layout).countMinTrailingZeros() >=
         Log2_64(Align);
}

Value *warpsan::offsetOf(const Access &A, Value *Offset, IRBuilderBase &Build) {
  if (!A.Index)
    return Offset;
  Value *Index = Build.CreateSExtOrTrunc(A.Index, Build.getInt64Ty());
  return Build.CreateAdd(Offset,
                         Build.CreateMul(Index, Build.getInt64(A.Scale)));
}

bool warpsan::surelyAligned(const Access &A, Value *Offset) {
  return A.Align <= 1 || isMultiple(Offset, A.Align, A.At->getDataLayout());
}

bool LaunchClaims::claim(const Access &A, unsigned Number, Value *Offset,
                         const PointerOrigin &From) {
  if (!Numbers)
    return false;
  auto No = [&](const char *Why) {
    Output.Sites[Number].Why = Why;
    return false;
  };
  if (A.Count || A.Bytes == 0)
    return No("how many bytes it touches depends on a value");
  if (!From.isOne())
    return No("its pointer may refer to several objects");
  const Root &R = Roots[From.Roots[0]];
  const bool IsArgument = R.What == Root::Kind::Argument;
  if (A.Writes &&
      (R.What == Root::Kind::Constant ||
       (IsArgument && pointsToConst(*Output.Kernel->getArg(R.Arg), T))))
    return No("it writes to what is declared const");
  if (!IsArgument && !R.isVariable())
    return No("its pointer comes from memory");

  Claim C;
  C.Site = Number;
  C.Where = Numbers->condition(A.At->getParent());
  C.Offset = Numbers->node(Offset);
  C.Bytes = A.Bytes;
  C.Arg = IsArgument ? static_cast<int32_t>(R.Arg) : -1;
  C.Size = R.Size;
  C.Reads = A.Reads;
  C.Writes = A.Writes;
  if (!surelyAligned(A, Offset))
    C.Align = A.Align;
  static const char Unlimited[] =
      "its index comes from memory or a calculation that proofs do not know, "
      "and no condition limits it";
  std::vector<Claim> Both = {C};
  if (std::optional<Member> M = memberOf(A.Pointer)) {
    Builder Build(A.At);
    Value *Start = Where.boundsOf(createStart(*M), false, false).Offset;
    C.Offset = Numbers->node(Build.CreateSub(Offset, Start));
    C.Arg = -1;
    C.Size = M->Bytes;
    Both.push_back(C);
  }
  auto CanBeBounded = [&](bool ByContents) {
    return all_of(Both, [&](const Claim &Each) {
      return Numbers->canBeBounded(Each.Offset, Each.Where, ByContents);
    });
  };
  if (Only.checks(Number))
    return No("the launches that this twin is for do not prove it");
  if (CanBeBounded(/*ByContents=*/!Only.Kernel.empty())) {
    append_range(Output.Claimed.All, Both);
    return true;
  }
  if (!CanBeBounded(/*ByContents=*/true))
    return No(Unlimited);
  append_range(Output.Claimed.ByContents, Both);
  return No(
      "its index comes from memory: a launch needs no check if all that is "
      "there is known to be in bounds");
}

bool LaunchClaims::claimAddressing(const Access &A, unsigned Number) {
  if (!Numbers)
    return false;
  if (Only.checks(Number)) {
    Output.Sites[Number].Why =
        "the sampler of the launches that this twin is for has no addressing "
        "mode";
    return false;
  }
  // abi/sampler.h: samplers with an addressing mode have at least this value.
  Claim C;
  C.Site = Number;
  C.Where = Numbers->condition(A.At->getParent());
  C.Offset =
      Numbers->node(ConstantInt::get(Type::getInt64Ty(A.At->getContext()), 0));
  C.Bytes = WS_SAMPLER_ADDRESSES;
  C.Arg = static_cast<int32_t>(A.Sampler->getArgNo());
  Output.Claimed.All.push_back(C);
  return true;
}

void LaunchClaims::begin(const std::vector<Access> &Accesses) {
  if (!Numbers)
    return;
  if (!Output.Unchanged.empty())
    recordLoads(Accesses);
  if (Parts.ClaimsRaces)
    Output.ClaimedRaces = raceClaimsOf(Parts, Where, *Numbers, Accesses);
}

void LaunchClaims::recordLoads(const std::vector<Access> &Accesses) {
  for (const Access &A : Accesses) {
    auto *Load = dyn_cast<LoadInst>(A.At);
    const unsigned Width = Load && Load->getType()->isIntegerTy()
                               ? Load->getType()->getIntegerBitWidth()
                               : 0;
    if (Width < 8 || Width > 64 || !isPowerOf2_32(Width) || !Load->isSimple() ||
        !A.Known)
      continue;
    const PointerOrigin From = Roots.originOf(A.Pointer);
    const Root *R = From.isOne() ? &Roots[From.Roots[0]] : nullptr;
    if (R && R->What == Root::Kind::Argument && Output.Unchanged[R->Arg] &&
        isMultiple(Where.boundsOf(A.Pointer, false, false).Offset, Width / 8,
                   Load->getDataLayout()))
      Numbers->recordLoad(
          *Load, fieldOf(A.Pointer, *Output.Kernel->getArg(R->Arg), Width, T));
  }
}

void LaunchClaims::finish() {
  if (!Numbers)
    return;
  Claims Mine = std::exchange(Output.Claimed, Numbers->finish());
  Output.Claimed.All = std::move(Mine.All);
  Output.Claimed.ByContents = std::move(Mine.ByContents);
  Output.Claimed.Branches = std::move(Mine.Branches);
}
