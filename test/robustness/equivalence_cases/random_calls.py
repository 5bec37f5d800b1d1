# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random calls, right and wrong ones (same_calls), bare and under WarpSan: a
case is a call, and its error code, results and logs are the same.

A call at which the bare driver crashes or hangs is left out, on both sides, and
told. So is a call whose line differs between two bare runs: names of temporary
files, references that a driver's thread lets go of some time later.
"""

import concurrent.futures
import os
import re

from drivers import DRIVERS
from sides import Side

STEPS, QUICK_STEPS = 1500, 500  # calls of one process
FULL, QUICK = 6, 1  # processes, each with another seed
TIMEOUT = 240
MOST_LEFT_OUT = 60  # crashes of the bare driver in one process
MODES = {"all": ["--checks=all"], "proofs": ["--checks=auto"], "pads": ["--canaries=all"]}


def lines_of(run):
    """Without what names this run: PoCL's logs have temporary files in them."""
    text = re.sub(r"/\S*?(tempfile|home|bare|twin|again)\S*", "FILE", run.stdout)
    text = re.sub(r"0x[57][0-9a-f]{11}\b", "ADDRESS", text)
    return [line for line in text.splitlines() if not line.startswith("# ")]


class Calls:
    def __init__(self, seed, driver, folder, options, tally):
        self.seed, self.driver, self.options, self.tally = seed, driver, options, tally
        self.where = "calls", driver
        self.folder = os.path.join(folder, f"{seed}-{driver}")
        self.without = []
        self.runs = 0
        self.again = f"test/robustness/equivalence --part calls --driver {driver} --seed {seed} --count 1"

    def run(self, mode=None):
        warpsan = [self.options.warpsan, "run", "--exit_code=0", *MODES[mode]] if mode else None
        self.runs += 1
        return Side(os.path.join(self.folder, f"{self.runs}"), warpsan).run(
            [os.path.join(self.options.build, "bin", "same_calls"), str(self.seed), str(QUICK_STEPS if self.options.quick else STEPS),
             ",".join(map(str, self.without)) or "0"], DRIVERS[self.driver].environment(), TIMEOUT)

    def bare(self):
        """Lines of a bare run that comes to its end, or None. What it dies of is left out."""
        while len(self.without) <= MOST_LEFT_OUT:
            run = self.run()
            lines = lines_of(run)
            if lines and lines[-1] == "done":
                return lines
            number = (re.findall(r"^# (\d+)$", run.stdout, re.MULTILINE) or ["-"])[-1]
            last = lines[-1] if lines and lines[-1].startswith(f"{number} ") else f"what comes before step {number}"
            self.tally.say(f"left out, calls on {self.driver}: seed {self.seed}: bare, {run.ending()} in: {last[:200]}")
            if not number.isdigit() or int(number) in self.without:
                break
            self.without.append(int(number))
        self.tally.complain(self.where, f"seed {self.seed}: does not come to its end bare", self.again)
        return None

    def judge(self):
        lines = self.bare()
        if lines is None:
            return
        self.tally.note(self.where, "left out, the bare driver crashes", len(self.without))
        twice = dict(enumerate(self.bare() or ()))
        stable = [number for number, line in enumerate(lines) if twice.get(number) == line]
        self.tally.note(self.where, "not the same twice bare, no cases", len(lines) - len(stable))
        for mode in MODES if not self.options.quick else ("all", ):
            self.compare(mode, lines, stable)

    def compare(self, mode, lines, stable):
        run = self.run(mode)
        after = lines_of(run)
        changed = [number for number in stable if number >= len(after) or after[number] != lines[number]]
        if changed and len(after) == len(lines):
            # Once more: what a thread of the driver's does may come late in one run of three.
            more = lines_of(self.run())
            changed = [number for number in changed if number < len(more) and more[number] == lines[number]]
        self.tally.count(self.where, len(stable) - len(changed), len(stable) - len(changed))
        for number in changed[:20]:
            other = after[number] if number < len(after) else f"nothing: {run.ending()}"
            self.tally.differs(self.where, f"seed {self.seed}, {mode}: {lines[number][:300]}\n    became: {other[:300]}",
                               self.again)
        if len(changed) > 20:
            self.tally.differs(self.where, f"seed {self.seed}, {mode}: {len(changed) - 20} more", self.again,
                               len(changed) - 20)


def run(options, folder, tally):
    first = options.seed or 1
    count = options.count or (QUICK if options.quick else FULL)
    work = [Calls(seed, driver, folder, options, tally) for seed in range(first, first + count)
            for driver in options.drivers]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(Calls.judge, work):
            pass
