//===- layer/api/mutable_commands.h - recorded kernels that may change ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cl_khr_command_buffer_mutable_dispatch. What is recorded is a twin that
// checks everything; when its arguments or its range change, so do the hidden
// arguments.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_MUTABLE_COMMANDS_H
#define WARPSAN_LAYER_API_MUTABLE_COMMANDS_H

#include "layer/api/extensions.h"
#include "layer/launch/launch.h"
#include "layer/launch/twin_kernel.h"

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace warpsan {

/// A kernel that was recorded as a mutable command.
struct MutableCommand {
  const ExtensionFunctions *Driver = nullptr;
  cl_device_id Device = nullptr;
  cl_kernel Native = nullptr; ///< the application's kernel
  /// The twin that was recorded in its place; null: none was. Alive while Now
  /// is.
  TwinPool *Pool = nullptr;
  /// The application's, with the closing zero; empty if it gave none.
  std::vector<cl_command_properties_khr> Properties;

  std::mutex Mutex;            ///< guards all below
  std::shared_ptr<Kernel> Now; ///< with the arguments that it has
  cl_uint Dimensions = 1;
  std::vector<size_t> Global;
};

/// What the driver is to be given instead of \p Theirs, so that the hidden
/// arguments of a twin can change. Empty: what the application gave.
std::vector<cl_command_properties_khr>
withArguments(const cl_command_properties_khr *Theirs);

/// Enters the command \p Handle of which \p L became; \p Native: the
/// application's kernel.
void noteMutable(cl_mutable_command_khr Handle, const Launch &L,
                 cl_kernel Native, cl_device_id Device, const NDRange &Range,
                 const cl_command_properties_khr *Properties,
                 const ExtensionFunctions &Driver);
/// The same for the command that \p Handle was copied to.
void copyMutable(cl_mutable_command_khr Handle, cl_mutable_command_khr To);
/// Its command buffer is gone.
void forgetMutable(cl_mutable_command_khr Handle);

/// An update on its way to the driver.
class MutableUpdate {
public:
  MutableUpdate(cl_uint Count, const cl_command_buffer_update_type_khr *Types,
                const void **Configs);

  /// The error to return instead of updating anything; CL_SUCCESS if there is
  /// none.
  cl_int error() const { return Wrong; }
  /// For the driver.
  const void **configs() { return Given.data(); }
  /// The driver has taken it. Returns the numbers under which launches of what
  /// was updated are logged.
  std::vector<uint64_t> commit();

private:
  struct One {
    std::shared_ptr<MutableCommand> Of;
    std::shared_ptr<Kernel> Now;
    cl_uint Dimensions;
    std::vector<size_t> Global;
    uint64_t Number = 0;
    std::vector<HiddenValue> Hidden;
    std::vector<cl_mutable_dispatch_arg_khr> Args, SvmArgs;
    cl_mutable_dispatch_config_khr Config;
    Changes Changed;
  };
  void prepare(size_t Index, const cl_mutable_dispatch_config_khr &Theirs);

  cl_int Wrong = CL_SUCCESS;
  std::vector<const void *> Given;
  std::deque<One> All;
};

} // namespace warpsan

namespace warpsan::ext {

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr Handle,
                                              cl_mutable_command_info_khr Name,
                                              size_t Size, void *Value,
                                              size_t *SizeReturn);

} // namespace warpsan::ext

#endif // WARPSAN_LAYER_API_MUTABLE_COMMANDS_H
