//===- compiler/sandbox.h - what a job of the compiler may do -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source that nobody trusts is given to a million lines of clang. So the
// process that compiles it can do little else: read below a few folders, use
// memory, write into the descriptors that it was given. No new file, no
// network, no other program or process, no code that was not there before.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SANDBOX_H
#define WARPSAN_COMPILER_SANDBOX_H

#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

/// Which of the walls stand. A kernel without them, or a build with a
/// sanitizer, leaves some out.
struct Walls {
  bool Calls = false; ///< seccomp: a list of system calls
  bool Files = false; ///< Landlock: folders that may be read
};

/// Limits of the process from here on. 0: none of that kind. Memory is not
/// limited in a build with a sanitizer, which reserves terabytes of addresses.
void limitResources(uint32_t Seconds, uint64_t MemoryBytes);

/// Puts this process behind the walls, for good: it, and every thread that it
/// will have, may read files below \p Readable and what is already open.
Walls confine(const std::vector<std::string> &Readable);

/// True behind the wall around files.
bool filesAreRestricted();

/// What a job that compiles may read beside its own folders.
const std::vector<std::string> &systemFolders();

/// Tries from behind the walls what is forbidden there. Says of each what came
/// of it, in lines; \p Held is false if one of them was possible.
std::string tryWalls(bool &Held);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SANDBOX_H
