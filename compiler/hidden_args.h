//===- compiler/hidden_args.h - trailing arguments that the layer sets ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_HIDDEN_ARGS_H
#define WARPSAN_COMPILER_HIDDEN_ARGS_H

#include "compiler/target.h"

#include "llvm/IR/Module.h"

#include <vector>

namespace warpsan {

struct HiddenArg {
  enum class Kind {
    Size,    ///< i64: bytes behind the pointer argument Arg
    Launch,  ///< i64: the launch's number
    Records, ///< global pointer: the record buffer
  };
  Kind What;
  unsigned Arg = 0; ///< for Size only
};

const char *nameOf(HiddenArg::Kind What);

/// A kernel and what was appended to its arguments.
struct Twin {
  llvm::Function *Kernel = nullptr;
  unsigned OwnArgs = 0; ///< the application's; hidden ones follow
  std::vector<HiddenArg> Hidden;
};

/// Appends the hidden arguments to every kernel: a size for each pointer
/// argument in global, constant or local memory, in argument order, the launch
/// number, the record buffer. In the order of the module.
std::vector<Twin> appendHiddenArgs(llvm::Module &Program, const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_HIDDEN_ARGS_H
