//===- layer/twin/compile.cpp - recipes to results, by the cache or the
// compiler ---------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/compile.h"

#include "layer/process/counters.h"
#include "layer/process/no_destructor.h"
#include "layer/process/reserve.h"
#include "layer/process/settings.h"
#include "layer/schemes/schemes.h"
#include "layer/twin/cache.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/stat.h>
#include <utility>
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

using namespace warpsan;

/// Whether twins that round as the driver does fuse a * b + c: the compiler
/// asks the CPU (compiler/pipeline.cpp).
static bool hostHasFma() {
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
  return CPU_FEATURE_ACTIVE(FMA);
#else
  return false;
#endif
}

/// Names the compiler, and what it asks of this machine, in the key of
/// everything it makes: a rebuilt one must not be answered with its
/// predecessor's results, nor one CPU with another's.
static std::string compilerIdentity() {
  struct stat Info = {};
  stat(compilerPath().c_str(), &Info);
  return std::string(WARPSAN_VERSION) + " " + std::to_string(Info.st_size) +
         " " + std::to_string(Info.st_mtim.tv_sec) + "." +
         std::to_string(Info.st_mtim.tv_nsec) + (hostHasFma() ? " fma" : "");
}

static ContentHash keyOf(const std::string &JobBytes) {
  static const std::string &Identity =
      noDestructor<std::string>(compilerIdentity());
  return hashOf(Identity + '\0' + JobBytes);
}

/// True if every file that went into a result still has the same content, and
/// none that was looked for in vain has appeared.
static bool filesAreAsTheyWere(const CompileResult &Answer) {
  return std::ranges::all_of(Answer.Dependencies, [](const Dependency &D) {
    struct stat Info = {};
    const bool Exists = stat(D.Path.c_str(), &Info) == 0;
    if (D.Found != Dependency::State::Read)
      return Exists == (D.Found == Dependency::State::Present);
    std::ifstream File(D.Path, std::ios::binary);
    return File &&
           std::string(std::istreambuf_iterator<char>(File), {}) == D.Text;
  });
}

static bool loadResult(const ContentHash &Key, CompileResult &Answer) {
  std::optional<std::string> Bytes = cacheLoad(CacheKind::CompileResult, Key);
  return Bytes && fromBytes(*Bytes, Answer) && Answer.Version == JobVersion &&
         filesAreAsTheyWere(Answer);
}

bool warpsan::isOpen(const BuildRecipe &Recipe) {
  return !Recipe.WorkingDirectory.empty() &&
         !std::ranges::all_of(Recipe.Units, &Unit::Closed);
}

/// The results of this process that somebody holds.
static std::mutex &CacheMutex = noDestructor<std::mutex>();
static auto &Cache =
    noDestructor<std::map<ContentHash, std::weak_ptr<PendingResult>>>();

static std::string jobBytes(const BuildRecipe &Recipe, const DeviceInfo &Device,
                            const TwinWish &Twin) {
  Job Wanted;
  Wanted.Recipe = Recipe;
  Wanted.Recipe.LinkOptions.clear(); // for the driver, not for the compiler
  Wanted.Device = Device;
  Wanted.Which = Twin.Which;
  Wanted.Scheme = otherSchemeName();
  Wanted.Only = Twin.Only;
  return toBytes(Wanted);
}

std::shared_ptr<const BuildRecipe>
warpsan::closeRecipe(const BuildRecipe &Recipe,
                     const std::shared_ptr<PendingResult> &First,
                     const DeviceInfo &Device, const TwinWish &Twin) {
  auto Closed = std::make_shared<BuildRecipe>(Recipe);
  Unit &Only = Closed->Units.front();
  Only.Files = First->get().Dependencies;
  Only.Directory = std::exchange(Closed->WorkingDirectory, {});
  Only.Closed = 1;
  const ContentHash Key = keyOf(jobBytes(*Closed, Device, Twin));
  std::lock_guard Lock(CacheMutex);
  if (std::weak_ptr<PendingResult> &Slot = Cache[Key]; Slot.expired())
    Slot = First;
  return Closed;
}

std::shared_ptr<PendingResult>
warpsan::requestCompile(const BuildRecipe &Recipe, const DeviceInfo &Device,
                        const TwinWish &Twin) {
  const std::string Bytes = jobBytes(Recipe, Device, Twin);
  const ContentHash Key = keyOf(Bytes);
  const bool ReadsFiles = isOpen(Recipe);
  auto FindKnown = [&]() -> std::shared_ptr<PendingResult> {
    auto It = Cache.find(Key);
    return It == Cache.end() ? nullptr : It->second.lock();
  };
  std::shared_ptr<PendingResult> Before;
  {
    std::lock_guard Lock(CacheMutex);
    Before = FindKnown();
  }
  if (Before && (!ReadsFiles || Before->isCurrent()))
    return Before;

  auto Pending = std::make_shared<PendingResult>();
  Pending->KeyLow = Key.Low;
  Pending->KeyHigh = Key.High;
  if (loadResult(Key, Pending->Answer)) {
    addCount(Counter::cache_hits);
    Pending->FromCache = true;
    Pending->Now = PendingResult::State::Ready;
  } else {
    Pending->Answer = CompileResult();
    std::string Why = startJob(Bytes, Pending->Job);
    if (!Why.empty()) {
      Pending->Answer.Reason = Why;
      Pending->Now = PendingResult::State::Ready;
    }
  }
  std::lock_guard Lock(CacheMutex);
  if (auto Same = ReadsFiles ? nullptr : FindKnown())
    return Same;
  std::erase_if(Cache, [](const auto &Item) { return Item.second.expired(); });
  Cache[Key] = Pending;
  return Pending;
}

bool PendingResult::isCurrent() {
  std::lock_guard Lock(Mutex);
  return Now == State::Ready && filesAreAsTheyWere(Answer);
}

const CompileResult &PendingResult::get() {
  std::unique_lock Lock(Mutex);
  if (Now == State::Ready)
    return Answer;
  Compiling Waiting;
  if (Now == State::Running) {
    Now = State::Awaited;
    Lock.unlock();
    CompileResult Got;
    bool Complete = false;
    try {
      const bool Answered = Job.wait(Got);
      Complete = true;
      // A refusal is kept too: it would be the same the next time.
      if (Answered)
        cacheStore(CacheKind::CompileResult, ContentHash{KeyLow, KeyHigh},
                   toBytes(Got));
    } catch (const std::bad_alloc &) { // others may wait for it
      if (!Complete) {
        Got = CompileResult();
        Got.Reason = NoMemory;
      }
    }
    Job = RunningJob();
    Lock.lock();
    Answer = std::move(Got);
    Now = State::Ready;
    Changed.notify_all();
  }
  Changed.wait(Lock, [this] { return Now == State::Ready; });
  return Answer;
}
