# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sasmodels: scattering curves in OpenCL against the same model built by cc."""

import os

os.environ.setdefault("SAS_OPENCL", "0")  # the first platform; read on import

import numpy as np
from sasmodels.core import load_model
from sasmodels.direct_model import call_kernel

from verdict import finish, step

q = np.logspace(-3, -1, 200)
spread = {"radius": 50.0, "radius_pd": 0.1, "radius_pd_n": 20, "radius_pd_nsigma": 3}


def curve(name, platform, dtype):
    return call_kernel(load_model(name, platform=platform, dtype=dtype).make_kernel([q]), spread)


for name in "cylinder", "sphere":
    step(name, curve(name, "ocl", "single"), curve(name, "dll", "double"), 1e-4)
finish()
