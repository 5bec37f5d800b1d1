//===- layer/process/python.h - which line of Python called ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program in Python has the same return addresses for each of its lines: the
// interpreter's. CPython 3.13 says in its own memory where debuggers find what
// is being run (_Py_DebugOffsets). A thread reads of itself what only it can
// change, without the interpreter's lock: many calls come without it (ctypes),
// and one who waited for it here could wait for ever.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_PROCESS_PYTHON_H
#define WARPSAN_LAYER_PROCESS_PYTHON_H

#include "diagnose/finding.h"

#include <span>

namespace warpsan {

/// The functions of Python that this thread is in. Equal ones are kept once and
/// for ever.
class PythonTrace {
public:
  /// Empty if this thread runs no Python, or one of another version than 3.13.
  /// Less than a microsecond for the way that the thread came last.
  static PythonTrace capture();

  /// Innermost first, at most 32.
  std::span<const HostFrame> frames() const;
  auto operator<=>(const PythonTrace &) const = default;

private:
  uint32_t Number = 0; ///< 0: no frames
};

/// Whether an address is in the interpreter's own code. False if there is none.
bool isInterpreter(const void *Address);

} // namespace warpsan

#endif // WARPSAN_LAYER_PROCESS_PYTHON_H
