//===- tools/process/vendor_files.h - drivers of the loader ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TOOLS_PROCESS_VENDOR_FILES_H
#define WARPSAN_TOOLS_PROCESS_VENDOR_FILES_H

#include <string>
#include <vector>

namespace warpsan {

/// One .icd file and the driver library that it names.
struct VendorFile {
  std::string Path;
  std::string Library;
};

/// The .icd files in what OCL_ICD_VENDORS or OPENCL_VENDOR_PATH names, else in
/// /etc/OpenCL/vendors, sorted by path, and the libraries of OCL_ICD_FILENAMES.
/// A library named directly has no Path.
std::vector<VendorFile> vendorFiles();

/// The variable of these that is set, "OCL_ICD_VENDORS=/opt/vendors"; empty:
/// none.
std::string vendorVariable();

/// Why the driver library cannot be loaded, or an empty string. Loads it in a
/// child process: it may crash.
std::string whyNotLoaded(const VendorFile &File);

} // namespace warpsan

#endif // WARPSAN_TOOLS_PROCESS_VENDOR_FILES_H
