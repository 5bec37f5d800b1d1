//===- compiler/claims/claims.h - accesses proven at launch ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_CLAIMS_H
#define WARPSAN_COMPILER_CLAIMS_CLAIMS_H

#include "compiler/checks/scheme.h"
#include "compiler/claims/expression_builder.h"
#include "compiler/pointers/provenance.h"

#include <vector>

namespace warpsan {

/// The byte offset at which \p A begins; its pointer is at \p Offset.
llvm::Value *offsetOf(const Access &A, llvm::Value *Offset,
                      llvm::IRBuilderBase &Build);

/// True if \p A is surely aligned. Underlying objects are aligned for every
/// type: drivers and compilers guarantee that.
bool surelyAligned(const Access &A, llvm::Value *Offset);

/// Decides which accesses of a lean twin are proven at launch instead of
/// checked. Adds what a launch must prove to CheckedTwin::Claimed.
class LaunchClaims {
public:
  LaunchClaims(const KernelParts &Parts, Provenance &Where)
      : Parts(Parts), Output(Parts.Made), Roots(Parts.Roots), Only(Parts.Only),
        Numbers(Parts.Numbers), T(Parts.T), Where(Where) {}

  /// True if the twin is lean.
  bool areWanted() const { return Numbers; }
  /// Must be called before claim(). Records the integer loads from memory that
  /// the kernel does not modify, and accesses that may race if that is wanted.
  void begin(const std::vector<Access> &Accesses);
  /// True if each launch must prove that the access is in bounds. If false, the
  /// access must be checked, and its site says why.
  bool claim(const Access &A, unsigned Number, llvm::Value *Offset,
             const PointerOrigin &From);
  /// The same for a read through a sampler argument: each launch must prove
  /// that the sampler has an addressing mode.
  bool claimAddressing(const Access &A, unsigned Number);
  /// Moves all nodes and conditions into CheckedTwin::Claimed. Must be called
  /// once, after all claims.
  void finish();

private:
  void recordLoads(const std::vector<Access> &Accesses);

  const KernelParts Parts;
  CheckedTwin &Output;
  RootTable &Roots;
  const AccessSelection &Only;
  ExpressionBuilder *Numbers;
  const Target &T;
  Provenance &Where;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_CLAIMS_H
