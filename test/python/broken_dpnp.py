# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dpnp over unified shared memory of 4,000 bytes that says of itself that it
holds as many floats as the first argument: 1000 are right.

    python3 broken_dpnp.py COUNT"""

import sys

import dpctl
import dpctl.memory
from dpnp import tensor

queue = dpctl.SyclQueue("opencl:cpu")
memory = dpctl.memory.MemoryUSMDevice(4000, queue=queue)


class Shared:
    """What a library hands over to another by the interface for that."""

    def __init__(self, count):
        self.__sycl_usm_array_interface__ = dict(memory.__sycl_usm_array_interface__, shape=(count, ),
                                                 typestr="<f4", strides=None)


def double(count):
    array = tensor.usm_ndarray((count, ), dtype="f4", buffer=dpctl.memory.as_usm_memory(Shared(count)))
    return tensor.add(array, array)  # LAUNCHED


double(int(sys.argv[1])).sycl_queue.wait()
print("done")
