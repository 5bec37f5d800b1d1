//===- compiler/target/target.cpp - SPIR-V: address spaces, kernels,
// builtins ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/target/target.h"

#include "compiler/target/builtins.h"
#include "compiler/target/mangling.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpsan;

const char *warpsan::nameOf(ArgKind Kind) {
  switch (Kind) {
  case ArgKind::Global:
    return "global";
  case ArgKind::Constant:
    return "constant";
  case ArgKind::Local:
    return "local";
  case ArgKind::Value:
    return "value";
  case ArgKind::Image:
    return "image";
  case ArgKind::Sampler:
    return "sampler";
  case ArgKind::Pipe:
    return "pipe";
  case ArgKind::Queue:
    return "queue";
  case ArgKind::Other:
    return "other";
  }
  return "other";
}

namespace {

class SpirvTarget : public Target {
public:
  std::string triple(uint32_t AddressBits) const override {
    return AddressBits == 32 ? "spir-unknown-unknown"
                             : "spir64-unknown-unknown";
  }

  Space spaceOf(unsigned AddressSpace) const override {
    switch (AddressSpace) {
    case 0:
      return Space::Private;
    case 1:
    case 5: // USM device memory and
    case 6: // USM host memory of SPV_INTEL_usm_storage_classes: global too
      return Space::Global;
    case 2:
      return Space::Constant;
    case 3:
      return Space::Local;
    case 4:
      return Space::Generic;
    default:
      return Space::Other;
    }
  }

  unsigned numberOf(Space Which) const override {
    switch (Which) {
    case Space::Global:
      return 1;
    case Space::Constant:
      return 2;
    case Space::Local:
      return 3;
    case Space::Generic:
      return 4;
    case Space::Private:
    case Space::Other:
      return 0;
    }
    return 0;
  }

  bool isKernel(const Function &F) const override {
    return F.getCallingConv() == CallingConv::SPIR_KERNEL && !F.isDeclaration();
  }

  ArgKind kindOf(const Argument &Arg) const override {
    Type *T = Arg.getType();
    if (auto *Opaque = dyn_cast<TargetExtType>(T)) {
      StringRef Name = Opaque->getName();
      if (Name == "spirv.Image" || Name == "spirv.SampledImage")
        return ArgKind::Image;
      if (Name == "spirv.Sampler")
        return ArgKind::Sampler;
      if (Name == "spirv.Pipe")
        return ArgKind::Pipe;
      if (Name == "spirv.Queue")
        return ArgKind::Queue;
      return ArgKind::Other;
    }
    if (!T->isPointerTy() || Arg.hasByValAttr())
      return ArgKind::Value;
    switch (spaceOf(T->getPointerAddressSpace())) {
    case Space::Global:
      return ArgKind::Global;
    case Space::Constant:
      return ArgKind::Constant;
    case Space::Local:
      return ArgKind::Local;
    default:
      return ArgKind::Other;
    }
  }

  uint64_t sizeOf(const Argument &Arg) const override {
    const DataLayout &Layout = Arg.getParent()->getDataLayout();
    switch (kindOf(Arg)) {
    case ArgKind::Local:
      return 0;
    case ArgKind::Value:
      return Layout.getTypeAllocSize(
          Arg.hasByValAttr() ? Arg.getParamByValType() : Arg.getType());
    default:
      return Layout.getPointerSize(numberOf(Space::Global));
    }
  }

  void describeAddedArg(Function &Kernel, Type *ArgType, StringRef TypeName,
                        StringRef Name) const override {
    LLVMContext &C = Kernel.getContext();
    unsigned Space =
        ArgType->isPointerTy() ? ArgType->getPointerAddressSpace() : 0;
    const std::pair<const char *, Metadata *> Additions[] = {
        {"kernel_arg_addr_space",
         ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Space))},
        {"kernel_arg_access_qual", MDString::get(C, "none")},
        {"kernel_arg_type", MDString::get(C, TypeName)},
        {"kernel_arg_base_type", MDString::get(C, TypeName)},
        {"kernel_arg_type_qual", MDString::get(C, "")},
        {"kernel_arg_name", MDString::get(C, Name)}};
    for (const auto &[Kind, Addition] : Additions)
      if (MDNode *Old = Kernel.getMetadata(Kind)) {
        SmallVector<Metadata *, 16> Operands(Old->op_begin(), Old->op_end());
        Operands.push_back(Addition);
        Kernel.setMetadata(Kind, MDNode::get(C, Operands));
      }
    // Decorations of a parameter, by index: what SPIR-V carried in.
    if (MDNode *Old = Kernel.getMetadata("spirv.ParameterDecorations")) {
      SmallVector<Metadata *, 16> Operands(Old->op_begin(), Old->op_end());
      Operands.push_back(MDNode::get(C, {}));
      Kernel.setMetadata("spirv.ParameterDecorations",
                         MDNode::get(C, Operands));
    }
  }

  StringRef builtinName(const Function &F) const override {
    if (!F.isDeclaration() || F.isIntrinsic())
      return {};
    return openclBuiltinName(F.getName());
  }

  Function *workItemFunction(Module &Program,
                             WorkItemQuery Query) const override {
    // SPIR-V's name: the translator takes it in programs of any language.
    std::string Whole = ("__spirv_BuiltIn" + spirvName(Query)).str();
    LLVMContext &C = Program.getContext();
    Type *Result = Program.getDataLayout().getIntPtrType(C);
    auto *Declared =
        cast<Function>(Program
                           .getOrInsertFunction(mangled(Whole, "i"), Result,
                                                Type::getInt32Ty(C))
                           .getCallee());
    Declared->setCallingConv(CallingConv::SPIR_FUNC);
    return Declared;
  }
};

} // namespace

const Target &warpsan::spirvTarget() {
  static const SpirvTarget TheTarget;
  return TheTarget;
}
