// Atomics on floats, in a module of their own and without a kernel, as chipStar
// has them: the address comes as an integer.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

float __chip_atomic_add_f32(ulong address, float value) {
  volatile __generic atomic_uint *p = (volatile __generic atomic_uint *)address;
  uint was = atomic_load_explicit(p, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(
      p, &was, as_uint(as_float(was) + value), memory_order_relaxed,
      memory_order_relaxed))
    ;
  return as_float(was);
}

double __chip_atomic_add_f64(ulong address, double value) {
  volatile __generic atomic_ulong *p =
      (volatile __generic atomic_ulong *)address;
  ulong was = atomic_load_explicit(p, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(
      p, &was, as_ulong(as_double(was) + value), memory_order_relaxed,
      memory_order_relaxed))
    ;
  return as_double(was);
}
