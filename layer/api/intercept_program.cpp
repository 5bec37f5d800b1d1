//===- layer/api/intercept_program.cpp - programs: how they are made, built,
// linked and read back ---------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/intercept.h"

#include "layer/api/handle_checks.h"
#include "layer/launch/launch_selection.h"
#include "layer/objects/driver_quirks.h"
#include "layer/process/counters.h"
#include "layer/process/reserve.h"
#include "layer/process/settings.h"
#include "layer/schemes/front_padding.h"
#include "layer/twin/binary_recipes.h"
#include "layer/twin/build.h"
#include "layer/twin/build_turns.h"
#include "layer/twin/compile.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <unistd.h>

using namespace warpsan;

static const char *orEmpty(const char *Text) { return Text ? Text : ""; }

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static std::shared_ptr<Program>
newProgram(cl_program Handle, cl_context Context, const char *Call) {
  static std::atomic<unsigned> Last = 0;
  auto P = std::make_shared<Program>();
  P->Handle = Handle;
  P->Ctx = contextOf(Context);
  P->Number = ++Last;
  P->Info = std::make_shared<const Life>(Life::Kind::Program, Call);
  return P;
}

static cl_program CL_API_CALL createProgramWithSource(cl_context Context,
                                                      cl_uint Count,
                                                      const char **Strings,
                                                      const size_t *Lengths,
                                                      cl_int *Error) {
  Stopwatch Timing(Counter::build_ns);
  cl_program Handle =
      Next->clCreateProgramWithSource(Context, Count, Strings, Lengths, Error);
  if (!Handle)
    return Handle;
  noteIfPossible([&] {
    Unit U;
    for (cl_uint I = 0; I < Count; ++I)
      if (Lengths && Lengths[I])
        U.Text.append(Strings[I], Lengths[I]);
      else
        U.Text.append(Strings[I]);
    auto P = newProgram(Handle, Context, "clCreateProgramWithSource");
    expectImages(U);
    P->Units.push_back(std::move(U));
    enter(Programs, Handle, std::move(P));
  });
  return Handle;
}

void warpsan::noteProgramFromIL(cl_program Handle, cl_context Context,
                                const void *IL, size_t Size, const char *Call) {
  if (!Handle)
    return;
  noteIfPossible([&] {
    Unit U;
    U.Lang = Unit::Language::SPIRV;
    U.Text.assign(static_cast<const char *>(IL), Size);
    auto P = newProgram(Handle, Context, Call);
    expectImages(U);
    P->Units.push_back(std::move(U));
    enter(Programs, Handle, std::move(P));
  });
}

static cl_program CL_API_CALL createProgramWithIL(cl_context Context,
                                                  const void *IL, size_t Size,
                                                  cl_int *Error) {
  Stopwatch Timing(Counter::build_ns);
  cl_program Handle = Next->clCreateProgramWithIL(Context, IL, Size, Error);
  noteProgramFromIL(Handle, Context, IL, Size, "clCreateProgramWithIL");
  return Handle;
}

static void noteProgramFromBinary(cl_program Handle, cl_context Context,
                                  cl_uint Count, const cl_device_id *Devices,
                                  const size_t *Lengths,
                                  const unsigned char **Binaries) {
  auto P = newProgram(Handle, Context, "clCreateProgramWithBinary");
  P->Fixed = true;
  P->NoRecipe = "built from a binary that WarpSan has not seen made";
  for (cl_uint I = 0; I < Count; ++I) {
    std::string_view Binary(reinterpret_cast<const char *>(Binaries[I]),
                            Lengths[I]);
    if (std::optional<BuildRecipe> Recipe = recipeOfBinary(Binary)) {
      P->LastRecipes[deviceOf(Devices[I]).BuiltAs] =
          std::make_shared<const BuildRecipe>(std::move(*Recipe));
      P->NoRecipe.clear();
    }
  }
  enter(Programs, Handle, std::move(P));
}

static cl_program CL_API_CALL createProgramWithBinary(
    cl_context Context, cl_uint Count, const cl_device_id *Devices,
    const size_t *Lengths, const unsigned char **Binaries, cl_int *Status,
    cl_int *Error) {
  Stopwatch Timing(Counter::build_ns);
  cl_program Handle = Next->clCreateProgramWithBinary(
      Context, Count, Devices, Lengths, Binaries, Status, Error);
  if (Handle)
    noteIfPossible([&] {
      noteProgramFromBinary(Handle, Context, Count, Devices, Lengths, Binaries);
    });
  return Handle;
}

static cl_program CL_API_CALL createProgramWithBuiltInKernels(
    cl_context Context, cl_uint Count, const cl_device_id *Devices,
    const char *Names, cl_int *Error) {
  cl_program Handle = Next->clCreateProgramWithBuiltInKernels(
      Context, Count, Devices, Names, Error);
  if (!Handle)
    return Handle;
  auto P = newProgram(Handle, Context, "clCreateProgramWithBuiltInKernels");
  P->Fixed = true;
  P->NoRecipe = "a built-in kernel of the driver";
  P->Current = std::make_shared<Build>(P->Ctx, P->Number, P->Info,
                                       BuildRecipes(), P->NoRecipe, nullptr);
  enter(Programs, Handle, std::move(P));
  addCount(Counter::programs);
  return Handle;
}

static cl_int CL_API_CALL retainProgram(cl_program Handle) {
  cl_int Error = Next->clRetainProgram(Handle);
  if (Error == CL_SUCCESS)
    noteRetained(Programs, Handle);
  return Error;
}

static cl_int CL_API_CALL releaseProgram(cl_program Handle) {
  if (reportIfReleased(FindingKind::over_release, "clReleaseProgram", Handle))
    return CL_INVALID_PROGRAM;
  letGo(Programs, Handle, "clReleaseProgram");
  return Next->clReleaseProgram(Handle);
}

static cl_int CL_API_CALL setSpecializationConstant(cl_program Handle,
                                                    cl_uint Id, size_t Size,
                                                    const void *Value) {
  cl_int Error =
      Next->clSetProgramSpecializationConstant(Handle, Id, Size, Value);
  auto P = Error == CL_SUCCESS ? Programs.find(Handle) : nullptr;
  if (!P)
    return Error;
  SpecConstant New{Id, std::string(static_cast<const char *>(Value), Size)};
  std::lock_guard Lock(P->Mutex);
  if (P->Units.size() != 1)
    return Error;
  auto &All = P->Units.front().SpecConstants;
  std::erase_if(All, [&](const SpecConstant &C) { return C.Id == Id; });
  All.push_back(std::move(New));
  return Error;
}

//===----------------------------------------------------------------------===//
// Building, compiling and linking
//===----------------------------------------------------------------------===//

/// The working directory matters only where a file may be read from it.
/// Otherwise the recipe omits it, so that the same program run elsewhere finds
/// its twin in the cache.
static bool mayReadFiles(const Unit &U) {
  return U.Lang == Unit::Language::OpenCLC &&
         (U.Options.find("include") != std::string::npos ||
          std::ranges::any_of(std::array{"include", "import", "embed"},
                              [&](const char *Word) {
                                return U.Text.find(Word) != std::string::npos;
                              }));
}

static std::string workingDirectory() {
  char Path[4096];
  return getcwd(Path, sizeof(Path)) ? Path : "";
}

/// How \p P is made for \p Device. Call with the program's lock held.
static std::shared_ptr<const BuildRecipe> recipeOf(const Program &P,
                                                   cl_device_id Device) {
  auto Own = P.LastRecipes.find(deviceOf(Device).BuiltAs);
  if (Own == P.LastRecipes.end())
    Own = P.LastRecipes.begin();
  return Own == P.LastRecipes.end()
             ? std::make_shared<const BuildRecipe>(BuildRecipe{P.Units, {}, {}})
             : Own->second;
}

/// The same for each of \p Devices.
static BuildRecipes recipesOf(const Program &P,
                              const std::vector<cl_device_id> &Devices) {
  BuildRecipes All;
  for (cl_device_id Device : Devices)
    All[deviceOf(Device).BuiltAs] = recipeOf(P, Device);
  return All;
}

static std::vector<cl_device_id> devicesOf(cl_program Program, cl_uint Count,
                                           const cl_device_id *Devices) {
  if (Devices)
    return std::vector<cl_device_id>(Devices, Devices + Count);
  return queryList<cl_device_id>(Next->clGetProgramInfo, Program,
                                 CL_PROGRAM_DEVICES);
}

/// Notes what a program is built or compiled with, for \p Devices. Call with
/// its lock held.
static void noteOptions(Program &P, const char *Options,
                        std::vector<Header> Headers,
                        const std::vector<cl_device_id> &Devices) {
  if (P.Fixed || P.Units.size() != 1)
    return;
  Unit U = P.Units.front();
  U.Headers = std::move(Headers);
  std::map<std::string, std::shared_ptr<const BuildRecipe>> ByOptions;
  for (cl_device_id Handle : Devices) {
    const Device &For = deviceOf(Handle);
    U.Options = optionsInEffect(For, orEmpty(Options));
    auto &Recipe = ByOptions[U.Options];
    if (!Recipe)
      Recipe = std::make_shared<const BuildRecipe>(
          BuildRecipe{{U}, {}, mayReadFiles(U) ? workingDirectory() : ""});
    P.LastRecipes[For.BuiltAs] = Recipe;
  }
}

/// Has \p P made with \p Closed for the devices that have \p Open.
static void noteClosed(Program &P,
                       const std::shared_ptr<const BuildRecipe> &Open,
                       const std::shared_ptr<const BuildRecipe> &Closed) {
  std::lock_guard Lock(P.Mutex);
  for (auto &[Device, Recipe] : P.LastRecipes)
    if (Recipe == Open)
      Recipe = Closed;
}

static cl_int CL_API_CALL
buildProgram(cl_program Handle, cl_uint Count, const cl_device_id *Devices,
             const char *Options, void(CL_CALLBACK *Notify)(cl_program, void *),
             void *UserData) {
  Stopwatch Timing(Counter::build_ns);
  auto P = Programs.find(Handle);
  if (Notify)
    handOut(Programs, Handle); // to that function, when it is built
  // Which kernels it has, and so whether it needs a twin.
  const bool KnownLater = choosesKernels() && !Notify;
  std::shared_ptr<Build> New, Old;
  BuildRecipes OldRecipes;
  std::shared_ptr<const BuildRecipe> Recipe;
  bool BesideTwins = false; // the driver's compiler must not build both at once
  auto FinishReading = [&] {
    if (auto Closed = New->finishReading())
      noteClosed(*P, Recipe, Closed);
  };
  noteIfPossible([&] {
    if (!P)
      return;
    const auto For = devicesOf(Handle, Count, Devices);
    BesideTwins =
        !For.empty() &&
        quirksOf(deviceOf(For.front()).Info.Platform).BuildsSpirvAlone;
    std::unique_lock Lock(P->Mutex);
    Old = P->Current;
    OldRecipes = P->LastRecipes;
    noteOptions(*P, Options, {}, For);
    New = std::make_shared<Build>(P->Ctx, P->Number, P->Info,
                                  recipesOf(*P, For), P->NoRecipe, Old);
    // Before the driver builds: with a callback, kernels may be created from
    // it before this call returns.
    P->Current = New;
    if (!For.empty())
      Recipe = recipeOf(*P, For.front());
    Lock.unlock();
    if (!KnownLater)
      New->startCompiling(For);
    if (Notify) // which may read the program back, or link it
      FinishReading();
  });
  cl_int Error = CL_SUCCESS;
  {
    std::optional<BuildTurn> Turn;
    if (BesideTwins && !Notify)
      Turn.emplace(Builder::Application);
    Error =
        Next->clBuildProgram(Handle, Count, Devices, Options, Notify, UserData);
  }
  if (Error != CL_SUCCESS)
    addCount(Counter::programs_failed);
  if (New && Error == CL_SUCCESS) {
    addCount(Counter::programs);
    noteIfPossible([&] {
      if (KnownLater) {
        New->choose(Handle);
        New->startCompiling(devicesOf(Handle, Count, Devices));
      }
      FinishReading();
    });
  }
  // What the driver refuses leaves the program as it was: kernels of before may
  // be made of it.
  if (New && Error != CL_SUCCESS) {
    std::lock_guard Lock(P->Mutex);
    if (P->Current == New) {
      P->Current = std::move(Old);
      P->LastRecipes = std::move(OldRecipes);
    }
  }
  return Error;
}

static cl_int CL_API_CALL
compileProgram(cl_program Handle, cl_uint Count, const cl_device_id *Devices,
               const char *Options, cl_uint HeaderCount,
               const cl_program *HeaderPrograms, const char **HeaderNames,
               void(CL_CALLBACK *Notify)(cl_program, void *), void *UserData) {
  Stopwatch Timing(Counter::build_ns);
  if (Notify)
    handOut(Programs, Handle);
  std::shared_ptr<PendingResult> Reading;
  auto P = Programs.find(Handle);
  BuildRecipes OldRecipes;
  std::shared_ptr<const BuildRecipe> Recipe;
  cl_device_id ReadingFor = nullptr;
  auto FinishReading = [&] { // as Build::finishReading
    noteClosed(*P, Recipe, closeWithFirst(*Recipe, Reading, ReadingFor));
  };
  noteIfPossible([&] {
    if (!P)
      return;
    const auto For = devicesOf(Handle, Count, Devices);
    std::vector<Header> Headers;
    for (cl_uint I = 0; I < HeaderCount && HeaderPrograms && HeaderNames; ++I)
      if (auto H = Programs.find(HeaderPrograms[I])) {
        std::lock_guard Lock(H->Mutex);
        if (!H->Units.empty())
          Headers.push_back({orEmpty(HeaderNames[I]), H->Units.front().Text});
      }
    std::unique_lock Lock(P->Mutex);
    OldRecipes = P->LastRecipes;
    noteOptions(*P, Options, std::move(Headers), For);
    if (For.empty() || !wantTwins() || !P->NoRecipe.empty() || P->Fixed ||
        P->Units.front().Lang != Unit::Language::OpenCLC)
      return;
    // Most programs that are compiled are then linked alone: the compiler can
    // work while the driver does. If kernels are chosen it may be for nothing.
    Recipe = recipeOf(*P, For.front());
    if (choosesKernels() && !isOpen(*Recipe))
      return;
    Lock.unlock();
    auto Ahead = requestFirst(*Recipe, For.front());
    if (isOpen(*Recipe)) {
      Reading = Ahead;
      ReadingFor = For.front();
    }
    Lock.lock();
    P->Ahead = std::move(Ahead);
    Lock.unlock();
    if (Reading && Notify) // which may link it
      FinishReading();
  });
  cl_int Error =
      Next->clCompileProgram(Handle, Count, Devices, Options, HeaderCount,
                             HeaderPrograms, HeaderNames, Notify, UserData);
  if (P && Error == CL_INVALID_OPERATION) { // it is what it was
    std::lock_guard Lock(P->Mutex);
    P->LastRecipes = std::move(OldRecipes);
  }
  if (Reading && Error == CL_SUCCESS)
    noteIfPossible(FinishReading);
  return Error;
}

namespace {
/// What clLinkProgram was given, for the program that it returns.
struct LinkInputs {
  cl_context Context;
  BuildRecipes Recipes;
  std::string NoRecipe;
  std::shared_ptr<Build> Result;
  std::vector<std::shared_ptr<PendingResult>> Ahead; ///< kept alive
};

/// Stands before the application's callback, which may get the new program
/// before clLinkProgram returns it.
struct LinkCallback {
  LinkInputs Inputs;
  void(CL_CALLBACK *Notify)(cl_program, void *);
  void *UserData;
};
} // namespace

static LinkInputs gatherInputs(cl_context Context, const char *Options,
                               cl_uint Count, const cl_program *Inputs,
                               const std::vector<cl_device_id> &For) {
  LinkInputs L{Context, {}, {}, nullptr, {}};
  std::map<cl_device_id, BuildRecipe> ByDevice;
  for (cl_device_id Device : For)
    ByDevice[deviceOf(Device).BuiltAs].LinkOptions = orEmpty(Options);
  for (cl_uint I = 0; I < Count && Inputs; ++I) {
    auto P = Programs.find(Inputs[I]);
    if (!P) {
      L.NoRecipe = "linked from a program that was created outside of "
                   "WarpSan's sight";
      continue;
    }
    std::lock_guard Lock(P->Mutex);
    if (!P->NoRecipe.empty())
      L.NoRecipe = "linked from a program " + P->NoRecipe;
    for (auto &[Device, Recipe] : ByDevice) {
      const auto Part = recipeOf(*P, Device);
      Recipe.Units.insert(Recipe.Units.end(), Part->Units.begin(),
                          Part->Units.end());
      if (isOpen(*Part) && wantTwins())
        L.NoRecipe = "linked from a program whose headers were not read when "
                     "it was compiled";
    }
    if (P->Ahead)
      L.Ahead.push_back(P->Ahead);
  }
  for (auto &[Device, Recipe] : ByDevice)
    L.Recipes[Device] = std::make_shared<const BuildRecipe>(std::move(Recipe));
  return L;
}

static void noteLinked(cl_program Handle, const LinkInputs &L) {
  auto P = newProgram(Handle, L.Context, "clLinkProgram");
  if (L.Result) // its backtrace is the application's, not a driver's thread's
    P->Info = L.Result->Of;
  P->Fixed = true;
  P->LastRecipes = L.Recipes;
  P->NoRecipe = L.NoRecipe;
  P->Current = L.Result;
  exhume(Handle);
  Programs.addIfAbsent(Handle, std::move(P));
}

static void CL_CALLBACK linkDone(cl_program Handle, void *Data) {
  std::unique_ptr<LinkCallback> C(static_cast<LinkCallback *>(Data));
  if (Handle)
    noteIfPossible([&] {
      noteLinked(Handle, C->Inputs);
      handOut(Programs, Handle);
    });
  C->Notify(Handle, C->UserData);
}

static cl_program CL_API_CALL
linkProgram(cl_context Context, cl_uint Count, const cl_device_id *Devices,
            const char *Options, cl_uint InputCount, const cl_program *Inputs,
            void(CL_CALLBACK *Notify)(cl_program, void *), void *UserData,
            cl_int *Error) {
  Stopwatch Timing(Counter::build_ns);
  LinkInputs L{Context, {}, {}, nullptr, {}};
  bool Library = false;
  // As in buildProgram.
  const bool KnownLater = choosesKernels() && !Notify;
  std::vector<cl_device_id> For;
  // If the driver refuses at once it never calls back, and this is lost: a
  // few bytes for a call that was wrong.
  LinkCallback *Callback = nullptr;
  noteIfPossible([&] {
    For.assign(Devices, Devices + (Devices ? Count : 0));
    if (For.empty())
      For = queryList<cl_device_id>(Next->clGetContextInfo, Context,
                                    CL_CONTEXT_DEVICES);
    L = gatherInputs(Context, Options, InputCount, Inputs, For);
    Library = std::string_view(orEmpty(Options)).find("-create-library") !=
              std::string_view::npos;
    L.Result = std::make_shared<Build>(
        contextOf(Context), 0,
        std::make_shared<const Life>(Life::Kind::Program, "clLinkProgram"),
        L.Recipes, L.NoRecipe, nullptr);
    if (!Library && !KnownLater)
      L.Result->startCompiling(For);
    if (Notify)
      Callback = new LinkCallback{L, Notify, UserData};
  });
  if (isPassThrough())
    return Next->clLinkProgram(Context, Count, Devices, Options, InputCount,
                               Inputs, Notify, UserData, Error);
  cl_int Result = CL_SUCCESS;
  cl_program Handle =
      Callback
          ? Next->clLinkProgram(Context, Count, Devices, Options, InputCount,
                                Inputs, linkDone, Callback, &Result)
          : Next->clLinkProgram(Context, Count, Devices, Options, InputCount,
                                Inputs, nullptr, UserData, &Result);
  if (Error)
    *Error = Result;
  if (Result != CL_SUCCESS)
    addCount(Counter::programs_failed);
  // A failed link may hand out a program too, for its log.
  if (Handle)
    noteIfPossible([&] { noteLinked(Handle, L); });
  if (Handle && Result == CL_SUCCESS && !Library) {
    addCount(Counter::programs);
    if (KnownLater)
      noteIfPossible([&] {
        L.Result->choose(Handle);
        L.Result->startCompiling(For);
      });
  }
  return Handle;
}

//===----------------------------------------------------------------------===//
// Reading back
//===----------------------------------------------------------------------===//

/// The application has got \p Size bytes of pointers to binaries.
static void noteBinaries(cl_program Handle, size_t Size, void *Value) {
  auto P = Programs.find(Handle);
  if (!P)
    return;
  auto Sizes = queryList<size_t>(Next->clGetProgramInfo, Handle,
                                 CL_PROGRAM_BINARY_SIZES);
  const auto For = devicesOf(Handle, 0, nullptr);
  std::vector<std::shared_ptr<const BuildRecipe>> Recipe;
  {
    std::lock_guard Lock(P->Mutex);
    if (!P->NoRecipe.empty())
      return;
    for (cl_device_id Device : For)
      Recipe.push_back(recipeOf(*P, Device));
  }
  auto **Binaries = static_cast<unsigned char **>(Value);
  for (size_t I = 0; I < std::min(Sizes.size(), Recipe.size()) &&
                     I < Size / sizeof(*Binaries);
       ++I)
    if (Binaries[I] && Sizes[I] && !isOpen(*Recipe[I]))
      noteBinary({reinterpret_cast<char *>(Binaries[I]), Sizes[I]}, *Recipe[I]);
}

static cl_int CL_API_CALL getProgramInfo(cl_program Handle,
                                         cl_program_info Name, size_t Size,
                                         void *Value, size_t *SizeReturn) {
  cl_int Error = Next->clGetProgramInfo(Handle, Name, Size, Value, SizeReturn);
  if (Error == CL_SUCCESS && Name == CL_PROGRAM_BINARIES && Value &&
      wantTwins())
    noteIfPossible([&] { noteBinaries(Handle, Size, Value); });
  return Error;
}

void warpsan::interceptPrograms(cl_icd_dispatch &Table) {
  Table.clCreateProgramWithSource = createProgramWithSource;
  Table.clCreateProgramWithIL = createProgramWithIL;
  Table.clCreateProgramWithBinary = createProgramWithBinary;
  Table.clCreateProgramWithBuiltInKernels = createProgramWithBuiltInKernels;
  Table.clRetainProgram = retainProgram;
  Table.clReleaseProgram = releaseProgram;
  Table.clSetProgramSpecializationConstant = setSpecializationConstant;
  Table.clBuildProgram = buildProgram;
  Table.clCompileProgram = compileProgram;
  Table.clLinkProgram = linkProgram;
  Table.clGetProgramInfo = getProgramInfo;
}
