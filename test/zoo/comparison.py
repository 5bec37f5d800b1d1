# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares findings (docs/findings.md) with what a case expects, in full."""

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
    }


def wanted_of(case, line, call, measured):
    """The same facts, as the case expects them; only those that are compared."""
    expected = case.expected
    wanted = {"kind": expected.kind, "api": expected.api or ""}
    if not expected.api:
        wanted |= {"line": line, "access": expected.access}
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


def differences(wanted, findings):
    """What is wrong with the findings of a kernel that has exactly one error; empty
    if nothing."""
    if not findings:
        return ["nothing was found"]
    found = [facts_of(finding) for finding in findings]
    if len(found) > 1:
        return [f"{len(found)} findings: " + "; ".join(told(each, wanted) for each in found)]
    wrong = []
    for fact, value in wanted.items():
        got = found[0][fact]
        if fact in ("coordinates", "image_size"):  # dimensions that the image does not have are left open
            got = got[:len(value)]
        if got != value:
            wrong.append(f"{fact} is {got}, not {value}")
    return wrong


def told(facts, of):
    return " ".join(f"{fact}={facts[fact]}" for fact in of)
