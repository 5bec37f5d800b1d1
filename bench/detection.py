# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which errors of the zoo each scheme finds, which twins it takes for errors, and what the papers say of it."""

import argparse
import collections
import concurrent.futures
import os
import sys
import tempfile

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(CHECKOUT, "test", "zoo"))  # before test/apps, which has modules of the same names

from families import all_cases, chosen, files_of, sample  # noqa: E402
from measuring import columns  # noqa: E402
from model import File, runs_on, standard_of, words_of, write_files  # noqa: E402
from paper_tables import CLASSES, class_of  # noqa: E402
from sides import Side  # noqa: E402
from tallies import results_of  # noqa: E402

# Which findings are the scheme's: those of kernels, and of frees. Calls that are wrong otherwise are found by WarpSan
# around whatever scheme there is.
FREES = ("invalid_free", "double_free")


def is_of_scheme(finding):
    return not finding["call"] or finding["kind"] in FREES


def run_apart(file, scheme, driver, base, options):
    """Each case in a process of its own: an error that is not found may end the process, or spoil what comes after."""
    rows = {}
    for case in file.cases:
        alone = File(f"{file.name}-{case.name}", file.family, file.needs, file.forms, [case])
        written = write_files([alone], os.path.dirname(base), False)
        rows.update(run_file(alone, scheme, driver, written[alone.name][0], options))
    return rows


def run_file(file, scheme, driver, base, options):
    """{case: (found, false alarm, why it was not watched)}"""
    folder = os.path.join(os.path.dirname(base), f"{driver.name}-{scheme}", file.name)
    warpsan = [options.warpsan, "run", "--findings_file=findings.jsonl", "--exit_code=0",
               *options.schemes[scheme]]
    # An error that is not found may also never end.
    seconds = 30 if len(file.cases) == 1 else 300
    done = Side(folder, warpsan, os.path.join(os.path.dirname(base), "driver-caches")).run([os.path.join(options.build, "bin/zoo_host"), "source", base + ".cl",
                                      f"-cl-std={standard_of(file.needs)}", base + ".list"],
                                     driver.environment(), seconds)
    results = results_of(done)
    natively = results.natively if scheme != "canaries" else {}
    # One kernel that a scheme refuses keeps all others of its program from it.
    if (results.wrong.get("program") or natively) and len(file.cases) > 1:
        return run_apart(file, scheme, driver, base, options)
    rows = {}
    for case in file.cases:
        def told(kernel):
            return any(is_of_scheme(finding) for finding in results.findings.get(kernel, ()))
        found = told(f"bug_{case.name}")
        if case.expected.api:  # in a file of its own, and about no kernel
            found = found or told("")
        rows[case.name] = (found, told(f"ok_{case.name}"), " ".join(natively.get(f"bug_{case.name}", ())))
    return rows


def detect(schemes, drivers, options):
    """{driver: {scheme: {case: row}}}, and the cases"""
    cases = all_cases()
    if options.quick and not options.family and not options.case:
        options.family = ["papers"]
        cases = chosen(cases, argparse.Namespace(family=options.family, case=None, quick=False), sample)
    else:
        cases = chosen(cases, options, sample)
    found = collections.defaultdict(dict)
    with tempfile.TemporaryDirectory(prefix="warpsan-schemes-") as folder:
        files = files_of(cases)
        written = write_files(files, folder, False)
        for driver in drivers:
            words = words_of(driver, os.path.join(options.build, "bin/zoo_host"))
            here = [file for file in files if "source" in file.forms and runs_on(file, words)]
            for scheme in schemes:
                with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                    rows = {}
                    for part in pool.map(lambda file: run_file(file, scheme, driver, written[file.name][0], options),
                                         here):
                        rows.update(part)
                found[driver.name][scheme] = rows
                print(f"{driver.name}: {scheme}: {sum(row[0] for row in rows.values())} of {len(rows)} found, "
                      f"{sum(row[1] for row in rows.values())} false alarms", flush=True)
    return found, {case.name: case for case in cases}


def counts_of(rows):
    """How many cases a scheme finds, for docs/figures.json; by class if all are the papers' cases."""
    classes = collections.Counter()
    for name, row in rows.items():
        each = class_of(name)
        if each:
            classes[f"{each.table}: {each.name}"] += row[0]
    counts = {"found": sum(row[0] for row in rows.values()), "cases": len(rows),
              "false_alarms": sum(row[1] for row in rows.values())}
    return {**counts, "classes": dict(classes)} if all(map(class_of, rows)) else counts


def print_kinds(found, cases, driver):
    """By kind of error, all of the zoo."""
    kinds = collections.Counter(cases[name].expected.kind for name in next(iter(found.values())))
    width = max(len(kind) for kind in kinds) + 2
    print(f"\n{driver}: found, by kind of error")
    print(" " * width + columns(found) + f"{'cases':>8}")
    for kind, count in sorted(kinds.items()):
        line = columns(sum(row[0] for name, row in rows.items() if cases[name].expected.kind == kind)
                       for rows in found.values())
        print(f"{kind:<{width}}{line}{count:>8}")
    print(f"{'false alarms':<{width}}" + columns(sum(row[1] for row in rows.values()) for rows in found.values()))
    print(f"{'not watched':<{width}}" + columns(sum(bool(row[2]) for row in rows.values()) for rows in found.values()))


def print_papers(found, driver):
    """(cells reproduced, cells)"""
    print(f"\n{driver}: the papers' cases, ours/theirs of so many")
    schemes = list(found)
    print(f"{'':<10}{'':<22}" + columns(schemes) + f"{'cases':>8}{'theirs':>8}")
    same = cells = 0
    for each in CLASSES:
        line, here = [], 0
        for scheme in schemes:
            rows = {name: row for name, row in found[scheme].items() if class_of(name) is each}
            here = len(rows)
            ours, theirs = sum(row[0] for row in rows.values()), each.papers.get(scheme)
            line.append(f"{ours}/{theirs}" if theirs is not None else ours)
            if theirs is not None and rows:
                cells += 1
                # The zoo may have more cases of a kind: all are all.
                same += ours == theirs or (ours, theirs) == (here, each.cases)
        if here:
            print(f"{each.table:<10}{each.name:<22}{columns(line)}{here:>8}{each.cases:>8}")
    return same, cells


def print_verbose(found, driver):
    for scheme, rows in found.items():
        for name, (hit, alarm, natively) in sorted(rows.items()):
            if not hit or alarm or natively:
                print(f"{driver} {scheme} {name}:{'' if hit else ' missed'}{' false alarm' if alarm else ''} {natively}")
