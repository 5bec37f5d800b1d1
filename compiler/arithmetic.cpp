//===- compiler/arithmetic.cpp - a kernel's integers as proof/ knows them -===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/arithmetic.h"

#include "compiler/mangling.h"
#include "proof/walk.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace warpsan;
using Op = warpsan::Node::Op;

/// More are not worth the time that a launch would take.
static constexpr size_t MostNodes = 4000;

Arithmetic::Arithmetic(const Twin &Of, const Target &T)
    : Of(Of), OwnArgs(Of.OwnArgs), T(T), Dominators(*Of.Kernel),
      Loops(Dominators), Sources(T) {
  Cycles.compute(*Of.Kernel);
}

/// In a cycle that is no natural loop, as goto makes them.
bool Arithmetic::isIrreducible(const BasicBlock *Block) const {
  for (const Cycle *Around = Cycles.getCycle(Block); Around;
       Around = Around->getParentCycle())
    if (!Around->isReducible())
      return true;
  return false;
}

static bool isInteger(const Value *V) {
  return V->getType()->isIntegerTy() &&
         V->getType()->getIntegerBitWidth() <= 64;
}

static unsigned widthOf(const Value *V) {
  return V->getType()->getIntegerBitWidth();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Equal nodes are one: a condition and an index that calculate the same must
/// meet.
uint32_t Arithmetic::add(warpsan::Node New) {
  auto [It, IsNew] = Same.try_emplace({static_cast<int>(New.What), New.Width,
                                       New.A, New.B, New.Value, New.Flags},
                                      static_cast<uint32_t>(Made.Nodes.size()));
  if (IsNew)
    Made.Nodes.push_back(New);
  return It->second;
}

uint32_t Arithmetic::leaf(Op What, unsigned Width, uint32_t A, uint32_t B,
                          int64_t Value) {
  return flagged(What, Width, A, B, 0, Value);
}

uint32_t Arithmetic::flagged(Op What, unsigned Width, uint32_t A, uint32_t B,
                             uint8_t Flags, int64_t Value) {
  return add({What, static_cast<uint8_t>(Width), A, B, Value, Flags});
}

/// Not shared with equal ones: which value it is may differ.
uint32_t Arithmetic::own(Op What, unsigned Width, uint32_t A, uint32_t B) {
  return leaf(What, Width, A, B, static_cast<int64_t>(Made.Nodes.size()));
}

uint32_t Arithmetic::constant(int64_t Value, unsigned Width) {
  return leaf(Op::constant, Width, 0, 0, Value);
}

/// What can be anything, and nothing is known of what it is calculated with.
uint32_t Arithmetic::unknown(const Value *V, unsigned Width) {
  return own(Sources.reach(V) ? Op::poison : Op::opaque, Width);
}

/// The integers that \p Of is calculated with and that may be poison. None if
/// there are too many, or it may be poison by itself or in an earlier round.
std::optional<SmallVector<uint32_t, 4>>
Arithmetic::poisonInputs(const Instruction &Of) {
  constexpr size_t MostSeen = 64, MostInputs = 4;
  SmallVector<const Instruction *, 8> Work = {&Of};
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<uint32_t, 4> Inputs;
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (isa<PHINode>(I) || createsPoison(*I, T))
      return std::nullopt;
    for (const Use &U : I->operands()) {
      Value *Operand = U.get();
      if (!Sources.reach(Operand) || !Seen.insert(Operand).second)
        continue;
      if (isInteger(Operand))
        Inputs.push_back(node(Operand));
      else
        Work.push_back(cast<Instruction>(Operand));
      if (Seen.size() > MostSeen || Inputs.size() > MostInputs)
        return std::nullopt;
    }
  }
  return Inputs;
}

uint32_t Arithmetic::opaque(Value *V) {
  const unsigned Width = widthOf(V);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Sources.reach(V))
    return own(isa<UndefValue>(V) ? Op::poison : Op::opaque, Width);
  const auto Inputs = poisonInputs(*I);
  if (!Inputs || Inputs->empty())
    return own(Op::poison, Width);
  uint32_t All = own(Op::mixed, Width, Inputs->front(), Inputs->back());
  for (uint32_t Each : drop_begin(*Inputs))
    All = own(Op::mixed, Width, All, Each);
  return All;
}

uint32_t Arithmetic::two(Op What, unsigned Width, Value *A, Value *B,
                         uint8_t Flags) {
  const uint32_t First = node(A), Second = node(B);
  return flagged(What, Width, First, Second, Flags);
}

uint32_t Arithmetic::either(unsigned Width, uint32_t A, uint32_t B) {
  return A == B ? A : own(Op::join, Width, A, B);
}

/// One where a condition holds, the other where another does. Not shared with
/// equal ones: the conditions may not be all that decides.
uint32_t Arithmetic::choice(unsigned Width, uint32_t A, uint32_t WhereA,
                            uint32_t B, uint32_t WhereB) {
  if (A == B)
    return A;
  Made.Nodes.push_back({Op::choice, static_cast<uint8_t>(Width), A, B,
                        warpsan::Node::conditions(WhereA, WhereB)});
  return static_cast<uint32_t>(Made.Nodes.size() - 1);
}

uint32_t Arithmetic::node(Value *V) {
  if (isa<UndefValue>(V)) // another one each time
    return opaque(V);
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  const auto Before = static_cast<uint32_t>(Made.Nodes.size());
  // Longer chains of calculations would take too much of the stack.
  constexpr unsigned Deepest = 400;
  ++Depth;
  const bool Follow = Depth < Deepest && Made.Nodes.size() <= MostNodes;
  const uint32_t Index =
      Follow || isa<ConstantInt>(V) ? make(V) : unknown(V, widthOf(V));
  --Depth;
  if (auto *I = dyn_cast<Instruction>(V)) // what is below has its own already
    for (uint32_t New = Before; New < Made.Nodes.size(); ++New)
      MadeIn.try_emplace(New, I->getParent());
  Known[V] = Index;
  return Index;
}

uint32_t Arithmetic::make(Value *V) {
  assert(isInteger(V) && "not a number that proofs know");
  if (auto *Number = dyn_cast<ConstantInt>(V))
    return constant(Number->getSExtValue(), widthOf(V));
  if (auto *Arg = dyn_cast<Argument>(V)) {
    if (Arg->getArgNo() < OwnArgs && T.kindOf(*Arg) == ArgKind::Value &&
        widthOf(V) % 8 == 0)
      return leaf(Op::argument, widthOf(V), Arg->getArgNo());
    if (Arg->getArgNo() >= OwnArgs)
      if (const HiddenArg &Hidden = Of.Hidden[Arg->getArgNo() - OwnArgs];
          Hidden.What == HiddenArg::Kind::Start)
        return leaf(Op::start, widthOf(V), Hidden.Arg);
    return opaque(V);
  }
  if (auto *Phi = dyn_cast<PHINode>(V))
    return ofPhi(*Phi);
  if (auto *Call = dyn_cast<CallBase>(V))
    return ofCall(*Call);
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    if (auto Bytes = ofArgumentBytes(*Load))
      return *Bytes;
    if (auto Element = ofLoad(Load))
      return *Element;
  }
  if (auto *I = dyn_cast<Instruction>(V))
    return ofOperator(*I);
  return opaque(V);
}

static std::optional<Op> opOf(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::Add:
    return Op::add;
  case Instruction::Sub:
    return Op::sub;
  case Instruction::Mul:
    return Op::mul;
  case Instruction::UDiv:
    return Op::udiv;
  case Instruction::SDiv:
    return Op::sdiv;
  case Instruction::URem:
    return Op::urem;
  case Instruction::SRem:
    return Op::srem;
  case Instruction::Shl:
    return Op::shl;
  case Instruction::LShr:
    return Op::lshr;
  case Instruction::AShr:
    return Op::ashr;
  case Instruction::And:
    return Op::bit_and;
  case Instruction::Or:
    return Op::bit_or;
  case Instruction::Xor:
    return Op::bit_xor;
  default:
    return std::nullopt;
  }
}

uint32_t Arithmetic::ofOperator(Instruction &I) {
  const unsigned Width = widthOf(&I);
  if (isa<FreezeInst>(I)) {
    if (isa<UndefValue>(I.getOperand(0)))
      return own(Op::opaque, Width);
    const uint32_t Frozen = node(I.getOperand(0));
    return Sources.reach(I.getOperand(0)) ? own(Op::freeze, Width, Frozen)
                                          : Frozen;
  }
  if (auto *Cast = dyn_cast<CastInst>(&I); Cast && isInteger(I.getOperand(0))) {
    const Op What = isa<ZExtInst>(I)   ? Op::zext
                    : isa<SExtInst>(I) ? Op::sext
                                       : Op::trunc;
    if (isa<ZExtInst, SExtInst, TruncInst>(I)) {
      const uint32_t From = node(I.getOperand(0));
      return flagged(What, Width, From, 0, flagsOf(I));
    }
  }
  if (auto *Element = dyn_cast<ExtractElementInst>(&I)) {
    auto *Index = dyn_cast<ConstantInt>(Element->getIndexOperand());
    if (Index && Index->getValue().ult(16))
      return ofElement(Element->getVectorOperand(),
                       static_cast<unsigned>(Index->getZExtValue()), 0);
    return opaque(&I);
  }
  if (auto *Choice = dyn_cast<SelectInst>(&I)) {
    Value *A = nullptr, *B = nullptr;
    switch (matchSelectPattern(Choice, A, B).Flavor) {
    case SPF_SMIN:
      return two(Op::smin, Width, A, B);
    case SPF_SMAX:
      return two(Op::smax, Width, A, B);
    case SPF_UMIN:
      return two(Op::umin, Width, A, B);
    case SPF_UMAX:
      return two(Op::umax, Width, A, B);
    default: {
      const uint32_t First = node(Choice->getTrueValue());
      const uint32_t Second = node(Choice->getFalseValue());
      const uint32_t Here = condition(I.getParent());
      auto Where = [&](bool Truth) {
        return holds(Choice->getCondition(), Truth, Here, I.getParent());
      };
      const uint32_t Yes = Where(true);
      return choice(Width, First, Yes, Second, Where(false));
    }
    }
  }
  std::optional<Op> What = opOf(I.getOpcode());
  if (!What || !isa<BinaryOperator>(I))
    return opaque(&I);
  // ~x is -1 - x.
  if (match(&I, m_Not(m_Value()))) {
    const uint32_t Of =
        node(I.getOperand(isa<Constant>(I.getOperand(0)) ? 1 : 0));
    return leaf(Op::sub, Width, constant(-1, Width), Of);
  }
  if (What == Op::bit_or) {
    auto BitsOf = [&](unsigned Operand) {
      return computeKnownBits(I.getOperand(Operand), I.getDataLayout());
    };
    const bool Disjoint = cast<PossiblyDisjointInst>(I).isDisjoint();
    if (Disjoint ? KnownBits::haveNoCommonBitsSet(BitsOf(0), BitsOf(1))
                 : haveNoCommonBitsSet(I.getOperand(0), I.getOperand(1),
                                       SimplifyQuery(I.getDataLayout(), &I)))
      What = Op::add;
    else if (Disjoint)
      return opaque(&I);
  }
  return two(*What, Width, I.getOperand(0), I.getOperand(1), flagsOf(I));
}

/// Element \p Index of a vector of integers.
uint32_t Arithmetic::ofElement(Value *Vector, unsigned Index, unsigned Depth) {
  const unsigned Width = Vector->getType()->getScalarSizeInBits();
  constexpr unsigned Deepest = 8;
  // Whatever it is: the same wherever it is asked for.
  if (auto It = Elements.find({Vector, Index}); It != Elements.end())
    return It->second;
  auto Find = [&]() -> uint32_t {
    Value *Same = findScalarElement(Vector, Index);
    if (Same && isa<UndefValue>(Same))
      return own(Op::poison, Width);
    if (Same && isInteger(Same) && !isa<ExtractElementInst>(Same))
      return node(Same);
    if (auto *Arg = dyn_cast<Argument>(Vector);
        Arg && Arg->getArgNo() < OwnArgs && T.kindOf(*Arg) == ArgKind::Value &&
        Width % 8 == 0)
      return leaf(Op::argument, Width, Arg->getArgNo(), Index * Width / 8);
    auto *I = dyn_cast<Instruction>(Vector);
    auto Element = [&](unsigned Operand) {
      return ofElement(I->getOperand(Operand), Index, Depth + 1);
    };
    if (I && Depth < Deepest) {
      if (auto *Call = dyn_cast<CallBase>(I))
        if (auto Limits = limitsOf(*Call)) {
          uint32_t Of = Element(0);
          for (unsigned Each = 1; Each < Call->arg_size(); ++Each)
            Of = flagged((*Limits)[Each - 1], Width, Of, Element(Each),
                         Each > 1 ? warpsan::Node::Ordered : 0);
          return Of;
        }
      if (auto What = opOf(I->getOpcode()); What && isa<BinaryOperator>(I)) {
        const uint32_t First = Element(0);
        return flagged(*What, Width, First, Element(1), flagsOf(*I));
      }
    }
    const uint32_t Any = unknown(Vector, Width);
    if (I) // not where it is first asked for
      MadeIn.try_emplace(Any, I->getParent());
    return Any;
  };
  const uint32_t Found = Find();
  return Elements[{Vector, Index}] = Found;
}

/// A field of a struct that was passed by value and is never written to.
std::optional<uint32_t> Arithmetic::ofArgumentBytes(LoadInst &Load) {
  const DataLayout &Layout = Load.getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  auto *Arg = dyn_cast<Argument>(
      Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true));
  if (!Arg || !Arg->hasByValAttr() || Arg->getArgNo() >= OwnArgs ||
      !Load.isSimple() || widthOf(&Load) % 8 || Offset.isNegative() ||
      Offset.ugt(1 << 20))
    return std::nullopt;
  SmallVector<const Value *, 8> Work = {Arg};
  while (!Work.empty()) {
    const Value *Pointer = Work.pop_back_val();
    for (const User *U : Pointer->users()) {
      if (isa<LoadInst>(U))
        continue;
      if (!isa<GEPOperator>(U) && !isa<BitCastOperator>(U))
        return std::nullopt;
      Work.push_back(U);
    }
  }
  return leaf(Op::argument, widthOf(&Load), Arg->getArgNo(),
              static_cast<uint32_t>(Offset.getZExtValue()));
}

void Arithmetic::readsFrom(const LoadInst &Load, const Content &From) {
  ReadFrom.try_emplace(&Load, From);
}

/// Of each argument a few; what comes later is taken for any integer of it.
uint32_t Arithmetic::contentIndex(Content Of) {
  constexpr int MostFields = 4;
  auto Find = [&] { return find(Made.Contents, Of); };
  if (Find() == Made.Contents.end() &&
      count_if(Made.Contents, [&](const Content &Each) {
        return Each.Arg == Of.Arg;
      }) >= MostFields) {
    Of.First = 0;
    Of.Stride = Of.Bytes = Of.Width / 8;
  }
  auto It = Find();
  if (It == Made.Contents.end())
    It = Made.Contents.insert(It, Of);
  return static_cast<uint32_t>(It - Made.Contents.begin());
}

/// One of some integers in memory: each time it is asked for, another.
std::optional<uint32_t> Arithmetic::ofLoad(const Value *V) {
  auto It = ReadFrom.find(dyn_cast<LoadInst>(V));
  if (It == ReadFrom.end())
    return std::nullopt;
  return own(Op::loaded, widthOf(V), contentIndex(It->second));
}

std::optional<Op> warpsan::workItemFunction(const CallBase &Call,
                                            const Target &T) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.arg_size() != 1)
    return std::nullopt;
  auto *Dimension = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  if (!Dimension || Dimension->getValue().uge(3))
    return std::nullopt;
  // As OpenCL C calls them, and SPIR-V.
  return StringSwitch<std::optional<Op>>(T.builtinName(*Callee))
      .Cases("get_global_id", "GlobalInvocationId", Op::global_id)
      .Cases("get_local_id", "LocalInvocationId", Op::local_id)
      .Cases("get_group_id", "WorkgroupId", Op::group_id)
      .Cases("get_global_size", "GlobalSize", Op::global_size)
      .Cases("get_local_size", "WorkgroupSize", Op::local_size)
      .Cases("get_num_groups", "NumWorkgroups", Op::num_groups)
      .Cases("get_global_offset", "GlobalOffset", Op::global_offset)
      .Default(std::nullopt);
}

/// A function of the sub-group that says the same wherever a work-item calls
/// it: which one, and the least that it says.
static std::optional<std::pair<uint32_t, uint32_t>>
subGroupFunction(const CallBase &Call, const Target &T) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.arg_size() != 0)
    return std::nullopt;
  using Which = std::optional<std::pair<uint32_t, uint32_t>>;
  return StringSwitch<Which>(T.builtinName(*Callee))
      .Cases("get_sub_group_size", "SubgroupSize", {{0, 1}})
      .Cases("get_max_sub_group_size", "SubgroupMaxSize", {{1, 1}})
      .Cases("get_num_sub_groups", "NumSubgroups", {{2, 1}})
      .Cases("get_sub_group_id", "SubgroupId", {{3, 0}})
      .Cases("get_sub_group_local_id", "SubgroupLocalInvocationId", {{4, 0}})
      .Default(std::nullopt);
}

static bool saysTheSame(const Value *V, const Target &T) {
  const auto *Call = dyn_cast<CallBase>(V);
  return Call && (workItemFunction(*Call, T) || subGroupFunction(*Call, T));
}

/// min, max and clamp: what is done with the first argument and the second, and
/// with the result of that and the third. None if it is another call.
std::optional<SmallVector<Op, 2>>
Arithmetic::limitsOf(const CallBase &Call) const {
  Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? T.builtinName(*Callee) : "";
  // SPIR-V's names say whether the integers are signed. Elsewhere their letters
  // do: integers of one type, or vectors of such ("Dv4_iS_").
  const bool NamedSigned = Name.consume_front("s_");
  const bool NamedUnsigned = !NamedSigned && Name.consume_front("u_");
  const auto Mangled = takeApart(Callee ? Callee->getName() : "");
  StringRef Types = Mangled ? Mangled->Parameters : "";
  if (Types.consume_front("Dv"))
    Types = Types.substr(Types.find('_') + 1).take_front(1);
  auto AllAre = [&](StringRef Letters) {
    return !Types.empty() &&
           Types.find_first_not_of(Letters) == StringRef::npos;
  };
  const bool Signed = NamedSigned || (!NamedUnsigned && AllAre("casilx"));
  const bool Unsigned = NamedUnsigned || AllAre("htjmy");
  if ((!Signed && !Unsigned) || !all_of(Call.args(), [&](const Use &U) {
        return U->getType() == Call.getType();
      }))
    return std::nullopt;
  const Op Least = Signed ? Op::smin : Op::umin;
  const Op Most = Signed ? Op::smax : Op::umax;
  if (Name == "min" && Call.arg_size() == 2)
    return SmallVector<Op, 2>{Least};
  if (Name == "max" && Call.arg_size() == 2)
    return SmallVector<Op, 2>{Most};
  if (Name == "clamp" && Call.arg_size() == 3)
    return SmallVector<Op, 2>{Most, Least};
  return std::nullopt;
}

uint32_t Arithmetic::ofCall(CallBase &Call) {
  const unsigned Width = widthOf(&Call);
  if (auto *Intrinsic = dyn_cast<MinMaxIntrinsic>(&Call)) {
    const Op What = Intrinsic->getIntrinsicID() == Intrinsic::smin   ? Op::smin
                    : Intrinsic->getIntrinsicID() == Intrinsic::smax ? Op::smax
                    : Intrinsic->getIntrinsicID() == Intrinsic::umin ? Op::umin
                                                                     : Op::umax;
    return two(What, Width, Intrinsic->getLHS(), Intrinsic->getRHS());
  }
  if (auto What = workItemFunction(Call, T)) {
    auto *Dimension = cast<ConstantInt>(Call.getArgOperand(0));
    // All are size_t; what a 32-bit device says has fewer bits.
    const uint32_t Whole =
        leaf(*What, 64, static_cast<uint32_t>(Dimension->getZExtValue()));
    return Width == 64 ? Whole : leaf(Op::trunc, Width, Whole);
  }
  if (auto Of = subGroupFunction(Call, T))
    return leaf(Op::sub_group, Width, Of->first, Of->second);
  if (auto Product = ofProduct24(Call))
    return *Product;
  auto Limits = limitsOf(Call);
  if (!Limits)
    return opaque(&Call);
  uint32_t Of = node(Call.getArgOperand(0));
  for (unsigned I = 1; I < Call.arg_size(); ++I)
    Of = flagged((*Limits)[I - 1], Width, Of, node(Call.getArgOperand(I)),
                 I > 1 ? warpsan::Node::Ordered : 0);
  return Of;
}

/// mul24 and mad24, whose operands have no more bits or it is not defined what
/// they say. Drivers calculate them as any other product: it may overflow.
std::optional<uint32_t> Arithmetic::ofProduct24(const CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? T.builtinName(*Callee) : "";
  const bool NamedSigned = Name.consume_front("s_");
  const bool NamedUnsigned = !NamedSigned && Name.consume_front("u_");
  const auto Mangled = takeApart(Callee ? Callee->getName() : "");
  const char Type = Mangled && !Mangled->Parameters.empty()
                        ? Mangled->Parameters.front()
                        : ' ';
  const bool Signed = NamedSigned || (!NamedUnsigned && Type == 'i');
  if (!Signed && !NamedUnsigned && Type != 'j')
    return std::nullopt;
  if (!(Name == "mul24" && Call.arg_size() == 2) &&
      !(Name == "mad24" && Call.arg_size() == 3))
    return std::nullopt;
  const uint8_t Wraps = Signed ? warpsan::Node::NoSignedWrap : 0;
  const uint32_t Product =
      two(Op::mul, 32, Call.getArgOperand(0), Call.getArgOperand(1),
          Wraps | warpsan::Node::Of24Bits);
  if (Call.arg_size() == 2)
    return Product;
  return flagged(Op::add, 32, Product, node(Call.getArgOperand(2)), Wraps);
}

/// The same in all rounds of \p L.
static bool stays(const Value *V, const llvm::Loop &L, const Target &T,
                  unsigned Depth = 0) {
  constexpr unsigned Deepest = 4;
  if (L.isLoopInvariant(V) || saysTheSame(V, T))
    return true;
  return (isa<CastInst>(V) || isa<BinaryOperator>(V)) && Depth < Deepest &&
         all_of(
             cast<User>(V)->operands(),
             [&](const Use &U) { return stays(U.get(), L, T, Depth + 1); });
}

namespace {
/// What is added to a counter in each round.
struct Addend {
  Value *By;
  bool Minus;
  uint8_t Flags; ///< Node::Flag of the sum
};
} // namespace

/// Whether sums that \p Phi was extended for, to \p Wide bits, cannot overflow
/// there.
static bool haveRoom(ArrayRef<Addend> Added, const PHINode &Phi, unsigned Wide,
                     bool WithSign) {
  return widthOf(&Phi) + 8 <= Wide && all_of(Added, [&](const Addend &Each) {
           const auto *Number = dyn_cast<ConstantInt>(Each.By);
           const bool Wraps = Each.Flags & warpsan::Node::NoUnsignedWrap;
           return Number &&
                  Number->getValue().getSignificantBits() + 4 < Wide &&
                  !(Wraps && (WithSign || Each.Minus || Number->isNegative()));
         });
}

/// What the value becomes in each round: \p Phi plus what stays the same. False
/// if it is something else. What is calculated with more bits and then cut off
/// is the same in those that are left, unless it overflows before.
static bool addends(Value *Next, const PHINode &Phi, const llvm::Loop &L,
                    const Target &T, SmallVectorImpl<Addend> &Added) {
  if (auto *Cut = dyn_cast<TruncInst>(Next); Cut && !flagsOf(*Cut))
    Next = Cut->getOperand(0);
  const unsigned Wide =
      Next->getType()->isIntegerTy() ? widthOf(Next) : widthOf(&Phi);
  auto IsPhi = [&](const Value *V) {
    return V == &Phi || ((isa<SExtInst>(V) || isa<ZExtInst>(V)) &&
                         cast<CastInst>(V)->getOperand(0) == &Phi);
  };
  bool AnyFlags = false;
  while (!IsPhi(Next)) {
    auto *I = dyn_cast<BinaryOperator>(Next);
    if (!I || Added.size() > 4)
      return false;
    Value *A = I->getOperand(0), *B = I->getOperand(1);
    if (I->getOpcode() == Instruction::Add && stays(A, L, T))
      std::swap(A, B);
    if ((I->getOpcode() != Instruction::Add &&
         I->getOpcode() != Instruction::Sub) ||
        !stays(B, L, T) || !isInteger(B))
      return false;
    Added.push_back({B, I->getOpcode() == Instruction::Sub, flagsOf(*I)});
    AnyFlags |= Added.back().Flags != 0;
    Next = A;
  }
  if (Next == &Phi)
    return true;
  if (flagsOf(*cast<Instruction>(Next)))
    return false;
  if (!AnyFlags)
    return true;
  if (!haveRoom(Added, Phi, Wide, isa<SExtInst>(Next)))
    return false;
  for (Addend &Each : Added)
    Each.Flags = 0;
  return true;
}

/// The flags of the sum of all, whose parts in between do not overflow if it
/// does not. None if that cannot be said.
static std::optional<uint8_t> flagsOfSum(ArrayRef<Addend> Added) {
  uint8_t All = 0;
  bool Up = false, Down = false, Fixed = true;
  for (const Addend &Each : Added) {
    All |= Each.Flags;
    const auto *Number = dyn_cast<ConstantInt>(Each.By);
    Fixed &= Number && Number->getValue().getSignificantBits() + 4 <
                           Number->getBitWidth();
    (Number && Number->isNegative() != Each.Minus ? Down : Up) = true;
    if (Each.Flags & warpsan::Node::NoUnsignedWrap && Each.Minus)
      return std::nullopt;
  }
  if (All && Added.size() > 1 && (!Fixed || (Up && Down)))
    return std::nullopt;
  return All;
}

uint32_t Arithmetic::ofCounter(PHINode &Phi, const llvm::Loop &L) {
  BasicBlock *Before = L.getLoopPredecessor(), *Latch = L.getLoopLatch();
  if (!Before || !Latch || Phi.getNumIncomingValues() != 2)
    return opaque(&Phi);
  const unsigned Width = widthOf(&Phi);
  Value *Next = Phi.getIncomingValueForBlock(Latch);
  Value *First = Phi.getIncomingValueForBlock(Before);
  SmallVector<Addend, 4> Added;
  if (addends(Next, Phi, L, T, Added)) {
    const auto Flags = flagsOfSum(Added);
    if (!Flags)
      return opaque(&Phi);
    uint32_t Step = constant(0, Width);
    for (const Addend &Each : Added) {
      uint32_t More = node(Each.By);
      if (widthOf(Each.By) != Width)
        More = leaf(Op::trunc, Width, More);
      Step = leaf(Each.Minus ? Op::sub : Op::add, Width, Step, More);
    }
    const uint32_t Start = node(First);
    return flagged(Op::counter, Width, Start, Step, *Flags, loopIndex(L));
  }
  if (auto Stepped = ofStepped(Phi, L))
    return *Stepped;
  return ofFollowed(Phi, L);
}

/// What is multiplied or divided by the same in each round. What is calculated
/// with more bits and then cut off is the same in those that are left, if it is
/// multiplied, or divided by a number of few bits.
std::optional<uint32_t> Arithmetic::ofStepped(PHINode &Phi,
                                              const llvm::Loop &L) {
  const unsigned Width = widthOf(&Phi);
  Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
  Value *Of = &Phi;
  if (auto *Cut = dyn_cast<TruncInst>(Next)) {
    Next = Cut->getOperand(0);
    auto *Made = dyn_cast<BinaryOperator>(Next);
    if (!Made || flagsOf(*Cut))
      return std::nullopt;
    Of = Made->getOperand(isa<ZExtInst, SExtInst>(Made->getOperand(0)) ? 0 : 1);
    if (!match(Of, m_ZExtOrSExt(m_Specific(&Phi))) ||
        flagsOf(*cast<Instruction>(Of)))
      return std::nullopt;
  }
  auto *I = dyn_cast<BinaryOperator>(Next);
  if (!I || !isInteger(I))
    return std::nullopt;
  uint8_t Flags = flagsOf(*I);
  if (Flags & warpsan::Node::Exact)
    return std::nullopt;
  Value *A = I->getOperand(0), *By = I->getOperand(1);
  if (I->isCommutative() && By == Of)
    std::swap(A, By);
  const bool Twice = I->getOpcode() == Instruction::Add && By == Of;
  if (A != Of || !(Twice || stays(By, L, T)))
    return std::nullopt;
  const unsigned Wide = widthOf(I);
  auto Narrow = [&](uint32_t Index) {
    return Wide == Width ? Index : leaf(Op::trunc, Width, Index);
  };
  auto PowerOfTwo = [&] {
    const uint32_t One = constant(1, Wide);
    return leaf(Op::shl, Wide, One, node(By));
  };
  auto Make = [&](Op What, uint32_t Amount) {
    const uint32_t Start =
        node(Phi.getIncomingValueForBlock(L.getLoopPredecessor()));
    return flagged(What, Width, Start, Amount, Flags, loopIndex(L));
  };
  const APInt *Number = nullptr;
  const bool FewBits =
      match(By, m_APInt(Number)) && Number->getActiveBits() < Width;
  if (Flags && Wide != Width) {
    // With more bits it does not overflow, if there are enough of them.
    const uint64_t More = Twice                             ? 1
                          : !Number || Number->isNegative() ? Wide
                          : I->getOpcode() == Instruction::Shl
                              ? Number->getLimitedValue(Wide)
                              : Number->getActiveBits();
    if (Width + More >= Wide ||
        (Flags & warpsan::Node::NoUnsignedWrap && isa<SExtInst>(Of)))
      return std::nullopt;
    Flags = 0;
  }
  // Of what was extended with zeros, division has no sign.
  const bool Signed = Of == &Phi ? I->getOpcode() == Instruction::SDiv ||
                                       I->getOpcode() == Instruction::AShr
                                 : isa<SExtInst>(Of);
  const Op Divided = Signed ? Op::sdivided : Op::udivided;
  switch (I->getOpcode()) {
  case Instruction::Add:
    return Twice ? std::optional(Make(Op::multiplied, constant(2, Width)))
                 : std::nullopt;
  case Instruction::Mul:
    return Make(Op::multiplied, Narrow(node(By)));
  case Instruction::Shl:
    return Make(Op::multiplied, Narrow(PowerOfTwo()));
  case Instruction::UDiv:
  case Instruction::LShr:
  case Instruction::SDiv:
  case Instruction::AShr: {
    const bool Shift = I->isShift();
    if (Wide != Width) {
      const bool OfSigned = I->getOpcode() == Instruction::SDiv ||
                            I->getOpcode() == Instruction::AShr;
      if (!FewBits || (Signed && !OfSigned) ||
          (Shift && Number->uge(Width - 1)))
        return std::nullopt;
    }
    return Make(Divided, Narrow(Shift ? PowerOfTwo() : node(By)));
  }
  default:
    return std::nullopt;
  }
}

/// \p V is \p Held, within limits that stay the same: as it is if \p Any is its
/// node.
std::optional<uint32_t> Arithmetic::ofLimited(Value *V, uint32_t Any,
                                              const llvm::Loop &L,
                                              Value *&Held) {
  const unsigned Width = widthOf(V);
  auto Stays = [&](const Value *Each) { return stays(Each, L, T); };
  Value *A = nullptr, *B = nullptr;
  // Whether Of is calculated so, and one of the two stays: that is B then.
  auto Is = [&](Value *Of, Op What) {
    auto *Call = dyn_cast<CallBase>(Of);
    const auto Limits = Call ? limitsOf(*Call) : std::nullopt;
    if (Limits && Limits->size() == 1 && Limits->front() == What) {
      A = Call->getArgOperand(0);
      B = Call->getArgOperand(1);
    } else if (!(What == Op::bit_and ? match(Of, m_And(m_Value(A), m_Value(B)))
                 : What == Op::umin  ? match(Of, m_UMin(m_Value(A), m_Value(B)))
                 : What == Op::smin
                     ? match(Of, m_SMin(m_Value(A), m_Value(B)))
                     : match(Of, m_SMax(m_Value(A), m_Value(B))))) {
      return false;
    }
    if (Stays(A))
      std::swap(A, B);
    Held = A;
    return Stays(B);
  };
  for (Op What : {Op::bit_and, Op::umin})
    if (Is(V, What)) {
      const uint32_t Limit = node(B);
      return leaf(What, Width, Any, Limit);
    }
  if (match(V, m_URem(m_Value(A), m_Value(B))) && Stays(B)) {
    Held = A;
    const uint32_t By = node(B);
    return leaf(Op::urem, Width, Any, By);
  }
  // Held between two: clamp, or a minimum of a maximum, or the other way round.
  auto Between = [&](Op First, Value *Limit, Op Second, Value *Other,
                     uint8_t Flags) {
    const uint32_t Inner = node(Limit), Outer = node(Other);
    return flagged(Second, Width, leaf(First, Width, Any, Inner), Outer, Flags);
  };
  if (auto *Call = dyn_cast<CallBase>(V))
    if (auto Limits = limitsOf(*Call); Limits && Limits->size() == 2 &&
                                       Stays(Call->getArgOperand(1)) &&
                                       Stays(Call->getArgOperand(2))) {
      Held = Call->getArgOperand(0);
      return Between((*Limits)[0], Call->getArgOperand(1), (*Limits)[1],
                     Call->getArgOperand(2), warpsan::Node::Ordered);
    }
  for (auto [First, Second] :
       {std::pair(Op::smax, Op::smin), {Op::smin, Op::smax}})
    if (Is(V, Second)) {
      Value *Other = B;
      if (Is(A, First))
        return Between(First, B, Second, Other, 0);
    }
  return std::nullopt;
}

/// \p V is the signed remainder of \p Held, whose node is \p Any if \p Next.
/// Otherwise: what it is if \p Held is not negative.
std::optional<uint32_t> Arithmetic::ofRemainder(Value *V, uint32_t Any,
                                                bool Next, const llvm::Loop &L,
                                                Value *&Held) {
  const unsigned Width = widthOf(V);
  Value *B = nullptr;
  if (!match(V, m_SRem(m_Value(Held), m_Value(B))) || !stays(B, L, T))
    return std::nullopt;
  const uint32_t By = node(B);
  if (Next)
    return leaf(Op::srem, Width, Any, By);
  const uint32_t Last = leaf(Op::sub, Width, By, constant(1, Width));
  return leaf(Op::umin, Width, Any, Last);
}

/// \p V, within limits that stay the same, is of \p Phi plus what stays the
/// same; the sum may overflow, or be negative and so is its remainder. \p
/// Others: all else that \p Phi may be. As long as it was within the limits
/// before, \p Phi is one of \p Others or within them: by induction. If the next
/// one cannot be shown to be, it can be anything.
std::optional<uint32_t> Arithmetic::ofHeld(Value *V, uint32_t Others,
                                           const PHINode &Phi,
                                           const llvm::Loop &L) {
  const unsigned Width = widthOf(V);
  Value *Held = nullptr;
  const uint32_t Any = own(Op::opaque, Width);
  auto Limited = ofLimited(V, Any, L, Held);
  const bool Remainder = !Limited;
  if (Remainder)
    Limited = ofRemainder(V, Any, /*Next=*/false, L, Held);
  SmallVector<Addend, 4> Added;
  if (!Limited || !addends(Held, Phi, L, T, Added))
    return std::nullopt;
  uint32_t Sum = either(Width, Others, *Limited);
  for (const Addend &Each : reverse(Added)) {
    uint32_t More = node(Each.By);
    if (widthOf(Each.By) != Width)
      More = leaf(Op::trunc, Width, More);
    Sum = flagged(Each.Minus ? Op::sub : Op::add, Width, Sum, More, Each.Flags);
  }
  return Remainder ? ofRemainder(V, Sum, /*Next=*/true, L, Held)
                   : ofLimited(V, Sum, L, Held);
}

/// Whether \p V may be poison if \p Phi is not: all that \p Phi may be is
/// looked at by itself.
static bool mayOverflow(const Value *V, const PHINode &Phi, const Target &T) {
  constexpr size_t MostSeen = 64;
  SmallVector<const Value *, 8> Work = {V};
  SmallPtrSet<const Value *, 16> Seen = {&Phi};
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (createsPoison(*I, T) || Seen.size() > MostSeen)
      return true;
    if (!isa<FreezeInst, LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
      append_range(Work, I->operand_values());
  }
  return false;
}

/// Where a search goes on: what it began with, or what some round has loaded or
/// held within limits.
uint32_t Arithmetic::ofFollowed(PHINode &Phi, const llvm::Loop &L) {
  SmallVector<Value *, 8> Work = {
      Phi.getIncomingValueForBlock(L.getLoopLatch())};
  SmallPtrSet<Value *, 8> Seen = {&Phi};
  SmallVector<uint32_t, 4> Loaded;
  Value *Next = nullptr;
  const uint32_t Start =
      node(Phi.getIncomingValueForBlock(L.getLoopPredecessor()));
  constexpr size_t Most = 8;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > Most)
      return opaque(&Phi);
    // First: a phi outside is an outer loop's, whose values are of its rounds.
    if (L.isLoopInvariant(V)) {
      Loaded.push_back(node(V));
    } else if (auto *Choice = dyn_cast<SelectInst>(V)) {
      Work.append({Choice->getTrueValue(), Choice->getFalseValue()});
    } else if (auto *Joined = dyn_cast<PHINode>(V)) {
      append_range(Work, Joined->incoming_values());
    } else if (auto Element = ofLoad(V)) {
      Loaded.push_back(*Element);
    } else {
      Value *Held = nullptr;
      const uint32_t Any = own(Op::opaque, widthOf(V));
      const auto Limited = ofLimited(V, Any, L, Held);
      if (Limited && !mayOverflow(Held, Phi, T))
        Loaded.push_back(*Limited);
      else if (!Next)
        Next = V;
      else
        return opaque(&Phi);
    }
  }
  uint32_t Either = Start;
  for (uint32_t More : Loaded)
    Either = either(widthOf(&Phi), Either, More);
  if (!Next)
    return Either;
  auto Held = ofHeld(Next, Either, Phi, L);
  return Held ? either(widthOf(&Phi), Either, *Held) : opaque(&Phi);
}

uint32_t Arithmetic::ofPhi(PHINode &Phi) {
  if (isIrreducible(Phi.getParent()))
    return opaque(&Phi);
  const llvm::Loop *L = Loops.getLoopFor(Phi.getParent());
  if (L && L->getHeader() == Phi.getParent())
    return ofCounter(Phi, *L);
  constexpr unsigned MostWays = 4;
  if (Phi.getNumIncomingValues() > MostWays ||
      any_of(Phi.incoming_values(), [&](const Use &U) {
        return isa<UndefValue>(U) ||
               (isa<Instruction>(U) &&
                Dominators.dominates(&Phi, cast<Instruction>(U)));
      }))
    return opaque(&Phi);
  uint32_t Either = node(Phi.getIncomingValue(0));
  if (Phi.getNumIncomingValues() == 2) {
    const uint32_t Other = node(Phi.getIncomingValue(1));
    const uint32_t Where = alongEdge(Phi.getIncomingBlock(0), Phi.getParent());
    return choice(widthOf(&Phi), Either, Where, Other,
                  alongEdge(Phi.getIncomingBlock(1), Phi.getParent()));
  }
  for (unsigned I = 1; I < Phi.getNumIncomingValues(); ++I) {
    const uint32_t More = node(Phi.getIncomingValue(I));
    Either = either(widthOf(&Phi), Either, More);
  }
  return Either;
}

//===----------------------------------------------------------------------===//
// Conditions and loops
//===----------------------------------------------------------------------===//

uint32_t Arithmetic::loopIndex(const llvm::Loop &L) {
  auto [It, New] =
      LoopIndices.try_emplace(&L, static_cast<uint32_t>(Order.size()));
  if (New)
    Order.push_back(&L);
  return It->second;
}

uint32_t Arithmetic::add(const Condition &New) {
  auto [It, IsNew] = SameConditions.try_emplace(
      {static_cast<int>(New.What), New.Outer, New.A, New.B, New.SteadyIn},
      static_cast<uint32_t>(Made.Conditions.size()));
  if (IsNew)
    Made.Conditions.push_back(New);
  return It->second;
}

/// The condition of \p From's branch, if there is one that also holds in the
/// driver's kernel. Where a side ends in `unreachable`, the driver's compiler
/// may take the other without asking.
static Value *trustedCondition(BasicBlock *From) {
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  constexpr unsigned MostBlocks = 8;
  for (const BasicBlock *Side : successors(From))
    for (unsigned I = 0; Side && I < MostBlocks; ++I) {
      if (isa<UnreachableInst>(Side->getTerminator()))
        return nullptr;
      Side = Side->getSingleSuccessor();
    }
  return Branch->getCondition();
}

uint32_t Arithmetic::condition(BasicBlock *Block) {
  // The blocks that dominate it, up to one that is known or the first.
  SmallVector<BasicBlock *, 16> Path;
  uint32_t Result = 0;
  for (auto *At = Dominators.getNode(Block); At; At = At->getIDom()) {
    if (auto It = KnownConditions.find(At->getBlock());
        It != KnownConditions.end()) {
      Result = It->second;
      Path.push_back(At->getBlock());
      break;
    }
    Path.push_back(At->getBlock());
  }
  for (size_t I = Path.size(); I-- > 1;) {
    BasicBlock *Up = Path[I], *Below = Path[I - 1];
    if (Value *Decides = trustedCondition(Up))
      for (unsigned Way : {0U, 1U})
        if (Dominators.dominates(
                BasicBlockEdge(Up, Up->getTerminator()->getSuccessor(Way)),
                Below))
          Result = holds(Decides, Way == 0, Result, Up);
    if (Asked.empty()) // else it may say more when it is asked for itself
      KnownConditions[Below] = Result;
  }
  return Result;
}

/// In the loop, only counters change it.
bool Arithmetic::isSteady(Value *V, const llvm::Loop &L) {
  if (L.isLoopInvariant(V) || saysTheSame(V, T))
    return true;
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    SmallVector<Addend, 4> Ignored;
    return Phi->getParent() == L.getHeader() && L.getLoopLatch() &&
           Phi->getNumIncomingValues() == 2 &&
           addends(Phi->getIncomingValueForBlock(L.getLoopLatch()), *Phi, L, T,
                   Ignored);
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || (I->getOpcode() != Instruction::Add &&
             I->getOpcode() != Instruction::Sub && !isa<SExtInst>(I) &&
             !isa<ZExtInst>(I) && !isa<TruncInst>(I)))
    return false;
  return all_of(I->operands(), [&](Use &U) { return isSteady(U.get(), L); });
}

/// What holds when \p To is entered from \p From.
uint32_t Arithmetic::alongEdge(BasicBlock *From, BasicBlock *To) {
  const uint32_t Result = condition(From);
  Value *Decides = trustedCondition(From);
  return Decides ? holds(Decides, From->getTerminator()->getSuccessor(0) == To,
                         Result, From)
                 : Result;
}

BarrierBranch Arithmetic::directionsOf(Instruction &Terminator) {
  BasicBlock *From = Terminator.getParent();
  const uint32_t Here = condition(From);
  auto *Branch = dyn_cast<BranchInst>(&Terminator);
  if (!Branch || !Branch->isConditional())
    return {Here, Here};
  const uint32_t IfTrue = holds(Branch->getCondition(), true, Here, From);
  return {IfTrue, holds(Branch->getCondition(), false, Here, From)};
}

/// Calculated with something that may be another in each round of \p L.
/// \p ButCounters: other than its own counters.
bool Arithmetic::changesIn(uint32_t Index, const llvm::Loop &L,
                           bool ButCounters) {
  return anyBelow(Made, {Index}, [&](uint32_t At, const warpsan::Node &N) {
    if (isOfLoop(N.What)) {
      const llvm::Loop *Counts = Order[static_cast<size_t>(N.Value)];
      if (L.contains(Counts) &&
          !(ButCounters && Counts == &L && N.What == Op::counter))
        return true;
    }
    if (N.What != Op::opaque && N.What != Op::loaded && N.What != Op::mixed &&
        N.What != Op::poison && N.What != Op::freeze && N.What != Op::join &&
        N.What != Op::choice)
      return false;
    auto It = MadeIn.find(At);
    return It == MadeIn.end() || L.contains(It->second);
  });
}

/// \p Outer and all that \p Of says; with \p SteadyIn, of what stays the same
/// in that loop.
uint32_t Arithmetic::withAll(uint32_t Of, uint32_t Outer,
                             const llvm::Loop *SteadyIn) {
  SmallVector<uint32_t, 8> More, Has;
  for (uint32_t At = Outer; At; At = Made.Conditions[At].Outer)
    Has.push_back(At);
  for (uint32_t At = Of; At && !is_contained(Has, At);
       At = Made.Conditions[At].Outer)
    More.push_back(At);
  for (uint32_t At : reverse(More)) {
    Condition C = Made.Conditions[At];
    if (SteadyIn &&
        (changesIn(C.A, *SteadyIn, false) || changesIn(C.B, *SteadyIn, false)))
      continue;
    C.Outer = Outer;
    Outer = add(C);
  }
  return Outer;
}

/// A truth value, maybe as an integer, that is \p Truth on one way only: what
/// held there still does. Between there and the branch nothing is calculated
/// anew, or \p Phi would be too, since it dominates the branch.
uint32_t Arithmetic::holdsByWay(PHINode &Phi, bool Truth, uint32_t Outer) {
  if (isIrreducible(Phi.getParent()))
    return Outer;
  int Only = -1;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    auto *Fixed = dyn_cast<ConstantInt>(Phi.getIncomingValue(I));
    if (Fixed && Fixed->isZero() == Truth)
      continue;
    if (Only >= 0)
      return Outer;
    Only = static_cast<int>(I);
  }
  if (Only < 0)
    return Outer;
  BasicBlock *From = Phi.getIncomingBlock(static_cast<unsigned>(Only));
  Value *V = Phi.getIncomingValue(static_cast<unsigned>(Only));
  const llvm::Loop *L = Loops.getLoopFor(Phi.getParent());
  const bool Earlier =
      L && L->getHeader() == Phi.getParent() && L->contains(From);
  constexpr size_t MostAsked = 4;
  if (is_contained(Asked, &Phi) || Asked.size() == MostAsked)
    return Outer;
  Asked.push_back(&Phi);
  uint32_t There = alongEdge(From, Phi.getParent());
  if (V->getType()->isIntegerTy(1))
    There = holds(V, Truth, There, From);
  else
    There = isZero(V, !Truth, There, From);
  Asked.pop_back();
  // In a round before: only what is the same in all of them.
  return withAll(There, Outer, Earlier ? L : nullptr);
}

/// The truth value that the integer \p V was made of: that is not zero where it
/// is true. Null if there is none. SPIR-V extends them by a choice.
static Value *truthOf(Value *V) {
  Value *Truth = nullptr;
  const APInt *Yes = nullptr;
  if ((match(V, m_ZExtOrSExt(m_Value(Truth))) ||
       (match(V, m_Select(m_Value(Truth), m_APInt(Yes), m_Zero())) &&
        !Yes->isZero())) &&
      Truth->getType()->isIntegerTy(1))
    return Truth;
  return nullptr;
}

/// An integer that is 0 or 1.
static bool isTruth(Value *V, unsigned Depth = 0) {
  if (const auto *Number = dyn_cast<ConstantInt>(V))
    return Number->isZero() || Number->isOne();
  if (truthOf(V))
    return !isa<SExtInst>(V) &&
           (!isa<SelectInst>(V) ||
            match(V, m_Select(m_Value(), m_One(), m_Zero())));
  const auto *Phi = dyn_cast<PHINode>(V);
  constexpr unsigned Deepest = 3;
  return Phi && Depth < Deepest &&
         all_of(
             Phi->incoming_values(),
             [&](const Use &U) {
               return U.get() == Phi || isTruth(U.get(), Depth + 1);
             });
}

/// \p V, an integer, is zero or not.
uint32_t Arithmetic::isZero(Value *V, bool Truth, uint32_t Outer,
                            const BasicBlock *At) {
  Value *A = nullptr, *B = nullptr;
  // Truth values that were made integers, and joined as such.
  if (Value *Of = truthOf(V))
    return holds(Of, !Truth, Outer, At);
  // What SPIR-V does to make a truth value of one.
  if (match(V, m_And(m_Value(A), m_One())) && isTruth(A))
    return isZero(A, Truth, Outer, At);
  if (!Truth && match(V, m_And(m_Value(A), m_Value(B))) && truthOf(A) &&
      truthOf(B))
    return isZero(B, false, isZero(A, false, Outer, At), At);
  if (Truth && match(V, m_Or(m_Value(A), m_Value(B))))
    return isZero(B, true, isZero(A, true, Outer, At), At);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return holdsByWay(*Phi, !Truth, Outer);
  return Outer;
}

/// \p Outer and that \p V is \p Truth, as far as it can be said. \p At: where
/// the branch is.
uint32_t Arithmetic::holds(Value *V, bool Truth, uint32_t Outer,
                           const BasicBlock *At) {
  Value *A = nullptr, *B = nullptr;
  if (match(V, m_Not(m_Value(A))))
    return holds(A, !Truth, Outer, At);
  if (auto *Freeze = dyn_cast<FreezeInst>(V))
    return holds(Freeze->getOperand(0), Truth, Outer, At);
  if ((Truth && match(V, m_LogicalAnd(m_Value(A), m_Value(B)))) ||
      (!Truth && match(V, m_LogicalOr(m_Value(A), m_Value(B)))))
    return holds(B, Truth, holds(A, Truth, Outer, At), At);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return holdsByWay(*Phi, Truth, Outer);
  if (match(V, m_Trunc(m_Value(A))) && isTruth(A))
    return isZero(A, !Truth, Outer, At);
  auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare || !isInteger(Compare->getOperand(0)))
    return Outer;
  A = Compare->getOperand(0);
  B = Compare->getOperand(1);
  auto Predicate =
      Truth ? Compare->getPredicate() : Compare->getInversePredicate();
  if (match(B, m_Zero()) &&
      (Predicate == ICmpInst::ICMP_EQ || Predicate == ICmpInst::ICMP_NE))
    Outer = isZero(A, Predicate == ICmpInst::ICMP_EQ, Outer, At);
  using Kind = Condition::Kind;
  Condition C;
  switch (Predicate) {
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_UGT:
  case ICmpInst::ICMP_UGE:
    std::swap(A, B);
    Predicate = ICmpInst::getSwappedPredicate(Predicate);
    break;
  default:
    break;
  }
  switch (Predicate) {
  case ICmpInst::ICMP_EQ:
    C.What = Kind::Equal;
    break;
  case ICmpInst::ICMP_NE:
    C.What = Kind::NotEqual;
    break;
  case ICmpInst::ICMP_SLT:
    C.What = Kind::SLess;
    break;
  case ICmpInst::ICMP_SLE:
    C.What = Kind::SAtMost;
    break;
  case ICmpInst::ICMP_ULT:
    C.What = Kind::ULess;
    break;
  case ICmpInst::ICMP_ULE:
    C.What = Kind::UAtMost;
    break;
  default:
    return Outer;
  }
  C.Outer = Outer;
  C.A = node(A);
  C.B = node(B);
  if (const llvm::Loop *L = Loops.getLoopFor(At);
      L && isSteady(A, *L) && isSteady(B, *L) && !changesIn(C.A, *L, true) &&
      !changesIn(C.B, *L, true))
    C.SteadyIn = 1 + loopIndex(*L);
  return add(C);
}

/// What \p Index is calculated with that needs a limit: what can be anything,
/// counters, and what grows with each round.
const std::set<uint32_t> &Arithmetic::unlimitedIn(uint32_t Index) {
  auto [It, New] = Unlimited.try_emplace(Index);
  if (!New)
    return It->second;
  const warpsan::Node N = Made.Nodes[Index];
  std::set<uint32_t> All;
  // Few bits are a limit, too.
  constexpr unsigned Few = 16;
  if (N.What == Op::counter || N.What == Op::multiplied ||
      N.What == Op::poison ||
      ((N.What == Op::opaque || N.What == Op::mixed || N.What == Op::loaded) &&
       N.Width > Few))
    All.insert(Index);
  for (uint32_t Each : limitersOf(N)) {
    const std::set<uint32_t> &More = unlimitedIn(Each);
    All.insert(More.begin(), More.end());
  }
  return Unlimited[Index] = std::move(All);
}

/// The operands that must be known for \p N to be: of what is held between two
/// others, those; of a remainder, what it is of.
SmallVector<uint32_t, 2> Arithmetic::limitersOf(const warpsan::Node &N) {
  const unsigned Operands = N.What == Op::mixed ? 0 : operandsOf(N.What);
  if (Operands < 2)
    return SmallVector<uint32_t, 2>(Operands, N.A);
  const bool Least = N.What == Op::smin, Most = N.What == Op::smax;
  if (Least || Most)
    for (auto [Inner, Outer] : {std::pair(N.A, N.B), {N.B, N.A}})
      if (const warpsan::Node &M = Made.Nodes[Inner];
          M.What == (Least ? Op::smax : Op::smin))
        for (auto [Held, Limit] : {std::pair(M.A, M.B), {M.B, M.A}})
          if (!unlimitedIn(Held).empty())
            return {Limit, Outer};
  if (N.What == Op::urem || N.What == Op::srem)
    return {N.B};
  if (N.What == Op::umin || N.What == Op::bit_and)
    for (uint32_t Each : {N.A, N.B})
      if (unlimitedIn(Each).empty())
        return {Each};
  return {N.A, N.B};
}

/// Whether a condition of the loop's end is about what is multiplied or divided
/// in it and what is known: its rounds can be gone through then.
bool Arithmetic::endsByStep(uint32_t LoopIndex,
                            const std::set<uint32_t> &Known) {
  const llvm::Loop &L = *Order[LoopIndex];
  const uint32_t Around = condition(L.getHeader());
  for (uint32_t At = again(L); At && At != Around;
       At = Made.Conditions[At].Outer) {
    const Condition C = Made.Conditions[At];
    const bool Steps =
        anyBelow(Made, {C.A, C.B}, [&](uint32_t, const warpsan::Node &N) {
          return isStepped(N.What) && N.Value == LoopIndex;
        });
    auto IsKnown = [&](uint32_t Side) {
      return all_of(unlimitedIn(Side), [&](uint32_t Each) {
        const warpsan::Node &N = Made.Nodes[Each];
        return Known.contains(Each) ||
               (isOfLoop(N.What) && N.Value == LoopIndex);
      });
    };
    if (Steps && IsKnown(C.A) && IsKnown(C.B))
      return true;
  }
  return false;
}

bool Arithmetic::canBeKnown(uint32_t Index, uint32_t Where, bool ByContents) {
  std::set<uint32_t> Known;
  if (any_of(unlimitedIn(Index), [&](uint32_t Each) {
        return Made.Nodes[Each].What == Op::poison;
      }))
    return false;
  auto IsKnown = [&](uint32_t Node) {
    return all_of(unlimitedIn(Node), [&](uint32_t Needed) {
      return Known.contains(Needed) ||
             (ByContents && Made.Nodes[Needed].What == Op::loaded);
    });
  };
  std::set<uint32_t> Says;
  auto Add = [&](uint32_t From) {
    for (uint32_t At = From; At; At = Made.Conditions[At].Outer)
      Says.insert(At);
  };
  Add(Where);
  for (uint32_t Needed : unlimitedIn(Index))
    if (const warpsan::Node N = Made.Nodes[Needed]; isOfLoop(N.What))
      Add(again(*Order[static_cast<size_t>(N.Value)]));
  // A limit that is known makes known what it limits.
  for (bool More = true; More && !IsKnown(Index);) {
    const size_t Before = Known.size();
    for (uint32_t At : Says) {
      const Condition C = Made.Conditions[At];
      // From below, or by not being there, only counters are limited.
      const bool Equal = C.What == Condition::Kind::Equal;
      const bool Unequal = C.What == Condition::Kind::NotEqual;
      auto Limit = [&](uint32_t Side, bool All) {
        for (uint32_t Each : unlimitedIn(Side))
          if (All || isOfLoop(Made.Nodes[Each].What))
            Known.insert(Each);
      };
      if (IsKnown(C.B))
        Limit(C.A, !Unequal);
      if (IsKnown(C.A))
        Limit(C.B, Equal);
    }
    for (uint32_t Needed : unlimitedIn(Index))
      if (const warpsan::Node N = Made.Nodes[Needed];
          isOfLoop(N.What) && !Known.contains(Needed) &&
          endsByStep(static_cast<uint32_t>(N.Value), Known))
        Known.insert(Needed);
    More = Known.size() > Before;
  }
  return IsKnown(Index);
}

/// What holds at the end of a round that is followed by another.
uint32_t Arithmetic::again(const llvm::Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  return Latch ? alongEdge(Latch, L.getHeader()) : condition(L.getHeader());
}

Claims Arithmetic::finish() {
  // Conditions of loops may be about counters of more loops.
  for (size_t I = 0; I < Order.size(); ++I) {
    const llvm::Loop &L = *Order[I];
    warpsan::Loop Out;
    Out.Around = condition(L.getHeader());
    Out.Again = again(L);
    Made.Loops.push_back(Out);
  }
  for (size_t I = 0; I < Order.size(); ++I)
    for (const llvm::Loop *Up = Order[I]->getParentLoop();
         Up && !Made.Loops[I].Inside; Up = Up->getParentLoop())
      if (auto It = LoopIndices.find(Up); It != LoopIndices.end())
        Made.Loops[I].Inside = 1 + It->second;
  return std::move(Made);
}
