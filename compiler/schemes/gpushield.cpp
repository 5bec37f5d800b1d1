//===- compiler/schemes/gpushield.cpp - GPUShield, in software ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schemes/gpushield.h, as instructions: the bounds-checking unit before all
// accesses. The paper's sees all addresses of a warp, and compares the least
// and the greatest. Here each work-item does so for its work-group, where both
// follow from what is the same in all of it, and for its own address only if
// that fails: nobody can tell then who it was. Local memory is not watched,
// private memory is one region, and so is shared virtual memory that kernels
// find pointers to: there is nothing to check then.
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/group_range.h"
#include "compiler/schemes/schemes.h"
#include "compiler/schemes/tagged.h"
#include "compiler/target/driver_profiles.h"

#include "abi/schemes.h"
#include "schemes/gpushield.h"

#include <map>

using namespace llvm;
using namespace warpsan;

namespace {

class GpuShield : public Tagged {
public:
  explicit GpuShield(const KernelParts &Of)
      : Tagged(Of), Profile(Of.Profile), Private(WS_PRIVATE_BASE) {}

private:
  bool watches(const Root &R) const override {
    if (R.What == Root::Kind::Argument)
      return !isLocalArgument(R);
    return R.What == Root::Kind::Private || R.What == Root::Kind::Null;
  }

  bool knowsRights() const override { return true; }

  uint64_t tagOf(const Root &Variable) override {
    if (Variable.What != Root::Kind::Private)
      return 0;
    return gpushield::BySize << gpushield::TypeShift |
           uint64_t(WS_PRIVATE_REGION_BITS) << gpushield::IdShift |
           Private.place(Variable.Size, Align);
  }

  Value *ofHeap(Value *Start, Value *, IRBuilderBase &Build) override {
    return Build.CreateAnd(Start, gpushield::AddressMask); // unchecked
  }

  Value *isBad(const Place &At, IRBuilderBase &Build) override {
    Value *Type = Build.CreateLShr(At.Tag, gpushield::TypeShift);
    const PointerOrigin From = Roots.originOf(At.Of.Pointer);
    auto Any = [&](auto Is) {
      return From.Kept || From.Unknown ||
             any_of(From.Roots,
                    [&](unsigned Index) { return Is(Roots[Index].What); });
    };
    Value *Bad = Build.getFalse();
    if (Any([](Root::Kind What) { return What == Root::Kind::Argument; }))
      Bad = Build.CreateAnd(Build.CreateICmpEQ(Type, number(gpushield::ById)),
                            isOutside(At, Build));
    if (Any([](Root::Kind What) { return What == Root::Kind::Private; })) {
      Value *Offset =
          Build.CreateSub(Build.CreateAnd(At.Tag, gpushield::AddressMask),
                          number(WS_PRIVATE_BASE));
      Bad = Build.CreateOr(
          Bad, Build.CreateAnd(
                   Build.CreateICmpEQ(Type, number(gpushield::BySize)),
                   Build.CreateICmpUGE(
                       Offset, number(uint64_t(1) << WS_PRIVATE_REGION_BITS))));
    }
    if (From.isOne() && Roots[From.Roots[0]].What == Root::Kind::Null)
      return Build.getTrue();
    return Bad;
  }

  Verdict judge(const Access &A, unsigned /*Number*/, Value *Own,
                IRBuilderBase &Build) override {
    Verdict Said{nullptr, Own};
    Said.Suspect = anyOutside(A, Build);
    Instruction *Last = A.At->getPrevNode();
    Said.Bad = isBad({A, Own, A.Bytes}, Build);
    if (Said.Suspect)
      Said.Asked = madeSince(Last, A);
    return Said;
  }

  /// A line of the table.
  struct Region {
    Value *Base, *Size;
  };

  /// The one that \p Of names.
  Region regionOf(Value *Of, IRBuilderBase &Build) {
    Value *Key = Made.hidden(HiddenArg::Kind::Key);
    Value *Table = Made.hidden(HiddenArg::Kind::Table);
    Value *Said = Build.CreateLShr(Of, gpushield::IdShift);
    Value *Id = Build.CreateAnd(
        Build.CreateMul(Build.CreateSub(Said, Build.CreateLShr(Key, 32)),
                        Build.CreateAnd(Key, gpushield::IdMask)),
        gpushield::IdMask);
    Value *Entry = Build.CreatePtrAdd(
        Table, Build.CreateMul(Id, number(sizeof(WsRegion))));
    auto Word = [&](uint64_t Offset) {
      return Build.CreateAlignedLoad(
          I64, Build.CreatePtrAdd(Entry, number(Offset)), llvm::Align(8));
    };
    return {Word(offsetof(WsRegion, Base)), Word(offsetof(WsRegion, Size))};
  }

  /// i64: \p Of's address, from where the region begins.
  Value *offsetIn(const Region &R, Value *Of, IRBuilderBase &Build) {
    return Build.CreateSub(Build.CreateAnd(Of, gpushield::AddressMask),
                           Build.CreateAnd(R.Base, gpushield::AddressMask));
  }

  /// i1: bytes at one of the \p Offsets in the region may not be accessed.
  Value *isOutside(const Region &R, ArrayRef<Value *> Offsets, uint64_t Bytes,
                   bool Writes, IRBuilderBase &Build) {
    Value *Bad = Build.CreateICmpULT(R.Size, number(Bytes));
    Value *Last = Build.CreateSub(R.Size, number(Bytes));
    for (Value *Offset : Offsets)
      Bad = Build.CreateOr(Bad, Build.CreateICmpUGT(Offset, Last));
    const uint64_t Wanted =
        WS_REGION_VALID | (Writes ? WS_REGION_READ_ONLY : 0);
    return Build.CreateOr(Bad,
                          Build.CreateICmpNE(Build.CreateAnd(R.Base, Wanted),
                                             number(WS_REGION_VALID)));
  }

  /// i1: of the region that the tag names.
  Value *isOutside(const Place &At, IRBuilderBase &Build) {
    const Region R = regionOf(At.Tag, Build);
    return isOutside(R, offsetIn(R, At.Tag, Build), At.Bytes, At.Of.Writes,
                     Build);
  }

  /// What an argument points to, looked up once: a launch's table stays as it
  /// is.
  struct Pointed {
    Region In;
    Value *Offset;  ///< of where the argument's memory begins
    Value *Checked; ///< i1: by the region's number
  };

  const Pointed &pointedTo(unsigned Arg, Value *Given) {
    auto [It, New] = Arguments.try_emplace(Arg);
    if (New) {
      Builder Build(Start);
      Pointed &P = It->second;
      P.In = regionOf(Given, Build);
      P.Offset = offsetIn(P.In, Given, Build);
      if (Value *Begins = Made.hidden(HiddenArg::Kind::Start, Arg))
        P.Offset = Build.CreateSub(P.Offset, Begins);
      P.Checked =
          Build.CreateICmpEQ(Build.CreateLShr(Given, gpushield::TypeShift),
                             number(gpushield::ById));
    }
    return It->second;
  }

  /// i1: some work-item of the group may be outside with \p A. Null: the least
  /// and the greatest address of the group are not known.
  Value *anyOutside(const Access &A, IRBuilderBase &Build) {
    const Root *R = rootOf(A);
    // Vectors of work-items ask both: what a branch leaves out is masked there.
    if (!R || R->What != Root::Kind::Argument || Profile.VectorizesWorkItems)
      return nullptr;
    Value *Given = Made.hidden(HiddenArg::Kind::Tag, R->Arg);
    if (!Given)
      return nullptr;
    const Bounds B = Where.boundsOf(A.Pointer, false, false);
    const std::optional<GroupRange> Ends =
        groupRangeOf(offsetOf(A, B.Offset, Build), Build, T);
    if (!Ends)
      return nullptr;
    const Pointed &P = pointedTo(R->Arg, Given);
    Value *Outside = isOutside(P.In,
                               {Build.CreateAdd(P.Offset, Ends->Least),
                                Build.CreateAdd(P.Offset, Ends->Greatest)},
                               A.Bytes, A.Writes, Build);
    return Build.CreateOr(
        Outside, Build.CreateNot(Build.CreateAnd(P.Checked, Ends->Holds)));
  }

  static constexpr uint64_t Align = 16;
  const DriverProfile &Profile;
  Layout Private;
  std::map<unsigned, Pointed> Arguments;
};

} // namespace

std::unique_ptr<Scheme> warpsan::makeGpuShield(const KernelParts &Of) {
  return std::make_unique<GpuShield>(Of);
}
