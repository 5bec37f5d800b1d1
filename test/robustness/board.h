//===- test/robustness/board.h - what to let fail, and what failed --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libwarpsan_faults.so is preloaded into a program, and is an OpenCL layer too,
// above and below WarpSan's. It counts what WarpSan's layer asks of the C
// library (fault_calls.cpp) and of the driver (fault_driver.cpp), and lets one
// of these calls fail, or one and all that follow:
//
//   FAULTS_BOARD    a file of sizeof(Board) zeros, for the counts
//   FAULTS_KIND     which calls: memory, file, process, short, interrupted,
//                   driver; app: the application's own calls of the driver
//   FAULTS_AT       the how manieth of them fails, from 1; 0: none, but the
//                   places that they come from are noted
//   FAULTS_FOREVER  1: so do all after it
//   FAULTS_ERROR    what a driver's call returns, default CL_OUT_OF_HOST_MEMORY
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_ROBUSTNESS_BOARD_H
#define WARPSAN_TEST_ROBUSTNESS_BOARD_H

#include <atomic>
#include <cstdint>

namespace faults {

enum class Kind : uint32_t {
  Memory,
  File,
  Process,
  Short,       ///< reads and writes of less than was asked for
  Interrupted, ///< EINTR
  Driver,
  App,
  None
};

inline constexpr uint32_t MostPlaces = 16384;

/// In a file that outlives the process; test/robustness/faults reads it.
struct Board {
  std::atomic<uint64_t> Counts[8]; ///< by Kind
  std::atomic<uint64_t> Fired;     ///< calls that were let fail
  /// Of the first that was let fail in the driver: the number of the
  /// application's call in which it came, 0 if in none.
  uint64_t AppCall;
  uint64_t Forwarded; ///< 1: it was that call, passed on
  char Name[64];      ///< of the function
  char AppName[64];
  /// With FAULTS_AT=0: the numbers of the calls that came from a new place, by
  /// their backtraces inside of WarpSan's layer.
  std::atomic<uint64_t> PlaceCount;
  uint32_t Places[MostPlaces];
};

/// True if \p Address is in WarpSan's layer.
bool isOurs(const void *Address);

/// Counts a call of \p Name; true if it is to fail.
bool due(Kind What, const char *Name);

bool wants(Kind What);
int driverError();
Board *board();

} // namespace faults

#endif // WARPSAN_TEST_ROBUSTNESS_BOARD_H
