//===- compiler/schemes/tagged.cpp - schemes that tag pointers ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/tagged.h"

#include "abi/record.h"
#include "abi/schemes.h"
#include "compiler/ir/int_to_ptr.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace warpsan;

Tagged::Tagged(const KernelParts &Of)
    : PointerMetadata(*Of.Made.Kernel, Of.Roots), Made(Of.Made),
      Runtime(Of.Runtime), T(Of.T), Lives(Kernel),
      Where(Made, Roots, Lives, Of.Runtime.Find, T),
      I64(Type::getInt64Ty(Kernel.getContext())), Left(Of, Where) {}

Type *Tagged::typeOf(Field) { return I64; }

Value *Tagged::atOnce(Value *, Field) { return nullptr; }

Value *Tagged::ofRoot(unsigned Index, Field) {
  const Root &R = Roots[Index];
  if (R.What == Root::Kind::Argument) {
    Value *Given = Made.hidden(HiddenArg::Kind::Tag, R.Arg);
    return Given ? Given : number(0);
  }
  if (!R.isVariable())
    return number(0);
  auto [It, New] = Placed.try_emplace(Index, 0);
  if (New)
    It->second = tagOf(R);
  return number(It->second);
}

Value *Tagged::ofAddress(GEPOperator &Address, Field Which) {
  Value *Base = field(Address.getPointerOperand(), Which);
  if (Which != Tag)
    return Base;
  Builder Build(placeOf(&Address));
  Value *Added = emitGEPOffset(&Build, Kernel.getDataLayout(), &Address,
                               /*NoAssumptions=*/true);
  Added = Build.CreateSExtOrTrunc(Added, I64);
  if (match(Added, PatternMatch::m_Zero()))
    return Base;
  return moved(Base, Build.CreateAdd(Base, Added), spaceOf(Address), Build);
}

Value *Tagged::ofInteger(Operator &Cast, Field Which) {
  Value *Integer = Cast.getOperand(0);
  PtrToIntOperator *Behind = originOfInteger(Integer).Pointer;
  Value *Before = field(Behind->getPointerOperand(), Which);
  if (Which != Tag)
    return Before;
  Builder Build(placeOf(&Cast));
  Value *Added = Build.CreateSub(Build.CreateZExtOrTrunc(Integer, I64),
                                 Build.CreateZExtOrTrunc(Behind, I64));
  return moved(Before, Build.CreateAdd(Before, Added), spaceOf(Cast), Build);
}

/// By the root and the offset that it has there.
Value *Tagged::fromMemory(Value *Pointer) {
  const Bounds B = Where.boundsOf(Pointer, /*Reads=*/true, /*Writes=*/false);
  auto *From = dyn_cast<Instruction>(Pointer);
  // Behind all that Where has made of it.
  Instruction *Behind = Start;
  if (From) {
    Behind = From->getNextNode();
    for (Value *Each : {B.Offset, B.ReadSize, B.Root})
      if (auto *Its = dyn_cast<Instruction>(Each);
          Its && Its->getParent() == From->getParent() &&
          !Its->comesBefore(Behind))
        Behind = Its->getNextNode();
  }
  Builder Build(Behind);
  Value *Result = number(0);
  auto Is = [&](unsigned Index) {
    return Build.CreateICmpEQ(B.Root, Build.getInt32(Index));
  };
  auto At = [&](Value *First, Value *Offset, Space Of) {
    return moved(First, Build.CreateAdd(First, Offset), Of, Build);
  };
  if (Made.hidden(HiddenArg::Kind::Heap)) {
    Value *Address = Build.CreatePtrToInt(Pointer, I64);
    Result = Build.CreateSelect(
        Is(Roots.heap()),
        At(ofHeap(Build.CreateSub(Address, B.Offset), B.ReadSize, Build),
           B.Offset, Space::Global),
        Result);
  }
  for (unsigned I = 0; I < Roots.all().size(); ++I) {
    const Root &R = Roots[I];
    if (R.isVariable()) { // or an argument that is passed by value
      const Space Of = R.Object ? spaceOf(*R.Object) : Space::Private;
      Result =
          Build.CreateSelect(Is(I), At(ofRoot(I, Tag), B.Offset, Of), Result);
    }
    if (R.What != Root::Kind::Argument)
      continue;
    // The tag is of where the argument points to, the offset from where its
    // memory begins.
    Value *Begins = Made.hidden(HiddenArg::Kind::Start, R.Arg);
    Value *Offset = Begins ? Build.CreateSub(B.Offset, Begins) : B.Offset;
    Result = Build.CreateSelect(
        Is(I), At(ofRoot(I, Tag), Offset, spaceOf(*Kernel.getArg(R.Arg))),
        Result);
  }
  return Result;
}

Value *Tagged::ofKept(LoadInst &Load, Field) { return fromMemory(&Load); }

Value *Tagged::ofUnknown(Value *Pointer, Field) { return fromMemory(Pointer); }

Value *Tagged::hasEnded(Value *Pointer, IRBuilderBase &Build) {
  if (!Lives.any())
    return Build.getFalse();
  return Where.hasEnded(Pointer, Where.boundsOf(Pointer, false, false), Build);
}

const Root *Tagged::rootOf(const Access &A) {
  const PointerOrigin From = Roots.originOf(A.Pointer);
  return From.isOne() ? &Roots[From.Roots[0]] : nullptr;
}

void Tagged::addPlace(Failure &Tells, Value *At, IRBuilderBase &Build) {
  const auto Index = cast<ConstantInt>(Tells.Root)->getZExtValue();
  const auto Bytes = cast<ConstantInt>(Tells.Bytes)->getZExtValue();
  const Root &R = Roots[Index];
  Tells.Offset = Tells.Size = number(0);
  if (Index == Roots.unknown())
    return;
  constexpr unsigned Unused = 64 - WS_TAG_ADDRESS_BITS;
  Value *Moved = Build.CreateSub(At, ofRoot(Index, Tag));
  Moved = Build.CreateAShr(Build.CreateShl(Moved, Unused), Unused);
  if (Value *Begins = R.What == Root::Kind::Argument
                          ? Made.hidden(HiddenArg::Kind::Start, R.Arg)
                          : nullptr)
    Moved = Build.CreateAdd(Moved, Begins);
  Tells.Offset = Moved;
  Tells.Size = number(R.Size);
  if (R.What != Root::Kind::Argument)
    return;
  Value *Size = Made.hidden(HiddenArg::Kind::Size, R.Arg);
  if (!Size)
    return;
  Tells.Size = Size;
  if (!knowsRights() || !Bytes)
    return;
  Value *Whole = Build.CreateAnd(Size, WS_SIZE_BITS);
  Tells.Outside = Build.CreateOr(
      Build.CreateICmpULT(Whole, number(Bytes)),
      Build.CreateICmpUGT(Moved, Build.CreateSub(Whole, number(Bytes))));
}

std::vector<Instruction *> Tagged::madeSince(Instruction *Last,
                                             const Access &A) {
  std::vector<Instruction *> Made;
  for (Instruction *Next = Last ? Last->getNextNode()
                                : &A.At->getParent()->front();
       Next != A.At; Next = Next->getNextNode())
    Made.push_back(Next);
  return Made;
}

void Tagged::tell(const Access &A, unsigned Number, unsigned Test,
                  const Verdict &Said, std::vector<Check> &Checks) {
  if (match(Said.Bad, PatternMatch::m_Zero()))
    return;
  if (Said.Quiet) {
    Checks.push_back({Said.Bad, /*Stops=*/true, A.Writes, Failure()});
    return;
  }
  Made.Sites[Number].Is = Site::State::Checked;
  Failure Tells;
  Tells.Check = Number * WS_TESTS + Test;
  Tells.Bytes = number(A.Bytes);
  Tells.Address = number(0);
  const PointerOrigin From = Roots.originOf(A.Pointer);
  // What a report needs, and no check.
  Instruction *Last = A.At->getPrevNode();
  Builder Build(A.At);
  Tells.Root = Build.getInt32(From.isOne() ? From.Roots[0] : Roots.unknown());
  addPlace(Tells, Said.Tag, Build);
  Checks.push_back({Said.Bad, /*Stops=*/true, A.Writes, Tells});
  Checks.back().Cold = madeSince(Last, A);
  Checks.back().Suspect = Said.Suspect;
  Checks.back().Asked = Said.Asked;
  if (From.isOne() && !A.Count)
    Checks.back().Kept = {Said.Tag};
}

Failure Tagged::later(const Check &C, ArrayRef<Value *> Kept,
                      IRBuilderBase &Build) {
  Failure Tells = C.Tells;
  addPlace(Tells, Kept.front(), Build);
  return Tells;
}

/// Whether launches decide that \p A is in bounds.
bool Tagged::isLeft(const Access &A, unsigned Number) {
  if (!Left.areWanted())
    return false;
  Builder Build(A.At);
  const Bounds B = Where.boundsOf(A.Pointer, false, false);
  return Left.claim(A, Number, offsetOf(A, B.Offset, Build),
                    Roots.originOf(A.Pointer));
}

void Tagged::plan(const Access &A, unsigned Number,
                  std::vector<Check> &Checks) {
  if (A.Image)
    return; // none of the papers has images
  Site &S = Made.Sites[Number];
  if (const Root *R = rootOf(A)) {
    S.Root = static_cast<int>(Roots.originOf(A.Pointer).Roots[0]);
    if (!watches(*R))
      return; // counted as untraced
  }
  if (isLeft(A, Number)) {
    S.Is = Site::State::Claimed;
    return;
  }
  S.Is = Site::State::Proven;
  Value *Of = field(A.Pointer, Tag);
  Builder Build(A.At);
  auto Behind = [&](Value *Bytes) {
    return moved(Of, Build.CreateAdd(Of, Bytes), spaceOf(*A.Pointer), Build);
  };
  if (A.Index)
    Of = Behind(Build.CreateMul(Build.CreateSExtOrTrunc(A.Index, I64),
                                number(A.Scale)));
  Value *Late = isLate({A, Of, A.Bytes}, Build);
  tell(A, Number, WS_TEST_SCOPE, {Late, Of}, Checks);
  Verdict Said{nullptr, Of};
  if (A.Count) {
    // The hardware would see each element: here the first and the last.
    Value *Count = Build.CreateZExtOrTrunc(A.Count, I64);
    Value *Steps = Build.CreateSub(Count, number(1));
    if (A.Stride)
      Steps = Build.CreateMul(Steps, Build.CreateZExtOrTrunc(A.Stride, I64));
    Value *First = isBad({A, Of, A.Bytes}, Build);
    Value *End = Behind(Build.CreateMul(Steps, number(A.Bytes)));
    Said.Bad =
        Build.CreateAnd(Build.CreateICmpNE(Count, number(0)),
                        Build.CreateOr(First, isBad({A, End, A.Bytes}, Build)));
  } else {
    Said = judge(A, Number, Of, Build);
  }
  assert((!Said.Suspect || match(Late, PatternMatch::m_Zero())) &&
         "what is asked is in another place then");
  if (!match(Late, PatternMatch::m_Zero()))
    Said.Bad = Build.CreateAnd(Build.CreateNot(Late), Said.Bad);
  tell(A, Number, WS_TEST_BOUNDS, Said, Checks);
}
