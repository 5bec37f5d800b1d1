//===- layer/twin/twin_info.h - what a report needs of a twin -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few runs have a finding, so a twin's manifest is kept as text and read in
// full only then. It outlives the program: a record may be read after the
// application has released everything.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_TWIN_INFO_H
#define WARPSAN_LAYER_TWIN_TWIN_INFO_H

#include "diagnose/finding.h"
#include "job/job.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warpsan {

class TwinInfo {
public:
  TwinInfo(std::string Manifest, std::shared_ptr<const BuildRecipe> Recipe)
      : Text(std::move(Manifest)), Recipe(std::move(Recipe)) {}

  /// What the compiler knew of a kernel; null if the manifest does not say.
  std::shared_ptr<const KernelInfo> kernel(const std::string &Name);

  /// As the compiler wrote it.
  const std::string &manifest() const { return Text; }

  /// The lines that lead to \p At, from the unit's own text or from disk.
  std::optional<SourceExcerpt> excerpt(const SourcePlace &At);

private:
  struct File {
    std::string Path;
    int Unit = -1; ///< index in Recipe->Units; -1: on disk
  };
  void readAll(); ///< under Mutex
  /// The text that the compiler read as \p Of; null if it is not known.
  const std::string *sourceOf(const File &Of) const;

  const std::string Text;
  const std::shared_ptr<const BuildRecipe> Recipe;
  std::mutex Mutex; ///< guards all below
  bool Read = false;
  std::map<std::string, std::shared_ptr<const KernelInfo>> Kernels;
  std::vector<File> Files;
};

/// \p Last and the lines before it, at most three in all, of \p Source; none
/// if it has no such line.
std::optional<SourceExcerpt> linesBefore(const std::string &Source,
                                         uint32_t Last);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_TWIN_INFO_H
