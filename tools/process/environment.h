//===- tools/process/environment.h - what a program under WarpSan is given ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_PROCESS_ENVIRONMENT_H
#define WARPSAN_TOOLS_PROCESS_ENVIRONMENT_H

#include <string>
#include <string_view>

namespace warpsan {

/// A file that belongs to WarpSan, or why there is none, in one sentence.
struct FoundFile {
  std::string Path;
  std::string Problem;
};

/// The layer, relative to this executable.
FoundFile findLayer();

/// warpsan-clc: \p Option if it is set, else beside the layer, where both are
/// installed, or beside this executable, where both are built.
FoundFile findCompiler(const std::string &Option);

/// OPENCL_LAYERS with \p Existing and \p Ours last, ours not twice. A loader
/// puts each layer above those before it: ours is what the program calls, and
/// all others belong to the driver.
std::string layersVariable(std::string_view Existing, const std::string &Ours);

/// A private directory in which processes leave their status files; removed
/// with this object.
class RunDirectory {
public:
  RunDirectory();
  ~RunDirectory();
  RunDirectory(const RunDirectory &) = delete;
  RunDirectory &operator=(const RunDirectory &) = delete;

  const std::string &path() const { return Path; }
  /// Why it could not be made; empty if it was.
  const std::string &problem() const { return Problem; }

private:
  std::string Path;
  std::string Problem;
};

/// Number of other processes of this user, but for WarpSan's compiler, that
/// have \p Directory in their environment, as enterLayerEnvironment() set it.
size_t processesOf(const std::string &Directory);

/// Sets in this process's environment what makes OpenCL programs started from
/// it load the layer at \p Layer with \p Options and leave their status in
/// \p Directory.
void enterLayerEnvironment(const std::string &Layer, const std::string &Options,
                           const std::string &Directory);

} // namespace warpsan

#endif // WARPSAN_TOOLS_PROCESS_ENVIRONMENT_H
