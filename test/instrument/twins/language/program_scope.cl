// options: -cl-std=CL3.0
// needs: __opencl_c_program_scope_global_variables
// launch: count 64
// arg: zeros 256
global int start = 40;
global int table[64];
kernel void count(global int *out) {
  int i = get_global_id(0);
  table[i] = start + i;
  out[i] = table[i] * 2;
}
