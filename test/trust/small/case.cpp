//===- test/trust/small/case.cpp - a kernel of a few nodes, and its launch ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "case.h"

#include <numeric>
#include <sstream>
#include <utility>

using namespace trust;
using warpsan::Claim;
using warpsan::Condition;
using warpsan::Node;
using Op = Node::Op;

std::vector<uint64_t> trust::allValues(unsigned Width) {
  std::vector<uint64_t> All(size_t(1) << Width);
  std::iota(All.begin(), All.end(), 0);
  return All;
}

uint32_t Case::add(Op Kind, unsigned Width, uint32_t A, uint32_t B,
                   int64_t Value) {
  Node New;
  New.Opcode = Kind;
  New.Width = static_cast<uint8_t>(Width);
  New.A = A;
  New.B = B;
  New.Value = Value;
  Kernel.Nodes.push_back(New);
  return static_cast<uint32_t>(Kernel.Nodes.size() - 1);
}

uint32_t Case::opaque(unsigned Width, uint32_t Scope) {
  const uint32_t Index =
      add(Op::opaque, Width, 0, 0, static_cast<int64_t>(Kernel.Nodes.size()));
  Leaves.push_back({Index, allValues(Width), Scope});
  return Index;
}

uint32_t Case::condition(Condition::Predicate Kind, uint32_t Outer, uint32_t A,
                         uint32_t B, uint32_t InvariantIn) {
  Condition New;
  New.Pred = Kind;
  New.Outer = Outer;
  New.A = A;
  New.B = B;
  New.InvariantIn = InvariantIn;
  Kernel.Conditions.push_back(New);
  return static_cast<uint32_t>(Kernel.Conditions.size() - 1);
}

uint32_t Case::opposite(uint32_t Index, uint32_t Outer) {
  using Kind = Condition::Predicate;
  Condition Not = Kernel.Conditions[Index];
  Not.Outer = Outer;
  switch (Not.Pred) {
  case Kind::None:
    break;
  case Kind::Equal:
    Not.Pred = Kind::NotEqual;
    break;
  case Kind::NotEqual:
    Not.Pred = Kind::Equal;
    break;
  case Kind::SLT:
    Not.Pred = Kind::SLE;
    std::swap(Not.A, Not.B);
    break;
  case Kind::SLE:
    Not.Pred = Kind::SLT;
    std::swap(Not.A, Not.B);
    break;
  case Kind::ULT:
    Not.Pred = Kind::ULE;
    std::swap(Not.A, Not.B);
    break;
  case Kind::ULE:
    Not.Pred = Kind::ULT;
    std::swap(Not.A, Not.B);
    break;
  }
  Kernel.Conditions.push_back(Not);
  return static_cast<uint32_t>(Kernel.Conditions.size() - 1);
}

void Case::claim(uint32_t At, uint32_t Where, uint64_t Bytes) {
  Claim New;
  New.Where = Where;
  New.Offset = At;
  New.Bytes = Bytes;
  New.Reads = true;
  Kernel.All.push_back(New);
}

std::string Case::text() const {
  std::ostringstream Out;
  for (size_t I = 0; I < Kernel.Nodes.size(); ++I) {
    const Node &N = Kernel.Nodes[I];
    Out << "  %" << I << " = " << nameOf(N.Opcode) << " i" << unsigned(N.Width);
    static const char *const Flags[] = {" nsw", " nuw", " exact", " 24bit",
                                        " ordered"};
    for (unsigned Each = 0; Each < 5; ++Each)
      if (N.Flags >> Each & 1)
        Out << Flags[Each];
    const unsigned Operands = operandsOf(N.Opcode);
    if (Operands > 0)
      Out << " %" << N.A;
    if (Operands > 1)
      Out << " %" << N.B;
    if (Operands == 0 && N.Opcode != Op::constant)
      Out << " " << N.A << " " << N.B;
    if (N.Opcode == Op::select)
      Out << " where c" << N.conditionOfA() << " c" << N.conditionOfB();
    else if (N.Opcode == Op::constant)
      Out << " " << N.Value;
    else if (isRecurrence(N.Opcode))
      Out << " loop " << N.Value;
    for (const Leaf &L : Leaves)
      if (L.Node == I)
        Out << "  (" << L.Values.size() << " values from " << L.Values.front()
            << " to " << L.Values.back() << ", scope " << L.Scope << ")";
    Out << "\n";
  }
  static const char *const Kinds[] = {"none", "==", "!=", "s<",
                                      "s<=",  "u<", "u<="};
  for (size_t I = 1; I < Kernel.Conditions.size(); ++I) {
    const Condition &C = Kernel.Conditions[I];
    Out << "  c" << I << ": %" << C.A << " " << Kinds[size_t(C.Pred)] << " %"
        << C.B << " in c" << C.Outer << ", steady in " << C.InvariantIn << "\n";
  }
  for (size_t I = 0; I < Kernel.Loops.size(); ++I) {
    const warpsan::Loop &L = Kernel.Loops[I];
    Out << "  loop " << I << ": around c" << L.HeaderCond << ", again c"
        << L.LatchCond << ", inside " << L.Parent << "\n";
  }
  for (const Claim &C : Kernel.All)
    Out << "  claim: %" << C.Offset << " where c" << C.Where << ", " << C.Bytes
        << " bytes\n";
  Out << "  launch: global " << Global[0] << "," << Global[1] << " local "
      << Local[0] << "," << Local[1] << " offset " << Offset[0] << ","
      << Offset[1] << " at most " << MaxLocal << " in a group\n";
  for (size_t I = 0; I < ArgBytes.size(); ++I) {
    Out << "  argument " << I << ": bytes";
    for (unsigned char Each : ArgBytes[I])
      Out << " " << unsigned(Each);
    if (I < ArgStarts.size())
      Out << ", start " << ArgStarts[I];
    Out << "\n";
  }
  for (size_t I = 0; I < Contents.size(); ++I)
    if (Contents[I])
      Out << "  contents " << I << ": " << Contents[I]->Min << " to "
          << Contents[I]->Max << "\n";
  return Out.str();
}
