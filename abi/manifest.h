//===- abi/manifest.h - the version of the manifest -------------*- C++ -*-===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shared by warpsan-clc and the layer: docs/reference/formats/manifest.md.
///
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_ABI_MANIFEST_H
#define WARPSAN_ABI_MANIFEST_H

namespace warpsan {
/// Changes with any change that a reader of the manifest could trip over.
inline constexpr int ManifestVersion = 23;
} // namespace warpsan

#endif // WARPSAN_ABI_MANIFEST_H
