//===- layer/api/entry.cpp - the handshake with the loader ----------------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The four functions that an ICD loader looks for, and nothing else, leave
// this library (exports.map). ocl-icd calls clInitLayer; Khronos' loader wants
// clInitLayerWithProperties and calls clDeinitLayer after atexit handlers.
//
//===----------------------------------------------------------------------===//

#include "layer/api/dispatch_pipeline.h"
#include "layer/api/extensions.h"
#include "layer/api/guard.h"
#include "layer/api/intercept.h"
#include "layer/api/order/ordering_stage.h"
#include "layer/findings/findings.h"
#include "layer/findings/findings_file.h"
#include "layer/process/counters.h"
#include "layer/process/no_destructor.h"
#include "layer/process/settings.h"

#include <CL/cl_layer.h>

#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <sys/auxv.h>

using namespace warpsan;

const cl_icd_dispatch *warpsan::Next = nullptr;

HandleTable<cl_context, Context> &warpsan::Contexts =
    noDestructor<HandleTable<cl_context, Context>>();
HandleTable<cl_command_queue, Queue> &warpsan::Queues =
    noDestructor<HandleTable<cl_command_queue, Queue>>();
HandleTable<cl_sampler, Sampler> &warpsan::Samplers =
    noDestructor<HandleTable<cl_sampler, Sampler>>();
HandleTable<cl_mem, Memory> &warpsan::Memories =
    noDestructor<HandleTable<cl_mem, Memory>>();
HandleTable<cl_program, Program> &warpsan::Programs =
    noDestructor<HandleTable<cl_program, Program>>();
HandleTable<cl_kernel, Kernel> &warpsan::Kernels =
    noDestructor<HandleTable<cl_kernel, Kernel>>();

DispatchPipeline warpsan::Pipeline;

/// The loader's own functions are called where it is empty.
static cl_icd_dispatch &Ours = Pipeline.Guards;
static constexpr cl_uint OurEntries = sizeof(Ours) / sizeof(void *);

/// A function that is missing below must not appear above.
static void dropWhatIsMissingBelow() {
  auto **Mine = reinterpret_cast<void **>(&Ours);
  auto *const *Theirs = reinterpret_cast<void *const *>(Next);
  for (cl_uint I = 0; I < OurEntries; ++I)
    if (!Theirs[I])
      Mine[I] = nullptr;
}

void *warpsan::coreWrapper(const char *Name) {
#define CALL(name)                                                             \
  if (std::strcmp(Name, #name) == 0)                                           \
    return reinterpret_cast<void *>(Ours.name);
#include "layer/api/calls.def"
#undef CALL
  return nullptr;
}

/// Programs that open the loader with dlopen may close it. It does not close
/// us, and calls us again when it comes back, with the table of another
/// instance; ours has been given to the application's objects by then. So it
/// stays.
static void keepLoader(void *Inside) {
  Dl_info Info;
  if (dladdr(Inside, &Info) && Info.dli_fname)
    dlopen(Info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static cl_int initialize(void *Loader, cl_uint Entries,
                         const cl_icd_dispatch *Target, cl_uint *EntriesReturn,
                         const cl_icd_dispatch **Dispatch) {
  if (!Target || !EntriesReturn || !Dispatch || Entries < OurEntries)
    return CL_INVALID_VALUE;
  // A program with rights that its caller has not (set-user-ID, capabilities of
  // its file): the caller chose the layer and its options, so nothing is done.
  // An empty table is the loader's own.
  if (getauxval(AT_SECURE)) {
    *EntriesReturn = OurEntries;
    *Dispatch = &Ours;
    return CL_SUCCESS;
  }
  static std::once_flag Once;
  std::call_once(Once, [&] {
    Next = Target;
    keepLoader(Loader);
    readSettings();
    openCounters();
    chooseFindingsFile();
    watchForTheEnd();
    cl_icd_dispatch &Wrappers = Pipeline.Wrappers;
    interceptContexts(Wrappers);
    interceptMemory(Wrappers);
    interceptPrograms(Wrappers);
    interceptKernels(Wrappers);
    interceptCopying(Wrappers);
    interceptWaiting(Wrappers);
    Wrappers.clGetExtensionFunctionAddress = getExtensionAddress;
    Wrappers.clGetExtensionFunctionAddressForPlatform =
        getExtensionAddressForPlatform;
    addHandleChecks();
    addOrdering();
    addGuards();
    dropWhatIsMissingBelow();
  });
  *EntriesReturn = OurEntries;
  *Dispatch = &Ours;
  return CL_SUCCESS;
}

#define EXPORTED extern "C" __attribute__((visibility("default")))

/// Newer than the headers; the loader passes a list that ends in zero.
using LayerProperty = cl_properties;

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info Name,
                                                        size_t Size,
                                                        void *Value,
                                                        size_t *SizeReturn) {
  auto Answer = [&](const void *From, size_t Bytes) -> cl_int {
    if (Value && Size < Bytes)
      return CL_INVALID_VALUE;
    if (Value)
      std::memcpy(Value, From, Bytes);
    if (SizeReturn)
      *SizeReturn = Bytes;
    return CL_SUCCESS;
  };
  constexpr cl_layer_info LayerName = 0x4241; // CL_LAYER_NAME, newer headers
  static const char Text[] = "WarpSan " WARPSAN_VERSION;
  const cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
  switch (Name) {
  case CL_LAYER_API_VERSION:
    return Answer(&Version, sizeof(Version));
  case LayerName:
    return Answer(Text, sizeof(Text));
  default:
    return CL_INVALID_VALUE;
  }
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint Entries, const cl_icd_dispatch *Target,
            cl_uint *EntriesReturn, const cl_icd_dispatch **Dispatch) {
  return guarded<cl_int>(initialize, __builtin_return_address(0), Entries,
                         Target, EntriesReturn, Dispatch);
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(
    cl_uint Entries, const cl_icd_dispatch *Target, cl_uint *EntriesReturn,
    const cl_icd_dispatch **Dispatch, const LayerProperty *) {
  return guarded<cl_int>(initialize, __builtin_return_address(0), Entries,
                         Target, EntriesReturn, Dispatch);
}

/// Nothing to undo: what we hold is in the status file, and objects that the
/// application leaked are the driver's to free.
EXPORTED CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void) {
  if (Next)
    noteIfPossible([] { reportRecords(); });
  return CL_SUCCESS;
}
