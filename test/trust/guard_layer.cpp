//===- test/trust/guard_layer.cpp - buffers next to inaccessible pages ----===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer for below WarpSan's. Each buffer whose memory the driver would
// allocate gets memory that ends at an inaccessible page (mode `end`), or that
// begins right after one (mode `begin`). A kernel that leaves its memory dies
// of SIGSEGV, whatever WarpSan concluded about its launch.
//
// The bytes between the buffer and the pages (slack) hold a pattern, and are
// compared. In mode `end` there are less than WARPSAN_GUARD_ALIGN of them after
// the buffer: its first byte is aligned to the largest power of two that
// divides its size, at least WARPSAN_GUARD_ALIGN (default 128, which suits
// every type of OpenCL C) and at most 128. With 1, buffers always end at the
// page, and suit types that their size is a multiple of.
//
// Buffers with CL_MEM_USE_HOST_PTR are left alone: their memory is the
// application's. Queries answer as if the driver had allocated the memory.
//
//===----------------------------------------------------------------------===//
#include "test/trust/guard_layer.h"

#include "test/layer/layers/replacing_layer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace {

constexpr unsigned char Pattern = 0xA5;
/// Inaccessible bytes on both sides: more than a page, so that a kernel that
/// skips a row is caught too.
constexpr size_t GuardBytes = size_t(16) << 20;
constexpr size_t MostAlign = 128;

struct Region {
  unsigned char *Map = nullptr; ///< with both guards
  size_t MapBytes = 0;
  unsigned char *Pages = nullptr; ///< what is accessible
  size_t PageBytes = 0;
  unsigned char *Begin = nullptr; ///< the buffer
  size_t Size = 0;
  cl_mem_flags Flags = 0; ///< as the application gave them

  [[nodiscard]] bool isIntact() const {
    const auto Holds = [](unsigned char Byte) { return Byte == Pattern; };
    return std::all_of(Pages, Begin, Holds) &&
           std::all_of(Begin + Size, Pages + PageBytes, Holds);
  }
};

struct LaunchCount {
  unsigned long Native = 0;
  unsigned long Twin = 0;
};

/// Guards everything below; never held during a call of the driver.
std::mutex Lock;
// Never destroyed: Intel's runtime releases what is left after exit().
auto &Regions = *new std::map<cl_mem, Region>;
auto &Launches = *new std::map<std::string, LaunchCount, std::less<>>;
std::set<std::string, std::less<>> NativeNames;
unsigned long Damaged;
GuardMode Mode = GuardMode::End;
bool SkipsTwins;
bool SkipsNative;

size_t minAlign() {
  static const size_t Align = [] {
    const char *Text = getenv("WARPSAN_GUARD_ALIGN");
    const size_t Given = Text ? strtoul(Text, nullptr, 10) : MostAlign;
    return std::clamp<size_t>(Given, 1, MostAlign);
  }();
  return Align;
}

size_t roundUp(size_t Value, size_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

/// The memory for a buffer; Map is null if there is none.
Region makeRegion(size_t Size, cl_mem_flags Flags, GuardMode Where) {
  Region Made;
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t Divisor = std::min(Size & (~Size + 1), MostAlign);
  const size_t Align = std::max(minAlign(), Divisor);
  Made.PageBytes = roundUp(roundUp(Size, Align), Page);
  Made.MapBytes = Made.PageBytes + 2 * GuardBytes;
  void *Map = mmap(nullptr, Made.MapBytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Map == MAP_FAILED)
    return Made;
  Made.Map = static_cast<unsigned char *>(Map);
  Made.Pages = Made.Map + GuardBytes;
  if (mprotect(Made.Pages, Made.PageBytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(Made.Map, Made.MapBytes);
    Made.Map = nullptr;
    return Made;
  }
  Made.Begin = Where == GuardMode::Begin
                   ? Made.Pages
                   : Made.Pages + Made.PageBytes - roundUp(Size, Align);
  Made.Size = Size;
  Made.Flags = Flags;
  std::fill(Made.Pages, Made.Begin, Pattern);
  std::fill(Made.Begin + Size, Made.Pages + Made.PageBytes, Pattern);
  return Made;
}

void CL_CALLBACK freeRegion(cl_mem Buffer, void * /*Unused*/) {
  const std::scoped_lock Hold(Lock);
  const auto Found = Regions.find(Buffer);
  if (Found == Regions.end())
    return;
  if (!Found->second.isIntact())
    ++Damaged;
  munmap(Found->second.Map, Found->second.MapBytes);
  Regions.erase(Found);
}

/// Makes a buffer. \p Make takes flags and a host pointer and calls the driver.
template <typename Maker>
cl_mem makeBuffer(cl_mem_flags Flags, size_t Size, void *Host, Maker Make) {
  const bool Copies = (Flags & CL_MEM_COPY_HOST_PTR) != 0;
  // The driver answers wrong calls, and owns no memory of the application.
  if ((Flags & CL_MEM_USE_HOST_PTR) || Size == 0 || Copies != (Host != nullptr))
    return Make(Flags, Host);
  GuardMode Where = GuardMode::End;
  {
    const std::scoped_lock Hold(Lock);
    Where = Mode;
  }
  if (Where == GuardMode::Off)
    return Make(Flags, Host);
  const Region Memory = makeRegion(Size, Flags, Where);
  if (!Memory.Map)
    return Make(Flags, Host);
  if (Copies)
    std::memcpy(Memory.Begin, Host, Size);
  constexpr cl_mem_flags Places = CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
  cl_mem Buffer = Make((Flags & ~Places) | CL_MEM_USE_HOST_PTR, Memory.Begin);
  if (!Buffer) {
    munmap(Memory.Map, Memory.MapBytes);
    return Make(Flags, Host);
  }
  {
    const std::scoped_lock Hold(Lock);
    Regions[Buffer] = Memory;
  }
  Next->clSetMemObjectDestructorCallback(Buffer, freeRegion, nullptr);
  return Buffer;
}

cl_mem CL_API_CALL createBuffer(cl_context Context, cl_mem_flags Flags,
                                size_t Size, void *Host, cl_int *Error) {
  return makeBuffer(Flags, Size, Host, [&](cl_mem_flags With, void *Memory) {
    return Next->clCreateBuffer(Context, With, Size, Memory, Error);
  });
}

cl_mem CL_API_CALL createBufferWithProperties(
    cl_context Context, const cl_mem_properties *Properties, cl_mem_flags Flags,
    size_t Size, void *Host, cl_int *Error) {
  return makeBuffer(Flags, Size, Host, [&](cl_mem_flags With, void *Memory) {
    return Next->clCreateBufferWithProperties(Context, Properties, With, Size,
                                              Memory, Error);
  });
}

/// The flags of the application for a buffer of ours, or of what was made of
/// one; false for all others.
bool flagsOf(cl_mem Object, cl_mem_flags &Flags, bool &IsPart) {
  cl_mem Whole = nullptr;
  Next->clGetMemObjectInfo(Object, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(Whole),
                           &Whole, nullptr);
  IsPart = Whole != nullptr;
  const std::scoped_lock Hold(Lock);
  const auto Found = Regions.find(IsPart ? Whole : Object);
  if (Found == Regions.end())
    return false;
  Flags = Found->second.Flags;
  return true;
}

cl_int CL_API_CALL memInfo(cl_mem Object, cl_mem_info Name, size_t Size,
                           void *Value, size_t *Needed) {
  const cl_int Error =
      Next->clGetMemObjectInfo(Object, Name, Size, Value, Needed);
  cl_mem_flags Given = 0;
  bool IsPart = false;
  if (Error != CL_SUCCESS || !Value || !flagsOf(Object, Given, IsPart))
    return Error;
  constexpr cl_mem_flags Places =
      CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
  if (Name == CL_MEM_HOST_PTR) {
    std::memset(Value, 0, sizeof(void *));
  } else if (Name == CL_MEM_USES_SVM_POINTER) {
    std::memset(Value, 0, sizeof(cl_bool));
  } else if (Name == CL_MEM_FLAGS) {
    cl_mem_flags Flags = 0;
    std::memcpy(&Flags, Value, sizeof(Flags));
    Flags = IsPart ? (Flags & ~Places) | (Given & Places) : Given;
    std::memcpy(Value, &Flags, sizeof(Flags));
  }
  return Error;
}

/// Whether the kernel is the application's: its program was made of source.
bool isNative(cl_kernel Kernel) {
  cl_program Program = nullptr;
  size_t Length = 0;
  Next->clGetKernelInfo(Kernel, CL_KERNEL_PROGRAM, sizeof(Program), &Program,
                        nullptr);
  return Next->clGetProgramInfo(Program, CL_PROGRAM_SOURCE, 0, nullptr,
                                &Length) == CL_SUCCESS &&
         Length > 1;
}

std::string nameOf(cl_kernel Kernel) {
  char Name[512] = "";
  Next->clGetKernelInfo(Kernel, CL_KERNEL_FUNCTION_NAME, sizeof(Name), Name,
                        nullptr);
  return Name;
}

cl_int CL_API_CALL launch(cl_command_queue Queue, cl_kernel Kernel,
                          cl_uint Dims, const size_t *Offset,
                          const size_t *Global, const size_t *Local,
                          cl_uint Waits, const cl_event *List,
                          cl_event *Event) {
  const std::string Name = nameOf(Kernel);
  bool Skips = false;
  {
    const bool Native = isNative(Kernel);
    const std::scoped_lock Hold(Lock);
    LaunchCount &Count = Launches[Name];
    ++(Native ? Count.Native : Count.Twin);
    if (Native)
      NativeNames.insert(Name);
    // WarpSan's own kernels always run.
    Skips = (Native ? SkipsNative : SkipsTwins) && Name.rfind("t_", 0) == 0;
  }
  if (Skips)
    return Next->clEnqueueMarkerWithWaitList(Queue, Waits, List, Event);
  return Next->clEnqueueNDRangeKernel(Queue, Kernel, Dims, Offset, Global,
                                      Local, Waits, List, Event);
}

} // namespace

EXPORTED void guardSetMode(GuardMode Where) {
  const std::scoped_lock Hold(Lock);
  Mode = Where;
}

EXPORTED void guardSkipTwins(int Skips) {
  const std::scoped_lock Hold(Lock);
  SkipsTwins = Skips != 0;
}

EXPORTED void guardSkipNative(int Skips) {
  const std::scoped_lock Hold(Lock);
  SkipsNative = Skips != 0;
}

EXPORTED unsigned long guardNativeLaunches(const char *Kernel) {
  const std::scoped_lock Hold(Lock);
  const auto Found = Launches.find(std::string_view(Kernel));
  return Found == Launches.end() ? 0 : Found->second.Native;
}

EXPORTED unsigned long guardDamaged() {
  const std::scoped_lock Hold(Lock);
  unsigned long Count = Damaged;
  for (const auto &[Buffer, Memory] : Regions)
    Count += !Memory.isIntact();
  return Count;
}

EXPORTED size_t guardSlack(cl_mem Buffer) {
  const std::scoped_lock Hold(Lock);
  const auto Found = Regions.find(Buffer);
  if (Found == Regions.end())
    return SIZE_MAX;
  const Region &Memory = Found->second;
  return static_cast<size_t>(Memory.Pages + Memory.PageBytes - Memory.Begin) -
         Memory.Size;
}

static void replaceFunctions(cl_icd_dispatch &Table) {
  const char *Where = getenv("WARPSAN_GUARD");
  if (Where && !strcmp(Where, "begin"))
    Mode = GuardMode::Begin;
  Table.clCreateBuffer = createBuffer;
  Table.clCreateBufferWithProperties = createBufferWithProperties;
  Table.clGetMemObjectInfo = memInfo;
  Table.clEnqueueNDRangeKernel = launch;
}
