//===- compiler/ir/arg_info.cpp - what the source says of an argument -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/arg_info.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace warpsan;

std::string warpsan::argString(const Function &Kernel, const char *Kind,
                               unsigned Index) {
  const MDNode *Node = Kernel.getMetadata(Kind);
  if (!Node || Index >= Node->getNumOperands())
    return {};
  auto *Text = dyn_cast_or_null<MDString>(Node->getOperand(Index));
  return Text ? Text->getString().str() : std::string();
}

std::vector<std::string> warpsan::argQualifiers(const Function &Kernel,
                                                unsigned Index) {
  std::string All = argString(Kernel, "kernel_arg_type_qual", Index);
  SmallVector<StringRef, 4> Words;
  StringRef(All).split(Words, ' ', -1, /*KeepEmpty=*/false);
  return {Words.begin(), Words.end()};
}
