//===- job/wire.h - length-prefixed bytes, read with bounds checks --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One archive class for both directions, so that a struct says once which
// fields are written, and in which order. Numbers are little endian as the
// host's (both ends are one machine; what is stored is guarded by a version).
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_JOB_WIRE_H
#define WARPSAN_JOB_WIRE_H

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpsan {

/// Appends fields to a string.
class Writer {
public:
  static constexpr bool Reading = false;

  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void field(const T &Value) {
    char Raw[sizeof(T)];
    std::memcpy(Raw, &Value, sizeof(T));
    Out.append(Raw, sizeof(T));
  }
  void field(const std::string &Text) {
    field(static_cast<uint64_t>(Text.size()));
    Out.append(Text);
  }
  template <typename T> void field(const std::vector<T> &Items) {
    field(static_cast<uint64_t>(Items.size()));
    for (const T &Item : Items)
      field(Item);
  }
  template <typename T>
    requires requires(T &Value, Writer &W) { Value.serialize(W); }
  void field(const T &Value) {
    const_cast<T &>(Value).serialize(*this);
  }

  std::string take() { return std::move(Out); }

private:
  std::string Out;
};

/// Reads fields back. After the first field that does not fit, ok() is false
/// and every later field is left as it was: the caller checks once, at the end.
class Reader {
public:
  static constexpr bool Reading = true;

  explicit Reader(std::string_view Bytes) : Left(Bytes) {}

  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void field(T &Value) {
    if (!has(sizeof(T)))
      return;
    std::memcpy(&Value, Left.data(), sizeof(T));
    Left.remove_prefix(sizeof(T));
  }
  void field(std::string &Text) {
    uint64_t Size = 0;
    field(Size);
    if (!has(Size))
      return;
    Text.assign(Left.substr(0, Size));
    Left.remove_prefix(Size);
  }
  template <typename T> void field(std::vector<T> &Items) {
    uint64_t Count = 0;
    field(Count);
    // Every item takes at least one byte, so a wild count fails here rather
    // than in an allocation.
    if (!has(Count))
      return;
    Items.clear();
    for (uint64_t I = 0; I < Count && Good; ++I) {
      T Item{};
      field(Item);
      Items.push_back(std::move(Item));
    }
  }
  template <typename T>
    requires requires(T &Value, Reader &R) { Value.serialize(R); }
  void field(T &Value) {
    Value.serialize(*this);
  }

  /// For a value that no field can have: ok() is false from here on.
  void fail() { Good = false; }

  bool ok() const { return Good; }
  /// True if everything was read and nothing is left over.
  bool done() const { return Good && Left.empty(); }

private:
  bool has(uint64_t Size) {
    if (Size > Left.size())
      Good = false;
    return Good;
  }

  std::string_view Left;
  bool Good = true;
};

template <typename T> std::string toBytes(const T &Value) {
  Writer W;
  W.field(Value);
  return W.take();
}

/// Returns false if \p Bytes is not exactly one \p Value.
template <typename T> bool fromBytes(std::string_view Bytes, T &Value) {
  Reader R(Bytes);
  R.field(Value);
  return R.done();
}

} // namespace warpsan

#endif // WARPSAN_JOB_WIRE_H
