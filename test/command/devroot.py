# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tools/devroot says when it is asked for something wrong: nothing is made or entered."""

import os
import unittest

from command import Place

DEVROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "devroot")


class Devroot(Place):
    def devroot(self, *words):
        return self.run_command(DEVROOT, *words)

    def test_help(self):
        for words in (), ("help",), ("--help",), ("-h",):
            result = self.devroot(*words)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("tools/devroot exec CMD...", result.stdout)

    def test_unknown_command(self):
        result = self.devroot("foo")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "devroot: there is no command 'foo'; tools/devroot --help lists them\n")

    def test_nothing_to_execute(self):
        for command in "exec", "run":
            result = self.devroot(command)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertEqual(result.stderr, f"devroot: {command} needs a command\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
