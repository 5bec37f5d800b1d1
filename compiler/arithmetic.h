//===- compiler/arithmetic.h - a kernel's integers as proof/ knows them ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From SSA values to nodes, from the branches that dominate a block to
// conditions. Why values of different rounds of a loop are never mixed up: a
// definition dominates its uses and a condition's edge dominates what it holds
// for, so whatever the condition compared is what is used. Of phis that holds
// in natural loops only: in other cycles they are another value each time.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_ARITHMETIC_H
#define WARPSAN_COMPILER_ARITHMETIC_H

#include "compiler/hidden_args.h"
#include "compiler/poison_flags.h"
#include "compiler/target.h"
#include "proof/expression.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace warpsan {

/// A function of a dimension, 0 to 2, that says the same wherever it is called.
std::optional<Node::Op> workItemFunction(const llvm::CallBase &Call,
                                         const Target &T);

class Arithmetic {
public:
  /// The kernel's blocks must stay as they are, until finish().
  Arithmetic(const Twin &Of, const Target &T);

  /// \p Load reads one of \p From's integers, of which it is known that this
  /// kernel does not change them, or gives zero.
  void readsFrom(const llvm::LoadInst &Load, const Content &From);

  /// The value as a node; it is an integer of at most 64 bits.
  uint32_t node(llvm::Value *V);
  /// What holds in \p Block.
  uint32_t condition(llvm::BasicBlock *Block);
  /// What holds on the edges of \p Terminator, as far as it can be said.
  BarrierBranch directionsOf(llvm::Instruction &Terminator);

  /// True if whether \p Node is bounded where \p Where holds may depend on the
  /// launch: false if something in it can be anything and nothing limits it.
  /// \p ByContents: what is loaded may be known.
  bool canBeKnown(uint32_t Node, uint32_t Where, bool ByContents);

  /// Everything that was asked for. To be called once.
  Claims finish();

private:
  uint32_t add(warpsan::Node New);
  uint32_t add(const Condition &New);
  uint32_t leaf(warpsan::Node::Op What, unsigned Width, uint32_t A = 0,
                uint32_t B = 0, int64_t Value = 0);
  uint32_t own(warpsan::Node::Op What, unsigned Width, uint32_t A = 0,
               uint32_t B = 0);
  uint32_t flagged(warpsan::Node::Op What, unsigned Width, uint32_t A,
                   uint32_t B, uint8_t Flags, int64_t Value = 0);
  uint32_t constant(int64_t Value, unsigned Width);
  uint32_t opaque(llvm::Value *V);
  uint32_t unknown(const llvm::Value *V, unsigned Width);
  std::optional<llvm::SmallVector<uint32_t, 4>>
  poisonInputs(const llvm::Instruction &Of);
  bool isIrreducible(const llvm::BasicBlock *Block) const;
  uint32_t make(llvm::Value *V);
  uint32_t ofOperator(llvm::Instruction &I);
  uint32_t ofPhi(llvm::PHINode &Phi);
  uint32_t ofCounter(llvm::PHINode &Phi, const llvm::Loop &L);
  std::optional<uint32_t> ofStepped(llvm::PHINode &Phi, const llvm::Loop &L);
  std::optional<uint32_t> ofLimited(llvm::Value *V, uint32_t Any,
                                    const llvm::Loop &L, llvm::Value *&Held);
  std::optional<uint32_t> ofRemainder(llvm::Value *V, uint32_t Any, bool Next,
                                      const llvm::Loop &L, llvm::Value *&Held);
  std::optional<uint32_t> ofHeld(llvm::Value *V, uint32_t Others,
                                 const llvm::PHINode &Phi, const llvm::Loop &L);
  uint32_t contentIndex(Content Of);
  std::optional<uint32_t> ofLoad(const llvm::Value *V);
  uint32_t ofFollowed(llvm::PHINode &Phi, const llvm::Loop &L);
  uint32_t ofCall(llvm::CallBase &Call);
  uint32_t ofElement(llvm::Value *Vector, unsigned Index, unsigned Depth);
  std::optional<llvm::SmallVector<warpsan::Node::Op, 2>>
  limitsOf(const llvm::CallBase &Call) const;
  std::optional<uint32_t> ofProduct24(const llvm::CallBase &Call);
  std::optional<uint32_t> ofArgumentBytes(llvm::LoadInst &Load);
  uint32_t two(warpsan::Node::Op What, unsigned Width, llvm::Value *A,
               llvm::Value *B, uint8_t Flags = 0);
  uint32_t either(unsigned Width, uint32_t A, uint32_t B);
  uint32_t choice(unsigned Width, uint32_t A, uint32_t WhereA, uint32_t B,
                  uint32_t WhereB);
  uint32_t loopIndex(const llvm::Loop &L);
  uint32_t holds(llvm::Value *V, bool Truth, uint32_t Outer,
                 const llvm::BasicBlock *At);
  uint32_t holdsByWay(llvm::PHINode &Phi, bool Truth, uint32_t Outer);
  uint32_t alongEdge(llvm::BasicBlock *From, llvm::BasicBlock *To);
  uint32_t withAll(uint32_t Of, uint32_t Outer, const llvm::Loop *SteadyIn);
  bool changesIn(uint32_t Node, const llvm::Loop &L, bool ButCounters);
  uint32_t isZero(llvm::Value *V, bool Truth, uint32_t Outer,
                  const llvm::BasicBlock *At);
  bool isSteady(llvm::Value *V, const llvm::Loop &L);
  const std::set<uint32_t> &unlimitedIn(uint32_t Node);
  llvm::SmallVector<uint32_t, 2> limitersOf(const warpsan::Node &N);
  uint32_t again(const llvm::Loop &L);
  bool endsByStep(uint32_t LoopIndex, const std::set<uint32_t> &Known);

  const Twin &Of;
  const unsigned OwnArgs;
  const Target &T;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::CycleInfo Cycles;
  PoisonSources Sources;
  unsigned Depth = 0; ///< of node(), in itself
  Claims Made;
  llvm::DenseMap<llvm::Value *, uint32_t> Known;
  std::map<std::pair<llvm::Value *, unsigned>, uint32_t> Elements;
  std::map<std::tuple<int, int, uint32_t, uint32_t, int64_t, int>, uint32_t>
      Same;
  std::map<std::tuple<int, uint32_t, uint32_t, uint32_t, uint32_t>, uint32_t>
      SameConditions;
  llvm::DenseMap<llvm::BasicBlock *, uint32_t> KnownConditions;
  std::map<const llvm::Loop *, uint32_t> LoopIndices;
  std::vector<const llvm::Loop *> Order; ///< by index
  std::map<uint32_t, std::set<uint32_t>> Unlimited;
  std::map<const llvm::LoadInst *, Content> ReadFrom;
  llvm::SmallVector<const llvm::PHINode *, 4> Asked; ///< that are looked at
  /// Where nodes that are no calculation of others get their value.
  std::map<uint32_t, const llvm::BasicBlock *> MadeIn;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_ARITHMETIC_H
