# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference/coverage-gaps.md quotes the reasons that the layer and the compiler
give: each is in the code, and none of the layer's is missing."""

import os
import re
import unittest

import pages

PAGE = "docs/reference/coverage-gaps.md"
# Reasons that need no row: they are of a comparison of schemes, of errors of the
# program's own, of a launch for which another twin is tried, or begin with another one's words.
NO_ROW = ("scheme=canaries", "an argument is not set", "its queue has no device", "shadows take more local memory")


def literals():
    """All string literals of layer/, compiler/ and job/, parts joined."""
    text = ""
    for tree in "layer", "compiler", "job":
        for where, _, names in os.walk(os.path.join(pages.CHECKOUT, tree)):
            for name in sorted(names):
                if name.endswith((".cpp", ".h")):
                    with open(os.path.join(where, name), encoding="utf-8") as file:
                        text += file.read() + "\n"
    return set(re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", text)))


def quoted():
    """The reasons in the first column of the page's tables."""
    for row in re.findall(r'^\| (".*?) \|', pages.read(PAGE), flags=re.MULTILINE):
        yield from re.findall(r'"([^"]*)"', row)


class Gaps(unittest.TestCase):

    def test_reasons_are_in_the_code(self):
        known = literals()
        self.assertEqual([reason for reason in quoted() if not any(reason in each for each in known)], [])

    def test_reasons_of_the_layer_are_on_the_page(self):
        text = ""
        for page in ("layer/launch/launch.cpp", "layer/api/intercept_program.cpp", "layer/twin/build.cpp",
                     "layer/twin/compiler_process.cpp"):
            text += re.sub(r'"\s*\n\s*"', "", pages.read(page))
        given = re.findall(r'(?:NoRecipe|Reason|Why)\s*=\s*"([^"]*)"', text)
        rows = list(quoted())
        missing = [reason for reason in given if not reason.startswith(NO_ROW)
                   and not any(reason.startswith(row.strip()) or row.strip() in reason for row in rows)]
        self.assertGreater(len(given), 8)
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
