# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No retired term in docs, help, messages and comments: the glossary has one word for each
thing.

Many retired words are retired in one sense only. Those are listed as the phrases
in which they had it, as regular expressions. CHANGELOG.md tells of the past, and
may name what was."""

import glob
import os
import re
import unittest

import pages

# (retired, use instead). In prose; what is in code blocks, and between backticks,
# is what programs print.
PROSE = [
    (r"\btold\b(?! apart)", "reported; listed in the summary"),
    (r"\b(is|are|was|were|be) left out\b", "skipped (access), excluded (kernel)"),
    (r"\b(gives?|gave|giving) zeros?\b", "returns zero"),
    (r"\bstay(s|ed|ing)? inside\b", "in bounds"),
    (r"\bheld to\b", "checked against, confined to"),
    (r"\bwhat is left\b", "the remaining accesses"),
    (r"\b(comes?|came|come) round\b", "trip count"),
    (r"\b(make|makes|made|making) (no )?vectors\b", "vectorizes"),
    (r"\bbeside a pointer\b", "pointer metadata"),
    (r"\bwalls?\b(?![ -](time|clock))", "sandbox"),
    (r"\bfour doors\b|\b(closes|opens) a door\b", "exception"),
    (r"\bholes? (in|of)\b|\ba hole\b", "vulnerability"),
    (r"\bwhom nobody (trusts|knows)\b", "untrusted authors"),
    (r"\bbeliev(e|es|ed)\b", "trusted"),
    (r"\bbare\b", "uninstrumented; baseline"),
    (r"\bdrivers?'s? own kernels?\b", "native kernel"),
    (r"\bvalues that are new\b", "proof-cache miss"),
    (r"\bmended\b", "fixed"),
    (r"(?<!@)\bfolders?\b", "directory"),
    (r"\bthe ending\b", "file extension"),
    (r"\bfound in memory\b", "loaded from memory"),
    (r"\bsecond results\b", "out-parameters"),
    (r"\bsteps? aside\b", "pass-through mode"),
    (r"\bwraps? around\b", "wraps; overflows (signed)"),
    (r"\bweights of branches\b", "branch weights"),
    (r"\bon any (OpenCL )?driver\b", "the drivers that were tested"),
    (r"\bready to copy\b", "templates"),
]
# Names that options, kinds and fields no longer have: in code, too.
NAMES = [
    (r"\bchecks=unproven\b", "checks=auto"),
    (r"--skip=|\bskip=", "skip_kernels"),
    (r"\bplace_svm\b", "svm_pool"),
    (r"\bcheck_flags\b", "check_buffer_flags"),
    (r"\bcanaries=late\b", "canaries=on_demand"),
    (r"\bquarantine_mb\b", "quarantine_size_mb"),
    (r"--walls\b", "--test-sandbox"),
    (r"--contents\b", "--range"),
    (r"\breleased_too_often\b", "over_release"),
    (r"\bfreed_in_use\b", "free_while_in_use"),
    (r"\b(?<!_)image_(read|write)\b", "out_of_bounds_image_read, out_of_bounds_image_write"),
    (r"(?<!canary_)\boverwritten`|kind=overwritten\b", "canary_overwritten"),
    (r"\bwarpsan_(unmark|forget)_", "warpsan_free_, warpsan_clear_"),
    (r"\b(launches|kernels)\.left_out\b|\"left_out\"", "excluded"),
    (r"\blaunches\.(watched|unfollowed|checked)\b", "canary_guarded, partial, covered"),
    (r"\berrors\.brief\b", "truncated"),
]
PAST = {"CHANGELOG.md"}
# Where help and messages are: man pages, and the string literals of these.
MAN_PAGES = "package/man/*.in"
MESSAGES = ("abi/*.def", "options/*.def", "options/*.cpp", "tools/*.cpp", "tools/*/*.cpp", "diagnose/*.cpp", "report/*.cpp", "report/*/*.cpp",
            "status/*.cpp", "layer/*/*.cpp", "compiler/*.cpp", "compiler/*/*.cpp")

# Where comments are read: everything but tests, benches and examples.
COMMENTED = tuple(f"{tree}/**/*.{ending}" for tree in ("abi", "compiler", "device", "diagnose", "include", "job", "layer", "options",
                                                      "package", "proof", "report", "schemes", "status", "text", "tools")
                  for ending in ("h", "cpp", "cl", "def"))


def retired(page, text, prose=None):
    """page:line: what, and what to use. \p prose: the part of the text that is."""
    for terms, searched in (PROSE, pages.without_code(text) if prose is None else prose), (NAMES, text):
        for pattern, use in terms:
            # A phrase may go on in the next line.
            for found in re.finditer(pattern.replace(" ", r"\s+"), searched, flags=re.IGNORECASE):
                line = searched.count("\n", 0, found.start()) + 1
                phrase = " ".join(found.group().split())
                yield f"{page}:{line}: '{phrase}' is retired; use: {use}"


def messages(text):
    """The string literals of more than one word, apart from each other."""
    literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", text))
    return "\n;\n".join(literal for literal in literals if " " in literal)


def comments(text):
    """The comments of C++ in a text, without what begins their lines, and all line ends:
    lines stay where they are. Code between comments is a semicolon."""
    out, last = [], 0
    for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', text, flags=re.DOTALL):
        is_comment = found.group().startswith("/")
        between = text[last:found.start()]
        kept = re.sub(r"^[ \t]*(//[/!]?<?|/?\*+(?!/))", "", found.group(), flags=re.MULTILINE) if is_comment else ";"
        out += ["\n" * between.count("\n"), ";" if between.strip() else "", kept]
        last = found.end()
    return "".join(out)


def files(*patterns):
    return sorted(os.path.relpath(path, pages.CHECKOUT) for pattern in patterns
                  for path in glob.glob(os.path.join(pages.CHECKOUT, pattern), recursive=True))


def all_retired():
    problems = [problem for page in pages.pages() if page not in PAST for problem in retired(page, pages.read(page))]
    for path in files(MAN_PAGES):
        text = pages.read(path).replace("\\-", "-")
        problems += retired(path, text, text)
    for path in files(*MESSAGES):
        # Lines are those of the literals, not of the file.
        problems += (re.sub(r":\d+:", ":", problem, count=1)
                     for problem in retired(path, "", messages(pages.read(path))))
    for path in files(*COMMENTED):
        problems += retired(path, "", comments(pages.read(path)))
    return problems


class Terms(unittest.TestCase):

    def test_none_is_retired(self):
        self.assertEqual(all_retired(), [])

    def test_retired_ones_are_noticed(self):
        text = "It is told.\nTold apart, `told`.\n\n    told in code, --skip=x\n"
        self.assertEqual([problem.split(": ")[0] for problem in retired("p.md", text)], ["p.md:1", "p.md:4"])

    def test_retired_ones_in_comments_are_noticed(self):
        text = 'int Told; // told\nconst char *T = "// told"; /* a\n folder */\n'
        self.assertEqual([problem.split(": ")[0] for problem in retired("c.h", "", comments(text))], ["c.h:1", "c.h:3"])

    def test_retired_ones_that_wrap_are_noticed(self):
        text = "/// Launches the driver's own\n/// kernel. */\nint A; ///< the driver's own\nint B; ///< kernel\n/* the driver's\n * own kernel */\n"
        self.assertEqual([problem.split(": ")[0] for problem in retired("c.h", "", comments(text))], ["c.h:1", "c.h:5"])
        self.assertEqual([problem.split(": ")[0] for problem in retired("p.md", "They are left\nout.\n")], ["p.md:1"])


if __name__ == "__main__":
    unittest.main()
