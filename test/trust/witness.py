# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that WarpSan was wrong about: seen again alone, reduced, and written as text that can be replayed."""

import os
import subprocess
import tempfile

import reduce
from drivers import DRIVERS
from place import Place

AUDIT = ("--checks=audit", )


def is_well_formed(source):
    """Whether it compiles, and a reduction did not leave out what a variable or a function's value is."""
    done = subprocess.run(["clang-19", "-target", "spir64", "-cl-std=CL3.0", "-Xclang", "-finclude-default-header",
                           "-fsyntax-only", "-Werror=return-type", "-Werror=uninitialized",
                           "-Werror=sometimes-uninitialized", source], capture_output=True, timeout=60, check=False)
    return done.returncode == 0


def is_refutation(end, name, audits):
    """Whether a run of one kernel shows that WarpSan was wrong."""
    return name in end.refuted if audits else end.what in ("died", "outside") and name not in end.gaps


class Witness:
    """A kernel and exact launches (lines of a job), one of which WarpSan was wrong about."""

    def __init__(self, kernel, launches, how, audits):
        self.kernel, self.launches, self.how, self.audits = kernel, launches, how, audits

    def is_shown_by(self, text, place, folder, launches=None):
        """Whether a launch still goes wrong with this text of the kernel."""
        source, job = os.path.join(folder, "reduced.cl"), os.path.join(folder, "reduced.txt")
        with open(source, "w") as file:
            file.write(text)
        if not is_well_formed(source):
            return False
        with open(job, "w") as file:
            file.write(f"program {source}\n{self.kernel.job(launches or self.launches)}")
        end = place.run(folder, job, "--exact", *(["--twins"] if self.audits else []), options=AUDIT if self.audits else (),
                        seconds=60)
        return is_refutation(end, self.kernel.name, self.audits)

    def is_of_driver(self, place, folder):
        """True if its launches are right alone on this driver, and bare on the others: then it is the driver that
        compiled the kernel wrongly beside those others of its program."""
        if self.audits or self.is_shown_by(self.kernel.text, place, folder):
            return False
        others = [name for name, driver in DRIVERS.items() if name != place.driver.name and not driver.missing()]
        job = os.path.join(folder, "reduced.txt")
        return bool(others) and all(
            Place(name, place.build).run(folder, job, "--exact", bare=True, seconds=60).what == "done" for name in others)

    def describe(self, text, driver, confirmed):
        audit = " --audit" if self.audits else ""
        return (f"// REFUTED on {driver}: {self.how}.\n"
                f"// {'Confirmed' if confirmed else 'Not seen again when run'} alone. Seed {self.kernel.seed}.\n"
                f"// Again: test/trust/kernels.py --driver {driver}{audit} --replay THIS_FILE. The job of trust_host:\n// " +
                self.kernel.job(self.launches).strip().replace("\n", "\n// ") + f"\n{text}")

    def reduced(self, place, folder, reduces):
        """The witness as text."""
        text = self.kernel.text
        confirmed = self.is_shown_by(text, place, folder)
        if confirmed:
            alone = (each for each in self.launches if len(self.launches) > 1 and self.is_shown_by(text, place, folder, [each]))
            self.launches = [each for each in [next(alone, None)] if each] or self.launches
        if confirmed and reduces:
            text = reduce.reduce(text, lambda smaller: self.is_shown_by(smaller, place, folder))
        return self.describe(text, place.driver.name, confirmed)


def replay(path, place, audits):
    """Runs a witness again; how it ended."""
    with open(path) as file:
        lines = file.read().split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("// kernel "))
    job = [line.removeprefix("// ") for line in lines[first:] if line.startswith("// ")]
    name = job[0].split()[1]
    with tempfile.TemporaryDirectory(prefix="warpsan-trust-") as folder:
        with open(os.path.join(folder, "job.txt"), "w") as file:
            file.write("\n".join([f"program {os.path.abspath(path)}", *job]) + "\n")
        end = place.run(folder, os.path.join(folder, "job.txt"), "--exact", *(["--twins"] if audits else []),
                        options=AUDIT if audits else ())
    covered = f", not covered: {end.gaps}" if end.gaps else ""
    print(f"{path}: {end.what}, exit code {end.code}, {' '.join(end.state)}, refuted by audit: {end.refuted}{covered}")
    return int(end.what != "done" or is_refutation(end, name, audits))
