# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One side of a comparison: a program run bare, or under WarpSan, in a home and
a working folder of its own, so that no side finds another's kernel cache, unless
they are told to share the driver's."""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import time


@dataclasses.dataclass
class Run:
    """A finished run."""
    command: list
    work: str
    exit_code: int  # negative: the signal that ended it
    timed_out: bool
    seconds: float
    stdout: str
    stderr: str
    summary: dict | None  # what WarpSan wrote at its end

    def ending(self):
        if self.timed_out:
            return f"did not end within {self.seconds:.0f} s"
        if self.exit_code < 0:
            return f"ended by {signal.Signals(-self.exit_code).name}"
        return f"exit code {self.exit_code}"


def driver_caches(folder):
    """Variables with which all runs share one cache of the driver's there. Without one, rusticl translates its library of
    built-in functions in every process, which takes longer than most tests."""
    return {"POCL_CACHE_DIR": os.path.join(folder, "pocl"), "MESA_SHADER_CACHE_DIR": os.path.join(folder, "mesa")}


class Side:
    def __init__(self, folder, warpsan=None, caches=None):
        """`warpsan`: the command to put before the program's, or None for bare. `caches`: a folder for the driver's caches
        (driver_caches), which are the side's own without; WarpSan's always is."""
        self.folder = folder
        self.warpsan = warpsan
        self.caches = caches
        self.home = os.path.join(folder, "home")
        self.work = os.path.join(folder, "work")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(self.home)
        self.clear_work()

    def clear_work(self):
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)

    def environment(self, extra):
        cache = os.path.join(self.home, ".cache")
        return {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "HOME": self.home,
            "XDG_CACHE_HOME": cache,
            "XDG_CONFIG_HOME": os.path.join(self.home, ".config"),
            "XDG_DATA_HOME": os.path.join(self.home, ".local/share"),
            **(driver_caches(self.caches) if self.caches else {"POCL_CACHE_DIR": os.path.join(cache, "pocl")}),
            # The programs of test/apps are read from a checkout: leave it clean.
            "PYTHONDONTWRITEBYTECODE": "1",
            # In a sanitized tree: which leaks are the driver's. test/trust/suites.py: audit mode, a layer below WarpSan's.
            **{name: os.environ[name] for name in ("LSAN_OPTIONS", "WARPSAN_OPTIONS", "OPENCL_LAYERS",
                                                  "WARPSAN_GUARD", "WARPSAN_DISCRETE_GROUP")
               if name in os.environ},
            **extra,
        }

    def run(self, command, environment, timeout, number=1):
        """`number` tells apart the runs of one side, which share its home."""
        prefix = os.path.join(self.folder, f"{number}-")
        summary = prefix + "summary.json"
        if self.warpsan:
            command = [*self.warpsan, f"--summary_file={summary}", "--", *command]
        with open(prefix + "command", "w") as file:
            json.dump({"command": command, "environment": environment}, file, indent=1)
        start = time.monotonic()
        with open(prefix + "stdout", "wb") as out, open(prefix + "stderr", "wb") as err:
            process = subprocess.Popen(command, cwd=self.work, env=self.environment(environment),
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True)
            timed_out = False
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                timed_out = True
            finally:
                end_group(process)
        return Run(command, self.work, process.returncode, timed_out, time.monotonic() - start,
                   text_of(prefix + "stdout"), text_of(prefix + "stderr"), summary_of(summary))


def end_group(process):
    """Ends the program and all it started: nothing may outlive its run."""
    for number in signal.SIGTERM, signal.SIGKILL:
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def text_of(path):
    with open(path, errors="replace") as file:
        return file.read()


def summary_of(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None
