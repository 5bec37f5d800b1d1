//===- compiler/server/server.h - a compiler that stays loaded ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_SERVER_SERVER_H
#define WARPSAN_COMPILER_SERVER_SERVER_H

namespace warpsan {

/// Takes JobTickets from the SOCK_SEQPACKET socket \p Socket until its other
/// end is closed, and compiles each in a child of its own. Returns the exit
/// code.
int serve(int Socket);

} // namespace warpsan

#endif // WARPSAN_COMPILER_SERVER_SERVER_H
