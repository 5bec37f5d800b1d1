//===- compiler/emit/emit.cpp - LLVM IR to validated SPIR-V ---------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/emit/emit.h"

#include "compiler/ir/integer_widths.h"
#include "compiler/target/builtins.h"
#include "compiler/target/driver_profiles.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <spirv-tools/libspirv.hpp>

#include <sstream>

using namespace llvm;
using namespace warpsan;
using SPIRV::VersionNumber;

/// Only what asks for something (unrolling, pipelining); with debug
/// information clang gives every loop a node.
static bool hasHints(const MDNode &Loop) {
  for (const MDOperand &Part : drop_begin(Loop.operands())) {
    auto *Node = dyn_cast_or_null<MDNode>(Part.get());
    if (!Node || Node->getNumOperands() == 0)
      continue;
    auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(0));
    if (Name && Name->getString() != "llvm.loop.mustprogress")
      return true;
  }
  return false;
}

/// Returns how many loops still have hints.
static unsigned dropLoopMetadata(Module &Program, bool KeepHints) {
  unsigned Kept = 0;
  for (Function &F : Program)
    for (BasicBlock &Block : F)
      if (Instruction *End = Block.getTerminator())
        if (MDNode *Loop = End->getMetadata(LLVMContext::MD_loop)) {
          if (KeepHints && hasHints(*Loop))
            ++Kept;
          else
            End->setMetadata(LLVMContext::MD_loop, nullptr);
        }
  return Kept;
}

/// Before SPIR-V 1.4 a vector is selected by a vector of conditions, and the
/// translator's 1.4 is not always valid (it forgets interface variables).
static void splatConditions(Module &Program) {
  for (Function &F : Program)
    for (BasicBlock &Block : F)
      for (Instruction &I : Block) {
        auto *Select = dyn_cast<SelectInst>(&I);
        if (!Select || Select->getCondition()->getType()->isVectorTy())
          continue;
        if (auto *Type = dyn_cast<FixedVectorType>(Select->getType())) {
          IRBuilder<> Builder(Select);
          Select->setCondition(Builder.CreateVectorSplat(
              Type->getNumElements(), Select->getCondition()));
        }
      }
}

/// SPIR-V selects scalars, vectors and pointers, but no opaque type such as an
/// event: there, a phi behind a branch chooses.
static void branchForOpaqueSelects(Function &Body) {
  SmallVector<SelectInst *, 4> Selects;
  for (Instruction &I : instructions(Body))
    if (auto *Select = dyn_cast<SelectInst>(&I);
        Select && Select->getType()->isTargetExtTy())
      Selects.push_back(Select);
  for (SelectInst *Select : Selects) {
    BasicBlock *From = Select->getParent();
    Instruction *Then =
        SplitBlockAndInsertIfThen(Select->getCondition(), Select->getIterator(),
                                  /*Unreachable=*/false);
    auto *Chosen = PHINode::Create(Select->getType(), 2, Select->getName());
    Chosen->addIncoming(Select->getTrueValue(), Then->getParent());
    Chosen->addIncoming(Select->getFalseValue(), From);
    ReplaceInstWithInst(Select, Chosen);
  }
}

/// The translator asserts that a copy has both alignments or none, and the
/// optimizer may find only one of them.
static void alignCopies(Function &Body) {
  for (Instruction &I : instructions(Body))
    if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      Copy->setDestAlignment(Copy->getDestAlign().valueOrOne());
      Copy->setSourceAlignment(Copy->getSourceAlign().valueOrOne());
    }
}

/// A driver that gives two variables one place, because they do not live at the
/// same time, would take the meaning from addresses that are compared.
static void dropLifetimes(Module &Program) {
  for (Function &F : Program)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isa<LifetimeIntrinsic>(I))
        I.eraseFromParent();
}

/// In LLVM a block has one predecessor for each case of a switch that leads to
/// it, and phis name it as often; in SPIR-V once. Such cases meet in a block of
/// their own.
static void joinCases(Function &Body) {
  for (BasicBlock &From : make_early_inc_range(Body)) {
    SmallMapVector<BasicBlock *, unsigned, 8> Edges;
    for (BasicBlock *To : successors(&From))
      ++Edges[To];
    for (auto [To, Count] : Edges) {
      if (Count == 1 || To->phis().empty())
        continue;
      auto *Between = BasicBlock::Create(Body.getContext(), "", &Body, To);
      BranchInst::Create(To, Between);
      From.getTerminator()->replaceSuccessorWith(To, Between);
      for (PHINode &Phi : To->phis()) {
        for (unsigned I = 1; I < Count; ++I)
          Phi.removeIncomingValue(&From, /*DeletePHIIfEmpty=*/false);
        Phi.replaceIncomingBlockWith(&From, Between);
      }
    }
  }
}

static bool hasEmptyArray(Type *Of) {
  if (auto *Array = dyn_cast<ArrayType>(Of))
    return Array->getNumElements() == 0 ||
           hasEmptyArray(Array->getElementType());
  return Of->isStructTy() && any_of(Of->subtypes(), hasEmptyArray);
}

/// SPIR-V has no array of no elements, which is what a flexible array member
/// is: addresses in such structs are calculated in bytes.
static void indexBytes(Function &Body) {
  for (Instruction &I : make_early_inc_range(instructions(Body))) {
    auto *Address = dyn_cast<GetElementPtrInst>(&I);
    if (!Address || !hasEmptyArray(Address->getSourceElementType()) ||
        Address->getType()->isVectorTy())
      continue;
    IRBuilder<> Build(Address);
    Value *Bytes = emitGEPOffset(&Build, Body.getDataLayout(), Address);
    Address->replaceAllUsesWith(
        Build.CreatePtrAdd(Address->getPointerOperand(), Bytes, "",
                           Address->isInBounds() ? GEPNoWrapFlags::inBounds()
                                                 : GEPNoWrapFlags::none()));
    Address->eraseFromParent();
  }
}

/// A driver's optimizer deletes what comes before `unreachable`, reports of
/// failed checks included.
static void returnInsteadOfUnreachable(Function &Body) {
  for (BasicBlock &Block : Body)
    if (isa<UnreachableInst>(Block.getTerminator())) {
      Block.getTerminator()->eraseFromParent();
      Type *Of = Body.getReturnType();
      ReturnInst::Create(Body.getContext(),
                         Of->isVoidTy() ? nullptr : Constant::getNullValue(Of),
                         &Block);
    }
}

/// SPIR-V wants an OpSampledImage in the block of what reads through it; a
/// check may have come between them.
static void joinSampledImages(Function &Body) {
  for (Instruction &I : make_early_inc_range(instructions(Body))) {
    auto *Joined = dyn_cast<CallInst>(&I);
    const Function *Callee = Joined ? Joined->getCalledFunction() : nullptr;
    if (!Callee || openclBuiltinName(Callee->getName()) != "SampledImage")
      continue;
    for (Use &Each : make_early_inc_range(Joined->uses())) {
      auto *Reader = cast<Instruction>(Each.getUser());
      if (Reader->getParent() == Joined->getParent())
        continue;
      Instruction *Copy = Joined->clone();
      Copy->insertBefore(Reader);
      Each.set(Copy);
    }
    if (Joined->use_empty())
      Joined->eraseFromParent();
  }
}

void warpsan::shapeForEmission(Module &Program) {
  StripDebugInfo(Program);
  dropLifetimes(Program);
  dropLoopMetadata(Program, /*KeepHints=*/true);
  splatConditions(Program);
  for (Function &Body : Program) {
    indexBytes(Body);
    widenOddIntegers(Body);
    joinSampledImages(Body);
    branchForOpaqueSelects(Body);
    alignCopies(Body);
    returnInsteadOfUnreachable(Body);
    joinCases(Body);
  }
}

static spv_target_env environmentFor(VersionNumber Version) {
  switch (Version) {
  case VersionNumber::SPIRV_1_0:
    return SPV_ENV_UNIVERSAL_1_0;
  case VersionNumber::SPIRV_1_1:
    return SPV_ENV_UNIVERSAL_1_1;
  case VersionNumber::SPIRV_1_2:
    return SPV_ENV_UNIVERSAL_1_2;
  case VersionNumber::SPIRV_1_3:
    return SPV_ENV_UNIVERSAL_1_3;
  case VersionNumber::SPIRV_1_4:
    return SPV_ENV_UNIVERSAL_1_4;
  case VersionNumber::SPIRV_1_5:
    return SPV_ENV_UNIVERSAL_1_5;
  case VersionNumber::SPIRV_1_6:
    return SPV_ENV_UNIVERSAL_1_6;
  }
  return SPV_ENV_UNIVERSAL_1_0;
}

static SPIRV::TranslatorOpts optionsFor(const DeviceInfo &Device,
                                        const Origin &From,
                                        VersionNumber Version) {
  SPIRV::TranslatorOpts::ExtensionsStatusMap Extensions;
  for (SPIRV::ExtensionID Extension : spirvExtensionsOf(Device))
    Extensions[Extension] = true;
  for (SPIRV::ExtensionID Extension : From.Extensions)
    // Hints about aliasing, whose place in a module the validator does not
    // know.
    if (Extension != SPIRV::ExtensionID::SPV_INTEL_memory_access_aliasing)
      Extensions[Extension] = true;
  SPIRV::TranslatorOpts Options(Version, Extensions);
  Options.setReplaceLLVMFmulAddWithOpenCLMad(false);
  // From SPIR-V, multiplications and additions are as the application's module
  // had them, and so is ContractionOff (in spirv.ExecutionMode). The
  // translator's default would add ContractionOff wherever it sees a * b + c.
  if (From.OnlySpirv)
    Options.setFPContractMode(SPIRV::FPContractMode::Fast);
  return Options;
}

/// The translator's messages span lines; reasons are one sentence.
static std::string oneLine(StringRef Text) {
  std::string Line;
  for (char C : Text.trim()) {
    bool Blank = isspace(static_cast<unsigned char>(C));
    if (!Blank)
      Line += C;
    else if (!Line.empty() && Line.back() != ' ')
      Line += ' ';
  }
  return Line;
}

static Expected<std::string> translate(Module &Program,
                                       const SPIRV::TranslatorOpts &Options) {
  std::ostringstream Words;
  std::string Message;
  if (!writeSpirv(&Program, Options, Words, Message))
    return createStringError("the SPIR-V translator cannot write it: " +
                             oneLine(Message));
  return Words.str();
}

/// Empty if \p Words are valid, else the validator's message.
static std::string complaintAbout(const std::string &Words,
                                  VersionNumber Version) {
  std::string Complaint;
  spvtools::SpirvTools Tools(environmentFor(Version));
  Tools.SetMessageConsumer([&](spv_message_level_t Level, const char *,
                               const spv_position_t &, const char *Message) {
    if (Level <= SPV_MSG_ERROR && Complaint.empty())
      Complaint = Message;
  });
  std::vector<uint32_t> Binary(Words.size() / 4);
  std::memcpy(Binary.data(), Words.data(), Binary.size() * 4);
  if (!Tools.Validate(Binary) && Complaint.empty())
    Complaint = "no reason given";
  return Complaint;
}

/// The validator takes time quadratic in a function's blocks: 8,000 blocks take
/// a second, 120,000 (hashcat's sha512crypt, inlined) many minutes.
static constexpr size_t MostBlocksToValidate = 20000;

static bool tooLargeToValidate(const Module &Program) {
  return any_of(Program, [](const Function &F) {
    return F.size() > MostBlocksToValidate;
  });
}

Expected<std::string> warpsan::emitSpirv(Module &Program,
                                         const DeviceInfo &Device,
                                         const Origin &From, std::string &Log,
                                         Phases &Timing) {
  std::optional<VersionNumber> Version = spirvVersionOf(Device);
  if (!Version)
    return createStringError(
        "the device takes no SPIR-V version that can be written; "
        "CL_DEVICE_IL_VERSION is '" +
        Device.ILVersions + "'");
  std::string Broken;
  raw_string_ostream BrokenOS(Broken);
  if (verifyModule(Program, &BrokenOS))
    return createStringError("warpsan-clc made bad LLVM IR (please report "
                             "it with the kernel's source): " +
                             oneLine(BrokenOS.str()));

  SPIRV::TranslatorOpts Options = optionsFor(Device, From, *Version);
  if (tooLargeToValidate(Program)) {
    // Loop hints are all that has been seen to make it invalid.
    dropLoopMetadata(Program, /*KeepHints=*/false);
    Log += "a kernel has more than " + std::to_string(MostBlocksToValidate) +
           " basic blocks after inlining: its SPIR-V was not validated\n";
    Timing.enter("translating to SPIR-V");
    return translate(Program, Options);
  }
  // The translator puts OpLoopMerge where a loop's hint is, which may not be
  // where SPIR-V wants it (a critical edge was split). Then hints go.
  std::unique_ptr<Module> Spare;
  if (dropLoopMetadata(Program, /*KeepHints=*/true) > 0)
    Spare = CloneModule(Program);

  Timing.enter("translating to SPIR-V");
  Expected<std::string> Words = translate(Program, Options);
  if (!Words)
    return Words.takeError();
  Timing.enter("validating SPIR-V");
  std::string Complaint = complaintAbout(*Words, *Version);
  if (!Complaint.empty() && Spare) {
    Log += "loop hints were dropped because SPIR-V with them is not valid: " +
           oneLine(Complaint) + "\n";
    dropLoopMetadata(*Spare, /*KeepHints=*/false);
    Timing.enter("translating to SPIR-V");
    Words = translate(*Spare, Options);
    if (!Words)
      return Words.takeError();
    Timing.enter("validating SPIR-V");
    Complaint = complaintAbout(*Words, *Version);
  }
  if (!Complaint.empty())
    return createStringError("the SPIR-V made of it is not valid: " +
                             oneLine(Complaint));
  return Words;
}
