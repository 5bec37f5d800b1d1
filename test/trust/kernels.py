#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random kernels, and looks for launches that WarpSan was wrong about.

    test/trust/kernels.py --driver pocl --kernels 10000 --seed 1

Each kernel is judged next to guard pages: a launch that WarpSan runs as the
native kernel, because it claims that every access is in bounds, and that dies of
SIGSEGV or changes bytes outside of its buffers, is a refutation. Every other
kernel is judged by audit as well: the same launches, those near them and those
that are not proven run with --checks=audit, where a failed check of an access
that was proven is one. A twin that crashes there is counted by itself: it may be
the driver's compiler. A refuted kernel is reduced and printed, with what runs it
again.

Kernels share a program and a process, 100 at a time. WarpSan's settings are the
defaults, but that no twins are compiled for what is left unproven (specialize=0):
these are not launched here. On PoCL work-group functions are not specialized for
local sizes, so that a kernel is compiled once; every eighth program they are.
"""

import argparse
import collections
import concurrent.futures
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "apps")]

from drivers import DRIVERS  # noqa: E402
from generate import Kernel  # noqa: E402
from place import POCL_QUICK, Place  # noqa: E402
from statements import Statements  # noqa: E402
from witness import AUDIT, Witness, replay  # noqa: E402

BATCH = 100  # kernels a program: a driver's compiler takes longest to start
AUDITED = 2  # one kernel of so many is audited: drivers compile a twin with checks slowly
SPECIALIZED = 8  # one program of so many is compiled by PoCL as users' are
PROGRESS_SECONDS = 60


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


def launches_of(job, name):
    """The lines of a job file that launch a kernel."""
    lines, inside = [], False
    with open(job) as file:
        for line in file:
            if line.startswith("kernel "):
                inside = line.split()[1] == name
            elif inside and line.startswith("launch "):
                lines.append(line.strip())
    return lines


def only(job, names):
    """Writes the part of a job file about these kernels beside it; the path."""
    path, inside = job + ".part", True
    with open(job) as file, open(path, "w") as to:
        for line in file:
            if line.startswith("kernel "):
                inside = line.split()[1] in names
            if inside:
                to.write(line)
    return path


class NotCovered(Exception):
    """WarpSan instrumented nothing of a program; the argument says why."""


class Batch:
    """Kernels of one program."""

    def __init__(self, seeds, place, options, folder):
        self.seeds, self.place, self.options, self.folder = seeds, place, options, folder
        self.kernels = {f"t_{seed}": Kernel(seed) for seed in seeds}
        self.count = collections.Counter()
        self.settings = [f"--cache_dir={folder}/cache", "--specialize=0"]
        quick = (seeds[0] // BATCH) % SPECIALIZED != 0
        self.environment = POCL_QUICK if quick else {}

    def ends(self, job, names, *words, options=()):
        """Runs a job of these kernels to its end, past those that end the process. The process's end each time."""
        left, after = list(names), []
        while left:
            end = self.place.run(self.folder, job, *words, *after, options=[*self.settings, *options],
                                 environment=self.environment)
            if left[0] in end.gaps and len(self.kernels) > 1:
                raise NotCovered(end.gaps[left[0]])
            yield end
            if end.what == "done":
                return
            if end.what == "failed" or end.kernel not in left:
                self.count["failed"] += 1
                print(f"kernels: seeds {self.seeds[0]} to {self.seeds[-1]}, exit code {end.code}, {' '.join(end.state)}: "
                      f"{end.errors[-600:]}", flush=True)
                return
            # The launches before it are lost from the counts, the kernels are not.
            done = left.index(end.kernel) + 1
            self.count["kernels"] += 0 if options else done
            left = left[done:]
            after = ["--after", end.kernel]
            if end.what in ("hang", "trap", "abort"):
                self.count["crashes" if end.what == "abort" else "hangs"] += 1
                print(f"kernels: seed {self.kernels[end.kernel].seed}: {end.what}, {' '.join(end.state)}", flush=True)

    def run(self):
        job, exact = write_job(self.folder, self.kernels.values()), os.path.join(self.folder, "exact.txt")
        with open(job) as file, open(exact, "w") as to:
            to.write(file.readline())
        refuted = set()
        for end in self.ends(job, self.kernels, "--sizes", exact):
            if end.what == "done":
                self.count += counts_of(end)
            elif end.what in ("died", "outside") and end.kernel not in end.gaps:
                launch = launches_of(exact, end.kernel)[-1:]
                how = "bytes outside of a buffer changed" if end.what == "outside" else "it died of a signal"
                witness = Witness(self.kernels[end.kernel], launch, f"WarpSan ran the native kernel, and {how}", False)
                if witness.is_of_driver(self.place, self.folder):
                    self.count["miscompiled"] += 1
                    print(f"kernels: seed {witness.kernel.seed}: {how}, but not alone, nor on other drivers", flush=True)
                    continue
                refuted.add(end.kernel)
                self.report(witness)
            self.count["gaps"] += len(self.kernels.keys() & end.gaps.keys())
        audited = [name for name in self.kernels if self.kernels[name].seed % AUDITED == 0]
        self.count["audited_kernels"] += len(audited)
        for end in self.ends(only(exact, audited), audited, "--exact", "--once", "--twins", options=AUDIT):
            self.count["audited"] += end.summary.get("launches", {}).get("covered", 0)
            self.count["bad"] += end.summary.get("errors", {}).get("launches", 0)
            wrong = set(end.refuted)
            if end.what in ("died", "outside"):
                self.count["crashes"] += 1
                print(f"kernels: seed {self.kernels[end.kernel].seed}: its twin {end.what}, {' '.join(end.state)}", flush=True)
            for name in sorted(wrong - refuted):
                self.report(Witness(self.kernels[name], launches_of(exact, name), "audit refuted a proof", True))
            refuted |= wrong
        self.count["refuted"] += len(refuted)
        return self.count

    def report(self, witness):
        self.count["witnesses"] += 1
        text = witness.reduced(self.place, self.folder, self.count["witnesses"] <= self.options.reduce)
        print(text, flush=True)
        if self.options.out:
            os.makedirs(self.options.out, exist_ok=True)
            with open(os.path.join(self.options.out, f"{self.place.driver.name}_{witness.kernel.name}.cl"), "w") as file:
                file.write(text)


def run_batch(seeds, place, options):
    """Counts of what became of some kernels."""
    folder = tempfile.mkdtemp(prefix="warpsan-trust-", dir=options.scratch)
    try:
        return Batch(seeds, place, options, folder).run()
    except NotCovered as why:
        # Which kernel is to blame?
        if len(seeds) == 2:
            print(f"kernels: seed {seeds[0]} or {seeds[1]} is not covered: {why}", flush=True)
        middle = len(seeds) // 2
        return run_batch(seeds[:middle], place, options) + run_batch(seeds[middle:], place, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", choices=DRIVERS, default="pocl")
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="the first; each kernel has the next one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-goto", action="store_true", help="no loops that are entered at two places")
    parser.add_argument("--reduce", type=int, default=1, help="how many witnesses of a batch are reduced")
    parser.add_argument("--replay", metavar="FILE", help="run a witness again")
    parser.add_argument("--audit", action="store_true", help="with --checks=audit, for --replay")
    parser.add_argument("--out", help="folder for witnesses")
    parser.add_argument("--scratch", help="folder for temporary files")
    parser.add_argument("--build", type=os.path.abspath, default=os.path.join(HERE, "..", "..", "build"))
    return parser.parse_args()


def run(options):
    """Counts of all kernels, and None or why there are none. Prints them once a minute too."""
    missing = DRIVERS[options.driver].missing()
    if missing:
        return None, missing
    Statements.may_goto = not options.no_goto
    place = Place(options.driver, options.build)
    last = options.seed + options.kernels
    batches = [range(first, min(first + BATCH, last)) for first in range(options.seed, last, BATCH)]
    total = collections.Counter()
    told = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count in pool.map(lambda seeds: run_batch(seeds, place, options), batches):
            total += count
            if time.monotonic() - told > PROGRESS_SECONDS:
                told = time.monotonic()
                print(f"so far: {describe(total, options.driver)}", flush=True)
    return total, None


def share(part, whole):
    return f"{part} ({100 * part // max(whole, 1)} %)"


def describe(total, driver):
    return (f"kernels on {driver}: {total['kernels']} kernels, {total['refuted']} refuted; "
            f"{share(total['proven'], total['kernels'])} proven at least once; {total['searched']} launches, "
            f"{share(total['edges'], total['searched'])} proven with some size, {total['native']} native; "
            f"{total['audited_kernels']} kernels audited in {total['audited']} launches, {total['bad']} times an error in one; {total['gaps']} kernels not covered, "
            f"{total['refused']} launches refused, {total['hangs']} hangs and traps, {total['crashes']} crashes, {total['miscompiled']} compiled wrongly by the driver, "
            f"{total['failed']} batches failed")


def main():
    options = parse()
    if options.replay:
        return replay(options.replay, Place(options.driver, options.build), options.audit)
    total, missing = run(options)
    if missing:
        print(f"skipped: {missing}")
        return 77
    print(describe(total, options.driver))
    return int(total["refuted"] > 0 or total["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
