# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of fault_program, in which one call fails, and what is expected of them."""

import dataclasses
import os
import shutil
import struct
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "apps"))

from drivers import DRIVERS  # noqa: E402
from sides import Side  # noqa: E402

KINDS = ["memory", "file", "process", "short", "interrupted", "driver", "app"]
TIMEOUT = 240  # seconds; what hangs, hangs for ever
ENDING = 3  # fault_program's exit code


@dataclasses.dataclass(frozen=True)
class Fault:
    """`at`: the how manieth call of that kind fails. `forever`: so do all after it."""
    driver: str
    cache: str  # warm: everything is in the cache; cold: nothing is
    kind: str
    at: int
    forever: bool = False
    error: int = -6  # of the driver

    def __str__(self):
        error = f":{self.error}" if self.kind == "driver" else ""
        return f"{self.driver}:{self.cache}:{self.kind}:{self.at}{'+' if self.forever else ''}{error}"

    @staticmethod
    def of(text):
        driver, cache, kind, at, *error = text.split(":")
        return Fault(driver, cache, kind, int(at.rstrip("+")), at.endswith("+"), int(error[0]) if error else -6)


@dataclasses.dataclass
class Board:
    """What libwarpsan_faults.so wrote: board.h."""
    counts: dict
    fired: int
    app_call: int
    forwarded: bool
    name: str
    app_name: str
    places: list

    LAYOUT = struct.Struct("8Q Q Q Q 64s 64s Q")
    SIZE = LAYOUT.size + 4 * 16384

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            data = file.read(Board.SIZE)
        *values, places = Board.LAYOUT.unpack(data[:Board.LAYOUT.size])
        text = [value.split(b"\0")[0].decode() for value in values[11:]]
        return Board(dict(zip(KINDS, values)), values[8], values[9], bool(values[10]), *text,
                     list(struct.unpack_from(f"{places}I", data, Board.LAYOUT.size)))

    @staticmethod
    def clear(path):
        with open(path, "wb") as file:
            file.write(bytes(Board.SIZE))


class Wrong(Exception):
    pass


class Bench:
    """Runs the program with one driver: bare, and with WarpSan."""

    def __init__(self, build, folder, driver):
        self.build = os.path.abspath(build)
        self.folder = os.path.join(folder, driver)
        self.driver = driver
        os.makedirs(self.folder)
        self.warpsan = os.path.join(self.build, "bin/warpsan")
        self.layer = os.path.join(self.build, "lib/libwarpsan_layer.so")
        self.faults = os.path.join(self.build, "test/robustness/libwarpsan_faults.so")
        self.above = os.path.join(self.build, "test/robustness/libwarpsan_faults_above.so")
        self.program = [os.path.join(self.build, "test/robustness/fault_program"),
                        os.path.join(self.build, "test/layer/il/vector_add.spv")]
        self.drivers_cache = os.path.join(self.folder, "driver-cache")
        self.environment = {**DRIVERS[driver].environment(), "POCL_CACHE_DIR": self.drivers_cache,
                            "MESA_SHADER_CACHE_DIR": self.drivers_cache, "LC_ALL": "C.UTF-8"}
        self.warm = os.path.join(self.folder, "warm")
        os.makedirs(self.warm)
        self.serial = 0
        self.lock = threading.Lock()
        self.bare = self.run_bare()
        if self.bare.exit_code != ENDING:
            raise Wrong(f"{driver}, bare: {self.bare.ending()}\n{self.bare.stdout}{self.bare.stderr}")
        # rusticl's own thread lets go of a context when it comes to it: where bare runs differ in that, it is no case.
        self.steady = all(self.run_bare().stdout == self.bare.stdout for _ in range(8))
        self.oracles = {}
        self.counted = {}
        self.usual = {}
        self.places = {}  # allocations that come from another place than all before
        for cache in "cold", "warm":
            for _ in range(2 if cache == "warm" else 1):  # the first fills the cache, the driver's too
                run, board = self.run(cache, keep=cache == "warm")
            self.check_same(run)
            if not run.summary:
                raise Wrong(f"{driver}, {cache}: no summary\n{run.stderr}")
            self.counted[cache], self.usual[cache] = board.counts, run.summary
            self.places[cache] = board.places

    def place(self):
        with self.lock:
            self.serial += 1
            return os.path.join(self.folder, f"run-{self.serial}")

    def run_bare(self, wrap=(), environment=()):
        place = self.place()
        run = Side(place).run([*wrap, *self.program], {**self.environment, **dict(environment)}, TIMEOUT)
        shutil.rmtree(place, ignore_errors=True)
        return run

    def run_under(self, options=(), wrap=(), environment=(), before=(), place=None):
        """With WarpSan. `before` is put before `warpsan`, `wrap` before the program."""
        made = place or self.place()
        side = Side(made, [*before, self.warpsan, "run", "--exit_code=0", *options])
        run = side.run([*wrap, *self.program], {**self.environment, **dict(environment)}, TIMEOUT)
        if not place:
            shutil.rmtree(made, ignore_errors=True)
        return run

    def run(self, cache, fault=None, keep=False, options=()):
        """With the library of faults around WarpSan's layer."""
        place = self.place()
        os.makedirs(place)
        folder, board = place + "-cache", place + "-board"
        if keep:
            folder = self.warm
        elif cache == "warm":
            shutil.copytree(self.warm, folder)
        Board.clear(board)
        environment = {"LD_PRELOAD": self.faults, "FAULTS_BOARD": board,
                       "FAULTS_KIND": fault.kind if fault else "memory",
                       "FAULTS_AT": str(fault.at if fault else 0)}
        if fault and fault.forever:
            environment["FAULTS_FOREVER"] = "1"
        if fault:
            environment["FAULTS_ERROR"] = str(fault.error)
        wrap = ["env", *(f"{name}={value}" for name, value in environment.items()),
                f"OPENCL_LAYERS={self.faults}:{self.layer}:{self.above}"]
        run = self.run_under([f"--cache_dir={folder}", *options], wrap=wrap, place=place)
        seen = Board.read(board)
        shutil.rmtree(place, ignore_errors=True)
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        os.remove(board)
        return run, seen

    def oracle(self, call, error):
        """What the program prints and returns without WarpSan if its call of that number fails."""
        with self.lock:
            known = self.oracles.get((call, error))
        if known:
            return known
        board = self.place() + "-board"
        Board.clear(board)
        run = self.run_bare(environment={"FAULTS_BOARD": board, "FAULTS_KIND": "app", "FAULTS_AT": str(call),
                                         "FAULTS_ERROR": str(error), "OPENCL_LAYERS": self.above,
                                         "LD_PRELOAD": self.faults})
        os.remove(board)
        with self.lock:
            self.oracles[call, error] = run
        return run

    def check_same(self, run, like=None, references=True):
        like = like or self.bare
        if run.ending() != like.ending():
            raise Wrong(f"{run.ending()}, bare: {like.ending()}\n{tail(run.stderr)}")
        new, old = run.stdout, like.stdout
        if not references or not self.steady:
            new, old = without_references(new), without_references(old)
        if new != old:
            raise Wrong(f"it printed other things:\n{difference(old, new)}")

    def check_told(self, run, cache="warm"):
        """What was lost is told."""
        if not run.summary:
            if "warpsan" not in run.stderr.lower():
                raise Wrong("no summary, and nothing was said")
            return
        usual, summary = self.usual[cache], run.summary
        less = [what for what in ("covered", "seen") if summary["launches"][what] < usual["launches"][what]]
        if summary["errors"]["different"] < usual["errors"]["different"]:
            less.append("findings")
        said = (summary["gaps"] or not summary["layer_loaded"] or summary["errors"]["records_lost"]
                or summary["errors"]["records_bad"] or summary["launches"]["partial"]
                or "cannot" in run.stderr or "could not" in run.stderr or "status file" in run.stderr)
        if less and not said:
            raise Wrong(f"lost in silence: {', '.join(less)}; {summary['launches']}\n{tail(run.stderr)}")

    def try_fault(self, fault):
        """Whether the call was made at all in this run: threads may come in another order."""
        run, board = self.run(fault.cache, fault)
        what = f"{board.name}" + (f" in {board.app_name}" if board.app_name else "")
        try:
            if fault.kind == "driver" and board.forwarded:
                try:
                    self.check_same(run)
                except Wrong:
                    self.check_same(run, self.oracle(board.app_call, fault.error))
                    return True, what
            else:
                # What the driver does not release for us is still there.
                self.check_same(run, references=not board.name.startswith("clRelease"))
            self.check_told(run, fault.cache)
        except Wrong as error:
            raise Wrong(f"{what}: {error}") from None
        return bool(board.fired), what


def without_references(text):
    return "".join(line for line in text.splitlines(True) if "references" not in line)


def tail(text, lines=5):
    return "\n".join("    " + line for line in text.splitlines()[-lines:])


def difference(old, new):
    import difflib
    return "\n".join("    " + line for line in difflib.unified_diff(old.splitlines(), new.splitlines(), "bare",
                                                                   "WarpSan", lineterm="", n=0))
