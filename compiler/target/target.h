//===- compiler/target/target.h - all that is particular to a kind of device
// code -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes ask a Target how address spaces are numbered, what a kernel is and
// what a builtin is called. SPIR-V is the only target today; code for nvptx64
// and amdgcn is to run through the same passes, so nothing outside this file
// (and the front end and emit.cpp, which make and write SPIR-V) may know these
// things.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_TARGET_TARGET_H
#define WARPSAN_COMPILER_TARGET_TARGET_H

#include "compiler/target/work_items.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpsan {

enum class Space { Private, Global, Constant, Local, Generic, Other };

enum class ArgKind {
  Global,
  Constant,
  Local,
  Value,
  Image,
  Sampler,
  Pipe,
  Queue,
  Other,
};

const char *nameOf(ArgKind Kind);

class Target {
public:
  virtual ~Target() = default;

  virtual std::string triple(uint32_t AddressBits) const = 0;

  virtual Space spaceOf(unsigned AddressSpace) const = 0;
  /// \p Which is none of Other.
  virtual unsigned numberOf(Space Which) const = 0;

  virtual bool isKernel(const llvm::Function &F) const = 0;
  /// What clSetKernelArg takes for the argument.
  virtual ArgKind kindOf(const llvm::Argument &Arg) const = 0;
  /// How many bytes clSetKernelArg takes; 0 for local memory, whose size is
  /// the application's to choose.
  virtual uint64_t sizeOf(const llvm::Argument &Arg) const = 0;
  /// Lengthens the kernel's argument metadata for one added argument.
  virtual void describeAddedArg(llvm::Function &Kernel, llvm::Type *Type,
                                llvm::StringRef TypeName,
                                llvm::StringRef Name) const = 0;

  /// The name by which people know a function that the device's library is to
  /// provide ("vload4", "get_global_id"), or empty if \p F is not such a one.
  virtual llvm::StringRef builtinName(const llvm::Function &F) const = 0;

  /// Declares the function of \p Query, one of the NDRange's: of a dimension,
  /// an i32; it returns an integer.
  virtual llvm::Function *workItemFunction(llvm::Module &Program,
                                           WorkItemQuery Query) const = 0;
};

const Target &spirvTarget();

/// A new variable of \p Type in local memory, undefined at first.
inline llvm::GlobalVariable *makeLocalVariable(llvm::Module &Program,
                                               llvm::Type *Type,
                                               const llvm::Twine &Name,
                                               const Target &T) {
  return new llvm::GlobalVariable(
      Program, Type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::UndefValue::get(Type), Name, /*InsertBefore=*/nullptr,
      llvm::GlobalValue::NotThreadLocal, T.numberOf(Space::Local));
}

/// The name of the builtin that \p Call calls; empty if it is none.
inline llvm::StringRef builtinOf(const llvm::CallBase &Call, const Target &T) {
  const llvm::Function *Callee = Call.getCalledFunction();
  return Callee ? T.builtinName(*Callee) : "";
}

/// The number in operand \p Index of \p Call; none if there is no such operand
/// or it is not constant. An undefined one may be any.
inline std::optional<uint64_t> constantOperand(const llvm::CallBase &Call,
                                               unsigned Index) {
  const auto *Number =
      Index < Call.arg_size()
          ? llvm::dyn_cast<llvm::ConstantInt>(Call.getArgOperand(Index))
          : nullptr;
  return Number ? std::optional(Number->getZExtValue()) : std::nullopt;
}

} // namespace warpsan

#endif // WARPSAN_COMPILER_TARGET_TARGET_H
