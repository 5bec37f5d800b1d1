# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command says, and returns, when it is asked for something wrong."""

import os
import re
import unittest

from command import WARPSAN, WithoutLayer, environment


class Help(WithoutLayer):
    def test_version(self):
        result = self.run_command(WARPSAN, "--version")
        self.assertRegex(result.stdout, r"^warpsan \d+\.\d+\.\d+\n$")
        self.assertEqual(result.returncode, 0)

    def test_help_names_the_commands(self):
        result = self.run_command(WARPSAN, "--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("warpsan run", result.stdout)
        self.assertIn("warpsan doctor", result.stdout)
        self.assertIn("warpsan report", result.stdout)

    def test_run_help_lists_every_option(self):
        result = self.run_command(WARPSAN, "run", "--help")
        self.assertEqual(result.returncode, 0)
        root = os.path.join(os.path.dirname(__file__), "..", "..")
        with open(os.path.join(root, "options", "options.def")) as text:
            names = re.findall(r"^(?:ADVANCED_)?OPTION\(\w+,\s*(\w+)", text.read(), re.M)
        self.assertGreater(len(names), 5)
        common, advanced = result.stdout.split("Advanced options:")
        self.assertIn("--suppressions=", common)
        self.assertIn("--compile_mb=", advanced)
        for name in names:
            self.assertIn(f"--{name}=", result.stdout)
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 88)

    def test_help_of_a_command_is_its_own(self):
        for name in ("run", "report", "explain", "doctor"):
            own = self.run_command(WARPSAN, name, "--help")
            asked = self.run_command(WARPSAN, "help", name)
            self.assertEqual((asked.returncode, asked.stdout), (own.returncode, own.stdout))
        self.assertEqual(self.run_command(WARPSAN, "help", "bogus").returncode, 64)

    def test_no_command(self):
        self.assertEqual(self.run_command(WARPSAN).returncode, 64)

    def test_unknown_command(self):
        result = self.run_command(WARPSAN, "./my_app")
        self.assertEqual(result.returncode, 64)
        self.assertIn("warpsan run -- ./my_app", result.stderr)

    def test_an_option_that_is_none_is_no_program(self):
        result = self.run_command(WARPSAN, "--hepl")
        self.assertEqual(result.returncode, 64)
        self.assertEqual(result.stderr, "warpsan: there is no command '--hepl'; `warpsan --help` lists them.\n")


class WrongOptions(WithoutLayer):
    def refused(self, *options, says, env=None):
        marker = self.path("started")
        result = self.warpsan_run(*options, "--", "touch", marker, env=env)
        self.assertEqual(result.returncode, 64, result.stderr)
        self.assertIn(says, result.stderr)
        self.assertFalse(os.path.exists(marker), "the program was started")

    def test_unknown_name(self):
        self.refused("--lunch=twin", says="did you mean 'launch'?")

    def test_wrong_value(self):
        self.refused("--launch=both", says="'launch' takes twin or native, not 'both'")

    def test_no_value(self):
        self.refused("--summary_file", says="option 'summary_file' has no value; write --summary_file=VALUE.")
        self.refused("--lunch", says="did you mean 'launch'?")
        self.refused("-l", says="'-l' is not an option of the form")

    def test_verbose_with_a_value(self):
        self.refused("--verbose=1", says="warpsan: --verbose takes no value; write --verbosity=N.\n")

    def test_races_that_nothing_would_look_for(self):
        for other in "scheme=lmi", "scheme=canaries", "checks=none":
            says = f"warpsan: option 'races' has no effect with {other}; omit one of the two.\n"
            self.refused("--races=on", "--" + other, says=says)
            self.refused("--" + other, says=says, env=environment(WARPSAN_OPTIONS="races=on"))
        for others in ["--checks=all"], ["--checks=none", "--untrusted_kernels=1"], ["--checks=none", "--checks=auto"]:
            self.assertEqual(self.warpsan_run("--races=on", *others, "--", "true").returncode, 0)
        self.assertEqual(self.warpsan_run("--races=off", "--scheme=lmi", "--", "true").returncode, 0)

    def test_wrong_environment(self):
        self.refused(says="in WARPSAN_OPTIONS: option 'cache_mb' takes",
                     env=environment(WARPSAN_OPTIONS="cache_mb=x"))

    def test_no_program(self):
        for words in ((), ("--",), ("--verbosity=1",)):
            result = self.warpsan_run(*words)
            self.assertEqual(result.returncode, 64)
            self.assertIn("no program is given", result.stderr)

    def test_summary_file_that_cannot_be_written(self):
        marker = self.path("started")
        result = self.warpsan_run("--summary_file=/nowhere/s.json", "--", "touch", marker)
        self.assertEqual(result.returncode, 125)
        self.assertIn("/nowhere/s.json: No such file or directory", result.stderr)
        self.assertFalse(os.path.exists(marker))


class Spellings(WithoutLayer):
    def test_a_value_may_be_the_next_word(self):
        self.assertEqual(self.warpsan_run("--exit_code_coverage", "9", "--require_coverage", "1", "true").returncode, 9)
        self.assertEqual(self.warpsan_run("--require_coverage", "0", "--", "true").returncode, 0)

    def test_a_bool_without_a_value_is_1(self):
        self.assertEqual(self.warpsan_run("--require_coverage", "/bin/true").returncode, 67)
        self.assertEqual(self.warpsan_run("--require_coverage", "--", "true").returncode, 67)
        # Its value, or a program?
        result = self.warpsan_run("--require_coverage", "true", "/bin/true")
        self.assertEqual(result.returncode, 64)
        self.assertIn("option 'require_coverage' takes 0 or 1, not 'true'", result.stderr)

    def test_every_command_can_be_verbose(self):
        self.assertEqual(self.warpsan_run("--verbose", "true").returncode, 0)
        for command in ("explain", "report"):
            result = self.run_command(WARPSAN, command, "--verbose")
            self.assertEqual(result.returncode, 64)
            self.assertRegex(result.stderr, "no file (was|is) given")


class WrongPrograms(WithoutLayer):
    def test_not_found(self):
        for name in ("no-such-program-here", "./nor/here"):
            result = self.warpsan_run(name)
            self.assertEqual(result.returncode, 127)
            self.assertIn(f"there is no program '{name}'", result.stderr)
            self.assertNotIn("WarpSan:", result.stderr)

    def test_not_executable(self):
        file = self.path("data")
        open(file, "w").close()
        for name in (file, self.folder):
            result = self.warpsan_run(name)
            self.assertEqual(result.returncode, 126)
            self.assertIn("Permission denied", result.stderr)

    def test_missing_interpreter(self):
        file = self.path("script")
        with open(file, "w") as text:
            text.write("#!/no/such/interpreter\n")
        os.chmod(file, 0o755)
        result = self.warpsan_run(file)
        self.assertEqual(result.returncode, 126)
        self.assertIn("interpreter", result.stderr)


class WrongInstallation(WithoutLayer):
    def test_no_layer(self):
        warpsan = self.install("bare", layer=None)
        result = self.run_command(warpsan, "run", "true")
        self.assertEqual(result.returncode, 125)
        self.assertIn("the layer was not found; looked for", result.stderr)

    def test_colon_in_the_path(self):
        warpsan = self.install("a:b")
        result = self.run_command(warpsan, "run", "true")
        self.assertEqual(result.returncode, 125)
        self.assertIn("cut OPENCL_LAYERS at ':'", result.stderr)

    def test_no_room_for_status_files(self):
        result = self.warpsan_run("true", env=environment(TMPDIR="/nowhere"))
        self.assertEqual(result.returncode, 125)
        self.assertIn("set TMPDIR", result.stderr)


class NothingLoaded(WithoutLayer):
    def test_it_is_said_with_the_likely_causes(self):
        result = self.warpsan_run("true")
        self.assertEqual(result.returncode, 0)
        self.assertIn("WarpSan: nothing was checked: the program did not load the layer.",
                      result.stderr)
        self.assertIn("set-user-ID", result.stderr)

    def test_require_coverage_makes_it_an_error(self):
        result = self.warpsan_run("--require_coverage=1", "true")
        self.assertEqual(result.returncode, 67)
        self.assertIn("the program did not load the layer; exit code 67", result.stderr)
        result = self.warpsan_run("--require_coverage=1", "--exit_code_coverage=9", "true")
        self.assertEqual(result.returncode, 9)

    def test_a_failing_program_keeps_its_own_code(self):
        result = self.warpsan_run("--require_coverage=1", "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3)

    def test_verbosity_0_is_silent(self):
        result = self.warpsan_run("--verbosity=0", "true")
        self.assertEqual(result.stderr, "")

    def test_no_color_without_a_terminal(self):
        self.assertNotIn("\033", self.warpsan_run("true").stderr)

    def test_process_id_in_the_name_of_the_summary_file(self):
        result = self.warpsan_run("--summary_file=" + self.path("s-%p.json"), "--",
                                  "sh", "-c", "echo $PPID")
        self.assertTrue(os.path.exists(self.path(f"s-{result.stdout.strip()}.json")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
