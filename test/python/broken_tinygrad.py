# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program of tinygrad's with one of its generated kernels broken: the
first that reads through its second argument reads a million elements further.

    python3 broken_tinygrad.py PROGRAM"""

import re
import runpy
import sys

from tinygrad.runtime.ops_cl import CLCompiler

compile_whole = CLCompiler.compile
broken = []


def compile_broken(self, source):
    moved, found = re.subn(r"\*\((data1_\d+)\+", r"*(\1+1000000+", source, count=1)
    if found and not broken:
        broken.append(source)
        source = moved
    return compile_whole(self, source)


CLCompiler.compile = compile_broken
runpy.run_path(sys.argv[1], run_name="__main__")
