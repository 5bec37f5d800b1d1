//===- test/cuda/cuda.h - as much of CUDA and HIP as the kernels here need ===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For clang alone, without CUDA, ROCm or chipStar. What CUDA has built in is
// here what chipStar makes of it: OpenCL's functions (which have the same
// mangled names in C++), a last argument in local memory for `extern
// __shared__`, a pointer that a kernel sets for a `__device__` or
// `__constant__` variable, and functions of another module (atomics.cl) for
// atomics on floats.
//
//===----------------------------------------------------------------------===//
#ifndef WARPSAN_TEST_CUDA_CUDA_H
#define WARPSAN_TEST_CUDA_CUDA_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))

typedef unsigned long size_t;
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef double double2 __attribute__((ext_vector_type(2)));

__device__ size_t get_local_id(unsigned);
__device__ size_t get_group_id(unsigned);
__device__ size_t get_local_size(unsigned);
__device__ size_t get_num_groups(unsigned);
__device__ void barrier(unsigned) __attribute__((convergent));
__device__ void mem_fence(unsigned);
#define __syncthreads() barrier(1)
#define __threadfence_block() mem_fence(1)

#define WARPSAN_DIMENSION(Name, Number, Function)                              \
  __declspec(property(get = get_##Name)) unsigned Name;                        \
  __device__ unsigned get_##Name() const { return Function(Number); }
#define WARPSAN_BUILT_IN(Name, Function)                                       \
  struct type_of_##Name {                                                      \
    WARPSAN_DIMENSION(x, 0, Function)                                          \
    WARPSAN_DIMENSION(y, 1, Function)                                          \
    WARPSAN_DIMENSION(z, 2, Function)                                          \
  };                                                                           \
  extern __device__ type_of_##Name Name;
WARPSAN_BUILT_IN(threadIdx, get_local_id)
WARPSAN_BUILT_IN(blockIdx, get_group_id)
WARPSAN_BUILT_IN(blockDim, get_local_size)
WARPSAN_BUILT_IN(gridDim, get_num_groups)

// --- atomics ----------------------------------------------------------------

__device__ int atomic_add(volatile int *, int);
__device__ int atomic_sub(volatile int *, int);
__device__ int atomic_xchg(volatile int *, int);
__device__ int atomic_max(volatile int *, int);
__device__ int atomic_min(volatile int *, int);
__device__ int atomic_or(volatile int *, int);
__device__ int atomic_cmpxchg(volatile int *, int, int);
__device__ inline int atomicAdd(int *P, int V) { return atomic_add(P, V); }
__device__ inline int atomicSub(int *P, int V) { return atomic_sub(P, V); }
__device__ inline int atomicExch(int *P, int V) { return atomic_xchg(P, V); }
__device__ inline int atomicMax(int *P, int V) { return atomic_max(P, V); }
__device__ inline int atomicMin(int *P, int V) { return atomic_min(P, V); }
__device__ inline int atomicOr(int *P, int V) { return atomic_or(P, V); }
__device__ inline int atomicCAS(int *P, int Was, int V) {
  return atomic_cmpxchg(P, Was, V);
}
__device__ inline long long atomicAdd(long long *P, long long V) {
  return __atomic_fetch_add(P, V, __ATOMIC_RELAXED);
}

// The address is an integer, so that no pass looks through the call.
extern "C" __device__ float __chip_atomic_add_f32(unsigned long, float);
extern "C" __device__ double __chip_atomic_add_f64(unsigned long, double);
__device__ inline float atomicAdd(float *P, float V) {
  return __chip_atomic_add_f32((unsigned long)P, V);
}
__device__ inline double atomicAdd(double *P, double V) {
  return __chip_atomic_add_f64((unsigned long)P, V);
}

// --- warps ------------------------------------------------------------------

__device__ int intel_sub_group_shuffle(int, unsigned);
__device__ inline int __shfl_sync(unsigned, int V, int Lane) {
  return intel_sub_group_shuffle(V, Lane);
}

// --- what chipStar's passes change ------------------------------------------

/// Every module has it.
extern "C" __device__ __attribute__((used))
const unsigned char __chip_module_has_no_IGBAs = 1;

/// `extern __shared__ Type Name[]`: the kernel's last parameter, and the line
/// that makes it what CUDA's is.
#define DYNAMIC_SHARED(Type, Name)                                             \
  __attribute__((address_space(3))) Type *Name##_argument
#define EXTERN_SHARED(Type, Name) Type *Name = (Type *)Name##_argument

/// `__device__ Type Name[Count]`, or `__constant__`; to be followed by
/// `#define Name VARIABLE(Name)`.
#define DEVICE_VARIABLE(Type, Name, Count)                                     \
  __device__ Type(*__chip_var_##Name)[Count];                                  \
  extern "C" __global__ void __chip_var_bind_##Name(void *P) {                 \
    __chip_var_##Name = (Type(*)[Count])P;                                     \
  }
#define VARIABLE(Name) (*__chip_var_##Name)

#endif // WARPSAN_TEST_CUDA_CUDA_H
