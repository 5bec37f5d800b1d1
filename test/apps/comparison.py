# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One row on one driver: run it bare and under WarpSan, compare, and take the time."""

import dataclasses
import os

from sides import Side
from timing import Wall


@dataclasses.dataclass
class Proven:
    """What was proven of the kernels that were launched. Accesses are those in
    their code, as of each kernel's last launch; of a kernel without a twin they
    are not known."""
    accesses: int = 0
    of_accesses: int = 0
    kernels: int = 0  # entirely
    of_kernels: int = 0

    def __add__(self, other):
        return Proven(*(mine + its for mine, its in
                        zip(dataclasses.astuple(self), dataclasses.astuple(other))))


@dataclasses.dataclass
class Verdict:
    row: str
    driver: str
    changes: list = dataclasses.field(default_factory=list)  # empty: unchanged
    seconds: dict = dataclasses.field(default_factory=dict)  # side -> of all its runs
    launches: int = 0  # under WarpSan
    twins: int = 0  # of these, as twins
    gaps: list = dataclasses.field(default_factory=list)  # (kernel, reason, launches)
    endings: dict = dataclasses.field(default_factory=dict)  # side -> how its last run ended
    findings: list = dataclasses.field(default_factory=list)  # (kernel, title)
    proven: Proven = dataclasses.field(default_factory=Proven)  # in the last run: no kernel counts twice
    wall: Wall | None = None  # if it was to be timed, and all went well


def run_side(side, row, driver, places, numbers=None):
    """As often as the row asks for, or once for each of `numbers`."""
    if row.inputs:
        row.inputs(side.work)
    environment = {**driver.environment(row.loader), **row.environment}
    command = row.command_in(places)
    return [side.run(command, environment, row.timeout, number) for number in numbers or range(1, row.runs + 1)]


def differences(row, before, after, which=""):
    """How two runs of a row differ, in words; `which` they are, to begin with."""
    if before.timed_out or before.exit_code != 0:
        yield f"{which}does not work bare: {before.ending()}"
        return
    if after.timed_out or after.exit_code != 0:
        yield f"{which}{before.ending()} became: {after.ending()}"
        return
    for result in row.result:
        try:
            expected = result.read(before)
        except (OSError, ValueError) as error:
            yield f"{which}has no result bare: {error}"
            continue
        try:
            difference = result.difference(expected, result.read(after))
        except (OSError, ValueError) as error:
            difference = f"its result is gone: {error}"
        if difference:
            yield which + difference


def take_summary(verdict, run):
    """Adds what WarpSan says of a run. A run that it did not see is no evidence."""
    summary = run.summary
    if summary is None:
        verdict.changes.append("WarpSan wrote no summary")
        return
    seen = summary["launches"]["seen"]
    if not summary["layer_loaded"]:
        verdict.changes.append("WarpSan's layer was not loaded")
    elif not seen:
        verdict.changes.append("WarpSan saw no launch")
    verdict.launches += seen
    verdict.twins += summary["launches"]["twin"] + summary["launches"]["proven"]
    verdict.gaps += [(gap["subject"], gap["reason"], gap.get("launches", 0)) for gap in summary["gaps"]]
    verdict.findings += [(found["kernel"], found["title"]) for found in summary.get("findings", ())]
    accesses, kernels = summary["accesses"], summary["kernels"]
    verdict.proven = Proven(accesses["proven"], sum(accesses.values()), kernels["proven"], kernels["launched"])
    lost = summary.get("gaps_lost", 0)
    if lost:
        verdict.gaps.append((f"{lost} more that WarpSan did not keep", "not known", 0))


def judge_findings(row, verdict):
    """Findings that docs/explanation/case-studies.md does not explain, and errors that were not found."""
    def fits(found, known):
        return found[0].startswith(known[0]) and known[1] in found[1]
    for found in dict.fromkeys(verdict.findings):
        if not any(fits(found, known) for known in row.errors):
            verdict.changes.append(f"finding: kernel {found[0]}: {found[1]}")
    for known in row.errors:
        if not any(fits(found, known) for found in verdict.findings):
            verdict.changes.append(f"not found: kernel {known[0]}: {known[1]}")


def take_time(row, driver, sides, places, rounds, verdict):
    """Runs the sides in turns. Each has run before, in the same home: the caches
    of the driver, of the program and of WarpSan have what they need."""
    wall = Wall()
    for number in range(1, rounds + 1):
        runs = []
        for side in sides:
            side.clear_work()  # some programs do not overwrite, or append
            runs += run_side(side, row, driver, places, [f"timed-{number}"])
        changes = list(differences(row, *runs, f"timed run {number}: "))
        if changes:  # how long it takes to do something else is of no interest
            verdict.changes += changes
            return
        wall.add(*(run.seconds for run in runs))
    verdict.wall = wall


def compare(row, driver, folder, places, warpsan, rounds=0):
    """`warpsan`: its command line, or None to compare bare with bare. `rounds`:
    how often each side is then run for its time."""
    verdict = Verdict(row.name, driver.name)
    other = "twin" if warpsan else "bare again"
    runs, sides = {}, []
    for name, command in ("bare", None), (other, warpsan):
        side = Side(os.path.join(folder, driver.name, row.name, name.replace(" ", "-")), command)
        sides.append(side)
        runs[name] = run_side(side, row, driver, places)
        verdict.seconds[name] = sum(run.seconds for run in runs[name])
        verdict.endings[name] = runs[name][-1].ending()
        # A row that does not end when bare says nothing under WarpSan.
        if any(run.timed_out for run in runs[name]):
            break
    for number, before in enumerate(runs["bare"], 1):
        after = runs[other][number - 1] if other in runs else before
        if row.kind != "bug":
            verdict.changes += differences(row, before, after, "" if row.runs == 1 else f"run {number}: ")
        elif after.timed_out or after.exit_code != row.exit_code:
            verdict.changes.append(f"did not run to its end under WarpSan: {after.ending()}")
    for run in runs.get(other, []) if warpsan else []:
        take_summary(verdict, run)
    if warpsan:
        judge_findings(row, verdict)
    # What does not run unchanged, or crashes when bare, has no time to compare.
    if rounds and row.kind != "bug" and not verdict.changes:
        take_time(row, driver, sides, places, rounds, verdict)
    return verdict
