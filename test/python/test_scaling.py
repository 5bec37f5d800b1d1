# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by pytest, under WarpSan, by lines.py."""

import os

from scaling import Scaling


def test_scaling():
    Scaling().run(int(os.environ["SHIFT"]))  # TESTED
