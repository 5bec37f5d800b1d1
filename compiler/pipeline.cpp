//===- compiler/pipeline.cpp - from a Job to its CompileResult ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline.h"

#include "compiler/emit/driver_workarounds.h"
#include "compiler/emit/emit.h"
#include "compiler/emit/mul_adds.h"
#include "compiler/emit/wide_vectors.h"
#include "compiler/frontend/frontend.h"
#include "compiler/frontend/link.h"
#include "compiler/frontend/spirv_reader.h"
#include "compiler/inline.h"
#include "compiler/instrument.h"
#include "compiler/ir/barriers.h"
#include "compiler/ir/cuda.h"
#include "compiler/ir/refusals.h"
#include "compiler/ir/setters.h"
#include "compiler/manifest.h"
#include "compiler/pointers/byval_args.h"
#include "compiler/schemes/schemes.h"
#include "compiler/target/builtins.h"
#include "compiler/target/driver_profiles.h"
#include "compiler/target/presets.h"
#include "compiler/target/target.h"
#include "text/names.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace warpsan;

static std::vector<std::string> unitNames(size_t Count) {
  std::vector<std::string> Names;
  for (size_t I = 0; I < Count; ++I)
    Names.push_back(unnamedSource(I, Count));
  return Names;
}

/// The devices whose recipe says Fused are CPUs, and this is theirs.
static bool hostHasFma() {
  const StringMap<bool> Features = sys::getHostCPUFeatures();
  return Features.lookup("fma");
}

static Expected<std::vector<std::unique_ptr<Module>>>
readUnits(const Job &Request, ArrayRef<std::string> Names, LLVMContext &Context,
          CompileResult &Made, Origin &From,
          std::vector<std::string> &DriverMacros, Phases &Timing) {
  From.OnlySpirv = true;
  std::vector<std::unique_ptr<Module>> Modules;
  const std::vector<Unit> &Units = Request.Recipe.Units;
  for (size_t I = 0; I < Units.size(); ++I) {
    bool IsSource = Units[I].Lang == Unit::Language::OpenCLC;
    From.OnlySpirv &= !IsSource;
    Timing.enter(IsSource ? "compiling OpenCL C" : "reading SPIR-V");
    Expected<std::unique_ptr<Module>> Read =
        IsSource ? compileOpenCL(Units[I], Names[I], Request.Device, Context,
                                 Made.Log, Made.Dependencies, DriverMacros)
                 : readSpirvUnit(Units[I], Context, From.Extensions);
    if (!Read)
      return Read.takeError();
    Modules.push_back(std::move(*Read));
  }
  return Modules;
}

static Error run(const Job &Request, CompileResult &Made, Inspection &Look) {
  if (Request.Version != JobVersion)
    return createStringError("the layer and warpsan-clc are of different "
                             "builds: a job of version " +
                             Twine(Request.Version) + " came, " +
                             Twine(JobVersion) + " is understood");
  if (nameOf(Request.Which).empty())
    return createStringError("no twin has checks of this combination");
  if (!Request.Scheme.empty() && !isOther(Request.Scheme))
    return createStringError("there is no scheme '" + Request.Scheme + "'");
  if (Request.Recipe.Units.empty())
    return createStringError("the program has neither source nor IL");

  const Target &T = spirvTarget();
  LLVMContext Context;
  Context.setDiscardValueNames(!Look.WantIR);

  // 1. Every unit becomes LLVM IR for the target: typed by address space,
  //    unoptimized, with debug information where the source had any.
  Origin From;
  std::vector<std::string> Names = unitNames(Request.Recipe.Units.size());
  std::vector<std::string> DriverMacros;
  auto Units =
      readUnits(Request, Names, Context, Made, From, DriverMacros, Look.Timing);
  if (!Units)
    return Units.takeError();

  // 2. Units become one program. From here on there is one module.
  Look.Timing.enter("linking");
  auto Linked = linkUnits(std::move(*Units));
  if (!Linked)
    return Linked.takeError();
  Module &Program = **Linked;
  recordCuda(Program);

  // 3. Kernels are the only entries. From here on every declared function is
  //    an OpenCL builtin or an intrinsic.
  if (Error E =
          closeProgram(Program, T, profileFor(Request.Device).NamesVariables))
    return E;

  // 4. All functions go into the kernels, memory goes into registers. From here
  //    on kernels are the only bodies, and call builtins only.
  Look.Timing.enter("inlining");
  Refusals Refused(Program, T);
  // A load that another work-item's write races with is one that is executed.
  if (Error E = inlineIntoKernels(Program, !Request.Which.Races, T, Refused))
    return E;

  if (!From.OnlySpirv)
    copyChangedArgs(Program, T);

  // Checks take addresses too.
  ProgramInfo Info{hasMutableGlobals(Program, T), isCuda(Program),
                   std::move(DriverMacros)};

  // 5. Trailing arguments and checks. From here on a kernel's first OwnArgs
  //    arguments are the application's, and no access leaves its memory.
  Look.Timing.enter("instrumenting");
  const DriverProfile &Profile = profileFor(Request.Device);
  auto Twins = instrument(Program, Request.Which, Request.Scheme, Request.Only,
                          Profile, T, Refused);
  if (!Twins)
    return Twins.takeError();
  Info.Refused = Refused.kernels();

  // 6. What the layer must know.
  Look.Timing.enter("writing the manifest");
  Made.Manifest = writeManifest(*Twins, Info, Request.Which, Names, T);

  // 7. Drivers see no debug information: it slows them down, and PoCL's SPIR-V
  //    reader is older than our writer. They get shapes that they compile
  //    rightly. No access changes.
  Look.Timing.enter("shaping for SPIR-V");
  makeFencesConstant(Program, T);
  if (Profile.ClosesBarrierLoops)
    closeBarrierLoops(Program, T);
  if (Profile.SeparatesLoops)
    separateLoops(Program);
  if (Profile.HidesInnerTripCounts && Request.Which.Checks)
    for (const Twin &Each : *Twins)
      hideInnerTripCounts(Each);
  if (Profile.Fma == MulAdd::Fused && hostHasFma())
    fuseMulAdds(Program, Profile.Contracts, T);
  if (Profile.SplitsWideCalls)
    splitWideCalls(Program, T);
  if (Look.WantIR) {
    raw_string_ostream OS(Look.IR);
    Program.print(OS, nullptr);
  }
  shapeForEmission(Program);

  // 8. SPIR-V by the driver's recipe, validated.
  auto Words = emitSpirv(Program, Request.Device, From, Made.Log, Look.Timing);
  if (!Words)
    return Words.takeError();
  Made.SpirV = std::move(*Words);
  return Error::success();
}

CompileResult warpsan::compile(const Job &Request, Inspection &Look) {
  CompileResult Made;
  if (Error E = run(Request, Made, Look)) {
    Made.Reason = toString(std::move(E));
    Made.Manifest.clear();
    Made.SpirV.clear();
  }
  Look.Timing.end();
  return Made;
}

CompileResult warpsan::compile(const Job &Request) {
  Inspection Look;
  return compile(Request, Look);
}

void warpsan::warmUp() {
  loadBuiltinNames();
  Job Request;
  Request.Device = *presetDevice("pocl");
  Unit Small;
  // A loop, a call, local memory, builtins: what most kernels touch.
  Small.Text =
      "float twice(float x) { return x * 2.0f + 1.0f; }\n"
      "kernel void warm(global float *a, local float *b, int n, float4 v) {\n"
      "  size_t i = get_global_id(0), l = get_local_id(0);\n"
      "  b[l] = twice(a[i]) + v.x;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < n; ++k)\n"
      "    sum += sqrt(b[k]) * clamp(b[l], 0.0f, 1.0f);\n"
      "  if (i < n) { a[i] = sum; vstore4(v, i, a); }\n"
      "}\n";
  Request.Recipe.Units.push_back(Small);
  compile(Request);
}
