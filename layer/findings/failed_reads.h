//===- layer/findings/failed_reads.h - errors that other errors follow from
// ------------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_FINDINGS_FAILED_READS_H
#define WARPSAN_LAYER_FINDINGS_FAILED_READS_H

#include "diagnose/finding.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpsan {

/// Reads that failed their checks in the last launches, in the order in which
/// they were noted. Not to be used by two threads at once.
class FailedReads {
public:
  /// Notes \p F, of site \p Site of its kernel. Does nothing unless \p F is of
  /// a read or an atomic that returned zero. A site is noted once for a launch.
  void note(const Finding &F, uint32_t Site);

  /// The first read noted in \p F's launch that \p F, of site \p Site of
  /// \p Kernel, depends on, directly or through other reads. None if there is
  /// none, and if \p F is no error of an access. A loop that runs away depends
  /// on its own read as well.
  std::optional<Finding::FailedRead> causeOf(const Finding &F, uint32_t Site,
                                             const KernelInfo &Kernel) const;

private:
  struct Read {
    uint32_t Site = 0;
    Finding::FailedRead Failed;
  };
  struct Launch {
    uint64_t Number = 0; ///< 0: none
    std::vector<Read> Reads;
  };
  static constexpr size_t MaxReads = 256; ///< of a launch
  /// The oldest is replaced first. Few, because records of a launch are taken
  /// together, or while it runs.
  std::array<Launch, 64> Launches;
  size_t Next = 0; ///< index of the one to replace
};

} // namespace warpsan

#endif // WARPSAN_LAYER_FINDINGS_FAILED_READS_H
