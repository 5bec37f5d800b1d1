//===- compiler/frontend/spirv_reader.cpp - SPIR-V to LLVM IR -------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIRV-LLVM-Translator reads the module; this file repairs what its writer
// cannot write back.
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/spirv_reader.h"

#include "compiler/target/mangling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <spirv-tools/libspirv.h>

#include <cstring>
#include <sstream>

using namespace llvm;
using namespace warpsan;

static std::optional<SPIRV::ExtensionID> extensionNamed(StringRef Name) {
  static const StringMap<SPIRV::ExtensionID> Names = {
#define EXT(Extension) {#Extension, SPIRV::ExtensionID::Extension},
#include <LLVMSPIRVLib/LLVMSPIRVExtensions.inc>
#undef EXT
  };
  auto Found = Names.find(Name);
  if (Found == Names.end())
    return std::nullopt;
  return Found->second;
}

/// What OpSource says.
struct SourceLanguage {
  uint32_t Id = 0;
  uint32_t Version = 0;
};

/// Collects OpExtension and OpSource. SPIRV-Tools parse every operand, and
/// refuse debug information that the translator itself writes (a storage class
/// of ~0), so instructions are walked by their lengths alone.
static Error scan(StringRef Bytes, std::vector<SPIRV::ExtensionID> &Extensions,
                  SourceLanguage &Language) {
  constexpr uint16_t OpSource = 3, OpExtension = 10;
  constexpr size_t HeaderWords = 5;
  std::vector<uint32_t> Words(Bytes.size() / 4 + 1); // a zero at the end
  std::memcpy(Words.data(), Bytes.data(), Bytes.size() / 4 * 4);
  size_t Count = Words.size() - 1;
  for (size_t At = HeaderWords; At < Count;) {
    uint16_t Opcode = Words[At] & 0xffff;
    size_t Length = Words[At] >> 16;
    if (Length == 0 || At + Length > Count)
      return createStringError("the IL is not SPIR-V: it ends within an "
                               "instruction");
    // The translator ends the process on an opcode that it does not know.
    if (StringRef(spvOpcodeString(Opcode)) == "unknown")
      return createStringError("the IL is not SPIR-V as far as it is known "
                               "here: Invalid opcode: " +
                               Twine(Opcode));
    if (Opcode == OpExtension) {
      const char *Name = reinterpret_cast<const char *>(&Words[At + 1]);
      if (auto Extension =
              extensionNamed(StringRef(Name, strnlen(Name, (Length - 1) * 4))))
        if (!is_contained(Extensions, *Extension))
          Extensions.push_back(*Extension);
    }
    if (Opcode == OpSource && Length > 2)
      Language = {Words[At + 1], Words[At + 2]};
    At += Length;
  }
  return Error::success();
}

/// The translator's reader forgets languages other than OpenCL C. Drivers go by
/// it: Intel's runtime looks for OpenCL C 1.2's builtins if there is none, and
/// has no float atomics among them.
static void keepLanguage(Module &Read, const SourceLanguage &Language) {
  if (Language.Id == 0 || Read.getNamedMetadata("spirv.Source"))
    return;
  LLVMContext &C = Read.getContext();
  auto Number = [&](uint32_t Value) {
    return ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(C), Value));
  };
  Read.getOrInsertNamedMetadata("spirv.Source")
      ->addOperand(
          MDNode::get(C, {Number(Language.Id), Number(Language.Version)}));
}

/// The translator's reader notes a language of the debug information that it
/// does not know as a flag of the module, which names the debug information,
/// and would do so when that is taken away.
static void dropLanguageFlag(Module &Read) {
  constexpr StringLiteral Name = "Source Lang Literal";
  NamedMDNode *Flags = Read.getModuleFlagsMetadata();
  if (!Flags || !Read.getModuleFlag(Name))
    return;
  const SmallVector<MDNode *, 4> All(Flags->operands());
  Flags->clearOperands();
  for (MDNode *Flag : All)
    if (cast<MDString>(Flag->getOperand(1))->getString() != Name)
      Flags->addOperand(Flag);
}

/// The writer goes by the mangled names of functions that take events, and
/// makes a second event type of the reader's spelling, which is invalid.
static void renameEvents(Module &Read) {
  constexpr StringLiteral Spelled = "P13__spirv_Event", Known = "9ocl_event";
  for (Function &F : Read) {
    std::string Name = F.getName().str();
    size_t At = Name.find(Spelled);
    if (!F.isDeclaration() || At == std::string::npos)
      continue;
    for (; At != std::string::npos; At = Name.find(Spelled))
      Name.replace(At, Spelled.size(), Known);
    F.setName(Name);
  }
}

/// \p Name with \p Parameters, where functions that differ only by their result
/// must have different names: an index can be spelled by several types.
static std::string unused(StringRef Name, StringRef Parameters,
                          const Module &Read) {
  for (char First : StringRef("lmxy"))
    for (char Last : StringRef("ij")) {
      std::string Spelled = Parameters.str();
      if (StringRef("lmxy").contains(Spelled.front()))
        Spelled.front() = First;
      if (StringRef("ij").contains(Spelled.back()))
        Spelled.back() = Last;
      if (std::string Symbol = mangled(Name, Spelled);
          !Read.getFunction(Symbol))
        return Symbol;
    }
  return mangled(Name, Parameters);
}

/// "_Z18__spirv_ocl_vloadnlPU3AS1fi" for
/// "_Z26__spirv_ocl_vloadn_Rfloat4lPU3...": the reader appends the type of the
/// result, and the writer then knows the name no more and imports a function
/// that some drivers do not have.
static void renameExtended(Module &Read) {
  for (Function &F : Read) {
    std::optional<MangledName> Parts = takeApart(F.getName());
    if (!F.isDeclaration() || !Parts ||
        !Parts->Name.starts_with("__spirv_ocl_"))
      continue;
    if (size_t Result = Parts->Name.find("_R"); Result != StringRef::npos)
      F.setName(
          unused(Parts->Name.take_front(Result), Parts->Parameters, Read));
  }
}

/// OpAny and OpAll of booleans: the reader makes bytes of these for a call of
/// __spirv_Any, and the writer would write OpAny of bytes, which is invalid.
static void restoreBooleans(Module &Read) {
  for (Function &F : make_early_inc_range(Read)) {
    std::optional<MangledName> Parts = takeApart(F.getName());
    if (!F.isDeclaration() || !Parts || F.arg_size() != 1 ||
        (Parts->Name != "__spirv_Any" && Parts->Name != "__spirv_All"))
      continue;
    auto *Bytes = dyn_cast<FixedVectorType>(F.getArg(0)->getType());
    if (!Bytes || Bytes->getScalarType()->isIntegerTy(1))
      continue;
    auto *Booleans = FixedVectorType::get(Type::getInt1Ty(Read.getContext()),
                                          Bytes->getNumElements());
    FunctionCallee Of = Read.getOrInsertFunction(
        mangled(Parts->Name,
                "Dv" + std::to_string(Bytes->getNumElements()) + "_b"),
        FunctionType::get(F.getReturnType(), Booleans, false),
        F.getAttributes());
    cast<Function>(Of.getCallee())->setCallingConv(F.getCallingConv());
    for (User *Each : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(Each);
      if (!Call || Call->getCalledFunction() != &F)
        continue;
      IRBuilder<> Build(Call);
      CallInst *Made =
          Build.CreateCall(Of, Build.CreateIsNotNull(Call->getArgOperand(0)));
      Made->setCallingConv(Call->getCallingConv());
      Call->replaceAllUsesWith(Made);
      Call->eraseFromParent();
    }
  }
}

/// The number of a decoration that the reader kept as metadata; 0 if none.
static uint64_t decorationOf(const Metadata *Node) {
  const auto *Decoration = dyn_cast_or_null<MDNode>(Node);
  const auto *Id =
      Decoration && Decoration->getNumOperands() > 0
          ? mdconst::dyn_extract<ConstantInt>(Decoration->getOperand(0))
          : nullptr;
  return Id ? Id->getZExtValue() : 0;
}

/// The reader keeps every decoration as metadata, and the writer copies it,
/// whatever the device takes. These are instruction flags as well, and as flags
/// they are written only where allowed; or they are in the names of calls
/// (__spirv_UConvert_Ruchar_sat), and would be written twice, which is invalid.
static void dropDecorationsThatAreInTheIR(Module &Read) {
  constexpr uint64_t SaturatedConversion = 28, FPRoundingMode = 39,
                     FPFastMathMode = 40, NoSignedWrap = 4469,
                     NoUnsignedWrap = 4470;
  for (Function &F : Read)
    for (Instruction &I : instructions(F)) {
      MDNode *All = I.getMetadata("spirv.Decorations");
      if (!All)
        continue;
      SmallVector<Metadata *, 4> Kept;
      for (const MDOperand &Operand : All->operands())
        if (const uint64_t Id = decorationOf(Operand);
            Id != FPFastMathMode && Id != NoSignedWrap &&
            Id != NoUnsignedWrap &&
            !(isa<CallInst>(I) &&
              (Id == SaturatedConversion || Id == FPRoundingMode)))
          Kept.push_back(Operand);
      I.setMetadata("spirv.Decorations",
                    Kept.empty() ? nullptr : MDNode::get(I.getContext(), Kept));
    }
}

/// A volatile parameter is named so by kernel_arg_type_qual too, and the writer
/// would decorate it twice, which is invalid.
static void dropVolatileDecorations(Module &Read) {
  constexpr uint64_t Volatile = 21;
  for (Function &F : Read) {
    MDNode *All = F.getMetadata("spirv.ParameterDecorations");
    if (!All || !F.getMetadata("kernel_arg_type_qual"))
      continue;
    SmallVector<Metadata *, 16> Parameters;
    for (const MDOperand &Operand : All->operands()) {
      SmallVector<Metadata *, 4> Kept;
      if (auto *Parameter = dyn_cast_or_null<MDNode>(Operand))
        for (const MDOperand &Decoration : Parameter->operands())
          if (decorationOf(Decoration) != Volatile)
            Kept.push_back(Decoration);
      Parameters.push_back(MDNode::get(F.getContext(), Kept));
    }
    F.setMetadata("spirv.ParameterDecorations",
                  MDNode::get(F.getContext(), Parameters));
  }
}

/// Casts between pointer types that are the same in LLVM: they would hide
/// variables from their lifetime markers.
static void dropNoopCasts(Module &Read) {
  for (Function &F : Read)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Cast = dyn_cast<BitCastInst>(&I);
          Cast && Cast->getSrcTy() == Cast->getDestTy()) {
        Cast->replaceAllUsesWith(Cast->getOperand(0));
        Cast->eraseFromParent();
      }
}

/// clang puts the tables and strings of CUDA's and HIP's functions into generic
/// memory, where no variable may be. Drivers take them for global ones.
static void placeGenericVariables(Module &Read) {
  constexpr unsigned Global = 1, Generic = 4;
  for (GlobalVariable &Variable : make_early_inc_range(Read.globals())) {
    if (Variable.getAddressSpace() != Generic)
      continue;
    auto *Placed = new GlobalVariable(
        Read, Variable.getValueType(), Variable.isConstant(),
        Variable.getLinkage(),
        Variable.hasInitializer() ? Variable.getInitializer() : nullptr, "",
        &Variable, Variable.getThreadLocalMode(), Global);
    Placed->copyAttributesFrom(&Variable);
    Placed->takeName(&Variable);
    Variable.replaceAllUsesWith(
        ConstantExpr::getAddrSpaceCast(Placed, Variable.getType()));
    Variable.eraseFromParent();
  }
}

/// True if parameters are kept in variables: no optimizer has been at work.
static bool isAsWritten(const Function &F) {
  bool Any = false;
  for (const Argument &Arg : F.args()) {
    Type *T = Arg.getType();
    if (Arg.hasByValAttr() || Arg.hasStructRetAttr() || T->isIntegerTy(1) ||
        !(T->isIntOrPtrTy() || T->isFloatingPointTy()))
      continue;
    const auto *Store =
        Arg.hasOneUse() ? dyn_cast<StoreInst>(*Arg.user_begin()) : nullptr;
    if (!Store || !isa<AllocaInst>(Store->getPointerOperand()))
      return false;
    Any = true;
  }
  return Any;
}

/// An optimizer computes addresses, and reads variables, where they are not
/// alive, and takes the address of one iteration for that of another.
/// Markers then do not tell who is too late.
static void dropMovedLifetimes(Module &Read) {
  for (Function &F : Read)
    if (!isAsWritten(F))
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (isa<LifetimeIntrinsic>(I))
          I.eraseFromParent();
}

namespace {

/// LLVM's verifier lets types pass that the translator makes of words that are
/// no valid SPIR-V: vectors of functions, integers of more bits than LLVM can
/// count. Passes ask for their sizes.
class TypeVerifier {
public:
  Error verify(const Module &Read);

private:
  bool isRight(Type *T);
  Error check(Type *T, const Twine &What) {
    return isRight(T) ? Error::success()
                      : createStringError("the IL is not valid: " + What +
                                          " has a type of no size");
  }

  SmallPtrSet<Type *, 32> Right;
};

} // namespace

bool TypeVerifier::isRight(Type *T) {
  if (T->isVoidTy() || T->isTokenTy() || T->isLabelTy() || T->isMetadataTy() ||
      Right.contains(T))
    return true;
  if (!T->isSized() ||
      (T->isIntegerTy() &&
       (T->getIntegerBitWidth() < 1 ||
        T->getIntegerBitWidth() > IntegerType::MAX_INT_BITS)) ||
      !all_of(T->subtypes(), [&](Type *Part) { return isRight(Part); }))
    return false;
  Right.insert(T);
  return true;
}

Error TypeVerifier::verify(const Module &Read) {
  for (const GlobalVariable &Variable : Read.globals())
    if (Error E = check(Variable.getValueType(),
                        "variable '" + Variable.getName() + "'"))
      return E;
  for (const Function &F : Read) {
    if (Error E =
            check(F.getReturnType(), "the result of '" + F.getName() + "'"))
      return E;
    for (const Argument &Arg : F.args())
      if (Error E =
              check(Arg.getType(), "an argument of '" + F.getName() + "'"))
        return E;
    for (const Instruction &I : instructions(F))
      if (Error E = check(I.getType(), "a value in '" + F.getName() + "'"))
        return E;
  }
  return Error::success();
}

/// Of words that are no valid SPIR-V the translator makes code that is none
/// either, and a pass may do anything with that. The words themselves are not
/// validated: what drivers take, and what clang and the translator write for
/// CUDA and for debuggers, the validator refuses.
static Error verify(Module &Read) {
  bool BadDebugInfo = false;
  const bool Broken = verifyModule(Read, nullptr, &BadDebugInfo);
  if (BadDebugInfo)
    StripDebugInfo(Read);
  if (!Broken)
    return TypeVerifier().verify(Read);
  // Only now, without debug information that is wrong: LLVM's printer trusts
  // what it prints.
  std::string Wrong;
  raw_string_ostream OS(Wrong);
  verifyModule(Read, &OS);
  return createStringError("the IL is not valid: " +
                           StringRef(OS.str()).split('\n').first);
}

Expected<std::unique_ptr<Module>>
warpsan::readSpirvUnit(const Unit &Source, LLVMContext &Context,
                       std::vector<SPIRV::ExtensionID> &Extensions) {
  if (!StringRef(Source.Text).starts_with("\x03\x02\x23\x07"))
    return createStringError("the IL is not SPIR-V: it does not start with "
                             "SPIR-V's magic number");
  SourceLanguage Language;
  if (Error E = scan(Source.Text, Extensions, Language))
    return std::move(E);
  SPIRV::TranslatorOpts Options;
  // Whether the device takes an extension is decided when code is written.
  Options.enableAllExtensions();
  // Instructions stay what they are, as calls of __spirv_*. The default turns
  // them into OpenCL C builtins, which loses some (OpAtomicFAddEXT becomes a
  // function that no driver has).
  Options.setDesiredBIsRepresentation(
      SPIRV::BIsRepresentation::SPIRVFriendlyIR);
  Options.enableGenArgNameMD();
  for (const SpecConstant &Constant : Source.SpecConstants) {
    uint64_t Value = 0;
    std::memcpy(&Value, Constant.Value.data(),
                std::min(Constant.Value.size(), sizeof(Value)));
    Options.setSpecConst(Constant.Id, Value);
  }
  std::istringstream Words(Source.Text);
  Module *Read = nullptr;
  std::string Message;
  // The names of arguments and variables are values' names here.
  Context.setDiscardValueNames(false);
  if (!readSpirv(Context, Options, Words, Read, Message) || !Read)
    return createStringError("the SPIR-V translator cannot read the IL: " +
                             Message);
  std::unique_ptr<Module> Owned(Read);
  if (Error E = verify(*Read))
    return std::move(E);
  // A variable's decorations (constant, alignment, linkage) are in the IR
  // itself too; written from both, they would stand twice, which is invalid.
  for (GlobalVariable &Variable : Read->globals())
    Variable.setMetadata("spirv.Decorations", nullptr);
  placeGenericVariables(*Read);
  dropDecorationsThatAreInTheIR(*Read);
  dropVolatileDecorations(*Read);
  dropNoopCasts(*Read);
  dropMovedLifetimes(*Read);
  renameEvents(*Read);
  renameExtended(*Read);
  restoreBooleans(*Read);
  keepLanguage(*Read, Language);
  dropLanguageFlag(*Read);
  return std::move(Owned);
}
