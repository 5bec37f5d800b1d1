# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`warpsan doctor` says what works and what does not, on PoCL."""

import os
import unittest

from command import WARPSAN, WithLayer, WithoutLayer, environment


class Working(WithLayer):
    def doctor(self, **changes):
        return self.run_command(WARPSAN, "doctor", env=dict(self.env, **changes), timeout=280)

    def test_machine_on_which_everything_works(self):
        result = self.doctor()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for text in ("OpenCL loader", "libOpenCL.so.1", "Portable Computing Language",
                     "SPIR-V_1.", "warpsan-clc", "does not exist yet; the first run creates it",
                     "none in WARPSAN_OPTIONS",
                     "passed: 3 kernels ran as twins, results are right, and the error in one of them was found",
                     "WarpSan works on 1 of 1 device."):
            self.assertIn(text, result.stdout)
        self.assertEqual(result.stderr, "")

    def test_state_of_the_cache(self):
        os.makedirs(self.path("cache", "warpsan"))
        with open(self.path("cache", "warpsan", "entry"), "wb") as file:
            file.write(bytes(3 << 20))
        self.assertIn("warpsan: writable, 1 files, 3.0 of 1024 MiB", self.doctor().stdout)

    def test_cache_that_cannot_be_created_is_an_error(self):
        file = self.path("file")
        open(file, "w").close()
        result = self.doctor(WARPSAN_OPTIONS=f"cache_dir={file}/cache")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/file/cache: ERROR: cannot be created: Not a directory (errno 20)", result.stdout)

    def test_wrong_options_are_told(self):
        result = self.doctor(WARPSAN_OPTIONS="launch=both")
        self.assertIn("wrong: option 'launch' takes twin or native", result.stdout)

    def test_launch_native_does_not_fool_it(self):
        self.assertEqual(self.doctor(WARPSAN_OPTIONS="launch=native").returncode, 0)

    def test_compiler_that_cannot_be_run(self):
        result = self.doctor(WARPSAN_OPTIONS="compiler=/nowhere/clc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the option compiler names /nowhere/clc, which cannot be run", result.stdout)
        self.assertIn("not run: there is no compiler", result.stdout)

    def test_compiler_that_fails(self):
        result = self.doctor(WARPSAN_OPTIONS="compiler=/bin/false")
        self.assertEqual(result.returncode, 1)
        self.assertIn("exited with code 1", result.stdout)


class Broken(WithoutLayer):
    def test_no_driver(self):
        result = self.run_command(self.warpsan, "doctor", env=environment(OCL_ICD_VENDORS="/nowhere"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("it finds no driver: OCL_ICD_VENDORS=/nowhere has no .icd file; unset it or name a driver's file\n",
                      result.stdout)
        self.assertIn("WarpSan works on 0 of 0 devices.", result.stdout)

    def test_driver_whose_library_is_missing_is_named(self):
        os.makedirs(self.path("vendors"))
        with open(self.path("vendors", "gone.icd"), "w") as text:
            text.write("/nowhere/libgone.so\n")
        result = self.run_command(self.warpsan, "doctor", env=environment(OCL_ICD_VENDORS=self.path("vendors")))
        self.assertRegex(result.stdout, r"driver not loaded: .*/gone.icd \(/nowhere/libgone.so\): .*No such file")
        self.assertIn(f"it finds no driver in OCL_ICD_VENDORS={self.path('vendors')}\n", result.stdout)

    def test_driver_that_crashes(self):
        # A driver in name only: a library whose start-up kills the process.
        source = self.path("crash.c")
        with open(source, "w") as text:
            text.write("#include <signal.h>\n"
                       "__attribute__((constructor)) static void f(void) { raise(SIGSEGV); }\n")
        library = self.path("libcrash.so")
        built = self.run_command("clang-19", "-shared", "-fPIC", "-o", library, source)
        self.assertEqual(built.returncode, 0, built.stderr)
        os.makedirs(self.path("vendors"))
        with open(self.path("vendors", "crash.icd"), "w") as text:
            text.write(library + "\n")
        result = self.run_command(self.warpsan, "doctor",
                                  env=environment(OCL_ICD_VENDORS=self.path("vendors")))
        self.assertEqual(result.returncode, 1)
        self.assertIn("was killed by signal 11 (Segmentation fault)", result.stdout)

    def test_no_layer(self):
        warpsan = self.install("bare", layer=None)
        result = self.run_command(warpsan, "doctor")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the layer was not found", result.stdout)

    def test_words_after_it_are_refused(self):
        for words, wrong in (["now"], "now"), (["--verbos"], "--verbos"), (["--verbose", "-x"], "-x"):
            result = self.run_command(self.warpsan, "doctor", *words)
            self.assertEqual(result.returncode, 64)
            self.assertTrue(result.stderr.startswith(f"warpsan: '{wrong}' is not an option of warpsan doctor.\nusage: "),
                            result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
