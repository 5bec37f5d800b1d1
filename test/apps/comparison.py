# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One row on one driver: run it bare and under WarpSan, and compare."""

import dataclasses
import os

from sides import Side


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


def run_side(side, row, driver, places):
    if row.inputs:
        row.inputs(side.work)
    environment = {**driver.environment(row.loader), **row.environment}
    command = row.command_in(places)
    return [side.run(command, environment, row.timeout, number) for number in range(1, row.runs + 1)]


def differences(row, before, after, number):
    """How two runs of a row differ, in words."""
    which = "" if row.runs == 1 else f"run {number}: "
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
    lost = summary.get("gaps_lost", 0)
    if lost:
        verdict.gaps.append((f"{lost} more that WarpSan did not keep", "not known", 0))


def judge_findings(row, verdict):
    """Findings that docs/found.md does not explain, and errors that were not found."""
    def fits(found, known):
        return found[0].startswith(known[0]) and known[1] in found[1]
    for found in dict.fromkeys(verdict.findings):
        if not any(fits(found, known) for known in row.errors):
            verdict.changes.append(f"finding: kernel {found[0]}: {found[1]}")
    for known in row.errors:
        if not any(fits(found, known) for found in verdict.findings):
            verdict.changes.append(f"not found: kernel {known[0]}: {known[1]}")


def compare(row, driver, folder, places, warpsan):
    """`warpsan`: its command line, or None to compare bare with bare."""
    verdict = Verdict(row.name, driver.name)
    other = "twin" if warpsan else "bare again"
    runs = {}
    for name, command in ("bare", None), (other, warpsan):
        side = Side(os.path.join(folder, driver.name, row.name, name.replace(" ", "-")), command)
        runs[name] = run_side(side, row, driver, places)
        verdict.seconds[name] = sum(run.seconds for run in runs[name])
        verdict.endings[name] = runs[name][-1].ending()
        # A row that does not end when bare says nothing under WarpSan.
        if any(run.timed_out for run in runs[name]):
            break
    for number, before in enumerate(runs["bare"], 1):
        after = runs[other][number - 1] if other in runs else before
        if row.kind != "bug":
            verdict.changes += differences(row, before, after, number)
        elif after.timed_out or after.exit_code != row.exit_code:
            verdict.changes.append(f"did not run to its end under WarpSan: {after.ending()}")
    for run in runs.get(other, []) if warpsan else []:
        take_summary(verdict, run)
    if warpsan:
        judge_findings(row, verdict)
    return verdict
