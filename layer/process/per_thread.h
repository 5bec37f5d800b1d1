//===- layer/process/per_thread.h - an object of each thread --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_PER_THREAD_H
#define WARPSAN_LAYER_PROCESS_PER_THREAD_H

#include <utility>

namespace warpsan {

/// This thread's T, for what each call uses again so that it need not allocate.
/// OpenCL may be called from exit handlers and static destructors, when the
/// thread's own objects have been destroyed: they get another one.
template <typename T> T &perThread() {
  // Nothing to destroy: it can be read to the last.
  static thread_local T *Mine = nullptr;
  struct Owner {
    ~Owner() { delete std::exchange(Mine, nullptr); }
  };
  static thread_local Owner Owns;
  static_cast<void>(Owns);
  if (!Mine)
    Mine = new T;
  return *Mine;
}

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_PER_THREAD_H
