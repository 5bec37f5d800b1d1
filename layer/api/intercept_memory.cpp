//===- layer/api/intercept_memory.cpp - buffers, images, pipes and shared
// virtual memory ---------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/api/intercept.h"

#include "layer/api/guard.h"
#include "layer/api/handle_checks.h"
#include "layer/canary/canary.h"
#include "layer/canary/padding.h"
#include "layer/findings/findings.h"
#include "layer/process/reserve.h"
#include "layer/process/settings.h"
#include "layer/schemes/front_padding.h"
#include "layer/schemes/schemes.h"
#include "layer/svm/heap_map.h"
#include "layer/svm/marked_objects.h"
#include "layer/svm/svm_in_flight.h"
#include "layer/svm/svm_pool.h"
#include "layer/svm/svm_ranges.h"

#include <cstdint>

using namespace warpsan;

//===----------------------------------------------------------------------===//
// Memory objects
//===----------------------------------------------------------------------===//

/// Enters what the driver has just made. A parent lives as long as its parts.
static void enterMemory(cl_mem Handle, std::shared_ptr<Memory> M) {
  M->Created = captureBacktrace();
  if (settings().detect_leaks)
    M->Context = queryValue<cl_context>(Next->clGetMemObjectInfo, Handle,
                                        CL_MEM_CONTEXT, nullptr);
  if (M->Parent) {
    Memories.retain(M->Parent);
    if (auto Whole = Memories.find(M->Parent))
      Whole->Contents.HasViews = true;
  }
  placeInScheme(*M);
  enter(Memories, Handle, std::move(M));
}

void warpsan::noteBuffer(const PaddedBuffer &Buffer, cl_mem_flags Flags,
                         size_t Size, const char *Call, bool Ordinary) {
  if (!Buffer.Handle)
    return;
  auto M = std::make_shared<Memory>();
  M->Flags = Flags;
  M->Size = Size;
  M->Pad = Buffer.Pad;
  M->FrontPad = Buffer.FrontPad;
  M->Whole = Buffer.Whole;
  M->Ordinary = Ordinary;
  M->CreatedBy = Call;
  enterMemory(Buffer.Handle, std::move(M));
}

/// Images, pipes and what other APIs share with us: size as the driver says.
static cl_mem noteOther(cl_mem Handle, Memory::Kind Kind, cl_mem_flags Flags,
                        const char *Call, cl_mem Parent = nullptr) {
  if (!Handle)
    return Handle;
  auto M = std::make_shared<Memory>();
  M->What = Kind;
  M->Flags = Flags;
  M->Parent = Parent;
  M->Size =
      queryValue<size_t>(Next->clGetMemObjectInfo, Handle, CL_MEM_SIZE, 0);
  M->CreatedBy = Call;
  enterMemory(Handle, std::move(M));
  return Handle;
}

static cl_mem CL_API_CALL createBuffer(cl_context Context, cl_mem_flags Flags,
                                       size_t Size, void *Host, cl_int *Error) {
  const PaddedBuffer Buffer =
      makePadded(Context, Flags, Size, Host, [&](size_t Bytes, void *From) {
        return Next->clCreateBuffer(Context, Flags, Bytes, From, Error);
      });
  noteBuffer(Buffer, Flags, Size, "clCreateBuffer", /*Ordinary=*/true);
  return Buffer.Handle;
}

/// Without a pad if there are properties: the memory may be somebody else's.
static cl_mem CL_API_CALL createBufferWithProperties(
    cl_context Context, const cl_mem_properties *Properties, cl_mem_flags Flags,
    size_t Size, void *Host, cl_int *Error) {
  auto Make = [&](size_t Bytes, void *From) {
    return Next->clCreateBufferWithProperties(Context, Properties, Flags, Bytes,
                                              From, Error);
  };
  const bool Plain = !Properties || !*Properties;
  const PaddedBuffer Buffer = Plain
                                  ? makePadded(Context, Flags, Size, Host, Make)
                                  : PaddedBuffer{Make(Size, Host)};
  noteBuffer(Buffer, Flags, Size, "clCreateBufferWithProperties", Plain);
  return Buffer.Handle;
}

/// The size is what was asked for, without the pad.
static cl_int CL_API_CALL getMemObjectInfo(cl_mem Handle, cl_mem_info Name,
                                           size_t Size, void *Value,
                                           size_t *SizeReturn) {
  cl_int Error = getInfoWithoutFrontPad(Handle, Name, Size, Value, SizeReturn);
  if (Error != CL_SUCCESS || !Value)
    return Error;
  if (Name == CL_MEM_SIZE)
    if (auto M = Memories.find(Handle); M && M->Pad)
      *static_cast<size_t *>(Value) = M->Size;
  // An extension's answer may be an address on the device, by which any kernel
  // can change the buffer from now on.
  if (Name < CL_MEM_TYPE || Name > CL_MEM_PROPERTIES)
    noteUnknowable(Handle);
  return Error;
}

static cl_mem CL_API_CALL createSubBuffer(cl_mem Parent, cl_mem_flags Flags,
                                          cl_buffer_create_type Type,
                                          const void *Info, cl_int *Error) {
  const auto *Region = Type == CL_BUFFER_CREATE_TYPE_REGION
                           ? static_cast<const cl_buffer_region *>(Info)
                           : nullptr;
  cl_mem Handle =
      Region
          ? makePart(Parent, *Region,
                     [&](const cl_buffer_region &Wanted) {
                       return makePartOf(Parent, Flags, Wanted, Error);
                     })
          : Next->clCreateSubBuffer(wholeOf(Parent), Flags, Type, Info, Error);
  if (Handle && Region) {
    auto M = std::make_shared<Memory>();
    M->What = Memory::Kind::SubBuffer;
    // Access flags that are not given are the parent's.
    M->Flags = queryValue<cl_mem_flags>(Next->clGetMemObjectInfo, Handle,
                                        CL_MEM_FLAGS, Flags);
    M->Size = Region->size;
    M->Offset = Region->origin;
    M->ParentSize =
        queryValue<size_t>(getMemObjectInfo, Parent, CL_MEM_SIZE, 0);
    M->CreatedBy = "clCreateSubBuffer";
    M->Parent = Parent;
    enterMemory(Handle, std::move(M));
  }
  return Handle;
}

/// An image may be a view of a buffer or of another image.
static cl_mem parentOf(const cl_image_desc *Description) {
  return Description ? Description->mem_object : nullptr;
}

static cl_mem CL_API_CALL createImage(cl_context Context, cl_mem_flags Flags,
                                      const cl_image_format *Format,
                                      const cl_image_desc *Description,
                                      void *Host, cl_int *Error) {
  cl_mem Of = parentOf(Description);
  cl_mem Image = makeImageOf(Of, Error, [&](cl_int *Told) {
    return makeImage(Description, [&](const cl_image_desc *Wanted) {
      return Next->clCreateImage(Context, Flags, Format, Wanted, Host, Told);
    });
  });
  return noteOther(Image, Memory::Kind::Image, Flags, "clCreateImage", Of);
}

static cl_mem CL_API_CALL createImageWithProperties(
    cl_context Context, const cl_mem_properties *Properties, cl_mem_flags Flags,
    const cl_image_format *Format, const cl_image_desc *Description, void *Host,
    cl_int *Error) {
  cl_mem Of = parentOf(Description);
  cl_mem Image = makeImageOf(Of, Error, [&](cl_int *Told) {
    return makeImage(Description, [&](const cl_image_desc *Wanted) {
      return Next->clCreateImageWithProperties(Context, Properties, Flags,
                                               Format, Wanted, Host, Told);
    });
  });
  return noteOther(Image, Memory::Kind::Image, Flags,
                   "clCreateImageWithProperties", Of);
}

static cl_mem CL_API_CALL createImage2D(cl_context Context, cl_mem_flags Flags,
                                        const cl_image_format *Format,
                                        size_t Width, size_t Height,
                                        size_t Pitch, void *Host,
                                        cl_int *Error) {
  return noteOther(Next->clCreateImage2D(Context, Flags, Format, Width, Height,
                                         Pitch, Host, Error),
                   Memory::Kind::Image, Flags, "clCreateImage2D");
}

static cl_mem CL_API_CALL createImage3D(cl_context Context, cl_mem_flags Flags,
                                        const cl_image_format *Format,
                                        size_t Width, size_t Height,
                                        size_t Depth, size_t RowPitch,
                                        size_t SlicePitch, void *Host,
                                        cl_int *Error) {
  return noteOther(Next->clCreateImage3D(Context, Flags, Format, Width, Height,
                                         Depth, RowPitch, SlicePitch, Host,
                                         Error),
                   Memory::Kind::Image, Flags, "clCreateImage3D");
}

static cl_mem CL_API_CALL createPipe(cl_context Context, cl_mem_flags Flags,
                                     cl_uint PacketSize, cl_uint MaxPackets,
                                     const cl_pipe_properties *Properties,
                                     cl_int *Error) {
  return noteOther(Next->clCreatePipe(Context, Flags, PacketSize, MaxPackets,
                                      Properties, Error),
                   Memory::Kind::Pipe, Flags, "clCreatePipe");
}

/// What other APIs share with OpenCL.
template <auto Slot> struct Shared;
template <typename... Args, cl_mem (*cl_icd_dispatch::*Slot)(Args...)>
struct Shared<Slot> {
  static cl_mem CL_API_CALL make(Args... Given) {
    cl_mem Handle = (Next->*Slot)(Given...);
    if (!Handle)
      return Handle;
    auto Flags = queryValue<cl_mem_flags>(Next->clGetMemObjectInfo, Handle,
                                          CL_MEM_FLAGS, 0);
    auto Type = queryValue<cl_mem_object_type>(
        Next->clGetMemObjectInfo, Handle, CL_MEM_TYPE, CL_MEM_OBJECT_BUFFER);
    return noteOther(Handle,
                     Type == CL_MEM_OBJECT_BUFFER ? Memory::Kind::Buffer
                                                  : Memory::Kind::Image,
                     Flags, "another API");
  }
};

/// Drops a reference: the application's, or that of a part.
static void letGoMemory(cl_mem Handle) {
  auto Last = letGo(Memories, Handle, "clReleaseMemObject");
  if (Last)
    noteReleased(*Last);
  if (Last && Last->Parent)
    letGoMemory(Last->Parent);
}

static cl_int CL_API_CALL retainMemObject(cl_mem Handle) {
  cl_int Error = Next->clRetainMemObject(Handle);
  if (Error == CL_SUCCESS)
    noteRetained(Memories, Handle);
  return Error;
}

static cl_int CL_API_CALL releaseMemObject(cl_mem Handle) {
  if (reportIfReleased(FindingKind::over_release, "clReleaseMemObject", Handle))
    return CL_INVALID_MEM_OBJECT;
  letGoMemory(Handle);
  return Next->clReleaseMemObject(Handle);
}

//===----------------------------------------------------------------------===//
// Shared virtual memory
//===----------------------------------------------------------------------===//

static void *CL_API_CALL svmAlloc(cl_context Context, cl_svm_mem_flags Flags,
                                  size_t Size, cl_uint Alignment) {
  if (void *Slot = allocateSlot(Context, Flags, Size, Alignment)) {
    forgetObjectsIn(Slot, Size, "clSVMFree"); // of what was there before
    return Slot;
  }
  if (void *Start = allocSvmWithFrontPad(Context, Flags, Size, Alignment))
    return Start;
  void *Start = Next->clSVMAlloc(Context, Flags, withGap(Size), Alignment);
  addSvmRange(Context, Start, Size, Memory::Kind::SVM, Flags, "clSVMAlloc");
  return Start;
}

bool warpsan::freeSvm(cl_context Context, void *Start, const char *Call,
                      FreeWhen When, const std::function<void()> &Free) {
  if (!Start || !wantChecks()) {
    if (freeSvmRangeAtOnce(Start, Call, Free) != FreedIs::Live)
      Free();
    return true;
  }
  const auto Of = svmPlaceOf(Start).Of;
  // Not while somebody looks at what is behind it.
  auto Later = [Start, Free] { freeWhenUnwatched(Start, Free); };
  const FreedIs What = When == FreeWhen::Later
                           ? freeSvmRange(Context, Start, Call, Later)
                           : freeSvmRangeAtOnce(Start, Call, Free);
  if (What == FreedIs::Live) {
    auto All = forgetObjectsIn(Start, Of->Size, Call);
    All.push_back(Of);
    for (const auto &Each : All)
      if (When == FreeWhen::Later)
        reportIfInUse(Call, Each);
    return true;
  }
  if (isPassThrough() && What == FreedIs::Unknown) { // made since
    Free();
    return true;
  }
  const SvmPlace Place = svmPlaceOf(Start);
  reportCall(What == FreedIs::Dead && !Place.Offset ? FindingKind::double_free
                                                    : FindingKind::invalid_free,
             Call, Place);
  return false;
}

static void CL_API_CALL svmFree(cl_context Context, void *Start) {
  freeSvm(Context, Start, "clSVMFree", FreeWhen::Later,
          [=, Whole = wholeOfSvm(Start)] { Next->clSVMFree(Context, Whole); });
}

/// When the command runs, as the driver would.
static void CL_CALLBACK freeEnqueued(cl_command_queue Queue, cl_uint Count,
                                     void *Pointers[], void *) {
  auto *Context = queryValue<cl_context>(Next->clGetCommandQueueInfo, Queue,
                                         CL_QUEUE_CONTEXT, nullptr);
  auto Free = [Context](void *Start) {
    freeSvm(
        Context, Start, "clEnqueueSVMFree", FreeWhen::Later,
        [=, Whole = wholeOfSvm(Start)] { Next->clSVMFree(Context, Whole); });
  };
  for (cl_uint I = 0; I < Count; ++I) // no exception may reach the driver
    guarded<void>(Free, Pointers[I]);
}

/// With a function of the application's, that one frees, or does not.
cl_int
warpsan::enqueueSvmFree(cl_command_queue Queue, cl_uint Count,
                        void *const *Pointers, SvmFreeCallback Theirs,
                        SvmFreeCallback Ours,
                        const std::function<cl_int(SvmFreeCallback)> &Enqueue) {
  EnqueuedFree Freed;
  for (cl_uint I = 0; Pointers && I < Count && wantChecks(); ++I)
    Freed.note(Queue, Pointers[I]);
  if (Theirs)
    handOut(Queues, Queue); // to that function, when the command runs
  const cl_int Error = Enqueue(Theirs ? Theirs : Ours);
  if (Error != CL_SUCCESS)
    Freed.takeBack();
  return Error;
}

static cl_int CL_API_CALL enqueueSVMFree(cl_command_queue Queue, cl_uint Count,
                                         void *Pointers[],
                                         SvmFreeCallback FreeFunction,
                                         void *UserData, cl_uint WaitCount,
                                         const cl_event *WaitList,
                                         cl_event *Event) {
  return enqueueSvmFree(Queue, Count, Pointers, FreeFunction, freeEnqueued,
                        [&](SvmFreeCallback Free) {
                          return Next->clEnqueueSVMFree(
                              Queue, Count, Pointers, Free, UserData, WaitCount,
                              WaitList, Event);
                        });
}

void warpsan::interceptMemory(cl_icd_dispatch &Table) {
  Table.clCreateBuffer = createBuffer;
  Table.clCreateBufferWithProperties = createBufferWithProperties;
  Table.clCreateSubBuffer = createSubBuffer;
  Table.clGetMemObjectInfo = getMemObjectInfo;
  Table.clCreateImage = createImage;
  Table.clCreateImageWithProperties = createImageWithProperties;
  Table.clCreateImage2D = createImage2D;
  Table.clCreateImage3D = createImage3D;
  Table.clCreatePipe = createPipe;
  using Slots = cl_icd_dispatch;
  Table.clCreateFromGLBuffer = Shared<&Slots::clCreateFromGLBuffer>::make;
  Table.clCreateFromGLTexture = Shared<&Slots::clCreateFromGLTexture>::make;
  Table.clCreateFromGLTexture2D = Shared<&Slots::clCreateFromGLTexture2D>::make;
  Table.clCreateFromGLTexture3D = Shared<&Slots::clCreateFromGLTexture3D>::make;
  Table.clCreateFromGLRenderbuffer =
      Shared<&Slots::clCreateFromGLRenderbuffer>::make;
  Table.clCreateFromEGLImageKHR = Shared<&Slots::clCreateFromEGLImageKHR>::make;
  Table.clRetainMemObject = retainMemObject;
  Table.clReleaseMemObject = releaseMemObject;
  Table.clSVMAlloc = svmAlloc;
  Table.clSVMFree = svmFree;
  Table.clEnqueueSVMFree = enqueueSVMFree;
}
