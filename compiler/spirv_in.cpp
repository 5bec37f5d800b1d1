//===- compiler/spirv_in.cpp - SPIR-V to LLVM IR --------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/spirv_in.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>

#include <sstream>

using namespace llvm;
using namespace warpsan;

Expected<std::unique_ptr<Module>> warpsan::readSpirvUnit(const Unit &Source,
                                                         LLVMContext &Context) {
  if (!StringRef(Source.Text).starts_with("\x03\x02\x23\x07"))
    return createStringError("the IL is not SPIR-V: it does not start with "
                             "SPIR-V's magic number");
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
  return std::unique_ptr<Module>(Read);
}
