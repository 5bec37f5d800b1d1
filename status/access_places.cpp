//===- status/access_places.cpp - where in the source accesses are --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/access_places.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <set>

using namespace warpsan;
using nlohmann::json;

uint64_t warpsan::processOf(const std::filesystem::path &File) {
  return std::strtoull(File.filename().c_str(), nullptr, /*base=*/10);
}

/// Of one manifest. Throws if that is damaged.
static std::string placeIn(const json &Whole, const std::string &Kernel,
                           uint32_t Id) {
  for (const json &Each : Whole.at("kernels")) {
    if (Each.at("name") != Kernel)
      continue;
    for (const json &Site : Each.at("sites")) {
      if (Site.at("id") != Id)
        continue;
      const int64_t At = Site.value("at", int64_t(-1));
      if (At < 0)
        return {};
      const json &Place = Whole.at("locations").at(static_cast<size_t>(At));
      const json &File = Whole.at("files").at(Place.at("file").get<size_t>());
      return File.at("path").get<std::string>() + ":" +
             std::to_string(Place.at("line").get<uint32_t>()) + ":" +
             std::to_string(Place.at("column").get<uint32_t>());
    }
  }
  return {};
}

std::string AccessPlaces::placeOf(uint64_t Pid, const std::string &Kernel,
                                  uint32_t Site) const {
  std::set<std::string> Found;
  for (const std::filesystem::path &Path : Files) {
    if (processOf(Path) != Pid)
      continue;
    try {
      std::ifstream File(Path, std::ios::binary);
      Found.insert(placeIn(json::parse(File), Kernel, Site));
    } catch (const std::exception &) { // it was being written
    }
  }
  Found.erase("");
  return Found.size() == 1 ? *Found.begin() : "";
}
