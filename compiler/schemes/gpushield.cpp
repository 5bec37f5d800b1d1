//===- compiler/schemes/gpushield.cpp - GPUShield, in software ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schemes/gpushield.h, as instructions: the bounds-checking unit before all
// accesses, for each work-item. Local memory is not watched, private memory is
// one region, and so is shared virtual memory that kernels find pointers to:
// there is nothing to check then.
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/schemes.h"
#include "compiler/schemes/tagged.h"

#include "abi/schemes.h"
#include "schemes/gpushield.h"

using namespace llvm;
using namespace warpsan;

namespace {

class GpuShield : public Tagged {
public:
  explicit GpuShield(const KernelParts &Of)
      : Tagged(Of), Private(WS_PRIVATE_BASE) {}

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

  /// i1: of the region that the tag names.
  Value *isOutside(const Place &At, IRBuilderBase &Build) {
    Value *Key = Made.hidden(HiddenArg::Kind::Key);
    Value *Table = Made.hidden(HiddenArg::Kind::Table);
    Value *Said = Build.CreateLShr(At.Tag, gpushield::IdShift);
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
    Value *Base = Word(offsetof(WsRegion, Base));
    Value *Size = Word(offsetof(WsRegion, Size));
    Value *Offset =
        Build.CreateSub(Build.CreateAnd(At.Tag, gpushield::AddressMask),
                        Build.CreateAnd(Base, gpushield::AddressMask));
    Value *Last = Build.CreateSub(Size, number(At.Bytes));
    Value *Bad = Build.CreateOr(Build.CreateICmpULT(Size, number(At.Bytes)),
                                Build.CreateICmpUGT(Offset, Last));
    const uint64_t Wanted =
        WS_REGION_VALID | (At.Of.Writes ? WS_REGION_READ_ONLY : 0);
    return Build.CreateOr(Bad, Build.CreateICmpNE(Build.CreateAnd(Base, Wanted),
                                                  number(WS_REGION_VALID)));
  }

  static constexpr uint64_t Align = 16;
  Layout Private;
};

} // namespace

std::unique_ptr<Scheme> warpsan::makeGpuShield(const KernelParts &Of) {
  return std::make_unique<GpuShield>(Of);
}
