# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the zoo is what it says, and whether a finding that is wrong in any one
fact would be noticed. Needs no driver."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from axes import axes  # noqa: E402
from comparison import all_differences, all_wanted_of, differences, wanted_of  # noqa: E402
from axes.covering import targets_of  # noqa: E402
from families import all_cases, files_of, sample  # noqa: E402
from model import Expected  # noqa: E402

CASES = all_cases()


MARKS = {"BUG": 5, "BUG2": 15, "BUG3": 25, "BRANCH": 3, "BRANCH2": 13}  # lines


def finding(case, line, call=7, expected=None):
    """A finding as docs/reference/formats/findings.md has it that is right in every fact."""
    expected = expected or case.expected
    name = (expected.name or "").replace("$K", f"bug_{case.name}")
    return {
        "kind": expected.kind, "kernel": "" if expected.api else f"bug_{case.name}", "call": expected.api or "",
        "site": {"access": expected.access, "at": [{"line": line}, {"line": call}]},
        "root": {"name": name}, "arg": None, "bytes": expected.bytes or 0, "size": expected.size or 0,
        "offset": expected.offset or 0, "where": expected.where, "distance": expected.distance or 0,
        "global_id": list(expected.global_id or (0, 0, 0)), "items": items_of(expected),
        "coordinates": [*(expected.coordinates or ()), 0, 0][:3], "image_size": [*(expected.image_size or ()), 0,
                                                                                 0][:3],
        "divergence": expected.divergence and divergence(expected.divergence),
    }


def items_of(expected):
    diverged = expected.divergence
    return diverged.here[0] * diverged.groups if diverged else expected.items or 1


def divergence(of):
    def side(count, local_id):
        return {"items": count, "local_id": list(local_id or (0, 0, 0))}

    def places(mark):
        return [{"line": MARKS[mark]}] if mark else []
    return {"here": side(*of.here), "there": side(*of.there), "branch": places(of.branch),
            "other": {"builtin": "barrier", "at": places(of.there_mark)} if of.there_mark else None}


class Zoo(unittest.TestCase):
    def test_it_has_600_distinct_bugs(self):
        self.assertGreaterEqual(len(CASES), 600)
        texts = {case.source(True).replace(case.name, "") + repr(case.bug) for case in CASES}
        self.assertEqual(len(texts), len(CASES))

    def test_every_sensible_pair_of_values_occurs(self):
        chosen = [dict(case.axes) for case in CASES if case.family == "axes"]
        parts = {part for each in chosen for part in targets_of({axis: (value,) for axis, value in each.items()})}
        missing = [target for target in targets_of(axes.AXES) if target not in parts and possible(dict(target))]
        self.assertEqual(missing, [])

    def test_bug_and_twin_differ(self):
        for case in CASES:
            same_text = case.source(True).replace("bug_", "ok_").replace("/*BUG*/", "") == \
                case.source(False).replace("/*BUG*/", "")
            self.assertFalse(same_text and case.bug == case.ok, case.name)

    def test_out_of_bounds_findings_are_outside(self):
        for case in CASES:
            expected = case.expected
            if expected.kind.startswith("out_of_bounds") and not expected.measured and expected.distance is not None:
                self.assertIn(expected.where, ("before", "straddles", "past"), case.name)
                if expected.where != "past":
                    self.assertGreater(expected.distance, 0, case.name)

    def test_marked_lines_are_in_the_text(self):
        for file in files_of(CASES):
            text, lines, _ = file.text()
            for case in file.cases:
                if case.expected.api:
                    self.assertEqual((file.cases, lines), ([case], {}))
                    continue
                self.assertIn("/*BUG*/", text.split("\n")[lines[f"bug_{case.name}"] - 1])
                for each in (case.expected, *case.also):
                    marks = {each.mark} - {"BUG"}
                    if each.divergence:
                        marks |= {each.divergence.branch, each.divergence.there_mark} - {None, "", "BUG"}
                    for mark in marks:
                        self.assertIn(f"/*{mark}*/", text.split("\n")[lines[f"bug_{case.name}", mark] - 1])

    def test_the_sample_has_every_family_and_kind(self):
        few = sample(CASES)
        self.assertEqual({case.family for case in few}, {case.family for case in CASES})
        self.assertLess(len(few), 90)


class Comparison(unittest.TestCase):
    def wrong(self, case, got):
        return differences(wanted_of(case, 5, None, None, MARKS), got)

    def test_a_right_finding_is_accepted(self):
        for case in CASES:
            if not case.expected.measured:
                self.assertEqual(self.wrong(case, [finding(case, 5)]), [], case.name)

    def test_a_missing_and_a_second_finding_are_noticed(self):
        for case in CASES:
            self.assertTrue(self.wrong(case, []))
            self.assertTrue(self.wrong(case, [finding(case, 5), finding(case, 5)]))

    def test_each_wrong_fact_is_noticed(self):
        for case in CASES:
            if case.expected.measured:
                continue
            for fact, value in (("kind", "other"), ("bytes", 9999), ("size", 9999), ("where", "nowhere"),
                                ("distance", 9999), ("offset", 9999), ("global_id", [9, 9, 9]), ("items", 9999),
                                ("coordinates", [99, 99, 99]), ("image_size", [99, 99, 99])):
                if fact != "kind" and getattr(case.expected, fact) is None:
                    continue
                self.assertTrue(self.wrong(case, [{**finding(case, 5), fact: value}]), f"{case.name}: {fact}")
            self.assertTrue(self.wrong(case, [{**finding(case, 5), "call": "clOther"}]), f"{case.name}: call")
            if case.expected.api:
                continue
            self.assertTrue(self.wrong(case, [finding(case, 6)]), f"{case.name}: line")
            if case.expected.access is not None:
                self.assertTrue(self.wrong(case, [{**finding(case, 5), "site": {"access": "none", "at": [{"line": 5}]}}]))
            if case.expected.name is not None:
                self.assertTrue(self.wrong(case, [{**finding(case, 5), "root": {"name": "other"}}]),
                                f"{case.name}: name")

    def test_each_wrong_fact_of_a_divergence_is_noticed(self):
        for case in CASES:
            expected, right = case.expected.divergence, finding(case, 5)
            if not expected:
                continue
            self.assertEqual(self.wrong(case, [right]), [], case.name)
            self.assertTrue(self.wrong(case, [{**right, "divergence": None}]), case.name)
            self.assertTrue(self.wrong(case, [{**right, "items": 99}]), f"{case.name}: groups")
            elsewhere = {"builtin": "barrier", "at": [{"line": 99}]}
            wrong = [("other", elsewhere, expected.there_mark), ("branch", [{"line": 99}], expected.branch)]
            for side in "here", "there":
                got, (_, first) = right["divergence"][side], getattr(expected, side)
                wrong += [(side, {**got, "items": 99}, True), (side, {**got, "local_id": [9, 9, 9]}, first)]
            for fact, value, compared in wrong:
                if compared is not None:
                    got = {**right, "divergence": {**right["divergence"], fact: value}}
                    self.assertTrue(self.wrong(case, [got]), f"{case.name}: {fact}")

    def test_all_findings_of_a_case_are_compared(self):
        for case in CASES:
            if case.also:
                wanted = all_wanted_of(case, MARKS, None, None)
                right = [finding(case, MARKS[each.mark], expected=each) for each in (case.expected, *case.also)]
                self.assertEqual(all_differences(wanted, right), [], case.name)
                for number in range(len(right)):
                    self.assertTrue(all_differences(wanted, right[:number] + right[number + 1:]), case.name)
                self.assertTrue(all_differences(wanted, [*right, finding(case, 99)]), case.name)

    def test_the_line_of_the_call_is_compared(self):
        case = CASES[0]
        self.assertEqual(differences(wanted_of(case, 5, 7, None), [finding(case, 5, 7)]), [])
        self.assertTrue(differences(wanted_of(case, 5, 7, None), [finding(case, 5, 8)]))

    def test_a_measured_distance_is_compared(self):
        case = next(case for case in CASES if case.expected.measured)
        right = {**finding(case, 5), "where": "past", "distance": 936}
        self.assertEqual(differences(wanted_of(case, 5, None, 1000), [right]), [])
        self.assertTrue(differences(wanted_of(case, 5, None, 1001), [right]))
        self.assertTrue(differences(wanted_of(case, 5, None, None), [right]))

    def test_every_finding_expects_the_facts_that_its_kind_has(self):
        for case in CASES:
            expected: Expected = case.expected
            if expected.kind.startswith("out_of_bounds_image"):
                self.assertIsNotNone(expected.coordinates, case.name)
            elif expected.kind in ("misaligned", "write_to_read_only", "read_of_write_only", "write_to_const",
                                   "use_after_free", "double_free", "invalid_free", "use_after_scope", "free_while_in_use"):
                self.assertIsNotNone(expected.offset, case.name)
                self.assertIsNotNone(expected.size, case.name)
            elif expected.kind == "barrier_divergence":
                self.assertIsNotNone(expected.divergence, case.name)
            elif expected.kind == "collective_mismatch":
                self.assertIsNotNone(expected.items, case.name)
            elif expected.kind not in ("null_pointer", "wild_pointer"):
                self.assertIsNotNone(expected.size, case.name)
                self.assertTrue(expected.measured or expected.where, case.name)


def possible(part):
    """Whether some combination has this part."""
    from axes.covering import Numbers, complete
    free = [axis for axis in axes.AXES if axis not in part]
    return complete(axes.AXES, axes.sensible, dict(part), free, Numbers()) is not None


if __name__ == "__main__":
    unittest.main()
