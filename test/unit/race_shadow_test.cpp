//===- test/unit/race_shadow_test.cpp - abi/races.h against all pairs -----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the word of a granule decides is compared with a history that forgets
// nothing. The histories are those in which only barriers synchronize; for them
// test/races/oracle_test.py compares the same closed form with OpenCL's
// happens-before.
//
//===----------------------------------------------------------------------===//
#include "abi/races.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

namespace {

struct Work {
  bool Writes = false, Atomic = false;
  bool OfGroup = false;  ///< an atomic of work-group scope
  uint32_t Constant = 0; ///< a store of one, at a site of its own; 0: none
};
constexpr Work Read = {}, Write = {.Writes = true}, Load = {.Atomic = true},
               Update = {.Writes = true, .Atomic = true},
               GroupLoad = {.Atomic = true, .OfGroup = true},
               GroupUpdate = {.Writes = true, .Atomic = true, .OfGroup = true},
               Zero = {.Writes = true, .Constant = 1},
               One = {.Writes = true, .Constant = 2};
using Works = std::vector<Work>;
const Works &deviceWorks() {
  static const Works All = {Read, Write, Load, Update};
  return All;
}
const Works &scopedWorks() {
  static const Works All = {Read, Write, Load, Update, GroupLoad, GroupUpdate};
  return All;
}
const Works &constantWorks() {
  static const Works All = {Read, Write, Zero, One, Update};
  return All;
}
/// Of a store of a constant.
constexpr uint32_t FirstSite = 500;

struct Past {
  uint32_t Group, Item;
  uint32_t Epoch;
  Work Did;
};

/// All accesses to one granule, and its word.
class History {
public:
  explicit History(uint32_t Groups, uint32_t ItemBits)
      : Epochs(Groups, 0), ItemBits(ItemBits) {}

  void barrier(uint32_t Group) { ++Epochs[Group]; }

  struct Answer {
    bool InGroup = false, OfGroups = false; ///< it races with such an access
    uint32_t Verdict = WS_RACE_NONE;
    /// As if the granule were local memory, each group with its own.
    uint32_t LocalVerdict = WS_RACE_NONE;
    /// The other access, if one is named, is by whom it is said to be; and in
    /// the work-group it is one that races.
    bool IsOtherTrue = true;
    bool NamesOther = false;
    bool races() const { return InGroup || OfGroups; }
    /// The verdict is true, though it may not be complete.
    bool isTrue() const {
      return IsOtherTrue &&
             (Verdict == WS_RACE_NONE ||
              (Verdict == WS_RACE_IN_GROUP ? InGroup : OfGroups)) &&
             (LocalVerdict == WS_RACE_NONE || InGroup);
    }
  };

  Answer access(uint32_t Group, uint32_t Item, Work Does) {
    Answer Result;
    const Past Now = {Group, Item, Epochs[Group], Does};
    for (const Past &Each : All)
      if (doRace(Each, Now))
        (Each.Group == Group ? Result.InGroup : Result.OfGroups) = true;
    const WsRaceAccess Next = {
        .Launch = 7,
        .Item = Group << ItemBits | Item,
        .ItemBits = ItemBits,
        .Epoch = Now.Epoch,
        .InGroup = kindOf(Does.Writes, Does.Atomic),
        .OfGroups = kindOf(Does.Writes, Does.Atomic && !Does.OfGroup),
        .Site = Does.Constant ? FirstSite + Does.Constant
                              : static_cast<uint32_t>(All.size()),
        .IsConstant = Does.Constant != 0};
    const WsU64 Before = Word;
    Word = wsRaceStep(Word, Next, &Result.Verdict);
    if (Result.Verdict != WS_RACE_NONE)
      judgeOther(wsRaceFound(Before, Next, Result.Verdict), Now, Result);
    WsU32 Unused = 0;
    Repeats &= wsRaceStep(Word, Next, &Unused) == Word;
    All.push_back(Now);
    if (Group == 0)
      accessLocally(Next, Result);
    return Result;
  }

  bool Repeats = true; ///< an access done again changes nothing

private:
  /// As device/races.cl does, which goes on until nothing changes.
  void accessLocally(WsRaceAccess Next, Answer &Result) {
    Next.Item &= (1U << ItemBits) - 1;
    const WsU32 Before = LocalWord;
    LocalWord = wsRaceLocalStep(Before, Next, LocalSite, &Result.LocalVerdict);
    if (LocalWord != Before &&
        wsRaceLocalOwner(LocalWord, ItemBits) == Next.Item &&
        !wsRaceKeepsSite(LocalWord, Next.InGroup))
      LocalSite = Next.Site;
    WsU32 Unused = 0;
    Repeats &=
        wsRaceLocalStep(LocalWord, Next, LocalSite, &Unused) == LocalWord;
  }

  /// By the memory model: also two stores of one constant.
  static bool areUnordered(const Past &A, const Past &B) {
    const bool SameGroup = A.Group == B.Group;
    const bool Ordered = SameGroup && (A.Item == B.Item || A.Epoch != B.Epoch);
    const bool Compatible = A.Did.Atomic && B.Did.Atomic &&
                            (SameGroup || (!A.Did.OfGroup && !B.Did.OfGroup));
    return !Ordered && !Compatible && (A.Did.Writes || B.Did.Writes);
  }

  static bool doRace(const Past &A, const Past &B) {
    const bool Same = A.Did.Constant && A.Did.Constant == B.Did.Constant;
    return !Same && areUnordered(A, B);
  }

  /// Of work-groups, one that reads may be named by one that reads, too: the
  /// host knows what the sites do.
  void judgeOther(WsU64 Found, const Past &Now, Answer &Result) const {
    const uint64_t Site = WS_RACE_FOUND_FIELD(Found, SITE);
    if (Site == WS_RACE_NO_SITE)
      return;
    const uint64_t Owner = WS_RACE_FOUND_FIELD(Found, OWNER);
    constexpr uint32_t Kept = (1U << WS_RACE_OWNER_BITS) - 1;
    Result.NamesOther = true;
    Result.IsOtherTrue = false;
    for (size_t I = 0; I < All.size(); ++I) {
      const Past &Other = All[I];
      if (Site != (Other.Did.Constant ? FirstSite + Other.Did.Constant : I))
        continue;
      const bool IsOwner =
          ((Other.Group << ItemBits | Other.Item) & Kept) == Owner;
      Result.IsOtherTrue |= IsOwner && (Result.Verdict == WS_RACE_OF_GROUPS
                                            ? Other.Group != Now.Group
                                            : areUnordered(Other, Now));
    }
  }

  static uint32_t kindOf(bool Writes, bool Atomic) {
    if (Atomic)
      return Writes ? WS_RACE_ATOMIC_UPDATE : WS_RACE_ATOMIC_LOAD;
    return Writes ? WS_RACE_WRITE : WS_RACE_READ;
  }

  std::vector<Past> All;
  std::vector<uint32_t> Epochs;
  WsU64 Word = 0;
  WsU32 LocalWord = 0; ///< of group 0
  WsU32 LocalSite = 0; ///< beside it
  uint32_t ItemBits;
};

/// Continues \p So in all ways with \p Left more steps, each up to its first
/// race. Returns how many accesses were judged.
uint64_t explore(const History &So, uint32_t Groups, uint32_t Items,
                 const Works &Kinds, unsigned Left) {
  if (Left == 0)
    return 0;
  uint64_t Judged = 0;
  for (uint32_t Group = 0; Group < Groups; ++Group) {
    for (uint32_t Item = 0; Item < Items; ++Item)
      for (const Work &Does : Kinds) {
        History Next = So;
        const History::Answer Answer = Next.access(Group, Item, Does);
        ++Judged;
        EXPECT_EQ(Answer.races(), Answer.Verdict != WS_RACE_NONE);
        EXPECT_TRUE(Answer.isTrue());
        EXPECT_TRUE(Next.Repeats);
        if (Group == 0) {
          EXPECT_EQ(Answer.InGroup, Answer.LocalVerdict != WS_RACE_NONE);
        }
        if (testing::Test::HasFailure())
          return Judged;
        if (!Answer.races())
          Judged += explore(Next, Groups, Items, Kinds, Left - 1);
      }
    History Next = So;
    Next.barrier(Group);
    Judged += explore(Next, Groups, Items, Kinds, Left - 1);
  }
  return Judged;
}

} // namespace

TEST(RaceShadow, DecidesEveryShortHistory) {
  // Two work-groups of two work-items; with scopes, and longer without.
  EXPECT_GT(explore(History(2, 1), 2, 2, scopedWorks(), 5), 100'000U);
  EXPECT_GT(explore(History(2, 1), 2, 2, deviceWorks(), 5), 100'000U);
  EXPECT_GT(explore(History(2, 1), 2, 2, constantWorks(), 5), 100'000U);
  // Three of each.
  EXPECT_GT(explore(History(3, 2), 3, 3, deviceWorks(), 4), 100'000U);
  EXPECT_GT(explore(History(3, 2), 3, 3, constantWorks(), 4), 100'000U);
}

TEST(RaceShadow, IsExactUntilTheFirstRaceAndTrueAfterIt) {
  std::mt19937 Random(1);
  uint64_t Long = 0, Races = 0, Found = 0, Named = 0;
  for (unsigned Round = 0; Round < 20'000; ++Round) {
    History All(4, 2);
    bool Raced = false;
    // Most histories of all kinds race soon.
    const Works KindsOf[] = {scopedWorks(),   {Read}, {Read, Write, Load},
                             constantWorks(), {Zero}, {Zero, One}};
    const Works &Kinds = KindsOf[Round % std::size(KindsOf)];
    for (unsigned Step = 0; Step < 40; ++Step) {
      const uint32_t Group = Random() % 4;
      if (Random() % 4 == 0) {
        All.barrier(Group);
        continue;
      }
      const History::Answer Answer =
          All.access(Group, Random() % 4, Kinds[Random() % Kinds.size()]);
      ASSERT_TRUE(Answer.isTrue());
      if (!Raced) {
        ASSERT_EQ(Answer.races(), Answer.Verdict != WS_RACE_NONE);
        Long += Step > 10;
      }
      Raced |= Answer.races();
      Races += Answer.races();
      Found += Answer.Verdict != WS_RACE_NONE;
      Named += Answer.NamesOther;
    }
  }
  EXPECT_GT(Named, Found / 2); // the other access is known more often than not
  EXPECT_GT(Long, 1'000U);
  EXPECT_GT(Races, Found); // what is lost after a race is known to be lost
  EXPECT_GT(Found, 10'000U);
}

TEST(RaceShadow, NumbersThatAreTooLargeMakeNoRaceUp) {
  std::mt19937 Random(2);
  constexpr uint32_t ItemBits = 8, Groups = 4;
  // The highest bit of a group's number is lost.
  constexpr uint32_t Far = 1U << (WS_RACE_OWNER_BITS - ItemBits);
  uint64_t Found = 0;
  for (unsigned Round = 0; Round < 2'000; ++Round) {
    History All(Far + Groups, ItemBits);
    for (unsigned Step = 0; Step < 20; ++Step) {
      const uint32_t Group = Random() % Groups / 2 + Random() % 2 * Far;
      if (Random() % 4 == 0) {
        All.barrier(Group);
        continue;
      }
      const History::Answer Answer = All.access(
          Group, Random() % 2, scopedWorks()[Random() % scopedWorks().size()]);
      ASSERT_TRUE(Answer.isTrue() ||
                  (Answer.Verdict == WS_RACE_IN_GROUP && Answer.OfGroups));
      Found += Answer.Verdict != WS_RACE_NONE;
    }
  }
  EXPECT_GT(Found, 1'000U);
}

TEST(RaceShadow, AnotherLaunchBeginsAnew) {
  uint32_t Verdict = WS_RACE_NONE;
  WsRaceAccess Access = {.Launch = 1,
                         .Item = 3,
                         .ItemBits = 2,
                         .Epoch = 0,
                         .InGroup = WS_RACE_WRITE,
                         .OfGroups = WS_RACE_WRITE,
                         .Site = 0,
                         .IsConstant = 0};
  WsU64 Word = wsRaceStep(0, Access, &Verdict);
  EXPECT_EQ(Verdict, uint32_t(WS_RACE_NONE));
  Access.Item = 9;
  Access.Launch = 2;
  Word = wsRaceStep(Word, Access, &Verdict);
  EXPECT_EQ(Verdict, uint32_t(WS_RACE_NONE));
  Access.Item = 3;
  wsRaceStep(Word, Access, &Verdict);
  EXPECT_EQ(Verdict, uint32_t(WS_RACE_OF_GROUPS));
}
