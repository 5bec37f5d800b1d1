//===- compiler/target/work_items.h - queries of a work-item --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_TARGET_WORK_ITEMS_H
#define WARPSAN_COMPILER_TARGET_WORK_ITEMS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace warpsan {

/// By the name of SPIR-V's built-in variable.
enum class WorkItemQuery : uint8_t {
#define QUERY(spirv, opencl, uniform) spirv,
#include "compiler/target/work_items.def"
};

/// The query whose name in OpenCL C or SPIR-V is \p Builtin
/// (Target::builtinName); none if it is another builtin.
std::optional<WorkItemQuery> workItemQuery(llvm::StringRef Builtin);

llvm::StringRef spirvName(WorkItemQuery Query);
llvm::StringRef openclName(WorkItemQuery Query);

/// True if all work-items of a work-group get one result.
bool isUniform(WorkItemQuery Query);

} // namespace warpsan

#endif // WARPSAN_COMPILER_TARGET_WORK_ITEMS_H
