#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that has rights which its caller has not, because its file is
set-user-ID: whoever calls it chose the layer and its options, so the layer does
nothing at all. The same program without the bit shows that the test would see
it."""

import os
import shutil
import subprocess
import unittest

from place import APP, LAYER, NOBODY, Place, all_below, environment, needs_root


@needs_root
class SetUserId(Place):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        self.program = self.path("program")
        shutil.copy(APP, self.program)
        for name in ("run", "home", "pocl"):
            os.mkdir(self.path(name))
            os.chown(self.path(name), NOBODY, NOBODY)

    def call(self, mode, *words, layer=LAYER):
        """What nobody gets when he calls the program."""
        os.chmod(self.program, mode)
        env = environment(
            OCL_ICD_VENDORS="/etc/OpenCL/vendors/pocl.icd",
            OPENCL_LAYERS=layer,
            WARPSAN_RUN_DIR=self.path("run"),
            WARPSAN_OPTIONS="findings_file=" + self.path("home", "findings.jsonl").replace(":", "\\:"),
            HOME=self.path("home"),
            XDG_CACHE_HOME=self.path("home", "cache"),
            POCL_CACHE_DIR=self.path("pocl"),
        )
        return subprocess.run(
            ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", self.program, *words],
            env=env, capture_output=True, text=True, timeout=120, cwd=self.path("home"))

    def ours(self):
        """Files that the layer made, and nobody else would."""
        made = [os.path.relpath(path, self.folder) for path in all_below(self.folder)]
        return [path for path in made if path.startswith(("run/", "home/"))]

    def test_the_layer_does_nothing(self):
        done = self.call(0o4755, "context")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # PoCL 6.0 does not build programs there: as without a layer.
        done, bare = self.call(0o4755, "beyond", "1"), self.call(0o4755, "beyond", "1", layer="")
        self.assertEqual((done.returncode, done.stderr), (bare.returncode, bare.stderr))
        self.assertEqual(self.ours(), [])
        self.assertNotIn("WarpSan", done.stderr)

    def test_it_would_have_been_seen(self):
        done = self.call(0o755, "beyond", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("WarpSan: out-of-bounds", done.stderr)
        made = self.ours()
        for part in (".status", "findings.jsonl", "cache/warpsan/"):
            self.assertTrue(any(part in path for path in made), made)


if __name__ == "__main__":
    unittest.main()
