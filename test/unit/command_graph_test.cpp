//===- test/unit/command_graph_test.cpp - which commands race -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles are numbers; every command writes the same 64 bytes, if nothing else
// is said. test/layer/errors/command_races has the same with drivers.
//
//===----------------------------------------------------------------------===//
#include "layer/objects/objects.h"
#include "layer/order/command_graph.h"

#include <gtest/gtest.h>

using namespace warpsan;

namespace {

using Role = CommandGraph::Role;

template <typename Handle> Handle handle(uintptr_t Number) {
  return reinterpret_cast<Handle>(Number << 4);
}
cl_command_queue queue(uintptr_t Number) {
  return handle<cl_command_queue>(Number);
}
cl_event event(uintptr_t Number) { return handle<cl_event>(Number); }

struct Program : testing::Test {
  CommandGraph G;
  std::shared_ptr<Memory> Buffer = std::make_shared<Memory>();
  uintptr_t LastEvent = 0;
  std::vector<CommandRace> Found; ///< by the last command

  Program() {
    for (uintptr_t Q : {1, 2, 3})
      G.addQueue(queue(Q), /*InOrder=*/true);
    G.addQueue(queue(9), /*InOrder=*/false);
  }

  CommandAccess bytes(uint64_t First, uint64_t Last, bool Writes) const {
    CommandAccess F;
    F.Of = Buffer;
    F.Ranges = {{First, Last}};
    F.Writes = Writes;
    return F;
  }
  CommandAccess all() const { return bytes(0, 64, true); }

  struct Enqueued {
    CommandGraph::NodePtr Node;
    cl_event Event;
  };
  Enqueued enqueue(uintptr_t Q, std::vector<cl_event> Waits = {},
                   std::optional<CommandAccess> F = {},
                   Role Which = Role::Plain) {
    Enqueued Out{G.begin(queue(Q), Waits, Which), event(++LastEvent + 1000)};
    G.addEvent(Out.Event, Out.Node);
    Found.clear();
    if (Which == Role::Plain) {
      auto Info = std::make_shared<Command>();
      Info->Accesses = {F ? *F : all()};
      Found = G.publish(Out.Node, std::move(Info));
    }
    return Out;
  }
  /// Of the next command in \p Q.
  size_t races(uintptr_t Q, std::vector<cl_event> Waits = {},
               std::optional<CommandAccess> F = {}) {
    enqueue(Q, std::move(Waits), std::move(F));
    return Found.size();
  }
};

TEST_F(Program, TwoQueues) {
  enqueue(1);
  EXPECT_EQ(races(2), 1U);
}

TEST_F(Program, OneQueueInOrder) {
  enqueue(1);
  EXPECT_EQ(races(1), 0U);
}

TEST_F(Program, OneQueueOutOfOrder) {
  enqueue(9);
  EXPECT_EQ(races(9), 1U);
}

TEST_F(Program, AQueueThatIsNotKnownIsInOrder) {
  enqueue(7);
  EXPECT_EQ(races(7), 0U);
}

TEST_F(Program, AnEvent) {
  const auto A = enqueue(1);
  const auto B = enqueue(2, {A.Event});
  EXPECT_TRUE(Found.empty());
  // Of two hops.
  EXPECT_EQ(races(3, {B.Event}), 0U);
}

TEST_F(Program, AnEventOfAnEarlierCommandOfAnInOrderQueue) {
  const auto A = enqueue(1);
  enqueue(1);
  EXPECT_EQ(races(2, {A.Event}), 1U);
}

TEST_F(Program, AnEventOfALaterCommandOfAnInOrderQueue) {
  enqueue(1);
  const auto B = enqueue(1);
  EXPECT_EQ(races(2, {B.Event}), 0U);
}

TEST_F(Program, WhatIsBehindAWaitListInAnInOrderQueue) {
  const auto A = enqueue(1);
  enqueue(2, {A.Event}, bytes(100, 101, true));
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, AnEventOutOfOrderOrdersNoOthers) {
  enqueue(9, {}, bytes(0, 8, true));
  const auto B = enqueue(9, {}, bytes(8, 16, true));
  EXPECT_EQ(races(9, {B.Event}, bytes(8, 16, true)), 0U);
  EXPECT_EQ(races(9, {B.Event}, bytes(0, 8, true)), 1U);
}

TEST_F(Program, ABarrierOutOfOrder) {
  enqueue(9);
  enqueue(9, {}, {}, Role::Barrier);
  EXPECT_EQ(races(9), 0U);
  EXPECT_EQ(races(9), 1U);
}

TEST_F(Program, ABarrierWithEvents) {
  const auto A = enqueue(1);
  enqueue(9, {A.Event}, {}, Role::Barrier);
  EXPECT_EQ(races(9), 0U);
}

TEST_F(Program, ABarrierWithEventsDoesNotWaitForTheQueue) {
  const auto A = enqueue(1, {}, bytes(100, 101, true));
  enqueue(9);
  enqueue(9, {A.Event}, {}, Role::Barrier);
  EXPECT_EQ(races(9), 1U);
}

TEST_F(Program, AMarker) {
  enqueue(9);
  const auto M = enqueue(9, {}, {}, Role::Marker);
  EXPECT_EQ(races(9, {M.Event}), 0U);
  // It orders nothing by itself.
  EXPECT_EQ(races(9), 1U);
}

TEST_F(Program, WaitsOfAQueue) {
  const auto A = enqueue(1);
  const cl_event List[] = {A.Event};
  G.addWaits(queue(9), List);
  EXPECT_EQ(races(9), 0U);
}

TEST_F(Program, Finish) {
  enqueue(1);
  G.completeQueue(queue(1));
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, FinishOfAnotherQueue) {
  enqueue(1);
  G.completeQueue(queue(3));
  EXPECT_EQ(races(2), 1U);
}

TEST_F(Program, FinishOfAQueueThatWaited) {
  const auto A = enqueue(1);
  enqueue(3, {A.Event}, bytes(100, 101, true));
  G.completeQueue(queue(3));
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, AWaitOfTheHost) {
  const auto A = enqueue(1);
  G.completeEvent(A.Event);
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, AWaitOfTheHostForALaterCommand) {
  enqueue(1);
  const auto B = enqueue(1);
  G.completeEvent(B.Event);
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, AWaitOfTheHostForAnEarlierCommand) {
  const auto A = enqueue(1);
  enqueue(1);
  G.completeEvent(A.Event);
  EXPECT_EQ(races(2), 1U);
}

TEST_F(Program, ReleasedEvents) {
  const auto A = enqueue(1);
  G.retainEvent(A.Event);
  G.releaseEvent(A.Event);
  EXPECT_EQ(races(2, {A.Event}), 0U);
}

TEST_F(Program, AnEventThatIsStillKnown) {
  const auto A = enqueue(1, {}, bytes(100, 101, true));
  G.retainEvent(A.Event);
  G.releaseEvent(A.Event);
  enqueue(2);
  EXPECT_EQ(races(3, {A.Event}), 1U);
}

TEST_F(Program, AnEventThatIsNotKnown) {
  const auto A = enqueue(1, {}, bytes(100, 101, true));
  enqueue(3);
  G.releaseEvent(A.Event);
  EXPECT_EQ(races(2, {A.Event}), 0U);
  // Nor is what comes after it judged.
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, AHandleThatIsUsedAgain) {
  const auto A = enqueue(1);
  G.releaseEvent(A.Event);
  const auto B = enqueue(3, {}, bytes(100, 101, true));
  G.addEvent(A.Event, B.Node);
  EXPECT_EQ(races(2, {A.Event}), 1U);
}

TEST_F(Program, AUserEvent) {
  G.addUserEvent(event(1));
  const auto A = enqueue(1, {event(1)});
  EXPECT_EQ(races(2), 0U);
  // The host may wait here, and then set the event.
  G.completeQueue(queue(2));
  G.setUserEvent(event(1), /*Failed=*/false);
  EXPECT_EQ(races(3), 1U);
}

TEST_F(Program, WhatWaitsForAUserEventBehindOthers) {
  G.addUserEvent(event(1));
  const auto A = enqueue(1, {event(1)}, bytes(100, 101, true));
  const auto B = enqueue(3, {A.Event});
  EXPECT_EQ(races(2), 0U);
  G.setUserEvent(event(1), /*Failed=*/false);
  EXPECT_EQ(races(2, {}, bytes(0, 64, true)), 1U);
}

TEST_F(Program, AUserEventThatFails) {
  G.addUserEvent(event(1));
  enqueue(1, {event(1)});
  G.setUserEvent(event(1), /*Failed=*/true);
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, ManyUserEvents) {
  for (uintptr_t I = 1; I <= 200; ++I)
    G.addUserEvent(event(I));
  for (uintptr_t I = 1; I <= 200; ++I) {
    enqueue(1, {event(I)});
    EXPECT_EQ(races(2), 0U);
    G.completeQueue(queue(1));
    G.completeQueue(queue(2));
  }
}

TEST_F(Program, ACallback) {
  const auto A = enqueue(1);
  enqueue(1);
  const auto C = enqueue(1);
  G.silenceEvent(C.Event);
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, ACallbackOfWhatWaitsForAUserEvent) {
  G.addUserEvent(event(1));
  const auto A = enqueue(1, {event(1)}, bytes(100, 101, true));
  G.silenceEvent(A.Event);
  enqueue(3);
  // It still waits: the host may order the two.
  EXPECT_EQ(races(2, {A.Event}), 0U);
}

TEST_F(Program, RefusedCommands) {
  enqueue(1);
  for (size_t I = 0; I < 2 * CommandGraph::MaxNodes; ++I)
    G.remove(G.begin(queue(3), {}));
  EXPECT_EQ(races(2), 1U); // the first one was not dropped for them
}

TEST_F(Program, ManyCommands) {
  // The first ones are dropped, and the others still found.
  const auto First = enqueue(1);
  for (size_t I = 0; I < 2 * CommandGraph::MaxNodes; ++I)
    EXPECT_EQ(races(1), 0U);
  EXPECT_EQ(races(2), 1U);
  EXPECT_EQ(races(3, {First.Event}), 0U);
  G.completeQueue(queue(1));
  G.completeQueue(queue(2));
  G.completeQueue(queue(3));
  EXPECT_EQ(races(3), 0U);
}

TEST_F(Program, ManyCommandsThatWait) {
  G.addUserEvent(event(1));
  enqueue(1, {event(1)});
  for (size_t I = 0; I < 2 * CommandGraph::MaxNodes; ++I)
    enqueue(1);
  EXPECT_TRUE(G.isStopped());
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, ManyEvents) {
  const auto A = enqueue(1);
  for (size_t I = 0; I < CommandGraph::MaxEvents; ++I) {
    enqueue(3, {}, bytes(100, 101, true));
    G.completeQueue(queue(3));
  }
  EXPECT_EQ(races(2, {A.Event}), 0U);
}

TEST_F(Program, AQueueWithAHandleThatIsUsedAgain) {
  enqueue(9);
  G.addQueue(queue(9), /*InOrder=*/true);
  EXPECT_EQ(races(9), 1U);
  EXPECT_EQ(races(9, {}, bytes(100, 104, true)), 0U);
  EXPECT_EQ(races(9, {}, bytes(100, 104, true)), 0U);
}

TEST_F(Program, AQueueThatIsNotTrusted) {
  G.distrustQueue(queue(1));
  enqueue(1);
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, ACommandThatIsNotTrusted) {
  const auto A = enqueue(1);
  const auto B = G.begin(queue(2), {});
  G.distrust(B);
  auto Info = std::make_shared<Command>();
  Info->Accesses = {all()};
  EXPECT_TRUE(G.publish(B, std::move(Info)).empty());
  EXPECT_EQ(races(2), 0U);
}

TEST_F(Program, ACommandOfAllQueues) {
  const auto A = enqueue(1);
  const auto B = G.begin(queue(2), {});
  G.distrust(B);
  G.addToAllQueues(B);
  EXPECT_EQ(races(3), 0U);
}

TEST_F(Program, WhatConflicts) {
  const CommandAccess Read = bytes(0, 64, false), Write = all();
  EXPECT_TRUE(conflictOf(Write, Read));
  EXPECT_FALSE(conflictOf(Read, Read));
  EXPECT_FALSE(conflictOf(bytes(0, 32, true), bytes(32, 64, true)));
  EXPECT_EQ(conflictOf(bytes(0, 33, true), bytes(32, 64, true)),
            (ByteRange{32, 33}));
  CommandAccess Several = all(), Others = all();
  Several.Ranges = {{0, 4}, {8, 12}, {100, 104}};
  Others.Ranges = {{4, 8}, {12, 100}};
  EXPECT_FALSE(conflictOf(Several, Others));
  Others.Ranges.back().Last = 101;
  EXPECT_EQ(conflictOf(Several, Others), (ByteRange{100, 101}));

  CommandAccess Atomic = all();
  Atomic.Atomic = true;
  EXPECT_FALSE(conflictOf(Atomic, Atomic));
  EXPECT_TRUE(conflictOf(Atomic, Read));

  CommandAccess One = all(), Two = all();
  One.StoresConstant = Two.StoresConstant = true;
  EXPECT_FALSE(conflictOf(One, Two)); // they may be equal
  EXPECT_TRUE(conflictOf(One, Write));
  EXPECT_TRUE(conflictOf(One, Read));
  One.Pattern = Two.Pattern = "1";
  EXPECT_FALSE(conflictOf(One, Two));
  Two.Pattern = "2";
  EXPECT_TRUE(conflictOf(One, Two));

  CommandAccess Elsewhere = all();
  Elsewhere.Of = std::make_shared<Memory>();
  EXPECT_FALSE(conflictOf(Write, Elsewhere));
}

/// Maps 64 bytes in queue \p Q, which the host waits for.
struct Mapped : Program {
  const char *At = "";

  CommandGraph::NodePtr map(bool Writes, uintptr_t Q = 1) {
    auto Info = std::make_shared<Command>();
    Info->Accesses = {bytes(0, 64, Writes)};
    const auto Node = G.begin(queue(Q), {});
    G.addMapping(Node, std::move(Info), At);
    G.complete(Node);
    return Node;
  }
  cl_event unmap(uintptr_t Q = 1) {
    const auto Node = G.begin(queue(Q), {});
    G.addEvent(event(1), Node);
    G.endMapping(Node, Buffer.get(), At);
    return event(1);
  }
};

TEST_F(Mapped, ForWriting) {
  map(true);
  EXPECT_EQ(races(1, {}, bytes(63, 64, false)), 1U);
  EXPECT_TRUE(Found[0].IsMapped);
  EXPECT_EQ(races(1, {}, bytes(64, 65, true)), 0U);
}

TEST_F(Mapped, ForReading) {
  map(false);
  EXPECT_EQ(races(1, {}, bytes(0, 64, false)), 0U);
  EXPECT_EQ(races(1), 1U);
}

TEST_F(Mapped, AndUnmappedBefore) {
  map(true);
  unmap();
  EXPECT_EQ(races(1), 0U);
}

TEST_F(Mapped, AndUnmappedInAnotherQueue) {
  map(true);
  const cl_event Event = unmap(2);
  EXPECT_EQ(races(1, {Event}, bytes(0, 32, true)), 0U);
  EXPECT_EQ(races(3, {}, bytes(32, 64, true)), 1U);
  G.completeEvent(Event);
  EXPECT_EQ(races(3, {}, bytes(32, 64, true)), 0U);
}

TEST_F(Mapped, AndUnmappedBeforeACallback) {
  map(true);
  G.silenceEvent(unmap(2));
  EXPECT_EQ(races(1), 0U);
}

TEST_F(Mapped, WhatWaitsForAUserEventIsNotJudged) {
  map(true);
  G.addUserEvent(event(2));
  EXPECT_EQ(races(1, {event(2)}), 0U);
}

TEST_F(Mapped, AfterTheCommand) {
  enqueue(1);
  map(true);
  EXPECT_TRUE(Found.empty());
}

TEST_F(Mapped, WhileTheCommandIsEnqueued) {
  const auto Node = G.begin(queue(2), {});
  map(true);
  auto Info = std::make_shared<Command>();
  Info->Accesses = {all()};
  EXPECT_TRUE(G.publish(Node, std::move(Info)).empty());
}

TEST_F(Mapped, TwiceAtOneAddress) {
  map(true);
  map(false);
  unmap(); // one of them: it is not known which
  EXPECT_EQ(races(1), 0U);
}

} // namespace
