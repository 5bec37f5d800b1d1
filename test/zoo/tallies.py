# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run of zoo_host under WarpSan gave, and how many of its bugs that is."""

import collections
import dataclasses
import json
import os
import re

from comparison import all_differences, all_wanted_of, facts_of, told


@dataclasses.dataclass
class Tally:
    bugs: int = 0
    detected: int = 0
    twins: int = 0
    false_alarms: int = 0
    failed: int = 0  # neither: results that are wrong, launches that ran natively

    def add(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


@dataclasses.dataclass
class Results:
    """By kernels' names; `wrong` has what is about no kernel as "program"."""
    findings: dict
    measured: dict
    wrong: dict
    natively: dict


def results_of(done, plain=str, header=None):
    """`plain`: what is made of each kernel's name. `header`: a file's name; an access in a function of
    it counts as where that is called from."""
    wrong, findings = {}, collections.defaultdict(list)
    for kernel, what in re.findall(r"^wrong (\S+): (.*)$", done.stdout, re.MULTILINE):
        wrong.setdefault(kernel, []).append(what)
    if done.timed_out or done.exit_code not in (0, 1):
        wrong.setdefault("program", []).append(f"{done.ending()}: {done.stderr[-300:]}")
    for finding in findings_in(os.path.join(done.work, "findings.jsonl")):
        if finding["refuted"]:
            wrong.setdefault("program", []).append(f"a proof is refuted: {finding['kernel']}: {finding['refuted']}")
        places = finding["site"]["at"]
        while len(places) > 1 and os.path.basename(places[0]["file"]) == header:
            places.pop(0)
        findings[plain(finding["kernel"])].append(finding)
    measured = {kernel: int(value) for kernel, value in re.findall(r"^measured (\S+) (-?\d+)$", done.stdout, re.MULTILINE)}
    natively = {plain(kernel): why for kernel, why in natives(done.summary).items()}
    if findings and not done.summary:
        wrong.setdefault("program", []).append("there is no summary, so that nobody knows what ran natively")
    return Results(findings, measured, wrong, natively)


def tally_bare(file, results):
    said = [f"{kernel}: {what}" for kernel, each in results.wrong.items() for what in each]
    return Tally(twins=len(file.cases), failed=len(results.wrong)), said


def tally(file, lines, calls, results):
    """(tally, lines about what is wrong)"""
    result, said, findings, wrong = Tally(), [], results.findings, results.wrong
    for case in file.cases:
        bug, ok = f"bug_{case.name}", f"ok_{case.name}"
        result.bugs += 1
        marks = {"BUG": lines.get(bug), **{key[1]: line for key, line in lines.items() if key[0] == bug}}
        wanted = all_wanted_of(case, marks, calls.get(bug), results.measured.get(bug))
        problems = all_differences(wanted, findings.pop(bug if bug in findings else "", []))
        result.detected += not problems
        for problem in problems:
            said.append(f"{bug}: {problem}")
        if problems:
            said += [f"    expected {told(each, each)}" for each in wanted]
        result.twins += 1
        alarms = findings.get(ok, [])
        result.false_alarms += bool(alarms)
        for finding in alarms:
            facts = facts_of(finding)
            said.append(f"{ok}: false alarm: {told(facts, facts)}")
        for kernel in bug, ok:
            for what in (*wrong.get(kernel, ()), *results.natively.get(kernel, ())):
                said.append(f"{kernel}: {what}")
                result.failed += 1
    known = {word + case.name for case in file.cases for word in ("bug_", "ok_")}
    for kernel in results.natively.keys() - known:
        said += [f"{kernel}: {what}" for what in results.natively[kernel]]
        result.failed += 1
    for what in wrong.get("program", ()):
        said.append(f"{file.name}: {what}")
        result.failed += 1
    for kernel in findings.keys() - known:  # or the program's own call
        for finding in findings[kernel]:
            said.append(f"{file.name}: false alarm: {finding['title']} in {finding['call'] or kernel}")
            result.false_alarms += 1
    return result, said


def findings_in(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        rows = [json.loads(line) for line in file]
    found = [row for row in rows if row["type"] == "finding"]
    # Wrong calls of different cases come from one place of zoo_host, so that the later ones are the same again.
    calls = {row["fingerprint"]: row for row in found if row["call"]}
    return found + [calls[row["fingerprint"]] for row in rows
                    if row["type"] == "repeat" and row["fingerprint"] in calls]


def natives(summary):
    """{kernel: why it was launched without its twin}"""
    if not summary:
        return {}
    return {gap["subject"].removeprefix("kernel "): [f"ran natively: {gap['reason']}"]
            for gap in summary["gaps"] if gap["launches"]}
