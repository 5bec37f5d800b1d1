//===- compiler/pointers/roots.h - what a pointer can belong to -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A root is memory of its own bounds: an argument, a variable. Every pointer of
// a kernel is traced to the roots it can belong to, through address arithmetic,
// casts, phis and selects, integers that were pointers, and private or local
// memory that it was kept in.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_POINTERS_ROOTS_H
#define WARPSAN_COMPILER_POINTERS_ROOTS_H

#include "compiler/ir/source_types.h"
#include "compiler/target/target.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Operator.h"

#include <string>
#include <vector>

namespace warpsan {

struct Root {
  enum class Kind {
    Argument, ///< a pointer argument in global, constant or local memory
    Local,    ///< a local variable
    Private,  ///< a private variable, or an argument passed by value
    Constant, ///< a constant variable
    Program,  ///< a program-scope variable in global memory
    Image,    ///< an image argument
    Heap,     ///< shared virtual memory, found by its address
    Null,
    Unknown,
  };
  Kind What = Kind::Unknown;
  unsigned Arg = 0;              ///< Argument, Image, and if ByValue
  bool ByValue = false;          ///< Private: an argument passed by value
  llvm::Value *Object = nullptr; ///< the variable; arguments: see Arg
  uint64_t Size = 0;             ///< of a variable, bytes
  std::string Name, Type;        ///< as in the source; may be empty
  /// Bytes of what an index counts: an array's element, what an argument
  /// points to, a scalar. 0: not known, or a struct that is no array.
  uint64_t Element = 0;
  std::vector<Field> Fields; ///< of an element, or of the struct
  const llvm::DILocation *Declared = nullptr; ///< a private variable's place
  /// Where its scope ends, if it has a single end and can be used after it.
  const llvm::DILocation *Ended = nullptr;
  const llvm::DIVariable *Source = nullptr; ///< the variable's declaration

  bool isVariable() const {
    return What == Kind::Local || What == Kind::Private ||
           What == Kind::Constant || What == Kind::Program;
  }
};

const char *nameOf(Root::Kind What);

/// Where a pointer comes from.
struct PointerOrigin {
  llvm::SmallVector<unsigned, 2> Roots; ///< indices, each once
  /// Or from private or local memory, where its bounds are kept beside it.
  bool Kept = false;
  /// Or from where its address is all that is known: memory, an integer.
  bool Unknown = false;

  bool isOne() const { return !Kept && !Unknown && Roots.size() == 1; }
};

/// The roots of one kernel, numbered as the manifest lists them.
class RootTable {
public:
  RootTable(llvm::Function &Kernel, const Target &T);

  const PointerOrigin &originOf(llvm::Value *Pointer);
  const std::vector<Root> &all() const { return Roots; }
  const Root &operator[](unsigned Index) const { return Roots[Index]; }

  unsigned null() const { return 0; }
  unsigned unknown() const { return 1; }
  unsigned heap() const { return 2; }
  unsigned image(unsigned Arg);

  /// True if \p Pointer is an argument or a variable, not made of one.
  static bool isRoot(const llvm::Value *Pointer);

  /// True if pointers kept in the variable are tracked with their bounds.
  bool keepsPointers(unsigned RootIndex) const {
    return Keepers.contains(Roots[RootIndex].Object);
  }

  /// Enters every argument and variable of the kernel: what a pointer that
  /// cannot be traced may point into.
  void addAll();

  /// After the kernel got more arguments and is another function.
  void moveTo(llvm::Function &NewKernel);

private:
  unsigned add(Root New);
  unsigned variable(llvm::Value *Object);
  unsigned argument(llvm::Argument &Arg);
  void nameVariables();
  void describe(Root &R, const llvm::DIType *Type) const;
  void findKeepers();

  llvm::Function *Kernel;
  const Target &T;
  std::vector<Root> Roots;
  llvm::DenseMap<llvm::Value *, unsigned> Variables;
  llvm::DenseMap<unsigned, unsigned> Arguments;
  llvm::DenseMap<llvm::Value *, PointerOrigin> Known;
  llvm::DenseMap<llvm::Value *,
                 std::pair<const llvm::DIVariable *, const llvm::DILocation *>>
      Declarations;
  llvm::SmallPtrSet<llvm::Value *, 4> Keepers;
  /// Of the application's arguments, in order; empty if not known.
  std::vector<const llvm::DIType *> ArgTypes;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_POINTERS_ROOTS_H
