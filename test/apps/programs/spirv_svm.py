# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program from SPIR-V, launched on buffers and on shared virtual memory.
Argument: vadd.cl as SPIR-V."""

import sys

import numpy as np
import pyopencl as cl

from verdict import finish, step

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
with open(sys.argv[1], "rb") as file:
    vadd = cl.Program(context, file.read()).build().vadd

count = 1024
host = np.arange(count, dtype=np.float32)
result = np.empty_like(host)
source = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
target = cl.Buffer(context, cl.mem_flags.READ_WRITE, host.nbytes)
vadd(queue, (count, ), (64, ), source, source, target)
cl.enqueue_copy(queue, result, target)
step("buffers", result, 2 * host)

source = cl.SVM(cl.csvm_empty(context, (count, ), np.float32))
target = cl.SVM(cl.csvm_empty(context, (count, ), np.float32))
with source.map_rw(queue) as mapped:
    mapped[:] = host
vadd(queue, (count, ), (64, ), source, source, target)
with target.map_ro(queue) as mapped:
    step("shared virtual memory", mapped, 2 * host)
finish()
