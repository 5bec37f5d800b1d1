//===- test/layer/errors/mistakes.h - more words of the wrong program -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_LAYER_ERRORS_MISTAKES_H
#define WARPSAN_TEST_LAYER_ERRORS_MISTAKES_H

#include <string_view>

namespace warpsan::test {

/// Does what \p Word says with handles; false if it is no such word.
bool useHandles(std::string_view Word);

} // namespace warpsan::test

#endif // WARPSAN_TEST_LAYER_ERRORS_MISTAKES_H
