# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the command share: how it is run, and a place of its own."""

import os
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ["WARPSAN_TEST_BUILD"]
WARPSAN = os.path.join(BUILD, "bin", "warpsan")
APP = os.environ["WARPSAN_TEST_APP"]


def environment(**changes):
    """The caller's environment without WarpSan's variables, then `changes`."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("WARPSAN_") and name != "OPENCL_LAYERS"
    }
    env.update(changes)
    return env


class Place(unittest.TestCase):
    """A test with a folder of its own, removed afterwards."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="warpsan-command-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_command(self, warpsan, *words, env=None, **more):
        more.setdefault("timeout", 120)
        more.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(
            [warpsan, *words],
            env=env or environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **more,
        )


class WithoutLayer(Place):
    """The command beside an empty file for a layer: loaders ignore it, so only
    the command's own behavior is seen."""

    def setUp(self):
        super().setUp()
        self.warpsan = self.install("prefix")

    def install(self, *names, layer="lib/libwarpsan_layer.so"):
        prefix = self.path(*names)
        os.makedirs(os.path.join(prefix, "bin"))
        shutil.copy(WARPSAN, os.path.join(prefix, "bin"))
        if layer:
            os.makedirs(os.path.dirname(os.path.join(prefix, layer)), exist_ok=True)
            open(os.path.join(prefix, layer), "w").close()
        return os.path.join(prefix, "bin", "warpsan")

    def warpsan_run(self, *words, **more):
        return self.run_command(self.warpsan, "run", *words, **more)


class WithLayer(Place):
    """The build's own layer and compiler on PoCL, with a fresh cache."""

    def setUp(self):
        super().setUp()
        self.env = environment(
            OCL_ICD_VENDORS="/etc/OpenCL/vendors/pocl.icd",
            XDG_CACHE_HOME=self.path("cache"),
        )

    def warpsan_run(self, *words, **more):
        return self.run_command(WARPSAN, "run", *words, env=self.env, **more)
