//===- compiler/divergence/regions.cpp - code in which work-items part ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/divergence/regions.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace warpsan;

namespace {

class Finder {
public:
  explicit Finder(Function &Kernel) : Dominators(Kernel), Later(Kernel) {}

  /// The smallest region with all of \p Blocks; without End if there is none.
  DivergentRegion around(SetVector<BasicBlock *> Blocks) const;

private:
  BasicBlock *nextCommon(BasicBlock *A, BasicBlock *B) const;

  DominatorTree Dominators;
  PostDominatorTree Later;
};

} // namespace

/// The nearest block that post-dominates both; null if there is none.
BasicBlock *Finder::nextCommon(BasicBlock *A, BasicBlock *B) const {
  return A && B ? Later.findNearestCommonDominator(A, B) : nullptr;
}

DivergentRegion Finder::around(SetVector<BasicBlock *> Blocks) const {
  DivergentRegion Found;
  while (true) {
    BasicBlock *Entry = Blocks.front(), *End = Blocks.front();
    for (BasicBlock *Each : Blocks) {
      Entry = Dominators.findNearestCommonDominator(Entry, Each);
      End = nextCommon(End, Each);
    }
    Blocks.insert(Entry);
    End = nextCommon(End, Entry);
    while (End && Blocks.contains(End)) {
      const auto *Next = Later.getNode(End)->getIDom();
      End = Next ? Next->getBlock() : nullptr;
    }
    Found.Entry = Entry;
    Found.End = End;
    if (!End)
      return Found;
    const size_t Before = Blocks.size();
    for (size_t I = 0; I < Blocks.size(); ++I)
      for (BasicBlock *Next : successors(Blocks[I]))
        if (Next != End)
          Blocks.insert(Next);
    // The end may be in a loop whose header is one of them.
    for (size_t I = 0; I < Blocks.size(); ++I)
      if (Blocks[I] != Entry)
        for (BasicBlock *Each : predecessors(Blocks[I]))
          if (Dominators.isReachableFromEntry(Each))
            Blocks.insert(Each);
    if (Blocks.size() == Before)
      break;
  }
  Found.Blocks = std::move(Blocks);
  return Found;
}

static bool overlap(const DivergentRegion &A, const DivergentRegion &B) {
  return any_of(A.Blocks,
                [&](BasicBlock *Each) { return B.Blocks.contains(Each); });
}

std::vector<DivergentRegion>
warpsan::regionsOf(Function &Kernel, ArrayRef<BasicBlock *> Branches) {
  const Finder Find(Kernel);
  std::vector<DivergentRegion> Found;
  for (BasicBlock *Branch : Branches) {
    SetVector<BasicBlock *> Start;
    Start.insert(Branch);
    DivergentRegion Region = Find.around(Start);
    // Those that it overlaps become a part of it.
    for (bool Grown = true; Region.End && Grown;) {
      Grown = false;
      for (size_t I = 0; I < Found.size() && !Grown; ++I)
        if (overlap(Found[I], Region)) {
          SetVector<BasicBlock *> Both = Region.Blocks;
          Both.insert(Found[I].Blocks.begin(), Found[I].Blocks.end());
          Region = Find.around(std::move(Both));
          Found.erase(Found.begin() + static_cast<ptrdiff_t>(I));
          Grown = true;
        }
    }
    if (!Region.End)
      return {};
    Found.push_back(std::move(Region));
  }
  return Found;
}
