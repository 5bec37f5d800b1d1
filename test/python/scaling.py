# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Doubles an array with PyOpenCL, each element into the one `shift` behind it:
right if 0, one element too far if 1. Used as a module, and as a program:

    python3 scaling.py SHIFT"""

import sys
import threading

import numpy
import pyopencl

SOURCE = """
__kernel void scale(__global float *x, int shift) {
  int i = get_global_id(0);
  x[i + shift] = x[i] * 2.0f;
}
"""


class Scaling:

    def __init__(self):
        self.context = pyopencl.create_some_context(interactive=False)
        self.queue = pyopencl.CommandQueue(self.context)
        self.scale = pyopencl.Program(self.context, SOURCE).build().scale
        self.buffer = pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE, 256)  # CREATED

    def run(self, shift):
        self.scale(self.queue, (64, ), None, self.buffer, numpy.int32(shift))  # LAUNCHED
        self.queue.finish()


if __name__ == "__main__":
    thread = threading.Thread(target=lambda: Scaling().run(int(sys.argv[1])))  # THREAD
    thread.start()
    thread.join()
    print("done")
