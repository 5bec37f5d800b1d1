# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""warpsan report and warpsan run --report, of a real program with errors."""

import glob
import json
import os
import pty
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET

from command import APP, WARPSAN, WithLayer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
from files import problems, schema_of, strict  # noqa: E402

TITLE = "out-of-bounds write, just past the end of 'sum'"


class Report(WithLayer):
    def read(self, name):
        with open(self.path(name)) as text:
            return text.read()

    def lines(self, text):
        return [json.loads(line) for line in text.splitlines()]

    def report(self, *words, code=0, **more):
        result = self.run_command(WARPSAN, "report", *words, cwd=self.folder, **more)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def run_app(self, *options, script=f"'{APP}' beyond 2", code=66):
        result = self.warpsan_run(*options, "sh", "-c", script, cwd=self.folder)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def test_files_of_a_run_are_what_their_schemas_say(self):
        self.run_app("--findings_file=f.jsonl", "--summary_file=s.json")
        told = self.lines(self.read("f.jsonl"))
        self.assertEqual([line["type"] for line in told], ["finding", "repeat"])
        for document in [*told, json.loads(self.read("s.json"))]:
            self.assertEqual(problems(document, strict(schema_of(document))), [])
        self.assertEqual(told[0]["process"]["program"], os.path.basename(APP))
        self.assertEqual(told[0]["process"]["pid"], told[1]["pid"])
        self.assertGreater(told[1]["pid"], 1)

    def test_children_have_files_of_their_own_that_are_merged(self):
        self.run_app("--findings_file=%p.jsonl", "--summary_file=s.json",
                     script=f"'{APP}' beyond 2 & '{APP}' fork beyond 1; wait")
        files = glob.glob(self.path("*.jsonl"))
        self.assertEqual(len(files), 3)
        merged, summary = self.lines(self.report("--format", "json", *files, "s.json").stdout)
        self.assertEqual(merged["merged"], {"launches": 4, "items": 4, "processes": 3})
        self.assertEqual(merged["title"], TITLE)
        self.assertEqual(summary["processes"], 3)
        for document in merged, summary:
            self.assertEqual(problems(document, strict(schema_of(document))), [])
        text = self.report(*files, "s.json").stdout
        self.assertEqual(text.count(TITLE), 2) # its report and the summary's line
        self.assertIn("Over all: 4 work-items in 4 launches of 3 processes.", text)
        self.assertIn("WarpSan: 1 error in 1 kernel.", text)

    def test_one_file_of_many_processes(self):
        self.run_app("--findings_file=f.jsonl", script=f"'{APP}' beyond 2 & '{APP}' beyond 1; wait")
        merged, = self.lines(self.report("--format", "json", "f.jsonl", "f.jsonl").stdout)
        self.assertEqual(merged["merged"], {"launches": 3, "items": 3, "processes": 2})

    def test_run_writes_reports_of_every_form(self):
        names = "r.html,r.sarif,r.xml,r.txt,r.jsonl"
        result = self.run_app("--report=" + names, script=f"'{APP}' beyond 1 & '{APP}' beyond 1; wait")
        self.assertIn(TITLE, self.read("r.html").replace("&#39;", "'").replace("&apos;", "'"))
        found, = json.loads(self.read("r.sarif"))["runs"][0]["results"]
        self.assertEqual(found["properties"]["processes"], 2)
        self.assertEqual(ET.parse(self.path("r.xml")).getroot().get("failures"), "1")
        self.assertIn("2 launches of 2 processes", self.read("r.txt"))
        summary = result.stderr[result.stderr.index("WarpSan: 1 error in 1"):]
        self.assertTrue(self.read("r.txt").endswith(summary.replace(" Full report: " + names.replace(",", ", "), "")))
        self.assertEqual([line["schema"] for line in self.lines(self.read("r.jsonl"))],
                         ["warpsan-findings/2", "warpsan-summary/3"])

    def test_the_summary_says_where_the_reports_are(self):
        result = self.run_app("--log_path=log.txt", "--report=x.html,y.txt", "--findings_file=%p.jsonl")
        self.assertIn("WarpSan: 1 error in 1 kernel. Full report: *.jsonl, log.txt, x.html, y.txt\n", result.stderr)
        self.assertIn(TITLE, self.read("log.txt"))
        self.assertIn("1 error in 1 kernel. Full report: log.txt\n", self.run_app("--log_path=log.txt").stderr)

    def test_findings_of_another_run_are_not_in_its_report(self):
        self.run_app("--findings_file=f.jsonl")
        self.run_app("--findings_file=f.jsonl", "--report=r.jsonl")
        self.assertEqual(len(self.lines(self.read("f.jsonl"))), 4)
        self.assertEqual(self.lines(self.read("r.jsonl"))[0]["merged"], {"launches": 2, "items": 2, "processes": 1})

    def test_run_without_errors(self):
        self.run_app("--report=r.xml,r.txt", script=f"'{APP}' add 1", code=0)
        case, = ET.parse(self.path("r.xml")).getroot().iter("testcase")
        self.assertEqual(len(case), 0)
        self.assertIn("WarpSan: no errors.", self.read("r.txt"))

    def test_report_that_cannot_be_written_costs_no_run(self):
        for name, code, says in (("r.pdf", 64, "does not end in"), ("/nowhere/r.xml", 125, "cannot write report")):
            result = self.warpsan_run("--report=" + name, "touch", self.path("started"))
            self.assertEqual(result.returncode, code)
            self.assertIn(says, result.stderr)
            self.assertFalse(os.path.exists(self.path("started")))

    def test_broken_and_missing_files_are_said_and_the_rest_reported(self):
        self.run_app("--findings_file=f.jsonl")
        with open(self.path("f.jsonl"), "a") as file:
            file.write('{"schema":"warpsan-findings/2","type":"finding","id":"ws-0\n')
        result = self.report("f.jsonl", "missing.jsonl", code=65)
        self.assertIn("warpsan: f.jsonl:3: not JSON (byte 59).\n", result.stderr)
        self.assertIn("cannot read missing.jsonl: No such file or directory.", result.stderr)
        self.assertIn(TITLE, result.stdout)

    def test_a_report_of_no_file_is_none(self):
        result = self.report("missing.jsonl", "--output=r.html", code=65)
        self.assertEqual(result.stdout, "")
        self.assertEqual(self.report("missing.jsonl", code=65).stdout, "")
        self.assertFalse(os.path.exists(self.path("r.html")))

    def test_a_report_of_what_is_no_findings_file_is_none(self):
        with open(self.path("k.cl"), "w") as file:
            file.write("kernel void k() {}\n" * 20)
        result = self.report("k.cl", code=65)
        self.assertEqual(result.stderr, "warpsan: k.cl:1: not JSON (byte 1); give files of --findings_file or "
                                        "--summary_file.\n")
        self.assertEqual(result.stdout, "")

    def test_standard_input_and_output_file(self):
        self.run_app("--findings_file=f.jsonl")
        with open(self.path("f.jsonl")) as file:
            result = self.report("-", "--output", "r.sarif", stdin=file)
        self.assertEqual(result.stdout, "")
        self.assertEqual(json.loads(self.read("r.sarif"))["version"], "2.1.0")
        self.report("f.jsonl", "--output=/nowhere/x", code=125)

    def test_colors_are_for_terminals(self):
        self.run_app("--findings_file=f.jsonl")
        self.assertNotIn("\033", self.report("f.jsonl").stdout)

        def on_a_terminal(**more):
            ours, theirs = pty.openpty()
            subprocess.run([WARPSAN, "report", self.path("f.jsonl")], stdout=theirs, timeout=60,
                           env=dict(self.env, **more), check=True)
            os.close(theirs)
            text = b""
            try:
                while chunk := os.read(ours, 65536):
                    text += chunk
            except OSError: # the other end is closed
                pass
            os.close(ours)
            return text

        self.assertIn(b"\033[1;31m", on_a_terminal())
        self.assertNotIn(b"\033", on_a_terminal(NO_COLOR="1"))

    def test_usage(self):
        self.assertIn("--format", self.report("--help").stdout)
        for words in [], ["--format", "pdf", "x"], ["--color", "x"], ["--format"]:
            self.assertIn("usage: warpsan report", self.report(*words, code=64).stderr)
        for option, value in ("--format", "FORMAT"), ("--output", "FILE"):
            self.assertIn(f"warpsan: option '{option}' has no value; write {option}={value}.\n",
                          self.report("x", option, code=64).stderr)

    def test_output_of_no_known_form(self):
        self.run_app("--findings_file=f.jsonl")
        for name in "r.pdf", "r.sarif.gz":
            result = self.report("f.jsonl", "--output", name, code=64)
            self.assertIn(f"'{name}' does not end in .txt, .json, .jsonl, .sarif, .xml or .html", result.stderr)
            self.assertFalse(os.path.exists(self.path(name)))
        self.report("f.jsonl", "--output", "r.pdf", "--format", "text")
        for name in "plain", "dir.d/plain":
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            self.report("f.jsonl", "--output", name)
            self.assertIn(TITLE, self.read(name))

    def test_schemas_are_installed(self):
        subprocess.run(["cmake", "--install", os.environ["WARPSAN_TEST_BUILD"], "--prefix", self.path("usr")],
                       check=True, stdout=subprocess.DEVNULL)
        self.assertLessEqual({"findings.schema.json", "summary.schema.json"},
                             set(os.listdir(self.path("usr", "share", "warpsan"))))


if __name__ == "__main__":
    unittest.main(verbosity=2)
