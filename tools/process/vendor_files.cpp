//===- tools/process/vendor_files.cpp - drivers of the OpenCL loader ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/process/vendor_files.h"

#include "tools/process/subprocess.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

using namespace warpsan;
namespace fs = std::filesystem;

namespace {

/// Drivers may compile their own library at the first use.
constexpr double LoadSeconds = 60;

std::string namedPlace() {
  const std::string Named = vendorVariable();
  return Named.empty() ? "/etc/OpenCL/vendors"
                       : Named.substr(Named.find('=') + 1);
}

VendorFile read(const fs::path &Path) {
  std::ifstream File(Path);
  std::string Line;
  std::getline(File, Line);
  Line.erase(Line.find_last_not_of(" \t\r") + 1);
  return {Path.string(), Line};
}

} // namespace

std::string warpsan::vendorVariable() {
  for (const char *Variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
    if (const char *Set = std::getenv(Variable); Set && *Set)
      return std::string(Variable) + "=" + Set;
  return {};
}

std::vector<VendorFile> warpsan::vendorFiles() {
  const fs::path Place = namedPlace();
  std::vector<VendorFile> Files;
  if (const char *Set = std::getenv("OCL_ICD_FILENAMES")) {
    std::istringstream Names(Set);
    for (std::string Name; std::getline(Names, Name, ':');)
      Files.push_back({"", Name});
  }
  std::error_code Error;
  if (!fs::is_directory(Place, Error)) {
    if (Place.extension() == ".icd" && fs::exists(Place, Error))
      Files.push_back(read(Place));
    else if (Place.string().find(".so") != std::string::npos)
      Files.push_back({"", Place.string()});
    return Files;
  }
  for (const auto &Entry : fs::directory_iterator(Place, Error))
    if (Entry.path().extension() == ".icd")
      Files.push_back(read(Entry.path()));
  std::ranges::sort(Files, {}, &VendorFile::Path);
  return Files;
}

std::string warpsan::whyNotLoaded(const VendorFile &File) {
  if (File.Library.empty())
    return "the file names no library";
  const GuardedResult R = runGuarded(
      [&File]() -> std::string {
        if (dlopen(File.Library.c_str(), RTLD_LAZY | RTLD_LOCAL))
          return "loaded";
        const char *Why = dlerror();
        return Why ? Why : "dlopen failed";
      },
      LoadSeconds);
  // A driver that loads and then crashes is the self-test's subject.
  if (R.Bytes.empty() || R.Bytes == "loaded")
    return {};
  return R.Bytes;
}
