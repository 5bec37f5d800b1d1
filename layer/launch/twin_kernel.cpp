//===- layer/launch/twin_kernel.cpp - kernels of a twin, ready to launch --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/launch/twin_kernel.h"

#include "abi/races.h"
#include "abi/record.h"
#include "diagnose/hits.h"
#include "layer/objects/extension_functions.h"
#include "layer/process/counters.h"
#include "layer/process/per_thread.h"
#include "layer/process/settings.h"
#include "layer/records/record_buffer.h"
#include "layer/schemes/schemes.h"
#include "layer/svm/heap_map.h"
#include "layer/svm/marked_objects.h"
#include "layer/svm/scheme_tags.h"
#include "layer/svm/svm_ranges.h"
#include "layer/twin/build.h"

#include <algorithm>
#include <utility>

using namespace warpsan;

/// Arguments by their index.
using ChangedArgs = std::vector<std::pair<cl_uint, KernelArg>>;

TwinInstance::~TwinInstance() {
  if (Handle)
    Next->clReleaseKernel(Handle);
}

//===----------------------------------------------------------------------===//
// TwinPool
//===----------------------------------------------------------------------===//

static const KernelPlan NoPlan;

static bool wantsHeap(const KernelPlan *Plan) {
  return Plan &&
         std::ranges::find(Plan->HiddenArgs, KernelPlan::Hidden::Kind::Heap,
                           &KernelPlan::Hidden::What) != Plan->HiddenArgs.end();
}

TwinPool::TwinPool(std::shared_ptr<TwinProgram> From, const KernelPlan *Plan,
                   LaunchedKernel Of, Variant Which, bool HasHeap,
                   std::string Reason)
    : Plan(Plan), Reason(std::move(Reason)), Which(Which),
      Of(std::make_shared<const LaunchedKernel>(std::move(Of))),
      Proofs(Plan ? *Plan : NoPlan), Unfollowed(!HasHeap && wantsHeap(Plan)),
      From(std::move(From)) {}

/// An instance that was given SVM pointers stays with the kernel that gave
/// them: they may have been freed since.
std::unique_ptr<TwinInstance> TwinPool::takeFree(uint64_t ExecStamp) {
  std::lock_guard Lock(Mutex);
  for (size_t I = Free.size(); I-- > 0;)
    if (Free[I]->ExecStamp == ExecStamp) {
      std::swap(Free[I], Free.back());
      auto Instance = std::move(Free.back());
      Free.pop_back();
      return Instance;
    }
  return nullptr;
}

void TwinPool::giveBack(std::unique_ptr<TwinInstance> Instance) {
  // One instance is borrowed at a time by each thread, so the pool grows to as
  // many as ever launched at once; with exec info, old ones are dropped.
  constexpr size_t MaxFree = 128;
  std::unique_ptr<TwinInstance> Dropped; // dies outside the lock
  Instance->Records.reset();
  Instance->Shadow = {};
  std::lock_guard Lock(Mutex);
  if (Free.size() >= MaxFree) {
    Dropped = std::move(Free.front());
    Free.erase(Free.begin());
  }
  Free.push_back(std::move(Instance));
}

std::unique_ptr<TwinInstance>
TwinPool::borrow(Kernel &For, uint64_t ExecStamp, cl_device_id Device,
                 const NDRange &Range, RaceShadow *Shadow, std::string &Why) {
  std::unique_ptr<TwinInstance> Instance = takeFree(ExecStamp);
  if (!Instance) {
    Instance = std::make_unique<TwinInstance>();
    cl_program Program = From->handle(Why);
    if (!Program)
      return nullptr;
    cl_int Error = CL_SUCCESS;
    Instance->Handle = Next->clCreateKernel(Program, Of->Name.c_str(), &Error);
    if (!Instance->Handle) {
      Why = "the twin has no such kernel: clCreateKernel returned " +
            std::to_string(Error);
      return nullptr;
    }
    if (ExecStamp)
      for (const ExecInfo &Info : For.Args.execInfo())
        Next->clSetKernelExecInfo(Instance->Handle, Info.Name,
                                  Info.Bytes.size(), Info.Bytes.data());
    Instance->ExecStamp = ExecStamp;
  }
  Why = giveArguments(*Instance, For, Device, Range, Shadow);
  if (!Why.empty())
    return nullptr; // half set: not given back
  return Instance;
}

bool TwinPool::changesVariables() const {
  return From && From->Description.MutableGlobals;
}

void TwinPool::noteNotNative() {
  std::call_once(NotNativeOnce, [&] {
    NotNative =
        noteGap("kernel " + Of->Name, Plan->WhyNotNative, GapKind::NotNative);
  });
  NotNative->Launches.fetch_add(1, std::memory_order_relaxed);
}

cl_kernel TwinPool::makeKernel(const std::string &Name) {
  std::string Why;
  cl_program Program = From->handle(Why);
  return Program ? Next->clCreateKernel(Program, Name.c_str(), nullptr)
                 : nullptr;
}

cl_int warpsan::setArgument(cl_kernel Instance, const Context &Ctx,
                            cl_uint Index, const KernelArg &Arg) {
  switch (Arg.Set) {
  case KernelArg::Source::Unset:
    return CL_SUCCESS; // the launch will fail, as it does natively
  case KernelArg::Source::Value:
    return Next->clSetKernelArg(Instance, Index, Arg.Size, Arg.Bytes.data());
  case KernelArg::Source::Null:
    return Next->clSetKernelArg(Instance, Index, Arg.Size, nullptr);
  case KernelArg::Source::SVMPointer:
    return Next->clSetKernelArgSVMPointer(Instance, Index, Arg.pointer());
  case KernelArg::Source::USMPointer:
    return extensionsOf(Ctx.Platform)
        .clSetKernelArgMemPointerINTEL(Instance, Index, Arg.pointer());
  case KernelArg::Source::DevicePointer:
    return extensionsOf(Ctx.Platform)
        .clSetKernelArgDevicePointerEXT(
            Instance, Index, reinterpret_cast<uintptr_t>(Arg.pointer()));
  }
  return CL_INVALID_VALUE;
}

/// Brings what \p Instance knows of its arguments' memory up to date; sets the
/// bit of each argument whose bounds may have changed.
static void updateBounds(TwinInstance &Instance, const KernelPlan &Plan,
                         const ChangedArgs &Changed,
                         std::vector<bool> &NewBounds) {
  Instance.Bounds.resize(Plan.Args.size());
  NewBounds.assign(Plan.Args.size(), false);
  bool Any = !Instance.Memories;
  auto Set = [&](size_t Index, ArgBounds Bounds) {
    Instance.Bounds[Index] = std::move(Bounds);
    NewBounds[Index] = Any = true;
  };
  // Before the pointers are looked at: what changes meanwhile is noticed at
  // the next launch.
  const uint64_t Epoch = svmEpoch();
  if (Epoch != std::exchange(Instance.SvmEpoch, Epoch))
    for (size_t I = 0; I < Instance.Bounds.size(); ++I)
      if (void *Pointer = Instance.Bounds[I].Pointer)
        Set(I, boundsOfPointer(Pointer));
  const uint64_t Pools = bufferPoolEpoch();
  if (Pools != std::exchange(Instance.PoolEpoch, Pools))
    for (size_t I = 0; I < Instance.Bounds.size(); ++I)
      if (const auto &Of = Instance.Bounds[I].Memory.Of) {
        Instance.Bounds[I].Objects = reinterpret_cast<cl_ulong>(objectsOf(*Of));
        NewBounds[I] = true;
      }
  for (const auto &[Index, Arg] : Changed)
    if (Plan.Args[Index] != KernelPlan::ArgKind::Other)
      Set(Index, boundsOf(Arg, Plan.Args[Index]));
  if (!Any)
    return;
  auto Memories = std::make_shared<ArgMemories>();
  Memories->reserve(Instance.Bounds.size());
  for (const ArgBounds &Bounds : Instance.Bounds)
    Memories->push_back(Bounds.Memory);
  Instance.Memories = std::move(Memories);
}

static std::array<uint64_t, 3> globalOf(const NDRange &Range) {
  std::array<uint64_t, 3> Global = {1, 1, 1};
  for (cl_uint I = 0; Range.Global && I < std::min(Range.Dimensions, 3U); ++I)
    Global[I] = Range.Global[I];
  return Global;
}

/// Bytes of the shadow of a local argument that has \p Size.
static uint64_t shadowSize(const KernelPlan::Hidden &Hidden, uint64_t Size) {
  const uint64_t Bytes = Size & WS_SIZE_BITS;
  const uint64_t Granules =
      Hidden.Granule ? Bytes / Hidden.Granule + (Bytes % Hidden.Granule != 0)
                     : 1;
  return WS_RACE_LOCAL_WORDS(Granules) * sizeof(WsU32);
}

bool TwinPool::fitsLocalMemory(const TwinInstance &Instance,
                               cl_device_id Device) const {
  // The driver is not asked: PoCL counts neither arguments nor variables.
  const cl_ulong Has = deviceOf(Device).LocalMemory;
  cl_ulong Needs = Plan->LocalBytes;
  for (size_t I = 0; I < Instance.Bounds.size(); ++I)
    if (Plan->Args[I] == KernelPlan::ArgKind::Local)
      Needs += Instance.Bounds[I].Size & WS_SIZE_BITS;
  for (const KernelPlan::Hidden &Hidden : Plan->HiddenArgs)
    if (Hidden.What == KernelPlan::Hidden::Kind::LocalShadow)
      Needs += shadowSize(Hidden, Instance.Bounds[Hidden.Arg].Size);
  return Needs <= Has - Has / 16; // what alignment may take
}

cl_int TwinPool::hiddenValue(TwinInstance &Instance,
                             const KernelPlan::Hidden &Hidden, Kernel &For,
                             cl_device_id Device, const NDRange &Range,
                             HiddenValue &Value) const {
  auto Give = [&](cl_ulong Bits) {
    Value = {sizeof(Bits), Bits};
    return CL_SUCCESS;
  };
  auto GivePointer = [&](const void *Pointer) {
    Value = {sizeof(Pointer), reinterpret_cast<uintptr_t>(Pointer),
             HiddenValue::SVMPointer};
    return CL_SUCCESS;
  };
  const bool TakesHostPointers = deviceOf(Device).TakesHostPointers;
  switch (Hidden.What) {
  case KernelPlan::Hidden::Kind::Size:
    return Give(Instance.Bounds[Hidden.Arg].Size);
  case KernelPlan::Hidden::Kind::Start:
    return Give(Instance.Bounds[Hidden.Arg].Start);
  case KernelPlan::Hidden::Kind::SizeNow:
    return Give(TakesHostPointers ? Instance.Bounds[Hidden.Arg].SizeNow : 0);
  case KernelPlan::Hidden::Kind::Objects:
    return Give(TakesHostPointers ? Instance.Bounds[Hidden.Arg].Objects : 0);
  case KernelPlan::Hidden::Kind::Tag:
    return Give(
        tagOf(Instance.Bounds, Plan->Args, Hidden.Arg, Instance.Secret));
  case KernelPlan::Hidden::Kind::LocalShadow:
    Value = {shadowSize(Hidden, Instance.Bounds[Hidden.Arg].Size), 0,
             HiddenValue::Null};
    return CL_SUCCESS;
  case KernelPlan::Hidden::Kind::ShadowBase:
    return Give(Hidden.Arg < Instance.Shadow.First.size()
                    ? Instance.Shadow.First[Hidden.Arg]
                    : WS_RACE_NO_SHADOW);
  case KernelPlan::Hidden::Kind::Shadow:
    if (const auto &Words = Instance.Shadow.Words)
      return Give(reinterpret_cast<uintptr_t>(Words->handle()));
    Value = {sizeof(cl_mem), 0, HiddenValue::Null};
    return CL_SUCCESS;
  case KernelPlan::Hidden::Kind::ShadowLaunch:
    return Give(Instance.Shadow.Words
                    ? Instance.Shadow.Number | Instance.Shadow.Words->count()
                                                   << WS_RACE_LAUNCH_BITS
                    : 0);
  case KernelPlan::Hidden::Kind::Key:
    return Give(otherScheme()->key(Instance.Secret));
  case KernelPlan::Hidden::Kind::Table:
    return GivePointer(otherScheme()->table());
  case KernelPlan::Hidden::Kind::Heap:
    if (!TakesHostPointers) {
      Value = {sizeof(cl_mem), 0, HiddenValue::Null};
      return CL_SUCCESS;
    }
    // A kernel that makes up addresses is to find nothing else.
    if (!settings().untrusted_kernels)
      updateForeign();
    return GivePointer(heapForTwins());
  case KernelPlan::Hidden::Kind::Launch:
    Instance.Number = nextLaunchNumber();
    return Give(launchWord(Instance.Number, globalOf(Range)));
  case KernelPlan::Hidden::Kind::Records:
    if (Instance.RecordsStay)
      return CL_SUCCESS;
    Instance.Records = For.Ctx->recordBuffer(Device);
    if (!Instance.Records)
      return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    Instance.RecordsStay = Instance.Records->isHostVisible();
    if (std::exchange(Instance.RecordsSerial, Instance.Records->serial()) ==
        Instance.Records->serial())
      return CL_SUCCESS;
    if (const void *Pointer = Instance.Records->pointer())
      return GivePointer(Pointer);
    return Give(reinterpret_cast<uintptr_t>(Instance.Records->handle()));
  }
  return CL_INVALID_VALUE;
}

static cl_int giveHidden(cl_kernel Instance, cl_uint Index,
                         const HiddenValue &Value) {
  if (!Value.Size)
    return CL_SUCCESS;
  return Value.Is == HiddenValue::SVMPointer
             ? Next->clSetKernelArgSVMPointer(Instance, Index, Value.pointer())
             : Next->clSetKernelArg(Instance, Index, Value.Size, Value.bytes());
}

std::vector<HiddenValue> TwinPool::hiddenValues(TwinInstance &Instance,
                                                Kernel &For,
                                                cl_device_id Device,
                                                const NDRange &Range) {
  std::vector<HiddenValue> All;
  for (const KernelPlan::Hidden &Hidden : Plan->HiddenArgs)
    if (hiddenValue(Instance, Hidden, For, Device, Range, All.emplace_back()) !=
        CL_SUCCESS)
      return {};
  return All;
}

namespace {
struct ReusedByLaunches {
  ChangedArgs Changed;
  std::vector<bool> NewBounds;
};
} // namespace

std::string TwinPool::giveArguments(TwinInstance &Instance, Kernel &For,
                                    cl_device_id Device, const NDRange &Range,
                                    RaceShadow *Shadow) {
  auto &[Changed, NewBounds] = perThread<ReusedByLaunches>();
  Changed.clear();
  For.Args.changedSince(Instance.Stamps, Changed);
  if (Instance.Stamps.size() != Plan->Args.size())
    return "the twin has " + std::to_string(Plan->Args.size()) +
           " arguments where the kernel has " +
           std::to_string(Instance.Stamps.size());

  auto Failed = [](cl_uint Index, cl_int Error) {
    return "the twin refused argument " + std::to_string(Index) + ": error " +
           std::to_string(Error);
  };
  for (const auto &[Index, Arg] : Changed)
    if (cl_int Error = setArgument(Instance.Handle, *For.Ctx, Index, Arg))
      return Failed(Index, Error);
  updateBounds(Instance, *Plan, Changed, NewBounds);

  Instance.Number = 0;
  if (Shadow && Plan->WatchesGlobalMemory)
    Instance.Shadow =
        Shadow->next(*For.Ctx, deviceOf(Device), *Plan, Instance.Bounds);
  if (otherScheme())
    Instance.Secret = nextSecret();
  cl_uint Index = Plan->Args.size();
  for (const KernelPlan::Hidden &Hidden : Plan->HiddenArgs) {
    if (!Hidden.isOfArgument() || NewBounds[Hidden.Arg] ||
        Hidden.What == KernelPlan::Hidden::Kind::Tag ||
        Hidden.What == KernelPlan::Hidden::Kind::ShadowBase) {
      HiddenValue Value;
      if (cl_int Error =
              hiddenValue(Instance, Hidden, For, Device, Range, Value))
        return "the driver gave no memory for the record buffer: error " +
               std::to_string(Error);
      if (cl_int Error = giveHidden(Instance.Handle, Index, Value))
        return Failed(Index, Error);
    }
    ++Index;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// TwinKernel
//===----------------------------------------------------------------------===//

TwinPool &TwinKernel::pool(Build &From, cl_device_id Device, Variant Which) {
  const std::pair Key(Device, Which);
  {
    std::lock_guard Lock(Mutex);
    if (auto It = Pools.find(Key); It != Pools.end())
      return *It->second;
  }
  auto New = makePool(From, Device, {Which});
  std::lock_guard Lock(Mutex);
  return *Pools.try_emplace(Key, std::move(New)).first->second;
}

std::unique_ptr<TwinPool> TwinKernel::makePool(Build &From, cl_device_id Device,
                                               const TwinWish &Wanted) {
  TwinWait Waiting;
  std::shared_ptr<TwinProgram> Twin = From.twin(Device, Wanted);
  // A lean twin of all may never be needed.
  std::string Reason = Twin->Reason;
  if ((!Wanted.Which.Lean || !Wanted.Only.Kernel.empty()) && Reason.empty())
    Twin->handle(Reason);
  From.noteLaunchedFrom(Reason.empty());
  const KernelPlan *Plan = nullptr;
  if (Reason.empty()) {
    auto It = Twin->Description.Kernels.find(Name);
    auto Refused = Twin->Description.Refused.find(Name);
    if (It != Twin->Description.Kernels.end())
      Plan = &It->second;
    else if (Refused != Twin->Description.Refused.end())
      Reason = Refused->second;
    else
      Reason = "the compiler's manifest does not name this kernel";
  }
  const warpsan::Device &On = deviceOf(Device);
  LaunchedKernel Of{Name, On.Name, Twin->Info, From.Of, From.Number};
  // It has the twin of all its launches, which knows of no objects.
  const bool Blind = Wanted.Which.Objects && Twin->Description.MutableGlobals;
  return std::make_unique<TwinPool>(Twin, Plan, std::move(Of), Wanted.Which,
                                    On.TakesHostPointers && !Blind, Reason);
}

/// What both have.
static AccessSelection unite(const AccessSelection &A,
                             const AccessSelection &B) {
  AccessSelection Both{A.Kernel};
  std::ranges::set_union(A.Checked, B.Checked,
                         std::back_inserter(Both.Checked));
  std::ranges::set_union(A.Watched, B.Watched,
                         std::back_inserter(Both.Watched));
  return Both;
}

TwinPool *TwinKernel::poolFor(Build &From, cl_device_id Device, Variant Which,
                              const AccessSelection &Wanted) {
  constexpr size_t MaxTuned = 4;
  auto SizeOf = [](const Tuned &Of) {
    return Of.Only.Checked.size() + Of.Only.Watched.size();
  };
  Tuned *Chosen = nullptr, *Other = nullptr;
  {
    std::lock_guard Lock(Mutex);
    for (const auto &Each : TunedPools) {
      if (Each->Device != Device || Each->Which != Which)
        continue;
      if (!Each->IsAsked)
        Other = Each.get();
      if (Each->Only.covers(Wanted) &&
          (!Chosen || SizeOf(*Each) < SizeOf(*Chosen)))
        Chosen = Each.get();
    }
    if (Chosen && Chosen->Pool)
      return Chosen->Pool->Plan ? Chosen->Pool.get() : nullptr;
    if (!Chosen && TunedPools.size() < MaxTuned)
      Chosen = TunedPools
                   .emplace_back(
                       std::make_unique<Tuned>(Tuned{Device, Which, Wanted}))
                   .get();
    // Every launch leaves something else: one that does all of that.
    if (!Chosen && Other) {
      Other->Only = unite(Other->Only, Wanted);
      Chosen = Other;
    }
    if (!Chosen || Chosen->IsAsked ||
        ++Chosen->Launches < settings().specialize)
      return nullptr;
    Chosen->IsAsked = true;
  }
  auto New = makePool(From, Device, {Which, Chosen->Only});
  std::lock_guard Lock(Mutex);
  Chosen->Pool = std::move(New);
  return Chosen->Pool->Plan ? Chosen->Pool.get() : nullptr;
}

void TwinKernel::noteCreated() {
  KernelCounts &Counts = Selection->Counts;
  std::lock_guard Lock(Counts.Mutex);
  if (!std::exchange(Counts.Created, true) && !isOfRuntime())
    addCount(Counter::kernels_created);
}

void TwinKernel::noteLaunch(bool Covered, bool Entirely) {
  KernelCounts &Counts = Selection->Counts;
  std::lock_guard Lock(Counts.Mutex);
  addCount(Counter::launches);
  if (!std::exchange(Counts.Launched, true)) {
    addCount(Counter::kernels_launched);
    Counts.AlwaysCovered = Covered;
    if (Covered)
      addCount(Counter::kernels_twin);
  } else if (Counts.AlwaysCovered && !Covered) {
    Counts.AlwaysCovered = false;
    addCount(Counter::kernels_twin, -1);
  }
  if (std::exchange(Counts.Entirely, Entirely) != Entirely)
    addCount(Counter::kernels_proven, Entirely ? 1 : -1);
}

/// What became of its accesses, in the last launch.
void TwinKernel::noteChecked(const TwinPool &Pool, bool AllProven) {
  addCount(Counter::launches_covered);
  const KernelPlan &Plan = *Pool.Plan;
  auto Count = [](Counter What, uint64_t &Counted, uint64_t Now) {
    if (Now != Counted)
      addCount(What, static_cast<int64_t>(Now - Counted));
    Counted = Now;
  };
  KernelCounts &Counts = Selection->Counts;
  std::lock_guard Lock(Counts.Mutex);
  const uint64_t Checked = AllProven ? 0 : Plan.Checked;
  Count(Counter::accesses_checked, Counts.Checked, Checked);
  Count(Counter::accesses_proven, Counts.Proven,
        Plan.Proven + Plan.AtLaunch + Plan.Checked - Checked);
  Count(Counter::accesses_untraced, Counts.Untraced, Plan.Untraced);
}

void TwinKernel::noteProvenLaunch(const TwinPool &Pool) {
  std::lock_guard Lock(Mutex);
  noteLaunch(true, /*Entirely=*/Pool.Plan->Untraced == 0);
  noteChecked(Pool, /*AllProven=*/true);
  addCount(Counter::launches_proven);
}

void TwinKernel::noteTwinLaunch(const TwinPool &Pool) {
  std::lock_guard Lock(Mutex);
  noteLaunch(true);
  addCount(Counter::launches_twin);
  if (!Pool.Which.Checks)
    return;
  if (settings().scheme == "trace")
    return addCount(Counter::launches_trace);
  noteChecked(Pool, /*AllProven=*/false);
  if (Pool.Unfollowed)
    addCount(Counter::launches_partial);
}

void TwinKernel::noteChosenNative() {
  std::lock_guard Lock(Mutex);
  noteLaunch(false);
}

void TwinKernel::noteNativeLaunch(const std::string &Reason) {
  std::lock_guard Lock(Mutex);
  noteLaunch(false);
  countGap(Reason);
}

void TwinKernel::noteRefusedLaunch(const std::string &Reason) {
  std::lock_guard Lock(Mutex);
  countGap("refused: " + Reason);
}

void TwinKernel::noteRacesUnjudged(const std::string &Reason) {
  addCount(Counter::launches_races_unjudged);
  std::lock_guard Lock(Mutex);
  countGap(Reason, GapKind::RacesUnjudged);
}

void TwinKernel::countGap(const std::string &Reason, GapKind Kind) {
  Gap *&Entry = Gaps[{Kind, Reason}];
  if (!Entry)
    Entry = noteGap("kernel " + Name, Reason, Kind);
  Entry->Launches.fetch_add(1, std::memory_order_relaxed);
}
