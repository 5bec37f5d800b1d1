//===- compiler/races/race_watch.h - accesses watched for data races ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each granule of memory that arguments and local variables point to has a word
// of shadow (abi/races.h). Before each access the words of its granules decide
// whether it races with an earlier one:
//
//   found = watch(shadow, offset / granule, .., item, epoch, site)
//   if (found) report
//
// The shadow of local memory is in local memory, and the work-group clears it
// first; that of global memory is the layer's. An epoch counts the barriers
// that order an address space. It is a variable of each work-item: no barrier
// is added but the one behind the clearing.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_RACES_RACE_WATCH_H
#define WARPSAN_COMPILER_RACES_RACE_WATCH_H

#include "compiler/checks/scheme.h"

#include "llvm/IR/ValueHandle.h"

#include <map>
#include <vector>

namespace warpsan {

class StackSlots;

/// The races of one kernel.
class RaceWatch {
public:
  /// Finds what is to be watched. Comes before checks are placed, which change
  /// pointers.
  RaceWatch(const KernelParts &Parts, llvm::ArrayRef<Access> Accesses);

  /// Places the shadows and what watches. Comes after checks are placed, and
  /// before addConvergencePoints(), which moves barriers.
  void place();

private:
  /// An access, and what it may point into.
  struct Watched {
    llvm::WeakVH At; ///< null: the access was removed
    llvm::WeakTrackingVH Pointer, Index, Count;
    uint64_t Scale, Bytes;
    unsigned Site, Root;
    uint32_t InGroup, OfGroups, IsConstant; ///< as WsRaceAccess has them
    bool IsGlobal;
  };
  struct Shadow {
    llvm::Value *Words = nullptr, *Granules = nullptr; ///< local, i64
  };
  /// How many barriers that order an address space the work-item has passed.
  struct Epoch {
    std::vector<llvm::WeakVH> Barriers;
    llvm::AllocaInst *Slot = nullptr;
  };
  struct WorkItem {
    llvm::Value *Number = nullptr, *Bits = nullptr; ///< i32
  };

  void add(const Access &A, unsigned Site, unsigned Root);
  void numberWorkItem(llvm::IRBuilder<> &Build, bool HasLocal, bool HasGlobal);
  Shadow makeShadow(unsigned Root, llvm::IRBuilder<> &Build);
  void countBarriers(Epoch &Of, Space Memory, const char *Name,
                     StackSlots &Slots);
  void watch(const Watched &Which, ReportCalls &Reports, StackSlots &Slots);
  llvm::Value *watchLocal(const Watched &Which, llvm::Value *Offset,
                          llvm::Value *Bytes, llvm::Value *Does,
                          llvm::IRBuilder<> &Build, StackSlots &Slots);
  llvm::Value *watchGlobal(const Watched &Which, llvm::Value *Offset,
                           llvm::Value *Bytes, llvm::Value *Does,
                           llvm::IRBuilder<> &Build, StackSlots &Slots);
  llvm::Value *offsetOf(const Watched &Which, llvm::IRBuilderBase &Build) const;

  const KernelParts Parts;
  std::vector<Watched> All;
  std::map<unsigned, uint64_t> LocalGranules; ///< by root, bytes
  std::map<unsigned, Shadow> Shadows;         ///< by root
  uint64_t GlobalGranule = 0;                 ///< bytes; 0: none is watched
  Epoch Local, Global;
  /// The work-item: in its work-group, and in the launch.
  WorkItem InGroup, InLaunch;
  llvm::Value *GroupItems = nullptr; ///< i32: work-items of the work-group
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_RACES_RACE_WATCH_H
