//===- compiler/target/work_items.cpp - queries of a work-item ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/target/work_items.h"

#include "llvm/ADT/StringSwitch.h"

#include <array>

using namespace llvm;
using namespace warpsan;

namespace {
struct Row {
  StringLiteral Spirv, Opencl;
  bool Uniform;
};
} // namespace

static constexpr std::array Rows = {
#define QUERY(spirv, opencl, uniform) Row{#spirv, #opencl, uniform},
#include "compiler/target/work_items.def"
};

static const Row &rowOf(WorkItemQuery Query) {
  return Rows.at(static_cast<size_t>(Query));
}

std::optional<WorkItemQuery> warpsan::workItemQuery(StringRef Builtin) {
  return StringSwitch<std::optional<WorkItemQuery>>(Builtin)
#define QUERY(spirv, opencl, uniform)                                          \
  .Cases(#opencl, #spirv, WorkItemQuery::spirv)
#include "compiler/target/work_items.def"
      .Default(std::nullopt);
}

StringRef warpsan::spirvName(WorkItemQuery Query) { return rowOf(Query).Spirv; }

StringRef warpsan::openclName(WorkItemQuery Query) {
  return rowOf(Query).Opencl;
}

bool warpsan::isUniform(WorkItemQuery Query) { return rowOf(Query).Uniform; }
