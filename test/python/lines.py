# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A finding in a program in Python names kernel, memory and the lines of Python
that made the one and launched the other; a right program stays silent."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(CHECKOUT, "test", "apps"))

from drivers import DRIVERS  # noqa: E402

WARPSAN = os.path.join(CHECKOUT, "build", "bin", "warpsan")


def line_of(file, mark):
    """The number of the line that says so in its comment."""
    with open(file, encoding="utf-8") as text:
        return next(number for number, line in enumerate(text, 1) if line.rstrip().endswith(f"# {mark}"))


def here(name):
    return os.path.join(HERE, name)


class Run:
    """A command under WarpSan: what it printed, and its findings."""

    def __init__(self, *words, driver="pocl", loader="ocl-icd", options=(), **environment):
        with tempfile.TemporaryDirectory(prefix="warpsan-python-") as folder:
            file = os.path.join(folder, "findings.jsonl")
            ended = subprocess.run(
                [WARPSAN, "run", f"--findings_file={file}", *options, "--", *words], cwd=folder, text=True, timeout=500,
                env={**os.environ, **DRIVERS[driver].environment(loader), "PYTHONDONTWRITEBYTECODE": "1", **environment},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            lines = []
            if os.path.exists(file):
                with open(file, encoding="utf-8") as text:
                    lines = [json.loads(line) for line in text]
        self.code, self.out, self.err = ended.returncode, ended.stdout, ended.stderr
        self.findings = [line for line in lines if line["type"] == "finding"]


def python_places(frames):
    return [(frame["file"], frame["line"], frame["function"]) for frame in frames if frame["python"]]


class Lines(unittest.TestCase):

    def silent(self, run):
        self.assertEqual((run.code, run.findings), (0, []), run.err)
        self.assertIn("WarpSan: no errors.", run.err)

    def found(self, run, count=1):
        self.assertEqual(run.code, 66, run.out + run.err)
        self.assertEqual(len(run.findings), count, run.err)
        return run.findings[0]


class PyOpenCL(Lines):
    """Extension modules; here PyOpenCL's, which keeps the interpreter's lock."""

    FILE = here("scaling.py")

    def test_a_right_program_is_silent(self):
        self.silent(Run("python3", self.FILE, "0"))

    def test_lines_are_in_the_findings(self):
        finding = self.found(Run("python3", self.FILE, "1"))
        self.assertEqual(finding["kernel"], "scale")
        self.assertEqual(finding["arg"]["name"], "x")
        main = (self.FILE, line_of(self.FILE, "THREAD"), "<lambda>")
        created = python_places(finding["memory"]["created"])
        self.assertEqual(created[:2], [(self.FILE, line_of(self.FILE, "CREATED"), "Scaling.__init__"), main])
        launched = python_places(finding["launch"]["launched"])
        self.assertIn((self.FILE, line_of(self.FILE, "LAUNCHED"), "Scaling.run"), launched)
        self.assertIn(main, launched)
        # The interpreter's own functions are replaced by what they ran.
        names = [frame["function"] for frame in finding["launch"]["launched"]]
        self.assertFalse([name for name in names if name.startswith("_PyEval")], names)

    def test_the_text_shows_python_only(self):
        run = Run("python3", self.FILE, "1")
        self.assertIn(f"{self.FILE}:{line_of(self.FILE, 'LAUNCHED')}", run.err)
        self.assertNotIn("_cl.cpython", run.err)
        self.assertIn("_cl.cpython", Run("python3", self.FILE, "1", options=["--verbosity=2"]).err)

    def test_names_that_are_not_ascii(self):
        with tempfile.TemporaryDirectory(prefix="warpsan-\u00fc-\u4e16-\U0001f600-") as folder:
            program = os.path.join(folder, "gr\u00f6\u00dfe.py")
            with open(program, "w", encoding="utf-8") as text:
                text.write(f"import sys\nsys.path.insert(0, {HERE!r})\nfrom scaling import Scaling\n"
                           "def \u4e16():\n    Scaling().run(1)\n\u4e16()\n")
            finding = self.found(Run("python3", program))
            self.assertIn((program, 5, "\u4e16"), python_places(finding["launch"]["launched"]))

    def test_pytest(self):
        file = here("test_scaling.py")
        self.silent(Run("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", file, SHIFT="0"))
        run = Run("python3", "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", file, SHIFT="1")
        finding = self.found(run)
        self.assertIn((file, line_of(file, "TESTED"), "test_scaling"), python_places(finding["launch"]["launched"]))
        # Though pytest has more functions than are shown.
        self.assertIn(f"{file}:{line_of(file, 'TESTED')}", run.err)

    def test_a_jupyter_kernel(self):
        cell = f"import sys\nsys.path.insert(0, {HERE!r})\nfrom scaling import Scaling\nScaling().run(1)\n"
        spec = {"argv": [WARPSAN, "run", "--", "python3", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                "display_name": "Python 3 (WarpSan)", "language": "python"}
        with tempfile.TemporaryDirectory(prefix="warpsan-python-") as folder:
            kernel = os.path.join(folder, "kernels", "warpsan")
            os.makedirs(kernel)
            with open(os.path.join(kernel, "kernel.json"), "w", encoding="utf-8") as text:
                json.dump(spec, text)
            notebook = os.path.join(folder, "notebook.py")
            with open(notebook, "w", encoding="utf-8") as text:
                text.write("import nbclient, nbformat\n"
                           f"book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell({cell!r})])\n"
                           "nbclient.NotebookClient(book, kernel_name='warpsan', timeout=300).execute()\n"
                           "for output in book.cells[0].outputs: print(output.get('text', output))\n")
            ended = subprocess.run(["python3", notebook], text=True, timeout=400, check=False, cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, **DRIVERS["pocl"].environment(), "JUPYTER_PATH": folder,
                                        "PYTHONDONTWRITEBYTECODE": "1", "HOME": folder})
        # The report is shown below the cell, with the cell's own line.
        self.assertIn("out-of-bounds write, just past the end of 'x'", ended.stdout, ended.stderr)
        self.assertRegex(ended.stdout, r"<module> +/tmp/ipykernel_\d+/\d+\.py:4")


@unittest.skipUnless(os.path.exists("/opt/tinygrad"), "tinygrad is not installed")
class Tinygrad(Lines):
    """Calls through ctypes, which gives the interpreter's lock away."""

    def test_a_generated_kernel(self):
        program = os.path.join(CHECKOUT, "test", "apps", "programs", "tinygrad_training.py")
        run = Run("/opt/tinygrad/bin/python3", here("broken_tinygrad.py"), program, CACHELEVEL="0", DEV="CL")
        finding = self.found(run)
        self.assertTrue(finding["arg"]["name"].startswith("data1_"), finding["arg"])
        # Its generated source is shown.
        self.assertIn("+1000000+", "".join(finding["excerpt"]["lines"]))
        places = python_places(finding["launch"]["launched"])
        self.assertTrue(places[0][0].endswith("tinygrad/runtime/support/c.py"), places)
        users = [place for place in places if place[0] == program]
        self.assertEqual([function for _, _, function in users], ["operations", "<module>"])
        with open(program, encoding="utf-8") as text:
            lines = text.read().splitlines()
        self.assertIn(".item()", lines[users[0][1] - 1])
        self.assertEqual(lines[users[1][1] - 1], "operations()")
        self.assertIn(f"tinygrad_training.py:{users[0][1]}", run.err)


@unittest.skipUnless(os.path.exists("/opt/dpnp") and os.path.exists(DRIVERS["intel"].icd),
                     "dpnp or Intel's runtime is not installed")
class Dpnp(Lines):
    """SYCL below Python: SPIR-V, unified shared memory."""

    def run_with(self, count):
        return Run("/opt/dpnp/bin/python3", here("broken_dpnp.py"), str(count), driver="intel", loader="khronos",
                   LD_LIBRARY_PATH="/opt/dpnp/lib")

    def test_as_many_as_there_are(self):
        self.silent(self.run_with(1000))

    def test_one_too_many(self):
        run = self.run_with(1001)
        finding = self.found(run, count=2)
        self.assertIn("add_contig_kernel", finding["kernel"])
        self.assertEqual((finding["memory"]["kind"], finding["memory"]["size"]), ("usm", 4000))
        places = python_places(finding["launch"]["launched"])
        self.assertIn((here("broken_dpnp.py"), line_of(here("broken_dpnp.py"), "LAUNCHED"), "double"), places)
        self.assertIn(f"broken_dpnp.py:{line_of(here('broken_dpnp.py'), 'LAUNCHED')}", run.err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
