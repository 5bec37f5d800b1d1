# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""silx: filters, compression and projection of an image."""

import numpy as np
from scipy.ndimage import convolve, median_filter
from silx.opencl.codec.byte_offset import ByteOffset
from silx.opencl.convolution import Convolution
from silx.opencl.medfilt import MedianFilter2D
from silx.opencl.projection import Projection

from verdict import finish, step

random = np.random.default_rng(1)
image = random.random((256, 256)).astype(np.float32)

median = MedianFilter2D(image.shape, devicetype="CPU")
step("median", median.medfilt2d(image, (5, 5)), median_filter(image, 5, mode="nearest"))

box = np.ones((5, 5), np.float32)
step("convolution", Convolution(image.shape, box)(image),
     convolve(image, box, mode="reflect"), 1e-5)

counts = random.poisson(50, (100, 100)).astype(np.int32)
counts[::7, ::5] += 100000  # steps that need the codec's long form
codec = ByteOffset(0, counts.size, devicetype="CPU")
coded = codec.encode(counts).get()
decoder = ByteOffset(len(coded), counts.size, devicetype="CPU")
step("byte offset, there and back", decoder.decode(coded).get(), counts.ravel())

# Every angle sees the whole of a disc that does not reach the image's rim.
y, x = np.mgrid[-128:128, -128:128]
disc = ((x**2 + y**2) < 80**2).astype(np.float32)
sinogram = Projection(disc.shape, angles=180).projection(disc)
step("projection", sinogram.sum(axis=1), np.full(180, disc.sum()), 0.01)
finish()
