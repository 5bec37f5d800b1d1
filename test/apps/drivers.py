# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The three OpenCL drivers that tests run on, and how a process meets only one.

None needs a GPU. tools/devroot installs all three; Intel's comes from PyPI and
may be missing. Its .icd file lies in a folder of its own, so that a process
that is told nothing does not load it beside the others.
"""

import dataclasses
import os
import subprocess


@dataclasses.dataclass(frozen=True)
class Driver:
    name: str
    icd: str  # the file that names the driver's library to the loader
    settings: dict = dataclasses.field(default_factory=dict)

    def environment(self, loader="ocl-icd"):
        """Variables with which `loader` offers this driver and no other.
        ocl-icd takes the .icd file; Khronos' loader takes the folder of one,
        so there it works only for a driver that has a folder of its own."""
        vendors = os.path.dirname(self.icd) if loader == "khronos" else self.icd
        return {"OCL_ICD_VENDORS": vendors, **self.settings}

    def missing(self):
        """Why this driver cannot be used here, or None."""
        if not os.path.exists(self.icd):
            return f"there is no {self.icd}"
        try:
            listing = subprocess.run(["clinfo", "--list"], env={**os.environ, **self.environment()},
                                     capture_output=True, text=True, timeout=60)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"clinfo: {error}"
        if "Device #0" not in listing.stdout:
            return f"{self.icd} gives no device"
        return None


DRIVERS = {
    driver.name: driver
    for driver in (
        Driver("pocl", "/etc/OpenCL/vendors/pocl.icd"),
        # rusticl offers no device unless it is told which of Mesa's drivers may.
        Driver("rusticl", "/etc/OpenCL/vendors/rusticl.icd", {"RUSTICL_ENABLE": "llvmpipe"}),
        Driver("intel", "/etc/OpenCL/intel/intel.icd"),
    )
}
