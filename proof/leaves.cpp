//===- proof/leaves.cpp - values known at launch --------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "proof/prover.h"

#include <algorithm>
#include <cstring>

using namespace warpsan;
using Op = Node::Op;

/// IDs. If the work-group size is known, a global ID is composed of group and
/// local ID, as kernels often do themselves.
Value Prover::makeId(const Node &N) {
  const uint32_t D = N.A;
  const size_t Item = N.Value == 1 ? 1 : 0;
  enum { Global, Local, Group };
  auto Id = [&](unsigned Which, Int Max, Int Min = 0) {
    uint32_t &Kept = Ids[Which == Group && SharesGroup ? 0 : Item][Which][D];
    if (!Kept)
      Kept = 1 + System.add(Min, Max);
    return AffineExpr::unknown(Kept - 1);
  };
  const Int Size = Launch.Global[D], GroupSize = Launch.Local[D];
  if (!GroupSize) { // IDs are unrelated
    if (N.Opcode == Op::global_id)
      return {
          *combine(1, Id(Global, Size - 1), 1, AffineExpr(Launch.Offset[D]))};
    return {Id(N.Opcode == Op::local_id ? Local : Group,
               N.Opcode == Op::local_id
                   ? std::min<Int>(Size, Launch.MaxLocal) - 1
                   : Size - 1)};
  }
  const bool New = !Ids[Item][Local][D];
  const AffineExpr InGroup = Id(Local, std::min(GroupSize, Size) - 1);
  const Int LastGroup = (Size + GroupSize - 1) / GroupSize - 1;
  const auto [First, Last] = Launch.Groups[D];
  const AffineExpr Groups = Id(Group, std::min<Int>(Last, LastGroup), First);
  const AffineExpr Whole = *combine(GroupSize, Groups, 1, InGroup);
  if (New && Size % GroupSize) // the last work-group is smaller
    Places[0].Definitions.add({*combine(-1, Whole, 1, AffineExpr(Size - 1))});
  if (N.Opcode == Op::global_id)
    return {*combine(1, Whole, 1, AffineExpr(Launch.Offset[D]))};
  return {N.Opcode == Op::local_id ? InGroup : Groups};
}

Value Prover::makeLeaf(const Node &N, uint32_t Index) {
  switch (N.Opcode) {
  case Op::constant:
    return {AffineExpr(N.Value)};
  case Op::argument: {
    if (N.A >= Launch.Args.size())
      break;
    const std::string_view Bytes = Launch.Args[N.A].Bytes;
    const size_t Size = N.Width / 8;
    uint64_t Word = 0;
    if (N.Width % 8 || N.B > Bytes.size() || Size > Bytes.size() - N.B)
      break;
    std::memcpy(&Word, Bytes.data() + N.B, Size);
    return {AffineExpr(Int(Word))};
  }
  case Op::sub_group:
    // An upper bound of work-group sizes on any device.
    return inRange(N.B, powerOfTwo(20), true);
  case Op::start:
    if (N.A >= Launch.Args.size())
      break;
    return {AffineExpr(Int(Launch.Args[N.A].Start))};
  case Op::loaded: {
    if (N.A >= Launch.Contents.size() || !Launch.Contents[N.A])
      break;
    const auto [Min, Max] = *Launch.Contents[N.A];
    return inRange(std::min<Int>(Min, 0), std::max<Int>(Max, 0), true);
  }
  case Op::global_size:
  case Op::global_offset:
  case Op::local_size:
  case Op::num_groups:
  case Op::global_id:
  case Op::local_id:
  case Op::group_id: {
    if (N.A > 2)
      break;
    const Int Size = Launch.Global[N.A], Local = Launch.Local[N.A];
    if (Size == 0)
      break;
    if (N.Opcode == Op::global_size)
      return {AffineExpr(Size)};
    if (N.Opcode == Op::global_offset)
      return {AffineExpr(Int(Launch.Offset[N.A]))};
    // A smaller last work-group has a smaller local size.
    if (N.Opcode == Op::local_size && Local && Size % Local == 0)
      return {AffineExpr(Local)};
    if (N.Opcode == Op::local_size)
      return inRange(
          1, std::min<Int>(Size, Local ? Local : Int(Launch.MaxLocal)), true);
    if (N.Opcode == Op::num_groups)
      return Local ? Value{AffineExpr((Size + Local - 1) / Local)}
                   : inRange(1, Size, true);
    return makeId(N);
  }
  default:
    break;
  }
  Value V = unconstrained(Index, /*Signed=*/true);
  V.Exact = true;
  return V;
}
