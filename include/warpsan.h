/* warpsan.h - objects in memory that a program divides itself.

   Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A program that makes one large buffer, or one large allocation of shared
   virtual memory, and hands out parts of it can tell WarpSan which parts these
   are. Then a kernel that runs from one part into the next is found.
   docs/how-to/pool-allocators.md says what is checked.

   There is nothing to link: the functions ask OpenCL for WarpSan's, as for
   those of an extension. Without WarpSan there are none, and the functions here
   do nothing and return WARPSAN_ABSENT. C99 or C++, gcc or clang; any thread.
*/
#ifndef WARPSAN_H
#define WARPSAN_H

#include <CL/cl.h>
#include <stddef.h>

/* A program that finds OpenCL's functions itself (dlsym) defines this before it
   includes the header: what to call for clGetPlatformIDs and
   clGetExtensionFunctionAddressForPlatform. By default they are the linked
   ones, and weak: without OpenCL they are null. */
#ifndef WARPSAN_CL
#define WARPSAN_CL(function) function
#pragma weak clGetPlatformIDs
#pragma weak clGetExtensionFunctionAddressForPlatform
#define WARPSAN_CL_LINKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if defined(WARPSAN_CL_LINKED) && !defined(CL_VERSION_1_2)
/* The program wants OpenCL 1.1 of <CL/cl.h>; the loader has it all the same. */
extern CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char *);
#endif

/* What the functions return. Nothing is changed unless it is WARPSAN_OK. */
enum {
  WARPSAN_OK = 0,
  WARPSAN_ABSENT = 1,          /* the program runs without WarpSan */
  WARPSAN_UNKNOWN_MEMORY = -1, /* no live buffer or allocation of OpenCL's */
  WARPSAN_OUTSIDE = -2,   /* not all of it is in the buffer or allocation */
  WARPSAN_OVERLAP = -3,   /* a part of it is in an object already */
  WARPSAN_NO_OBJECT = -4, /* no object begins there, or it was freed before */
  WARPSAN_INVALID_VALUE = -5, /* a size of 0 */
  WARPSAN_NO_MEMORY = -6      /* there is none left to keep account of it */
};

/* Do not use; see below. */
typedef int(CL_API_CALL *warpsan_mark_buffer_fn)(cl_mem, size_t, size_t,
                                                 const char *);
typedef int(CL_API_CALL *warpsan_free_buffer_fn)(cl_mem, size_t);
typedef int(CL_API_CALL *warpsan_clear_buffer_fn)(cl_mem);
typedef int(CL_API_CALL *warpsan_mark_pointer_fn)(const void *, size_t,
                                                  const char *);
typedef int(CL_API_CALL *warpsan_free_pointer_fn)(const void *);
typedef int(CL_API_CALL *warpsan_clear_pointer_fn)(const void *);

/* WarpSan's function, asked for once and kept in *kept; null if there is none.
 */
static inline void *warpsan_function(const char *name, void **kept) {
  static char none;
  void *found = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
  cl_platform_id platform = NULL;
  if (!found) {
    if (WARPSAN_CL(clGetPlatformIDs) &&
        WARPSAN_CL(clGetExtensionFunctionAddressForPlatform) &&
        WARPSAN_CL(clGetPlatformIDs)(1, &platform, NULL) == CL_SUCCESS)
      found =
          WARPSAN_CL(clGetExtensionFunctionAddressForPlatform)(platform, name);
    if (!found)
      found = &none;
    __atomic_store_n(kept, found, __ATOMIC_RELEASE);
  }
  return found == &none ? NULL : found;
}

/* A pointer to a function out of one to an object, which ISO C has no cast for.
 */
#define WARPSAN_CALL(function, arguments)                                      \
  do {                                                                         \
    static void *warpsan_kept;                                                 \
    union {                                                                    \
      void *found;                                                             \
      function##_fn call;                                                      \
    } warpsan_its;                                                             \
    warpsan_its.found = warpsan_function(#function, &warpsan_kept);            \
    return warpsan_its.found ? warpsan_its.call arguments : WARPSAN_ABSENT;    \
  } while (0)

/* The [size] bytes from [offset] on of [buffer] are an object; [name], which is
   copied, is what reports call it, and may be null. From the first object on,
   kernels may touch the buffer's objects only. A sub-buffer stands for the part
   of its buffer that it is. */
static inline int warpsan_mark_buffer(cl_mem buffer, size_t offset, size_t size,
                                      const char *name) {
  WARPSAN_CALL(warpsan_mark_buffer, (buffer, offset, size, name));
}

/* The object that begins at [offset] is no more: no kernel may touch it. */
static inline int warpsan_free_buffer(cl_mem buffer, size_t offset) {
  WARPSAN_CALL(warpsan_free_buffer, (buffer, offset));
}

/* The buffer has no objects any more, and kernels may touch all of it. */
static inline int warpsan_clear_buffer(cl_mem buffer) {
  WARPSAN_CALL(warpsan_clear_buffer, (buffer));
}

/* The [size] bytes from [start] on, of shared virtual or unified shared memory,
   are an object. A pointer to one of its bytes may be used for these bytes
   only; pointers to bytes that are of no object, for all of the allocation. */
static inline int warpsan_mark_pointer(const void *start, size_t size,
                                       const char *name) {
  WARPSAN_CALL(warpsan_mark_pointer, (start, size, name));
}

/* The object that begins at [start] is no more: no kernel may touch it. */
static inline int warpsan_free_pointer(const void *start) {
  WARPSAN_CALL(warpsan_free_pointer, (start));
}

/* The allocation that [start] points into has no objects any more. */
static inline int warpsan_clear_pointer(const void *start) {
  WARPSAN_CALL(warpsan_clear_pointer, (start));
}

#ifdef __cplusplus
}
#endif

#endif /* WARPSAN_H */
