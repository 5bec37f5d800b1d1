//===- compiler/pointers/hidden_args.h - trailing arguments that the layer
// sets -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_HIDDEN_ARGS_H
#define WARPSAN_COMPILER_POINTERS_HIDDEN_ARGS_H

#include "compiler/target/target.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace warpsan {

struct HiddenArg {
  enum class Kind {
    Size,    ///< i64: of what the argument Arg points to, and what may be done
             ///< with it (abi/record.h)
    Start,   ///< i64: where in its allocation the argument points to
    SizeNow, ///< i64: address of its allocation's size (abi/heap.h); 0: none
    Objects, ///< i64: address of where its buffer's objects are; 0: it has none
    Tag,     ///< i64: of the argument, as the scheme has it (abi/schemes.h)
    LocalShadow, ///< local pointer: of what the argument points to
                 ///< (abi/races.h)
    ShadowBase,  ///< i64: index of the word of its memory's first byte
    Heap,   ///< global pointer: where shared virtual memory is (abi/heap.h)
    Table,  ///< global pointer: what the scheme looks things up in
    Key,    ///< i64: the scheme's, of this launch
    Shadow, ///< global pointer: of global memory (abi/races.h)
    ShadowLaunch, ///< i64: what a twin gets to know of its launch there
    Launch,       ///< i64: the launch's number
    Records,      ///< global pointer: the record buffer
  };
  Kind What;
  unsigned Arg = 0;     ///< for those of an argument
  uint64_t Granule = 0; ///< of LocalShadow and ShadowBase: bytes; 0: unused

  bool isOfArgument() const {
    return What == Kind::Size || What == Kind::Start || What == Kind::SizeNow ||
           What == Kind::Objects || What == Kind::Tag ||
           What == Kind::LocalShadow || What == Kind::ShadowBase;
  }
  bool isPointer() const {
    return What == Kind::Heap || What == Kind::Table || What == Kind::Shadow ||
           What == Kind::Records;
  }
};

const char *nameOf(HiddenArg::Kind What);

/// A kernel and what was appended to its arguments.
struct Twin {
  llvm::Function *Kernel = nullptr;
  unsigned OwnArgs = 0; ///< the application's; hidden ones follow
  std::vector<HiddenArg> Hidden;

  /// The hidden argument; null if there is none.
  llvm::Argument *hidden(HiddenArg::Kind What, unsigned Arg = 0) const;
  /// Where the record buffer has WS_ZERO_BYTES of zeros.
  llvm::Value *zeros(llvm::IRBuilderBase &Build) const;
};

/// True if the pointer argument may not be written through: it is declared
/// const or __constant.
bool pointsToConst(const llvm::Argument &Arg, const Target &T);

/// Which hidden arguments are wanted.
struct WantedArgs {
  struct OfArgument {
    bool Size = false;
    bool Pointer = false; ///< it may be one: Start and SizeNow
    bool Objects = false;
    bool Tag = false;
    bool LocalShadow = false;
    bool ShadowBase = false; ///< of any: Shadow and ShadowLaunch
  };
  std::vector<OfArgument> Of; ///< each argument of the kernel
  bool Heap = false;
  bool Table = false, Key = false;
};

/// Appends hidden arguments to \p Kernel: those that \p Wanted names, in
/// argument order, then the launch number and the record buffer. The kernel
/// becomes another function; its instructions stay the same.
Twin appendHiddenArgs(llvm::Function &Kernel, const WantedArgs &Wanted,
                      const Target &T);

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_HIDDEN_ARGS_H
