//===- compiler/checks/accesses.cpp - every access of a kernel, and its
// bytes ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/accesses.h"

#include "abi/sampler.h"
#include "compiler/target/mangling.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace warpsan;

namespace {

/// How many bytes a builtin touches. "At n" is an operand.
enum class Rule {
  Nothing,           ///< no access
  Strings,           ///< those of printf's %s
  VectorAt,          ///< a vector, at an index before the pointer
  LikeFirst,         ///< an object of operand 0's type
  IntsLikeFirst,     ///< of ints, as many as operand 0 has elements
  CountAt2,          ///< so many elements of the pointer's type
  CountAt2StrideAt3, ///< likewise; the stride is of the global side
  CountAt3StrideAt4, ///< likewise
  BytesAt2,          ///< so many bytes, a constant
  BytesAt4,          ///< likewise
  Result,            ///< as the result
  ValueAt1,          ///< as that operand
  ValueAt2,
  ValueAt3,
  Four,
  Texel, ///< one element of an image
};

enum class Touching { Read, Write, Atomic, AtomicRead, AtomicWrite };

struct Touch {
  StringRef Name;
  Touching Mode;
  unsigned Operand;
  Rule Extent;
};

constexpr Touch Table[] = {
#define TOUCH(name, kind, operand, rule)                                       \
  {name, Touching::kind, operand, Rule::rule},
#include "compiler/checks/builtin_accesses.def"
#undef TOUCH
};

/// Collects the accesses of one kernel.
class Collector {
public:
  Collector(const Function &Kernel, const Target &T)
      : T(T), Layout(Kernel.getDataLayout()) {}

  void visit(Instruction &I);
  std::vector<Access> Found;

private:
  void visitMemory(MemIntrinsic &Call);
  void visitIntrinsic(IntrinsicInst &Call);
  void visitBuiltin(CallBase &Call, StringRef Name);
  bool apply(const Touch &Row, Access &A, CallBase &Call);
  bool vectorAt(Access &A, CallBase &Call);
  bool ranged(Access &A, CallBase &Call, unsigned Pointer, unsigned Count,
              int Stride);
  bool texel(Access &A, CallBase &Call);
  bool sampled(Access &A, Value *Sampler, bool ChoosesLevel);
  Access &add(Instruction &At, Value *Pointer, Touching Mode);

  /// What an object of the type occupies where it is one of several.
  uint64_t bytesOf(Type *T) const {
    return T->isSized() ? Layout.getTypeStoreSize(T).getFixedValue() : 0;
  }

  const Target &T;
  const DataLayout &Layout;
};

} // namespace

static unsigned elementsOf(Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  return Vector ? Vector->getNumElements() : 1;
}

static bool fits(StringRef Pattern, StringRef Name) {
  return Pattern.consume_back("*") ? Name.starts_with(Pattern)
                                   : Name == Pattern;
}

Access &Collector::add(Instruction &At, Value *Pointer, Touching Mode) {
  Access A;
  A.At = &At;
  A.Pointer = Pointer;
  A.What = Mode == Touching::Read    ? Access::Kind::Read
           : Mode == Touching::Write ? Access::Kind::Write
                                     : Access::Kind::Atomic;
  A.Reads = Mode == Touching::Read || Mode == Touching::Atomic ||
            Mode == Touching::AtomicRead;
  A.Writes = Mode == Touching::Write || Mode == Touching::Atomic ||
             Mode == Touching::AtomicWrite;
  Found.push_back(A);
  return Found.back();
}

/// Work-item functions of SPIR-V are loads of variables that no memory is.
static bool isBuiltinVariable(const Value *Pointer) {
  const Value *Object = Pointer->stripInBoundsOffsets();
  return isa<GlobalVariable>(Object) &&
         Object->getName().starts_with("__spirv_BuiltIn");
}

void Collector::visit(Instruction &I) {
  auto Plain = [&](Value *Pointer, Type *Accessed, Align Alignment,
                   Touching Mode) {
    if (isBuiltinVariable(Pointer))
      return;
    Access &A = add(I, Pointer, Mode);
    A.Accessed = Accessed;
    A.Bytes = bytesOf(Accessed);
    A.Align = Alignment.value();
  };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Plain(Load->getPointerOperand(), Load->getType(), Load->getAlign(),
                 Touching::Read);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Plain(Store->getPointerOperand(),
                 Store->getValueOperand()->getType(), Store->getAlign(),
                 Touching::Write);
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return Plain(Update->getPointerOperand(), Update->getType(),
                 Update->getAlign(), Touching::Atomic);
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Plain(Exchange->getPointerOperand(),
                 Exchange->getCompareOperand()->getType(), Exchange->getAlign(),
                 Touching::Atomic);
  if (auto *Memory = dyn_cast<MemIntrinsic>(&I))
    return visitMemory(*Memory);
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->getCalledFunction())
    return;
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return visitIntrinsic(*Intrinsic);
  StringRef Name = T.builtinName(*Call->getCalledFunction());
  if (!Name.empty())
    visitBuiltin(*Call, Name);
}

/// Those of vectors with a mask are gone (compiler/checks/masked). What any
/// other touches is not known.
void Collector::visitIntrinsic(IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::prefetch:
  case Intrinsic::assume:
  case Intrinsic::ptr_annotation:
  case Intrinsic::var_annotation:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
    return;
  default:
    break;
  }
  if (Call.isLifetimeStartOrEnd() || !Call.mayReadOrWriteMemory())
    return;
  for (Use &Arg : Call.args()) {
    if (!Arg->getType()->isPtrOrPtrVectorTy())
      continue;
    Access &A = add(Call, Arg->getType()->isPointerTy() ? Arg.get() : nullptr,
                    Touching::Atomic);
    A.Builtin = Intrinsic::getBaseName(Call.getIntrinsicID());
    A.Known = false;
    return;
  }
}

void Collector::visitMemory(MemIntrinsic &Call) {
  auto Side = [&](Value *Pointer, MaybeAlign Alignment, Touching Mode) {
    Access &A = add(Call, Pointer, Mode);
    A.Builtin = isa<MemSetInst>(Call) ? "memset" : "memcpy";
    A.Align = Alignment.valueOrOne().value();
    if (auto *Length = dyn_cast<ConstantInt>(Call.getLength())) {
      A.Bytes = Length->getZExtValue();
    } else {
      A.Bytes = 1;
      A.Count = Call.getLength();
    }
  };
  if (auto *Copy = dyn_cast<MemTransferInst>(&Call))
    Side(Copy->getRawSource(), Copy->getSourceAlign(), Touching::Read);
  Side(Call.getRawDest(), Call.getDestAlign(), Touching::Write);
}

/// SPIR-V can call a builtin with operands of any type.
static bool isNumber(const Value *Operand) {
  return !Operand || Operand->getType()->isIntegerTy();
}

/// What \p A touches cannot be said: it is counted as not covered.
static void unknown(Access &A) {
  if (!A.Pointer->getType()->isPointerTy())
    A.Pointer = nullptr;
  A.Index = A.Count = A.Stride = nullptr;
  A.CountOperand = -1;
  A.Known = false;
}

void Collector::visitBuiltin(CallBase &Call, StringRef Name) {
  const Touch *First =
      find_if(Table, [&](const Touch &Row) { return fits(Row.Name, Name); });
  if (First != std::end(Table)) {
    for (const Touch *Row = First;
         Row != std::end(Table) && Row->Name == First->Name; ++Row) {
      if (Row->Extent == Rule::Nothing)
        return;
      if (Row->Operand >= Call.arg_size())
        continue;
      Value *Touched = Call.getArgOperand(Row->Operand);
      Access &A = add(Call, Touched, Row->Mode);
      A.Builtin = Name;
      if (Row->Extent != Rule::Texel && !Touched->getType()->isPointerTy())
        unknown(A);
      else if (!apply(*Row, A, Call))
        Found.pop_back();
      else if (!isNumber(A.Index) || !isNumber(A.Count) || !isNumber(A.Stride))
        unknown(A);
    }
    return;
  }
  // Not in the table: what it touches is not known.
  for (Use &Arg : Call.args()) {
    auto *Opaque = dyn_cast<TargetExtType>(Arg->getType());
    bool Image = Opaque && (Opaque->getName() == "spirv.Image" ||
                            Opaque->getName() == "spirv.SampledImage");
    if (!Arg->getType()->isPointerTy() && !Image)
      continue;
    Access &A = add(Call, Image ? nullptr : Arg.get(), Touching::Atomic);
    A.Builtin = Name;
    A.Known = false;
    return;
  }
}

/// vload4(index, p), vstore4(data, index, p), their half forms, and SPIR-V's
/// vloadn(index, p, n).
bool Collector::vectorAt(Access &A, CallBase &Call) {
  bool Loads = A.Builtin.starts_with("vload");
  Type *Value = Loads ? Call.getType() : Call.getArgOperand(0)->getType();
  uint64_t Element =
      A.Builtin.contains("_half") ? 2 : bytesOf(Value->getScalarType());
  uint64_t Count = elementsOf(Value);
  // The aligned forms access a half3 as an object, and that has the size of a
  // half4: drivers write all of its bytes.
  bool Aligned =
      A.Builtin.starts_with("vloada") || A.Builtin.starts_with("vstorea");
  if (Aligned && Count == 3)
    Count = 4;
  A.Accessed = Value;
  A.Index = Call.getArgOperand(Loads ? 0 : 1);
  A.Scale = A.Bytes = Element * Count;
  A.Align = Aligned ? A.Bytes : Element;
  return true;
}

bool Collector::ranged(Access &A, CallBase &Call, unsigned Pointer,
                       unsigned Count, int Stride) {
  A.Bytes = pointeeSize(Call.getCalledFunction()->getName(), Pointer);
  if (std::max<int>(static_cast<int>(Count), Stride) >=
          static_cast<int>(Call.arg_size()) ||
      A.Bytes == 0) {
    A.Known = false;
    return true;
  }
  A.Align = A.Bytes & -A.Bytes;
  A.Count = Call.getArgOperand(Count);
  A.CountOperand = static_cast<int>(Count);
  // The stride is of the side that is not local.
  unsigned Space = A.Pointer->getType()->getPointerAddressSpace();
  if (Stride >= 0 && T.spaceOf(Space) != Space::Local)
    A.Stride = Call.getArgOperand(Stride);
  return true;
}

/// The mode, as in abi/sampler.h, of a constant sampler.
static std::optional<unsigned> modeOf(const Value *Sampler, const Target &T) {
  const auto *Call = dyn_cast<CallBase>(Sampler);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || T.builtinName(*Callee) != "__translate_sampler_initializer" ||
      Call->arg_empty())
    return std::nullopt;
  const auto *Bits = dyn_cast<ConstantInt>(Call->getArgOperand(0));
  if (!Bits)
    return std::nullopt;
  // CLK_NORMALIZED_COORDS_TRUE, CLK_FILTER_LINEAR; CLK_ADDRESS_NONE is 0.
  constexpr uint64_t Normalized = 0x1, Linear = 0x20, Addressing = 0xE;
  const uint64_t Literal = Bits->getZExtValue();
  return (Literal & Normalized ? WS_SAMPLER_NORMALIZED : 0) |
         (Literal & Linear ? WS_SAMPLER_LINEAR : 0) |
         (Literal & Addressing ? WS_SAMPLER_ADDRESSES : 0);
}

/// Reads a level of detail other than the first, whose size is another.
static bool choosesLevel(const CallBase &Call, bool IsSpirv) {
  if (!IsSpirv)
    return Call.arg_size() > 3;
  constexpr uint64_t OnlyLod = 2; // the mask of image operands
  if (Call.arg_size() != 4)
    return true;
  const auto *Mask = dyn_cast<ConstantInt>(Call.getArgOperand(2));
  const auto *Level = dyn_cast<ConstantFP>(Call.getArgOperand(3));
  return !Mask || Mask->getZExtValue() != OnlyLod || !Level || !Level->isZero();
}

/// A read of A.Image at A.Coordinate through \p Sampler. Coordinates must be
/// inside if that has no addressing mode.
bool Collector::sampled(Access &A, Value *Sampler, bool ChoosesLevel) {
  A.SamplerMode = modeOf(Sampler, T);
  if (A.SamplerMode && *A.SamplerMode >= WS_SAMPLER_ADDRESSES)
    return false;
  A.Sampler = dyn_cast<Argument>(Sampler);
  A.Known = !ChoosesLevel && (A.Sampler || A.SamplerMode);
  return true;
}

/// Coordinates must be inside for accesses without a sampler, and for those
/// with one that has no addressing mode.
bool Collector::texel(Access &A, CallBase &Call) {
  A.Image = A.Pointer;
  A.Pointer = nullptr;
  if (Call.arg_size() < 2)
    return false;
  A.Coordinate = Call.getArgOperand(1);
  if (A.Builtin == "ImageSampleExplicitLod") {
    // Of what __spirv_SampledImage has joined.
    const auto *Joined = dyn_cast<CallBase>(A.Image);
    if (!Joined || Joined->arg_size() < 2) {
      A.Known = false;
      return true;
    }
    A.Image = Joined->getArgOperand(0);
    return sampled(A, Joined->getArgOperand(1), choosesLevel(Call, true));
  }
  if (A.Coordinate->getType()->isIntOrIntVectorTy())
    return true;
  if (Call.arg_size() < 3)
    return false;
  A.Coordinate = Call.getArgOperand(2);
  return sampled(A, Call.getArgOperand(1), choosesLevel(Call, false));
}

bool Collector::apply(const Touch &Row, Access &A, CallBase &Call) {
  auto Like = [&](Type *Value) {
    A.Accessed = Value;
    A.Bytes = bytesOf(Value);
    A.Align = bytesOf(Value->getScalarType());
    return A.Bytes > 0;
  };
  // Drivers write all bytes of an object, and one of three elements has four.
  auto Object = [&](Type *Value) {
    const bool Whole = Like(Value);
    if (elementsOf(Value) == 3)
      A.Bytes = 4 * bytesOf(Value->getScalarType());
    return Whole;
  };
  auto Operand = [&](unsigned Index) {
    return Index < Call.arg_size() &&
           Like(Call.getArgOperand(Index)->getType());
  };
  switch (Row.Extent) {
  case Rule::Nothing:
    return false;
  case Rule::Strings: // see compiler/checks/placement.cpp
    A.Known = false;
    return Call.arg_size() > 1 &&
           any_of(drop_begin(Call.args()),
                  [](const Use &Arg) { return Arg->getType()->isPointerTy(); });
  case Rule::VectorAt:
    return vectorAt(A, Call);
  case Rule::LikeFirst:
    return Object(Call.getArgOperand(0)->getType());
  case Rule::IntsLikeFirst:
    return Object(Call.getArgOperand(0)->getType()->getWithNewBitWidth(32));
  case Rule::CountAt2:
    return ranged(A, Call, Row.Operand, 2, -1);
  case Rule::CountAt2StrideAt3:
    return ranged(A, Call, Row.Operand, 2, 3);
  case Rule::CountAt3StrideAt4:
    return ranged(A, Call, Row.Operand, 3, 4);
  case Rule::BytesAt2:
  case Rule::BytesAt4: {
    unsigned Index = Row.Extent == Rule::BytesAt2 ? 2 : 4;
    auto *Bytes = Index < Call.arg_size()
                      ? dyn_cast<ConstantInt>(Call.getArgOperand(Index))
                      : nullptr;
    A.Bytes = Bytes ? Bytes->getZExtValue() : 0;
    A.Known = A.Bytes > 0;
    return true;
  }
  case Rule::Result:
    return Like(Call.getType());
  case Rule::ValueAt1:
    return Operand(1);
  case Rule::ValueAt2:
    return Operand(2);
  case Rule::ValueAt3:
    return Operand(3);
  case Rule::Four:
    A.Bytes = A.Align = 4;
    return true;
  case Rule::Texel:
    return texel(A, Call);
  }
  return false;
}

std::vector<Access> warpsan::accessesOf(Function &Kernel, const Target &T) {
  Collector All(Kernel, T);
  for (Instruction &I : instructions(Kernel))
    All.visit(I);
  return std::move(All.Found);
}
