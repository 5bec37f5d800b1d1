# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference/coverage-gaps.md quotes the reasons that the layer and the compiler
give: each is in the code, and none of theirs is missing."""

import os
import re
import unittest

import pages

PAGE = "docs/reference/coverage-gaps.md"
# Reasons that need no row: they are of a comparison of schemes, of errors of the
# program's own, of a launch for which another twin is tried, of a job that no layer
# sends, follow another one's words or begin with them.
NO_ROW = ("scheme=canaries", "refused: with scheme=canaries", "there is no scheme '", "LMI refuses pointers",
          "an argument is not set", "its queue has no device", "shadows take more local memory", "no build log", "it is nested too deep",
          "no twin has checks of this combination", "the program has neither source nor IL", "not launched: ")
# Where other reasons are given: why an access is checked, why a launch's races or
# barriers are not judged. The rest, where the reason is of no launch.
OTHER_REASONS = ("compiler/claims/", "compiler/divergence/", "compiler/ir/synchronization.cpp", "compiler/races/", "compiler/schemes/exact_bounds.cpp",
                 "layer/launch/unjudged_races.cpp")
LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
# A statement that gives a reason, to its end.
GIVES = re.compile(r'\b(?:(?:NoRecipe|Reason|Refused|Why|WhyNot|TooFewFiles|NoMemory)\s*=(?!=)|createStringError\(|refuse\(|snprintf\(Text,|return\b|noteGap\()'
                   r'((?:[^;"]|"(?:[^"\\\n]|\\.)*")*);')


def code(trees, endings):
    """(path, text) of each file below these trees, the literals joined that stand after each other."""
    for tree in trees:
        for where, _, names in os.walk(os.path.join(pages.CHECKOUT, tree)):
            for name in sorted(names):
                if name.endswith(endings):
                    path = os.path.relpath(os.path.join(where, name), pages.CHECKOUT)
                    yield path, re.sub(r'"\s*\n\s*"', "", pages.read(path))


def literals():
    """All string literals of layer/, compiler/ and job/, parts joined."""
    return {literal for _, text in code(("layer", "compiler", "job"), (".cpp", ".h")) for literal in re.findall(LITERAL, text)}


def alternatives(statement):
    """The literals of a statement, those of each branch apart if it begins with a condition."""
    before = statement.split('"')[0]
    if "?" not in before:
        return [re.findall(LITERAL, statement)]
    blank = re.sub(LITERAL, lambda found: '"' + "_" * (len(found.group()) - 2) + '"', statement)
    branches, last = [], blank.index("?") + 1
    for colon in [found.start() for found in re.finditer(r"(?<!:):(?!:)", blank)] + [len(statement)]:
        branches.append(re.findall(LITERAL, statement[last:colon]))
        last = colon + 1
    return branches


def given():
    """(path, literals) of each reason: its words are in one of the literals. A reason has
    three words at least."""
    for path, text in code(("layer", "compiler"), (".cpp", ".h")):
        if path.startswith(OTHER_REASONS):
            continue
        for found in GIVES.finditer(re.sub(r"//[^\n]*", "", text)):
            for parts in alternatives(found.group(1)):
                if any(len(part.split()) >= 3 for part in parts):
                    yield path, parts


def quoted():
    """The reasons in the first column of the page's tables."""
    for row in re.findall(r'^\| (".*?) \|', pages.read(PAGE), flags=re.MULTILINE):
        yield from re.findall(r'"([^"]*)"', row)


class Gaps(unittest.TestCase):

    def test_reasons_are_in_the_code(self):
        known = literals()
        self.assertEqual([reason for reason in quoted() if not any(reason in each for each in known)], [])

    def test_reasons_that_are_given_are_on_the_page(self):
        rows = [row.strip() for row in quoted()]
        all_given = list(given())
        missing = [f"{path}: {parts}" for path, parts in all_given
                   if not any(part.startswith(NO_ROW) or any(row in part for row in rows) for part in parts)]
        self.assertGreater(len(all_given), 40)
        self.assertEqual(missing, [])

    def test_branches_of_a_condition_are_told_apart(self):
        self.assertEqual(alternatives('A ? "one: of" : "an" + std::string("other")'), [["one: of"], ["an", "other"]])
        self.assertEqual(alternatives('"one" + (A ? "b" : "c")'), [["one", "b", "c"]])


if __name__ == "__main__":
    unittest.main()
