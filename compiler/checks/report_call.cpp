//===- compiler/checks/report_call.cpp - calling the device's report
// function ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/checks/report_call.h"

#include "abi/record.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

#include <utility>

using namespace llvm;
using namespace warpsan;

// LLVM bitcode of device/, made when warpsan-clc is built.
static const unsigned char ReportBitcode[] = {
#include "report_bitcode.inc"
};
static const unsigned char ContentsBitcode[] = {
#include "index_range_bitcode.inc"
};
static const unsigned char HeapBitcode[] = {
#include "heap_bitcode.inc"
};
static const unsigned char RacesBitcode[] = {
#include "races_bitcode.inc"
};
static const unsigned char SchemesBitcode[] = {
#include "schemes_bitcode.inc"
};

static Error linkPart(Module &Program, ArrayRef<unsigned char> Bitcode,
                      StringRef Name) {
  StringRef Bytes(reinterpret_cast<const char *>(Bitcode.data()),
                  Bitcode.size());
  auto Read =
      parseBitcodeFile(MemoryBufferRef(Bytes, Name), Program.getContext());
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
    return createStringError(Name + " does not link");
  return Error::success();
}

/// What was linked as \p Name becomes the program's own.
static Function *adopt(Module &Program, StringRef Name) {
  Function *Linked = Program.getFunction(Name);
  Linked->setLinkage(GlobalValue::InternalLinkage);
  Linked->addFnAttr(Attribute::NoInline);
  return Linked;
}

Error warpsan::linkIndexRange(Module &Program) {
  return linkPart(Program, ContentsBitcode, "warpsan_contents");
}

Expected<DeviceRuntime> warpsan::linkRuntime(Module &Program, bool Others,
                                             bool Races, bool HasInt64Atomics) {
  if (Error Failed = linkPart(Program, ReportBitcode, "warpsan_report"))
    return std::move(Failed);
  if (Error Failed = linkPart(Program, HeapBitcode, "warpsan_heap"))
    return std::move(Failed);
  if (Others)
    if (Error Failed = linkPart(Program, SchemesBitcode, "warpsan_schemes"))
      return std::move(Failed);
  if (Races)
    if (Error Failed = linkPart(Program, RacesBitcode, "warpsan_races"))
      return std::move(Failed);
  // What a device does not have must not even be mentioned.
  const char *WatchGlobal[] = {"warpsan_watch_global",
                               "warpsan_watch_global_plain"};
  if (Races)
    Program.getFunction(WatchGlobal[HasInt64Atomics])->eraseFromParent();
  auto AdoptIf = [&](bool Wanted, StringRef Name) {
    return Wanted ? adopt(Program, Name) : nullptr;
  };
  return DeviceRuntime{adopt(Program, "warpsan_report"),
                       adopt(Program, "warpsan_find"),
                       adopt(Program, "warpsan_outside"),
                       AdoptIf(Others, "warpsan_is_live"),
                       AdoptIf(Others, "warpsan_trace"),
                       AdoptIf(Races, "warpsan_watch"),
                       AdoptIf(Races, WatchGlobal[!HasInt64Atomics]),
                       AdoptIf(Races, "warpsan_item_bits"),
                       AdoptIf(Races, "warpsan_clear_shadow")};
}

ReportCalls::ReportCalls(Twin &Made, Function &Report, bool AskThere,
                         const Target &T)
    : Kernel(*Made.Kernel), Report(Report), AskThere(AskThere), T(T) {
  Launch = Made.hidden(HiddenArg::Kind::Launch);
  Records = Made.hidden(HiddenArg::Kind::Records);
}

Value *warpsan::askWorkItem(WorkItemQuery Query, unsigned Dimension,
                            IRBuilderBase &Build, const Target &T) {
  Function *Callee =
      T.workItemFunction(*Build.GetInsertBlock()->getModule(), Query);
  auto *Call = Build.CreateCall(Callee, {Build.getInt32(Dimension)});
  Call->setCallingConv(Callee->getCallingConv());
  return Build.CreateZExtOrTrunc(Call, Build.getInt64Ty());
}

/// More than so many checks in a kernel share bits: then a work-item that fails
/// two of them counts for one.
static constexpr unsigned MostWords = 64;

/// Words of their own and not an array: where the report function is inlined
/// they become values.
ReportCalls::Bit ReportCalls::nextBits(unsigned Count) {
  constexpr unsigned WordBits = 32;
  if (UsedBits % WordBits + Count > WordBits)
    UsedBits += WordBits - UsedBits % WordBits;
  const unsigned First = std::exchange(UsedBits, UsedBits + Count);
  const unsigned Word = First / WordBits % MostWords;
  if (Word == Seen.size()) {
    BasicBlock &Entry = Kernel.getEntryBlock();
    IRBuilder<> Build(&*Entry.begin());
    Seen.push_back(
        Build.CreateAlloca(Build.getInt32Ty(), nullptr, "warpsan.seen"));
    Build.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
    Build.CreateStore(Build.getInt32(0), Seen.back());
  }
  return {Seen[Word], 1U << First % WordBits};
}

void ReportCalls::addWorkItem(SmallVectorImpl<Value *> &To,
                              IRBuilderBase &Build) {
  for (const WorkItemQuery Query :
       {WorkItemQuery::GlobalInvocationId, WorkItemQuery::WorkgroupId,
        WorkItemQuery::LocalInvocationId, WorkItemQuery::WorkgroupSize,
        WorkItemQuery::GlobalOffset})
    for (unsigned Dimension = 0; Dimension < 3; ++Dimension)
      To.push_back(askWorkItem(Query, Dimension, Build, T));
}

Function &ReportCalls::askingReport(ArrayRef<Value *> Arguments) {
  constexpr const char *Name = "warpsan_report_here";
  Module &Program = *Kernel.getParent();
  if (Function *Made = Program.getFunction(Name))
    return *Made;
  SmallVector<Type *, 10> Types;
  for (const Value *Each : Arguments)
    Types.push_back(Each->getType());
  auto *Made =
      Function::Create(FunctionType::get(Report.getReturnType(), Types, false),
                       Report.getLinkage(), Name, Program);
  Made->setCallingConv(Report.getCallingConv());
  Made->addFnAttr(Attribute::NoInline);
  Made->setDoesNotThrow();
  IRBuilder<> Build(BasicBlock::Create(Program.getContext(), "", Made));
  SmallVector<Value *, 32> All;
  for (Argument &Each : Made->args())
    All.push_back(&Each);
  addWorkItem(All, Build);
  Build.CreateCall(&Report, All)->setCallingConv(Report.getCallingConv());
  Build.CreateRetVoid();
  return *Made;
}

void ReportCalls::call(IRBuilderBase &Build, const Failure &What,
                       AllocaInst *Once) {
  const Bit First = Once ? Bit{Once, 1} : nextBits(What.Outside ? 2 : 1);
  if (Once)
    Build.CreateStore(Build.getInt32(0), Once);
  Value *Mask = Build.getInt32(First.Mask);
  Value *Check = What.AnyCheck ? What.AnyCheck : Build.getInt32(What.Check);
  if (What.Outside) {
    Mask =
        Build.CreateSelect(What.Outside, Mask, Build.getInt32(First.Mask << 1));
    Check = Build.CreateSelect(
        What.Outside, Check,
        Build.getInt32(What.Check - WS_TEST_BOUNDS + WS_TEST_RIGHTS));
  }
  SmallVector<Value *, 32> Arguments = {
      Records,   Launch,      First.Word, Mask,       Check,
      What.Root, What.Offset, What.Size,  What.Bytes, What.Address};
  Function &Callee = AskThere ? askingReport(Arguments) : Report;
  if (!AskThere)
    addWorkItem(Arguments, Build);
  Build.CreateCall(&Callee, Arguments)->setCallingConv(Callee.getCallingConv());
}
