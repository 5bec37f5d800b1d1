# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program under `warpsan run` starts and ends as it would without it."""

import json
import os
import signal
import stat
import subprocess
import sys
import sysconfig
import unittest

from command import WithoutLayer, environment


class Endings(WithoutLayer):
    def test_exit_code(self):
        for code in (0, 1, 42, 64, 255):
            self.assertEqual(self.warpsan_run("sh", "-c", f"exit {code}").returncode, code)

    def test_death_by_signal(self):
        for name in ("SEGV", "ABRT", "TERM", "KILL", "INT", "HUP", "USR1", "PIPE"):
            result = self.warpsan_run("sh", "-c", f"kill -{name} $$")
            self.assertEqual(result.returncode, -getattr(signal, "SIG" + name), name)
            self.assertIn("WarpSan:", result.stderr)

    def test_no_second_core_dump(self):
        result = self.warpsan_run(
            "sh", "-c", "kill -SEGV $$", cwd=self.folder, preexec_fn=allow_cores
        )
        self.assertEqual(result.returncode, -signal.SIGSEGV)
        cores = [name for name in os.listdir(self.folder) if name.startswith("core")]
        self.assertLessEqual(len(cores), 1)

    def test_ending_is_in_the_summary_file(self):
        for script, ending in (("exit 3", {"code": 3}), ("kill -ABRT $$", {"signal": 6})):
            file = self.path("summary.json")
            self.warpsan_run("--summary_file=" + file, "--", "sh", "-c", script)
            with open(file) as text:
                summary = json.load(text)
            self.assertEqual(summary["schema"], "warpsan-summary/3")
            self.assertEqual(summary["exit"], ending)
            self.assertEqual(summary["layer_loaded"], False)


def allow_cores():
    import resource

    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


class Surroundings(WithoutLayer):
    def test_arguments_after_the_program_are_its_own(self):
        result = self.warpsan_run("echo", "--help", "--", "-x", "")
        self.assertEqual(result.stdout, "--help -- -x \n")

    def test_standard_input_and_output(self):
        result = self.run_command(
            self.warpsan, "run", "--", "cat", stdin=None, input="through\n"
        )
        self.assertEqual(result.stdout, "through\n")

    def test_closed_descriptors_stay_closed(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            file = self.path("descriptors")
            # The shell that lists the descriptors adds none below 3.
            script = f"'{self.warpsan}' run --verbosity=0 -- '{sys.executable}' '{self.lister()}' '{file}' {closed}"
            bare = f"'{sys.executable}' '{self.lister()}' '{file}' {closed}"
            subprocess.run(["bash", "-c", bare], check=True)
            with open(file) as text:
                wanted = text.read()
            subprocess.run(["bash", "-c", script], check=True, env=environment())
            with open(file) as text:
                self.assertEqual(text.read(), wanted, closed)

    def lister(self):
        file = self.path("lister.py")
        with open(file, "w") as text:
            text.write(
                "import os, sys\n"
                "def is_open(fd):\n"
                "    try:\n        os.fstat(fd)\n        return True\n"
                "    except OSError:\n        return False\n"
                "found = [fd for fd in range(64) if is_open(fd)]\n"
                "open(sys.argv[1], 'w').write(repr(found))\n"
            )
        return file

    def test_ignored_child_signal(self):
        # Python programs that ignore SIGCHLD hand that down; then there is no
        # exit status to wait for unless the command takes care.
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        self.assertEqual(self.warpsan_run("sh", "-c", "exit 5", preexec_fn=ignore).returncode, 5)
        result = self.warpsan_run("grep", "SigIgn", "/proc/self/status", preexec_fn=ignore)
        ignored = int(result.stdout.split()[1], 16)
        self.assertTrue(ignored & (1 << (signal.SIGCHLD - 1)))

    def test_signal_mask(self):
        result = self.warpsan_run("grep", "SigBlk", "/proc/self/status")
        self.assertEqual(int(result.stdout.split()[1], 16), 0)

    def test_working_folder_and_process_group(self):
        result = self.warpsan_run("sh", "-c", "pwd -P", cwd=self.folder)
        self.assertEqual(result.stdout.strip(), os.path.realpath(self.folder))


class Environment(WithoutLayer):
    def variables(self, *options, **given):
        result = self.warpsan_run(*options, "--", "env", "-0", env=environment(**given))
        self.assertEqual(result.returncode, 0, result.stderr)
        return dict(line.split("=", 1) for line in result.stdout.split("\0") if line)

    def layer(self):
        return self.path("prefix", "lib", "libwarpsan_layer.so")

    def test_layer_is_next_to_the_program_and_there_once(self):
        found = self.variables(OPENCL_LAYERS=f"/a.so:{self.layer()}:/b.so")
        self.assertEqual(found["OPENCL_LAYERS"], f"/a.so:/b.so:{self.layer()}")
        self.assertEqual(self.variables()["OPENCL_LAYERS"], self.layer())

    def test_options_are_added_behind_the_environment(self):
        found = self.variables("--cache_dir=/a:b", "--verbosity=2",
                               WARPSAN_OPTIONS="verbosity=1")
        self.assertEqual(found["WARPSAN_OPTIONS"],
                         "verbosity=1:cache_dir=/a\\:b:verbosity=2")

    def test_chipstar_keeps_no_modules(self):
        self.assertEqual(self.variables(CHIP_MODULE_CACHE_DIR="/x")["CHIP_MODULE_CACHE_DIR"], "")

    def test_run_folder_is_private_and_removed(self):
        result = self.warpsan_run("sh", "-c", 'echo "$WARPSAN_RUN_DIR"; stat -c %a "$WARPSAN_RUN_DIR"')
        folder, mode = result.stdout.split()
        self.assertEqual(int(mode, 8), stat.S_IRWXU)
        self.assertFalse(os.path.exists(folder))

    def test_installed_layer_comes_before_others(self):
        folder = os.path.join("lib", sysconfig.get_config_var("MULTIARCH") or "", "warpsan")
        self.warpsan = self.install("two", layer=os.path.join(folder, "libwarpsan_layer.so"))
        open(self.path("two", "lib", "libwarpsan_layer.so"), "w").close()
        self.assertEqual(self.variables()["OPENCL_LAYERS"],
                         self.path("two", folder, "libwarpsan_layer.so"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
