/*===- examples/saxpy.c - y = a * x + y, with a mistake -------------------===*\
|*
|* Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* cc saxpy.c -o saxpy -lOpenCL && warpsan run ./saxpy
|*
\*===----------------------------------------------------------------------===*/
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { Count = 1000, Group = 64 };

static const char *Source =
    "__kernel void saxpy(__global float *y, __global const float *x,\n"
    "                    float a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i <= n)\n" /* the mistake: the last work-item is n - 1 */
    "    y[i] = a * x[i] + y[i];\n"
    "}\n";

static void check(cl_int Error, const char *What) {
  if (Error == CL_SUCCESS)
    return;
  fprintf(stderr, "saxpy: %s failed with %d\n", What, Error);
  exit(1);
}

int main(void) {
  static float X[Count], Y[Count];
  for (int I = 0; I < Count; I++)
    X[I] = (float)I, Y[I] = 1;

  cl_platform_id Platform;
  cl_device_id Device;
  cl_int Error;
  check(clGetPlatformIDs(1, &Platform, NULL), "finding a platform");
  check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, NULL),
        "finding a device");
  cl_context Context = clCreateContext(NULL, 1, &Device, NULL, NULL, &Error);
  check(Error, "making a context");
  cl_command_queue Queue = clCreateCommandQueue(Context, Device, 0, &Error);
  check(Error, "making a queue");

  cl_mem OnDeviceX = clCreateBuffer(
      Context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(X), X, &Error);
  check(Error, "making a buffer for x");
  cl_mem OnDeviceY = clCreateBuffer(
      Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(Y), Y, &Error);
  check(Error, "making a buffer for y");

  cl_program Program =
      clCreateProgramWithSource(Context, 1, &Source, NULL, &Error);
  check(Error, "making a program");
  check(clBuildProgram(Program, 1, &Device, "", NULL, NULL), "building it");
  cl_kernel Kernel = clCreateKernel(Program, "saxpy", &Error);
  check(Error, "making a kernel");

  float A = 2;
  cl_int N = Count;
  check(clSetKernelArg(Kernel, 0, sizeof(OnDeviceY), &OnDeviceY), "argument y");
  check(clSetKernelArg(Kernel, 1, sizeof(OnDeviceX), &OnDeviceX), "argument x");
  check(clSetKernelArg(Kernel, 2, sizeof(A), &A), "argument a");
  check(clSetKernelArg(Kernel, 3, sizeof(N), &N), "argument n");
  /* Rounded up to whole work-groups, hence the `if` in the kernel. */
  size_t Global = (Count + Group - 1) / Group * Group, Local = Group;
  check(clEnqueueNDRangeKernel(Queue, Kernel, 1, NULL, &Global, &Local, 0, NULL,
                               NULL),
        "launching");
  check(clEnqueueReadBuffer(Queue, OnDeviceY, CL_TRUE, 0, sizeof(Y), Y, 0, NULL,
                            NULL),
        "reading y");
  printf("y[%d] = %g\n", Count - 1, Y[Count - 1]);

  clReleaseMemObject(OnDeviceX);
  clReleaseMemObject(OnDeviceY);
  clReleaseKernel(Kernel);
  clReleaseProgram(Program);
  clReleaseCommandQueue(Queue);
  clReleaseContext(Context);
  return 0;
}
