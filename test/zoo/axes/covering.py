# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses few combinations of axes' values so that every sensible pair, and every
sensible triple of the axes that matter most together, occurs in one of them."""

import itertools

AXES_TOGETHER = (("memory", "access", "direction"), ("memory", "route", "direction"), ("access", "scalar", "width"))
TRIES = 60


class Numbers:
    """The same numbers in every run, on every version of Python."""

    def __init__(self):
        self.state = 12345

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def completions(axes, sensible, fixed, numbers, wanted):
    """Up to `wanted` full combinations that contain `fixed`, in varied order."""
    free = [axis for axis in axes if axis not in fixed]
    for _ in range(wanted):
        chosen = complete(axes, sensible, dict(fixed), free, numbers)
        if chosen is None:
            return
        yield chosen


def complete(axes, sensible, chosen, free, numbers):
    if not sensible(chosen):
        return None
    if not free:
        return chosen
    values = axes[free[0]]
    start = numbers.below(len(values))
    for step in range(len(values)):
        value = values[(start + step) % len(values)]
        found = complete(axes, sensible, {**chosen, free[0]: value}, free[1:], numbers)
        if found:
            return found
    return None


def targets_of(axes, together=AXES_TOGETHER):
    """All pairs and the chosen triples, as ((axis, value), ..)."""
    groups = [*together, *itertools.combinations(axes, 2)]
    for group in groups:
        for values in itertools.product(*(axes[axis] for axis in group)):
            yield tuple(zip(group, values))


def cover(axes, sensible, together=AXES_TOGETHER):
    """`axes`: {name: values}. `sensible`: takes a part of a combination and says
    whether it can be a part of one. Returns the combinations, as dicts."""
    numbers = Numbers()
    groups = [*together, *itertools.combinations(axes, 2)]
    covered, chosen = set(), []

    def parts(combination):
        return {tuple((axis, combination[axis]) for axis in group) for group in groups}

    for target in targets_of(axes, together):
        if target in covered:
            continue
        best = max(completions(axes, sensible, dict(target), numbers, TRIES),
                   key=lambda combination: len(parts(combination) - covered), default=None)
        if best is not None:
            chosen.append(best)
            covered |= parts(best)
    return chosen
