//===- options/private_directory.cpp - a directory of its owner -----------===//
//-----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "options/private_directory.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace warpsan {

void makePrivateDirectory(const std::string &Path) {
  for (size_t End = 1; End != std::string::npos;) {
    End = Path.find('/', End + 1);
    mkdir(Path.substr(0, End).c_str(), 0700);
  }
}

bool isTrustedOwner(uid_t Owner) { return Owner == geteuid() || Owner == 0; }

std::string whyNotPrivate(const std::string &Path) {
  struct stat Facts;
  if (lstat(Path.c_str(), &Facts) != 0)
    return std::strerror(errno);
  if (S_ISLNK(Facts.st_mode))
    return "it is a symbolic link; name the directory itself";
  if (!S_ISDIR(Facts.st_mode))
    return "it is not a directory";
  if (!isTrustedOwner(Facts.st_uid))
    return "it belongs to another user";
  if (Facts.st_mode & (S_IWGRP | S_IWOTH))
    return "others may write to it; chmod go-w makes it private";
  return {};
}

} // namespace warpsan
