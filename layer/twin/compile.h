//===- layer/twin/compile.h - recipes to results, by the cache or the
// compiler ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_COMPILE_H
#define WARPSAN_LAYER_TWIN_COMPILE_H

#include "job/job.h"
#include "layer/twin/compiler_process.h"
#include "layer/twin/twin_wish.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

namespace warpsan {

struct ContentHash;

/// A result that is there, or on its way.
class PendingResult {
public:
  /// Waits if it must. Safe from any thread, as often as wanted.
  const CompileResult &get();
  /// Whether a run before this one has made it.
  bool isFromCache() const { return FromCache; }
  /// Equal for equal requests.
  std::pair<uint64_t, uint64_t> key() const { return {KeyLow, KeyHigh}; }

private:
  friend std::shared_ptr<PendingResult>
  requestCompile(const BuildRecipe &Recipe, const DeviceInfo &Device,
                 const TwinWish &Wanted);

  /// True if it is there and the files that went into it are as they were.
  bool isCurrent();

  enum class State { Running, Awaited, Ready };
  std::mutex Mutex;
  std::condition_variable Changed;
  State Now = State::Running; ///< under Mutex
  RunningJob Job;             ///< belongs to whoever set Awaited
  CompileResult Answer;       ///< final once Ready
  uint64_t KeyLow = 0, KeyHigh = 0;
  bool FromCache = false;
};

/// Asks for the twin of a program; returns at once. Equal requests of one
/// process share one answer while somebody holds it and, if files may be read
/// for it, these are as they were.
std::shared_ptr<PendingResult> requestCompile(const BuildRecipe &Recipe,
                                              const DeviceInfo &Device,
                                              const TwinWish &Wanted);

/// True if the compiler may read files from disk for \p Recipe.
bool isOpen(const BuildRecipe &Recipe);

/// \p Recipe, an open recipe of one unit, with the files that \p First, its
/// result for \p Device and \p Twin, was made of: whatever is made of it
/// later is made of the same, and a request for the same twin gets \p First.
/// Waits for that.
std::shared_ptr<const BuildRecipe>
closeRecipe(const BuildRecipe &Recipe,
            const std::shared_ptr<PendingResult> &First,
            const DeviceInfo &Device, const TwinWish &Twin);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_COMPILE_H
