//===- proof/expression.h - where a kernel's accesses go, as arithmetic ---===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler writes this into the manifest, the layer reads it and decides at
// each launch (proof/prove.h). Everything is found by its index.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_EXPRESSION_H
#define WARPSAN_PROOF_EXPRESSION_H

#include <cstdint>
#include <vector>

namespace warpsan {

/// A value that the kernel calculates, modulo 2^Width.
struct Node {
  enum class Op : uint8_t {
#define OP(name, operands) name,
#include "proof/ops.def"
  };
  Op What = Op::opaque;
  uint8_t Width = 64; ///< bits
  uint32_t A = 0, B = 0;
  int64_t Value = 0; ///< constant: itself; of a loop: which; others:
                     ///< equal nodes with equal ones are one value

  /// What the kernel's compilers take for granted. Where it is not so, the
  /// result is poison, as in LLVM: no value at all, and neither is whatever is
  /// calculated with it.
  enum Flag : uint8_t {
    /// The exact result fits into its bits as a signed number. Of a zext: the
    /// operand is not negative.
    NoSignedWrap = 1,
    NoUnsignedWrap = 2, ///< as an unsigned one
    Exact = 4,          ///< a division or shift to the right has no remainder
    Of24Bits = 8,       ///< of a mul: the operands fit into 24 bits
    /// Of a minimum of a maximum, clamp: its bounds are not swapped.
    Ordered = 16,
    LastFlag = Ordered,
  };
  uint8_t Flags = 0;

  bool operator==(const Node &) const = default;

  /// Of a choice: the conditions of A and B.
  static int64_t conditions(uint32_t OfA, uint32_t OfB) {
    return static_cast<int64_t>(uint64_t(OfA) << 32 | OfB);
  }
  uint32_t conditionOfA() const { return uint64_t(Value) >> 32; }
  uint32_t conditionOfB() const { return static_cast<uint32_t>(Value); }
};

/// Multiplied or divided by the same in each round of the loop Value.
bool isStepped(Node::Op What);
/// That, or a counter.
bool isOfLoop(Node::Op What);

/// How many of a node's A and B are nodes.
unsigned operandsOf(Node::Op What);
const char *nameOf(Node::Op What);

/// What holds wherever a part of the kernel runs: that A and B compare so, and
/// whatever the outer condition says.
struct Condition {
  enum class Kind : uint8_t {
    None,
    Equal,
    NotEqual,
    SLess,
    SAtMost,
    ULess,
    UAtMost
  };
  Kind What = Kind::None;
  uint32_t Outer = 0; ///< index of a condition; the first one is None
  uint32_t A = 0, B = 0;
  /// 1 + index of the innermost loop around it, if in that loop nothing but its
  /// counters changes A and B; else 0.
  uint32_t SteadyIn = 0;

  bool operator==(const Condition &) const = default;
};

struct Loop {
  uint32_t Around = 0; ///< condition of its first block
  /// Condition of the end of a round that is followed by another: what it has
  /// more than Around held in that round.
  uint32_t Again = 0;
  uint32_t Inside = 0; ///< 1 + index of the innermost loop around it, or 0
};

/// Bytes from Offset on are touched: they must be among the first of an
/// argument's memory, or of a variable.
struct Claim {
  uint32_t Site = 0;   ///< index of the access in the kernel
  uint32_t Where = 0;  ///< condition
  uint32_t Offset = 0; ///< node, 64 bits
  uint64_t Bytes = 0;
  int32_t Arg = -1; ///< -1: a variable of Size bytes
  uint64_t Size = 0;
  uint64_t Align = 1; ///< the offset is a multiple
  bool Reads = false, Writes = false;
};

/// Integers in an argument's memory: those in Bytes bytes from First on, of
/// every Stride bytes. Of an array of integers that is all of it; of an array
/// of structs, a member of each.
struct Content {
  uint32_t Arg = 0;
  uint8_t Width = 32; ///< bits of one: 8, 16, 32 or 64
  /// Multiples of its size; First + Bytes is at most Stride.
  uint64_t Stride = 4, First = 0, Bytes = 4;

  bool operator==(const Content &) const = default;
};

/// A branch that must be the same for all work-items of a work-group, since it
/// decides whether they reach a barrier: the conditions of its two directions.
/// Where one of them is never taken, it is.
struct BarrierBranch {
  uint32_t IfTrue = 0, IfFalse = 0;
};

/// Of one kernel.
struct Claims {
  std::vector<Node> Nodes;
  std::vector<Condition> Conditions = {{}};
  std::vector<Loop> Loops;
  std::vector<Content> Contents; ///< that nodes are loaded from
  std::vector<Claim> All;
  /// Of accesses that are checked: if these hold too, they need not be.
  std::vector<Claim> ByContents;
  /// No claim means anything in a launch in which one of these diverges.
  std::vector<BarrierBranch> Branches;
};

/// True if \p Inner is not \p Outer, but inside of it. Both are indices.
bool isInside(const Claims &C, uint32_t Inner, uint32_t Outer);

/// Why \p C must not be used, or null: what is read from a file may be
/// anything.
const char *whatIsWrong(const Claims &C);

} // namespace warpsan

#endif // WARPSAN_PROOF_EXPRESSION_H
