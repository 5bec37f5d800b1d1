#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <warpsan.h>

/* Two arrays in one buffer: 100 weights at byte 0, 20 biases at byte 512. */
static const char *Source =
    "kernel void scale(global float *pool, int first, int count) {\n"
    "  for (int i = 0; i <= count; ++i)\n" /* one too many */
    "    pool[first + i] *= 2.0f;\n"
    "}\n";

int main(void) {
  cl_platform_id Platform;
  cl_device_id Device;
  cl_context Context;
  cl_command_queue Queue;
  cl_program Program;
  cl_kernel Kernel;
  cl_mem Pool;
  float Zero = 0.0f;
  cl_int First = 0, Count = 100;

  if (clGetPlatformIDs(1, &Platform, NULL) ||
      clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, NULL))
    return 1;
  Context = clCreateContext(NULL, 1, &Device, NULL, NULL, NULL);
  Queue = clCreateCommandQueue(Context, Device, 0, NULL);
  Program = clCreateProgramWithSource(Context, 1, &Source, NULL, NULL);
  if (clBuildProgram(Program, 1, &Device, "", NULL, NULL))
    return 1;
  Kernel = clCreateKernel(Program, "scale", NULL);

  Pool = clCreateBuffer(Context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
  clEnqueueFillBuffer(Queue, Pool, &Zero, sizeof(Zero), 0, 4096, 0, NULL, NULL);
  warpsan_mark_buffer(Pool, 0, 400, "weights");
  warpsan_mark_buffer(Pool, 512, 80, "biases");

  clSetKernelArg(Kernel, 0, sizeof(Pool), &Pool);
  clSetKernelArg(Kernel, 1, sizeof(First), &First);
  clSetKernelArg(Kernel, 2, sizeof(Count), &Count);
  if (clEnqueueTask(Queue, Kernel, 0, NULL, NULL))
    return 1;
  clFinish(Queue);
  warpsan_free_buffer(Pool, 0);

  clReleaseMemObject(Pool);
  clReleaseKernel(Kernel);
  clReleaseProgram(Program);
  clReleaseCommandQueue(Queue);
  clReleaseContext(Context);
  puts("end");
  return 0;
}
