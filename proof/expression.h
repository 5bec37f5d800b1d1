//===- proof/expression.h - a kernel's proof obligations ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler writes these records into the manifest. The layer reads them and
// proves the claims at each launch (proof/prove.h). Records refer to each other
// by index.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_PROOF_EXPRESSION_H
#define WARPSAN_PROOF_EXPRESSION_H

#include <cstdint>
#include <vector>

namespace warpsan {

/// An integer that the kernel computes, modulo 2^Width.
struct Node {
  enum class Op : uint8_t {
#define OP(name, operands) name,
#include "proof/ops.def"
  };
  Op Opcode = Op::opaque;
  uint8_t Width = 64; ///< bits
  uint32_t A = 0, B = 0;
  int64_t Value = 0; ///< constant: itself; of a loop: which; IDs: of which
                     ///< work-item, 0 or 1 (proof/races/two_items.h); others:
                     ///< equal nodes with equal ones are one value

  /// Assumptions that the kernel's compilers make. If one is violated, the
  /// result is poison, as in LLVM, and so is everything computed from it.
  enum Flag : uint8_t {
    /// The exact result fits its width as a signed number. zext: the operand is
    /// not negative.
    NoSignedWrap = 1,
    NoUnsignedWrap = 2, ///< the same, unsigned
    Exact = 4,          ///< a division or right shift has no remainder
    Of24Bits = 8,       ///< mul: the operands fit 24 bits
    /// A clamp, as a minimum of a maximum: its lower bound is at most its
    /// upper.
    Ordered = 16,
    LastFlag = Ordered,
  };
  uint8_t Flags = 0;

  bool operator==(const Node &) const = default;

  /// select: packs the conditions under which it is A and B.
  static int64_t conditions(uint32_t OfA, uint32_t OfB) {
    return static_cast<int64_t>(uint64_t(OfA) << 32 | OfB);
  }
  uint32_t conditionOfA() const { return uint64_t(Value) >> 32; }
  uint32_t conditionOfB() const { return static_cast<uint32_t>(Value); }
};

/// True for a value that each iteration of loop Value multiplies or divides by
/// the same operand.
bool isGeometric(Node::Op Opcode);
/// True for geometric recurrences and counters.
bool isRecurrence(Node::Op Opcode);
/// True for IDs of a work-item.
bool isId(Node::Op Opcode);

/// The number of operands, A and B, that are nodes.
unsigned operandsOf(Node::Op Opcode);
/// The operator's name in ops.def and in the manifest.
const char *nameOf(Node::Op Opcode);

/// A path condition: A and B compare as Pred states, and the condition Outer
/// holds too.
struct Condition {
  enum class Predicate : uint8_t { None, Equal, NotEqual, SLT, SLE, ULT, ULE };
  Predicate Pred = Predicate::None;
  uint32_t Outer = 0; ///< index; condition 0 always holds
  uint32_t A = 0, B = 0;
  /// 1 + the index of the innermost loop, if only that loop's counters change A
  /// and B in it; else 0.
  uint32_t InvariantIn = 0;

  bool operator==(const Condition &) const = default;
};

/// A natural loop.
struct Loop {
  uint32_t HeaderCond = 0; ///< condition of its header
  /// Condition under which the latch branches back to the header. What it
  /// states beyond HeaderCond held in that iteration.
  uint32_t LatchCond = 0;
  uint32_t Parent = 0; ///< 1 + index of the parent loop, or 0
};

/// A proof obligation: the accessed bytes, from Offset on, are in bounds of an
/// argument's memory or of a variable.
struct Claim {
  uint32_t Site = 0;   ///< index of the access in the kernel
  uint32_t Where = 0;  ///< condition
  uint32_t Offset = 0; ///< node, 64 bits
  uint64_t Bytes = 0;
  int32_t Arg = -1; ///< -1: a variable of Size bytes
  uint64_t Size = 0;
  uint64_t Align = 1; ///< Offset must be a multiple
  bool Reads = false, Writes = false;
};

/// Integers in an argument's memory: in every Stride bytes, the Bytes bytes
/// from First on. An array of integers has one such field; an array of structs
/// has one per member.
struct Content {
  uint32_t Arg = 0;
  uint8_t Width = 32; ///< bits of one: 8, 16, 32 or 64
  /// Multiples of the integer's size; First + Bytes is at most Stride.
  uint64_t Stride = 4, First = 0, Bytes = 4;

  bool operator==(const Content &) const = default;
};

/// A branch that decides whether work-items reach a barrier. It must be uniform
/// in a work-group. It is if one of its two conditions never holds.
struct BarrierBranch {
  uint32_t IfTrue = 0, IfFalse = 0;
};

/// Everything that a launch must prove about one kernel.
struct Claims {
  std::vector<Node> Nodes;
  std::vector<Condition> Conditions = {{}};
  std::vector<Loop> Loops;
  std::vector<Content> Contents; ///< sources of loaded nodes
  std::vector<Claim> All;
  /// Claims of accesses that the twin checks. If they hold too, by the value
  /// ranges of Contents, the checks are not needed.
  std::vector<Claim> ByContents;
  /// If one of these diverges in a launch, no claim is valid in it.
  std::vector<BarrierBranch> Branches;
};

/// True if the loop \p Inner is nested in \p Outer. Both are indices; a loop is
/// not nested in itself.
bool isNestedIn(const Claims &C, uint32_t Inner, uint32_t Outer);

/// Why \p C is malformed, or null. Manifests come from files and may contain
/// anything.
const char *invalidReason(const Claims &C);

} // namespace warpsan

#endif // WARPSAN_PROOF_EXPRESSION_H
