# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program bare and under WarpSan in turns, so that what else the machine
does falls on all sides alike. A layer cannot be switched off within a process:
the turns are short processes."""

import os
import statistics
import sys

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(CHECKOUT, "test", "apps"))

from sides import Side  # noqa: E402

BARE = None
NATIVE = ("run", "--launch=native")
TWIN = ("run", "--launch=twin", "--checks=none")
CHECKED = ("run", "--launch=twin", "--checks=all")
# As if nothing were in the sample, but for the first launch.
SAMPLED_OUT = ("run", "--checks=all", "--sample=1000000")
PROVEN = ("run", "--checks=auto")


class Failed(Exception):
    pass


def go_first():
    """Lets what is measured run before other work of the machine, if permitted."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    except PermissionError:
        print("not permitted to run with priority: figures are noisier on a busy machine")


def run(side, command, environment, timeout=600, number=1):
    done = side.run(command, environment, timeout, number)
    if done.timed_out or done.exit_code:
        raise Failed(f"{' '.join(done.command)}: {done.ending()}\n{done.stdout}{done.stderr}".rstrip())
    return done


def take_turns(sides, command, environment, rounds, read, folder, warpsan, timeout=600):
    """Runs `command` once for every side in every round. `sides`: name -> what
    follows `warpsan`, or BARE. `read`: makes a value of a finished run, which may
    take `timeout` seconds. Returns a list of {name: value}, one for each round.
    Caches are warm: a first round is run and forgotten."""
    made = {name: Side(os.path.join(folder, name), what and [warpsan, *what]) for name, what in sides.items()}
    values = []
    order = list(sides)
    for number in range(rounds + 1):
        values.append({name: read(run(made[name], command, environment, timeout)) for name in order})
        order.append(order.pop(0))  # nobody is always first
    return values[1:]


def quartiles(values):
    """(lower, median, upper)"""
    if len(values) < 2:
        return values[0], values[0], values[0]
    return tuple(statistics.quantiles(values, n=4, method="inclusive"))


def expect_twins(summary):
    """A benchmark of twins that ran the native kernels, unproven, measured nothing."""
    if not summary or summary["launches"]["native"] or not summary["launches"]["seen"]:
        raise Failed(f"not every launch was checked or proven: {summary and summary['launches']}, "
                     f"{summary and summary['gaps']}")
