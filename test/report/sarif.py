# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SARIF as its standard wants it, and as code scanning services do.

The standard's own schema comes with a package from PyPI (tools/packages/sarif.pip).
Where that is not installed only what is written here holds."""

import glob
import json
import unittest

from files import Files, problems

SCHEMA = next(iter(glob.glob("/opt/sarif/lib/python3*/site-packages/sarif-schema.json")), None)


class Sarif(Files):
    def sarif(self, *files, **more):
        document = json.loads(self.report("--format", "sarif", *files, **more))
        self.check(document)
        return document["runs"][0]

    def check(self, document):
        if SCHEMA:
            with open(SCHEMA) as text:
                self.assertEqual(problems(document, json.load(text)), [])
        self.assertEqual(document["version"], "2.1.0")
        self.assertEqual(len(document["runs"]), 1)
        run = document["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(len(set(rules)), len(rules))
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
            self.assertIn(result["level"], ("error", "warning"))
            self.assertTrue(result["message"]["text"])
            self.assertRegex(result["partialFingerprints"]["warpsanFinding/v2"], "^ws-[0-9a-f]{16}$")
        for text in self.strings(document):
            self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
        for location in self.physical(run):
            self.assertRegex(location["artifactLocation"]["uri"], r"^[-A-Za-z0-9._~/+%:]+$")
            self.assertNotRegex(location["artifactLocation"]["uri"], r"%(?![0-9A-F]{2})")
            self.assertGreaterEqual(location["region"]["startLine"], 1)
            self.assertGreaterEqual(location["region"].get("startColumn", 1), 1)

    def strings(self, node, key=""):
        """All but source lines, which are as they are."""
        if isinstance(node, dict):
            for name, value in node.items():
                if name != "snippet":
                    yield from self.strings(value, name)
        elif isinstance(node, list):
            for value in node:
                yield from self.strings(value, key)
        elif isinstance(node, str):
            yield node

    def physical(self, node):
        if isinstance(node, dict):
            if "artifactLocation" in node:
                yield node
            for value in node.values():
                yield from self.physical(value)
        elif isinstance(node, list):
            for value in node:
                yield from self.physical(value)

    def test_samples(self):
        run = self.sarif(self.samples(), self.summary())
        self.assertGreater(len(run["results"]), 20)
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        first = next(r for r in run["results"] if r["message"]["text"].startswith("out-of-bounds write, 3,588 bytes"))
        self.assertEqual(first["message"]["text"],
                         "out-of-bounds write, 3,588 bytes past the end of 'dest', in kernel CopyTile.")
        place = first["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"], {"uri": "copy.cl"})
        self.assertEqual((place["region"]["startLine"], place["region"]["startColumn"]), (41, 26))
        self.assertEqual(place["region"]["snippet"]["text"].strip(), "dest[row * ld + col] = tile[w];")
        self.assertEqual(place["contextRegion"]["startLine"], 39)
        self.assertEqual(first["locations"][0]["logicalLocations"][0]["name"], "CopyTile")
        self.assertEqual([(r["message"]["text"], r["physicalLocation"]["artifactLocation"]["uri"],
                           r["physicalLocation"]["region"]["startLine"]) for r in first["relatedLocations"]],
                         [("called here", "copy.cl", 58), ("created here: clCreateBuffer", "tuner.cpp", 88),
                          ("launched here: clEnqueueNDRangeKernel", "tuner.cpp", 140)])
        self.assertEqual([stack["message"]["text"] for stack in first["stacks"]],
                         ["launched by clEnqueueNDRangeKernel", "created by clCreateBuffer"])
        self.assertEqual(len(first["stacks"][0]["frames"]), 2)

    def test_gaps_are_notifications(self):
        run = self.sarif(self.samples(), self.summary())
        texts = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
        self.assertIn("Not covered: kernel radix_sort: built from a binary that WarpSan has not seen made "
                      "(12 launches).", texts)
        run = self.sarif(self.samples())
        self.assertIn("unknown", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        run = self.sarif(self.summary(processes=0, layer_loaded=False))
        self.assertFalse(run["invocations"][0]["executionSuccessful"])

    def test_files_below_the_working_folder_are_relative(self):
        def uris():
            return {str(location["artifactLocation"]) for location in self.physical(self.sarif(self.samples()))}
        self.assertIn("{'uri': 'copy.cl'}", uris())
        self.write("copy.cl", "")
        self.assertIn("{'uri': 'copy.cl', 'uriBaseId': '%SRCROOT%'}", uris())
        self.assertNotIn("{'uri': 'copy.cl'}", uris())
        with open(self.samples()) as text:
            lines = text.read().replace('"copy.cl"', json.dumps(self.path("a b", "copy.cl")))
        uris = {str(location["artifactLocation"])
                for location in self.physical(self.sarif(self.write("moved.jsonl", lines)))}
        self.assertIn("{'uri': 'a%20b/copy.cl', 'uriBaseId': '%SRCROOT%'}", uris)

    def test_no_source_line_takes_the_launch(self):
        with open(self.samples()) as text:
            lines = [json.loads(line) for line in text]
        found = next(line for line in lines if line.get("title", "").startswith("out-of-bounds write, 3,588"))
        found["site"]["at"] = []
        result, = self.sarif(self.write("f.jsonl", json.dumps(found)))["results"]
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "tuner.cpp")
        found["launch"]["launched"] = []
        result, = self.sarif(self.write("f.jsonl", json.dumps(found)))["results"]
        self.assertNotIn("physicalLocation", result["locations"][0])

    def test_a_source_without_a_name_takes_who_created_the_program(self):
        results = self.sarif(self.samples())["results"]
        found = next(r for r in results if "source.cl:12:5" in r["properties"]["report"])
        place = found["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]),
                         ("file:///home/me/tuner.cpp", 31))
        related = found["relatedLocations"][0]
        self.assertEqual(related["message"]["text"],
                         "the access, in the source of the program that clCreateProgramWithSource creates")
        self.assertEqual((related["physicalLocation"]["artifactLocation"]["uri"],
                          related["physicalLocation"]["region"]["startLine"]), ("source.cl", 12))

    def test_rules_carry_their_pages(self):
        rules = self.sarif(self.samples())["tool"]["driver"]["rules"]
        for rule in rules:
            self.assertNotIn("helpUri", rule)
            self.assertTrue(rule["help"]["text"])
            if rule["id"] == "details_unavailable":
                continue
            markdown = rule["help"]["markdown"]
            self.assertIn(f"(`{rule['id']}`)", markdown.splitlines()[0])
            for part in ("## Example", "## How to fix", "## How to suppress"):
                self.assertIn(part, markdown)
            self.assertNotRegex(markdown, r"\]\((?!https?:)")  # no links to pages that are not there

    def test_hostile_names(self):
        self.assertGreater(len(self.sarif(self.samples("hostile"))["results"]), 20)

    def test_no_more_results_than_are_taken(self):
        # No more in a line than must be: a reader takes what is missing for not known.
        with open(self.path("many.jsonl"), "w") as file:
            for number in range(25010):
                file.write('{"schema": "warpsan-findings/2", "type": "finding", "kind": "null_pointer", '
                           f'"id": "ws-{number:016x}"}}\n')
        document = json.loads(self.report("--format", "sarif", "many.jsonl"))
        self.assertEqual(len(document["runs"][0]["results"]), 25000)
        self.assertIn("10 more results are omitted",
                      document["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])

    @unittest.skipUnless(SCHEMA, "the standard's schema is not installed")
    def test_schema_refuses(self):
        document = json.loads(self.report("--format", "sarif", self.samples()))
        del document["runs"][0]["tool"]["driver"]["name"]
        with self.assertRaises(AssertionError):
            self.check(document)


if __name__ == "__main__":
    unittest.main(verbosity=2)
