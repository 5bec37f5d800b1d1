#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Would test/apps/run notice? Rows of shell commands, under a stand-in for
`warpsan` that does what a broken one might."""

import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from comparison import compare  # noqa: E402
from drivers import Driver  # noqa: E402
from results import Content, Counts, Lines, same_line  # noqa: E402
from rows import ALSO_ROWS, BUG_ROWS, ROWS, Row  # noqa: E402

SUMMARY = {"layer_loaded": True, "launches": {"seen": 4, "twin": 2, "proven": 1},
           "gaps": [{"subject": "kernel k", "reason": "why", "launches": 1}]}

# Arguments: --summary_file=FILE -- PROGRAM...; UNDER=1 is all that changes.
STAND_IN = """#!/bin/sh
printf '%s' '{summary}' >"${{1#--summary_file=}}"
shift 2
UNDER=1 exec "$@"
"""


class NoticesChanges(unittest.TestCase):

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def judge(self, script, *result, summary=SUMMARY, **more):
        warpsan = os.path.join(self.folder, "warpsan")
        with open(warpsan, "w") as file:
            file.write(STAND_IN.format(summary=json.dumps(summary)))
        os.chmod(warpsan, 0o755)
        row = Row("row", ("sh", "-c", script), result, **more)
        return compare(row, Driver("none", "/none"), self.folder, {}, [warpsan])

    def test_same_output_is_unchanged_and_counted(self):
        verdict = self.judge("echo 1", Lines())
        self.assertEqual(verdict.changes, [])
        self.assertEqual((verdict.launches, verdict.twins), (4, 3))
        self.assertEqual(verdict.gaps, [("kernel k", "why", 1)])

    def test_another_line(self):
        self.assertIn("'a' became 'a1'", self.judge("echo a$UNDER", Lines()).changes[0])

    def test_a_number_out_of_tolerance(self):
        self.assertTrue(self.judge("echo x 10$UNDER", Lines(tolerance=1e-3)).changes)

    def test_a_missing_line(self):
        self.assertTrue(self.judge("echo a; test $UNDER || echo b", Lines()).changes)

    def test_another_count(self):
        self.assertTrue(self.judge("echo ok; test $UNDER || echo ok", Counts("ok")).changes)

    def test_another_file(self):
        self.assertTrue(self.judge("echo $UNDER >out", Content("out")).changes)

    def test_a_missing_file(self):
        self.assertTrue(self.judge("test $UNDER || touch out", Content("out")).changes)

    def test_another_exit_code(self):
        self.assertIn("exit code 3", self.judge("test ! $UNDER || exit 3").changes[0])

    def test_a_signal(self):
        self.assertIn("SIGSEGV", self.judge("test ! $UNDER || kill -SEGV $$").changes[0])

    def test_a_hang(self):
        verdict = self.judge("test ! $UNDER || sleep 60", timeout=1)
        self.assertIn("did not end", verdict.changes[0])

    def test_only_the_second_run_changes(self):
        verdict = self.judge("test -e $HOME/x && echo $UNDER; touch $HOME/x; echo a", Lines("[0-9a]"), runs=2)
        self.assertIn("run 2", verdict.changes[0])

    def test_a_program_that_fails_bare_is_no_evidence(self):
        self.assertIn("bare", self.judge("exit 1").changes[0])

    def test_a_layer_that_was_not_loaded(self):
        summary = {**SUMMARY, "layer_loaded": False}
        self.assertIn("not loaded", self.judge("echo a", Lines(), summary=summary).changes[0])

    def test_no_launch(self):
        summary = {**SUMMARY, "launches": {"seen": 0, "twin": 0, "proven": 0}}
        self.assertIn("no launch", self.judge("echo a", Lines(), summary=summary).changes[0])

    def test_sides_do_not_share_a_home(self):
        self.assertEqual(self.judge("test -e $HOME/x && echo b; touch $HOME/x; echo a", Lines()).changes, [])


class Table(unittest.TestCase):

    def test_names_are_unique(self):
        names = [row.name for row in (*ROWS, *ALSO_ROWS, *BUG_ROWS)]
        self.assertEqual(len(names), len(set(names)))

    def test_numbers_are_compared_relatively(self):
        self.assertTrue(same_line("loss 4.22039", "loss 4.22040", 1e-5))
        self.assertFalse(same_line("loss 4.22039", "loss 4.2205", 1e-5))
        self.assertFalse(same_line("loss 1", "gain 1", 1))


if __name__ == "__main__":
    unittest.main()
