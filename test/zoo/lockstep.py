# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel with divergent barriers does if nothing but its own control flow decides: the reference for the family
`barriers`.

A work-item is a generator that yields where it stops: at a collective call, `call(MARK)`, or at the end of a region of
divergent control flow, END (the immediate post-dominator of the region's branches). The end of the kernel is one, too. A
round runs every work-item of a group to its next stop.

    all are at one call       the call is legal
    all are at the end        they go on together
    else                      the group has diverged: a finding at the lowest call at which somebody waits. Those at
                              calls go on without a barrier, those at the end wait

What follows in the same region is a consequence: a group has one finding in a region. No region is in a loop and
diverges at another call in a later iteration: WarpSan does not report that one. A launch has one for each call,
from all groups. The other side is those at the end, or at the next call if nobody is there;
its branch is the one that its first work-item took last.

A round's stores to local memory are seen by all in the next. Two work-items that race within a round would make the
results depend on a driver: that is an assertion. Arriving at the end synchronizes nobody.
"""

import dataclasses

from model import diverged

END = "end"


def call(mark):
    """A stop at the collective call whose line has this mark; calls of one kernel are in the order of their marks."""
    return ("call", mark)


LEGAL = call("LEGAL")  # a call that all work-items reach


class LocalMemory:
    """Of one group. Asserts that no two work-items race."""

    def __init__(self):
        self.values, self.readers, self.writers = {}, {}, {}

    def meet(self):
        self.readers, self.writers = {}, {}

    def load(self, item, at):
        assert at in self.values, f"element {at} is not initialized"
        assert self.writers.get(at, item) == item, f"work-item {item} reads what another writes: {at}"
        self.readers.setdefault(at, set()).add(item)
        return self.values[at]

    def store(self, item, at, value):
        assert self.writers.get(at, item) == item and self.readers.get(at, set()) <= {item}, f"a race: {at}, {item}"
        self.writers[at] = item
        self.values[at] = value


@dataclasses.dataclass
class Item:
    """A work-item as its generator sees it."""
    l: int  # noqa: E741  linear local id
    g: int  # linear global slot: group * local size + l
    group: int
    size: int  # of its group
    n: int  # the kernel's argument
    bug: bool
    memory: LocalMemory
    v: int = 0  # the value that branches depend on
    branch: str | None = None  # that it took last
    out: int | None = None  # what it leaves in out[g]

    def load(self, at):
        return self.memory.load(self.l, at)

    def store(self, at, value):
        self.memory.store(self.l, at, value)

    def takes(self, condition, branch="BRANCH"):
        self.branch = branch
        return condition


def run(groups, local_id):
    """`groups`: of lists of (item, generator). Returns the findings, by Expected, in the order of their marks.
    `local_id`: from an item's linear local id."""
    found = {}
    for group in groups:
        for mark, facts in run_group(group, local_id).items():
            found.setdefault(mark, []).append(facts)
    expected = []
    for mark, facts in sorted(found.items()):
        assert len(set(facts)) == 1, f"groups diverge differently at {mark}, and any may be the first: {set(facts)}"
        expected.append(diverged(*facts[0], groups=len(facts), mark=mark))
    return expected


def run_group(group, local_id):
    """{mark: (branch, here, there, mark of the other call)}"""
    stops, found, told = {}, {}, False
    moving = list(range(len(group)))
    while True:
        for index in moving:
            stops[index] = next(group[index][1], END)
        calls = sorted({stop[1] for stop in stops.values() if stop is not END})
        if not calls:
            if all(generator.gi_frame is None for _, generator in group):
                return found
            moving, told = list(stops), False
            continue
        group[0][0].memory.meet()
        moving = [index for index, stop in stops.items() if stop is not END]
        if told or (len(moving) == len(group) and len(calls) == 1):
            continue
        told = True
        here = [index for index in moving if stops[index][1] == calls[0]]
        there = [index for index in stops if index not in moving]
        there_mark = ""
        if not there:
            there_mark = calls[1]
            there = [index for index in moving if stops[index][1] == there_mark]
        found.setdefault(calls[0], (group[there[0]][0].branch, (len(here), local_id(group[here[0]][0].l)),
                                    (len(there), local_id(group[there[0]][0].l)), there_mark))
