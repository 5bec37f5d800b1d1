//===- layer/twin/compiler_process.h - warpsan-clc, started and spoken to -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One compiler process serves the whole application; it forks for each job, so
// that a job that crashes takes nothing with it. The application never sees
// the process: it is not its child, makes no SIGCHLD, holds none of its files,
// and is gone when the application is.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_COMPILER_PROCESS_H
#define WARPSAN_LAYER_TWIN_COMPILER_PROCESS_H

#include "job/job.h"

#include <chrono>
#include <string>

namespace warpsan {

/// A job under way. Destroying it gives it up.
class RunningJob {
public:
  RunningJob() = default;
  RunningJob(int Answer, int Held,
             std::chrono::steady_clock::time_point Deadline)
      : Answer(Answer), Held(Held), Deadline(Deadline) {}
  RunningJob(RunningJob &&Other) noexcept { *this = std::move(Other); }
  RunningJob &operator=(RunningJob &&Other) noexcept;
  ~RunningJob();

  /// Waits for the product. Returns true if the compiler answered, be it with
  /// a refusal; if not, \p Result's Reason says what happened to it.
  bool wait(CompileResult &Result);
  /// The same for a symbol job; false if there is no answer.
  bool wait(SymbolResult &Result);

private:
  int Answer = -1; ///< memory file for the product
  int Held = -1;   ///< read end of a pipe that the compiler holds
  std::chrono::steady_clock::time_point Deadline;
};

/// Hands \p Bytes (a serialized Job, or what \p What takes) to the compiler,
/// starting it if need be. On failure returns why in one sentence.
std::string startJob(const std::string &Bytes, RunningJob &Job,
                     JobTicket::Kind What = JobTicket::Kind::Compile);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_COMPILER_PROCESS_H
