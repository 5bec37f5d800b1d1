//===- layer/twin/manifest_json.h - the text of a manifest, as JSON -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_MANIFEST_JSON_H
#define WARPSAN_LAYER_TWIN_MANIFEST_JSON_H

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>

namespace warpsan {

/// Throws if \p Text is no JSON, or has what no manifest has: numbers that are
/// not whole, which must not be made integers of, and levels without end, which
/// would cost the stack.
inline nlohmann::json manifestJson(const std::string &Text) {
  using Json = nlohmann::json;
  constexpr int MaxLevels = 32;
  return Json::parse(Text, [](int Level, Json::parse_event_t, Json &Value) {
    if (Level > MaxLevels)
      throw std::runtime_error("it is nested too deep");
    if (Value.is_number_float())
      throw std::runtime_error("a number is not whole, or too large");
    return true;
  });
}

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_MANIFEST_JSON_H
