//===- compiler/process/crash_handler.h - an answer even from a compile that
// dies -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang, LLVM and the translator may end the process: report_fatal_error, a
// segmentation fault, memory running out, and (the translator, on what it
// cannot express) a plain exit(). Once the handler is installed, such an end
// reports its reason and the phase in which it happened.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_PROCESS_CRASH_HANDLER_H
#define WARPSAN_COMPILER_PROCESS_CRASH_HANDLER_H

#include <cstdint>
#include <string>

namespace warpsan {

/// Called with the reason before a crashing process ends. Runs in signal
/// handlers and with a damaged heap: it must not allocate. It need not return.
using CrashCallback = void (*)(const char *Reason);

/// From now on a crash of this process calls \p Call. \p MemoryBytes is the
/// memory limit in force (0: none), for the reason. Replaces the last callback.
void installCrashHandler(CrashCallback Call, uint64_t MemoryBytes);

/// Restores the default handling of signals and of failed allocations.
void removeCrashHandler();

/// The phase of the compile that a crash report names: "compiling OpenCL C".
/// \p Phase must live forever (a literal).
void setCrashPhase(const char *Phase);
const char *crashPhase();

/// Sends what the libraries print to standard error to a file in memory, for
/// the log and for crash reports. Returns a descriptor of the real one, which
/// the caller owns.
int captureStandardError();
/// What has been captured so far.
std::string capturedStandardError();

/// Writes a serialized CompileResult that has nothing but a Reason. Does not
/// allocate.
void writeRefusal(int Descriptor, const char *Reason);

} // namespace warpsan

#endif // WARPSAN_COMPILER_PROCESS_CRASH_HANDLER_H
