//===- report/json_names.h - what JSON calls things -------------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table each, for those who write findings and those who read them.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_JSON_NAMES_H
#define WARPSAN_REPORT_JSON_NAMES_H

#include "diagnose/finding.h"

#include <optional>
#include <string_view>

namespace warpsan {

inline constexpr const char *FindingsSchema = "warpsan-findings/1";

template <typename Enum> struct JsonName {
  Enum Value;
  const char *Name;
};

inline constexpr JsonName<SiteFacts::Access> AccessNames[] = {
    {SiteFacts::Access::Read, "read"},
    {SiteFacts::Access::Write, "write"},
    {SiteFacts::Access::Atomic, "atomic"},
};

inline constexpr JsonName<RootFacts::Kind> RootNames[] = {
    {RootFacts::Kind::Argument, "argument"},
    {RootFacts::Kind::Local, "local"},
    {RootFacts::Kind::Private, "private"},
    {RootFacts::Kind::Constant, "constant"},
    {RootFacts::Kind::Program, "program"},
    {RootFacts::Kind::Heap, "heap"},
    {RootFacts::Kind::Null, "null"},
    {RootFacts::Kind::Unknown, "unknown"},
};

inline constexpr JsonName<MemoryFacts::Kind> MemoryNames[] = {
    {MemoryFacts::Kind::None, "none"},
    {MemoryFacts::Kind::Buffer, "buffer"},
    {MemoryFacts::Kind::SubBuffer, "sub_buffer"},
    {MemoryFacts::Kind::Image, "image"},
    {MemoryFacts::Kind::SVM, "svm"},
    {MemoryFacts::Kind::USM, "usm"},
    {MemoryFacts::Kind::Local, "local"},
    {MemoryFacts::Kind::Program, "program"},
    {MemoryFacts::Kind::Kernel, "kernel"},
    {MemoryFacts::Kind::Queue, "command_queue"},
    {MemoryFacts::Kind::Context, "context"},
    {MemoryFacts::Kind::Sampler, "sampler"},
};

/// None is null.
inline constexpr JsonName<Finding::Where> WhereNames[] = {
    {Finding::Where::Before, "before"},
    {Finding::Where::Straddles, "straddles"},
    {Finding::Where::Past, "past"},
};

inline constexpr JsonName<FindingKind> KindNames[] = {
#define KIND(id, name, title, help) {FindingKind::name, #name},
#include "abi/checks.def"
#undef KIND
};

template <typename Enum, size_t N>
constexpr const char *jsonName(const JsonName<Enum> (&Table)[N], Enum Value) {
  for (const JsonName<Enum> &Row : Table)
    if (Row.Value == Value)
      return Row.Name;
  return "";
}

template <typename Enum, size_t N>
constexpr std::optional<Enum> byJsonName(const JsonName<Enum> (&Table)[N],
                                         std::string_view Name) {
  for (const JsonName<Enum> &Row : Table)
    if (Name == Row.Name)
      return Row.Value;
  return std::nullopt;
}

} // namespace warpsan

#endif // WARPSAN_REPORT_JSON_NAMES_H
