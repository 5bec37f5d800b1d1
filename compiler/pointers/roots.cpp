//===- compiler/pointers/roots.cpp - what a pointer can belong to ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/roots.h"

#include "compiler/ir/arg_info.h"
#include "compiler/ir/cuda.h"
#include "compiler/ir/int_to_ptr.h"
#include "compiler/ir/source_types.h"
#include "compiler/pointers/escaping_addresses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpsan;

const char *warpsan::nameOf(Root::Kind What) {
  switch (What) {
  case Root::Kind::Argument:
  case Root::Kind::Image:
    return "argument";
  case Root::Kind::Local:
    return "local";
  case Root::Kind::Private:
    return "private";
  case Root::Kind::Constant:
    return "constant";
  case Root::Kind::Program:
    return "program";
  case Root::Kind::Heap:
    return "heap";
  case Root::Kind::Null:
    return "null";
  case Root::Kind::Unknown:
    break;
  }
  return "unknown";
}

RootTable::RootTable(Function &Kernel, const Target &T)
    : Kernel(&Kernel), T(T) {
  Roots.resize(3);
  Roots[null()].What = Root::Kind::Null;
  Roots[heap()].What = Root::Kind::Heap;
  nameVariables();
  findKeepers();
  const DISubprogram *Source = Kernel.getSubprogram();
  const DISubroutineType *Signature = Source ? Source->getType() : nullptr;
  // The first is what it returns. C++ has parameters that are no arguments.
  if (Signature && Signature->getTypeArray().size() == Kernel.arg_size() + 1)
    for (const DIType *Each : drop_begin(Signature->getTypeArray()))
      ArgTypes.push_back(Each);
}

/// What the elements of a variable or an argument are; \p Type is the
/// variable's, or what the argument points to.
void RootTable::describe(Root &R, const DIType *Type) const {
  const DIType *Element = elementType(Type);
  R.Fields = fieldsOf(Element);
  // One struct is not counted.
  if (R.What == Root::Kind::Argument || !isStruct(Type))
    R.Element = elementSize(Element);
}

unsigned RootTable::add(Root New) {
  Roots.push_back(std::move(New));
  return Roots.size() - 1;
}

/// The source's name for each private variable. Program-scope and local ones
/// carry theirs.
void RootTable::nameVariables() {
  for (Instruction &I : instructions(*Kernel))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      if (Value *Object = Record.getVariableLocationOp(0);
          Object && Record.isDbgDeclare())
        Declarations.try_emplace(Object, Record.getVariable(),
                                 Record.getDebugLoc().get());
}

/// The variable that \p Address is in, seen through constant and variable
/// offsets only.
static Value *variableAt(Value *Address) {
  for (;;) {
    if (auto *Further = dyn_cast<GEPOperator>(Address))
      Address = Further->getPointerOperand();
    else if (Value *Marked = markedBy(Address))
      Address = Marked;
    else
      return Address;
  }
}

/// Private and local variables from which a pointer is loaded.
void RootTable::findKeepers() {
  for (Instruction &I : instructions(*Kernel)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->getType()->isPointerTy())
      continue;
    Value *Object = variableAt(Load->getPointerOperand());
    auto *Variable = dyn_cast<GlobalVariable>(Object);
    if (isa<AllocaInst>(Object) ||
        (Variable && T.spaceOf(Variable->getAddressSpace()) == Space::Local))
      Keepers.insert(Object);
  }
}

/// Root::Ended
static const DILocation *endOf(AllocaInst &Variable) {
  if (none_of(Variable.users(), markedBy))
    return nullptr;
  const DILocation *Found = nullptr;
  for (LifetimeIntrinsic *Marker : markersOf(Variable)) {
    const DILocation *At = Marker->getDebugLoc().get();
    if (Marker->getIntrinsicID() != Intrinsic::lifetime_end || At == Found)
      continue;
    if (Found || !At || !At->getLine())
      return nullptr;
    Found = At;
  }
  return Found;
}

unsigned RootTable::variable(Value *Object) {
  auto [Entry, New] = Variables.try_emplace(Object, 0);
  if (!New)
    return Entry->second;
  const DataLayout &Layout = Kernel->getDataLayout();
  Root R;
  R.Object = Object;
  const DIVariable *Source = nullptr;
  if (auto *Alloca = dyn_cast<AllocaInst>(Object)) {
    R.What = Root::Kind::Private;
    R.Size = Alloca->getAllocationSize(Layout)->getFixedValue();
    R.Name = Alloca->getName().split('.').first.str();
    R.Ended = endOf(*Alloca);
  } else if (auto *Variable = dyn_cast<GlobalVariable>(Object)) {
    switch (T.spaceOf(Variable->getAddressSpace())) {
    case Space::Local:
      R.What = Root::Kind::Local;
      break;
    case Space::Constant:
      R.What = Root::Kind::Constant;
      break;
    case Space::Private:
      R.What = Root::Kind::Private;
      break;
    default:
      R.What = Root::Kind::Program;
    }
    R.Size = Layout.getTypeAllocSize(Variable->getValueType());
    SmallVector<DIGlobalVariableExpression *, 1> Names;
    Variable->getDebugInfo(Names);
    if (!Names.empty())
      Source = Names.front()->getVariable();
    // clang's name for a kernel's variable is "kernel.variable".
    StringRef Name = Variable->getName();
    if (StringRef Rest = Name;
        Rest.consume_front(Kernel->getName()) && Rest.consume_front("."))
      Name = Rest;
    R.Name = sourceNameOf(Name);
  }
  if (auto Found = Declarations.find(Object); Found != Declarations.end())
    std::tie(Source, R.Declared) = Found->second;
  if (Source) {
    R.Name = Source->getName().str();
    R.Type = typeName(Source->getType());
    R.Source = Source;
    describe(R, Source->getType());
    // The kernel's copy of an argument that it changes.
    const auto *Parameter = dyn_cast<DILocalVariable>(Source);
    if (Parameter && Parameter->getArg() &&
        Parameter->getScope()->getSubprogram() == Kernel->getSubprogram()) {
      R.ByValue = true;
      R.Arg = Parameter->getArg() - 1;
    }
  }
  return Entry->second = add(std::move(R));
}

unsigned RootTable::argument(Argument &Arg) {
  auto [Entry, New] = Arguments.try_emplace(Arg.getArgNo(), 0);
  if (!New)
    return Entry->second;
  Root R;
  R.Arg = Arg.getArgNo();
  switch (T.kindOf(Arg)) {
  case ArgKind::Global:
  case ArgKind::Constant:
  case ArgKind::Local:
    R.What = Root::Kind::Argument;
    if (R.Arg < ArgTypes.size())
      describe(R, pointee(ArgTypes[R.Arg]));
    break;
  case ArgKind::Image:
    R.What = Root::Kind::Image;
    break;
  default: // a struct by value
    R.What = Root::Kind::Private;
    R.ByValue = true;
    R.Size = T.sizeOf(Arg);
    R.Name = argString(*Kernel, "kernel_arg_name", R.Arg);
    R.Type = argString(*Kernel, "kernel_arg_type", R.Arg);
    if (R.Arg < ArgTypes.size())
      describe(R, ArgTypes[R.Arg]);
  }
  return Entry->second = add(std::move(R));
}

unsigned RootTable::image(unsigned Arg) {
  return argument(*Kernel->getArg(Arg));
}

/// The variables that \p Known is made of: by offsets, casts to integers, and
/// as parts of what it or they begin with.
static void variablesOf(Constant *Known, SetVector<Constant *> &Seen) {
  if (!Seen.insert(Known))
    return;
  for (Value *Part : Known->operands()) // of a variable: its initial value
    if (auto *Its = dyn_cast<Constant>(Part); Its && !isa<Function>(Its))
      variablesOf(Its, Seen);
}

void RootTable::addAll() {
  for (Argument &Arg : Kernel->args())
    if (ArgKind Kind = T.kindOf(Arg);
        Kind == ArgKind::Global || Kind == ArgKind::Constant ||
        Kind == ArgKind::Local || Arg.hasByValAttr())
      argument(Arg);
  SetVector<Constant *> Seen;
  for (Instruction &I : instructions(*Kernel)) {
    if (isa<AllocaInst>(I))
      variable(&I);
    for (Value *Operand : I.operands())
      if (auto *Known = dyn_cast<Constant>(Operand);
          Known && !isa<Function>(Known))
        variablesOf(Known, Seen);
  }
  for (Constant *Each : Seen)
    if (auto *Variable = dyn_cast<GlobalVariable>(Each);
        Variable && !Variable->getName().starts_with("__spirv_BuiltIn"))
      variable(Variable);
}

void RootTable::moveTo(Function &NewKernel) {
  Kernel = &NewKernel;
  Known.clear();
}

bool RootTable::isRoot(const Value *Pointer) {
  return isa<Argument, AllocaInst, GlobalVariable, ConstantPointerNull,
             UndefValue>(Pointer);
}

/// Functions that return the pointer they are given.
static bool returnsItsPointer(const CallBase &Call, const Target &T) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  StringRef Name = T.builtinName(*Callee);
  return markedBy(&Call) || Name == "__to_global" || Name == "__to_local" ||
         Name == "__to_private" || Name == "to_global" || Name == "to_local" ||
         Name == "to_private" || Name.starts_with("GenericCastToPtr") ||
         Name == "PtrCastToGeneric";
}

const PointerOrigin &RootTable::originOf(Value *Pointer) {
  if (auto Found = Known.find(Pointer); Found != Known.end())
    return Found->second;
  PointerOrigin Result;
  SmallSetVector<unsigned, 4> Found;
  SmallSetVector<Value *, 8> Work;
  Work.insert(Pointer);
  for (unsigned I = 0; I < Work.size(); ++I) {
    Value *V = Work[I];
    if (auto *Address = dyn_cast<GEPOperator>(V))
      Work.insert(Address->getPointerOperand());
    else if (isa<AddrSpaceCastOperator, BitCastOperator>(V) ||
             isa<FreezeInst>(V))
      Work.insert(cast<User>(V)->getOperand(0));
    else if (auto *Phi = dyn_cast<PHINode>(V))
      Work.insert(Phi->op_begin(), Phi->op_end());
    else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Work.insert(Select->getTrueValue());
      Work.insert(Select->getFalseValue());
    } else if (isa<AllocaInst>(V) || isa<GlobalVariable>(V))
      Found.insert(variable(V));
    else if (auto *Arg = dyn_cast<Argument>(V)) {
      if (T.kindOf(*Arg) == ArgKind::Other ||
          (T.kindOf(*Arg) == ArgKind::Value && !Arg->hasByValAttr()))
        Result.Unknown = true;
      else
        Found.insert(argument(*Arg));
    } else if (isa<ConstantPointerNull, UndefValue>(V))
      Found.insert(null());
    else if (auto *Load = dyn_cast<LoadInst>(V)) {
      if (Keepers.contains(variableAt(Load->getPointerOperand())))
        Result.Kept = true;
      else
        Result.Unknown = true;
    } else if (auto *Call = dyn_cast<CallBase>(V);
               Call && returnsItsPointer(*Call, T))
      Work.insert(Call->getArgOperand(0));
    else if (Operator::getOpcode(V) == Instruction::IntToPtr) {
      const IntegerOrigin From = originOfInteger(cast<User>(V)->getOperand(0));
      if (From.Pointer)
        Work.insert(From.Pointer->getPointerOperand());
      Result.Unknown |= !From.isOne();
    } else
      Result.Unknown = true;
  }
  Result.Roots.assign(Found.begin(), Found.end());
  return Known[Pointer] = std::move(Result);
}
