//===- test/robustness/fuzz_targets/wire.cpp - jobs and answers, as bytes -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "job/job.h"
#include "test/robustness/fuzz_targets/demand.h"

using namespace warpsan;

/// What is read is all that was in the bytes.
template <typename Message> static void read(std::string_view Bytes) {
  Message Got;
  if (fromBytes(Bytes, Got))
    fuzz::demand(toBytes(Got) == Bytes, "a message is what its bytes say");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string_view Bytes = fuzz::textOf(Data, Size);
  read<Job>(Bytes);
  read<CompileResult>(Bytes);
  read<SymbolJob>(Bytes);
  read<SymbolResult>(Bytes);
  return 0;
}
