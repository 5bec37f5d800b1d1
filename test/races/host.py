# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches kernels: host.py PROGRAM LIST [OPTION...], a source or SPIR-V. A line of the list is a kernel, how many work-items its work-groups have ("8", "1x8"), how many
groups there are, and the arguments behind the first: "local:BYTES", or "buffer:MEMORY:OFFSET:BYTES" (a sub-buffer, if it is
not all of the memory of that number). "most" and the macro MOST are three quarters of the local memory that the device
has."""

import sys

import numpy
import pyopencl


class Arguments:
    """Of one launch."""

    def __init__(self, context, texts, most):
        self.context = context
        self.most = most
        parts = [text.split(":") for text in texts]
        sizes = {}
        for kind, *numbers in parts:
            if kind == "buffer":
                memory, offset, count = map(int, numbers)
                sizes[memory] = max(sizes.get(memory, 0), offset + count)
        self.buffers = {memory: pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR,
                                                hostbuf=numpy.zeros(size, numpy.uint8)) for memory, size in sizes.items()}
        self.all = [self.make(*part) for part in parts]

    def make(self, kind, *numbers):
        if kind == "local":
            return pyopencl.LocalMemory(self.most if numbers[0] == "most" else int(numbers[0]))
        memory, offset, count = map(int, numbers)
        whole = self.buffers[memory]
        return whole if (offset, count) == (0, whole.size) else whole.get_sub_region(offset, count)


def main():
    source, rows, *options = sys.argv[1:]
    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    most = context.devices[0].local_mem_size * 3 // 4
    with open(source, "rb") as file:
        text = file.read()
    program = pyopencl.Program(context, text.decode() if source.endswith(".cl") else text)
    program.build(options=[f"-DMOST={most}", *options] if source.endswith(".cl") else [])
    out = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)
    pyopencl.enqueue_fill_buffer(queue, out, numpy.int32(0), 0, 4096)
    with open(rows) as file:
        for line in file:
            name, items, groups, *texts = line.split()
            kernel = pyopencl.Kernel(program, name)
            arguments = Arguments(context, texts, most)  # a kernel does not retain them
            kernel.set_args(out, *arguments.all)
            size = tuple(map(int, items.split("x")))
            pyopencl.enqueue_nd_range_kernel(queue, kernel, (size[0] * int(groups), *size[1:]), size)
    queue.finish()
    print("end")


if __name__ == "__main__":
    main()
