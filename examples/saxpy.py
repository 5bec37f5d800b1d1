# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""y = a * x + y, with a mistake: warpsan run python3 saxpy.py"""

import numpy
import pyopencl as cl

COUNT, GROUP = 1000, 64

SOURCE = """
__kernel void saxpy(__global float *y, __global const float *x,
                    float a, int n) {
  int i = get_global_id(0);
  if (i <= n)  // the mistake: the last work-item is n - 1
    y[i] = a * x[i] + y[i];
}
"""

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
x = numpy.arange(COUNT, dtype=numpy.float32)
y = numpy.ones(COUNT, dtype=numpy.float32)
copy = cl.mem_flags.COPY_HOST_PTR
x_on_device = cl.Buffer(context, cl.mem_flags.READ_ONLY | copy, hostbuf=x)
y_on_device = cl.Buffer(context, cl.mem_flags.READ_WRITE | copy, hostbuf=y)

# Rounded up to whole work-groups, hence the `if` in the kernel.
size = (COUNT + GROUP - 1) // GROUP * GROUP
program = cl.Program(context, SOURCE).build()
program.saxpy(queue, (size,), (GROUP,), y_on_device, x_on_device,
              numpy.float32(2), numpy.int32(COUNT))
cl.enqueue_copy(queue, y, y_on_device)
print(f"y[{COUNT - 1}] = {y[COUNT - 1]:g}")
