# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that does the same for a long time has to stay as large as it is. Where it builds programs, drivers keep some
of each, and WarpSan has them build two: there it must not grow by more than twice as much as bare."""

import os
import re

from runs import Cycle, wrong_findings

BUILDING = ("programs", "contexts")
FILLING = ("buffers", "launches")  # so many that what is remembered of the last thousands is soon complete
REST = ("launches", "findings", "suppressed", "kernels", "buffers", "svm", "events", "mistakes")
WARM_UP = 0.2  # of the time
MOST_GROWTH = 0.03  # of the resident memory after the warm-up
MOST_BESIDES = 0.5  # KiB a round, in which a dozen objects come and go


def run(place, seconds, driver, kinds, under):
    """[(seconds, rounds, resident KiB, allocated KiB)] after the warm-up, and what is wrong"""
    suppressions = os.path.join(place.folder, "suppressions")
    with open(suppressions, "w") as file:
        file.write("kernel=late\n")
    cycle = Cycle("soak", (str(seconds), *kinds), driver,
                  options=(f"--suppressions={suppressions}", "--detect_leaks=1"))
    outcome = place.run(cycle, under, 2 * seconds + 300)
    figures = [tuple(map(int, line)) for line in re.findall(r"^soak: (\d+) (\d+) (\d+) (\d+)$", outcome.stderr,
                                                            re.MULTILINE)]
    late = [figure for figure in figures if figure[0] >= WARM_UP * seconds]
    wrong = outcome.left + wrong_findings(outcome) if under else []
    if outcome.timed_out or outcome.exit_code != 16 or len(late) < 2:
        wrong = [f"{outcome.ending()}\n{outcome.stderr[-3000:]}"]
    elif under:
        for figure in figures[::max(1, len(figures) // 12)]:
            print("    after %d s, %d rounds: %d KiB, %d allocated" % figure, flush=True)
    return late, wrong


def tell(name, text, wrong):
    print(f"{'WRONG' if wrong else 'ok'}: {name}: {text}", flush=True)
    for sentence in wrong:
        print(f"    {sentence}")
    return not wrong


def stays(place, seconds, driver, kinds):
    """Whether resident memory stays as it is."""
    late, wrong = run(place, seconds, driver, kinds, True)
    if len(late) < 2:
        return tell("soak", "no figures", wrong)
    growth = late[-1][2] / late[0][2] - 1
    if growth > MOST_GROWTH:
        wrong.append(f"memory grew by {100 * growth:.1f} % after the warm-up")
    return tell(f"soak of {', '.join(kinds)} on {driver}",
                f"{late[-1][1]} rounds, {late[0][2]} KiB after {late[0][0]} s, {late[-1][2]} KiB after {late[-1][0]} s: "
                f"{100 * growth:+.1f} %", wrong)


def grows_as_bare(place, seconds, driver, kinds):
    """Whether what is allocated grows by little more than twice as much in a round as bare."""
    a_round, wrong = {}, []
    for under in False, True:
        late, said = run(place, seconds, driver, [*kinds, *FILLING], under)
        late = [figure for figure in late if figure[0] >= seconds / 2]
        wrong += said
        if len(late) < 2 or late[-1][1] == late[0][1]:
            return tell("soak", "no figures", wrong or ["it made no rounds"])
        a_round[under] = (late[-1][3] - late[0][3]) / (late[-1][1] - late[0][1])
    if a_round[True] > 2 * max(a_round[False], 0) + MOST_BESIDES:
        wrong.append("more than twice as much")
    return tell(f"soak of {', '.join(kinds)} on {driver}",
                f"allocated grows by {a_round[True]:.2f} KiB a round, bare by {a_round[False]:.2f}", wrong)


def soak(place, seconds, driver, kinds):
    """Whether memory stayed flat; says the figures."""
    flat = [kind for kind in kinds or REST if kind in REST]
    building = [kind for kind in kinds or BUILDING if kind in BUILDING]
    good = not flat or stays(place, seconds, driver, flat)
    for kind in building:
        good = grows_as_bare(place, max(180, seconds // 12), driver, [kind]) and good
    return good
