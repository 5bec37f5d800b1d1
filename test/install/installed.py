# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tree as `cmake --install` makes it, in a folder of the test's own."""

import os
import shutil
import subprocess
import sysconfig
import tempfile
import unittest

BUILD = os.environ["WARPSAN_TEST_BUILD"]
CMAKE = os.environ["WARPSAN_TEST_CMAKE"]
SAXPY = os.environ["WARPSAN_TEST_SAXPY"]
# Where the layer and its compiler are, below a prefix.
PRIVATE = os.path.join("lib", sysconfig.get_config_var("MULTIARCH") or "", "warpsan")


def run(*words, **more):
    more.setdefault("timeout", 120)
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


class Installed(unittest.TestCase):
    """The tree is made once for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="warpsan-install-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.prefix = os.path.join(cls.folder, "first")
        # Stripped: the debug information is ten times the rest.
        result = run(CMAKE, "--install", BUILD, "--prefix", cls.prefix, "--strip")
        assert result.returncode == 0, result.stderr
