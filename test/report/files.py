# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of files share: the samples, `warpsan report`, and schemas."""

import copy
import functools
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import jsonschema

BUILD = os.environ["WARPSAN_TEST_BUILD"]
WARPSAN = os.path.join(BUILD, "bin", "warpsan")
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "reference", "formats")


def schema(name):
    with open(os.path.join(DOCS, name)) as text:
        return json.load(text)


def strict(of):
    """The schema of a writer: every field is listed, and none is left out."""
    of = copy.deepcopy(of)

    def close(node):
        if isinstance(node, dict):
            if isinstance(node.get("properties"), dict) and node.get("type") == "object":
                node["additionalProperties"] = False
                node["required"] = list(node["properties"])
            for value in node.values():
                close(value)
        elif isinstance(node, list):
            for value in node:
                close(value)

    close(of)
    return of


@functools.cache
def validator(text):
    of = json.loads(text)
    cls = jsonschema.validators.validator_for(of)
    cls.check_schema(of)
    return cls(of, format_checker=cls.FORMAT_CHECKER)


def problems(document, of):
    """What is wrong, as sentences; none if it is valid."""
    found = []
    for error in validator(json.dumps(of)).iter_errors(document):
        best = jsonschema.exceptions.best_match([error])
        found.append(f"{best.json_path}: {best.message[:300]}")
    return found


FINDINGS = schema("findings.schema.json")
SUMMARY = schema("summary.schema.json")


def schema_of(document):
    return SUMMARY if document.get("schema", "").startswith("warpsan-summary/") else FINDINGS


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="warpsan-report-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def samples(self, *words):
        """A file of findings, as the layer would have written it."""
        name = self.path("-".join(["samples", *words]) + ".jsonl")
        with open(name, "wb") as file:
            subprocess.run([os.environ["WARPSAN_TEST_SAMPLES"], *words], stdout=file, check=True, timeout=60)
        return name

    def summary(self, **changes):
        """A file with the summary that docs/reference/formats/summary.md shows."""
        with open(os.path.join(DOCS, "summary.md")) as text:
            shown = json.loads(text.read().split("```json\n")[1].split("```")[0])
        shown["findings"] = []
        shown.update(changes)
        return self.write("summary.json", json.dumps(shown, indent=2))

    def report(self, *words, code=0, **more):
        result = subprocess.run([WARPSAN, "report", *words], stdin=more.pop("stdin", subprocess.DEVNULL), timeout=60,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=more.pop("cwd", self.folder), **more)
        self.assertEqual(result.returncode, code, result.stderr.decode())
        return result.stdout
