//===- compiler/checks/pinned.cpp - accesses that optimizations must not
// remove -----------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/pinned.h"

#include "compiler/pointers/member_arrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;
using namespace warpsan;

static constexpr StringLiteral PinName = "warpsan.pinned";

/// More addresses or offsets than this are not told apart.
static constexpr unsigned MaxPlaces = 16;
static constexpr unsigned MaxDepth = 12;

//===----------------------------------------------------------------------===//
// Where a pointer can point, as far as that is constant
//===----------------------------------------------------------------------===//

namespace {

/// An address: \p Offset bytes from \p Object, an alloca or a global variable.
/// No object: null, undef or poison.
struct Place {
  const Value *Object = nullptr;
  APInt Offset;
};

/// All values that a value can have, if they are constants; else empty.
using Constants = SmallVector<Constant *, 4>;

class Places {
public:
  explicit Places(const DataLayout &Layout) : Layout(Layout) {}

  /// Adds the places of \p Pointer that are known. Addresses that depend on
  /// anything but constants, selects and phis are skipped.
  void add(Value *Pointer, unsigned Depth = 0, bool Chosen = false);

  SmallVector<Place, 4> Found;
  bool TooMany = false;

private:
  void addGEP(GEPOperator &Address, unsigned Depth, bool Chosen);
  void addPlace(const Value *Object, APInt Offset);
  Constants valuesOf(Value *V, unsigned Depth);

  const DataLayout &Layout;
  SmallPtrSet<const PHINode *, 4> Phis;
};

} // namespace

static void insert(Constants &Into, Constant *New) {
  if (!is_contained(Into, New))
    Into.push_back(New);
}

Constants Places::valuesOf(Value *V, unsigned Depth) {
  if (auto *Known = dyn_cast<Constant>(V))
    return {Known};
  if (Depth > MaxDepth)
    return {};
  Constants Result;
  auto AddAll = [&](Value *From) {
    const Constants Its = valuesOf(From, Depth + 1);
    for (Constant *Each : Its)
      insert(Result, Each);
    if (Its.empty() || Result.size() > MaxPlaces)
      Result.clear();
    return !Result.empty();
  };
  if (auto *Select = dyn_cast<SelectInst>(V)) {
    if (!AddAll(Select->getTrueValue()) || !AddAll(Select->getFalseValue()))
      return {};
    return Result;
  }
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    if (!Phis.insert(Phi).second)
      return {};
    const bool All = all_of(Phi->incoming_values(), AddAll);
    Phis.erase(Phi);
    return All ? Result : Constants();
  }
  auto *I = dyn_cast<Instruction>(V);
  if (auto *Cast = dyn_cast_or_null<CastInst>(I)) {
    for (Constant *Each : valuesOf(Cast->getOperand(0), Depth + 1))
      if (Constant *Folded = ConstantFoldCastOperand(Cast->getOpcode(), Each,
                                                     Cast->getType(), Layout))
        insert(Result, Folded);
      else
        return {};
  } else if (auto *Operation = dyn_cast_or_null<BinaryOperator>(I)) {
    const Constants Left = valuesOf(Operation->getOperand(0), Depth + 1);
    const Constants Right = valuesOf(Operation->getOperand(1), Depth + 1);
    if (Left.size() * Right.size() > MaxPlaces)
      return {};
    for (Constant *A : Left)
      for (Constant *B : Right)
        if (Constant *Folded = ConstantFoldBinaryOpOperands(
                Operation->getOpcode(), A, B, Layout))
          insert(Result, Folded);
        else
          return {};
  }
  return Result;
}

void Places::addPlace(const Value *Object, APInt Offset) {
  if (any_of(Found, [&](const Place &Known) {
        return Known.Object == Object && (!Object || Known.Offset == Offset);
      }))
    return;
  if (Found.size() >= MaxPlaces)
    TooMany = true;
  else
    Found.push_back({Object, std::move(Offset)});
}

void Places::addGEP(GEPOperator &Address, unsigned Depth, bool Chosen) {
  const unsigned Bits = Layout.getIndexTypeSizeInBits(Address.getType());
  MapVector<Value *, APInt> Variable;
  APInt Fixed(Bits, 0);
  if (Address.getType()->isVectorTy() ||
      !Address.collectOffset(Layout, Bits, Variable, Fixed))
    return;
  SmallVector<APInt, 4> Offsets = {Fixed};
  for (const auto &[Index, Scale] : Variable) {
    const Constants Values = valuesOf(Index, Depth + 1);
    if (Values.empty())
      return; // not known yet
    SmallVector<APInt, 4> Sums;
    for (Constant *Each : Values) {
      auto *Number = dyn_cast<ConstantInt>(Each);
      if (!Number) { // undef, or made of an address
        if (isa<UndefValue>(Each))
          addPlace(nullptr, Fixed);
        continue;
      }
      for (const APInt &Before : Offsets)
        Sums.push_back(Before + Number->getValue().sextOrTrunc(Bits) * Scale);
    }
    if (Sums.size() > MaxPlaces) {
      TooMany = true;
      return;
    }
    Offsets = std::move(Sums);
  }
  Places Base(Layout);
  Base.Phis = Phis;
  Base.add(Address.getPointerOperand(), Depth + 1, Chosen);
  TooMany |= Base.TooMany;
  for (const Place &From : Base.Found)
    for (const APInt &Added : Offsets)
      addPlace(From.Object, From.Object ? From.Offset + Added : Added);
}

void Places::add(Value *Pointer, unsigned Depth, bool Chosen) {
  if (Depth > MaxDepth)
    return;
  const APInt Zero(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  if (auto *Address = dyn_cast<GEPOperator>(Pointer)) {
    addGEP(*Address, Depth, Chosen);
  } else if (isa<AddrSpaceCastOperator, BitCastOperator, FreezeInst>(Pointer)) {
    add(cast<User>(Pointer)->getOperand(0), Depth + 1, Chosen);
  } else if (auto *Select = dyn_cast<SelectInst>(Pointer)) {
    add(Select->getTrueValue(), Depth + 1, /*Chosen=*/true);
    add(Select->getFalseValue(), Depth + 1, /*Chosen=*/true);
  } else if (auto *Phi = dyn_cast<PHINode>(Pointer)) {
    if (!Phis.insert(Phi).second)
      return;
    for (Value *Incoming : Phi->incoming_values())
      add(Incoming, Depth + 1, /*Chosen=*/true);
    Phis.erase(Phi);
  } else if (isa<AllocaInst, GlobalVariable>(Pointer)) {
    addPlace(Pointer, Zero);
  } else if (isa<UndefValue>(Pointer) ||
             (isa<ConstantPointerNull>(Pointer) && !Chosen)) {
    // Null that is one of several is left alone: functions say that it is a
    // valid address.
    addPlace(nullptr, Zero);
  }
}

/// Bytes of \p Object; none if that is not known.
static std::optional<uint64_t> sizeOf(const Value &Object,
                                      const DataLayout &Layout) {
  if (const auto *Variable = dyn_cast<AllocaInst>(&Object)) {
    const std::optional<TypeSize> Size = Variable->getAllocationSize(Layout);
    if (!Size || Size->isScalable())
      return std::nullopt;
    return Size->getFixedValue();
  }
  Type *Of = cast<GlobalVariable>(Object).getValueType();
  if (!Of->isSized() || Object.getName().starts_with("__spirv_BuiltIn"))
    return std::nullopt;
  return Layout.getTypeAllocSize(Of).getFixedValue();
}

static bool isOutside(const APInt &Offset, uint64_t Bytes, uint64_t Size) {
  return Offset.isNegative() || Bytes > Size ||
         Offset.ugt(APInt(Offset.getBitWidth(), Size - Bytes));
}

/// True if \p Pointer may be outside of the array that is a struct's member
/// and was indexed to get it. \p At: where it points.
static bool leavesMember(Value *Pointer, ArrayRef<Place> At, uint64_t Bytes,
                         const DataLayout &Layout) {
  // Members are known by types; in what is no struct there are none.
  if (none_of(At, [](const Place &P) {
        return isa_and_nonnull<AllocaInst>(P.Object);
      }))
    return false;
  std::optional<Member> M = memberOf(Pointer);
  if (!M)
    return false;
  Places Start(Layout);
  queryStart(*M, [&](Value &Address) { Start.add(&Address); });
  return Start.TooMany || Start.Found.size() != 1 ||
         any_of(At, [&](const Place &P) {
           return P.Object == Start.Found[0].Object &&
                  isOutside(P.Offset - Start.Found[0].Offset, Bytes, M->Bytes);
         });
}

/// True if an access of \p Bytes at \p Pointer may miss its object by offsets
/// that are constant.
static bool mayMiss(Value *Pointer, uint64_t Bytes, const DataLayout &Layout) {
  Places At(Layout);
  At.add(Pointer);
  if (At.TooMany)
    return true;
  for (const Place &P : At.Found) {
    if (!P.Object)
      return true;
    const std::optional<uint64_t> Size = sizeOf(*P.Object, Layout);
    if (Size && isOutside(P.Offset, Bytes, *Size))
      return true;
  }
  return leavesMember(Pointer, At.Found, Bytes, Layout);
}

//===----------------------------------------------------------------------===//
// Pins
//===----------------------------------------------------------------------===//

static bool isPin(const Value &V) {
  const auto *Call = dyn_cast<CallInst>(&V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(PinName);
}

static bool isVolatile(const Instruction &Access) {
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&Access))
    return Memory->isVolatile();
  return Access.isVolatile();
}

static void setVolatile(Instruction &Access, bool Is) {
  if (auto *Load = dyn_cast<LoadInst>(&Access))
    Load->setVolatile(Is);
  else if (auto *Store = dyn_cast<StoreInst>(&Access))
    Store->setVolatile(Is);
  else
    cast<MemIntrinsic>(Access).setVolatile(
        ConstantInt::getBool(Access.getContext(), Is));
}

/// Passes neither remove nor move the access any more.
static void keep(Instruction &Access) {
  if (isVolatile(Access))
    return;
  setVolatile(Access, true);
  Access.setMetadata(PinName, MDNode::get(Access.getContext(), {}));
}

/// What \p Pointer was made from by GEP instructions.
static Value *baseOf(Value *Pointer) {
  while (auto *Address = dyn_cast<GetElementPtrInst>(Pointer))
    Pointer = Address->getPointerOperand();
  return Pointer;
}

/// \p Pointer, made again before \p Access from \p Base.
static Value *rebased(Value *Pointer, Value *Base, Instruction &Access) {
  auto *Address = dyn_cast<GetElementPtrInst>(Pointer);
  if (!Address)
    return Base;
  Instruction *Copy = Address->clone();
  Copy->setOperand(GetElementPtrInst::getPointerOperandIndex(),
                   rebased(Address->getPointerOperand(), Base, Access));
  Copy->insertBefore(&Access);
  return Copy;
}

/// Passes do not look through the address any more. The base is what is
/// hidden: EarlyCSE replaces a GEP by another one of the same base and offset,
/// and then it is not known any more which member was indexed.
static void hide(Use &Pointer) {
  auto *Access = cast<Instruction>(Pointer.getUser());
  Value *Base = baseOf(Pointer);
  Type *Of = Base->getType();
  const std::string Name =
      (PinName + ".p" + Twine(Of->getPointerAddressSpace())).str();
  auto *Pin = cast<Function>(
      Access->getModule()->getOrInsertFunction(Name, Of, Of).getCallee());
  Pin->setDoesNotAccessMemory();
  Pin->setDoesNotThrow();
  Pin->setWillReturn();
  Value *Hidden = isa<UndefValue>(Base) ? Constant::getNullValue(Of) : Base;
  auto *Call = CallInst::Create(Pin, {Hidden}, "", Access->getIterator());
  Call->setDebugLoc(Access->getDebugLoc());
  Pointer.set(rebased(Pointer, Call, *Access));
}

/// Calls \p Do with each pointer that \p I accesses memory through, and how
/// many bytes. Calls of builtins are none: no pass removes them.
static void forEachAccess(Instruction &I, const DataLayout &Layout,
                          function_ref<void(Use &Pointer, uint64_t Bytes)> Do) {
  auto BytesOf = [&](Type *Of) {
    return Layout.getTypeStoreSize(Of).getKnownMinValue();
  };
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Do(Load->getOperandUse(LoadInst::getPointerOperandIndex()),
       BytesOf(Load->getType()));
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Do(Store->getOperandUse(StoreInst::getPointerOperandIndex()),
       BytesOf(Store->getValueOperand()->getType()));
  } else if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    auto *Length = dyn_cast<ConstantInt>(Memory->getLength());
    const uint64_t Bytes = Length ? Length->getZExtValue() : 1;
    if (Bytes == 0)
      return;
    Do(Memory->getRawDestUse(), Bytes);
    if (auto *Copy = dyn_cast<MemTransferInst>(Memory))
      Do(Copy->getRawSourceUse(), Bytes);
  }
}

static bool isKept(const User *Of) {
  const auto *Assume = dyn_cast<AssumeInst>(Of);
  return Assume && Assume->hasMetadata(PinName);
}

/// Gives \p Load a use, so that it stays if nothing needs its value: a driver
/// may perform it all the same. Passes may still merge it with other loads.
static void keepUnused(LoadInst &Load) {
  // Constant offsets in a variable are pinned if they can fail.
  if (isa<AllocaInst>(
          Load.getPointerOperand()->stripInBoundsConstantOffsets()) ||
      Load.isVolatile() || any_of(Load.users(), isKept))
    return;
  IRBuilder<> Build(Load.getNextNode());
  CallInst *Use = Build.CreateAssumption(
      Build.getTrue(),
      OperandBundleDef("noundef", std::vector<Value *>{&Load}));
  Use->setMetadata(PinName, MDNode::get(Load.getContext(), {}));
}

void warpsan::pinAccesses(Function &F) {
  const DataLayout &Layout = F.getDataLayout();
  SmallVector<Instruction *, 32> Accesses;
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst, MemIntrinsic>(I))
      Accesses.push_back(&I);
  for (Instruction *I : Accesses) {
    const bool Last = isa<UnreachableInst>(I->getParent()->getTerminator());
    forEachAccess(*I, Layout, [&](Use &Pointer, uint64_t Bytes) {
      if (isPin(*baseOf(Pointer)))
        return;
      // A whole variable may be promoted: its accesses cannot fail.
      if ((Last && !isa<AllocaInst>(Pointer)) ||
          mayMiss(Pointer, Bytes, Layout)) {
        keep(*I);
        hide(Pointer);
      }
    });
    if (auto *Load = dyn_cast<LoadInst>(I))
      keepUnused(*Load);
  }
}

unsigned warpsan::unpinAccesses(Function &F) {
  unsigned Count = 0;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isPin(I)) {
      I.replaceAllUsesWith(I.getOperand(0));
      I.eraseFromParent();
    } else if (isKept(&I)) {
      I.eraseFromParent();
    } else if (I.hasMetadata(PinName)) {
      I.setMetadata(PinName, nullptr);
      setVolatile(I, false);
      ++Count;
    }
  }
  return Count;
}

//===----------------------------------------------------------------------===//
// Pointers that were never set
//===----------------------------------------------------------------------===//

/// Stores null to each pointer in the \p Of at \p Address, but not in arrays:
/// of those not every element need be set, and none becomes undef.
static void nullPointers(Type *Of, Value *Address, IRBuilderBase &Build) {
  if (Of->isPointerTy()) {
    Build.CreateStore(Constant::getNullValue(Of), Address);
  } else if (auto *Struct = dyn_cast<StructType>(Of)) {
    for (unsigned I = 0; I < Struct->getNumElements(); ++I)
      if (Type *Field = Struct->getElementType(I);
          Field->isPointerTy() || Field->isStructTy())
        nullPointers(Field, Build.CreateStructGEP(Struct, Address, I), Build);
  }
}

void warpsan::initializePointers(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> Build(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Instruction &I : instructions(F))
    if (auto *Variable = dyn_cast<AllocaInst>(&I);
        Variable && Variable->isStaticAlloca() &&
        !Variable->isArrayAllocation())
      nullPointers(Variable->getAllocatedType(), Variable, Build);
}

//===----------------------------------------------------------------------===//
// Constant variables
//===----------------------------------------------------------------------===//

HiddenInitializers::HiddenInitializers(Module &Program) {
  for (GlobalVariable &Variable : Program.globals())
    if (Variable.isConstant() && Variable.hasDefinitiveInitializer()) {
      Variable.setExternallyInitialized(true);
      Hidden.push_back(&Variable);
    }
}

HiddenInitializers::~HiddenInitializers() {
  for (GlobalVariable *Variable : Hidden)
    Variable->setExternallyInitialized(false);
}

bool HiddenInitializers::foldLoads(Function &F) const {
  const DataLayout &Layout = F.getDataLayout();
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple())
      continue;
    Value *Pointer = Load->getPointerOperand();
    APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
    auto *Object =
        dyn_cast<GlobalVariable>(Pointer->stripAndAccumulateConstantOffsets(
            Layout, Offset, /*AllowNonInbounds=*/true));
    if (!Object || !is_contained(Hidden, Object) ||
        isOutside(Offset, Layout.getTypeStoreSize(Load->getType()),
                  Layout.getTypeAllocSize(Object->getValueType())))
      continue;
    Constant *Value = ConstantFoldLoadFromConst(
        Object->getInitializer(), Load->getType(), Offset, Layout);
    if (!Value)
      continue;
    Load->replaceAllUsesWith(Value);
    Load->eraseFromParent();
    Any = true;
  }
  return Any;
}
