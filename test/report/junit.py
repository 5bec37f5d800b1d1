# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JUnit's XML: well-formed, and of the form that CI systems read."""

import json
import unittest
import xml.etree.ElementTree as ET

from files import Files

# What each element may have: attributes that must be there, children.
FORM = {
    "testsuites": ({"name", "tests", "failures"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, {"testcase"}),
    "testcase": ({"classname", "name"}, {"failure", "skipped"}),
    "failure": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
}


class JUnit(Files):
    def junit(self, *files):
        root = ET.fromstring(self.report("--format", "junit", *files).decode())
        self.assertEqual(root.tag, "testsuites")
        self.form(root)
        for suite in root:
            cases = list(suite)
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            self.assertEqual(int(suite.get("skipped")), len(suite.findall("testcase/skipped")))
            names = [case.get("name") for case in cases]
            self.assertEqual(len(set(names)), len(names))
        self.assertEqual(int(root.get("tests")), len(root.findall("testsuite/testcase")))
        self.assertEqual(int(root.get("failures")), len(root.findall("testsuite/testcase/failure")))
        return root

    def form(self, element):
        attributes, children = FORM[element.tag]
        self.assertEqual(set(element.attrib), attributes, element.tag)
        if element.tag == "testcase":
            self.assertLessEqual(len(element), 1)
        for child in element:
            self.assertIn(child.tag, children)
            self.form(child)

    def test_findings_fail_and_gaps_are_skipped(self):
        root = self.junit(self.samples(), self.summary())
        self.assertEqual([suite.get("name") for suite in root], ["samples", "tuner"])
        failures = root.findall("testsuite[@name='samples']/testcase/failure")
        self.assertGreater(len(failures), 20)
        case, = root.findall("testsuite/testcase[@name='kernel CopyTile: out_of_bounds_write ws-340b2e012a0cce3d']")
        self.assertEqual(case[0].get("message"), "out-of-bounds write, 3,588 bytes past the end of 'dest'")
        self.assertIn("WarpSan: out-of-bounds write, 3,588 bytes", case[0].text)
        self.assertIn("Over all: 514 work-items in 2 launches.", case[0].text)
        skipped = root.findall("testsuite[@name='tuner']/testcase/skipped/..")
        self.assertEqual([case.get("name") for case in skipped], ["kernels are covered", "kernel radix_sort"])

    def test_a_run_without_errors_has_a_test_that_passed(self):
        summary = self.summary(gaps=[], launches={"seen": 5, "twin": 5, "covered": 5})
        case, = self.junit(summary).iter("testcase")
        self.assertEqual((case.get("name"), len(case)), ("kernels are covered", 0))

    def test_nothing_checked_is_no_test_that_passed(self):
        for files in ([self.summary(gaps=[], launches={"seen": 0, "twin": 0, "covered": 0})],
                      [self.write("empty.jsonl", "")]):
            case, = self.junit(*files).iter("testcase")
            self.assertEqual(case[0].tag, "skipped")

    def test_checks_that_nobody_can_describe_fail(self):
        root = self.junit(self.summary(gaps=[], errors={"records_lost": 3}))
        self.assertEqual(len(root.findall("testsuite/testcase/failure")), 1)

    def test_hostile_names(self):
        root = self.junit(self.samples("hostile"))
        self.assertGreater(len(root.findall("testsuite/testcase/failure")), 20)
        for text in root.itertext():
            self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\u202e]")
        for element in root.iter():
            for value in element.attrib.values():
                self.assertNotRegex(value, "[\x00-\x1f\x7f-\x9f\ufffe\uffff\u202e]")

    def test_hostile_summary(self):
        bad = "\x1b]0;x\x07</testsuites>&\"'\n\ufffe\u202e"
        file = self.summary(executables=[bad], gaps=[{"subject": bad, "reason": bad, "launches": 2 ** 64 - 1}],
                            findings=[{"id": bad, "kernel": bad, "title": bad, "launches": 1, "work_items": 1}])
        self.assertEqual(len(self.junit(file)), 1)
        self.assertNotRegex(self.report(file).decode(), "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")


if __name__ == "__main__":
    unittest.main(verbosity=2)
