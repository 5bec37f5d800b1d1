//===- compiler/pointers/hidden_args.cpp - trailing arguments the layer
// sets -------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pointers/hidden_args.h"

#include "abi/record.h"
#include "compiler/ir/arg_info.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Metadata.h"

#include <cstddef>

using namespace llvm;
using namespace warpsan;

const char *warpsan::nameOf(HiddenArg::Kind What) {
  switch (What) {
  case HiddenArg::Kind::Size:
    return "size";
  case HiddenArg::Kind::Start:
    return "start";
  case HiddenArg::Kind::SizeNow:
    return "size_now";
  case HiddenArg::Kind::Objects:
    return "objects";
  case HiddenArg::Kind::Tag:
    return "tag";
  case HiddenArg::Kind::LocalShadow:
    return "local_shadow";
  case HiddenArg::Kind::ShadowBase:
    return "shadow_base";
  case HiddenArg::Kind::Heap:
    return "heap";
  case HiddenArg::Kind::Table:
    return "table";
  case HiddenArg::Kind::Key:
    return "key";
  case HiddenArg::Kind::Shadow:
    return "shadow";
  case HiddenArg::Kind::ShadowLaunch:
    return "shadow_launch";
  case HiddenArg::Kind::Launch:
    return "launch";
  case HiddenArg::Kind::Records:
    return "records";
  }
  return "";
}

bool warpsan::pointsToConst(const Argument &Arg, const Target &T) {
  if (T.kindOf(Arg) == ArgKind::Constant)
    return true;
  return is_contained(argQualifiers(*Arg.getParent(), Arg.getArgNo()), "const");
}

Argument *Twin::hidden(HiddenArg::Kind What, unsigned Arg) const {
  for (unsigned I = 0; I < Hidden.size(); ++I)
    if (Hidden[I].What == What && Hidden[I].Arg == Arg)
      return Kernel->getArg(OwnArgs + I);
  return nullptr;
}

static std::vector<HiddenArg> hiddenArgsFor(const WantedArgs &Wanted) {
  std::vector<HiddenArg> Hidden;
  for (unsigned Arg = 0; Arg < Wanted.Of.size(); ++Arg) {
    if (Wanted.Of[Arg].Size)
      Hidden.push_back({HiddenArg::Kind::Size, Arg});
    if (Wanted.Of[Arg].Objects)
      Hidden.push_back({HiddenArg::Kind::Objects, Arg});
    if (Wanted.Of[Arg].Tag)
      Hidden.push_back({HiddenArg::Kind::Tag, Arg});
    if (Wanted.Of[Arg].LocalShadow)
      Hidden.push_back({HiddenArg::Kind::LocalShadow, Arg});
    if (Wanted.Of[Arg].ShadowBase)
      Hidden.push_back({HiddenArg::Kind::ShadowBase, Arg});
    if (!Wanted.Of[Arg].Pointer)
      continue;
    Hidden.push_back({HiddenArg::Kind::Start, Arg});
    Hidden.push_back({HiddenArg::Kind::SizeNow, Arg});
  }
  if (Wanted.Heap)
    Hidden.push_back({HiddenArg::Kind::Heap});
  if (Wanted.Table)
    Hidden.push_back({HiddenArg::Kind::Table});
  if (Wanted.Key)
    Hidden.push_back({HiddenArg::Kind::Key});
  if (any_of(Wanted.Of, [](const auto &Each) { return Each.ShadowBase; })) {
    Hidden.push_back({HiddenArg::Kind::Shadow});
    Hidden.push_back({HiddenArg::Kind::ShadowLaunch});
  }
  Hidden.push_back({HiddenArg::Kind::Launch});
  Hidden.push_back({HiddenArg::Kind::Records});
  return Hidden;
}

/// Named metadata such as spirv.ExecutionMode names kernels; metadata is not
/// reached by replaceAllUsesWith of a function of another type alone.
static Function *cloneWithMoreArgs(Function &Old,
                                   const std::vector<Type *> &Added) {
  FunctionType *Type = Old.getFunctionType();
  std::vector<llvm::Type *> Params(Type->param_begin(), Type->param_end());
  Params.insert(Params.end(), Added.begin(), Added.end());
  Function *New =
      Function::Create(FunctionType::get(Type->getReturnType(), Params, false),
                       Old.getLinkage(), Old.getAddressSpace(), "", nullptr);
  Old.getParent()->getFunctionList().insert(Old.getIterator(), New);
  New->takeName(&Old);
  New->copyAttributesFrom(&Old); // calling convention and attributes
  New->copyMetadata(&Old, 0);    // kernel_arg_*, sizes, the DISubprogram
  New->IsNewDbgInfoFormat = Old.IsNewDbgInfoFormat;
  New->splice(New->begin(), &Old);
  for (unsigned I = 0; I < Old.arg_size(); ++I) {
    New->getArg(I)->takeName(Old.getArg(I));
    Old.getArg(I)->replaceAllUsesWith(New->getArg(I));
  }
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
  return New;
}

Value *Twin::zeros(IRBuilderBase &Build) const {
  return Build.CreatePtrAdd(hidden(HiddenArg::Kind::Records),
                            Build.getInt64(offsetof(WsRecordBuffer, Zeros)));
}

Twin warpsan::appendHiddenArgs(Function &Kernel, const WantedArgs &Wanted,
                               const Target &T) {
  LLVMContext &C = Kernel.getContext();
  Type *Number = Type::getInt64Ty(C);
  Type *Pointer = PointerType::get(C, T.numberOf(Space::Global));
  Twin Made;
  Made.OwnArgs = Kernel.arg_size();
  Made.Hidden = hiddenArgsFor(Wanted);
  std::vector<Type *> Added;
  for (const HiddenArg &H : Made.Hidden)
    Added.push_back(H.What == HiddenArg::Kind::LocalShadow
                        ? PointerType::get(C, T.numberOf(Space::Local))
                    : H.isPointer() ? Pointer
                                    : Number);
  Made.Kernel = cloneWithMoreArgs(Kernel, Added);

  for (unsigned I = 0; I < Made.Hidden.size(); ++I) {
    const HiddenArg &H = Made.Hidden[I];
    std::string Name = std::string("warpsan.") + nameOf(H.What);
    if (H.isOfArgument())
      Name += "." + std::to_string(H.Arg);
    Made.Kernel->getArg(Made.OwnArgs + I)->setName(Name);
    // They are ours alone: what kernels write themselves is elsewhere.
    if (H.What == HiddenArg::Kind::Table || H.What == HiddenArg::Kind::Shadow)
      Made.Kernel->addParamAttr(Made.OwnArgs + I, Attribute::NoAlias);
    T.describeAddedArg(*Made.Kernel, Added[I],
                       Added[I]->isPointerTy() ? "uint*" : "ulong", Name);
  }
  return Made;
}
