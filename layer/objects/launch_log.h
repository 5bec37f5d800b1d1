//===- layer/objects/launch_log.h - the launches that a record may belong
// to ---------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record names its launch by number. What a report says of a launch is kept
// for the last LaunchesKept launches, without allocating, and for launches that
// are recorded in a command buffer as long as that lives.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_LAUNCH_LOG_H
#define WARPSAN_LAYER_OBJECTS_LAUNCH_LOG_H

#include "abi/record.h"
#include "layer/objects/objects.h"
#include "layer/process/backtrace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpsan {

class TwinInfo;

/// More than WS_TAGS: a driver may be that far behind the application. A sixth
/// of a kilobyte each, once so many were made.
inline constexpr uint64_t LaunchesKept = uint64_t(4) * WS_TAGS;

/// Which kernel was launched. Shared by all its launches, and alive as long as
/// one of them is remembered; it holds nothing of the driver's.
struct LaunchedKernel {
  std::string Name;
  std::string Device; ///< CL_DEVICE_NAME
  std::shared_ptr<TwinInfo> Info;
  std::shared_ptr<const Life> Program = nullptr; ///< null: not known
  unsigned ProgramNumber = 0; ///< the process's first is 1; 0: not known
};

/// What one argument was, as far as a report wants to know.
struct ArgMemory {
  enum class Kind : uint8_t {
    None,  ///< no memory, or null
    Known, ///< Of
    Local,
    Foreign, ///< a pointer into no allocation that we know
  };
  Kind What = Kind::None;
  std::shared_ptr<const Memory> Of;
  uint64_t Size = 0;  ///< of local memory
  uint64_t Start = 0; ///< where in Of the argument points to
};
using ArgMemories = std::vector<ArgMemory>;

/// Where and how large, as the application asked.
struct NDRange {
  const char *Call = ""; ///< "clEnqueueNDRangeKernel"
  cl_uint Dimensions = 1;
  const size_t *Offset = nullptr; ///< null: none, as in OpenCL
  const size_t *Global = nullptr; ///< null: one work-item
  const size_t *Local = nullptr;  ///< null: left to the driver
};

/// What a launch had proven that is checked all the same (checks=audit).
struct AuditedLaunch {
  std::vector<uint32_t> Left; ///< accesses that it had not proven; sorted
  /// Those that it had not proven free of races; sorted. None: all.
  std::optional<std::vector<uint32_t>> Racing;
  std::shared_ptr<TwinInfo> Lean;  ///< of the twin that has the claims
  std::vector<std::string> Values; ///< what decided: "n = 100"
};

/// A launch, as it is remembered.
struct LoggedLaunch {
  uint64_t Number = 0;
  std::shared_ptr<const LaunchedKernel> Kernel;
  std::shared_ptr<const ArgMemories> Args;
  std::shared_ptr<const AuditedLaunch> Audited; ///< null: it was not
  const char *Call = "";
  uint32_t Dimensions = 1;
  std::array<uint64_t, 3> Offset = {}, Global = {}, Local = {};
  Backtrace Caller;
};

/// The next launch's number: goes up, and is never a multiple of WS_TAGS.
uint64_t nextLaunchNumber();

/// A launch as it is remembered, with the backtrace of who calls, but without
/// kernel and arguments.
LoggedLaunch describeLaunch(uint64_t Number, const NDRange &Range);

/// Remembers a launch, with the backtrace of who calls.
void logLaunch(uint64_t Number,
               const std::shared_ptr<const LaunchedKernel> &Kernel,
               const std::shared_ptr<const ArgMemories> &Args,
               const NDRange &Range,
               std::shared_ptr<const AuditedLaunch> Audited = nullptr);

/// None if it never was, or was too long ago.
std::optional<LoggedLaunch> findLaunch(uint64_t Number);

/// Keeps a launch until it is let go.
class KeptLaunch {
public:
  explicit KeptLaunch(uint64_t Number);
  ~KeptLaunch();
  KeptLaunch(const KeptLaunch &) = delete;
  KeptLaunch &operator=(const KeptLaunch &) = delete;

private:
  const uint64_t Number;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_LAUNCH_LOG_H
