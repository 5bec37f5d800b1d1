// The kernel of spirv_svm.py: built to SPIR-V ahead of time.
kernel void vadd(global const float *A, global const float *B,
                 global float *Sum) {
  size_t I = get_global_id(0);
  Sum[I] = A[I] + B[I];
}
