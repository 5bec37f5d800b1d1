//===- proof/expression.cpp - a kernel's proof obligations ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/expression.h"

#include <algorithm>
#include <bit>

using namespace warpsan;

unsigned warpsan::operandsOf(Node::Op Opcode) {
  switch (Opcode) {
#define OP(name, operands)                                                     \
  case Node::Op::name:                                                         \
    return operands;
#include "proof/ops.def"
  }
  return 0;
}

const char *warpsan::nameOf(Node::Op Opcode) {
  switch (Opcode) {
#define OP(name, operands)                                                     \
  case Node::Op::name:                                                         \
    return #name;
#include "proof/ops.def"
  }
  return "";
}

bool warpsan::isGeometric(Node::Op Opcode) {
  return Opcode == Node::Op::multiplied || Opcode == Node::Op::udivided ||
         Opcode == Node::Op::sdivided;
}

bool warpsan::isRecurrence(Node::Op Opcode) {
  return Opcode == Node::Op::counter || isGeometric(Opcode);
}

bool warpsan::isId(Node::Op Opcode) {
  return Opcode == Node::Op::global_id || Opcode == Node::Op::local_id ||
         Opcode == Node::Op::group_id;
}

bool warpsan::isNestedIn(const Claims &C, uint32_t Inner, uint32_t Outer) {
  for (uint32_t At = C.Loops[Inner].Parent; At; At = C.Loops[At - 1].Parent)
    if (At - 1 == Outer)
      return true;
  return false;
}

/// True if the parents of each loop form a finite chain.
static bool areNested(const std::vector<Loop> &Loops) {
  for (const Loop &L : Loops) {
    size_t Steps = 0;
    for (uint32_t At = L.Parent; At; At = Loops[At - 1].Parent)
      if (At > Loops.size() || ++Steps > Loops.size())
        return false;
  }
  return true;
}

/// 1 + the largest node index in \p Where and its outer conditions.
static size_t firstNodeAfter(const Claims &C, uint32_t Where) {
  size_t Behind = 0;
  for (uint32_t At = Where; At && At < C.Conditions.size();
       At = C.Conditions[At].Outer < At ? C.Conditions[At].Outer : 0)
    Behind = std::max<size_t>({Behind, C.Conditions[At].A + size_t(1),
                               C.Conditions[At].B + size_t(1)});
  return Behind;
}

static bool isInvalid(const Content &C) {
  const uint64_t Size = C.Width / 8;
  return !std::has_single_bit(C.Width) || C.Width < 8 || C.Width > 64 ||
         C.Stride % Size || C.First % Size || C.Bytes % Size || !C.Bytes ||
         C.First > C.Stride || C.Bytes > C.Stride - C.First;
}

const char *warpsan::invalidReason(const Claims &C) {
  if (std::ranges::any_of(C.Contents, isInvalid))
    return "integers in memory have no place";
  for (size_t I = 0; I < C.Nodes.size(); ++I) {
    const Node &N = C.Nodes[I];
    const unsigned Operands = operandsOf(N.Opcode);
    // Operands precede their node, so there are no cycles.
    if ((Operands > 0 && N.A >= I) || (Operands > 1 && N.B >= I))
      return "an operand does not come before its node";
    if (N.Width == 0 || N.Width > 64)
      return "a node has no width that integers have";
    if (N.Flags >= 2 * Node::LastFlag)
      return "a node has an unknown flag";
    if (N.Flags & Node::Ordered && operandsOf(C.Nodes[N.A].Opcode) != 2)
      return "a clamp has no bounds";
    if (isRecurrence(N.Opcode) &&
        (N.Value < 0 || static_cast<uint64_t>(N.Value) >= C.Loops.size()))
      return "a counter has no loop";
    if (isId(N.Opcode) && N.Value != 0)
      return "an ID is of another work-item";
    if (N.Opcode == Node::Op::loaded &&
        (N.A >= C.Contents.size() || C.Contents[N.A].Width != N.Width))
      return "what is loaded is not there";
    if (N.Opcode == Node::Op::select)
      for (uint32_t Where : {N.conditionOfA(), N.conditionOfB()})
        if (Where >= C.Conditions.size() || firstNodeAfter(C, Where) > I)
          return "a select has no condition that comes before";
  }
  if (C.Conditions.empty())
    return "there is no first condition";
  for (size_t I = 1; I < C.Conditions.size(); ++I) {
    const Condition &One = C.Conditions[I];
    if (One.Outer >= I || One.A >= C.Nodes.size() || One.B >= C.Nodes.size() ||
        One.InvariantIn > C.Loops.size())
      return "a condition is about what is not there";
  }
  for (const Loop &L : C.Loops)
    if (L.HeaderCond >= C.Conditions.size() ||
        L.LatchCond >= C.Conditions.size())
      return "a loop has no condition";
  if (!areNested(C.Loops))
    return "a loop is inside of what is not there";
  for (const std::vector<Claim> *Some : {&C.All, &C.ByContents})
    for (const Claim &One : *Some)
      if (One.Where >= C.Conditions.size() || One.Offset >= C.Nodes.size() ||
          !std::has_single_bit(One.Align))
        return "a claim is about what is not there";
  for (const BarrierBranch &B : C.Branches)
    if (B.IfTrue >= C.Conditions.size() || B.IfFalse >= C.Conditions.size())
      return "a branch has no condition";
  return nullptr;
}
