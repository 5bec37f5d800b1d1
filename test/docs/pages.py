# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages for people: which there are, and what is in them."""

import os
import re
import subprocess

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
README = "README.md"
COMMAND = re.compile(r"\s*(?:\$|#(?= apt-get )) (.*)$")


def pages():
    """Paths of all Markdown files, from the checkout."""
    listed = subprocess.run(["git", "-C", CHECKOUT, "-c", f"safe.directory={CHECKOUT}", "ls-files", "-co",
                             "--exclude-standard", "*.md"], capture_output=True, text=True, check=True)
    return sorted(listed.stdout.split())


def read(page):
    with open(os.path.join(CHECKOUT, page), encoding="utf-8") as text:
        return text.read()


def without_code(text):
    """The text with code blocks and inline code left blank: what looks like a
    link there is none."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group())
    text = re.sub(r"^```.*?^```", blank, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(?:^(?: {4}|\t).*\n)+", blank, text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`", blank, text)


def links(text):
    """(line, target) of each link and picture."""
    text = without_code(text)
    for found in re.finditer(r"\]\(([^()\s]+)\)", text):
        yield text.count("\n", 0, found.start()) + 1, found.group(1)


def anchors(text):
    """What can be behind '#' in a link to this page, as GitHub makes it of a
    heading."""
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL),
                              flags=re.MULTILINE):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        yield re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def commands(text):
    """(line, command) of each line of a code block that begins with '$ ', or with
    '# ' if root is to run apt-get; a line that ends in a backslash goes on."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        found = COMMAND.match(lines[at])
        if found:
            start, command = at + 1, found.group(1)
            while command.endswith("\\"):
                at += 1
                command = command[:-1] + lines[at].strip()
            yield start, re.sub(r"\s+# .*$", "", command).strip()
        at += 1
