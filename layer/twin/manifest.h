//===- layer/twin/manifest.h - the compiler's description of a twin -------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_TWIN_MANIFEST_H
#define WARPSAN_LAYER_TWIN_MANIFEST_H

#include "proof/expression.h"
#include "proof/races/race_claims.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpsan {

/// What a launch must know of one kernel's twin.
struct KernelPlan {
  enum class ArgKind : uint8_t {
    Memory, ///< global or constant pointer: a buffer or shared virtual memory
    Local,
    Image,
    Sampler,
    Other, ///< values and whatever else has no memory
  };
  static bool hasMemory(ArgKind Kind) {
    return Kind != ArgKind::Sampler && Kind != ArgKind::Other;
  }
  struct Hidden {
    enum class Kind : uint8_t {
      Size,
      Start,
      SizeNow,
      Objects,
      Tag,
      LocalShadow,
      ShadowBase,
      Heap,
      Table,
      Key,
      Shadow,
      ShadowLaunch,
      Launch,
      Records
    };
    Kind What;
    uint32_t Arg;         ///< of which argument
    uint64_t Granule = 0; ///< of LocalShadow and ShadowBase: bytes; 0: unused
    bool isOfArgument() const {
      return What == Kind::Size || What == Kind::Start ||
             What == Kind::SizeNow || What == Kind::Objects ||
             What == Kind::Tag || What == Kind::LocalShadow ||
             What == Kind::ShadowBase;
    }
  };
  std::vector<ArgKind> Args;
  Claims Claimed; ///< what the twin does without a check
  /// Accesses that may race; none if the twin does not describe them.
  std::optional<RaceClaims> Races;
  std::vector<bool> Decides;      ///< by argument: claims are about it
  std::vector<bool> Unchanged;    ///< by argument: its memory is not written
  std::vector<Hidden> HiddenArgs; ///< in order, behind Args
  /// It only sets variables of the program: layer/launch/setters.h.
  bool Setter = false;
  /// It takes its launch's number: it may write a record.
  bool Reports = false;
  // Its accesses, by what became of them; for the closing summary.
  uint64_t Checked = 0, Proven = 0, AtLaunch = 0, Untraced = 0;
  bool wantsContents() const { return !Claimed.Contents.empty(); }
  /// Launches that prove all need no twin, those that prove some another one.
  bool MayBeProven = false;
  /// Why the native kernel may be another one than was proven, so that a twin
  /// runs all the same; empty if it is the same.
  std::string WhyNotNative;
  /// Why the twin does not check barriers at which work-groups may diverge;
  /// empty if it does, or if none may.
  std::string WhyBarriersUnchecked;
  /// The twin watches for data races; else, if its variant should, why not.
  std::string WhyRacesUnjudged;
  bool WatchesRaces = false;
  bool WatchesGlobalMemory = false; ///< if so, that too
  uint64_t LocalBytes = 0; ///< if so, of local variables, shadows among them
  /// Accesses that are checked, and about which nothing is claimed.
  std::vector<uint32_t> Unclaimed;
};

struct Manifest {
  std::map<std::string, KernelPlan> Kernels;
  /// Why kernels of the program have no twin, by name.
  std::map<std::string, std::string> Refused;
  /// Every kernel was compiled to be launched with a work-group size that
  /// divides the global size; a driver refuses others.
  bool UniformGroups = true;
  /// Kernels change variables of the program: two twins of it would each have
  /// their own.
  bool MutableGlobals = false;
};

/// Reads JSON (docs/reference/formats/manifest.md). Empty, or why it cannot.
std::string readManifest(const std::string &Json, Manifest &Result);

} // namespace warpsan

#endif // WARPSAN_LAYER_TWIN_MANIFEST_H
