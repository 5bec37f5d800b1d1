# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyOpenCL's kernel generators: element-wise, reduction, scan, sort, random."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.algorithm import RadixSort
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

from verdict import finish, step

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = np.random.default_rng(1)

host = np.arange(10000, dtype=np.float32)
a = cl_array.to_device(queue, host)
step("array expression", ((2 * a + 1) * a - 7).get(), (2 * host + 1) * host - 7, 1e-6)

linear = ElementwiseKernel(context, "float k, float *x, float *y, float *z",
                           "z[i] = k * x[i] + y[i]", "linear")
z = cl_array.empty_like(a)
linear(np.float32(3), a, a, z)
step("element-wise", z.get(), 4 * host, 1e-6)

dot = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a + b",
                      map_expr="x[i] * y[i]",
                      arguments="__global float *x, __global float *y")
step("dot product", dot(a, a).get(), (host.astype(np.float64)**2).sum(), 1e-5)
step("largest", cl_array.max(a).get(), host.max())

ones = cl_array.to_device(queue, np.ones(50000, np.int32))
InclusiveScanKernel(context, np.int32, "a + b", neutral="0")(ones)
step("scan", ones.get(), np.arange(1, 50001))

keys = random.integers(0, 1 << 30, 20000).astype(np.uint32)
sort = RadixSort(context, "unsigned int *ary", key_expr="ary[i]",
                 sort_arg_names=["ary"])
(result, ), _ = sort(cl_array.to_device(queue, keys))
step("radix sort", result.get(), np.sort(keys))

# No host twin of the generator: its mean is the check, to three sigmas.
uniform = PhiloxGenerator(context, seed=1).uniform(queue, 20000, np.float32).get()
step("random, in [0, 1)", (uniform >= 0) & (uniform < 1), np.ones(20000, bool))
step("random", uniform.mean(), 0.5, 3 * 2 / np.sqrt(12 * 20000))
finish()
