//===- compiler/frontend/link.cpp - several units to one program ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/link.h"

#include "compiler/frontend/frontend.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;
using namespace warpsan;

std::string warpsan::placeOf(const Instruction &I) {
  const DebugLoc &At = I.getDebugLoc();
  if (!At || !At.getLine())
    return {};
  StringRef File = At->getFilename();
  File.consume_front(VirtualRoot);
  return (File + ":" + Twine(At.getLine())).str();
}

namespace {

/// The linker tells its errors to the context's handler only.
struct LinkErrors : DiagnosticHandler {
  explicit LinkErrors(std::string &Text) : Text(Text) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() == DS_Error && Text.empty()) {
      raw_string_ostream OS(Text);
      DiagnosticPrinterRawOStream Printer(OS);
      Info.print(Printer);
    }
    return true;
  }
  std::string &Text;
};

} // namespace

/// A C99 `inline` function is defined "elsewhere" as far as clang knows. Every
/// driver takes its only body, so that body becomes a definition that gives
/// way to a real one.
static void adoptInlineBodies(Module &Unit) {
  for (Function &F : Unit)
    if (F.hasAvailableExternallyLinkage())
      F.setLinkage(GlobalValue::LinkOnceODRLinkage);
}

/// Version metadata of each unit piles up when linked, and the translator reads
/// one entry: keep the highest OpenCL C version, and the first of the others.
static void mergeVersions(Module &Program) {
  if (NamedMDNode *Versions = Program.getNamedMetadata("opencl.ocl.version")) {
    auto Number = [](const MDNode *Node) {
      uint64_t Value = 0;
      for (const MDOperand &Part : Node->operands())
        if (auto *Int = mdconst::dyn_extract<ConstantInt>(Part))
          Value = Value * 100 + Int->getZExtValue();
      return Value;
    };
    MDNode *Highest = nullptr;
    for (MDNode *Node : Versions->operands())
      if (!Highest || Number(Node) > Number(Highest))
        Highest = Node;
    Versions->clearOperands();
    if (Highest)
      Versions->addOperand(Highest);
  }
  for (const char *Name : {"opencl.spir.version", "spirv.MemoryModel",
                           "spirv.Source", "spirv.Generator", "llvm.ident"})
    if (NamedMDNode *Entries = Program.getNamedMetadata(Name))
      if (Entries->getNumOperands() > 1) {
        MDNode *First = Entries->getOperand(0);
        Entries->clearOperands();
        Entries->addOperand(First);
      }
}

Expected<std::unique_ptr<Module>>
warpsan::linkUnits(std::vector<std::unique_ptr<Module>> Units) {
  for (auto &Unit : Units) {
    adoptInlineBodies(*Unit);
    Unit->convertToNewDbgValues();
    // The translator's data layout differs in what no code here depends on.
    // Never onto itself: a DataLayout assigned to itself loses its tables, and
    // every struct is packed from then on.
    if (Unit == Units.front())
      continue;
    Unit->setDataLayout(Units.front()->getDataLayout());
    Unit->setTargetTriple(Units.front()->getTargetTriple());
  }
  std::unique_ptr<Module> Program = std::move(Units.front());
  if (Units.size() == 1)
    return std::move(Program);

  LLVMContext &Context = Program->getContext();
  std::string Errors;
  std::unique_ptr<DiagnosticHandler> Before = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<LinkErrors>(Errors));
  Linker TheLinker(*Program);
  bool Failed = false;
  for (size_t I = 1; I < Units.size() && !Failed; ++I)
    Failed = TheLinker.linkInModule(std::move(Units[I]));
  Context.setDiagnosticHandler(std::move(Before));
  if (Failed)
    return createStringError("the program's units do not link: " +
                             (Errors.empty() ? "no reason given" : Errors));
  mergeVersions(*Program);
  return std::move(Program);
}

void warpsan::dropUnused(Module &Program) {
  ModuleAnalysisManager Analyses;
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  FunctionAnalysisManager FunctionAnalyses;
  Analyses.registerPass(
      [&] { return FunctionAnalysisManagerModuleProxy(FunctionAnalyses); });
  GlobalDCEPass().run(Program, Analyses);
}

Error warpsan::closeProgram(Module &Program, const Target &T,
                            bool NamesVariables) {
  // Lists that keep symbols alive for tools other than the driver.
  for (const char *Name :
       {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (GlobalVariable *List = Program.getGlobalVariable(Name))
      List->eraseFromParent();
  for (Function &F : Program)
    if (!F.isDeclaration()) {
      F.setComdat(nullptr);
      F.setLinkage(T.isKernel(F) ? GlobalValue::ExternalLinkage
                                 : GlobalValue::InternalLinkage);
    }
  for (GlobalVariable &V : Program.globals())
    if (!V.isDeclaration()) {
      V.setComdat(nullptr);
      if (!NamesVariables || !V.hasExternalLinkage() ||
          T.spaceOf(V.getAddressSpace()) != Space::Global)
        V.setLinkage(GlobalValue::InternalLinkage);
    }
  dropUnused(Program);

  for (const Function &F : Program) {
    if (!F.isDeclaration() || F.isIntrinsic() || !T.builtinName(F).empty())
      continue;
    std::string Where;
    for (const User *U : F.users())
      if (const auto *Call = dyn_cast<CallBase>(U); Call && Where.empty())
        if (Where = placeOf(*Call); !Where.empty())
          Where = " at " + Where;
    return createStringError("unknown function '" + F.getName() + "'" + Where +
                             ": neither the program nor OpenCL defines it");
  }
  for (const GlobalVariable &V : Program.globals())
    if (V.isDeclaration() && !V.getName().starts_with("__spirv_BuiltIn"))
      return createStringError("unknown variable '" + V.getName() +
                               "': no unit of the program defines it");
  return Error::success();
}
