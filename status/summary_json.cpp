//===- status/summary_json.cpp - the closing summary for programs ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/summary_fields.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace warpsan {

namespace {

using Json = nlohmann::ordered_json;

/// Writes the fields into one object.
class SummaryWriter {
public:
  explicit SummaryWriter(Json &Object) : Object(Object) {}

  template <typename T> void derived(const char *Name, const T &Value) {
    Object[Name] = Value;
  }
  template <typename T> void field(const char *Name, const T &Value) {
    Object[Name] = Value;
  }
  template <typename T>
  void optional(const char *Name, const std::optional<T> &Value) {
    if (Value)
      Object[Name] = *Value;
  }
  template <typename F> void object(const char *Name, const F &Fields) {
    Json Inner;
    SummaryWriter In(Inner);
    Fields(In);
    Object[Name] = std::move(Inner);
  }
  template <typename T, typename F>
  void list(const char *Name, const std::vector<T> &Lines, const F &Fields) {
    Json All = Json::array();
    for (const T &Line : Lines)
      append(All, Line, Fields);
    Object[Name] = std::move(All);
  }
  template <typename F>
  void gaps(const char *Name, const std::vector<Summary::GapLine> &Lines,
            GapKind Kind, const F &Fields) {
    Json All = Json::array();
    for (const Summary::GapLine &Line : Lines)
      if (Line.Kind == Kind)
        append(All, Line, Fields);
    Object[Name] = std::move(All);
  }

private:
  template <typename T, typename F>
  static void append(Json &All, const T &Line, const F &Fields) {
    SummaryWriter In(All.emplace_back());
    Fields(In, Line);
  }

  Json &Object;
};

} // namespace

std::string summaryJson(const Summary &Sum, bool OneLine) {
  Json Root = {{"schema", SummarySchema}};
  SummaryWriter Writer(Root);
  visitSummaryFields(Writer, Sum);
  // Names come from the application and need not be UTF-8: what is not becomes
  // U+FFFD, so that the file can always be read.
  return Root.dump(OneLine ? -1 : 2, ' ', false,
                   Json::error_handler_t::replace) +
         "\n";
}

} // namespace warpsan
