# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures that pages quote are those of docs/figures.json, which the benchmarks write; versions are those of the
code.

quotes.py says which sentence quotes which figure. A number on a page that looks measured (a decimal, a percentage, a
time, a factor, "N of M", the cell of a table of results, the last line of a benchmark) must be such a quote, a version,
or listed in CONSTANTS."""

import os
import re
import string
import sys
import unittest

import pages
import quotes

sys.path.insert(0, os.path.join(pages.CHECKOUT, "bench"))

# pylint: disable=wrong-import-position
import figure_file as committed  # noqa: E402
import scheme_plot  # noqa: E402

MANIFEST = "docs/reference/formats/manifest.md"
PAST = {"CHANGELOG.md"}
NUMBER = r"(?<![\w.,=/#-])\d+(?:,\d{3})*(?:\.\d+)?(?![\d,]*\d)(?!\.\d)(?=x\b|\W|$)"
MEASURED = re.compile("|".join((
    rf"{NUMBER} of {NUMBER}",
    rf"{NUMBER}(?: to {NUMBER})?(?: ?%| (?:us|ms|times)\b|x\b)",
    rf"(?=\d+(?:,\d+)*\.\d){NUMBER}")))
# In tables of results: cells of nothing but numbers.
CELL = re.compile(rf"(?<=\| )(?:{NUMBER}(?:, | of )?)+(?= \|)")
RESULTS = "docs/explanation/"
# What a benchmark prints at its end, in code too.
LAST_LINE = re.compile(r"\b(?:bench|schemes|zoo|layer)(?: [\w=:]+)?: [^`\n]*\d[^`\n]*")
VERSION = re.compile(r"(?:PoCL|Mesa|C?Python|glibc|Oclgrind|json|auditwheel|libseccomp|CLI11|Ubuntu|ocl-icd|Status:|runtime \() ?\d+\.\d+")
# Not measured: limits, aims, examples.
CONSTANTS = {
    "docs/explanation/performance.md": ["The aim was 1.01", "takes 5 to 200 ms"],
    "docs/contributing/robustness.md": ["grow by 3 % after", "aim is 90 % of lines"],
}


def load():
    """docs/figures.json as {name: {driver: values}}; a name with slashes is several levels."""
    every = committed.load()
    found = {"cited": {each["name"]: each["values"] for each in every["cited"]}, "papers": quotes.papers()}
    for each in every["measurements"]:
        level = found
        for part in each["name"].split("/"):
            level = level.setdefault(part, {})
        level[each["driver"]] = each["values"]
    return found


def pattern_of(template, figures):
    """A regular expression of the sentence, with a group for each figure. Raises KeyError if there is no such entry."""
    parts = []
    for text, field, form, _ in string.Formatter().parse(template):
        parts += [re.escape(word) if word.strip() else r"\s+" for word in re.split(r"(\s+)", text) if word]
        if field is not None:
            value, _ = string.Formatter().get_field(field, (), figures)
            parts.append(f"({re.escape(format(value, form))})")
    return re.compile("".join(parts))


def measured_in(page, text):
    """(start, end) of all numbers that look measured."""
    prose = pages.without_code(text)
    blocks = [found.span() for found in MEASURED.finditer(prose)]
    if page.startswith(RESULTS):
        blocks += [found.span() for found in CELL.finditer(prose)]
    blocks += [found.span() for found in LAST_LINE.finditer(text)]
    known = [found.span() for found in VERSION.finditer(text)]
    known += [found.span() for phrase in CONSTANTS.get(page, ()) for found in re.finditer(re.escape(phrase), text)]
    numbers = {found.span() for found in re.finditer(NUMBER, text)
               if any(start <= found.start() < end for start, end in blocks)}
    return sorted(span for span in numbers if not any(start <= span[0] < end for start, end in known))


def stale(read=pages.read, every=None, figures=None):
    """What pages say that docs/figures.json does not, one a line."""
    figures = figures or load()
    every = every or [page for page in pages.pages() if page not in PAST]
    problems, compared = [], {page: set() for page in every}
    required = list(quotes.required(figures))
    for page, template in required + list(quotes.benchmark_rows(figures)):
        if page not in compared:
            continue
        try:
            pattern = pattern_of(template, figures)
        except KeyError as key:
            problems.append(f"{page}: docs/figures.json has no entry {key} for '{template}'")
            continue
        places = list(pattern.finditer(read(page)))
        if not places and (page, template) in required:
            expected = re.sub(r"\\s\+", " ", pattern.pattern).replace("\\", "")
            problems.append(f"{page}: does not say '{expected}' (figures in parentheses), as docs/figures.json has it")
        compared[page].update(place.span(group + 1) for place in places for group in range(pattern.groups))
    for page in every:
        text = read(page)
        for start, end in measured_in(page, text):
            if (start, end) not in compared[page]:
                line = text.count("\n", 0, start) + 1
                problems.append(f"{page}:{line}: {text[start:end]} is not compared with docs/figures.json: "
                                f"'{' '.join(text[max(start - 40, 0):end + 30].split())}' (test/docs/quotes.py)")
    return problems


class Figures(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.figures = load()
        cls.kernels = re.findall(r"^BENCHMARK\(\w+,\s*(\w+),", pages.read("bench/kernels/families.def"), re.MULTILINE)

    def test_pages(self):
        self.assertEqual(stale(), [])

    def test_a_changed_figure_is_noticed(self):
        page = "README.md"
        text = pages.read(page)
        geomean = f"{self.figures['bench']['pocl']['geomean']:.2f} times"
        problems = stale(lambda _: text.replace(geomean, "1.01 times"), [page], self.figures)
        self.assertTrue(any("does not say" in problem for problem in problems), problems)
        self.assertTrue(any("1.01 is not compared" in problem for problem in problems), problems)

    def test_a_new_figure_is_noticed(self):
        for sentence in ("Twice, 1.7 times.", "It found 3 of 4.", "Takes 12 us more.", "A tenth, 10 %.", "2.5x."):
            self.assertEqual(len(stale(lambda _, text=sentence: text, ["docs/index.md"], self.figures)) > 0, True, sentence)
        self.assertEqual(stale(lambda _: "Since PoCL 6.0, for 3 drivers.", ["docs/index.md"], self.figures), [])

    def test_a_figure_without_an_entry_is_noticed(self):
        problems = stale(figures={**self.figures, "launch": {}})
        self.assertTrue(any("no entry 'pocl'" in problem for problem in problems), problems)

    def test_every_measurement_says_where_it_is_from(self):
        for each in committed.load()["measurements"]:
            for field in ("script", "driver", "date", "machine", "values"):
                self.assertTrue(each[field], each["name"])

    def test_sentences_that_name_no_driver(self):
        means = {driver: f"{self.figures['bench'][driver]['geomean']:.2f}" for driver in quotes.DRIVERS}
        self.assertEqual(means["rusticl"], means["intel"])  # README
        self.assertEqual((min(means.values()), max(means.values())), (means["intel"], means["pocl"]))  # comparison
        for by_driver in self.figures["scheme_found"].values():  # "the same on all three"
            self.assertEqual(by_driver["pocl"], by_driver["rusticl"])
            self.assertEqual(by_driver["pocl"], by_driver["intel"])
            self.assertEqual(by_driver["pocl"]["false_alarms"], 0)

    def test_benchmarks(self):
        self.assertEqual(self.figures["bench"]["all"]["kernels"], len(self.kernels))
        for driver in quotes.DRIVERS:
            self.assertEqual(sorted(self.figures["bench"][driver]["kernels"]), sorted(self.kernels), driver)

    def test_pictures(self):
        text = pages.read("docs/explanation/bench.svg")
        for driver in quotes.DRIVERS:
            for kernel, (low, middle, high) in self.figures["bench"][driver]["kernels"].items():
                self.assertIn(f"<title>{kernel} on {driver}: {middle:.2f} ({low:.2f} to {high:.2f})</title>", text)
        self.assertEqual(pages.read("docs/explanation/schemes.svg"), scheme_plot.svg(committed.load()["measurements"]))

    def test_version_of_the_manifest(self):
        version = re.search(r"ManifestVersion = (\d+);", pages.read("abi/manifest.h")).group(1)
        text = pages.read(MANIFEST)
        quoted = re.findall(r'(?:one object, version |"version": |`version` \| )(\d+)', text)
        self.assertEqual(set(quoted), {version})
        self.assertEqual(len(quoted), 3)


if __name__ == "__main__":
    unittest.main()
