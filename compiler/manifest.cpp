//===- compiler/manifest.cpp - what the layer must know of each twin ------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/manifest.h"

#include "abi/manifest.h"
#include "compiler/frontend/source_map.h"
#include "compiler/ir/arg_info.h"
#include "compiler/ir/setters.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpsan;

/// \p Unchanged: the kernel does not write to its memory.
static void writeArg(json::OStream &J, const Argument &Arg, bool Unchanged,
                     const Target &T) {
  const Function &Kernel = *Arg.getParent();
  unsigned Index = Arg.getArgNo();
  std::string Name = argString(Kernel, "kernel_arg_name", Index);
  J.object([&] {
    J.attribute("name", Name.empty() ? Arg.getName().str() : Name);
    J.attribute("type", argString(Kernel, "kernel_arg_type", Index));
    J.attribute("kind", nameOf(T.kindOf(Arg)));
    J.attribute("size", T.sizeOf(Arg));
    std::string Access = argString(Kernel, "kernel_arg_access_qual", Index);
    if (!Access.empty() && Access != "none")
      J.attribute("access", Access);
    std::vector<std::string> Qualifiers = argQualifiers(Kernel, Index);
    if (!Qualifiers.empty())
      J.attributeArray("qualifiers", [&] {
        for (const std::string &Qualifier : Qualifiers)
          J.value(Qualifier);
      });
    if (Unchanged)
      J.attribute("unchanged", true);
  });
}

static void writeAttributes(json::OStream &J, const Function &Kernel) {
  J.attributeObject("attributes", [&] {
    for (const char *Name : {"reqd_work_group_size", "work_group_size_hint"})
      if (const MDNode *Node = Kernel.getMetadata(Name))
        J.attributeArray(Name, [&] {
          for (const MDOperand &Part : Node->operands())
            if (auto *Size = mdconst::dyn_extract<ConstantInt>(Part))
              J.value(static_cast<int64_t>(Size->getZExtValue()));
        });
    if (const MDNode *Node = Kernel.getMetadata("intel_reqd_sub_group_size"))
      if (Node->getNumOperands() > 0)
        if (auto *Size = mdconst::dyn_extract<ConstantInt>(Node->getOperand(0)))
          J.attribute("intel_reqd_sub_group_size",
                      static_cast<int64_t>(Size->getZExtValue()));
    if (const MDNode *Node = Kernel.getMetadata("vec_type_hint"))
      if (Node->getNumOperands() > 0)
        if (auto *Hint = dyn_cast<ValueAsMetadata>(Node->getOperand(0))) {
          std::string Text;
          raw_string_ostream OS(Text);
          Hint->getType()->print(OS);
          J.attribute("vec_type_hint", OS.str());
        }
    // clang says so for OpenCL C before 2.0, where it is the rule.
    if (Kernel.getFnAttribute("uniform-work-group-size").getValueAsBool())
      J.attribute("uniform_work_group_size", true);
  });
}

static void writeHidden(json::OStream &J, const Twin &Made) {
  J.attributeArray("hidden", [&] {
    for (const HiddenArg &H : Made.Hidden)
      J.object([&] {
        J.attribute("kind", nameOf(H.What));
        if (H.isOfArgument())
          J.attribute("arg", static_cast<int64_t>(H.Arg));
        if (H.What == HiddenArg::Kind::LocalShadow ||
            H.What == HiddenArg::Kind::ShadowBase)
          J.attribute("granule", static_cast<int64_t>(H.Granule));
      });
  });
}

/// Short: there may be thousands.
static void writeRow(json::OStream &J, std::initializer_list<int64_t> Numbers) {
  J.array([&] {
    for (int64_t Each : Numbers)
      J.value(Each);
  });
}

static void writeClaims(json::OStream &J, const Claims &Of) {
  J.attributeArray("nodes", [&] {
    for (const warpsan::Node &N : Of.Nodes)
      J.array([&] {
        J.value(nameOf(N.Opcode));
        for (int64_t Each : {int64_t(N.Width), int64_t(N.A), int64_t(N.B),
                             N.Value, int64_t(N.Flags)})
          J.value(Each);
      });
  });
  J.attributeArray("conditions", [&] {
    for (const Condition &C : Of.Conditions)
      writeRow(
          J, {static_cast<int64_t>(C.Pred), C.Outer, C.A, C.B, C.InvariantIn});
  });
  J.attributeArray("loops", [&] {
    for (const warpsan::Loop &L : Of.Loops)
      writeRow(J, {L.HeaderCond, L.LatchCond, L.Parent});
  });
  J.attributeArray("contents", [&] {
    for (const Content &C : Of.Contents)
      writeRow(J,
               {C.Arg, C.Width, static_cast<int64_t>(C.Stride),
                static_cast<int64_t>(C.First), static_cast<int64_t>(C.Bytes)});
  });
  auto Write = [&](const char *Name, const std::vector<Claim> &Some) {
    J.attributeArray(Name, [&] {
      for (const Claim &C : Some)
        writeRow(J, {C.Site, C.Where, C.Offset, static_cast<int64_t>(C.Bytes),
                     C.Arg, static_cast<int64_t>(C.Size),
                     static_cast<int64_t>(C.Align), C.Reads, C.Writes});
    });
  };
  Write("all", Of.All);
  Write("by_contents", Of.ByContents);
}

static void writeRaces(json::OStream &J, const RaceClaims &Of) {
  if (!Of.WhyNot.empty()) {
    J.attribute("why_not", Of.WhyNot);
    return;
  }
  J.attributeArray("loops", [&] {
    for (const std::vector<uint32_t> &Some : Of.Loops)
      J.array([&] {
        for (uint32_t Each : Some)
          J.value(static_cast<int64_t>(Each));
      });
  });
  J.attributeArray("accesses", [&] {
    for (const RaceAccess &A : Of.Accesses)
      J.array([&] {
        for (int64_t Each :
             {int64_t(A.Site), int64_t(A.Where), int64_t(A.Offset),
              static_cast<int64_t>(A.Bytes), int64_t(A.Arg),
              int64_t(A.Variable), int64_t(A.flags()), int64_t(A.Certain),
              int64_t(A.InLoop)})
          J.value(Each);
        for (const RaceArrival &Each : A.Arrivals)
          J.array([&] {
            J.value(static_cast<int64_t>(Each.Barrier));
            for (uint8_t Iteration : Each.Iterations)
              J.value(static_cast<int64_t>(Iteration));
          });
      });
  });
}

static void writeRoots(json::OStream &J, const CheckedTwin &Made,
                       SourceMap &Map) {
  J.attributeArray("roots", [&] {
    for (const Root &R : Made.Roots)
      J.object([&] {
        J.attribute("kind", nameOf(R.What));
        if (R.What == Root::Kind::Argument || R.What == Root::Kind::Image ||
            R.ByValue)
          J.attribute("arg", static_cast<int64_t>(R.Arg));
        if (!R.Name.empty())
          J.attribute("name", R.Name);
        if (!R.Type.empty())
          J.attribute("type", R.Type);
        if (R.isVariable())
          J.attribute("size", static_cast<int64_t>(R.Size));
        if (R.Element)
          J.attribute("element", static_cast<int64_t>(R.Element));
        if (!R.Fields.empty())
          J.attributeArray("fields", [&] {
            for (const Field &F : R.Fields)
              J.array([&] {
                J.value(F.Name);
                for (uint64_t Number : {F.Offset, F.Bytes, F.Element})
                  J.value(static_cast<int64_t>(Number));
              });
          });
        int At =
            R.Declared ? Map.locationOf(R.Declared) : Map.locationOf(R.Source);
        if (At >= 0)
          J.attribute("at", At);
        if (int End = Map.locationOf(R.Ended); End >= 0)
          J.attribute("ended", End);
      });
  });
}

static const char *nameOf(Access::Kind What) {
  switch (What) {
  case Access::Kind::Read:
    return "read";
  case Access::Kind::Write:
    return "write";
  case Access::Kind::Atomic:
    break;
  }
  return "atomic";
}

static const char *nameOf(Site::State Is) {
  switch (Is) {
  case Site::State::Checked:
    return "checked";
  case Site::State::Proven:
    return "proven";
  case Site::State::Claimed:
    return "claimed";
  case Site::State::Untraced:
    break;
  }
  return "untraced";
}

static void writeSites(json::OStream &J, const CheckedTwin &Made,
                       SourceMap &Map) {
  J.attributeArray("sites", [&] {
    for (size_t Id = 0; Id < Made.Sites.size(); ++Id)
      J.object([&] {
        const Site &S = Made.Sites[Id];
        J.attribute("id", static_cast<int64_t>(Id));
        if (int At = Map.locationOf(S.At); At >= 0)
          J.attribute("at", At);
        J.attribute("access", nameOf(S.What));
        J.attribute("space", S.Space);
        if (!S.Builtin.empty())
          J.attribute("builtin", S.Builtin);
        if (!S.Type.empty())
          J.attribute("type", S.Type);
        if (S.Bytes)
          J.attribute("bytes", static_cast<int64_t>(S.Bytes));
        if (S.Align)
          J.attribute("align", static_cast<int64_t>(S.Align));
        if (!S.Member.empty())
          J.attribute("member", S.Member);
        if (S.MemberElement)
          J.attribute("member_element", static_cast<int64_t>(S.MemberElement));
        if (S.InStruct)
          J.attribute("in_struct", true);
        if (S.Root >= 0)
          J.attribute("root", S.Root);
        J.attribute("state", nameOf(S.Is));
        if (S.Is == Site::State::Checked && !S.Why.empty())
          J.attribute("why", S.Why);
        if (!S.DependsOn.empty())
          J.attributeArray("depends_on", [&] {
            for (unsigned Read : S.DependsOn)
              J.value(static_cast<int64_t>(Read));
          });
      });
  });
}

static void writeDivergent(json::OStream &J, const CheckedTwin &Made,
                           SourceMap &Map) {
  J.attributeArray("divergent", [&] {
    for (size_t I = 0; I < Made.Divergent.size(); ++I)
      J.object([&] {
        const DivergenceSite &S = Made.Divergent[I];
        const BarrierBranch &B = Made.Claimed.Branches[I];
        J.attribute("if_true", static_cast<int64_t>(B.IfTrue));
        J.attribute("if_false", static_cast<int64_t>(B.IfFalse));
        J.attribute("builtin", S.Builtin);
        if (S.Arguments)
          J.attribute("arguments", true);
        if (int At = Map.locationOf(S.Branch); At >= 0)
          J.attribute("at", At);
        if (int Call = Map.locationOf(S.Call); Call >= 0)
          J.attribute("call", Call);
      });
  });
}

/// What a record of a work-group that diverged refers to.
static void writeDivergenceChecks(json::OStream &J,
                                  const DivergenceChecks &Divergence,
                                  SourceMap &Map) {
  auto Place = [&](const DILocation *At) {
    if (int Index = Map.locationOf(At); Index >= 0)
      J.attribute("at", Index);
  };
  J.attributeArray("collectives", [&] {
    for (const CollectiveSite &Each : Divergence.Calls)
      J.object([&] {
        J.attribute("builtin", Each.Builtin);
        Place(Each.At);
        if (!Each.Arguments.empty())
          J.attributeArray("arguments", [&] {
            for (const CollectiveSite::Argument &Arg : Each.Arguments)
              J.object([&] {
                J.attribute("name", Arg.Name);
                J.attribute("pointer", Arg.IsPointer);
              });
          });
      });
  });
  J.attributeArray("branches", [&] {
    for (const DILocation *Each : Divergence.Branches)
      J.object([&] { Place(Each); });
  });
}

/// Bytes of local memory that the variables of \p Kernel take, each aligned as
/// drivers align at most.
static uint64_t localBytes(const Function &Kernel, const Target &T) {
  constexpr uint64_t MaxAlignment = 128;
  uint64_t Sum = 0;
  for (const GlobalVariable &Variable : Kernel.getParent()->globals()) {
    if (T.spaceOf(Variable.getAddressSpace()) != Space::Local)
      continue;
    bool IsUsed = false;
    SmallVector<const User *, 8> Users(Variable.users());
    while (!Users.empty()) {
      const User *Each = Users.pop_back_val();
      if (const auto *I = dyn_cast<Instruction>(Each))
        IsUsed |= I->getFunction() == &Kernel;
      else
        append_range(Users, Each->users());
    }
    if (IsUsed)
      Sum += alignTo(
          Kernel.getDataLayout().getTypeAllocSize(Variable.getValueType()),
          MaxAlignment);
  }
  return Sum;
}

static void writeKernel(json::OStream &J, const CheckedTwin &Made,
                        const Target &T, SourceMap &Map) {
  const Function &Kernel = *Made.Kernel;
  J.object([&] {
    J.attribute("name", Kernel.getName());
    if (const DISubprogram *Source = Kernel.getSubprogram()) {
      J.attribute("file", static_cast<int64_t>(Map.fileOf(Source->getFile())));
      J.attribute("line", static_cast<int64_t>(Source->getLine()));
    }
    writeAttributes(J, Kernel);
    J.attributeArray("args", [&] {
      for (unsigned I = 0; I < Made.OwnArgs; ++I)
        writeArg(J, *Kernel.getArg(I),
                 I < Made.Unchanged.size() && Made.Unchanged[I], T);
    });
    writeHidden(J, Made);
    if (isSetter(Kernel, T))
      J.attribute("setter", true);
    if (!Made.Claimed.All.empty() || !Made.Claimed.ByContents.empty() ||
        !Made.Claimed.Branches.empty() || Made.ClaimedRaces)
      J.attributeObject("claims", [&] { writeClaims(J, Made.Claimed); });
    if (Made.ClaimedRaces)
      J.attributeObject("races", [&] { writeRaces(J, *Made.ClaimedRaces); });
    if (!Made.Divergent.empty())
      writeDivergent(J, Made, Map);
    if (!Made.Divergence.Calls.empty())
      writeDivergenceChecks(J, Made.Divergence, Map);
    if (!Made.Divergence.WhyNot.empty())
      J.attribute("divergence_unchecked", Made.Divergence.WhyNot);
    if (Made.WatchesRaces)
      J.attribute("local_bytes", static_cast<int64_t>(localBytes(Kernel, T)));
    if (!Made.RacesUnjudged.empty())
      J.attribute("races_unjudged", Made.RacesUnjudged);
    writeRoots(J, Made, Map);
    writeSites(J, Made, Map);
  });
}

std::string warpsan::writeManifest(const std::vector<CheckedTwin> &Twins,
                                   const ProgramInfo &Info, Variant Which,
                                   ArrayRef<std::string> UnitNames,
                                   const Target &T) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  SourceMap Map;
  J.object([&] {
    J.attribute("version", ManifestVersion);
    J.attribute("tool", "warpsan-clc " WARPSAN_VERSION);
    J.attribute("variant", nameOf(Which));
    J.attribute("mutable_globals", Info.MutableGlobals);
    J.attribute("cuda", Info.Cuda);
    if (!Info.DriverMacros.empty())
      J.attributeArray("driver_macros", [&] {
        for (const std::string &Macro : Info.DriverMacros)
          J.value(Macro);
      });
    J.attributeArray("kernels", [&] {
      for (const CheckedTwin &Made : Twins)
        writeKernel(J, Made, T, Map);
    });
    if (!Info.Refused.empty())
      J.attributeObject("refused", [&] {
        for (const auto &[Kernel, Reason] : Info.Refused)
          J.attribute(Kernel, Reason);
      });
    // Last, because kernels fill them.
    J.attributeArray("files", [&] {
      for (const std::string &File : Map.Files)
        J.object([&] {
          J.attribute("path", File);
          for (size_t Unit = 0; Unit < UnitNames.size(); ++Unit)
            if (UnitNames[Unit] == File)
              J.attribute("unit", static_cast<int64_t>(Unit));
        });
    });
    J.attributeArray("locations", [&] {
      for (const Location &L : Map.Locations)
        J.object([&] {
          J.attribute("file", static_cast<int64_t>(L.File));
          J.attribute("line", static_cast<int64_t>(L.Line));
          J.attribute("column", static_cast<int64_t>(L.Column));
          J.attribute("function", L.Function);
          if (L.InlinedAt >= 0)
            J.attribute("inlined_at", L.InlinedAt);
        });
    });
  });
  OS << '\n';
  return OS.str();
}
