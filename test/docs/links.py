# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No dead link between our own pages, no page that nobody finds. Links to other
sites cannot be followed here; only their form is looked at."""

import glob
import os
import re
import unittest

import pages

FORM = re.compile(r"https://[\w.-]+\.[a-z]+(/[\w./~%#?=&:+-]*)?$")

# A path of code between backticks; the extension may be missing.
CODE = r"`((?:abi|bench|compiler|device|diagnose|include|job|layer|options|proof|report|schemes|status|text|tools)/[a-z0-9_/.-]*)`"


class Links(unittest.TestCase):

    def dead(self, page, text):
        for line, target in pages.links(text):
            if ":" in target.split("/")[0]:
                if not FORM.match(target):
                    yield f"{page}:{line}: '{target}' has an unusual form"
                continue
            path, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(pages.CHECKOUT, path)):
                yield f"{page}:{line}: there is no {path}"
            elif anchor and anchor not in pages.anchors(pages.read(path)):
                yield f"{page}:{line}: {path} has no heading '{anchor}'"

    def test_none_is_dead(self):
        found = [problem for page in pages.pages() for problem in self.dead(page, pages.read(page))]
        self.assertEqual(found, [])

    def test_dead_ones_are_noticed(self):
        text = "# A\n[x](nowhere.md) [y](#b) [z](http:nowhere) [fine](docs/reference/options.md) `[code](none.md)`\n\n    [code](none.md)\n"
        self.assertEqual(len(list(self.dead("README.md", text))), 3)

    def test_code_that_is_named_exists(self):
        missing = [f"{page}: there is no {path}" for page in pages.pages() if page != "CHANGELOG.md"
                   for path in re.findall(CODE, pages.read(page)) if not glob.glob(os.path.join(pages.CHECKOUT, path) + "*")]
        self.assertEqual(missing, [])

    def test_every_page_is_found_from_the_readme(self):
        reached, todo = set(), [pages.README]
        while todo:
            page = todo.pop()
            if page in reached or not page.endswith(".md"):
                continue
            reached.add(page)
            for _, target in pages.links(pages.read(page)):
                if ":" not in target.split("/")[0]:
                    todo.append(os.path.normpath(os.path.join(os.path.dirname(page), target.partition("#")[0])))
        self.assertEqual(sorted(set(pages.pages()) - reached), [])


if __name__ == "__main__":
    unittest.main()
