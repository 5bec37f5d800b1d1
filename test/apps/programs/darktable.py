# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""darktable-cli on a device that it would refuse.

    darktable.py IN OUT

It takes no CPU for OpenCL unless its settings say so, and what it calls the
device there it knows best: a first export writes the settings, this allows the
device in them, and a second export uses it.
"""

import os
import re
import subprocess
import sys

source, target = sys.argv[1:]
settings = os.path.expanduser("~/darktable")
file_name = os.path.join(settings, "darktablerc")


def export(to):
    if os.path.exists(to):
        os.remove(to)  # else it writes beside it, under another name
    command = ["darktable-cli", source, to, "--core", "--configdir", settings, "-d", "opencl"]
    for setting in ("opencl=TRUE", "clplatform_portablecomputinglanguage=TRUE", "clplatform_rusticl=TRUE",
                    "clplatform_other=TRUE"):
        command += ["--conf", setting]
    return subprocess.run(command).returncode


if not os.path.exists(file_name):
    code = export("first-" + target)
    if code:
        sys.exit(code)
    with open(file_name) as file:
        text = file.read()
    # The eighth field is "disabled".
    text, count = re.subn(r"^(cldevice_v5_\w+=(?:\S+ ){7})1 ", r"\g<1>0 ", text, flags=re.M)
    if not count:
        sys.exit("darktable saw no device that it could be allowed")
    with open(file_name, "w") as file:
        file.write(text)
sys.exit(export(target))
