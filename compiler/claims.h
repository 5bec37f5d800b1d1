//===- compiler/claims.h - what is left to each launch to prove -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_H
#define WARPSAN_COMPILER_CLAIMS_H

#include "compiler/arithmetic.h"
#include "compiler/provenance.h"
#include "compiler/scheme.h"

#include <vector>

namespace warpsan {

/// Where \p A begins, whose pointer is at \p Offset.
llvm::Value *offsetOf(const Access &A, llvm::Value *Offset,
                      llvm::IRBuilderBase &Build);

/// Roots are aligned for every type: drivers and compilers see to that.
bool surelyAligned(const Access &A, llvm::Value *Offset);

/// Accesses of a lean twin that are not checked, since a launch can tell
/// whether they are in bounds: Made.Claimed says what it has to prove.
class LaunchClaims {
public:
  LaunchClaims(const KernelParts &Of, Provenance &Where)
      : Made(Of.Made), Roots(Of.Roots), Only(Of.Only), Numbers(Of.Numbers),
        T(Of.T), Where(Where) {}

  /// Whether the twin is lean.
  bool areWanted() const { return Numbers; }
  /// Before all accesses: tells which integers are read out of memory that the
  /// kernel does not change.
  void begin(const std::vector<Access> &Accesses);
  /// True if whether the access is in bounds is left to each launch. Else
  /// Made.Sites says why not.
  bool claim(const Access &A, unsigned Number, llvm::Value *Offset,
             const PointerOrigin &From);
  /// The same of a read through a sampler that is an argument: each launch
  /// tells whether that has an addressing mode.
  bool claimAddressing(const Access &A, unsigned Number);
  void finish();

private:
  CheckedTwin &Made;
  RootTable &Roots;
  const Wanted &Only;
  Arithmetic *Numbers;
  const Target &T;
  Provenance &Where;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_H
