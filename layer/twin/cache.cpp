//===- layer/twin/cache.cpp - what was compiled before, on disk -----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/twin/cache.h"

#include "job/wire.h"
#include "layer/process/descriptor.h"
#include "layer/process/settings.h"
#include "options/private_directory.h"
#include "text/write_all.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace warpsan;
namespace fs = std::filesystem;

namespace {
/// First bytes of every file. The content follows.
struct EntryHeader {
  static constexpr uint32_t RightMagic = 0x31435357; // "WSC1"
  uint32_t Magic = RightMagic;
  ContentHash Key;
  ContentHash Check; ///< of the content
  uint64_t Size = 0; ///< of the content
  template <typename A> void serialize(A &Ar) {
    Ar.field(Magic);
    Ar.field(Key);
    Ar.field(Check);
    Ar.field(Size);
  }
  static size_t bytes() { return toBytes(EntryHeader()).size(); }
};
} // namespace

static const char *ending(CacheKind Kind) {
  switch (Kind) {
  case CacheKind::CompileResult:
    return ".product";
  case CacheKind::Recipe:
    return ".recipe";
  case CacheKind::Binary:
    return ".binary";
  }
  return "";
}

static fs::path pathOf(CacheKind Kind, const ContentHash &Key) {
  std::string Name = Key.hex();
  return fs::path(cacheDirectory()) / Name.substr(0, 2) / (Name + ending(Kind));
}

static std::optional<std::string> readWhole(const fs::path &Path) {
  // Without waiting for the writer of a pipe.
  int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (File < 0)
    return std::nullopt;
  struct stat Info;
  std::string Bytes;
  // An entry that another user made is none: he chose what is in it.
  bool Good = fstat(File, &Info) == 0 && S_ISREG(Info.st_mode) &&
              isTrustedOwner(Info.st_uid);
  if (Good)
    Bytes.resize(Info.st_size);
  for (size_t Done = 0; Good && Done < Bytes.size();) {
    ssize_t Got = read(File, Bytes.data() + Done, Bytes.size() - Done);
    Good = Got > 0;
    Done += Good ? Got : 0;
  }
  close(File);
  if (!Good)
    return std::nullopt;
  return Bytes;
}

/// Marks an entry as used, at most once an hour: the oldest go first.
static void touch(const fs::path &Path) {
  struct stat Info;
  if (stat(Path.c_str(), &Info) == 0 && time(nullptr) - Info.st_mtime > 3600)
    utimensat(AT_FDCWD, Path.c_str(), nullptr, 0);
}

static std::optional<std::string> load(CacheKind Kind, const ContentHash &Key) {
  fs::path Path = pathOf(Kind, Key);
  std::optional<std::string> Bytes = readWhole(Path);
  if (!Bytes)
    return std::nullopt;
  EntryHeader Header;
  const size_t HeaderSize = EntryHeader::bytes();
  bool Good = Bytes->size() >= HeaderSize &&
              fromBytes(std::string_view(*Bytes).substr(0, HeaderSize), Header);
  if (Good)
    Bytes->erase(0, HeaderSize);
  Good = Good && Header.Magic == EntryHeader::RightMagic && Header.Key == Key &&
         Header.Size == Bytes->size() && Header.Check == hashOf(*Bytes);
  if (!Good) {
    unlink(Path.c_str());
    return std::nullopt;
  }
  touch(Path);
  return Bytes;
}

std::optional<std::string> warpsan::cacheLoad(CacheKind Kind,
                                              const ContentHash &Key) {
  if (cacheDirectory().empty())
    return std::nullopt;
  try {
    return load(Kind, Key);
  } catch (const std::bad_alloc &) { // an entry may be large
    return std::nullopt;
  }
}

/// Deletes the entries used longest ago until the cache is a tenth below its
/// limit. Other processes may do the same at the same time: what is gone is
/// gone, and a reader that has a file open keeps it.
static void evict() {
  struct Entry {
    fs::path Path;
    fs::file_time_type Used;
    uintmax_t Size;
  };
  std::vector<Entry> Entries;
  uintmax_t Total = 0;
  std::error_code Error;
  for (fs::recursive_directory_iterator It(cacheDirectory(), Error), End;
       !Error && It != End; It.increment(Error)) {
    std::error_code Gone;
    if (!It->is_regular_file(Gone) || Gone)
      continue;
    Entry E{It->path(), It->last_write_time(Gone), It->file_size(Gone)};
    if (Gone)
      continue;
    // Left behind by a process that died while writing.
    if (E.Path.extension() == ".part" &&
        fs::file_time_type::clock::now() - E.Used > std::chrono::hours(1)) {
      fs::remove(E.Path, Gone);
      continue;
    }
    Total += E.Size;
    Entries.push_back(std::move(E));
  }
  const uintmax_t Limit = static_cast<uintmax_t>(settings().cache_mb) << 20;
  if (Total <= Limit)
    return;
  std::sort(Entries.begin(), Entries.end(),
            [](const Entry &A, const Entry &B) { return A.Used < B.Used; });
  for (const Entry &E : Entries) {
    if (Total <= Limit - Limit / 10)
      break;
    std::error_code Gone;
    if (fs::remove(E.Path, Gone))
      Total -= E.Size;
  }
}

void warpsan::cacheStore(CacheKind Kind, const ContentHash &Key,
                         const std::string &Content) {
  if (cacheDirectory().empty())
    return;
  // The size is looked at with the first entry and with every 64th.
  static std::atomic<unsigned> Stored = 0;
  if (Stored++ % 64 == 0)
    evict();

  fs::path Path = pathOf(Kind, Key);
  mkdir(Path.parent_path().c_str(), 0700);
  static std::atomic<unsigned> Serial = 0;
  fs::path Part = Path;
  Part +=
      "." + std::to_string(getpid()) + "." + std::to_string(Serial++) + ".part";
  int File = awayFromStreams(
      open(Part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
           0600));
  if (File < 0)
    return;
  EntryHeader Header;
  Header.Key = Key;
  Header.Check = hashOf(Content);
  Header.Size = Content.size();
  bool Good = writeAll(File, toBytes(Header)) && writeAll(File, Content);
  Good = close(File) == 0 && Good;
  if (!Good || rename(Part.c_str(), Path.c_str()) != 0)
    unlink(Part.c_str());
}
