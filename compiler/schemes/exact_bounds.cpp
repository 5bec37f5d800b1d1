//===- compiler/schemes/exact_bounds.cpp - WarpSan's own scheme -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/schemes/exact_bounds.h"

#include "abi/record.h"
#include "compiler/checks/images.h"
#include "compiler/ir/arg_info.h"
#include "compiler/pointers/member_arrays.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"

#include <optional>
#include <utility>

using namespace llvm;
using namespace warpsan;

static bool isFalse(const Value *V) {
  const auto *Constant = dyn_cast<ConstantInt>(V);
  return Constant && Constant->isZero();
}

/// False for variables and local arguments: whatever has no flags.
static bool canForbid(const Value *Size) {
  return !isa<ConstantInt>(Size) && !isa<Argument>(Size);
}

/// How many offsets an access of \p Bytes may start at: the size less what it
/// reaches beyond its first byte, and none if it does not fit.
Value *ExactBounds::limitOf(Value *Size, uint64_t Bytes, IRBuilderBase &Build) {
  if (Bytes <= 1 && !canForbid(Size))
    return Size;
  // As a maximum: a zero to choose would be a second comparison at each check,
  // once LLVM has put the choice into the comparison with the offset.
  auto Make = [&](IRBuilderBase &At) {
    Value *Least = number(Bytes - 1);
    return At.CreateSub(
        At.CreateSelect(At.CreateICmpSGT(Size, Least), Size, Least), Least);
  };
  if (!Where.isSizeOfArgument(Size))
    return Make(Build);
  // The same in the whole kernel: once, at its start.
  Value *&Known = Limits[{Size, Bytes}];
  if (!Known) {
    auto *Told = dyn_cast<Instruction>(Size);
    Builder Entry(Told
                      ? Told->getNextNode()
                      : &*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Known = Make(Entry);
  }
  return Known;
}

/// True (as a value) if Count elements from Offset on do not fit into Size.
/// Divisions instead of products: nothing here can wrap.
Value *ExactBounds::beyondRange(const Access &A, Value *Offset, Value *Size,
                                IRBuilderBase &Build, Value *&Bytes) {
  Value *Count = Build.CreateZExtOrTrunc(A.Count, I64);
  Size = limitOf(Size, 1, Build);
  Value *Left = Build.CreateSelect(Build.CreateICmpULE(Offset, Size),
                                   Build.CreateSub(Size, Offset), number(0));
  Value *Elements = Build.CreateUDiv(Left, number(A.Bytes));
  auto BytesOf = [&](Value *Span) { // at most all there are
    return Build.CreateSelect(
        Build.CreateICmpUGT(Span, number(UINT64_MAX / A.Bytes)),
        number(UINT64_MAX), Build.CreateMul(Span, number(A.Bytes)));
  };
  if (!A.Stride) {
    Bytes = BytesOf(Count);
    return Build.CreateICmpUGT(Count, Elements);
  }
  Value *Stride = Build.CreateZExtOrTrunc(A.Stride, I64);
  Stride = Build.CreateSelect(Build.CreateICmpEQ(Stride, number(0)), number(1),
                              Stride);
  Value *Steps = Build.CreateSub(Count, number(1));
  Bytes = BytesOf(Build.CreateAdd(Build.CreateMul(Steps, Stride), number(1)));
  Value *Last = Build.CreateSub(Elements, number(1));
  Value *None = Build.CreateICmpEQ(Elements, number(0));
  Value *TooFar = Build.CreateICmpUGT(Steps, Build.CreateUDiv(Last, Stride));
  return Build.CreateAnd(Build.CreateICmpNE(Count, number(0)),
                         Build.CreateOr(None, TooFar));
}

Value *ExactBounds::beyond(const Access &A, Value *Offset, Value *Size,
                           IRBuilderBase &Build, Value *&Bytes) {
  if (A.Count)
    return beyondRange(A, Offset, Size, Build, Bytes);
  Bytes = number(A.Bytes);
  if (A.Bytes == 0)
    return Build.getFalse();
  return Build.CreateICmpUGE(Offset, limitOf(Size, A.Bytes, Build));
}

/// Not simply as an integer if it was one: rusticl (Mesa 25.0) crashes over a
/// pointer to constant memory that is cast to an integer and to a pointer and
/// to an integer.
Value *ExactBounds::addressOf(Value *Pointer, IRBuilderBase &Build) {
  if (Operator::getOpcode(Pointer) == Instruction::IntToPtr)
    return Build.CreateZExtOrTrunc(cast<Operator>(Pointer)->getOperand(0), I64);
  auto *Address = dyn_cast<GEPOperator>(Pointer);
  if (!Address || Operator::getOpcode(getUnderlyingObject(Pointer, 0)) !=
                      Instruction::IntToPtr)
    return Build.CreatePtrToInt(Pointer, I64);
  Value *Added = emitGEPOffset(&Build, Kernel.getDataLayout(), Address,
                               /*NoAssumptions=*/true);
  return Build.CreateAdd(addressOf(Address->getPointerOperand(), Build),
                         Build.CreateSExtOrTrunc(Added, I64));
}

/// Builds the tests of one access that is not to an image, in the order of the
/// methods. A test that follows the bounds test fails only if the earlier tests
/// passed.
class ExactBounds::AccessTests {
public:
  AccessTests(ExactBounds &Scheme, const Access &A, unsigned Number,
              std::vector<Check> &Checks)
      : Scheme(Scheme), A(A), Number(Number), Checks(Checks),
        S(Scheme.Made.Sites[Number]), From(Scheme.Roots.originOf(A.Pointer)),
        Build(A.At) {}

  /// True if each launch decides whether the access is in bounds: it has no
  /// tests then.
  bool claim();
  /// Reads the bounds for all tests.
  void begin();
  void scopeTest() { add(Ended, WS_TEST_SCOPE, /*Stops=*/true); }
  void boundsTest();
  void objectTest();
  void alignmentTest();
  void memberTest();

private:
  void add(Value *Fails, unsigned Test, bool Stops);
  Value *addressOfAccess();
  Value *unlessFailed(Value *Test) {
    return Build.CreateAnd(Build.CreateNot(Build.CreateOr(Ended, Bad)), Test);
  }
  std::string memberName(const Member &M) const;

  ExactBounds &Scheme;
  const Access &A;
  const unsigned Number;
  std::vector<Check> &Checks;
  Site &S;
  const PointerOrigin From;
  Builder Build;
  Value *Offset = nullptr;    ///< of the access in its object
  Value *Ended = nullptr;     ///< i1: the object's scope has ended
  Value *Bad = nullptr;       ///< i1: it is out of bounds
  Value *Bytes = nullptr;     ///< that it spans
  Bounds B = {};              ///< of the pointer
  Failure Tells;              ///< of the next test
  bool CanBeDeferred = false; ///< reported at kernel exit
};

bool ExactBounds::AccessTests::claim() {
  const Bounds Unsized = Scheme.Where.boundsOf(A.Pointer, false, false);
  Offset = offsetOf(A, Unsized.Offset, Build);
  S.Is = Site::State::Proven;
  if (From.isOne())
    S.Root = static_cast<int>(From.Roots[0]);
  Ended = Scheme.Where.hasEnded(A.Pointer, Unsized, Build);
  if (!isFalse(Ended)) {
    S.Why = "the scope of its variable may have ended";
    return false;
  }
  if (!Scheme.Left.claim(A, Number, Offset, From))
    return false;
  S.Is = Site::State::Claimed;
  return true;
}

/// i64; 0 if the address space has no addresses that the host knows.
Value *ExactBounds::AccessTests::addressOfAccess() {
  const Space In =
      Scheme.T.spaceOf(A.Pointer->getType()->getPointerAddressSpace());
  if (In != Space::Global && In != Space::Generic)
    return Scheme.number(0);
  return Build.CreateAdd(Scheme.addressOf(A.Pointer, Build),
                         Build.CreateSub(Offset, B.Offset));
}

void ExactBounds::AccessTests::begin() {
  B = Scheme.Where.boundsOf(A.Pointer, A.Reads, A.Writes);
  Tells.Root = B.Root;
  Tells.Offset = Offset;
  Tells.Address = addressOfAccess();
  CanBeDeferred = From.isOne() && isa<ConstantInt>(B.Root) && !A.Count &&
                  (Scheme.Roots[From.Roots[0]].isVariable() ||
                   Scheme.Roots[From.Roots[0]].What == Root::Kind::Argument);
  Bad = Build.getFalse();
  Tells.Size = A.Writes ? B.WriteSize : B.ReadSize;
  if (A.Reads)
    Bad =
        Build.CreateOr(Bad, Scheme.beyond(A, Offset, B.ReadSize, Build, Bytes));
  if (A.Writes && !(A.Reads && B.ReadSize == B.WriteSize))
    Bad = Build.CreateOr(Bad,
                         Scheme.beyond(A, Offset, B.WriteSize, Build, Bytes));
  Tells.Bytes = Bytes;
}

void ExactBounds::AccessTests::add(Value *Fails, unsigned Test, bool Stops) {
  if (isFalse(Fails))
    return;
  S.Is = Site::State::Checked;
  Tells.Check = Number * WS_TESTS + Test;
  Checks.push_back({Fails, Stops, A.Writes, Tells});
  if (!CanBeDeferred)
    return;
  Checks.back().Kept = {Offset};
  if (Tells.Offset != Offset) // of a member, and where in the root
    Checks.back().Kept = {Tells.Offset, Offset};
}

void ExactBounds::AccessTests::boundsTest() {
  if (!isFalse(Ended) && !isFalse(Bad))
    Bad = Build.CreateAnd(Build.CreateNot(Ended), Bad);
  add(Bad, WS_TEST_BOUNDS, /*Stops=*/true);
  if (!isFalse(Bad) && canForbid(Tells.Size))
    Scheme.planRights(A, Offset, Checks.back());
}

/// Of the marked objects in a buffer.
void ExactBounds::AccessTests::objectTest() {
  Value *Objects = Scheme.Where.objectsOf(A.Pointer, B, Build);
  if (!Objects)
    return;
  // Only where the access is in the buffer: Bytes may be anything otherwise.
  CallInst *Call = Build.CreateCall(
      Scheme.Outside, {Scheme.Made.hidden(HiddenArg::Kind::Heap),
                       Build.CreateSelect(Build.CreateOr(Ended, Bad),
                                          Scheme.number(0), Objects),
                       Offset, Bytes});
  Call->setCallingConv(Scheme.Outside->getCallingConv());
  Value *None = Build.CreateICmpNE(Call, Build.getInt32(0));
  add(None, WS_TEST_OBJECT, /*Stops=*/true);
  Bad = Build.CreateOr(Bad, None);
}

void ExactBounds::AccessTests::alignmentTest() {
  if (surelyAligned(A, Offset))
    return;
  // The access is performed all the same: the driver must not rely on it.
  if (auto *Load = dyn_cast<LoadInst>(A.At))
    Load->setAlignment(Align(1));
  if (auto *Store = dyn_cast<StoreInst>(A.At))
    Store->setAlignment(Align(1));
  Value *Low = Build.CreateAnd(Offset, Scheme.number(A.Align - 1));
  add(unlessFailed(Build.CreateICmpNE(Low, Scheme.number(0))), WS_TEST_ALIGN,
      /*Stops=*/false);
}

std::string ExactBounds::AccessTests::memberName(const Member &M) const {
  if (!From.isOne())
    return M.Name;
  const Root &In = Scheme.Roots[From.Roots[0]];
  return nameOf(M, In,
                In.What == Root::Kind::Argument
                    ? argString(Scheme.Kernel, "kernel_arg_name", In.Arg)
                    : In.Name,
                Scheme.Kernel.getDataLayout());
}

/// Of an array in a struct.
void ExactBounds::AccessTests::memberTest() {
  const std::optional<Member> M = memberOf(A.Pointer);
  if (!M)
    return;
  Value *Start = Scheme.Where.boundsOf(createStart(*M), false, false).Offset;
  Tells.Offset = Build.CreateSub(Offset, Start);
  Tells.Size = Scheme.number(M->Bytes);
  Value *Ignored = nullptr;
  Value *Over = Scheme.beyond(A, Tells.Offset, Tells.Size, Build, Ignored);
  if (!isFalse(Over)) {
    S.Member = memberName(*M);
    S.MemberElement = M->Element;
  }
  add(unlessFailed(Over), WS_TEST_MEMBER, /*Stops=*/true);
}

void ExactBounds::plan(const Access &A, unsigned Number,
                       std::vector<Check> &Checks) {
  if (A.Image)
    return planImage(A, Number, Checks);
  AccessTests Tests(*this, A, Number, Checks);
  if (Tests.claim())
    return;
  Tests.begin();
  Tests.scopeTest();
  Tests.boundsTest();
  Tests.objectTest();
  Tests.alignmentTest();
  Tests.memberTest();
}

/// Drivers do not enforce a buffer's flags or an argument's const, and programs
/// came to rely on that: an access that is only forbidden is reported and
/// performed.
void ExactBounds::planRights(const Access &A, Value *Offset, Check &C) {
  Instruction *Last = A.At->getPrevNode();
  Builder Build(A.At);
  Value *Size = Build.CreateAnd(C.Tells.Size, ~Bounds::Forbidden), *Bytes;
  C.Tells.Outside = beyond(A, Offset, Size, Build, Bytes);
  for (Instruction *Next = Last ? Last->getNextNode()
                                : &A.At->getParent()->front();
       Next != A.At; Next = Next->getNextNode())
    C.Cold.push_back(Next);
}

void ExactBounds::planImage(const Access &A, unsigned Number,
                            std::vector<Check> &Checks) {
  Site &S = Made.Sites[Number];
  auto *Arg = dyn_cast<Argument>(A.Image);
  if (!Arg)
    return;
  if (A.Sampler && Left.claimAddressing(A, Number)) {
    S.Is = Site::State::Claimed;
    S.Root = static_cast<int>(Roots.image(Arg->getArgNo()));
    return;
  }
  Builder Build(A.At);
  Value *Mode = nullptr;
  if (A.Sampler)
    Mode = Made.hidden(HiddenArg::Kind::Size, A.Sampler->getArgNo());
  else if (A.SamplerMode)
    Mode = number(*A.SamplerMode);
  std::optional<Texel> Where = texelOf(A, Mode, Build);
  if (!Where)
    return;
  unsigned Image = Roots.image(Arg->getArgNo());
  S.Is = Site::State::Checked;
  S.Root = static_cast<int>(Image);
  Failure Tells;
  Tells.Check = Number * WS_TESTS + WS_TEST_IMAGE;
  Tells.Root = Build.getInt32(Image);
  Tells.Offset = Where->Coordinates;
  Tells.Size = Where->Sizes;
  Tells.Bytes = Tells.Address = number(0);
  Checks.push_back({Where->Outside, /*Stops=*/true, A.Writes, Tells});
}

Failure ExactBounds::later(const Check &C, ArrayRef<Value *> Kept,
                           IRBuilderBase &Build) {
  Failure Tells = C.Tells;
  Tells.Offset = Kept.front();
  if (Tells.Outside) {
    Value *Size = Build.CreateAnd(Tells.Size, ~Bounds::Forbidden);
    const auto Bytes = cast<ConstantInt>(Tells.Bytes)->getZExtValue();
    Tells.Outside =
        Build.CreateICmpUGE(Kept.front(), limitOf(Size, Bytes, Build));
  }
  Tells.Address = number(0);
  const Root &R = Roots[cast<ConstantInt>(Tells.Root)->getZExtValue()];
  if (R.What == Root::Kind::Argument)
    if (Argument *Of = Kernel.getArg(R.Arg);
        T.spaceOf(Of->getType()->getPointerAddressSpace()) == Space::Global)
      Tells.Address =
          Build.CreateAdd(Build.CreatePtrToInt(Of, I64), Kept.back());
  return Tells;
}
