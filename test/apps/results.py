# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of a program's run is its result, and when two results are the same.

A result is something that does not change from one bare run to the next: not a
time, a process id or a random number. `read(run)` takes it from a finished run
(an object with stdout, stderr and the working folder); `difference(a, b)` says
in words how two differ, or None.
"""

import collections
import dataclasses
import os
import re

COLOR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
SHOWN = 8  # differences that are worth reading
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def same_line(a, b, tolerance):
    """Equal, but for numbers that differ by `tolerance` of the larger."""
    if a == b:
        return True
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    pairs = zip(map(float, NUMBER.findall(a)), map(float, NUMBER.findall(b)))
    return all(abs(x - y) <= tolerance * max(abs(x), abs(y)) for x, y in pairs)


@dataclasses.dataclass(frozen=True)
class Lines:
    """The lines that match `pattern`, in order; of each its groups, if it has
    any, else all of it. Numbers may differ by `tolerance`, relatively."""
    pattern: str = "."
    stream: str = "stdout"
    tolerance: float = 0.0

    def read(self, run):
        # A progress line is rewritten with '\r': each state of it is a line.
        lines = re.split(r"[\r\n]+", COLOR.sub("", getattr(run, self.stream)))
        matches = filter(None, (re.search(self.pattern, line) for line in lines))
        lines = [" ".join(match.groups()) if match.groups() else match.string for match in matches]
        if not lines:
            raise ValueError(f"no line of its {self.stream} matches '{self.pattern}'")
        return lines

    def difference(self, a, b):
        changes = [f"'{x}' became '{y}'" for x, y in zip(a, b) if not same_line(x, y, self.tolerance)]
        if len(a) != len(b):
            changes.append(f"{len(a)} lines of result became {len(b)}")
        if len(changes) > SHOWN:
            changes[SHOWN:] = [f"and {len(changes) - SHOWN} more"]
        return "; ".join(changes) or None


@dataclasses.dataclass(frozen=True)
class Counts:
    """How often each text that `pattern` matches occurs, in whatever order."""
    pattern: str

    def read(self, run):
        found = collections.Counter(re.findall(self.pattern, COLOR.sub("", run.stdout)))
        if not found:
            raise ValueError(f"nothing in its stdout matches '{self.pattern}'")
        return found

    def difference(self, a, b):
        if a == b:
            return None
        return f"{dict(a)} became {dict(b)}"


@dataclasses.dataclass(frozen=True)
class Content:
    """A file that the program writes into its working folder, to the byte."""
    name: str

    def read(self, run):
        with open(os.path.join(run.work, self.name), "rb") as file:
            return file.read()

    def difference(self, a, b):
        return None if a == b else f"{self.name} is another"


@dataclasses.dataclass(frozen=True)
class Pixels:
    """A picture, or raw video, that the program writes into its working folder.
    Brightness may differ by `levels` of 255: a sum in another order rounds
    otherwise. A `share` of the values may differ by more."""
    name: str
    levels: int = 1
    share: float = 0

    def read(self, run):
        import numpy  # installed with the programs
        from PIL import Image

        path = os.path.join(run.work, self.name)
        if self.name.endswith(".yuv"):
            return numpy.fromfile(path, numpy.uint8)
        with Image.open(path) as picture:
            # "F": one channel of floating-point numbers
            return numpy.asarray(picture if picture.mode == "F" else picture.convert("RGBA"))

    def difference(self, a, b):
        if a.shape != b.shape:
            return f"{self.name} has another size: {a.shape} became {b.shape}"
        off = abs(a.astype(float) - b.astype(float))
        wrong = (off > self.levels).sum()
        if wrong <= self.share * off.size:
            return None
        return f"{self.name}: {wrong} of {off.size} values are off, by up to {off.max():g} of 255"
