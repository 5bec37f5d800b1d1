//===- layer/api/intercept.h - the wrappers that stand in the dispatch
// table ------------------------------------------------------------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrapper forwards to the driver and notes what it learned, by functions of
// other files. It returns what the driver returned, except where the call is an
// error that the driver must not see, as a second release: then it returns the
// error that OpenCL has for it.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_API_INTERCEPT_H
#define WARPSAN_LAYER_API_INTERCEPT_H

#include "layer/canary/padding.h"
#include "layer/objects/driver.h"
#include "layer/objects/objects.h"

#include <functional>

namespace warpsan {

/// Each puts its wrappers into \p Table.
void interceptContexts(cl_icd_dispatch &Table);
void interceptMemory(cl_icd_dispatch &Table);
void interceptPrograms(cl_icd_dispatch &Table);
void interceptKernels(cl_icd_dispatch &Table);
void interceptCopying(cl_icd_dispatch &Table);
void interceptWaiting(cl_icd_dispatch &Table);
/// After all of them: fills in Pipeline.HandleChecks.
void addHandleChecks();

/// With synchronous=1: waits until \p Queue has done what it was given, and
/// reports its errors. Not in a context with user events, for which a launch
/// may wait until the application goes on.
void waitIfSynchronous(cl_command_queue Queue);

/// Shared by core functions and their elder extension forms.
/// \p Call made it.
void noteQueue(cl_command_queue Handle, cl_context Context, cl_device_id Device,
               const char *Call);
/// \p Call made it; nothing if the driver has refused.
void noteBuffer(const PaddedBuffer &Buffer, cl_mem_flags Flags, size_t Size,
                const char *Call, bool Ordinary = false);
void noteProgramFromIL(cl_program Handle, cl_context Context, const void *IL,
                       size_t Size, const char *Call);

/// What the value of a kernel's argument stands for if it is a memory object's
/// handle.
std::shared_ptr<const Memory> memoryIn(size_t Size, const void *Value);

/// The application frees shared virtual memory by \p Call. \p Free frees it in
/// the driver: Later, when it leaves the quarantine, or Now. Reports and
/// returns false if there is nothing at \p Start that can be freed.
enum class FreeWhen : uint8_t { Later, Now };
bool freeSvm(cl_context Context, void *Start, const char *Call, FreeWhen When,
             const std::function<void()> &Free);

/// What clEnqueueSVMFree may be given to free memory with.
using SvmFreeCallback = void(CL_CALLBACK *)(cl_command_queue, cl_uint, void *[],
                                            void *);
/// Enqueues a command of \p Queue that frees \p Pointers, by a function of the
/// application's, which may be null, or else by \p Ours. \p Enqueue calls the
/// driver with one of them and returns the driver's answer.
cl_int enqueueSvmFree(cl_command_queue Queue, cl_uint Count,
                      void *const *Pointers, SvmFreeCallback Theirs,
                      SvmFreeCallback Ours,
                      const std::function<cl_int(SvmFreeCallback)> &Enqueue);

} // namespace warpsan

#endif // WARPSAN_LAYER_API_INTERCEPT_H
