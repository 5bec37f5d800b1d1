//===- compiler/checks.cpp - a check before every access ------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks.h"

#include "abi/record.h"
#include "compiler/arithmetic.h"
#include "compiler/driver_shapes.h"
#include "compiler/fields.h"
#include "compiler/images.h"
#include "compiler/late_reports.h"
#include "compiler/lifetimes.h"
#include "compiler/members.h"
#include "compiler/provenance.h"
#include "compiler/report_call.h"
#include "compiler/scopes.h"
#include "compiler/setters.h"
#include "compiler/source_types.h"
#include "compiler/strings.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

using namespace llvm;
using namespace warpsan;

namespace {

/// A condition that must not hold, and what to tell if it does.
struct Check {
  WeakTrackingVH Bad;
  bool Stops;  ///< the access is not made; unless Tells.Outside is false
  bool Writes; ///< it is a write that is checked
  Failure Tells;
  /// What is needed only if Bad: instructions before the access, to be moved.
  std::vector<Instruction *> Cold = {};
  /// The root's argument, or none for a variable, if when it fails may be told
  /// later.
  bool CanWait = false;
  Argument *Of = nullptr;
};

/// All checks of one instruction.
struct Plan {
  Instruction *At = nullptr;
  const BasicBlock *In = nullptr; ///< where it was when it was planned
  int CountOperand = -1;          ///< Access::CountOperand
  std::vector<Check> Checks = {};
};

/// Puts the checks of one kernel in place.
class Checker {
public:
  Checker(CheckedTwin &Made, RootTable &Roots, const DeviceRuntime &Runtime,
          Arithmetic *Numbers, const Wanted &Only, const Target &T)
      : Made(Made), Kernel(*Made.Kernel), Roots(Roots), Numbers(Numbers),
        Only(Only), T(T), Lives(Kernel),
        Where(Made, Roots, Lives, Runtime.Find, T),
        Calls(Made, *Runtime.Report, T), Outside(Runtime.Outside),
        Late(Kernel, Calls), I64(Type::getInt64Ty(Kernel.getContext())) {}

  void run(const std::vector<Access> &Accesses);

private:
  void lookAtReads(const std::vector<Access> &Accesses);
  bool mayWait(const std::vector<Plan> &Planned);
  void plan(const Access &A, unsigned Number, std::vector<Check> &Checks);
  bool claim(const Access &A, unsigned Number, Value *Offset,
             const PointerOrigin &From);
  void planRights(const Access &A, Value *Offset, Check &C);
  void planImage(const Access &A, unsigned Number, std::vector<Check> &Checks);
  Value *beyond(const Access &A, Value *Offset, Value *Size,
                IRBuilderBase &Build, Value *&Bytes);
  Value *beyondRange(const Access &A, Value *Offset, Value *Size,
                     IRBuilderBase &Build, Value *&Bytes);
  Value *addressOf(Value *Pointer, IRBuilderBase &Build);
  Value *limitOf(Value *Size, uint64_t Bytes, IRBuilderBase &Build);
  bool surelyAligned(const Access &A, Value *Offset);
  bool isMultiple(Value *Offset, uint64_t Of);
  void tell(Instruction *Before, const Instruction &At, const Check &Failed);
  Value *tellIfBad(const Check &C, Instruction &At);
  void readZeros(Use &Pointer, Value *If);
  void placeAlone(const Check &C, Instruction &At);
  void placeLate(const Check &C, Instruction &At, const BasicBlock *In);
  void place(const Plan &P);

  Value *number(uint64_t N) { return ConstantInt::get(I64, N); }

  CheckedTwin &Made;
  Function &Kernel;
  RootTable &Roots;
  Arithmetic *Numbers; ///< not null: what a launch can decide is not checked
  const Wanted &Only;
  const Target &T;
  Lifetimes Lives;
  Provenance Where;
  ReportCalls Calls;
  Function *Outside; ///< device/heap.cl's function
  LateReports Late;
  IntegerType *I64;
  std::map<std::pair<Value *, uint64_t>, Value *> Limits;
  /// Checks that are told late: by block, offset, limit and whether that is
  /// all, their number and what stops the access.
  std::map<std::tuple<const BasicBlock *, Value *, Value *, bool>,
           std::pair<size_t, Value *>>
      Waiting;
};

} // namespace

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
Value *Checker::limitOf(Value *Size, uint64_t Bytes, IRBuilderBase &Build) {
  if (Bytes <= 1 && !canForbid(Size))
    return Size;
  auto Make = [&](IRBuilderBase &At) {
    return At.CreateSelect(At.CreateICmpSGE(Size, number(Bytes)),
                           At.CreateSub(Size, number(Bytes - 1)), number(0));
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
/// Divisions instead of products: nothing here can wrap around.
Value *Checker::beyondRange(const Access &A, Value *Offset, Value *Size,
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

Value *Checker::beyond(const Access &A, Value *Offset, Value *Size,
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
Value *Checker::addressOf(Value *Pointer, IRBuilderBase &Build) {
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

/// Roots are aligned for every type: drivers and compilers see to that.
bool Checker::surelyAligned(const Access &A, Value *Offset) {
  return A.Align <= 1 || isMultiple(Offset, A.Align);
}

/// \p Of: a power of two.
bool Checker::isMultiple(Value *Offset, uint64_t Of) {
  return computeKnownBits(Offset, Kernel.getDataLayout())
             .countMinTrailingZeros() >= Log2_64(Of);
}

void Checker::plan(const Access &A, unsigned Number,
                   std::vector<Check> &Checks) {
  Site &S = Made.Sites[Number];
  const PointerOrigin From = Roots.originOf(A.Pointer);
  Builder Build(A.At);
  const Bounds Unsized = Where.boundsOf(A.Pointer, false, false);
  Value *Offset = Unsized.Offset;
  if (A.Index)
    Offset = Build.CreateAdd(
        Offset, Build.CreateMul(Build.CreateSExtOrTrunc(A.Index, I64),
                                number(A.Scale)));
  S.Is = Site::State::Proven;
  if (From.isOne())
    S.Root = static_cast<int>(From.Roots[0]);
  Value *Ended = Where.hasEnded(A.Pointer, Unsized, Build);
  if (!isFalse(Ended)) {
    S.Why = "the scope of its variable may have ended";
  } else if (claim(A, Number, Offset, From)) {
    S.Is = Site::State::Claimed;
    return;
  }

  Bounds B = Where.boundsOf(A.Pointer, A.Reads, A.Writes);
  Failure Tells;
  Tells.Root = B.Root;
  Tells.Offset = Offset;
  unsigned Space = A.Pointer->getType()->getPointerAddressSpace();
  Tells.Address = number(0);
  if (T.spaceOf(Space) == Space::Global || T.spaceOf(Space) == Space::Generic)
    Tells.Address = Build.CreateAdd(addressOf(A.Pointer, Build),
                                    Build.CreateSub(Offset, B.Offset));
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
  Add(Ended, WS_TEST_SCOPE, /*Stops=*/true);
  if (!isFalse(Ended) && !isFalse(Bad))
    Bad = Build.CreateAnd(Build.CreateNot(Ended), Bad);
  Add(Bad, WS_TEST_BOUNDS, /*Stops=*/true);
  if (!isFalse(Bad) && canForbid(Tells.Size))
    planRights(A, Offset, Checks.back());
  if (!isFalse(Bad) && From.isOne() && !A.Count) {
    const Root &R = Roots[From.Roots[0]];
    Checks.back().CanWait = R.isVariable() || R.What == Root::Kind::Argument;
    if (R.What == Root::Kind::Argument)
      Checks.back().Of = Kernel.getArg(R.Arg);
  }

  if (Value *Objects = Where.objectsOf(A.Pointer, B, Build)) {
    // Only where the access is in the buffer: Bytes may be anything otherwise.
    CallInst *Call = Build.CreateCall(
        Outside,
        {Made.hidden(HiddenArg::Kind::Heap),
         Build.CreateSelect(Build.CreateOr(Ended, Bad), number(0), Objects),
         Offset, Bytes});
    Call->setCallingConv(Outside->getCallingConv());
    Value *None = Build.CreateICmpNE(Call, Build.getInt32(0));
    Add(None, WS_TEST_OBJECT, /*Stops=*/true);
    Bad = Build.CreateOr(Bad, None);
  }

  auto ButInside = [&](Value *Other) {
    return Build.CreateAnd(Build.CreateNot(Build.CreateOr(Ended, Bad)), Other);
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
    Value *Start = Where.boundsOf(M->Array, false, false).Offset;
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

/// True if whether the access is in bounds is left to each launch.
bool Checker::claim(const Access &A, unsigned Number, Value *Offset,
                    const PointerOrigin &From) {
  if (!Numbers)
    return false;
  auto No = [&](const char *Why) {
    Made.Sites[Number].Why = Why;
    return false;
  };
  if (A.Count || A.Bytes == 0)
    return No("how many bytes it touches depends on a value");
  if (!From.isOne())
    return No("its pointer may belong to one of several memories");
  const Root &R = Roots[From.Roots[0]];
  const bool IsArgument = R.What == Root::Kind::Argument;
  if (A.Writes && (R.What == Root::Kind::Constant ||
                   (IsArgument && pointsToConst(*Kernel.getArg(R.Arg), T))))
    return No("it writes to what is declared const");
  if (!IsArgument && !R.isVariable())
    return No("its pointer comes from memory");

  Claim C;
  C.Site = Number;
  C.Where = Numbers->condition(A.At->getParent());
  C.Offset = Numbers->node(Offset);
  C.Bytes = A.Bytes;
  C.Arg = IsArgument ? static_cast<int32_t>(R.Arg) : -1;
  C.Size = R.Size;
  C.Reads = A.Reads;
  C.Writes = A.Writes;
  if (!surelyAligned(A, Offset))
    C.Align = A.Align;
  static const char Unlimited[] =
      "its index comes from memory or a calculation that proofs do not know, "
      "and no condition limits it";
  std::vector<Claim> Both = {C};
  if (std::optional<Member> M = memberOf(A.Pointer)) {
    Builder Build(A.At);
    Value *Start = Where.boundsOf(M->Array, false, false).Offset;
    C.Offset = Numbers->node(Build.CreateSub(Offset, Start));
    C.Arg = -1;
    C.Size = M->Bytes;
    Both.push_back(C);
  }
  auto CanBeKnown = [&](bool ByContents) {
    return all_of(Both, [&](const Claim &Each) {
      return Numbers->canBeKnown(Each.Offset, Each.Where, ByContents);
    });
  };
  if (Only.Checked.contains(Number))
    return No("the launches that this twin is for do not prove it");
  if (CanBeKnown(/*ByContents=*/!Only.Kernel.empty())) {
    append_range(Made.Claimed.All, Both);
    return true;
  }
  if (!CanBeKnown(/*ByContents=*/true))
    return No(Unlimited);
  append_range(Made.Claimed.ByContents, Both);
  return No(
      "its index comes from memory: a launch needs no check if all that is "
      "there is known to be in bounds");
}

/// Tells which integers are read out of memory that the kernel does not change.
void Checker::lookAtReads(const std::vector<Access> &Accesses) {
  if (Made.Unchanged.empty())
    return;
  for (const Access &A : Accesses) {
    auto *Load = dyn_cast<LoadInst>(A.At);
    const unsigned Width = Load && Load->getType()->isIntegerTy()
                               ? Load->getType()->getIntegerBitWidth()
                               : 0;
    if (Width < 8 || Width > 64 || !isPowerOf2_32(Width) || !Load->isSimple() ||
        !A.Known)
      continue;
    const PointerOrigin From = Roots.originOf(A.Pointer);
    const Root *R = From.isOne() ? &Roots[From.Roots[0]] : nullptr;
    if (R && R->What == Root::Kind::Argument && Made.Unchanged[R->Arg] &&
        isMultiple(Where.boundsOf(A.Pointer, false, false).Offset, Width / 8))
      Numbers->readsFrom(*Load,
                         fieldOf(A.Pointer, *Kernel.getArg(R->Arg), Width, T));
  }
}

/// Drivers do not enforce a buffer's flags or an argument's const, and programs
/// came to rely on that: an access that is only forbidden is told and made.
void Checker::planRights(const Access &A, Value *Offset, Check &C) {
  Instruction *Last = A.At->getPrevNode();
  Builder Build(A.At);
  Value *Size = Build.CreateAnd(C.Tells.Size, ~Bounds::Forbidden), *Bytes;
  C.Tells.Outside = beyond(A, Offset, Size, Build, Bytes);
  for (Instruction *Next = Last ? Last->getNextNode()
                                : &A.At->getParent()->front();
       Next != A.At; Next = Next->getNextNode())
    C.Cold.push_back(Next);
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
  Failure Tells;
  Tells.Check = Number * WS_TESTS + WS_TEST_IMAGE;
  Tells.Root = Build.getInt32(Image);
  Tells.Offset = Where->Coordinates;
  Tells.Size = Where->Sizes;
  Tells.Bytes = Tells.Address = number(0);
  Checks.push_back({Where->Outside, /*Stops=*/true, A.Writes, Tells});
}

/// Before \p Before, which is reached if the check failed.
void Checker::tell(Instruction *Before, const Instruction &At,
                   const Check &Failed) {
  for (Instruction *I : Failed.Cold)
    I->moveBefore(Before);
  Builder Build(Before);
  Build.SetCurrentDebugLocation(At.getDebugLoc());
  Calls.call(Build, Failed.Tells);
}

/// Tells of \p C before \p At if it fails. Returns whether \p At is not to be
/// made: null if it always is.
Value *Checker::tellIfBad(const Check &C, Instruction &At) {
  Instruction *Then = SplitBlockAndInsertIfThen(C.Bad, At.getIterator(),
                                                /*Unreachable=*/false);
  tell(Then, At, C);
  if (!C.Stops)
    return nullptr;
  if (!C.Tells.Outside)
    return C.Bad;
  BasicBlock *Failed = Then->getParent();
  auto *Stop =
      PHINode::Create(C.Bad->getType(), 2, "", At.getParent()->begin());
  Stop->addIncoming(C.Tells.Outside, Failed);
  Stop->addIncoming(ConstantInt::getFalse(C.Bad->getType()),
                    Failed->getSinglePredecessor());
  return Stop;
}

/// Before \p Then, where \p Copy is left out: clears its target unless that is
/// what was wrong.
static void zeroInstead(MemTransferInst &Copy, Value *TargetIsBad,
                        Instruction *Then) {
  Value *May = TargetIsBad ? Builder(Then).CreateNot(TargetIsBad)
                           : Builder(Then).getTrue();
  if (isFalse(May))
    return;
  Instruction *Clear =
      SplitBlockAndInsertIfThen(May, Then->getIterator(), false);
  Builder(Clear).CreateMemSet(Copy.getRawDest(), Builder(Clear).getInt8(0),
                              Copy.getLength(), Copy.getDestAlign());
}

/// Moves \p At to before \p Else. Where it is not made, which is at the end of
/// \p Left, its value is zero.
static void makeOnlyIn(Instruction *Else, Instruction &At, BasicBlock *Left) {
  if (!At.getType()->isVoidTy() && !At.use_empty()) {
    PHINode *Result =
        PHINode::Create(At.getType(), 2, "", At.getParent()->begin());
    At.replaceAllUsesWith(Result);
    Result->addIncoming(Constant::getNullValue(At.getType()), Left);
    Result->addIncoming(&At, Else->getParent());
  }
  At.moveBefore(Else);
}

/// The operand that points to global memory which \p At only reads, if \p At
/// can just as well read zeros from the record buffer. That leaves no phi
/// behind. PoCL 6.0 makes variables of phis and then has LLVM 18 verify that
/// one round of instcombine is enough, which with these it is not always; it
/// ends the process then.
static Use *readPointer(Instruction &At, const Target &T) {
  Use *Pointer = nullptr;
  if (auto *Load = dyn_cast<LoadInst>(&At); Load && !Load->isAtomic())
    Pointer = &Load->getOperandUse(LoadInst::getPointerOperandIndex());
  if (auto *Call = dyn_cast<CallInst>(&At))
    if (Function *Callee = Call->getCalledFunction();
        Callee && T.builtinName(*Callee).starts_with("vload"))
      Pointer = &Call->getArgOperandUse(1);
  if (!Pointer || !Pointer->get()->getType()->isPointerTy() ||
      T.spaceOf(Pointer->get()->getType()->getPointerAddressSpace()) !=
          Space::Global ||
      At.getDataLayout().getTypeStoreSize(At.getType()) > WS_ZERO_BYTES)
    return nullptr;
  return Pointer;
}

void Checker::readZeros(Use &Pointer, Value *If) {
  auto *At = cast<Instruction>(Pointer.getUser());
  Builder Build(At);
  Value *Zeros = Build.CreatePtrAdd(Made.hidden(HiddenArg::Kind::Records),
                                    number(offsetof(WsRecordBuffer, Zeros)));
  Pointer.set(Build.CreateSelect(If, Zeros, Pointer));
  if (auto *Vload = dyn_cast<CallInst>(At)) { // its offset counts vectors
    Use &Offset = Vload->getArgOperandUse(0);
    Offset.set(Build.CreateSelect(If, Constant::getNullValue(Offset->getType()),
                                  Offset));
  }
}

/// The usual case: one check, whose report takes the access's place.
void Checker::placeAlone(const Check &C, Instruction &At) {
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(C.Bad, At.getIterator(), &Then, &Else);
  tell(Then, At, C);
  BasicBlock *Failed = Then->getParent();
  makeOnlyIn(Else, At, Failed);
}

/// One check, told when the kernel ends: no call is left here, and a load of
/// global memory needs no branch.
void Checker::placeLate(const Check &C, Instruction &At, const BasicBlock *In) {
  auto Tells = [this, C](IRBuilderBase &Build, Value *Offset) {
    Failure Tells = C.Tells;
    Tells.Offset = Offset;
    if (Tells.Outside) {
      Value *Size = Build.CreateAnd(Tells.Size, ~Bounds::Forbidden);
      const auto Bytes = cast<ConstantInt>(Tells.Bytes)->getZExtValue();
      Tells.Outside = Build.CreateICmpUGE(Offset, limitOf(Size, Bytes, Build));
    }
    Tells.Address = number(0);
    if (C.Of &&
        T.spaceOf(C.Of->getType()->getPointerAddressSpace()) == Space::Global)
      Tells.Address = Build.CreateAdd(Build.CreatePtrToInt(C.Of, I64), Offset);
    return Tells;
  };
  Value *Stop = C.Tells.Outside ? C.Tells.Outside : C.Bad;
  // What is read and then written fails twice or not at all.
  auto *Compare = dyn_cast<ICmpInst>(C.Bad);
  Value *Limit = Compare ? Compare->getOperand(1) : nullptr;
  auto [Same, New] =
      Waiting.try_emplace({In, C.Tells.Offset, Limit, Stop == C.Bad});
  if (New || !Limit) {
    Same->second = {Late.remember(&At, C.Bad, C.Tells.Offset, Tells), Stop};
  } else {
    Late.also(Same->second.first, Tells);
    Stop = Same->second.second;
  }
  if (Use *Pointer = readPointer(At, T))
    return readZeros(*Pointer, Stop);
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(Stop, At.getIterator(), &Then, &Else);
  makeOnlyIn(Else, At, Then->getParent());
}

/// Makes the instruction happen only if no check that stops it fails. Reports
/// come first.
void Checker::place(const Plan &P) {
  Instruction &At = *P.At;
  auto *Copy = dyn_cast<MemTransferInst>(&At);
  if (P.Checks.size() == 1 && P.Checks[0].Stops && P.CountOperand < 0 &&
      !Copy && !P.Checks[0].Tells.Outside)
    return placeAlone(P.Checks[0], At);

  Value *Stop = nullptr, *StopWrite = nullptr;
  auto Or = [&](Value *Old, Value *More) {
    return Old ? Builder(&At).CreateOr(Old, More) : More;
  };
  for (const Check &C : P.Checks)
    if (Value *Here = tellIfBad(C, At)) {
      Stop = Or(Stop, Here);
      if (C.Writes)
        StopWrite = Or(StopWrite, Here);
    }
  if (!Stop)
    return;
  if (P.CountOperand >= 0) {
    // The whole work-group must come along: with nothing to do.
    auto &Call = cast<CallBase>(At);
    Value *Count = Call.getArgOperand(P.CountOperand);
    Call.setArgOperand(
        P.CountOperand,
        Builder(&At).CreateSelect(
            Stop, Constant::getNullValue(Count->getType()), Count));
    return;
  }
  if (Use *Pointer = readPointer(At, T))
    return readZeros(*Pointer, Stop);
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(Stop, At.getIterator(), &Then, &Else);
  // What could not be read is copied as zeros, if it may be written.
  if (Copy)
    zeroInstead(*Copy, StopWrite, Then);
  makeOnlyIn(Else, At, Then->getParent());
}

/// Whether all checks are told late. It is of use between the barriers of a
/// loop: there a driver makes loops of work-items that it can vectorise, if
/// there is no call. Elsewhere to remember costs more.
bool Checker::mayWait(const std::vector<Plan> &Planned) {
  if (Planned.size() > LateReports::Most)
    return false;
  DominatorTree Dominators(Kernel);
  LoopInfo Loops(Dominators);
  return all_of(Planned, [&](const Plan &P) {
    const llvm::Loop *L = Loops.getLoopFor(P.At->getParent());
    return P.Checks.size() == 1 && P.Checks[0].CanWait && P.CountOperand < 0 &&
           !isa<MemTransferInst>(P.At) && L && barrierIn(*L, T);
  });
}

void Checker::run(const std::vector<Access> &Accesses) {
  // Bounds first, for all: they are made beside pointers, in code that has not
  // been cut up yet.
  if (Numbers)
    lookAtReads(Accesses);
  std::vector<Plan> Planned;
  for (unsigned I = 0; I < Accesses.size(); ++I) {
    const Access &A = Accesses[I];
    if (Planned.empty() || Planned.back().At != A.At)
      Planned.push_back({A.At, A.At->getParent()});
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
  if (Numbers) {
    Claims Mine = std::exchange(Made.Claimed, Numbers->finish());
    Made.Claimed.All = std::move(Mine.All);
    Made.Claimed.ByContents = std::move(Mine.ByContents);
  }
  std::erase_if(Planned, [](const Plan &P) { return P.Checks.empty(); });
  const bool Wait = Numbers && mayWait(Planned);
  for (const Plan &P : Planned)
    if (Wait)
      placeLate(P.Checks[0], *P.At, P.In);
    else
      place(P);
  Late.finish();
  dropMarks(Kernel);
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

/// Which hidden arguments the accesses of a kernel need.
static WantedArgs hiddenArgsFor(Function &Kernel, RootTable &Roots,
                                const std::vector<Access> &Accesses,
                                Variant Which, const Target &T) {
  WantedArgs Wanted;
  Wanted.Of.resize(Kernel.arg_size());
  bool All = false;
  for (const Access &A : Accesses) {
    if (!A.Pointer || !A.Known)
      continue;
    const PointerOrigin From = Roots.originOf(A.Pointer);
    All |= From.Unknown || From.Kept;
    for (unsigned Index : From.Roots)
      if (const Root &R = Roots[Index]; R.What == Root::Kind::Argument)
        Wanted.Of[R.Arg].Size = true;
  }
  if (All)
    Roots.addAll();
  const bool Objects = Which == Variant::CheckedObjects;
  Wanted.Heap = (All && isForSvm(Which)) || Objects;
  for (Argument &Arg : Kernel.args()) {
    WantedArgs::OfArgument &Hidden = Wanted.Of[Arg.getArgNo()];
    ArgKind Kind = T.kindOf(Arg);
    if (Kind != ArgKind::Global && Kind != ArgKind::Constant &&
        Kind != ArgKind::Local)
      continue;
    Hidden.Size |= All;
    Hidden.Pointer = isForSvm(Which) && Kind != ArgKind::Local && Hidden.Size;
    Hidden.Objects = Objects && Hidden.Pointer;
  }
  return Wanted;
}

/// Which arguments point to memory that a kernel does not write, by argument.
static std::vector<bool> unchangedBy(Function &Kernel, RootTable &Roots,
                                     const std::vector<Access> &Accesses,
                                     const Target &T) {
  std::vector<bool> Unchanged;
  for (const Argument &Arg : Kernel.args())
    Unchanged.push_back(T.kindOf(Arg) == ArgKind::Global ||
                        T.kindOf(Arg) == ArgKind::Constant);
  for (const Access &A : Accesses) {
    if (A.Image || A.Builtin == "printf" || (A.Known && !A.Writes))
      continue;
    const PointerOrigin From =
        A.Pointer ? Roots.originOf(A.Pointer) : PointerOrigin();
    if (!A.Known || !A.Pointer || From.Unknown || From.Kept)
      return {};
    for (unsigned Index : From.Roots)
      if (Roots[Index].What == Root::Kind::Argument)
        Unchanged[Roots[Index].Arg] = false;
  }
  return Unchanged;
}

Expected<std::vector<CheckedTwin>> warpsan::instrument(Module &Program,
                                                       Variant Which,
                                                       const Wanted &Only,
                                                       const Target &T) {
  std::vector<Function *> Kernels;
  for (Function &F : make_early_inc_range(Program)) {
    if (!T.isKernel(F))
      continue;
    // Setters run for every twin.
    if (Only.Kernel.empty() || F.getName() == Only.Kernel || isSetter(F, T))
      Kernels.push_back(&F);
    else
      F.eraseFromParent();
  }

  DeviceRuntime Runtime;
  if (Which != Variant::Plain && !Kernels.empty()) {
    Expected<DeviceRuntime> Linked = linkRuntime(Program);
    if (!Linked)
      return Linked.takeError();
    Runtime = *Linked;
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
    if (isSetter(*Kernel, T)) {
      for (Site &S : Made.Sites)
        S.Is = Site::State::Proven;
      Made.Kernel = Kernel;
      Made.OwnArgs = Kernel->arg_size();
      Twins.push_back(std::move(Made));
      continue;
    }
    if (Which == Variant::Plain) {
      dropMarks(*Kernel);
      static_cast<Twin &>(Made) = appendHiddenArgs(*Kernel, {}, T);
      Twins.push_back(std::move(Made));
      continue;
    }
    RootTable Roots(*Kernel, T);
    auto Wanted = hiddenArgsFor(*Kernel, Roots, Accesses, Which, T);
    static_cast<Twin &>(Made) = appendHiddenArgs(*Kernel, Wanted, T);
    Roots.moveTo(*Made.Kernel);
    // Operands that were arguments are those of the new function.
    Accesses = accessesOf(*Made.Kernel, T);
    Made.Unchanged = unchangedBy(*Made.Kernel, Roots, Accesses, T);
    std::optional<Arithmetic> Numbers;
    if (isLean(Which))
      Numbers.emplace(Made, T);
    Checker(Made, Roots, Runtime, Numbers ? &*Numbers : nullptr, Only, T)
        .run(Accesses);
    Made.Roots = Roots.all();
    Twins.push_back(std::move(Made));
  }
  if (any_of(Twins, [](const CheckedTwin &Made) {
        return !Made.Claimed.Contents.empty();
      }))
    if (Error Failed = linkContents(Program))
      return std::move(Failed);
  return Twins;
}
