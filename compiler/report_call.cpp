//===- compiler/report_call.cpp - calling the device's report function ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/report_call.h"

#include "abi/record.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace warpsan;

/// LLVM bitcode of device/report.cl, made when warpsan-clc is built.
static const unsigned char ReportBitcode[] = {
#include "report_bitcode.inc"
};

Expected<Function *> warpsan::linkReport(Module &Program) {
  StringRef Bytes(reinterpret_cast<const char *>(ReportBitcode),
                  sizeof(ReportBitcode));
  auto Read = parseBitcodeFile(MemoryBufferRef(Bytes, "report.cl"),
                               Program.getContext());
  if (!Read)
    return Read.takeError();
  Module &Device = **Read;
  Device.setDataLayout(Program.getDataLayout());
  Device.setTargetTriple(Program.getTargetTriple());
  // Versions and idents: the program has its own.
  while (!Device.named_metadata_empty())
    Device.eraseNamedMetadata(&*Device.named_metadata_begin());
  Device.convertToNewDbgValues();
  if (Linker::linkModules(Program, std::move(*Read)))
    return createStringError("the report function does not link");
  Function *Report = Program.getFunction("warpsan_report");
  Report->setLinkage(GlobalValue::InternalLinkage);
  Report->addFnAttr(Attribute::NoInline);
  return Report;
}

ReportCalls::ReportCalls(Twin &Made, Function &Report, const Target &T)
    : Kernel(*Made.Kernel), Report(Report), T(T) {
  Launch = Made.hidden(HiddenArg::Kind::Launch);
  Records = Made.hidden(HiddenArg::Kind::Records);
  IRBuilder<> Build(&*Kernel.getEntryBlock().begin());
  Seen = Build.CreateAlloca(Build.getInt32Ty(), nullptr, "warpsan.seen");
}

Value *ReportCalls::workItem(IRBuilderBase &Build, const char *Name,
                             unsigned Dimension) {
  Function *Callee = T.workItemFunction(*Kernel.getParent(), Name);
  auto *Call = Build.CreateCall(Callee, {Build.getInt32(Dimension)});
  Call->setCallingConv(Callee->getCallingConv());
  return Build.CreateZExtOrTrunc(Call, Build.getInt64Ty());
}

/// More than so many checks in a kernel share bits: then a work-item that fails
/// two of them counts for one.
static constexpr unsigned MostBits = 2048;

void ReportCalls::call(IRBuilderBase &Build, const Failure &What) {
  auto Next = [&] { return Build.getInt32(Calls++ % MostBits); };
  Value *Bit = Next(), *Check = Build.getInt32(What.Check);
  if (What.Outside) {
    Bit = Build.CreateSelect(What.Outside, Bit, Next());
    Check = Build.CreateSelect(
        What.Outside, Check,
        Build.getInt32(What.Check - WS_TEST_BOUNDS + WS_TEST_RIGHTS));
  }
  SmallVector<Value *, 24> Arguments = {
      Records,   Launch,      Seen,      Bit,        Check,
      What.Root, What.Offset, What.Size, What.Bytes, What.Address};
  for (const char *Name :
       {"get_global_id", "get_group_id", "get_local_id", "get_local_size"})
    for (unsigned Dimension = 0; Dimension < 3; ++Dimension)
      Arguments.push_back(workItem(Build, Name, Dimension));
  Build.CreateCall(&Report, Arguments)->setCallingConv(Report.getCallingConv());
}

void ReportCalls::finish() {
  if (Calls == 0) {
    Seen->eraseFromParent();
    return;
  }
  unsigned Words = (std::min(Calls, MostBits) + 31) / 32;
  IRBuilder<> Build(Seen);
  auto *Set = Build.CreateAlloca(ArrayType::get(Build.getInt32Ty(), Words),
                                 nullptr, "warpsan.seen");
  Build.SetInsertPoint(&*Kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (unsigned I = 0; I < Words; ++I)
    Build.CreateStore(Build.getInt32(0),
                      Build.CreateConstGEP1_32(Build.getInt32Ty(), Set, I));
  Seen->replaceAllUsesWith(Set);
  Seen->eraseFromParent();
}
