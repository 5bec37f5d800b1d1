# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs piglit's cl-program-tester on each of its execute tests, and prints one
line a test: its result, and those of its kernels that did not pass.

    piglit.py [--without NAME]... [NAME...]     NAME as printed, e.g. bswap.cl
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess

HOME = pathlib.Path("/usr/lib/x86_64-linux-gnu/piglit")
TESTS = HOME / "tests/cl/program/execute"
TIMEOUT = 120  # seconds; the slowest takes a few


def run(test):
    """(overall result, {kernel: result} of the others than passed)"""
    tester = subprocess.Popen([HOME / "bin/cl-program-tester", TESTS / test],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        output, _ = tester.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        tester.kill()
        tester.communicate()
        return f"no end after {TIMEOUT} s", {}
    result, kernels = "no result", {}
    for line in output.splitlines():
        if not line.startswith("PIGLIT: "):
            continue
        report = json.loads(line.removeprefix("PIGLIT: "))
        result = report.get("result", result)
        kernels |= report.get("subtest", {})
    if tester.returncode < 0:
        result = signal.Signals(-tester.returncode).name
    return result, {name: got for name, got in kernels.items() if got != "pass"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--without", action="append", default=[])
    options = parser.parse_args()
    # The tester looks for the files that a test includes from here.
    os.environ["PIGLIT_SOURCE_DIR"] = str(HOME)
    tests = options.tests or sorted(str(file.relative_to(TESTS)) for file in TESTS.rglob("*")
                                    if file.suffix in (".cl", ".program_test"))
    counts = {}
    for test in tests:
        if test in options.without:
            continue
        result, others = run(test)
        counts[result] = counts.get(result, 0) + 1
        print(test, result, *(f"{name}:{got}" for name, got in sorted(others.items())), flush=True)
    print("together:", ", ".join(f"{count} {result}" for result, count in sorted(counts.items())))


main()
