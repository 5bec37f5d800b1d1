# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One life cycle, bare and under WarpSan, and what is wrong with the second."""

import dataclasses
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "apps"))

from drivers import DRIVERS  # noqa: E402
from sides import Run, summary_of, text_of  # noqa: E402

KHRONOS = "/opt/intel/lib/libOpenCL.so.1"  # comes with Intel's runtime, whose libraries it needs
BARE_TRIES = 6  # runs in which a driver may show what else it does
GRACE = 5  # seconds for what a process leaves to go away


@dataclasses.dataclass(frozen=True)
class Cycle:
    program: str  # of the build's test/robustness, without "lifecycle_"
    words: tuple
    driver: str  # of DRIVERS, or "all"
    loader: str = "ocl-icd"
    layers: str = ""  # of a shell: $WARPSAN and $PASS are the two layers
    options: tuple = ()  # of `warpsan run`
    grace: float = GRACE
    limit: float = 120  # seconds, bare
    quick: bool = False
    alone: bool = False  # takes both processors

    def name(self):
        extra = [part for part in (self.loader.replace("ocl-icd", ""), self.layers, *self.options) if part]
        return " ".join([self.program, *self.words, *extra, "on", self.driver])


@dataclasses.dataclass
class Outcome:
    exit_code: int
    timed_out: bool
    seconds: float
    stdout: str
    stderr: str
    summary: dict | None
    left: list  # what it left behind, a sentence each
    passed: int = 0  # calls that the other layer has seen

    ending = Run.ending

    def seen(self):
        """What a user of the program sees."""
        return self.ending(), self.stdout


def processes_of(inode):
    """Numbers of the processes that run this file."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                status = os.stat(f"/proc/{name}/exe")
            except OSError:
                continue
            if (status.st_dev, status.st_ino) == inode:
                found.append(int(name))
    return found


class Place:
    """A folder in which one cycle after the other runs; drivers and WarpSan keep
    their caches there. Its compiler is a copy, so that its processes can be told
    from everybody else's."""

    def __init__(self, folder, build):
        self.folder = folder
        self.build = build
        self.compiler = os.path.join(folder, "warpsan-clc")
        os.makedirs(folder)
        shutil.copy2(os.path.join(build, "bin/warpsan-clc"), self.compiler)
        status = os.stat(self.compiler)
        self.inode = status.st_dev, status.st_ino
        self.vendors = os.path.join(folder, "all")
        os.mkdir(self.vendors)
        for driver in DRIVERS.values():
            if os.path.exists(driver.icd):
                shutil.copy(driver.icd, self.vendors)
                os.makedirs(os.path.join(folder, "vendors", driver.name))
                shutil.copy(driver.icd, os.path.join(folder, "vendors", driver.name))

    def environment(self, cycle, temporary):
        cache = os.path.join(self.folder, "cache")
        if cycle.driver == "all":
            drivers = {"OCL_ICD_VENDORS": self.vendors, **DRIVERS["rusticl"].settings}
        else:
            drivers = DRIVERS[cycle.driver].environment()
        if cycle.loader == "khronos":
            drivers["LD_LIBRARY_PATH"] = os.path.dirname(KHRONOS)
            if cycle.driver != "all":
                drivers["OCL_ICD_VENDORS"] = os.path.join(self.folder, "vendors", cycle.driver)
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": self.folder, "TMPDIR": temporary,
                "XDG_CACHE_HOME": cache, "POCL_CACHE_DIR": os.path.join(cache, "pocl"),
                "WARPSAN_LIVES_PASSED": temporary + "-passed", **drivers}

    def command(self, cycle, under):
        words = [os.path.join(self.build, "test/robustness/lifecycle_" + cycle.program), *cycle.words]
        if cycle.layers:
            layers = cycle.layers if under else ":".join(part for part in cycle.layers.split(":") if part != "$WARPSAN")
            passing = os.path.join(self.build, "test/robustness/liblifecycle_pass.so")
            words = ["/bin/sh", "-c", f'WARPSAN=$OPENCL_LAYERS PASS={passing}; export OPENCL_LAYERS="{layers}"; '
                                      f"exec {shlex.join(words)}"]
        if under:
            words = [os.path.join(self.build, "bin/warpsan"), "run", "--exit_code=0", f"--compiler={self.compiler}",
                     f"--summary_file={os.path.join(self.folder, 'summary.json')}", *cycle.options, "--", *words]
        return words

    def run(self, cycle, under, timeout):
        """Runs it once."""
        temporary = os.path.join(self.folder, "temporary")
        summary = os.path.join(self.folder, "summary.json")
        shutil.rmtree(temporary, ignore_errors=True)
        for path in summary, temporary + "-passed":
            if os.path.exists(path):
                os.remove(path)
        os.mkdir(temporary)
        files = [os.path.join(self.folder, name) for name in ("stdout", "stderr")]
        start = time.monotonic()
        with open(files[0], "wb") as out, open(files[1], "wb") as err:
            process = subprocess.Popen(self.command(cycle, under), env=self.environment(cycle, temporary),
                                       cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True)
            try:
                process.wait(timeout)
                timed_out = False
            except subprocess.TimeoutExpired:
                timed_out = True
            seconds = time.monotonic() - start
            left = self.leftovers(temporary, cycle.grace) if under and not timed_out else []
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        for number in processes_of(self.inode):
            os.kill(number, signal.SIGKILL)
        passed = text_of(temporary + "-passed") if os.path.exists(temporary + "-passed") else ""
        return Outcome(process.returncode, timed_out, seconds, *map(text_of, files), summary_of(summary), left,
                       sum(map(int, passed.split())))

    def leftovers(self, temporary, grace):
        """What is still there of WarpSan's when it has had time to go."""
        deadline = time.monotonic() + grace
        while processes_of(self.inode) and time.monotonic() < deadline:
            time.sleep(0.02)
        left = [f"process {number}, warpsan-clc, is still there" for number in processes_of(self.inode)]
        left += [f"{name} is left in TMPDIR" for name in os.listdir(temporary) if "warpsan" in name.lower()]
        cache = os.path.join(self.folder, "cache", "warpsan")
        left += [f"{os.path.join(folder, name)} is left in the cache" for folder, _, names in os.walk(cache)
                 for name in names if re.search(r"\.tmp|\.part|~$|new-", name)]
        return left


def told(summary):
    """{kernel: launches that went wrong}"""
    found = {}
    for finding in summary["findings"]:
        found[finding["kernel"]] = found.get(finding["kernel"], 0) + finding["launches"]
    return found


def wrong_findings(outcome):
    """Whether what the program says it did wrong has been told, no less and no
    more. What nobody had read when the process was ended is told as a number."""
    summary = outcome.summary
    if not summary or not summary["layer_loaded"]:
        return ["there is no summary, or the layer was not loaded"]
    wrong = []
    if "WarpSan:" not in outcome.stderr:
        wrong.append("the closing summary was not printed")
    found, unread = told(summary), summary["errors"].get("records_unread", 0)
    due = {}
    for kernel, count in re.findall(r"^due (\w+) (\d+)$", outcome.stdout, re.MULTILINE):
        due[kernel] = due.get(kernel, 0) + int(count)
    may = set(re.findall(r"^may (\w+)$", outcome.stdout, re.MULTILINE))
    for kernel, count in due.items():
        missing = count - found.get(kernel, 0)
        if missing > unread or missing < 0:
            wrong.append(f"{kernel} went wrong in {count} launches, told are {found.get(kernel, 0)} and "
                         f"{unread} unread")
        unread -= max(0, missing)
    wrong += [f"{kernel} went wrong in {count} launches, which is not true"
              for kernel, count in found.items() if kernel not in due and kernel not in may]
    if unread > 0 and not may:
        wrong.append(f"{unread} records are unread that nobody can have written")
    wrong += [f"{count} {name}" for name in ("records_lost", "records_bad") if (count := summary["errors"][name])]
    wrong += [f"gap: {gap['subject']}: {gap['reason']}" for gap in summary["gaps"] if gap["launches"]]
    return wrong


MOST_PER_PROGRAM = 1.0  # KiB more than bare that stay of a program that was released


def wrong_size(under, notes, bare):
    """Of many programs, whether their memory came back."""
    figures = [re.search(r"^programs: ([\d.]+) ms each, (\d+) KiB, then (\d+) KiB of (\d+)$", side.stderr, re.MULTILINE)
               for side in (bare, under)]
    if None in figures:
        return ["it did not say how large it was"]
    (slow, before, after, count), (ours, our_before, our_after, _) = [map(float, match.groups()) for match in figures]
    notes.append(f"{slow:.0f} ms a program bare, {ours:.0f} ms under WarpSan; from {before:.0f} to {after:.0f} KiB bare, "
                 f"from {our_before:.0f} to {our_after:.0f} KiB under WarpSan")
    each = ((our_after - our_before) - (after - before)) / count
    return [f"{each:.1f} KiB stay of each program"] if each > MOST_PER_PROGRAM else []


class Result:
    def __init__(self, cycle, wrong, notes, bare, under):
        self.cycle, self.wrong, self.notes, self.bare, self.under = cycle, wrong, notes, bare, under


def live(place, cycle):
    """Runs a cycle on both sides and compares. A driver that does not always do
    the same is run bare until it has done what it did under WarpSan."""
    bare = place.run(cycle, False, cycle.limit)
    notes = []
    limit = 30 + 10 * bare.seconds
    under = place.run(cycle, True, limit)
    seen = [bare.seen()]
    while under.seen() not in seen and len(seen) < BARE_TRIES:
        seen.append(place.run(cycle, False, cycle.limit).seen())
    wrong = list(under.left)
    if under.seen() not in seen:
        wrong.append(f"{under.ending()}; bare: {bare.ending()}")
        if under.stdout != bare.stdout:
            wrong.append(f"it printed {under.stdout!r}; bare: {bare.stdout!r}")
    elif len(set(seen)) > 1:
        notes.append("the driver bare, too, does not always end alike: " +
                     ", ".join(sorted({ending for ending, _ in seen})))
    if bare.timed_out or bare.exit_code in (-6, -11) and cycle.words[-1] not in ("abort", "segv"):
        notes.append(f"the driver, bare: {bare.ending()}")
    wrong += wrong_findings(under)
    if cycle.words[0] == "programs":
        wrong += wrong_size(under, notes, bare)
    if under.timed_out:  # also if it is the driver's doing: nothing was compared
        wrong.append("nothing is known of its end")
    if "$PASS" in cycle.layers and not under.passed:
        wrong.append("the other layer has seen no call")
    return Result(cycle, wrong, notes, bare, under)


class Turn:
    """Cycles that want both processors wait for the others, and they for them."""

    def __init__(self, workers):
        self.workers = workers
        self.free = workers
        self.changed = threading.Condition()

    def take(self, alone):
        wanted = self.workers if alone else 1
        with self.changed:
            self.changed.wait_for(lambda: self.free >= wanted)
            self.free -= wanted
        return wanted

    def give(self, taken):
        with self.changed:
            self.free += taken
            self.changed.notify_all()
