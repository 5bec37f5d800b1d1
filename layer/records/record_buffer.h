//===- layer/records/record_buffer.h - record buffers on devices ----------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where twins of a context write their records on a device. On a CPU device
// whose kernels write to the host's memory in place, the buffer is
// RecordMemory, and the host reads it without a command
// (layer/records/records.h). An implementation may also keep a
// CL_MEM_USE_HOST_PTR buffer in memory of its own; discrete GPUs do, and
// Intel's CPU runtime. If such a CPU takes pointers of the host's, it is given
// one to RecordMemory. Otherwise the buffer is an ordinary one, and a read of
// its first words follows each launch, in the same queue; all of it is read, by
// a queue of ours, only if these words say that a check has failed.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_RECORDS_RECORD_BUFFER_H
#define WARPSAN_LAYER_RECORDS_RECORD_BUFFER_H

#include "layer/canary/canary.h"
#include "layer/records/records.h"

#include <functional>
#include <memory>
#include <mutex>

namespace warpsan {

struct Context;
struct Readback; // layer/records/record_buffer.cpp

class RecordBuffer : public std::enable_shared_from_this<RecordBuffer> {
public:
  /// Null if the driver refuses.
  static std::shared_ptr<RecordBuffer> make(Context &Of, cl_device_id Device);
  RecordBuffer(const RecordBuffer &) = delete;
  RecordBuffer &operator=(const RecordBuffer &) = delete;
  ~RecordBuffer();

  /// What a kernel is given for it: shared virtual memory, or if that is null
  /// the handle.
  const void *pointer() const { return Pointer; }
  cl_mem handle() const { return Handle; }
  /// No two record buffers of a process have the same; never 0.
  uint64_t serial() const { return Serial; }
  /// The host reads it in place: nothing below needs to be called.
  bool isHostVisible() const { return HostVisible; }
  /// Launches to come are to use another one: few entries are left, or their
  /// numbers would soon have the same tag (abi/record.h) as earlier ones.
  bool isFull() const { return Full.load(std::memory_order_relaxed); }

  /// Lets \p Enqueue enqueue launch \p Number, and reads behind it whether a
  /// check has failed. Returns what \p Enqueue does.
  cl_int launch(cl_command_queue Queue, uint64_t Number,
                const EventArgs &Theirs,
                const std::function<cl_int(const EventArgs &)> &Enqueue);

private:
  friend struct Readback;
  friend void takeReadbacks(TakenRecords &, bool, bool);

  RecordBuffer();
  void follow(cl_command_queue Queue, uint64_t Number, cl_event Launch,
              const EventArgs &Theirs);
  /// \p Hits: as the device counts. \p Ended: no call to the driver.
  void look(uint32_t Hits, bool Ended, TakenRecords &Taken);
  void take(WsRecordBuffer &Now, bool Ended, TakenRecords &Taken);
  /// Counts what a read was wanted for as lost: there is none.
  void giveUp(TakenRecords &Taken);
  /// Enqueues a read of the whole buffer. False if the driver refuses.
  bool readWhole();

  cl_mem Handle = nullptr; ///< null if it is Pointer
  void *Pointer = nullptr; ///< shared virtual memory; never freed
  const uint64_t Serial;
  bool HostVisible = true;
  std::atomic<bool> Full = false;
  std::atomic<uint64_t> First = 0; ///< number of its first launch; 0: none yet
  std::weak_ptr<Context> Owner;
  cl_context InContext = nullptr;
  cl_device_id Device = nullptr;

  std::mutex Mutex; ///< guards what follows; not held across driver calls
  cl_command_queue Reader = nullptr; ///< ours; made when first needed
  bool Reading = false;              ///< all of it
  uint32_t WantedHits = 0, SeenHits = 0, SeenLost = 0;
  std::unique_ptr<WsRecordBuffer> Seen; ///< what was taken
};

/// True if a launch that a RecordBuffer follows may have ended. Cheap.
bool haveReadbacks();
/// True if so many are followed that those that have ended should be taken.
bool haveManyReadbacks();

/// Adds the records of launches that have ended. \p MayWait: the caller is
/// allowed to block, so launches that have ended are waited for until their
/// records are read. \p Ended: drivers may have gone already.
void takeReadbacks(TakenRecords &Taken, bool MayWait, bool Ended);

/// For fork; as lockCanaries().
void lockReadbacks();
void unlockReadbacks();
/// A forked child forgets its parent's, and unlocks.
void forgetReadbacks();

} // namespace warpsan

#endif // WARPSAN_LAYER_RECORDS_RECORD_BUFFER_H
