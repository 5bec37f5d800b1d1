//===- compiler/checks.cpp - a check before every access ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks.h"

#include "abi/record.h"
#include "compiler/images.h"
#include "compiler/members.h"
#include "compiler/provenance.h"
#include "compiler/report_call.h"
#include "compiler/source_types.h"
#include "compiler/strings.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>
#include <optional>

using namespace llvm;
using namespace warpsan;

namespace {

/// A condition that must not hold, and what to tell if it does.
struct Check {
  WeakTrackingVH Bad;
  bool Stops;  ///< the access is not made
  bool Writes; ///< it is a write that is checked
  Failure Tells;
};

/// All checks of one instruction.
struct Plan {
  Instruction *At = nullptr;
  int CountOperand = -1; ///< Access::CountOperand
  std::vector<Check> Checks = {};
};

/// Puts the checks of one kernel in place.
class Checker {
public:
  Checker(CheckedTwin &Made, RootTable &Roots, Function &Report,
          const Target &T)
      : Made(Made), Kernel(*Made.Kernel), Roots(Roots), T(T),
        Where(Made, Roots, T), Calls(Made, Report, T),
        I64(Type::getInt64Ty(Kernel.getContext())) {}

  void run(const std::vector<Access> &Accesses);

private:
  void plan(const Access &A, unsigned Number, std::vector<Check> &Checks);
  void planImage(const Access &A, unsigned Number, std::vector<Check> &Checks);
  Value *beyond(const Access &A, Value *Offset, Value *Size,
                IRBuilderBase &Build, Value *&Bytes);
  Value *beyondRange(const Access &A, Value *Offset, Value *Size,
                     IRBuilderBase &Build, Value *&Bytes);
  Value *limitOf(Value *Size, uint64_t Bytes, IRBuilderBase &Build);
  bool surelyAligned(const Access &A, Value *Offset);
  void zeroInstead(MemTransferInst &Copy, const std::vector<Check> &Checks,
                   Instruction *Then);
  void tell(Instruction *Before, const Instruction &At, const Failure &What);
  void place(const Plan &P);

  Value *number(uint64_t N) { return ConstantInt::get(I64, N); }

  CheckedTwin &Made;
  Function &Kernel;
  RootTable &Roots;
  const Target &T;
  Provenance Where;
  ReportCalls Calls;
  IntegerType *I64;
  std::map<std::pair<Value *, uint64_t>, Value *> Limits;
};

} // namespace

static bool isFalse(const Value *V) {
  const auto *Constant = dyn_cast<ConstantInt>(V);
  return Constant && Constant->isZero();
}

/// How many offsets an access of \p Bytes may start at: the size less what it
/// reaches beyond its first byte, and none if it does not fit.
Value *Checker::limitOf(Value *Size, uint64_t Bytes, IRBuilderBase &Build) {
  if (Bytes <= 1)
    return Size;
  auto Make = [&](IRBuilderBase &At) {
    return At.CreateSelect(At.CreateICmpUGE(Size, number(Bytes)),
                           At.CreateSub(Size, number(Bytes - 1)), number(0));
  };
  if (!isa<Argument>(Size))
    return Make(Build);
  // The same in the whole kernel: once, at its start.
  Value *&Known = Limits[{Size, Bytes}];
  if (!Known) {
    Builder Entry(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Known = Make(Entry);
  }
  return Known;
}

/// True (as a value) if Count elements from Offset on do not fit into Size.
/// Divisions instead of products: nothing here can wrap around.
Value *Checker::beyondRange(const Access &A, Value *Offset, Value *Size,
                            IRBuilderBase &Build, Value *&Bytes) {
  Value *Count = Build.CreateZExtOrTrunc(A.Count, I64);
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

Value *Checker::beyond(const Access &A, Value *Offset, Value *Size,
                       IRBuilderBase &Build, Value *&Bytes) {
  if (A.Count)
    return beyondRange(A, Offset, Size, Build, Bytes);
  Bytes = number(A.Bytes);
  if (A.Bytes == 0)
    return Build.getFalse();
  return Build.CreateICmpUGE(Offset, limitOf(Size, A.Bytes, Build));
}

/// Roots are aligned for every type: drivers and compilers see to that.
bool Checker::surelyAligned(const Access &A, Value *Offset) {
  if (A.Align <= 1)
    return true;
  KnownBits Bits = computeKnownBits(Offset, Kernel.getDataLayout());
  return Bits.countMinTrailingZeros() >= Log2_64(A.Align);
}

void Checker::plan(const Access &A, unsigned Number,
                   std::vector<Check> &Checks) {
  Site &S = Made.Sites[Number];
  const PointerOrigin From = Roots.originOf(A.Pointer);
  bool ByAddress = !From.Traced;
  if (ByAddress && !Made.AddressesKnown)
    return; // shared virtual memory may be anywhere
  Builder Build(A.At);
  Bounds B = ByAddress ? Where.boundsByAddress(A.Pointer, Build)
                       : Where.boundsOf(A.Pointer);
  Value *Offset = B.Offset;
  if (A.Index)
    Offset = Build.CreateAdd(
        Offset, Build.CreateMul(Build.CreateSExtOrTrunc(A.Index, I64),
                                number(A.Scale)));
  S.Is = Site::State::Proven;
  if (From.isOne())
    S.Root = static_cast<int>(From.Roots[0]);

  Failure Tells;
  Tells.Root = B.Root;
  Tells.Offset = Offset;
  unsigned Space = A.Pointer->getType()->getPointerAddressSpace();
  Tells.Address = T.spaceOf(Space) == Space::Global
                      ? Build.CreatePtrToInt(A.Pointer, I64)
                      : number(0);
  auto Add = [&](Value *Bad, unsigned Test, bool Stops) {
    if (isFalse(Bad))
      return;
    S.Is = Site::State::Checked;
    Tells.Check = Number * WS_TESTS + Test;
    Checks.push_back({Bad, Stops, A.Writes, Tells});
  };

  Value *Bad = Build.getFalse(), *Bytes = nullptr;
  Tells.Size = A.Writes ? B.WriteSize : B.ReadSize;
  if (A.Reads)
    Bad = Build.CreateOr(Bad, beyond(A, Offset, B.ReadSize, Build, Bytes));
  if (A.Writes && !(A.Reads && B.ReadSize == B.WriteSize))
    Bad = Build.CreateOr(Bad, beyond(A, Offset, B.WriteSize, Build, Bytes));
  Tells.Bytes = Bytes;
  Add(Bad, WS_TEST_BOUNDS, /*Stops=*/true);

  auto ButInside = [&](Value *Other) {
    return Build.CreateAnd(Build.CreateNot(Bad), Other);
  };
  if (!surelyAligned(A, Offset)) {
    // It is made all the same, so the driver must not rely on it.
    if (auto *Load = dyn_cast<LoadInst>(A.At))
      Load->setAlignment(Align(1));
    if (auto *Store = dyn_cast<StoreInst>(A.At))
      Store->setAlignment(Align(1));
    Add(ButInside(Build.CreateICmpNE(
            Build.CreateAnd(Offset, number(A.Align - 1)), number(0))),
        WS_TEST_ALIGN, /*Stops=*/false);
  }

  if (std::optional<Member> M = memberOf(A.Pointer)) {
    Value *Start = Where.boundsOf(M->Array).Offset;
    Tells.Offset = Build.CreateSub(Offset, Start);
    Tells.Size = number(M->Bytes);
    Value *Ignored = nullptr;
    Value *Over = beyond(A, Tells.Offset, Tells.Size, Build, Ignored);
    if (!isFalse(Over)) {
      S.Member = M->Name;
      S.MemberElement = M->Element;
    }
    Add(ButInside(Over), WS_TEST_MEMBER, /*Stops=*/true);
  }
}

void Checker::planImage(const Access &A, unsigned Number,
                        std::vector<Check> &Checks) {
  Site &S = Made.Sites[Number];
  auto *Arg = dyn_cast<Argument>(A.Image);
  if (!Arg)
    return;
  Builder Build(A.At);
  std::optional<Texel> Where = texelOf(A, Build);
  if (!Where)
    return;
  unsigned Image = Roots.image(Arg->getArgNo());
  S.Is = Site::State::Checked;
  S.Root = static_cast<int>(Image);
  Failure Tells{Number * WS_TESTS + WS_TEST_IMAGE,
                Build.getInt32(Image),
                Where->Coordinates,
                Where->Sizes,
                number(0),
                number(0)};
  Checks.push_back({Where->Outside, /*Stops=*/true, A.Writes, Tells});
}

void Checker::tell(Instruction *Before, const Instruction &At,
                   const Failure &What) {
  Builder Build(Before);
  Build.SetCurrentDebugLocation(At.getDebugLoc());
  Calls.call(Build, What);
}

/// Before \p Then, where \p Copy is left out: clears its target unless that is
/// what was wrong. Its source is checked first.
void Checker::zeroInstead(MemTransferInst &Copy,
                          const std::vector<Check> &Checks, Instruction *Then) {
  Value *Target = Builder(Then).getFalse();
  for (const Check &C : Checks)
    if (C.Stops && C.Writes)
      Target = Builder(Then).CreateOr(Target, C.Bad);
  Value *May = Builder(Then).CreateNot(Target);
  if (isFalse(May))
    return;
  Instruction *Clear =
      SplitBlockAndInsertIfThen(May, Then->getIterator(), false);
  Builder(Clear).CreateMemSet(Copy.getRawDest(), Builder(Clear).getInt8(0),
                              Copy.getLength(), Copy.getDestAlign());
}

/// Makes the instruction happen only if no check that stops it fails. Reports
/// come first.
void Checker::place(const Plan &P) {
  Instruction &At = *P.At;
  const std::vector<Check> &Checks = P.Checks;
  const int CountOperand = P.CountOperand;
  // The usual case: one check, whose report takes the access's place.
  bool Alone = Checks.size() == 1 && Checks[0].Stops && CountOperand < 0;
  Value *Stop = Alone ? static_cast<Value *>(Checks[0].Bad) : nullptr;
  if (!Alone)
    for (const Check &C : Checks) {
      tell(SplitBlockAndInsertIfThen(C.Bad, At.getIterator(),
                                     /*Unreachable=*/false),
           At, C.Tells);
      if (C.Stops)
        Stop = Stop ? Builder(&At).CreateOr(Stop, C.Bad)
                    : static_cast<Value *>(C.Bad);
    }
  if (!Stop)
    return;
  if (CountOperand >= 0) {
    // The whole work-group must come along: with nothing to do.
    auto &Call = cast<CallBase>(At);
    Value *Count = Call.getArgOperand(CountOperand);
    Call.setArgOperand(
        CountOperand,
        Builder(&At).CreateSelect(
            Stop, Constant::getNullValue(Count->getType()), Count));
    return;
  }
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(Stop, At.getIterator(), &Then, &Else);
  if (Alone)
    tell(Then, At, Checks[0].Tells);
  // What could not be read is copied as zeros, if it may be written.
  if (auto *Copy = dyn_cast<MemTransferInst>(&At))
    zeroInstead(*Copy, Checks, Then);
  if (!At.getType()->isVoidTy() && !At.use_empty()) {
    PHINode *Result =
        PHINode::Create(At.getType(), 2, "", At.getParent()->begin());
    At.replaceAllUsesWith(Result);
    Result->addIncoming(Constant::getNullValue(At.getType()),
                        Then->getParent());
    Result->addIncoming(&At, Else->getParent());
  }
  At.moveBefore(Else);
}

void Checker::run(const std::vector<Access> &Accesses) {
  // Bounds first, for all: they are made beside pointers, in code that has not
  // been cut up yet.
  std::vector<Plan> Planned;
  for (unsigned I = 0; I < Accesses.size(); ++I) {
    const Access &A = Accesses[I];
    if (Planned.empty() || Planned.back().At != A.At)
      Planned.push_back({A.At});
    Planned.back().CountOperand = A.CountOperand;
    std::vector<Check> &Checks = Planned.back().Checks;
    if (auto *Store = dyn_cast<StoreInst>(A.At))
      Where.keep(*Store);
    if (!A.Known) {
      if (A.Builtin == "printf" && stringsEnd(cast<CallBase>(*A.At)))
        Made.Sites[I].Is = Site::State::Proven;
      continue;
    }
    if (A.Image)
      planImage(A, I, Checks);
    else
      plan(A, I, Checks);
  }
  for (const Plan &P : Planned)
    if (!P.Checks.empty())
      place(P);
  Calls.finish();
}

//===----------------------------------------------------------------------===//
// One kernel, all kernels
//===----------------------------------------------------------------------===//

static const char *spaceName(const Access &A, const Target &T) {
  if (!A.Pointer)
    return "image";
  switch (T.spaceOf(A.Pointer->getType()->getPointerAddressSpace())) {
  case Space::Private:
    return "private";
  case Space::Global:
    return "global";
  case Space::Constant:
    return "constant";
  case Space::Local:
    return "local";
  case Space::Generic:
    return "generic";
  case Space::Other:
    break;
  }
  return "other";
}

static Site describe(const Access &A, const Target &T) {
  Site S;
  S.What = A.What;
  S.At = A.At->getDebugLoc().get();
  S.Space = spaceName(A, T);
  S.Builtin = A.Builtin.str();
  if (A.Accessed)
    S.Type = typeName(A.Accessed);
  if (!A.Count && A.Known)
    S.Bytes = A.Bytes;
  S.Align = A.Align;
  return S;
}

/// Which sizes the accesses of a kernel need.
static std::vector<WantedSizes> sizesFor(Function &Kernel, RootTable &Roots,
                                         const std::vector<Access> &Accesses,
                                         Variant Which, const Target &T) {
  std::vector<WantedSizes> Wanted(Kernel.arg_size());
  bool All = false;
  for (const Access &A : Accesses) {
    if (!A.Pointer || !A.Known)
      continue;
    const PointerOrigin From = Roots.originOf(A.Pointer);
    All |= !From.Traced || From.Loaded;
    for (unsigned Index : From.Roots)
      if (const Root &R = Roots[Index]; R.What == Root::Kind::Argument) {
        Wanted[R.Arg].Read |= A.Reads;
        Wanted[R.Arg].Write |= A.Writes;
      }
  }
  if (All)
    Roots.addAll();
  for (Argument &Arg : Kernel.args()) {
    WantedSizes &Sizes = Wanted[Arg.getArgNo()];
    ArgKind Kind = T.kindOf(Arg);
    if (Kind != ArgKind::Global && Kind != ArgKind::Constant &&
        Kind != ArgKind::Local)
      continue;
    if (All)
      Sizes.Read = Sizes.Write = true;
    if (pointsToConst(Arg, T))
      Sizes.Write = false;
    Sizes.Start = Which == Variant::CheckedSvm && Kind != ArgKind::Local &&
                  (Sizes.Read || Sizes.Write);
  }
  return Wanted;
}

Expected<std::vector<CheckedTwin>>
warpsan::instrument(Module &Program, Variant Which, const Target &T) {
  std::vector<Function *> Kernels;
  for (Function &F : Program)
    if (T.isKernel(F))
      Kernels.push_back(&F);

  Function *Report = nullptr;
  if (Which != Variant::Plain && !Kernels.empty()) {
    Expected<Function *> Linked = linkReport(Program);
    if (!Linked)
      return Linked.takeError();
    Report = *Linked;
  }
  std::vector<CheckedTwin> Twins;
  for (Function *Kernel : Kernels) {
    std::vector<Access> Accesses = accessesOf(*Kernel, T);
    CheckedTwin Made;
    for (const Access &A : Accesses)
      Made.Sites.push_back(describe(A, T));
    constexpr size_t MostSites = (1u << WS_CHECK_BITS) / WS_TESTS;
    if (Accesses.size() > MostSites)
      return createStringError("kernel '" + Kernel->getName() + "' has " +
                               Twine(Accesses.size()) + " accesses; at most " +
                               Twine(MostSites) + " can be numbered");
    if (Which == Variant::Plain) {
      static_cast<Twin &>(Made) = appendHiddenArgs(*Kernel, {}, T);
      Twins.push_back(std::move(Made));
      continue;
    }
    RootTable Roots(*Kernel, T);
    auto Wanted = sizesFor(*Kernel, Roots, Accesses, Which, T);
    static_cast<Twin &>(Made) = appendHiddenArgs(*Kernel, Wanted, T);
    Made.AddressesKnown = Which != Variant::CheckedSvm;
    Roots.moveTo(*Made.Kernel);
    // Operands that were arguments are those of the new function.
    Accesses = accessesOf(*Made.Kernel, T);
    Checker(Made, Roots, *Report, T).run(Accesses);
    Made.Roots = Roots.all();
    Twins.push_back(std::move(Made));
  }
  return Twins;
}
