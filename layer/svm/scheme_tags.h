//===- layer/svm/scheme_tags.h - tags of arguments in another scheme ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_SVM_SCHEME_TAGS_H
#define WARPSAN_LAYER_SVM_SCHEME_TAGS_H

#include "layer/svm/arg_bounds.h"

#include <vector>

namespace warpsan {

/// The tag of the argument \p Arg of a launch, which has a Secret of its own,
/// in the scheme of otherScheme(), which must not be null.
cl_ulong tagOf(const std::vector<ArgBounds> &All,
               const std::vector<KernelPlan::ArgKind> &Kinds, size_t Arg,
               uint64_t Secret);

} // namespace warpsan

#endif // WARPSAN_LAYER_SVM_SCHEME_TAGS_H
