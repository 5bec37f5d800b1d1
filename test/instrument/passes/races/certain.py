# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For certain.cl: prints which accesses of a manifest are certain."""

import json
import sys

manifest = json.load(sys.stdin)
for kernel in manifest["kernels"]:
    conditions = kernel["claims"]["conditions"]
    said = []
    for access in kernel["races"]["accesses"]:
        site, certain, in_loop = access[0], access[7], access[8]
        location, = [each["at"] for each in kernel["sites"] if each["id"] == site]
        count, at = 0, certain - 1
        while at > 0:
            count, at = count + 1, conditions[at][1]
        said.append(f"{manifest['locations'][location]['line']}:{count if certain else '-'}{' in loop' if in_loop else ''}")
    print(kernel["name"], "|", *said)
