# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of this folder share: those of the command, and other users."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "command"))

from command import APP, BUILD, WARPSAN, Place, WithLayer, environment  # noqa: E402,F401

LAYER = os.path.join(BUILD, "lib", "libwarpsan_layer.so")
COMPILER = os.path.join(BUILD, "bin", "warpsan-clc")
NOBODY = 65534

needs_root = unittest.skipUnless(os.geteuid() == 0, "other users are made by root")


def mode_of(path):
    return os.lstat(path).st_mode & 0o777


def all_below(folder):
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            yield os.path.join(parent, name)
