//===- compiler/ir/refusals.h - kernels that get no twin ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_IR_REFUSALS_H
#define WARPSAN_COMPILER_IR_REFUSALS_H

#include "compiler/target/target.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace warpsan {

/// Kernels of one program that cannot be instrumented. The others get their
/// twins all the same, unless kernels change variables of the program: the
/// native program and its twin each have their own copies.
class Refusals {
public:
  Refusals(const llvm::Module &Program, const Target &T);

  /// Removes \p Kernel from its module. Nothing but other kernels that are
  /// refused may call it. Fails with \p Reason if the whole program has to do
  /// without twins.
  llvm::Error refuse(llvm::Function &Kernel, const llvm::Twine &Reason);

  /// Reasons, by kernel.
  const std::map<std::string, std::string> &kernels() const { return Reasons; }

private:
  const Target &T;
  const bool SharesVariables;
  std::map<std::string, std::string> Reasons;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_IR_REFUSALS_H
