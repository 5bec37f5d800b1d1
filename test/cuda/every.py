# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All cases, and how they share files."""

import dataclasses
import re

import blocks
import families
import mix
import model
import patterns
import races
import temporal
from modules import LANGUAGES


@dataclasses.dataclass
class File(model.File):
    """A CUDA or HIP source."""
    language: str = ""
    ending = ".cu"

    def header(self):
        return "// Written by test/cuda; the lines marked BUG in kernels bug_* are errors.\n#include \"cuda.h\"\n"


def all_cases():
    return families.named_once([case for module in (mix, temporal, patterns, blocks, races) for case in module.cases()])


def files_of(cases):
    """Every third is HIP, where the cases do not ask for a language."""
    return [File(**vars(file), language=file.forms[0] if file.forms[0] in LANGUAGES else LANGUAGES[number % 3 == 2])
            for number, file in enumerate(families.files_of(cases))]


def sample(cases):
    return families.sample(cases, wanted=30)


def plain(name):
    """The source's name of a kernel whose C++ name is mangled, `_Z5bug_xPi`."""
    kernel = re.match(r"_Z(\d+)", name)
    return name[kernel.end():kernel.end() + int(kernel[1])] if kernel else name
