//===- compiler/checks/access_kinds.cpp - what an access does to others ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/access_kinds.h"

#include "abi/races.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace warpsan;

uint32_t warpsan::raceKindOf(const Access &A) {
  // It is none of the atomic operations.
  if (A.Builtin == "atomic_init")
    return WS_RACE_WRITE;
  if (A.What == Access::Kind::Atomic)
    return A.Writes ? WS_RACE_ATOMIC_UPDATE : WS_RACE_ATOMIC_LOAD;
  return A.What == Access::Kind::Write ? WS_RACE_WRITE : WS_RACE_READ;
}

uint32_t warpsan::notAtomic(uint32_t Kind) {
  return Kind == WS_RACE_ATOMIC_LOAD     ? WS_RACE_READ
         : Kind == WS_RACE_ATOMIC_UPDATE ? WS_RACE_WRITE
                                         : Kind;
}

bool warpsan::isExpected(const Access &A) {
  return A.Builtin.starts_with("atomic_compare_exchange") &&
         A.Pointer == cast<CallBase>(A.At)->getArgOperand(1);
}

bool warpsan::storesConstant(const Access &A) {
  const auto *Store = dyn_cast<StoreInst>(A.At);
  const auto *Stored =
      Store ? dyn_cast<Constant>(Store->getValueOperand()) : nullptr;
  return Stored && !Store->isAtomic() && A.Align >= A.Bytes &&
         !Stored->containsUndefOrPoisonElement() && !isa<UndefValue>(Stored);
}
