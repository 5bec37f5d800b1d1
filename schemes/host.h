//===- schemes/host.h - a scheme's allocator, and its launches ------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's half of the schemes that docs/explanation/schemes.md compares. A
// driver places its buffers wherever it likes, so the addresses that a scheme's
// allocator would have given are made up: they are in the tags alone, and
// kernels compute with them beside their own pointers.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_SCHEMES_HOST_H
#define WARPSAN_SCHEMES_HOST_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

namespace warpsan {

/// How much memory an allocator has handed out. Peaks are at the same moment:
/// when most was asked for.
struct Footprint {
  uint64_t Asked = 0, Taken = 0;
  uint64_t MostAsked = 0, TakenThen = 0;
};

/// An allocation, as a launch uses it.
struct PlacedMemory {
  uint64_t Address = 0; ///< HostScheme::place's
  uint64_t Size = 0;    ///< bytes, as asked for
  bool ReadOnly = false;
  bool Freed = false;
};

/// Calls may come from any thread.
class HostScheme {
public:
  HostScheme() = default;
  HostScheme(const HostScheme &) = delete;
  HostScheme &operator=(const HostScheme &) = delete;
  virtual ~HostScheme() = default;

  /// Null for WarpSan's own, canaries, and names that are none.
  static std::unique_ptr<HostScheme> named(std::string_view Name);

  /// Where an allocation begins.
  uint64_t place(uint64_t Size);
  void free(uint64_t Address, uint64_t Size);
  Footprint footprint() const;

  /// The metadata that a kernel is given of a pointer to the first byte.
  /// \p Secret: of the launch.
  virtual uint64_t tagOf(const PlacedMemory &Of, uint64_t Secret) = 0;
  /// The same for \p Offset bytes behind \p Tag.
  virtual uint64_t moved(uint64_t Tag, uint64_t Offset) { return Tag + Offset; }
  /// The same for an argument in local memory: \p Offset in a pool of \p Pool
  /// bytes, which is all of the kernel's arguments there.
  virtual uint64_t tagOfLocal(uint64_t Offset, uint64_t Size,
                              uint64_t Pool) = 0;
  /// The same for memory that no OpenCL call made, and whose size is not known.
  virtual uint64_t tagOfForeign() = 0;

  /// What the launch's kernel is passed of Secret.
  virtual uint64_t key(uint64_t /*Secret*/) { return 0; }
  /// What kernels look things up in; null: nothing.
  virtual void *table() { return nullptr; }

protected:
  mutable std::mutex Mutex;

private:
  /// Under Mutex.
  virtual uint64_t choose(uint64_t Size) = 0;
  virtual void release(uint64_t /*Address*/, uint64_t /*Size*/) {}
  /// How many bytes of memory it takes.
  virtual uint64_t taken(uint64_t Size) const = 0;

  Footprint Counted; ///< under Mutex
};

/// Whether the scheme checks only what a launch cannot prove.
bool leavesOutProven(std::string_view Name);

// The schemes that there are: schemes.def.
std::unique_ptr<HostScheme> makeCuSafeHost();
std::unique_ptr<HostScheme> makeGpuShieldHost();
std::unique_ptr<HostScheme> makeLmiHost(bool Live);
std::unique_ptr<HostScheme> makeNoFatHost();
std::unique_ptr<HostScheme> makeTraceHost();

} // namespace warpsan

#endif // WARPSAN_SCHEMES_HOST_H
