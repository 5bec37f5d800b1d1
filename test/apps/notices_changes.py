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

from comparison import Proven, compare  # noqa: E402
from drivers import Driver  # noqa: E402
from results import Content, Counts, Lines, same_line  # noqa: E402
from rows import ALSO_ROWS, BUG_ROWS, ROWS, Row  # noqa: E402
from timing import Wall, mean_ratio  # noqa: E402

SUMMARY = {"layer_loaded": True, "launches": {"seen": 4, "twin": 2, "proven": 1},
           "kernels": {"created": 5, "launched": 3, "twin": 2, "proven": 1},
           "accesses": {"checked": 2, "proven": 7, "untraced": 1},
           "gaps": [{"subject": "kernel k", "reason": "why", "launches": 1}]}

# Arguments: --summary_file=FILE -- PROGRAM...; UNDER=1 is all that changes.
STAND_IN = """#!/bin/sh
printf '%s' '{summary}' >"${{1#--summary_file=}}"
shift 2
UNDER=1 exec "$@"
"""


class WithStandIn(unittest.TestCase):

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def judge(self, script, *result, summary=SUMMARY, rounds=0, **more):
        warpsan = os.path.join(self.folder, "warpsan")
        with open(warpsan, "w") as file:
            file.write(STAND_IN.format(summary=json.dumps(summary)))
        os.chmod(warpsan, 0o755)
        row = Row("row", ("sh", "-c", script), result, **more)
        return compare(row, Driver("none", "/none"), self.folder, {}, [warpsan], rounds)


class NoticesChanges(WithStandIn):

    def test_same_output_is_unchanged_and_counted(self):
        verdict = self.judge("echo 1", Lines())
        self.assertEqual(verdict.changes, [])
        self.assertEqual((verdict.launches, verdict.twins), (4, 3))
        self.assertEqual(verdict.gaps, [("kernel k", "why", 1)])

    def test_what_is_proven_is_counted_once_for_all_runs(self):
        verdict = self.judge("echo 1", Lines(), runs=2)
        self.assertEqual(verdict.launches, 8)
        self.assertEqual(verdict.proven, Proven(accesses=7, of_accesses=10, kernels=1, of_kernels=3))
        self.assertEqual(verdict.proven + verdict.proven, Proven(14, 20, 2, 6))

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


class TakesTime(WithStandIn):

    def test_slower_under_warpsan(self):
        # The first run, which fills the caches, would be off the mark.
        script = "test -e $HOME/x || sleep 2; touch $HOME/x; sleep 0.3; test ! $UNDER || sleep 0.3"
        wall = self.judge(script, rounds=2).wall
        self.assertEqual((len(wall.bare), len(wall.other)), (2, 2))
        self.assertGreater(wall.ratio(), 1.5)
        self.assertLess(wall.ratio(), 2.5)

    def test_sides_take_turns(self):
        log = os.path.join(self.folder, "log")
        self.judge(f"echo side$UNDER >>{log}", rounds=3)
        with open(log) as file:
            self.assertEqual(file.read().split(), ["side", "side1"] * 4)

    def test_only_a_timed_run_changes(self):
        for script, change in (("test $(wc -l <$HOME/x) -lt 3 || test ! $UNDER || exit 3", "exit code 3"),
                               ("test $(wc -l <$HOME/x) -lt 3 || echo b$UNDER", "'b' became 'b1'")):
            verdict = self.judge("echo >>$HOME/x; echo a; " + script, Lines(), rounds=2)
            self.assertIn("timed run 2: ", verdict.changes[0])
            self.assertIn(change, verdict.changes[0])
            self.assertIsNone(verdict.wall)

    def test_what_changes_is_not_timed(self):
        verdict = self.judge("test -e $HOME/x || echo a$UNDER; touch $HOME/x; echo b", Lines(), rounds=2)
        self.assertEqual(len(verdict.changes), 1)
        self.assertIsNone(verdict.wall)

    def test_timed_runs_find_an_empty_folder_and_their_input(self):
        def write(folder):
            with open(os.path.join(folder, "in"), "w") as file:
                file.write("word")
        verdict = self.judge("cat in >>out", Content("out"), inputs=write, rounds=2)
        self.assertEqual(verdict.changes, [])
        with open(os.path.join(self.folder, "none", "row", "twin", "work", "out")) as file:
            self.assertEqual(file.read(), "word")


class Figures(unittest.TestCase):

    def test_the_median_of_the_ratios_not_their_mean(self):
        self.assertEqual(Wall([1, 2, 1], [1.5, 3.5, 100]).ratio(), 1.75)
        self.assertEqual(str(Wall([1, 2, 1], [1.5, 3.5, 100])), "warm 1.00 s, 3.50 s, wall 1.75x")

    def test_the_mean_over_rows_is_geometric(self):
        self.assertAlmostEqual(mean_ratio([Wall([1], [4]), Wall([100], [100])]), 2)
        self.assertIsNone(mean_ratio([]))


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
