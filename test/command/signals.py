# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signals and job control reach a program under `warpsan run`, once each."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
import unittest

from command import WithoutLayer, environment

# Counts a signal until it has been quiet for a while; the count is its exit
# code, or 50 if none came.
COUNTER = """
import signal, sys, time
count = 0
def on(number, frame):
    global count
    count += 1
signal.signal(getattr(signal, sys.argv[1]), on)
print("ready", flush=True)
for _ in range(200):
    before = count
    time.sleep(0.05)
    if count: break
time.sleep(0.3)
sys.exit(count or 50)
"""

# A shell's part: runs its arguments as the terminal's foreground job, says when
# the job stops, continues it, and exits with the job's code.
JOB_SHELL = """
import os, signal, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        break
    os.write(1, b"stopped by %d\\n" % os.WSTOPSIG(status))
    os.killpg(job, signal.SIGCONT)
os.write(1, b"ended with %d\\n" % os.waitstatus_to_exitcode(status))
"""


class SentToTheCommand(WithoutLayer):
    def start(self, name):
        process = subprocess.Popen(
            [self.warpsan, "run", "--verbosity=0", "--", sys.executable, "-c", COUNTER, name],
            stdout=subprocess.PIPE, env=environment(),
        )
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def test_each_is_passed_on_once(self):
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"):
            process = self.start(name)
            process.send_signal(getattr(signal, name))
            self.assertEqual(process.wait(30), 1, name)

    def test_default_action_ends_both(self):
        process = self.start("SIGUSR1")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), -signal.SIGTERM)

    def test_signal_of_the_program_to_its_group_does_not_come_back(self):
        script = COUNTER.replace('print("ready", flush=True)', "import os; os.kill(0, signal.SIGUSR1)")
        result = self.warpsan_run("--verbosity=0", sys.executable, "-c", script, "SIGUSR1",
                                  start_new_session=True)
        self.assertEqual(result.returncode, 1)

    def test_stopped_program_is_continued(self):
        process = self.start("SIGUSR1")
        process.send_signal(signal.SIGTSTP)
        time.sleep(0.3)
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(30), 1)


class FromTheTerminal(WithoutLayer):
    def start(self, *words):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.execve(sys.executable, [sys.executable, "-c", JOB_SHELL, *words], environment())
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(os.waitpid, pid, 0)
        self.seen = b""

    def read_until(self, text):
        deadline = time.monotonic() + 30
        while text not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], deadline - time.monotonic())
            self.assertTrue(ready, f"no {text!r} in {self.seen!r}")
            try:
                self.seen += os.read(self.terminal, 4096)
            except OSError:  # the last process has gone
                self.fail(f"no {text!r} in {self.seen!r}")

    def test_interrupt_arrives_once(self):
        self.start(self.warpsan, "run", "--verbosity=0", "--", sys.executable, "-c", COUNTER, "SIGINT")
        self.read_until(b"ready")
        os.write(self.terminal, b"\x03")
        self.read_until(b"ended with 1\r")

    def test_interrupt_that_ends_the_program(self):
        self.start(self.warpsan, "run", "--", "sh", "-c", "echo ready; exec sleep 60")
        self.read_until(b"ready")
        os.write(self.terminal, b"\x03")
        self.read_until(b"ended with -2\r")
        # A terminal gets color, and the summary comes all the same.
        self.assertIn(b"\033[1;33mWarpSan:\033[0m nothing was checked", self.seen)

    def test_suspended_and_continued(self):
        self.start(self.warpsan, "run", "--verbosity=0", "--", "sh", "-c",
                   "echo ready; read line; echo got $line; exit 7")
        self.read_until(b"ready")
        os.write(self.terminal, b"\x1a")
        self.read_until(b"stopped by")
        os.write(self.terminal, b"word\n")
        self.read_until(b"got word")
        self.read_until(b"ended with 7\r")


if __name__ == "__main__":
    unittest.main(verbosity=2)
