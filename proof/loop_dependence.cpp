//===- proof/loop_dependence.cpp - the loops that values depend on --------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/loop_dependence.h"

using namespace warpsan;
using Op = Node::Op;

LoopDependence::Loops &LoopDependence::Loops::operator|=(const Loops &More) {
  All |= More.All;
  NonAffine |= More.NonAffine;
  Varies |= More.Varies;
  return *this;
}

LoopDependence::LoopDependence(const Claims &Kernel)
    : Kernel(Kernel), ByChain(Kernel.Conditions.size()) {
  // Operands precede their node, and so do the nodes in the conditions of a
  // select.
  ByNode.reserve(Kernel.Nodes.size());
  for (const Node &N : Kernel.Nodes)
    ByNode.push_back(make(N));
  for (size_t I = 1; I < Kernel.Conditions.size(); ++I) {
    const Condition &C = Kernel.Conditions[I];
    ByChain[I] = ByChain[C.Outer];
    ByChain[I] |= ByNode[C.A];
    ByChain[I] |= ByNode[C.B];
  }
}

LoopDependence::Loops LoopDependence::make(const Node &N) const {
  Loops L;
  const unsigned Operands = operandsOf(N.Opcode);
  if (Operands > 0)
    L |= ByNode[N.A];
  if (Operands > 1)
    L |= ByNode[N.B];
  switch (N.Opcode) {
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
    L.NonAffine |= uint64_t(1) << N.Value;
    L.Varies = true;
    break;
  case Op::mul:
    if (ByNode[N.A].Varies && ByNode[N.B].Varies)
      L.NonAffine |= L.All;
    break;
  case Op::shl:
  case Op::lshr:
  case Op::ashr:
  case Op::udiv:
  case Op::sdiv:
  case Op::urem:
  case Op::srem:
    L.NonAffine |= ByNode[N.B].All;
    break;
  case Op::bit_and:
  case Op::bit_or:
  case Op::bit_xor:
    L.NonAffine |= L.All;
    break;
  case Op::select:
    for (uint32_t From : {N.conditionOfA(), N.conditionOfB()})
      for (uint32_t At = From; At; At = Kernel.Conditions[At].Outer) {
        L |= ByNode[Kernel.Conditions[At].A];
        L |= ByNode[Kernel.Conditions[At].B];
      }
    L.Varies = true;
    break;
  case Op::phi:
    L.Varies = true;
    break;
  default:
    break;
  }
  return L;
}

LoopDependence::Loops LoopDependence::tripCount(uint32_t LoopIndex) const {
  Loops L = ByChain[Kernel.Loops[LoopIndex].HeaderCond];
  L |= ByChain[Kernel.Loops[LoopIndex].LatchCond];
  return L;
}

uint64_t LoopDependence::withTripCounts(uint64_t Some) const {
  for (uint64_t Before = 0; Before != Some;) {
    Before = Some;
    for (uint32_t I = 0; I < Kernel.Loops.size(); ++I)
      if (Before >> I & 1)
        Some |= tripCount(I).All;
  }
  return Some;
}
