# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed tree works wherever it is moved to, by itself."""

import os
import unittest

from installed import BUILD, PRIVATE, SAXPY, Installed, run

LAYER = os.path.join(PRIVATE, "libwarpsan_layer.so")
COMPILER = os.path.join(PRIVATE, "warpsan-clc")


class Tree(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # A space, since prefixes have them; the first place is gone.
        cls.moved = os.path.join(cls.folder, "moved to", "another place")
        os.makedirs(os.path.dirname(cls.moved))
        os.rename(cls.prefix, cls.moved)
        cls.warpsan = os.path.join(cls.moved, "bin", "warpsan")
        cls.env = {
            "PATH": "/usr/bin:/bin",
            "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd",
            "XDG_CACHE_HOME": os.path.join(cls.folder, "cache"),
        }

    def test_what_is_there(self):
        found = sorted(
            os.path.relpath(os.path.join(folder, name), self.moved)
            for folder, _, names in os.walk(self.moved) for name in names)
        for name in ("bin/warpsan", LAYER, COMPILER,
                     "share/man/man1/warpsan.1.gz", "share/man/man1/warpsan-run.1.gz",
                     "share/bash-completion/completions/warpsan",
                     "share/zsh/site-functions/_warpsan",
                     "share/fish/vendor_completions.d/warpsan.fish",
                     "share/doc/warpsan/README.md", "share/doc/warpsan/copyright",
                     "share/doc/warpsan/docs/reference/options.md",
                     "share/doc/warpsan/examples/saxpy.c"):
            self.assertIn(name, found)
        # Nothing for tests, benchmarks or building, and nothing astray.
        for name in found:
            self.assertRegex(name, rf"^(bin/warpsan$|{PRIVATE}/|share/|include/warpsan\.h$)")

    def test_programs_say_nothing_of_where_they_were_built(self):
        for name in ("bin/warpsan", LAYER, COMPILER):
            result = run("readelf", "-d", os.path.join(self.moved, name))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertNotRegex(result.stdout, "R(UN)?PATH")
            with open(os.path.join(self.moved, name), "rb") as file:
                self.assertNotIn(BUILD.encode() + b"/", file.read(), name)

    def test_layer_needs_the_run_time_libraries_only(self):
        result = run("readelf", "-d", os.path.join(self.moved, LAYER))
        needed = {line.split("[")[1].rstrip("]\n") for line in result.stdout.splitlines() if "(NEEDED)" in line}
        self.assertLessEqual(needed, {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6",
                                      "ld-linux-x86-64.so.2"})

    def test_doctor_passes(self):
        result = run(self.warpsan, "doctor", env=self.env, timeout=280)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(os.path.join(self.moved, LAYER), result.stdout)
        self.assertIn(os.path.join(self.moved, COMPILER), result.stdout)

    def test_mistake_is_found(self):
        result = run(self.warpsan, "run", SAXPY, env=self.env)
        self.assertEqual(result.returncode, 66, result.stdout + result.stderr)
        self.assertIn("kernel saxpy at", result.stderr)
        self.assertIn("out-of-bounds write, just past the end of 'y'", result.stderr)

    def test_layer_alone_finds_its_compiler(self):
        layer = os.path.join(self.moved, LAYER)
        result = run(SAXPY, env=dict(self.env, OPENCL_LAYERS=layer))
        self.assertIn("kernel saxpy at", result.stderr)

    def test_link_to_the_command(self):
        link = os.path.join(self.folder, "link")
        os.symlink(self.warpsan, link)
        self.assertEqual(run(link, "run", SAXPY, env=self.env).returncode, 66)


if __name__ == "__main__":
    unittest.main(verbosity=2)
