//===- compiler/divergence/reducible.cpp - loops with a single entry ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/divergence/reducible.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"

#include <algorithm>
#include <map>

using namespace llvm;
using namespace warpsan;

namespace {

using BlockSet = SmallPtrSet<BasicBlock *, 16>;

/// A part of a control flow graph whose edges into some blocks are taken away.
class Graph {
public:
  Graph(ArrayRef<BasicBlock *> Blocks, ArrayRef<BasicBlock *> Starts)
      : Starts(Starts.begin(), Starts.end()) {
    for (size_t I = 0; I < Blocks.size(); ++I)
      Order[Blocks[I]] = I;
  }

  void cut(BasicBlock *Block) {
    Without.insert(Block);
    Starts.insert(Block);
  }
  /// A block where a loop of \p Part can be entered that has several such, the
  /// first in order; null if all loops have one. \p Headers: edges into these
  /// do not count.
  BasicBlock *secondEntry(const BlockSet &Part, const BlockSet &Headers) const;

private:
  std::vector<BlockSet> loopsOf(const BlockSet &Part,
                                const BlockSet &Headers) const;
  bool reaches(BasicBlock *From, BasicBlock *To, const BlockSet &Part,
               const BlockSet &Headers) const;

  std::map<BasicBlock *, size_t> Order;
  BlockSet Starts, Without;
};

} // namespace

bool Graph::reaches(BasicBlock *From, BasicBlock *To, const BlockSet &Part,
                    const BlockSet &Headers) const {
  SmallVector<BasicBlock *, 16> Work = {From};
  BlockSet Seen;
  while (!Work.empty())
    for (BasicBlock *Next : successors(Work.pop_back_val())) {
      if (!Part.contains(Next) || Headers.contains(Next) ||
          Without.contains(Next))
        continue;
      if (Next == To)
        return true;
      if (Seen.insert(Next).second)
        Work.push_back(Next);
    }
  return false;
}

/// The strongly connected components of \p Part that have an edge.
std::vector<BlockSet> Graph::loopsOf(const BlockSet &Part,
                                     const BlockSet &Headers) const {
  std::vector<BlockSet> Found;
  BlockSet Done;
  for (BasicBlock *Each : Part) {
    if (Done.contains(Each) || !reaches(Each, Each, Part, Headers))
      continue;
    BlockSet Loop;
    for (BasicBlock *Other : Part)
      if (Other == Each || (reaches(Each, Other, Part, Headers) &&
                            reaches(Other, Each, Part, Headers)))
        Loop.insert(Other);
    Done.insert(Loop.begin(), Loop.end());
    Found.push_back(std::move(Loop));
  }
  return Found;
}

BasicBlock *Graph::secondEntry(const BlockSet &Part,
                               const BlockSet &Headers) const {
  for (const BlockSet &Loop : loopsOf(Part, Headers)) {
    SmallVector<BasicBlock *, 4> Entries;
    for (BasicBlock *Each : Loop) {
      const bool Entered =
          Starts.contains(Each) ||
          (!Without.contains(Each) &&
           any_of(predecessors(Each), [&](BasicBlock *Before) {
             return Order.count(Before) && !Loop.contains(Before);
           }));
      if (Entered)
        Entries.push_back(Each);
    }
    const auto *First = std::ranges::min_element(
        Entries, {}, [&](BasicBlock *Each) { return Order.at(Each); });
    if (Entries.size() > 1)
      return *First;
    if (Entries.empty()) // nothing gets there
      continue;
    BlockSet Inner = Headers;
    Inner.insert(*First);
    if (BasicBlock *Found = secondEntry(Loop, Inner))
      return Found;
  }
  return nullptr;
}

std::vector<BasicBlock *>
warpsan::blocksToEnterAnew(ArrayRef<BasicBlock *> Blocks,
                           ArrayRef<BasicBlock *> Starts) {
  Graph Part(Blocks, Starts);
  const BlockSet All(Blocks.begin(), Blocks.end());
  std::vector<BasicBlock *> Found;
  while (BasicBlock *Next = Part.secondEntry(All, {})) {
    Found.push_back(Next);
    Part.cut(Next);
  }
  return Found;
}
