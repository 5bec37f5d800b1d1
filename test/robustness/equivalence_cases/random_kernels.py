# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels, launched bare and under WarpSan: a case is a launch that ran
as a twin, and its memory afterwards is the same bit for bit.

Each program is built from OpenCL C, and from SPIR-V as another project's build
makes it; each of these is run with every access checked, and as a user runs it.
There a launch that is proven runs as the driver's own kernel: it has to be the
same too, but is no case.
"""

import concurrent.futures
import os
import re
import subprocess

from drivers import DRIVERS
from generate import Program
from sides import Side

KERNELS = 12  # in one program
TIMEOUT = 900
# How SPIR-V is made. An optimizer turns loops round and makes other shapes.
LEVELS = (["-O1", "-Xclang", "-disable-llvm-passes"], ["-O2"], ["-O1"])
MODES = {"all": ["--checks=all"], "proofs": ["--checks=auto"]}
RICH = "pocl", "intel"  # have doubles and generic pointers
FULL, QUICK = 48, 1


def spirv_of(base, standard, seed):
    """The SPIR-V of a source. LLVM's optimizer may make integers that SPIR-V does not have (i4)."""
    for level in LEVELS[seed % len(LEVELS)], LEVELS[0]:
        subprocess.run(["clang-19", "-target", "spir64", standard, *level, "-w", "-fno-finite-loops", "-emit-llvm", "-c", f"{base}.cl",
                        "-o", f"{base}.bc"], check=True, timeout=300)
        done = subprocess.run(["llvm-spirv-19", "--spirv-max-version=1.1", f"{base}.bc", "-o", f"{base}.spv"],
                              capture_output=True, text=True, timeout=300)
        if done.returncode == 0:
            return f"{base}.spv"
    raise RuntimeError(f"llvm-spirv-19 {base}.bc: {done.stderr}")


def held(run):
    """[(kernel, argument, bytes)] in the order of the launches."""
    return re.findall(r"^holds (\S+) (\d+) (\S+)$", run.stdout, re.MULTILINE)


def by_launch(run):
    """[(kernel, all that it left)]: a launch shows several buffers."""
    launches = []
    for kernel, argument, data in held(run):
        if launches and launches[-1][0] == kernel and argument not in launches[-1][1]:
            launches[-1][1][argument] = data
        else:
            launches.append((kernel, {argument: data}))
    return launches


class Case:
    """One program on one driver."""

    def __init__(self, seed, driver, folder, options, tally):
        self.seed, self.driver, self.options, self.tally = seed, driver, options, tally
        self.where = "kernels", driver
        self.folder = os.path.join(folder, f"{seed}-{driver}")
        self.base = os.path.join(folder, str(seed))
        self.caches = os.path.join(folder, "driver-caches")
        self.standard = "-cl-std=CL3.0" if is_rich(seed) else "-cl-std=CL1.2"
        self.again = f"test/robustness/equivalence --part kernels --driver {driver} --seed {seed} --count 1 --keep /tmp/same"

    def run(self, form, mode):
        warpsan = None
        if mode != "bare":
            warpsan = [self.options.warpsan, "run", "--exit_code=0", *MODES[mode]]
        file = f"{self.base}.cl" if form == "source" else f"{self.base}.spv"
        return Side(os.path.join(self.folder, f"{form}-{mode}"), warpsan, self.caches).run(
            [os.path.join(self.options.build, "bin", "zoo_host"), form, file, self.standard, f"{self.base}.list"],
            DRIVERS[self.driver].environment(), TIMEOUT)

    def bare(self):
        """{form: what each launch left}"""
        bares = {}
        for form in "source", "il":
            bare = self.run(form, "bare")
            if bare.timed_out or bare.exit_code:
                # The driver's own defect; what it says is what is known of it.
                self.tally.note(self.where, "programs that do not run bare")
                self.tally.say(f"left out, kernels on {self.driver}: seed {self.seed}, {form}: {bare.ending()}: "
                               f"{(bare.stdout + bare.stderr)[-300:].strip()}")
            else:
                bares[form] = by_launch(bare)
        return bares

    def compare(self, form, mode, before, right):
        """`right`: {number of a launch that is wrong bare: what it should have left}. Such a one is no case if it is
        right as a twin."""
        run = self.run(form, mode)
        what = f"seed {self.seed}, {form}, {mode}"
        if not run.summary or run.timed_out or run.exit_code:
            self.tally.differs(self.where, f"{what}: exit code 0 became {run.ending()}: "
                               f"{(run.stdout + run.stderr)[-300:].strip()}", self.again, len(before))
            return
        launches, after = run.summary["launches"], by_launch(run)
        if run.summary["findings"]:
            self.tally.complain(self.where, f"{what}: findings: {run.summary['findings'][:3]}", self.again)
        if launches["native"]:
            self.tally.note(self.where, "launches without a twin, no cases", launches["native"])
            self.tally.say(f"no twin, kernels on {self.driver}: {what}: {run.summary['gaps'][:3]}")
        mended = [number for number, left in right.items() if number < len(after) and left == after[number]]
        changed = [number for number, pair in enumerate(zip(before, after))
                   if pair[0] != pair[1] and number not in mended]
        if len(before) != len(after):
            changed = changed or [min(len(before), len(after))]
        cases = max(launches["twin"] - len(mended) - len(changed), 0)
        self.tally.count(self.where, cases, cases)
        if mended:
            self.tally.note(self.where, "launches that are wrong bare and right as twins, no cases", len(mended))
        self.tally.note(self.where, f"launches {form} {mode} as twins", launches["twin"])
        self.tally.note(self.where, "proven launches, no cases", launches["proven"])
        if changed:
            kernels = sorted({before[number][0] for number in changed if number < len(before)})
            self.tally.differs(self.where, f"{what}: {len(changed)} launches of {', '.join(kernels)}: "
                               f"{difference(before[changed[0]][1], after[changed[0]][1])}", self.again, len(changed))


def difference(before, after):
    for argument, data in before.items():
        other = after.get(argument, "")
        for at in range(0, len(data), 2):
            if data[at:at + 2] != other[at:at + 2]:
                return f"argument {argument} at byte {at // 2}: {data[at:at + 16]} became {other[at:at + 16]}"
    return "other arguments"


def is_rich(seed):
    return seed % 3 == 0


def make(seed, folder):
    base = os.path.join(folder, str(seed))
    os.makedirs(folder, exist_ok=True)
    program = Program(seed, KERNELS, is_rich(seed))
    with open(f"{base}.cl", "w") as file:
        file.write(program.text)
    with open(f"{base}.list", "w") as file:
        file.write("\n".join(line for _, lines in program.kernels for line in lines) + "\n")
    spirv_of(base, "-cl-std=CL3.0" if is_rich(seed) else "-cl-std=CL1.2", seed)


def cross_check(seed, results, tally):
    """Results are defined, so all drivers and forms agree; where not, a driver compiles wrongly, or this test is wrong.
    {(driver, form): {number of a launch: what all others but one at most have left}}"""
    sides = {(driver, form): dict(enumerate(launches)) for driver, forms in results.items()
             for form, launches in forms.items()}
    right = {side: {} for side in sides}
    for number in range(max((len(each) for each in sides.values()), default=0)):
        said = {}
        for side, launches in sides.items():
            said.setdefault(str(launches.get(number)), []).append(side)
        if len(said) > 1:
            few = min(said.values(), key=len)
            many = max(said.values(), key=len)
            kernel = next(iter(sides.values()))[number][0]
            tally.note(("kernels", few[0][0]), "launches that bare drivers disagree on")
            tally.say(f"bare drivers disagree: seed {seed}, launch {number} of {kernel}: alone are "
                      f"{', '.join(' '.join(each) for each in few)}")
            if len(many) >= 3 and len(sides) - len(many) <= 1:
                right[few[0]][number] = sides[many[0]][number]
    return right


def run(options, folder, tally):
    first = options.seed or 1
    count = options.count or (QUICK if options.quick else FULL)
    def one(seed):
        make(seed, folder)
        cases = {driver: Case(seed, driver, folder, options, tally) for driver in options.drivers
                 if driver in RICH or not is_rich(seed)}
        results = {driver: case.bare() for driver, case in cases.items()}
        right = cross_check(seed, results, tally)
        for driver, forms in results.items():
            for form, before in forms.items():
                for mode in MODES:
                    cases[driver].compare(form, mode, before, right[driver, form])
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(one, range(first, first + count)):
            pass
