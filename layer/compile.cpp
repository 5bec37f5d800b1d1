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

#include <fstream>
#include <iterator>
#include <map>
#include <sys/stat.h>
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

/// True if every file that went into a product still has the same content.
static bool isCurrent(const Product &Answer) {
  for (const Dependency &D : Answer.Dependencies) {
    std::ifstream File(D.Path, std::ios::binary);
    if (!File)
      return false;
    std::string Text((std::istreambuf_iterator<char>(File)), {});
    if (hashOf(Text) != ContentHash{D.HashLow, D.HashHigh})
      return false;
  }
  return true;
}

static bool loadProduct(const ContentHash &Key, Product &Answer) {
  std::optional<std::string> Bytes = cacheLoad(CacheKind::Product, Key);
  return Bytes && fromBytes(*Bytes, Answer) && Answer.Version == JobVersion &&
         isCurrent(Answer);
}

std::shared_ptr<PendingProduct>
warpsan::requestProduct(const Recipe &How, const DeviceFacts &Device,
                        const TwinWish &Twin) {
  static std::mutex &Mutex = *new std::mutex;
  static auto &Known =
      *new std::map<ContentHash, std::weak_ptr<PendingProduct>>;

  Job Wanted;
  Wanted.How = How;
  Wanted.How.LinkOptions.clear(); // for the driver, not for the compiler
  Wanted.Device = Device;
  Wanted.Variant = nameOf(Twin.Which);
  Wanted.Scheme = otherSchemeName();
  Wanted.Kernel = Twin.Kernel;
  Wanted.Sites = Twin.Checked;
  const std::string Bytes = toBytes(Wanted);
  const ContentHash Key = keyOf(Bytes);
  auto FindKnown = [&]() -> std::shared_ptr<PendingProduct> {
    auto It = Known.find(Key);
    return It == Known.end() ? nullptr : It->second.lock();
  };
  {
    std::lock_guard Lock(Mutex);
    if (auto Same = FindKnown())
      return Same;
  }

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
  std::lock_guard Lock(Mutex);
  if (auto Same = FindKnown())
    return Same;
  std::erase_if(Known, [](const auto &Item) { return Item.second.expired(); });
  Known[Key] = Pending;
  return Pending;
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
