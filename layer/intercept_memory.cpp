//===- layer/intercept_memory.cpp - buffers, images, pipes and shared virtual
// memory ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/intercept.h"

#include "layer/svm_ranges.h"

using namespace warpsan;

//===----------------------------------------------------------------------===//
// Memory objects
//===----------------------------------------------------------------------===//

void warpsan::noteBuffer(cl_mem Handle, cl_mem_flags Flags, size_t Size,
                         const char *Call) {
  if (!Handle)
    return;
  auto M = std::make_shared<Memory>();
  M->Flags = Flags;
  M->Size = Size;
  M->CreatedBy = Call;
  M->Created = captureBacktrace();
  Memories.add(Handle, std::move(M));
}

/// Images, pipes and what other APIs share with us: size as the driver says.
static cl_mem noteOther(cl_mem Handle, Memory::Kind Kind, cl_mem_flags Flags,
                        const char *Call) {
  if (!Handle)
    return Handle;
  auto M = std::make_shared<Memory>();
  M->What = Kind;
  M->Flags = Flags;
  M->Size =
      queryValue<size_t>(Next->clGetMemObjectInfo, Handle, CL_MEM_SIZE, 0);
  M->CreatedBy = Call;
  M->Created = captureBacktrace();
  Memories.add(Handle, std::move(M));
  return Handle;
}

static cl_mem CL_API_CALL createBuffer(cl_context Context, cl_mem_flags Flags,
                                       size_t Size, void *Host, cl_int *Error) {
  cl_mem Handle = Next->clCreateBuffer(Context, Flags, Size, Host, Error);
  noteBuffer(Handle, Flags, Size, "clCreateBuffer");
  return Handle;
}

static cl_mem CL_API_CALL createBufferWithProperties(
    cl_context Context, const cl_mem_properties *Properties, cl_mem_flags Flags,
    size_t Size, void *Host, cl_int *Error) {
  cl_mem Handle = Next->clCreateBufferWithProperties(Context, Properties, Flags,
                                                     Size, Host, Error);
  noteBuffer(Handle, Flags, Size, "clCreateBufferWithProperties");
  return Handle;
}

static cl_mem CL_API_CALL createSubBuffer(cl_mem Parent, cl_mem_flags Flags,
                                          cl_buffer_create_type Type,
                                          const void *Info, cl_int *Error) {
  cl_mem Handle = Next->clCreateSubBuffer(Parent, Flags, Type, Info, Error);
  if (Handle && Type == CL_BUFFER_CREATE_TYPE_REGION) {
    const auto *Region = static_cast<const cl_buffer_region *>(Info);
    auto M = std::make_shared<Memory>();
    M->What = Memory::Kind::SubBuffer;
    // Access flags that are not given are the parent's.
    M->Flags = queryValue<cl_mem_flags>(Next->clGetMemObjectInfo, Handle,
                                        CL_MEM_FLAGS, Flags);
    M->Size = Region->size;
    M->Offset = Region->origin;
    M->ParentSize =
        queryValue<size_t>(Next->clGetMemObjectInfo, Parent, CL_MEM_SIZE, 0);
    M->CreatedBy = "clCreateSubBuffer";
    M->Created = captureBacktrace();
    Memories.add(Handle, std::move(M));
  }
  return Handle;
}

static cl_mem CL_API_CALL createImage(cl_context Context, cl_mem_flags Flags,
                                      const cl_image_format *Format,
                                      const cl_image_desc *Description,
                                      void *Host, cl_int *Error) {
  return noteOther(
      Next->clCreateImage(Context, Flags, Format, Description, Host, Error),
      Memory::Kind::Image, Flags, "clCreateImage");
}

static cl_mem CL_API_CALL createImageWithProperties(
    cl_context Context, const cl_mem_properties *Properties, cl_mem_flags Flags,
    const cl_image_format *Format, const cl_image_desc *Description, void *Host,
    cl_int *Error) {
  return noteOther(Next->clCreateImageWithProperties(Context, Properties, Flags,
                                                     Format, Description, Host,
                                                     Error),
                   Memory::Kind::Image, Flags, "clCreateImageWithProperties");
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

static cl_mem CL_API_CALL createFromGLBuffer(cl_context Context,
                                             cl_mem_flags Flags,
                                             cl_GLuint Object, cl_int *Error) {
  return noteOther(Next->clCreateFromGLBuffer(Context, Flags, Object, Error),
                   Memory::Kind::Buffer, Flags, "clCreateFromGLBuffer");
}

static cl_int CL_API_CALL retainMemObject(cl_mem Handle) {
  cl_int Error = Next->clRetainMemObject(Handle);
  if (Error == CL_SUCCESS)
    Memories.retain(Handle);
  return Error;
}

static cl_int CL_API_CALL releaseMemObject(cl_mem Handle) {
  Memories.release(Handle);
  return Next->clReleaseMemObject(Handle);
}

//===----------------------------------------------------------------------===//
// Shared virtual memory
//===----------------------------------------------------------------------===//

static void *CL_API_CALL svmAlloc(cl_context Context, cl_svm_mem_flags Flags,
                                  size_t Size, cl_uint Alignment) {
  void *Start = Next->clSVMAlloc(Context, Flags, Size, Alignment);
  addSvmRange(Start, Size, Memory::Kind::SVM, Flags, "clSVMAlloc");
  return Start;
}

static void CL_API_CALL svmFree(cl_context Context, void *Start) {
  removeSvmRange(Start);
  Next->clSVMFree(Context, Start);
}

/// With a function of the application's, that one frees, or does not.
static cl_int CL_API_CALL
enqueueSVMFree(cl_command_queue Queue, cl_uint Count, void *Pointers[],
               void(CL_CALLBACK *FreeFunction)(cl_command_queue, cl_uint,
                                               void *[], void *),
               void *UserData, cl_uint WaitCount, const cl_event *WaitList,
               cl_event *Event) {
  cl_int Error = Next->clEnqueueSVMFree(Queue, Count, Pointers, FreeFunction,
                                        UserData, WaitCount, WaitList, Event);
  if (Error == CL_SUCCESS && !FreeFunction)
    for (cl_uint I = 0; I < Count; ++I)
      removeSvmRange(Pointers[I]);
  return Error;
}

void warpsan::interceptMemory(cl_icd_dispatch &Table) {
  Table.clCreateBuffer = createBuffer;
  Table.clCreateBufferWithProperties = createBufferWithProperties;
  Table.clCreateSubBuffer = createSubBuffer;
  Table.clCreateImage = createImage;
  Table.clCreateImageWithProperties = createImageWithProperties;
  Table.clCreateImage2D = createImage2D;
  Table.clCreateImage3D = createImage3D;
  Table.clCreatePipe = createPipe;
  Table.clCreateFromGLBuffer = createFromGLBuffer;
  Table.clRetainMemObject = retainMemObject;
  Table.clReleaseMemObject = releaseMemObject;
  Table.clSVMAlloc = svmAlloc;
  Table.clSVMFree = svmFree;
  Table.clEnqueueSVMFree = enqueueSVMFree;
}
