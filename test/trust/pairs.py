#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of kernels, wrong and right, of mistakes that users make.

    test/trust/pairs.py --driver pocl [--group NAME] [--only NAME] [--show NAME]

A pair is a tuple: its name; the object that the wrong kernel leaves ("": its name
is not looked at; "-": it need not be found, but memory stays intact); the launch, global/local/offset; the arguments; the source, in
which K is the pair's name and PICK(wrong, right) is what differs. Arguments: bN a
buffer of N bytes, xN:A..B one of ints from A to B, iN and lN scalars, LN local
memory. {wrong|right} may stand in launches and arguments.

Right kernels run first without WarpSan, next to guard pages: the oracle for being
right. Under WarpSan they must be silent, and every wrong kernel must be found.
"""

import argparse
import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "apps")]

from drivers import DRIVERS  # noqa: E402
from place import Place  # noqa: E402
from pairs_buffers import BUFFERS  # noqa: E402
from pairs_regressions import ALONE, REGRESSIONS  # noqa: E402
from pairs_spaces import SPACES  # noqa: E402

# Programs.
GROUPS = {"mistakes": BUFFERS + SPACES, "regressions": REGRESSIONS, **{pair[0]: [pair] for pair in ALONE}}
PAIRS = [pair for group in GROUPS.values() for pair in group]


def chosen(text, wrong):
    return re.sub(r"\{([^|{}]*)\|([^{}]*)\}", r"\1" if wrong else r"\2", text)


def kernel_name(pair):
    return f"t_{pair[0]}"


def named(text, pair):
    return re.sub(r"\bK(?=_|\b)", kernel_name(pair), text)


def source_of(pairs, wrong):
    """One program of all the kernels; a line number in it is also one of the pair's."""
    parts = [f"#define PICK(wrong, right) {'wrong' if wrong else 'right'}"]
    parts += [named(pair[4], pair) for pair in pairs]
    return "\n".join(parts) + "\n"


def job_of(pair, wrong):
    """The lines of a pair in a job of trust_host."""
    lines, scalars, sizes = [f"kernel {kernel_name(pair)}"], [], []
    for word in chosen(pair[3], wrong).split():
        kind, value = word[0], word[1:]
        if kind == "b":
            lines.append("buffer 1")
            sizes.append(value)
        elif kind == "x":
            count, low, high = re.fullmatch(r"(\d+):(-?\d+)\.\.(-?\d+)", value).groups()
            lines.append(f"indices 4 {low} {high}")
            sizes.append(str(int(count) // 4))
        elif kind == "L":
            lines.append(f"local {value}")
        else:
            lines.append(f"scalar {8 if kind == 'l' else 4}")
            scalars.append(value)
    parts = [part.split(",") for part in chosen(pair[2], wrong).split("/")]
    local = parts[1] + ["1"] * (3 - len(parts[1]))
    offset = parts[2] if len(parts) > 2 else []
    numbers = [str(len(parts[0])), *parts[0], *["1"] * (3 - len(parts[0])), *local, *offset,
               *["0"] * (3 - len(offset)), *scalars, *sizes]
    return "\n".join([*lines, "launch " + " ".join(numbers)]) + "\n"


def write_job(folder, pairs, wrong):
    source = os.path.join(folder, f"{'wrong' if wrong else 'right'}.cl")
    with open(source, "w") as file:
        file.write(source_of(pairs, wrong))
    with open(source + ".txt", "w") as file:
        file.write(f"program {source}\n" + "".join(job_of(pair, wrong) for pair in pairs))
    return source + ".txt"


def findings_of(folder):
    """{kernel: [title]}"""
    found = {}
    path = os.path.join(folder, "findings.jsonl")
    if os.path.exists(path):
        with open(path) as file:
            for line in map(json.loads, file):
                if line.get("type", "finding") == "finding":
                    found.setdefault(line["kernel"] if isinstance(line["kernel"], str) else line["kernel"]["name"],
                                     []).append(line["title"])
    return found


def judge(pairs, place, folder):
    """Sentences about what went wrong, and the names of pairs whose launches the driver refuses."""
    bad, refused = [], set()
    end = place.run(folder, write_job(folder, pairs, False), "--exact", "--twins", align=128, bare=True)
    if end.what != "done":
        bad.append(f"the right kernels do not run without WarpSan: {' '.join(end.state)} {end.errors[-500:]}")
    for wrong in (False, True):
        path = os.path.join(folder, "findings.jsonl")
        if os.path.exists(path):
            os.remove(path)
        job, words, errors, gaps = write_job(folder, pairs, wrong), [], "", {}
        while True:
            end = place.run(folder, job, "--exact", "--twins", *words, align=128, options=[f"--findings_file={path}"])
            errors += end.errors
            gaps |= end.gaps
            if end.what == "done":
                break
            bad.append(f"{'wrong' if wrong else 'right'} kernel, under WarpSan: exit code {end.code}, "
                       f"{' '.join(end.state)}")
            if end.kernel not in map(kernel_name, pairs):
                print(end.errors)
            # The other kernels have their turn.
            if words == ["--after", end.kernel] or end.kernel not in map(kernel_name, pairs):
                break
            words = ["--after", end.kernel]
        found = findings_of(folder)
        for pair in pairs:
            titles = found.get(kernel_name(pair), [])
            gap = gaps.get(kernel_name(pair))
            if f"refused {kernel_name(pair)}:" in errors:
                refused.add(pair[0])
                continue
            if wrong and pair[1] == "-":
                continue
            if wrong and not titles and not gap:
                bad.append(f"{pair[0]}: not found")
            elif wrong and titles and pair[1] and not any(named(pair[1], pair) in title for title in titles):
                bad.append(f"{pair[0]}: nothing about {pair[1]}: {titles}")
            elif not wrong and titles:
                bad.append(f"{pair[0]}: a right kernel is reported: {titles}")
            if gap:
                bad.append(f"{pair[0]} is not covered: {gap}")
    return bad, refused


def run(driver, build, groups, layer="guard", only=None):
    """How many pairs were launched, and sentences about what went wrong."""
    place = Place(driver, build, layer)
    count, bad = 0, []
    with tempfile.TemporaryDirectory(prefix="warpsan-pairs-") as folder:
        for name in groups:
            pairs = [pair for pair in GROUPS[name] if not only or pair[0] in only]
            if pairs:
                wrong, refused = judge(pairs, place, folder)
                bad += wrong
                count += len(pairs) - len(refused)
                for pair in sorted(refused):
                    print(f"pairs: {pair}: {driver} refuses the launch")
    return count, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", choices=DRIVERS, default="pocl")
    parser.add_argument("--group", action="append", choices=GROUPS, help="default: all")
    parser.add_argument("--layer", choices=("guard", "discrete"), default="guard", help="what is below WarpSan's")
    parser.add_argument("--only", action="append", help="names of pairs")
    parser.add_argument("--show", help="print the source and job of a pair")
    parser.add_argument("--build", type=os.path.abspath, default=os.path.join(HERE, "..", "..", "build"))
    options = parser.parse_args()
    if options.show:
        for wrong in (True, False):
            these = [pair for pair in PAIRS if pair[0] == options.show]
            print(source_of(these, wrong), *(job_of(pair, wrong) for pair in these), sep="\n")
        return 0
    missing = DRIVERS[options.driver].missing()
    if missing:
        print(f"skipped: {missing}")
        return 77
    count, bad = run(options.driver, options.build, options.group or GROUPS, options.layer, options.only)
    for sentence in bad:
        print(f"WRONG: {sentence}")
    print(f"pairs on {options.driver}: {count} pairs, {len(bad)} wrong")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
