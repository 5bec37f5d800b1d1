#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <warpsan.h>

/* Two arrays in one buffer: 100 weights at byte 0, 20 biases at byte 512. */
static const char *source =
    "kernel void scale(global float *pool, int first, int count) {\n"
    "  for (int i = 0; i <= count; ++i)\n" /* one too many */
    "    pool[first + i] *= 2.0f;\n"
    "}\n";

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem pool;
  float zero = 0.0f;
  cl_int first = 0, count = 100;

  if (clGetPlatformIDs(1, &platform, NULL) ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 1;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL))
    return 1;
  kernel = clCreateKernel(program, "scale", NULL);

  pool = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
  clEnqueueFillBuffer(queue, pool, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL);
  warpsan_mark_buffer(pool, 0, 400, "weights");
  warpsan_mark_buffer(pool, 512, 80, "biases");

  clSetKernelArg(kernel, 0, sizeof(pool), &pool);
  clSetKernelArg(kernel, 1, sizeof(first), &first);
  clSetKernelArg(kernel, 2, sizeof(count), &count);
  if (clEnqueueTask(queue, kernel, 0, NULL, NULL))
    return 1;
  clFinish(queue);
  warpsan_unmark_buffer(pool, 0);

  clReleaseMemObject(pool);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts("end");
  return 0;
}
