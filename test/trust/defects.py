# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defects that were shown by programs of users, and the tests that show that they are fixed.

A defect is fixed if it has a test, and each of its tests passes on every driver
that is installed. `pairs` are names in pairs_regressions.py, `tests` are regular
expressions of CTest's names; each must match a test that runs.
"""

import dataclasses
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass(frozen=True)
class Defect:
    name: str
    what: str
    pairs: tuple = ()
    tests: tuple = ()


DEFECTS = [
    # "No errors", and there is one.
    Defect("A", "a choice's bounds are about another representative", ("choice_representative",), (r"unit\.proof",)),
    Defect("B", "a remainder's counter takes other values too", ("remainder_or_other",), (r"command\.explain",)),
    Defect("C", "signed overflow, which drivers assume not to happen", ("signed_overflow",)),
    Defect("D", "predefined macros that WarpSan's compiler does not have", ("predefined_macros",)),
    Defect("E", "bad accesses are deleted before instrumentation",
           ("constant_index_private", "negative_index_private", "helper_fills_private", "constant_index_member",
            "constant_index_constant", "dead_load")),
    Defect("F", "out-parameters of three elements are written as four", ("out_parameter_of_three",)),
    Defect("G", "reads through a sampler with CLK_ADDRESS_NONE"),
    Defect("H", "masked and unknown intrinsics that access memory"),
    Defect("L", "guards that drivers do not keep at divergent barriers", ("divergent_barrier",)),
    Defect("1", "records that a device keeps in its own memory", (), (r"trust\.discrete\.findings",)),
    Defect("2", "value ranges of buffers whose device address is known"),
    Defect("3", "clEnqueueSVMFree on an out-of-order queue"),
    Defect("4", "clEnqueueSVMFreeARM"),
    Defect("5", "a rebuild that the driver refuses"),
    # Another result than without WarpSan.
    Defect("6", "core functions fetched by address"),
    Defect("7", "clEnqueueWriteGlobalVariableINTEL"),
    Defect("8", "build options of each device"),
    Defect("9", "mutable commands and program-scope variables"),
    Defect("10", "mappings that are exchanged for others of the same size"),
    Defect("13", "the type of a freed USM allocation"),
    Defect("14", "the suggested local size of twins"),
    Defect("J", "pointers computed from loaded integers"),
    Defect("K", "prefetch is a hint", ("prefetch_past_the_end",)),
    # Hangs and crashes.
    Defect("11", "fork while findings are reported"),
    Defect("12", "a setter's launch with a wrong wait list"),
    Defect("I", "irreducible loops", ("duffs_device",)),
    Defect("M", "loops that end only on a value"),
    Defect("N", "compile time of long kernels"),
    Defect("O", "Intel: a twin dies at a bad read of private memory"),
    # Reported wrongly, or not at all.
    Defect("P", "the same kernel name, line and column in two programs"),
    Defect("Q", "contraction of a * b + c"),
    Defect("R", "builtins whose value is left open", ("clamp_swapped", "clamp_swapped_high", "clamp_swapped_char", "mul24_beyond")),
    Defect("S", "flexible array members", ("flexible_member",)),
    Defect("T", "element numbers of members"),
    Defect("U", "kernels with more than a hundred pointers"),
    Defect("V", "PoCL: write_imageui of image arrays"),
    Defect("W", "the summary after a crash"),
    Defect("X", "explanations, order and counts of findings"),
    Defect("Y", "doctor: caches and missing driver libraries"),
    Defect("Z", "modes of report files, daemons, backtraces"),
]


def wrong_pairs(driver, build):
    """Names of the pairs of regressions that fail on a driver."""
    groups = ["regressions", "predefined_macros", "duffs_device", "flexible_member"]
    words = [word for group in groups for word in ("--group", group)]
    done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "pairs.py"), "--driver", driver, "--build", build,
                           *words], capture_output=True, text=True, check=False)
    names = {name for defect in DEFECTS for name in defect.pairs}
    lines = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
    if done.returncode not in (0, 1, 77):
        return names, done.stdout + done.stderr
    return {name for name in names if any(re.search(rf"\b(t_)?{name}\b", line) for line in lines)}, "\n".join(lines)


def failing_tests(build, patterns):
    """The patterns that match no test of CTest, or one that fails."""
    if not patterns:
        return set()
    listed = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^\s+Test\s+#\d+: (\S+)", listed, re.MULTILINE)
    missing = {pattern for pattern in patterns if not any(re.search(pattern, name) for name in names)}
    done = subprocess.run(["ctest", "--test-dir", build, "-R", "|".join(f"({pattern})" for pattern in patterns)],
                          capture_output=True, text=True, check=False)
    passed = re.findall(r"Test\s+#\d+: (\S+) \.*\s*Passed", done.stdout)
    failed = re.findall(r"Test\s+#\d+: (\S+) \.*\s*\*\*\*(?!Skipped)", done.stdout)
    return missing | {pattern for pattern in patterns
                      if any(re.search(pattern, name) for name in failed)
                      or not any(re.search(pattern, name) for name in passed)}


def run(drivers, build, with_tests=True):
    """(defects, fixed); prints those that are not fixed."""
    wrong, details = set(), []
    for driver in drivers:
        bad, text = wrong_pairs(driver, build)
        wrong |= bad
        details += [f"defects on {driver}: {text}"] if bad else []
    patterns = {pattern for defect in DEFECTS for pattern in defect.tests} if with_tests else set()
    failing = failing_tests(build, sorted(patterns))
    fixed = 0
    for defect in DEFECTS:
        bad = [*(name for name in defect.pairs if name in wrong), *(test for test in defect.tests if test in failing)]
        has_any = bool(defect.pairs or defect.tests)
        if has_any and not bad:
            fixed += 1
        else:
            print(f"defects: {defect.name} is not fixed ({defect.what}): "
                  f"{', '.join(bad) if has_any else 'no test is named'}", flush=True)
    for text in details:
        print(text)
    return len(DEFECTS), fixed
