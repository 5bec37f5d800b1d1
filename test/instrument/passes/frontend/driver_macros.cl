// Macros that the driver's compiler may define differently: no launch of such a
// program is of the native kernel by proof.
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s
// RUN: FileCheck %s --check-prefix=NONE < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DVERSION
// RUN: FileCheck %s --check-prefix=VERSION < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DVECTORS
// RUN: FileCheck %s --check-prefix=VECTORS < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DVECTORS -D__AVX2__=1
// RUN: FileCheck %s --check-prefix=NONE < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DCONDITION
// RUN: FileCheck %s --check-prefix=CONDITION < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DBUILTIN
// RUN: FileCheck %s --check-prefix=BUILTIN < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DEXTENSION
// RUN: FileCheck %s --check-prefix=EXTENSION < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DFILE
// RUN: FileCheck %s --check-prefix=FILE < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DNAMES
// RUN: FileCheck %s --check-prefix=NAMES < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DFUNCTION
// RUN: FileCheck %s --check-prefix=FUNCTION < %t.json
// RUN: %clc --variant lean --manifest %t.json -o %t.spv %s -- -DINDIRECT=__clang_minor__
// RUN: FileCheck %s --check-prefix=INDIRECT < %t.json

// NONE-NOT: "driver_macros":
// VERSION: "driver_macros":{{.}}"__clang_major__ at {{[^"]*}}:[[@LINE+2]]"{{.}}
#ifdef VERSION
#if __clang_major__ < 19
#define SHIFT 1000
#endif
#endif

// VECTORS: "driver_macros":{{.}}"__AVX2__ at {{[^"]*}}:[[@LINE+2]]"{{.}}
#ifdef VECTORS
#ifdef __AVX2__
#define SHIFT 1000
#endif
#endif

// CONDITION: "driver_macros":{{.}}"POCL_DEVICE_ADDRESS_BITS at {{[^"]*}}:[[@LINE+2]]","__x86_64 at {{[^"]*}}:[[@LINE+2]]"{{.}}
#ifdef CONDITION
#if 0xFFu == 1 && __x86_64 || defined(POCL_DEVICE_ADDRESS_BITS)
#define SHIFT 1000
#endif
#endif

// BUILTIN: "driver_macros":{{.}}"__has_builtin at {{[^"]*}}:[[@LINE+2]]"{{.}}
#ifdef BUILTIN
#if __has_builtin(__builtin_popcount)
#define SHIFT 0
#endif
#endif

// Of the API, not of the language: some compilers define them.
// EXTENSION: "driver_macros":{{.}}"cl_khr_il_program at {{[^"]*}}:[[@LINE+2]]"{{.}}
#ifdef EXTENSION
#ifdef cl_khr_il_program
#define SHIFT 0
#endif
#endif

// FILE: "driver_macros":{{.}}"__FILE__ at {{[^"]*}}:[[@LINE+2]]"{{.}}
#ifdef FILE
constant char Name[] = __FILE__;
#define SHIFT sizeof(Name)
#endif

// Some drivers' headers define them, though no name is reserved.
// NAMES: "driver_macros":{{.}}"cl_khr_int64 at {{[^"]*}}:[[@LINE+2]]","cles_khr_int64 at {{[^"]*}}:[[@LINE+5]]","CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE at {{[^"]*}}:[[@LINE+5]]","inline at {{[^"]*}}:[[@LINE+8]]"{{.}}
#ifdef NAMES
#ifdef cl_khr_int64
#define SHIFT 1
#endif
#if defined(cles_khr_int64) || CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE
#define SHIFT 2
#endif
#ifdef inline
#define SHIFT 3
#endif
#endif

// A default of the application is none where there is a macro already.
// FUNCTION: "driver_macros":{{.}}"min at {{[^"]*}}:[[@LINE+2]]","vload4 at {{[^"]*}}:[[@LINE+5]]"{{.}}
#ifdef FUNCTION
#ifndef min
#define min(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifdef vload4
#define SHIFT 3
#endif
#endif

// INDIRECT: "driver_macros":{{.}}"__clang_minor__ at
#ifdef INDIRECT
#if INDIRECT > 7
#define SHIFT 1000
#endif
#endif

// None of these may differ.
#ifndef __MY_HEADER_H__
#define __MY_HEADER_H__
#ifdef FOO
#endif
#if defined(cl_nv_pragma_unroll) || defined(main) || defined(min_width)
#endif
#ifndef __DEFAULT_WIDTH
#define __DEFAULT_WIDTH 4
#endif
#if defined(cl_khr_fp64) || defined(cl_khr_fp16) || FOO
#endif
#if __OPENCL_VERSION__ >= 120 && __OPENCL_C_VERSION__ >= CL_VERSION_1_2
#endif
#ifdef __IMAGE_SUPPORT__
#endif
#ifdef __cplusplus
#endif
#ifdef __opencl_c_generic_address_space
#endif
#if 0
#if __clang_major__
#endif
#endif
#endif

#ifndef SHIFT
#define SHIFT 0
#endif
kernel void shifted(global int *a) {
  a[get_global_id(0) + SHIFT] = INT_MAX + CHAR_BIT + (int)M_PI_F + __DEFAULT_WIDTH + __LINE__;
}
