//===- compiler/target/builtins.cpp - OpenCL's and SPIR-V's builtins by
// name -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/target/builtins.h"

#include "compiler/target/clang_headers.h"
#include "compiler/target/mangling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

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
  if (Symbol.starts_with("_Z")) {
    std::optional<MangledName> Parts = takeApart(Symbol);
    if (!Parts)
      return {};
    Name = Parts->Name;
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
