# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All cases, and how they share files."""

import dataclasses
import re

import families
import mix
import model
import patterns
import temporal
from modules import LANGUAGES


@dataclasses.dataclass
class File(model.File):
    """A CUDA or HIP source."""
    language: str = ""

    def header(self):
        return "// Written by test/cuda; the lines marked BUG in kernels bug_* are errors.\n#include \"cuda.h\"\n"


def all_cases():
    return families.named_once([case for module in (mix, temporal, patterns) for case in module.cases()])


def files_of(cases):
    """Every third is HIP, where the cases do not ask for a language."""
    return [File(**vars(file), language=file.forms[0] if file.forms[0] in LANGUAGES else LANGUAGES[number % 3 == 2])
            for number, file in enumerate(families.files_of(cases))]


def sample(cases):
    return families.sample(cases, wanted=30)


def plain(name):
    """The source's name of what may be C++'s mangled one, `_Z5bug_xPi` or `_ZZ5bug_xPiE4tile`, or written out with the
    types of its arguments."""
    if name.startswith("__const."):  # of the function that is named next
        return name.rpartition(".")[2]
    kernel = re.match(r"_ZZ?(\d+)", name)
    if not kernel:
        return re.sub(r"^void |[<(].*", "", name)
    if not name.startswith("_ZZ"):
        return name[kernel.end():kernel.end() + int(kernel[1])]
    own = re.search(r"E(\d+)(\w+)$", name)  # of the function
    return own[2][:int(own[1])] if own else name
