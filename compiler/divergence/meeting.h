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
//   meeting:   OR the code of `stop` into a word of local memory
//              barrier                 the only one, for all stops
//              all at the end?         leave the region
//              several stops?          report, once for each work-group
//              goto dispatch
//
// A code is the stop's number and, in the upper half, its complement: some bit
// is set in both halves if and only if two work-items are at different stops.
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
#include "compiler/ir/barriers.h"

namespace warpsan {

/// Of a region, its end included. Each takes eight bytes of local memory.
inline constexpr unsigned MostStops = 512;
/// A stop's number has these bits, its complement the same 16 higher.
inline constexpr uint32_t StopBits = 0x7fff;
static_assert(MostStops <= StopBits);
/// In a code: the stop is the header of a loop.
inline constexpr uint32_t HeaderBit = 1U << 31;
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
  /// Local: Turns words, then for each meeting two a stop: how many work-items
  /// are there, and the first of them.
  llvm::GlobalVariable *Words = nullptr;
  llvm::AllocaInst *Turn = nullptr; ///< 0 to Turns - 1, the same for a group
  llvm::AllocaInst *Via = nullptr;  ///< 1 + the last branch of Votes.Branches
  llvm::Value *Item = nullptr;      ///< i32: linear local id
};

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
  void callTogether(llvm::IRBuilder<> &Build, llvm::Value *Codes);
  void count(llvm::IRBuilder<> &Build, llvm::Value *Here);
  /// The first stop from \p From on at which work-items were counted. There
  /// is one.
  llvm::Value *nextCounted(llvm::IRBuilder<> &Build, llvm::Value *From) const;
  void report(llvm::IRBuilder<> &Build, llvm::Value *Here);
  llvm::Value *wordAt(llvm::IRBuilder<> &Build, llvm::Value *Index) const;
  /// One of the two words of \p Stop.
  llvm::Value *wordOf(llvm::IRBuilder<> &Build, llvm::Value *Stop,
                      unsigned Which) const;
  llvm::BasicBlock *newBlock(const char *Name) const {
    llvm::Function *Kernel = With.Made.Kernel;
    return llvm::BasicBlock::Create(Kernel->getContext(), Name, Kernel);
  }
  uint32_t end() const { return static_cast<uint32_t>(Stops.size()); }
  bool isHeader(size_t Stop) const {
    return Stop >= Calls && Stop < Stops.size();
  }
  /// What a work-item at \p Stop ORs into the word.
  uint32_t codeOf(size_t Stop) const {
    const auto Number = static_cast<uint32_t>(Stop);
    return Number | (~Number & StopBits) << 16 |
           (isHeader(Stop) ? HeaderBit : 0);
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
  Fence Joined;                      ///< of all its barriers
  llvm::AllocaInst *At = nullptr;    ///< the stop a work-item is at
  llvm::AllocaInst *Going = nullptr; ///< the stop behind which it goes on
  llvm::AllocaInst *Told = nullptr;  ///< of the group: 1 counted, 2 reported
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_DIVERGENCE_MEETING_H
