//===- compiler/process/sandbox.h - what a job of the compiler may do -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang compiles source of untrusted authors. So the process that runs it can
// do little else: read below a few directories, use memory, write into the
// descriptors that it was given. No new file, no
// network, no other program or process, no code that was not there before.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_PROCESS_SANDBOX_H
#define WARPSAN_COMPILER_PROCESS_SANDBOX_H

#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

/// The parts of the sandbox that are in force. A Linux kernel without support,
/// or a build with a sanitizer, has fewer.
struct Sandbox {
  bool Calls = false; ///< seccomp: a list of system calls
  bool Files = false; ///< Landlock: directories that may be read
};

/// Limits of the process from here on. 0: none of that kind. Memory is not
/// limited in a build with a sanitizer, which reserves terabytes of addresses.
void limitResources(uint32_t Seconds, uint64_t MemoryBytes);

/// Confines this process to the sandbox, for good: it and every thread that it
/// creates may read only files below \p Readable and what is already open.
/// Call it before the first thread is created.
Sandbox confine(const std::vector<std::string> &Readable);

/// True once confine() has restricted files.
bool filesAreRestricted();

/// Directories that a compile job may read beside its own.
const std::vector<std::string> &systemDirectories();

/// Tries each forbidden operation in a sandboxed child process. Returns one
/// line with the result of each; \p Held is false if one of them was possible.
std::string testSandbox(bool &Held);

} // namespace warpsan

#endif // WARPSAN_COMPILER_PROCESS_SANDBOX_H
