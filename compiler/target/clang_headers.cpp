//===- compiler/target/clang_headers.cpp - clang's OpenCL headers, built
// in ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/target/clang_headers.h"

// The assembler copies the files; nothing is parsed at build time. A zero byte
// ends each, as clang's lexer wants it.
#define WARPSAN_EMBED(Symbol, File)                                            \
  asm(".section .rodata\n"                                                     \
      ".global " #Symbol "\n" #Symbol ":\n"                                    \
      ".incbin \"" WARPSAN_CLANG_HEADERS "/" File "\"\n"                       \
      ".global " #Symbol "End\n" #Symbol "End:\n"                              \
      ".byte 0\n"                                                              \
      ".previous\n");                                                          \
  extern "C" const char Symbol[];                                              \
  extern "C" const char Symbol##End[];

WARPSAN_EMBED(WarpsanOpenclBase, "opencl-c-base.h")
WARPSAN_EMBED(WarpsanOpenclFull, "opencl-c.h")

namespace warpsan {

llvm::StringRef openclBaseHeader() {
  return {WarpsanOpenclBase,
          static_cast<size_t>(WarpsanOpenclBaseEnd - WarpsanOpenclBase)};
}

llvm::StringRef openclFullHeader() {
  return {WarpsanOpenclFull,
          static_cast<size_t>(WarpsanOpenclFullEnd - WarpsanOpenclFull)};
}

} // namespace warpsan
