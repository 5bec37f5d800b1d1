# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the CUDA cases are what they say. The comparison is the zoo's, which has its
own test. Needs no driver."""

import collections
import copy
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "zoo")]

from comparison import differences, wanted_of  # noqa: E402
from every import all_cases, files_of, plain, sample  # noqa: E402

CASES = all_cases()
# How divergences are compared: test/zoo/generator_test.py.
RACES = [case for case in CASES if case.expected.races_with]
ACCESSES = [case for case in CASES if not case.expected.divergence and case not in RACES]
# Where a fact has another name than in the finding.
FACTS = {("root", "kind"): "root", ("root", "name"): "name", ("memory", "kind"): "memory", ("call",): "api"}


def finding(wanted):
    """One that is right in every fact."""
    facts = collections.defaultdict(lambda: None, wanted)
    return {**{fact: facts[fact] for fact in ("kind", "bytes", "size", "where", "distance", "offset", "items")},
            "global_id": facts["global_id"] or (), "coordinates": (), "image_size": (), "call": facts["api"], "arg": None,
            "site": {"access": facts["access"], "at": [{"line": facts["line"]}]},
            "root": {"kind": facts["root"], "arg": facts["arg"], "name": facts["name"]},
            "memory": {"kind": facts["memory"]}}


class Cuda(unittest.TestCase):
    def test_it_has_250_distinct_bugs(self):
        texts = {case.source(True).replace(case.name, "") + repr(case.bug) for case in CASES}
        self.assertEqual(len(texts), len(CASES))
        self.assertGreaterEqual(len(CASES), 250)

    def test_bug_and_twin_differ(self):
        for case in CASES:
            same_text = case.source(True).replace("bug_", "ok_").replace("/*BUG*/", "") == \
                case.source(False).replace("/*BUG*/", "")
            self.assertFalse(same_text and case.bug == case.ok, case.name)

    def test_accesses_are_described_in_full(self):
        for case in ACCESSES:
            expected = case.expected
            facts = ["memory"] if expected.api else ["bytes", "items", "name", "root", "memory"]
            if expected.items == 1:
                facts.append("global_id")
            if expected.kind.startswith(("out_of_bounds", "member")):  # how far is another one for each of many work-items
                facts += ["size", "where", *(["distance"] if expected.items == 1 else [])]
            elif expected.kind not in ("null_pointer", "wild_pointer", "member_overflow"):
                facts += ["size", "offset"]
            missing = [fact for fact in facts if getattr(expected, fact) is None]
            self.assertEqual(missing, [], case.name)
            self.assertEqual(expected.arg is None, expected.root != "argument", case.name)

    def test_each_wrong_fact_is_noticed(self):
        for case in ACCESSES:
            wanted = wanted_of(case, 5, None, None)
            found = finding(wanted)
            self.assertEqual(differences(wanted, [found]), [], case.name)
            for path in (("kind",), ("call",), ("bytes",), ("size",), ("where",), ("distance",), ("offset",), ("global_id",),
                         ("items",), ("root", "kind"), ("root", "arg"), ("root", "name"), ("memory", "kind"),
                         ("site", "access")):
                if FACTS.get(path, path[-1]) in wanted:
                    wrong = copy.deepcopy(found)
                    (wrong if len(path) == 1 else wrong[path[0]])[path[-1]] = "other"
                    self.assertTrue(differences(wanted, [wrong]), (case.name, path))

    def test_each_wrong_fact_of_a_race_is_noticed(self):
        marks = {"BUG": 5, "OTHER": 7}
        for case in RACES:
            with self.subTest(case.name):
                wanted = wanted_of(case, 5, None, None, marks)
                line, other = marks["BUG"], marks[case.expected.races_with]
                in_group = case.expected.other_group or False

                def wrong(*lines, kind="data_race", other_group=in_group):
                    first, *rest = [{"access": "read", "at": [{"line": line}]} for line in lines]
                    race = {"race": {"other": rest[0] if rest else None, "other_group": other_group}}
                    return differences(wanted, [{**finding(wanted), "kind": kind, "site": first, **race}])
                self.assertEqual([wrong(line, other), wrong(other, line), wrong(line)], [[], [], []])
                self.assertTrue(wrong(line, 9) and wrong(9) and wrong(line, other, kind="other") and differences(wanted, []))
                self.assertTrue(other == line or wrong(line, line))
                if case.expected.other_group is not None:
                    self.assertTrue(wrong(line, other, other_group=not in_group))

    def test_marked_lines_are_in_the_text(self):
        for file in files_of(CASES):
            text, lines, _ = file.text()
            for case in file.cases:
                if not case.expected.api:
                    self.assertIn("/*BUG*/", text.split("\n")[lines[f"bug_{case.name}"] - 1])

    def test_both_languages_are_used(self):
        languages = [file.language for file in files_of(CASES) for _ in file.cases]
        self.assertGreater(languages.count("cuda"), 60)
        self.assertGreater(languages.count("hip"), 30)

    def test_the_sample_has_every_family(self):
        few = sample(CASES)
        self.assertEqual({case.family for case in few}, {case.family for case in CASES})
        self.assertLess(len(few), 60)

    def test_names_are_the_sources(self):
        for name, wanted in (("_Z5bug_xPii", "bug_x"), ("bug_x", "bug_x"), ("", "")):
            self.assertEqual(plain(name), wanted)


if __name__ == "__main__":
    unittest.main()
