//===- layer/twin/build_turns.h - one twin is built at a time -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intel's compiler crashes now and then when many threads build SPIR-V, as it
// does for an application with such threads. An application that builds source
// in many threads works without WarpSan, so it must with it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_BUILD_TURNS_H
#define WARPSAN_LAYER_TWIN_BUILD_TURNS_H

namespace warpsan {

/// Who builds while this lives.
enum class Builder {
  Twin,        ///< the layer: alone
  Application, ///< together with other threads of the application
};

/// Waits for its turn and has it until it is destroyed. Not for ever: if no
/// turn ends for a minute, it goes on, in case a driver's build waits for
/// another one. A thread that has a turn already does not wait.
class BuildTurn {
public:
  explicit BuildTurn(Builder By);
  ~BuildTurn();
  BuildTurn(const BuildTurn &) = delete;
  BuildTurn &operator=(const BuildTurn &) = delete;

private:
  Builder By;
};

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_BUILD_TURNS_H
