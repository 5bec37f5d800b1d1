//===- compiler/races/local_races.h - data races in local memory ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each variable and argument in local memory gets a shadow (abi/races.h), also
// in local memory, which the work-group clears first. Before each access the
// shadow of its granules decides whether it races with an earlier one:
//
//   found = watch(shadow, offset / granule, .., item, epoch, site)
//   if (found) report
//
// The epoch counts the barriers that order local memory. It is a variable of
// each work-item: no barrier is added but the one behind the clearing.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_RACES_LOCAL_RACES_H
#define WARPSAN_COMPILER_RACES_LOCAL_RACES_H

#include "compiler/checks/scheme.h"

#include "llvm/IR/ValueHandle.h"

#include <map>
#include <string>
#include <vector>

namespace warpsan {

/// The races of one kernel.
class LocalRaces {
public:
  /// Finds what is to be watched. Comes before checks are placed, which change
  /// pointers.
  LocalRaces(const KernelParts &Parts, llvm::ArrayRef<Access> Accesses);

  /// Places the shadows and what watches. Comes after checks are placed, and
  /// before addMeetings(), which moves barriers.
  void place();

private:
  struct Watched {
    llvm::WeakVH At; ///< null: the access was removed
    llvm::WeakTrackingVH Pointer, Index, Count;
    uint64_t Scale, Bytes;
    unsigned Site, Root;
    uint32_t Does;
  };
  struct Shadow {
    llvm::Value *Words = nullptr, *Granules = nullptr; ///< local, i64
  };
  uint64_t granuleOf(unsigned Root) const;
  Shadow makeShadow(unsigned Root, llvm::IRBuilder<> &Build);
  void watch(const Watched &Which, ReportCalls &Reports);
  llvm::Value *offsetOf(const Watched &Which, llvm::IRBuilderBase &Build) const;

  const KernelParts Parts;
  std::vector<Watched> All;
  std::map<unsigned, uint64_t> Granules; ///< by root, bytes
  std::map<unsigned, Shadow> Shadows;    ///< by root
  std::vector<llvm::WeakVH> Barriers;    ///< that order local memory
  llvm::AllocaInst *Epoch = nullptr;
  llvm::Value *Item = nullptr, *ItemBits = nullptr; ///< i32
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_RACES_LOCAL_RACES_H
