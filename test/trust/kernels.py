#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random kernels next to guard pages, and looks for launches that WarpSan was wrong about.

    test/trust/kernels.py --driver pocl --kernels 10000 --seed 1

A launch that WarpSan runs as the native kernel, because it claims that every
access is in bounds, and that dies of SIGSEGV or changes bytes outside of its
buffers, is a refutation. It is reduced and printed, with what runs it again.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "apps")]

import reduce  # noqa: E402
from drivers import DRIVERS  # noqa: E402
from generate import Kernel  # noqa: E402
from statements import Statements  # noqa: E402

BATCH = 50  # kernels a program: a driver's compiler takes longest to start


@dataclasses.dataclass
class End:
    """How a process of trust_host ended."""
    state: list  # the words of its state file
    code: int  # as subprocess gives it
    gaps: dict  # kernels that WarpSan names as not covered, and why
    errors: str

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
        died = any(self.code in (-number, 128 + number) for number in (signal.SIGSEGV, signal.SIGBUS))
        return "died" if died and self.state[:1] == ["run"] else "failed"

    @property
    def kernel(self):
        return self.state[1] if len(self.state) > 1 else ""


class Place:
    """Where and with what jobs run."""

    def __init__(self, driver, build, layer="guard"):
        self.build = build
        self.driver = DRIVERS[driver]
        self.layer = os.path.join(build, f"test/trust/libtrust_{layer}_layer.so")

    def run(self, folder, job, *words, options=(), bare=False, align=1, seconds=900):
        """Runs trust_host on the job file in `folder` under WarpSan; bare: without."""
        state, summary = os.path.join(folder, "state"), os.path.join(folder, "summary.json")
        for file in (state, summary):
            if os.path.exists(file):
                os.remove(file)
        # Each job has kernels that no other has: caches would only grow. Canaries would come between a buffer and
        # its guard page once a kernel of the program has no twin.
        command = [os.path.join(self.build, "bin/warpsan"), "run", "--cache_dir=off", "--canaries=none", "--exit_code=0",
                   f"--summary_file={summary}", "--max_findings=100000", *options, "--"]
        command = ([] if bare else command) + [
            "/bin/sh", "-c", 'OPENCL_LAYERS="$0:$OPENCL_LAYERS" exec "$@"', self.layer,
            os.path.join(self.build, "test/trust/trust_host"), self.layer, state, job, *words]
        environment = {**os.environ, **self.driver.environment(), "WARPSAN_GUARD_ALIGN": str(align),
                       "POCL_CACHE_DIR": os.path.join(folder, "pocl"), "POCL_KERNEL_CACHE": "0"}
        try:
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True,
                                  errors="replace", timeout=seconds)
            code, errors = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, errors = 128 + signal.SIGALRM, "took too long"
        words, gaps = [], {}
        if os.path.exists(state):
            with open(state, errors="replace") as file:
                words = file.read().split("\0")[0].split()
        if os.path.exists(summary):
            with open(summary) as file:
                gaps = {gap["subject"].removeprefix("kernel "): gap["reason"] for gap in json.load(file)["gaps"]}
        return End(words, code, gaps, errors)


def write_job(folder, kernels, name="job"):
    """Writes the program and the job of some kernels; the path of the job."""
    source, job = os.path.join(folder, f"{name}.cl"), os.path.join(folder, f"{name}.txt")
    with open(source, "w") as file:
        file.write("\n".join(kernel.text for kernel in kernels))
    with open(job, "w") as file:
        file.write(f"program {source}\n" + "".join(kernel.job() for kernel in kernels))
    return job


def counts_of(end):
    words = end.state[1:]
    return collections.Counter({words[i]: int(words[i + 1]) for i in range(0, len(words), 2)})


def is_well_formed(source):
    """Whether it compiles, and a reduction did not leave out what a variable or a function's value is."""
    done = subprocess.run(["clang-19", "-target", "spir64", "-cl-std=CL3.0", "-Xclang", "-finclude-default-header",
                           "-fsyntax-only", "-Werror=return-type", "-Werror=uninitialized",
                           "-Werror=sometimes-uninitialized", source], capture_output=True, timeout=60, check=False)
    return done.returncode == 0


class Witness:
    """A launch that WarpSan was wrong about."""

    def __init__(self, kernel, end):
        self.kernel, self.end = kernel, end
        # The state: run NAME LAUNCH MODE SIZES...
        self.launch = kernel.launches[int(end.state[2])] + " " + " ".join(end.state[4:])

    def is_shown_by(self, text, place, folder):
        """Whether the launch still goes wrong, and was claimed to be in bounds, with this text of the kernel."""
        source, job = os.path.join(folder, "reduced.cl"), os.path.join(folder, "reduced.txt")
        with open(source, "w") as file:
            file.write(text)
        if not is_well_formed(source):
            return False
        with open(job, "w") as file:
            file.write(f"program {source}\n{self.kernel.job([self.launch])}")
        end = place.run(folder, job, "--exact", seconds=60)
        return end.what in ("died", "outside") and self.kernel.name not in end.gaps

    def describe(self, text, driver, confirmed):
        how = "bytes outside of a buffer changed" if self.end.what == "outside" else "it died of a signal"
        return (f"// REFUTED on {driver}: WarpSan ran the native kernel, and {how}.\n"
                f"// {'Confirmed' if confirmed else 'Not seen again when run'} alone. Seed {self.kernel.seed}, "
                f"state: {' '.join(self.end.state)}\n"
                f"// Again: test/trust/kernels.py --driver {driver} --replay THIS_FILE. The job of trust_host:\n// " +
                self.kernel.job([self.launch]).strip().replace("\n", "\n// ") + f"\n{text}")


def reduce_witness(witness, place, folder, reduces):
    """The witness as text."""
    confirmed = witness.is_shown_by(witness.kernel.text, place, folder)
    text = witness.kernel.text
    if confirmed and reduces:
        text = reduce.reduce(text, lambda smaller: witness.is_shown_by(smaller, place, folder))
    return witness.describe(text, place.driver.name, confirmed)


def run_batch(seeds, place, options):
    """Counts of what became of some kernels."""
    count = collections.Counter()
    kernels = [Kernel(seed) for seed in seeds]
    with tempfile.TemporaryDirectory(prefix="warpsan-trust-", dir=options.scratch) as folder:
        job = write_job(folder, kernels)
        named = {kernel.name: kernel for kernel in kernels}
        words, left = [], list(named)
        while left:
            end = place.run(folder, job, *words, *(["--twins"] if options.twins else []))
            if left[0] in end.gaps:
                # WarpSan instrumented nothing of the program: which kernel is to blame?
                if len(seeds) > 1:
                    middle = len(seeds) // 2
                    return run_batch(seeds[:middle], place, options) + run_batch(seeds[middle:], place, options)
                count["gaps"] += 1
                print(f"kernels: seed {seeds[0]} is not covered: {end.gaps[left[0]]}", flush=True)
            if end.what == "done":
                count += counts_of(end)
                break
            if end.what == "failed" or end.kernel not in named:
                count["failed"] += 1
                print(f"kernels: seeds {seeds[0]} to {seeds[-1]}, exit code {end.code}, {' '.join(end.state)}: "
                      f"{end.errors[-600:]}", flush=True)
                break
            # The launches before it are lost from the counts, the kernels are not.
            done = left.index(end.kernel) + 1
            count["kernels"] += done
            left = left[done:]
            words = ["--after", end.kernel]
            if end.what in ("hang", "trap"):
                count["hangs"] += 1
                print(f"kernels: seed {named[end.kernel].seed}: {end.what}, {' '.join(end.state)}", flush=True)
            elif end.kernel not in end.gaps:
                count["refuted"] += 1
                report_witness(Witness(named[end.kernel], end), place, folder, options,
                               count["refuted"] <= options.reduce)
    return count


def report_witness(witness, place, folder, options, reduces):
    text = reduce_witness(witness, place, folder, reduces)
    print(text, flush=True)
    if options.out:
        with open(os.path.join(options.out, f"{place.driver.name}_{witness.kernel.name}.cl"), "w") as file:
            file.write(text)


def replay(path, place):
    """Runs a witness again; how it ended."""
    with open(path) as file:
        lines = file.read().split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("// kernel "))
    job = [line.removeprefix("// ") for line in lines[first:] if line.startswith("// ")]
    with tempfile.TemporaryDirectory(prefix="warpsan-trust-") as folder:
        with open(os.path.join(folder, "job.txt"), "w") as file:
            file.write("\n".join([f"program {os.path.abspath(path)}", *job]) + "\n")
        end = place.run(folder, os.path.join(folder, "job.txt"), "--exact")
    covered = f", not covered: {end.gaps}" if end.gaps else ""
    print(f"{path}: {end.what}, exit code {end.code}, {' '.join(end.state)}{covered}")
    return int(end.what != "done")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", choices=DRIVERS, default="pocl")
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="the first; each kernel has the next one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--twins", action="store_true", help="launch twins too (host.cpp)")
    parser.add_argument("--no-goto", action="store_true", help="no loops that are entered at two places")
    parser.add_argument("--reduce", type=int, default=1, help="how many witnesses of a batch are reduced")
    parser.add_argument("--replay", metavar="FILE", help="run a witness again")
    parser.add_argument("--out", help="folder for witnesses")
    parser.add_argument("--scratch", help="folder for temporary files")
    parser.add_argument("--build", type=os.path.abspath, default=os.path.join(HERE, "..", "..", "build"))
    return parser.parse_args()


def run(options):
    """Counts of all kernels, and None or why there are none."""
    missing = DRIVERS[options.driver].missing()
    if missing:
        return None, missing
    Statements.may_goto = not options.no_goto
    place = Place(options.driver, options.build)
    last = options.seed + options.kernels
    batches = [range(first, min(first + BATCH, last)) for first in range(options.seed, last, BATCH)]
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count in pool.map(lambda seeds: run_batch(seeds, place, options), batches):
            total += count
    return total, None


def describe(total, driver):
    return (f"kernels on {driver}: {total['kernels']} kernels, {total['refuted']} refuted; {total['launches']} launches, "
            f"{total['native']} native; {total['proven']} kernels proven at least once, {total['gaps']} not covered, "
            f"{total['refused']} launches refused, {total['hangs']} hangs and traps, {total['failed']} batches failed")


def main():
    options = parse()
    if options.replay:
        return replay(options.replay, Place(options.driver, options.build))
    total, missing = run(options)
    if missing:
        print(f"skipped: {missing}")
        return 77
    print(describe(total, options.driver))
    return int(total["refuted"] > 0 or total["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
