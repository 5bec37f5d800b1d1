// options: -cl-std=CL3.0
// needs: cl_ext_float_atomics
// needs: __opencl_c_ext_fp32_global_atomic_add
// launch: sum 256 64
// arg: ints 256 100
// arg: zeros 8
kernel void sum(global const int *in, global atomic_float *out) {
  atomic_fetch_add_explicit(out, (float)in[get_global_id(0)],
                            memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(out + 1, (float)in[get_global_id(0)],
                            memory_order_relaxed, memory_scope_device);
}
