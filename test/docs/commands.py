# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command of README and getting started does what the page says: here, or
by the test that is named below for those that need a fresh machine."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import pages

FOUND = 66
# Exit codes other than 0.
EXPECTED = {
    "warpsan run ./saxpy": FOUND,
    "warpsan run --report=report.html ./saxpy": FOUND,
}
# The file that runs it, and what is in there.
ELSEWHERE = {
    "tools/devroot run cpack --config build/CPackConfig.cmake": ("test/packages", "CPackConfig.cmake"),
    "apt-get install ./build/dist/warpsan_0.2.0_amd64.deb pocl-opencl-icd gcc libc6-dev ocl-icd-opencl-dev": ("test/packages", "apt-get install"),
}
RAN = 0  # commands, by this process
LEFT_OUT = re.compile(r"^\s*\.\.\.\s*$")


def shown(text, line):
    """What the page says that a command prints: the lines below it in its block."""
    lines = []
    for row in text.splitlines()[line:]:
        if not row.startswith("    ") and row.strip():
            break
        if pages.COMMAND.match(row):
            break
        lines.append(row[4:])
    return "\n".join(lines).strip("\n").splitlines()


class Commands(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="warpsan-docs-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        shutil.copytree(os.path.join(pages.CHECKOUT, "examples"), os.path.join(cls.folder, "examples"))
        cls.env = {**os.environ, "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd",
                   "XDG_CACHE_HOME": os.path.join(cls.folder, "cache"),
                   "PATH": os.path.join(pages.CHECKOUT, "build", "bin") + ":" + os.environ["PATH"]}

    def run_page(self, page):
        text = pages.read(page)
        count = 0
        for line, command in pages.commands(text):
            with self.subTest(f"{page}:{line}", command=command):
                count += 1
                if command in ELSEWHERE:
                    file, word = ELSEWHERE[command]
                    self.assertIn(word, pages.read(file))
                    continue
                ended = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.env, text=True, timeout=300,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                global RAN
                RAN += 1
                self.assertEqual(ended.returncode, EXPECTED.get(command, 0), ended.stdout)
                printed = ended.stdout.splitlines()
                for row in shown(text, line):
                    if not LEFT_OUT.match(row):
                        # Paths are where the test runs.
                        found = [other.replace(self.folder + "/", "") for other in printed]
                        self.assertIn(row, found)
        self.assertGreater(count, 0)

    def test_readme(self):
        self.run_page("README.md")

    def test_getting_started(self):
        self.run_page("docs/tutorials/getting-started.md")


if __name__ == "__main__":
    unittest.main()
