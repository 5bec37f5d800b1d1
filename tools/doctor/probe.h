//===- tools/doctor/probe.h - what drivers there are, and do they work ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both functions load OpenCL into the calling process: call them only where a
// crash is contained (subprocess.h). OpenCL is loaded by dlopen, so that the
// command itself runs, and can tell what is missing, without it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_DOCTOR_PROBE_H
#define WARPSAN_TOOLS_DOCTOR_PROBE_H

#include "job/wire.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpsan {

struct DeviceReport {
  std::string Name;
  std::string DriverVersion;
  std::string Version;    ///< "OpenCL 3.0 ..."
  std::string ILVersions; ///< CL_DEVICE_IL_VERSION; empty if there is none
  uint32_t AddressBits = 0;
  uint32_t Available = 0;
  uint32_t HasCompiler = 0; ///< CL_DEVICE_COMPILER_AVAILABLE
  template <typename A> void serialize(A &Ar) {
    Ar.field(Name);
    Ar.field(DriverVersion);
    Ar.field(Version);
    Ar.field(ILVersions);
    Ar.field(AddressBits);
    Ar.field(Available);
    Ar.field(HasCompiler);
  }
};

struct PlatformReport {
  std::string Name;
  std::string Version;
  std::vector<DeviceReport> Devices;
  template <typename A> void serialize(A &Ar) {
    Ar.field(Name);
    Ar.field(Version);
    Ar.field(Devices);
  }
};

struct LoaderReport {
  std::string Problem; ///< why there is no loader; the rest is then empty
  std::string Path;
  std::string Version; ///< as the loader calls itself; may be empty
  std::vector<PlatformReport> Platforms;
  template <typename A> void serialize(A &Ar) {
    Ar.field(Problem);
    Ar.field(Path);
    Ar.field(Version);
    Ar.field(Platforms);
  }
};

LoaderReport listDevices();

/// Launches of one self-test.
inline constexpr uint64_t SelfTestLaunches = 3;
/// The kernel that makes one access outside of its buffer.
inline constexpr const char *SelfTestOverrun = "warpsan_selftest_overrun";

/// Runs a vector addition and a reduction in local memory on a device, both by
/// their place in listDevices(), and compares the results with the host's; and
/// then SelfTestOverrun, which WarpSan has to report.
/// Returns an empty string, or what went wrong in one sentence.
std::string selfTest(uint32_t Platform, uint32_t Device);

} // namespace warpsan

#endif // WARPSAN_TOOLS_DOCTOR_PROBE_H
