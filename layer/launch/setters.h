//===- layer/launch/setters.h - variables that all copies of a program
// have -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The application's program and each of its twins have their own copy of its
// program-scope variables. A kernel that only sets such variables
// (compiler/ir/setters.h) is launched for each of them, and again for a twin
// that is made later.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_LAUNCH_SETTERS_H
#define WARPSAN_LAYER_LAUNCH_SETTERS_H

#include "layer/launch/launch.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warpsan {

/// Of one build.
class Setters {
public:
  /// Launches \p K, a setter, for every copy on \p Device, the application's
  /// own one last: its event tells that all are set. Returns what the driver
  /// said of that one. \p Events: null if it is recorded.
  cl_int launch(Kernel &K, cl_kernel Native, cl_device_id Device,
                const NDRange &Range, const EventArgs *Events,
                const EnqueueKernel &Enqueue);

  /// Bytes of a program-scope variable.
  struct Variable {
    std::string Name;
    size_t Begin = 0, End = 0;
  };
  /// Writes \p From to \p To of \p Native on \p Queue's device and of every
  /// copy there, as clEnqueueWriteGlobalVariableINTEL does.
  cl_int write(cl_command_queue Queue, cl_device_id Device, cl_program Native,
               const Variable &To, cl_bool Blocking, const void *From,
               const EventArgs &Events);
  /// A copy on \p Device; null if there is none.
  cl_program copyOn(cl_device_id Device);

  /// A twin that was built now: sets its variables, and does so from now on.
  /// \p Program lives as long as this does, or is removed.
  void addCopy(const Context &Ctx, cl_device_id Device, cl_program Program);
  void removeCopy(cl_program Program);

  /// Variables are set in a way that copies cannot follow.
  void giveUp() { Incomplete = true; }

  /// True if the driver did not set the variables of some copy as it set the
  /// application's own: only that one is right.
  bool areIncomplete() const {
    return Incomplete.load(std::memory_order_relaxed);
  }

private:
  using SetCopy = std::function<cl_int(cl_program, const EventArgs &)>;
  using SetNative = std::function<cl_int(const EventArgs &)>;
  /// Calls \p OnCopy for every copy on \p Device, then \p OnNative with events
  /// that make it the last to be complete. Returns what the latter did.
  /// \p SeenCopies: how many copies had been added then, for noteChange().
  cl_int setAll(cl_device_id Device, const EventArgs *Events,
                const SetCopy &OnCopy, const SetNative &OnNative,
                size_t &SeenCopies);
  /// Counts a setting that is now in All or Variables. Mutex is held.
  void noteChange(size_t SeenCopies);

  /// A launch to be repeated.
  struct Setting {
    cl_device_id Device;
    std::string Kernel;
    std::vector<std::pair<cl_uint, KernelArg>> Args;
    std::vector<size_t> Offset, Global, Local; ///< empty: as null
    cl_uint Dimensions;
  };
  struct Copy {
    cl_device_id Device;
    cl_program Program;
  };
  /// What was written natively, and when it will have been.
  struct Written {
    cl_device_id Device;
    cl_program Native;
    Variable Of;
    std::shared_ptr<_cl_event> Done;
  };
  static bool copyWritten(const Written &Each, const Context &Ctx,
                          cl_command_queue Queue, cl_program Program);
  static bool repeat(const Setting &Each, const Context &Ctx,
                     cl_command_queue Queue, cl_program Program);

  std::atomic<bool> Incomplete = false;
  std::mutex Mutex; ///< guards all below; never held across a driver call
  std::vector<Setting> All;       ///< the last one of each kernel
  std::vector<Written> Variables; ///< one of each
  size_t Changes = 0;             ///< of All and Variables
  std::vector<Copy> Copies;
  size_t CopiesAdded = 0; ///< those that were removed too
};

} // namespace warpsan

#endif // WARPSAN_LAYER_LAUNCH_SETTERS_H
