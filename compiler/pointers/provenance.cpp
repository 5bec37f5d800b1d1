//===- compiler/pointers/provenance.cpp - bounds beside each pointer, in
// registers --------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/provenance.h"

#include "abi/heap.h"
#include "abi/record.h"
#include "compiler/ir/int_to_ptr.h"
#include "compiler/ir/poison_flags.h"
#include "compiler/pointers/escaping_addresses.h"
#include "proof/expression.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpsan;

Provenance::Provenance(Twin &Made, RootTable &Roots, const Lifetimes &Lives,
                       Function *Find, const Target &T)
    : PointerMetadata(*Made.Kernel, Roots), Made(Made), Lives(Lives),
      Find(Find), T(T), I32(Type::getInt32Ty(Kernel.getContext())),
      I64(Type::getInt64Ty(Kernel.getContext())) {}

Bounds Provenance::boundsOf(Value *Pointer, bool Reads, bool Writes) {
  return {field(Pointer, Offset), Reads ? field(Pointer, ReadSize) : nullptr,
          Writes ? field(Pointer, WriteSize) : nullptr,
          field(Pointer, RootNumber),
          Lives.any() ? field(Pointer, Life) : nullptr};
}

Value *Provenance::fieldOf(const Bounds &B, Field Which) {
  return Which == Offset      ? B.Offset
         : Which == ReadSize  ? B.ReadSize
         : Which == WriteSize ? B.WriteSize
         : Which == Life      ? B.Life
                              : B.Root;
}

Type *Provenance::typeOf(Field Which) {
  return Which == RootNumber || Which == Life ? I32 : I64;
}

Value *Provenance::ofArgument(unsigned Arg, Field Which) {
  if (Which == Offset) {
    Value *Start = Made.hidden(HiddenArg::Kind::Start, Arg);
    return Start ? Start : ConstantInt::get(I64, 0);
  }
  Value *&Size = ArgumentSizes[{Arg, Which}];
  if (!Size)
    Size = sizeOfArgument(Arg, Which);
  return Size;
}

bool Provenance::isSizeOfArgument(const Value *Size) const {
  return any_of(ArgumentSizes,
                [&](const auto &Known) { return Known.second == Size; });
}

/// From the hidden arguments, once, at the kernel's start.
Value *Provenance::sizeOfArgument(unsigned Arg, Field Which) {
  Argument &Pointer = *Kernel.getArg(Arg);
  Value *Told = Made.hidden(HiddenArg::Kind::Size, Arg);
  if (!Told)
    return ConstantInt::get(I64, 0);
  if (T.kindOf(Pointer) == ArgKind::Local)
    return Told;
  // Memory that may be hardware's: nothing is ever written there.
  if (T.kindOf(Pointer) == ArgKind::Constant && Which == WriteSize)
    return ConstantInt::get(I64, 0);
  Builder Build(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (Value *Place = Made.hidden(HiddenArg::Kind::SizeNow, Arg))
    // Shared virtual memory may have been freed since the kernel was enqueued.
    Told = wordAt(Place, Told, Build);
  Value *Size = sizeTold(Told, Which, Build);
  return Which == WriteSize && pointsToConst(Pointer, T)
             ? Build.CreateOr(Size, Bounds::Forbidden)
             : Size;
}

/// The host's word at the address \p Where, as it is now; \p Else if that is 0.
Value *Provenance::wordAt(Value *Where, Value *Else, IRBuilderBase &Build) {
  Value *IsNone = Build.CreateICmpEQ(Where, ConstantInt::get(I64, 0));
  auto At = [&](Value *Pointer, uint64_t Offset) {
    return Build.CreatePtrAdd(Pointer, ConstantInt::get(I64, Offset));
  };
  Value *Records = Made.hidden(HiddenArg::Kind::Records);
  Value *Place =
      Build.CreateSelect(IsNone, At(Records, offsetof(WsRecordBuffer, Zeros)),
                         Build.CreateIntToPtr(Where, Records->getType()));
  Value *Now =
      Build.CreateAlignedLoad(I64, Place, Align(8), /*isVolatile=*/true);
  return Build.CreateSelect(IsNone, Else, Now);
}

/// Once, at the kernel's start; null if it is never one of the buffers with
/// objects.
Value *Provenance::objectsOfArgument(unsigned Arg) {
  Value *Place = Made.hidden(HiddenArg::Kind::Objects, Arg);
  Value *&Objects = ArgumentObjects[Arg];
  if (Place && !Objects) {
    Builder Build(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Objects = wordAt(Place, ConstantInt::get(I64, 0), Build);
  }
  return Objects;
}

Value *Provenance::objectsOf(Value *Pointer, const Bounds &B,
                             IRBuilderBase &Build) {
  const PointerOrigin From = Roots.originOf(Pointer);
  if (From.isOne()) {
    const Root &R = Roots[From.Roots[0]];
    return R.What == Root::Kind::Argument ? objectsOfArgument(R.Arg) : nullptr;
  }
  Value *Result = nullptr;
  const bool Any = From.Kept || From.Unknown;
  for (unsigned I = 0; I < Roots.all().size(); ++I) {
    const Root &R = Roots[I];
    if (R.What != Root::Kind::Argument || !(Any || is_contained(From.Roots, I)))
      continue;
    if (Value *Its = objectsOfArgument(R.Arg))
      Result =
          Build.CreateSelect(Build.CreateICmpEQ(B.Root, ofRoot(I, RootNumber)),
                             Its, Result ? Result : ConstantInt::get(I64, 0));
  }
  return Result;
}

/// Takes apart a size and the rights that come with it.
Value *Provenance::sizeTold(Value *Told, Field Which, IRBuilderBase &Build) {
  static_assert(WS_NOT_WRITABLE == Bounds::Forbidden &&
                WS_NOT_READABLE == Bounds::Forbidden >> 1);
  Value *Bytes = Build.CreateAnd(Told, WS_SIZE_BITS);
  Value *Right = Which == ReadSize ? Build.CreateShl(Told, 1) : Told;
  return Build.CreateOr(Bytes, Build.CreateAnd(Right, Bounds::Forbidden));
}

Value *Provenance::ofRoot(unsigned Index, Field Which) {
  const Root &R = Roots[Index];
  if (Which == RootNumber)
    return ConstantInt::get(I32, Index);
  if (Which == Life) // by its name: it is alive
    return ConstantInt::get(I32, Lifetimes::None);
  if (R.What == Root::Kind::Argument)
    return ofArgument(R.Arg, Which);
  auto *Variable = dyn_cast_or_null<GlobalVariable>(R.Object);
  bool Constant =
      R.What == Root::Kind::Constant || (Variable && Variable->isConstant());
  if (!R.isVariable() || Which == Offset || (Which == WriteSize && Constant))
    return ConstantInt::get(I64, 0);
  return ConstantInt::get(I64, R.Size);
}

Value *Provenance::atOnce(Value *Pointer, Field Which) {
  if (Which == Life)
    return mayEnd(Pointer) ? nullptr : ConstantInt::get(I32, Lifetimes::None);
  if (Which == Offset)
    return nullptr;
  // Which root a pointer belongs to is often known without looking further.
  const PointerOrigin &From = Roots.originOf(Pointer);
  return From.isOne() ? ofRoot(From.Roots[0], Which) : nullptr;
}

Value *Provenance::ofMark(Instruction &Mark, Value *Variable, Field Which) {
  if (Which != Life)
    return nullptr;
  Builder Build(Mark.getNextNode());
  // Where it is not alive, its address was not taken there but computed.
  return Lives.nowOr(Lifetimes::None, Variable, Build);
}

Value *Provenance::ofAddress(GEPOperator &Address, Field Which) {
  Value *Base = field(Address.getPointerOperand(), Which);
  if (Which != Offset)
    return Base;
  Instruction *Place = placeOf(&Address);
  Instruction *Before = Place->getPrevNode();
  Builder Build(Place);
  // Without assumptions: if they held, there would be nothing to check.
  Value *Added = emitGEPOffset(&Build, Kernel.getDataLayout(), &Address,
                               /*NoAssumptions=*/true);
  Value *Sum = Build.CreateAdd(Base, Build.CreateSExtOrTrunc(Added, I64));
  if (Address.hasNoUnsignedSignedWrap())
    for (Instruction *I = Before ? Before->getNextNode()
                                 : &Place->getParent()->front();
         I != Place; I = I->getNextNode())
      if (isa<OverflowingBinaryOperator>(I))
        addFlags(*I, warpsan::Node::NoSignedWrap);
  return Sum;
}

/// A pointer made of an integer that was made of a pointer: as far from the
/// root's start as the integer is from the start's address.
Value *Provenance::ofInteger(Operator &Cast, Field Which) {
  Value *Integer = Cast.getOperand(0);
  PtrToIntOperator *Behind = originOfInteger(Integer).Pointer;
  Value *Pointer = Behind->getPointerOperand();
  if (Which != Offset)
    return field(Pointer, Which);
  Value *Before = field(Pointer, Offset);
  Builder Build(placeOf(&Cast));
  Value *Moved = Build.CreateSub(Build.CreateZExtOrTrunc(Integer, I64),
                                 Build.CreateZExtOrTrunc(Behind, I64));
  return Build.CreateAdd(Before, Moved);
}

//===----------------------------------------------------------------------===//
// Lives of variables
//===----------------------------------------------------------------------===//

/// True if \p Pointer may be to a variable whose lives are counted.
bool Provenance::mayEnd(Value *Pointer) {
  const PointerOrigin &From = Roots.originOf(Pointer);
  return From.Kept || From.Unknown || any_of(From.Roots, [&](unsigned Index) {
           return Lives.areCounted(Roots[Index].Object);
         });
}

/// What a pointer carries that was found to be to the root by its address.
Value *Provenance::lifeFound(unsigned Index, IRBuilderBase &Build) {
  if (!Lives.areCounted(Roots[Index].Object))
    return ofRoot(Index, Life);
  return Lives.nowOr(Lifetimes::Dead, Roots[Index].Object, Build);
}

Value *Provenance::hasEnded(Value *Pointer, const Bounds &B,
                            IRBuilderBase &Build) {
  if (!B.Life || B.Life == ConstantInt::get(I32, Lifetimes::None))
    return Build.getFalse();
  const PointerOrigin From = Roots.originOf(Pointer);
  const bool Any = From.Kept || From.Unknown;
  Value *Now = B.Life;
  for (unsigned I = 0; I < Roots.all().size(); ++I)
    if (Lives.areCounted(Roots[I].Object) &&
        (Any || is_contained(From.Roots, I)))
      Now =
          Build.CreateSelect(Build.CreateICmpEQ(B.Root, ofRoot(I, RootNumber)),
                             Lives.now(Roots[I].Object, Build), Now);
  return Build.CreateAnd(
      Build.CreateICmpNE(B.Life, ConstantInt::get(I32, Lifetimes::None)),
      Build.CreateICmpNE(B.Life, Now));
}

//===----------------------------------------------------------------------===//
// By address
//===----------------------------------------------------------------------===//

Value *Provenance::baseOf(const Root &R) {
  return R.Object ? R.Object : Kernel.getArg(R.Arg);
}

static bool canPointInto(Space Pointer, Space Memory) {
  return Pointer == Memory ||
         (Pointer == Space::Generic && Memory != Space::Constant);
}

/// Of the allocation around \p LookAt, if \p Address \p CanBe in the heap and
/// the twin has one; else of the null or the unknown root, with size 0.
Bounds Provenance::boundsInHeap(Value *Address, Value *LookAt, bool CanBe,
                                IRBuilderBase &Build) {
  Value *Zero = ConstantInt::get(I64, 0);
  Value *Nowhere = Build.CreateSelect(Build.CreateICmpEQ(Address, Zero),
                                      ofRoot(Roots.null(), RootNumber),
                                      ofRoot(Roots.unknown(), RootNumber));
  Value *Heap = Made.hidden(HiddenArg::Kind::Heap);
  Value *NoLife = ConstantInt::get(I32, Lifetimes::None);
  if (!CanBe || !Heap)
    return {Address, Zero, Zero, Nowhere, NoLife};
  CallInst *Block = Build.CreateCall(Find, {Heap, LookAt});
  Block->setCallingConv(Find->getCallingConv());
  Value *Start = Build.CreateExtractElement(Block, uint64_t(0));
  Value *Told = Build.CreateExtractElement(Block, uint64_t(1));
  return {Build.CreateSub(Address, Start),
          sizeTold(Told, ReadSize, Build),
          sizeTold(Told, WriteSize, Build),
          Build.CreateSelect(Build.CreateICmpEQ(Start, Zero), Nowhere,
                             ofRoot(Roots.heap(), RootNumber)),
          NoLife,
          Build.CreateICmpNE(Build.CreateAnd(Told, WS_MARKED), Zero)};
}

/// Once, where the pointer comes from: it is confined to the object there.
Value *Provenance::ofUnknown(Value *Pointer, Field Which) {
  auto Found = FoundBounds.find(Pointer);
  if (Found == FoundBounds.end()) {
    Instruction *From = placeOf(Pointer);
    Builder Build(From == Start ? From : From->getNextNode());
    Bounds B = boundsByAddress(Pointer, Build);
    if (Operator::getOpcode(Pointer) == Instruction::IntToPtr)
      B = orOfInteger(B, *cast<Operator>(Pointer), Build);
    Found = FoundBounds.try_emplace(Pointer, B).first;
  }
  return fieldOf(Found->second, Which);
}

/// \p Found, or if that is in nothing, the bounds of the pointer that the
/// integer is computed from, moved: \p Cast is outside of that object then.
Bounds Provenance::orOfInteger(const Bounds &Found, Operator &Cast,
                               IRBuilderBase &Build) {
  if (!originOfInteger(Cast.getOperand(0)).Pointer)
    return Found;
  Value *Nowhere =
      Build.CreateICmpEQ(Found.Root, ofRoot(Roots.unknown(), RootNumber));
  auto Or = [&](Value *Its, Field Which) {
    return Build.CreateSelect(Nowhere, ofInteger(Cast, Which), Its);
  };
  return {Or(Found.Offset, Offset),
          Or(Found.ReadSize, ReadSize),
          Or(Found.WriteSize, WriteSize),
          Or(Found.Root, RootNumber),
          Lives.any() ? Or(Found.Life, Life) : Found.Life,
          Found.InObject};
}

/// What is said of a pointer by somebody who need not be right.
struct Provenance::Hint {
  Value *Any;    ///< i1: something is said
  Value *Root;   ///< i32: the root that it belongs to
  Value *Offset; ///< i64: how far from the root's start it is
};

/// \p Kept says where to look first. Whatever it says, a pointer is only ever
/// confined to memory that exists.
Bounds Provenance::boundsByAddress(Value *Pointer, IRBuilderBase &Build,
                                   const Hint *Kept) {
  Value *Address =
      Build.CreateZExtOrTrunc(Build.CreatePtrToInt(Pointer, I64), I64);
  Space Where = T.spaceOf(Pointer->getType()->getPointerAddressSpace());
  Value *LookAt = Address;
  if (Kept) {
    // By the start of the allocation, which may be far from where the pointer
    // is now; an offset that no address has is one into foreign memory.
    constexpr uint64_t Far = uint64_t(1) << WS_ADDRESS_BITS;
    Value *Near = Build.CreateICmpULT(
        Build.CreateAdd(Kept->Offset, ConstantInt::get(I64, Far)),
        ConstantInt::get(I64, 2 * Far));
    Value *InHeap =
        Build.CreateICmpEQ(Kept->Root, ofRoot(Roots.heap(), RootNumber));
    LookAt = Build.CreateSelect(
        Build.CreateAnd(Kept->Any, Build.CreateAnd(Near, InHeap)),
        Build.CreateSub(Address, Kept->Offset), Address);
  }
  Bounds Result =
      boundsInHeap(Address, LookAt,
                   Where == Space::Global || Where == Space::Generic, Build);
  for (unsigned I = 0; I < Roots.all().size(); ++I) {
    const Root &R = Roots[I];
    if (R.What != Root::Kind::Argument && !R.isVariable())
      continue;
    Value *Base = baseOf(R);
    if (!canPointInto(Where,
                      T.spaceOf(Base->getType()->getPointerAddressSpace())))
      continue;
    if (Base->getType() != Pointer->getType())
      Base = Build.CreateAddrSpaceCast(Base, Pointer->getType());
    Value *Read = ofRoot(I, ReadSize), *Write = ofRoot(I, WriteSize);
    Value *From = Build.CreateAdd(
        Build.CreateSub(Address, Build.CreatePtrToInt(Base, I64)),
        ofRoot(I, Offset));
    Value *Inside = Build.CreateOr(
        Build.CreateICmpULT(From, Build.CreateAnd(Read, ~Bounds::Forbidden)),
        Build.CreateICmpULT(From, Build.CreateAnd(Write, ~Bounds::Forbidden)));
    // The argument may be all of the pool that the object is in.
    if (Result.InObject)
      Inside = Build.CreateAnd(Inside, Build.CreateNot(Result.InObject));
    if (Kept)
      Inside = Build.CreateSelect(
          Kept->Any, Build.CreateICmpEQ(Kept->Root, ofRoot(I, RootNumber)),
          Inside);
    Result.Offset = Build.CreateSelect(Inside, From, Result.Offset);
    Result.ReadSize = Build.CreateSelect(Inside, Read, Result.ReadSize);
    Result.WriteSize = Build.CreateSelect(Inside, Write, Result.WriteSize);
    Result.Root =
        Build.CreateSelect(Inside, ofRoot(I, RootNumber), Result.Root);
    Result.Life = Build.CreateSelect(Inside, lifeFound(I, Build), Result.Life);
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Pointers kept in private or local memory
//===----------------------------------------------------------------------===//
//
// A variable that pointers are loaded from has a shadow: for each place of a
// pointer the address that was stored there, and its bounds. If the address
// that is loaded is another one (it came by a copy of bytes), the pointer is
// looked up by its address.
//
// The shadow of a local variable begins as whatever an earlier kernel left
// there, and work-items may write it at once: it is not trusted. Only the root
// and the offset are taken, to know where to look.

static constexpr unsigned SlotWords = 5;  // address, offset, sizes, root
static constexpr unsigned LifeShift = 32; // beside the root
static constexpr unsigned PointerBytes = 8;

Value *Provenance::shadowOf(unsigned RootIndex) {
  Value *&Shadow = Shadows[RootIndex];
  if (Shadow)
    return Shadow;
  const Root &R = Roots[RootIndex];
  uint64_t Slots = std::max<uint64_t>(1, R.Size / PointerBytes);
  auto *Type = ArrayType::get(I64, Slots * SlotWords);
  if (R.What == Root::Kind::Local)
    return Shadow = makeLocalVariable(*Kernel.getParent(), Type,
                                      "warpsan.shadow", T);
  Builder Build(&*Kernel.getEntryBlock().begin());
  Shadow = Build.CreateAlloca(Type, nullptr, "warpsan.shadow");
  Build.SetInsertPoint(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Build.CreateMemSet(Shadow, Build.getInt8(0), Slots * SlotWords * 8,
                     MaybeAlign(8));
  return Shadow;
}

/// The slot that belongs to \p Address; slot 0 if that is outside.
Value *Provenance::shadowSlot(Value *Address, IRBuilderBase &Build,
                              Value *&Inside) {
  unsigned Index = Roots.originOf(Address).Roots[0];
  Value *Shadow = shadowOf(Index);
  Value *At = field(Address, Offset);
  uint64_t Size = Roots[Index].Size;
  Inside = Size < PointerBytes
               ? Build.getFalse()
               : Build.CreateICmpULT(
                     At, ConstantInt::get(I64, Size - PointerBytes + 1));
  Value *Slot = Build.CreateSelect(
      Inside, Build.CreateUDiv(At, ConstantInt::get(I64, PointerBytes)),
      ConstantInt::get(I64, 0));
  return Build.CreateGEP(
      I64, Shadow, Build.CreateMul(Slot, ConstantInt::get(I64, SlotWords)));
}

void Provenance::keep(StoreInst &Store) {
  Value *Pointer = Store.getValueOperand();
  const PointerOrigin Where = Roots.originOf(Store.getPointerOperand());
  if (!Pointer->getType()->isPointerTy() || !Where.isOne() ||
      !Roots.keepsPointers(Where.Roots[0]))
    return;
  Builder Build(Store.getNextNode());
  Bounds B = boundsOf(Pointer, /*Reads=*/true, /*Writes=*/true);
  Value *Number = Build.CreateZExt(B.Root, I64);
  if (B.Life) // in the same word
    Number = Build.CreateOr(
        Number, Build.CreateShl(Build.CreateZExt(B.Life, I64), LifeShift));
  Value *Words[SlotWords] = {Build.CreatePtrToInt(Pointer, I64), B.Offset,
                             B.ReadSize, B.WriteSize, Number};
  Value *Inside = nullptr;
  Value *Slot = shadowSlot(Store.getPointerOperand(), Build, Inside);
  for (unsigned I = 0; I < SlotWords; ++I)
    Build.CreateAlignedStore(Words[I], Build.CreateConstGEP1_64(I64, Slot, I),
                             Align(8));
}

Value *Provenance::ofKept(LoadInst &Load, Field Which) {
  auto Found = FoundBounds.find(&Load);
  if (Found == FoundBounds.end()) {
    Builder Build(Load.getNextNode());
    const Root &Holder =
        Roots[Roots.originOf(Load.getPointerOperand()).Roots[0]];
    const bool Believed = Holder.What != Root::Kind::Local;
    Bounds B = {};
    if (Believed)
      B = boundsByAddress(&Load, Build);
    Value *Inside = nullptr;
    Value *Slot = shadowSlot(Load.getPointerOperand(), Build, Inside);
    Value *Words[SlotWords];
    for (unsigned I = 0; I < SlotWords; ++I)
      Words[I] = Build.CreateAlignedLoad(
          I64, Build.CreateConstGEP1_64(I64, Slot, I), Align(8));
    Value *Same = Build.CreateAnd(
        Inside, Build.CreateICmpEQ(Words[0], Build.CreatePtrToInt(&Load, I64)));
    Value *RootWord = Build.CreateTrunc(Words[4], I32);
    if (Believed) {
      B.Offset = Build.CreateSelect(Same, Words[1], B.Offset);
      B.ReadSize = Build.CreateSelect(Same, Words[2], B.ReadSize);
      B.WriteSize = Build.CreateSelect(Same, Words[3], B.WriteSize);
      B.Root = Build.CreateSelect(Same, RootWord, B.Root);
    } else {
      const Hint Kept = {Same, RootWord, Words[1]};
      B = boundsByAddress(&Load, Build, &Kept);
    }
    if (Lives.any())
      B.Life = Build.CreateSelect(
          Same, Build.CreateTrunc(Build.CreateLShr(Words[4], LifeShift), I32),
          B.Life);
    Found = FoundBounds.try_emplace(&Load, B).first;
  }
  return fieldOf(Found->second, Which);
}
