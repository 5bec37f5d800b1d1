# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""VkFFT: a 2-D transform, forwards and back, with kernels made for its size."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyvkfft.opencl import VkFFTApp

from verdict import finish, step

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = np.random.default_rng(1)
host = (random.random((64, 48)) + 1j * random.random((64, 48))).astype(np.complex64)
device = cl_array.to_device(queue, host)
app = VkFFTApp(device.shape, device.dtype, queue, ndim=2)
app.fft(device)
step("forwards", device.get(), np.fft.fft2(host), 1e-5)
app.ifft(device)
step("and back", device.get(), host, 1e-5)
finish()
