#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the process that compiles is kept from, on this machine, and how doctor
tells it."""

import ctypes
import os
import struct
import subprocess
import unittest

from place import APP, COMPILER, WARPSAN, WithLayer

ATTEMPTS = ("read a file elsewhere", "list a directory elsewhere", "make a file", "change a file", "use the network",
            "speak to other processes", "start a process", "become another program", "signal another process",
            "trace another process", "make new code", "make memory code", "raise its limits", "mount",
            "change its user", "set up a ring of commands")


def without_sandbox():
    """A filter under which this process is as on a kernel without seccomp and
    Landlock: prctl(PR_SET_SECCOMP) and landlock_create_ruleset fail."""
    def code(op, k, true=0, false=0):
        return struct.pack("HBBI", op, true, false, k)

    load, equal, answer = 0x20, 0x15, 0x06
    program = b"".join((
        code(load, 0),  # the call's number
        code(equal, 444, 4, 0),  # landlock_create_ruleset
        code(equal, 157, 0, 2),  # prctl
        code(load, 16),  # its first argument
        code(equal, 22, 1, 0),  # PR_SET_SECCOMP
        code(answer, 0x7FFF0000),
        code(answer, 0x00050000 | 38),  # ENOSYS
    ))
    buffer = ctypes.create_string_buffer(program)
    filters = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.create_string_buffer(filters), 0, 0):
        raise OSError(ctypes.get_errno(), "no filter")


class Sandbox(WithLayer):
    def test_each_attempt_is_refused(self):
        done = subprocess.run([COMPILER, "--test-sandbox"], capture_output=True, text=True, timeout=60)
        said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        for attempt in ATTEMPTS:
            self.assertEqual(said.pop(attempt), "refused", attempt)
        self.assertEqual(sorted(said), ["files", "system calls"])
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_doctor_says_so(self):
        done = self.run_command(WARPSAN, "doctor", env=self.env)
        self.assertIn("sandbox: works; every forbidden operation is refused", done.stdout)

    def test_doctor_says_when_it_is_not(self):
        compiler = self.path("compiler")
        with open(compiler, "w") as file:
            file.write(f'#!/bin/sh\n[ "$1" = --test-sandbox ] && {{ echo "mount: POSSIBLE"; exit 1; }}\nexec {COMPILER} "$@"\n')
        os.chmod(compiler, 0o755)
        done = self.run_command(WARPSAN, "doctor", env={**self.env, "WARPSAN_OPTIONS": "compiler=" + compiler})
        self.assertIn("sandbox: INCOMPLETE: mount: POSSIBLE", done.stdout)

    def test_a_kernel_without_them_is_told_and_compiled_on(self):
        done = subprocess.run([COMPILER, "--test-sandbox"], capture_output=True, text=True, timeout=60,
                              preexec_fn=without_sandbox)
        self.assertEqual(done.returncode, 1)
        self.assertIn("system calls: ALL", done.stdout)
        self.assertIn("files: ALL", done.stdout)
        for attempt in ("read a file elsewhere", "use the network", "start a process", "become another program",
                        "make new code"):
            self.assertIn(attempt + ": POSSIBLE", done.stdout)
        done = self.warpsan_run(APP, "beyond", "1", preexec_fn=without_sandbox)
        self.assertEqual(done.returncode, 66, done.stderr)


if __name__ == "__main__":
    unittest.main()
