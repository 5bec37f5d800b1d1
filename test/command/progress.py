# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whoever waits at a terminal is told why; nobody else is."""

import os
import pty
import subprocess
import unittest

from command import APP, BUILD, WARPSAN, WithLayer

LINE = "WarpSan: instrumenting kernels"


class Progress(WithLayer):

    def setUp(self):
        super().setUp()
        # warpsan-clc, twelve seconds late.
        self.slow = self.path("slow-clc")
        with open(self.slow, "w", encoding="utf-8") as text:
            text.write(f'#!/bin/sh\nsleep 12\nexec {os.path.join(BUILD, "bin", "warpsan-clc")} "$@"\n')
        os.chmod(self.slow, 0o755)

    def on_terminal(self, *options):
        """What a terminal is told by a run of the program."""
        ours, theirs = pty.openpty()
        # A session of its own, so that the terminal is its own.
        run = subprocess.Popen(["setsid", "--ctty", "--wait", WARPSAN, "run", *options, "--", APP, "add", "1"],
                               env=self.env, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        seen = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError:  # the last one who had it open has gone
                break
            if not more:
                break
            seen += more
        os.close(ours)
        self.assertEqual(run.wait(timeout=120), 0, seen)
        return seen.decode()

    def test_told_while_it_waits(self):
        text = self.on_terminal(f"--compiler={self.slow}")
        self.assertIn(LINE, text)
        # Not in the first two seconds; then ever more rarely, in whole lines.
        lines = text.splitlines()
        self.assertEqual(lines[:2], [f"{LINE} of program 1, for {seconds} s so far" for seconds in (2, 5)])
        self.assertIn("sums are right", lines)

    def test_not_without_a_wait(self):
        self.assertNotIn(LINE, self.on_terminal())

    def test_not_if_nothing_is_to_be_said(self):
        self.assertNotIn(LINE, self.on_terminal(f"--compiler={self.slow}", "--verbosity=0"))

    def test_not_without_a_terminal(self):
        run = self.warpsan_run(f"--compiler={self.slow}", "--", APP, "add", "1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("instrumenting", run.stderr)


if __name__ == "__main__":
    unittest.main()
