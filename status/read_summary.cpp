//===- status/read_summary.cpp - a summary out of its JSON ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/json_fields.h"
#include "status/summary_fields.h"

namespace warpsan {

namespace {

/// Reads the fields of one object.
class SummaryReader {
public:
  explicit SummaryReader(const JsonFields &From) : From(From) {}

  template <typename T> void derived(const char * /*Name*/, const T &) {}
  template <typename T> void field(const char *Name, T &To) {
    From.read(Name, To);
  }
  template <typename T> void optional(const char *Name, std::optional<T> &To) {
    From.readIfAny(Name, To);
  }
  template <typename F> void object(const char *Name, const F &Fields) {
    From.inside(Name, [&Fields](const JsonFields &Inner) {
      SummaryReader In(Inner);
      Fields(In);
    });
  }
  template <typename T, typename F>
  void list(const char *Name, std::vector<T> &To, const F &Fields) {
    From.each(Name, [&](const JsonFields &Inner) {
      SummaryReader In(Inner);
      Fields(In, To.emplace_back());
    });
  }
  template <typename F>
  void gaps(const char *Name, std::vector<Summary::GapLine> &To, GapKind Kind,
            const F &Fields) {
    list(Name, To, [&](SummaryReader &In, Summary::GapLine &Line) {
      Line.Kind = Kind;
      Fields(In, Line);
    });
  }

private:
  const JsonFields &From;
};

} // namespace

ReadSummary readSummary(std::string_view Text) {
  ReadSummary Out;
  const nlohmann::json Object = parseObject(Text, Out.Problem);
  if (!Out.Problem.empty())
    return Out;
  const JsonFields Fields(Object, "", Out.Problem);
  std::string Schema;
  Fields.read("schema", Schema);
  if (Schema != SummarySchema)
    Fields.complain("schema", std::string("is not ") + SummarySchema);
  SummaryReader Reader(Fields);
  visitSummaryFields(Reader, Out.Sum);
  return Out;
}

} // namespace warpsan
