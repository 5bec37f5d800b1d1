//===- compiler/schemes/cusafe.cpp - CuSafe, in software ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schemes/cusafe.h, as instructions: a comparison behind all pointer
// arithmetic, and before an access a load of the memory's size from in front of
// it. Headers of private and local variables are words of private memory; those
// of shared virtual memory that was found by its address are what was found.
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/check_elimination.h"
#include "compiler/schemes/schemes.h"
#include "compiler/schemes/tagged.h"

#include "abi/schemes.h"
#include "schemes/cusafe.h"

#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace warpsan;

namespace {

class CuSafe : public Tagged {
public:
  explicit CuSafe(const KernelParts &Of) : Tagged(Of), Fewer(Kernel) {}

  void begin(const std::vector<Access> &Accesses) override {
    Fewer.begin(Accesses);
  }

private:
  /// Beside the tag, where a pointer may come out of memory: the size, or
  /// InHeader.
  enum : Field { Size = Tag + 1 };
  static constexpr uint64_t InHeader = ~uint64_t(0);

  /// The paper leaves dynamic shared memory alone.
  bool watches(const Root &R) const override { return !isLocalArgument(R); }
  /// The field Size of a pointer to \p R.
  uint64_t sizeKnownOf(const Root &R) const {
    return R.isVariable()       ? R.Size
           : isLocalArgument(R) ? cusafe::NoEnd
                                : InHeader;
  }

  uint64_t tagOf(const Root &Variable) override;
  Value *classOf(Value *Tag, Space Of, IRBuilderBase &Build);
  Value *maskOf(Value *Tag, Space Of, IRBuilderBase &Build);
  Value *moved(Value *In, Value *Out, Space Of, IRBuilderBase &Build) override;
  Value *ofHeap(Value *Start, Value *Size, IRBuilderBase &Build) override;
  Value *ofRoot(unsigned Index, Field Which) override;
  Value *ofKept(LoadInst &Load, Field Which) override;
  Value *ofUnknown(Value *Pointer, Field Which) override;
  Value *isLate(const Place &At, IRBuilderBase &Build) override {
    return hasEnded(At.Of.Pointer, Build);
  }
  Value *headerOf(const Root &Variable);
  Value *sizeOf(const Place &At, Value *Mask, IRBuilderBase &Build);
  Value *isBad(const Place &At, IRBuilderBase &Build) override;
  Verdict judge(const Access &A, unsigned Number, Value *Own,
                IRBuilderBase &Build) override;

  CheckElimination Fewer;
  Layouts Places;
  DenseMap<Value *, AllocaInst *> Headers;
};

} // namespace

uint64_t CuSafe::tagOf(const Root &Variable) {
  const unsigned Class = cusafe::classOf(Variable.Size);
  const uint64_t Bytes = uint64_t(1) << cusafe::bitsOf(Class);
  const uint64_t At = Places.of(Variable).place(Bytes, Bytes);
  const bool IsLocal = Variable.What == Root::Kind::Private ||
                       Variable.What == Root::Kind::Local;
  return (IsLocal ? cusafe::localBase(Class, At)
                  : cusafe::globalBase(Class, At)) +
         cusafe::HeaderBytes;
}

/// cusafe::classIn.
Value *CuSafe::classOf(Value *Tag, Space Of, IRBuilderBase &Build) {
  auto At = [&](unsigned Shift) {
    return Build.CreateAnd(Build.CreateLShr(Tag, Shift), cusafe::ClassMask);
  };
  switch (Of) {
  case Space::Private:
  case Space::Local:
    return At(cusafe::LocalShift);
  case Space::Global:
  case Space::Constant:
    return At(cusafe::GlobalShift);
  default:
    return Build.CreateSelect(
        Build.CreateICmpNE(Build.CreateAnd(Tag, cusafe::LocalBit), number(0)),
        At(cusafe::LocalShift), At(cusafe::GlobalShift));
  }
}

Value *CuSafe::maskOf(Value *Tag, Space Of, IRBuilderBase &Build) {
  // A class of 63 is in no pointer of ours, but may come of arithmetic.
  Value *Bits = Build.CreateAnd(
      Build.CreateAdd(classOf(Tag, Of, Build), number(cusafe::ClassLess)),
      number(63));
  return Build.CreateShl(number(~uint64_t(0)), Bits);
}

Value *CuSafe::moved(Value *In, Value *Out, Space Of, IRBuilderBase &Build) {
  Value *Changed =
      Build.CreateAnd(Build.CreateXor(In, Out), maskOf(In, Of, Build));
  return Build.CreateSelect(Build.CreateICmpEQ(Changed, number(0)), Out,
                            Build.CreateOr(Out, cusafe::Left));
}

/// Without a header: beside the tag is its size.
Value *CuSafe::ofHeap(Value *, Value *, IRBuilderBase &) {
  return number(cusafe::globalBase(cusafe::MostClass, 0) + cusafe::HeaderBytes);
}

Value *CuSafe::ofRoot(unsigned Index, Field Which) {
  if (Which == Tag)
    return Tagged::ofRoot(Index, Which);
  return number(sizeKnownOf(Roots[Index]));
}

Value *CuSafe::ofKept(LoadInst &Load, Field Which) {
  return ofUnknown(&Load, Which);
}

Value *CuSafe::ofUnknown(Value *Pointer, Field Which) {
  if (Which == Tag)
    return Tagged::ofUnknown(Pointer, Which);
  Value *Of = field(Pointer, Tag); // behind what was found out
  const Bounds B = Where.boundsOf(Pointer, /*Reads=*/true, /*Writes=*/false);
  auto *Behind = dyn_cast<Instruction>(Of);
  Builder Build(Behind ? Behind->getNextNode() : Start);
  Value *Known = number(InHeader);
  auto Is = [&](unsigned Index) {
    return Build.CreateICmpEQ(B.Root, Build.getInt32(Index));
  };
  if (Made.hidden(HiddenArg::Kind::Heap))
    Known = Build.CreateSelect(
        Is(Roots.heap()), Build.CreateAnd(B.ReadSize, WS_SIZE_BITS), Known);
  for (unsigned I = 0; I < Roots.all().size(); ++I)
    if (const uint64_t Size = sizeKnownOf(Roots[I]); Size != InHeader)
      Known = Build.CreateSelect(Is(I), number(Size), Known);
  return Known;
}

/// Where a variable's size is.
Value *CuSafe::headerOf(const Root &Variable) {
  // Without an object it is an argument that is passed by value.
  AllocaInst *&Header =
      Headers[Variable.Object ? Variable.Object : Kernel.getArg(Variable.Arg)];
  if (!Header) {
    BasicBlock &Entry = Kernel.getEntryBlock();
    Builder Build(&*Entry.getFirstInsertionPt());
    Header = Build.CreateAlloca(I64);
    Builder(Header->getNextNode())
        .CreateAlignedStore(number(Variable.Size), Header, llvm::Align(8),
                            /*isVolatile=*/true);
  }
  return Header;
}

Value *CuSafe::sizeOf(const Place &At, Value *Mask, IRBuilderBase &Build) {
  const Root *R = rootOf(At.Of);
  if (R && R->isVariable())
    return Build.CreateAlignedLoad(I64, headerOf(*R), llvm::Align(8),
                                   /*isVolatile=*/true);
  // What has left its class, and null, have no header. The paper branches.
  Value *None = Build.CreateICmpSLE(At.Tag, number(0));
  Value *Known = R ? nullptr : field(At.Of.Pointer, Size);
  if (Known)
    None = Build.CreateOr(None, Build.CreateICmpNE(Known, number(InHeader)));
  Value *Table = Made.hidden(HiddenArg::Kind::Table);
  Value *Header = Build.CreateSelect(
      None, Table,
      Build.CreateIntToPtr(Build.CreateAnd(At.Tag, Mask), Table->getType()));
  Value *Read = Build.CreateAlignedLoad(I64, Header, llvm::Align(8));
  return Known ? Build.CreateSelect(Build.CreateICmpEQ(Known, number(InHeader)),
                                    Read, Known)
               : Read;
}

Value *CuSafe::isBad(const Place &At, IRBuilderBase &Build) {
  if (const Root *R = rootOf(At.Of); R && R->What == Root::Kind::Null)
    return Build.getTrue();
  Value *Mask = maskOf(At.Tag, spaceOf(*At.Of.Pointer), Build);
  Value *Bytes = sizeOf(At, Mask, Build);
  Value *Offset =
      Build.CreateSub(Build.CreateAnd(At.Tag, Build.CreateNot(Mask)),
                      number(cusafe::HeaderBytes));
  // Neither is larger than 2^62: one comparison for both ends.
  Value *After =
      Build.CreateSub(Bytes, Build.CreateAdd(Offset, number(At.Bytes)));
  return Build.CreateICmpSLT(
      Build.CreateOr(At.Tag, Build.CreateOr(Offset, After)), number(0));
}

Tagged::Verdict CuSafe::judge(const Access &A, unsigned Number, Value *Own,
                              IRBuilderBase &Build) {
  auto TagAt = [&](Value *Base, Value *Bytes, IRBuilderBase &Here) {
    Value *From = field(Base, Tag);
    return moved(From, Here.CreateAdd(From, Bytes), spaceOf(*Base), Here);
  };
  CheckElimination::Found &Before = Fewer.sameBefore(A);
  if (Before.Bad)
    return {Before.Bad, Before.Tag};
  if (auto All = Fewer.iterationsOf(A)) {
    Builder Ahead(All->Before);
    Access Of = A; // what is known of its memory is known there
    Of.Pointer = All->Base;
    Value *First = TagAt(All->Base, All->First, Ahead);
    Value *Bad = isBad({Of, First, A.Bytes}, Ahead), *Worst = First;
    if (All->First != All->Last) {
      Value *Last = TagAt(All->Base, All->Last, Ahead);
      Worst = Ahead.CreateSelect(Bad, First, Last);
      Bad = Ahead.CreateOr(Bad, isBad({Of, Last, A.Bytes}, Ahead));
    }
    if (All->None)
      Bad = Ahead.CreateAnd(Bad, Ahead.CreateNot(All->None));
    // Of all iterations: not for what comes behind the loop.
    return {Bad, Worst};
  }
  CheckElimination::Neighbors *All = Fewer.around(Number);
  if (!All) {
    Before = {isBad({A, Own, A.Bytes}, Build), Own};
    return {Before.Bad, Own};
  }
  for (CheckElimination::Neighbors::End *Each : {&All->First, &All->Last})
    if (!Each->Bad) {
      Each->Tag = TagAt(All->Base, number(Each->Offset), Build);
      Each->Bad = isBad({A, Each->Tag, Each->Bytes}, Build);
    }
  if (const auto *End = Fewer.endOf(Number)) {
    Before = {End->Bad, End->Tag};
    return {End->Bad, End->Tag};
  }
  return {Build.CreateOr(All->First.Bad, All->Last.Bad), Own, /*Quiet=*/true};
}

std::unique_ptr<Scheme> warpsan::makeCuSafe(const KernelParts &Of) {
  return std::make_unique<CuSafe>(Of);
}
