# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings and summaries are what their schemas and pages say."""

import glob
import json
import os
import unittest

from files import DOCS, FINDINGS, SUMMARY, Files, problems, schema_of, strict

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")


class Schemas(Files):
    def valid(self, document, where=""):
        self.assertEqual(problems(document, schema_of(document)), [], where)
        self.assertEqual(problems(document, strict(schema_of(document))), [],
                         f"{where}: a field that the schema does not list, or lists and is not there")

    def test_golden_files(self):
        names = glob.glob(os.path.join(GOLDEN, "*.json"))
        self.assertGreater(len(names), 20)
        for name in names:
            with open(name) as text:
                self.valid(json.load(text), name)

    def test_samples_and_what_report_makes_of_them(self):
        for words in (), ("hostile",):
            with open(self.samples(*words)) as lines:
                told = [json.loads(line) for line in lines]
            self.assertEqual({line["type"] for line in told}, {"finding", "repeat"})
            merged = self.report("--format", "json", self.samples(*words), self.summary()).decode().splitlines()
            self.assertGreater(len(merged), 20)
            for line in told + list(map(json.loads, merged)):
                self.valid(line)

    def test_pages_show_what_is_written(self):
        with open(os.path.join(DOCS, "findings.md")) as text:
            for part in text.read().split("```json\n")[1:]:
                self.valid(json.loads(part.split("```")[0]))
        with open(os.path.join(DOCS, "summary.md")) as text:
            self.valid(json.loads(text.read().split("```json\n")[1].split("```")[0]))

    def test_every_kind_is_known(self):
        with open(os.path.join(DOCS, "..", "..", "..", "abi", "checks.def")) as text:
            kinds = [line.split(",")[1].strip() for line in text if line.startswith("KIND(")]
        self.assertEqual(FINDINGS["$defs"]["finding"]["properties"]["kind"]["enum"], kinds)

    def test_readers_may_meet_more_fields_but_not_other_types(self):
        with open(os.path.join(GOLDEN, "far_write.json")) as text:
            finding = json.load(text)
        self.assertEqual(problems(dict(finding, color="red"), FINDINGS), [])
        self.assertNotEqual(problems(dict(finding, color="red"), strict(FINDINGS)), [])
        self.assertNotEqual(problems(dict(finding, size=-1), FINDINGS), [])
        self.assertNotEqual(problems(dict(finding, id="x"), FINDINGS), [])
        del finding["memory"]
        self.assertNotEqual(problems(finding, FINDINGS), [])
        self.assertNotEqual(problems({"schema": "warpsan-summary/3"}, SUMMARY), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
