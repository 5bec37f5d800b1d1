//===- compiler/poison_flags.h - what makes a kernel's integers poison ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proofs must know where an overflow is undefined behavior in the source, since
// the driver compiles that, not our LLVM IR. Our passes merge instructions and
// drop flags, and pointer arithmetic is calculated without them: metadata keeps
// them.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POISON_FLAGS_H
#define WARPSAN_COMPILER_POISON_FLAGS_H

#include "compiler/target.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instruction.h"

#include <cstdint>

namespace warpsan {

/// Node::Flag of \p I: its own, and those that addFlags noted.
uint8_t flagsOf(const llvm::Instruction &I);

/// Notes flags for proofs only: the code that runs does not change.
void addFlags(llvm::Instruction &I, uint8_t Flags);

/// To be called before passes that merge equal instructions: notes the flags of
/// each for all that it may be merged with.
void keepFlags(llvm::Function &F);

/// Whether \p I may be poison though none of its operands is. A division by
/// zero is no value that others are calculated with.
bool createsPoison(const llvm::Instruction &I, const Target &T);

/// Which values may be poison in some launch. What comes from memory is not.
class PoisonSources {
public:
  explicit PoisonSources(const Target &T) : T(T) {}

  bool reach(const llvm::Value *V);

private:
  const Target &T;
  llvm::DenseSet<const llvm::Value *> Never, May;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_POISON_FLAGS_H
