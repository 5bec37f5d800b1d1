//===- report/formats/json_names.h - what JSON calls things -----*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table each, for those who write findings and those who read them.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_REPORT_FORMATS_JSON_NAMES_H
#define WARPSAN_REPORT_FORMATS_JSON_NAMES_H

#include "diagnose/finding.h"

#include <optional>
#include <string_view>

namespace warpsan {

inline constexpr const char *FindingsSchema = "warpsan-findings/2";

template <typename Enum> struct JsonName {
  Enum Value;
  const char *Name;
};

inline constexpr JsonName<SiteInfo::Access> AccessNames[] = {
    {SiteInfo::Access::Read, "read"},
    {SiteInfo::Access::Write, "write"},
    {SiteInfo::Access::Atomic, "atomic"},
};

inline constexpr JsonName<RootInfo::Kind> RootNames[] = {
    {RootInfo::Kind::Argument, "argument"},
    {RootInfo::Kind::Local, "local"},
    {RootInfo::Kind::Private, "private"},
    {RootInfo::Kind::Constant, "constant"},
    {RootInfo::Kind::Program, "program"},
    {RootInfo::Kind::Heap, "heap"},
    {RootInfo::Kind::Null, "null"},
    {RootInfo::Kind::Unknown, "unknown"},
};

inline constexpr JsonName<MemoryInfo::Kind> MemoryNames[] = {
    {MemoryInfo::Kind::None, "none"},
    {MemoryInfo::Kind::Buffer, "buffer"},
    {MemoryInfo::Kind::SubBuffer, "sub_buffer"},
    {MemoryInfo::Kind::Image, "image"},
    {MemoryInfo::Kind::SVM, "svm"},
    {MemoryInfo::Kind::USM, "usm"},
    {MemoryInfo::Kind::Local, "local"},
    {MemoryInfo::Kind::Program, "program"},
    {MemoryInfo::Kind::Kernel, "kernel"},
    {MemoryInfo::Kind::Queue, "command_queue"},
    {MemoryInfo::Kind::Context, "context"},
    {MemoryInfo::Kind::Sampler, "sampler"},
};

/// None is null.
inline constexpr JsonName<Finding::Where> WhereNames[] = {
    {Finding::Where::Before, "before"},
    {Finding::Where::Straddles, "straddles"},
    {Finding::Where::Past, "past"},
};

/// Unknown is null.
inline constexpr JsonName<Finding::Target> TargetNames[] = {
    {Finding::Target::Unmapped, "unmapped"},
    {Finding::Target::Process, "process"},
    {Finding::Target::Allocation, "allocation"},
    {Finding::Target::Freed, "freed_allocation"},
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

#endif // WARPSAN_REPORT_FORMATS_JSON_NAMES_H
