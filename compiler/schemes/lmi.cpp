//===- compiler/schemes/lmi.cpp - Let-Me-In, in software ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schemes/lmi.h, as instructions: the overflow checking unit behind all pointer
// arithmetic, the extent checker before all accesses.
//
// A pointer to a variable loses its extent when the variable's scope ends, as
// far as it is a value: the papers' compiler clears what a function returns. A
// copy in memory keeps it.
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/schemes.h"
#include "compiler/schemes/tagged.h"

#include "abi/schemes.h"
#include "schemes/lmi.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace warpsan;

namespace {

class Lmi : public Tagged {
public:
  Lmi(const KernelParts &Of, bool Live) : Tagged(Of), Live(Live) {}

private:
  uint64_t tagOf(const Root &Variable) override {
    const uint64_t Bytes = uint64_t(1)
                           << lmi::bitsOf(lmi::extentOf(Variable.Size));
    return lmi::pointerTo(Places.of(Variable).place(Bytes, Bytes),
                          Variable.Size);
  }

  /// lmi::maskOf.
  Value *maskOf(Value *Extent, IRBuilderBase &Build) {
    return Build.CreateShl(number(~uint64_t(0)),
                           Build.CreateAdd(Extent, number(lmi::bitsOf(0))));
  }

  Value *moved(Value *In, Value *Out, Space, IRBuilderBase &Build) override {
    Value *Extent = Build.CreateLShr(In, lmi::ExtentShift);
    Value *Changed =
        Build.CreateAnd(Build.CreateXor(In, Out), maskOf(Extent, Build));
    return Build.CreateSelect(Build.CreateICmpEQ(Changed, number(0)), Out,
                              Build.CreateAnd(Out, lmi::AddressMask));
  }

  Value *ofHeap(Value *Start, Value *Size, IRBuilderBase &Build) override;

  /// A copy in memory keeps its extent.
  Value *isLate(const Place &At, IRBuilderBase &Build) override {
    const PointerOrigin From = Roots.originOf(At.Of.Pointer);
    return From.Kept || From.Unknown ? Build.getFalse()
                                     : hasEnded(At.Of.Pointer, Build);
  }

  Value *isBad(const Place &At, IRBuilderBase &Build) override {
    Value *Bad =
        Build.CreateICmpULT(At.Tag, number(uint64_t(1) << lmi::ExtentShift));
    const PointerOrigin From = Roots.originOf(At.Of.Pointer);
    if (Live && !From.Kept && !From.Unknown &&
        all_of(From.Roots, [&](unsigned Index) {
          return Roots[Index].What == Root::Kind::Argument &&
                 !isLocalArgument(Roots[Index]);
        }))
      Bad = Build.CreateOr(Bad, isGone(At.Tag, Build));
    return Bad;
  }

  /// i1: by the table of live buffers.
  Value *isGone(Value *Tag, IRBuilderBase &Build) {
    CallInst *Lives = Build.CreateCall(
        Runtime.IsLive, {Made.hidden(HiddenArg::Kind::Table), Tag});
    Lives->setCallingConv(Runtime.IsLive->getCallingConv());
    return Build.CreateICmpEQ(Lives, Build.getInt32(0));
  }

  const bool Live; ///< with the table of live buffers
  Layouts Places;
};

} // namespace

/// The extent of \p Size, without a branch: 64 - ctlz(Size - 1), at least 8.
Value *Lmi::ofHeap(Value *Start, Value *Size, IRBuilderBase &Build) {
  Value *Bytes = Build.CreateAnd(Size, WS_SIZE_BITS);
  Value *Freed = Build.CreateICmpEQ(Bytes, number(0));
  Value *Zeros = Build.CreateBinaryIntrinsic(
      Intrinsic::ctlz, Build.CreateSub(Bytes, number(1)), Build.getFalse());
  Value *Bits = Build.CreateSub(number(64), Zeros);
  Bits = Build.CreateSelect(Build.CreateICmpULT(Bits, number(lmi::LeastBits)),
                            number(lmi::LeastBits), Bits);
  Value *Extent = Build.CreateSub(Bits, number(lmi::LeastBits - 1));
  Extent =
      Build.CreateSelect(Build.CreateICmpUGT(Extent, number(lmi::MostExtent)),
                         number(lmi::MostExtent), Extent);
  // A copy that was in memory when its buffer was freed is none the wiser.
  Extent =
      Build.CreateSelect(Freed, number(Live ? 0 : lmi::MostExtent), Extent);
  // Only its own bits matter: it is as aligned as it would have been.
  Value *Aligned = Build.CreateAnd(Start, maskOf(Extent, Build));
  return Build.CreateOr(Build.CreateAnd(Aligned, lmi::AddressMask),
                        Build.CreateShl(Extent, lmi::ExtentShift));
}

std::unique_ptr<Scheme> warpsan::makeLmi(const KernelParts &Of, bool Live) {
  return std::make_unique<Lmi>(Of, Live);
}

std::string warpsan::whyNotLmi(Function &Kernel) {
  for (Instruction &I : instructions(Kernel))
    if (isa<IntToPtrInst, PtrToIntInst>(I))
      return "LMI refuses pointers that are made of integers and integers that "
             "are made of pointers, as in kernel '" +
             Kernel.getName().str() + "'";
  return {};
}
