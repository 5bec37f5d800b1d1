//===- test/robustness/fuzz_targets/records.cpp - a record buffer overwritten by
// a kernel ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/records/records.h"

#include "test/report/samples/samples.h"
#include "test/robustness/fuzz_targets/demand.h"

#include <cstring>
#include <fuzzer/FuzzedDataProvider.h>

using namespace warpsan;

/// A record that its own twin could have written, so far as that is known: else
/// few inputs would come further than its key.
static void pretend(WsRecord &Record, const samples::Case &Of) {
  Record.Launch = Of.Launch.Number;
  Record.Check %= WS_TESTS;
  Record.Root = 0;
  Record.Ready = 1;
  Record.Key = static_cast<WsU32>(Of.Launch.Number % WS_TAGS) << WS_CHECK_BITS |
               Record.Check;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const std::vector<samples::Sample> Samples = samples::all();
  static RecordMemory *Memory = newRecordMemory();
  FuzzedDataProvider Input(Data, Size);
  const samples::Case &Of =
      Samples[Input.ConsumeIntegral<uint8_t>() % Samples.size()].Of;
  const bool Pretend = Input.ConsumeBool();
  WsRecordBuffer &Buffer = *Memory->Buffer;
  if (!Pretend) { // from anywhere on
    const auto At = Input.ConsumeIntegral<uint32_t>() % sizeof(Buffer);
    const std::string Bytes = Input.ConsumeRemainingBytesAsString();
    std::memcpy(reinterpret_cast<char *>(&Buffer) + At, Bytes.data(),
                std::min(Bytes.size(), sizeof(Buffer) - At));
    ++Buffer.Hits;
  }
  for (size_t I = 0; Pretend && I < 8 && Input.remaining_bytes(); ++I) {
    Buffer.Records[I] = Of.Record;
    Input.ConsumeData(&Buffer.Records[I], sizeof(WsRecord));
    pretend(Buffer.Records[I], Of);
    ++Buffer.Hits;
  }
  retireRecordMemory(Memory); // the next one begins with zeros
  const TakenRecords Taken = takeRecords();
  Memory = newRecordMemory();
  fuzz::demand(Taken.Records.size() <= WS_RECORDS, "no more than there are");
  for (const WsRecord &Record : Taken.Records)
    if (auto Found = diagnose(Record, Of.Kernel, Of.Launch)) {
      Found->Excerpt = Of.Excerpt;
      fuzz::demandTold(*Found);
    }
  return 0;
}
