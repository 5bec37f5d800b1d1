# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The other suites with an oracle beside them.

audit: with --checks=audit, so that a proof which is wrong fails its suite.
guard: with memory that ends, then begins, at an inaccessible page, so that a
native launch which leaves its memory ends its process.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "apps"))

from drivers import DRIVERS  # noqa: E402

CHECKOUT = os.path.dirname(os.path.dirname(HERE))

BENCH = ("bench/run", "--rounds", "1")
SUITES = {
    "audit": (("zoo", ("test/zoo/run", "--checks", "audit")), ("cuda", ("test/cuda/run", "--checks", "audit")), ("bench", BENCH),
              ("apps", ("test/apps/run",))),
    "guard": (*((f"soundness, {driver}", ("test/soundness/launched", "--driver", driver, "--cases", "400"))
                for driver in DRIVERS),
              ("bench", BENCH), ("apps", ("test/apps/run", "--quick"))),
}


def environments(oracle, build):
    """What the suites run with, by name."""
    if oracle == "audit":
        return {"": {"WARPSAN_OPTIONS": "checks=audit"}}
    layer = os.path.join(build, "test/trust/libtrust_guard_layer.so")
    return {f" {mode}": {"OPENCL_LAYERS": layer, "WARPSAN_GUARD": mode} for mode in ("end", "begin")}


def run(oracle, build):
    """(suites, failed). Prints what each suite printed last, and all of one that failed."""
    count = failed = 0
    for mode, environment in environments(oracle, build).items():
        for name, command in SUITES[oracle]:
            done = subprocess.run([os.path.join(CHECKOUT, command[0]), *command[1:]], env={**os.environ, **environment},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            count += 1
            failed += done.returncode != 0
            lines = done.stdout.splitlines()
            print("\n".join(lines if done.returncode else lines[-1:]))
            print(f"{oracle}{mode}, {name}: {'failed' if done.returncode else 'passed'}", flush=True)
    return count, failed


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], os.path.join(CHECKOUT, "build"))[1])
