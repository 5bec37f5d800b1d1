# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The man pages are right in form, and tell every command and option."""

import glob
import gzip
import os
import re
import unittest

from installed import Installed, run


class Pages(Installed):
    def page(self, name):
        """As it is read, without bold and underlined letters."""
        path = os.path.join(self.prefix, "share/man/man1", name + ".1.gz")
        result = run("mandoc", "-Tutf8", "-Owidth=78", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.sub(".\b", "", result.stdout)

    def test_form(self):
        pages = glob.glob(os.path.join(self.prefix, "share/man/man1/*.gz"))
        self.assertEqual(len(pages), 5)
        for path in pages:
            self.assertEqual(run("mandoc", "-Tlint", "-Wwarning", path).stdout, "")
            with gzip.open(path, "rt") as file:
                self.assertNotRegex(file.read(), "@[A-Z_]+@")

    def test_every_option_is_told(self):
        listed = re.findall(r"^  --(\w+)=", run(os.path.join(self.prefix, "bin/warpsan"), "run", "--help").stdout, re.M)
        self.assertGreater(len(listed), 15)
        page = self.page("warpsan-run")
        told = re.findall(r"^ +--(\w+)=", page, re.M)
        self.assertEqual([name for name in told if name in listed], listed)
        self.assertIn("Default: auto.", re.sub(r"\s+", " ", page))

    def test_every_option_of_other_commands_is_told(self):
        commands = re.findall(r"^  (\w+) ", run(os.path.join(self.prefix, "bin/warpsan"), "--help").stdout, re.M)
        self.assertIn("explain", commands)
        for command in set(commands) - {"run", "doctor"}:
            text = run(os.path.join(self.prefix, "bin/warpsan"), command, "--help").stdout
            listed = re.findall(r"^  (--\w+)", text, re.M)
            self.assertGreater(len(listed), 1, command)
            self.assertEqual(re.findall(r"^ +(--\w+)\b", self.page("warpsan-" + command), re.M), listed)

    def test_every_command_has_a_page(self):
        commands = re.findall(r"^  (\w+) ", run(os.path.join(self.prefix, "bin/warpsan"), "--help").stdout, re.M)
        self.assertIn("doctor", commands)
        for command in commands:
            self.assertIn(f"warpsan-{command}", self.page(f"warpsan-{command}"))
            self.assertIn(f"warpsan-{command}(1)", re.sub(r"-\s+", "-", self.page("warpsan")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
