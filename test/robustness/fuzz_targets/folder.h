//===- test/robustness/fuzz_targets/folder.h - a folder of this process's
// own --------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_FOLDER_H
#define WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_FOLDER_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace warpsan::fuzz {

/// In memory, gone when the process ends.
class Folder {
public:
  Folder() {
    std::string Name = "/dev/shm/warpsan-fuzz-XXXXXX";
    if (!mkdtemp(Name.data()))
      std::abort();
    Path = Name;
  }
  ~Folder() {
    std::error_code Error;
    std::filesystem::remove_all(Path, Error);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  std::filesystem::path Path;
};

} // namespace warpsan::fuzz

#endif // WARPSAN_TEST_ROBUSTNESS_FUZZ_TARGETS_FOLDER_H
