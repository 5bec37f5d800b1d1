//===- layer/svm/arg_bounds.cpp - what an argument lets its kernel touch --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "layer/svm/arg_bounds.h"

#include "abi/heap.h"
#include "layer/process/settings.h"
#include "layer/svm/marked_objects.h"
#include "layer/svm/svm_ranges.h"

using namespace warpsan;

/// Memory that was made out of our sight is asked for once.
static std::shared_ptr<const Memory> askMemory(cl_mem Handle) {
  if (auto Known = Memories.find(Handle))
    return Known;
  auto M = std::make_shared<Memory>();
  auto Ask = [&]<typename T>(cl_mem_info What, T Default) {
    return queryValue<T>(Next->clGetMemObjectInfo, Handle, What, Default);
  };
  M->Size = Ask(CL_MEM_SIZE, size_t(0));
  M->Flags = Ask(CL_MEM_FLAGS, cl_mem_flags(0));
  M->Offset = Ask(CL_MEM_OFFSET, size_t(0));
  switch (Ask(CL_MEM_TYPE, cl_mem_object_type(CL_MEM_OBJECT_BUFFER))) {
  case CL_MEM_OBJECT_BUFFER:
    if (cl_mem Parent = Ask(CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem(nullptr))) {
      M->What = Memory::Kind::SubBuffer;
      M->ParentSize =
          queryValue<size_t>(Next->clGetMemObjectInfo, Parent, CL_MEM_SIZE, 0);
    }
    break;
  case CL_MEM_OBJECT_PIPE:
    M->What = Memory::Kind::Pipe;
    break;
  default:
    M->What = Memory::Kind::Image;
  }
  return Memories.addIfAbsent(Handle, std::move(M));
}

cl_ulong warpsan::rightsOf(const Memory &M) {
  const cl_mem_flags Flags = settings().check_buffer_flags ? M.Flags : 0;
  return (Flags & CL_MEM_WRITE_ONLY ? WS_NOT_READABLE : 0) |
         (Flags & CL_MEM_READ_ONLY ? WS_NOT_WRITABLE : 0);
}

static ArgBounds boundsOfMemory(std::shared_ptr<const Memory> M) {
  ArgBounds B;
  // A memory object that was released may live on in the driver.
  if (M->isObject() || !M->Released.load())
    B.Size = M->Size | rightsOf(*M);
  B.Objects = reinterpret_cast<cl_ulong>(objectsOf(*M));
  B.Memory.What = ArgMemory::Kind::Known;
  B.Memory.Of = std::move(M);
  return B;
}

ArgBounds warpsan::boundsOfPointer(void *Pointer) {
  ArgBounds B;
  if (!Pointer)
    return B;
  SvmPlace Place = objectPlaceOf(Pointer);
  if (Place.Of) {
    B = boundsOfMemory(std::move(Place.Of));
    B.Start = B.Memory.Start = Place.Offset;
  } else if (!Place.Size && !settings().untrusted_kernels) {
    B.Size = WS_FOREIGN_SIZE;
    B.Start = WS_FOREIGN_START;
    B.Memory.What = ArgMemory::Kind::Foreign;
  }
  B.SizeNow = reinterpret_cast<cl_ulong>(Place.Size);
  B.Pointer = Pointer;
  return B;
}

ArgBounds warpsan::boundsOf(const KernelArg &Arg, KernelPlan::ArgKind Kind) {
  if (Arg.isPointer())
    return boundsOfPointer(Arg.pointer());
  ArgBounds B;
  if (Kind == KernelPlan::ArgKind::Sampler) {
    B.Size = Arg.SamplerMode;
    return B;
  }
  if (Kind == KernelPlan::ArgKind::Local &&
      Arg.Set == KernelArg::Source::Null) {
    B.Size = B.Memory.Size = Arg.Size;
    B.Memory.What = ArgMemory::Kind::Local;
    return B;
  }
  auto *Handle = static_cast<cl_mem>(Arg.pointer());
  if (Arg.Set != KernelArg::Source::Value || !Handle)
    return B; // null, or not set: the launch will fail, as it does natively
  B = boundsOfMemory(Arg.Of ? Arg.Of : askMemory(Handle));
  B.Handle = Handle;
  return B;
}
