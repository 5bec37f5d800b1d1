//===- compiler/spirv_in.cpp - SPIR-V to LLVM IR --------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/spirv_in.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <spirv-tools/libspirv.hpp>

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

/// Walks the words and collects OpExtension and OpSource. The translator ends
/// the process on an opcode that it does not know, so that is found here.
static Error scan(StringRef Bytes, std::vector<SPIRV::ExtensionID> &Extensions,
                  SourceLanguage &Language) {
  constexpr uint16_t OpSource = 3, OpExtension = 10;
  std::vector<uint32_t> Words(Bytes.size() / 4);
  std::memcpy(Words.data(), Bytes.data(), Words.size() * 4);
  std::string Complaint;
  spvtools::SpirvTools Tools(SPV_ENV_UNIVERSAL_1_6);
  Tools.SetMessageConsumer([&](spv_message_level_t Level, const char *,
                               const spv_position_t &, const char *Message) {
    if (Level <= SPV_MSG_ERROR && Complaint.empty())
      Complaint = Message;
  });
  bool Parsed = Tools.Parse(
      Words,
      [](spv_endianness_t, const spv_parsed_header_t &) { return SPV_SUCCESS; },
      [&](const spv_parsed_instruction_t &I) {
        if (I.opcode == OpExtension)
          if (auto Extension =
                  extensionNamed(reinterpret_cast<const char *>(I.words + 1)))
            if (!is_contained(Extensions, *Extension))
              Extensions.push_back(*Extension);
        if (I.opcode == OpSource && I.num_words > 2)
          Language = {I.words[1], I.words[2]};
        return SPV_SUCCESS;
      });
  if (!Parsed)
    return createStringError(
        "the IL is not SPIR-V as far as it is known here: " + Complaint);
  return Error::success();
}

/// The reader forgets languages other than OpenCL C. Drivers go by it: Intel's
/// runtime looks for OpenCL C 1.2's builtins if there is none, and has no float
/// atomics among them.
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

/// The reader keeps every decoration as metadata, and the writer copies it,
/// whatever the device takes. These are instruction flags as well, and as flags
/// they are written only where allowed.
static void dropDecorationsThatAreFlags(Module &Read) {
  constexpr uint64_t FPFastMathMode = 40, NoSignedWrap = 4469,
                     NoUnsignedWrap = 4470;
  for (Function &F : Read)
    for (Instruction &I : instructions(F)) {
      MDNode *All = I.getMetadata("spirv.Decorations");
      if (!All)
        continue;
      SmallVector<Metadata *, 4> Kept;
      for (const MDOperand &Operand : All->operands()) {
        auto *Decoration = dyn_cast<MDNode>(Operand);
        auto *Id =
            Decoration && Decoration->getNumOperands() > 0
                ? mdconst::dyn_extract<ConstantInt>(Decoration->getOperand(0))
                : nullptr;
        uint64_t Value = Id ? Id->getZExtValue() : 0;
        if (Value != FPFastMathMode && Value != NoSignedWrap &&
            Value != NoUnsignedWrap)
          Kept.push_back(Operand);
      }
      I.setMetadata("spirv.Decorations",
                    Kept.empty() ? nullptr : MDNode::get(I.getContext(), Kept));
    }
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
  if (!readSpirv(Context, Options, Words, Read, Message) || !Read)
    return createStringError("the SPIR-V translator cannot read the IL: " +
                             Message);
  // A variable's decorations (constant, alignment, linkage) are in the IR
  // itself too; written from both, they would stand twice, which is invalid.
  for (GlobalVariable &Variable : Read->globals())
    Variable.setMetadata("spirv.Decorations", nullptr);
  dropDecorationsThatAreFlags(*Read);
  keepLanguage(*Read, Language);
  return std::unique_ptr<Module>(Read);
}
