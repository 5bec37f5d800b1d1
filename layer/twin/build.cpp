//===- layer/twin/build.cpp - one successful build of a program, and its
// twins ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/build.h"

#include "layer/launch/setters.h"
#include "layer/launch/twin_kernel.h"
#include "layer/objects/driver_quirks.h"
#include "layer/process/counters.h"
#include "layer/process/no_destructor.h"
#include "layer/process/reserve.h"
#include "layer/process/run_file.h"
#include "layer/process/settings.h"
#include "layer/schemes/schemes.h"
#include "layer/twin/build_options.h"
#include "layer/twin/build_turns.h"
#include "layer/twin/cache.h"

#include <algorithm>
#include <mutex>

using namespace warpsan;

TwinProgram::~TwinProgram() { release(); }

void TwinProgram::release() {
  if (!Handle)
    return;
  Sets->removeCopy(Handle);
  Next->clReleaseProgram(std::exchange(Handle, nullptr));
  --Ctx->OwnObjects;
}

std::shared_ptr<PendingResult> warpsan::requestFirst(const BuildRecipe &Recipe,
                                                     cl_device_id Device) {
  return requestCompile(Recipe, deviceOf(Device).Info,
                        {variantFor(/*Pointers=*/false)});
}

std::shared_ptr<const BuildRecipe>
warpsan::closeWithFirst(const BuildRecipe &Recipe,
                        const std::shared_ptr<PendingResult> &First,
                        cl_device_id Device) {
  return closeRecipe(Recipe, First, deviceOf(Device).Info,
                     {variantFor(/*Pointers=*/false)});
}

Build::Build(std::shared_ptr<Context> Ctx, unsigned Number,
             std::shared_ptr<const Life> Of, BuildRecipes DeviceRecipes,
             std::string NoRecipe, const std::shared_ptr<Build> &Before)
    : Ctx(std::move(Ctx)), Number(Number), Of(std::move(Of)),
      Sets(std::make_shared<Setters>()), Recipes(std::move(DeviceRecipes)),
      NoRecipe(std::move(NoRecipe)) {
  if (!Before)
    return;
  Others = Before->Others;
  for (const auto &[Device, Each] : Before->Recipes)
    Others[Device] = Before;
  for (const auto &[Device, Each] : Recipes)
    Others.erase(Device);
}

Build &Build::on(cl_device_id Device) {
  if (Others.empty())
    return *this;
  auto Other = Others.find(deviceOf(Device).BuiltAs);
  return Other == Others.end() ? *this : *Other->second;
}

std::shared_ptr<const BuildRecipe> Build::recipeFor(cl_device_id Device) const {
  auto Own = Recipes.find(deviceOf(Device).BuiltAs);
  if (Own == Recipes.end())
    Own = Recipes.begin();
  return Own == Recipes.end() ? std::make_shared<const BuildRecipe>()
                              : Own->second;
}

void Build::startCompiling(const std::vector<cl_device_id> &Devices) {
  if (!hasWanted())
    return;
  if (!NoRecipe.empty())
    expectCanaries();
  if (!wantTwins() || !NoRecipe.empty() || Devices.empty())
    return;
  auto Pending = requestFirst(*recipeFor(Devices.front()), Devices.front());
  addCount(Counter::programs_compiled);
  std::lock_guard Lock(Mutex);
  Started = std::move(Pending);
  StartedOn = Devices.front();
}

std::shared_ptr<const BuildRecipe> Build::finishReading() {
  std::shared_ptr<PendingResult> Reading;
  cl_device_id Device = nullptr;
  {
    std::lock_guard Lock(Mutex);
    if (Closed)
      return Closed;
    Reading = Started;
    Device = StartedOn;
  }
  if (!Reading)
    return nullptr;
  const auto Open = recipeFor(Device);
  if (!isOpen(*Open))
    return nullptr;
  auto Read = closeWithFirst(*Open, Reading, Device);
  std::lock_guard Lock(Mutex);
  if (!Closed)
    Closed = std::move(Read);
  return Closed;
}

void Build::choose(cl_program Native) {
  if (!choosesKernels())
    return;
  std::call_once(ChosenOnce, [&] {
    // "copy;scale"
    std::string Names =
        queryString(Next->clGetProgramInfo, Native, CL_PROGRAM_KERNEL_NAMES);
    bool Any = Names.empty(); // the driver does not tell
    for (size_t At = 0; !Any && At < Names.size();) {
      const size_t End = std::min(Names.find(';', At), Names.size());
      Any = LaunchSelection(Names.substr(At, End - At)).isWanted();
      At = End + 1;
    }
    Wanted = Any;
  });
}

std::shared_ptr<TwinKernel> Build::kernel(const std::string &Name) {
  std::lock_guard Lock(Mutex);
  auto &Selection = Selections[Name];
  if (!Selection)
    Selection = std::make_shared<LaunchSelection>(Name);
  std::weak_ptr<TwinKernel> &Known = Kernels[Name];
  std::shared_ptr<TwinKernel> Twin = Known.lock();
  if (!Twin) {
    Twin = std::make_shared<TwinKernel>(Name, Number, Selection);
    Known = Twin;
  }
  return Twin;
}

std::shared_ptr<TwinProgram> Build::twin(cl_device_id Device,
                                         const TwinWish &Wanted) {
  if (Build &Own = on(Device); &Own != this)
    return Own.twin(Device, Wanted);
  const TwinKey Key(Device, Wanted);
  std::unique_lock Lock(Mutex);
  auto [It, New] = Twins.try_emplace(Key);
  if (!New) {
    TwinReady.wait(Lock, [&] { return Twins[Key] != nullptr; });
    return Twins[Key];
  }
  Lock.unlock();
  auto Twin = std::make_shared<TwinProgram>(Ctx, Device, Sets);
  try {
    describeTwin(Device, Wanted, *Twin);
    // Its kernels all have to be of one twin, which must do for every launch.
    if (Twin->Description.MutableGlobals && Wanted.Which.Checks &&
        Wanted.Which != CheckedSvm)
      Twin = this->twin(Device, {CheckedSvm});
  } catch (const std::bad_alloc &) { // others may wait for it
    enterPassThrough();
    Twin->Reason = NoMemory;
  }
  Lock.lock();
  Twins[Key] = Twin;
  TwinReady.notify_all();
  return Twin;
}

cl_program
Build::pinVariables(cl_device_id Device,
                    const std::function<bool(cl_program)> &HasAddress) {
  const Variant One = wantChecks() ? CheckedSvm : Unchecked;
  std::string Why;
  cl_program Handle = nullptr;
  if (wantTwins() && hasWanted() && !onlyCanaries())
    Handle = twin(Device, {One})->handle(Why);
  if (Sets->areIncomplete() || (Handle && !HasAddress(Handle)))
    Handle = nullptr;
  const Copy Of = decideCopy(Handle ? Copy::Twin : Copy::Native);
  Pinned = true;
  return Of == Copy::Twin ? Handle : nullptr;
}

void Build::noteLaunchedFrom(bool Instrumented) {
  {
    std::lock_guard Lock(Mutex);
    if (std::exchange(LaunchedFrom, true))
      return;
  }
  addCount(Counter::programs_launched);
  if (Instrumented)
    addCount(Counter::programs_instrumented);
}

/// The driver's build log, cut to its first lines, for a reason.
static std::string firstOfBuildLog(cl_program Handle, cl_device_id Device) {
  size_t Size = 0;
  if (Next->clGetProgramBuildInfo(Handle, Device, CL_PROGRAM_BUILD_LOG, 0,
                                  nullptr, &Size) != CL_SUCCESS ||
      Size <= 1)
    return "no build log";
  std::string Log(Size, '\0');
  Next->clGetProgramBuildInfo(Handle, Device, CL_PROGRAM_BUILD_LOG, Size,
                              Log.data(), nullptr);
  Log.resize(std::min(Log.find('\0'), std::min<size_t>(Log.size(), 300)));
  return Log;
}

static cl_int buildAlone(cl_program Handle, cl_device_id Device,
                         const std::string &Options) {
  const BuildTurn Turn(Builder::Twin);
  return Next->clBuildProgram(Handle, 1, &Device, Options.c_str(), nullptr,
                              nullptr);
}

/// True if the driver makes the program of \p Binary, quickly or not at all.
bool TwinProgram::takeBinary(const std::string &Binary) {
  const auto *Bytes = reinterpret_cast<const unsigned char *>(Binary.data());
  const size_t Size = Binary.size();
  Handle = Ctx->makeOwn([&] {
    return Next->clCreateProgramWithBinary(Ctx->Handle, 1, &Device, &Size,
                                           &Bytes, nullptr, nullptr);
  });
  if (!Handle)
    return false;
  if (buildAlone(Handle, Device, Options) == CL_SUCCESS)
    return true;
  release();
  return false;
}

/// The cache key of the driver's binary of a twin: everything that it is built
/// from. Nullopt: it is not cached.
static std::optional<ContentHash> binaryKey(const Device &On,
                                            const std::string &SpirV,
                                            const std::string &Options) {
  if (!quirksOf(On.Info.Platform).NeedsBinaryCache)
    return std::nullopt;
  std::string All;
  for (const std::string &Part :
       {On.Info.Platform, On.Info.DriverVersion, On.Name, Options, SpirV})
    All += std::to_string(Part.size()) + " " + Part;
  return hashOf(All);
}

/// What the driver makes of the twin; empty if it does not tell.
static std::string binaryOf(cl_program Handle) {
  std::string Binary(queryValue<size_t>(Next->clGetProgramInfo, Handle,
                                        CL_PROGRAM_BINARY_SIZES, 0),
                     '\0');
  char *Bytes = Binary.data();
  if (Next->clGetProgramInfo(Handle, CL_PROGRAM_BINARIES, sizeof(Bytes), &Bytes,
                             nullptr) != CL_SUCCESS)
    return {};
  return Binary;
}

/// A binary of the twin from an earlier run, if the driver takes it more
/// quickly than SPIR-V.
std::optional<std::string> TwinProgram::knownForm() const {
  if (!From->isFromCache())
    return std::nullopt;
  const std::string &SpirV = From->get().SpirV;
  const warpsan::Device &On = deviceOf(Device);
  if (quirksOf(On.Info.Platform).AcceptsCachedSpirV)
    return SpirV;
  auto Key = binaryKey(On, SpirV, Options);
  return Key ? cacheLoad(CacheKind::Binary, *Key) : std::nullopt;
}

/// What reports say of a twin is as large as its source. The log of launches
/// keeps it, so that programs which are built again and again share it.
static std::shared_ptr<TwinInfo>
infoOf(const PendingResult &Asked, const CompileResult &Answer,
       const std::shared_ptr<const BuildRecipe> &Recipe) {
  static std::mutex &Mutex = noDestructor<std::mutex>();
  static auto &Cache = noDestructor<
      std::map<std::pair<std::pair<uint64_t, uint64_t>, ContentHash>,
               std::weak_ptr<TwinInfo>>>();
  // Equal requests have different answers if files have changed.
  std::string Files = Answer.Manifest;
  for (const Dependency &D : Answer.Dependencies)
    Files += D.Path + '\0' + D.Text + '\0';
  const ContentHash Content = hashOf(Files);
  std::lock_guard Lock(Mutex);
  constexpr size_t Often = 64;
  if (Cache.size() % Often == Often - 1)
    std::erase_if(Cache,
                  [](const auto &Each) { return Each.second.expired(); });
  std::weak_ptr<TwinInfo> &Slot = Cache[{Asked.key(), Content}];
  auto Same = Slot.lock();
  if (!Same) {
    Slot = Same = std::make_shared<TwinInfo>(Answer.Manifest, Recipe);
    writeRunFile(".manifest", Answer.Manifest); // status/access_places.h
  }
  return Same;
}

void TwinProgram::describe(const std::shared_ptr<PendingResult> &Asked,
                           const std::shared_ptr<const BuildRecipe> &Recipe) {
  const CompileResult &Answer = Asked->get();
  Reason =
      Answer.ok() ? readManifest(Answer.Manifest, Description) : Answer.Reason;
  if (!Reason.empty())
    return;
  From = Asked;
  Info = infoOf(*Asked, Answer, Recipe);
  Options = optionsForTwin(*Recipe, Description.UniformGroups);
}

cl_program TwinProgram::handle(std::string &Why) {
  std::call_once(Once, [&] {
    TwinWait Waiting;
    WhyNot = Reason.empty() ? build() : Reason;
    if (Handle)
      Sets->addCopy(*Ctx, Device, Handle);
  });
  if (!Handle)
    Why = WhyNot;
  return Handle;
}

/// Returns why there is none, or an empty string.
std::string TwinProgram::build() {
  if (auto Known = knownForm(); Known && takeBinary(*Known))
    return {};
  const std::string &SpirV = From->get().SpirV;
  cl_int Error = CL_SUCCESS;
  Handle = Ctx->makeOwn([&] {
    return Next->clCreateProgramWithIL(Ctx->Handle, SpirV.data(), SpirV.size(),
                                       &Error);
  });
  if (!Handle)
    return "the driver refused the twin's SPIR-V: clCreateProgramWithIL "
           "returned " +
           std::to_string(Error);
  {
    Compiling Waiting;
    Error = buildAlone(Handle, Device, Options);
  }
  if (Error == CL_SUCCESS) {
    if (auto Key = binaryKey(deviceOf(Device), SpirV, Options))
      if (const std::string Binary = binaryOf(Handle); !Binary.empty())
        cacheStore(CacheKind::Binary, *Key, Binary);
    return {};
  }
  std::string Log = firstOfBuildLog(Handle, Device);
  release();
  return "the driver could not build the twin: clBuildProgram returned " +
         std::to_string(Error) + ": " + Log;
}

void Build::describeTwin(cl_device_id Device, const TwinWish &Wanted,
                         TwinProgram &Twin) {
  const DeviceInfo &Info = deviceOf(Device).Info;
  if (!NoRecipe.empty()) {
    Twin.Reason = NoRecipe;
  } else if (Info.ILVersions.find("SPIR-V") == std::string::npos) {
    Twin.Reason = "the driver takes no SPIR-V (CL_DEVICE_IL_VERSION is '" +
                  Info.ILVersions + "')";
  } else {
    auto DeviceRecipe = recipeFor(Device);
    if (isOpen(*DeviceRecipe))
      DeviceRecipe = finishReading();
    if (!DeviceRecipe) {
      Twin.Reason = "its headers were not read when it was built";
      return;
    }
    Twin.describe(requestCompile(*DeviceRecipe, Info, Wanted), DeviceRecipe);
  }
}
