//===- compiler/divergence/meeting.h - work-items that reach different
// barriers ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a region where a work-group may diverge (regions.h), a work-item that
// reaches a collective call or the region's end, its stop, leaves the source's
// control flow and goes to the region's meeting:
//
//   dispatch:  switch (stop)           each work-item goes on behind its stop
//     ...      the region's code, up to the next stop
//   meeting:   set bit `stop` of a word of local memory
//              barrier                 the only one, for all stops
//              all at the end?         leave the region
//              several bits?           report, once for each work-group
//              goto dispatch
//
// So all work-items execute the same barriers whatever the source does. Nobody
// waits for ever, and no work-item executes what the source would not let it
// execute. The barriers of the source become the meeting's.
//
// A loop that could be entered both from dispatch and in the way of the source
// would be irreducible, which PoCL does not compile. Such a loop's header is a
// stop too, at which nobody waits: work-items that are there go on, while the
// others stay where they are.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_DIVERGENCE_MEETING_H
#define WARPSAN_COMPILER_DIVERGENCE_MEETING_H

#include "compiler/checks/checked_twin.h"
#include "compiler/checks/report_call.h"
#include "compiler/claims/uniformity.h"
#include "compiler/divergence/regions.h"
#include "compiler/divergence/stack_slots.h"

namespace warpsan {

/// A word of local memory has a bit for each stop.
inline constexpr unsigned MostStops = 32;
/// Words that take turns, so that one barrier a turn is enough: while one is
/// read, the next may be set and the last is cleared.
inline constexpr unsigned Turns = 3;
/// Dispatch to the region's entry; no stop has this number.
inline constexpr unsigned AtEntry = MostStops;

/// What all meetings of a kernel share.
struct MeetingParts {
  CheckedTwin &Made;
  const Target &T;
  ReportCalls Calls;
  StackSlots Slots;
  llvm::GlobalVariable *Words =
      nullptr;                      ///< local: Turns words, two for each stop
  llvm::AllocaInst *Turn = nullptr; ///< 0 to Turns - 1, the same for a group
  llvm::AllocaInst *Via = nullptr;  ///< 1 + the last branch of Votes.Branches
  llvm::Value *Item = nullptr;      ///< i32: linear local id
};

/// Which memory a barrier is a fence for, beside local and global memory.
struct FenceInfo {
  /// SPIR-V's number of the widest memory scope: 2 is the work-group.
  uint32_t Scope = 2;
  bool Images = false;
  /// Sequentially consistent, not only acquire and release.
  bool Sequential = false;
};
/// A barrier of the work-group.
void makeBarrier(llvm::IRBuilder<> &Build, llvm::Module &Program,
                 FenceInfo Fence = {});

/// i32: the work-item's number in its group, x fastest.
llvm::Value *linearLocalId(llvm::IRBuilder<> &Build, const Target &T);

/// Where a work-item goes to the meeting.
struct Stop {
  llvm::BasicBlock *Next =
      nullptr;                    ///< where it goes on; null: the region's end
  llvm::CallInst *Call = nullptr; ///< in no block: called if all are here
  llvm::AllocaInst *Result = nullptr; ///< of Call
};

class Meeting {
public:
  Meeting(MeetingParts &With, DivergentRegion In)
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
  void stopAtCalls();
  void stopAtHeaders();
  void stopAtEnd();
  void goToMeeting(llvm::BasicBlock *From, size_t Stop);
  void makeDispatch();
  void makeMeeting();
  void callTogether(llvm::IRBuilder<> &Build, llvm::Value *Mask);
  void report(llvm::IRBuilder<> &Build, llvm::Value *Here, llvm::Value *Mask);
  llvm::Value *wordAt(llvm::IRBuilder<> &Build, llvm::Value *Index) const;
  llvm::BasicBlock *newBlock(const char *Name) const {
    llvm::Function *Kernel = With.Made.Kernel;
    return llvm::BasicBlock::Create(Kernel->getContext(), Name, Kernel);
  }
  /// Bits of the stops from \p From to before \p To.
  static uint32_t bits(size_t From, size_t To) {
    return static_cast<uint32_t>((uint64_t{1} << To) - (uint64_t{1} << From));
  }

  MeetingParts &With;
  DivergentRegion In;
  llvm::BasicBlock *Before = nullptr; ///< the region's only predecessor
  llvm::BasicBlock *Dispatch = nullptr, *Meet = nullptr;
  std::vector<llvm::BasicBlock *>
      Ordered;             ///< the region's, in reverse post-order
  std::vector<Stop> Stops; ///< collective calls, then loop headers
  size_t Calls = 0;        ///< how many of Stops are those
  size_t FirstCall = 0;    ///< number of its first call in Votes.Calls
  unsigned FirstWord = 0;
  FenceInfo Fence;                   ///< of all its barriers
  llvm::AllocaInst *At = nullptr;    ///< the stop a work-item is at
  llvm::AllocaInst *Going = nullptr; ///< the stop behind which it goes on
  llvm::AllocaInst *Told = nullptr;  ///< of the group: 1 counted, 2 reported
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_MEETING_H
