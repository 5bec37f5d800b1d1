#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the binaries are built with (cmake/Hardening.cmake)."""

import re
import shutil
import subprocess
import unittest

from place import COMPILER, LAYER, WARPSAN

READELF = shutil.which("llvm-readelf-19") or shutil.which("readelf")
OBJDUMP = shutil.which("llvm-objdump-19") or shutil.which("objdump")


BINARIES = (WARPSAN, COMPILER, LAYER)


def read(*words):
    return subprocess.run([READELF, "--wide", *words], capture_output=True, text=True, check=True).stdout


class Hardened(unittest.TestCase):
    def test_tables_are_read_only_once_it_has_started(self):
        for path in BINARIES:
            self.assertIn("GNU_RELRO", read("--program-headers", path), path)
            self.assertRegex(read("--dynamic", path), r"BIND_NOW|FLAGS.*\bNOW\b", path)

    def test_no_memory_is_code_and_data(self):
        for path in BINARIES:
            segments = read("--program-headers", path)
            self.assertRegex(segments, r"GNU_STACK\s+(0x0+\s+){3}(0x0+\s+){2}RW ")
            self.assertNotIn("RWE", segments)

    def test_its_place_is_chosen_anew(self):
        for path in BINARIES:
            self.assertRegex(read("--file-header", path), r"Type:\s+DYN")
            if path != LAYER:
                self.assertRegex(read("--dynamic", path), r"FLAGS_1.*\bPIE\b")

    def test_stacks_and_calls_are_guarded(self):
        for path in BINARIES:
            names = read("--dyn-syms", path)
            self.assertIn("__stack_chk_fail", names, path)
            self.assertRegex(names, r"__\w+_chk\b(?<!__stack_chk)")
            # Of operator[] and front() of the C++ library, which the layer has
            # inside.
            self.assertIn("__glibcxx_assert_fail", read("--symbols", path), path)

    def test_jumps_land_where_they_may(self):
        text = subprocess.run([OBJDUMP, "-d", "--disassemble-symbols=clInitLayer", LAYER], capture_output=True,
                              text=True, check=True).stdout
        self.assertRegex(text, re.compile(r"<clInitLayer>:\n[^\n]*endbr64"))


if __name__ == "__main__":
    unittest.main()
