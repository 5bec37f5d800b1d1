//===- compiler/claims/expression_builder.h - IR integers as nodes --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds nodes from SSA values and path conditions from the branches that
// dominate a block. Values of different iterations are never confused: a
// definition dominates its uses, and a condition's edge dominates the blocks
// where it holds. So the compared value is the used value. For phis, this is
// true in natural loops only. In other cycles a phi is a new value each time.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_COMPILER_CLAIMS_EXPRESSION_BUILDER_H
#define WARPSAN_COMPILER_CLAIMS_EXPRESSION_BUILDER_H

#include "compiler/ir/poison_flags.h"
#include "compiler/pointers/hidden_args.h"
#include "compiler/target/target.h"
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

/// The work-item function that \p Call calls with a constant dimension 0 to 2.
/// None for other calls.
std::optional<Node::Op> workItemFunction(const llvm::CallBase &Call,
                                         const Target &T);

/// True if \p V is a call that returns the same value wherever a work-item
/// makes it.
bool isWorkItemInvariant(const llvm::Value *V, const Target &T);

/// Builds the Claims of one kernel, but for the claims themselves.
class ExpressionBuilder {
public:
  /// \p Source's kernel must not change until finish().
  ExpressionBuilder(const Twin &Source, const Target &T);

  /// States that \p Load reads an integer of \p From, which this kernel does
  /// not modify, or returns zero.
  void recordLoad(const llvm::LoadInst &Load, const Content &From);

  /// The node of \p V, which must be an integer of at most 64 bits.
  uint32_t node(llvm::Value *V);
  /// The path condition of \p Block.
  uint32_t condition(llvm::BasicBlock *Block);
  /// The conditions of both edges of \p Terminator. Parts that cannot be
  /// expressed are omitted.
  BarrierBranch branchConditions(llvm::Instruction &Terminator);

  /// \p Outer, and that \p V, the condition of the branch of \p At, is \p
  /// Truth. None if the result would hold in other cases too.
  std::optional<uint32_t> exactly(llvm::Value *V, bool Truth, uint32_t Outer,
                                  const llvm::BasicBlock *At);

  const llvm::LoopInfo &loops() const { return Loops; }
  /// The index of \p L, which is one of loops().
  uint32_t loopIndex(const llvm::Loop &L);

  /// True if a launch might be able to bound \p Node where \p Where holds.
  /// False if a part can be anything and no condition bounds it. \p ByContents:
  /// value ranges of loaded integers may be known.
  bool canBeBounded(uint32_t Node, uint32_t Where, bool ByContents);

  /// Returns all nodes, conditions and loops built. Must be called once.
  Claims finish();

private:
  uint32_t add(warpsan::Node New);
  uint32_t add(const Condition &New);
  uint32_t leaf(warpsan::Node::Op Opcode, unsigned Width, uint32_t A = 0,
                uint32_t B = 0, int64_t Value = 0);
  uint32_t unique(warpsan::Node::Op Opcode, unsigned Width, uint32_t A = 0,
                  uint32_t B = 0);
  uint32_t withFlags(warpsan::Node::Op Opcode, unsigned Width, uint32_t A,
                     uint32_t B, uint8_t Flags, int64_t Value = 0);
  uint32_t constant(int64_t Value, unsigned Width);
  uint32_t opaque(llvm::Value *V);
  uint32_t unknown(const llvm::Value *V, unsigned Width);
  std::optional<llvm::SmallVector<uint32_t, 4>>
  poisonInputs(const llvm::Instruction &Root);
  bool isInIrreducibleCycle(const llvm::BasicBlock *Block) const;
  uint32_t buildUncached(llvm::Value *V);
  uint32_t buildOperator(llvm::Instruction &I);
  uint32_t buildPhi(llvm::PHINode &Phi);
  uint32_t buildHeaderPhi(llvm::PHINode &Phi, const llvm::Loop &L);
  std::optional<uint32_t> buildGeometric(llvm::PHINode &Phi,
                                         const llvm::Loop &L);
  std::optional<uint32_t> buildClamped(llvm::Value *V, uint32_t Any,
                                       const llvm::Loop &L, llvm::Value *&Held);
  std::optional<uint32_t> buildRemainder(llvm::Value *V, uint32_t Any,
                                         bool Next, const llvm::Loop &L,
                                         llvm::Value *&Held);
  std::optional<uint32_t> buildClampedRecurrence(llvm::Value *V,
                                                 uint32_t Others,
                                                 const llvm::PHINode &Phi,
                                                 const llvm::Loop &L);
  uint32_t contentIndex(Content Field);
  std::optional<uint32_t> buildLoad(const llvm::Value *V);
  uint32_t buildMergedRecurrence(llvm::PHINode &Phi, const llvm::Loop &L);
  uint32_t buildCall(llvm::CallBase &Call);
  uint32_t buildElement(llvm::Value *Vector, unsigned Index, unsigned Depth);
  std::optional<llvm::SmallVector<warpsan::Node::Op, 2>>
  minMaxOps(const llvm::CallBase &Call) const;
  std::optional<uint32_t> buildMul24(const llvm::CallBase &Call);
  std::optional<uint32_t> buildByvalLoad(llvm::LoadInst &Load);
  uint32_t binary(warpsan::Node::Op Opcode, unsigned Width, llvm::Value *A,
                  llvm::Value *B, uint8_t Flags = 0);
  uint32_t phi(unsigned Width, uint32_t A, uint32_t B);
  uint32_t select(unsigned Width, uint32_t A, uint32_t WhereA, uint32_t B,
                  uint32_t WhereB);
  uint32_t assume(llvm::Value *V, bool Truth, uint32_t Outer,
                  const llvm::BasicBlock *At);
  uint32_t assumePhi(llvm::PHINode &Phi, bool Truth, uint32_t Outer);
  uint32_t edgeCondition(llvm::BasicBlock *From, llvm::BasicBlock *To);
  uint32_t conjoin(uint32_t Added, uint32_t Outer,
                   const llvm::Loop *InvariantIn);
  bool variesIn(uint32_t Node, const llvm::Loop &L, bool ButCounters);
  uint32_t assumeZero(llvm::Value *V, bool Truth, uint32_t Outer,
                      const llvm::BasicBlock *At);
  bool isAffineIn(llvm::Value *V, const llvm::Loop &L);
  const std::set<uint32_t> &unboundedLeaves(uint32_t Node);
  llvm::SmallVector<uint32_t, 2> boundingOperands(const warpsan::Node &N);
  uint32_t latchCondition(const llvm::Loop &L);
  bool endsGeometrically(uint32_t LoopIndex, const std::set<uint32_t> &Bounded);

  const Twin &Source;
  const unsigned OwnArgs;
  const Target &T;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::CycleInfo Cycles;
  PoisonSources Sources;
  unsigned Depth = 0; ///< recursion depth of node()
  Claims Result;
  llvm::DenseMap<llvm::Value *, uint32_t> NodeCache;
  std::map<std::pair<llvm::Value *, unsigned>, uint32_t> Elements;
  std::map<std::tuple<int, int, uint32_t, uint32_t, int64_t, int>, uint32_t>
      UniqueNodes;
  std::map<std::tuple<int, uint32_t, uint32_t, uint32_t, uint32_t>, uint32_t>
      UniqueConditions;
  llvm::DenseMap<llvm::BasicBlock *, uint32_t> ConditionCache;
  std::map<const llvm::Loop *, uint32_t> LoopIndices;
  std::vector<const llvm::Loop *> LoopOrder; ///< by index
  std::map<uint32_t, std::set<uint32_t>> UnboundedLeaves;
  std::map<const llvm::LoadInst *, Content> LoadContents;
  llvm::SmallVector<const llvm::PHINode *, 4> Visiting; ///< phis being expanded
  /// By node that is not computed from others: the block that defines it.
  std::map<uint32_t, const llvm::BasicBlock *> DefiningBlocks;
};

} // namespace warpsan

#endif // WARPSAN_COMPILER_CLAIMS_EXPRESSION_BUILDER_H
