# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference/findings has a page for each kind of abi/checks.def, and the page
is true: its example is reported as its kind, with the title it shows; its fix is
silent; its suppression suppresses it.

All examples are one program: a page is a function, named after its kind. The
examples run in one process, the fixes in a second, the suppressed examples in a
third."""

import json
import os
import re
import subprocess
import tempfile
import unittest

import pages

FOLDER = "docs/reference/findings"
INDEX = f"{FOLDER}/index.md"
# A call that is reported and made, and that the driver does not survive: a
# process of its own.
FATAL = "use_after_release"
# Of a kernel that cannot be instrumented: a program of its own, since clang
# refuses all of it.
APART = "canary_overwritten"
# Found with an option that changes what else is found: a process of its own.
RACES = ("data_race", "race_between_commands")
# A page's code has these names, as index.md says.
PROLOGUE = """\
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static cl_program build(const char *source) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
    abort();
  return program;
}
"""
EXAMPLE = """
static void {name}(cl_program program) {{
  cl_kernel kernel = {kernel};
  {{
{host}
  }}
  clFinish(queue);
  if (kernel)
    clReleaseKernel(kernel);
}}
"""
# One program for all kernels takes a fraction of the time of one for each.
GROUP = """
static void run_{name}(void) {{
  cl_program program = build({source});
{calls}  clReleaseProgram(program);
}}
"""
MAIN = """
int main(int argc, char **argv) {
  cl_platform_id platform;
  if (argc != 2 || clGetPlatformIDs(1, &platform, NULL) ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 1;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  if (!strcmp(argv[1], "fatal")) {
    run_fatal();
  } else if (!strcmp(argv[1], "races")) {
    run_races();
  } else if (!strcmp(argv[1], "fixed")) {
    run_fixed();
    run_fixed_apart();
  } else {
    run_example();
    run_example_apart();
  }
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts("end");
  return 0;
}
"""


def without_bytes(title):
    """A title without the byte at which the first work-item failed: which one is first differs from run to run."""
    return re.sub(r"at byte [\d,]+", "at a byte", title)


class Page:
    """What a page of a kind says."""

    def __init__(self, path):
        self.path = path
        self.kind = os.path.basename(path)[:-len(".md")]
        text = pages.read(path)
        parts = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL))
        self.headings = list(parts)
        example = parts.get("Example", "")
        fix = parts.get("How to fix", "")
        self.kernel, self.host = self.block(example, "opencl"), self.block(example, "c")
        self.fixed_kernel = self.block(fix, "opencl") or self.kernel
        self.fixed_host = self.block(fix, "c") or self.host
        self.has_fix = (self.fixed_kernel, self.fixed_host) != (self.kernel, self.host)
        self.titles = re.findall(r"^ {4}WarpSan: (.*)$", example, flags=re.MULTILINE)
        self.options = re.findall(r"^Found with `--([^`]*)`", example, flags=re.MULTILINE)
        self.suppressions = (self.block(parts.get("How to suppress", ""), "text") or "").splitlines()

    @staticmethod
    def block(text, language):
        found = re.search(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
        return found.group(1) if found else None

    def name(self):
        return re.search(r"kernel void (\w+)\(", self.kernel).group(1) if self.kernel else ""

    def function(self, prefix, host):
        """The page's host code as a function of C."""
        kernel = f'clCreateKernel(program, "{self.name()}", NULL)' if self.kernel else "NULL"
        return EXAMPLE.format(name=f"{prefix}_{self.kind}", kernel=kernel,
                              host="\n".join("    " + line for line in host.splitlines()))


def kinds():
    return re.findall(r"^KIND\(\d+,\s*(\w+),", pages.read("abi/checks.def"), flags=re.MULTILINE)


def of_kinds():
    """The pages, in the order of abi/checks.def."""
    return [Page(f"{FOLDER}/{kind}.md") for kind in kinds()]


class Kinds(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.pages = of_kinds()
        folder = tempfile.TemporaryDirectory(prefix="warpsan-docs-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.env = {**os.environ, "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd", "XDG_CACHE_HOME": cls.folder}
        source = os.path.join(cls.folder, "examples.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROLOGUE)
            for page in cls.pages:
                file.write(page.function("example", page.host))
                file.write(page.function("fixed", page.fixed_host))
            group = lambda name, *kinds: file.write(cls.group(name, [p for p in cls.pages if p.kind in kinds]))
            most = [page.kind for page in cls.pages if page.kind not in (APART, FATAL, *RACES)]
            group("example", *most)
            group("example_apart", APART)
            group("fixed", *most, FATAL, *RACES)
            group("fixed_apart", APART)
            group("fatal", FATAL)
            group("races", *RACES)
            file.write(MAIN)
        cls.program = os.path.join(cls.folder, "examples")
        subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-g", source, "-o", cls.program, "-lOpenCL"], check=True)

    @staticmethod
    def group(name, members):
        """A function that runs these pages, all of whose kernels are one program."""
        fixed = name.startswith("fixed")
        kernels = [page.fixed_kernel if fixed else page.kernel for page in members]
        calls = [f"  {'fixed' if fixed else 'example'}_{page.kind}(program);\n" for page in members]
        return GROUP.format(name=name, source=json.dumps("".join(filter(None, kernels))), calls="".join(calls))

    def run_program(self, which, *options):
        """What ended, its findings, its summary."""
        findings, summary = (os.path.join(self.folder, f"{self.id()}.{which}.{end}") for end in ("jsonl", "json"))
        ended = subprocess.run([os.path.join(pages.CHECKOUT, "build/bin/warpsan"), "run", f"--findings_file={findings}",
                                f"--summary_file={summary}", *dict.fromkeys(f"--{o}" for page in self.pages for o in page.options
                                                if page.kind not in RACES or which in ("races", "fixed")),
                                *options, "--", self.program, which],
                               env=self.env, text=True, capture_output=True, timeout=120, check=False)
        if which != "fatal":
            self.assertEqual(ended.stdout, "end\n", ended.stderr)
        lines = []
        if os.path.exists(findings):
            with open(findings, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
        with open(summary, encoding="utf-8") as file:
            return ended, [line for line in lines if line["type"] == "finding"], json.load(file)

    def test_every_page_has_its_parts(self):
        for page in self.pages:
            with self.subTest(page.kind):
                self.assertEqual(page.headings, ["Example", "How to fix", "How to suppress"])
                self.assertTrue(page.host and page.has_fix and page.titles and page.suppressions)
                self.assertIn(f"({page.kind}.md)", pages.read(INDEX))

    def test_no_page_is_of_no_kind(self):
        files = {name[:-len(".md")] for name in os.listdir(os.path.join(pages.CHECKOUT, FOLDER))}
        self.assertEqual(files - {"index"}, set(kinds()))

    def test_examples_are_reported_as_their_kind(self):
        found, text = [], ""
        for which in ("examples", "fatal", "races"):
            ended, findings, _ = self.run_program(which)
            self.assertEqual(ended.returncode, 66, ended.stderr)
            found += [(finding["kind"], without_bytes(finding["title"])) for finding in findings]
            text += ended.stderr
        expected = [(page.kind if at == 0 else "out_of_bounds_read", without_bytes(title))
                    for page in self.pages for at, title in enumerate(page.titles)]
        self.assertEqual(sorted(found), sorted(expected), text)

    def test_fixes_are_silent(self):
        ended, findings, _ = self.run_program("fixed")
        self.assertEqual((ended.returncode, findings), (0, []), ended.stderr)

    def test_suppressions_suppress(self):
        known = os.path.join(self.folder, "known.txt")
        with open(known, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for page in self.pages for line in page.suppressions)
        used = set()
        for which in ("examples", "fatal", "races"):
            ended, findings, summary = self.run_program(which, f"--suppressions={known}")
            self.assertEqual(findings, [], ended.stderr)
            self.assertNotEqual(ended.returncode, 66, ended.stderr)
            used |= {row["text"] for row in summary["suppressions"] if row["findings"]}
        self.assertEqual({line for page in self.pages for line in page.suppressions} - used, set())


if __name__ == "__main__":
    unittest.main()
