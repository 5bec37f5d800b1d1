//===- compiler/ir/poison_flags.h - what makes a kernel's integers poison -===//
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
#ifndef WARPSAN_COMPILER_IR_POISON_FLAGS_H
#define WARPSAN_COMPILER_IR_POISON_FLAGS_H

#include "compiler/target/target.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/ValueHandle.h"

#include <cstdint>
#include <vector>

namespace warpsan {

/// Node::Flag of \p I: its own, and those that addFlags noted.
uint8_t flagsOf(const llvm::Instruction &I);

/// Notes flags for proofs only: the code that runs does not change.
void addFlags(llvm::Instruction &I, uint8_t Flags);

/// The flags of a function's instructions, noted before a pass that may drop
/// them: where it merges instructions, speculates or clones them.
class KeptFlags {
public:
  explicit KeptFlags(llvm::Function &F);

  /// After the pass: adds the flags to what it made of the instructions. What
  /// is new has those of all with its opcode that only metadata had: too many
  /// flags are safe, too few are not.
  void restore(llvm::Function &F) const;

private:
  struct Entry {
    llvm::WeakTrackingVH Instruction;
    unsigned Opcode;
    uint8_t Flags;
  };
  std::vector<Entry> Flagged;
  llvm::DenseMap<unsigned, uint8_t> OfClones; ///< by opcode
  std::vector<llvm::WeakVH> Originals;        ///< with one of these opcodes
};

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

#endif // WARPSAN_COMPILER_IR_POISON_FLAGS_H
