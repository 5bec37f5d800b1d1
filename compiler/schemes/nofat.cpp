//===- compiler/schemes/nofat.cpp - No-FAT, in software -------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schemes/nofat.h, as instructions. The metadata of a pointer is its tag and
// its trusted base: of arguments it is computed where the kernel begins, of
// pointers that come out of memory where they do. A pointer that is stored is
// verified before. Arrays in structs are as if they were allocations of their
// own.
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/schemes.h"
#include "compiler/schemes/tagged.h"

#include "abi/schemes.h"
#include "compiler/pointers/member_arrays.h"
#include "schemes/nofat.h"

#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace warpsan;

namespace {

class NoFat : public Tagged {
public:
  explicit NoFat(const KernelParts &Of) : Tagged(Of) {}

  void plan(const Access &A, unsigned Number,
            std::vector<Check> &Checks) override;

private:
  enum : Field { Base = Tag + 1 };

  uint64_t tagOf(const Root &Variable) override;
  Value *ofHeap(Value *Start, Value *Size, IRBuilderBase &Build) override;
  Value *ofRoot(unsigned Index, Field Which) override;
  Value *ofKept(LoadInst &Load, Field Which) override {
    return ofUnknown(&Load, Which);
  }
  Value *ofUnknown(Value *Pointer, Field Which) override;
  Value *entryOf(Value *Pointer, IRBuilderBase &Build);
  Value *sizeOf(Value *Base, IRBuilderBase &Build);
  Value *computeBase(Value *Pointer, IRBuilderBase &Build);
  Value *isOutside(Value *Offset, Value *Size, uint64_t Bytes,
                   IRBuilderBase &Build);
  Value *isBad(const Place &At, IRBuilderBase &Build) override;
  void planMember(const Access &A, unsigned Number, std::vector<Check> &Checks);
  void planEscape(const Access &A, unsigned Number, std::vector<Check> &Checks);

  std::map<unsigned, uint64_t> Slots;        ///< of bins: how many are used
  DenseMap<unsigned, Value *> ArgumentBases; ///< by root
};

} // namespace

uint64_t NoFat::tagOf(const Root &Variable) {
  const unsigned Bin = nofat::binOf(std::max<uint64_t>(Variable.Size, 1));
  return nofat::addressIn(Bin, Slots[Bin]++);
}

Value *NoFat::entryOf(Value *Pointer, IRBuilderBase &Build) {
  static_assert(sizeof(WsBin) == 16);
  Value *Bin = Build.CreateAnd(Build.CreateLShr(Pointer, nofat::BinShift),
                               nofat::Bins - 1);
  return Build.CreatePtrAdd(Made.hidden(HiddenArg::Kind::Table),
                            Build.CreateShl(Bin, 4));
}

Value *NoFat::sizeOf(Value *Base, IRBuilderBase &Build) {
  return Build.CreateAlignedLoad(I64, entryOf(Base, Build), llvm::Align(8));
}

/// nofat::computeBase.
Value *NoFat::computeBase(Value *Pointer, IRBuilderBase &Build) {
  Value *Entry = entryOf(Pointer, Build);
  Value *Size = Build.CreateAlignedLoad(I64, Entry, llvm::Align(8));
  Value *Inverse = Build.CreateAlignedLoad(
      I64, Build.CreatePtrAdd(Entry, number(offsetof(WsBin, Inverse))),
      llvm::Align(8));
  Value *Offset = Build.CreateAnd(Pointer, nofat::OffsetMask);
  Value *Units = Build.CreateLShr(Offset, nofat::UnitShift);
  Value *Begins = Build.CreateMul(
      Build.CreateLShr(Build.CreateMul(Units, Inverse), nofat::InverseBits),
      Size);
  Begins = Build.CreateSelect(Build.CreateICmpUGT(Begins, Offset),
                              Build.CreateSub(Begins, Size), Begins);
  return Build.CreateSub(Build.CreateAnd(Pointer, ~nofat::Gone),
                         Build.CreateSub(Offset, Begins));
}

/// As if it were the first of its bin; what was freed is not noticed.
Value *NoFat::ofHeap(Value *, Value *Size, IRBuilderBase &Build) {
  Value *Bytes = Build.CreateAnd(Size, WS_SIZE_BITS);
  Value *Freed = Build.CreateICmpEQ(Bytes, number(0));
  Value *Bits = Build.CreateSub(
      number(64), Build.CreateBinaryIntrinsic(Intrinsic::ctlz,
                                              Build.CreateSub(Bytes, number(1)),
                                              Build.getFalse()));
  // nofat::binOf.
  Value *Small = Build.CreateICmpULE(Bits, number(nofat::LeastBits));
  Value *Large =
      Build.CreateOr(Build.CreateICmpUGT(Bits, number(nofat::BinShift)), Freed);
  Bits = Build.CreateSelect(Build.CreateOr(Small, Large), number(8), Bits);
  Value *Half = Build.CreateICmpULE(
      Bytes, Build.CreateShl(number(3), Build.CreateSub(Bits, number(2))));
  Value *Bin =
      Build.CreateSub(Build.CreateSub(Build.CreateShl(Bits, 1),
                                      number(2 * nofat::LeastBits - 1)),
                      Build.CreateZExt(Half, I64));
  Bin = Build.CreateSelect(Small, number(1), Bin);
  Bin = Build.CreateSelect(Large, number(nofat::NoBin), Bin);
  return Build.CreateAdd(number(nofat::Heap),
                         Build.CreateShl(Bin, nofat::BinShift));
}

Value *NoFat::ofRoot(unsigned Index, Field Which) {
  if (Which == Tag || Roots[Index].What != Root::Kind::Argument)
    return Tagged::ofRoot(Index, Tag); // a variable's is its first byte's
  Value *&Known = ArgumentBases[Index];
  if (!Known) {
    Builder Build(Start);
    Known = computeBase(Tagged::ofRoot(Index, Tag), Build);
  }
  return Known;
}

Value *NoFat::ofUnknown(Value *Pointer, Field Which) {
  if (Which == Tag)
    return Tagged::ofUnknown(Pointer, Tag);
  Value *Of = field(Pointer, Tag);
  auto *Behind = dyn_cast<Instruction>(Of);
  Builder Build(Behind ? Behind->getNextNode() : Start);
  return computeBase(Of, Build);
}

/// i1; neither is larger than 2^63, but for an offset before the start.
Value *NoFat::isOutside(Value *Offset, Value *Size, uint64_t Bytes,
                        IRBuilderBase &Build) {
  Value *After = Build.CreateSub(Size, Build.CreateAdd(Offset, number(Bytes)));
  return Build.CreateICmpSLT(Build.CreateOr(Offset, After), number(0));
}

Value *NoFat::isBad(const Place &At, IRBuilderBase &Build) {
  if (const Root *R = rootOf(At.Of); R && R->What == Root::Kind::Null)
    return Build.getTrue();
  Value *Trusted = field(At.Of.Pointer, Base);
  return isOutside(Build.CreateSub(At.Tag, Trusted), sizeOf(Trusted, Build),
                   At.Bytes, Build);
}

/// Of an array in a struct, which is an allocation in a bin.
void NoFat::planMember(const Access &A, unsigned Number,
                       std::vector<Check> &Checks) {
  const std::optional<Member> M =
      A.Image || A.Index || A.Count ? std::nullopt : memberOf(A.Pointer);
  if (!M)
    return;
  Builder Build(A.At);
  Value *Of = field(A.Pointer, Tag);
  Value *Offset = Build.CreateSub(Of, field(createStart(*M), Tag));
  const size_t Before = Checks.size();
  tell(A, Number, WS_TEST_MEMBER,
       {isOutside(Offset, number(nofat::sizeOf(nofat::binOf(M->Bytes))),
                  A.Bytes, Build),
        Of},
       Checks);
  if (Checks.size() == Before)
    return;
  Checks.back().Tells.Offset = Offset;
  Checks.back().Tells.Size = number(M->Bytes);
  Checks.back().Kept.clear(); // they do not follow from the tag
  Made.Sites[Number].Member = M->Name;
  Made.Sites[Number].MemberElement = M->Element;
}

void NoFat::plan(const Access &A, unsigned Number, std::vector<Check> &Checks) {
  Tagged::plan(A, Number, Checks);
  planMember(A, Number, Checks);
  planEscape(A, Number, Checks);
}

/// A pointer that is stored is verified.
void NoFat::planEscape(const Access &A, unsigned Number,
                       std::vector<Check> &Checks) {
  auto *Store = dyn_cast<StoreInst>(A.At);
  Value *Escapes = Store ? Store->getValueOperand() : nullptr;
  if (!Escapes || !Escapes->getType()->isPointerTy())
    return;
  const PointerOrigin From = Roots.originOf(Escapes);
  if (From.isOne() && Roots[From.Roots[0]].What == Root::Kind::Null)
    return;
  // A null pointer may be stored: it has no bin. So may the end of memory.
  Builder Build(A.At);
  Value *Of = field(Escapes, Tag), *Trusted = field(Escapes, Base);
  Value *Bad = Build.CreateAnd(
      isOutside(Build.CreateSub(Of, Trusted), sizeOf(Trusted, Build), 0, Build),
      Build.CreateICmpNE(Of, number(0)));
  Access Stored = A; // reported as an access there, of no bytes
  Stored.Pointer = Escapes;
  Stored.Index = nullptr;
  Stored.Bytes = 0;
  tell(Stored, Number, WS_TEST_BOUNDS, {Bad, Of}, Checks);
}

std::unique_ptr<Scheme> warpsan::makeNoFat(const KernelParts &Of) {
  return std::make_unique<NoFat>(Of);
}
