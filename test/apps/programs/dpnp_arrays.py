# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dpnp, NumPy on SYCL: SPIR-V modules, unified shared memory, sub-groups."""

import dpctl
import dpnp
import numpy as np

from verdict import finish, step

queue = dpctl.SyclQueue("opencl:cpu")


def both(make):
    """The same array on the device and on the host."""
    return make(dpnp, {"sycl_queue": queue}), make(np, {})


def compare(name, compute, *arrays, allowed=0.0):
    device = compute(dpnp, *(array[0] for array in arrays))
    host = compute(np, *(array[1] for array in arrays))
    step(name, dpnp.asnumpy(device), host, allowed)


line = both(lambda lib, on: lib.arange(1 << 16, dtype=np.float32, **on))
wave = both(lambda lib, on: lib.sin(lib.arange(1 << 16, dtype=np.float32, **on)))
square = both(lambda lib, on: lib.reshape(lib.arange(40000, dtype=np.float32, **on) % 17, (200, 200)))
shuffled = both(lambda lib, on: (lib.arange(50000, **on) * 7919) % 50021)
remainders = both(lambda lib, on: lib.arange(1000, **on) % 13)
ones = both(lambda lib, on: lib.ones(10000, dtype=np.int64, **on))

compare("sine", lambda lib, x: x, wave, allowed=1e-5)
compare("expression", lambda lib, x, y: y * 2 + x[::-1], line, wave, allowed=1e-6)
compare("sum", lambda lib, x: x.sum(), line, allowed=1e-5)
compare("product", lambda lib, x: x @ x, square, allowed=1e-5)
compare("sort", lambda lib, x: lib.sort(x), shuffled)
compare("running sum", lambda lib, x: lib.cumsum(x), ones)
compare("where the largest is", lambda lib, x: lib.argmax(x), shuffled)
compare("distinct", lambda lib, x: lib.unique(x), remainders)
compare("take", lambda lib, x, y: lib.take(x, y), line, remainders)
compare("choose", lambda lib, x: lib.where(x > 100, x, lib.zeros_like(x)), line)
compare("Fourier transform", lambda lib, x: lib.fft.fft(x[:1024]), line, allowed=1e-5)
finish()
