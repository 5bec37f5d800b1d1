//===- layer/api/dispatch_pipeline.h - the stages of an application's call ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_DISPATCH_PIPELINE_H
#define WARPSAN_LAYER_API_DISPATCH_PIPELINE_H

#include "layer/objects/driver.h"

namespace warpsan {

/// A call of the application passes these stages, from first to last, before
/// the driver. A function of one stage calls the same function of the next.
/// Filled in once, by clInitLayer, from the last stage to the first.
struct DispatchPipeline {
  /// The table that the loader gets. Handles pass-through mode and exceptions
  /// (layer/api/guard.h). Null: the layer has no function of that name.
  cl_icd_dispatch Guards = {};
  /// With races=on: which commands happen before which
  /// (layer/api/order/ordering_stage.h). Otherwise as HandleChecks.
  cl_icd_dispatch Ordering = {};
  /// Checks the handles that a call is given (layer/api/intercept_handles.cpp).
  cl_icd_dispatch HandleChecks = {};
  /// The wrappers (layer/api/intercept.h); the driver's function where there is
  /// only a handle check.
  cl_icd_dispatch Wrappers = {};
};

extern DispatchPipeline Pipeline;

} // namespace warpsan

#endif // WARPSAN_LAYER_API_DISPATCH_PIPELINE_H
