# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches kernels with one work-group each: host.py SOURCE LIST. A line of the list is a kernel, its work-items and the
bytes of its local arguments; "most" and the macro MOST are three
quarters of what the device has."""

import sys

import numpy
import pyopencl


def main():
    source, rows = sys.argv[1:]
    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    with open(source) as file:
        most = context.devices[0].local_mem_size * 3 // 4
        program = pyopencl.Program(context, file.read()).build(options=[f"-DMOST={most}"])
    out = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)
    pyopencl.enqueue_fill_buffer(queue, out, numpy.int32(0), 0, 4096)
    with open(rows) as file:
        for line in file:
            name, items, *sizes = line.split()
            kernel = pyopencl.Kernel(program, name)
            kernel.set_args(out, *(pyopencl.LocalMemory(most if size == "most" else int(size)) for size in sizes))
            pyopencl.enqueue_nd_range_kernel(queue, kernel, (int(items),), (int(items),))
    queue.finish()
    print("end")


if __name__ == "__main__":
    main()
