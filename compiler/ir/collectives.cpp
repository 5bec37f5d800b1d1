//===- compiler/ir/collectives.cpp - builtins that work-items call together
//===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/ir/collectives.h"

#include "compiler/target/work_items.h"

#include "llvm/Support/GlobPattern.h"

#include <vector>

using namespace llvm;
using namespace warpsan;

namespace {
/// A CollectiveScope, or where it is stated.
enum class ScopeRule : uint8_t { None, SubGroup, WorkGroup, Operand };

enum class CollectiveRole : uint8_t {
  Other,
  Barrier,       ///< and nothing else
  UniformResult, ///< the whole group gets one result
  ReduceOrScan,  ///< likewise if operand 1 is SPIR-V's Reduce
};

struct Row {
  GlobPattern Pattern;
  ScopeRule Scope;
  CollectiveRole Role;
};

struct SharedRow {
  StringLiteral Name;
  SharedArgument Argument;
};
} // namespace

static constexpr SharedRow SharedRows[] = {
#define SHARED_ARGUMENT(name, operand, meaning) {name, {operand, meaning}},
#include "compiler/ir/collectives.def"
};

static const std::vector<Row> &rows() {
  static const std::vector<Row> Rows = [] {
    static constexpr struct {
      StringLiteral Pattern;
      ScopeRule Scope;
      CollectiveRole Role;
    } Table[] = {
#define COLLECTIVE(pattern, scope, role)                                       \
  {pattern, ScopeRule::scope, CollectiveRole::role},
#include "compiler/ir/collectives.def"
    };
    std::vector<Row> Made;
    for (const auto &[Pattern, Scope, Role] : Table)
      Made.push_back({cantFail(GlobPattern::create(Pattern)), Scope, Role});
    return Made;
  }();
  return Rows;
}

/// The row of \p Call; null: it is not collective.
static const Row *rowOf(const CallBase &Call, const Target &T) {
  const StringRef Name = builtinOf(Call, T);
  if (Name.empty() || workItemQuery(Name))
    return nullptr;
  for (const Row &Each : rows())
    if (Each.Pattern.match(Name))
      return Each.Scope == ScopeRule::None ? nullptr : &Each;
  return nullptr;
}

static CollectiveScope scopeOf(const Row &Of, const CallBase &Call) {
  constexpr uint64_t Workgroup = 2; // of SPIR-V
  switch (Of.Scope) {
  case ScopeRule::None:
    break;
  case ScopeRule::SubGroup:
    return CollectiveScope::SubGroup;
  case ScopeRule::WorkGroup:
    return CollectiveScope::WorkGroup;
  case ScopeRule::Operand:
    return constantOperand(Call, 0) == Workgroup ? CollectiveScope::WorkGroup
                                                 : CollectiveScope::SubGroup;
  }
  return CollectiveScope::None;
}

CollectiveScope warpsan::scopeOf(const CallBase &Call, const Target &T) {
  const Row *Of = rowOf(Call, T);
  return Of ? ::scopeOf(*Of, Call) : CollectiveScope::None;
}

bool warpsan::isCollective(const CallBase &Call, const Target &T) {
  return rowOf(Call, T) != nullptr;
}

bool warpsan::isWorkGroupBarrier(const CallBase &Call, const Target &T) {
  const Row *Of = rowOf(Call, T);
  return Of && Of->Role == CollectiveRole::Barrier &&
         ::scopeOf(*Of, Call) == CollectiveScope::WorkGroup;
}

bool warpsan::hasUniformResult(const CallBase &Call, const Target &T) {
  constexpr uint64_t Reduce = 0; // of SPIR-V's group operations
  const Row *Of = rowOf(Call, T);
  if (!Of || ::scopeOf(*Of, Call) != CollectiveScope::WorkGroup)
    return false;
  return Of->Role == CollectiveRole::UniformResult ||
         (Of->Role == CollectiveRole::ReduceOrScan &&
          constantOperand(Call, 1) == Reduce);
}

SmallVector<SharedArgument, 4> warpsan::sharedArguments(const CallBase &Call,
                                                        const Target &T) {
  const StringRef Name = builtinOf(Call, T);
  SmallVector<SharedArgument, 4> Found;
  for (const SharedRow &Each : SharedRows)
    if (Each.Name == Name && Each.Argument.Index < Call.arg_size())
      Found.push_back(Each.Argument);
  return Found;
}
