//===- layer/compile.cpp - recipes to products, by the cache or the compiler
//===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/compile.h"

#include "layer/cache.h"
#include "layer/memory.h"
#include "layer/schemes.h"
#include "layer/settings.h"
#include "layer/tally.h"

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
/// predecessor's products, nor one CPU with another's.
static std::string compilerIdentity() {
  struct stat Facts = {};
  stat(compilerPath().c_str(), &Facts);
  return std::string(WARPSAN_VERSION) + " " + std::to_string(Facts.st_size) +
         " " + std::to_string(Facts.st_mtim.tv_sec) + "." +
         std::to_string(Facts.st_mtim.tv_nsec) + (hostHasFma() ? " fma" : "");
}

static ContentHash keyOf(const std::string &JobBytes) {
  static const std::string &Identity = *new std::string(compilerIdentity());
  return hashOf(Identity + '\0' + JobBytes);
}

/// True if every file that went into a product still has the same content, and
/// none that was looked for in vain has appeared.
static bool filesAreAsTheyWere(const Product &Answer) {
  return std::ranges::all_of(Answer.Dependencies, [](const Dependency &D) {
    struct stat Facts = {};
    const bool Exists = stat(D.Path.c_str(), &Facts) == 0;
    if (D.Found != Dependency::State::Read)
      return Exists == (D.Found == Dependency::State::Present);
    std::ifstream File(D.Path, std::ios::binary);
    return File &&
           std::string(std::istreambuf_iterator<char>(File), {}) == D.Text;
  });
}

static bool loadProduct(const ContentHash &Key, Product &Answer) {
  std::optional<std::string> Bytes = cacheLoad(CacheKind::Product, Key);
  return Bytes && fromBytes(*Bytes, Answer) && Answer.Version == JobVersion &&
         filesAreAsTheyWere(Answer);
}

bool warpsan::isOpen(const Recipe &How) {
  return !How.WorkingDirectory.empty() &&
         !std::ranges::all_of(How.Units, &Unit::Closed);
}

/// The products of this process that somebody holds.
static std::mutex &KnownMutex = *new std::mutex;
static auto &Known = *new std::map<ContentHash, std::weak_ptr<PendingProduct>>;

static std::string jobBytes(const Recipe &How, const DeviceFacts &Device,
                            const TwinWish &Twin) {
  Job Wanted;
  Wanted.How = How;
  Wanted.How.LinkOptions.clear(); // for the driver, not for the compiler
  Wanted.Device = Device;
  Wanted.Variant = nameOf(Twin.Which);
  Wanted.Scheme = otherSchemeName();
  Wanted.Kernel = Twin.Kernel;
  Wanted.Sites = Twin.Checked;
  return toBytes(Wanted);
}

std::shared_ptr<const Recipe>
warpsan::closeRecipe(const Recipe &How,
                     const std::shared_ptr<PendingProduct> &First,
                     const DeviceFacts &Device, const TwinWish &Twin) {
  auto Closed = std::make_shared<Recipe>(How);
  Unit &Only = Closed->Units.front();
  Only.Files = First->get().Dependencies;
  Only.Folder = std::exchange(Closed->WorkingDirectory, {});
  Only.Closed = 1;
  const ContentHash Key = keyOf(jobBytes(*Closed, Device, Twin));
  std::lock_guard Lock(KnownMutex);
  if (std::weak_ptr<PendingProduct> &Slot = Known[Key]; Slot.expired())
    Slot = First;
  return Closed;
}

std::shared_ptr<PendingProduct>
warpsan::requestProduct(const Recipe &How, const DeviceFacts &Device,
                        const TwinWish &Twin) {
  const std::string Bytes = jobBytes(How, Device, Twin);
  const ContentHash Key = keyOf(Bytes);
  const bool ReadsFiles = isOpen(How);
  auto FindKnown = [&]() -> std::shared_ptr<PendingProduct> {
    auto It = Known.find(Key);
    return It == Known.end() ? nullptr : It->second.lock();
  };
  std::shared_ptr<PendingProduct> Before;
  {
    std::lock_guard Lock(KnownMutex);
    Before = FindKnown();
  }
  if (Before && (!ReadsFiles || Before->isCurrent()))
    return Before;

  auto Pending = std::make_shared<PendingProduct>();
  Pending->KeyLow = Key.Low;
  Pending->KeyHigh = Key.High;
  if (loadProduct(Key, Pending->Answer)) {
    tally(Counter::cache_hits);
    Pending->FromCache = true;
    Pending->Now = PendingProduct::State::Ready;
  } else {
    Pending->Answer = Product();
    std::string Why = startJob(Bytes, Pending->Job);
    if (!Why.empty()) {
      Pending->Answer.Reason = Why;
      Pending->Now = PendingProduct::State::Ready;
    }
  }
  std::lock_guard Lock(KnownMutex);
  if (auto Same = ReadsFiles ? nullptr : FindKnown())
    return Same;
  std::erase_if(Known, [](const auto &Item) { return Item.second.expired(); });
  Known[Key] = Pending;
  return Pending;
}

bool PendingProduct::isCurrent() {
  std::lock_guard Lock(Mutex);
  return Now == State::Ready && filesAreAsTheyWere(Answer);
}

const Product &PendingProduct::get() {
  std::unique_lock Lock(Mutex);
  if (Now == State::Ready)
    return Answer;
  Compiling Waiting;
  if (Now == State::Running) {
    Now = State::Awaited;
    Lock.unlock();
    Product Got;
    try {
      // A refusal is kept too: it would be the same the next time.
      if (Job.wait(Got))
        cacheStore(CacheKind::Product, ContentHash{KeyLow, KeyHigh},
                   toBytes(Got));
    } catch (const std::bad_alloc &) { // others may wait for it
      if (!Got.ok() && Got.Reason.empty())
        Got.Reason = NoMemory;
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
