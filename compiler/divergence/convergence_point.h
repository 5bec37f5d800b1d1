//===- compiler/divergence/convergence_point.h - diverged groups ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a region where a work-group may diverge (regions.h), a work-item that
// reaches a collective call or the region's end suspends there, as a coroutine
// does: it leaves the source's control flow, goes to the region's convergence
// point, and resumes from a dispatch block:
//
//   dispatch:  switch (suspend point)  each work-item resumes after its own
//     ...      the region's code, up to the next suspend point
//   converge:  OR the code of the suspend point into a word of local memory
//              barrier                 the only one, for all suspend points
//              all at the end?         leave the region
//              several points?         report, once for each work-group
//              goto dispatch
//
// A code is the suspend point's number and, in the upper half, its complement:
// some bit is set in both halves if and only if two work-items are suspended at
// different points.
//
// So all work-items execute the same barriers whatever the source does. None
// waits for ever, and none executes what the source would not let it execute.
// The convergence point's barrier replaces those of the source.
//
// A loop that could be entered both from dispatch and from the source's control
// flow would be irreducible, which PoCL does not compile. The header of such a
// loop is a suspend point too, but no barrier: work-items suspended there
// resume, while the others stay suspended.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_DIVERGENCE_CONVERGENCE_POINT_H
#define WARPSAN_COMPILER_DIVERGENCE_CONVERGENCE_POINT_H

#include "compiler/checks/checked_twin.h"
#include "compiler/checks/report_call.h"
#include "compiler/claims/uniformity.h"
#include "compiler/divergence/regions.h"
#include "compiler/divergence/stack_slots.h"
#include "compiler/ir/barriers.h"

namespace warpsan {

/// Of a region, its end included. Each takes eight bytes of local memory.
inline constexpr unsigned MaxSuspendPoints = 512;
/// A suspend point's number has these bits, its complement the same 16 higher.
inline constexpr uint32_t SuspendPointBits = 0x7fff;
static_assert(MaxSuspendPoints <= SuspendPointBits);
/// In a code: the suspend point is the header of a loop.
inline constexpr uint32_t HeaderBit = 1U << 31;
/// Words that take turns, so that one barrier a turn is enough: while one is
/// read, the next may be set and the last is cleared.
inline constexpr unsigned Turns = 3;
/// Dispatch to the region's entry; no suspend point has this number.
inline constexpr unsigned AtEntry = MaxSuspendPoints;

/// What all convergence points of a kernel share.
struct ConvergenceParts {
  CheckedTwin &Made;
  const Target &T;
  ReportCalls Calls;
  StackSlots Slots;
  /// Local: Turns words, then two for each suspend point of each convergence
  /// point: how many work-items are suspended there, and the first of them.
  llvm::GlobalVariable *Words = nullptr;
  llvm::AllocaInst *Turn = nullptr; ///< 0 to Turns - 1, the same for a group
  llvm::AllocaInst *Via =
      nullptr;                 ///< 1 + the last branch of Divergence.Branches
  llvm::Value *Item = nullptr; ///< i32: linear local id
};

/// i32: the work-item's number in its group, x fastest.
llvm::Value *linearLocalId(llvm::IRBuilder<> &Build, const Target &T);

/// Where a work-item leaves the source's control flow.
struct SuspendPoint {
  llvm::BasicBlock *Next =
      nullptr;                    ///< where it resumes; null: the region's end
  llvm::CallInst *Call = nullptr; ///< in no block: called if all are here
  llvm::AllocaInst *Result = nullptr; ///< of Call
};

class ConvergencePoint {
public:
  ConvergencePoint(ConvergenceParts &With, DivergentRegion In)
      : With(With), In(std::move(In)) {}

  /// The region's collective calls of \p Scope.
  std::vector<llvm::CallInst *>
  collectives(CollectiveScope Scope = CollectiveScope::WorkGroup) const;
  /// \p FirstWord: index of the first of its words. Returns how many they are.
  unsigned build(unsigned FirstWord);
  /// The header of its loop, once it is built.
  llvm::BasicBlock *header() const { return Dispatch; }

private:
  void closeRegion();
  void suspendAtCalls();
  void suspendAtHeaders();
  void suspendAtEnd();
  void suspend(llvm::BasicBlock *From, size_t SuspendPoint);
  void makeDispatch();
  void makeConvergence();
  void callTogether(llvm::IRBuilder<> &Build, llvm::Value *Codes);
  void count(llvm::IRBuilder<> &Build, llvm::Value *Here);
  /// The first suspend point from \p From on at which work-items were counted.
  /// There is one.
  llvm::Value *nextCounted(llvm::IRBuilder<> &Build, llvm::Value *From) const;
  void report(llvm::IRBuilder<> &Build, llvm::Value *Here);
  llvm::Value *wordAt(llvm::IRBuilder<> &Build, llvm::Value *Index) const;
  /// One of the two words of \p SuspendPoint.
  llvm::Value *wordOf(llvm::IRBuilder<> &Build, llvm::Value *SuspendPoint,
                      unsigned Which) const;
  llvm::BasicBlock *newBlock(const char *Name) const {
    llvm::Function *Kernel = With.Made.Kernel;
    return llvm::BasicBlock::Create(Kernel->getContext(), Name, Kernel);
  }
  uint32_t end() const { return static_cast<uint32_t>(SuspendPoints.size()); }
  bool isHeader(size_t SuspendPoint) const {
    return SuspendPoint >= Calls && SuspendPoint < SuspendPoints.size();
  }
  /// What a work-item at \p SuspendPoint ORs into the word.
  uint32_t codeOf(size_t SuspendPoint) const {
    const auto Number = static_cast<uint32_t>(SuspendPoint);
    return Number | (~Number & SuspendPointBits) << 16 |
           (isHeader(SuspendPoint) ? HeaderBit : 0);
  }

  ConvergenceParts &With;
  DivergentRegion In;
  llvm::BasicBlock *Before = nullptr; ///< the region's only predecessor
  llvm::BasicBlock *Dispatch = nullptr, *Converge = nullptr;
  std::vector<llvm::BasicBlock *>
      Ordered; ///< the region's, in reverse post-order
  std::vector<SuspendPoint>
      SuspendPoints;    ///< collective calls, then loop headers
  size_t Calls = 0;     ///< how many of SuspendPoints are those
  size_t FirstCall = 0; ///< number of its first call in Divergence.Calls
  unsigned FirstWord = 0;
  Fence Joined;                            ///< of all its barriers
  llvm::AllocaInst *SuspendedAt = nullptr; ///< number of a suspend point
  llvm::AllocaInst *ResumeAt = nullptr;    ///< after which suspend point
  llvm::AllocaInst *ReportState =
      nullptr; ///< of the group: 0 none, 1 counted, 2 reported
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_CONVERGENCE_POINT_H
