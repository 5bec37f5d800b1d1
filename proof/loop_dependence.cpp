//===- proof/mentions.cpp - which loops a calculation is about ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/mentions.h"

using namespace warpsan;
using Op = Node::Op;

Mentions::Loops &Mentions::Loops::operator|=(const Loops &More) {
  All |= More.All;
  Bent |= More.Bent;
  Varies |= More.Varies;
  return *this;
}

Mentions::Mentions(const Claims &Of) : Of(Of), ByChain(Of.Conditions.size()) {
  // Operands come first, and so does what the conditions of a choice are about:
  // of chains, only those that are about nodes that were seen are asked for.
  ByNode.reserve(Of.Nodes.size());
  for (const Node &N : Of.Nodes)
    ByNode.push_back(make(N));
  for (size_t I = 1; I < Of.Conditions.size(); ++I) {
    const Condition &C = Of.Conditions[I];
    ByChain[I] = ByChain[C.Outer];
    ByChain[I] |= ByNode[C.A];
    ByChain[I] |= ByNode[C.B];
  }
}

Mentions::Loops Mentions::make(const Node &N) const {
  Loops L;
  const unsigned Operands = operandsOf(N.What);
  if (Operands > 0)
    L |= ByNode[N.A];
  if (Operands > 1)
    L |= ByNode[N.B];
  switch (N.What) {
  case Op::global_id:
  case Op::local_id:
  case Op::group_id:
  case Op::local_size:
  case Op::loaded:
  case Op::opaque:
  case Op::mixed:
  case Op::poison:
  case Op::freeze:
    L.Varies = true;
    break;
  case Op::counter:
    L.All |= uint64_t(1) << N.Value;
    L.Varies = true;
    break;
  case Op::multiplied:
  case Op::udivided:
  case Op::sdivided:
    L.All |= uint64_t(1) << N.Value;
    L.Bent |= uint64_t(1) << N.Value;
    L.Varies = true;
    break;
  case Op::mul:
    if (ByNode[N.A].Varies && ByNode[N.B].Varies)
      L.Bent |= L.All;
    break;
  case Op::shl:
  case Op::lshr:
  case Op::ashr:
  case Op::udiv:
  case Op::sdiv:
  case Op::urem:
  case Op::srem:
    L.Bent |= ByNode[N.B].All;
    break;
  case Op::bit_and:
  case Op::bit_or:
  case Op::bit_xor:
    L.Bent |= L.All;
    break;
  case Op::choice:
    for (uint32_t From : {N.conditionOfA(), N.conditionOfB()})
      for (uint32_t At = From; At; At = Of.Conditions[At].Outer) {
        L |= ByNode[Of.Conditions[At].A];
        L |= ByNode[Of.Conditions[At].B];
      }
    L.Varies = true;
    break;
  case Op::join:
    L.Varies = true;
    break;
  default:
    break;
  }
  return L;
}

Mentions::Loops Mentions::rounds(uint32_t LoopIndex) const {
  Loops L = ByChain[Of.Loops[LoopIndex].Around];
  L |= ByChain[Of.Loops[LoopIndex].Again];
  return L;
}

uint64_t Mentions::withRounds(uint64_t Some) const {
  for (uint64_t Before = 0; Before != Some;) {
    Before = Some;
    for (uint32_t I = 0; I < Of.Loops.size(); ++I)
      if (Before >> I & 1)
        Some |= rounds(I).All;
  }
  return Some;
}
