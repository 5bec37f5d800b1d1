# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs trust_host on a job, under WarpSan and next to guard pages, and says how it ended."""

import dataclasses
import json
import os
import signal
import subprocess

from drivers import DRIVERS

# PoCL compiles a kernel for each local size and for offsets; this way once, which is most of the time.
POCL_QUICK = {"POCL_WORK_GROUP_SPECIALIZATION": "0"}


@dataclasses.dataclass
class End:
    """How a process of trust_host ended."""
    state: list  # the words of its state file
    code: int  # as subprocess gives it
    gaps: dict  # kernels that WarpSan names as not covered, and why
    errors: str
    findings: list = dataclasses.field(default_factory=list)  # as the summary has them
    summary: dict = dataclasses.field(default_factory=dict)

    @property
    def what(self):
        if self.state[:1] == ["done"]:
            return "done"
        if self.state[:1] == ["outside"]:
            return "outside"
        if self.code in (-signal.SIGALRM, 128 + signal.SIGALRM):
            return "hang"
        # rusticl divides in lanes that a branch has turned off.
        if self.code in (-signal.SIGFPE, 128 + signal.SIGFPE) and self.state[:1] == ["run"]:
            return "trap"
        # PoCL's LLVM ends the process where it gives up.
        if self.code in (-signal.SIGABRT, 128 + signal.SIGABRT) and self.state[:1] == ["run"]:
            return "abort"
        died = any(self.code in (-number, 128 + number) for number in (signal.SIGSEGV, signal.SIGBUS))
        return "died" if died and self.state[:1] == ["run"] else "failed"

    @property
    def refuted(self):
        """Names of kernels with a proof that a check refuted (checks=audit)."""
        return sorted({each["kernel"] for each in self.findings if each["title"].startswith("refuted proof")})

    @property
    def kernel(self):
        return self.state[1] if len(self.state) > 1 else ""


class Place:
    """Where and with what jobs run."""

    def __init__(self, driver, build, layer="guard"):
        self.build = build
        self.driver = DRIVERS[driver]
        self.layer = os.path.join(build, f"test/trust/libtrust_{layer}_layer.so")

    def run(self, folder, job, *words, options=(), environment=None, bare=False, align=1, seconds=900):
        """Runs trust_host on the job file in `folder` under WarpSan; bare: without."""
        state, summary = os.path.join(folder, "state"), os.path.join(folder, "summary.json")
        for file in (state, summary):
            if os.path.exists(file):
                os.remove(file)
        # Canaries would come between a buffer and its guard page once a kernel of the program has no twin.
        command = [os.path.join(self.build, "bin/warpsan"), "run", "--cache_dir=off", "--canaries=none", "--exit_code=0",
                   f"--summary_file={summary}", "--max_findings=100000", *options, "--"]
        command = ([] if bare else command) + [
            "/bin/sh", "-c", 'OPENCL_LAYERS="$0:$OPENCL_LAYERS" exec "$@"', self.layer,
            os.path.join(self.build, "test/trust/trust_host"), self.layer, state, job, *words]
        environment = {**os.environ, **self.driver.environment(), "WARPSAN_GUARD_ALIGN": str(align),
                       "POCL_CACHE_DIR": os.path.join(folder, "pocl"), "POCL_KERNEL_CACHE": "0", **(environment or {})}
        try:
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True,
                                  errors="replace", timeout=seconds)
            code, errors = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, errors = 128 + signal.SIGALRM, "took too long"
        words, read = [], {}
        if os.path.exists(state):
            with open(state, errors="replace") as file:
                words = file.read().split("\0")[0].split()
        if os.path.exists(summary):
            with open(summary) as file:
                read = json.load(file)
        gaps = {gap["subject"].removeprefix("kernel "): gap["reason"] for gap in read.get("gaps", [])}
        return End(words, code, gaps, errors, read.get("findings", []), read)
