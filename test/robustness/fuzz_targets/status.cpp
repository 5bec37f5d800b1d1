//===- test/robustness/fuzz_targets/status.cpp - status files of processes ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "status/status.h"

#include "test/robustness/fuzz_targets/demand.h"
#include "test/robustness/fuzz_targets/folder.h"

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>

using namespace warpsan;

static void put(int File, std::string_view Bytes, size_t At) {
  fuzz::demand(
      pwrite(File, Bytes.data(), Bytes.size(), static_cast<off_t>(At)) ==
          static_cast<ssize_t>(Bytes.size()),
      "the file can be written");
}

/// A file of holes in which the input is the start of each part: the first byte
/// says how much of it. Most inputs get the two numbers that every file has.
static void write(const std::string &Path, std::string_view Bytes) {
  const int File = open(Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const auto How = static_cast<unsigned char>(Bytes.front());
  Bytes.remove_prefix(1);
  if (How == 255)
    put(File, Bytes, 0);
  else
    fuzz::demand(ftruncate(File, sizeof(StatusFile)) == 0, "it can grow");
  for (size_t At :
       {size_t(0), offsetof(StatusFile, Counters),
        offsetof(StatusFile, GapCount), offsetof(StatusFile, Gaps),
        offsetof(StatusFile, Findings), offsetof(StatusFile, Suppressions)}) {
    if (How == 255)
      break;
    const std::string_view Part =
        Bytes.substr(0, std::min<size_t>(Bytes.size(), How * 16));
    put(File, Part, At);
    Bytes.remove_prefix(Part.size());
  }
  const uint32_t Start[] = {StatusMagic, StatusVersion};
  if (How % 8)
    put(File, {reinterpret_cast<const char *>(Start), sizeof(Start)}, 0);
  close(File);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static fuzz::Folder Run;
  if (!Size)
    return 0;
  write(Run.Path / "1.0.status", fuzz::textOf(Data, Size));
  std::vector<std::string> Problems;
  Summary Sum = readRunDir(Run.Path, Problems);
  fuzz::demandPlain(Problems);
  fuzz::demandPlain(summaryText(Sum, 2, {"findings.jsonl"}));
  fuzz::demandPlain(coverageProblem(Sum));
  const std::string Json = summaryJson(Sum);
  fuzz::demandJson(Json);
  fuzz::demand(readSummary(Json).Problem.empty(),
               "what was written can be read", Json);
  return 0;
}
