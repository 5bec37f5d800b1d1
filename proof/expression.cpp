//===- proof/expression.cpp - where a kernel's accesses go, as arithmetic -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/expression.h"

#include <bit>

using namespace warpsan;

unsigned warpsan::operandsOf(Node::Op What) {
  switch (What) {
#define OP(name, operands)                                                     \
  case Node::Op::name:                                                         \
    return operands;
#include "proof/ops.def"
  }
  return 0;
}

const char *warpsan::nameOf(Node::Op What) {
  switch (What) {
#define OP(name, operands)                                                     \
  case Node::Op::name:                                                         \
    return #name;
#include "proof/ops.def"
  }
  return "";
}

const char *warpsan::whatIsWrong(const Claims &C) {
  for (size_t I = 0; I < C.Nodes.size(); ++I) {
    const Node &N = C.Nodes[I];
    const unsigned Operands = operandsOf(N.What);
    // Operands come first: nothing goes round in circles.
    if ((Operands > 0 && N.A >= I) || (Operands > 1 && N.B >= I))
      return "an operand does not come before its node";
    if (N.Width == 0 || N.Width > 64)
      return "a node has no width that integers have";
    if (N.What == Node::Op::counter &&
        (N.Value < 0 || static_cast<uint64_t>(N.Value) >= C.Loops.size()))
      return "a counter has no loop";
  }
  if (C.Conditions.empty())
    return "there is no first condition";
  for (size_t I = 1; I < C.Conditions.size(); ++I) {
    const Condition &One = C.Conditions[I];
    if (One.Outer >= I || One.A >= C.Nodes.size() || One.B >= C.Nodes.size() ||
        One.SteadyIn > C.Loops.size())
      return "a condition is about what is not there";
  }
  for (const Loop &L : C.Loops)
    if (L.Around >= C.Conditions.size() || L.Again >= C.Conditions.size())
      return "a loop has no condition";
  for (const std::vector<Claim> *Some : {&C.All, &C.ByContents})
    for (const Claim &One : *Some)
      if (One.Where >= C.Conditions.size() || One.Offset >= C.Nodes.size() ||
          !std::has_single_bit(One.Align))
        return "a claim is about what is not there";
  return nullptr;
}
