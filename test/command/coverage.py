# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The closing summary tells what a real program did, however it ended."""

import json
import os
import signal
import subprocess
import unittest

from command import APP, WARPSAN, WithLayer


def launches(seen, twin, checked, watched=0):
    """What the summary says of them, where nothing is proven."""
    return {"seen": seen, "twin": twin, "covered": checked, "proven": 0, "native": seen - twin, "canary_guarded": watched,
            "partial": 0, "divergent": 0, "barriers_unchecked": 0, "races_unjudged": 0, "runtime": 0, "excluded": 0,
            "sampled_out": 0, "trace": 0, "race_free": 0}


class Coverage(WithLayer):
    def summary(self, *words, options=(), **more):
        file = self.path("summary.json")
        result = self.warpsan_run("--summary_file=" + file, "--checks=all", *options, "--", APP, *words, **more)
        with open(file) as text:
            return result, json.load(text)

    def test_every_launch_a_twin(self):
        result, summary = self.summary("add", "5", options=["--require_coverage=1"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "sums are right\n")
        self.assertEqual(
            result.stderr,
            "WarpSan: no errors. 1 of 1 kernel covered, 5 launches covered.\n",
        )
        self.assertEqual(summary["launches"], launches(5, twin=5, checked=5, watched=0))
        self.assertEqual(sum(summary["accesses"].values()), 3)
        self.assertEqual(summary["gaps"], [])

    def test_twins_without_checks_check_nothing(self):
        result, summary = self.summary("add", "5", options=["--checks=none"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("nothing was checked: checks=none; 5 of 5 launches ran as twins without checks (", result.stderr)
        self.assertEqual(summary["launches"], launches(5, twin=5, checked=0, watched=0))
        result, _ = self.summary("add", "5", options=["--checks=none", "--require_coverage=1"])
        self.assertEqual(result.returncode, 67, result.stderr)
        self.assertIn("require_coverage: 5 of 5 launches were neither checked nor proven; exit code 67.", result.stderr)

    def test_recorded_accesses_are_not_checked(self):
        report = self.path("r.xml")
        result, summary = self.summary("add", "5", options=["--scheme=trace", "--require_coverage=1", "--report=" + report])
        self.assertEqual(result.returncode, 67, result.stderr)
        self.assertIn("WarpSan: nothing was checked: scheme=trace records accesses and checks none.\n", result.stderr)
        self.assertEqual(summary["launches"], {**launches(5, twin=5, checked=0), "trace": 5})
        self.assertEqual(summary["accesses"], {"checked": 0, "proven": 0, "untraced": 0})
        with open(report) as text:
            self.assertIn("skipped", text.read())

    def test_second_run_takes_twins_from_the_cache(self):
        _, cold = self.summary("add", "1")
        result, warm = self.summary("add", "1")
        self.assertEqual(cold["programs"]["cache_hits"], 0)
        self.assertEqual(warm["programs"]["cache_hits"], 1)
        self.assertEqual(warm["launches"]["twin"], 1)
        self.assertEqual(result.returncode, 0)

    def test_a_cpu_without_fma_takes_no_twins_of_one_with_it(self):
        with open("/proc/cpuinfo") as file:
            if " fma " not in file.read():
                self.skipTest("the CPU has no FMA")
        self.summary("add", "1")
        self.env["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-FMA"
        _, other = self.summary("add", "1")
        self.assertEqual(other["programs"]["cache_hits"], 0)
        del self.env["GLIBC_TUNABLES"]
        _, same = self.summary("add", "1")
        self.assertEqual(same["programs"]["cache_hits"], 1)

    def test_damaged_cache_is_rebuilt(self):
        self.summary("add", "1")
        for folder, _, names in os.walk(self.path("cache", "warpsan")):
            for name in names:
                with open(os.path.join(folder, name), "r+b") as file:
                    file.truncate(os.path.getsize(file.name) // 2)
        result, summary = self.summary("add", "1")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(summary["launches"]["twin"], 1)

    def test_no_program_built(self):
        result, _ = self.summary("context")
        self.assertIn("nothing was checked: the program built no OpenCL program. With require_coverage=1 this is an "
                      "error. `warpsan doctor` lists drivers and devices.\n", result.stderr)
        self.assertEqual(result.returncode, 0)
        result, _ = self.summary("context", options=["--require_coverage=1"])
        self.assertEqual(result.returncode, 67)

    def test_no_kernel_launched(self):
        result, summary = self.summary("build", options=["--require_coverage=1"])
        self.assertIn("the program launched no kernel", result.stderr)
        self.assertEqual(summary["programs"]["seen"], 1)
        self.assertEqual(result.returncode, 67)

    def test_program_without_opencl(self):
        result = self.warpsan_run("true")
        self.assertIn("the program did not load the layer", result.stderr)

    def test_no_driver(self):
        self.env["OCL_ICD_VENDORS"] = "/nowhere"
        result = self.warpsan_run("true")
        self.assertIn("WarpSan: nothing was checked: there is no OpenCL driver.\n           OCL_ICD_VENDORS=/nowhere has "
                      "no .icd file; unset it or name a driver's file.\n", result.stderr)
        result = self.warpsan_run("--report=" + self.path("r.txt"), "true")
        with open(self.path("r.txt")) as text:
            self.assertTrue(result.stderr.endswith(text.read()))
        del self.env["OCL_ICD_VENDORS"]
        self.env["OPENCL_VENDOR_PATH"] = "/nowhere"
        self.assertIn("OPENCL_VENDOR_PATH=/nowhere has no .icd file;", self.warpsan_run("true").stderr)

    def test_a_build_that_fails_is_said(self):
        result, summary = self.summary("broken")
        self.assertIn("no OpenCL program was built: 1 build failed", result.stderr)
        self.assertEqual((summary["programs"]["seen"], summary["programs"]["failed"]), (0, 1))

    def test_native_launches_are_no_coverage(self):
        result, summary = self.summary("add", "3", options=["--launch=native", "--require_coverage=1"])
        self.assertEqual(summary["launches"], launches(3, twin=0, checked=0, watched=0))
        self.assertIn("nothing was checked: launch=native; 3 launches ran native kernels (1 program).\n", result.stderr)
        self.assertEqual(result.returncode, 67)

    def test_counts_survive_every_ending(self):
        for words, code in ((["exit", "7"], 7), (["quick", "8"], 8), (["abort"], -signal.SIGABRT)):
            result, summary = self.summary("add", "2", *words)
            self.assertEqual(result.returncode, code)
            self.assertEqual(summary["launches"]["twin"], 2, words)

    def test_child_processes_are_added_up(self):
        file = self.path("summary.json")
        self.warpsan_run("--checks=all", "--summary_file=" + file, "sh", "-c", f"'{APP}' add 2; '{APP}' add 3")
        with open(file) as text:
            summary = json.load(text)
        self.assertEqual(summary["processes"], 2)
        self.assertEqual(summary["launches"]["twin"], 5)

    def test_child_made_by_fork_before_opencl(self):
        _, summary = self.summary("fork", "add", "2")
        self.assertEqual(summary["processes"], 2)
        self.assertEqual(summary["launches"]["twin"], 4)

    def test_program_that_becomes_another(self):
        # exec keeps the process id: the second must not erase the first's.
        file = self.path("summary.json")
        script = (f"import ctypes, os; cl = ctypes.CDLL('libOpenCL.so.1'); n = ctypes.c_uint(); "
                  f"cl.clGetPlatformIDs(0, None, ctypes.byref(n)); os.execv('{APP}', ['app', 'add', '2'])")
        result = self.warpsan_run("--checks=all", "--summary_file=" + file, "python3", "-c", script)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(file) as text:
            summary = json.load(text)
        self.assertEqual(summary["processes"], 2)
        self.assertEqual(summary["launches"]["twin"], 2)

    def test_closed_standard_descriptors(self):
        for closed in ("<&-", "<&- >&-"):
            file = self.path("summary.json")
            script = f"'{WARPSAN}' run --checks=all --summary_file='{file}' -- '{APP}' add 1 {closed}"
            result = subprocess.run(["bash", "-c", script], env=self.env,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(file) as text:
                self.assertEqual(json.load(text)["launches"]["twin"], 1)

    def test_no_compiler(self):
        # Its buffers are there before its first launch.
        for canaries, watched in ("on_demand", 0), ("all", 2):
            result, summary = self.summary(
                "add", "2", options=["--compiler=/nowhere/warpsan-clc", "--canaries=" + canaries])
            self.assertEqual(result.returncode, 0)
            self.assertEqual(summary["launches"], launches(2, twin=0, checked=0, watched=watched))
            self.assertEqual(sum(gap["launches"] for gap in summary["gaps"]), 2)

    def test_compiler_that_dies(self):
        result, summary = self.summary("add", "2", options=["--compiler=/bin/false"])
        self.assertEqual(result.returncode, 0)
        self.assertEqual(summary["launches"]["native"], 2)
        self.assertEqual(sum(gap["launches"] for gap in summary["gaps"]), 2)

    def test_cache_off_leaves_nothing(self):
        result, _ = self.summary("add", "1", options=["--cache_dir=off"])
        self.assertEqual(result.returncode, 0)
        self.assertFalse(os.path.exists(self.path("cache", "warpsan")))

    def test_layer_without_the_command_tells_its_own_summary(self):
        env = dict(self.env, OPENCL_LAYERS=os.path.join(os.path.dirname(WARPSAN), "..", "lib",
                                                        "libwarpsan_layer.so"))
        result = subprocess.run([APP, "add", "1"], env=env, stderr=subprocess.PIPE, text=True,
                                stdout=subprocess.DEVNULL, timeout=120)
        self.assertIn("WarpSan: no errors. 1 of 1 kernel covered, 1 launch covered, 1 of them by proof.",
                      result.stderr)

    def test_layer_without_the_command_names_the_source_of_wrong_options(self):
        env = dict(self.env, OPENCL_LAYERS=os.path.join(os.path.dirname(WARPSAN), "..", "lib",
                                                        "libwarpsan_layer.so"),
                   WARPSAN_OPTIONS="foo=1:races=on:checks=none")
        result = self.run_command(APP, "context", env=env)
        self.assertIn("WarpSan: in WARPSAN_OPTIONS: there is no option 'foo'", result.stderr)
        self.assertIn("WarpSan: in WARPSAN_OPTIONS: option 'races' has no effect with checks=none; omit one of the two.",
                      result.stderr)


class Installed(WithLayer):
    def test_installed_copy_finds_its_parts(self):
        result = subprocess.run(["cmake", "--install", os.environ["WARPSAN_TEST_BUILD"],
                                 "--prefix", self.path("usr")],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)
        result = self.run_command(self.path("usr", "bin", "warpsan"), "run",
                                  "--require_coverage=1", "--", APP, "add", "1", env=self.env)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
