# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares findings (docs/reference/formats/findings.md) with what a case expects, in full."""

import collections

from model import placed


def facts_of(finding):
    """Those facts of a finding that a case may expect, by the names of Expected."""
    places = finding["site"]["at"]
    name = (finding["arg"] or {}).get("name") or finding["root"]["name"]
    return {
        "kind": finding["kind"], "line": places[0]["line"] if places else None,
        "call": places[-1]["line"] if places else None, "access": finding["site"]["access"], "bytes": finding["bytes"],
        "name": name, "size": finding["size"], "where": finding["where"], "distance": finding["distance"],
        "offset": finding["offset"], "global_id": tuple(finding["global_id"]),
        "coordinates": tuple(finding["coordinates"]), "image_size": tuple(finding["image_size"]),
        "items": finding["items"], "api": finding["call"], "root": finding["root"].get("kind"),
        "arg": finding["root"].get("arg"), "memory": finding["memory"]["kind"] if "memory" in finding else None,
        **divergence_of(finding), **race_of(finding),
    }


def divergence_of(finding):
    """The two sides of a work-group, by the names of Divergence; lines instead of marks. Nothing if it did not diverge."""
    divergence = finding.get("divergence")
    if not divergence:
        return {}

    def side(of):
        return of["items"], tuple(of["local_id"])

    def line(places):
        return places[0]["line"] if places else 0

    other = divergence["other"]
    return {"branch": line(divergence["branch"]), "here": side(divergence["here"]), "there": side(divergence["there"]),
            "there_line": line(other["at"]) if other else 0}


def race_of(finding):
    """The lines of the two accesses, sorted; of the reported one alone if the other is not known. Nothing if it is no race."""
    race = finding.get("race")
    if not race:
        return {}
    sides = [finding["site"], *([race["other"]] if race["other"] else [])]
    return {"lines": sorted(side["at"][0]["line"] for side in sides), "other_group": race["other_group"]}


def wanted_divergence(divergence, marks):
    wanted = {}
    if divergence.branch is not None:
        wanted["branch"] = marks.get(divergence.branch)
    if divergence.there_mark is not None:
        wanted["there_line"] = marks.get(divergence.there_mark) if divergence.there_mark else 0
    return wanted | {"here": divergence.here, "there": divergence.there, "items": divergence.here[0] * divergence.groups}


def all_wanted_of(case, marks, call, measured):
    """The facts of each finding of the case. `marks`: {mark: line}"""
    return [wanted_of(case, marks.get(case.expected.mark), call, measured, marks),
            *(wanted_of(case, marks.get(other.mark), None, None, marks, other) for other in case.also)]


def wanted_of(case, line, call, measured, marks=None, expected=None):
    """The same facts, as the case expects them; only those that are compared."""
    expected = expected or case.expected
    wanted = {"kind": expected.kind, "api": expected.api or ""}
    if expected.races_with:
        lines = sorted((line, marks.get(expected.races_with)))
        other = {} if expected.other_group is None else {"other_group": expected.other_group}
        return wanted | {"lines": lines} | other
    if not expected.api:
        wanted["line"] = line
        if expected.access is not None:
            wanted["access"] = expected.access
    if expected.divergence:
        wanted |= wanted_divergence(expected.divergence, marks or {})
    if call is not None:
        wanted["call"] = call
    for fact in ("bytes", "size", "where", "distance", "offset", "global_id", "coordinates", "image_size", "items",
                 "root", "arg", "memory"):
        if getattr(expected, fact) is not None:
            wanted[fact] = getattr(expected, fact)
    if expected.name is not None:
        wanted["name"] = expected.name.replace("$K", f"bug_{case.name}")
    if expected.measured and measured is not None:
        wanted["where"], wanted["distance"] = placed(measured, expected.bytes, expected.size)
    elif expected.measured:
        wanted["where"] = "as measured, but nothing was"
    if expected.offset is not None:
        wanted["where"], wanted["distance"] = None, 0
    return wanted


def all_differences(wanted, findings):
    """What is wrong with the findings of a kernel that has the errors of the list `wanted`, on different lines."""
    if len(wanted) == 1:
        return differences(wanted[0], findings)
    rest, wrong = list(findings), []
    for each in wanted:
        its = [finding for finding in rest if all(facts_of(finding)[fact] == each[fact] for fact in ("kind", "line"))]
        rest = [finding for finding in rest if finding not in its]
        wrong += [f"line {each['line']}: {what}" for what in differences(each, its)]
    return wrong + [f"one more finding: {told(facts_of(finding), ('kind', 'line'))}" for finding in rest]


def differences(wanted, findings):
    """What is wrong with the findings of a kernel that has exactly one error; empty
    if nothing."""
    if not findings:
        return ["nothing was found"]
    found = [facts_of(finding) for finding in findings]
    if "lines" in wanted:
        wrong = [each for each in found if any(each.get(fact) != value for fact, value in wanted.items() if fact != "lines")
                 or collections.Counter(each.get("lines", [0])) - collections.Counter(wanted["lines"])]
        return [f"not that race: {told(each, wanted)}" for each in wrong]
    if len(found) > 1:
        return [f"{len(found)} findings: " + "; ".join(told(each, wanted) for each in found)]
    wrong = []
    for fact, value in wanted.items():
        got = found[0].get(fact)
        if fact in ("here", "there") and got and value[1] is None:  # any work-item may be the first
            got = (got[0], None)
        if fact in ("coordinates", "image_size"):  # dimensions that the image does not have are left open
            got = got[:len(value)]
        if got != value:
            wrong.append(f"{fact} is {got}, not {value}")
    return wrong


def told(facts, of):
    return " ".join(f"{fact}={facts.get(fact)}" for fact in of)
