//===- status/access_places.h - where in the source accesses are ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under `warpsan run` the layer puts the manifest of each twin into the run's
// directory before its first launch, "<pid>.<n>.manifest", so that records of a
// process that was killed can be described.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_STATUS_ACCESS_PLACES_H
#define WARPSAN_STATUS_ACCESS_PLACES_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpsan {

class AccessPlaces {
public:
  void add(std::filesystem::path Manifest) {
    Files.push_back(std::move(Manifest));
  }

  /// "source.cl:3:10" of the access number \p Site of a kernel of process \p
  /// Pid. Empty if it is not known, or kernels of that name differ.
  std::string placeOf(uint64_t Pid, const std::string &Kernel,
                      uint32_t Site) const;

private:
  std::vector<std::filesystem::path> Files;
};

/// The process that a file in a run's directory is of.
uint64_t processOf(const std::filesystem::path &File);

} // namespace warpsan

#endif // WARPSAN_STATUS_ACCESS_PLACES_H
