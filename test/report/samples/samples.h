//===- test/report/samples/samples.h - findings to test with --------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_REPORT_SAMPLES_SAMPLES_H
#define WARPSAN_TEST_REPORT_SAMPLES_SAMPLES_H

#include "report/report.h"

#include <iosfwd>
#include <random>
#include <string>
#include <vector>

namespace warpsan::samples {

/// A kernel of one site and one root, a launch, and a record of it that holds
/// together; tests change what they are about and call finding().
struct Case {
  KernelInfo Kernel;
  LaunchInfo Launch;
  WsRecord Record = {};
  std::optional<SourceExcerpt> Excerpt;
  std::optional<Finding> Call; ///< instead of all that: a call is wrong
  TextStyle Style;
  /// Then the finding is a canary's, not the record's.
  std::optional<CanaryInfo> Canary;
  std::optional<RefutedProof> Refuted;
  Finding::Target PointsTo = Finding::Target::Unknown;
  std::optional<Finding::FailedRead> Follows;
  ProgramInfo Program;
  Finding::Where CanaryAt = Finding::Where::Past;

  /// float *dest, a buffer of 64 bytes; writes 4 bytes at 64; 1 dimension of 64
  /// work-items.
  Case();

  SiteInfo &site() { return Kernel.Sites.front(); }
  RootInfo &root() { return Kernel.Roots.front(); }
  ArgInfo &arg() { return Kernel.Args.front(); }
  MemoryInfo &memory() { return Launch.Args.front(); }

  void access(SiteInfo::Access What, const char *Type, uint64_t Bytes,
              int64_t Offset);
  /// Size of the argument's memory, which the twin knows too.
  void size(uint64_t Bytes);
  void test(uint32_t Test);
  void launch(uint64_t Number);
  /// Makes the root a variable.
  void variable(RootInfo::Kind What, const char *Name, const char *Type,
                uint64_t Size, uint64_t Element);
  void source(uint32_t FirstLine, std::vector<std::string> Lines,
              uint32_t Column);
  void backtraces();

  std::optional<Finding> tryFinding() const;
  /// Throws if there is none.
  Finding finding() const;
};

struct Sample {
  const char *Name;
  Case Of;
};
/// For GoogleTest.
// NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Sample &S, std::ostream *Out);

/// The findings of the golden files.
std::vector<Sample> all();
void addKinds(std::vector<Sample> &Samples);
void addCalls(std::vector<Sample> &Samples);
void addCuda(std::vector<Sample> &Samples);
void addObjects(std::vector<Sample> &Samples);
void addPython(std::vector<Sample> &Samples);

/// \p F with names and numbers that nobody should trust.
Finding hostile(Finding F);
/// What terminals, XML, HTML and URIs could take for something else.
std::string hostileText();
/// Numbers that are rather at the edges than random.
uint64_t anyNumber(std::mt19937_64 &Random);

} // namespace warpsan::samples

#endif // WARPSAN_TEST_REPORT_SAMPLES_SAMPLES_H
