//===- compiler/image_writes.cpp - integer writes to images with 3 axes ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/image_writes.h"

#include "compiler/mangling.h"
#include "compiler/target.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace llvm;
using namespace warpsan;

void warpsan::callImageWrites(Module &Program, const Target &T) {
  for (Function &F : Program) {
    const StringRef Name = T.builtinName(F);
    if (Name != "write_imagei" && Name != "write_imageui")
      continue;
    // (image, coordinate, texel). An overload with a level of detail has four.
    const FunctionType &Type = *F.getFunctionType();
    if (Type.getNumParams() != 3 ||
        Type.getParamType(1) != Type.getParamType(2))
      continue;
    if (const std::optional<MangledName> Parts = takeApart(F.getName()))
      F.setName(mangled(("_cl_" + Name).str(), Parts->Parameters));
  }
}
