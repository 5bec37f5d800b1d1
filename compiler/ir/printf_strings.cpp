//===- compiler/ir/printf_strings.cpp - printf's %s -----------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/printf_strings.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace llvm;
using namespace warpsan;

/// The bytes from \p Pointer to the end of its constant; none if it is not a
/// constant of bytes, or which byte is not known.
static std::optional<StringRef> constantBytes(const Value *Pointer,
                                              const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Object = Pointer->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  const auto *Variable = dyn_cast<GlobalVariable>(Object);
  if (!Variable || !Variable->isConstant() || !Variable->hasInitializer())
    return std::nullopt;
  const auto *Data =
      dyn_cast<ConstantDataSequential>(Variable->getInitializer());
  if (!Data || !Data->isString())
    return std::nullopt;
  StringRef All = Data->getAsString();
  if (Offset.uge(All.size()))
    return std::nullopt;
  return All.substr(Offset.getZExtValue());
}

/// Conversions in a format: 's' for each that takes a string, '.' for others.
static std::string conversionsOf(StringRef Format) {
  std::string Found;
  Format = Format.take_until([](char C) { return C == 0; });
  for (size_t I = 0; I < Format.size(); ++I) {
    if (Format[I] != '%')
      continue;
    if (++I < Format.size() && Format[I] == '%')
      continue;
    while (I < Format.size() && !isAlpha(Format[I]))
      ++I;
    while (I < Format.size() && StringRef("hlLv").contains(Format[I]))
      ++I;
    Found += I < Format.size() && Format[I] == 's' ? 's' : '.';
  }
  return Found;
}

bool warpsan::stringsEnd(const CallBase &Printf) {
  const DataLayout &Layout = Printf.getModule()->getDataLayout();
  auto Format = constantBytes(Printf.getArgOperand(0), Layout);
  if (!Format)
    return false;
  std::string Conversions = conversionsOf(*Format);
  for (unsigned I = 0; I < Conversions.size(); ++I) {
    if (Conversions[I] != 's')
      continue;
    if (I + 1 >= Printf.arg_size())
      return false;
    auto Text = constantBytes(Printf.getArgOperand(I + 1), Layout);
    if (!Text || !Text->contains('\0'))
      return false;
  }
  return true;
}
