//===- compiler/cuda.cpp - what CUDA and HIP programs look like -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/cuda.h"

#include "llvm/Demangle/Demangle.h"

using namespace llvm;
using namespace warpsan;

static constexpr StringRef RuntimePrefix = "__chip_";

bool warpsan::isCuda(const Module &Program, const Target &T) {
  for (const GlobalVariable &V : Program.globals())
    if (V.getName().starts_with(RuntimePrefix))
      return true;
  for (const Function &F : Program) {
    if (!T.isKernel(F))
      continue;
    if (F.getName().starts_with(RuntimePrefix))
      return true;
    // SYCL names its kernels after types.
    ItaniumPartialDemangler Name;
    const std::string Symbol = F.getName().str();
    if (!Name.partialDemangle(Symbol.c_str()) && Name.isFunction())
      return true;
  }
  return false;
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
