# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every OpenCL test of Debian's piglit, bare and under WarpSan with every access
checked: a case is a test, and how it ends and all that it prints is the same.

Files are given to cl-program-tester; the programs cl-api-*, cl-custom-* and
cl-program-* are tests by themselves. Known errors in piglit's tests
(docs/explanation/case-studies.md) have to be found and are no cases: with what is wrong left out,
some of them end in another way.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess

from drivers import DRIVERS
from rows import PIGLIT, PIGLIT_BUGS
from sides import Side

HOME = pathlib.Path(PIGLIT)
FILES = ".cl", ".program_test"
TIMEOUT = 300  # seconds; the slowest takes half a minute on rusticl
EXECUTE = "tests/cl/program/execute/"
# Patterns of those that are not run, and why.
WITHOUT = {
    "bin/cl-interop-egl_khr_cl_event2": "needs a display",
    "bin/cl-program-tester": "is what runs the files",
    # Bare, PoCL crashes and Intel's runtime fails.
    "generated_tests/cl/vstore/vstorea_half-.*-private.cl":
        "store to an array of shorts as to an aligned vector: where the array is placed decides",
}
# Errors of tests that end as they would without them: pattern of the test,
# kernel, part of the title (docs/explanation/case-studies.md).
ERRORS = (
    ("generated_tests/cl/vload/vload(_half)?-.*-(local|private).cl", "vloada?(_half)?3_(local|private)_offset",
     "out-of-bounds read, just past the end of 'in'"),
    ("bin/cl-program-bitcoin-phatk", "search", "read of a write-only buffer"),
)


def all_tests():
    files = [file for folder in ("tests/cl", "generated_tests/cl") for file in (HOME / folder).rglob("*")
             if file.suffix in FILES]
    names = [*files, *(HOME / "bin").glob("cl-*")]
    return sorted(name for file in names if not is_without(name := str(file.relative_to(HOME))))


def is_without(name):
    return any(re.fullmatch(pattern, name) for pattern in WITHOUT)


def install(checkout):
    if not HOME.exists():
        subprocess.run([os.path.join(checkout, "tools/devroot"), "want", "apps"], check=True)


def command_of(name):
    if name.startswith("bin/"):
        return [str(HOME / name), "-auto"]
    return [str(HOME / "bin/cl-program-tester"), str(HOME / name)]


def known_errors(name):
    return PIGLIT_BUGS.get(name.removeprefix(EXECUTE), {}) if name.startswith(EXECUTE) else {}


class Test:
    def __init__(self, name, driver, folder, tally, warpsan):
        self.name, self.driver, self.tally, self.warpsan = name, driver, tally, warpsan
        self.where = "piglit", driver
        self.folder = os.path.join(folder, driver, name.replace("/", "_"))
        self.caches = os.path.join(folder, "driver-caches")
        self.again = f"test/robustness/equivalence --part piglit --driver {driver} --only {name}"

    def run(self, side):
        warpsan = None
        if side == "twin":
            warpsan = [self.warpsan, "run", "--checks=all", "--exit_code=0", "--verbosity=0"]
        environment = {**DRIVERS[self.driver].environment(), "PIGLIT_SOURCE_DIR": str(HOME)}
        return Side(os.path.join(self.folder, side), warpsan, self.caches).run(command_of(self.name), environment, TIMEOUT)

    def judge(self):
        bare, twin = self.run("bare"), self.run("twin")
        found = {(each["kernel"], each["title"]) for each in (twin.summary or {}).get("findings", ())}
        known = known_errors(self.name)
        harmless = {each for each in found if any(
            re.fullmatch(test, self.name) and re.fullmatch(kernel, each[0]) and part in each[1]
            for test, kernel, part in ERRORS)}
        if harmless:
            self.tally.note(self.where, "of them with a known error")
        strange = [each for each in sorted(found - harmless) if each[0] not in known]
        if strange:
            self.tally.complain(self.where, f"{self.name}: findings: {strange}", self.again)
        if known:
            missed = set(known) - {kernel for kernel, _ in found}
            # Without what a driver lacks, such as atomics of 64 bits, piglit skips the test.
            if missed and '"result": "skip"' not in bare.stdout:
                self.tally.complain(self.where, f"{self.name}: not found: {sorted(missed)}", self.again)
            self.tally.note(self.where, "with known errors, no cases")
            return
        # Where there is a report, stderr has it.
        before, after = outcome(bare, not harmless), outcome(twin, not harmless)
        if before == after:
            self.tally.count(self.where, 1, 1)
            self.note_launches(twin)
            return
        again = outcome(self.run("bare"), not harmless)
        if again != before:
            self.tally.note(self.where, "do not do the same twice bare, no cases")
            self.tally.say(f"left out, piglit on {self.driver}: {self.name}: bare, {first_difference(before, again)}")
            return
        self.tally.differs(self.where, f"{self.name}: {first_difference(before, after)}", self.again)

    def note_launches(self, run):
        launches = (run.summary or {}).get("launches")
        if launches is None:
            self.tally.complain(self.where, f"{self.name}: WarpSan wrote no summary", self.again)
        elif launches["native"]:
            self.tally.note(self.where, "with launches that had no twin")
            self.tally.say(f"no twin, piglit on {self.driver}: {self.name}: {run.summary['gaps']}")
        elif launches["seen"]:
            self.tally.note(self.where, "with twins only")
        else:
            self.tally.note(self.where, "without a launch")


def outcome(run, whole=True):
    """Lines, without addresses: some tests print handles."""
    if run.timed_out:
        return run.ending()
    return [run.ending(), *re.sub(r"0x[57][0-9a-f]{11}\b", "ADDRESS", run.stdout + run.stderr * whole).splitlines()]


def first_difference(before, after):
    if isinstance(before, str) or isinstance(after, str):
        return f"{before if isinstance(before, str) else before[0]} became {after if isinstance(after, str) else after[0]}"
    for one, other in zip(before, after):
        if one != other:
            return f"'{one}' became '{other}'"
    return f"{len(before)} lines became {len(after)}: {(before + after)[min(len(before), len(after)):][:3]}"


def chosen(names, quick):
    """A few of each folder for CI."""
    return names[5::90] if quick else names


def run(options, folder, tally):
    install(options.checkout)
    names = chosen(all_tests(), options.quick)
    if options.only:
        names = [name for name in all_tests() if options.only in name]
    tests = [Test(name, driver, folder, tally, options.warpsan) for name in names for driver in options.drivers]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(Test.judge, tests):
            pass
