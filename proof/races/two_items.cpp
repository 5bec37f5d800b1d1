//===- proof/races/two_items.cpp - the expressions of two work-items ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/races/two_items.h"

using namespace warpsan;

TwoItems::TwoItems(const Claims &Of)
    : Nodes(static_cast<uint32_t>(Of.Nodes.size())),
      Conditions(static_cast<uint32_t>(Of.Conditions.size())),
      Loops(static_cast<uint32_t>(Of.Loops.size())) {
  Both.Nodes.reserve(2 * Of.Nodes.size());
  Both.Nodes = Of.Nodes;
  for (Node N : Of.Nodes) {
    const unsigned Operands = operandsOf(N.Opcode);
    if (Operands > 0)
      N.A = node(N.A);
    if (Operands > 1)
      N.B = node(N.B);
    if (isRecurrence(N.Opcode))
      N.Value += Loops;
    else if (N.Opcode == Node::Op::select)
      N.Value = Node::conditions(condition(N.conditionOfA()),
                                 condition(N.conditionOfB()));
    else if (isId(N.Opcode))
      N.Value = 1;
    Both.Nodes.push_back(N);
  }
  Both.Conditions.reserve(2 * Of.Conditions.size());
  Both.Conditions = Of.Conditions;
  for (uint32_t I = 1; I < Conditions; ++I) {
    Condition C = Of.Conditions[I];
    C.Outer = condition(C.Outer);
    C.A = node(C.A);
    C.B = node(C.B);
    if (C.InvariantIn)
      C.InvariantIn += Loops;
    Both.Conditions.push_back(C);
  }
  Both.Loops = Of.Loops;
  for (Loop L : Of.Loops) {
    L.HeaderCond = condition(L.HeaderCond);
    L.LatchCond = condition(L.LatchCond);
    if (L.Parent)
      L.Parent += Loops;
    Both.Loops.push_back(L);
  }
  Both.Contents = Of.Contents;
}
