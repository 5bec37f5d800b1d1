# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All cases, and how they share files: a file is one program, so what is in it
needs the same of a device."""

import collections
import re

from axes import axes
from cases import (barriers, between, collective_arguments, extents, folded, halves, heap, images, kinds, members, neighbors,
                   papers, papers_temporal, scope)
from model import File

IN_A_FILE = 24  # cases; each is two kernels


def all_cases():
    modules = (axes, between, neighbors, kinds, members, extents, folded, halves, images, papers, papers_temporal, heap,
               scope, barriers, collective_arguments)
    return named_once([case for module in modules for case in module.cases()])


def named_once(cases):
    names = collections.Counter(case.name for case in cases)
    twice = [name for name, count in names.items() if count > 1]
    assert not twice, f"two cases have one name: {twice}"
    return cases


def files_of(cases):
    """Evenly filled files; the cases of one family that need the same, in the same forms, together. A call that is
    wrong says nothing of a kernel: those cases have files of their own."""
    groups = collections.defaultdict(list)
    for case in cases:
        alone = (case.name,) if case.expected.api else ()
        groups[case.family, tuple(sorted(case.needs)), case.forms, alone].append(case)
    files = []
    for (family, needs, forms, alone), members_ in groups.items():
        count = -(-len(members_) // IN_A_FILE)
        for number in range(count):
            part = members_[number * len(members_) // count:(number + 1) * len(members_) // count]
            only = forms if len(forms) == 1 else ()
            name = "_".join((family, *needs, *only, *alone, *([str(number + 1)] if count > 1 else [])))
            files.append(File(name, family, frozenset(needs), forms, part))
    return files


def sample(cases, wanted=60):
    """A few of every family, spread over it."""
    families = collections.defaultdict(list)
    for case in cases:
        families[case.family].append(case)
    chosen = []
    for members_ in families.values():
        count = min(len(members_), max(3, round(wanted * len(members_) / len(cases))))
        chosen += [members_[number * len(members_) // count] for number in range(count)]
    return chosen


def chosen(cases, options, sample):
    """Those that a command line's --family, --case and --quick ask for."""
    if options.family:
        cases = [case for case in cases if case.family in options.family]
    if options.case:
        names = {re.sub("^(bug|ok)_", "", name) for name in options.case}
        cases = [case for case in cases if case.name in names]
    return sample(cases) if options.quick else cases
