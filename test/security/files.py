#!/usr/bin/env python3
# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that WarpSan writes are their owner's, and nobody else's files are
read or changed in their place."""

import glob
import json
import os
import subprocess
import time
import unittest

from place import APP, NOBODY, WARPSAN, WithLayer, all_below, mode_of, needs_root

NOT_USED = "is not used"


class Cache(WithLayer):
    def setUp(self):
        super().setUp()
        self.cache = self.path("cache", "warpsan")

    def run_app(self, *options, umask=0, hits=None):
        """A run with a summary; fails unless the program did what it does bare."""
        before = os.umask(umask)
        try:
            done = self.warpsan_run("--checks=all", "--summary_file=" + self.path("summary.json"), *options, APP, "add", "1")
        finally:
            os.umask(before)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("summary.json")) as file:
            self.summary = json.load(file)
        self.assertEqual(self.summary["launches"]["twin"], 1, done.stderr)
        if hits is not None:
            self.assertEqual(self.summary["programs"]["cache_hits"] > 0, hits, done.stderr)
        return done

    def entries(self):
        return glob.glob(os.path.join(self.cache, "*", "*.product"))

    def test_it_is_made_for_its_owner_whatever_the_umask(self):
        self.run_app(hits=False)
        self.assertTrue(self.entries())
        for path in (self.path("cache"), self.cache, *all_below(self.cache)):
            self.assertEqual(mode_of(path) & 0o077, 0, path)
        self.assertFalse([path for path in all_below(self.cache) if path.endswith(".part")])
        self.assertNotIn(NOT_USED, self.run_app(hits=True).stderr)

    def test_one_that_others_may_write_to_is_not_used(self):
        for mode in (0o770, 0o707, 0o777):
            os.makedirs(self.cache, exist_ok=True)
            os.chmod(self.cache, mode)
            done = self.run_app(hits=False)
            self.assertIn(NOT_USED + ": others may write to it", done.stderr)
            self.assertEqual(list(all_below(self.cache)), [])

    def test_one_that_others_may_read_is(self):
        os.makedirs(self.cache)
        os.chmod(self.cache, 0o755)
        self.assertNotIn(NOT_USED, self.run_app(hits=False).stderr)
        self.run_app(hits=True)

    def test_a_symbolic_link_is_not_followed(self):
        os.makedirs(self.path("cache"))
        os.makedirs(self.path("target"), 0o700)
        os.symlink(self.path("target"), self.cache)
        self.assertIn(NOT_USED + ": it is a symbolic link", self.run_app(hits=False).stderr)
        self.assertEqual(os.listdir(self.path("target")), [])

    @needs_root
    def test_one_of_another_user_is_not_used(self):
        os.makedirs(self.cache, 0o700)
        os.chown(self.cache, NOBODY, NOBODY)
        self.assertIn(NOT_USED + ": it belongs to another user", self.run_app(hits=False).stderr)
        self.assertEqual(list(all_below(self.cache)), [])

    @needs_root
    def test_an_entry_of_another_user_is_none(self):
        self.run_app(hits=False)
        self.run_app(hits=True)
        for path in self.entries():
            os.chown(path, NOBODY, NOBODY)
        self.run_app(hits=False)

    def test_planted_links_and_pipes_are_not_followed(self):
        self.run_app(hits=False)
        entry = self.entries()[0]
        os.rename(entry, self.path("real"))  # right in every byte
        before = os.stat(self.path("real"))
        os.symlink(self.path("real"), entry)
        self.run_app(hits=False)
        self.assertFalse(os.path.islink(entry))  # replaced, not written through
        after = os.stat(self.path("real"))
        self.assertEqual((before.st_size, before.st_mtime_ns), (after.st_size, after.st_mtime_ns))
        os.remove(entry)
        os.mkfifo(entry)
        start = time.monotonic()
        self.run_app(hits=False)
        self.assertLess(time.monotonic() - start, 60)


class Reports(WithLayer):
    def beyond(self, *options, umask=0, **more):
        before = os.umask(umask)
        try:
            done = self.warpsan_run(*options, APP, "beyond", "1", **more)
        finally:
            os.umask(before)
        self.assertEqual(done.returncode, 66, done.stderr)
        return done

    def test_their_rights_are_what_the_umask_leaves(self):
        for umask in (0o022, 0o027, 0o077):
            self.beyond("--findings_file=" + self.path("f.jsonl"), "--summary_file=" + self.path("s.json"),
                        "--log_path=" + self.path("log"),
                        f"--report={self.path('r.html')},{self.path('r.sarif')}", umask=umask)
            for name in ("f.jsonl", "s.json", "log", "r.html", "r.sarif"):
                self.assertEqual(mode_of(self.path(name)), 0o666 & ~umask, name)
                self.assertGreater(os.path.getsize(self.path(name)), 0)
                os.remove(self.path(name))
        self.assertEqual(sorted(os.listdir(self.folder)), ["cache"])

    def test_a_file_that_is_replaced_hands_its_rights_on(self):
        for name in ("s.json", "f.jsonl"):
            with open(self.path(name), "w") as file:
                file.write("old\n")
            os.chmod(self.path(name), 0o644)
        self.beyond("--findings_file=" + self.path("f.jsonl"), "--summary_file=" + self.path("s.json"))
        self.assertEqual(mode_of(self.path("s.json")), 0o644)
        with open(self.path("s.json")) as file:
            json.load(file)
        with open(self.path("f.jsonl")) as file:  # findings are appended
            self.assertEqual(next(file), "old\n")

    def test_links_that_the_user_names_are_followed(self):
        for name in ("f.jsonl", "s.json"):
            open(self.path("real-" + name), "w").close()
            os.symlink(self.path("real-" + name), self.path(name))
        self.beyond("--findings_file=" + self.path("f.jsonl"), "--summary_file=" + self.path("s.json"))
        for name in ("f.jsonl", "s.json"):
            self.assertTrue(os.path.islink(self.path(name)))
            self.assertGreater(os.path.getsize(self.path("real-" + name)), 0)

    def test_a_link_in_the_place_of_the_part_is_not_followed(self):
        # Its name has the process id of warpsan run in it: the shell's own.
        open(self.path("victim"), "w").close()
        script = f'ln -s {self.path("victim")} {self.path("s.json")}.$$.part; exec "$@"'
        done = subprocess.run(["/bin/sh", "-c", script, "sh", WARPSAN, "run", "--summary_file=" + self.path("s.json"),
                               APP, "add", "1"], env=self.env, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.path.getsize(self.path("victim")), 0)
        with open(self.path("s.json")) as file:
            json.load(file)

    def test_a_pipe_that_nobody_reads_does_not_stop_the_program(self):
        os.mkfifo(self.path("pipe"))
        done = self.beyond("--findings_file=" + self.path("pipe"))
        self.assertIn("cannot write findings_file", done.stderr)

    def test_a_pipe_that_is_read_gets_them(self):
        os.mkfifo(self.path("pipe"))
        with subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE, text=True) as reader:
            self.beyond("--findings_file=" + self.path("pipe"))
            self.assertEqual(json.loads(reader.communicate(timeout=60)[0].splitlines()[0])["type"], "finding")

    def test_standard_error_is_a_file_too(self):
        self.assertIn('"type":"finding"', self.beyond("--findings_file=/dev/stderr").stderr.replace(" ", ""))


class RunFolder(WithLayer):
    def test_it_and_what_is_in_it_is_private(self):
        os.makedirs(self.path("tmp"))
        self.env["TMPDIR"] = self.path("tmp")
        script = f'ls -lnR {self.path("tmp")}; {APP} add 1; ls -lnR {self.path("tmp")}'
        before = os.umask(0)
        try:
            # The first program leaves its status; the second listing has it.
            done = self.warpsan_run("/bin/sh", "-c", script)
        finally:
            os.umask(before)
        self.assertEqual(done.returncode, 0, done.stderr)
        rights = [line for line in done.stdout.splitlines() if line[:1] in "d-" and len(line.split()) == 9]
        self.assertTrue(any(line.endswith(".status") for line in rights), done.stdout)
        for line in rights:
            self.assertEqual(line[4:10], "------", line)
        self.assertEqual(os.listdir(self.path("tmp")), [])


if __name__ == "__main__":
    unittest.main()
