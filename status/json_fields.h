//===- status/json_fields.h - fields out of JSON that nobody vouches for --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_STATUS_JSON_FIELDS_H
#define WARPSAN_STATUS_JSON_FIELDS_H

#include <nlohmann/json.hpp>

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsan {

/// The fields of one JSON object. A field that is missing leaves what it is
/// read into as it was; one of a wrong type, or a number that does not fit, is
/// a problem, of which the first is kept.
class JsonFields {
public:
  using Json = nlohmann::json;

  /// \p Where: what the object is called in a problem, "launch."; \p Problem
  /// is shared with the objects inside.
  JsonFields(const Json &From, std::string Where, std::string &Problem)
      : Of(From), Path(std::move(Where)), Problem(Problem) {}

  /// Null if there is none.
  const Json *find(const char *Name) const {
    auto At = Of.find(Name);
    return At == Of.end() ? nullptr : &*At;
  }

  void complain(const char *Name, const std::string &What) const {
    if (Problem.empty())
      Problem = "'" + Path + Name + "' " + What;
  }

  template <typename T> void read(const char *Name, T &To) const {
    if (const Json *Value = find(Name); Value && !take(*Value, To))
      complain(Name, wanted(To));
  }
  /// null leaves it empty.
  template <typename T>
  void readIfAny(const char *Name, std::optional<T> &To) const {
    const Json *Value = find(Name);
    if (Value && !Value->is_null())
      read(Name, To.emplace());
  }

  /// Calls \p Read with the fields of an object; null and missing ones are
  /// passed over.
  template <typename Function>
  void inside(const char *Name, Function Read) const {
    const Json *Value = find(Name);
    if (!Value || Value->is_null())
      return;
    if (Value->is_object())
      Read(JsonFields(*Value, Path + Name + ".", Problem));
    else
      complain(Name, "is not an object");
  }
  /// Likewise with each object of a list.
  template <typename Function>
  void each(const char *Name, Function Read) const {
    const Json *Value = find(Name);
    if (!Value)
      return;
    if (!Value->is_array())
      return complain(Name, "is not a list");
    for (const Json &Entry : *Value) {
      if (!Entry.is_object())
        return complain(Name, "has an entry that is not an object");
      Read(JsonFields(Entry, Path + Name + ".", Problem));
    }
  }

private:
  static bool take(const Json &Value, std::string &To) {
    if (Value.is_string())
      To = Value.get_ref<const std::string &>();
    return Value.is_string();
  }
  static bool take(const Json &Value, bool &To) {
    if (Value.is_boolean())
      To = Value.get<bool>();
    return Value.is_boolean();
  }
  /// Numbers with a fraction are none, nor are those of more than 64 bits: the
  /// parser makes them such.
  template <std::integral Number>
  static bool take(const Json &Value, Number &To) {
    if (Value.is_number_unsigned()) {
      const auto Got = Value.get<uint64_t>();
      To = static_cast<Number>(Got);
      return std::cmp_less_equal(Got, std::numeric_limits<Number>::max());
    }
    if (!Value.is_number_integer())
      return false;
    const auto Got = Value.get<int64_t>();
    To = static_cast<Number>(Got);
    return std::cmp_greater_equal(Got, std::numeric_limits<Number>::min()) &&
           std::cmp_less_equal(Got, std::numeric_limits<Number>::max());
  }
  template <typename T>
  static bool take(const Json &Value, std::vector<T> &To) {
    if (!Value.is_array())
      return false;
    for (const Json &Entry : Value)
      if (!take(Entry, To.emplace_back()))
        return false;
    return true;
  }
  template <typename T, size_t N>
  static bool take(const Json &Value, std::array<T, N> &To) {
    if (!Value.is_array() || Value.size() != N)
      return false;
    for (size_t I = 0; I < N; ++I)
      if (!take(Value[I], To[I]))
        return false;
    return true;
  }

  static std::string wanted(const std::string &) { return "is not a text"; }
  static std::string wanted(bool) { return "is neither true nor false"; }
  template <std::integral Number> static std::string wanted(Number) {
    return "is not a whole number of " + std::to_string(8 * sizeof(Number)) +
           " bits" + (std::is_signed_v<Number> ? "" : ", not negative");
  }
  template <typename T> static std::string wanted(const std::vector<T> &) {
    return "is not a list of which each entry is right";
  }
  template <typename T, size_t N>
  static std::string wanted(const std::array<T, N> &) {
    return "is not a list of " + std::to_string(N) + " numbers that fit";
  }

  const Json &Of;
  std::string Path;
  std::string &Problem;
};

/// How parseObject's problem begins if the text is no JSON at all; the byte and
/// ")" follow.
inline constexpr const char *NotJson = "not JSON (byte ";

/// The object in \p Text; discarded, with a problem that says where, if there
/// is none. Nothing in it can be nested so deep that it would cost the stack.
inline nlohmann::json parseObject(std::string_view Text, std::string &Problem) {
  using Json = nlohmann::json;
  constexpr int MostLevels = 32;
  bool Deep = false;
  auto Watch = [&Deep](int Level, Json::parse_event_t, Json &) {
    Deep |= Level > MostLevels;
    return !Deep;
  };
  Json Value;
  try {
    Value = Json::parse(Text, Watch);
  } catch (const Json::parse_error &Error) {
    Problem = NotJson + std::to_string(Error.byte) + ")";
    return Json(Json::value_t::discarded);
  } catch (const Json::out_of_range &) {
    Problem = "has a number that is too large: no double holds it";
    return Json(Json::value_t::discarded);
  }
  if (Deep)
    Problem = "is nested too deep";
  else if (!Value.is_object())
    Problem = "is no JSON object";
  else
    return Value;
  return Json(Json::value_t::discarded);
}

} // namespace warpsan

#endif // WARPSAN_STATUS_JSON_FIELDS_H
