//===- layer/intercept.h - the wrappers that stand in the dispatch table --===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each wrapper forwards to the driver first and then writes down what it
// learned; what it writes lives in other files. A wrapper returns what the
// driver returned.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_LAYER_INTERCEPT_H
#define WARPSAN_LAYER_INTERCEPT_H

#include "layer/driver.h"
#include "layer/objects.h"
#include "layer/padding.h"

#include <functional>

namespace warpsan {

/// Each puts its wrappers into the table that the loader gets.
void interceptContexts(cl_icd_dispatch &Table);
void interceptMemory(cl_icd_dispatch &Table);
void interceptPrograms(cl_icd_dispatch &Table);
void interceptKernels(cl_icd_dispatch &Table);
void interceptCopying(cl_icd_dispatch &Table);
void interceptWaiting(cl_icd_dispatch &Table);
/// Last, before what the others have put there.
void interceptUses(cl_icd_dispatch &Table);

/// Shared by core functions and their elder extension forms.
/// \p Call made it.
void noteQueue(cl_command_queue Handle, cl_context Context, cl_device_id Device,
               const char *Call);
/// \p Call made it; nothing if the driver has refused.
void noteBuffer(const PaddedBuffer &Made, cl_mem_flags Flags, size_t Size,
                const char *Call, bool Ordinary = false);
void noteProgramFromIL(cl_program Handle, cl_context Context, const void *IL,
                       size_t Size, const char *Call);

/// What the value of a kernel's argument stands for if it is a memory object's
/// handle.
std::shared_ptr<const Memory> memoryIn(size_t Size, const void *Value);

/// How much of the driver to ask for where the application asks for \p Size
/// bytes of shared virtual memory.
size_t withGap(size_t Size);

/// The application frees shared virtual memory by \p Call. \p Free frees it in
/// the driver: Later, when it leaves the quarantine, or Now. Reports and
/// returns false if there is nothing at \p Start that can be freed.
enum class FreeWhen : uint8_t { Later, Now };
bool freeSvm(cl_context Context, void *Start, const char *Call, FreeWhen When,
             const std::function<void()> &Free);

/// What clEnqueueSVMFree may be given to free memory with.
using SvmFreeCallback = void(CL_CALLBACK *)(cl_command_queue, cl_uint, void *[],
                                            void *);
/// A command of \p Queue will free \p Pointers, by a function of the
/// application's, which may be null, or else by \p Ours. Returns the one that
/// the driver is to be given.
SvmFreeCallback noteEnqueuedFree(cl_command_queue Queue, cl_uint Count,
                                 void *const *Pointers, SvmFreeCallback Theirs,
                                 SvmFreeCallback Ours);

} // namespace warpsan

#endif // WARPSAN_LAYER_INTERCEPT_H
