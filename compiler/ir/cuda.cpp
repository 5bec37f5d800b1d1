//===- compiler/ir/cuda.cpp - what CUDA and HIP programs look like --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/cuda.h"

#include "llvm/Demangle/Demangle.h"

using namespace llvm;
using namespace warpsan;

static constexpr StringRef RuntimePrefix = "__chip_";

/// Of a named metadata node without operands.
static constexpr StringRef Record = "warpsan.cuda";

void warpsan::recordCuda(Module &Program) {
  if (any_of(Program.global_values(), [](const GlobalValue &V) {
        return V.getName().starts_with(RuntimePrefix);
      }))
    Program.getOrInsertNamedMetadata(Record);
}

bool warpsan::isCuda(const Module &Program) {
  return Program.getNamedMetadata(Record) != nullptr;
}

std::string warpsan::sourceNameOf(StringRef Symbol) {
  // clang's name for what a function's constant array is copied from.
  if (Symbol.consume_front("__const."))
    return Symbol.rsplit('.').second.str();
  if (!Symbol.starts_with("_Z"))
    return Symbol.str();
  const std::string Whole = demangle(Symbol.str());
  const StringRef Name = StringRef(Whole).rsplit("::").second;
  // Not what is behind a scope, but a part of template arguments.
  if (Name.empty() || Name.find_first_of("<>()") != StringRef::npos)
    return Whole;
  return Name.str();
}
