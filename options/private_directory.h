//===- options/private_directory.h - only its owner can change it ---------===//
//-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is in the cache is launched. Its entries have a checksum, which anybody
// can make: that nobody else can put one there is what protects them.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_OPTIONS_PRIVATE_DIRECTORY_H
#define WARPSAN_OPTIONS_PRIVATE_DIRECTORY_H

#include <string>
#include <sys/types.h>

namespace warpsan {

/// Makes \p Path and the directories above it that are missing, each for its
/// owner only.
void makePrivateDirectory(const std::string &Path);

/// Whose files are taken for ours: the system's, and those of this process's
/// user.
bool isTrustedOwner(uid_t Owner);

/// Why the directory at \p Path is not one that only a trusted owner can
/// change; empty if it is.
std::string whyNotPrivate(const std::string &Path);

} // namespace warpsan

#endif // WARPSAN_OPTIONS_PRIVATE_DIRECTORY_H
