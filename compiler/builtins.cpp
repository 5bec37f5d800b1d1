//===- compiler/builtins.cpp - OpenCL's and SPIR-V's builtins by name -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/builtins.h"

#include "compiler/clang_headers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpsan;

/// Every word that clang's headers follow with '(': all function names, and
/// some macros, which do no harm.
static const StringSet<> &headerNames() {
  static const StringSet<> Names = [] {
    StringSet<> Found;
    auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
    for (StringRef Text : {openclFullHeader(), openclBaseHeader()})
      for (size_t Open = Text.find('('); Open != StringRef::npos;
           Open = Text.find('(', Open + 1)) {
        size_t Start = Open;
        while (Start > 0 && IsWord(Text[Start - 1]))
          --Start;
        if (Start < Open)
          Found.insert(Text.slice(Start, Open));
      }
    return Found;
  }();
  return Names;
}

void warpsan::loadBuiltinNames() { headerNames(); }

bool warpsan::isDeviceEnqueue(StringRef Symbol) {
  return Symbol.starts_with("__enqueue_kernel_") ||
         Symbol.starts_with("__get_kernel_");
}

/// Names that clang's code generator makes up itself.
static bool isMadeByClang(StringRef Symbol) {
  return Symbol == "printf" || Symbol == "__translate_sampler_initializer" ||
         Symbol.starts_with("__read_pipe_") ||
         Symbol.starts_with("__write_pipe_") ||
         Symbol.starts_with("__reserve_read_pipe") ||
         Symbol.starts_with("__reserve_write_pipe") ||
         Symbol.starts_with("__commit_read_pipe") ||
         Symbol.starts_with("__commit_write_pipe") ||
         Symbol.starts_with("__work_group_") ||
         Symbol.starts_with("__sub_group_") ||
         Symbol.starts_with("__get_pipe_") || Symbol == "__to_global" ||
         Symbol == "__to_local" || Symbol == "__to_private" ||
         Symbol == "memcpy" || Symbol == "memset";
}

StringRef warpsan::openclBuiltinName(StringRef Symbol) {
  if (isMadeByClang(Symbol) || isDeviceEnqueue(Symbol))
    return Symbol;
  StringRef Name = Symbol;
  if (Name.consume_front("_Z")) {
    size_t Length = 0;
    if (Name.consumeInteger(10, Length) || Length > Name.size())
      return {};
    Name = Name.take_front(Length);
  }
  // SPIR-V friendly IR: instructions and the OpenCL extended set as functions.
  if (Name.consume_front("__spirv_")) {
    Name.consume_front("ocl_");
    Name.consume_front("BuiltIn");
    // "vloadn_Rfloat4": the return type is part of the name.
    return Name.substr(0, Name.find("_R"));
  }
  if (Name.size() != Symbol.size() && headerNames().contains(Name))
    return Name;
  return {};
}

BuiltinAccess warpsan::accessOf(StringRef Name, const CallBase &Call) {
  if (Name == "__translate_sampler_initializer")
    return BuiltinAccess::None;
  bool Touches = false;
  for (const Use &Arg : Call.args()) {
    Type *T = Arg->getType();
    if (T->isPointerTy())
      Touches = true;
    if (auto *Opaque = dyn_cast<TargetExtType>(T))
      Touches |= Opaque->getName() == "spirv.Image" ||
                 Opaque->getName() == "spirv.SampledImage" ||
                 Opaque->getName() == "spirv.Pipe";
  }
  if (!Touches)
    return BuiltinAccess::None;
  // Questions about a pointer or an image, not accesses through it.
  if (Name.starts_with("get_image_") || Name.starts_with("ImageQuery") ||
      Name.starts_with("__to_") || Name.starts_with("to_") ||
      Name.starts_with("GenericCastToPtr") || Name == "get_fence" ||
      Name == "wait_group_events" || Name == "GroupWaitEvents" ||
      Name == "SampledImage" || Name.starts_with("__get_pipe_"))
    return BuiltinAccess::None;
  if (Name.starts_with("atomic_") || Name.starts_with("atom_") ||
      Name.starts_with("Atomic"))
    return BuiltinAccess::Atomic;
  return BuiltinAccess::Call;
}

uint64_t warpsan::bytesOf(StringRef Name, const CallBase &Call) {
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  auto Bytes = [&](Type *T) -> uint64_t {
    if (auto *Vector = dyn_cast<FixedVectorType>(T)) // float3: 12, not 16
      return Vector->getNumElements() *
             Layout.getTypeStoreSize(Vector->getElementType());
    return T->isSized() ? Layout.getTypeStoreSize(T).getFixedValue() : 0;
  };
  auto Count = [](Type *T) -> uint64_t {
    auto *Vector = dyn_cast<FixedVectorType>(T);
    return Vector ? Vector->getNumElements() : 1;
  };
  bool Half = Name.contains("_half");
  if (Name.starts_with("vload"))
    return Half ? 2 * Count(Call.getType()) : Bytes(Call.getType());
  if (Name.starts_with("vstore")) {
    Type *Stored = Call.getArgOperand(0)->getType();
    return Half ? 2 * Count(Stored) : Bytes(Stored);
  }
  if (accessOf(Name, Call) == BuiltinAccess::Atomic) {
    if (Name.contains("flag") || Name.contains("Flag"))
      return 4;
    // A comparison's result is a bool; the last operand that is a value of the
    // object's type is what it may store.
    bool Compares = Name.starts_with("atomic_compare_exchange");
    if (!Call.getType()->isVoidTy() && !Compares)
      return Bytes(Call.getType());
    // atomic_store(p, value), atomic_compare_exchange_*(p, expected, desired):
    // operands after the value are orders and scopes.
    unsigned Value = Compares ? 2 : 1;
    if (Name == "AtomicStore")
      Value = 3;
    return Value < Call.arg_size() ? Bytes(Call.getArgOperand(Value)->getType())
                                   : 0;
  }
  return 0;
}
