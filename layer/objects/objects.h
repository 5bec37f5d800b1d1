//===- layer/objects/objects.h - what we know of contexts, queues, memory,
// programs, kernels ------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One struct for each kind of OpenCL object, and the tables that find them by
// the driver's handle. Members without a comment on threads are set before the
// object enters its table and never change.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_OBJECTS_OBJECTS_H
#define WARPSAN_LAYER_OBJECTS_OBJECTS_H

#include "job/job.h"
#include "layer/objects/driver.h"
#include "layer/objects/handle_table.h"
#include "layer/objects/kernel_args.h"
#include "layer/objects/memory_state.h"
#include "layer/process/backtrace.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warpsan {

class Build;
class PendingResult;
class TwinKernel;

/// A device never goes away once it was seen: facts are asked for once.
struct Device {
  cl_device_id Handle = nullptr;
  cl_platform_id Platform = nullptr;
  std::string Name; ///< CL_DEVICE_NAME
  /// Kernels may follow any pointer of the host's: fine-grained system SVM.
  bool TakesHostPointers = false;
  /// The device whose builds of a program are this one's: itself, or what it is
  /// a part of.
  cl_device_id BuiltAs = nullptr;
  /// Bytes of local memory that a work-group can have.
  cl_ulong LocalMemory = 0;
  /// Bytes that a buffer of ours may take: no more than an eighth of what the
  /// device has.
  cl_ulong MaxAllocation = 0;
  /// Bytes that shadows of global memory take (layer/launch/race_shadow.h),
  /// those included that only launches still use.
  mutable std::atomic<uint64_t> ShadowBytes = 0;
  DeviceInfo Info;
};

/// Finds what we know of \p Handle, asking the driver the first time.
const Device &deviceOf(cl_device_id Handle);

/// What \p Target's driver makes of a program's build options \p Options now.
std::string optionsInEffect(const Device &Target, const std::string &Options);

/// Who released something, and from where.
struct Release {
  const char *By = ""; ///< the call
  Backtrace From;
};

/// How something of the application's came and went. Facts only, nothing of
/// the driver's: a report may want them when the thing is gone.
struct Life {
  enum class Kind : uint8_t {
    Buffer,
    SubBuffer,
    Image,
    Pipe,
    SVM,
    USM,
    Program,
    Kernel,
    Queue,
    Context,
    Sampler,
  };

  Life() = default;
  /// Takes the backtrace.
  Life(Kind What, const char *CreatedBy, std::string Name = {})
      : What(What), Name(std::move(Name)), CreatedBy(CreatedBy),
        Created(captureBacktrace()) {}
  Life(const Life &) = delete;
  Life &operator=(const Life &) = delete;
  ~Life() = default;

  /// The application has let go of it. Once.
  void release(const char *By, Backtrace From) const {
    End = {By, From};
    Released.store(&End);
  }
  void release(const char *By) const { release(By, captureBacktrace()); }

  Kind What = Kind::Buffer;
  bool isMemory() const { return What <= Kind::USM; } ///< then it is a Memory
  std::string Name; ///< of a kernel's function, of a marked object; else empty
  const char *CreatedBy = ""; ///< the call; empty: out of our sight
  Backtrace Created;
  mutable std::atomic<const Release *> Released = nullptr; ///< null: it lives
  mutable Release End; ///< what Released points to
  /// The application may have its handle by more than its own references: it
  /// is not known when it must not be used any more.
  mutable std::atomic<bool> Shared = false;
};

class RecordBuffer; // layer/records/record_buffer.h
class RaceShadow;   // layer/launch/race_shadow.h

struct Context : std::enable_shared_from_this<Context> {
  /// Takes a reference of its own: a driver may call a context invalid once
  /// the application has released it, though kernels of it live on.
  Context(cl_context Handle, cl_platform_id Platform,
          std::shared_ptr<const Life> Info, std::vector<cl_ulong> SizeLimits);
  ~Context();

  /// The buffer into which twins on \p Device append their records; made when
  /// first asked for, and anew when it is full; null if the driver refuses. One
  /// for each device, so that the driver never moves it between devices.
  std::shared_ptr<RecordBuffer> recordBuffer(cl_device_id Device);

  /// How many of the references that the driver counts are ours.
  cl_uint ownReferences() const {
    return Retained + (CountsObjects.load() ? OwnObjects.load() : 0);
  }

  /// Makes an object of ours in this context; null if it cannot be made.
  template <typename F> auto makeOwn(const F &Make) {
    const unsigned Ended = RetainsEnded.load();
    const cl_uint Before = references();
    auto Object = Make();
    if (!Object)
      return Object;
    ++OwnObjects;
    const cl_uint Now = references();
    // Not if another thread may have retained the context meanwhile.
    if (Before && Now > Before && RetainsBegun.load() == Ended)
      CountsObjects = true;
    return Object;
  }

  const cl_context Handle;
  const cl_platform_id Platform;
  const std::shared_ptr<const Life> Info; ///< never null
  /// Bytes that a buffer may have at most for something, on some device.
  const std::vector<cl_ulong> SizeLimits;
  /// Twin programs and record buffers that live in this context.
  std::atomic<cl_uint> OwnObjects = 0;
  /// The application's calls of clRetainContext, ever.
  std::atomic<unsigned> RetainsBegun = 0, RetainsEnded = 0;
  std::atomic<unsigned> QueuesMade = 0; ///< by the application, ever
  std::atomic<bool> OutOfOrder = false; ///< one of them may be
  std::atomic<bool> HostGates = false;  ///< commands may wait for the host

private:
  cl_uint references() const; ///< as the driver counts; 0 if it does not tell

  bool Retained; ///< by us
  /// Whether this driver counts an object as a reference to its context;
  /// learned when one is made.
  std::atomic<bool> CountsObjects = false;
  std::mutex Mutex;
  /// Under Mutex.
  std::map<cl_device_id, std::shared_ptr<RecordBuffer>> Records;
};

/// Finds what we know of \p Handle; a context made out of our sight is entered.
std::shared_ptr<Context> contextOf(cl_context Handle);

struct Queue {
  cl_context Context = nullptr;
  cl_device_id Device = nullptr;
  std::shared_ptr<const Life> Info; ///< never null
  std::atomic<bool> InOrder = false;
  /// Of the launches on it; null unless races=on.
  std::shared_ptr<RaceShadow> Shadow;
};

/// Null if the driver does not know \p Queue either.
cl_device_id deviceOf(cl_command_queue Queue);

struct Sampler {
  std::shared_ptr<const Life> Info; ///< never null
  cl_ulong Mode = 0;                ///< abi/sampler.h
};

struct BufferPool; // layer/svm/marked_objects.cpp

struct Memory : Life {
  /// It has a handle; the rest has an address.
  bool isObject() const { return What != Kind::SVM && What != Kind::USM; }
  cl_mem_flags Flags = 0;
  size_t Size = 0; ///< bytes, exactly as asked for; images: as the driver says
  size_t Pad = 0;  ///< bytes after it that only the driver and we know of
  size_t FrontPad = 0; ///< the same before it
  /// The driver's buffer that a buffer with front padding is a part of. The
  /// part holds a reference to it. Null: no front padding.
  cl_mem Whole = nullptr;
  /// For parts of it that the driver would not have counted.
  mutable std::atomic<cl_uint> OwnReferences = 0;
  size_t Offset = 0;            ///< of a sub-buffer or object in its parent
  size_t ParentSize = 0;        ///< of that parent, bytes
  bool Marked = false;          ///< an object, layer/svm/marked_objects.h
  cl_mem Parent = nullptr;      ///< what it is a part or a view of: kept by it
  cl_context Context = nullptr; ///< null: it does not matter
  bool Ordinary = false;        ///< a buffer that nobody but OpenCL knows
  mutable MemoryContents Contents;
  /// What a variable of CUDA's is kept in: its name, for good. Null: none.
  mutable std::atomic<const std::string *> Variable = nullptr;
  /// Of a buffer that has, or had, marked objects.
  mutable std::atomic<BufferPool *> Pool = nullptr;
  /// Of shared virtual memory: enqueued commands that free it, or may.
  mutable std::atomic<unsigned> EnqueuedFrees = 0;
  mutable MemoryUsers Users;
  mutable SchemePlacement Placement;
};

/// How a program is made for each device (BuiltAs).
using BuildRecipes = std::map<cl_device_id, std::shared_ptr<const BuildRecipe>>;

/// How a program came to be, and what it is now.
struct Program {
  cl_program Handle = nullptr;
  std::shared_ptr<Context> Ctx;
  unsigned Number = 0; ///< the process's first program is 1; for messages
  std::shared_ptr<const Life> Info; ///< never null

  std::mutex Mutex; ///< guards everything below

  /// The application's input: one unit for source and IL, none for a linked
  /// program or a binary.
  std::vector<Unit> Units;
  /// How it was last built, compiled or linked, for each device (BuiltAs).
  BuildRecipes LastRecipes;
  /// Why there is no recipe; empty if there is one.
  std::string NoRecipe;
  /// True if its recipes came as a whole (linked, or found beside a binary):
  /// options of a later clBuildProgram do not change them.
  bool Fixed = false;
  /// What was asked of the compiler at clCompileProgram, ahead of the link.
  std::shared_ptr<PendingResult> Ahead;
  /// What the last successful builds made; null if none.
  std::shared_ptr<Build> Current;
};

struct Kernel {
  Kernel(std::shared_ptr<Context> Ctx, std::shared_ptr<Build> From,
         std::shared_ptr<TwinKernel> Twin, size_t ArgCount,
         std::shared_ptr<const Life> Info)
      : Ctx(std::move(Ctx)), From(std::move(From)), Twin(std::move(Twin)),
        Info(std::move(Info)), Args(ArgCount) {}

  const std::shared_ptr<Context> Ctx;
  const std::shared_ptr<Build> From; ///< never null
  const std::shared_ptr<TwinKernel>
      Twin; ///< shared by all kernels of that name
  const std::shared_ptr<const Life> Info; ///< never null
  KernelArgs Args;
};

extern HandleTable<cl_context, Context> &Contexts;
extern HandleTable<cl_command_queue, Queue> &Queues;
extern HandleTable<cl_sampler, Sampler> &Samplers;
extern HandleTable<cl_mem, Memory> &Memories;
extern HandleTable<cl_program, Program> &Programs;
extern HandleTable<cl_kernel, Kernel> &Kernels;

} // namespace warpsan

#endif // WARPSAN_LAYER_OBJECTS_OBJECTS_H
